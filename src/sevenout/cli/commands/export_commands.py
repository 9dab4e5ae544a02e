"""`sevenout certify` and `sevenout diagram`: answers and games in a form for other programs."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from sevenout.budgets.supervision import status
from sevenout.cli.options import Against, GameName, Json, Output, Rules, refuse_unread
from sevenout.cli.out import console, print_json, print_text
from sevenout.errors import FileError, NotationError, RulesError
from sevenout.model import has_choices
from sevenout.numerals import numbers_of_any_length
from sevenout.questions.plans import named_evening
from sevenout.questions.policies import (
    find_policy,
    game_under_policies,
    objective_arguments,
    split_goal,
    title_with_policies,
)
from sevenout.questions.subjects import find_game
from sevenout.rules.objective import objective_of, parse_objective, with_comparison
from sevenout.rules.race_games import Race

if TYPE_CHECKING:
    from sevenout.certify import ProofFile
    from sevenout.evenings.evening_plan import Plan
    from sevenout.questions.subjects import GameSubject
    from sevenout.solving.optimal_play import Method


def certify(
    game: GameName | None = None,
    *,
    bet: tuple[str, ...] = (),
    claim: tuple[str, ...] = (),
    distribution: tuple[str, ...] = (),
    terms: int | None = None,
    goal: str | None = None,
    policy: str | None = None,
    against: Against | None = None,
    digits: int | None = None,
    method: Literal["auto", "exact", "certified"] = "auto",
    output: Output | None = None,
    check: Path | None = None,
    evening: str | None = None,
    checker: bool = False,
    list: bool = False,
    **rules: Rules,
) -> int:
    """Write the exact answers for a game with a proof that is easy to check, or check such a file.

    Parameters
    ----------
    bet
        Certify the mean of this bet. Repeat the option for several bets. The default is every bet
        and the number of rolls.
    claim
        Certify the mean of a bet or a counter, or the probability of an outcome or of "pass >= 1".
    distribution
        Certify the first terms of the distribution of a counter, such as rolls.
    terms
        The number of terms to certify; the default is 10.
    goal
        What the player wants, in a game with choices, as for `sevenout best`.
    policy
        Certify the game under this policy instead of optimal play.
    digits
        Prove this many decimal digits instead of fractions.
    method
        Prove a fraction (exact) or decimals (certified) in a game with choices, as for
        `sevenout best`.
    output
        The file to write; .gz compresses it. The default is to print it.
    check
        Check this file: print its rules and what is proved. With a game, also compare the file
        with it: rules, amounts and policy. Exit code 0: proved; 1: not proved; 2: unreadable.
    evening
        Certify an evening of this strategy instead of a game, with the options of `sevenout
        evening`: pass:amount=5 --bankroll 31 --bets 6.
    checker
        Print the checker, a program that needs only Python.
    list
        List the games of the catalogue that can be proved from their rules, and why others can't.
    """
    values = locals()
    if checker:
        refuse_unread(certify, values, "--checker", ["checker"])
        print_text(Path(_checker().__file__).read_text(encoding="utf-8"))
        return 0
    if list:
        refuse_unread(certify, values, "--list", ["list"])
        return _list_provable_games()
    if check is not None and evening is not None:
        refuse_unread(certify, values, "--check with --evening", ["check", "evening", "rules"])
        return _check_evening(check, evening, rules)
    if evening is not None:
        from sevenout.evenings.evening_certificates import evening_certificate

        refuse_unread(certify, values, "--evening", ["evening", "output", "rules"])
        return _write_proof(evening_certificate(*evening_and_title(evening, rules)), output)
    values["goal"], values["rules"] = goal, rules = split_goal(goal, rules)
    if check is not None:
        read = ["check", "game", "policy", "against", "rules"]
        refuse_unread(certify, values, "--check", read)
        return _check_game(check, game, policy, against, rules)
    if terms is not None and not distribution:
        raise NotationError("--terms is the length of a --distribution; give one, or leave it out")
    subject = find_game(game, rules, files=True)
    claims = _Claims(bet, claim, distribution, 10 if terms is None else terms, digits)
    return _write_proof(_prove(subject, claims, goal, policy, against, method=method), output)


class _Claims(NamedTuple):
    """What to prove about a game without choices.

    Attributes:
        bets: names of bets, whose mean is proved.
        means: bets, counters or probabilities of outcomes, as on the command line.
        counters: those whose distribution is proved.
        terms: of each distribution.
        digits: decimal digits of each figure; None for fractions.
    """

    bets: tuple[str, ...]
    means: tuple[str, ...]
    counters: tuple[str, ...]
    terms: int
    digits: int | None

    def __bool__(self) -> bool:
        return bool(self.bets or self.means or self.counters or self.digits is not None)


def _prove(
    subject: "GameSubject",
    claims: _Claims,
    goal: str | None,
    policy: str | None,
    against: Any,
    *,
    method: Any,
) -> "ProofFile":
    """The certificate of optimal play, or of a game whose choices are all fixed."""
    from sevenout.model import chain_of

    bets, means, counters, terms, digits = claims
    means_to_prove = bets + means
    # A race is proved by its rules, which two sides follow in turn without choosing.
    if (
        _is_race(subject)
        and not counters
        and digits is None
        and len(means_to_prove) < 2
        and (goal, policy, against) == (None, None, None)
    ):
        bet_to_win = next(iter(means_to_prove), None)
        return _prove_optimal_play(subject, goal=bet_to_win, against=None, method=method)
    if has_choices(subject.game) and policy is None:
        if claims:
            raise NotationError(
                "a game with choices takes no claims without a policy; give --goal or --policy"
            )
        return _prove_optimal_play(subject, goal, against, method)
    for option, is_stated in (("--goal", goal is not None), ("--method", method != "auto")):
        if is_stated:
            raise NotationError(
                f"{option} is for a game with choices and without --policy; leave it out"
            )
    from sevenout.papers.subject import without_awards
    from sevenout.solving import solve

    chain = chain_of(game_under_policies(subject, policy, against))
    solution = solve(chain) if digits is None else solve(chain, "certified", digits=digits)
    award_names = [
        name for name in subject.awards if name in bets or not (means_to_prove or counters)
    ]
    return solution.certificate(
        *means_to_prove,
        terms=dict.fromkeys(counters, terms),
        title=without_awards(title_with_policies(subject, policy, against), subject.awards),
        rules=subject.game if against is None else None,
        policy=None if policy is None or against is not None else _policy_by_state(subject, policy),
        awards={name: subject.awards[name] for name in award_names},
    )


def _policy_by_state(subject: "GameSubject", policy: str) -> Any:
    """The player's policy by state, for a game without hidden information or a second player."""
    from sevenout.model import explore
    from sevenout.questions.policies import BEST, player_policies

    model = explore(subject.game)
    if model.views or not model.decisions:
        return None
    play = policy if policy == BEST else find_policy(subject, policy)
    followed_policy: Any = player_policies(subject, model, [play])[0]
    return followed_policy.__getitem__ if isinstance(followed_policy, Mapping) else followed_policy


def _write_proof(proof: "ProofFile", output: Path | None) -> int:
    if output is None:
        status.speak()
        for line in proof.lines():
            print(line.decode(), end="")
        return 0
    proof.write(output)
    # Of the file as written, since .gz compresses it.
    digest = sha256(output.read_bytes()).hexdigest()
    console().print(
        f"{output}: {output.stat().st_size:,} bytes, SHA-256 {digest}\n"
        f"check it: sevenout certify --check {output}",
        soft_wrap=True,
    )
    return 0


def _is_race(subject: "GameSubject") -> bool:
    """Whether two sides take turns without choices."""
    return isinstance(subject.game, Race) and subject.game.players == 2


def _prove_optimal_play(
    subject: "GameSubject", goal: str | None, against: str | None, method: "Method"
) -> "ProofFile":
    """The certificate of optimal play; based on the rules if they are data."""
    from sevenout.solving.optimal_play import Optimum, best

    other_policy = None if against is None else find_policy(subject, against)
    arguments = objective_arguments(subject, goal)
    optimum = best(subject.game, **arguments, against=other_policy, method=method)
    title = title_with_policies(subject, None, against)
    if not isinstance(optimum, Optimum) or against is not None:
        return optimum.certificate(title=title)
    objective = objective_of(subject.game) if goal is None else parse_objective(goal)
    return optimum.certificate(title=title, rules=with_comparison(subject.game, objective))


def _checker() -> Any:
    """The checker, a program of its own without annotations."""
    from sevenout.certify import check

    return check


def _check_game(
    path: Path,
    game: str | None,
    policy: str | None,
    against: str | None,
    rules: dict[str, str],
) -> int:
    """Check a file alone, or against a game."""
    if game is None and not rules:
        for option, value in (("--policy", policy), ("--against", against)):
            if value is not None:
                raise NotationError(f"{option} is of a game; name the game to compare {path} with")
        status.speak()
        return int(_checker().main([str(path)]))
    subject = find_game(game, rules, files=True)
    if not has_choices(subject.game):
        game_under_policies(subject, policy, against)  # for its error: there is none to follow
    return _check_against(
        path,
        title_with_policies(subject, policy, against),
        lambda lines: _difference_from_game(lines, subject, policy, against),
    )


def _check_evening(path: Path, strategy: str, options: dict[str, str]) -> int:
    """Check a file against an evening of a strategy."""
    from sevenout.evenings.evening_certificates import difference_of

    plan, title = evening_and_title(strategy, options)
    return _check_against(path, title, lambda lines: difference_of(lines, plan))


def _check_against(path: Path, title: str, find_fault: Callable[[list[bytes]], str]) -> int:
    """Check a file, then compare its lines with what it should prove, explored again."""
    from sevenout.certify.certificate import read_lines

    code, message = _checker().check(str(path))
    # Code 1 is a verdict, "not proved"; above it the file could not be read at all.
    if code > 1:
        raise FileError(f"{message}; name the file of a certificate")
    with numbers_of_any_length():
        fault = "" if code else find_fault(read_lines(path))
    if fault:
        print_text(f"{path}, {fault}: not a certificate of {title}")
    else:
        print_text(message)
    if not code and not fault:
        print_text(f"It is {title}: its rules were explored again, and nothing differs.")
    return int(bool(code or fault))


def _difference_from_game(
    lines: list[bytes], subject: "GameSubject", policy: str | None, against: str | None
) -> str:
    """The difference between a checked certificate and the game; empty if they agree."""
    from sevenout.certify.certificate import difference
    from sevenout.model import chain_of, explore
    from sevenout.solving.certificates import certificate_difference, mixed_difference

    if against is not None:
        return difference(lines, chain_of(game_under_policies(subject, policy, against)))
    if policy is None and has_choices(subject.game):
        model = explore(subject.game)
        if model.views:
            return mixed_difference(lines, model)
    by_state = None if policy is None else _policy_by_state(subject, policy)
    if policy is not None and by_state is None:
        return difference(lines, chain_of(game_under_policies(subject, policy, against)))
    return certificate_difference(lines, subject.game, policy=by_state, awards=subject.awards)


def _list_provable_games() -> int:
    from sevenout.catalogue import games
    from sevenout.rules.rules_as_data import rulebook_of_game

    proved: list[str] = []
    others: dict[str, list[str]] = {}
    for name in games:
        try:
            rulebook_of_game(games[name])
        except RulesError as error:
            others.setdefault(str(error), []).append(name)
        else:
            proved.append(name)
    print_text(f"Proved of the rules, which the certificate carries ({len(proved)}):")
    for name in proved:
        print_text(name)
    print_text("Proved of the states or positions that the file lists, without rules:")
    for reason, names in others.items():
        print_text(f"{', '.join(names)}: {reason}")
    return 0


def evening_and_title(strategy: str, options: Mapping[str, str]) -> "tuple[Plan, str]":
    """The plan of an evening and its title, which has all options and the hash of a file.

    >>> plan, title = evening_and_title("pass:amount=5", {"bankroll": "100", "stop-win": "50"})
    >>> plan.ends.ceiling, title
    (150, 'an evening of pass:amount=5, bankroll 100, stop_win 50')

    Args:
        strategy: its name with options, or its file.
        options: those of `sevenout evening`.

    Raises:
        SevenoutError: no such strategy or option.
    """
    plan, ends = named_evening(strategy, options, files=True)
    title = f"an evening of {strategy}"
    # A file may change after its evening is proved, so the title has its hash.
    if strategy.endswith(".toml"):
        title += f" (SHA-256 {sha256(Path(strategy).read_bytes()).hexdigest()})"
    return plan, ", ".join([title, *(f"{name} {value}" for name, value in ends.items())])


MAX_DIAGRAM_STATES = 2_000
"""The most states of a diagram: mermaid and graphviz take minutes for more."""


def diagram(
    game: GameName | None = None,
    /,
    *,
    to: Literal["mermaid", "graphviz", "prism"] | None = None,
    matrix: Literal["fractions", "numpy", "latex"] | None = None,
    policy: str | None = None,
    against: Against | None = None,
    json: Json = False,
    **rules: Rules,
) -> None:
    """Print the state diagram of a game, its matrices, or its model for PRISM and Storm.

    Parameters
    ----------
    to
        The language: mermaid, graphviz, or prism (a model for other model checkers). The default is
        mermaid.
    matrix
        Print the transition and the fundamental matrix instead: as fractions, as a program for
        NumPy, or in LaTeX.
    policy
        The player's policy, in a game with choices, as for `sevenout odds`. Without a policy, a
        PRISM model leaves the choices open.
    """
    from sevenout.model import chain_of, explore, graphviz, matrices, mermaid, prism

    if to is not None and (json or matrix is not None):
        raise NotationError(
            f"--to is the language of a diagram, and {'--json' if json else '--matrix'} prints "
            "none; leave --to out"
        )
    if json and matrix in ("numpy", "latex"):
        raise NotationError(f"--json has fractions; write --matrix fractions, not {matrix}")
    subject = find_game(game, rules, files=True)
    if to == "prism" and policy is None and against is None:
        print_text(prism(explore(subject.game)))
        return
    chain = chain_of(game_under_policies(subject, policy, against))
    if matrix is not None:
        parts = matrices(chain)
        if json:
            print_json(parts.to_dict())
        elif matrix == "fractions":
            console().print(parts.page())
        else:
            print_text(parts.numpy() if matrix == "numpy" else parts.latex())
        return
    if json:
        targets = range(len(chain.states) + len(chain.outcomes))
        print_json(
            {
                "fingerprint": chain.fingerprint,
                "denominator": chain.denominator,
                "states": len(chain.states),
                "names": [chain.name(target) for target in targets],
                "edges": [
                    [[move.weight, move.target, dict(move.counts)] for move in row]
                    for row in chain.rows
                ],
            }
        )
        return
    if to != "prism" and len(chain.states) > MAX_DIAGRAM_STATES:
        raise RulesError(
            f"{len(chain.states):,} states are too many for a picture (at most "
            f"{MAX_DIAGRAM_STATES:,}); use --to prism"
        )
    writers = {"mermaid": mermaid, "graphviz": graphviz, "prism": prism}
    print_text(writers[to or "mermaid"](chain))
