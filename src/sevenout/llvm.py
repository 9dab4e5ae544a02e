"""A small structured language over LLVM's: variables, tables, loops, branches."""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

i1, i8, i16, i32, i64 = (ir.IntType(bits) for bits in (1, 8, 16, 32, 64))
f64 = ir.DoubleType()
Value = Any
"""An `ir.Value`, or a Python integer for a 64-bit constant."""


def value(given: Value) -> Any:
    """A Python integer as a constant."""
    return ir.Constant(i64, given) if isinstance(given, int) else given


class MemoryTable:
    """An array in memory; integers of any width are read as 64-bit numbers."""

    def __init__(self, builder: ir.IRBuilder, start: Any, kind: ir.Type) -> None:
        self._b, self._start, self._kind = builder, start, kind

    def at(self, index: Value) -> Any:
        """The address of an entry."""
        return self._b.gep(self._start, [value(index)], inbounds=True, source_etype=self._kind)

    def since(self, index: Value) -> "MemoryTable":
        """The table that starts at an entry."""
        return MemoryTable(self._b, self.at(index), self._kind)

    def __getitem__(self, index: Value) -> Any:
        entry = self._b.load(self.at(index), typ=self._kind)
        return self._b.sext(entry, i64) if self._kind in (i8, i16, i32) else entry

    def __setitem__(self, index: Value, new: Value) -> None:
        self._b.store(value(new), self.at(index))

    def add(self, index: Value, more: Value) -> None:
        """Add to an entry."""
        self[index] = self._b.add(self[index], value(more))


class Variable:
    """A variable on the stack, which LLVM turns into a register."""

    def __init__(self, builder: ir.IRBuilder, kind: ir.Type, name: str) -> None:
        with builder.goto_block(builder.function.entry_basic_block):
            self._slot = builder.alloca(kind, name=name)
        self._b, self._kind = builder, kind

    def get(self) -> Any:
        """Its value."""
        return self._b.load(self._slot, typ=self._kind)

    def set(self, new: Value) -> None:
        """Give it a value."""
        self._b.store(value(new), self._slot)

    def add(self, more: Value) -> None:
        """Add to it."""
        self.set(self._b.add(self.get(), value(more)))


class Language:
    """Helpers to write a function; `b` is LLVM's builder."""

    def __init__(self, function: ir.Function) -> None:
        # The entry block holds only the variables, so that more can be added later.
        entry, body = function.append_basic_block("entry"), function.append_basic_block("body")
        self._function, self._entry, self._body = function, entry, body
        self.b = ir.IRBuilder(body)

    def finish(self) -> None:
        """Return from the function, and close the entry block."""
        self.b.ret_void()
        ir.IRBuilder(self._entry).branch(self._body)

    def table(self, start: Any, kind: ir.Type) -> MemoryTable:
        """A table that starts at an address."""
        return MemoryTable(self.b, start, kind)

    def variable(self, start: Value = 0, kind: ir.Type = i64, name: str = "") -> Variable:
        """A variable with its first value."""
        variable = Variable(self.b, kind, name)
        variable.set(start)
        return variable

    def less(self, one: Value, other: Value) -> Any:
        """Whether one number is less than another."""
        return self.b.icmp_signed("<", value(one), value(other))

    def same(self, one: Value, other: Value) -> Any:
        """Whether two numbers are equal."""
        return self.b.icmp_signed("==", value(one), value(other))

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
            leave(self.b.not_(self.less(now, stop)))
            yield now
            index.set(self.b.add(now, value(1)))

    def _block(self, name: str) -> Any:
        return self._function.append_basic_block(name)


def compiled(module: ir.Module, name: str, *arguments: Any) -> tuple[Callable[..., None], object]:
    """A function of a module as machine code, and the object that keeps the code alive.

    Args:
        module: the module.
        name: the function's name.
        arguments: the ctypes of its arguments.
    """
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    features["prefer-256-bit"] = False
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


def vector(kind: ir.VectorType, entries: Sequence[int]) -> ir.Constant:
    """A constant vector."""
    return ir.Constant(kind, list(entries))
