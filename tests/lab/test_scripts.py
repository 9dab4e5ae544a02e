"""The lab's JavaScript: modules that join into one script, and functions that need no browser."""

import json
import re
import subprocess
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from shutil import which
from typing import Any
from zipfile import ZipFile

import pytest

from sevenout.lab.scripts import IMPORT, MODULES, script
from sevenout.lab.static.build import LIBRARIES, libraries

NODE = which("node")
node_only = pytest.mark.skipif(NODE is None, reason="needs Node.js")
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function|const|let) (\w+)", re.MULTILINE)


def text(name: str) -> str:
    return (files("sevenout.lab.scripts") / f"{name}.js").read_text("utf-8")


def node(program: str, folder: Path) -> Any:
    """What a module prints as JSON; it may import what stands in the folder."""
    assert NODE is not None
    (folder / "program.mjs").write_text(program)
    run = subprocess.run(
        [NODE, "program.mjs"], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The scripts of the static edition, as modules of Node.js."""
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for name in ("shared", "python"):
        script = (files("sevenout.lab.static") / f"{name}.js").read_text("utf-8")
        (tmp_path / f"{name}.js").write_text(script)
    return tmp_path


def test_every_module_is_joined_after_what_it_imports() -> None:
    here = {Path(str(file)).stem for file in files("sevenout.lab.scripts").iterdir()}
    assert here - {"__init__", "__pycache__"} == {*MODULES}
    for place, name in enumerate(MODULES):
        assert {*IMPORT.findall(text(name))} <= {*MODULES[:place]}, name


def test_no_two_modules_declare_the_same_name() -> None:
    """They share a scope when they are joined, where a second function would replace the first."""
    names = [found for name in MODULES for found in DECLARED.findall(text(name))]
    assert sorted(names) == sorted({*names})


def test_an_import_names_what_is_exported() -> None:
    for name in MODULES:
        for line in re.findall(
            r'^import \{ ([^}]*) \} from "\./(\w+)\.js";$', text(name), re.MULTILINE
        ):
            names, module = line
            for imported in names.split(", "):
                assert re.search(
                    rf"^export (async )?(function|const|let) {imported}\b",
                    text(module),
                    re.MULTILINE,
                ), (name, imported)


@node_only
def test_the_joined_script_is_valid(tmp_path: Path) -> None:
    assert NODE is not None
    (tmp_path / "lab.js").write_bytes(script())
    subprocess.run([NODE, "--check", "lab.js"], cwd=tmp_path, check=True, timeout=60)


@node_only
def test_a_shared_headline_comes_back_from_its_fragment(folder: Path) -> None:
    headline = {"title": "Craps & <b>", "figures": [["49.29 %", "wins|ties"], ["−1.4 %", ""]]}
    program = (
        "import { read, written } from './shared.js';"
        f"const one = {json.dumps(headline)};"
        "console.log(JSON.stringify([read(written(one)), read('#rolls'), read('#shared&'),"
        "read('#shared&title=' + 'x'.repeat(999) + '&figure=1'.repeat(99))]));"
    )
    back, other, empty, long = node(program, folder)
    assert back == headline
    assert other is None
    assert empty == {"title": "", "figures": []}
    assert len(long["title"]) == 120
    assert long["figures"] == [["1", ""]] * 4


@node_only
def test_rules_are_drawn_from_the_address(folder: Path) -> None:
    games = ["2,3,12/7,11/7;pass:point=6/5", "2,3/7,11@3d6", "hazard;main=6", "", "a/b/c", "//7"]
    program = (
        "import { rules, titled } from './shared.js';"
        f"const all = {json.dumps(games)};"
        "console.log(JSON.stringify(all.map((game) => [titled(game, 'Odds'), rules(game)])));"
    )
    titles, drawn = zip(*node(program, folder), strict=True)
    assert titles == (
        "2,3,12/7,11/7, pass:point=6/5",
        "2,3/7,11@3d6",
        "Hazard, main=6",
        "Odds",
        "a/b/c",
        "//7",
    )
    assert drawn[0] == [
        ["Dice", "2d6"],
        ["Loses at once", "2, 3, 12"],
        ["Wins at once", "7, 11"],
        ["Loses later", "7"],
        ["Every other total", "is a point"],
        ["Changed", "pass:point=6/5"],
    ]
    assert drawn[1][:3] == [["Dice", "3d6"], ["Loses at once", "2, 3"], ["Wins at once", "7, 11"]]
    assert drawn[2:5] == ([], [], [])
    assert drawn[5][1] == ["Loses at once", "nothing"]


@node_only
def test_libraries_are_unpacked_as_they_were_packed(folder: Path) -> None:
    held = BytesIO()
    with ZipFile(held, "w") as wheel:
        for name in (*LIBRARIES, "flint/types/fmpz.so"):
            wheel.writestr(name, f"content of {name}")
    (folder / "flint.libraries").write_bytes(libraries(held.getvalue()))
    program = (
        "import { readFileSync } from 'node:fs'; import { unpacked } from './python.js';"
        "const bytes = readFileSync('flint.libraries'), text = new TextDecoder();"
        "const files = unpacked(new Uint8Array(bytes).buffer);"
        "console.log(JSON.stringify([...files].map(([name, part]) => [name, text.decode(part)])));"
    )
    assert node(program, folder) == [
        *([Path(name).name, f"content of {name}"] for name in LIBRARIES),
        ["/lib/flint/flint/types/fmpz.so", "content of flint/types/fmpz.so"],
    ]
