"""Families of rules: every variant, the fairest with proof, the symmetry explained, tuning.

A `Variant` is a point game by its three sets of totals and its out; a `Family` is all of them over
given dice, under a designer's constraints. `census` lists a family, `fairest`, `around`,
`count` and `between` answer without listing it, `classes` sorts it by symmetry, `VariantTable` asks
it questions. `tune` searches the open numbers of a game file, `tiers` for several edges at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sevenout.variants.family import Family, TooManyVariantsError
from sevenout.variants.variant import NAME, Variant, parse_variant, variant_game, variant_name

if TYPE_CHECKING:
    from sevenout.variants.answer import Overview, overview
    from sevenout.variants.condition import QueryError
    from sevenout.variants.query import Groups, Rows, VariantTable, write_table
    from sevenout.variants.search import Fairest, NoVariantError, between, count, counts, fairest
    from sevenout.variants.sides import Around, around
    from sevenout.variants.symmetry import Alike, Classes, classes
    from sevenout.variants.table import Census, Histogram, census
    from sevenout.variants.tuned import Tiers, Tuned, Tuning
    from sevenout.variants.tuning import tiers, tune

_LAZY = {
    "Around": "sides",
    "around": "sides",
    "Overview": "answer",
    "overview": "answer",
    "Tiers": "tuned",
    "Tuned": "tuned",
    "Tuning": "tuned",
    "tiers": "tuning",
    "tune": "tuning",
    "Alike": "symmetry",
    "Classes": "symmetry",
    "classes": "symmetry",
    "Census": "table",
    "Fairest": "search",
    "NoVariantError": "search",
    "Histogram": "table",
    "Groups": "query",
    "QueryError": "condition",
    "Rows": "query",
    "VariantTable": "query",
    "write_table": "query",
    "between": "search",
    "census": "table",
    "count": "search",
    "counts": "search",
    "fairest": "search",
}

__all__ = [
    "NAME",
    "Alike",
    "Around",
    "Census",
    "Classes",
    "Fairest",
    "Family",
    "Groups",
    "Histogram",
    "NoVariantError",
    "Overview",
    "QueryError",
    "Rows",
    "Tiers",
    "TooManyVariantsError",
    "Tuned",
    "Tuning",
    "Variant",
    "VariantTable",
    "around",
    "between",
    "census",
    "classes",
    "count",
    "counts",
    "fairest",
    "overview",
    "parse_variant",
    "tiers",
    "tune",
    "variant_game",
    "variant_name",
    "write_table",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(f"sevenout.variants.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
