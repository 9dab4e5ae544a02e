"""Progressive awards: the distribution of an award, and the return and spread of a bet with one.

*The award.* The N-th bet after a reset wins s + c·N, with the seed s and the feed c, or the limit,
reached at the K-th bet. With r = 1 - q, all moments come from E[N^k] = Σ ((n+1)^k - n^k) P(N > n)
and the sums

    S(j) = Σ n^j r^n over n < K,    (r - 1) S(j) = K^j r^K - [j = 0] - r Σ (j over i) S(i), i < j,

which follow from shifting n by one. Long powers are rounded down, with a stated bound.

*The bet.* From one award to the next is a cycle. By the renewal-reward theorem (Ross 1996,
Stochastic Processes, thm 3.6.1) a mean per bet in the long run is the mean per cycle over E[N]. So
with the bet's own result X, its stake b and the award A, a bet's result with the award has

    E[(X + award/b)^k] = E[X^k] + Σ (k over j) E[X_N^(k-j) A^j] / b^j / E[N],    1 <= j <= k,

where X_N is the result of the bet that wins. The house owns the meter until it is won: its feed is
not taken from other pays. See docs/howto/progressives.md.

*Several bettors.* On the same roll all of them come to the same row, and win together. Then N
counts rounds, each of which feeds the meter once per bettor. The award is split among them, or each
is paid all of it: two different edges, and neither is that of one bettor.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, comb, sqrt
from typing import Any

from sevenout.documents import Block, Column, Fact, Facts, HasPage, Page, Table, Text
from sevenout.documents.kinds import AMOUNT, COUNT, DECIMAL, FRACTION, LABEL, PERCENT, ROUNDED
from sevenout.documents.numbers import exact_figures, exactly, money, percent
from sevenout.errors import RulesError, UndecidedError, shown
from sevenout.numerals import Number, exact
from sevenout.rolling.distribution import ENDLESS, Distribution, checked_probability, status_of
from sevenout.rules.casino.limits import Progressive
from sevenout.solving.best_play import with_bound
from sevenout.solving.bet_result import BetResult

QUANTILES = ("5%", "25%", "50%", "75%", "95%", "99%")
"""The quantiles of the award that a page has."""
BETTORS = (1, 2, 4, 8, 16)
"""The numbers of bettors on one roll whose edges are printed."""


def progressive(bet: BetResult, rule: Progressive) -> "ProgressiveResult":
    """A bet with a progressive award.

    >>> from sevenout.rolling import dice
    >>> from sevenout.solving import solve
    >>> from sevenout.rules import Wager
    >>> boxcars = solve(Wager(dice("2d6").totals, {12: 20}, limit=1)).bet()
    >>> progressive(boxcars, Progressive(seed=5, share="1%", on="12")).rtp
    Fraction(659, 900)

    Args:
        bet: `solve(game).bet(...)`.
        rule: the award.

    Raises:
        RulesError: wrong types, or an award on a row that the return table lacks.
    """
    if not isinstance(bet, BetResult):
        raise RulesError(f"{shown(bet)} can't have a progressive award; give solve(game).bet(...)")
    if not isinstance(rule, Progressive):
        raise RulesError(
            f"{shown(rule)} is not an award; give Progressive(seed=1000, share='1%', ...)"
        )
    rule.require_rows(bet.name, [row.event for row in bet.table if row.probability])
    return ProgressiveResult(bet, rule)


@dataclass(frozen=True)
class ProgressiveResult(HasPage):
    """A bet with a progressive award; figures are those of one bettor, in the long run.

    >>> from sevenout.rolling import dice
    >>> from sevenout.solving import solve
    >>> from sevenout.rules import Wager
    >>> boxcars = Wager(dice("2d6").totals, {12: 20}, limit=1, bet="boxcars")
    >>> twelve = progressive(solve(boxcars).bet(), Progressive(seed=5, share="1%", on="12"))
    >>> twelve.rtp_at(30), twelve.break_even, twelve.rtp
    (Fraction(5101, 3600), Fraction(1499, 100), Fraction(659, 900))
    >>> twelve.with_bettors(2).rtp, twelve.with_bettors(2, split=False).rtp
    (Fraction(1193, 1800), Fraction(167, 225))

    Attributes:
        bet: the bet without its award.
        rule: the award.
        bettors: how many bet on each roll; all of them win together.
        split: whether they share the award; otherwise each is paid all of it.
    """

    bet: BetResult
    rule: Progressive
    bettors: int = 1
    split: bool = True

    def __post_init__(self) -> None:
        bettors = self.bettors
        if type(bettors) is not int or bettors < 1:
            raise RulesError(f"bettors={shown(bettors)}; give a whole number, 1 or more")
        if type(self.split) is not bool:
            raise RulesError(f"split={shown(self.split)}; give True or False")
        if not self.rule.on and bettors > 1:
            raise RulesError(
                f"bettors={bettors}; one bet alone wins a mystery award, so its figures are the "
                "same for any number of bettors"
            )

    def with_bettors(self, bettors: int, split: bool | None = None) -> "ProgressiveResult":
        """The same for each of several bettors on the same roll.

        Args:
            bettors: their number.
            split: whether they split the award; as its rule says by default, or else split.

        Raises:
            RulesError: not a number of bettors, or a mystery award, which one bet wins alone.
        """
        if split is None:
            split = self.rule.split is not False
        return replace(self, bettors=bettors, split=split)

    @property
    def feed(self) -> Fraction:
        """The feed of a bet, in money."""
        return exact(self.rule.share) * self.bet.stake

    @property
    def portion(self) -> Fraction:
        """The part of an award that one bettor is paid, per unit staked."""
        return Fraction(1, self.bettors if self.split else 1) / self.bet.stake

    @cached_property
    def law(self) -> "AwardDistribution":
        """The distribution of the award, in money, by rounds of one bet of each bettor."""
        limit = None if self.rule.must_hit_by is None else exact(self.rule.must_hit_by)
        feed = self.bettors * self.feed
        wins = [row.probability for row in self.bet.table if row.event in self.rule.on]
        p_win = sum(wins, Fraction()) if self.rule.on else None
        return AwardDistribution(exact(self.rule.seed), feed, p_win, limit)

    def chance_at(self, meter: Number) -> Fraction:
        """The probability that the next bet wins the award.

        Raises:
            RulesError: an impossible meter.
        """
        reading, limit = exact(meter), self.law.limit
        if reading < self.law.seed or (limit is not None and reading >= limit):
            ends = f"from {self.law.seed}" + (f" to less than {limit}" if limit else " up")
            raise RulesError(f"meter={shown(str(reading))}; give a reading {ends}")
        bets_left = None if limit is None else ceil((limit - reading) / self.law.feed)
        # The bet that reaches the limit wins it for certain.
        if bets_left == 1:
            return Fraction(1)
        if self.law.p_win is not None:
            return self.law.p_win
        assert bets_left is not None  # a mystery award has a limit
        return Fraction(1, bets_left)

    def rtp_at(self, meter: Number) -> Fraction:
        """The return of the next bet per unit staked, from the meter before it."""
        chance = self.chance_at(meter)
        award = exact(meter) + self.law.feed
        award = award if self.law.limit is None else min(award, self.law.limit)
        return self.bet.rtp + chance * award * self.portion

    @cached_property
    def break_even(self) -> Fraction | None:
        """The least meter at which a bet returns 1 or more; None if there is none.

        It is the seed if the first bet already does; see `below_seed`.
        """
        seed, limit, feed = self.law.seed, self.law.limit, self.law.feed
        lack = self.bet.edge / self.portion  # what an award must pay on average, in money
        if self.law.p_win is not None:
            meter = max(seed, lack / self.law.p_win - feed)
            if limit is None or meter < limit - feed:
                return meter
            # Only the bet that is certain to win can make up for the edge.
            return max(seed, limit - feed) if limit >= lack else None
        assert limit is not None  # a mystery award has a limit
        if lack <= 0:
            return seed
        # With R bets left the mean award is (m + c)/R, for L - cR <= m < L - c(R - 1). It is the
        # lack or more for some such m if R (lack + c) < L + 2c.
        max_bets_left = ceil((limit + 2 * feed) / (lack + feed)) - 1
        bets_left = min(max_bets_left, ceil((limit - seed) / feed))
        if bets_left <= 1:
            return max(seed, limit - feed) if limit >= lack else None
        return max(seed, limit - feed * bets_left, lack * bets_left - feed)

    @property
    def below_seed(self) -> bool:
        """Whether the bet returns more than 1 at the seed."""
        return self.rtp_at(self.law.seed) > 1

    @cached_property
    def award_return(self) -> Fraction:
        """The long-run return from the award, per unit staked."""
        return self.portion * self.law.mean / self.law.mean_bets

    @property
    def rtp(self) -> Fraction:
        """The long-run return per unit staked."""
        return self.bet.rtp + self.award_return

    @property
    def edge(self) -> Fraction:
        """The house edge per bet made, in the long run."""
        return 1 - self.rtp

    def raw_moment(self, k: int) -> Fraction:
        """E[X^k] of one bet's profit with the award per unit staked, in the long run.

        Raises:
            RulesError: k is not from 0 to 4.
        """
        check_order(k)
        law, total = self.law, self._bet_moment(k)
        for j in range(1, k + 1):
            # The bet that reaches the limit wins the award whatever its row, and so does the one
            # that is drawn for a mystery award.
            award_on_any_row = Fraction(0)
            if law.p_win is None:
                award_on_any_row = law.raw_moment(j)
            elif law.max_bets is not None:
                p_limit = law.survival(law.max_bets - 1)
                award_on_any_row = p_limit * law.award_at(law.max_bets) ** j
            product = award_on_any_row * self._bet_moment(k - j)
            if law.p_win is not None:
                award_on_winning_row = law.raw_moment(j) - award_on_any_row
                product += award_on_winning_row * self._bet_moment(k - j, winning=True)
            total += comb(k, j) * self.portion**j * product / law.mean_bets
        return total

    def _bet_moment(self, k: int, winning: bool = False) -> Fraction:
        """E[X^k] of the bet without its award; if `winning`, given a row that wins the award."""
        rows = [row for row in self.bet.table if not winning or row.event in self.rule.on]
        # The award comes with the row's own pay.
        probability = sum((row.probability for row in rows), Fraction())
        return sum((row.probability * row.pays**k for row in rows), Fraction()) / probability

    @cached_property
    def variance(self) -> Fraction:
        """The variance of one bet's profit with the award, per unit staked, in the long run."""
        return self.raw_moment(2) - (self.rtp - 1) ** 2

    @property
    def std(self) -> float:
        """The standard deviation of one bet's profit with the award."""
        return sqrt(self.variance)

    @property
    def maximum_exposure(self) -> Fraction | None:
        """The house's largest loss on one bet with the award, per unit staked; None if unlimited.

        Where several bettors win at once it is that on each of them.
        """
        if self.law.p_win == 1:
            award = self.law.award_at(1)
        elif self.law.max_bets is None:
            return None
        else:
            award = self.law.award_at(self.law.max_bets)
        return max(row.pays for row in self.bet.table if row.probability) + self.portion * award

    @property
    def rtp_bound(self) -> Fraction:
        """The error bound of the long-run return; 0 if exact."""
        law, bet = self.law, self.bet
        # The mean award per bet is c + s/E[N] less what the limit cuts off, below c. In q, the
        # derivatives of 1/E[N] and of the rate at which the limit is reached are from -1 to 1.
        bound = (bet.largest_result + self.portion * (law.seed + law.feed)) * bet.total_bound
        if law.bound and law.p_win is not None:
            # With r^K off by d, the mean number of bets is off by d/q and the mean award by 2cd/q.
            # Their quotient has both errors: the number is at least 1, the award at most the limit.
            largest = law.seed + 2 * law.feed + (law.limit or 0)
            bound += law.bound * largest * self.portion / law.p_win
        return bound

    @property
    def mean_bets_bound(self) -> Fraction:
        """The error bound of the mean number of bets; of the mean award, it is 2 c times this."""
        q, error = self.law.p_win, self.bet.total_bound
        if q is None:
            return Fraction(0)
        # E[N] is the sum of (1 - q)^n over n < K, whose derivative in q is at most 1/q^2.
        return self.law.bound / q + error / (q - error) ** 2

    def page(self, meter: Number | None = None, currency: str = "") -> Page:
        """A page: the figures with their conventions, and the distribution of the award.

        Args:
            meter: the current meter, for the return of the next bet.
            currency: of the amounts; default units.
        """
        law, in_currency = self.law, f", {currency}" if currency else ""
        facts = [Fact(f"what a bet feeds the meter{in_currency}", self.feed, AMOUNT)]
        if law.p_win is not None:
            p_win = self.bet.certified(law.p_win)
            facts.append(Fact("a bet wins the award", p_win, FRACTION, PERCENT))
        bets = "bets" if self.bettors == 1 else f"rounds of {self.bettors:,} bets"
        mean_bets = with_bound(law.mean_bets, self.mean_bets_bound)
        mean_award = with_bound(law.mean, 2 * law.feed * self.mean_bets_bound)
        edge_without = self.bet.certified(self.bet.edge, self.bet.largest_result)
        edge = with_bound(self.edge, self.rtp_bound)
        facts += [
            Fact(f"{bets} from one award to the next, mean", mean_bets, FRACTION, DECIMAL),
            Fact(f"award, mean{in_currency}", mean_award, FRACTION, DECIMAL),
            Fact(f"award, standard deviation{in_currency}", law.std, DECIMAL),
            Fact("house edge without the award", edge_without, FRACTION, PERCENT),
            Fact("house edge in the long run", edge, FRACTION, PERCENT),
            Fact("standard deviation without the award", self.bet.std, DECIMAL),
            Fact("standard deviation with the award", self.std, DECIMAL),
            self._exposure_fact(),
            *self._break_even_facts(in_currency, currency),
        ]
        if meter is not None:
            reading = f"meter at {money(exact(meter), currency)}"
            facts += [
                Fact(f"return of the next bet, {reading}", self.rtp_at(meter), FRACTION, PERCENT),
                Fact(f"the next bet wins, {reading}", self.chance_at(meter), FRACTION, PERCENT),
            ]
        rows = [(q.replace("%", " %"), law.quantile(q)) for q in QUANTILES]
        columns = [Column("of all awards", LABEL), Column(f"are at most{in_currency}", ROUNDED)]
        return Page(
            f"Progressive award of {self.bet.name}",
            Facts(*facts),
            Table(columns, rows),
            Text(award_in_words(self, currency), tone="note"),
            *self.edges_by_bettors(),
        )

    def _exposure_fact(self) -> Fact:
        name = "most the house pays on one bet, in stakes"
        if self.maximum_exposure is None:
            return Fact(name, "no limit")
        return Fact(name, self.maximum_exposure, FRACTION, DECIMAL)

    def _break_even_facts(self, in_currency: str, currency: str) -> list[Fact]:
        if self.break_even is None:
            return [Fact("break-even meter", "none: no bet returns its stake on average")]
        if self.below_seed:
            seed = money(self.law.seed, currency)
            below = f"below the seed, {seed}: every bet returns its stake and more"
            return [Fact("break-even meter", below)]
        return [Fact(f"break-even meter{in_currency}", self.break_even, FRACTION, DECIMAL)]

    def edges_by_bettors(self) -> list[Block]:
        """The house edge by the number of bettors on the same roll; empty for a mystery award."""
        if not self.rule.on:
            return []
        # A rule that declares whether they split has one column; any other has both.
        titles = {True: "house edge, split among them", False: "house edge, each paid all of it"}
        if self.rule.split is None:
            titles = {
                True: "house edge if they split the award",
                False: "if each is paid all of it",
            }
        splits = (True, False) if self.rule.split is None else (self.rule.split,)
        rows = [
            (bettors, *(self.with_bettors(bettors, split).edge for split in splits))
            for bettors in BETTORS
        ]
        columns = [Column("bettors on the same roll", COUNT)]
        columns += [Column(titles[split], PERCENT) for split in splits]
        bettors = "one bettor"
        if self.bettors > 1:
            paid = "split the award" if self.split else "are each paid all of it"
            bettors = f"each of {self.bettors:,} bettors who {paid}"
        note = (
            f"The figures above are those of {bettors}. Several bettors on the same roll win "
            "together: the table has the edge of each of them, in the long run."
        )
        return [Table(columns, rows), Text(note, tone="note")]

    def to_dict(self, meter: Number | None = None) -> dict[str, Any]:
        law = self.law
        data = {
            "bet": self.bet.name,
            **exact_figures(self.rule, "seed", "share", "must_hit_by"),
            "on": list(self.rule.on),
            "bettors": self.bettors,
            "status": "certified" if self.rtp_bound else "exact",
            "probability": None if law.p_win is None else exactly(law.p_win),
            **exact_figures(law, "mean_bets"),
            "mean_award": exactly(law.mean),
            "award_variance": exactly(law.variance),
            "edge_without": exactly(self.bet.edge),
            "edge_long_run": exactly(self.edge),
            "std_without": self.bet.std,
            "std_with": self.std,
            **exact_figures(self, "maximum_exposure"),
            **exact_figures(self, "break_even"),
            "break_even_below_seed": self.below_seed,
        }
        if meter is not None:
            data["meter"] = exactly(exact(meter))
            data["return_at_meter"] = exactly(self.rtp_at(meter))
        return data


def award_in_words(result: ProgressiveResult, currency: str = "") -> str:
    """The rule of an award in words, with amounts in a currency or in units."""
    rule, law = result.rule, result.law
    share = percent(exact(rule.share), 2).replace(".00 %", " %")
    sentences = [
        f"The meter starts from {money(law.seed, currency)}. As a bet is made, {share} of its "
        "stake is added."
    ]
    if rule.on:
        events = " or ".join(rule.on)
        sentences.append(
            f"A bet that ends in {events} wins what the meter then shows, besides its pay for "
            f"{events}."
        )
    else:
        sentences.append(
            "Which bet wins what the meter then shows is drawn beforehand: each up to the "
            "limit is as likely as any other."
        )
    if rule.split is not None:
        paid = "split the meter" if rule.split else "are each paid the whole meter"
        sentences.append(f"Bettors who win together {paid}.")
    if law.limit is not None:
        sentences.append(
            f"The bet that brings the meter to {money(law.limit, currency)} wins that amount, "
            "however the bet ends."
        )
    sentences.append("After an award the meter starts again. Long-run means are over many awards.")
    return " ".join(sentences)


def check_order(k: Any) -> None:
    """Refuse an order of a moment beyond those whose sums are known.

    Raises:
        RulesError: it is not from 0 to 4.
    """
    if type(k) is not int or not 0 <= k <= 4:
        raise RulesError(f"a moment of order {shown(k)}; give a whole number from 0 to 4")


MAX_POWER_BITS = 200_000
"""A power with more bits is rounded: a sum of two fractions of this size takes 0.1 s."""
ROUNDED_BITS = 512
"""The error of a rounded power is below 2^-ROUNDED_BITS."""


def power(r: Fraction, n: int) -> tuple[Fraction, Fraction]:
    """A lower bound of r^n, and its error bound; 0 < r < 1.

    >>> power(Fraction(1, 2), 3)
    (Fraction(1, 8), Fraction(0, 1))
    """
    if n * r.denominator.bit_length() <= MAX_POWER_BITS:
        return r**n, Fraction(0)
    # The rounding error of the first step counts n times, so n has bits of its own.
    unit = 1 << (ROUNDED_BITS + 8 + n.bit_length())
    result, square = unit, r.numerator * unit // r.denominator
    while n:
        if n & 1:
            result = result * square // unit
        square = square * square // unit
        n >>= 1
    return Fraction(result, unit), Fraction(1, 1 << ROUNDED_BITS)


@dataclass(frozen=True)
class AwardDistribution(Distribution):
    """The distribution of an award, in money.

    >>> seed, feed, p_win = Fraction(10), Fraction(1, 2), Fraction(1, 6)
    >>> law = AwardDistribution(seed, feed, p_win, limit=Fraction(12))
    >>> law.max_bets, law.pmf(11), law.pmf(12), law.cdf(12), law.mean_bets
    (4, Fraction(5, 36), Fraction(125, 216), Fraction(1, 1), Fraction(671, 216))

    Args:
        seed: the meter after a reset.
        feed: what a bet adds to the meter.
        p_win: the probability that a bet wins it; None for a mystery award.
        limit: the must-hit-by limit; None for none.
    """

    seed: Fraction
    feed: Fraction
    p_win: Fraction | None
    limit: Fraction | None = None

    def __post_init__(self) -> None:
        # The longest power has the largest error; the class is frozen, so it is set this way.
        object.__setattr__(self, "bound", self._bounded_survival(self.max_bets or 0)[1])

    @property
    def max_bets(self) -> int | None:
        """The greatest number of bets until it is won; None without a limit."""
        return None if self.limit is None else ceil((self.limit - self.seed) / self.feed)

    def award_at(self, n: int) -> Fraction:
        """The award if the n-th bet wins."""
        meter = self.seed + n * self.feed
        return meter if self.limit is None else min(meter, self.limit)

    def _bounded_survival(self, n: int) -> tuple[Fraction, Fraction]:
        """P(N > n) for n up to the limit, and its error bound."""
        if self.p_win is None:
            assert self.max_bets is not None
            return 1 - Fraction(n, self.max_bets), Fraction(0)
        return power(1 - self.p_win, n) if self.p_win < 1 else (Fraction(n == 0), Fraction(0))

    def survival(self, n: int) -> Fraction:
        """P(N > n), for N the number of bets until it is won."""
        if n <= 0:
            return Fraction(1)
        if self.max_bets is not None and n >= self.max_bets:
            return Fraction(0)
        return self._bounded_survival(n)[0]

    def _last_bet(self, x: Number) -> int:
        """The last bet whose award is at most x; 0 if none is."""
        amount = exact(x)
        if self.limit is not None and amount >= self.limit:
            return self.max_bets or 0
        return max(0, int((amount - self.seed) // self.feed))

    def pmf(self, x: Number) -> Fraction:
        n = self._last_bet(x)
        is_award = n > 0 and self.award_at(n) == exact(x)
        return self.survival(n - 1) - self.survival(n) if is_award else Fraction(0)

    def cdf(self, x: Number) -> Fraction:
        return 1 - self.survival(self._last_bet(x))

    def quantile(self, q: Number) -> Fraction:
        """The least award x with cdf(x) >= q.

        Raises:
            RulesError: q is not a probability, or is 1 without a limit.
        """
        return self.award_at(self.bets_quantile(q))

    def bets_quantile(self, q: Number) -> int:
        """The least n with P(N <= n) >= q.

        Raises:
            RulesError: as `quantile`.
        """
        p = checked_probability(q)
        if p == 1:
            if self.max_bets is None and self.p_win != 1:
                raise RulesError(ENDLESS)
            return 1 if self.p_win == 1 else self.max_bets or 1
        # Doubling, then bisection: n may be millions, and each step is a power.
        low, high = 0, 1
        while self._survives_more_than(1 - p, high):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            if self._survives_more_than(1 - p, middle):
                low = middle
            else:
                high = middle
        return high

    def _survives_more_than(self, p: Fraction, n: int) -> bool:
        """Whether P(N > n) > p.

        Raises:
            UndecidedError: the error bound of the survival leaves it open.
        """
        if self.max_bets is not None and n >= self.max_bets:
            return False
        survival, bound = self._bounded_survival(n)
        if survival <= p < survival + bound:
            raise UndecidedError(
                f"whether {n:,} bets are enough is undecided within the error bound "
                f"({status_of(bound)})"
            )
        return survival > p

    @cached_property
    def _bets_moments(self) -> list[Fraction]:
        """E[N^k] for k from 0 to 4."""
        sums: list[Fraction] = []
        if self.p_win is None:
            # N is uniform: Σ n^j over n <= K telescopes from (n + 1)^(j + 1) - n^(j + 1).
            assert self.max_bets is not None
            for j in range(5):
                telescoped = Fraction((self.max_bets + 1) ** (j + 1) - 1)
                lower_powers = sum((comb(j + 1, i) * s for i, s in enumerate(sums)), Fraction())
                sums.append((telescoped - lower_powers) / (j + 1))
            return [s / self.max_bets for s in sums]
        # The sums S(j) of the module's docstring.
        r = 1 - self.p_win
        r_to_k = Fraction(0) if self.max_bets is None else self._bounded_survival(self.max_bets)[0]
        for j in range(4):
            lower_powers = sum((comb(j, i) * s for i, s in enumerate(sums)), Fraction())
            last_term = (self.max_bets or 0) ** j * r_to_k
            sums.append((last_term - (j == 0) - r * lower_powers) / (r - 1))
        moments = (sum((comb(k, i) * sums[i] for i in range(k)), Fraction()) for k in range(1, 5))
        return [Fraction(1), *moments]

    @property
    def mean_bets(self) -> Fraction:
        """E[N], the mean number of bets between awards."""
        return self._bets_moments[1]

    def raw_moment(self, k: int) -> Fraction:
        """E[X^k].

        Raises:
            RulesError: k is not from 0 to 4.
        """
        check_order(k)
        terms = (
            comb(k, i) * self.seed ** (k - i) * self.feed**i * self._bets_moments[i]
            for i in range(k + 1)
        )
        moment = sum(terms, Fraction())
        # The last feed may overshoot the limit: its award is cut to it.
        if self.max_bets is not None:
            uncut = self.seed + self.max_bets * self.feed
            p_limit = self.survival(self.max_bets - 1)
            moment += p_limit * (self.award_at(self.max_bets) ** k - uncut**k)
        return moment

    def central_moment(self, k: int) -> Fraction:
        """E[(X - mean)^k].

        Raises:
            RulesError: k is not from 0 to 4.
        """
        check_order(k)
        mean = self.mean
        terms = (comb(k, i) * self.raw_moment(i) * (-mean) ** (k - i) for i in range(k + 1))
        return sum(terms, Fraction())

    @property
    def mean(self) -> Fraction:
        return self.raw_moment(1)

    @property
    def support(self) -> tuple[Any, Any]:
        return self.award_at(1), None if self.max_bets is None else self.award_at(self.max_bets)
