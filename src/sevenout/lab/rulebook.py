"""The rules on the game page, and the address that holds them.

An even-money point game is a variant's name, `2,3,12/7,11/7@2d6`; what a variant has not (pushes,
rolls that mean nothing, a limit) stands beside it in the query. So a link opens the game.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from sevenout.dice import Dice, dice_name, parse_dice
from sevenout.errors import NotationError
from sevenout.lab import limits
from sevenout.rules import Line, PointGame
from sevenout.rules.gamefile import GameFile, game_text, parse_game

ROLES = ("natural", "craps", "point", "push", "reroll")
SETS = {"natural": "naturals", "craps": "craps", "push": "pushes", "reroll": "rerolls"}
WORDS = {
    "natural": "natural",
    "craps": "craps",
    "point": "point",
    "push": "push",
    "reroll": "again",
}
CRAPS = "2,3,12/7,11/7"


@dataclass(frozen=True)
class Rulebook:
    """An even-money point game as it is being written; it need not make sense yet.

    Attributes:
        dice: the dice, as text.
        roles: what each total is on the come-out; a total that is not named is a point.
        out: the total that loses once the point is on.
        limit: how many rolls there are for the point; None for as many as it takes.
    """

    dice: str = "2d6"
    roles: Mapping[int, str] = field(default_factory=dict)
    out: int = 7
    limit: int | None = None

    def __hash__(self) -> int:
        return hash((self.dice, frozenset(self.roles.items()), self.out, self.limit))

    def role(self, total: int) -> str:
        """What a total is on the come-out."""
        return self.roles.get(total, "point")

    def having(self, role: str) -> list[int]:
        """The totals in a role."""
        return sorted(total for total, its in self.roles.items() if its == role)

    def give(self, total: int, role: str) -> "Rulebook":
        """The same rules with another role for a total."""
        return replace(self, roles={**self.roles, total: role})

    def on(self, dice: str) -> "Rulebook":
        """The same rules on other dice; totals that they can't roll have no role any more.

        Raises:
            SevenoutError: not dice, or more totals than there are tiles.
        """
        totals = totals_of(dice)
        roles = {total: role for total, role in self.roles.items() if total in totals}
        out = self.out if self.out in totals else most_likely(dice)
        if self.out not in totals and roles.get(out, "point") == "point":
            roles[out] = "craps"
        return replace(self, dice=dice_name(parse_dice(dice)), roles=roles, out=out)

    def game(self) -> PointGame:
        """The game.

        Raises:
            RulesError: the rules contradict themselves or the dice.
        """
        return PointGame(
            self.having("natural"),
            self.having("craps"),
            self.out,
            pushes=self.having("push"),
            rerolls=self.having("reroll"),
            limit=self.limit,
            dice=parse_dice(self.dice),
        )

    @property
    def is_variant(self) -> bool:
        """Whether a variant's name says it all."""
        return self.limit is None and not self.having("push") and not self.having("reroll")

    @property
    def name(self) -> str:
        """The text name: craps/naturals/out, and the dice where they are not 2d6."""
        from sevenout.variants.variant import set_name

        sets = f"{set_name(self.having('craps'))}/{set_name(self.having('natural'))}/{self.out}"
        return sets if self.dice == "2d6" else f"{sets}@{self.dice}"

    @property
    def title(self) -> str:
        """The name, and what it does not say."""
        more = [
            f"{word} {', '.join(map(str, self.having(role)))}"
            for role, word in (("push", "push"), ("reroll", "again"))
            if self.having(role)
        ]
        if self.limit is not None:
            more.append(f"{self.limit} {'roll' if self.limit == 1 else 'rolls'} for the point")
        return "; ".join([self.name, *more])

    @property
    def query(self) -> str:
        """The query of the address.

        >>> read(CRAPS).query
        'game=2,3,12/7,11/7'
        """
        said: dict[str, object] = {"game": self.name}
        for role in ("push", "reroll"):
            if self.having(role):
                said[role] = ",".join(map(str, self.having(role)))
        if self.limit is not None:
            said["limit"] = self.limit
        return urlencode(said, safe="/,@")

    def toml(self, name: str) -> str:
        """The game as a file.

        Raises:
            SevenoutError: the rules contradict themselves.
        """
        return game_text(GameFile(name, (self.game(),)))


def read(name: str, push: str = "", reroll: str = "", limit: str = "") -> Rulebook:
    """The rules that an address holds.

    >>> read("3/7,8,9/3@3d6").role(18)
    'point'

    Raises:
        SevenoutError: the text is not a variant, or what stands beside it is no list of totals.
    """
    from sevenout.variants.variant import NAME, parse_variant

    match = NAME.fullmatch(name.strip())
    variant = parse_variant(name)
    dice = (match["dice"] if match else None) or "2d6"
    totals = totals_of(dice)
    roles = dict.fromkeys(variant.craps, "craps") | dict.fromkeys(variant.naturals, "natural")
    for role, text in (("push", push), ("reroll", reroll)):
        for part in filter(None, text.split(",")):
            if not re.fullmatch(r"-?\d{1,6}", part):
                raise NotationError(f"{part!r} in {role}={text} is not a total")
            roles[int(part)] = role
    for total in (*roles, variant.out):
        if total not in totals:
            raise NotationError(f"the dice {dice} can't roll the {total} of {name}")
    if limit and not (re.fullmatch(r"[1-9][0-9]{0,8}", limit) and int(limit) <= limits.MAX_LIMIT):
        raise NotationError(f"limit={limit[:20]}; give a whole number from 1 to {limits.MAX_LIMIT}")
    return Rulebook(dice_name(parse_dice(dice)), roles, variant.out, int(limit) if limit else None)


def of_game(game: object) -> Rulebook | None:
    """A game as rules on tiles; None for a game that is more than an even-money point game."""
    if not isinstance(game, PointGame) or game.hard or not isinstance(game.dice, Dice):
        return None
    if dict(game.bets) != {"pass": Line()}:
        return None
    roles: dict[int, str] = {}
    for role, name in SETS.items():
        roles |= dict.fromkeys(getattr(game, name), role)
    out = game.out
    return Rulebook(dice_name(game.dice), roles, out, game.limit) if isinstance(out, int) else None


def totals_of(dice: str) -> dict[int, int]:
    """What dice can roll, in order, and in how many ways of `denominator_of`.

    Raises:
        SevenoutError: not dice, or totals that are no numbers, or too many for tiles.
    """
    rolled = parse_dice(dice)
    if not _numbered(rolled):
        raise NotationError(f"the dice {dice} show labels; tiles need numbers to add up")
    _within_span(rolled, dice)
    law = rolled.totals.law
    if len(law) > limits.MAX_TILES:
        raise NotationError(
            f"the dice {dice} have {len(law)} totals; tiles show {limits.MAX_TILES} or fewer"
        )
    return dict(sorted(zip(law.faces, law.weights, strict=True)))


def read_file(text: str, name: str) -> GameFile:
    """The game of a file, if the lab can take it on; dice that are too large are never rolled.

    Raises:
        SevenoutError: no game, or one that is too large.
    """
    if len(text) > limits.MAX_GAME_FILE:
        raise NotationError(f"{name}: {limits.GAME_FILE_TOO_LONG}")
    try:
        dice = tomllib.loads(text).get("dice")
    except (ValueError, RecursionError):
        dice = None  # the file's own reader says what is wrong, and in which line
    if isinstance(dice, str) and _numbered(rolled := parse_dice(dice)):
        _within_span(rolled, dice)
    return parse_game(text, name)


def _numbered(dice: Dice) -> bool:
    return all(isinstance(face, int) for die in dice.dice for face in die.faces)


def _within_span(rolled: Dice, dice: str) -> None:
    span = sum(max(d.faces) - min(d.faces) for d in rolled.dice)  # type: ignore[type-var, operator]
    if span >= limits.MAX_SPAN:
        raise NotationError(
            f"the totals of {dice} span {span:,}; the lab takes dice that span {limits.MAX_SPAN}"
        )


def most_likely(dice: str) -> int:
    """The likeliest total; the lowest of them, if there are several."""
    totals = totals_of(dice)
    return max(totals, key=lambda total: (totals[total], -total))
