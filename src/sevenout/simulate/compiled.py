"""The compiled engine: `kernel` through LLVM, called without the interpreter's lock."""

import ctypes
from collections.abc import Callable
from functools import lru_cache

from sevenout.errors import SevenoutError
from sevenout.simulate.part import Part
from sevenout.simulate.philox import key_of
from sevenout.simulate.plan import Plan

WIDTHS = (128, 256, 512)
ROLLS_PER_CALL = 32
"""How often the compiled function comes back, to be asked whether to go on."""
RECORDS = 1 << 13


@lru_cache(maxsize=1)
def best_width() -> int:
    """The widest vectors, in bits, that this machine has.

    >>> best_width() in WIDTHS
    True
    """
    import llvmlite.binding as llvm

    has = llvm.get_host_cpu_features()
    return 512 if has.get("avx512f") else 256 if has.get("avx2") else 128


@lru_cache(maxsize=len(WIDTHS))
def _function(width: int) -> tuple[Callable[..., None], object]:
    """The compiled function, and what keeps its code alive; compiled once in a process."""
    import llvmlite.binding as llvm

    from sevenout.simulate import kernel

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    features["prefer-256-bit"] = False
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features.flatten(), opt=3
    )
    module = llvm.parse_assembly(str(kernel.module(width)))
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    pointers = [ctypes.c_void_p] * len(kernel.TABLES + kernel.WORK)
    signature = ctypes.CFUNCTYPE(None, *pointers, *[ctypes.c_int64] * len(kernel.NUMBERS))
    return signature(engine.get_function_address(kernel.NAME)), engine


def is_warm() -> bool:
    """Whether the compiler has been at work in this process."""
    return _function.cache_info().currsize > 0


def play(
    plan: Plan,
    seed: int,
    block: int,
    games: int,
    stop: Callable[[], bool] | None = None,
    *,
    width: int | None = None,
) -> Part | None:
    """Play a block, as `portable.play` does, with vectors of `width` bits (the widest if None)."""
    import numpy as np

    from sevenout.simulate import kernel

    width = best_width() if width is None else width
    if width not in WIDTHS:
        raise SevenoutError(f"vectors of {width} bits; they have 128, 256 or 512")
    function, _ = _function(width)
    tables = [np.ascontiguousarray(getattr(plan, name)) for name in kernel.TABLES]
    capacity = max(RECORDS, 2 * plan.exits)
    sizes = {
        "current": plan.states,
        "next": plan.states + plan.exits,
        "flow": plan.edges,
        "slots": int((plan.nodes + plan.labels).max()) + 1,
        "words": width // 32,
        "progress": len(kernel.PROGRESS),
        "record_key": capacity,
        "record_count": capacity,
    }
    work = {name: np.zeros(sizes[name], dtype=np.int64) for name in kernel.WORK}
    work["current"][0] = games
    progress = work["progress"]
    roll, records, done = (kernel.PROGRESS.index(name) for name in ("roll", "records", "done"))
    pointers = [array.ctypes.data for array in (*tables, *work.values())]
    found = []
    while not progress[done]:
        if stop is not None and stop():
            return None
        progress[records] = 0
        numbers = {
            "states": plan.states,
            "exits": plan.exits,
            "last_record": capacity - plan.exits,
            "last_roll": int(progress[roll]) + ROLLS_PER_CALL,
            "key0": key_of(seed)[0],
            "key1": key_of(seed)[1],
            "block": block,
        }
        function(*pointers, *(numbers[name] for name in kernel.NUMBERS))
        n = int(progress[records])
        found.append((work["record_key"][:n].copy(), work["record_count"][:n].copy()))
    keys, counts = (np.concatenate(column) for column in zip(*found, strict=True))
    return Part(games, work["flow"], keys, counts)
