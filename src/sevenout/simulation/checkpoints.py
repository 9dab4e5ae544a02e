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
CHECKPOINT_ADVICE = "name another file, or begin again without it"


class CheckpointError(SevenoutError):
    """A checkpoint that is damaged, or of another run."""


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
        raise CheckpointError(
            f"{error}: it is damaged, or is not a checkpoint; {CHECKPOINT_ADVICE}"
        ) from None
    fields = {"format", "version", "run", "tally", "checksum"}
    if not isinstance(content, dict) or set(content) != fields:
        raise CheckpointError(f"{file} is damaged, or is not a checkpoint; {CHECKPOINT_ADVICE}")
    format_name, version, saved, tally = (
        content[key] for key in ("format", "version", "run", "tally")
    )
    # before the version: a file cut or edited by hand is damaged, whatever version it names
    if content.pop("checksum") != _checksum(content):
        raise CheckpointError(
            f"{file} is damaged: its checksum does not match its contents; {CHECKPOINT_ADVICE}"
        )
    if (format_name, version) != (FORMAT, VERSION):
        raise CheckpointError(
            f"{file} is {shown(format_name)}, version {shown(version)}; this is {FORMAT!r}, "
            f"version {VERSION}; {CHECKPOINT_ADVICE}"
        )
    if not isinstance(saved, dict) or not isinstance(tally, dict):
        raise CheckpointError(
            f"{file} is damaged: its run or its tally is not a table; {CHECKPOINT_ADVICE}"
        )
    for name, expected in asdict(run).items():
        if saved.get(name) != expected:
            raise CheckpointError(
                f"{file} belongs to another run: its {name} is {shown(saved.get(name))}, not "
                f"{shown(expected)}; {CHECKPOINT_ADVICE}"
            )
    return tally


def _checksum(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()
