"""The rules that a certificate carries in place of its states.

A game whose rules are data, or a family that can be written so, is explored twice: by its own step,
and as a `Rulebook`. Both must make the same game; if it is large, only the numbers of states, the
choices, the outcomes and the stakes are compared. Then the certificate is of the rulebook, which
its checker expands by a third program.
"""

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from hashlib import sha256
from itertools import zip_longest
from typing import Any

from sevenout.errors import RulesError, SevenoutError, shown
from sevenout.model import Chain, Model, explore
from sevenout.numerals import numbers_of_any_length
from sevenout.rolling import Law, Reading
from sevenout.rules import Game, Outcome
from sevenout.rules.guarded_rules import Rulebook
from sevenout.rules.outcome import Counts, Pay, added, unwrap
from sevenout.rules.rules_as_data import rulebook_of_game

MAX_STATES_COMPARED = 60_000
"""Games of up to this many states are compared move by move with their rulebooks: some 3 s."""

NOT_SOLVED = (
    "rules= is not what was solved; give that game, and with policy= the policy that fixes its "
    "choices"
)
"""The refusal of rules that make another model."""


def rulebook_and_model(game: Game, model: Model) -> tuple[Rulebook, Model] | None:
    """A game's rulebook, explored and compared with its model; None if the rules are a program.

    None also if turns pass in the rules, and the model is the chain of both players' turns. With
    over `MAX_STATES_COMPARED` states, only their number, the choices, the outcomes and the stakes
    are compared.

    >>> from sevenout.catalogue import games
    >>> craps = games["craps"]
    >>> rulebook_and_model(craps, explore(craps))[1].states[:2]
    ((0,), (4,))

    Raises:
        RulesError: not a game, or the model is of another one.
    """
    if not isinstance(game, Game):
        raise RulesError(f"rules={shown(game)}; give the game that was solved")
    try:
        rulebook = rulebook_of_game(game)
    except SevenoutError:
        return None
    rulebook_model = explore(rulebook)
    if isinstance(model, Chain) and any(rulebook_model.passing):
        return None
    if len(rulebook_model.states) <= MAX_STATES_COMPARED:
        require_same_behaviour(rulebook_model, model)
    elif _features(rulebook_model) != _features(model):
        raise RulesError(NOT_SOLVED)
    return rulebook, rulebook_model


def require_same_behaviour(model: Model, solved: Model) -> None:
    """Refuse a model that behaves unlike the one that was solved.

    Raises:
        RulesError: it is of another game or policy.
    """
    if behaviour(model) != behaviour(solved):
        raise RulesError(NOT_SOLVED)


def _features(model: Model) -> tuple[Any, ...]:
    """The number of states, choices, outcomes and stakes, in which most games differ."""
    return (
        len(model.states),
        set(model.menus),
        {tuple((bet, _with_profit_only(pay)) for bet, pay in end.pays) for end in model.outcomes},
        dict(model.stakes),
    )


def rules_sha256(rulebook: Rulebook) -> str:
    """The SHA-256 of a rulebook, as its certificate and its checker print it.

    >>> from sevenout.catalogue import games
    >>> rules_sha256(rulebook_of_game(games["craps"]))[:12]
    '8a1c36380e88'
    """
    return sha256(one_line(rulebook.data)).hexdigest()


def one_line(data: Any) -> bytes:
    """One line of JSON, formatted as in certificates."""
    with numbers_of_any_length():
        line = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return line.encode(errors="backslashreplace")  # half of a pair of UTF-16 stays an escape


def picks_of(
    game: Game, rulebook: Rulebook, model: Model, policy: Callable[[Any], str]
) -> dict[int, int]:
    """The move that a policy picks in each decision of the rulebook's model.

    The policy knows the game's own states. So both are walked side by side, on the same rolls.

    >>> from sevenout.catalogue import games
    >>> turn, hold = games("pig-turn", goal=6), games.entry("pig-turn").policy("hold-4")
    >>> rulebook, model = rulebook_and_model(turn, explore(turn))
    >>> picks = picks_of(turn, rulebook, model, hold)
    >>> [model.menus[s][move - model.first_move[s]] for s, move in picks.items()]
    ['roll', 'roll', 'hold', 'hold']
    """
    game_states: dict[Hashable, Any] = {rulebook.start: game.start}  # by state of the rulebook
    rolls = [(rulebook.dice.function(roll), roll) for roll in rulebook.source.law]  # type: ignore[attr-defined]  # dice are read
    pending = [rulebook.start]
    for state in pending:  # grows during the loop
        game_state = game_states[state]
        menu, game_menu = rulebook.choices(state), game.choices(game_state)
        pairs = [(menu[option], game_menu[option]) for option in menu]
        rolled = game.rolls(game_state)
        for seen, roll in rolls:
            pairs.append(
                (rulebook.step(state, seen), game.step(game_state, _reading_of(rolled, roll)))
            )
        for follows, game_follows in pairs:
            after, game_after = unwrap(follows)[0], unwrap(game_follows)[0]
            if not isinstance(after, Outcome) and after not in game_states:
                game_states[after] = game_after
                pending.append(after)
    return {
        s: model.first_move[s] + menu.index(policy(game_states[model.states[s]]))
        for s, menu in enumerate(model.menus)
        if menu
    }


def _reading_of(rolled: Any, roll: Any) -> Any:
    """What a game's step sees of a roll of its dice."""
    if not isinstance(rolled, Reading):
        return roll
    return rolled.function(_reading_of(rolled.source, roll))


def fixed_at_picks(model: Model, picks: Mapping[int, int]) -> Chain:
    """The chain in which every decision is a roll with one result: what is picked. No turns pass.

    All states stay, with their numbers, those that the picks never reach too. A decision is no roll
    of the dice, so its move takes one off the rolls.
    """
    certain_roll = len(model.rollables)

    def moves(s: int) -> Iterable[tuple[int, Counts]]:
        if s in picks:
            counts = model.tags[model.tag_index[picks[s]]]
            return [(model.targets[picks[s]], added(counts, (("rolls", -1),)))]
        rolled = model.moves_of(s)
        return [(model.targets[move], model.tags[model.tag_index[move]]) for move in rolled]

    nodes = range(len(model.states))
    return Chain.of_moves(
        states=model.states,
        outcomes=model.outcomes,
        rollables=(*model.rollables, Law({"picked": 1})),
        rollable_index=[certain_roll if s in picks else model.rollable_index[s] for s in nodes],
        moves=map(moves, nodes),
        stakes=model.stakes,
        declared_counters=model.declared_counters,
    )


def behaviour(model: Model) -> Chain:
    """A chain that represents a model for comparison.

    Options become rolls, with counters for the option and for a passed turn. What only papers need
    is left out: money at risk, and rows of return tables.
    """
    outcomes = [
        Outcome(end.label, tuple((bet, _with_profit_only(pay)) for bet, pay in end.pays))
        for end in model.outcomes
    ]
    roll_of_menu: dict[tuple[str, ...], int] = {}
    rolled = [
        roll_of_menu.setdefault(menu, len(model.rollables) + len(roll_of_menu)) if menu else roll
        for menu, roll in zip(model.menus, model.rollable_index, strict=True)
    ]

    def moves(s: int) -> Iterable[tuple[int, Counts]]:
        for option, move in zip_longest(model.menus[s], model.moves_of(s)):
            tag = model.tag_index[move]
            counts = {name: n for name, n in model.tags[tag] if n}
            counts |= {f"option {option}": 1} if option is not None else {}
            counts |= {"turn passes": 1} if model.passing[tag] else {}
            yield model.targets[move], tuple(sorted(counts.items()))

    return Chain.of_moves(
        states=range(len(model.states)),
        outcomes=outcomes,
        rollables=(*model.rollables, *(Law(dict.fromkeys(menu, 1)) for menu in roll_of_menu)),
        rollable_index=rolled,
        moves=map(moves, range(len(model.states))),
        stakes=model.stakes,
    )


def _with_profit_only(pay: Pay) -> Pay:
    return Pay("", pay.profit, pay.stake, pay.stake)
