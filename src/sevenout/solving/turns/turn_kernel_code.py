"""The loops of `turn_kernel`, written for LLVM."""

from typing import Any

LANES = 8
"""Floats processed side by side."""
TURN, AHEAD, ROLLED, SPREAD = "turn", "ahead", "rolled", "spread"


class Numbers:
    """The kind of number: a vector of floats, or an integer of `bits` bits."""

    def __init__(self, say: Any, bits: int) -> None:
        from llvmlite import ir

        from sevenout.llvm import f64, i8, i64

        self.b, self.bits, self._byte, self._i64, self._f64 = say.b, bits, i8, i64, f64
        self.floats = not bits
        self.kind = ir.VectorType(f64, LANES) if self.floats else ir.IntType(bits)
        self.one = f64 if self.floats else self.kind
        self.width = LANES if self.floats else 1
        self.bytes = 8 if self.floats else bits // 8
        least = float("-inf") if self.floats else -(1 << (bits - 1))
        most = float("inf") if self.floats else (1 << (bits - 1)) - 1
        self.zero, self.least, self.most = (
            ir.Constant(self.kind, [x] * LANES if self.floats else x)
            for x in (0.0 if self.floats else 0, least, most)
        )

    def _at(self, start: Any, index: Any) -> Any:
        offset = self.b.mul(index, self._i64(self.bytes))
        return self.b.gep(start, [offset], source_etype=self._byte)

    def load(self, start: Any, index: Any) -> Any:
        """Load the numbers at an index."""
        return self.b.load(self._at(start, index), align=8, typ=self.kind)

    def store(self, start: Any, index: Any, value: Any) -> None:
        """Store numbers at an index."""
        self.b.store(value, self._at(start, index), align=8)

    def spread(self, start: Any, index: Any) -> Any:
        """Load one number into every lane."""
        one = self.b.load(self._at(start, index), align=8, typ=self.one)
        return self.everywhere(one) if self.floats else one

    def everywhere(self, one: Any) -> Any:
        """One float in every lane."""
        from llvmlite import ir

        from sevenout.llvm import i32

        undefined = ir.Constant(self.kind, ir.Undefined)
        first = self.b.insert_element(undefined, one, i32(0))
        return self.b.shuffle_vector(
            first, undefined, ir.Constant(ir.VectorType(i32, LANES), [0] * LANES)
        )

    def add(self, one: Any, other: Any) -> Any:
        """The sum."""
        return self.b.fadd(one, other) if self.floats else self.b.add(one, other)

    def scaled(self, one: Any, table: Any, index: Any) -> Any:
        """Multiply by a share (floats) or a factor (integers)."""
        if self.floats:
            return self.b.fmul(one, self.spread(table, index))
        address = self.b.gep(table, [self.b.mul(index, self._i64(8))], source_etype=self._byte)
        factor = self.b.load(address, align=8, typ=self._i64)
        return self.b.mul(one, self.b.zext(factor, self.kind))

    def better(self, one: Any, other: Any, sense: Any) -> Any:
        """The larger of two, or the smaller if `sense` is negative."""
        b = self.b
        if self.floats:
            above = b.fcmp_ordered(">", one, other)
            most, least = b.select(above, one, other), b.select(above, other, one)
        else:
            above = b.icmp_signed(">", one, other)
            most, least = b.select(above, one, other), b.select(above, other, one)
        return b.select(b.icmp_signed(">", sense, self._i64(0)), most, least)

    def worst(self, sense: Any) -> Any:
        """A value worse than any other."""
        return self.b.select(self.b.icmp_signed(">", sense, self._i64(0)), self.least, self.most)


def _function(name: str, pointers: int, numbers: int, tag: object = "") -> Any:
    """A module with one function of arrays and integers."""
    from llvmlite import ir

    from sevenout.llvm import i64

    module = ir.Module(f"{name}{tag}")
    kind = ir.FunctionType(ir.VoidType(), [ir.PointerType()] * pointers + [i64] * numbers)
    function = ir.Function(module, kind, name)
    for pointer in function.args[:pointers]:
        pointer.add_attribute("noalias")
    return module, function


def backwards(bits: int) -> Any:
    """The value of each slot, from the endings back; `bits` is 0 for floats."""
    from sevenout.llvm import Language, i8, i16, i32, i64

    module, function = _function(TURN, 11, 6, bits)
    *pointers, endings, nodes, entries, cards, sense, stride = function.args
    kinds, first, sources, scales, classes, paid, starts, rows, rewards, work, out = pointers
    say = Language(function)
    b, number = say.b, Numbers(say, bits)
    kinds, first = say.table(kinds, i8), say.table(first, i64)
    sources, classes = say.table(sources, i32), say.table(classes, i16)
    paid, starts = say.table(paid, i32), say.table(starts, i64)
    width = i64(number.width)
    with say.count(0, b.sdiv(cards, width)) as chunk:
        card, base = b.mul(chunk, width), b.mul(chunk, stride)

        def slot(index: Any) -> Any:
            return b.add(base, b.mul(index, width))

        with say.count(0, endings) as ending:
            best = say.variable(number.worst(sense), number.kind)
            with say.count(0, entries) as entry:
                at = b.add(b.mul(entry, endings), ending)
                where = classes[at]
                with say.when(b.not_(say.less(where, 0))):
                    row = b.add(b.mul(b.add(starts[entry], where), cards), card)
                    gain = number.add(number.load(rows, row), number.spread(rewards, paid[at]))
                    best.set(number.better(gain, best.get(), sense))
            number.store(work, slot(ending), best.get())
        with say.count(0, nodes) as node:
            sign, last = kinds[node], first[b.add(node, i64(1))]
            value = say.variable(number.zero, number.kind)
            with b.if_else(say.same(sign, 0)) as (rolled, asked):
                with rolled, say.count(first[node], last) as m:
                    source = number.load(work, slot(sources[m]))
                    value.set(number.add(value.get(), number.scaled(source, scales, m)))
                with asked:
                    value.set(number.worst(sign))
                    with say.count(first[node], last) as m:
                        source = number.load(work, slot(sources[m]))
                        if not number.floats:
                            source = number.scaled(source, scales, m)
                        value.set(number.better(source, value.get(), sign))
            number.store(work, slot(b.add(endings, node)), value.get())
        start = slot(b.sub(b.add(endings, nodes), i64(1)))
        number.store(out, card, number.load(work, start))
    say.finish()
    return module


def ahead() -> Any:
    """The probability of each slot from the start, and the entry of each ending."""
    from llvmlite import ir

    from sevenout.llvm import Language, f64, i1, i8, i16, i32, i64

    module, function = _function(AHEAD, 12, 5)
    *pointers, endings, nodes, entries, cards, _ = function.args
    kinds, first, sources, shares, classes, paid, starts, rows, rewards, work, mass, taken = (
        pointers
    )
    say = Language(function)
    b, number = say.b, Numbers(say, 0)
    kinds, first = say.table(kinds, i8), say.table(first, i64)
    sources, classes = say.table(sources, i32), say.table(classes, i16)
    paid, starts = say.table(paid, i32), say.table(starts, i64)
    width, slots = i64(LANES), b.add(endings, nodes)
    ones = ir.Constant(number.kind, [1.0] * LANES)
    flags = ir.VectorType(i1, LANES)
    none, every = ir.Constant(flags, [0] * LANES), ir.Constant(flags, [1] * LANES)
    with say.count(0, b.sdiv(cards, width)) as chunk:
        card, base = b.mul(chunk, width), b.mul(chunk, b.mul(slots, width))

        def slot(index: Any) -> Any:
            return b.add(base, b.mul(index, width))

        number.store(mass, slot(b.sub(slots, i64(1))), ones)
        with say.count(0, nodes) as i:
            node = b.sub(b.sub(nodes, i64(1)), i)
            here = slot(b.add(endings, node))
            own, value = number.load(mass, here), number.load(work, here)
            last = first[b.add(node, i64(1))]
            left = say.variable(own, number.kind)
            with say.count(first[node], last) as m:
                source = slot(sources[m])
                before = number.load(mass, source)
                with b.if_else(say.same(kinds[node], 0)) as (rolled, asked):
                    with rolled:
                        number.store(
                            mass, source, number.add(before, number.scaled(own, shares, m))
                        )
                    with asked:  # the first best option takes all
                        best = b.fcmp_ordered("==", number.load(work, source), value)
                        more = b.select(best, left.get(), number.zero)
                        number.store(mass, source, number.add(before, more))
                        left.set(b.select(best, number.zero, left.get()))
        with say.count(0, endings) as ending:
            value = number.load(work, slot(ending))
            choice, free = say.variable(number.zero, number.kind), say.variable(every, flags)
            with say.count(0, entries) as entry:
                at = b.add(b.mul(entry, endings), ending)
                where = classes[at]
                with say.when(b.not_(say.less(where, 0))):
                    row = b.add(b.mul(b.add(starts[entry], where), cards), card)
                    gain = number.add(number.load(rows, row), number.spread(rewards, paid[at]))
                    best = b.and_(b.fcmp_ordered("==", gain, value), free.get())
                    name = number.everywhere(b.sitofp(entry, f64))
                    choice.set(b.select(best, name, choice.get()))
                    free.set(b.select(best, none, free.get()))
            to = b.mul(b.add(b.mul(chunk, endings), ending), width)
            number.store(taken, to, choice.get())
    say.finish()
    return module


def rolled() -> Any:
    """Turns rolled from the start, taking the first best option."""
    from sevenout.llvm import Language, f64, i8, i32, i64

    module, function = _function(ROLLED, 9, 4)
    *pointers, endings, nodes, turns, longest = function.args
    kinds, first, sources, weights, totals, work, lanes, rolls, out = pointers
    say = Language(function)
    b = say.b
    kinds, first, sources = say.table(kinds, i8), say.table(first, i64), say.table(sources, i32)
    weights, totals = say.table(weights, i64), say.table(totals, i64)
    work, lanes = say.table(work, f64), say.table(lanes, i64)
    rolls, out = say.table(rolls, i64), say.table(out, i64)
    width, slots = i64(LANES), b.add(endings, nodes)
    with say.count(0, turns) as turn:
        lane = lanes[turn]
        chunk, inside = b.sdiv(lane, width), b.srem(lane, width)
        base = b.add(b.mul(chunk, b.mul(slots, width)), inside)
        at = say.variable(b.sub(slots, i64(1)))
        roll = say.variable(b.mul(turn, longest))
        with say.forever() as leave:
            leave(say.less(at.get(), endings))
            node = b.sub(at.get(), endings)
            move = say.variable(first[node])
            with b.if_else(say.same(kinds[node], 0)) as (chance, asked):
                with chance:
                    left = say.variable(b.srem(rolls[roll.get()], totals[node]))
                    roll.add(1)
                    with say.forever() as found:
                        weight = weights[move.get()]
                        found(say.less(left.get(), weight))
                        left.set(b.sub(left.get(), weight))
                        move.add(1)
                with asked:
                    value = work[b.add(base, b.mul(at.get(), width))]
                    with say.forever() as found:
                        gain = work[b.add(base, b.mul(sources[move.get()], width))]
                        found(b.fcmp_ordered("==", gain, value))
                        move.add(1)
            at.set(sources[move.get()])
        out[turn] = at.get()
    say.finish()
    return module


def spread() -> Any:
    """Add shares of distributions to others."""
    from sevenout.llvm import Language, f64, i64

    module, function = _function(SPREAD, 5, 2)
    *pointers, parts, width = function.args
    say = Language(function)
    b = say.b
    shares, masses, out = (say.table(pointers[i], f64) for i in (0, 3, 4))
    sources, targets = (say.table(pointers[i], i64) for i in (1, 2))
    with say.count(0, parts) as part:
        share, source, target = shares[part], masses.since(sources[part]), out.since(targets[part])
        with say.count(0, width) as i:
            target[i] = b.fadd(target[i], b.fmul(share, source[i]))
    say.finish()
    return module


MODULES = {AHEAD: ahead, ROLLED: rolled, SPREAD: spread}
