"""Check the certificate of a dice game: `python check.py proof.json`.

Nothing is needed but this file and Python. It prints what it has proved, in one sentence, and exits
with 0; or the first line that fails, and exits with 1. With --words it also prints the game, to be
compared with its rules: every state, every roll, and what it does. docs/certificates.md specifies
the format, and proves that what is checked here implies what is claimed.

The file is read twice: for the values and ranks of all states, and then for each state's equation.
"""

import gzip
import hashlib
import json
import re
import sys
from fractions import Fraction

HEAD = {"format", "version", "game", "fingerprint", "states", "rollables", "outcomes", "stakes"}
HEAD |= {"passes", "ends", "scale", "residual", "one", "claims"}
STATE = {"state", "to", "counts", "passes", "rank", "values"}
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


class Proof:
    """A certificate; `line` is the number of the line that is being checked."""

    def __init__(self, path, words=False):
        self.path, self.words, self.names, self.ranks, self.asked = path, words, [], [], set()

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
            if self.line == 1:
                self.begin(data)
                continue
            self.ranks.append(whole(data["rank"], 0))
            self.names += [data["state"]] if self.words else []
            must(len(data["values"]) == len(self.columns), "not one value for each column")
            for column, value in zip(self.columns, data["values"]):
                column.values.append(number(value))
        must(len(self.ranks) == whole(self.head["states"], 1), "not as many states as announced")
        for column in self.columns:
            column.values += column.ends
        self.ranks += [0 for _ in self.head["outcomes"]]
        self.names += [end["name"] for end in self.head["outcomes"]]
        for data in self.read():
            if self.line > 1:
                self.state(data, self.line - 2)
        for end in self.head["outcomes"] if self.words else []:
            print(f"{end['name']!a} pays {end['pays']!a}")
        self.line = 1
        self.alone = len(self.asked) < 2 and not self.head["passes"]
        must(self.alone or self.head["ends"] == "always", "two players, and the game need not end")
        return self.claimed()

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
            moves = "; ".join(f"{name} -> {self.names[t]}" for name, t in zip(names, to))
            print(ascii(f"{data['state']}: {moves} {data.get('counts', '')}".rstrip())[1:-1])

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
