"""Checkpoints: JSON with the run, the tally of its first batches, and a hash of both."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from sevenout.errors import NotationError, SevenoutError, shown
from sevenout.files import read_text, shown_path, write
from sevenout.simulation.random_bits import BATCH_SIZE, COHORT
from sevenout.textdata import json_data

FORMAT, VERSION = "sevenout.run", 2


class CheckpointError(SevenoutError):
    """A checkpoint that is damaged, or of another run."""

    @classmethod
    def of(cls, subject: object, fault: str) -> "CheckpointError":
        """The error that a checkpoint has a fault, with what to do instead."""
        return cls(f"{subject} {fault}; name another file, or begin again without it")


@dataclass(frozen=True)
class RunIdentity:
    """All that determines the tally of a run.

    Attributes:
        game: the identity of the chain.
        seed, games: of the run.
        block, cohort: the constants of the stream; checkpoints call the games of a batch so.
    """

    game: str
    seed: int
    games: int
    block: int = BATCH_SIZE
    cohort: int = COHORT


def save_checkpoint(path: Path, run: RunIdentity, tally: Mapping[str, Any]) -> None:
    """Replace a checkpoint in one step, so that a kill leaves the old or the new one.

    Args:
        path: the file.
        run: the run.
        tally: of its first batches, as data.

    Raises:
        FileError: the file can't be written.
    """
    content = {"format": FORMAT, "version": VERSION, "run": asdict(run), "tally": tally}
    content["checksum"] = _checksum(content)
    write(path, json.dumps(content))


def load_checkpoint(path: Path, run: RunIdentity) -> dict[str, Any]:
    """The tally of a run's checkpoint, as data.

    Raises:
        CheckpointError: the file is damaged, or of another run; it is not changed.
        FileError: it can't be read.
    """
    file = shown_path(path)
    try:
        content = json_data(read_text(path), file)
    except NotationError as error:
        raise CheckpointError.of(f"{error}:", "it is damaged, or is not a checkpoint") from None
    fields = {"format", "version", "run", "tally", "checksum"}
    if not isinstance(content, dict) or set(content) != fields:
        raise CheckpointError.of(file, "is damaged, or is not a checkpoint")
    format_name, version, saved, tally = (
        content[key] for key in ("format", "version", "run", "tally")
    )
    # before the version: a file cut or edited by hand is damaged, whatever version it names
    if content.pop("checksum") != _checksum(content):
        raise CheckpointError.of(file, "is damaged: its checksum does not match its contents")
    if (format_name, version) != (FORMAT, VERSION):
        fault = f"is {shown(format_name)}, version {shown(version)}"
        raise CheckpointError.of(file, f"{fault}; this is {FORMAT!r}, version {VERSION}")
    if not isinstance(saved, dict) or not isinstance(tally, dict):
        raise CheckpointError.of(file, "is damaged: its run or its tally is not a table")
    for name, expected in asdict(run).items():
        if saved.get(name) != expected:
            fault = f"belongs to another run: its {name} is {shown(saved.get(name))}"
            raise CheckpointError.of(file, f"{fault}, not {shown(expected)}")
    return tally


def _checksum(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()
