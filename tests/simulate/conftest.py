import pytest

from sevenout.simulate import metbook, mettally, worth


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of 500 games, and no exploring beyond 1,000 states."""
    for module in (metbook, mettally):
        monkeypatch.setattr(module, "CHUNK", 500)
    monkeypatch.setattr(worth, "SOON_STATES", 1_000)
    monkeypatch.setattr(worth, "STATES_A_GAME", 0)
