"""A progressive award: a meter that every bet feeds and one bet wins."""

from dataclasses import dataclass

from sevenout.errors import RulesError, shown
from sevenout.numerals import Number, exact


@dataclass(frozen=True)
class Progressive:
    """A progressive award, paid beside a bet's other payments.

    When a bet is made, a share of its stake is added to the meter. A bet that comes to one of the
    rows of `on` wins the meter, beside that row's payment; the meter then restarts from its seed.
    With `must_hit_by`, the bet that brings the meter to that amount wins exactly that amount.
    Without rows it is a mystery award: the winning bet is drawn beforehand, with equal probability
    for each bet up to the limit.

    >>> Progressive(seed=1000, share="1%", on="craps 12").share
    Fraction(1, 100)

    Args:
        seed: the first amount on the meter.
        share: the part of each stake that is added to it.
        on: one or several rows of the bet's return table; none for a mystery award.
        must_hit_by: the largest amount on the meter; None for no limit.

    Raises:
        RulesError: a seed below 0, a share outside (0, 1], a limit not above the seed, or neither
            rows nor a limit.
    """

    seed: Number
    share: Number
    on: str | tuple[str, ...] = ()
    must_hit_by: Number | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        on = (self.on,) if isinstance(self.on, str) else self.on
        if not isinstance(on, tuple | list) or not all(isinstance(row, str) for row in on):
            raise RulesError(f"on={shown(self.on)}; name rows of the bet's return table")
        limit = None if self.must_hit_by is None else exact(self.must_hit_by)
        put(self, "seed", exact(self.seed))
        put(self, "share", exact(self.share))
        put(self, "on", tuple(on))
        put(self, "must_hit_by", limit)
        if exact(self.seed) < 0:
            raise RulesError(f"seed={shown(str(self.seed))}; start the meter at 0 or more")
        if not 0 < exact(self.share) <= 1:
            raise RulesError(
                f"share={shown(str(self.share))}; feed the meter a part of each stake, such as '1%'"
            )
        if limit is not None and limit <= exact(self.seed):
            raise RulesError(f"must_hit_by={shown(str(limit))}; set it above the seed, {self.seed}")
        if limit is None and not on:
            raise RulesError(
                "nothing wins this award; name the rows that win it, on=, or a limit, must_hit_by="
            )
