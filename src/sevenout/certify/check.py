"""Check a certificate of a dice game: `python check.py certificate.json`.

It needs this file and Python 3.11, nothing else. It prints the rules, if the file has them as data,
and one sentence that says what is proved; then it exits with 0. If something is not proved it names
the line and exits with 1, and with 2 if the file can't be read.

What is proved
    The sentence says everything that the claim depends on. It gives the SHA-256 of the game's rules
    or moves, and the players' goals. Bets with their stakes, counters and ends have their names in
    the game. The title (`game`), the maker's text (`declaration`), and names of players, sets and
    claims that the game doesn't use are notes: they are never printed. Every number is exact and
    has one spelling, an integer or a reduced fraction; only claims within a bound are decimals.

How to read it
    1 Reading         lines, keys and numbers; everything else is refused
    2 Rules           a game's rules as data: what is rolled, and what follows
    3 Moves           rules, or the lines of a file, as states and moves
    4 Claims          the value of a claim in an outcome, and on a move
    5 Proof           the equation and the rank of every state; the sentence
    6 Two policies    games in which the players don't see everything
    7 Program

Why the checks imply the claims
    Let V(s) be the value in the file for state s, and the payoff for an outcome. A move from s to t
    that counts c has the value V(t) + c; where the turn passes, b - V(t), where b is what both
    players have together: 0, or 1 for the probability to win. A term P(N = n) of a distribution
    has the value of the term n - c in t. T is Bellman's operator: (TV)(s) is the mean of the values
    of the moves after a roll, and the best of them in a decision.
    Exact (`one` is null). Checked: TV = V. The rank, a whole number and 0 in outcomes, falls for
    some result of every roll and for every option. So within k moves, k the highest rank, the game
    ends with a probability of at least p > 0 whatever the players do. So it ends with probability
    1, T^k is a contraction, and V is its one fixed point (Banach), the value of the game. The same
    argument with the picks as the only options shows that the picks reach V.
    Bounded (`one` is e > 0). Values are integers over `scale`; r is `residual`. Checked:
    |TV - V| <= r, and the rank h(s) >= e + the mean of h after a roll, or e + its maximum over the
    options. So h/e bounds the mean number of moves. Let c be the largest |V - true value| e/h.
    Where it is reached, c h/e <= c (h - e)/e + r, so c <= r: everywhere |V - true value| <= r h/e.
    (Chatterjee, Quatmann et al., TACAS 2025, arXiv 2501.11467.)
    Two policies. Each guarantees to its player what the other's best reply leaves. A best reply is
    a sum over the sequences of a player who remembers (von Stengel 1996), from the last backwards.
"""

import ast
import gzip
import hashlib
import io
import json
import os
import re
import sys
import zlib
from array import array
from collections import Counter, namedtuple
from fractions import Fraction

# 1 Reading ---------------------------------------------------------------------------------------

FRACTION = re.compile(r"-?[1-9][0-9]*/[1-9][0-9]*")
DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
BOUND = re.compile(r"[1-9]e-(0|[1-9][0-9]{0,4})")
MAX_LINE = 1 << 28  # bytes; a longer line is a mistake, and would fill the memory
MAX_STATES = 10**6  # of rules as data: few rules can make more states than fit in memory


class UnreadableError(Exception):
    """The file is cut short or damaged."""


def must(holds, fault):
    """Refuse the file unless the condition holds."""
    if not holds:
        raise ValueError(fault)


def object_with(data, needed, optional=()):
    """The JSON object, if it has all needed keys and no unknown ones.

    A key that nobody reads could make a person believe what was never checked.
    """
    must(type(data) is dict, "a JSON object is missing")
    for key in needed:
        must(key in data, f"the key {key!r} is missing")
    for key in data:
        must(key in needed or key in optional, f"the key {key!r} is unknown")
    return data


def reader_of(kind, name):
    """A reader of JSON values of one type."""

    def read(x):
        must(type(x) is kind, f"{x!r:.60} is not a {name}")  # so `true` is not the number 1
        return x

    return read


as_list, as_text = reader_of(list, "list"), reader_of(str, "text")
as_flag, as_integer = reader_of(bool, "Boolean"), reader_of(int, "whole number")


def natural(x, at_least=0, below=None):
    """A whole number in this range."""
    must(as_integer(x) >= at_least and (below is None or x < below), f"{x} is out of range")
    return x


def rational(x):
    """An exact number: an integer, or a reduced fraction as text, "-7/495"."""
    if type(x) is int:
        return x
    must(type(x) is str and FRACTION.fullmatch(x), f"{x!r:.60} is not an exact number")
    numerator, denominator = map(int, x.split("/"))
    value = Fraction(numerator, denominator)
    must(1 < denominator == value.denominator, f"{x!r:.60} is not in lowest terms")
    return value


def positive(x):
    value = rational(x)
    must(value > 0, f"{x!r:.60} is not above 0")
    return value


def pay_of(x, stake):
    """What a bet wins or loses, and the money at risk, which is the stake if it isn't written."""
    if type(x) is dict:
        object_with(x, ("profit", "risk"))
        paid, risk = rational(x["profit"]), rational(x["risk"])
    else:
        paid, risk = rational(x), stake
    must(risk >= stake and paid >= -risk, f"{x!r:.60} loses more than is at risk")
    return paid, risk


def simplified(x):
    """An integer where the fraction is one: integers are faster."""
    return x.numerator if x.denominator == 1 else x


def one_line(data):
    """JSON without spaces, in UTF-8: what is hashed."""
    line = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return line.encode(errors="backslashreplace")  # half of a pair of UTF-16 stays an escape


def unique_keys(pairs):
    must(len(dict(pairs)) == len(pairs), "a key appears twice")
    return dict(pairs)


def no_float(x):
    raise ValueError(f"{x} is not an exact number")


def parsed(line):
    """The JSON value of a line."""
    try:
        return json.loads(
            line.decode(), parse_float=no_float, parse_constant=no_float,
            object_pairs_hook=unique_keys,
        )  # fmt: skip
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise UnreadableError("the line is not JSON") from None


class Lines:
    """The lines of a certificate, plain or packed by gzip; `line` is the number of the last."""

    def __init__(self, content):
        self.line, file = 0, io.BytesIO(content)
        self.file = gzip.GzipFile(fileobj=file) if content[:2] == b"\x1f\x8b" else file

    def __iter__(self):
        return self

    def __next__(self):
        try:
            line = self.file.readline(MAX_LINE)
        except (EOFError, OSError, zlib.error):
            raise UnreadableError("the gzip data is cut short or damaged") from None
        if not line:
            raise StopIteration
        self.line += 1
        must(len(line) < MAX_LINE, "the line is too long")
        return parsed(line)

    def take(self, n):
        """The next n lines; the file must have them."""
        for _ in range(n):
            line = next(self, None)
            must(line is not None, "there are fewer lines than announced")
            yield line

    def close(self):
        must(next(self, None) is None, "there are more lines than announced")


def weights_of(rollables):
    """For each thing that is rolled, the weights of its results."""
    roll_weights = []
    for rollable in as_list(rollables):
        object_with(rollable, ("rolls", "weights"))
        names = [as_text(name) for name in as_list(rollable["rolls"])]
        weights = [natural(weight, 1) for weight in as_list(rollable["weights"])]
        must(0 < len(names) == len(weights), "each result needs one weight")
        roll_weights.append(weights)
    return roll_weights


# 2 Rules -----------------------------------------------------------------------------------------
# Rules have `dice`, or `cards` and how many to `draw`; `bets`, the stake of each; `sees`, what the
# game reads in a roll: expressions of the faces d1, d2, ...; `start`, its variables, whole numbers;
# and `roll`, the rules: the first whose `if` holds is applied, and if none does nothing changes.
# `choose` has the options before a roll: those whose `if` holds; of several rules of one option the
# first. Expressions are Python's, with the operators below.
#
#   {"dice": [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]],
#    "bets": {"pass": 1}, "sees": {"total": "d1 + d2"}, "start": {"point": 0}, "roll": [
#     {"if": "point == 0 and total in (7, 11)", "end": "natural", "pays": {"pass": 1}},
#     {"if": "point == 0 and total in (2, 3, 12)", "end": "craps", "pays": {"pass": -1}},
#     {"if": "point == 0", "set": {"point": "total"}},
#     {"if": "total == point", "end": "point", "pays": {"pass": 1}},
#     {"if": "total == 7", "end": "seven out", "pays": {"pass": -1}}]}

End = namedtuple("End", "name pays")  # pays: (bet, (profit, money at risk)) for each bet
Move = namedtuple("Move", "after counts passes", defaults=({}, False))
Rule = namedtuple("Rule", "condition sets counts passes end")

SPELLING = re.compile(r"[A-Za-z0-9_ ()<>=!+*/%,-]+")  # no comments, no letters that look alike
OPERATORS = (
    ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Tuple, ast.BoolOp, ast.And, ast.Or,
    ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod,
    ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
)  # fmt: skip


def table_of(read):
    """A reader of an object whose values are all read alike."""
    return lambda x: {key: read(value) for key, value in object_with(x, (), x).items()}


def expression(source, names):
    """The compiled expression, if it has only these names and the operators above."""
    source = str(source) if type(source) is int else as_text(source)
    must(SPELLING.fullmatch(source), f"{source!a:.60} has other signs than expressions have")
    tree = ast.parse(source, mode="eval")
    for node in ast.walk(tree):
        is_allowed = type(node) in OPERATORS
        is_allowed &= type(node) is not ast.Constant or type(node.value) is int
        is_allowed &= type(node) is not ast.Name or node.id in names
        inner = {type(child) for child in ast.iter_child_nodes(node)}
        is_allowed &= ast.Tuple not in inner or type(node) in (ast.Compare, ast.Tuple)
        must(is_allowed, f"{source!a:.60} has an unknown name or operator")
    return compile(tree, "", "eval")


def evaluated(code, names):
    x = int(eval(code, {"__builtins__": {}}, names))  # only what `expression` let through
    must(abs(x) < 10**12, "a number is too large")
    return x


def rolls_of(rules):
    """Every roll of the dice, or deal of the cards, with its weight; the last die is fastest."""
    cards = "cards" in rules
    sources = [rules["cards"]] * natural(rules["draw"], 1, 8) if cards else as_list(rules["dice"])
    must(sources and all(map(as_list, sources)), "nothing is rolled")
    rolls = {(): 1}
    for faces in sources:
        longer = Counter()
        for roll, weight in rolls.items():
            left = [as_integer(face) for face in faces]
            for card in roll if cards else ():
                left.remove(card)  # dealt cards don't come back
            for face in left:
                longer[*roll, face] += weight
            must(len(longer) <= MAX_STATES, "there are too many rolls")
        rolls = longer
    return rolls


class Game:
    """The game of these rules. A state is the values of its variables.

    Attributes:
        bets: the stake of each bet.
        variables: the names of the values of a state.
        start: the state before the first roll.
        sees: the compiled expressions of what the game reads in a roll, by name.
        rules: what may follow a roll; the first Rule that holds is applied.
        options: pairs (option, Rule): what may be chosen before a roll.
        results: the weight of each result: of the values that the game sees in a roll.
        turns_pass: whether some rule passes the turn to the other player.
    """

    def __init__(self, rules):
        source = ("cards", "draw") if "cards" in rules else ("dice",)
        object_with(rules, (*source, "bets", "sees", "start", "roll"), ("choose",))
        rolls = rolls_of(rules)
        faces = [f"d{i}" for i in range(1, len(next(iter(rolls))) + 1)]
        self.bets, start = table_of(positive)(rules["bets"]), table_of(as_integer)(rules["start"])
        self.variables, self.start = list(start), tuple(start.values())
        self.sees = {name: expression(x, faces) for name, x in rules["sees"].items()}
        seen = {*self.variables, *self.sees}
        must(len(seen) == len(self.variables) + len(self.sees), "a name has two meanings")
        self.rules = [self.read_rule(rule, seen) for rule in as_list(rules["roll"])]
        self.options = []
        for rule in as_list(rules.get("choose", [])):
            own = {key: x for key, x in rule.items() if key != "option"}
            self.options.append((as_text(rule["option"]), self.read_rule(own, self.variables)))
        every = (*self.rules, *(rule for _, rule in self.options))
        self.turns_pass = any(rule.passes for rule in every)
        self.results = Counter()
        for roll, weight in rolls.items():
            names = dict(zip(faces, roll))
            self.results[tuple(evaluated(code, names) for code in self.sees.values())] += weight

    def read_rule(self, rule, names):
        """Read a rule; an end pays every bet."""
        object_with(rule, (), ("if", "set", "count", "pass_turn", "end", "pays"))
        sets = {name: expression(x, names) for name, x in rule.get("set", {}).items()}
        counts = {name: expression(x, names) for name, x in rule.get("count", {}).items()}
        must(set(sets) <= set(self.variables), "a rule sets what is no variable")
        must("rolls" not in counts, "the checker counts the rolls")
        end = None
        must("end" in rule or "pays" not in rule, "only an end pays")
        if "end" in rule:
            pays = object_with(rule.get("pays", {}), self.bets)
            pays = tuple((bet, pay_of(pays[bet], stake)) for bet, stake in self.bets.items())
            end = End(as_text(rule["end"]), pays)
        passes = as_flag(rule.get("pass_turn", False))
        must(not (end and (sets or passes)), "an end changes nothing more")
        return Rule(expression(rule.get("if", "1"), names), sets, counts, passes, end)

    def step(self, state, result):
        """The Move of the first rule that holds; the state stays if none does."""
        names = dict(zip(self.variables, state)) | dict(zip(self.sees, result))
        for rule in self.rules:
            if evaluated(rule.condition, names):
                return self.apply(rule, names, state)
        return Move(state)

    def has_choice(self, state):
        """Whether the player has a choice before the roll: some option is allowed."""
        names = dict(zip(self.variables, state))
        return any(evaluated(rule.condition, names) for _, rule in self.options)

    def menu(self, state):
        """The Move of each option before a roll; empty if there is nothing to choose."""
        names, moves = dict(zip(self.variables, state)), {}
        for option, rule in self.options:
            if option not in moves and evaluated(rule.condition, names):
                moves[option] = self.apply(rule, names, state)
        return moves

    def apply(self, rule, names, state):
        """The Move of a rule; all variables are set at once."""
        counts = {name: evaluated(code, names) for name, code in rule.counts.items()}
        after = rule.end
        if after is None:
            changed = {name: evaluated(code, names) for name, code in rule.sets.items()}
            after = tuple(changed.get(name, x) for name, x in zip(self.variables, state))
        return Move(after, counts, rule.passes)

    def state_name(self, state):
        return ", ".join(f"{name} {x}" for name, x in zip(self.variables, state)) or "start"


# 3 Moves -----------------------------------------------------------------------------------------


class Model:
    """A game as states and moves, in flat arrays; outcome k is target -1 - k.

    Attributes:
        roll_weights: the weights of the results, of each thing that is rolled.
        ends: the name and the pays of each outcome.
        bets: the stake of each bet.
        rolled: by state, the index of its weights in `roll_weights`; -1 in a decision.
        first: by state, where its moves begin; one more for the end.
        targets, tags: by move, where it leads, and the index of its tag.
        tag_list, tag_index: what moves may count, and whether the turn passes; the index of each.
        sha256: of the rules, or of the moves if they are written out.
        turns_pass: whether a turn may pass to the other player.
    """

    def __init__(self, turns_pass, bets):
        self.turns_pass, self.bets, self.ends, self.roll_weights = turns_pass, bets, [], []
        self.rolled, self.first = array("q"), array("q", [0])
        self.targets, self.tags = array("q"), array("q")
        self.tag_index, self.tag_list = {}, []

    def add(self, roll, moves):
        """Add a state: what is rolled (as in `rolled`), and its moves as target, counts, passes."""
        for target, counts, passes in moves:
            key = (*sorted(counts.items()), passes) if counts else passes
            if key not in self.tag_index:
                self.tag_index[key] = len(self.tag_list)
                self.tag_list.append((counts, passes))
                must(self.turns_pass or not passes, "a turn passes in a game where none does")
            self.targets.append(target)
            self.tags.append(self.tag_index[key])
        self.rolled.append(roll)
        self.first.append(len(self.targets))

    def counters(self):
        return {"rolls"}.union(*(counts for counts, _ in self.tag_list))


PROOF_KEYS = ("rank", "values", "ask", "pick")  # of a line; the others are the game


class Expansion:
    """Expands rules breadth first into a model, in step with the lines of the file.

    A node is a pair: whether the player chooses, and the state of the rules. A state with a choice
    has two nodes: the decision, and the roll after an option that changes nothing.

    Attributes:
        game: the rules.
        model: the nodes read so far, as states of a model.
        nodes: those met so far; a node's place is the number of its state.
        numbers: of each node, its place.
        ends: of each End, the target that stands for it.
    """

    state_keys = PROOF_KEYS

    def __init__(self, rules):
        self.game = Game(rules)
        self.model = Model(self.game.turns_pass, self.game.bets)
        self.model.roll_weights = [list(self.game.results.values())]
        self.model.sha256 = hashlib.sha256(one_line(rules)).hexdigest()
        self.nodes, self.numbers, self.ends = [], {}, {}
        self.target_of(self.game.start, None)

    def target_of(self, after, decided):
        """The number of what follows; new nodes and ends get the next one.

        `decided` is the state in which an option was just chosen: there the dice are rolled.
        """
        if type(after) is End:
            if after not in self.ends:
                self.ends[after] = ~len(self.ends)
                self.model.ends.append((after.name, {bet: paid for bet, (paid, _) in after.pays}))
            return self.ends[after]
        node = (after != decided and self.game.has_choice(after), after)
        if node not in self.numbers:
            must(len(self.nodes) < MAX_STATES, "the rules make too many states")
            self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return self.numbers[node]

    def read(self, row, s):
        """Add state s to the model, if the line is of this state."""
        must(s < len(self.nodes), "the rules make fewer states")
        chooser, state = self.nodes[s]
        name = self.game.state_name(state)
        must(row["state"] == name, f"here is the state {name!r}")
        must(("pick" in row) == chooser, "a decision has a pick, and nothing else has")
        if chooser:
            moves, decided = self.game.menu(state).values(), state
        else:
            moves, decided = [self.game.step(state, result) for result in self.game.results], None
        moves = [(self.target_of(m.after, decided), m.counts, m.passes) for m in moves]
        self.model.add(-chooser, moves)

    def close(self):
        must(len(self.nodes) == len(self.model.rolled), "the rules make more states")
        return self.model


class Listing:
    """Reads a model whose states the file writes out.

    Attributes:
        model: the states read so far.
        states: how many the header announces; the outcomes are the targets from there on.
        target_limit: the number of states and outcomes.
        hash: of all that is read but the proof: header and states.
    """

    header_keys = ("rollables", "outcomes", "stakes", "passes")
    state_keys = (*PROOF_KEYS, "roll", "options", "to", "counts", "passes")

    def __init__(self, header):
        bets = table_of(positive)(header["stakes"])
        self.model, self.states = Model(as_flag(header["passes"]), bets), header["states"]
        self.model.roll_weights = weights_of(header["rollables"])
        for end in as_list(header["outcomes"]):
            pays = object_with(object_with(end, ("name", "pays"))["pays"], (), bets)
            pays = {bet: rational(amount) for bet, amount in pays.items()}
            self.model.ends.append((as_text(end["name"]), pays))
        self.target_limit = self.states + len(self.model.ends)
        game = {key: header[key] for key in self.header_keys}
        self.hash = hashlib.sha256(one_line(game) + b"\n")

    def read(self, row, s):
        """Add state s to the model."""
        chooser = "options" in row
        must(chooser != ("roll" in row) and chooser == ("pick" in row), "a roll, or a decision")
        as_text(row["state"])
        roll = -1 if chooser else natural(row["roll"], 0, len(self.model.roll_weights))
        if chooser:
            n = len([as_text(option) for option in as_list(row["options"])])
        else:
            n = len(self.model.roll_weights[roll])
        targets = [natural(t, 0, self.target_limit) for t in as_list(row["to"])]
        targets = [t if t < self.states else self.states - 1 - t for t in targets]
        passes = [natural(x, 0, 2) for x in row.get("passes", [0] * n)]
        counts = {name: list(map(rational, as_list(column)))
                  for name, column in row.get("counts", {}).items()}  # fmt: skip
        must("rolls" not in counts, "the checker counts the rolls")
        must(all(len(x) == n > 0 for x in (targets, passes, *counts.values())), "not one each")
        counts_by_move = [{name: column[k] for name, column in counts.items()} for k in range(n)]
        self.model.add(roll, list(zip(targets, counts_by_move, passes)))
        game = {key: x for key, x in row.items() if key not in PROOF_KEYS}
        self.hash.update(one_line(game) + b"\n")

    def close(self):
        self.model.sha256 = self.hash.hexdigest()
        return self.model


# 4 Claims ----------------------------------------------------------------------------------------

CLAIM_KEYS = {  # besides `of`, `name` and `within`
    "bet": ("value",),
    "win": ("value",),
    "outcome": ("value", "outcomes"),
    "counter": ("value",),
    "worth": ("value", "worth"),
    "law": ("first",),
}


class Column:
    """A value of each state, times the scale: of a claim, or of one term of a distribution.

    Attributes:
        values: by state, and then by outcome from the last to the first, so that a target indexes
            the list: -1 is the last item, and outcome 0.
        counter: what the claim counts on moves, if anything.
        players_sum: of the two players' values: profits add up to 0, probabilities to the scale.
        term, terms: of a distribution P(N = term), and the columns of all its terms.
    """

    def __init__(self, claim, terms):
        self.claim, self.values, self.players_sum = claim, [], 0
        name = as_text(claim["name"])
        self.counter = name if claim["of"] in ("counter", "law") else None
        self.term, self.terms = len(terms), terms
        terms.append(self)

    def append_outcomes(self, model, scale):
        """Append the values of the outcomes."""
        claim, ends = self.claim, model.ends
        kind, name = claim["of"], claim["name"]
        if kind in ("bet", "win"):
            must(name in model.bets, f"there is no bet {name!r}")
            values = [Fraction(pays[name]) / model.bets[name] for _, pays in ends]
        if kind == "win":
            must(not model.turns_pass or all(values), "neither player wins in some outcome")
            values, self.players_sum = [int(x > 0) for x in values], scale
        elif kind == "outcome":
            names = [as_text(x) for x in as_list(claim["outcomes"])]
            must(len(set(names)) == len(names) > 0, "an outcome is named twice")
            must(set(names) <= {end for end, _ in ends}, "there is no such outcome")
            values = [int(end in names) for end, _ in ends]
        elif kind == "worth":
            values = [rational(x) for x in as_list(claim["worth"])]
            must(len(values) == len(ends), "not one worth for each outcome")
        elif kind in ("counter", "law"):
            must(name in model.counters(), f"the game has no counter {name!r}")
            values = [int(kind == "law" and self.term == 0)] * len(ends)
        shared = kind in ("bet", "win", "counter")  # a claim of both players, from either's side
        must(shared or not model.turns_pass, "where turns pass, claim a bet or a counter")
        self.values += [simplified(x * scale) for x in reversed(values)]

    def move_values(self, targets, tags, rolled, scale):
        """The value of each move of a state."""
        values, counter = self.values, self.counter
        if counter is None:
            gains = [values[t] for t in targets]
            return [self.players_sum - x if passes else x for x, (_, passes) in zip(gains, tags)]
        counts = [int(rolled) if counter == "rolls" else c.get(counter, 0) for c, _ in tags]
        if self.claim["of"] == "counter":
            return [values[t] + c * scale for t, c in zip(targets, counts)]
        for c in counts:
            natural(c)  # the terms of a distribution need whole counts that don't go down
        n = self.term
        return [self.terms[n - c].values[t] if c <= n else 0 for t, c in zip(targets, counts)]


# 5 Proof -----------------------------------------------------------------------------------------

HEADER_KEYS = ("format", "version", "states", "scale", "residual", "one", "claims")
NOTES = ("game", "declaration")  # for people; nothing that is proved depends on them
ASKS = ("most", "least", "fixed")  # the chooser's goal; "fixed" follows the pick, best or not


class Proof:
    """Values and ranks of all states: first read, then checked against the moves of the game.

    Attributes:
        header: the first line.
        scale, residual: of the values, as in the header; see the top of this file.
        one: what the rank falls by in the mean of a move, at least; None if values are exact.
        columns: the values of each claim, or of each term of a distribution.
        ranks: by state, and then 0 for each outcome.
        start: the name of the first state.
        asks, picks: by decision state, the chooser's goal and the move picked.
        goals: those of the choosers who don't follow a policy.
        model: the states and moves, read from the lines or expanded from the rules.
    """

    def __init__(self, header, lines):
        has_rules = "rules" in header
        model_keys = ("rules",) if has_rules else Listing.header_keys
        object_with(header, (*HEADER_KEYS, *model_keys), NOTES)
        self.header, states = header, natural(header["states"], 1)
        self.scale, self.residual = natural(header["scale"], 1), natural(header["residual"])
        self.one = None if header["one"] is None else natural(header["one"], 1)
        if self.one is None:
            must(self.scale == 1 and self.residual == 0, "exact values have scale 1, residual 0")
        self.columns = []
        for claim in as_list(header["claims"]):
            kind = object_with(claim, ("of",), claim)["of"]
            must(kind in CLAIM_KEYS, "there is no such claim")
            object_with(claim, ("of", "name", "within", *CLAIM_KEYS[kind]))
            terms = []
            for _ in range(len(as_list(claim["first"])) if kind == "law" else 1):
                self.columns.append(Column(claim, terms))
        must(self.columns, "nothing is claimed")
        source = Expansion(header["rules"]) if has_rules else Listing(header)
        self.ranks, self.asks, self.picks = [], {}, {}
        for s, row in enumerate(lines.take(states)):
            self.read(object_with(row, ("state", *PROOF_KEYS[:2]), source.state_keys), s)
            source.read(row, s)
        lines.close()
        self.model = source.close()
        self.check_states(lines)

    def read(self, row, s):
        """Keep the rank, values and pick of a state."""
        if s == 0:
            self.start = row["state"]
        self.ranks.append(natural(row["rank"]))
        must(len(as_list(row["values"])) == len(self.columns), "not one value for each claim")
        for column, value in zip(self.columns, row["values"]):
            column.values.append(rational(value))
        if "pick" in row:
            must(row.get("ask") in ASKS, "no such goal of a player")
            self.asks[s], self.picks[s] = row["ask"], natural(row["pick"])
        else:
            must("ask" not in row, "a decision has `ask` and `pick`")

    def check_states(self, lines):
        """Check that the goals fit together, then every state."""
        for column in self.columns:
            column.append_outcomes(self.model, self.scale)
        self.ranks += [0] * len(self.model.ends)
        self.goals = set(self.asks.values()) - {"fixed"}
        must(not self.goals or len(self.columns) == 1, "choices are best for one claim only")
        if self.model.turns_pass and self.goals:
            opposed = self.goals == {"most"} and self.columns[0].counter is None
            must(opposed, "where turns pass and players choose, each wants the most on a bet")
        for s in range(len(self.model.rolled)):
            lines.line = s + 2
            self.check_state(s)
        lines.line = 1

    def check_state(self, s):
        """Check the rank and the equation of a state."""
        model, roll, ask = self.model, self.model.rolled[s], self.asks.get(s)
        moves = slice(model.first[s], model.first[s + 1])
        targets = model.targets[moves]
        tags = [model.tag_list[tag] for tag in model.tags[moves]]
        weights = [1] if roll < 0 else model.roll_weights[roll]
        if ask:
            pick = natural(self.picks[s], 0, len(targets))
        if ask == "fixed":
            targets, tags, ask = targets[pick : pick + 1], tags[pick : pick + 1], None
        ranks, rank, total = [self.ranks[t] for t in targets], self.ranks[s], sum(weights)
        if self.one is not None:
            mean = max(ranks) if ask else sum(map(int.__mul__, weights, ranks))
            must(mean + self.one * total <= rank * total, "the rank doesn't fall enough")
        elif ask:
            must(max(ranks) < rank, "the rank doesn't fall after every option")
        else:
            must(min(ranks) < rank, "the rank doesn't fall after any result")
        for column in self.columns:
            value = column.values[s]
            gains = column.move_values(targets, tags, roll >= 0, self.scale)
            if ask:
                best = max(gains) if ask == "most" else min(gains)
                error = max(abs(best - value), abs(gains[pick] - value))
                must(error <= self.residual, "the value isn't that of the best option and the pick")
            else:
                mean = sum([w * x for w, x in zip(weights, gains)])
                error = abs(mean - value * total)
                must(error <= self.residual * total, "the value isn't the mean of what follows")

    def sentence(self, file):
        """The sentence that says what is proved for the first state."""
        hashed = "rules" if "rules" in self.header else "moves"
        claims, columns = [], iter(self.columns)
        for claim in self.header["claims"]:
            values = claim["first"] if claim["of"] == "law" else [claim["value"]]
            values = [self.claimed_value(claim, value, next(columns)) for value in values]
            verb = "are" if claim["of"] == "law" else "is"
            bound = f" within {claim['within']}" if self.one else ""
            claims.append(f"{self.claim_in_words(claim)} {verb} {', '.join(values)}{bound}")
        states = len(self.model.rolled)
        return (
            f"Proved of the game whose {hashed} have the SHA-256 {self.model.sha256} ({states} "
            f"state{'s' * (states > 1)} from {self.start!a}; {file}): {'; '.join(claims)}; "
            f"{self.goals_in_words()}."
        )

    def claimed_value(self, claim, value, column):
        """The claimed value as written, if it follows from the value of the first state."""
        start, within = column.values[0], claim["within"]
        if self.one is None:
            must(type(within) is int and within == 0, "exact values are within 0")
            must(rational(value) == start, "this isn't the value of the first state")
            return str(value)
        must(type(value) is str and DECIMAL.fullmatch(value), f"{value!r:.60} is not a decimal")
        must(type(within) is str and BOUND.fullmatch(within), f"{within!r:.60} is not a bound")
        error = abs(Fraction(value) * self.scale - start) * self.one
        error += self.residual * self.ranks[0]
        must(error <= Fraction(within) * self.scale * self.one, "more is claimed than follows")
        return value

    def claim_in_words(self, claim):
        """The claim, with everything in the game that it depends on."""
        kind, name, ends = claim["of"], claim["name"], self.model.ends
        if kind == "counter":
            return f"the mean of the counter {name!a}"
        if kind == "law":
            return f"the probabilities P(N = 0), P(N = 1) and so on of the counter N = {name!a}"
        if kind == "outcome":
            return f"the probability of {' or '.join(map(ascii, claim['outcomes']))}"
        if kind == "worth":
            values = enumerate(zip(ends, claim["worth"]), 1)
            values = ", ".join(f"end {k} ({end!a}) is {x}" for k, ((end, _), x) in values)
            return f"the mean, where {values},"
        if kind == "win":
            return f"the probability that the bet {name!a} gains"
        stake = self.model.bets[name]
        return f"the mean profit of the bet {name!a} (stake {stake}) per unit staked"

    def goals_in_words(self):
        """The players' goals, and why the game ends."""
        n, how = Counter(self.asks.values())["fixed"], "the game ends with probability 1"
        if n:
            decisions = "1 decision" if n == 1 else f"{n} decisions"
            how = f"in {decisions} the pick in the file is made, best or not; {how}"
        if self.model.turns_pass:
            how += "; the value is that of the player whose turn it is at the start"
        if self.model.turns_pass and self.goals:
            return f"each player wants the most for themselves, and the picks are best; {how}"
        if len(self.goals) == 2:
            return f"one player wants the most, another the least, and the picks are best; {how}"
        if self.goals:
            (goal,) = self.goals
            return f"that is the {goal} of all policies, and the picks in the file reach it; {how}"
        return how


# 6 Two policies ----------------------------------------------------------------------------------


class Policies:
    """Two policies in a game written out as positions, each after all that lead to it.

    A position is read once: what arrives there is passed on to its targets, and then forgotten.

    A player's sequence is (root of the subgame, (their last information set, the option)), or
    (root, None). For each player, what arrives at a position is the probability, over chance and
    the other player, of each of the player's own sequences; a player who remembers has one.

    Attributes:
        wants: of each player, "most" or "least".
        payoffs: by outcome.
        roll_weights: the weights of the results, of each thing that is rolled.
        nodes: the number of positions; the outcomes are the targets from there on.
        hash: of the game: of all lines without the policies.
        roots: the positions where a subgame begins.
        sets: of each information set, its player and the probabilities of its options.
        arrivals: by position ahead, for each player the probability by sequence.
        gains: for each player, by sequence, the mean of the outcomes that it leads to at once.
        entries: for each player, by sequence, the roots that it leads to, with probabilities.
        parents: of each information set, the sequence that leads to it.
    """

    header_keys = (
        "of", "players", "wants", "rollables", "outcomes", "sets", "nodes", "low", "high",
    )  # fmt: skip

    def __init__(self, header, lines):
        self.read_header(object_with(header, ("format", "version", *self.header_keys), NOTES))
        self.roll_weights, self.nodes = weights_of(header["rollables"]), natural(header["nodes"], 1)
        self.sets, self.arrivals, self.gains = [], {0: ({}, {})}, ({}, {})
        self.roots, self.entries, self.parents = [], ({}, {}), {}
        for row in lines.take(natural(header["sets"], 1)):
            self.read_information_set(row)
        for i, row in enumerate(lines.take(self.nodes)):
            self.read_position(row, i)
        lines.close()
        lines.line = 1

    def read_header(self, header):
        """Read the goal of each player, and the payoffs of the outcomes."""
        self.header, self.wants = header, header["wants"]
        must(self.wants in (["most", "least"], ["least", "most"]), "the players aren't opposed")
        outcomes = [object_with(end, ("name", "worth")) for end in header["outcomes"]]
        self.payoffs = [rational(end["worth"]) for end in outcomes]
        game = {key: header[key] for key in ("wants", "rollables", "outcomes", "sets", "nodes")}
        self.hash = hashlib.sha256(one_line(game) + b"\n")

    def add_to_hash(self, row, without=()):
        game = {key: x for key, x in row.items() if key not in without}
        self.hash.update(one_line(game) + b"\n")

    def read_information_set(self, row):
        object_with(row, ("sees", "player", "options", "plays"))
        plays = mixture(row["plays"], len(as_list(row["options"])))
        self.sets.append((natural(row["player"], 0, 2), plays))
        self.add_to_hash(row, ("plays",))

    def read_position(self, row, i):
        """Pass what arrives here on to the targets."""
        kind = next((key for key in ("set", "roll") if key in row), "to")
        object_with(row, ("position", "to", kind), ("root",))
        self.add_to_hash(row)
        must(i in self.arrivals, "nothing leads to this position")
        reach, root = self.arrivals.pop(i), as_flag(row.get("root", i == 0))
        must(root or (i > 0 and "root" not in row), "a position is a root or says nothing")
        if root:  # both players know that they are here: a subgame begins
            self.roots.append(i)
            for entries, arrived in zip(self.entries, reach):
                for sequence, chance in arrived.items():
                    entries.setdefault(sequence, []).append((i, chance))
            reach = ({(i, None): 1}, {(i, None): 1})
        subgames = {subgame for arrived in reach for subgame, _ in arrived}
        must(len(subgames) == 1, "two subgames meet here")
        chooser, shares = None, [1]
        if kind == "set":
            k = natural(row["set"], 0, len(self.sets))
            chooser, shares = self.sets[k]
            parent, *more = reach[chooser]
            must(not more, "a player forgets what they saw or did")
            must(self.parents.setdefault(k, parent) == parent, "a player forgets what they saw")
        elif kind == "roll":
            weights = self.roll_weights[natural(row["roll"], 0, len(self.roll_weights))]
            shares = [Fraction(weight, sum(weights)) for weight in weights]
        targets = [natural(t, i + 1, self.nodes + len(self.payoffs)) for t in as_list(row["to"])]
        must(len(targets) == len(shares), "not one target for each option or result")
        for j, (target, share) in enumerate(zip(targets, shares)):
            for player, arrived in enumerate(reach):
                if player == chooser:
                    self.add_arrivals(target, player, {(parent[0], (k, j)): arrived[parent]})
                else:
                    moved = {sequence: chance * share for sequence, chance in arrived.items()}
                    self.add_arrivals(target, player, moved)

    def add_arrivals(self, target, player, chances):
        """Add to what arrives at a position, or to the gains by an outcome."""
        end = target - self.nodes
        into = self.gains if end >= 0 else self.arrivals.setdefault(target, ({}, {}))
        for sequence, chance in chances.items():
            gain = chance * self.payoffs[end] if end >= 0 else chance
            into[player][sequence] = simplified(into[player].get(sequence, 0) + gain)

    def best_reply(self, player):
        """The mean payoff of a player's best reply: subgames and sets from the last to the first.

        Everything that leads to a root or a set was met before it, so this order works backwards.
        """
        gains, best = self.gains[player], max if self.wants[player] == "most" else min
        sets, entries = {root: [] for root in self.roots}, {root: [] for root in self.roots}
        for k, (root, _) in self.parents.items():
            if self.sets[k][0] == player:
                sets[root].append(k)
        for sequence, roots in self.entries[player].items():
            entries[sequence[0]].append((sequence, roots))
        values = {}
        for root in reversed(self.roots):
            for sequence, roots in entries[root]:
                gains[sequence] = gains.get(sequence, 0) + sum(c * values[i] for i, c in roots)
            for k in reversed(sets[root]):
                options = range(len(self.sets[k][1]))
                value = best(gains.get((root, (k, j)), 0) for j in options)
                gains[self.parents[k]] = gains.get(self.parents[k], 0) + value
            values[root] = gains.get((root, None), 0)
        return values[0]

    def sentence(self, file):
        """Each policy guarantees its bound, whatever the other player does."""
        low, high = rational(self.header["low"]), rational(self.header["high"])
        most = self.wants.index("most")
        must(low <= self.best_reply(1 - most), "the policy for the most guarantees less")
        must(self.best_reply(most) <= high, "the policy for the least allows more")
        value = f"is {low}" if low == high else f"lies between {low} and {high}"
        return (
            f"Proved of the game of two players whose moves have the SHA-256 "
            f"{self.hash.hexdigest()} ({file}): the mean worth of the outcomes, where player "
            f"{most + 1} wants the most and player {2 - most} the least, {value}; the policies in "
            "the file guarantee that, whatever the other player does."
        )


def mixture(plays, n):
    """The probabilities of n options."""
    chances = [rational(x) for x in as_list(plays)]
    must(len(chances) == n > 0, "not one probability for each option")
    must(min(chances) >= 0 and sum(chances) == 1, "the probabilities don't add up to 1")
    return chances


# 7 Program ---------------------------------------------------------------------------------------

VERSION = 4
FORMATS = {
    "sevenout certificate": Proof,
    "sevenout certificate of two policies": Policies,
}


def check(path):
    """0, 1 or 2, and what to print: what is proved, or why nothing is."""
    lines, max_digits = None, sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # exact values may have thousands of digits
    try:
        if "\0" in path or (os.path.exists(path) and not os.path.isfile(path)):
            raise UnreadableError("this is not a regular file")  # a pipe could wait for ever
        with open(path, "rb") as file:
            content = file.read()
        lines = Lines(content)
        header = next(lines, None)
        must(type(header) is dict and {"format", "version"} <= set(header), "the header is missing")
        must(header["format"] in FORMATS, "this is not a certificate that this program can check")
        must(header["version"] == VERSION, f"this program checks version {VERSION}")
        proof = FORMATS[header["format"]](header, lines)
        sentence = proof.sentence(f"the file's is {hashlib.sha256(content).hexdigest()}")
        return 0, "\n".join([*rule_lines(header.get("rules", {})), sentence])
    except (OSError, UnreadableError) as error:
        return 2, ascii(f"{path}: {getattr(error, 'strerror', None) or error}")[1:-1]
    except Exception as error:  # whatever goes wrong, nothing is proved
        why = error if type(error) is ValueError else "it is not written as certificates are"
        line = lines.line if lines else 1
        return 1, ascii(f"{path}, line {line}: not proved: {why}")[1:-1]
    finally:
        sys.set_int_max_str_digits(max_digits)


def rule_lines(rules):
    """The rules, a line for each that may be applied."""
    for key, part in rules.items():
        for rule in part if key in ("roll", "choose") else [part]:
            yield f"{key}: {json.dumps(rule)}"


def main(arguments):
    if len(arguments) != 1:
        print("python check.py certificate.json", file=sys.stderr)
        return 2
    code, message = check(arguments[0])
    try:
        print(message, file=sys.stderr if code == 2 else sys.stdout, flush=True)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
