"""The compiled engine of evenings: what `board.in_numpy` does, one evening after another."""

import ctypes
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from llvmlite import ir

from sevenout.llvm import Language, Variable, compiled, i32, i64, value
from sevenout.rules.casino.ends import LOSS, WIN
from sevenout.simulation.backends.kernel import philox
from sevenout.simulation.backends.random_bits import WORD, key_of
from sevenout.simulation.played_evenings.board import FOUND, Board
from sevenout.simulation.played_evenings.eveningdice import FAIR, IN_WORD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

NAME = "evenings"
TABLES = ("to", "last", "gain", "safe", "base", "short")
"""The tables of the board, in 32 bits."""
NUMBERS = (
    *("first_row", "first_money", "floor", "ceiling"),
    *("key0", "key1", "first", "evenings", "limit"),
)
_COMPILING = Lock()


def module() -> ir.Module:
    """The module of the one function."""
    built = ir.Module(name=NAME)
    pointers = [ir.PointerType()] * (len(TABLES) + len(FOUND) + 1)
    signature = ir.FunctionType(ir.VoidType(), pointers + [i64] * len(NUMBERS))
    function = ir.Function(built, signature, NAME)
    for argument in function.args[: len(pointers)]:
        argument.add_attribute("noalias")
    _EveningKernel(function).write()
    return built


class _Dice(NamedTuple):
    """The rest of a word, its remaining rolls, the next word, and the call."""

    word: Variable
    left: Variable
    which: Variable
    call: Variable


class _EveningKernel(Language):
    def __init__(self, function: ir.Function) -> None:
        super().__init__(function)
        given = dict(zip((*TABLES, *FOUND, "words", *NUMBERS), function.args, strict=True))
        self.board = {name: self.table(given[name], i32) for name in TABLES}
        self.found = {name: self.table(given[name], i64) for name in FOUND}
        self.words = self.table(given["words"], i64)
        self.number = {name: given[name] for name in NUMBERS}

    def write(self) -> None:
        """All evenings."""
        with self.count(0, self.number["evenings"]) as i:
            self.evening(i)
        self.finish()

    def draw(self, evening: Any, call: Any) -> None:
        """The four words of a call."""
        b = self.b
        again = self.variable(0, name="again")
        with self.forever() as leave:
            low, half = value(WORD), value(32)
            counter = call, b.and_(evening, low), b.lshr(evening, half), again.get()
            pairs = philox(b, counter, (self.number["key0"], self.number["key1"]), value)
            words = [w for pair in pairs for w in (b.lshr(pair, half), b.and_(pair, low))]
            fair = None
            for j, word in enumerate(words):
                self.words[j] = word
                below = self.less(word, FAIR)
                fair = below if fair is None else b.and_(fair, below)
            again.add(1)
            leave(fair)

    def roll(self, evening: Any, dice: "_Dice") -> Any:
        """The next roll of an evening, by digit."""
        b = self.b
        with self.when(self.same(dice.left.get(), 0)):
            with self.when(self.same(dice.which.get(), 4)):
                self.draw(evening, dice.call.get())
                dice.call.add(1)
                dice.which.set(0)
            dice.word.set(self.words[dice.which.get()])
            dice.which.add(1)
            dice.left.set(IN_WORD)
        word = dice.word.get()
        rest = b.udiv(word, value(36))
        dice.word.set(rest)
        dice.left.add(-1)
        return b.sub(word, b.mul(rest, value(36)))

    def evening(self, i: Any) -> None:
        """One evening, from the first bets to its end."""
        b = self.b
        number = b.add(self.number["first"], i)
        row = self.variable(self.number["first_row"], name="row")
        money = self.variable(self.number["first_money"], name="money")
        low = self.variable(self.number["first_money"], name="low")
        high = self.variable(self.number["first_money"], name="high")
        rolls, over = self.variable(0, name="rolls"), self.variable(0, name="over")
        dice = _Dice(*(self.variable(n) for n in (0, 0, 4, 0)))
        with self.forever() as leave:
            leave(self.same(over.get(), 1))
            at = b.add(b.mul(row.get(), value(36)), self.roll(number, dice))
            rolls.add(1)
            money.add(self.board["gain"][at])
            now = money.get()
            low.set(b.select(self.less(now, low.get()), now, low.get()))
            high.set(b.select(self.less(high.get(), now), now, high.get()))
            row.set(self.board["to"][at])
            last = self.same(rolls.get(), self.number["limit"])
            with self.when(last):
                row.set(self.board["last"][at])
            then = b.select(self.less(now, self.number["ceiling"]), row.get(), value(WIN))
            then = b.select(self.less(self.number["floor"], now), then, value(LOSS))
            row.set(then)
            over.set(b.zext(b.or_(last, self.less(then, 0)), i64))
            short = self.less(now, self.board["safe"][then])
            with self.when(b.and_(self.same(over.get(), 0), short)):
                place = b.add(self.board["base"][then], now)
                row.set(self.board["short"][place])
        with self.forever() as leave:  # standing bets are played out
            leave(self.less(row.get(), 0))
            at = b.add(b.mul(row.get(), value(36)), self.roll(number, dice))
            money.add(self.board["gain"][at])
            row.set(self.board["to"][at])
        values = (row.get(), money.get(), rolls.get(), low.get(), high.get())
        for name, seen in zip(FOUND, values, strict=True):
            self.found[name][i] = seen


def _function() -> tuple[Callable[..., None], object]:
    with _COMPILING:
        return _compile()


@lru_cache(maxsize=1)
def _compile() -> tuple[Callable[..., None], object]:
    pointers = [ctypes.c_void_p] * (len(TABLES) + len(FOUND) + 1)
    return compiled(module(), NAME, *pointers, *[ctypes.c_int64] * len(NUMBERS))


def in_llvm(board: Board, seed: int, first: int, evenings: int, rolls: int) -> "dict[str, Ints]":
    """Play a chunk of evenings as `in_numpy` does."""
    import numpy as np

    function, _ = _function()
    tables = [np.ascontiguousarray(getattr(board, name), dtype=np.int32) for name in TABLES]
    found = {name: np.zeros(evenings, dtype=np.int64) for name in FOUND}
    words = np.zeros(4, dtype=np.int64)
    arrays: list[Any] = [*tables, *found.values(), words]
    numbers = (board.first, board.money, board.floor, board.ceiling)
    pointers = [array.ctypes.data for array in arrays]
    function(*pointers, *numbers, *key_of(seed), first, evenings, rolls)
    return found
