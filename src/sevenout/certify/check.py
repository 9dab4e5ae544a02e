"""Check the certificate of a dice game: `python check.py proof.json`.

Nothing is needed but this file and Python. It prints what it has proved, in one sentence, and exits
with 0; or the first line that fails, and exits with 1. With --words it also prints the game, to be
compared with its rules: every state, every roll, and what it does. docs/certificates.md specifies
the format, and proves that what is checked here implies what is claimed.

The file is read twice: for the values and ranks of all states, and then for each state's equation.
The certificate of a game of turns has the rules alone; here each of its cards is worked out.
"""

import functools
import gzip
import hashlib
import json
import re
import sys
from fractions import Fraction
from math import lcm

HEAD = {"format", "version", "game", "fingerprint", "states", "rollables", "outcomes", "stakes"}
HEAD |= {"passes", "ends", "scale", "residual", "one", "claims"}
STATE = {"state", "to", "counts", "passes", "rank", "values"}
TURNS = {"format", "version", "game", "of", "want", "rollables", "endings", "outcomes", "tally"}
TURNS |= {"nodes", "readings", "cards", "unit", "rounded", "value", "within"}
CLAIMS = {  # what a claim of each kind has, besides its name and what it is within
    "bet": ({"value"}, "the mean profit of the bet {name!a} per unit staked"),
    "profit": ({"value", "least", "more"}, "the probability that {name!a} wins {size} {least}"),
    "outcome": ({"value", "outcomes"}, "the probability of {outcomes!a}"),
    "counter": ({"value"}, "the mean of the counter {name!a}"),
    "worth": ({"value", "worth"}, "the mean of {name!a}, as the header lists its worth,"),
    "law": ({"first"}, "the law of the counter {name!a}, P(N = 0), P(N = 1) and so on,"),
}
NUMBER = re.compile(r"-?[0-9]+(/[0-9]+|(\.[0-9]+)?(e-[0-9]{1,4})?)")


def must(holds, what):
    if not holds:
        raise ValueError(what)


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


def parsed(line):
    def once(pairs):
        must(len(dict(pairs)) == len(pairs), "a key stands twice")
        return dict(pairs)

    def no(x):
        must(False, f"{x} is no exact number")

    return json.loads(line, parse_float=no, parse_constant=no, object_pairs_hook=once)


def own(name, taken):
    """A name that nothing else has: what reads alike is told apart by a number."""
    n, found = 1, str(name)
    while found in taken:
        n += 1
        found = f"{name} #{n}"
    taken.add(found)
    return found


def rolled(laws):
    """For --words: how likely each result is of what is rolled."""
    for k, (names, weights) in enumerate(laws):
        chances = "; ".join(f"{x} {w}/{sum(weights)}" for x, w in zip(names, weights))
        print(ascii(f"roll {k}: {chances}")[1:-1])


def follows(name, how, names, after, more=""):
    """For --words: where each result of a roll, or each option, leads."""
    moves = "; ".join(f"{x} -> {then}" for x, then in zip(names, after))
    print(ascii(f"{name} ({how}): {moves} {more}".rstrip())[1:-1])


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
            must(type(claim["outcomes"]) is list, "outcomes is a list")
            worth = [int(end["name"] in claim["outcomes"]) for end in ends]
        elif of == "worth":
            worth = [number(x) for x in claim["worth"]]
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


class Turns:
    """A game of turns: each card is played backwards, from the last to the first, for all totals.

    The totals stand side by side in one long integer, in lanes whose highest bit is clear. The
    worth of a card is an integer over a scale; every sum and every comparison is of integers.
    """

    def __init__(self, head, words):
        must(set(head) == TURNS and head["version"] == 1, "the header lacks a key, or has others")
        must(head["want"] in ("most", "least") and type(head["rounded"]) is bool, "no such claim")
        self.head, self.words = head, words
        self.sense = 1 if head["want"] == "most" else -1
        self.unit, self.lanes = whole(head["unit"], 1), whole(head["tally"][1], 0) + 1
        self.laws = [(r["rolls"], [whole(w, 1) for w in r["weights"]]) for r in head["rollables"]]
        self.taken = set()
        self.names = [own(name, self.taken) for name in head["endings"]]
        self.nodes, self.readings = [], []
        self.scales = [1 for _ in self.names]
        self.cards, self.values, self.left = [], [], []
        for end in head["outcomes"]:
            must(len(end["worth"]) == self.lanes, "not one worth for each total")
            self.cards.append(own(end["name"], self.taken))
            self.values.append([self.amount(x) for x in end["worth"]])
            self.left.append(0)
        self.kinds = [self.node] * whole(head["nodes"], 1)
        self.kinds += [self.reading] * whole(head["readings"], 1)
        self.kinds += [self.card] * whole(head["cards"], 1)
        if words:
            self.told()

    def told(self):
        """For --words: what is rolled, and what the end is worth."""
        rolled(self.laws)
        name, cap = self.head["tally"]
        for k, end in enumerate(self.head["outcomes"]):
            worth = end["worth"]
            steps = [n for n in range(self.lanes) if not n or worth[n] != worth[n - 1]]
            each = "; ".join(f"{worth[n]} with {name} {n} or more" for n in steps)
            print(
                ascii(f"{self.cards[k]}: the end, worth {each}; {name} is counted to {cap}")[1:-1]
            )

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
        must(set(data) in ({"node", "roll", "to"}, {"node", "options", "to"}), "no such node")
        asked, to = "options" in data, [whole(t, 0, len(self.names)) for t in data["to"]]
        names, weights = data.get("options"), [1 for _ in to]
        if not asked:
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
            follows(self.names[-1], how, names, [self.names[t] for t in to])

    def reading(self, data):
        """How an entry reads each ending: its class, or -1 if it can't be entered; what it pays."""
        must(set(data) == {"classes", "pays"}, "a key that nobody checks")
        classes, pays = data["classes"], [self.amount(x) for x in data["pays"]]
        must(len(classes) == len(pays) == len(self.head["endings"]), "not one for each ending")
        self.readings.append(([whole(c, -1) for c in classes], pays, min(pays), max(pays)))
        if self.words:
            read = zip(self.names, classes, data["pays"])
            each = "; ".join(f"{name} is {c}, pays {x}" for name, c, x in read if c >= 0)
            print(ascii(f"reading {len(self.readings) - 1}: {each}")[1:-1])

    def card(self, data):
        """A card: the best entry of each ending, the turn backwards, and so its worth."""
        must(set(data) == {"card", "entries"}, "a key that nobody checks")
        scale, entries, card = self.scales[-1], [], own(data["card"], self.taken)
        for entry in data["entries"]:
            must(set(entry) == {"entry", "reading", "to", "tally", "pays"}, "no such entry")
            to = [whole(t, 0, len(self.cards)) for t in entry["to"]]
            ways = list(zip(to, map(whole, entry["tally"], [0] * len(to))))
            more = [self.amount(x) for x in entry["pays"]]
            must(len(ways) == len(more) == len(to) == len(entry["tally"]), "not one for each class")
            entries.append((*self.readings[whole(entry["reading"], 0)], ways, more))
            if self.words:
                name, each = self.head["tally"][0], enumerate(zip(ways, entry["pays"]))
                after = [f"{c} pays {x}, {name} +{a} -> {self.cards[t]}" for c, ((t, a), x) in each]
                about = f"{entry['entry']}, reading {entry['reading']}: {'; '.join(after)}"
                print(ascii(f"{card} | {about}")[1:-1])
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
        game = f"{head['game']!a} ({head['cards']} cards, SHA-256 {seal})"
        best = "highest" if self.sense > 0 else "lowest"
        found = f"the {best} mean of {head['of']!a} is {head['value']}{about}"
        return f"Proved of {game}: {found}; every turn of every card was worked out."


class Proof:
    """A certificate; `line` is the number of the line that is being checked."""

    def __init__(self, path, words=False):
        self.path, self.words, self.names, self.ranks, self.asked = path, words, [], [], set()
        self.taken = set()

    def read(self):
        """Each line but the last, which has the SHA-256 of all the others."""
        digest, last, self.line = hashlib.sha256(), b"", 0
        with (gzip.open if str(self.path).endswith(".gz") else open)(self.path, "rb") as file:
            for line in file:
                if last:
                    digest.update(last)
                    self.line += 1
                    yield parsed(last)
                last = line
        self.line, self.hash = self.line + 1, digest.hexdigest()
        must(parsed(last or "0") == {"sha256": self.hash}, "not the SHA-256 of the lines before")

    def check(self):
        """Check everything; what has been proved, in one sentence."""
        for data in self.read():
            if self.line == 1 and data["format"] == "sevenout certificate of turns":
                return self.turns(Turns(data, self.words))
            if self.line == 1:
                self.begin(data)
                continue
            self.ranks.append(whole(data["rank"], 0))
            self.names += [own(data["state"], self.taken)] if self.words else []
            must(len(data["values"]) == len(self.columns), "not one value for each column")
            for column, value in zip(self.columns, data["values"]):
                column.values.append(number(value))
        must(len(self.ranks) == whole(self.head["states"], 1), "not as many states as announced")
        for column in self.columns:
            column.values += column.ends
        ends = self.head["outcomes"]
        self.ranks += [0 for _ in ends]
        if self.words:
            self.names += [own(end["name"], self.taken) for end in ends]
            rolled(self.laws)
        for data in self.read():
            if self.line > 1:
                self.state(data, self.line - 2)
        for name, end in zip(self.names[len(self.ranks) - len(ends) :], ends):
            print(f"{name!a} pays {end['pays']!a}")  # with --words, else nothing has a name
        self.line = 1
        self.alone = len(self.asked) < 2 and not self.head["passes"]
        must(self.alone or self.head["ends"] == "always", "two players, and the game need not end")
        return self.claimed()

    def turns(self, game):
        """Every card of a game of turns, as its line is read."""
        for data in self.read():
            if self.line > 1:
                game.line(data, self.line - 2)
        return game.claimed(self.line - 2, self.hash)

    def begin(self, head):
        """The header: what is rolled, how the game can end, what is claimed."""
        must(set(head) == HEAD, "the header lacks a key, or has one that nobody checks")
        must(head["format"] == "sevenout certificate" and head["version"] == 1, "another format")
        must(type(head["passes"]) is bool and head["ends"] in ("always", "picked"), "no such end")
        self.head, self.residual = head, whole(head["residual"], 0)
        self.one = None if head["one"] is None else whole(head["one"], 1)
        exact = whole(head["scale"], 1) == 1 and self.residual == 0
        must(exact if self.one is None else head["ends"] == "always", "this needs another ranking")
        self.laws, self.claims, self.columns = [], [], []
        for rollable in head["rollables"]:
            weights = [whole(weight, 1) for weight in rollable["weights"]]
            self.laws.append((rollable["rolls"], weights))
        for claim in head["claims"]:
            own = CLAIMS[claim["of"]][0]
            columns = []
            must(set(claim) == own | {"of", "name", "within"}, "a claim lacks a key, or has others")
            values = claim["first"] if "first" in own else [claim["value"]]
            self.columns += [Column(head, claim, columns) for _ in values]
            self.claims.append((claim, [number(x) for x in values], columns))

    def state(self, data, s):
        """The equation of a state; and that its rank is above what follows."""
        to, asked, one, rank = data["to"], "ask" in data, self.one, self.ranks[s]
        own = {"ask", "options", "pick"} | ({"margins"} if one is None else set())
        must(set(data) <= STATE | (own if asked else {"roll"}), "a key that nobody checks")
        after = [self.ranks[whole(t, 0, len(self.ranks))] for t in to]
        if asked:
            names, weights, pick = data["options"], [1] * len(to), whole(data["pick"], 0, len(to))
            must(data["ask"] in ("most", "least") and len(self.columns) == 1, "no such question")
            self.asked.add(data["ask"])
        else:
            names, weights = self.laws[whole(data["roll"], 0, len(self.laws))]
        total = sum(weights)
        passes = [whole(x, 0, 2) for x in data.get("passes", [0] * len(to))]
        must(0 < len(to) == len(names) == len(weights) == len(passes), "not as many as targets")
        must(self.head["passes"] or not any(passes), "a turn passes, against the header")
        if one is not None:
            mean = max(after) * total if asked else sum(w * x for w, x in zip(weights, after))
            must(mean + one * total <= rank * total, "the rank is not one above what follows")
        elif asked and self.head["ends"] == "always":
            must(max(after) < rank, "an option leads to no lower rank")
        else:
            must((after[pick] if asked else min(after)) < rank, "nothing leads to a lower rank")
        counted = {n: [number(x) for x in each] for n, each in data.get("counts", {}).items()}
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
        if self.words:
            how = f"wants the {data['ask']}" if asked else f"roll {data['roll']}"
            more = {key: data[key] for key in ("counts", "passes") if key in data} or ""
            follows(self.names[s], how, names, [self.names[t] for t in to], more)

    def claimed(self):
        """What follows for the first state, which is the start."""
        said, unit = [], self.one or 1
        for claim, values, columns in self.claims:
            within = number(claim["within"]) * self.head["scale"] * unit
            for value, column in zip(values, columns):
                off = abs(value * self.head["scale"] - column.values[0]) * unit
                must(off + self.residual * self.ranks[0] <= within, "more is claimed than follows")
            size = "more than" if claim.get("more") else "at least"
            about = f" within {claim['within']}" if number(claim["within"]) else ""
            shown = ", ".join(str(x) for x in claim.get("first", [claim.get("value")]))
            said.append(f"{CLAIMS[claim['of']][1].format(size=size, **claim)} is {shown}{about}")
        how = "the game ends with probability 1"
        if not self.alone:
            how = "each of the two players doing what is best for him, as the picks do"
        elif self.asked:
            among = "" if self.head["ends"] == "always" else " that end in a finite mean time"
            how = f"the {self.asked.pop()} of all ways to choose{among}, and the picks reach it"
        game = f"{self.head['game']!a} ({len(self.ranks) - len(self.head['outcomes'])} states"
        return f"Proved of {game}, SHA-256 {self.hash}): {'; '.join(said)}; {how}."


def main(arguments):
    sys.set_int_max_str_digits(0)  # values may be long
    paths = [argument for argument in arguments if argument != "--words"]
    if len(paths) != 1:
        print("python check.py [--words] proof.json")
        return 2
    proof = Proof(paths[0], "--words" in arguments)
    try:
        print(proof.check())
    except Exception as error:  # whatever is wrong, nothing has been proved
        print(f"{paths[0]}, line {getattr(proof, 'line', 0)}: {type(error).__name__}: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
