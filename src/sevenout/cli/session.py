"""`sevenout session`: an evening of one bet, until ruin, a target or a number of rounds."""

from sevenout.cli.choosing import followed, titled
from sevenout.cli.options import Amount, Count, GameName, Json, Policy, Rules
from sevenout.cli.out import print_json, show
from sevenout.cli.resolve import choose, without_awards


def session(
    game: GameName | None = None,
    /,
    *,
    bankroll: Amount,
    stake: Amount = "1",
    target: Amount | None = None,
    rounds: Count | None = None,
    bet: str | None = None,
    policy: Policy | None = None,
    json: Json = False,
    **rules: Rules,
) -> None:
    """How an evening of one bet ends: the risk of ruin, the chance of the target, the result.

    Nobody bets money that is not there; a bankroll that can't cover a bet is ruin.

    Parameters
    ----------
    bankroll
        What the gambler brings: 100, 5/2.
    stake
        What is staked on each bet, in the same units.
    target
        Stop at this or more.
    rounds
        Stop after so many bets. Give a target, rounds or both.
    bet
        Which bet is made; the only one if not given.
    """
    from sevenout.exact import solve
    from sevenout.exact.sessions import session as evening

    chosen = without_awards(choose(game, **rules))
    made = solve(followed(chosen, policy)).bet(bet or chosen.bet)
    title = titled(chosen, policy)
    result = evening(made, bankroll, stake=stake, target=target, rounds=rounds)
    if json:
        print_json({"game": title, "bet": made.name} | result.to_dict())
        return
    ends = [f"up to {target}"] if target else []
    ends += [f"for {rounds:,} bets"] if rounds else []
    show(f"{title}: {bankroll} in bets of {stake}, {' or '.join(ends)}", result)
