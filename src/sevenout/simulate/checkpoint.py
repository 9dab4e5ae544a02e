"""A run on disk: whole blocks only, written so that a kill at any moment leaves one or the other.

The file is JSON: what the run is, how many of its games are done (always the first blocks), their
tally, and a hash of all that. It is written beside its place, synced, and renamed into it.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from sevenout.errors import SevenoutError
from sevenout.simulate.stream import BLOCK, COHORT

FORMAT, VERSION = "sevenout.run", 1


class CheckpointError(SevenoutError):
    """A checkpoint that is damaged, or of another run."""


@dataclass(frozen=True)
class Run:
    """What a run is: nothing else has a say in its tally.

    Attributes:
        game: the identity of the chain.
        seed: the seed.
        games: how many games it has in all.
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
        path: where.
        run: the run.
        tally: the tally of its first blocks, as data.
    """
    content = {"format": FORMAT, "version": VERSION, "run": asdict(run), "tally": tally}
    content["sha256"] = _hash(content)
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with open(beside, "w", encoding="utf-8") as file:
            json.dump(content, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise CheckpointError(f"cannot write {path}: {error.strerror}") from None
    finally:  # Ctrl-C too leaves nothing beside it
        with suppress(OSError):
            beside.unlink()


def load(path: Path, run: Run) -> dict[str, Any]:
    """The tally, as data, of a run's checkpoint.

    Raises:
        CheckpointError: the file is damaged, or of another run; it is left as it is.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        claimed = content.pop("sha256")
        form, version, saved = content["format"], content["version"], content["run"]
    except OSError as error:
        raise CheckpointError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise CheckpointError(f"{path} is damaged, or is not a checkpoint") from None
    if claimed != _hash(content):
        raise CheckpointError(f"{path} is damaged: its hash does not match what it says")
    if (form, version) != (FORMAT, VERSION):
        raise CheckpointError(
            f"{path} is {form!r}, version {version!r}; this is {FORMAT!r}, version {VERSION}"
        )
    for name, ours in asdict(run).items():
        if saved.get(name) != ours:
            raise CheckpointError(
                f"{path} is of another run: its {name} is {saved.get(name)}, not {ours}"
            )
    tally: dict[str, Any] = content["tally"]
    return tally


def _hash(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def _sync_folder(folder: Path) -> None:
    """Make a rename last; where folders cannot be opened (Windows) it lasts without."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
