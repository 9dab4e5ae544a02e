"""Check the certificate of a dice game: `python check.py proof.json`.

It needs nothing but this file and Python. It prints what is proved, in one sentence, and exits with
0. If a line fails, it prints the first and exits with 1; if the file can't be read, with 2. --words
also prints the rules of the game and what was checked.

docs/explanation/certificates.md proves that these checks imply the claims. The format is in
docs/reference/certificate-format.md, the rules of declared games in docs/reference/declarations.md.

part                    lines  minutes  what it is for
 1 Reading             42-170       25  files, lines, numbers and names; all else is refused
 2 Claims             173-261       20  the value of a claim at an end, and on each move
 3 Events             264-380       25  what a roll is called, and what all tables of bets share
 4 Tables             383-603       45  bets: point games, wagers, checklists, rounds; all together
 5 Turns              606-772       35  hold or roll, keep and score, races
 6 Expansion          775-950       35  rules into states
 7 States            953-1155       40  values, ranks, the equation of each state; the sentence
 8 Score cards      1158-1313       30  Yahtzee and its kin, played backwards in long integers
 9 Two policies     1316-1447       25  hidden dice; the best reply to each
10 Hidden hands     1450-1545       20  two policies again; by tables, hands, and moves
11 Program          1548-1654       20  the file, the exit codes, --words

A declared game needs parts 1 to 3, 6, 7 and 11, and the class of its table in part 4 or 5. A game
written as states needs parts 1, 2, 7 and 11. The minutes are at 300 lines per hour.
"""

import functools
import gzip
import hashlib
import io
import json
import operator as op
import os
import re
import stat
import sys
import zlib
from collections import Counter, namedtuple
from fractions import Fraction
from math import lcm

# 1. Reading: files, lines, numbers and names; all else is refused.

NUMBER = re.compile(r"-?[0-9]+(/[0-9]+|(\.[0-9]+)?(e-[0-9]{1,4})?)")
VERSION = 3
LONGEST = 1 << 28  # bytes of a line
MOST = 10**6  # rolls, and states, of a declaration


class UnreadableError(ValueError):
    """The file is not a complete certificate."""


def must(holds, what):
    if not holds:
        raise ValueError(what)


def keys(data, needed, allowed=()):
    """The object, if it has all the keys needed and no others but those allowed."""
    lacking, unknown = set(needed) - set(table(data)), set(data) - set(needed) - set(allowed)
    must(not lacking, f"the key {min(lacking, default='')!a} is missing")
    must(not unknown, f"nobody checks the key {min(unknown, default='')!a}")
    return data


def typed(kind, what, x):
    must(type(x) is kind, f"{x!a:.60} is not a {what}")
    return x


many, table = functools.partial(typed, list, "list"), functools.partial(typed, dict, "JSON object")
word, flag = functools.partial(typed, str, "text"), functools.partial(typed, bool, "Boolean")
integer = functools.partial(typed, int, "whole number")


def whole(x, least, below=None):
    must(type(x) is int and x >= least and (below is None or x < below), f"{x!a:.60} can't be")
    return x


def times(x):
    return whole(x, 1, MOST)


def number(x):
    """An integer; or a string with a fraction or decimal: "-7/495", "0.25", "2e-50"."""
    if type(x) is not int:
        must(type(x) is str and NUMBER.fullmatch(x), f"{x!a:.60} is not an exact number")
        x = Fraction(x)
    return lean(x)


def lean(x):
    return x.numerator if x.denominator == 1 else x  # integers are faster


def content_of(path):
    """The bytes of a regular file."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError("not a file")
    with open(path, "rb") as file:
        return file.read()


def unpacked(content):
    """Each line of a file, plain or packed by gzip."""
    file = io.BytesIO(content)
    with gzip.GzipFile(fileobj=file) if content.startswith(b"\x1f\x8b") else file as plain:
        try:
            for line in iter(lambda: plain.readline(LONGEST), b""):
                must(len(line) < LONGEST, "the line is too long")
                yield line
        except (EOFError, OSError, zlib.error):
            raise UnreadableError("the gzip data is cut short or damaged") from None


def sha256_of(content):
    return hashlib.sha256(content).hexdigest()


def seal_of(content):
    """The SHA-256 of the file; if it is packed, also of its content."""
    of, held = f"SHA-256 {sha256_of(content)}", hashlib.sha256()
    if not content.startswith(b"\x1f\x8b"):
        return of
    for line in unpacked(content):
        held.update(line)
    return f"{of}, unpacked {held.hexdigest()}"


def one_line(data):
    """One line of JSON without spaces, in UTF-8."""
    line = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return line.encode(errors="backslashreplace")


def parsed(line):
    def once(pairs):
        must(len(dict(pairs)) == len(pairs), "a key appears twice")
        return dict(pairs)

    def no(x):
        must(False, f"{x} is not an exact number")

    try:
        text = line.decode("utf-8")  # a byte order mark is refused too
        return json.loads(text, parse_float=no, parse_constant=no, object_pairs_hook=once)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise UnreadableError("the line is not JSON: the file is cut short or damaged") from None


def laws(data):
    """The dice: results and their weights."""
    found = []
    for each in many(data):
        keys(each, {"rolls", "weights"})
        names = [word(x) for x in many(each["rolls"])]
        found.append((names, [whole(w, 1) for w in many(each["weights"])]))
        must(len(names) == len(found[-1][1]) > 0, "not one weight for each result")
    return found


def count(n, what):
    return f"{n} {what}{'s' * (n != 1)}"


def called(head, about):
    """What a proof is about; the name is marked as unproved."""
    return f"Proved of the game in this file, which it calls {word(head['game'])!a} ({about})"


# 2. Claims: the value of a claim at an end, and on each move.

CLAIMS = {  # keys by kind, besides of, name and within
    "bet": ({"value"}, "the mean profit of the bet {name!a} (stake {stake}) per unit staked"),
    "profit": (
        {"value", "least", "more"},
        "the probability that {name!a} (stake {stake}) wins {size} {least} per unit staked",
    ),
    "outcome": ({"value", "outcomes"}, "the probability of {ends}"),
    "counter": ({"value"}, "the mean of the counter {name!a}"),
    "worth": ({"value", "worth"}, "the mean of {name!a}, where {each},"),
    "award": (
        {"value", "seed", "share", "limit", "wins"},
        "the mean profit of the bet {name!a} (stake {stake}) per unit staked, with its award in "
        "the long run (seed {seed}, share {share}, must hit by {limit}, won by {won}),",
    ),
    "law": (
        {"first"},
        "of the counter N = {name!a}, the probabilities P(N = 0), P(N = 1) and so on",
    ),
}


class Column:
    """A claim's value in each state, then in each outcome, times the scale."""

    def __init__(self, head, claim, law):
        of, name, ends, passes = claim["of"], claim["name"], head["outcomes"], head["passes"]
        self.counter = name if of in ("counter", "law") else None
        self.n, self.law = len(law), law if of == "law" else None  # of P(N = 0) to P(N = n)
        self.unit, self.sum = head["scale"], 0  # the two players' values add up to the sum
        self.turns = passes and of in ("bet", "profit")  # a player's gain is the other's loss
        must(not passes or self.turns or of == "counter", "where turns pass, claim a bet")
        if of == "award" and law:  # its second column
            value = [whole(x, 0, 2) for x in many(claim["wins"])]
        elif of in ("bet", "profit", "award"):
            must(number(head["stakes"][name]) > 0, "a stake must be more than 0")
            value = [number(end["pays"][name]) / Fraction(head["stakes"][name]) for end in ends]
        if of == "profit":
            least, self.sum = number(claim["least"]), self.unit
            flag(claim["more"])
            both = [[x > least if claim["more"] else x >= least for x in (y, -y)] for y in value]
            must(not passes or all(a != b for a, b in both), "both players win, or neither")
            value = [int(own) for own, _ in both]
        elif of == "outcome":
            for name in many(claim["outcomes"]):
                must(any(word(name) == end["name"] for end in ends), f"no outcome {name!a}")
            value = [int(end["name"] in claim["outcomes"]) for end in ends]
        elif of == "worth":
            value = [number(x) for x in many(claim["worth"])]
        elif of in ("counter", "law"):
            value = [int(of == "law" and self.n == 0) for _ in ends]
        must(len(value) == len(ends), "not one value for each outcome")
        self.values, self.ends = [], [lean(x * self.unit) for x in value]
        law.append(self)

    def follow(self, to, counts, passes):
        """The value of each move, from the values of its targets."""
        if self.law is not None:
            n, law = self.n, self.law
            counts = [whole(c, 0) for c in counts]
            return [law[n - c].values[t] if c <= n else 0 for t, c in zip(to, counts)]
        value = [self.values[t] + lean(c * self.unit) for t, c in zip(to, counts)]
        if not self.turns or not any(passes):
            return value
        return [self.sum - x if p else x for x, p in zip(value, passes)]


def with_award(claim, stake, mean, q):
    """The mean profit per unit staked in the long run, with an award that must be hit by a limit.

    Each bet feeds the meter. The n-th after an award brings it to the limit, and wins. Before, a
    bet wins with probability q; if no outcome wins, each of the n is as likely as any.
    """
    seed, limit, feed = (
        number(claim["seed"]),
        number(claim["limit"]),
        number(claim["share"]) * stake,
    )
    must(0 <= seed < limit and 0 < feed <= stake, "no such meter")
    n = whole(-((seed - limit) // feed), 1, MOST)
    if any(claim["wins"]):
        must(q > 0 and n * q.denominator.bit_length() <= MOST // 10, "no such award")
        last = Fraction(1 - q) ** (n - 1)  # the probability that it is won by the n-th
        bets = (1 - last * (1 - q)) / q
    else:
        last, bets = Fraction(1, n), Fraction(n + 1, 2)
    award = seed + feed * bets - last * (seed + feed * n - limit)
    return mean + award / (bets * stake)


# 3. Events: what a roll is called, and what all tables of bets share.
# A table has a `start`. `seen` reads a roll as the table sees it. `step` gives what follows a roll:
# a state, or an End. The keys in `needed` and `allowed` have the functions that read them.

TOTAL, WAY = re.compile(r"-?[0-9]+"), re.compile(r"(hard|easy) (-?[0-9]+)")
FACES = re.compile(r"[0-9]+(-[0-9]+)+")
ALIKE = {"doubles": 2, "triples": 3}
OTHER = "any other"  # a roll that is not an event
EVENTS = ("natural", "craps", "push", "point", "easy", "out", "late")

End = namedtuple("End", "name pays event at", defaults=(None, None))
Then = namedtuple("Then", "after counts passes", defaults=({}, False))


def fits(event, faces):
    """Whether a roll is an event: a total, a way to roll it, faces in any order, or a list
    of faces in order.
    """
    if type(event) is list:
        return [integer(face) for face in event] == list(faces)
    if TOTAL.fullmatch(event):
        return sum(faces) == int(event)
    if way := WAY.fullmatch(event):
        return sum(faces) == int(way[2]) and (len(set(faces)) == 1) == (way[1] == "hard")
    if FACES.fullmatch(event):
        return sorted(map(str, faces)) == sorted(event.split("-"))
    must(event in ALIKE, f"{event!a:.60} is not an event")
    return len(faces) == ALIKE[event] and len(set(faces)) == 1


def spelled(x):
    return str(x) if type(x) is int else word(x)


def totals(x):
    return [spelled(each) for each in many(x)]


def amounts(x):
    return {key: number(each) for key, each in table(x).items()}


def faces_of(x):
    return list(map(integer, many(x)))


def integers(x):
    return {key: integer(each) for key, each in table(x).items()}


def numbered(form, x):
    must(all(re.fullmatch("0|[1-9][0-9]{0,8}", n) for n in table(x)), "not a whole number")
    return {int(n): each for n, each in form(x).items()}


by_number = functools.partial(numbered, amounts)


def split(pays):
    """Each event with its key; "2,12" is two events."""
    found = [(event.strip(" "), key) for key in pays for event in word(key).split(",")]
    must(len(dict(found)) == len(found), "a roll appears twice")
    return dict(found)


class Table:
    """What all tables have: keys, events, names, stakes."""

    needed = allowed = {}

    def __init__(self, rules):
        forms = self.needed | self.allowed | {"events": table, "names": table}
        keys(rules, self.needed, forms)
        for key, form in forms.items():
            setattr(self, key, form(rules[key]) if key in rules else None)
        self.events, self.names = self.events or {}, self.names or {}
        for name in self.names.values():
            word(name)
        for name, each in self.events.items():
            must(name and "," not in name and name != OTHER, f"{name!a} can't name an event")
            must(all(type(event) in (str, list) for event in many(each)), "no such event")
        bet = {"bet", "stake", "pays"} & set(rules)
        must(len(bet) in (0, 3), "a bet has its name, its stake and its pays")
        self.stakes = {self.bet: self.stake} if bet else {}

    def read(self, faces, words=()):
        """The event of a roll: one that the table defines, or one of `words`; or None."""
        found = [name for name, each in self.events.items() if any(fits(x, faces) for x in each)]
        found = found or [x for x in words if x not in self.events and fits(x, faces)]
        must(len(found) < 2, f"{faces} is two events")
        return found[0] if found else None

    def end(self, event, *profit):
        """An end of a bet; an unpaid stake is lost."""
        paid = profit or [-stake for stake in self.stakes.values()]
        return End(self.names.get(event, event), tuple(zip(self.stakes, paid)))

    def law(self, ways):
        """The weights of what the table sees."""
        law = Counter()
        for faces, weight in ways.items():
            law[self.seen(faces)] += weight
        return law

    def total(self, faces):
        total = self.read(faces) or str(sum(faces))
        must(total.isascii() and total.isdigit(), f"a total of {total!a}")
        return str(int(total))

    def rolled(self, state):
        return 0

    def menu(self, state):
        return {}

    def said(self, state):
        return " ".join(map(str, state))


# 4. Tables: bets: point games, wagers, checklists, rounds; all together.


class Line(Table):
    """A point game; its state is the point, and the number of rolls for it."""

    needed = dict.fromkeys(("naturals", "craps", "pushes", "rerolls"), totals)
    needed |= {"out": spelled, "bets": table}
    allowed = {"limit": times, "hard": flag}
    start = ()

    def __init__(self, rules):
        super().__init__(rules)
        sets = (self.naturals, self.craps, self.pushes, self.rerolls)
        kinds = zip(("natural", "craps", "push", "reroll"), sets)
        self.kinds = {total: event for event, each in kinds for total in each}
        must(len(self.kinds) == sum(map(len, sets)), "a total is in two lists")
        must(self.out in self.kinds, "the out is a point")
        for bet in self.bets.values():
            keys(bet, {"stake"}, EVENTS)
        keys(self.names, (), EVENTS)
        self.stakes = {name: number(bet["stake"]) for name, bet in self.bets.items()}

    def seen(self, faces):
        total = self.read(faces) or str(sum(faces))
        return f"{'hard' if len(set(faces)) == 1 else 'easy'} {total}" if self.hard else total

    def step(self, state, roll):
        way, total = roll.split(" ", 1) if self.hard else ("hard", roll)
        if not state:
            event = self.kinds.get(total)
            if event and event != "reroll":
                return self.over(event, total)
            return () if event else (total, 0)
        point, made = state
        if total == point:
            return self.over("point" if way == "hard" else "easy", point, made + 1)
        if total == self.out:
            return self.over("out", point)
        if self.limit is None:
            return state
        return (point, made + 1) if made + 1 < self.limit else self.over("late", point)

    def over(self, event, total, roll=0):
        pays = ((name, self.pay(bet, event, total, roll)) for name, bet in self.bets.items())
        return End(self.names.get(event, event), tuple(pays), event, total)

    def pay(self, bet, event, total, roll):
        """One amount; or amounts by total, or by the roll that makes the point."""
        must(event in bet, f"{event} is paid nothing")
        amount = bet[event]
        if type(amount) is dict:
            of = split(amount)
            must(total in of, f"{event} on {total!a} is not paid once")
            amount = amount[of[total]]
        if type(amount) is list:
            must(self.limit is not None, f"{event} is paid by roll, and rolls have no limit")
            must(0 < roll <= len(amount), f"{event} on roll {roll} is paid nothing")
            amount = amount[roll - 1]
        return number(amount)

    def said(self, state):
        if not state:
            return "come-out"
        return f"point {state[0]}" + (f", {state[1]} rolled" if self.limit else "")

    where = said


class Wager(Table):
    """A bet settled by the first deciding roll; its state is the rolls left, or 0."""

    needed = {"bet": word, "stake": number, "pays": amounts}
    allowed = {"limit": times, "rest": number}

    def __init__(self, rules):
        super().__init__(rules)
        must((self.rest is None) == (self.limit is None), "rest is paid when a limit is reached")
        self.of = split(self.pays)
        keys(self.names, (), {*self.pays, "rest"})
        self.start = self.limit or 0

    def seen(self, faces):
        return self.read(faces, self.of) or OTHER

    def step(self, state, roll):
        if roll in self.of:
            return self.end(self.of[roll], self.pays[self.of[roll]])
        return self.end("rest", self.rest) if state == 1 else max(state - 1, 0)

    def said(self, state):
        return f"{count(state, 'roll')} left" if state else "rolling"


class Checklist(Table):
    """Entries to be rolled some number of times before the stop; its state is their counts."""

    needed = {"bet": word, "stake": number, "pays": by_number, "collect": table, "stop": spelled}
    allowed = {"first": flag}

    def __init__(self, rules):
        super().__init__(rules)
        self.goals, place = list(map(times, self.collect.values())), list(self.collect)
        self.of = {event: place.index(key) for event, key in split(self.collect).items()}
        must(self.of and self.stop not in self.of, "no such checklist")
        self.whole = 1 if self.first else len(self.goals)
        must(max(self.pays, default=0) <= self.whole, "more is paid for than there is")
        keys(self.names, (), {"stop", *map(str, range(self.whole + 1))})
        self.start = tuple(0 for _ in self.goals)

    def seen(self, faces):
        return self.read(faces, [*self.of, self.stop]) or OTHER

    def step(self, state, roll):
        if roll == self.stop:
            return self.ended(sum(map(int.__eq__, state, self.goals)))
        if roll not in self.of or state[self.of[roll]] == self.goals[self.of[roll]]:
            return state
        after = tuple(n + (i == self.of[roll]) for i, n in enumerate(state))
        done = sum(map(int.__eq__, after, self.goals))
        return self.ended(done) if done == self.whole else after

    def ended(self, done):
        return self.end(str(done), self.pays[done]) if done in self.pays else self.end("stop")

    def where(self, state):
        return f"{sum(state)} ticked"

    def said(self, state):
        parts = zip(self.collect, state, self.goals)
        return "; ".join(f"{entry}: {n} of {goal}" for entry, n, goal in parts)


class Rounds(Table):
    """Rounds until some in a row are lost; the state is those lost and won, and the round's state.

    A round is won if its only bet gains, and lost if it loses. A bet on the rounds won is decided
    by the highest number paid; without one, counters count.
    """

    needed = {"round": Line, "losses": times}
    allowed = {"bet": word, "stake": number, "pays": by_number, "different": flag}
    start = (0, (), ())

    def __init__(self, rules):
        super().__init__(rules)
        must(self.pays is None or self.pays, "no number is paid")

    def seen(self, faces):
        return self.round.seen(faces)

    def step(self, state, roll):
        lost, won, at = state
        then = self.round.step(at, roll)
        if type(then) is not End:
            return lost, won, then
        ((_, profit),) = then.pays
        lost = 0 if profit > 0 else lost + (profit < 0)
        if self.pays is None:
            after = (lost, (), ()) if lost < self.losses else self.end("over")
            return Then(after, {"rounds": 1, "won": int(profit > 0)})
        if profit > 0 and not (self.different and then.at in won):
            won = tuple(sorted((*won, then.at if self.different else "")))
        if lost < self.losses and len(won) < max(self.pays):
            return lost, won, ()
        best = max((n for n in self.pays if n <= len(won)), default=None)
        return self.end("lost") if best is None else self.end(str(best), self.pays[best])

    def said(self, state):
        lost, won, at = state
        won = "" if self.pays is None else f", won {' '.join(won) if self.different else len(won)}"
        return f"{lost} lost{won}; {self.round.said(at)}"


class Felt(Table):
    """Tables on the same rolls, each until it ends. A single bet may be given up for an offer, by
    `where` in the state: an amount, and the name of the end.
    """

    kinds = {"line": Line, "wager": Wager, "checklist": Checklist, "rounds": Rounds}

    def __init__(self, rules, ways):
        self.tables = [
            kind(each) for name, kind in self.kinds.items() for each in many(rules.get(name, []))
        ]
        must(self.tables, "there is no game")
        self.stakes = {bet: x for each in self.tables for bet, x in each.stakes.items()}
        stakes = sum(len(each.stakes) for each in self.tables)
        must(len(self.stakes) == stakes, "a bet appears in two tables")
        self.laws, self.offers = [self.law(ways)], {}
        for where, offer in table(rules.get("surrender", {})).items():
            must(len(self.tables) == stakes == 1, "one bet alone is given up")
            (amount, name), (bet,) = many(offer), self.stakes
            self.offers[where] = End(word(name), ((bet, number(amount)),))
        self.start = tuple(each.start for each in self.tables)

    def seen(self, faces):
        return tuple(each.seen(faces) for each in self.tables)

    def menu(self, state):
        given = self.offers.get(self.tables[0].where(state[0])) if self.offers else None
        return {"let it ride": state, "surrender": given} if given else {}

    def step(self, state, roll):
        after, counts = [], {}
        for each, at, seen in zip(self.tables, state, roll):
            on = type(at) is not End
            then = each.step(at, seen) if on else at
            if type(then) is Then:
                then, counts = then.after, counts | then.counts
            after.append(End(*then[:2]) if type(then) is End else then)
            if len(self.tables) > 1:
                counts |= {f"rolls of {bet}": int(on) for bet in each.stakes}
        if any(type(part) is not End for part in after):
            return Then(tuple(after), counts)
        name = " \u00b7 ".join(part.name for part in after)
        return Then(End(name, sum((part.pays for part in after), ())), counts)

    def said(self, state):
        parts = zip(self.tables, state)
        return " | ".join(x.name if type(x) is End else each.said(x) for each, x in parts)


# 5. Turns: hold or roll, keep and score, races.
# Each gives the options in a state (`menu`), or its roll (`rolled`, an index into `laws`) and what
# follows (`step`): a state, an End, or a Then, with counts and whether the turn passes.


class Hold(Table):
    """Hold or roll; the state is the scores, the mover's first, and the turn's points."""

    needed = {"bust": faces_of, "target": times, "play": ("turn", "alone", "two").index}

    def __init__(self, rules, ways):
        super().__init__(rules)
        self.laws, self.start = [self.law(ways)], (0,) * (self.play + 1)
        self.stakes = {"pass": 1} if self.play == 2 else {}

    def seen(self, faces):
        return "bust" if {*faces} & {*self.bust} else self.total(faces)

    def menu(self, state):
        *scores, turn = state
        return {"roll": state, "hold": self.over("hold", scores, turn)} if turn else {}

    def step(self, state, roll):
        *scores, turn = state
        if roll == "bust":
            return self.over(roll, scores, 0)
        turn += int(roll)
        if sum(scores[:1]) + turn < self.target:
            return (*scores, turn)
        if not scores:
            return self.over("home", scores, turn)
        return Then(End("home", tuple(self.stakes.items())), {} if self.stakes else {"turns": 1})

    def over(self, name, scores, turn):
        if not scores:
            return Then(End(name, ()), {"points": turn})
        mine, *yours = scores
        if not yours:
            return Then((mine + turn, 0), {"turns": 1})
        return Then((*yours, mine + turn, 0), passes=True)


class Keep(Table):
    """Keep and score. The state is the needed faces missing, the points if they may yet be void,
    and the dice not kept. Then come the faces they show, and the rolls left if limited.
    """

    needed = {"least": lambda x: whole(x, 0), "needed": faces_of, "values": integers}
    needed |= {"best": ("most", "least").index}
    allowed = {"rolls": times, "in_order": flag, "all_or_none": flag}

    def __init__(self, rules, dice):
        super().__init__(rules)
        dice = list(map(faces_of, dice))
        must(dice and all(die == dice[0] for die in dice), "the dice are not alike")
        must(self.rolls or (self.least and not self.in_order and not self.all_or_none), "no end")
        self.values = {face: self.values.get(str(face), face) for face in dice[0]}
        must(all(face in self.values for face in self.needed), "no such face is needed")
        must(len(set(self.needed)) == len(self.needed) <= len(dice), "too many faces are needed")
        self.void, self.laws, hands = bool(self.needed) and not self.in_order, [], {(): 1}
        for _ in dice:
            more = Counter()
            for hand, weight in hands.items():
                for face in dice[0]:
                    more[tuple(sorted((*hand, face), key=self.rank))] += weight
            must(len(more) <= MOST, "too many hands")
            hands = more
            self.laws.append({" ".join(map(str, hand)): weight for hand, weight in hands.items()})
        self.start = (tuple(self.needed), 0, len(dice), (), self.rolls or 0)

    def rank(self, face):
        """Sorts the worst face first."""
        return -self.values[face] if self.best else self.values[face], face

    def points(self, faces):
        return sum(self.values[face] for face in faces)

    def rolled(self, state):
        return state[2] - 1

    def menu(self, state):
        needed, points, dice, shown, left = state
        if not shown:
            return {}
        if self.all_or_none:
            again = (needed, points, dice, (), left)
            return {"stop": self.whole(needed, points, shown), "roll again": again}
        ways, found = [()], {}
        for face in needed if self.void else ():
            ways += [(*way, face) for way in ways] if face in shown else []
        for kept in ways:
            rest, lacking = list(shown), tuple(face for face in needed if face not in kept)
            for face in kept:
                rest.remove(face)
            for n in range(max(0, self.least - len(kept)), len(rest) + 1):
                more = self.points(rest[len(rest) - n :])
                parts = ["-".join(map(str, kept)), f"{n} best" if n else ""]
                name = " and ".join(filter(None, parts)) or "none"
                name = name if self.void else f"keep {n} of {dice}"
                found[name] = self.kept(lacking, points, more, len(rest) - n, left)
        return found

    def kept(self, lacking, points, more, dice, left):
        if not dice:
            return self.over(lacking, points + more)
        if self.void:
            return (lacking, points + more, dice, (), left)
        return Then((lacking, 0, dice, (), left), {"points": more})

    def step(self, state, roll):
        needed, points, _, _, left = state
        shown, left = [int(face) for face in roll.split()], left - bool(self.rolls)
        while self.in_order and needed and needed[0] in shown:
            shown.remove(needed[0])
            needed = needed[1:]
        if self.in_order and needed and left:
            return (needed, points, len(shown), (), left)
        if not shown or (self.rolls and not left):
            return self.whole(needed, points, shown)
        return (needed, points, len(shown), tuple(shown), left)

    def whole(self, needed, points, shown):
        """Keep all dice."""
        rest, lacking = list(shown), list(needed)
        for face in needed if self.void else ():
            if face in rest:
                rest.remove(face)
                lacking.remove(face)
        return self.over(lacking, points + self.points(rest))

    def over(self, lacking, points):
        if lacking:
            return End("no score", ())
        return Then(End(str(points) if self.needed else "all kept", ()), {"points": points})

    def said(self, state):
        needed, points, dice, shown, left = state
        hand = " ".join(map(str, shown)) or (f"{dice} dice" if dice > 1 else "1 die")
        more = [f"needed {' '.join(map(str, needed))}"] if needed else []
        more += [f"{points} kept"] if self.void else []
        return ", ".join([hand, *more, *([f"{left} left"] if self.rolls else [])])


class Race(Table):
    """A race to the last square; the state is the squares, the mover's first."""

    needed = {"to": times, "players": times}
    allowed = {"exact": flag, "jumps": functools.partial(numbered, integers), "again": totals}

    def __init__(self, rules, ways):
        super().__init__(rules)
        must(self.players < 3, "two can race, or one")
        self.laws, self.start = [self.law(ways)], (0,) * self.players
        self.stakes = {"pass": 1} if self.players == 2 else {}

    seen = Table.total

    def step(self, state, roll):
        mine, *others = state
        there = mine + int(roll)
        if there > self.to:
            there = mine if self.exact else self.to
        there = (self.jumps or {}).get(there, there)
        if there == self.to:
            return End("home", tuple(self.stakes.items()))
        stays = self.players == 1 or roll in (self.again or ())
        return (there, *others) if stays else Then((*others, there), passes=True)


# 6. Expansion: rules into states.

SIGNS = {"<=": op.le, "<": op.lt, ">": op.gt, ">=": op.ge, "=": op.eq}


class Compared:
    """A game that ends in a comparison of a counter, "points <= 5". Its state is the game's state
    and the counter, where the first integer above the amount stands for all larger ones.
    """

    def __init__(self, rules, game):
        keys(rules, {"counter", "sign", "amount"})
        self.counter, self.amount = word(rules["counter"]), number(rules["amount"])
        self.game, self.laws, self.stakes = game, game.laws, {}
        self.start, self.holds = (game.start, 0), SIGNS[word(rules["sign"])]
        self.label = f"{self.counter} {rules['sign']} {self.amount}"

    def rolled(self, state):
        return self.game.rolled(state[0])

    def said(self, state):
        return f"{self.game.said(state[0])}; {self.counter} {state[1]}"

    def menu(self, state):
        menu = self.game.menu(state[0])
        return {option: self.after(then, state[1]) for option, then in menu.items()}

    def step(self, state, roll):
        rolls = self.counter == "rolls"
        return self.after(self.game.step(state[0], roll), state[1] + rolls)

    def after(self, then, n):
        then = then if type(then) is Then else Then(then)
        n += whole(then.counts.get(self.counter, 0), 0)
        if type(then.after) is not End:
            after = (then.after, min(n, self.amount // 1 + 1))
        else:
            after = End(f"{'' if self.holds(n, self.amount) else 'not '}{self.label}", ())
        return Then(after, {}, then.passes)


def rolls_of(rules):
    """Each roll of the dice, or deal of the cards, in order, with its weight."""
    ways, cards = {(): 1}, "cards" in rules
    sources = [rules["cards"]] * whole(rules["draw"], 1, 7) if cards else many(rules["dice"])
    must(sources, "nothing is rolled")
    for source in sources:
        found = Counter()
        must(many(source), "a die has no face")
        for way, weight in ways.items():
            left = list(map(integer, source))
            for face in way if cards else ():
                left.remove(face)
            for face in left:
                found[(*way, face)] += weight
            must(len(found) <= MOST, "too many rolls")
        ways = found
    return ways


def game_of(rules):
    """The table of these rules."""
    if "compare" in table(rules):
        return Compared(rules["compare"], game_of(own_rules(rules)))
    source = {"cards", "draw"} if "cards" in rules else {"dice"}
    for kind, make in (("hold", Hold), ("keep", Keep), ("race", Race)):
        if kind in rules:
            keys(rules, {*source, kind})
            return make(rules[kind], many(rules["dice"]) if kind == "keep" else rolls_of(rules))
    return Felt(keys(rules, source, {*Felt.kinds, "surrender"}), rolls_of(rules))


def own_rules(rules):
    """The rules of the game, without the comparison."""
    return {key: x for key, x in table(rules).items() if key != "compare"}


class Expansion:
    """The states of a game in the order in which they are met, the start first.

    A state is a pair: whether it is a decision, and the state of the rules. So a state of the rules
    may appear twice: as a decision, and as the roll after an option. A policy names an option for
    each decision when it is first met, and leaves no decisions.
    """

    def __init__(self, rules, policy=None):
        self.game, self.policy, self.picks = game_of(rules), policy, {}
        self.states, self.known, self.ends, self.passes = [], {}, {}, False
        self.to(self.game.start)
        for node in self.states:  # the loop adds states
            for _, then in self.moves(node):
                self.passes |= then.passes
                self.to(then.after, node[0])

    def moves(self, node):
        """Each result or option, and what follows."""
        asked, state = node
        if asked:
            found = self.game.menu(state).items()
        else:
            law = self.game.laws[self.game.rolled(state)]
            found = [(roll, self.game.step(state, roll)) for roll in law]
        return [(name, self.decided(x if type(x) is Then else Then(x))) for name, x in found]

    def decided(self, then):
        """What follows, after the policy's option if there is a policy."""
        state = then.after
        menu = {} if self.policy is None or type(state) is End else self.game.menu(state)
        if not menu:
            return then
        if state not in self.picks:
            self.picks[state] = self.policy(state)
        must(self.picks[state] in menu, f"the policy picks no option in {self.game.said(state)!a}")
        x = menu[self.picks[state]]
        x = x if type(x) is Then else Then(x)
        counts = {n: then.counts.get(n, 0) + x.counts.get(n, 0) for n in then.counts | x.counts}
        return Then(x.after, counts, then.passes != x.passes)

    def to(self, after, chosen=False):
        """The number of a state; or of an end, from -1 down."""
        chosen |= self.policy is not None
        if type(after) is End:
            return ~self.ends.setdefault(after[:2], len(self.ends))
        if (chosen, after) not in self.known:
            asked = not chosen and bool(self.game.menu(after))
            n = self.known.setdefault((not asked, after), len(self.states))
            self.known[chosen, after] = n
            if n == len(self.states):
                self.states.append((asked, after))
                must(n < MOST, "too many states")
        return self.known[chosen, after]

    def head(self):
        """The header's description of the game, as if written as states."""
        laws = self.game.laws
        spoken = [[x if type(x) is str else ", ".join(x) for x in law] for law in laws]
        ends = [
            {"name": name, "pays": {bet: plain(x) for bet, x in pays}} for name, pays in self.ends
        ]
        rolled = zip(spoken, laws)
        return {
            "rollables": [{"rolls": n, "weights": list(law.values())} for n, law in rolled],
            "outcomes": ends,
            "stakes": {bet: plain(x) for bet, x in self.game.stakes.items()},
            "passes": self.passes,
        }

    def row(self, s):
        """The line of a state, as if written as states."""
        asked, state = self.states[s]
        names, moves = zip(*self.moves(self.states[s]))
        found = [self.to(then.after, asked) for then in moves]
        row = {"state": self.game.said(state)}
        row |= {"options": list(names)} if asked else {"roll": self.game.rolled(state)}
        row["to"] = [t if t >= 0 else len(self.states) + ~t for t in found]
        counters = sorted({name for then in moves for name in then.counts})
        if counters:
            row["counts"] = {n: [then.counts.get(n, 0) for then in moves] for n in counters}
        if any(then.passes for then in moves):
            row["passes"] = [int(then.passes) for then in moves]
        return row


def expanded(head):
    """The expansion of the rules, under the header's policy if there is one."""
    if "policy" not in head:
        return Expansion(head["rules"])
    picks = iter(many(head["policy"]))
    found = Expansion(head["rules"], lambda state: word(next(picks, "")))
    must(found.picks and next(picks, None) is None, "the policy picks more often than it is asked")
    must(not found.game.menu(found.game.start), "a policy picks after a roll")
    return found


def plain(x):
    return x if type(x) is int else str(x)


# 7. States: values, ranks, the equation of each state; the sentence.

GAME = ("rollables", "outcomes", "stakes", "passes")
PROOF = {"rank", "values", "ask", "pick"}  # keys of a state's line besides the game's
HEAD = {"format", "version", "game", "states", "ends", "scale", "residual", "one", "claims"}


class Proof:
    """The values and ranks of all states, then the equation of each."""

    listed = "states"

    def __init__(self, head, lines):
        """The header: dice, outcomes, claims."""
        own = "rules" in head
        keys(head, HEAD | {*(["rules"] if own else GAME)}, {"declaration", *["policy"][:own]})
        self.rules, self.declared = expanded(head) if own else None, ""
        if own:
            hashed = sha256_of(one_line(own_rules(head["rules"])))
            self.stated(head, f"\n# rules, SHA-256 {hashed}\n")
        self.head = head = head | self.rules.head() if self.rules else head
        flag(head["passes"])
        must(head["ends"] in ("always", "picked"), "no such end")
        self.lines, self.residual = lines, whole(head["residual"], 0)
        self.one = None if head["one"] is None else whole(head["one"], 1)
        exact = whole(head["scale"], 1) == 1 and self.residual == 0
        must(exact if self.one is None else head["ends"] == "always", "this needs another ranking")
        self.laws, self.ends, self.ranks = laws(head["rollables"]), [], []
        self.asked = {"most": 0, "least": 0}
        stakes = {bet: number(x) for bet, x in table(head["stakes"]).items()}
        must(all(x > 0 for x in stakes.values()), "a stake must be more than 0")
        for end in many(head["outcomes"]):
            self.ends.append(word(keys(end, {"name", "pays"})["name"]))
            for amount in keys(end["pays"], (), stakes).values():
                number(amount)
        self.claimed(many(head["claims"]))

    def claimed(self, claims):
        """The columns of values: one per claim, or per term of a distribution."""
        self.claims, self.columns = [], []
        must(claims, "nothing is claimed")
        for claim in claims:
            must(type(claim) is dict and claim.get("of") in CLAIMS, "no such claim")
            has, columns = CLAIMS[claim["of"]][0], []
            word(keys(claim, has | {"of", "name", "within"})["name"])
            values = many(claim["first"]) if "first" in has else [claim["value"]]
            must(values, "nothing is claimed")
            terms = 2 if claim["of"] == "award" else len(values)
            self.columns += [Column(self.head, claim, columns) for _ in range(terms)]
            self.claims.append((claim, [number(x) for x in values], columns))

    def check(self, again):
        """Check everything. The lines are read twice."""
        for data in self.lines:
            keys(data, {"state", "rank", "values"}, data)
            self.ranks.append(whole(data["rank"], 0))
            must(len(many(data["values"])) == len(self.columns), "not one value for each column")
            for column, value in zip(self.columns, data["values"]):
                column.values.append(number(value))
        must(len(self.ranks) == whole(self.head["states"], 1), "not as many states as announced")
        same = self.rules is None or len(self.rules.states) == len(self.ranks)
        must(same, "not the states that the declaration expands into")
        for column in self.columns:
            column.values += column.ends
        self.ranks += [0 for _ in self.ends]
        written = hashlib.sha256(one_line({key: self.head[key] for key in GAME}) + b"\n")
        for s, data in enumerate(again):
            self.state(data if self.rules is None else self.row(data, s), s)
            if self.rules is None and "declaration" in self.head:
                game = {key: x for key, x in data.items() if key not in PROOF}
                written.update(one_line(game) + b"\n")
        if self.rules is None:
            self.stated(self.head, f'\n[model]\nsha256 = "{written.hexdigest()}"\n')
        head, asked = self.head, any(self.asked.values())
        both = head["passes"] or all(self.asked.values())
        must(not both or head["ends"] == "always", "two players, and the game need not end")
        same = all(column.turns for column in self.columns) or not (head["passes"] and asked)
        must(same, "where turns pass, and players choose, claim a bet")

    def stated(self, head, end):
        """Check the declaration's hash; its text ends with that of the rules or states."""
        if "declaration" in head:
            text = word(keys(head["declaration"], {"sha256", "text"})["text"])
            self.declared = sha256_of(text.encode())
            same = head["declaration"]["sha256"] == self.declared
            must(same, f"the declaration's SHA-256 is {self.declared}")
            must(text.endswith(end), "the declaration is of another game")

    def row(self, data, s):
        """The state's line of a declared game, from the expansion."""
        row = self.rules.row(s)
        keys(data, {"state", "rank", "values"} | ({"ask", "pick"} if "options" in row else set()))
        must(
            data["state"] == row["state"], f"another state; the rules expand into {row['state']!a}"
        )
        return row | data

    def state(self, data, s):
        """Check a state's equation, and that its rank is above those that follow."""
        to, asked, rank, one = data["to"], "ask" in data, self.ranks[s], self.one
        needed = {"state", "to", "rank", "values"}
        keys(
            data, needed | ({"ask", "options", "pick"} if asked else {"roll"}), {"counts", "passes"}
        )
        self.start = word(data["state"]) if s == 0 else self.start
        after = [self.ranks[whole(t, 0, len(self.ranks))] for t in many(to)]
        if asked:
            names, weights = [word(x) for x in many(data["options"])], [1] * len(to)
            pick = whole(data["pick"], 0, len(to))
            must(data["ask"] in ("most", "least") and len(self.columns) == 1, "no such question")
            self.asked[data["ask"]] += 1
        else:
            names, weights = self.laws[whole(data["roll"], 0, len(self.laws))]
        passes = [whole(x, 0, 2) for x in many(data.get("passes", [0] * len(to)))]
        must(0 < len(to) == len(names) == len(weights) == len(passes), "not as many as targets")
        must(self.head["passes"] or not any(passes), "a turn passes, against the header")
        total = sum(weights)
        if one is not None:
            mean = max(after) * total if asked else sum(w * x for w, x in zip(weights, after))
            must(mean + one * total <= rank * total, "the rank is not one above what follows")
        elif asked and self.head["ends"] == "always":
            must(max(after) < rank, "an option leads to no lower rank")
        else:
            must((after[pick] if asked else min(after)) < rank, "nothing leads to a lower rank")
        counted = self.counted(data.get("counts", {}), len(to)) | {
            "rolls": [int(not asked)] * len(to)
        }
        for column in self.columns:
            counts, value = counted.get(column.counter, [0] * len(to)), column.values[s]
            gain = column.follow(to, counts, passes)
            if asked:
                best = max(gain) if data["ask"] == "most" else min(gain)
                off = max(abs(best - value), abs(gain[pick] - value))
                must(off <= self.residual, "the value, or the pick, is not the best of the options")
            else:
                off = abs(sum(w * x for w, x in zip(weights, gain)) - value * total)
                must(off <= self.residual * total, "the value is not the mean of what follows")

    def counted(self, written, moves):
        """The counts of each move, by counter."""
        must("rolls" not in table(written), "rolls are counted here")
        counted = {name: [number(x) for x in many(each)] for name, each in written.items()}
        must(all(len(counts) == moves for counts in counted.values()), "not one count for each")
        return counted

    def sentence(self, seal):
        """What is proved for the start, the first state."""
        said, unit, head = [], self.one or 1, self.head
        for claim, values, columns in self.claims:
            within = number(claim["within"]) * head["scale"] * unit
            stake = head["stakes"].get(claim["name"])
            starts = [column.values[0] for column in columns]
            if claim["of"] == "award":
                must(self.one is None, "an award is claimed of exact values")
                starts = [with_award(claim, number(stake), *starts)]
            for value, start in zip(values, starts):
                off = abs(value * head["scale"] - start) * unit
                must(off + self.residual * self.ranks[0] <= within, "more is claimed than follows")
            size = "more than" if claim.get("more") else "at least"
            about = f" within {claim['within']}" if number(claim["within"]) else ""
            shown = ", ".join(str(x) for x in claim.get("first", [claim.get("value")]))
            gain = enumerate(zip(self.ends, claim.get("worth", ())), 1)
            each = ", ".join(f"{end!a} (end {k}) is {x}" for k, (end, x) in gain)
            names = " or ".join(ascii(x) for x in claim.get("outcomes", ()))
            wins = enumerate(zip(self.ends, claim.get("wins", ())), 1)
            won = " or ".join(f"{end!a} (end {k})" for k, (end, x) in wins if x)
            won = won or "a bet drawn beforehand, each up to the limit as likely as any"
            more = {"size": size, "stake": stake, "each": each, "ends": names, "won": won}
            what = CLAIMS[claim["of"]][1].format(**more, **claim)
            said.append(f"{what} {'are' if 'first' in claim else 'is'} {shown}{about}")
        states = f"{count(head['states'], 'state')} from {self.start!a}, {seal}"
        states += f", declaration {self.declared}" if self.declared else ""
        about = states if self.rules is None else f"as declared, {states}"
        return f"{called(head, about)}: {'; '.join(said)}; {self.wanted()}."

    def wanted(self):
        """The players' objectives."""
        asked = {want: count(times, "state") for want, times in self.asked.items() if times}
        how = "the game ends with probability 1"
        if picks := self.rules and self.rules.picks:
            who = "each of two players" if self.head["passes"] else "the player"
            does = f"{who} does what the policy in the file picks, in {count(len(picks), 'state')}"
            how = f"{does}; {how}"
        if self.head["passes"]:
            if asked:
                each = " and ".join(f"the {want} in {states}" for want, states in asked.items())
                how = f"each of two players, on their turn, wants {each} for themselves, and the "
                how += "picks in the file are best for both"
            return f"{how}; the value is that of the player whose turn it is at the start"
        if len(asked) == 2:
            one, two = (f"the {want} (in {states})" for want, states in asked.items())
            return f"one player wants {one}, another {two}; the picks in the file are best for both"
        for want, states in asked.items():
            among = "policies" if self.head["ends"] == "always" else "policies that end the game"
            how = f"that is the {want} of all {among}; the picks in the file, in {states}, reach it"
        return how

    def checked(self):
        """For --words: what was checked."""
        states, asked = count(self.head["states"], "state"), any(self.asked.values())
        how = f"the file writes out {states}" if self.rules is None else f"the rules make {states}"
        value = "the mean of what follows a roll" + ", or the best of the options" * asked
        return f"{how}; the value of each is {value}; ranks that fall prove that the game ends"


# 8. Score cards: Yahtzee and its kin, played backwards in long integers.

TURNS = {"format", "version", "game", "of", "want", "rollables", "endings", "outcomes", "tally"}
TURNS |= {"nodes", "readings", "cards", "unit", "rounded", "value", "within"}


class Turns:
    """A game of turns: each card is played backwards, from the last to the first, for all totals.

    The totals are side by side in one long integer, in lanes whose highest bit is clear. The value
    of a card is an integer over a scale, so all arithmetic is exact.
    """

    listed = "turn, and the score cards with their entries,"

    def __init__(self, head, lines):
        keys(head, TURNS)
        must(head["want"] in ("most", "least"), "no such claim")
        self.head, self.lines = head, lines
        self.rounded, self.sense = flag(head["rounded"]), 1 if head["want"] == "most" else -1
        name, cap = head["tally"]
        word(name), word(head["of"])
        self.unit, self.lanes = whole(head["unit"], 1), whole(cap, 0) + 1
        self.laws, self.nodes, self.readings = laws(head["rollables"]), [], []
        self.scales = [1 for _ in map(word, many(head["endings"]))]
        self.endings, self.values, self.left = len(self.scales), [], []
        for end in many(head["outcomes"]):
            value = many(keys(end, {"name", "worth"})["worth"])
            must(len(value) == self.lanes, "not one value for each total")
            self.values.append([self.amount(x) for x in value])
            word(end["name"])
            self.left.append(0)

    def check(self, again):
        """Each line: the nodes of the turn, the readings, the cards."""
        kinds = [self.node] * whole(self.head["nodes"], 1)
        kinds += [self.reading] * whole(self.head["readings"], 1)
        kinds += [self.card] * whole(self.head["cards"], 1)
        n = 0
        for n, data in enumerate(self.lines, 1):
            must(n <= len(kinds), "more lines than announced")
            kinds[n - 1](data)
        must(n == len(kinds), "the number of lines is not as announced")

    def amount(self, x):
        """A value in units; more is better."""
        x = number(x) * self.unit * self.sense
        must(x.denominator == 1, "an amount is not a whole number of units")
        return int(x)

    def node(self, data):
        """A node of the turn: a roll or a decision, and its targets, which stand before it."""
        asked = "options" in data
        word(keys(data, {"node", "to", "options" if asked else "roll"})["node"])
        to = [whole(t, 0, len(self.scales)) for t in many(data["to"])]
        if asked:
            names, weights = [word(x) for x in many(data["options"])], [1 for _ in to]
        else:
            names, weights = self.laws[whole(data["roll"], 0, len(self.laws))]
        must(0 < len(to) == len(names) == len(weights), "not as many as targets")
        total, scale = 1 if asked else sum(weights), lcm(*(self.scales[t] for t in to))
        factors = {}
        for t, weight in zip(to, weights):
            factor = weight * (scale // self.scales[t])
            factors[t] = factor if asked else factors.get(t, 0) + factor
        self.nodes.append((asked, list(factors.items())))
        self.scales.append(scale * total)

    def reading(self, data):
        """A reading of each ending: its class, or -1 if it can't be entered; and its pay."""
        keys(data, {"classes", "pays"})
        classes, pays = many(data["classes"]), [self.amount(x) for x in many(data["pays"])]
        must(len(classes) == len(pays) == self.endings, "not one for each ending")
        self.readings.append(([whole(c, -1) for c in classes], pays))

    def entry(self, data):
        """An entry: its reading; and for each class the card, the advance, the pay."""
        word(keys(data, {"entry", "reading", "to", "tally", "pays"})["entry"])
        to = [whole(t, 0, len(self.values)) for t in many(data["to"])]
        advances = [whole(n, 0) for n in many(data["tally"])]
        more = [self.amount(x) for x in many(data["pays"])]
        must(len(to) == len(advances) == len(more), "not one for each class")
        return *self.readings[whole(data["reading"], 0)], list(zip(to, advances)), more

    def card(self, data):
        """The value of a card: the best entry of each ending, then the turn backwards."""
        self.first = word(keys(data, {"card", "entries"})["card"])
        entries, scale = [self.entry(each) for each in many(data["entries"])], self.scales[-1]
        used = {t for _, _, ways, _ in entries for t, _ in ways}
        left = max(self.left[t] for t in used)
        unit = 1 if self.rounded else scale**left
        grown = {t: unit // (1 if unit == 1 else scale ** self.left[t]) for t in used}
        value = {t: [x * grown[t] for x in self.values[t]] for t in used}
        low = min(map(min, value.values()))
        least = min(min(pays) + min(more) for _, pays, _, more in entries)
        paid = max(max(pays) + max(more) for _, pays, _, more in entries) - least
        most = max(map(max, value.values())) - low + paid * unit
        lanes = Lanes(self.lanes, (most * max(self.scales)).bit_length() // 8 + 1)
        row = functools.cache(lambda t, adds: lanes.of([x - low for x in value[t]], adds))
        slots = []
        for e in range(self.endings):
            ways = {
                (after[classes[e]], pays[e] + more[classes[e]] - least)
                for classes, pays, after, more in entries
                if classes[e] >= 0
            }
            must(ways, "an ending can be entered nowhere")
            values = [row(*way) + lanes.ones * (paid * unit) for way, paid in ways]
            slots.append(functools.reduce(lanes.best, values))
        for asked, after in self.nodes:
            values = [slots[t] if factor == 1 else slots[t] * factor for t, factor in after]
            slots.append(functools.reduce(lanes.best, values) if asked else sum(values))
        found = [x + (low + least * unit) * scale for x in lanes.opened(slots[-1])]
        self.values.append([x // scale for x in found] if self.rounded else found)
        self.left.append(left + 1)

    def sentence(self, seal):
        """The last card is the game's first; each turn was rounded down by at most 1."""
        head, unit, turns = self.head, self.unit, self.left[-1]
        scale, off = (unit, turns) if self.rounded else (unit * self.scales[-1] ** turns, 0)
        value, within = number(head["value"]), number(head["within"])
        away = abs(value * self.sense * scale - self.values[-1][0])
        must(away + off <= within * scale, "more is claimed than follows")
        about = f" within {head['within']}" if within else ""
        best = "highest" if self.sense > 0 else "lowest"
        found = f"the {best} mean of {head['of']!a} is {head['value']}{about}, as the file pays it"
        game = called(head, f"{head['cards']} cards from {self.first!a}, {seal}")
        return f"{game}: {found}."

    def checked(self):
        return f"the file has {self.head['cards']} cards; every turn of each was worked out"


class Lanes:
    """Numbers side by side in one long integer, each of `wide` bytes, its highest bit clear."""

    def __init__(self, lanes, wide):
        self.lanes, self.wide, self.top = lanes, wide, 8 * wide - 1
        self.ones = int.from_bytes((1).to_bytes(wide, "little") * lanes, "little")
        self.high = self.ones << self.top

    def of(self, numbers, skipped):
        """The numbers after those skipped, with the last repeated to fill."""
        kept = numbers[skipped:]
        kept += numbers[-1:] * (self.lanes - len(kept))
        return int.from_bytes(b"".join(x.to_bytes(self.wide, "little") for x in kept), "little")

    def best(self, a, b):
        """The greater in each lane: the highest bit of `found` stays if a >= b."""
        found = (a | self.high) - b
        kept = found & self.high
        return b + (found & (kept - (kept >> self.top)))

    def opened(self, x):
        packed, wide = x.to_bytes(self.wide * self.lanes, "little"), self.wide
        return [int.from_bytes(packed[i : i + wide], "little") for i in range(0, len(packed), wide)]


# 9. Two policies: hidden dice; the best reply to each.

POLICIES = {"format", "version", "game", "of", "players", "wants", "rollables", "outcomes"}
POLICIES |= {"sets", "nodes", "low", "high"}


class Policies:
    """Two policies, and the best replies to them.

    A player's sequence is a pair, or None: their last information set, and the option chosen there.
    A position has the root of its subgame. For each player it has the sequences that lead to it,
    each with the probability of all other moves.
    """

    each = listed = "positions"

    def __init__(self, head, lines):
        self.opposed(keys(head, POLICIES))
        self.head, self.lines, self.laws = head, lines, laws(head["rollables"])
        self.sets, self.nodes = [], whole(head["nodes"], 1)
        self.arrivals = {0: ({}, {})}
        self.gains, self.calls = ({}, {}), ({}, {})
        self.roots, self.parents = [], {}

    def opposed(self, head):
        """Two players with opposite objectives, and the values of the outcomes."""
        wants = [word(want) for want in many(head["wants"])]
        must(sorted(wants) == ["least", "most"], "one must want the most, the other the least")
        must(len([word(x) for x in many(head["players"])]) == 2, "not two players")
        word(head["of"])
        ends = [(word(keys(end, {"name", "worth"})["name"]), end) for end in many(head["outcomes"])]
        self.worths = [number(end["worth"]) for _, end in ends]

    def check(self, again):
        """Each line: the sets, then the positions."""
        sets = whole(self.head["sets"], 1)
        n = 0
        for n, data in enumerate(self.lines, 1):
            must(n <= sets + self.nodes, "more lines than announced")
            self.set(data) if n <= sets else self.position(data, n - sets - 1)
        must(n == sets + self.nodes, "the number of lines is not as announced")

    def set(self, data):
        """An information set, and the probability of each option."""
        word(keys(data, {"sees", "player", "options", "plays"})["sees"])
        player, plays = whole(data["player"], 0, 2), [number(x) for x in many(data["plays"])]
        must(
            len(plays) == len(list(map(word, many(data["options"])))) > 0,
            "not one probability each",
        )
        must(sum(plays) == 1 and min(plays) >= 0, "the probabilities do not add up to 1")
        self.sets.append((player, plays))

    def position(self, data, i):
        """A position; it stands after all that lead to it."""
        how = "set" if "set" in data else "roll" if "roll" in data else "to"
        word(keys(data, {"position", "to", how}, {"root"})["position"])
        here, root = self.arrivals.pop(i, None), data.get("root", False) is True
        must(here and (i == 0) <= root == ("root" in data), "nothing leads here")
        if root:
            self.roots.append(i)
            for calls, arrived in zip(self.calls, here):
                for key, chance in arrived.items():
                    calls.setdefault(key, []).append((i, chance))
            here = [{(i, None): 1}, {(i, None): 1}]
        must(
            len({where for arrived in here for where, _ in arrived}) == 1, "two subgames meet here"
        )
        shares, chooser, parent = [1], None, None
        if how == "set":
            k = whole(data["set"], 0, len(self.sets))
            chooser, shares = self.sets[k]
            (parent, *more) = here[chooser]
            met = self.parents.setdefault(k, parent)
            must(not more and met == parent, "a player forgets what they saw or did")
        elif how == "roll":
            _, weights = self.laws[whole(data["roll"], 0, len(self.laws))]
            shares = [Fraction(w, sum(weights)) for w in weights]
        to = [whole(t, i + 1, self.nodes + len(self.worths)) for t in many(data["to"])]
        must(len(to) == len(shares), "not as many targets")
        for j, (t, share) in enumerate(zip(to, shares)):
            for p, arrived in enumerate(here):
                if p == chooser:
                    self.lead(t, p, [((parent[0], (k, j)), arrived[parent])])
                else:
                    self.lead(t, p, [(key, chance * share) for key, chance in arrived.items()])

    def lead(self, t, p, moved):
        """Add to what reaches a position or outcome."""
        end = t >= self.nodes
        arrived = self.gains[p] if end else self.arrivals.setdefault(t, ({}, {}))[p]
        value = self.worths[t - self.nodes] if end else 1
        for key, chance in moved:
            arrived[key] = lean(arrived.get(key, 0) + chance * value)

    def replied(self, p):
        """The value of a player's best reply: subgames and sets, each from the last to the first.

        All that lead to a root or set were met before it.
        """
        gains, values, best = self.gains[p], {}, max if self.head["wants"][p] == "most" else min
        sets, calls = {root: [] for root in self.roots}, {root: [] for root in self.roots}
        for k, (root, _) in self.parents.items():
            if self.sets[k][0] == p:
                sets[root].append(k)
        for key, each in self.calls[p].items():
            calls[key[0]].append((key, each))
        for root in reversed(self.roots):
            for key, each in calls[root]:
                gains[key] = gains.get(key, 0) + sum(chance * values[i] for i, chance in each)
            for k in reversed(sets[root]):
                value = best(gains.get((root, (k, j)), 0) for j in range(len(self.sets[k][1])))
                gains[self.parents[k]] = gains.get(self.parents[k], 0) + value
            values[root] = gains.get((root, None), 0)
        return values[0]

    def sentence(self, seal):
        """Each policy guarantees its bound, whatever the other player does."""
        head, most = self.head, self.head["wants"].index("most")
        low, high = number(head["low"]), number(head["high"])
        must(low <= self.replied(1 - most), "the policy of the player who wants the most gets less")
        must(self.replied(most) <= high, "the policy of the player who wants the least allows more")
        value = f"is {low}" if low == high else f"lies between {low} and {high}"
        value += f", where {head['players'][most]!a} wants the most"
        how = "the policies in the file secure that, whatever the other player does"
        game = called(head, f"{self.nodes} {self.each}, {seal}")
        return f"{game}: the mean of {head['of']!a} {value}; {how}."

    def checked(self):
        return (
            f"the file has {self.nodes} {self.each}; the best reply to each policy was worked out"
        )


# 10. Hidden hands: two policies again; by tables, hands, and moves.

HANDS = {"format", "version", "game", "of", "players", "wants", "hands", "weights", "outcomes"}
HANDS |= {"tables", "histories", "low", "high"}


class Hands(Policies):
    """Two policies in a game with secret hands, where all moves after the deal are open.

    The policies are stored by the moves so far.
    """

    each, listed = "histories", "tables and their payoffs"

    def __init__(self, head, lines):
        self.head, self.lines = head, lines
        self.opposed(keys(head, HANDS))
        self.hands = [len(list(map(word, many(hands)))) for hands in many(head["hands"])]
        self.weights = [[whole(w, 0) for w in many(row)] for row in many(head["weights"])]
        self.nodes, self.plays = whole(head["histories"], 0), {}
        each = {len(row) for row in self.weights} == {self.hands[-1]}
        must(len(self.hands) == 2 and len(self.weights) == self.hands[0] and each, "no such deal")
        self.total = whole(sum(map(sum, self.weights)), 1)

    def check(self, again):
        """Each line: the tables, then the policy after some moves."""
        n = whole(self.head["tables"], 1)
        self.tables = [self.table(data, i, n) for i, data in zip(range(n), self.lines)]
        must(len(self.tables) == n, "the number of lines is not as announced")
        for data in self.lines:
            must(len(self.plays) < self.nodes, "more lines than announced")
            self.history(data)
        must(len(self.plays) == self.nodes, "the number of lines is not as announced")

    def table(self, data, i, n):
        """The mover, and the table after each option; at the end, the payoffs."""
        if "ends" not in data:
            word(keys(data, {"table", "player", "options", "to"})["table"])
            to = [whole(t, i + 1, n) for t in many(data["to"])]
            must(len(to) == len(list(map(word, many(data["options"])))) > 0, "not as many targets")
            return whole(data["player"], 0, 2), to
        word(keys(data, {"table", "ends"})["table"])
        ends, size = many(data["ends"]), len(self.worths)
        must(
            [len(many(row)) for row in ends] == [self.hands[1]] * self.hands[0], "not one end each"
        )
        return None, [
            [w and w * self.worths[whole(k, 0, size)] for w, k in zip(*both)]
            for both in zip(self.weights, ends)
        ]

    def history(self, data):
        """The mover's policy with some hands after these moves."""
        keys(data, {"after", "hands", "plays"})
        t = 0
        for k in many(data["after"]):
            mover, to = self.tables[t]
            must(mover is not None, "a move after the end")
            t = to[whole(k, 0, len(to))]
        (mover, to), after = self.tables[t], tuple(data["after"])
        must(mover is not None and after not in self.plays, "nobody moves there, or they did")
        hands = [whole(hand, 0, self.hands[mover]) for hand in many(data["hands"])]
        plays = [[number(x) for x in many(row)] for row in many(data["plays"])]
        must(len(set(hands)) == len(hands) == len(plays) > 0, "not one row for each hand")
        for row in plays:
            must(len(row) == len(to), "not one probability each")
            must(sum(row) == 1 and min(row) >= 0, "the probabilities do not add up to 1")
        self.plays[after] = dict(zip(hands, plays))

    def replied(self, p):
        """The value of a player's best reply to the other's policy."""
        self.steps, sure = 0, dict.fromkeys(range(self.hands[1 - p]), 1)
        return lean(Fraction(sum(self.gains(p, 0, (), sure)), self.total))

    def gains(self, p, t, after, reached):
        """The value of each hand from here on, times the probability that the other comes here.

        `reached` has this probability for each possible hand of the other.
        """
        self.steps += 1
        must(self.steps <= MOST, "too many histories")
        mover, to = self.tables[t]
        if mover is None:
            rows = list(zip(*to)) if p else to
            return [sum(row[hand] * chance for hand, chance in reached.items()) for row in rows]
        if mover == p:
            most = max if self.head["wants"][p] == "most" else min
            each = [self.gains(p, u, (*after, k), reached) for k, u in enumerate(to)]
            return [most(gains) for gains in zip(*each)]
        plays, found = self.plays.get(after, {}), [0] * self.hands[p]
        must(set(reached) <= set(plays), f"after {list(after)} it isn't said what a hand does")
        for k, u in enumerate(to):
            moved = {h: lean(c * plays[h][k]) for h, c in reached.items() if plays[h][k]}
            if moved:
                found = list(map(sum, zip(found, self.gains(p, u, (*after, k), moved))))
        return found


# 11. Program: the file, the exit codes, --words.

FORMATS = {
    "sevenout certificate": Proof,
    "sevenout certificate of turns": Turns,
    "sevenout certificate of two policies": Policies,
    "sevenout certificate of hidden hands": Hands,
}


def told(rules, name=""):
    """For --words: the declaration, a line for each part without tables."""
    tables = {dict} & {*map(type, rules.values() if type(rules) is dict else rules)}
    if type(rules) is list and tables:
        return [x for n, each in enumerate(rules, 1) for x in told(each, f"{name} {n}")]
    if name and not tables:
        return [f"{name}: {json.dumps(rules)}"]
    said = []
    for key, each in rules.items():
        place = f"{name}, {key}" if name else key
        place = place if key.isidentifier() else f"{name}, {key!a}"
        said += (
            told(each, place) if type(each) in (dict, list) else [f"{place}: {json.dumps(each)}"]
        )
    return said


def picked(expansion):
    """For --words: the policy, a line for each option; over 60 states are only counted."""
    said = []
    for option in dict.fromkeys(expansion.picks.values()):
        states = [expansion.game.said(x) for x, pick in expansion.picks.items() if pick == option]
        which = json.dumps(states) if len(states) <= 60 else "see the header, in the order met"
        said.append(f"policy, {option!a}: in {count(len(states), 'state')}, {which}")
    return said


class File:
    """A certificate; `line` is the number of the line being checked."""

    def __init__(self, content):
        self.content, self.line = content, 0

    def lines(self, after=0):
        """Each line of the file, counted."""
        for n, line in enumerate(unpacked(self.content), 1):
            self.line = n
            if n > after:
                yield parsed(line)

    def proof(self):
        """The checked content of the file."""
        lines = self.lines()
        head = next(lines, None)
        must(type(head) is dict and head.get("format") in FORMATS, "this is not a certificate")
        must(head.get("version") == VERSION, f"another version; this is for version {VERSION}")
        found = FORMATS[head["format"]](head, lines)
        found.check(self.lines(after=1))
        self.line = 1
        return found


def judged(path, content, words=False):
    """0 if all is proved, 1 if not, 2 if it can't be read; and what to print."""
    file = File(content)
    try:
        proof = file.proof()
        found = proof.sentence(seal_of(content))
        rules = proof.head.get("rules")
        rules = (
            [f"the rules are not declared: the game is the {proof.listed} that the file lists"]
            if rules is None
            else told(rules) + picked(proof.rules)
        )
        said = [*rules, f"checked: {proof.checked()}"] if words else []
    except UnreadableError as error:
        return 2, [ascii(f"{path}, line {file.line}: {error}")[1:-1]]
    except Exception as error:  # any other error: nothing has been proved
        why = error if type(error) is ValueError else "it is not written as a certificate is"
        return 1, [ascii(f"{path}, line {file.line}: not proved: {why}")[1:-1]]
    return 0, [*said, found]


def main(arguments):
    sys.set_int_max_str_digits(0)  # values may be long
    paths = [argument for argument in arguments if argument != "--words"]
    if len(paths) != 1:
        print("python check.py [--words] proof.json", file=sys.stderr)
        return 2
    try:
        found = content_of(paths[0])
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        print(ascii(f"{paths[0]}: {why}; name the file of a certificate")[1:-1], file=sys.stderr)
        return 2
    code, said = judged(paths[0], found, "--words" in arguments)
    try:
        for line in said:
            print(line, file=sys.stderr if code == 2 else sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
