"""The public `simulate`, which loads the engines only for a run."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from concurrent.futures import Executor

    from sevenout.catalogue import Entry
    from sevenout.model import Chain
    from sevenout.rules import Game
    from sevenout.simulation.run import Progress
    from sevenout.simulation.tally import Tally


def simulate(
    game: Game | Chain | Entry | str,
    games: int,
    seed: int = 1,
    *,
    backend: str = "auto",
    executor: Executor | None = None,
    window: int | None = None,
    progress: Callable[[Progress], object] | None = None,
    save: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Tally:
    """Play `games` games, each to its end, with independent rolls.

    The tally depends only on the game, the number of games and the seed.

    >>> from sevenout.rules import PointGame
    >>> craps = PointGame(naturals=[7, 11], craps=[2, 3, 12], out=7)
    >>> tally = simulate(craps, games=1000, seed=1)
    >>> tally.games, tally.bet().won + tally.bet().lost
    (1000, 1000)

    Args:
        game: the rules, or their chain; an entry of the catalogue, or its name.
        games: the number played, all to their end.
        seed: one of 2^64 streams of random bits.
        backend: "numpy", "llvm" (or "llvm-128", "llvm-256", "llvm-512" for a width of vectors),
            or "auto": numpy for short runs, llvm for others.
        executor: of processes or of a cluster; by default threads of this process.
        window: tasks in flight; by default twice the workers.
        progress: called as blocks finish.
        save: a file for checkpoints.
        resume: continue from that file, if it exists; otherwise an existing file is refused.

    Raises:
        SevenoutError: a wrong number of games or tasks, seed or backend.
        CheckpointError: the checkpoint is damaged, of another run, or exists already.
        Interrupted: Ctrl-C; it holds the tally so far.
    """
    from sevenout.catalogue import game_of
    from sevenout.simulation import run

    return run.simulate(
        game_of(game),
        games,
        seed,
        backend=backend,
        executor=executor,
        window=window,
        progress=progress,
        save=save,
        resume=resume,
    )
