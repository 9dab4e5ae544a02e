"""A game at the terminal: the moves so far, the other side and the coach, and the screen."""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import cached_property, partial
from random import Random
from typing import Any, NamedTuple

from sevenout.cli.out import aligned
from sevenout.documents.numbers import decimal, quantity, signed
from sevenout.errors import NotationError, RulesError, TooManyStatesError, TooMuchWorkError
from sevenout.model import explore, has_choices
from sevenout.model.exploration import QUICK_STATES
from sevenout.model.process import SEATS, draw_option, outcome_for_first
from sevenout.questions.policies import BEST, find_policy, objective_arguments, points_counter
from sevenout.questions.subjects import GameSubject
from sevenout.rolling.throw import Faces, parse_throw
from sevenout.rules import ByTurns, Game, HiddenHands, KeepRoll, Outcome
from sevenout.rules.keep_games import ScoreCard, is_entry
from sevenout.rules.outcome import counts_rolls
from sevenout.rules.position import Position


class PlayedMove(NamedTuple):
    """A move.

    Attributes:
        state_before: the state before it, in words.
        side: the side that moved; "" with a single player.
        faces: the roll; None for an answer.
        is_players: whether the player at the terminal chose it.
        is_roll_choice: whether it is the choice to roll, after which the dice follow at once.
        comment: the option, or what the coach says of it.
    """

    state_before: str
    side: str
    faces: Faces | None = None
    comment: str = ""
    is_players: bool = False
    is_roll_choice: bool = False


class PlayedTable:
    """A game played again and again: the one in progress, and what the finished ones brought.

    Attributes:
        game: the rules.
        players: who moves when, and the coach.
        position: the game in progress, or the last one until the next begins.
        total_rolls, longest: of the finished games; the rolls of the longest one.
        labels: how often the games ended in each way.
        profits: the total profit of each bet, in stakes.
        histograms: by counter, how often each count came.
        finished_cards: the score cards of finished games of turns.
    """

    def __init__(self, game: Game, players: "Players") -> None:
        self.game, self.players, self.position = game, players, Position(game)
        self.total_rolls = self.longest = 0
        self.labels: Counter[str] = Counter()
        self.profits: dict[str, Fraction] = {}
        self.histograms: dict[str, Counter[Any]] = {}
        self.finished_cards: list[ScoreCard] = []

    def begin_if_settled(self) -> None:
        """Begin a new game if the last one is settled."""
        if self.position.settled:
            self.position = Position(self.game)

    @property
    def score_card(self) -> ScoreCard | None:
        if not isinstance(self.game, ByTurns):
            return None
        try:
            return ScoreCard.from_position(self.position, points_counter(self.players.subject))
        except RulesError:  # a program's own game, which does not say what it counts as points
            return None

    @property
    def score_cards(self) -> dict[str, Any]:
        """The score cards of all games as data; None for an open box."""
        if not isinstance(self.game, ByTurns):
            return {}
        cards = [
            *self.finished_cards,
            *([self.score_card] if self.score_card and self.score_card.counts else []),
        ]
        return {
            "score cards": [
                {row.name: None if row.amount is None else str(row.amount) for row in card.rows}
                for card in cards
            ]
        }

    @property
    def player_rolls(self) -> bool:
        """Whether the player at the terminal rolls next."""
        position = self.position
        waits = position.settled or position.options or not self.players.player_moves(position)
        return not waits

    @property
    def prompt(self) -> str:
        options = self.position.options
        if not options:
            return "roll"
        if any(option.startswith("put back") for option in options):
            example = f"keep {options[-1].split()[-1]}"
            return f"{self.state_in_words}: keep which, such as {example}, or keep all"
        return " or ".join(options) if len(options) < 7 else f"{', '.join(options[:7])}, ..."

    def play(self, line: str, random: Random) -> PlayedMove:
        """Roll the dice, or play a typed roll or answer.

        Raises:
            NotationError: not a roll of the game's dice, and not an option.
        """
        from sevenout.questions.states import parse_option

        if not self.position.options:
            faces = line[4:].strip() if line[:4].lower() == "roll" else line
            # The short form of the command roll.
            faces = "" if faces.lower() == "r" else faces
            return self._roll(parse_throw(faces) if faces else None, random)
        if not line and "roll" in self.position.options:
            line = "roll"  # as Enter does elsewhere
        if not (plan := parse_kept_dice(line.lower(), self.position)):
            option = parse_option(line, self.position.options)
            plan = option, (option,)
        plan_text, answers = plan
        comment = plan_text
        if self.players.coached:
            comment = self.players.comment_on(self.position, plan_text)
        return self._choose(answers, comment)

    def move_other_side(self, random: Random) -> PlayedMove:
        """The move of the other side."""
        if not self.position.options:
            return self._roll(None, random)
        option = self.players.other_choice(self.position, random)
        return self._choose((option,), option)

    def _roll(self, faces: Faces | None, random: Random) -> PlayedMove:
        before, who = self.state_in_words, self.players.side(self.position)
        turn = turn_game(self.game)
        if isinstance(turn, KeepRoll):  # all the dice that are not kept, at once
            rolled_dice = turn.count - len(_dice_state(self.position.state)[1])
            # Kept dice are not rolled again.
            if faces is not None and len(faces) != rolled_dice:
                raise NotationError(f"{len(faces)} faces are given; write {rolled_dice}")
            parts = [None] * rolled_dice if faces is None else [(face,) for face in faces]
            faces = sum((self._roll_once(part, random) for part in parts), ())
        else:
            faces = self._roll_once(faces, random)
        self._count_if_settled()
        return PlayedMove(before, who, faces)

    def _roll_once(self, faces: Faces | None, random: Random) -> Faces:
        if faces is None:
            return self.position.throw(random)
        self.position.roll(faces)
        return faces

    def _choose(self, options: Iterable[str], comment: str) -> PlayedMove:
        before, who = self.state_in_words, self.players.side(self.position)
        mine = self.players.player_moves(self.position)
        for option in options:
            self.position.choose(option)
        self._count_if_settled()
        rolls = options == ("roll",)
        return PlayedMove(before, who, comment=comment, is_players=mine, is_roll_choice=rolls)

    @property
    def state_in_words(self) -> str:
        """The state of the game, in words."""
        from sevenout.model.naming import in_words
        from sevenout.papers.wording import state_in_words

        turn = turn_game(self.game)
        if isinstance(turn, KeepRoll):
            return turn.state_in_words(_dice_state(self.position.state))
        named = partial(in_words, names=self.game.coordinates)
        return merge_equal(state_in_words(self.game, self.position.state, named))

    def _count_if_settled(self) -> None:
        if self.position.settled:
            settled = self.players.outcome_for_player(self.position)
            self.total_rolls += self.position.rolls
            self.longest = max(self.longest, self.position.rolls)
            self.labels[settled.label] += 1
            self.finished_cards += [self.score_card] if self.score_card else []
            for counter, n in counters_of(self.position).items():
                self.histograms.setdefault(counter, Counter())[n] += 1
            for bet, pay in settled.pays:
                self.profits[bet] = self.profits.get(bet, Fraction(0)) + pay.profit

    def statistics(self, bet: str | None = None) -> dict[str, Any]:
        """The results of the finished games, for one bet or all."""
        games = self.labels.total()
        rolled = 0 if self.position.settled else self.position.rolls
        mean = f"{self.total_rolls / games:.4f}" if games else "none yet"
        return {
            "games": games,
            "rolls": self.total_rolls,
            "rolls per game": mean,
            "longest game": self.longest,
            **{merge_equal(label): n for label, n in self.labels.most_common()},
            **{
                f"net, {name}": signed(profit)
                for name, profit in self.profits.items()
                if bet in (None, name)
            },
            **{
                f"{n} {counter}": seen
                for counter, histogram in self.histograms.items()
                for n, seen in sorted({0: games - histogram.total(), **histogram}.items())
                if seen
            },
            **(
                {"cost of choices": decimal(self.players.total_cost)}
                if self.players.coached
                else {}
            ),
            **({"unfinished": quantity(rolled, "roll")} if rolled else {}),
        }


def turn_game(game: Game) -> Game:
    """The turn of a game of turns; any other game is its own turn."""
    return game.turn if isinstance(game, ByTurns) else game


def _dice_state(state: Any) -> Any:
    """The state of the dice that are kept and rolled."""
    return state if isinstance(state, Outcome) or isinstance(state[0], str) else state[2]


def counters_of(position: Position) -> dict[str, Any]:
    """The counters of a game, without its rolls."""
    return {name: n for name, n in position.counts if not counts_rolls(name)}


def merge_equal(text: str) -> str:
    """The outcomes of games on the same rolls, once if they are equal.

    >>> merge_equal("natural · natural"), merge_equal("natural · push")
    ('natural', 'natural · push')
    """
    for joint in (" · ", ", "):
        outcomes = set(text.split(joint))
        if len(outcomes) == 1:
            return outcomes.pop()
    return text


def _has_one_player(game: Game) -> bool:
    """Whether a game with choices has one player; False if it is too large to tell at once."""
    if isinstance(game, ByTurns):
        return True
    with suppress(TooManyStatesError, TooMuchWorkError):
        model: Any = explore(game, QUICK_STATES)
        return not model.passes and len(model.players) < 2
    return False


class Players:
    """The player at the terminal, who plays first, and the other side, if any.

    The model and optimal play are computed when the other side or the coach first needs them.

    Attributes:
        subject: the game.
        coached: whether to compute the cost of each choice.
        hides_dice: whether a player does not see all dice.
        total_cost: the cost of the player's choices so far.
        _against: the name of the other side's policy.
        _has_two_sides: whether a second side has moved so far.
    """

    def __init__(self, subject: GameSubject, against: str | None, coach: bool) -> None:
        if not has_choices(subject.game) and (coach or against is not None):
            option = "--coach" if coach else "--against"
            raise RulesError(f"{subject.title} has no choices; leave {option} out")
        self.subject, self.coached = subject, coach
        self.total_cost = Fraction(0)
        self._against = against or BEST
        # Only for its error: an unknown policy is refused before the first roll.
        if against not in (None, BEST):
            assert against is not None
            find_policy(subject, against)
        if against is not None and _has_one_player(subject.game):
            raise RulesError(f"{subject.title} has one player; leave --against out")
        self._has_two_sides = False
        self.hides_dice = type(subject.game).sees is not Game.sees

    @cached_property
    def _model(self) -> Any:
        return explore(self.subject.game)

    @cached_property
    def _optimum(self) -> Any:
        from sevenout.solving.optimal_play import best

        whole = isinstance(self.subject.game, ByTurns | HiddenHands)
        return best(
            self.subject.game if whole else self._model, **objective_arguments(self.subject, None)
        )

    @cached_property
    def _other_policy(self) -> Any:
        if self._against == BEST:
            return self._optimum.policy
        return find_policy(self.subject, self._against)

    def player_moves(self, position: Position) -> bool:
        """Whether the player at the terminal moves next; hidden dice roll by themselves."""
        # Dice under a cup are rolled without anyone choosing to.
        if self.hides_dice and not position.settled:
            who = position.game.chooser(position.state) if position.options else None
            return bool(who == self._optimum.goal.player)
        self._has_two_sides = self._has_two_sides or bool(position.seat)
        if position.settled or not position.options:
            return not position.seat
        who = position.game.chooser(position.state)
        if who is None:
            return not position.seat
        self._has_two_sides = True
        return bool(who == self._model.players[0])

    def other_choice(self, position: Position, random: Random) -> str:
        """The other side's choice, drawn at random if its policy mixes."""
        other, decision = self._other_policy, position.policy_key
        return draw_option(
            other[decision] if isinstance(other, Mapping) else other(decision), random
        )

    def side(self, position: Position) -> str:
        """The side to move, in words; "" with a single player."""
        if self.hides_dice and position.options:
            return position.game.chooser(position.state) or ""
        return SEATS[position.seat] if self._has_two_sides else ""

    def outcome_for_player(self, position: Position) -> Outcome:
        """The outcome for the player at the terminal."""
        assert position.settled
        if (
            self.hides_dice
            or not self._has_two_sides
            or position.game.chooser(position.history[-1].state) is not None
        ):
            return position.settled
        return outcome_for_first(position.settled, position.seat)

    def comment_on(self, position: Position, option: str) -> str:
        """The cost of a choice in words; call this before the choice is made."""
        optimum, state = self._optimum, position.policy_key
        if self.hides_dice:
            return self._comment_on_hidden(state, option)
        # A plan such as "keep 2 2" is several answers at once.
        is_single = option in position.options
        first = (optimum.options if is_single else optimum.combined_options)(state)[0]
        cost = optimum.cost(state, option)
        self.total_cost += cost
        mean = decimal(first.value)
        if not cost:
            return f"{option}: no option is better. Its mean is {mean}"
        return f"{option} costs {decimal(cost)}: {first.name} is best, with mean {mean}"

    def _comment_on_hidden(self, decision: Any, option: str) -> str:
        """The cost of a choice against the optimal policy, and what that policy does."""
        try:
            cost = self._optimum.cost(decision, option)
        except RulesError:  # the other player did what the policy never does
            return f"{option}: the optimal policy never leads here"
        self.total_cost += cost
        value = f"costs {decimal(cost)}" if cost else "is as good as any"
        return f"{option} {value}; the optimal policy plays {self._optimum.advice(decision)}"


def parse_kept_dice(line: str, position: Position) -> tuple[str, tuple[str, ...]] | None:
    """The dice that a line keeps, as a plan, and the answers that keep them; None if it keeps none.

    >>> from sevenout.catalogue import games
    >>> position = Position(games("yahtzee"))
    >>> for face in (2, 2, 3, 5, 6):
    ...     _ = position.roll(face)
    >>> parse_kept_dice("keep 2 2", position)
    ('keep 2 2', ('put back 3', 'put back 5', 'put back 6', 'roll'))

    Raises:
        NotationError: dice that are not there.
    """
    game, words = position.game, line.split()
    turn = turn_game(game)
    state = position.state[2] if isinstance(game, ByTurns) else position.state
    if not isinstance(turn, KeepRoll) or isinstance(state, Outcome):
        return None
    if words == ["roll", "all"]:
        return turn.keep(state, "none")
    return turn.keep(state, " ".join(words[1:])) if words[:1] == ["keep"] and words[1:] else None


PIPS = {
    1: "    ●    ",
    2: "●       ●",
    3: "●   ●   ●",
    4: "● ●   ● ●",
    5: "● ● ● ● ●",
    6: "● ●● ●● ●",
}


class Screen:
    """A game on the terminal.

    Attributes:
        print_line: prints a line.
        encoding: of the terminal; dice are drawn if it is a form of Unicode.
        bet: the only bet to show; None for all.
    """

    def __init__(self, print_line: Any, encoding: str, bet: str | None) -> None:
        self.print_line, self.encoding, self.bet = print_line, encoding, bet

    def show_move(self, table: PlayedTable, move: PlayedMove) -> None:
        """Show a move and its effect; hidden dice once they are lifted."""
        position = table.position
        if table.players.hides_dice and position.settled is None:
            if move.comment and move.is_players:
                self.print_line(f"  {move.comment}")
            return
        who = f"{move.side}: " if move.side else ""
        if move.faces is not None:
            several = isinstance(turn_game(table.game), KeepRoll)
            seen = (
                " ".join(map(str, move.faces))
                if several
                else _roll_in_words(position.history[-1].roll)
            )
            self.print_line(draw_dice(move.faces, self.encoding))
            text = f"  {who}{seen} on {move.state_before}"
        else:
            text = f"  {who}{move.comment}"
        if table.players.hides_dice:
            text = f"{text}\n  {move.state_before}"
        if position.settled is None:
            after = (
                f" → {table.state_in_words}"
                if move.faces is not None
                else self._entry_in_words(table)
            )
            self.print_line(f"{text}{after}")
            return
        settled = table.players.outcome_for_player(position)
        pays = ", ".join(
            f"{name} {signed(pay.profit)}" for name, pay in settled.pays if self.bet in (None, name)
        )
        counts = ", ".join(f"{n} {counter}" for counter, n in counters_of(position).items())
        end = "  ".join(filter(None, [merge_equal(settled.label), counts, pays]))
        self.print_line(f"{text} → {end}", style="bold")
        self.show_card(table)

    def show_view(self, table: PlayedTable) -> None:
        """Show what the player can see in a game with hidden information."""
        from sevenout.model.naming import state_name

        if table.players.hides_dice:
            _, seen = table.position.policy_key
            self.print_line(f"you see {state_name(seen)}")

    def show_card(self, table: PlayedTable) -> None:
        """Print the score card of a game of turns, unless it is empty."""
        card = table.score_card
        if card is None or not card.counts:
            return
        self.print_line()
        self.print_line(
            aligned(
                {
                    row.name: row.note or ("–" if row.amount is None else row.amount)
                    for row in card.rows
                }
            )
        )

    def _entry_in_words(self, table: PlayedTable) -> str:
        last, card = table.position.history[-1], table.score_card
        if card is None or not is_entry(last):
            return ""
        points = card.game.entry_counts(last.state[0], str(last.option), last.state[2])
        return f" → scores {points.get(card.counter, 0)}, {card.total} in all"


def draw_dice(faces: tuple[Any, ...], encoding: str) -> str:
    if not encoding.startswith("utf") or not all(face in PIPS for face in faces):
        return "  ".join(f"[ {face} ]" for face in faces)
    rows = ["┌───────┐  " * len(faces)]
    for row in range(3):
        cells = (PIPS[face][3 * row : 3 * row + 3] for face in faces)
        rows.append("".join(f"│ {' '.join(cell)} │  " for cell in cells))
    return "\n".join([*rows, "└───────┘  " * len(faces)])


def _roll_in_words(roll: Any) -> str:
    if isinstance(roll, tuple) and len(roll) == 2 and isinstance(roll[1], bool):
        return f"{'hard' if roll[1] else 'easy'} {roll[0]}"
    if isinstance(roll, tuple):  # as the bets of a table see it
        return ", ".join(dict.fromkeys(_roll_in_words(seen) for seen in roll if seen is not None))
    return str(getattr(roll, "total", roll))
