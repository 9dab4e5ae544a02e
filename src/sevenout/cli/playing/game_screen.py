"""A game on the terminal's screen."""

from typing import Any

from sevenout.cli.out import aligned
from sevenout.cli.playing.game_play import PlayedMove, PlayedTable, own, said_once, turn_of
from sevenout.documents.numbers import signed
from sevenout.rules import KeepRoll
from sevenout.rules.keep_games import is_entry

PIPS = {
    1: "    ●    ",
    2: "●       ●",
    3: "●   ●   ●",
    4: "● ●   ● ●",
    5: "● ● ● ● ●",
    6: "● ●● ●● ●",
}


class Screen:
    def __init__(self, say: Any, encoding: str, bet: str | None) -> None:
        self.say, self.encoding, self.bet = say, encoding, bet

    def moved(self, table: PlayedTable, move: PlayedMove) -> None:
        """Show a move and its effect; hidden dice once they are lifted."""
        position = table.position
        if table.players.hides and position.settled is None:
            if move.said and move.mine:
                self.say(f"  {move.said}")
            return
        who = f"{move.who}: " if move.who else ""
        if move.faces is not None:
            several = isinstance(turn_of(table.game), KeepRoll)
            seen = " ".join(map(str, move.faces)) if several else _total(position.history[-1].roll)
            self.say(drawn(move.faces, self.encoding))
            what = f"  {who}{seen} on {move.before}"
        else:
            what = f"  {who}{move.said}"
        if table.players.hides:
            what = f"{what}\n  {move.before}"
        if position.settled is None:
            after = f" → {table.stands}" if move.faces is not None else self._scored(table)
            self.say(f"{what}{after}")
            return
        settled = table.players.seen(position)
        pays = ", ".join(
            f"{name} {signed(pay.profit)}" for name, pay in settled.pays if self.bet in (None, name)
        )
        counts = ", ".join(f"{n} {counter}" for counter, n in own(position).items())
        end = "  ".join(filter(None, [said_once(settled.label), counts, pays]))
        self.say(f"{what} → {end}", style="bold")
        self.show_card(table)

    def saw(self, table: PlayedTable) -> None:
        """Show what the player can see in a game with hidden information."""
        from sevenout.model.naming import state_name

        if table.players.hides:
            _, seen = table.position.question
            self.say(f"you see {state_name(seen)}")

    def show_card(self, table: PlayedTable) -> None:
        """Print the score card of a game of turns, unless it is empty."""
        card = table.card
        if card is None or not card.counts:
            return
        self.say()
        self.say(
            aligned(
                {
                    row.name: row.note or ("–" if row.amount is None else row.amount)
                    for row in card.rows
                }
            )
        )

    def _scored(self, table: PlayedTable) -> str:
        last, card = table.position.history[-1], table.card
        if card is None or not is_entry(last):
            return ""
        points = card.game.pays(last.state[0], str(last.option), last.state[2])
        return f" → scores {points.get(card.counter, 0)}, {card.total} in all"


def drawn(faces: tuple[Any, ...], encoding: str) -> str:
    if not encoding.startswith("utf") or not all(face in PIPS for face in faces):
        return "  ".join(f"[ {face} ]" for face in faces)
    rows = ["┌───────┐  " * len(faces)]
    for row in range(3):
        cells = (PIPS[face][3 * row : 3 * row + 3] for face in faces)
        rows.append("".join(f"│ {' '.join(cell)} │  " for cell in cells))
    return "\n".join([*rows, "└───────┘  " * len(faces)])


def _total(roll: Any) -> str:
    if isinstance(roll, tuple) and len(roll) == 2 and isinstance(roll[1], bool):
        return f"{'hard' if roll[1] else 'easy'} {roll[0]}"
    if isinstance(roll, tuple):  # as the bets of a table see it
        return ", ".join(dict.fromkeys(_total(seen) for seen in roll if seen is not None))
    return str(getattr(roll, "total", roll))
