"""Mutation testing: the share of small changes to a package that no test notices.

    pip install mutmut
    python benchmarks/mutation.py model tests/test_engines.py tests/catalogue --sample 120

mutmut makes the mutants. A sample of them runs in a copy of the repository, each in a process of
its own, against the tests that reach the mutated function, the fastest first. (`mutmut run` makes
all mutants, collects the tests for each, and fills caches before it starts.) Mutants that only
change the message of an error, or whether `zip` is strict, are left out. The survivors listed in
`equivalent_mutants.tsv` do the same as the package; the others are printed.

The sample is the mutants whose texts have the smallest hashes, in this order. So a change to the
source replaces few of them, and those run so far are a random sample too.
"""

import argparse
import functools
import gc
import hashlib
import inspect
import os
import pickle
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import libcst as cst
import pytest
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.mutation.file_mutation import combine_mutations_to_source, create_mutations
from mutmut.mutation.trampoline import get_mutant_under_test, set_mutant_under_test
from mutmut.state import state

REPOSITORY = Path(__file__).resolve().parents[1]
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.tsv")
LIMIT = 10
"""CPU seconds of a mutant; one that no test has killed by then counts as a survivor."""
MEMORY = 8 << 30
"""Bytes of address space: an attempt to get more kills the mutant."""
PYTEST = ["-o", "addopts=", "-q", "--doctest-modules", "--import-mode=importlib"]


def nodes_of(node: cst.CSTNode) -> list[cst.CSTNode]:
    nodes = [node]
    for part in nodes:
        nodes.extend(part.children)
    return nodes


def is_acting(call: cst.Call, index: int) -> bool:
    """Whether an argument is neither of an error's message nor whether `zip` is strict.

    The checker of certificates raises errors by `must`, `require` names the extra to install, and
    `afford` says which computation is too long, and what to do `instead`.
    """
    match call.func, call.args[index].keyword:
        case _, cst.Name("strict" | "instead"):
            return False
        case cst.Name("must" | "require"), None:
            return index == 0
        case cst.Name("afford"), None:
            return False
    return True


def unchanged_nodes(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The nodes in an error's message, and whether `zip` is strict."""
    match node:
        case cst.Raise():
            return nodes_of(node)
        case cst.Call(args=args):
            silent = [arg for index, arg in enumerate(args) if not is_acting(node, index)]
            return [part for arg in silent for part in nodes_of(arg)]
    return []


def acting_code(node: cst.CSTNode) -> list[str] | None:
    """The code of a call's function and of the arguments that act; None of another node."""
    if not isinstance(node, cst.Call):
        return None
    args = [arg.with_changes(comma=cst.MaybeSentinel.DEFAULT) for arg in node.args]
    acting = [arg for index, arg in enumerate(args) if is_acting(node, index)]
    return [cst.Module([]).code_for_node(part).strip() for part in (node.func, *acting)]


def write_mutants(package: Path, size: int, seed: str, counts: Counter[str]) -> dict[str, str]:
    """Write a sample of the mutants into the files; return the text of each by its name."""
    pool = []
    for path in sorted(package.rglob("*.py")):
        module, mutations, *_ = create_mutations(str(path), path.read_text(encoding="utf-8"))
        unchanged = {id(part) for node in nodes_of(module) for part in unchanged_nodes(node)}
        texts = Counter[str]()
        for mutation in mutations:
            function = mutation.contained_by_top_level_function
            if not isinstance(function, cst.FunctionDef):  # mutmut changes only functions
                continue
            counts["mutants"] += 1
            old, new = map(module.code_for_node, (mutation.original_node, mutation.mutated_node))
            acting = acting_code(mutation.original_node)
            if id(mutation.original_node) in unchanged or (
                acting is not None and acting == acting_code(mutation.mutated_node)
            ):
                counts["left out"] += 1
                continue
            name = path.relative_to(package)
            text = " ".join(f"{name} {function.name.value}: {old} -> {new}".split())
            texts[text] += 1  # the same change at several places of a function
            text += f" #{texts[text]}" * (texts[text] > 1)
            digest = hashlib.sha256(f"{seed} {text}".encode()).digest()
            pool.append((digest, path, module, mutation, text))
    names = dict.fromkeys(sorted(row[0] for row in pool)[:size], ("", ""))
    sample = [row for row in pool if row[0] in names]
    for path in {row[1] for row in sample}:
        rows = [row for row in sample if row[1] == path]
        mutated = combine_mutations_to_source(rows[0][2], [row[3] for row in rows])
        path.write_text(mutated.code, encoding="utf-8")
        dotted = ".".join(path.relative_to(package.parents[1]).with_suffix("").parts)
        for name, row in zip(mutated.mutant_names, rows, strict=True):
            names[row[0]] = f"{dotted.removesuffix('.__init__')}.{name}", row[4]
    return dict(names.values())


class MutantRuns:
    """A plugin of pytest that runs the tests once for each mutant, each time in a new process.

    Attributes:
        names: the text of each mutant by its name.
        processes: the number of mutants that run at a time.
        survivors: the mutants that no test killed.
        failed: whether a test of this process has failed.
    """

    def __init__(self, names: dict[str, str], processes: int) -> None:
        self.names, self.processes = names, processes
        self.survivors: list[str] = []
        self.failed = False

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        # Each mutant has the doctest of its function; the original's is enough.
        items[:] = [item for item in items if "__mutmut_" not in item.name.replace("_orig", "")]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed

    def run(self, item: pytest.Item) -> None:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        # `type`, since `isinstance` asks a weak reference for an object that may be gone
        caches = [c for c in gc.get_objects() if type(c) is functools._lru_cache_wrapper]
        caches = [c for c in caches if (c.__module__ or "").startswith(("sevenout", "tests"))]
        reached, seconds = self.measured(session.items, caches)
        for cache in caches:  # filled while the tests were collected
            cache.cache_clear()
        running: dict[int, str] = {}
        for name in self.names:
            function = name.partition("__mutmut_")[0]
            tests = [item for item in seconds if function in reached[item]]
            if len(running) == self.processes:
                self.finish(running, session)
            if not (child := os.fork()):
                self.mutant(name, sorted(tests, key=seconds.get), seconds)
            running[child] = name
        while running:
            self.finish(running, session)
        return True

    def measured(self, items, caches):
        """The functions that each test reaches, and its CPU seconds; a failing test is left out."""
        reader, writer = os.pipe()
        if not os.fork():
            set_mutant_under_test("stats")
            results = []
            for number, item in enumerate(items):
                for cache in caches:  # else only the first of several tests reaches a function
                    cache.cache_clear()
                state()._stats.clear()
                start, self.failed = time.process_time(), False
                self.run(item)
                if not self.failed:
                    results.append((number, set(state()._stats), time.process_time() - start))
            with open(writer, "wb") as file:
                pickle.dump(results, file)
            os._exit(0)
        os.close(writer)
        with open(reader, "rb") as file:
            results = pickle.load(file)
        os.wait()
        reached = {items[number]: functions for number, functions, _ in results}
        return reached, {items[number]: seconds for number, _, seconds in results}

    def mutant(self, name, tests, seconds) -> None:
        """Run the tests until one fails, and end the process: the exit code tells the parent."""
        code = 1
        try:
            set_mutant_under_test(name)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            signal.alarm(900)  # a mutant that waits for ever uses no CPU time
            for item in tests:
                item.config.pluginmanager.unregister(name="terminalreporter")
                # an endless loop ends after ten times the usual seconds, plus a start
                signal.setitimer(signal.ITIMER_PROF, 5 + 10 * seconds[item])
                self.run(item)
                if self.failed or time.process_time() > LIMIT:
                    break
            code = int(self.failed)
        finally:
            os._exit(code)

    def finish(self, running: dict[int, str], session: pytest.Session) -> None:
        """Wait for a mutant to end.

        The wall clock tells how busy the machine is, so a mutant that it ends isn't killed.
        """
        child, status = os.wait()
        name, code = running.pop(child), os.waitstatus_to_exitcode(status)
        results = {0: "survived", 1: "killed", -signal.SIGPROF: "killed, endless"}
        result = results.get(code, f"survived, ended by {code}")
        if result.startswith("survived"):
            self.survivors.append(name)
        session.config.get_terminal_writer().line(f"{result}: {self.names[name][:150]}")


def compile_mutants() -> None:
    """Let numba compile the mutant: it can't compile the function that chooses one."""
    import numba

    njit = numba.njit

    def njit_of_mutant(function, **options):
        original = inspect.unwrap(function)
        name = f"x_{original.__name__}"
        if mutants := original.__globals__.get(f"mutants_{name}__mutmut"):
            state()._stats.add(f"{original.__module__}.{name}")
            module, _, mutant = get_mutant_under_test().rpartition(".")
            of_module = module == original.__module__
            function = (of_module and mutants.get(mutant)) or mutants["_mutmut_orig"]
        return njit(function, **options)

    numba.njit = njit_of_mutant


def main() -> None:
    parser = argparse.ArgumentParser(description="Run a sample of the mutants of a package.")
    parser.add_argument("package", help="a folder of src/sevenout, such as model")
    parser.add_argument(
        "tests", nargs="*", help="tests besides those of the package and its doctests"
    )
    parser.add_argument("--sample", type=int, default=120, metavar="N")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--only", default="", metavar="TEXT", help="mutants that contain the text")
    parser.add_argument("-m", dest="marks", default="not slow", help="as pytest's: '' for all")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mutation-"))
    copy, counts = folder / "repository", Counter[str]()
    shutil.copytree(REPOSITORY, copy, ignore=shutil.ignore_patterns(".*", "__pycache__", "site"))
    os.chdir(copy)  # mutmut reads pyproject.toml
    package = copy / "src/sevenout" / options.package
    names = write_mutants(package, options.sample, options.seed, counts)
    names = {name: text for name, text in names.items() if options.only in text}
    sys.path[:0] = [str(copy / "src"), str(copy)]
    os.environ["PYTHONPATH"] = str(copy / "src")  # of tests that start another process
    compile_mutants()
    runs = MutantRuns(names, options.processes)
    tests = [f"tests/{options.package}", f"src/sevenout/{options.package}", *options.tests]
    flags = [*PYTEST, "--hypothesis-seed=1", "-m", options.marks, f"--basetemp={folder / 'tests'}"]
    if code := pytest.main([*flags, *tests], [runs]):
        parser.exit(code, "pytest stopped before the last mutant\n")
    judged = {line.split("\t")[0] for line in EQUIVALENT.read_text(encoding="utf-8").splitlines()}
    real = [n for n in runs.survivors if f"{options.package}/{names[n]}" not in judged]
    for name in real:
        path = name.rpartition(".")[0].replace(".", "/") + ".py"
        source = (copy / "src" / path).read_text(encoding="utf-8")
        print(f"\n{names[name]}\n{get_diff_for_mutant(name, source, path)}")
    same = len(runs.survivors) - len(real)
    print(
        f"{options.package}: {counts['mutants']:,} mutants, {counts['left out']} left out; "
        f"of {len(names)}, {len(names) - len(runs.survivors)} killed, {same} equivalent, "
        f"{len(real)} survived: {len(real) / max(1, len(names) - same):.1%} of those that differ"
    )
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
