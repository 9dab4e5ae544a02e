"""Draws the pictures of `docs/variants.md`: `python docs/pictures/variants.py`."""

from pathlib import Path

from sevenout.variants import Family
from sevenout.variants.pictures import edge_map, histogram

HERE = Path(__file__).parent


def main() -> None:
    family = Family("2d6")
    histogram(family).savefig(HERE / "variants-half.png", metadata={"Software": None})
    edge_map(family).savefig(HERE / "variants-map.png", metadata={"Software": None})


if __name__ == "__main__":
    main()
