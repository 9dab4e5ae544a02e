"""The typefaces of the lab: the glyphs that its pages use, of Source Serif 4 and Source Sans 3.

    npm install @expo-google-fonts/source-serif-4 @expo-google-fonts/source-sans-3
    pip install fonttools brotli
    python docs/pictures/lab_fonts.py node_modules/@expo-google-fonts

Their licence reserves the name "Source" for the whole fonts, so the subsets have other names.
"""

import shutil
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter, save_font
from fontTools.ttLib import TTFont

FONTS = Path(__file__).parents[2] / "src" / "sevenout" / "lab" / "fonts"
SOURCES = {
    "text": ("source-serif-4", "SourceSerif4", {400: "400Regular"}),
    "data": ("source-sans-3", "SourceSans3", {400: "400Regular", 600: "600SemiBold"}),
}
"""Of each subset: the package, the font, and the style of each weight."""
GLYPHS = "".join(
    [
        *map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x100)]),
        "‘’‚“”„†‡•…‰‹›–—\u2009\u202f",
        "−×÷√∞∑≈≠≤≥⁄⅓⅔⁰⁴⁵⁶⁷⁸⁹",
        "←↑→↓▲▼●♠♣♥♦✓",
    ]
)
FEATURES = ["kern", "mark", "ccmp", "locl", "case", "lnum", "tnum"]


NAMES = {1: "Sevenout {}", 3: "Sevenout {}", 4: "Sevenout {}", 6: "Sevenout{}", 16: "Sevenout {}"}
"""The entries of a font's table of names that hold its family."""


def main(sources: Path) -> None:
    options = Options(layout_features=FEATURES, hinting=False, flavor="woff2")
    for name, (package, family, styles) in SOURCES.items():
        for weight, style in styles.items():
            font = TTFont(sources / package / style / f"{family}_{style}.ttf")
            subsetter = Subsetter(options)
            subsetter.populate(text=GLYPHS)
            subsetter.subset(font)
            for record in font["name"].names:
                if record.nameID in NAMES:
                    record.string = NAMES[record.nameID].format(name.title())
            path = FONTS / f"lab.{name}-{weight}.woff2"
            save_font(font, path, options)
            print(f"{path.name}: {path.stat().st_size:,} bytes")
        shutil.copy(sources / package / "LICENSE_FONT", FONTS / f"LICENCE-{name}.txt")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
