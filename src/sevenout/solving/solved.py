"""What every answer keeps of its question: the rules that were solved, and their sheet."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sevenout.catalogue import Entry
from sevenout.documents import Page, Shown
from sevenout.errors import RulesError, shown
from sevenout.files import write
from sevenout.rules import Game

WRITERS: dict[str, Callable[[Page], bytes | str]] = {
    ".pdf": Page.pdf,
    ".html": Page.html,
    ".json": Page.json,
    ".txt": str,
}
"""How a page is written, by the ending of the file's name."""


class Solved(Shown):
    """An answer that knows what was solved.

    Attributes:
        subject: the rules or the entry of the catalogue; None if only a model was solved, or one
            player against a policy: neither has a sheet.
        wish: the goal in the words of `sevenout.best`; empty for the game's own.
    """

    subject: Game | Entry | None = None
    wish: Mapping[str, Any] = {}

    def sheet(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        date: str = "",
        simulate: int | None = None,
        seed: int = 1,
    ) -> Page:
        """The sheet of the game, written to a file if one is named; see `sevenout.sheet`.

        >>> import sevenout as so
        >>> so.solve("craps").sheet().title
        'Craps'

        Args:
            path: a file; its ending says how it is written: .pdf, .html, .json or .txt.
            date: the sheet's date; the clock is never read.
            simulate: the number of games of a simulation that confirms it; None for none.
            seed: the seed of the worked rounds and the simulation.

        Raises:
            RulesError: another ending, or an answer about a model alone.
            FileError: the file can't be written.
        """
        # The sheet stands on top of what solves; only the front door knows both.
        from sevenout import sheet

        kind = Path(path).suffix.lower() if path is not None else ".txt"
        if kind not in WRITERS:
            raise RulesError(f"{shown(str(path))}; name a file that ends in {', '.join(WRITERS)}")
        if self.subject is None:
            raise RulesError(
                "only rules have a sheet, and this answer is of a model alone, or against a "
                "policy; solve the game itself"
            )
        page = sheet(self.subject, date=date, simulate=simulate, seed=seed, goal=self.wish or None)
        if path is not None:
            write(path, WRITERS[kind](page))
        return page
