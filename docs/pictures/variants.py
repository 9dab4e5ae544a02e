"""Draws the pictures of `docs/variants.md`: `python docs/pictures/variants.py`."""

from pathlib import Path

from sevenout.report.census import edge_map, near_half
from sevenout.report.style import save
from sevenout.variants import Family

HERE = Path(__file__).parent


def main() -> None:
    family = Family("2d6")
    save(near_half(family), HERE / "variants-half.png")
    save(edge_map(family), HERE / "variants-map.png")


if __name__ == "__main__":
    main()
