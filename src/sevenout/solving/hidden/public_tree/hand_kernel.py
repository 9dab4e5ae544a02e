"""Regret matching and best replies on a tree of hands, written for LLVM; see `matching`.

Both walk the tree depth first. Histories that share a table share a record in `code`:

    2, hands of the first, of the second, matrix for the first, for the second        at an end
    seat, hands of the first, of the second, branches, then for each branch:
        hands that take it, the next record, its numbers, those of the next record, each hand

Numbers are offsets from those of the record itself.
"""

from collections.abc import Iterator
from typing import Any

MATCH, REPLY = "match_regrets", "reply_best"
END = 2
HEAD = 4
"""The size of a record before its branches, and of a branch before its hands."""


class HandWalk:
    """A recursive function: one player's numbers, against the other's policy."""

    def __init__(self, name: str) -> None:
        from llvmlite import ir

        from sevenout.llvm import Language, f64, i64

        self.module = ir.Module(name)
        # code, matrices, regrets, totals, own shares, the other's, out, work; record, base, seat
        kind = ir.FunctionType(ir.VoidType(), [ir.PointerType()] * 8 + [i64] * 3 + [f64] * 3)
        self.function = ir.Function(self.module, kind, name)
        self.say = Language(self.function)
        self.b = self.say.b
        self.f32, self.f64 = ir.FloatType(), f64
        self.zero, self.one = ir.Constant(f64, 0.0), ir.Constant(f64, 1.0)
        arguments = self.function.args
        for pointer in arguments[:8]:
            pointer.add_attribute("noalias")
        pointers, weights = arguments[:8], arguments[11:]
        self.record, self.base, self.seat = arguments[8:11]
        self.pointers = pointers
        _, matrices, regrets, totals, own, other, out, work = pointers
        self.weight, self.kept, self.owed = weights
        self.matrices, self.own = self.floats(matrices), self.floats(own)
        self.other, self.out, self.work = (self.floats(x) for x in (other, out, work))
        self.regrets = self.say.table(regrets, self.f32)
        self.totals = self.say.table(totals, self.f32)
        self.code = self.say.table(
            self.b.gep(pointers[0], [self.record], source_etype=_i32()), _i32()
        )

    def floats(self, start: Any) -> Any:
        """A table of doubles."""
        return self.say.table(start, self.f64)

    def number(self, table: Any, index: Any) -> Any:
        """An entry of a single-precision table, as a double."""
        return self.b.fpext(table[index], self.f64)

    def keep(self, table: Any, index: Any, new: Any) -> None:
        """Store a double in single precision."""
        table[index] = self.b.fptrunc(new, self.f32)

    def more(self, table: Any, index: Any, new: Any) -> None:
        """Add to an entry of a table of doubles."""
        table[index] = self.b.fadd(table[index], new)

    def positive(self, number: Any) -> Any:
        """The number, or 0 if negative."""
        return self.b.select(self.b.fcmp_ordered(">", number, self.zero), number, self.zero)

    def clear(self, table: Any, count: Any, to: Any = None) -> None:
        """Set the first entries of a table."""
        with self.say.count(0, count) as i:
            table[i] = self.zero if to is None else to

    def at_an_end(self) -> None:
        """Set `out` to the matrix, stored by columns, times the other's shares."""
        b, say, code = self.b, self.say, self.code
        mine = code[b.add(self.seat, say_value(1))]
        yours = code[b.sub(say_value(2), self.seat)]
        matrix = self.matrices.since(code[b.add(self.seat, say_value(3))])
        self.clear(self.out, mine)
        with say.count(0, yours) as j:
            share = self.other[j]
            with say.when(b.fcmp_ordered("!=", share, self.zero)):
                column = matrix.since(b.mul(j, mine))
                with say.count(0, mine) as i:
                    self.more(self.out, i, b.fmul(column[i], share))

    def shares(self, table: Any, movers: Any) -> tuple[Any, Any]:
        """By hand, the factor and summand that turn its number into a share."""
        b, say = self.b, self.say
        times, plus = self.work, self.work.since(movers)
        self.clear(self.work, b.mul(movers, say_value(2)))
        for branch in loop(self):
            with say.count(0, branch.count) as q:
                hand = branch.hands[q]
                number = self.positive(self.number(table, b.add(branch.numbers, q)))
                self.more(times, hand, number)
                self.more(plus, hand, self.one)
        with say.count(0, movers) as i:
            some = b.fcmp_ordered(">", times[i], self.zero)
            inverse = b.fdiv(self.one, b.select(some, times[i], plus[i]))
            times[i] = b.select(some, inverse, self.zero)
            plus[i] = b.select(some, self.zero, inverse)
        return times, plus

    def share(self, table: Any, branch: Any, q: Any, shares: tuple[Any, Any]) -> Any:
        """The probability that a hand takes a branch."""
        times, plus = shares
        hand, b = branch.hands[q], self.b
        number = self.positive(self.number(table, b.add(branch.numbers, q)))
        return b.fadd(b.fmul(number, times[hand]), plus[hand])

    def follow(self, branch: Any, own: Any, other: Any, out: Any, work: Any) -> None:
        """Walk what follows a branch."""
        tables = [own.at(0), other.at(0), out.at(0), work.at(0)]
        numbers = [branch.then, branch.base, self.seat, self.weight, self.kept, self.owed]
        self.b.call(
            self.function,
            [*self.pointers[:4], *tables, *numbers],
        )

    def at_the_other(self, table: Any, movers: Any) -> None:
        """Where the other player moves: add up what follows."""
        b, say = self.b, self.say
        mine = self.code[b.add(self.seat, say_value(1))]
        shares = self.shares(table, movers)
        theirs = self.work.since(b.mul(movers, say_value(2)))
        out = theirs.since(movers)
        rest = out.since(mine)
        self.clear(self.out, mine)
        there = say.variable(self.zero, self.f64)
        with say.count(0, mine) as i:
            there.set(b.fadd(there.get(), self.own[i]))
        for branch in loop(self):
            total = say.variable(there.get(), self.f64)
            with say.count(0, branch.count) as q:
                share = self.share(table, branch, q, shares)
                now = b.fmul(self.other[branch.hands[q]], share)
                theirs[q] = now
                total.set(b.fadd(total.get(), now))
            with say.when(b.fcmp_ordered(">", total.get(), self.zero)):
                self.follow(branch, self.own, theirs, out, rest)
                with say.count(0, mine) as i:
                    self.more(self.out, i, out[i])

    def done(self, at_own: Any, table: Any) -> Any:
        """The whole function; `at_own` handles the player's own moves."""
        b, say = self.b, self.say
        mover = self.code[0]
        with b.if_else(say.same(mover, END)) as (end, move):
            with end:
                self.at_an_end()
            with move:
                movers = self.code[b.add(mover, say_value(1))]
                with b.if_else(say.same(mover, self.seat)) as (own, other):
                    with own:
                        at_own(movers)
                    with other:
                        self.at_the_other(table, movers)
        say.finish()
        return self.module


class Taken:
    """A branch inside the compiled loop."""

    def __init__(self, walk: HandWalk, place: Any) -> None:
        b, record = walk.b, walk.code.since(place)
        self.count, self.then = record[0], record[1]
        self.numbers, self.base = b.add(walk.base, record[2]), b.add(walk.base, record[3])
        self.hands = record.since(HEAD)


def loop(walk: HandWalk) -> Iterator[Taken]:
    """The branches of the record; its one pass is compiled as a loop."""
    b, say = walk.b, walk.say
    place = say.variable(HEAD)
    with say.count(0, walk.code[3]):
        branch = Taken(walk, place.get())
        yield branch
        place.add(b.add(branch.count, say_value(HEAD)))


def say_value(number: int) -> Any:
    """A constant."""
    from sevenout.llvm import value

    return value(number)


def _i32() -> Any:
    from sevenout.llvm import i32

    return i32


def match() -> Any:
    """Regret matching for one seat; `out` is the value of each hand."""
    walk = HandWalk(MATCH)
    b, say, regrets = walk.b, walk.say, walk.regrets

    def at_own(movers: Any) -> None:
        shares = walk.shares(regrets, movers)
        own = walk.work.since(b.mul(movers, say_value(2)))
        gains = own.since(movers)
        filled = say.variable(0)
        for branch in loop(walk):
            filled.add(branch.count)
        rest = gains.since(filled.get())
        walk.clear(walk.out, movers)
        filled.set(0)
        for branch in loop(walk):
            with say.count(0, branch.count) as q:
                now = b.fmul(walk.own[branch.hands[q]], walk.share(regrets, branch, q, shares))
                own[q] = now
                place = b.add(branch.numbers, q)
                total = walk.number(walk.totals, place)
                walk.keep(walk.totals, place, b.fadd(total, b.fmul(walk.weight, now)))
            gain = gains.since(filled.get())
            walk.follow(branch, own, walk.other, gain, rest)
            with say.count(0, branch.count) as q:
                share = walk.share(regrets, branch, q, shares)
                walk.more(walk.out, branch.hands[q], b.fmul(share, gain[q]))
            filled.add(branch.count)
        filled.set(0)
        for branch in loop(walk):
            gain = gains.since(filled.get())
            with say.count(0, branch.count) as q:
                place = b.add(branch.numbers, q)
                more = b.fsub(gain[q], walk.out[branch.hands[q]])
                old = walk.number(regrets, place)
                above = b.fcmp_ordered(">", old, walk.zero)
                part = b.fmul(old, b.select(above, walk.kept, walk.owed))
                walk.keep(regrets, place, b.fadd(part, more))
            filled.add(branch.count)

    return walk.done(at_own, regrets)


def reply() -> Any:
    """The best reply of one seat to the other's average; `out` is the value of each hand."""
    from llvmlite import ir

    walk = HandWalk(REPLY)
    b, say = walk.b, walk.say

    def at_own(movers: Any) -> None:
        gains = walk.work
        rest = gains.since(movers)
        walk.clear(walk.out, movers, ir.Constant(walk.f64, float("-inf")))
        for branch in loop(walk):
            walk.follow(branch, walk.own, walk.other, gains, rest)
            with say.count(0, branch.count) as q:
                hand = branch.hands[q]
                best = walk.out[hand]
                above = b.fcmp_ordered(">", gains[q], best)
                walk.out[hand] = b.select(above, gains[q], best)

    return walk.done(at_own, walk.totals)
