"""`sevenout certify`: an answer with its proof, and the program that checks it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sevenout.chain import has_choices
from sevenout.cli.choosing import followed, policy_of, take_goal, titled, wish_of
from sevenout.cli.options import Against, GameName, Output, Rules
from sevenout.cli.out import console, print_text
from sevenout.cli.resolve import choose
from sevenout.errors import NotationError

if TYPE_CHECKING:
    from sevenout.certify import Sealed


def certify(
    game: GameName | None = None,
    /,
    *,
    bet: tuple[str, ...] = (),
    claim: tuple[str, ...] = (),
    law: tuple[str, ...] = (),
    terms: int = 10,
    goal: str | None = None,
    policy: str | None = None,
    against: Against | None = None,
    digits: int | None = None,
    method: Literal["auto", "exact", "certified"] = "auto",
    output: Output | None = None,
    check: Path | None = None,
    words: bool = False,
    checker: bool = False,
    **rules: Rules,
) -> int:
    """Write the answers for a game with what makes them easy to check; or check such a file.

    Parameters
    ----------
    bet
        Claim the mean of this bet; may be given several times. Every bet and the rolls if nothing
        is said.
    claim
        Claim the mean of a bet or a counter, or the probability of an outcome or of "pass >= 1".
    law
        Claim the first terms of the law of a counter, such as rolls.
    terms
        How many of them.
    goal
        In a game with choices, what is wanted; as for `sevenout best`.
    policy
        Certify the game as it is with this policy, in place of the best.
    digits
        Prove so many decimal digits in place of fractions.
    method
        In a game with choices, prove a fraction (exact), or digits (certified); as for
        `sevenout best`.
    output
        The file; .gz compresses it. Printed if not given.
    check
        Check this file; it exits with 1 if anything fails.
    words
        With --check: print the game too, to be compared with its rules.
    checker
        Print the checker, a program that needs nothing but Python.
    """
    from sevenout.certify import check as program
    from sevenout.chain import chain_of

    run: Callable[[list[str]], int] = program.main
    if checker:
        print_text(Path(program.__file__).read_text(encoding="utf-8"))
        return 0
    if check is not None:
        if game is not None or rules:
            raise NotationError("--check FILE is a command by itself: no game, no rules")
        return run([str(check), *(["--words"] if words else [])])

    goal = take_goal(goal, rules)
    chosen = choose(game, **rules)
    made: Sealed
    if has_choices(chosen.game) and policy is None:
        if bet or claim or law or digits:
            raise NotationError("in a game with choices --goal says what is claimed; or --policy")
        from sevenout.decide import best

        opposed = None if against is None else policy_of(chosen, against)
        optimum = best(chosen.game, **wish_of(chosen, goal), against=opposed, method=method)
        made = optimum.certificate(game=titled(chosen, policy, against))
    else:
        if goal is not None:
            raise NotationError("--goal is for a game in which somebody chooses, without --policy")
        from sevenout.exact import solve

        chain = chain_of(followed(chosen, policy, against))
        solution = solve(chain) if digits is None else solve(chain, "certified", digits=digits)
        terms_of = dict.fromkeys(law, terms)
        made = solution.certificate(
            *bet, *claim, terms=terms_of, game=titled(chosen, policy, against)
        )
    if output is None:
        for line in made.lines():
            print(line.decode(), end="")
        return 0
    made.write(output)
    console().print(
        f"{output}: {output.stat().st_size:,} bytes, SHA-256 {made.sha256}\n"
        f"check it: sevenout certify --check {output}",
        soft_wrap=True,
    )
    return 0
