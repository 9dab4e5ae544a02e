"""Games: what is rolled, a first state, and one step.

To write a game, derive a class from `Game`; `win`, `lose` and `settle` end it. `PointGame`, `Wager`
and `Checklist` are families of bets; `KeepRoll` and `ByTurns` are turns in which dice are kept.
`Streak`, `Mixture`, `JointGame`, `RenamedGame` and `Surrender` build games from games. `parse_game`
and `game_text` read and write games as TOML.
"""

from sevenout.lazy import lazy_getattr
from sevenout.numerals import Number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.rules.casino.felt import Common
    from sevenout.rules.casino.limits import Progressive
    from sevenout.rules.combined_games import (
        CounterOutcomes,
        FlatGame,
        JointGame,
        Mixture,
        RenamedGame,
        Streak,
    )
    from sevenout.rules.game import Game, HiddenGame, bets_of
    from sevenout.rules.gamefiles.gamefile import game_text, parse_game
    from sevenout.rules.hidden_hands import HiddenHands
    from sevenout.rules.keep_games import ByTurns, Hand, KeepRoll, keepable_sets
    from sevenout.rules.modified_games import Surrender
    from sevenout.rules.objective import Objective, least, most
    from sevenout.rules.outcome import (
        Ask,
        Counted,
        Outcome,
        Passed,
        Pay,
        choose_again,
        counted,
        lose,
        pass_turn,
        push,
        settle,
        win,
    )
    from sevenout.rules.pay_tables import PayTable
    from sevenout.rules.point_games import PointGame
    from sevenout.rules.rules_as_data import rulebook_of_game
    from sevenout.rules.wagers import Checklist, Part, Wager
else:
    __getattr__ = lazy_getattr(
        __name__,
        {
            "casino.felt": "Common",
            "casino.limits": "Progressive",
            "combined_games": "CounterOutcomes FlatGame JointGame Mixture RenamedGame Streak",
            "game": "Game HiddenGame bets_of",
            "gamefiles.gamefile": "game_text parse_game",
            "hidden_hands": "HiddenHands",
            "keep_games": "ByTurns Hand KeepRoll keepable_sets",
            "modified_games": "Surrender",
            "objective": "Objective least most",
            "outcome": "Ask Counted Outcome Passed Pay "
            "choose_again counted lose pass_turn push settle win",
            "pay_tables": "PayTable",
            "point_games": "PointGame",
            "rules_as_data": "rulebook_of_game",
            "wagers": "Checklist Part Wager",
        },
    )

__all__ = [
    "Ask",
    "ByTurns",
    "Checklist",
    "Common",
    "Counted",
    "CounterOutcomes",
    "FlatGame",
    "Game",
    "Hand",
    "HiddenGame",
    "HiddenHands",
    "JointGame",
    "KeepRoll",
    "Mixture",
    "Number",
    "Objective",
    "Outcome",
    "Part",
    "Passed",
    "Pay",
    "PayTable",
    "PointGame",
    "Progressive",
    "RenamedGame",
    "Streak",
    "Surrender",
    "Wager",
    "bets_of",
    "choose_again",
    "counted",
    "game_text",
    "keepable_sets",
    "least",
    "lose",
    "most",
    "parse_game",
    "pass_turn",
    "push",
    "rulebook_of_game",
    "settle",
    "win",
]
