"""The compiled engine: batches of games in LLVM, called without the interpreter's lock.

The chain is data, so one compilation (0.1 to 0.2 s) serves every game. The vector width is the
number of Philox calls made at once, and changes no result. The compiled function does what
`portable_engine` does, in the same order. Its one vector loop counts the 1s among the next m bits
of a draw.

Why by hand: numba compiles the same function from Python, in 180 lines and with equal counts. But
it rolls craps and hazard 25 to 29 % slower, and board games 3 times slower. It takes 3.8 s of CPU
where nothing is cached. From its cache it starts in 0.75 s, and this engine in 0.39 s.

Three parts: `play` and its working tables (`BatchPlayer`); loops and variables over LLVM's
language (`StructuredBuilder`); the function written with them (`_Kernel`). Importing this module
loads llvmlite.
"""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from sevenout.errors import SevenoutError
from sevenout.simulation.chain_tables import JUMP_BITS, TABLES, BatchCounts, ChainTables, Stop, join
from sevenout.simulation.random_bits import (
    BATCH_SIZE,
    COHORT,
    CROWD,
    FEW,
    M0,
    M1,
    ROUNDS,
    W0,
    W1,
    WORD,
    batches,
    key_of,
)

Int64s = NDArray[np.int64]

WIDTHS = (128, 256, 512)
"""The widths of vectors, in bits."""
ROLLS_PER_CALL = 64
"""The rolls between two returns of the compiled function, which allow a stop."""
RECORDS = 1 << 13
"""Room for the counts of games that ended, between two returns."""
_COMPILING = Lock()
"""Prevents compilation in several threads at once."""
NAME = "play"
"""The name of the compiled function."""
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
`progress` holds the numbers of `ROLL` to `DONE`. The records are (roll · exits + exit, games).
"""
LINE = 256
"""Lone games that cross their edges together, so that their memory loads overlap."""
NUMBERS = ("states", "exits", "parties", "last_record", "last_roll", "key0", "key1", "batch")
"""The function's last arguments, 64-bit numbers."""
ROLL, DRAW, RECORD_COUNT, DONE = range(4)
"""The indices in `progress`, which the function reads and writes.

It returns when every game is settled. It also returns, to be called again, after `last_roll`, with
more than `last_record` records, or when games reach states that are not open.
"""
i32, i64 = ir.IntType(32), ir.IntType(64)
Value = Any
"""An `ir.Value`, or a Python integer for a 64-bit constant."""


def play(
    tables: ChainTables,
    seed: int,
    first_batch: int,
    games: int,
    stop: Stop | None = None,
    *,
    width: int | None = None,
) -> BatchCounts | None:
    """Play as `portable_engine.play` does, with vectors of `width` bits (the widest if None).

    Raises:
        SevenoutError: another width.
    """
    width = best_width() if width is None else width
    if width not in WIDTHS:
        raise SevenoutError(f"vectors of {width} bits; they have 128, 256 or 512")
    player = BatchPlayer(tables, seed, games, width)
    for batch, batch_games in batches(first_batch, games):
        player.start_batch(batch_games)
        while not player.is_finished:
            if stop is not None and stop():
                return None
            player.play_on(batch)
    return join([BatchCounts(games, player.work["flow"], *player.all_records())])


class BatchPlayer:
    """Plays batches with the compiled function, whose working tables it holds.

    `start_batch` puts the games of a batch into the first state, and `play_on` calls the function,
    which plays on from what the tables hold, until the batch `is_finished`. When the records are
    nearly full, they are moved out first (`drain`).

    Attributes:
        function, code: the compiled function, and what keeps its code alive.
        work: the arrays of `WORK`, by name.
        key: the two words of the seed.
        records: keys and counts of the games that ended, as moved out; see `BatchCounts`.
        tables: the tables of the chain.
        last_record: with more records, one more roll may not find room.
        arrays, pointers: the tables in the order of the function's arguments, and their addresses.
    """

    def __init__(self, tables: ChainTables, seed: int, games: int, width: int) -> None:
        self.function, self.code = _function(width)
        bits = min(BATCH_SIZE, games) // 64 + width // 32 + 1  # whole vectors are stored at the end
        capacity = max(RECORDS, 2 * tables.exits)
        slots = int((tables.node_count + tables.outcome_count).max()) + 1
        sizes = {
            "current": tables.states,
            "next": tables.states + tables.exits,
            "flow": tables.edges,
        }
        sizes |= {"alive": tables.parties + 1, "slots": slots * CROWD, "busy": CROWD}
        sizes |= {"coins": bits, "ones": bits, "words": width // 32, "line": LINE}
        sizes |= {"record_key": capacity, "record_count": capacity, "progress": DONE + 1}
        self.work = {name: np.zeros(size, dtype=np.int64) for name, size in sizes.items()}
        self.key = key_of(seed)
        self.records: list[tuple[Int64s, Int64s]] = []
        self.tables, self.last_record = tables, capacity - tables.exits
        plain_tables = [np.ascontiguousarray(getattr(tables, name)) for name in TABLES]
        work = [self.work[name] for name in WORK]
        self.arrays = (*plain_tables, *work)  # the function has only their addresses
        self.pointers = [array.ctypes.data for array in self.arrays]

    @property
    def is_finished(self) -> bool:
        """Whether the batch is finished."""
        return bool(self.work["progress"][DONE])

    @property
    def roll(self) -> int:
        """The number of rolls of its games."""
        return int(self.work["progress"][ROLL])

    def start_batch(self, games: int) -> None:
        """Start a batch; flow and records continue."""
        self.work["current"][0] = games
        self.work["alive"][1] = 1
        progress = self.work["progress"]
        progress[ROLL] = progress[DRAW] = progress[DONE] = 0

    def play_on(self, batch: int) -> None:
        """Play up to `ROLLS_PER_CALL` more rolls."""
        if self.work["progress"][RECORD_COUNT] > self.last_record:
            self.drain()
        sizes = self.tables.states, self.tables.exits, self.tables.parties, self.last_record
        self.function(*self.pointers, *sizes, self.roll + ROLLS_PER_CALL, *self.key, batch)

    def drain(self) -> None:
        """Move the records out, to make room."""
        n = int(self.work["progress"][RECORD_COUNT])
        keys, counts = self.work["record_key"], self.work["record_count"]
        self.records.append((keys[:n].copy(), counts[:n].copy()))
        self.work["progress"][RECORD_COUNT] = 0

    def all_records(self) -> tuple[Int64s, Int64s]:
        """The keys and the counts of all records."""
        self.drain()
        keys, counts = zip(*self.records, strict=True)
        return np.concatenate(keys), np.concatenate(counts)


# --- machine code ---------------------------------------------------------------------------------


def width_of(backend: str) -> int:
    """The vector width in a backend's name, such as "llvm-256"; by default the widest."""
    _, _, width = backend.partition("-")
    return int(width) if width else best_width()


@lru_cache(maxsize=1)
def best_width() -> int:
    """The widest vectors of this machine, in bits.

    >>> best_width() in WIDTHS
    True
    """
    has = llvm.get_host_cpu_features()
    if has.get("avx512f"):
        return 512
    return 256 if has.get("avx2") else 128


def _function(width: int) -> tuple[Callable[..., None], object]:
    """The compiled function and the owner of its code, compiled once per process."""
    with _COMPILING:  # `lru_cache` alone lets two threads compile at once
        return _compile(width)


@lru_cache(maxsize=len(WIDTHS))
def _compile(width: int) -> tuple[Callable[..., None], object]:
    pointers = [ctypes.c_void_p] * len(TABLES + WORK)
    numbers = [ctypes.c_int64] * len(NUMBERS)
    return compiled(module(width), NAME, *pointers, *numbers)


def compiled(module: ir.Module, name: str, *arguments: Any) -> tuple[Callable[..., None], object]:
    """A function of a module as machine code, and the object that keeps the code alive.

    Args:
        module: the module.
        name: the function's name.
        arguments: the ctypes of its arguments.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    features["prefer-256-bit"] = False  # else LLVM splits the vectors of 512 bits
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features.flatten(), opt=3
    )
    parsed = llvm.parse_assembly(str(module))
    parsed.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(parsed, passes)
    engine = llvm.create_mcjit_compiler(parsed, machine)
    engine.finalize_object()
    return ctypes.CFUNCTYPE(None, *arguments)(engine.get_function_address(name)), engine


# --- a structured language over LLVM's ------------------------------------------------------------


def to_ir(number: Value) -> Any:
    """A Python integer as a constant of LLVM; other values as they are."""
    return ir.Constant(i64, number) if isinstance(number, int) else number


class MemoryTable:
    """An array in memory, of i32 or i64; its entries are read as 64-bit numbers."""

    def __init__(self, builder: ir.IRBuilder, start: Any, entry_type: ir.Type) -> None:
        self._b, self._start, self._entry_type = builder, start, entry_type

    def address(self, index: Value) -> Any:
        """The address of an entry."""
        return self._b.gep(
            self._start, [to_ir(index)], inbounds=True, source_etype=self._entry_type
        )

    def from_index(self, index: Value) -> "MemoryTable":
        """The table that starts at an entry."""
        return MemoryTable(self._b, self.address(index), self._entry_type)

    def __getitem__(self, index: Value) -> Any:
        entry = self._b.load(self.address(index), typ=self._entry_type)
        return self._b.sext(entry, i64) if self._entry_type is i32 else entry

    def __setitem__(self, index: Value, new: Value) -> None:
        self._b.store(to_ir(new), self.address(index))

    def add(self, index: Value, increment: Value) -> None:
        """Add to an entry."""
        self[index] = self._b.add(self[index], to_ir(increment))


class Variable:
    """A variable on the stack, which LLVM turns into a register."""

    def __init__(self, builder: ir.IRBuilder, value_type: ir.Type, name: str) -> None:
        with builder.goto_block(builder.function.entry_basic_block):
            self._slot = builder.alloca(value_type, name=name)
        self._b, self._value_type = builder, value_type

    def get(self) -> Any:
        """Its value."""
        return self._b.load(self._slot, typ=self._value_type)

    def set(self, new: Value) -> None:
        """Give it a value."""
        self._b.store(to_ir(new), self._slot)

    def add(self, increment: Value) -> None:
        """Add to it."""
        self.set(self._b.add(self.get(), to_ir(increment)))


class StructuredBuilder:
    """Writes a function in LLVM's language, with loops, conditions and variables.

    Attributes:
        b: LLVM's builder, at the end of what is written.
    """

    def __init__(self, function: ir.Function) -> None:
        # the entry block holds only the variables, so that more can be added later
        entry, body = function.append_basic_block("entry"), function.append_basic_block("body")
        self._function, self._entry, self._body = function, entry, body
        self.b = ir.IRBuilder(body)

    def finish(self) -> None:
        """Return from the function, and close the entry block."""
        self.b.ret_void()
        ir.IRBuilder(self._entry).branch(self._body)

    def table(self, start: Any, entry_type: ir.Type) -> MemoryTable:
        """A table that starts at an address."""
        return MemoryTable(self.b, start, entry_type)

    def variable(
        self, first_value: Value = 0, entry_type: ir.Type = i64, name: str = ""
    ) -> Variable:
        """A variable with its first value."""
        variable = Variable(self.b, entry_type, name)
        variable.set(first_value)
        return variable

    def is_less(self, first: Value, second: Value) -> Any:
        """Whether one number is less than another."""
        return self.b.icmp_signed("<", to_ir(first), to_ir(second))

    def is_equal(self, first: Value, second: Value) -> Any:
        """Whether two numbers are equal."""
        return self.b.icmp_signed("==", to_ir(first), to_ir(second))

    @contextmanager
    def when(self, condition: Any) -> Iterator[None]:
        """Run the body if the condition holds."""
        with self.b.if_then(condition):
            yield

    @contextmanager
    def forever(self) -> Iterator[Any]:
        """Run the body until it calls `leave(condition)` with a true condition."""
        top, out = self._block("loop"), self._block("out")

        def leave(condition: Any) -> None:
            on = self._block("on")
            self.b.cbranch(condition, out, on)
            self.b.position_at_end(on)

        self.b.branch(top)
        self.b.position_at_end(top)
        yield leave
        self.b.branch(top)
        self.b.position_at_end(out)

    @contextmanager
    def count(self, start: Value, stop: Value) -> Iterator[Any]:
        """Run the body for each number from `start` while it is less than `stop`."""
        index = self.variable(start, name="i")
        with self.forever() as leave:
            now = index.get()
            leave(self.b.not_(self.is_less(now, stop)))
            yield now
            index.set(self.b.add(now, to_ir(1)))

    def _block(self, name: str) -> Any:
        return self._function.append_basic_block(name)


def vector(kind: ir.VectorType, entries: Sequence[int]) -> ir.Constant:
    """A constant vector."""
    return ir.Constant(kind, list(entries))


# --- the compiled function ------------------------------------------------------------------------


def module(width: int) -> ir.Module:
    """The module for vectors of `width` bits."""
    built = ir.Module(name=f"sevenout{width}")
    pointers = [ir.PointerType()] * len(TABLES + WORK)
    signature = ir.FunctionType(ir.VoidType(), pointers + [i64] * len(NUMBERS))
    function = ir.Function(built, signature, NAME)
    for argument in function.args[: len(pointers)]:
        argument.add_attribute("noalias")  # tables don't overlap; lets LLVM keep entries
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
        # only the low half of a word counts until the end; the upper half is garbage
        p0 = b.mul(b.and_(c0, low), constant(M0))
        p1 = b.mul(b.and_(c2, low), constant(M1))
        x1, x3 = b.xor(c1, constant(k0)), b.xor(c3, constant(k1))
        if i == ROUNDS - 1:
            return b.xor(p1, b.shl(x1, half)), b.xor(p0, b.shl(x3, half))
        c0, c1 = b.xor(b.lshr(p1, half), x1), p1
        c2, c3 = b.xor(b.lshr(p0, half), x3), p0
        k0 = b.and_(b.add(k0, to_ir(W0)), to_ir(WORD))
        k1 = b.and_(b.add(k1, to_ir(W1)), to_ir(WORD))
    raise AssertionError


class _LoneGame(NamedTuple):
    """A lone game: its tree and number of nodes, its number `j` in the line, its first word."""

    tree: Any
    nodes: Any
    j: Any
    word: Any


class _Kernel(StructuredBuilder):
    """The function that plays a batch, roll by roll, from the working tables.

    Attributes:
        lanes, vector: the Philox calls made at once, and the type of their words.
        tables, work, numbers: the arguments, by name (`TABLES`, `WORK`, `NUMBERS`).
        count_ones, count_one: LLVM's functions that count the 1s of a vector, and of a word.
        words32: `words` as 32-bit words.
        roll, draw, records: the rolls made, the draws used, and the records written.
    """

    def __init__(self, function: ir.Function, lanes: int) -> None:
        super().__init__(function)
        self.lanes = lanes
        self.vector = ir.VectorType(i64, lanes)
        arguments = dict(zip(TABLES + WORK + NUMBERS, function.args, strict=True))
        self.tables = {name: self.table(arguments[name], i32) for name in TABLES}
        self.work = {name: self.table(arguments[name], i64) for name in WORK}
        self.work["alive"] = self.work["alive"].from_index(1)  # exits have the party -1 (`SETTLED`)
        self.numbers = {name: arguments[name] for name in NUMBERS}
        counting = ir.FunctionType(self.vector, [self.vector])
        self.count_ones = ir.Function(function.module, counting, f"llvm.ctpop.v{lanes}i64")
        one = ir.FunctionType(i64, [i64])
        self.count_one = ir.Function(function.module, one, "llvm.ctpop.i64")
        self.words32 = self.table(arguments["words"], i32)
        progress = self.work["progress"]
        self.roll, self.draw = self.variable(progress[ROLL]), self.variable(progress[DRAW])
        self.records = self.variable(progress[RECORD_COUNT])

    # --- random bits ----------------------------------------------------------------------------

    def splat(self, x: Value) -> Any:
        """A vector with the same number in every lane."""
        one = self.b.insert_element(ir.Constant(self.vector, ir.Undefined), to_ir(x), i32(0))
        mask = ir.Constant(ir.VectorType(i32, self.lanes), [0] * self.lanes)
        return self.b.shuffle_vector(one, one, mask)

    def philox(self, first_call: Any, draw: Any) -> tuple[Any, Any]:
        """The words (x1, x0) and (x3, x2) of one call per lane."""
        b = self.b
        calls = b.add(self.splat(first_call), vector(self.vector, range(self.lanes)))
        parts = b.and_(draw, to_ir(WORD)), self.numbers["batch"], b.lshr(draw, to_ir(32))
        key = self.numbers["key0"], self.numbers["key1"]
        return philox(b, (calls, *map(self.splat, parts)), key, self.splat)

    def count_heads(self, games: Any, draw: Any) -> Any:
        """The number of 1s among the first `games` bits of a draw."""
        b = self.b
        total = self.variable(ir.Constant(self.vector, [0] * self.lanes), self.vector)
        whole = b.udiv(games, to_ir(128 * self.lanes))
        with self.count(0, whole) as i:
            for word in self.philox(b.mul(i, to_ir(self.lanes)), draw):
                total.set(b.add(total.get(), self.ones(word)))
        rest = b.sub(games, b.mul(whole, to_ir(128 * self.lanes)))
        with self.when(self.is_less(0, rest)):
            words = self.philox(b.mul(whole, to_ir(self.lanes)), draw)
            for i, word in enumerate(words):
                begins = vector(self.vector, [128 * lane + 64 * i for lane in range(self.lanes)])
                bits = b.sub(self.splat(rest), begins)
                total.set(b.add(total.get(), self.ones(b.and_(word, self.low_mask(bits)))))
        total_now = total.get()
        heads = b.extract_element(total_now, i32(0))
        for lane in range(1, self.lanes):
            heads = b.add(heads, b.extract_element(total_now, i32(lane)))
        return heads

    def ones(self, words: Any) -> Any:
        """The number of 1s in each lane."""
        return self.b.call(self.count_ones, [words])

    def low_mask(self, n: Any) -> Any:
        """A mask of the first n bits of each lane: none for n < 1, all for n > 63."""
        b, zero, full = self.b, self.splat(0), self.splat(64)
        shift = b.and_(b.sub(full, n), self.splat(63))  # a shift by 64 or more is undefined in LLVM
        some = b.lshr(self.splat(-1), shift)
        some = b.select(b.icmp_signed(">", n, full), self.splat(-1), some)
        return b.select(b.icmp_signed(">", n, zero), some, zero)

    def make_coins(self, games: Any, draw: Any) -> None:
        """Put the first bits of a draw in `coins`, and the 1s before each word in `ones`."""
        b, lanes = self.b, self.lanes
        coins, before = self.work["coins"], self.work["ones"]
        mask = [lane + half * lanes for lane in range(lanes) for half in (0, 1)]
        mixed = ir.Constant(ir.VectorType(i32, 2 * lanes), mask)
        with self.count(0, b.add(b.udiv(games, to_ir(128 * lanes)), to_ir(1))) as i:
            low, high = self.philox(b.mul(i, to_ir(lanes)), draw)
            both = b.shuffle_vector(low, high, mixed)
            b.store(both, coins.address(b.mul(i, to_ir(2 * lanes))), align=8)
        total = self.variable(0)
        with self.count(0, b.add(b.lshr(games, to_ir(6)), to_ir(1))) as word:
            before[word] = total.get()
            total.add(b.call(self.count_one, [coins[word]]))

    def ones_before(self, bit_index: Any) -> Any:
        """The number of 1s before a bit of `coins`."""
        b = self.b
        word = b.lshr(bit_index, to_ir(6))
        mask = b.sub(b.shl(to_ir(1), b.and_(bit_index, to_ir(63))), to_ir(1))
        ones = b.call(self.count_one, [b.and_(self.work["coins"][word], mask)])
        return b.add(self.work["ones"][word], ones)

    def fetch_words(self, first_call: Any, draw: Any) -> None:
        """Put the words of one call per lane in `words`, in order."""
        for i, words in enumerate(self.philox(first_call, draw)):
            for lane in range(self.lanes):
                self.work["words"][2 * lane + i] = self.b.extract_element(words, i32(lane))

    # --- a batch --------------------------------------------------------------------------------

    def write(self) -> None:
        """The whole function."""
        finished = self.variable(0)
        with self.forever() as leave:
            leave(self.is_less(self.numbers["last_record"], self.records.get()))
            leave(self.is_equal(self.numbers["last_roll"], self.roll.get()))
            self.roll.add(1)
            self.toss_together()
            self.roll_alone()
            self.settle(finished)
            leave(self.is_equal(finished.get(), 1))
        progress = self.work["progress"]
        progress[ROLL], progress[DRAW] = self.roll.get(), self.draw.get()
        progress[RECORD_COUNT], progress[DONE] = self.records.get(), finished.get()
        self.finish()

    @contextmanager
    def party(self) -> Iterator[tuple[Any, Any, Any]]:
        """A loop over parties with games: the party's number, members and size."""
        b = self.b
        with (
            self.count(0, self.numbers["parties"]) as party,
            self.when(b.not_(self.is_equal(self.work["alive"][party], 0))),
        ):
            members = self.tables["members"].from_index(b.mul(party, to_ir(CROWD)))
            yield party, members, self.tables["party_size"][party]

    def toss_together(self) -> None:
        """Toss the coins of parties with enough games, until none has enough."""
        b, current, busy = self.b, self.work["current"], self.work["busy"]
        another_round = self.variable(0)
        with self.forever() as leave:
            another_round.set(0)
            with self.party() as (_, members, size):
                games, state_count = self.variable(0), self.variable(0)
                with self.count(0, size) as i:
                    state = members[i]
                    waiting = current[state]
                    is_few = self.is_less(waiting, FEW)
                    # a state with few games is overwritten by the next: cheaper than a branch
                    busy[state_count.get()] = state
                    state_count.add(b.select(is_few, to_ir(0), to_ir(1)))
                    games.add(b.select(is_few, to_ir(0), waiting))
                with self.when(b.not_(self.is_less(games.get(), COHORT))):
                    refused_games = self.toss(state_count.get())
                    another_round.set(
                        b.select(self.is_less(refused_games, COHORT), another_round.get(), to_ir(1))
                    )
            leave(self.is_equal(another_round.get(), 0))

    def toss(self, state_count: Any) -> Any:
        """Send the games of a party's busy states down its tree.

        A slot has an entry for each state. Refused games stay; returns how many can toss again.
        """
        b = self.b
        slots, busy, current = (self.work[name] for name in ("slots", "busy", "current"))
        tree = self.tables["tree_of_state"][busy[0]]
        nodes, labels = self.tables["node_count"][tree], self.tables["outcome_count"][tree]
        children = self.tables["children"].from_index(self.tables["child_start"][tree])
        with self.count(0, b.mul(b.add(b.add(nodes, labels), to_ir(1)), state_count)) as i:
            slots[i] = 0
        with self.count(0, state_count) as i:
            slots[i] = current[busy[i]]
        with self.count(0, nodes) as node:
            node_games = slots.from_index(b.mul(node, state_count))
            games = self.variable(0)
            with self.count(0, state_count) as i:
                games.add(node_games[i])
            with self.when(self.is_less(0, games.get())):
                child = b.mul(node, to_ir(2))
                tails = slots.from_index(b.mul(children[child], state_count))
                heads = slots.from_index(b.mul(children[b.add(child, to_ir(1))], state_count))
                draw = b.add(self.draw.get(), node)
                alone = self.is_equal(state_count, 1)
                with self.when(alone):  # mostly so: the 1s are counted without storing the bits
                    ones = self.count_heads(games.get(), draw)
                    tails.add(0, b.sub(games.get(), ones))
                    heads.add(0, ones)
                with self.when(b.not_(alone)):
                    self.make_coins(games.get(), draw)
                    bit_index, before = self.variable(0), self.variable(0)
                    with self.count(0, state_count) as i:
                        tossing = node_games[i]
                        bit_index.add(tossing)
                        now = self.ones_before(bit_index.get())
                        ones = b.sub(now, before.get())
                        before.set(now)
                        tails.add(i, b.sub(tossing, ones))
                        heads.add(i, ones)
        self.draw.add(nodes)
        outcomes, refused_games = slots.from_index(b.mul(nodes, state_count)), self.variable(0)
        refused = outcomes.from_index(b.mul(labels, state_count))
        with self.count(0, state_count) as i:
            state = busy[i]
            first = self.tables["edge_start"][state]
            with self.count(0, labels) as label:
                self.cross(b.add(first, label), outcomes[b.add(b.mul(label, state_count), i)])
            stayed = refused[i]
            current[state] = stayed
            refused_games.add(b.select(self.is_less(stayed, FEW), to_ir(0), stayed))
        return refused_games.get()

    def cross(self, edge: Any, games: Any) -> None:
        """Send games along an edge."""
        target = self.tables["target"][edge]
        self.work["flow"].add(edge, games)
        self.work["next"].add(target, games)
        party = self.tables["party_of_target"][target]
        self.work["alive"][party] = self.b.or_(self.work["alive"][party], games)

    def roll_alone(self) -> None:
        """Send the remaining games down their trees one by one."""
        b, current = self.b, self.work["current"]
        lone, max_draws, waiting = self.variable(0), self.variable(0), self.variable(0)
        draw = self.draw.get()
        slot, spent = self.variable(0), self.variable(0)
        with self.party() as (_, members, size):
            tree = self.tables["tree_of_state"][members[0]]
            nodes, jump = self.tables["node_count"][tree], b.mul(tree, to_ir(1 << JUMP_BITS))
            with self.count(0, size) as i, self.count(0, current[members[i]]):
                j = lone.get()
                bit_index = b.and_(j, to_ir(4 * self.lanes - 1))
                with self.when(self.is_equal(bit_index, 0)):
                    self.fetch_words(b.udiv(j, to_ir(4)), draw)
                word = self.words32[bit_index]
                byte = b.and_(word, to_ir((1 << JUMP_BITS) - 1))
                slot.set(self.tables["jump"][b.add(jump, byte)])
                spent.set(JUMP_BITS)
                with self.when(self.is_less(slot.get(), nodes)):
                    self.descend(_LoneGame(tree, nodes, j, word), slot, spent)
                draws_taken = b.udiv(b.add(spent.get(), to_ir(31)), to_ir(32))
                max_draws.set(
                    b.select(
                        self.is_less(max_draws.get(), draws_taken), draws_taken, max_draws.get()
                    )
                )
                edge = b.add(self.tables["edge_start"][members[i]], b.sub(slot.get(), nodes))
                self.work["line"][waiting.get()] = edge
                waiting.add(1)
                lone.add(1)
                with self.when(self.is_equal(waiting.get(), LINE)):
                    self.cross_all(waiting)
        self.cross_all(waiting)
        self.draw.add(max_draws.get())

    def cross_all(self, waiting: Variable) -> None:
        """Move the lone games in line along their edges."""
        line, target = self.work["line"], self.tables["target"]
        with self.count(0, waiting.get()) as i:
            edge = line[i]
            self.work["flow"].add(edge, 1)
            line[i] = target[edge]
        with self.count(0, waiting.get()) as i:
            self.work["next"].add(line[i], 1)
            self.work["alive"][self.tables["party_of_target"][line[i]]] = 1
        waiting.set(0)

    def descend(self, lone: _LoneGame, slot: Variable, spent: Variable) -> None:
        """Continue an undecided lone game bit by bit, with as many draws as it needs."""
        b, (tree, nodes, j, word) = self.b, lone
        refusal = b.add(nodes, self.tables["outcome_count"][tree])
        children = self.tables["children"].from_index(self.tables["child_start"][tree])
        bits = self.variable(word)
        with self.forever() as leave:
            now = spent.get()
            with self.when(self.is_equal(b.and_(now, to_ir(31)), 0)):
                draw = b.add(self.draw.get(), b.udiv(now, to_ir(32)))
                bits.set(self.one_word(j, draw))
            bit = b.and_(b.lshr(bits.get(), b.and_(now, to_ir(31))), to_ir(1))
            went = children[b.add(b.mul(slot.get(), to_ir(2)), bit)]
            slot.set(b.select(self.is_equal(went, refusal), to_ir(0), went))
            spent.add(1)
            leave(self.b.not_(self.is_less(slot.get(), nodes)))

    def one_word(self, j: Any, draw: Any) -> Any:
        """Word j of a draw."""
        b = self.b
        x10, x32 = (
            b.extract_element(words, i32(0)) for words in self.philox(b.udiv(j, to_ir(4)), draw)
        )
        both = b.select(self.is_less(b.and_(j, to_ir(3)), 2), x10, x32)
        return b.lshr(both, b.mul(b.and_(j, to_ir(1)), to_ir(32)))

    def settle(self, finished: Any) -> None:
        """Record the games that ended; the others roll again."""
        b, current, next_games = self.b, self.work["current"], self.work["next"]
        any_alive = self.variable(0)
        with self.party() as (party, members, size):
            party_alive = self.variable(0)
            with self.count(0, size) as i:
                state = members[i]
                games = next_games[state]
                current[state] = games
                next_games[state] = 0
                party_alive.set(b.or_(party_alive.get(), games))
            self.work["alive"][party] = party_alive.get()
            any_alive.set(b.or_(any_alive.get(), party_alive.get()))
        key = b.mul(self.roll.get(), self.numbers["exits"])
        ended = next_games.from_index(self.numbers["states"])
        with self.count(0, self.numbers["exits"]) as exit_index:
            games = ended[exit_index]
            with self.when(self.is_less(0, games)):
                self.work["record_key"][self.records.get()] = b.add(key, exit_index)
                self.work["record_count"][self.records.get()] = games
                self.records.add(1)
                ended[exit_index] = 0
        finished.set(b.zext(self.is_equal(any_alive.get(), 0), i64))
