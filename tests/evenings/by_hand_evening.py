"""An evening played by hand: every sequence of rolls, money counted in the rail and on the felt.

It repeats the rules of the table (`catalogue.craps_family.craps_felt`) and of leaving it
(`rules.casino.ends`). Bets are tuples, money moves between the rail, the felt and the box of the
commissions, and nothing is merged or cached. It is slow on purpose: an independent witness for the
distribution, the kernels and the replay, which shares none of their code.
"""

from copy import copy
from fractions import Fraction
from math import floor

from sevenout.rules.casino.betting import TableView
from sevenout.rules.casino.felt import FeltRoll, Paid, Throw

WAYS = {t: 6 - abs(7 - t) for t in range(2, 13)}
TRUE = {4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)}
PLACE = {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)}


def paid(amount, odds):
    return floor(amount * odds[0] / Fraction(odds[1]))


def vig(kind, on, amount):
    """5 % of a buy bet, or of what a lay bet wins; at least a unit."""
    won = amount if kind == "buy" else amount * Fraction(TRUE[on][1], TRUE[on][0])
    return max(1, floor(won / 20))


BONUS = {"small": ({2, 3, 4, 5, 6}, 34), "tall": ({8, 9, 10, 11, 12}, 34)}
BONUS["all"] = (BONUS["small"][0] | BONUS["tall"][0], 175)


def bonus(kind, seen, amount, total):
    """Small, tall or all, of which some totals have come."""
    wanted, pays = BONUS[kind]
    if total == 7:
        return -amount, None
    seen = sorted(seen | ({total} & wanted))
    if len(seen) == len(wanted):
        return pays * amount, None
    return None, (kind, ",".join(map(str, seen))) if seen else (kind,)


def settle(words, amount, point, total, working, *, pays, up_front=False):
    """(what is won, the bet that stands then); None won where nothing is decided."""
    if words[0] in BONUS:
        seen = {int(each) for part in words[1:] for each in part.split(",")}
        return bonus(words[0], seen, amount, total)
    odds = words[-1] == "odds"
    words = words[:-1] if odds else words
    on = int(words[-1]) if words[-1].isdigit() else None
    kind = " ".join(words[:-1] if on else words)
    if kind == "field":
        times = {2: pays[0][0], 12: pays[0][1]}.get(total, 1)
        return (times * amount if total not in (5, 6, 7, 8) else -amount), None
    if kind == "any craps":
        return (7 * amount if total in (2, 3, 12) else -amount), None
    if kind == "place":
        if (point is None and not working) or total not in (7, on):
            return None, (kind, on)
        return (-amount, None) if total == 7 else (paid(amount, PLACE[on]), (kind, on))
    if kind in ("buy", "lay"):
        if total not in (7, on) or (kind == "buy" and point is None and not working):
            return None, (kind, on)
        if (total == 7) != (kind == "lay"):
            return -amount, None
        won = paid(amount, TRUE[on] if kind == "buy" else TRUE[on][::-1])
        charge = vig(kind, on, amount)
        # What was put down up front is gone, even if the win is smaller.
        return won - (charge if up_front else min(won, charge)), (kind, on)
    wrong = kind.startswith("don't")
    mine = point if kind in ("pass", "don't pass") else on
    if mine is None:  # its own come-out
        if total in (7, 11):
            return (-amount if wrong else amount), None
        if total in (2, 3, 12):
            return (0 if wrong and total == pays[1] else amount if wrong else -amount), None
        return None, ((kind,) if kind.endswith("pass") else (kind, total))
    stands = (kind,) if on is None else (kind, on)
    if total not in (7, mine):
        return None, (*stands, "odds") if odds else stands
    if odds and kind == "come" and point is None and not working:
        return 0, None
    won = (total == 7) == wrong
    if not won:
        return -amount, None
    if not odds:
        return amount, None
    return paid(amount, TRUE[mine][::-1] if wrong else TRUE[mine]), None


def name(stands):
    return " ".join(map(str, stands))


class Evening:
    def __init__(
        self,
        strategy,
        bankroll,
        *,
        working=False,
        up_front=False,
        target=None,
        loss=None,
        bets=None,
        field=(2, 3),
        bar=12,
    ):
        self.pays = field, bar
        self.strategy, self.working, self.up_front = strategy, working, up_front
        self.most_bets = bets
        self.rail, self.felt, self.point = bankroll, {}, None
        self.box = {}  # the commission that lies with a bet
        self.memory, self.end = strategy.memory, None
        self.top, self.bottom = target, None if loss is None else bankroll - loss
        self.handle = self.count = self.refused = 0
        self.bet(None)

    @property
    def money(self):
        return self.rail + sum(self.felt.values()) + sum(self.box.values())

    def table(self, last):
        purse = self.money if self.strategy.sees_money else None
        return TableView(self.point, dict(self.felt), self.memory, last, purse)

    def bet(self, last):
        short = False
        wanted = self.strategy.wants(self.table(last)).items()
        for bet, amount in sorted(wanted, key=lambda each: each[1] > self.felt.get(each[0], 0)):
            now = self.felt.get(bet, 0)  # what comes down is in the rail before the rest is paid
            fee, paid = self.fee(bet, amount), self.box.get(bet, 0)
            if amount - now + fee - paid <= self.rail:
                self.rail -= amount - now + fee - paid
                self.felt[bet] = amount
                self.box = {**self.box, bet: fee}
            else:
                short = True
                self.refused += 1
            if not self.felt.get(bet, 1):
                del self.felt[bet]
        if short and not self.felt:
            self.end = "ruin"

    def fee(self, bet, amount):
        kind, _, on = bet.partition(" ")
        up_front = self.up_front and kind in ("buy", "lay") and amount
        return vig(kind, int(on), amount) if up_front else 0

    def roll(self, total, last=False):
        events, felt = [], {}
        for bet, amount in sorted(self.felt.items()):
            how = {"pays": self.pays, "up_front": self.up_front}
            won, stands = settle(bet.split(), amount, self.point, total, self.working, **how)
            if won is not None:
                lost = self.box.get(bet, 0) if stands is None else 0  # with its commission
                events.append(Paid(bet, amount, won - lost))
                self.rail += won
                self.handle += amount
                self.count += 1
            if stands is None:
                self.rail += amount
                self.box = {b: fee for b, fee in self.box.items() if b != bet}  # it is lost
            else:
                felt[name(stands)] = amount  # a win has paid for the next
        self.felt = felt
        out = self.point is not None and total == 7
        if self.point is None:
            self.point = total if total in TRUE else None
        elif total in (7, self.point):
            self.point = None
        if self.bottom is not None and self.money <= self.bottom:
            self.end = "stop loss"
        elif self.top is not None and self.money >= self.top:
            self.end = "target"
        if self.end is None and last:
            self.end = "time"
        if self.end is None:
            seen = FeltRoll(Throw(total, None, WAYS[total]), tuple(events), out)
            self.memory = self.strategy.remembers(self.table(seen))
            money, refused = self.money, self.refused
            self.bet(seen)
            if self.most_bets is not None and self.count >= self.most_bets:
                self.rail, self.felt, self.refused = money, {}, refused  # they are not made
                self.box = {}
                self.end = self.end or "bets"


def law(strategy, bankroll, rolls, **how):
    """The law of (end, money), and of the stakes settled, their number and the refusals the mean,
    over all rolls.
    """
    found, means = {}, [Fraction(0)] * 3

    def play(evening, p, left):
        if evening.end is not None:
            key = evening.end, Fraction(evening.money)
            found[key] = found.get(key, Fraction(0)) + p
            for i, seen in enumerate((evening.handle, evening.count, evening.refused)):
                means[i] += p * seen
            return
        for total, ways in WAYS.items():
            then = copy(evening)
            then.roll(total, last=left == 1)
            play(then, p * Fraction(ways, 36), left - 1)

    play(Evening(strategy, bankroll, **how), Fraction(1), rolls)
    return found, *means


def finished(strategy, bankroll, rolls, standing, **how):
    """The law of the money, in floats, where what stands after all the rolls is taken down but for
    contracts ("down"), and then left until it is settled once.
    """
    first = Evening(strategy, bankroll, **how)
    evenings, law, stood = [(first, 1.0)], {}, {}
    for n in range(rolls):
        after = []
        for evening, p in evenings:
            for total, ways in WAYS.items():
                then = copy(evening)
                then.roll(total, last=n + 1 == rolls)
                if then.end is None:
                    after.append((then, p * ways / 36))
                elif then.end != "time":
                    law[then.money] = law.get(then.money, 0.0) + p * ways / 36
                else:
                    there = (
                        then.rail + sum(then.box.values()),
                        tuple(sorted(then.felt.items())),
                        then.point,
                    )
                    stood[there] = stood.get(there, 0.0) + p * ways / 36
        evenings = after
    now = {}
    for (rail, felt, point), p in stood.items():
        up = tuple(each for each in felt if standing == "out" or is_contract(each[0], point))
        left = rail + sum(n for _, n in felt) - sum(n for _, n in up), up, point
        now[left] = now.get(left, 0.0) + p
    moves = {}
    while sum(now.values()) > 1e-13:
        after = {}
        for (rail, felt, point), p in now.items():
            if not felt:
                law[rail] = law.get(rail, 0.0) + p
                continue
            if (felt, point) not in moves:
                moves[felt, point] = [played_on(felt, point, total, first) for total in WAYS]
            for (back, *left), ways in zip(moves[felt, point], WAYS.values(), strict=True):
                there = rail + back, *left
                after[there] = after.get(there, 0.0) + p * ways / 36
        now = after
    return law


def is_contract(bet, point):
    return (bet == "pass" and point is not None) or (bet[:5] == "come " and bet[-4:] != "odds")


def played_on(felt, point, total, how):
    """What comes back into the rail, what stands then, and the point."""
    rail, left = 0, []
    for bet, amount in felt:
        won, stands = settle(bet.split(), amount, point, total, how.working, pays=how.pays)
        if won is None:
            left.append((name(stands), amount))
        else:
            rail += amount + won
            rail -= how.fee(bet, amount) if won < 0 else 0  # a win has paid it
    if point is None:
        point = total if total in TRUE else None
    elif total in (7, point):
        point = None
    return rail, tuple(sorted(left)), point


def exactly(plan):
    """The law of a small evening, in whole integers."""
    found = plan.in_fractions()
    assert found is not None
    assert found.status == "exact"
    return found
