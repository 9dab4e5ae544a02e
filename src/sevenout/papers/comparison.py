"""Games side by side: what differs in their rules, every figure, and the exact differences."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from string import ascii_uppercase
from types import MappingProxyType
from typing import Any

from sevenout.catalogue import Entry, entry_of, game_of
from sevenout.documents import Block, Certified, Column, Fact, HasPage, Page, Table, Text, Tone
from sevenout.documents.kinds import COUNT, DECIMAL, FRACTION, PAYS, PERCENT, SIGNED, Kind
from sevenout.documents.numbers import TOO_LONG, exactly, readable_fraction
from sevenout.documents.tables import as_json
from sevenout.documents.words import word_list
from sevenout.errors import RulesError, shown
from sevenout.papers.subject import MAX_SMALL_STATES
from sevenout.papers.wording import (
    author_words,
    bets_of,
    equipment,
    games_on_same_rolls,
    in_dice_order,
    quoted,
)
from sevenout.rules import Game, PointGame
from sevenout.solving import solve
from sevenout.solving.answer import Solution
from sevenout.solving.bet_result import BetResult
from sevenout.solving.metrics import Metrics

MAX_GAMES = 12
"""The most games at once."""
MAX_TITLE_IN_TABLE = 16
"""Games with longer titles are called A, B, C in the tables."""
MAX_FRACTION_IN_FULL = 1_200
"""The most characters of a printed fraction; longer ones are only in the data."""
KINDS = {PERCENT: PERCENT.with_digits(4, sign=True), DECIMAL: SIGNED, COUNT: COUNT}
"""How figures and their differences are printed."""
CAPTIONS = {
    PERCENT: "Probabilities and house edges",
    DECIMAL: "Spread of the profit, and rolls",
    COUNT: "Whole numbers",
}
"""The captions of the tables of a bet's figures."""
SCORE_CAPTIONS = CAPTIONS | {
    PERCENT: "Probabilities",
    DECIMAL: "Spread of the score, and rolls",
}
"""Those of a score, which has no edge."""
PAYS_CAPTION = "What it pays"
NO_CAPTIONS: Mapping[Kind, str] = MappingProxyType({})

Row = tuple[str, tuple[Fact | None, ...]]
EventPay = tuple[Fraction | None, Fraction | None]
"""An event's pay and probability; None if there is no such event."""


@dataclass(frozen=True)
class Contender:
    """A game in a comparison.

    Attributes:
        title: its name in the comparison.
        game: the rules.
        solution: the exact results.
        bets: the names of its bets.
        rules_in_words: the author's rules in words; may be empty.
        policy: the policy that plays it; may be empty.
    """

    title: str
    game: Game
    solution: Solution = field(repr=False)
    bets: tuple[str, ...]
    rules_in_words: str = ""
    policy: str = ""

    @cached_property
    def rules_by_aspect(self) -> dict[str, str]:
        """The rules by aspect."""
        rules = {"policy": self.policy} if self.policy else {}
        # of all states: a wheel may be spun after the dice
        rules["what is rolled"] = word_list(equipment(self.solution.chain))
        text = " ".join(self.rules_in_words.split())
        for n, part in enumerate(games_on_same_rolls(self.game)):
            part_name = quoted(bets_of(part)) or f"game {n + 1}"
            prefix = f"{part_name}: " if n else ""
            inner = getattr(part, "game", part)
            if isinstance(inner, PointGame):
                aspects = _point_game_aspects(inner)
                rules |= {f"{prefix}{aspect}": words for aspect, words in aspects.items()}
            elif text:
                # The text is about all bets together, so it is given once.
                rules["rules"] = text
            elif words := author_words(part):
                rules[f"{prefix}rules"] = " ".join(words)
        return rules

    @cached_property
    def length(self) -> dict[str, Fact]:
        """The length of a game, by figure."""
        solution = self.solution
        facts = [Fact("mean rolls until all is settled", solution.mean_rolls, FRACTION, DECIMAL)]
        facts += [
            Fact(f"mean {name}", solution.mean(name), FRACTION, DECIMAL)
            for name in solution.chain.own_counters
        ]
        # whole distributions of a large game take seconds
        if len(solution.chain.states) <= MAX_SMALL_STATES and not solution.bound:
            law = solution.distribution("rolls")
            facts.append(Fact("variance of the rolls", law.variance, FRACTION, DECIMAL))
            facts.append(Fact("median of the rolls", law.quantile("1/2"), COUNT))
            facts.append(Fact("99 % quantile of the rolls", law.quantile("99%"), COUNT))
        return {fact.name: fact for fact in facts}

    def figures(self, bet: str, repeated: bool = False) -> dict[str, Fact]:
        """The figures of a bet by name; `repeated` as in `BetResult.figures`."""
        facts = Metrics(self.solution.bet(bet)).figures(repeated=repeated).facts
        return {fact.name: fact for fact in facts}


def _point_game_aspects(game: PointGame) -> dict[str, str]:
    """The rules of a point game, by aspect."""

    def totals(values: Iterable[Any]) -> str:
        return word_list(in_dice_order(game, values)) or "none"

    stakes = {bet: line.stake for bet, line in game.bets.items()}
    return {
        "naturals": totals(game.naturals),
        "craps": totals(game.craps),
        "pushes": totals(game.pushes),
        "rolled again": totals(game.rerolls),
        "points": totals(game.points),
        "the out": str(game.out),
        "rolls for the point": "as many as it takes" if game.limit is None else str(game.limit),
        "the point counts": "the hard way only" if game.hard else "either way",
        "bets": word_list(f"“{bet}”, stake {stake}" for bet, stake in stakes.items()),
    }


@dataclass(frozen=True, repr=False)
class Comparison(HasPage):
    """Games side by side; all are compared with the first.

    >>> from sevenout.catalogue import games
    >>> same = compare({"Craps": games["craps"], "Crapless": games["crapless"]})
    >>> same.difference("house edge, per bet made")
    [Fraction(0, 1), Fraction(5, 126)]

    Attributes:
        games: the games, in the order of their columns.
        pairs: the compared bets: a name for each game, None if it has no such bet.
    """

    games: tuple[Contender, ...]
    pairs: tuple[tuple[str | None, ...], ...]

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(game.title for game in self.games)}>"

    def difference(self, figure: str, pair: int = 0) -> list[Any]:
        """The difference of a bet's figure from the first game's, for each game.

        Raises:
            RulesError: no such figure, or no compared bets.
        """
        if pair not in range(len(self.pairs)):
            raise RulesError(
                f"pair={shown(pair)}; there are {len(self.pairs)} pairs of bets, counted from 0"
            )
        rows = dict(self._figures(pair))
        if figure not in rows:
            raise RulesError(f"no figure {shown(figure)}; the figures are: {', '.join(rows)}"[:390])
        return [difference for _, difference in _differences(rows[figure])]

    @property
    def same_chain(self) -> bool:
        """Whether the games have the same chain."""
        solutions = [game.solution for game in self.games]
        # chains of different lengths differ; a fingerprint of many states takes minutes
        low = max(solution.mean_rolls - solution.rolls_bound for solution in solutions)
        if low > min(solution.mean_rolls + solution.rolls_bound for solution in solutions):
            return False
        return len({game.solution.chain.fingerprint for game in self.games}) == 1

    @cached_property
    def names(self) -> list[str]:
        """The games' names in the tables: their titles, or letters."""
        titles = [game.title for game in self.games]
        if max(map(len, titles)) <= MAX_TITLE_IN_TABLE:
            return titles
        return list(ascii_uppercase[: len(titles)])

    def page(self) -> Page:
        """The rules, bets and lengths, with fingerprints as in a document."""
        facts = [
            (f"fingerprint of {game.title}", game.solution.chain.fingerprint) for game in self.games
        ]
        return Page(self.title, *self.blocks(), subtitle="Comparison", facts=facts)

    @property
    def title(self) -> str:
        """The titles of the games."""
        return word_list(game.title for game in self.games)

    def blocks(self) -> list[Block]:
        """The page without its fingerprints, which may take minutes."""
        blocks: list[Block] = []
        if self.names != [game.title for game in self.games]:
            named = zip(self.names, self.games, strict=True)
            blocks.append(Text("; ".join(f"{name}: {game.title}" for name, game in named) + "."))
        blocks.append(self._rules())
        for k in range(len(self.pairs)):
            blocks.append(self._bets(k))
        sentences = self._other_bets()
        if sentences:
            blocks.append(Page("Other bets", *map(Text, sentences)))
        if not all(game.bets for game in self.games):
            blocks.append(self._outcomes())
        length = _rows_by_name([game.length for game in self.games])
        blocks.append(Page("How long it lasts", *self._tables(length)))
        if fractions := list(self._fractions_in_full(length)):
            blocks.append(Page("Fractions in full", *fractions))
        if len(self.games) == 2:
            note = f"Differences are those of {self.names[1]} less those of {self.names[0]}."
            blocks.append(Text(note, tone="note"))
        return blocks

    def _fractions_in_full(self, length: Sequence[Row]) -> Iterator[Text]:
        """The fractions that are too long for their tables."""
        rows: list[Row] = []
        for k in range(len(self.pairs)):
            prefix = f"{self._pair_title(k)}, " if len(self.pairs) > 1 else ""
            rows += [(f"{prefix}{name}", facts) for name, facts in self._figures(k)]
        for name, facts in [*rows, *length]:
            for game, fact in zip(self.names, facts, strict=True):
                value = fact and fact.value
                if isinstance(value, Fraction) and readable_fraction(value) == TOO_LONG:
                    text = exactly(value, MAX_FRACTION_IN_FULL)
                    text = text if text != TOO_LONG else "thousands of digits; --json prints them"
                    yield Text(f"{name}, {game}: {text}", tone="note")

    def _pair_title(self, pair: int) -> str:
        """The names of a pair of bets, each once."""
        names = [name for name in dict.fromkeys(self.pairs[pair]) if name is not None]
        return quoted(names)

    def _rules(self) -> Page:
        """The rules that differ, and those that are the same."""
        rows = _rows_by_name([game.rules_by_aspect for game in self.games])
        different = [
            (name, *(cells or "–" for cells in row)) for name, row in rows if len({*row}) > 1
        ]
        same = [name for name, row in rows if len({*row}) == 1]
        blocks: list[Block] = []
        if different:
            blocks.append(Table(["", *self.names], different))
        if self.same_chain:
            same_bets = all(len({*pair}) == 1 for pair in self.pairs)
            consequence = (
                "all figures are the same" if same_bets else "the bets differ, not the games"
            )
            which = "Both" if len(self.games) == 2 else "All"
            blocks.append(Text(f"{which} games have the same chain: {consequence}."))
        elif not different:
            blocks.append(Text("The rules are the same in words; they differ in what is paid."))
        if same:
            blocks.append(Text(f"These are the same: {word_list(same)}.", tone="note"))
        return Page("The rules", *blocks)

    def _figures(self, pair: int) -> list[Row]:
        """The figures of a pair of bets by name, with one fact for each game."""
        game_bets = list(zip(self.games, self.pairs[pair], strict=True))
        # those that a page of one game prints, also where another game would leave them out
        names = {name for game, bet in game_bets if bet for name in game.figures(bet)}
        columns = [game.figures(bet, repeated=True) if bet else {} for game, bet in game_bets]
        return [row for row in _rows_by_name(columns) if row[0] in names]

    def _bets(self, pair: int) -> Page:
        """The section of a pair of bets: what they pay, and their figures."""
        figures = self._figures(pair)
        has_edges = any("edge" in name for name, _ in figures)
        tables = self._tables(figures, CAPTIONS if has_edges else SCORE_CAPTIONS)
        return Page(self._pair_title(pair), self._pays(pair), *tables)

    def _tables(
        self, rows: Sequence[Row], captions: Mapping[Kind, str] = NO_CAPTIONS
    ) -> list[Table]:
        """Tables of the figures by kind: shares, decimals, counts."""
        groups: dict[Kind, list[Row]] = {kind: [] for kind in KINDS}
        for row in rows:
            groups[_kind_of_row(row[1])].append(row)
        return [
            self._table(kind_rows, kind, captions.get(kind, ""))
            for kind, kind_rows in groups.items()
            if kind_rows
        ]

    def _table(self, rows: Sequence[Row], kind: Kind, caption: str) -> Table:
        """Figures side by side; one below the other for more than two games."""
        kinds = (FRACTION, kind) if kind != COUNT else (kind,)
        signed = (FRACTION, KINDS[kind]) if kind != COUNT else (KINDS[kind],)
        cells = [(name, _differences(row)) for name, row in rows]
        if len(self.games) == 2:
            columns = ["", *(Column(name, *kinds) for name in self.names)]
            columns.append(Column("difference", *signed))
            rows_of_two = [(name, first, *second) for name, ((first, _), second) in cells]
            return Table(columns, rows_of_two, caption=caption)
        columns = ["", "game", Column("", *kinds), Column(f"less {self.names[0]}", *signed)]
        # the first game is not compared with itself
        beside_first = [(name, [(first, None), *others]) for name, ((first, _), *others) in cells]
        return Table(columns, self._line_by_line(beside_first), caption=caption)

    def _line_by_line(self, rows: Iterable[tuple[str, Iterable[Any]]]) -> list[tuple[Any, ...]]:
        """The cells of each game on a line of its own; the name stands beside the first."""
        return [
            ("" if k else name, game, *cells)
            for name, by_game in rows
            for k, (game, cells) in enumerate(zip(self.names, by_game, strict=True))
        ]

    def _events(self, pair: int) -> list[tuple[str, tuple[EventPay, ...]]]:
        """Each event of a pair of bets, with its pay and probability in each game."""
        columns = [
            {} if bet is None else _pay_by_event(game.solution.bet(bet))
            for game, bet in zip(self.games, self.pairs[pair], strict=True)
        ]
        nothing: EventPay = None, None
        return [
            (event, tuple(paid or nothing for paid in row)) for event, row in _rows_by_name(columns)
        ]

    def _pays(self, pair: int) -> Table:
        """What each event of a pair of bets pays, and how likely it is, in each game."""
        rows = self._events(pair)
        if len(self.games) == 2:
            columns: list[Any] = ["event"]
            for name in self.names:
                columns += [Column(f"{name} pays", PAYS), Column("probability", FRACTION)]
            columns.append(Column("difference", FRACTION, SIGNED))
            cells = [
                (name, *first, *second, _difference(second[1] or 0, first[1] or 0))
                for name, (first, second) in rows
            ]
            tones: dict[int, Tone] = {
                k: "strong" for k, (_, row) in enumerate(rows) if len({*row}) > 1
            }
            return Table(columns, cells, tones=tones, caption=PAYS_CAPTION)
        columns = ["event", "game", Column("pays", PAYS), Column("probability", FRACTION, DECIMAL)]
        return Table(columns, self._line_by_line(rows), caption=PAYS_CAPTION)

    def _outcomes(self) -> Page:
        """The probability of each end, for games that have no bets."""
        columns = [
            {label: Fact(label, p, FRACTION, PERCENT) for label, p in game.solution.labels.items()}
            for game in self.games
        ]
        return Page("How it ends", *self._tables(_rows_by_name(columns)))

    def _other_bets(self) -> list[str]:
        """A sentence for each game with bets that no other game has."""
        sentences = []
        games_by_bet = Counter(bet for game in self.games for bet in game.bets)
        for k, game in enumerate(self.games):
            # single bets of different names are compared; a shared bet may not have been asked for
            compared = {pair[k] for pair in self.pairs}
            own = [bet for bet in game.bets if games_by_bet[bet] == 1 and bet not in compared]
            if own:
                sentences.append(f"{game.title} has {quoted(own)}, which no other game has.")
        return sentences

    def to_dict(self) -> dict[str, Any]:
        """As data, with exact figures as texts."""

        def with_differences(rows: Iterable[Row]) -> dict[str, Any]:
            fields = {}
            for name, row in rows:
                values, differences = zip(*_differences(row), strict=True)
                fields[name] = {
                    "values": [*map(as_json, values)],
                    "differences": [*map(as_json, differences)],
                }
            return fields

        return {
            "games": [
                {
                    "title": game.title,
                    "fingerprint": game.solution.chain.fingerprint,
                    "rules": game.rules_by_aspect,
                }
                for game in self.games
            ],
            "same_chain": self.same_chain,
            "bets": [
                {
                    "bets": list(pair),
                    "figures": with_differences(self._figures(k)),
                    "table": [
                        {
                            "event": event,
                            "pays": [as_json(pays) for pays, _ in row],
                            "probability": [as_json(p) for _, p in row],
                        }
                        for event, row in self._events(k)
                    ],
                }
                for k, pair in enumerate(self.pairs)
            ],
            "length": with_differences(_rows_by_name([game.length for game in self.games])),
        }


def compare(
    games: "Mapping[str, Game | Entry | str] | Sequence[Contender | Entry | str]",
    *,
    bets: Sequence[str] | None = None,
) -> Comparison:
    """Compare games: rules in words, every figure, and exact differences.

    Bets with one name in two or more games are compared; if every game has a single bet, those are.
    A title that is there already gets the number of its game.

    >>> from sevenout.catalogue import games
    >>> both = compare({"Craps": games["craps"], "Street": games["street-craps"]})
    >>> both.pairs
    (('pass', 'pass'),)

    Args:
        games: two or more games by title, or a list of names of the catalogue, entries or
            contenders; all are compared with the first.
        bets: the bets to compare; all if not given.

    Raises:
        RulesError: fewer than two games, too many, a game without a title, or a bet that no game
            has.
    """
    if isinstance(games, Mapping):
        contenders = [_contender(game, str(title)) for title, game in games.items()]
    else:
        # anything else is refused below, as no games
        listed = games if isinstance(games, list | tuple) else []
        contenders = [_contender(g) if isinstance(g, Entry | str) else g for g in listed]
    if not 2 <= len(contenders) <= MAX_GAMES:
        raise RulesError(f"{len(contenders)} games to compare; give from 2 to {MAX_GAMES}")
    for contender in contenders:
        if not isinstance(contender, Contender):
            raise RulesError(
                f"{shown(contender)} has no title; give games by title, such as "
                "{'Mine': game}, or names of the catalogue"
            )
    titles = [contender.title for contender in contenders]
    contenders = [
        replace(game, title=f"{game.title}, game {k + 1}") if game.title in titles[:k] else game
        for k, game in enumerate(contenders)
    ]
    # the letters of one name would be taken for bets
    if isinstance(bets, str):
        raise RulesError(f"bets={shown(bets)}; give a list, such as [{shown(bets)}]")
    bets_by_game = [
        game.bets if bets is None else [b for b in game.bets if b in bets] for game in contenders
    ]
    for bet in bets or ():
        if not any(bet in names for names in bets_by_game):
            raise RulesError(f"no game has the bet {shown(bet)}")
    if all(len(names) == 1 for names in bets_by_game):
        return Comparison(tuple(contenders), (tuple(names[0] for names in bets_by_game),))
    all_bets = dict.fromkeys(b for names in bets_by_game for b in names)
    shared = [b for b in all_bets if sum(b in names for names in bets_by_game) > 1]
    if bets is not None:
        shared = list(dict.fromkeys(bets))
    pairs = tuple(tuple(b if b in names else None for names in bets_by_game) for b in shared)
    return Comparison(tuple(contenders), pairs)


def _contender(game: Game | Entry | str, title: str = "") -> Contender:
    """A solved game; its title is that of its entry by default."""
    entry = entry_of(game)
    solution = solve(entry)
    name = title or (entry.title if isinstance(entry, Entry) else type(entry).__name__)
    return Contender(name, game_of(entry), solution, solution.chain.bets)


def _rows_by_name(columns: Sequence[Mapping[str, Any]]) -> list[tuple[str, tuple[Any, ...]]]:
    """Rows by name over all columns, in order of first appearance; None for a missing one."""
    names: list[str] = []
    for column in columns:
        # a new name comes after the one that it follows in its column
        index = 0
        for name in column:
            if name not in names:
                names.insert(index, name)
            index = names.index(name) + 1
    return [(name, tuple(column.get(name) for column in columns)) for name in names]


def _pay_by_event(bet: BetResult) -> dict[str, EventPay]:
    """The rows of a return table by event, or by event and pay if an event has several."""
    events = [row.event for row in bet.table]
    return {
        row.event if events.count(row.event) == 1 else f"{row.event} ({row.pays})": (
            row.pays,
            row.probability,
        )
        for row in bet.table
    }


def _kind_of_row(row: Sequence[Fact | None]) -> Kind:
    """How the figures of a row are printed."""
    facts = [fact for fact in row if fact is not None]
    if facts[0].kinds[-1].name == PERCENT.name:
        return PERCENT
    if facts[0].kinds[-1].name == DECIMAL.name:
        return DECIMAL
    # N0 is a whole number in many games, and a fraction in the others.
    whole = not any(isinstance(f.value, Fraction) and f.value.denominator > 1 for f in facts)
    return COUNT if whole else DECIMAL


def _differences(row: Sequence[Fact | None]) -> list[tuple[Any, Any]]:
    """A figure of each game, and its difference from that of the first."""
    values = [fact and fact.value for fact in row]
    return [(value, _difference(value, values[0])) for value in values]


def _difference(value: Any, reference: Any) -> Any:
    """A difference: exact if both are, with a bound if either has one; None if either is None."""
    if value is None or reference is None or isinstance(value, str) or isinstance(reference, str):
        return None
    if isinstance(value, Certified) or isinstance(reference, Certified):
        a, b = (
            x if isinstance(x, Certified) else Certified(x, Fraction(0)) for x in (value, reference)
        )
        return Certified(a.value - b.value, a.bound + b.bound)
    return value - reference
