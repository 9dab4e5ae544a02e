"""Games that are rolled by JavaScript, as in the page: the tally is that of every engine."""

import subprocess
from functools import partial
from importlib.resources import files
from shutil import which

import pytest

from sevenout.games import catalogue
from sevenout.model import chain_of
from sevenout.simulation import simulate
from sevenout.simulation.backends.browser_engine import tally_by

NODE = which("node")
SCRIPT = """
const { play } = await import(process.argv[1]);
let asked = "";
for await (const piece of process.stdin) asked += piece;
console.log(play(asked));
"""
pytestmark = pytest.mark.skipif(NODE is None, reason="Node.js runs what a page would")


def by_node(asked, tmp_path):
    script = tmp_path / "play.mjs"
    script.write_bytes((files("sevenout.lab.static") / "play.js").read_bytes())
    words = [NODE, "--input-type=module", "-e", SCRIPT, script.as_uri()]
    made = subprocess.run(words, input=asked, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return made.stdout


@pytest.mark.parametrize("seed", [1, 2**64 - 5])
@pytest.mark.parametrize("name", ["craps", "fast-craps", "hazard"])
@pytest.mark.parametrize("games", [300, 100_003])
def test_the_tally_is_that_of_every_engine(name, games, seed, tmp_path):
    chain = chain_of(catalogue[name])
    found = tally_by(partial(by_node, tmp_path=tmp_path), chain, games, seed)
    assert found == simulate(chain, games, seed)


def test_a_run_of_two_blocks(tmp_path):
    chain = chain_of(catalogue["craps"])
    found = tally_by(partial(by_node, tmp_path=tmp_path), chain, 2**22 + 77, 3)
    assert found == simulate(chain, 2**22 + 77, 3)
