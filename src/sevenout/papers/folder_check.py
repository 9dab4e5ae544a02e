"""Check a dossier's folder as a stranger would: nothing in it is believed.

The files are compared with their hashes. Then the folder is made again from the declaration that is
in it (the game file, the program, or the game's name) with the options that it states. Every file
is compared byte for byte, so a forged figure, pay, seed or rule in any paper shows. The certificate
is checked by this installation's checker, never by the folder's own. Vectors and meters are worked
line by line, so that the report names the line.

A folder whose declaration, options and papers were all made again from other rules is no forgery,
but another game; its declaration's hash is another.
"""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from sevenout import __version__
from sevenout.documents import HasPage, Page, Table, Text, Tone
from sevenout.errors import FileError, SevenoutError, printable, shown
from sevenout.files import MAX_HANDWRITTEN_BYTES, read_bytes, read_text, shown_path
from sevenout.papers.dossier import DECLARATION, FORMAT, OPTIONS, SUMS
from sevenout.papers.wording import PROOF
from sevenout.verify import Conformity

MAX_QUOTE = 90
"""The most characters of a difference that is quoted."""
PDF_READER = "pdftotext"
"""A program of poppler; where it is, differences of PDFs are quoted."""
MAX_SECONDS = 60
"""The most seconds that it may take."""

Remake = Callable[[Path, dict[str, Any], Path], None]
"""Makes a dossier again, from its folder and options, in a new folder."""
Conform = Callable[[Path, dict[str, Any], Path], Conformity]
"""Compares vectors or a meter with the game of a dossier, from its folder and options."""


class FolderFinding(NamedTuple):
    """A file, and what is wrong with it.

    Attributes:
        file: its name.
        fault: what is wrong; empty if it is as it should be.
    """

    file: str
    fault: str


@dataclass(frozen=True)
class FolderCheck(HasPage):
    """The result of checking a folder.

    Attributes:
        folder: its name.
        game: the title of the game.
        digest: the SHA-256 of its declaration; "" if that is missing.
        findings: of each file.
    """

    folder: str
    game: str
    digest: str
    findings: tuple[FolderFinding, ...]

    @property
    def agrees(self) -> bool:
        """Whether nothing is wrong."""
        return not any(finding.fault for finding in self.findings)

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        wrong = [finding.file for finding in self.findings if finding.fault]
        if not wrong:
            return (
                f"The folder is the dossier of {self.game}: {len(self.findings)} files, each as "
                f"the declaration {self.digest} gives it."
            )
        return f"The folder is not as its declaration gives it: {', '.join(wrong)}."

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "folder": self.folder,
            "game": self.game,
            "declaration": self.digest,
            "findings": {finding.file: finding.fault for finding in self.findings},
            "agrees": self.agrees,
            "verdict": self.verdict,
        }

    def page(self) -> Page:
        """Each file and what is wrong with it, and the verdict."""
        rows = [(finding.file, finding.fault or "as declared") for finding in self.findings]
        tones: dict[int, Tone] = {k: "bad" for k, f in enumerate(self.findings) if f.fault}
        tone: Tone = "good" if self.agrees else "bad"
        return Page(
            self.folder,
            Table(["file", "finding"], rows, tones=tones),
            Page("Verdict", Text(self.verdict, tone=tone)),
        )


def check_folder(path: str | os.PathLike[str], remake: Remake, conform: Conform) -> FolderCheck:
    """Check a dossier's folder.

    Args:
        path: the folder.
        remake: makes it again.
        conform: compares its vectors and meters with its game.

    Raises:
        FileError: there is no dossier, or it can't be read.
    """
    folder = Path(path)
    # a file, or a name mistyped, is refused before anything is read
    if not folder.is_dir():
        raise FileError(f"{shown_path(folder)} is not a folder; name that of a dossier")
    options = _options(folder)
    faults = [
        *_faults_of_hashes(folder),
        *_faults_of_remaking(folder, options, remake),
        *_faults_of_contents(folder, options, conform),
    ]
    faults_by_file: dict[str, list[str]] = {}
    for name, fault in faults:
        faults_by_file.setdefault(name, []).extend([fault] if fault else [])
    declared = _content(folder / DECLARATION)
    digest = sha256(declared).hexdigest() if declared else ""
    findings = tuple(
        FolderFinding(name, "; ".join(faults_by_file[name])) for name in sorted(faults_by_file)
    )
    return FolderCheck(shown_path(folder), str(options.get("game", "")), digest, findings)


def _options(folder: Path) -> dict[str, Any]:
    """The options that a dossier states, with the command that wrote it.

    Raises:
        FileError: the file is missing, damaged, or not that of a dossier.
    """
    try:
        data = json.loads(read_text(folder / OPTIONS, MAX_HANDWRITTEN_BYTES))
    except ValueError as error:
        raise FileError(f"{shown_path(folder / OPTIONS)} is not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise FileError(f"{shown_path(folder / OPTIONS)} is not that of a dossier")
    if not isinstance(data.get("options"), dict) or not isinstance(data.get("command"), str):
        raise FileError(
            f"{shown_path(folder / OPTIONS)} does not state the command and its options"
        )
    return data


def _content(path: Path) -> bytes:
    return read_bytes(path) if path.is_file() else b""


def _faults_of_hashes(folder: Path) -> Iterator[FolderFinding]:
    """Each file, and whether its hash is the one that is listed."""
    listed: dict[str, str] = {}
    # Bytes that are not UTF-8 are a finding, not an error of the check.
    for line in _content(folder / SUMS).decode(errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        listed[name] = digest
    present = {path.name for path in folder.iterdir()} - {SUMS}
    # both sides: a file may be missing, or not belong
    for name in sorted(present | {*listed}):
        if name not in present:
            yield FolderFinding(name, "missing")
        elif name not in listed:
            yield FolderFinding(name, f"not in {SUMS}")
        elif sha256(_content(folder / name)).hexdigest() != listed[name]:
            yield FolderFinding(name, f"another hash than in {SUMS}")
        else:
            yield FolderFinding(name, "")


def _faults_of_remaking(
    folder: Path, options: dict[str, Any], remake: Remake
) -> Iterator[FolderFinding]:
    """The files that are not as they are made again."""
    with TemporaryDirectory() as temporary:
        remade = Path(temporary, "again")
        try:
            remake(folder, options, remade)
        # a forged option is a finding, not an error of the check
        except SevenoutError as error:
            yield FolderFinding(OPTIONS, f"the folder can't be made again: {error}")
        else:
            yield from _faults_of_bytes(folder, remade, options)


def _faults_of_bytes(
    folder: Path, remade: Path, options: dict[str, Any]
) -> Iterator[FolderFinding]:
    """The files of a folder that differ from those of the folder made again."""
    software = str(options.get("software", ""))
    # another version may print the same game with other bytes
    version = ""
    if software != f"sevenout {__version__}":
        version = f" (made by {printable(software, 40)})"
    names = {path.name for path in folder.iterdir()} | {path.name for path in remade.iterdir()}
    # The list of hashes differs wherever a file does, and would repeat each finding.
    for name in sorted(names - {SUMS}):
        old, new = folder / name, remade / name
        if not new.is_file():
            yield FolderFinding(name, "no file of this dossier")
        elif not old.is_file():
            yield FolderFinding(name, "missing")
        elif _content(old) != _content(new):
            quoted = _first_difference(old, new)
            # a folder that names another version must not hide a forged picture, or a text where
            # none can be read: other bytes are always named
            yield FolderFinding(name, f"not what the declaration gives{quoted}{version}")


def _first_difference(old: Path, new: Path) -> str:
    """The first line that differs, in words; empty if no text differs or none can be read."""
    old_text, new_text = _readable_text(old), _readable_text(new)
    # the file is named as a finding all the same
    if old_text is None or new_text is None:
        return ""
    lines = zip_longest(old_text.splitlines(), new_text.splitlines(), fillvalue="")
    for number, (line, expected) in enumerate(lines, 1):
        if line != expected:
            quoted = shown(" ".join(line.split()), MAX_QUOTE)
            should = shown(" ".join(expected.split()), MAX_QUOTE)
            return f": line {number:,} is {quoted}, and should be {should}"
    return ""


def _readable_text(path: Path) -> str | None:
    """The text of a file; of a PDF only where a program for that is installed."""
    if path.suffix != ".pdf":
        return _content(path).decode(errors="replace")
    # poppler is no dependency of ours
    program = which(PDF_READER)
    if program is None:
        return None
    command = [program, "-layout", str(path), "-"]
    try:
        # A crafted PDF must not keep the check busy for ever.
        process = subprocess.run(command, capture_output=True, check=False, timeout=MAX_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    return process.stdout.decode(errors="replace") if not process.returncode else None


def _faults_of_contents(
    folder: Path, options: dict[str, Any], conform: Conform
) -> Iterator[FolderFinding]:
    """What the checker says of the certificate, and the first faults of vectors and meters."""
    from sevenout.certify import check

    # without types, as a program that stands alone
    checker: Any = check
    # the checker of this installation: the folder's own could say anything
    if (folder / PROOF).is_file():
        code, message = checker.check(str(folder / PROOF))
        if code:
            yield FolderFinding(PROOF, printable(message, 160))
    for name in ("vectors.csv", "meter.csv"):
        if (folder / name).is_file():
            try:
                conformity = conform(folder, options, folder / name)
            except SevenoutError as error:
                yield FolderFinding(name, printable(str(error), 160))
                continue
            if conformity.listed:
                first = conformity.listed[0]
                yield FolderFinding(name, f"line {first.line:,}: {first.words}")
