"""`python -m sevenout.cli` is `sevenout`."""

from sevenout.__main__ import run

run()
