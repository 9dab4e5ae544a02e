import pytest

from sevenout.simulation import lazy_sampler, lazy_tally


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of 500 games, and no exploring beyond 1,000 states."""
    monkeypatch.setattr(lazy_tally, "CHUNK", 500)
    monkeypatch.setattr(lazy_sampler, "QUICK_STATES", 1_000)
    monkeypatch.setattr(lazy_sampler, "MAX_STATES_PER_GAME", 0)
