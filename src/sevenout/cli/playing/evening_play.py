"""`sevenout play --strategy`: a new or a simulated evening at the terminal."""

import re
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from sevenout.cli.out import aligned, console, forgiving_slips, print_json, typed_lines
from sevenout.cli.playing.game_play import draw_dice
from sevenout.documents.numbers import grouped_amount, won
from sevenout.evenings.evening_plan import Plan
from sevenout.questions.arguments import Argument, whole_number
from sevenout.questions.plans import named_evening
from sevenout.rolling.throw import parse_throw, throw
from sevenout.rules.casino.betting import Moment, Sitting
from sevenout.rules.casino.felt import Money

HELP = "Enter rolls, faces such as `3 5` play a roll of your own, `end` plays to the end, q stops."
REPLAYED = "Evening {:,} of seed {} as the simulator plays it."
NUMBER = Argument(
    "number", whole_number(0, 10**18), "The number of a simulated evening.", default=None
)


def play_evening(
    strategy: str, options: Mapping[str, str], *, seed: int | None, json: bool
) -> None:
    """An evening with a strategy, by its name with options, or its file.

    Args:
        strategy: its name with options, or its file.
        options: those of `sevenout evening`, and `number` for a simulated evening.
        seed: of the dice, or of the simulation; None for random dice.
        json: whether to print only the figures, as JSON.
    """
    plan_options = dict(options)
    number = NUMBER.parse(plan_options.pop("number", None))
    plan, _ = named_evening(strategy, plan_options, files=True)
    sitting = plan.sitting()
    out = console()
    print_line = (lambda *_args, **_style: None) if json else out.print
    screen = EveningScreen(print_line, out.encoding)
    leaves = f", {plan.ends.rolls:,} rolls" if plan.ends.rolls else ""
    title = f"{plan.name}: {grouped_amount(plan.bankroll)} to bet{leaves}."
    if number is None:
        print_line(f"{title} {HELP}", style="bold")
        screen.show_first_bets(sitting)
        lines = typed_lines(json, lambda: "roll")
        _play_typed_lines(plan, sitting, Random(seed), lines, screen)
    else:
        from sevenout.simulation.evening_sampler import EveningDice

        seed = 1 if seed is None else seed
        print_line(f"{title} {REPLAYED.format(number, seed)}", style="bold")
        screen.show_first_bets(sitting)
        dealt = EveningDice(plan, number, seed)
        while sitting.end is None:
            screen.show_move(sitting, sitting.roll(dealt.throw(sitting)))
    figures = statistics(plan, sitting)
    if json:
        moments = [moment_data(moment) for moment in sitting.moments]
        print_json({"strategy": plan.name, "evening": number} | figures | {"moments": moments})
        return
    print_line()
    print_line(aligned(figures))


def _play_typed_lines(
    plan: Plan, sitting: Sitting, random: Random, lines: Iterator[str], screen: "EveningScreen"
) -> None:
    """Rolls on request, or typed by the player."""
    dice, plays_to_end = plan.bettor.felt.dice, False
    while sitting.end is None:
        line = "" if plays_to_end else next(lines, None)
        if line is None:
            return
        if line.lower() in ("help", "?"):
            screen.print_line(HELP)
            continue
        line = re.sub(r"^(?:roll|r)\b ?", "", line, flags=re.IGNORECASE)
        plays_to_end = plays_to_end or line.lower() == "end"
        with forgiving_slips(screen.print_line):
            faces = parse_throw(line) if line and not plays_to_end else throw(dice, random)
            screen.show_move(sitting, sitting.roll(faces))


class EveningScreen:
    """An evening roll by roll: each roll, what it pays, and the bets that are made after it.

    Attributes:
        print_line: prints a line.
        encoding: of the terminal; dice are drawn if it is a form of Unicode.
        point: before the last roll shown; None on the come-out.
    """

    def __init__(self, print_line: Callable[..., object], encoding: str) -> None:
        self.print_line, self.encoding = print_line, encoding
        self.point: int | None = None

    def show_first_bets(self, sitting: Sitting) -> None:
        """The bets that are made before the first roll."""
        self._print_bets(sitting, sitting.moments[0])

    def show_move(self, sitting: Sitting, moment: Moment) -> None:
        """The effect of a roll, and the felt after it."""
        rolled = moment.rolled
        assert rolled is not None
        on = "the come-out" if self.point is None else f"the {self.point}"
        result = "seven out" if rolled.out else f"{rolled.throw.total}"
        self.print_line(draw_dice(moment.faces, self.encoding))
        change = "" if sitting.point == self.point or rolled.out else self._point_change(sitting)
        self.point = sitting.point
        self._print_row(
            f"roll {len(sitting.moments) - 1}", f"{result} on {on}{change}", style="bold"
        )
        self._print_row(
            "paid", ", ".join(f"{payment.bet} {won(payment.profit)}" for payment in rolled.paid)
        )
        if moment.end is None:
            if sitting.playing_out and len(sitting.moments) - 1 == sitting.rolls:
                self._print_row("time", "the rolls are made, and what stands is played out")
            self._print_bets(sitting, moment)
        else:
            self._print_row("down", _amounts_in_words(moment.bets_down))
            self._print_row("not made", ", ".join(moment.refused))
            money = grouped_amount(moment.money)
            self._print_row("money", f"{money}; the evening ends: {moment.end}")

    def _point_change(self, sitting: Sitting) -> str:
        return ", the point is made" if sitting.point is None else f", the point is {sitting.point}"

    def _print_bets(self, sitting: Sitting, moment: Moment) -> None:
        self._print_row("down", _amounts_in_words(moment.bets_down))
        self._print_row("bet", _amounts_in_words(moment.bets_made))
        self._print_row("fees", grouped_amount(moment.fees) if moment.fees else "")
        self._print_row("not made", ", ".join(moment.refused))
        self._print_row("stands", _amounts_in_words(sitting.bets) or "nothing")
        self._print_row(
            "money",
            f"{grouped_amount(moment.money)}, {grouped_amount(sitting.rail)} of it in the rail",
        )

    def _print_row(self, label: str, text: str, **style: str) -> None:
        if text:
            self.print_line(f"  {label:<9} {text}", **style)


def _amounts_in_words(amounts: Mapping[str, Money]) -> str:
    return ", ".join(f"{grouped_amount(money)} on {bet}" for bet, money in amounts.items())


def moment_data(moment: Moment) -> dict[str, Any]:
    """A moment as data, with amounts as texts."""

    def as_texts(amounts: Mapping[str, Any]) -> dict[str, str]:
        return {bet: str(money) for bet, money in amounts.items()}

    paid = moment.rolled.paid if moment.rolled else ()
    return {
        "faces": list(moment.faces),
        "paid": [[payment.bet, str(payment.stake), str(payment.profit)] for payment in paid],
        "down": as_texts(moment.bets_down),
        "bet": as_texts(moment.bets_made),
        "not made": list(moment.refused),
        "fees": str(moment.fees),
        "money": str(moment.money),
    }


def statistics(plan: Plan, sitting: Sitting) -> dict[str, Any]:
    """The figures of an evening by name, as they are printed."""
    rolled = [moment.rolled for moment in sitting.moments if moment.rolled]
    paid = [payment for roll in rolled for payment in roll.paid]
    handle = sum(payment.stake for payment in paid)
    amounts = [moment.money - plan.bankroll for moment in sitting.moments[: sitting.rolls + 1]]
    return {
        "end": sitting.end or "not yet",
        "result": won(sitting.money - plan.bankroll),
        "rolls": sitting.rolls,
        "shooters out": sum(roll.out for roll in rolled),
        "bets settled": len(paid),
        "money bet": grouped_amount(handle),
        "highest": won(max(amounts)),
        "lowest": won(min(amounts)),
        "not made": sum(len(moment.refused) for moment in sitting.moments),
    }
