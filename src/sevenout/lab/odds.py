"""All that is true of a game, as a part of a page that follows every change of the rules."""

from typing import Any

from sevenout.exact import Solution
from sevenout.lab import figures
from sevenout.lab.markup import tag
from sevenout.lab.widgets import Html, Select, box, card
from sevenout.page.numbers import decimal, percent, short
from sevenout.rules import Game


class Odds:
    """The exact odds of a game; they stay, greyed, while the rules make no sense."""

    def __init__(self) -> None:
        self._solution: Solution | None = None
        self._game: Game | None = None
        self._dice: str | None = None
        with box("div", "stack", aria_live="off") as self.root:
            with box("div", "columns"):
                with box("div", "stack"):
                    with card("Win or lose"), box("div", "stack"):
                        self._bets = Select("Bet", (), "", self._choose)
                        self._head = Html()
                        self._facts = Html()
                    with card("Return table", "per unit staked"):
                        self._table = Html()
                with box("div", "stack"):
                    with card("Where the wins come from", "share of all games"):
                        self._wins = Html()
                    with card("How long it takes"):
                        self._rolls = Html()
            with card("The states", "each card is a kind of state; shares are exact"):
                self._diagram = Html()

    def stale(self, is_stale: bool) -> None:
        """Grey the odds, or not."""
        self.root.classes(replace="stack stale" if is_stale else "stack")

    def show(
        self, game: Game, solution: Solution, dice: str | None, bet: str | None = None
    ) -> None:
        """Show the odds of a game; `dice` if it is a variant of a family that can be counted."""
        self._game, self._solution, self._dice = game, solution, dice
        bets = solution.chain.bets
        chosen = bet if bet in bets else self._bets.value if self._bets.value in bets else None
        chosen = chosen or (bets[0] if bets else "")
        self._bets.offer([(name, name) for name in bets], chosen)
        self._bets.root.classes(replace="field medium" if len(bets) > 1 else "hidden")
        self._show_bet(chosen)
        self._rolls.show(figures.law_of_rolls(solution))
        self._diagram.show(figures.diagram(game, solution.chain))
        self.stale(False)

    def _choose(self, bet: str) -> None:
        assert self._solution is not None
        if bet in self._solution.chain.bets:
            self._show_bet(bet)

    def _show_bet(self, name: str) -> None:
        solution, game = self._solution, self._game
        assert solution is not None
        assert game is not None
        if not name:
            self._show_outcomes(solution)
            return
        bet = solution.bet(name)
        stands = figures.fairer_than(bet.p_win, self._dice) if self._dice else None
        words = (
            tag("p", tag("strong", stands[0]), "; ", stands[1], class_="muted") if stands else None
        )
        self._head.show(figures.hero(bet.p_win, "win probability"), words)
        self._facts.show(figures.facts(figures.bet_rows(bet)))
        self._wins.show(figures.where_wins_come_from(game, solution, bet))
        self._table.show(figures.return_table(bet))

    def _show_outcomes(self, solution: Solution) -> None:
        """A game without bets: how it ends, and what it counts."""
        rows: list[tuple[str, str, str]] = [
            (label, short(p), percent(p)) for label, p in solution.labels.items()
        ]
        counted: list[tuple[str, str, str]] = []
        for counter in solution.chain.counters:
            mean: Any = solution.mean(counter)
            counted.append((f"mean {counter}", short(mean), decimal(mean)))
        self._head.show(tag("p", "No bet is made on this game.", class_="muted"))
        self._facts.show(figures.facts(counted))
        self._wins.show(figures.facts(rows))
        self._table.show(tag("p", "No bet, no return.", class_="muted"))
