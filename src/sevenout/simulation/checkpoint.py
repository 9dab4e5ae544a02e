"""Checkpoints of a run: JSON with the run, its finished games, their tally, and a hash.

The games are always whole blocks from the first. The file is replaced in one step, so a kill leaves
the old or the new one.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.files import named, read_text, write
from sevenout.simulation.backends.random_bits import BLOCK, COHORT
from sevenout.textdata import json_data

FORMAT, VERSION = "sevenout.run", 2
INSTEAD = "name another file, or begin again without it"


class CheckpointError(SevenoutError):
    """A checkpoint that is damaged, or of another run."""


@dataclass(frozen=True)
class Run:
    """All that determines the tally of a run.

    Attributes:
        game: the identity of the chain.
        block, cohort: the constants of the stream.
    """

    game: str
    seed: int
    games: int
    block: int = BLOCK
    cohort: int = COHORT


def save(path: Path, run: Run, tally: Mapping[str, Any]) -> None:
    """Write a checkpoint in one step.

    Args:
        path: the file.
        run: the run.
        tally: of its first blocks, as data.

    Raises:
        FileError: the file can't be written.
    """
    content = {"format": FORMAT, "version": VERSION, "run": asdict(run), "tally": tally}
    content["checksum"] = _checksum(content)
    write(path, json.dumps(content))


def load(path: Path, run: Run) -> dict[str, Any]:
    """The tally of a run's checkpoint, as data.

    Raises:
        CheckpointError: the file is damaged, or of another run; it is not changed.
        FileError: it can't be read.
    """
    file = named(path)
    try:
        content = json_data(read_text(path), file)
    except NotationError as error:
        raise CheckpointError(
            f"{error}: it is damaged, or is not a checkpoint; {INSTEAD}"
        ) from None
    fields = {"format", "version", "run", "tally", "checksum"}
    if not isinstance(content, dict) or set(content) != fields:
        raise CheckpointError(f"{file} is damaged, or is not a checkpoint; {INSTEAD}")
    form, version, saved, tally = (content[key] for key in ("format", "version", "run", "tally"))
    if content.pop("checksum") != _checksum(content):
        raise CheckpointError(
            f"{file} is damaged: its checksum does not match its contents; {INSTEAD}"
        )
    if (form, version) != (FORMAT, VERSION):
        raise CheckpointError(
            f"{file} is {shown(form)}, version {shown(version)}; this is {FORMAT!r}, version "
            f"{VERSION}; {INSTEAD}"
        )
    if not isinstance(saved, dict) or not isinstance(tally, dict):
        raise CheckpointError(f"{file} is damaged: its run or its tally is not a table; {INSTEAD}")
    for name, ours in asdict(run).items():
        if saved.get(name) != ours:
            raise CheckpointError(
                f"{file} belongs to another run: its {name} is {shown(saved.get(name))}, not "
                f"{shown(ours)}; {INSTEAD}"
            )
    return tally


def _checksum(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()
