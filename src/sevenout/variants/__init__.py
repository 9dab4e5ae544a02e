"""Families of rules.

A `Variant` is a point game given by three sets of totals and an out. A `Family` is all variants on
given dice under constraints. `census` lists a family; `fairest`, `around`, `count` and `between`
don't need to. `classes` finds its symmetries, and `VariantTable` answers queries. `tune` searches
the open numbers of a game file, `tiers` for several edges.
"""

from sevenout.lazy import lazy_getattr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.variants.article import Overview, overview
    from sevenout.variants.enumeration import Census, Histogram, census
    from sevenout.variants.fairest_search import (
        Fairest,
        NearestVariants,
        NoVariantError,
        around,
        fairest,
    )
    from sevenout.variants.family import Family, TooManyVariantsError
    from sevenout.variants.interval_counts import between, count, counts
    from sevenout.variants.symmetry import Classes, EquallyLikely, classes
    from sevenout.variants.tuning import Tiers, Tuned, Tuning, tiers, tune
    from sevenout.variants.variant import NAME, Variant, parse_variant, variant_game, variant_name
    from sevenout.variants.variant_table import Groups, QueryError, Rows, VariantTable, write_table
else:
    __getattr__ = lazy_getattr(
        __name__,
        {
            "article": "Overview overview",
            "enumeration": "Census Histogram census",
            "fairest_search": "Fairest NearestVariants NoVariantError around fairest",
            "family": "Family TooManyVariantsError",
            "interval_counts": "between count counts",
            "symmetry": "Classes EquallyLikely classes",
            "tuning": "Tiers Tuned Tuning tiers tune",
            "variant": "NAME Variant parse_variant variant_game variant_name",
            "variant_table": "Groups QueryError Rows VariantTable write_table",
        },
    )

__all__ = [
    "NAME",
    "Census",
    "Classes",
    "EquallyLikely",
    "Fairest",
    "Family",
    "Groups",
    "Histogram",
    "NearestVariants",
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
