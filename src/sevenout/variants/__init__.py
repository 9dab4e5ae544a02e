"""Families of rules.

A `Variant` is a point game given by three sets of totals and an out. A `Family` is all variants on
given dice under constraints. `census` lists a family; `fairest`, `around`, `count` and `between`
don't need to. `classes` finds its symmetries, and `VariantTable` answers queries. `tune` searches
the open numbers of a game file, `tiers` for several edges.
"""

from sevenout.lazy import opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sevenout.variants.condition import QueryError
    from sevenout.variants.counting.interval_count import between, count, counts
    from sevenout.variants.design.tuned import Tiers, Tuned, Tuning
    from sevenout.variants.design.tuning import tiers, tune
    from sevenout.variants.fairest_sides import NearestVariants, around
    from sevenout.variants.family import Family, TooManyVariantsError
    from sevenout.variants.query import Groups, Rows, VariantTable, write_table
    from sevenout.variants.search import Fairest, NoVariantError, fairest
    from sevenout.variants.search_answer import Overview, overview
    from sevenout.variants.symmetry import Classes, EquallyLikely, classes
    from sevenout.variants.variant import NAME, Variant, parse_variant, variant_game, variant_name
    from sevenout.variants.variant_table import Census, Histogram, census
else:
    __getattr__ = opened(
        __name__,
        {
            "condition": "QueryError",
            "counting.interval_count": "between count counts",
            "design.tuned": "Tiers Tuned Tuning",
            "design.tuning": "tiers tune",
            "fairest_sides": "NearestVariants around",
            "family": "Family TooManyVariantsError",
            "query": "Groups Rows VariantTable write_table",
            "search": "Fairest NoVariantError fairest",
            "search_answer": "Overview overview",
            "symmetry": "Classes EquallyLikely classes",
            "variant": "NAME Variant parse_variant variant_game variant_name",
            "variant_table": "Census Histogram census",
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
