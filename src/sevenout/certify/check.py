"""Check the certificate of a dice game: `python check.py proof.json`.

Nothing is needed but this file and Python. It prints what it has proved, in one sentence, and exits
with 0; or the first line that fails, and exits with 1; a file that can't be read is refused with 2.
With --words it also prints the game, to be compared with its rules: every state, every roll, and
what it does. docs/certificates.md specifies the format, and proves that what is checked here
implies what is claimed.

The file is read once; its bytes are gone through twice, for the values and ranks of all states, and
then for each state's equation. Of a game of turns it has the rules alone; here each of its cards is
worked out. Of a game in which something is hidden it has two policies; here the best replies to
them are worked out. The SHA-256 that is printed is what `sha256sum` prints of the file.
"""

import functools
import gzip
import hashlib
import io
import json
import os
import re
import stat
import sys
import zlib
from fractions import Fraction
from math import lcm

# 1. Reading: a file, a line, a number, a name.

HEAD = {"format", "version", "game", "states", "rollables", "outcomes", "stakes"}
HEAD |= {"passes", "ends", "scale", "residual", "one", "claims"}
DECLARED = HEAD - {"rollables", "outcomes", "stakes", "passes"} | {"rules"}
TURNS = {"format", "version", "game", "of", "want", "rollables", "endings", "outcomes", "tally"}
TURNS |= {"nodes", "readings", "cards", "unit", "rounded", "value", "within"}
POLICIES = {"format", "version", "game", "of", "players", "wants", "rollables", "outcomes"}
POLICIES |= {"sets", "nodes", "low", "high"}
NUMBER = re.compile(r"-?[0-9]+(/[0-9]+|(\.[0-9]+)?(e-[0-9]{1,4})?)")
LONGEST = 1 << 28  # bytes of a line


class UnreadableError(ValueError):
    """The file is no certificate, or not the whole of one."""


def must(holds, what):
    if not holds:
        raise ValueError(what)


def keys(data, needed, allowed=()):
    """The object, which has all the keys that are needed, and no other that is not allowed."""
    must(type(data) is dict, f"{data!a:.60} is no object")
    lacking, unknown = set(needed) - set(data), set(data) - set(needed) - set(allowed)
    must(not lacking, f"the key {min(lacking, default='')!a} is missing")
    must(not unknown, f"nobody checks the key {min(unknown, default='')!a}")
    return data


def many(data):
    must(type(data) is list, f"{data!a:.60} is no list")
    return data


def word(x):
    must(type(x) is str, f"{x!a:.60} is no text")
    return x


def whole(x, least, below=None):
    must(type(x) is int and x >= least and (below is None or x < below), f"{x!a:.60} can't be")
    return x


def number(x):
    """A whole number; or, as a text, a fraction or a decimal: "-7/495", "0.25", "2e-50"."""
    if type(x) is not int:
        must(type(x) is str and NUMBER.fullmatch(x), f"{x!a:.60} is no exact number")
        x = Fraction(x)
    return lean(x)


def lean(x):
    return x.numerator if x.denominator == 1 else x  # Python's integers are quicker


def content_of(path):
    """The bytes of a file; of no pipe, device or folder."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError("not a file")
    with open(path, "rb") as file:
        return file.read()


def unpacked(content):
    """Each line of a file, which gzip may have packed; no line begins as such a file does."""
    file = io.BytesIO(content)
    with gzip.GzipFile(fileobj=file) if content.startswith(b"\x1f\x8b") else file as plain:
        try:
            for line in iter(lambda: plain.readline(LONGEST), b""):
                must(len(line) < LONGEST, "the line is too long")
                yield line
        except (EOFError, OSError, zlib.error):
            raise UnreadableError("what gzip packed is cut short or damaged") from None


def sha256_of(content):
    """What `sha256sum` prints of the file; of a packed one, of what it holds as well."""
    of, held = f"SHA-256 {hashlib.sha256(content).hexdigest()}", hashlib.sha256()
    if not content.startswith(b"\x1f\x8b"):
        return of
    for line in unpacked(content):
        held.update(line)
    return f"{of}, unpacked {held.hexdigest()}"


def parsed(line):
    def once(pairs):
        must(len(dict(pairs)) == len(pairs), "a key stands twice")
        return dict(pairs)

    def no(x):
        must(False, f"{x} is no exact number")

    try:
        text = line.decode("utf-8")  # and nothing else; a mark of the byte order is refused, too
        return json.loads(text, parse_float=no, parse_constant=no, object_pairs_hook=once)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise UnreadableError("the line is no JSON: the file is cut short or damaged") from None


def laws(data):
    """What is rolled: the results, and their weights."""
    found = []
    for each in many(data):
        keys(each, {"rolls", "weights"})
        names = [word(x) for x in many(each["rolls"])]
        found.append((names, [whole(w, 1) for w in many(each["weights"])]))
        must(len(names) == len(found[-1][1]) > 0, "not one weight for each result")
    return found


def own(name, taken):
    """A name, quoted, that nothing else has: what reads alike is told apart by a number."""
    n, found = 1, f"{word(name)!a}"
    while found in taken:
        n += 1
        found = f"{name!a} #{n}"
    taken.add(found)
    return found


def rolled(laws):
    """For --words: how likely each result is of what is rolled."""
    for k, (names, weights) in enumerate(laws):
        chances = "; ".join(f"{x!a} {w}/{sum(weights)}" for x, w in zip(names, weights))
        yield f"roll {k}: {chances}"


def follows(name, how, names, after, more=""):
    """For --words: where each result of a roll, or each option, leads."""
    moves = "; ".join(f"{x!a} -> {then}" for x, then in zip(names, after))
    return f"{name} ({how}): {moves}{more}"


# 2. Claims of a game that is written as states.

CLAIMS = {  # what a claim of each kind has, besides its name and what it is within
    "bet": ({"value"}, "the mean profit of the bet {name!a} (stake {stake}) per unit staked"),
    "profit": (
        {"value", "least", "more"},
        "the probability that {name!a} (stake {stake}) wins {size} {least} per unit staked",
    ),
    "outcome": ({"value", "outcomes"}, "the probability of {outcomes!a}"),
    "counter": ({"value"}, "the mean of the counter {name!a}"),
    "worth": ({"value", "worth"}, "the mean of {name!a}, where {each},"),
    "law": ({"first"}, "the law of the counter {name!a}, P(N = 0), P(N = 1) and so on,"),
}


class Column:
    """What a claim is worth in each state, and then in each outcome; all of it times the scale."""

    def __init__(self, head, claim, law):
        of, name, ends, passes = claim["of"], claim["name"], head["outcomes"], head["passes"]
        self.counter = name if of in ("counter", "law") else None
        self.n, self.law = len(law), law if of == "law" else None  # of P(N = 0) to P(N = n)
        self.unit, self.sum = head["scale"], 0  # what two players get adds up to the sum
        must(not passes or of in ("bet", "profit"), "where turns pass, a bet alone can be claimed")
        if of in ("bet", "profit"):
            must(number(head["stakes"][name]) > 0, "a stake is more than 0")
            worth = [number(end["pays"][name]) / Fraction(head["stakes"][name]) for end in ends]
        if of == "profit":
            least, self.sum = number(claim["least"]), self.unit
            must(type(claim["more"]) is bool, "more is true or false")
            both = [[x > least if claim["more"] else x >= least for x in (y, -y)] for y in worth]
            must(not passes or all(a != b for a, b in both), "both players win, or neither")
            worth = [int(own) for own, _ in both]
        elif of == "outcome":
            for name in many(claim["outcomes"]):
                must(any(word(name) == end["name"] for end in ends), f"no outcome {name!a}")
            worth = [int(end["name"] in claim["outcomes"]) for end in ends]
        elif of == "worth":
            worth = [number(x) for x in many(claim["worth"])]
        elif of != "bet":
            worth = [int(of == "law" and self.n == 0) for _ in ends]
        must(len(worth) == len(ends), "not one worth for each outcome")
        self.values, self.ends = [], [lean(x * self.unit) for x in worth]
        law.append(self)

    def follow(self, to, counts, passes):
        """What each move is worth, by the values as they are."""
        if self.law is not None:
            n, law = self.n, self.law
            counts = [whole(c, 0) for c in counts]
            return [law[n - c].values[t] if c <= n else 0 for t, c in zip(to, counts)]
        worth = [self.values[t] + lean(c * self.unit) for t, c in zip(to, counts)]
        return [self.sum - x if p else x for x, p in zip(worth, passes)] if any(passes) else worth


# 3. Games of turns.


class Turns:
    """A game of turns: each card is played backwards, from the last to the first, for all totals.

    The totals stand side by side in one long integer, in lanes whose highest bit is clear. The
    worth of a card is an integer over a scale; every sum and every comparison is of integers.
    """

    def __init__(self, head, words):
        must(whole(keys(head, TURNS)["version"], 2, 3), "another version")
        must(head["want"] in ("most", "least") and type(head["rounded"]) is bool, "no such claim")
        self.head, self.words = head, words
        self.sense = 1 if head["want"] == "most" else -1
        name, cap = head["tally"]
        word(name), word(head["game"]), word(head["of"])
        self.unit, self.lanes = whole(head["unit"], 1), whole(cap, 0) + 1
        self.laws, self.taken, self.said = laws(head["rollables"]), set(), []
        self.names = [own(name, self.taken) for name in many(head["endings"])]
        self.nodes, self.readings = [], []
        self.scales = [1 for _ in self.names]
        self.cards, self.values, self.left = [], [], []
        for end in many(head["outcomes"]):
            worth = many(keys(end, {"name", "worth"})["worth"])
            must(len(worth) == self.lanes, "not one worth for each total")
            self.cards.append(own(end["name"], self.taken))
            self.values.append([self.amount(x) for x in worth])
            self.left.append(0)
        self.kinds = [self.node] * whole(head["nodes"], 1)
        self.kinds += [self.reading] * whole(head["readings"], 1)
        self.kinds += [self.card] * whole(head["cards"], 1)
        if words:
            self.told()

    def told(self):
        """For --words: what is rolled, and what the end is worth."""
        self.said += rolled(self.laws)
        name, cap = self.head["tally"]
        for k, end in enumerate(self.head["outcomes"]):
            worth = end["worth"]
            steps = [n for n in range(self.lanes) if not n or worth[n] != worth[n - 1]]
            each = "; ".join(f"{worth[n]} with {name!a} {n} or more" for n in steps)
            self.said.append(f"{self.cards[k]}: the end, worth {each}; counted to {cap}")

    def amount(self, x):
        """A worth, in units; more is better."""
        x = number(x) * self.unit * self.sense
        must(x.denominator == 1, "an amount is not a whole number of units")
        return int(x)

    def line(self, data, i):
        must(i < len(self.kinds), "more lines than announced")
        self.kinds[i](data)

    def node(self, data):
        """A node of the turn: a roll or a question, and what follows, which stands before it."""
        asked = "options" in data
        keys(data, {"node", "to", "options" if asked else "roll"})
        to = [whole(t, 0, len(self.names)) for t in many(data["to"])]
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
        self.names.append(own(data["node"], self.taken))
        if self.words:
            how = f"wants the {self.head['want']}" if asked else f"roll {data['roll']}"
            self.said.append(follows(self.names[-1], how, names, [self.names[t] for t in to]))

    def reading(self, data):
        """How an entry reads each ending: its class, or -1 if it can't be entered; what it pays."""
        keys(data, {"classes", "pays"})
        classes, pays = many(data["classes"]), [self.amount(x) for x in many(data["pays"])]
        must(len(classes) == len(pays) == len(self.head["endings"]), "not one for each ending")
        self.readings.append(([whole(c, -1) for c in classes], pays, min(pays), max(pays)))
        if self.words:
            read = zip(self.names, classes, data["pays"])
            each = "; ".join(f"{name} is {c}, pays {x}" for name, c, x in read if c >= 0)
            self.said.append(f"reading {len(self.readings) - 1}: {each}")

    def card(self, data):
        """A card: the best entry of each ending, the turn backwards, and so its worth."""
        keys(data, {"card", "entries"})
        scale, entries, card = self.scales[-1], [], own(data["card"], self.taken)
        for entry in many(data["entries"]):
            keys(entry, {"entry", "reading", "to", "tally", "pays"})
            to = [whole(t, 0, len(self.cards)) for t in many(entry["to"])]
            ways = list(zip(to, map(whole, entry["tally"], [0] * len(to))))
            more = [self.amount(x) for x in many(entry["pays"])]
            word(entry["entry"])
            same = len(ways) == len(more) == len(to) == len(many(entry["tally"]))
            must(same, "not one for each class")
            entries.append((*self.readings[whole(entry["reading"], 0)], ways, more))
            if self.words:
                name, each = self.head["tally"][0], zip(ways, entry["pays"])
                after = [f"pays {x}, {name!a} +{a} -> {self.cards[t]}" for (t, a), x in each]
                after = [f"{c} {then}" for c, then in enumerate(after)]
                about = f"{entry['entry']!a}, reading {entry['reading']}: {'; '.join(after)}"
                self.said.append(f"{card} | {about}")
        used = {t for *_, ways, _ in entries for t, _ in ways}
        left = max(self.left[t] for t in used)
        unit = 1 if self.head["rounded"] else scale**left
        grown = {t: unit // (1 if unit == 1 else scale ** self.left[t]) for t in used}
        worth = {t: [x * grown[t] for x in self.values[t]] for t in used}
        low = min(map(min, worth.values()))
        least = min(fewest + min(more) for _, _, fewest, _, _, more in entries)
        paid = max(highest + max(more) for _, _, _, highest, _, more in entries) - least
        most = max(map(max, worth.values())) - low + paid * unit
        wide = (most * max(self.scales)).bit_length() // 8 + 1
        top = 8 * wide - 1
        ones = int.from_bytes(b"".join([(1).to_bytes(wide, "little")] * self.lanes), "little")
        high, rows, slots = ones << top, {}, []

        def row(way):
            if way not in rows:
                t, adds = way
                kept = worth[t][adds:]
                lanes = kept + worth[t][-1:] * (self.lanes - len(kept))
                data = b"".join([(x - low).to_bytes(wide, "little") for x in lanes])
                rows[way] = int.from_bytes(data, "little")
            return rows[way]

        def best(a, b):  # in each lane: the highest bit of `found` stays where a >= b
            found = (a | high) - b
            kept = found & high
            return b + (found & (kept - (kept >> top)))

        for e in range(len(self.head["endings"])):
            ways = set()
            for classes, pays, _, _, after, more in entries:
                if classes[e] >= 0:
                    ways.add((after[classes[e]], pays[e] + more[classes[e]] - least))
            must(ways, "an ending can be entered nowhere")
            worths = [row(way) + ones * (pays * unit) for way, pays in ways]
            slots.append(functools.reduce(best, worths))
        for asked, row_of in self.nodes:
            worths = [slots[t] if factor == 1 else slots[t] * factor for t, factor in row_of]
            slots.append(functools.reduce(best, worths) if asked else sum(worths))
        packed = slots[-1].to_bytes(wide * self.lanes, "little")
        lanes = [packed[i : i + wide] for i in range(0, len(packed), wide)]
        found = [int.from_bytes(x, "little") + (low + least * unit) * scale for x in lanes]
        self.values.append([x // scale for x in found] if self.head["rounded"] else found)
        self.left.append(left + 1)
        self.cards.append(card)

    def claimed(self, lines, seal):
        """The last card is the first of the game; each turn was rounded down by 1 at most."""
        must(lines == len(self.kinds), "not as many lines as announced")
        head, unit, turns = self.head, self.unit, self.left[-1]
        scale, off = (unit, turns) if head["rounded"] else (unit * self.scales[-1] ** turns, 0)
        value, within = number(head["value"]), number(head["within"])
        away = abs(value * self.sense * scale - self.values[-1][0])
        must(away + off <= within * scale, "more is claimed than follows")
        about = f" within {head['within']}" if within else ""
        game = f"{head['game']!a} ({head['cards']} cards from {self.cards[-1]}, {seal})"
        best = "highest" if self.sense > 0 else "lowest"
        found = f"the {best} mean of {head['of']!a} is {head['value']}{about}"
        how = "as readings, entries and ends pay it; every turn of every card was worked out"
        return f"Proved of {game}: {found}, {how}."


# 4. Games that are declared: their rules, expanded into states. docs/declarations.md says what the
# rules mean; a Line, a Wager and a Checklist say it in Python.

TOTAL, WAY = re.compile(r"-?[0-9]+"), re.compile(r"(hard|easy) (-?[0-9]+)")
FACES = re.compile(r"[0-9]+(-[0-9]+)+")
ALIKE = {"doubles": 2, "triples": 3}
MOST = 10**6  # rolls, and states
OTHER = "any other"  # a roll that is no event


def rolls_of(rules):
    """Each roll of the dice, or each deal of the cards, in order; and its weight."""
    ways = {(): 1}
    cards = "cards" in rules
    sources = [rules["cards"]] * whole(rules["draw"], 1, 7) if cards else many(rules["dice"])
    must(sources, "nothing is rolled")
    for source in sources:
        found = {}
        must(many(source), "a die has no face")
        for way, weight in ways.items():
            left = list(source)
            for face in way if cards else ():
                left.remove(face)
            for face in left:
                must(type(face) is int, f"{face!a:.60} is no face")
                roll = (*way, face)
                found[roll] = found.get(roll, 0) + weight
            must(len(found) <= MOST, "too many rolls")
        ways = found
    return ways


def fits(event, faces):
    """Whether a roll is a total, a way to roll it, some faces in any order, or a list in order."""
    if type(event) is list:
        must(all(type(face) is int for face in event), "a roll is a list of faces")
        return event == list(faces)
    if TOTAL.fullmatch(event):
        return sum(faces) == int(event)
    if way := WAY.fullmatch(event):
        return sum(faces) == int(way[2]) and (len(set(faces)) == 1) == (way[1] == "hard")
    if FACES.fullmatch(event):
        return sorted(map(str, faces)) == sorted(event.split("-"))
    must(event in ALIKE, f"{event!a:.60} is no event")
    return len(faces) == ALIKE[event] and len(set(faces)) == 1


def spelled(x):
    return str(x) if type(x) is int else word(x)


def split(key):
    """The events of a key: "2,12" is two."""
    return [event.strip(" ") for event in word(key).split(",")]


class Rules:
    """What the tables have in common: events, names, stakes."""

    def __init__(self, table, needed, allowed):
        keys(table, needed, {*allowed, "events", "names"})
        self.table, self.own = table, keys(table.get("events", {}), (), table.get("events", {}))
        self.names = keys(table.get("names", {}), (), table.get("names", {}))
        for name in self.names.values():
            word(name)
        for name, each in self.own.items():
            must(name and "," not in name and name != OTHER, f"{name!a} is no name for an event")
            must(all(type(event) in (str, list) for event in many(each)), "no such event")

    def read(self, faces, words):
        """What a roll is: an event that the table defines, or one that it names; or nothing."""
        found = [name for name, each in self.own.items() if any(fits(x, faces) for x in many(each))]
        found = found or [x for x in words if x not in self.own and fits(x, faces)]
        must(len(found) < 2, f"{faces} is two events")
        return found[0] if found else None

    def end(self, event, pays):
        return End((self.names.get(event, event), tuple(pays.items())))


class End(tuple[str, tuple[object, ...]]):
    """How a game ended: its name, and what each bet wins."""

    __slots__ = ()


class Line(Rules):
    """A point game."""

    EVENTS = ("natural", "craps", "push", "point", "easy", "out", "late")

    def __init__(self, table):
        totals = {"naturals", "craps", "pushes", "rerolls"}
        super().__init__(table, totals | {"out", "bets"}, {"limit", "hard"})
        self.sets = {name: [spelled(x) for x in many(table[name])] for name in totals}
        listed = [total for each in self.sets.values() for total in each]
        must(len(set(listed)) == len(listed), "a total is in two lists")
        self.out, self.hard = spelled(table["out"]), table.get("hard", False)
        must(self.out in listed, "the out is a point")
        must(type(self.hard) is bool, "hard is true or false")
        self.limit = whole(table["limit"], 1) if "limit" in table else None
        self.bets, self.start = table["bets"], ()
        for bet in keys(self.bets, (), self.bets).values():
            keys(bet, {"stake"}, self.EVENTS)
        keys(self.names, (), self.EVENTS)
        self.stakes = {name: bet["stake"] for name, bet in self.bets.items()}

    def seen(self, faces):
        total = self.read(faces, ()) or str(sum(faces))
        return f"{'hard' if len(set(faces)) == 1 else 'easy'} {total}" if self.hard else total

    def step(self, state, roll):
        way, total = roll.split(" ", 1) if self.hard else ("hard", roll)
        if not state:
            for event, name in (("natural", "naturals"), ("craps", "craps"), ("push", "pushes")):
                if total in self.sets[name]:
                    return self.paid(event, total)
            return () if total in self.sets["rerolls"] else (total, 0)
        point, made = state
        if total == point:
            return self.paid("point" if way == "hard" else "easy", point, made + 1)
        if total == self.out:
            return self.paid("out", point)
        if self.limit is None:
            return state
        return (point, made + 1) if made + 1 < self.limit else self.paid("late", point)

    def paid(self, event, total, roll=0):
        return self.end(
            event, {n: self.pay(bet, event, total, roll) for n, bet in self.bets.items()}
        )

    def pay(self, bet, event, total, roll):
        """One amount; or amounts by total, or by the roll on which the point is made."""
        must(event in bet, f"{event} is paid nothing")
        amount = bet[event]
        if type(amount) is dict:
            found = [x for key, x in amount.items() if total in split(key)]
            must(len(found) == 1, f"{event} on {total!a} is not paid once")
            amount = found[0]
        if type(amount) is list:
            must(self.limit is not None, f"{event} is paid by roll, and rolls have no limit")
            must(0 < roll <= len(amount), f"{event} on roll {roll} is paid nothing")
            amount = amount[roll - 1]
        return number(amount)

    def said(self, state):
        if not state:
            return "come-out"
        return f"point {state[0]}" + (f", {state[1]} rolled" if self.limit else "")


class Wager(Rules):
    """A bet that the first deciding roll settles."""

    def __init__(self, table):
        super().__init__(table, {"bet", "stake", "pays"}, {"limit", "rest"})
        self.stakes = {word(table["bet"]): table["stake"]}
        self.limit = whole(table["limit"], 1, MOST) if "limit" in table else None
        must(("rest" in table) == (self.limit is not None), "rest is paid when a limit is reached")
        pays = keys(table["pays"], (), table["pays"])
        self.of = {event: key for key in pays for event in split(key)}
        must(len(self.of) == sum(len(split(key)) for key in pays), "a roll is paid twice")
        keys(self.names, (), {*pays, "rest"})
        self.start = self.limit or 0

    def seen(self, faces):
        return self.read(faces, self.of) or OTHER

    def step(self, state, roll):
        (bet,) = self.stakes
        if roll in self.of:
            return self.end(self.of[roll], {bet: number(self.table["pays"][self.of[roll]])})
        if state == 1:
            return self.end("rest", {bet: number(self.table["rest"])})
        return max(state - 1, 0)

    def said(self, state):
        return f"{state} rolls left" if state else "rolling"


class Checklist(Rules):
    """Rolls to be ticked off, each a number of times, before the stop."""

    def __init__(self, table):
        super().__init__(table, {"bet", "stake", "collect", "stop", "pays"}, {"first"})
        self.stakes = {word(table["bet"]): table["stake"]}
        self.times = [
            whole(n, 1, MOST) for n in keys(table["collect"], (), table["collect"]).values()
        ]
        entries = [split(key) for key in table["collect"]]
        self.of = {event: i for i, entry in enumerate(entries) for event in entry}
        must(len(self.of) == sum(map(len, entries)) > 0, "a roll is in two entries")
        self.stop, self.first = spelled(table["stop"]), table.get("first", False)
        must(type(self.first) is bool and self.stop not in self.of, "no such checklist")
        self.whole = 1 if self.first else len(self.times)
        self.prizes = {str(n) for n in range(self.whole + 1)}
        keys(table["pays"], (), self.prizes)
        keys(self.names, (), self.prizes | {"stop"})
        self.start = tuple(0 for _ in self.times)

    def seen(self, faces):
        return self.read(faces, [*self.of, self.stop]) or OTHER

    def step(self, state, roll):
        if roll == self.stop:
            return self.ended(sum(map(int.__eq__, state, self.times)))
        if roll not in self.of or state[self.of[roll]] == self.times[self.of[roll]]:
            return state
        after = tuple(n + (i == self.of[roll]) for i, n in enumerate(state))
        done = sum(map(int.__eq__, after, self.times))
        return self.ended(done) if done == self.whole else after

    def ended(self, done):
        (bet,), paid = self.stakes, self.table["pays"].get(str(done))
        if paid is None:
            return self.end("stop", {bet: -number(self.table["stake"])})
        return self.end(str(done), {bet: number(paid)})

    def said(self, state):
        parts = zip(self.table["collect"], state, self.times)
        return "; ".join(f"{entry}: {n} of {times}" for entry, n, times in parts)


def expanded(rules):
    """A header's part and the states, in the order in which they are met, the start first."""
    source = {"cards", "draw"} if "cards" in rules else {"dice"}
    kinds = {"line": Line, "wager": Wager, "checklist": Checklist}
    keys(rules, source, kinds)
    games = [make(table) for kind, make in kinds.items() for table in many(rules.get(kind, []))]
    must(games, "there is no game")
    stakes = {bet: number(x) for game in games for bet, x in game.stakes.items()}
    must(len(stakes) == sum(len(game.stakes) for game in games), "a bet stands in two tables")
    law = {}
    for faces, weight in rolls_of(rules).items():
        roll = tuple(game.seen(faces) for game in games)
        law[roll] = law.get(roll, 0) + weight
    start = tuple(game.start for game in games)
    states, ends, rows = {start: 0}, {}, []
    for state in states_of(states):
        to, on = [], [not isinstance(part, End) for part in state]
        for roll in law:
            parts = zip(games, state, roll, on)
            after = tuple(game.step(x, seen) if o else x for game, x, seen, o in parts)
            if all(isinstance(part, End) for part in after):
                name = " \u00b7 ".join(part[0] for part in after)
                end = (name, sum((part[1] for part in after), ()))
                to.append(~ends.setdefault(end, len(ends)))
            else:
                to.append(states.setdefault(after, len(states)))
        parts = [game.said(x) if o else x[0] for game, x, o in zip(games, state, on)]
        row = {"state": " | ".join(parts), "roll": 0, "to": to}
        if len(games) > 1:
            bets = [(bet, o) for game, o in zip(games, on) for bet in game.stakes]
            row["counts"] = {f"rolls of {bet}": [int(o)] * len(law) for bet, o in bets}
        rows.append(row)
        must(len(states) <= MOST, "too many states")
    for row in rows:
        row["to"] = [t if t >= 0 else len(states) + ~t for t in row["to"]]
    rolls = [", ".join(roll) for roll in law]
    return {
        "rollables": [{"rolls": rolls, "weights": list(law.values())}],
        "outcomes": [{"name": name, "pays": {b: plain(x) for b, x in pays}} for name, pays in ends],
        "stakes": {bet: plain(x) for bet, x in stakes.items()},
        "passes": False,
    }, rows


def plain(x):
    return x if type(x) is int else str(x)


def states_of(found):
    """Each state, while more are found."""
    known, n = [], 0
    while n < len(found):
        known += list(found)[len(known) :] if n == len(known) else []
        yield known[n]
        n += 1


def told(rules, name=""):
    """For --words: the declaration, a value a line."""
    for key, value in rules.items():
        if type(value) is list and value and type(value[0]) is dict:
            for n, table in enumerate(value, 1):
                yield from told(table, f"{name}{key} {n}: ")
        elif type(value) is dict and any(type(x) is dict for x in value.values()):
            for inner, table in value.items():
                if type(table) is dict:
                    yield from told(table, f"{name}{key} {inner!a}: ")
                else:
                    yield f"{name}{key} {inner!a}: {json.dumps(table)}"
        else:
            yield f"{name}{key}: {json.dumps(value)}"


# 5. Games in which two players do not see everything.


class Policies:
    """Two policies, and the best replies to them.

    A player's sequence is a pair: a set of what is one to them, and the option that they chose
    there; or None. For each player a position has the sequences by which they come there, each with
    how likely all others do their part; and the root of the subgame that it is in.
    """

    def __init__(self, head, words):
        must(whole(keys(head, POLICIES)["version"], 2, 3), "another version")
        wants = [word(want) for want in many(head["wants"])]
        must(sorted(wants) == ["least", "most"], "one wants the most, the other the least")
        must(len([word(x) for x in many(head["players"])]) == 2, "not two players")
        word(head["game"]), word(head["of"])
        self.head, self.words, self.said = head, words, []
        self.laws, self.taken, self.worths, self.ends = laws(head["rollables"]), set(), [], []
        for end in many(head["outcomes"]):
            self.ends.append(own(keys(end, {"name", "worth"})["name"], self.taken))
            self.worths.append(number(end["worth"]))
        self.sets, self.nodes, self.names = [], whole(head["nodes"], 1), []
        self.kinds = [self.set] * whole(head["sets"], 1) + [self.position] * self.nodes
        self.arrivals = {0: ({}, {})}
        self.gains, self.calls = ({}, {}), ({}, {})
        self.roots, self.parents = [], {}
        if words:
            self.said += rolled(self.laws)
            each = zip(self.ends, head["outcomes"])
            self.said += [f"{name} is worth {end['worth']}" for name, end in each]

    def line(self, data, i):
        must(i < len(self.kinds), "more lines than announced")
        self.kinds[i](data, i - len(self.sets))

    def set(self, data, _):
        """What is one to a player, and how likely they choose each option there."""
        keys(data, {"sees", "player", "options", "plays"})
        player, plays = whole(data["player"], 0, 2), [number(x) for x in many(data["plays"])]
        names = [word(x) for x in many(data["options"])]
        must(len(plays) == len(names) > 0, "not one probability for each option")
        must(sum(plays) == 1 and min(plays) >= 0, "the probabilities do not add up to 1")
        self.sets.append((player, names, plays))
        if self.words:
            shown = "; ".join(f"{x!a} {p}" for x, p in zip(names, data["plays"]))
            sees = f"{self.head['players'][player]!a} sees {word(data['sees'])!a}"
            self.said.append(f"set {len(self.sets) - 1}: {sees}, plays {shown}")

    def position(self, data, i):
        """A position; it stands after all that lead to it."""
        how = "set" if "set" in data else "roll" if "roll" in data else "to"
        keys(data, {"position", "to", how}, {"root"})
        here, root = self.arrivals.pop(i, None), data.get("root", False) is True
        must(here and (i == 0) <= root == ("root" in data), "nothing leads here")
        if root:
            self.roots.append(i)
            for calls, table in zip(self.calls, here):
                for key, chance in table.items():
                    calls.setdefault(key, []).append((i, chance))
            here = [{(i, None): 1}, {(i, None): 1}]
        must(len({where for table in here for where, _ in table}) == 1, "two subgames meet here")
        names, shares, chooser, parent = [""], [1], None, None
        if how == "set":
            k = whole(data["set"], 0, len(self.sets))
            chooser, names, shares = self.sets[k]
            (parent, *more) = here[chooser]
            met = self.parents.setdefault(k, parent)
            must(not more and met == parent, "a player forgets what they saw or did")
        elif how == "roll":
            names, weights = self.laws[whole(data["roll"], 0, len(self.laws))]
            shares = [Fraction(w, sum(weights)) for w in weights]
        to = [whole(t, i + 1, self.nodes + len(self.ends)) for t in many(data["to"])]
        must(len(to) == len(shares), "not as many targets")
        for j, (t, share) in enumerate(zip(to, shares)):
            for p, table in enumerate(here):
                if p == chooser:
                    self.lead(t, p, [((parent[0], (k, j)), table[parent])])
                else:
                    self.lead(t, p, [(key, chance * share) for key, chance in table.items()])
        if self.words:
            after = [f"position {t}" if t < self.nodes else self.ends[t - self.nodes] for t in to]
            kind = f"{how} {data[how]}" if how != "to" else "nothing to choose"
            root = "; the root of a subgame" if root else ""
            self.said.append(
                follows(f"position {i}, {word(data['position'])!a}", kind, names, after, root)
            )

    def lead(self, t, p, moved):
        """Add what comes to a position, or to an outcome."""
        end = t >= self.nodes
        table = self.gains[p] if end else self.arrivals.setdefault(t, ({}, {}))[p]
        worth = self.worths[t - self.nodes] if end else 1
        for key, chance in moved:
            table[key] = lean(table.get(key, 0) + chance * worth)

    def replied(self, p):
        """What the best reply of a player gets: subgames and sets, each from the last to the first.

        A root, and a set, was met after all that lead to it.
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

    def claimed(self, lines, seal):
        """Neither policy gets less than is claimed, whatever the other player does."""
        must(lines == len(self.kinds), "not as many lines as announced")
        head, most = self.head, self.head["wants"].index("most")
        low, high = number(head["low"]), number(head["high"])
        must(low <= self.replied(1 - most), "the policy of who wants the most gets less")
        must(self.replied(most) <= high, "the policy of who wants the least allows more")
        game = f"{head['game']!a} ({self.nodes} positions, {seal})"
        value = f"is {low}" if low == high else f"lies between {low} and {high}"
        value += f", where {head['players'][most]!a} wants the most"
        how = "each policy gets that, whatever the other player does; its best reply was worked out"
        return f"Proved of {game}: the mean of {head['of']!a} {value}; {how}."


# 6. Games that are written as states, or expanded into them.


class Proof:
    """A certificate; `line` is the number of the line that is being checked."""

    def __init__(self, content, words=False):
        self.content, self.words, self.line = content, words, 0
        self.names, self.ends, self.ranks, self.said, self.rows = [], [], [], [], None
        self.asked, self.taken = {"most": 0, "least": 0}, set()

    def lines(self):
        """Each line of the file, counted."""
        for n, line in enumerate(unpacked(self.content), 1):
            self.line = n
            yield line

    def check(self):
        """Check everything; what has been proved, in one sentence."""
        for line in self.lines():
            if self.line == 1:
                data = parsed(line)
                must(type(data) is dict and "format" in data, "this is no certificate")
                if data["format"] == "sevenout certificate of turns":
                    return self.each(Turns(data, self.words))
                if data["format"] == "sevenout certificate of two policies":
                    return self.each(Policies(data, self.words))
                self.begin(data)
                continue
            data = self.row(line)
            keys(data, {"state", "to", "rank", "values"}, data)
            self.ranks.append(whole(data["rank"], 0))
            named = self.line == 2 or (self.words and self.rows is None)
            self.names += [own(data["state"], self.taken)] if named else []
            must(len(many(data["values"])) == len(self.columns), "not one value for each column")
            for column, value in zip(self.columns, data["values"]):
                column.values.append(number(value))
        must(self.line, "this is no certificate")
        must(len(self.ranks) == whole(self.head["states"], 1), "not as many states as announced")
        must(self.rows is None or len(self.rows) == len(self.ranks), "a state is missing")
        for column in self.columns:
            column.values += column.ends
        ends = self.head["outcomes"]
        self.ranks += [0 for _ in ends]
        if self.words and self.rows is None:
            self.names += self.ends
            stakes = self.head["stakes"].items()
            self.said += [f"the bet {bet!a} stakes {x}" for bet, x in stakes]
            self.said += rolled(self.laws)
        for line in self.lines():
            if self.line > 1:
                self.state(self.row(line), self.line - 2)
        if self.words and self.rows is not None:
            self.said = [*told(self.head["rules"]), self.checked()]
        for name, end in zip(self.names[len(self.ranks) - len(ends) :], ends):
            pays = "; ".join(f"{bet!a} {x}" for bet, x in end["pays"].items())
            self.said.append(f"{name} pays {pays or 'nothing'}")  # with --words, else none is named
        self.line = 1
        both = self.head["passes"] or all(self.asked.values())
        must(not both or self.head["ends"] == "always", "two players, and the game need not end")
        return self.claimed()

    def row(self, line):
        """A state's line; of a declared game, what it is comes from the expansion."""
        data = parsed(line)
        if self.rows is None:
            return data
        must(self.line - 2 < len(self.rows), "more states than the declaration expands into")
        row = self.rows[self.line - 2]
        must(keys(data, {"state", "rank", "values"})["state"] == row["state"], "another state")
        return row | data

    def checked(self):
        """For --words: what was done with a declaration."""
        rolls = len(self.laws[0][0])
        what = f"the declaration expands into {len(self.rows)} states with {rolls} rolls each"
        return (
            f"checked: {what}; in each, every value is the mean of what follows, and a rank falls"
        )

    def each(self, game):
        """Every card of a game of turns, or every position of one with policies, as it is read."""
        for line in self.lines():
            if self.line > 1:
                game.line(parsed(line), self.line - 2)
        self.said = game.said
        return game.claimed(self.line - 1, sha256_of(self.content))

    def begin(self, head):
        """The header: what is rolled, how the game can end, what is claimed."""
        must(head["format"] == "sevenout certificate", "this is no certificate")
        whole(keys(head, DECLARED if "rules" in head else HEAD)["version"], 2, 3)
        if "rules" in head:
            body, self.rows = expanded(head["rules"])
            head = head | body
        must(type(head["passes"]) is bool and head["ends"] in ("always", "picked"), "no such end")
        self.head, self.residual = head, whole(head["residual"], 0)
        self.one = None if head["one"] is None else whole(head["one"], 1)
        exact = whole(head["scale"], 1) == 1 and self.residual == 0
        must(exact if self.one is None else head["ends"] == "always", "this needs another ranking")
        self.laws, self.claims, self.columns = laws(head["rollables"]), [], []
        word(head["game"])
        stakes = {bet: number(x) for bet, x in keys(head["stakes"], (), head["stakes"]).items()}
        must(all(x > 0 for x in stakes.values()), "a stake is more than 0")
        for end in many(head["outcomes"]):
            self.ends.append(own(keys(end, {"name", "pays"})["name"], self.taken))
            for amount in keys(end["pays"], (), stakes).values():
                number(amount)
        must(many(head["claims"]), "nothing is claimed")
        for claim in head["claims"]:
            must(type(claim) is dict and claim.get("of") in CLAIMS, "no such claim")
            has, columns = CLAIMS[claim["of"]][0], []
            word(keys(claim, has | {"of", "name", "within"})["name"])
            values = many(claim["first"]) if "first" in has else [claim["value"]]
            must(values, "nothing is claimed")
            self.columns += [Column(head, claim, columns) for _ in values]
            self.claims.append((claim, [number(x) for x in values], columns))

    def state(self, data, s):
        """The equation of a state; and that its rank is above what follows."""
        to, asked, one, rank = data["to"], "ask" in data, self.one, self.ranks[s]
        more = {"ask", "options", "pick"} | ({"margins"} if one is None else set())
        needed = {"state", "to", "rank", "values"} | (more if asked else {"roll"})
        keys(data, needed, {"counts", "passes"})
        word(data["state"])
        after = [self.ranks[whole(t, 0, len(self.ranks))] for t in many(to)]
        if asked:
            names, weights = [word(x) for x in many(data["options"])], [1] * len(to)
            pick = whole(data["pick"], 0, len(to))
            must(data["ask"] in ("most", "least") and len(self.columns) == 1, "no such question")
            self.asked[data["ask"]] += 1
        else:
            names, weights = self.laws[whole(data["roll"], 0, len(self.laws))]
        total = sum(weights)
        passes = [whole(x, 0, 2) for x in many(data.get("passes", [0] * len(to)))]
        must(0 < len(to) == len(names) == len(weights) == len(passes), "not as many as targets")
        must(self.head["passes"] or not any(passes), "a turn passes, against the header")
        if one is not None:
            mean = max(after) * total if asked else sum(w * x for w, x in zip(weights, after))
            must(mean + one * total <= rank * total, "the rank is not one above what follows")
        elif asked and self.head["ends"] == "always":
            must(max(after) < rank, "an option leads to no lower rank")
        else:
            must((after[pick] if asked else min(after)) < rank, "nothing leads to a lower rank")
        written = data.get("counts", {})
        must(type(written) is dict and "rolls" not in written, "rolls are counted here")
        counted = {n: [number(x) for x in many(each)] for n, each in written.items()}
        counted["rolls"] = [int(not asked)] * len(to)
        must(all(len(counts) == len(to) for counts in counted.values()), "not one count for each")
        for column in self.columns:
            counts = counted.get(column.counter, [0] * len(to))
            value, worth = column.values[s], column.follow(to, counts, passes)
            if not asked:
                off = abs(sum(w * x for w, x in zip(weights, worth)) - value * total)
                must(off <= self.residual * total, "the value is not the mean of what follows")
                continue
            best = max(worth) if data["ask"] == "most" else min(worth)
            off = max(abs(best - value), abs(worth[pick] - value))
            must(off <= self.residual, "the value, or the pick, is not the best of the options")
            margins = None if one is not None else [abs(x - value) for x in worth]
            must(margins is None or [number(x) for x in data["margins"]] == margins, "a margin")
        if self.words and self.rows is None:
            how = f"wants the {data['ask']}" if asked else f"roll {data['roll']}"
            more = "".join(f"; {n!a} counts {x}" for n, x in written.items())
            more += f"; the turn passes {passes}" if any(passes) else ""
            after = [self.names[t] for t in to]
            self.said.append(follows(self.names[s], how, names, after, more))

    def claimed(self):
        """What follows for the first state, which is the start."""
        said, unit, head = [], self.one or 1, self.head
        for claim, values, columns in self.claims:
            within = number(claim["within"]) * head["scale"] * unit
            for value, column in zip(values, columns):
                off = abs(value * head["scale"] - column.values[0]) * unit
                must(off + self.residual * self.ranks[0] <= within, "more is claimed than follows")
            size = "more than" if claim.get("more") else "at least"
            about = f" within {claim['within']}" if number(claim["within"]) else ""
            shown = ", ".join(str(x) for x in claim.get("first", [claim.get("value")]))
            each = ", ".join(f"{end} is {x}" for end, x in zip(self.ends, claim.get("worth", ())))
            stake = head["stakes"][claim["name"]] if claim["of"] in ("bet", "profit") else None
            what = CLAIMS[claim["of"]][1].format(size=size, stake=stake, each=each, **claim)
            said.append(f"{what} is {shown}{about}")
        states = f"{len(self.ranks) - len(head['outcomes'])} states from {self.names[0]}"
        if self.rows is not None:
            states = f"as declared, {states}"
        game = f"{head['game']!a} ({states}, {sha256_of(self.content)})"
        return f"Proved of {game}: {'; '.join(said)}; {self.wanted()}."

    def wanted(self):
        """Who wants what."""
        wants = [want for want, times in self.asked.items() if times]
        how = "the game ends with probability 1"
        if self.head["passes"]:
            if wants:
                each = " and ".join(f"the {x} in {self.asked[x]} states" for x in wants)
                how = f"each of two players, on their turn, wants {each} for themselves, and the "
                how += "picks are best for both"
            return f"{how}; the value is that of the player whose turn it is at the start"
        if len(wants) == 2:
            each = [f"the {want} (in {self.asked[want]} states)" for want in wants]
            return f"one player wants {each[0]}, another {each[1]}; the picks are best for both"
        if wants:
            among = "" if self.head["ends"] == "always" else " that end in a finite mean time"
            how = f"the {wants[0]} of all ways to choose{among}, and the picks reach it"
        return how


# 7. The program.


def judged(path, content, words=False):
    """0 where all is proved, 1 where it is not, 2 where it can't be read; and what there is to say,
    line by line.
    """
    proof = Proof(content, words)
    try:
        found = proof.check()
    except UnreadableError as error:
        return 2, [ascii(f"{path}, line {proof.line}: {error}")[1:-1]]
    except Exception as error:  # whatever is wrong, nothing has been proved
        why = error if type(error) is ValueError else "it is not written as a certificate is"
        return 1, [ascii(f"{path}, line {proof.line}: not proved: {why}")[1:-1]]
    return 0, [*proof.said, found]


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
    except BrokenPipeError:  # `| head`: what was asked for has been read
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
