"""Certificates of chains and of two mixed policies, and whether a certificate is of a given game.

The package `certify` has the format and its checker; here answers are written in it.

*A chain.* The value of a claim in a state is the mean of the values in the next states. Without
long cycles the values are fractions; otherwise integers with a proved bound (`lifting`).

*Two mixed policies.* The game in integers, and each player's policy. The checker computes the best
replies (`certify/check.py`).
"""

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from flint import fmpq

from sevenout.budgets.estimates import afford
from sevenout.certify import (
    AwardClaim,
    Certificate,
    Claim,
    ProofFile,
    Proved,
    award_claims,
    claim_of,
    claims_of,
)
from sevenout.certify.certificate import (
    VERSION,
    difference,
    ends_in_order,
    ranks_of,
    rollables_data,
    settled_states,
)
from sevenout.certify.claim import exact_json
from sevenout.certify.rulebook_models import (
    MAX_STATES_COMPARED,
    fixed_at_picks,
    picks_of,
    require_same_behaviour,
    rulebook_and_model,
)
from sevenout.errors import SevenoutError
from sevenout.extras import require
from sevenout.model import Chain, Model, explore, state_name
from sevenout.model.model import add_seats
from sevenout.model.process import ChoiceMixture
from sevenout.rolling.generating_functions import to_flint, to_fraction
from sevenout.rules import Game, Outcome, Progressive
from sevenout.rules.guarded_rules import Rulebook
from sevenout.solving.counter_distributions import JointLaw
from sevenout.solving.elimination import Elimination
from sevenout.solving.equilibria import subgames, topological_order
from sevenout.solving.goal import Goal, goal_of

if TYPE_CHECKING:
    from sevenout.solving.mixed_optimum import MixedOptimum


def certificate(
    chain: Chain,
    claim_texts: Sequence[str],
    *,
    terms: Mapping[str, int] | None,
    title: str,
    digits: int | None,
    rules: Game | None = None,
    policy: Callable[[Any], str] | None = None,
    awards: Sequence[AwardClaim] = (),
) -> Certificate:
    """The certificate of a chain; `claim_texts` and other arguments as `Solution.certificate`."""
    declared = None if rules is None else _declared(chain, rules, policy)
    if declared is not None:
        chain = declared.chain
    claims = claims_of(chain, claim_texts, terms, awards)
    columns = sum(claim.terms for claim in claims)
    afford(
        f"{columns:,} values for each of {len(chain.states):,} states",
        seconds=2e-5 * columns * len(chain.states),
        instead="claim less",
    )
    if digits is None:
        elimination = Elimination(chain.weights, fmpq(1), chain.components)
        proved = tuple(Proved(claim, _exact_columns(chain, claim, elimination)) for claim in claims)
        proof = Certificate(title, chain, proved, ranks_of(chain))
    else:
        require("scipy", "fast")
        from sevenout.solving.lifting import certified_values

        proof = certified_values(chain, claims, title, digits)
    if declared is not None:
        proof = replace(proof, body=declared.model, rules=declared.rulebook)
        picks = declared.picks
    else:
        # Where the policy ends the game, the checker wants it named like any other choice.
        picks = {s: chain.first_move[s] for s in settled_states(chain)}
    return replace(proof, picks=picks, chooser_goals=dict.fromkeys(picks, "fixed"))


class DeclaredChain(NamedTuple):
    """A game in its rules as data, under a policy if it has choices.

    Attributes:
        rulebook: the rules.
        model: the states that the checker expands them to.
        picks: the move that the policy picks in each decision state.
        chain: the model with these picks.
    """

    rulebook: Rulebook
    model: Model
    picks: Mapping[int, int]
    chain: Chain


def _declared(
    chain: Chain, rules: Game, policy: Callable[[Any], str] | None
) -> DeclaredChain | None:
    """The rules of a chain as data.

    None where they are a program, or where turns pass: states are then listed for each seat. None
    also for a large game under a policy.

    Raises:
        RulesError: the chain is of another game or policy.
    """
    if policy is None:
        declaration = rulebook_and_model(rules, chain)
        if declaration is None:
            return None
        rulebook, model = declaration
        # Where turns pass, the rules make no chain, and `best` has the shorter certificate.
        return DeclaredChain(rulebook, model, {}, model) if isinstance(model, Chain) else None
    explored = explore(rules)
    # A value turns around where the turn passes, but the policy may reach a state in one seat only.
    if explored.passes or len(explored.states) > MAX_STATES_COMPARED:
        return None
    declaration = rulebook_and_model(rules, explored)
    if declaration is None:
        return None
    require_same_behaviour(explored.under(policy), chain)
    rulebook, model = declaration
    picks = picks_of(rules, rulebook, model, policy)
    return DeclaredChain(rulebook, model, picks, fixed_at_picks(model, picks))


def _exact_columns(
    chain: Chain, claim: Claim, elimination: Elimination
) -> tuple[Sequence[Fraction], ...]:
    """The values as fractions, one column for each term of a distribution."""
    n = len(chain.states)
    if claim.of != "law":
        ends = [to_flint(claim.amount(outcome)) for outcome in chain.outcomes]
        reward = [fmpq(0)] * n
        if claim.counter:
            reward = [
                to_flint(sum((w * Fraction(claim.gain(c)) for w, _, c in row), Fraction(0)))
                for row in chain.rows
            ]
        return (list(map(to_fraction, elimination.values(reward, ends))),)
    return JointLaw(chain, [claim.name]).columns(claim.terms)


def certificate_difference(
    lines: Iterable[bytes],
    game: Game,
    *,
    policy: Callable[[Any], str] | None = None,
    awards: Mapping[str, Progressive] | None = None,
) -> str:
    """Where a checked certificate is of another game; empty if nowhere.

    It compares all that the claims depend on. These are the rules or the moves of every state, the
    picks of a policy, and the amounts that a claim counts for the ends, as for an award.

    >>> import sevenout as so
    >>> craps, crapless = so.games["craps"], so.games["crapless"]
    >>> lines = list(so.solve(craps).certificate(rules=craps).lines())
    >>> certificate_difference(lines, craps), certificate_difference(lines, crapless)
    ('', "line 1: the rules of the file differ in 'roll'")

    Args:
        lines: the lines of the certificate, which its checker has accepted.
        game: the game to compare it with.
        policy: what the player does, by state of the game; of a game with choices.
        awards: the progressive awards, by bet.
    """
    lines = list(lines)
    header: dict[str, Any] = json.loads(lines[0])
    model = explore(game)
    if "rules" not in header:
        body = model if policy is None else model.under(policy)
        if differs := difference(lines, body):
            return differs
        # Where turns pass, the file of a goal that players don't share has a player for each seat.
        is_seated = body.passes and not header.get("passes")
        ends = (add_seats(body) if is_seated else body).outcomes
        claims = [award(body) for award in award_claims(model, awards or {})]
        return _difference_of_amounts(header, body, claims, ends)
    declaration = rulebook_and_model(game, model)
    if declaration is None:
        return "line 1: the file carries rules, and those of the game are a program"
    rulebook, declared_model = declaration
    file_rules, own_rules = header["rules"], rulebook.data
    # In the order of the game's rules, then of keys that only the file has.
    for key in dict.fromkeys((*own_rules, *file_rules)):
        if own_rules.get(key) != file_rules.get(key):
            return f"line 1: the rules of the file differ in {key!r}"
    ends = tuple(declared_model.outcomes[k] for k in ends_in_order(declared_model))
    claims = [award(declared_model) for award in award_claims(model, awards or {})]
    if differs := _difference_of_amounts(header, declared_model, claims, ends):
        return differs
    picks = None if policy is None else picks_of(game, rulebook, declared_model, policy)
    return _difference_of_picks(lines, declared_model, picks)


def _difference_of_picks(lines: list[bytes], model: Model, picks: Mapping[int, int] | None) -> str:
    """Where a file follows another policy than the one named; empty if nowhere.

    `picks` are those of the named policy; None if none is named, which is best play.
    """
    for s, menu in enumerate(model.menus):
        if not menu:
            continue
        row = json.loads(lines[s + 1])
        is_fixed = row["ask"] == "fixed"
        if is_fixed and picks is None:
            return "line 1: the file is of a policy; name it with --policy"
        if not is_fixed and picks is not None:
            return "line 1: the file is of best play; leave --policy out"
        if picks is not None and model.first_move[s] + row["pick"] != picks[s]:
            return f"line {s + 2}: the policy picks another option"
    return ""


def _difference_of_amounts(
    header: Mapping[str, Any],
    model: Model,
    claims_of_awards: Iterable[Claim],
    ends: Sequence[Outcome],
) -> str:
    """Where a claim counts the ends by amounts that the game doesn't have; empty if nowhere."""
    award_amounts = {claim.name: claim.amount for claim in claims_of_awards}
    for claim in header["claims"]:
        # Other claims are made of bets and labels, which the rules themselves fix.
        if claim["of"] == "worth":
            amount = award_amounts.get(claim["name"]) or _amount_of(claim["name"], model)
            if amount is None or [exact_json(amount(end)) for end in ends] != claim["worth"]:
                return f"line 1: the game has other amounts than those of {claim['name']!r}"
    return ""


def _amount_of(name: str, model: Model) -> Callable[[Outcome], Fraction] | None:
    """What a claim or a goal counts in an outcome; None if it is neither."""
    try:
        return claim_of(name, model).amount
    except SevenoutError:
        _, _, quantity = name.partition(" ")  # after "most" or "least", as in `Goal.name`
        goals = _goals(model, quantity)
        return goals[0].value if goals else None


def _goals(model: Model, quantity: Any) -> list[Goal]:
    """The two goals of a quantity in a file; none if the game has no such quantity."""
    try:
        return [goal_of(model, most=quantity), goal_of(model, least=quantity)]
    except SevenoutError:
        return []


@dataclass(frozen=True, eq=False)
class MixedCertificate(ProofFile):
    """The input of `check.py`, made by `MixedOptimum.certificate`.

    Attributes:
        title: the game's printed name.
        best: the optimum.
    """

    title: str
    best: "MixedOptimum"

    @property
    def header(self) -> dict[str, Any]:
        """The first line."""
        best = self.best
        low, high = exact_json(best.value - best.bound), exact_json(best.value + best.bound)
        return _header(best.model, best.goal) | {"game": self.title, "low": low, "high": high}

    def data(self) -> Iterator[dict[str, Any]]:
        """The header, the information sets with the policy, and the nodes in order of play."""
        yield self.header
        yield from _rows(self.best.model, self.best.policy)

    def __repr__(self) -> str:
        return f"<MixedCertificate of {self.title}: {self.best.goal.name}>"


def _header(model: Model, goal: Goal) -> dict[str, Any]:
    """The header's description of the game."""
    senses = [goal.sense if player == goal.player else -goal.sense for player in model.players]
    senses = [*senses, -senses[0]][:2]  # a single player is opposed by "nobody"
    return {
        "format": "sevenout certificate of two policies",
        "version": VERSION,
        "game": "",
        "of": goal.quantity,
        "players": [*model.players, "nobody"][:2],
        "wants": ["most" if sense > 0 else "least" for sense in senses],
        "rollables": rollables_data(model),
        "outcomes": [
            {"name": outcome.label, "worth": exact_json(goal.value(outcome))}
            for outcome in model.outcomes
        ],
        "sets": len(model.node_by_key),
        "nodes": len(model.states),
    }


def _rows(model: Model, policy: Mapping[Any, ChoiceMixture]) -> Iterator[dict[str, Any]]:
    """The information sets, with the policy if there is one; and the nodes in topological order."""
    set_numbers: dict[Hashable, int] = {}
    for key, node in model.node_by_key.items():
        set_numbers[key] = len(set_numbers)
        row: dict[str, Any] = {"sees": state_name(model.views[node])}
        row["player"] = model.players.index(model.choosers[node])
        row["options"] = list(model.menus[node])
        yield row | ({"plays": list(map(exact_json, policy[key].values()))} if policy else {})
    # The checker replies to plans in one pass, so nodes come in the order of play.
    roots, order = subgames(model), topological_order(model)
    index = {s: i for i, s in enumerate(order)}
    for s in order:
        row = {"position": state_name(model.states[s])} | ({"root": True} if s in roots else {})
        if s in model.choosers:
            row["set"] = set_numbers[model.policy_key(s)]
        elif not model.menus[s]:
            row["roll"] = model.rollable_index[s]
        targets = model.targets_of(s)
        yield row | {"to": [index.get(t, t) for t in targets]}


def mixed_difference(lines: Iterable[bytes], model: Model) -> str:
    """Where a checked certificate differs from this game; empty if nowhere.

    >>> import sevenout as so
    >>> rock, pennies = (so.games(name) for name in ("rock-paper-scissors", "matching-pennies"))
    >>> proof = so.best(rock).certificate()
    >>> mixed_difference(proof.lines(), so.explore(rock))
    ''
    >>> mixed_difference(proof.lines(), so.explore(pennies))
    'line 1: this is not what the rules of the game say'
    """
    header, *rows = map(json.loads, lines)
    if not {"wants", "of", "players"} <= set(header):
        return "line 1: this is not a certificate of two policies"
    headers = [_header(model, goal) for goal in _goals(model, header["of"])]
    if _game_part(header) not in map(_game_part, headers):
        return "line 1: this is not what the rules of the game say"
    for n, (row, own_row) in enumerate(zip_longest(rows, _rows(model, {})), 2):
        if row is None or own_row is None or _game_part(row) != _game_part(own_row):
            return f"line {n}: this is not what the rules of the game say"
    return ""


def _game_part(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in NOTES_AND_PROOF}


NOTES_AND_PROOF = ("game", "low", "high", "plays")
"""The keys of a line that are not part of the game."""
