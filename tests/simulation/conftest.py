import pytest

from sevenout.simulation.unexplored import exploration_choice, lazy_counts, lazy_tally


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of 500 games, and no exploring beyond 1,000 states."""
    for module in (lazy_counts, lazy_tally):
        monkeypatch.setattr(module, "CHUNK", 500)
    monkeypatch.setattr(exploration_choice, "SOON_STATES", 1_000)
    monkeypatch.setattr(exploration_choice, "STATES_A_GAME", 0)
