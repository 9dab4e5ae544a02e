"""The function of the compiled engine in LLVM: play a block of any chain.

The chain is data, so one compilation (0.1 to 0.2 s) serves every game. The vector width is the
number of Philox calls made at once, and changes no result. The function does what `portable` does,
in the same order. Its one vector loop counts the 1s among the next m bits of a draw.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from llvmlite import ir

from sevenout.llvm import Language, Value, Variable, i32, i64, value, vector
from sevenout.simulation.backends.plan import JUMP_BITS, TABLES
from sevenout.simulation.backends.random_bits import (
    COHORT,
    CROWD,
    FEW,
    M0,
    M1,
    ROUNDS,
    W0,
    W1,
    WORD,
)

NAME = "play"
WORK = (
    "current",
    "next",
    "flow",
    "slots",
    "busy",
    "coins",
    "ones",
    "line",
    "alive",
    "words",
    "progress",
    "record_key",
    "record_count",
)
"""The working arrays, all 64-bit.

The first three hold games: in each state, at each target after the roll, and on each edge so far.
`slots` has games at each slot of a tree, for each of the `busy` states of a party. `coins` has the
bits of a draw, and `ones` the number of 1s before each word. `line` has the edges of lone games,
and `alive` whether a party has games, from party -2 on. `words` is room for random words, and
`progress` is `PROGRESS`. The records are (roll · exits + exit, games).
"""
LINE = 256
"""Lone games that cross their edges together, so that their memory loads overlap."""
NUMBERS = ("states", "exits", "parties", "last_record", "last_roll", "key0", "key1", "block")
PROGRESS = ("roll", "draw", "records", "done")
"""The fields of `progress`, read and written by the function.

It returns when every game is settled. It also returns, to be called again, after `last_roll`, with
more than `last_record` records, or when games reach states that are not open.
"""


def module(width: int) -> ir.Module:
    """The module for vectors of `width` bits."""
    built = ir.Module(name=f"sevenout{width}")
    pointers = [ir.PointerType()] * len(TABLES + WORK)
    signature = ir.FunctionType(ir.VoidType(), pointers + [i64] * len(NUMBERS))
    function = ir.Function(built, signature, NAME)
    for argument in function.args[: len(pointers)]:
        argument.add_attribute("noalias")
    _Kernel(function, width // 64).write()
    return built


def philox(
    b: ir.IRBuilder, counter: Sequence[Any], key: Sequence[Any], constant: Callable[[Any], Any]
) -> tuple[Any, Any]:
    """The words (x1, x0) and (x3, x2) of a counter, whose own words may be vectors.

    `constant` converts a number to their type.
    """
    half, low = constant(32), constant(WORD)
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for i in range(ROUNDS):
        # Only the low half of a word counts until the end; the upper half is garbage.
        p0 = b.mul(b.and_(c0, low), constant(M0))
        p1 = b.mul(b.and_(c2, low), constant(M1))
        x1, x3 = b.xor(c1, constant(k0)), b.xor(c3, constant(k1))
        if i == ROUNDS - 1:
            return b.xor(p1, b.shl(x1, half)), b.xor(p0, b.shl(x3, half))
        c0, c1 = b.xor(b.lshr(p1, half), x1), p1
        c2, c3 = b.xor(b.lshr(p0, half), x3), p0
        k0 = b.and_(b.add(k0, value(W0)), value(WORD))
        k1 = b.and_(b.add(k1, value(W1)), value(WORD))
    raise AssertionError


class _Lone(NamedTuple):
    """A lone game: its tree and number of nodes, its number in the line, its first word."""

    tree: Any
    nodes: Any
    j: Any
    word: Any


class _Kernel(Language):
    def __init__(self, function: ir.Function, lanes: int) -> None:
        super().__init__(function)
        self.lanes = lanes
        self.vector = ir.VectorType(i64, lanes)
        given = dict(zip(TABLES + WORK + NUMBERS, function.args, strict=True))
        self.plan = {name: self.table(given[name], i32) for name in TABLES}
        self.work = {name: self.table(given[name], i64) for name in WORK}
        self.work["alive"] = self.work["alive"].since(1)
        self.number = {name: given[name] for name in NUMBERS}
        counting = ir.FunctionType(self.vector, [self.vector])
        self.count_ones = ir.Function(function.module, counting, f"llvm.ctpop.v{lanes}i64")
        one = ir.FunctionType(i64, [i64])
        self.count_one = ir.Function(function.module, one, "llvm.ctpop.i64")
        self.words32 = self.table(given["words"], i32)
        start = (self.work["progress"][i] for i in range(3))
        self.roll, self.draw, self.records = (self.variable(now) for now in start)

    # --- random bits ----------------------------------------------------------------------------

    def splat(self, x: Value) -> Any:
        """A vector with the same number in every lane."""
        one = self.b.insert_element(ir.Constant(self.vector, ir.Undefined), value(x), i32(0))
        mask = ir.Constant(ir.VectorType(i32, self.lanes), [0] * self.lanes)
        return self.b.shuffle_vector(one, one, mask)

    def philox(self, first_call: Any, draw: Any) -> tuple[Any, Any]:
        """The words (x1, x0) and (x3, x2) of one call per lane."""
        b = self.b
        calls = b.add(self.splat(first_call), vector(self.vector, range(self.lanes)))
        parts = b.and_(draw, value(WORD)), self.number["block"], b.lshr(draw, value(32))
        key = self.number["key0"], self.number["key1"]
        return philox(b, (calls, *map(self.splat, parts)), key, self.splat)

    def heads(self, games: Any, draw: Any) -> Any:
        """The number of 1s among the first `games` bits of a draw."""
        b = self.b
        total = self.variable(ir.Constant(self.vector, [0] * self.lanes), self.vector)
        whole = b.udiv(games, value(128 * self.lanes))
        with self.count(0, whole) as i:
            for word in self.philox(b.mul(i, value(self.lanes)), draw):
                total.set(b.add(total.get(), self.ones(word)))
        rest = b.sub(games, b.mul(whole, value(128 * self.lanes)))
        with self.when(self.less(0, rest)):
            words = self.philox(b.mul(whole, value(self.lanes)), draw)
            for i, word in enumerate(words):
                begins = vector(self.vector, [128 * lane + 64 * i for lane in range(self.lanes)])
                here = b.sub(self.splat(rest), begins)
                total.set(b.add(total.get(), self.ones(b.and_(word, self.first(here)))))
        total_now = total.get()
        heads = b.extract_element(total_now, i32(0))
        for lane in range(1, self.lanes):
            heads = b.add(heads, b.extract_element(total_now, i32(lane)))
        return heads

    def ones(self, words: Any) -> Any:
        """The number of 1s in each lane."""
        return self.b.call(self.count_ones, [words])

    def first(self, n: Any) -> Any:
        """A mask of the first n bits of each lane: none for n < 1, all for n > 63."""
        b, zero, full = self.b, self.splat(0), self.splat(64)
        shift = b.and_(b.sub(full, n), self.splat(63))
        some = b.lshr(self.splat(-1), shift)
        some = b.select(b.icmp_signed(">", n, full), self.splat(-1), some)
        return b.select(b.icmp_signed(">", n, zero), some, zero)

    def make_coins(self, games: Any, draw: Any) -> None:
        """Put the first bits of a draw in `coins`, and the 1s before each word in `ones`."""
        b, lanes = self.b, self.lanes
        coins, before = self.work["coins"], self.work["ones"]
        mask = [lane + half * lanes for lane in range(lanes) for half in (0, 1)]
        mixed = ir.Constant(ir.VectorType(i32, 2 * lanes), mask)
        with self.count(0, b.add(b.udiv(games, value(128 * lanes)), value(1))) as i:
            low, high = self.philox(b.mul(i, value(lanes)), draw)
            both = b.shuffle_vector(low, high, mixed)
            b.store(both, coins.at(b.mul(i, value(2 * lanes))), align=8)
        total = self.variable(0)
        with self.count(0, b.add(b.lshr(games, value(6)), value(1))) as word:
            before[word] = total.get()
            total.add(b.call(self.count_one, [coins[word]]))

    def ones_before(self, place: Any) -> Any:
        """The number of 1s before a place of `coins`."""
        b = self.b
        word = b.lshr(place, value(6))
        mask = b.sub(b.shl(value(1), b.and_(place, value(63))), value(1))
        here = b.call(self.count_one, [b.and_(self.work["coins"][word], mask)])
        return b.add(self.work["ones"][word], here)

    def fetch_words(self, first_call: Any, draw: Any) -> None:
        """Put the words of one call per lane in `words`, in order."""
        for i, words in enumerate(self.philox(first_call, draw)):
            for lane in range(self.lanes):
                self.work["words"][2 * lane + i] = self.b.extract_element(words, i32(lane))

    # --- a block --------------------------------------------------------------------------------

    def write(self) -> None:
        """The whole function."""
        done = self.variable(0)
        with self.forever() as leave:
            leave(self.less(self.number["last_record"], self.records.get()))
            leave(self.same(self.number["last_roll"], self.roll.get()))
            self.roll.add(1)
            self.together()
            self.alone()
            self.settle(done)
            leave(self.same(done.get(), 1))
        for i, variable in enumerate((self.roll, self.draw, self.records, done)):
            self.work["progress"][i] = variable.get()
        self.finish()

    @contextmanager
    def party(self) -> Iterator[tuple[Any, Any, Any]]:
        """A loop over parties with games: the party's number, members and size."""
        b = self.b
        with (
            self.count(0, self.number["parties"]) as party,
            self.when(b.not_(self.same(self.work["alive"][party], 0))),
        ):
            members = self.plan["members"].since(b.mul(party, value(CROWD)))
            yield party, members, self.plan["sizes"][party]

    def together(self) -> None:
        """Toss the coins of parties with enough games, until none has enough."""
        b, current, busy = self.b, self.work["current"], self.work["busy"]
        again = self.variable(0)
        with self.forever() as leave:
            again.set(0)
            with self.party() as (_, members, size):
                games, many = self.variable(0), self.variable(0)
                with self.count(0, size) as i:
                    state = members[i]
                    here = current[state]
                    few = self.less(here, FEW)
                    busy[many.get()] = state
                    many.add(b.select(few, value(0), value(1)))
                    games.add(b.select(few, value(0), here))
                with self.when(b.not_(self.less(games.get(), COHORT))):
                    left = self.toss(many.get())
                    again.set(b.select(self.less(left, COHORT), again.get(), value(1)))
            leave(self.same(again.get(), 0))

    def toss(self, many: Any) -> Any:
        """Send the games of a party's busy states down its tree.

        A slot has an entry for each state. Refused games stay; returns how many can toss again.
        """
        b = self.b
        slots, busy, current = (self.work[name] for name in ("slots", "busy", "current"))
        tree = self.plan["tree_of_state"][busy[0]]
        nodes, labels = self.plan["nodes"][tree], self.plan["labels"][tree]
        children = self.plan["children"].since(self.plan["child_start"][tree])
        with self.count(0, b.mul(b.add(b.add(nodes, labels), value(1)), many)) as i:
            slots[i] = 0
        with self.count(0, many) as i:
            slots[i] = current[busy[i]]
        with self.count(0, nodes) as node:
            mine = slots.since(b.mul(node, many))
            games = self.variable(0)
            with self.count(0, many) as i:
                games.add(mine[i])
            with self.when(self.less(0, games.get())):
                child = b.mul(node, value(2))
                tails = slots.since(b.mul(children[child], many))
                heads = slots.since(b.mul(children[b.add(child, value(1))], many))
                draw = b.add(self.draw.get(), node)
                alone = self.same(many, 1)
                with self.when(alone):
                    ones = self.heads(games.get(), draw)
                    tails.add(0, b.sub(games.get(), ones))
                    heads.add(0, ones)
                with self.when(b.not_(alone)):
                    self.make_coins(games.get(), draw)
                    place, before = self.variable(0), self.variable(0)
                    with self.count(0, many) as i:
                        here = mine[i]
                        place.add(here)
                        now = self.ones_before(place.get())
                        ones = b.sub(now, before.get())
                        before.set(now)
                        tails.add(i, b.sub(here, ones))
                        heads.add(i, ones)
        self.draw.add(nodes)
        outcomes, left = slots.since(b.mul(nodes, many)), self.variable(0)
        refused = outcomes.since(b.mul(labels, many))
        with self.count(0, many) as i:
            state = busy[i]
            first = self.plan["edge_start"][state]
            with self.count(0, labels) as label:
                self.cross(b.add(first, label), outcomes[b.add(b.mul(label, many), i)])
            here = refused[i]
            current[state] = here
            left.add(b.select(self.less(here, FEW), value(0), here))
        return left.get()

    def cross(self, edge: Any, games: Any) -> None:
        """Send games along an edge."""
        target = self.plan["target"][edge]
        self.work["flow"].add(edge, games)
        self.work["next"].add(target, games)
        party = self.plan["party"][target]
        self.work["alive"][party] = self.b.or_(self.work["alive"][party], games)

    def alone(self) -> None:
        """Send the remaining games down their trees one by one."""
        b, current = self.b, self.work["current"]
        lone, used, waiting = self.variable(0), self.variable(0), self.variable(0)
        draw = self.draw.get()
        slot, spent = self.variable(0), self.variable(0)
        with self.party() as (_, members, size):
            tree = self.plan["tree_of_state"][members[0]]
            nodes, jump = self.plan["nodes"][tree], b.mul(tree, value(1 << JUMP_BITS))
            with self.count(0, size) as i, self.count(0, current[members[i]]):
                j = lone.get()
                here = b.and_(j, value(4 * self.lanes - 1))
                with self.when(self.same(here, 0)):
                    self.fetch_words(b.udiv(j, value(4)), draw)
                word = self.words32[here]
                byte = b.and_(word, value((1 << JUMP_BITS) - 1))
                slot.set(self.plan["jump"][b.add(jump, byte)])
                spent.set(JUMP_BITS)
                with self.when(self.less(slot.get(), nodes)):
                    self.descend(_Lone(tree, nodes, j, word), slot, spent)
                taken = b.udiv(b.add(spent.get(), value(31)), value(32))
                used.set(b.select(self.less(used.get(), taken), taken, used.get()))
                edge = b.add(self.plan["edge_start"][members[i]], b.sub(slot.get(), nodes))
                self.work["line"][waiting.get()] = edge
                waiting.add(1)
                lone.add(1)
                with self.when(self.same(waiting.get(), LINE)):
                    self.cross_all(waiting)
        self.cross_all(waiting)
        self.draw.add(used.get())

    def cross_all(self, waiting: Variable) -> None:
        """Move the lone games in line along their edges."""
        line, target = self.work["line"], self.plan["target"]
        with self.count(0, waiting.get()) as i:
            edge = line[i]
            self.work["flow"].add(edge, 1)
            line[i] = target[edge]
        with self.count(0, waiting.get()) as i:
            self.work["next"].add(line[i], 1)
            self.work["alive"][self.plan["party"][line[i]]] = 1
        waiting.set(0)

    def descend(self, lone: _Lone, slot: Variable, spent: Variable) -> None:
        """Continue an undecided lone game bit by bit, with as many draws as it needs."""
        b, (tree, nodes, j, word) = self.b, lone
        refusal = b.add(nodes, self.plan["labels"][tree])
        children = self.plan["children"].since(self.plan["child_start"][tree])
        bits = self.variable(word)
        with self.forever() as leave:
            now = spent.get()
            with self.when(self.same(b.and_(now, value(31)), 0)):
                draw = b.add(self.draw.get(), b.udiv(now, value(32)))
                bits.set(self.one_word(j, draw))
            bit = b.and_(b.lshr(bits.get(), b.and_(now, value(31))), value(1))
            went = children[b.add(b.mul(slot.get(), value(2)), bit)]
            slot.set(b.select(self.same(went, refusal), value(0), went))
            spent.add(1)
            leave(self.b.not_(self.less(slot.get(), nodes)))

    def one_word(self, j: Any, draw: Any) -> Any:
        """Word j of a draw."""
        b = self.b
        x10, x32 = (
            b.extract_element(words, i32(0)) for words in self.philox(b.udiv(j, value(4)), draw)
        )
        both = b.select(self.less(b.and_(j, value(3)), 2), x10, x32)
        return b.lshr(both, b.mul(b.and_(j, value(1)), value(32)))

    def settle(self, done: Any) -> None:
        """Record the games that ended; the others roll again."""
        b, current, nxt = self.b, self.work["current"], self.work["next"]
        live = self.variable(0)
        with self.party() as (party, members, size):
            on = self.variable(0)
            with self.count(0, size) as i:
                state = members[i]
                games = nxt[state]
                current[state] = games
                nxt[state] = 0
                on.set(b.or_(on.get(), games))
            self.work["alive"][party] = on.get()
            live.set(b.or_(live.get(), on.get()))
        key = b.mul(self.roll.get(), self.number["exits"])
        ended = nxt.since(self.number["states"])
        with self.count(0, self.number["exits"]) as leaving:
            games = ended[leaving]
            with self.when(self.less(0, games)):
                self.work["record_key"][self.records.get()] = b.add(key, leaving)
                self.work["record_count"][self.records.get()] = games
                self.records.add(1)
                ended[leaving] = 0
        done.set(b.zext(self.same(live.get(), 0), i64))
