"""The dossier: all that a laboratory and a regulator ask for, as one folder made from the rules.

`dossier` makes the folder. Each paper is a page or data of its own, made by a module here; `papers`
lists them. The same rules, words and seeds give the same bytes.
"""

from sevenout.report.dossier.dossier_content import Matter
from sevenout.report.dossier.folder import dossier
from sevenout.report.dossier.papers import GAME_FILE

__all__ = ["GAME_FILE", "Matter", "dossier"]
