"""How much random input the tests try: a share in CI, all of it with SEVENOUT_DEEP=yes."""

import os

DEEP = os.environ.get("SEVENOUT_DEEP") == "yes"


def tried(count: int, share: int = 5) -> int:
    """The whole count, or one `share`-th of it."""
    return count if DEEP else count // share
