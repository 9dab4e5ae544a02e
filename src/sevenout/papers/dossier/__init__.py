"""The dossier: a folder with everything a test laboratory and a regulator ask for.

`dossier` writes the folder; `papers` lists its files, each made by a module here. The same rules,
texts and seeds give the same bytes.
"""

from sevenout.papers.dossier.dossier_content import Matter
from sevenout.papers.dossier.folder import dossier
from sevenout.papers.dossier.papers import GAME_FILE

__all__ = ["GAME_FILE", "Matter", "dossier"]
