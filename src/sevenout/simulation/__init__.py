"""Simulation: games played roll by roll with exact probabilities.

The games of a batch are rolled in step, and only the number of games in each state is kept. Random
bits choose rolls with exact integer weights, and each bit belongs to one game
(`random_bits`). So every engine gives the same counts, and `replay` can play a batch game
by game through the rules. See docs/explanation/simulation.md.
"""

from sevenout.lazy import lazy_getattr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.simulation.checkpoints import CheckpointError
    from sevenout.simulation.evening_sampler import EveningDice
    from sevenout.simulation.played_evenings import simulate_evenings
    from sevenout.simulation.replay import (
        LogError,
        PlayedRoll,
        ReplayedGame,
        ReplayError,
        parse_log,
        read_log,
        recount,
        replay_batch,
        replay_log,
    )
    from sevenout.simulation.run import (
        Interrupted,
        Progress,
        play_batch,
        simulate,
    )
    from sevenout.simulation.tally import BetTally, ResultCounts, Tally, TallyError
else:
    __getattr__ = lazy_getattr(
        __name__,
        {
            "evening_sampler": "EveningDice",
            "played_evenings": "simulate_evenings",
            "replay": "LogError ReplayedGame PlayedRoll ReplayError parse_log read_log recount "
            "replay_batch replay_log",
            "checkpoints": "CheckpointError",
            "run": "Interrupted Progress play_batch simulate",
            "tally": "BetTally ResultCounts Tally TallyError",
        },
    )

__all__ = [  # written out: the docs read it, and run nothing
    "BetTally",
    "CheckpointError",
    "EveningDice",
    "Interrupted",
    "LogError",
    "PlayedRoll",
    "Progress",
    "ReplayError",
    "ReplayedGame",
    "ResultCounts",
    "Tally",
    "TallyError",
    "parse_log",
    "play_batch",
    "read_log",
    "recount",
    "replay_batch",
    "replay_log",
    "simulate",
    "simulate_evenings",
]
