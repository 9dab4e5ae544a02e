"""A picture from a user: PNG, JPEG or SVG, checked before it is decoded.

An SVG must not name other files, or repeat itself without end.
"""

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterator
from functools import cache
from os import PathLike
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, fromstring

from sevenout.errors import FileError, printable, shown
from sevenout.files import read_bytes, shown_path

MAX_BYTES = 10_000_000
"""The most bytes of a picture file."""
MAX_PIXELS = 40_000_000
"""The most pixels; an A3 page at 400 dots per inch has 31 million."""
MAX_SHAPES = 100_000
"""The most elements of an SVG; each use of an element counts."""

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
# C4 holds Huffman tables, CC the settings of arithmetic coding; C8 is reserved.
_SIZE_MARKERS = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
"""The markers of a JPEG's segments that hold its size (ISO/IEC 10918-1, table B.1)."""
_MARKERS_WITHOUT_LENGTH = {0x01, *range(0xD0, 0xD9)}
"""The markers without a length."""
_EMBEDDED = re.compile(r"#|data:image/(?:png|jpe?g);base64,", re.IGNORECASE)
_REFERS_OUTSIDE = re.compile(r"@import|url\(\s*['\"]?\s*(?!['\"]?\s*#)", re.IGNORECASE)
_REFUSED_ELEMENTS = {"script", "foreignObject", "iframe", "object", "embed", "handler", "feImage"}


def read_picture(path: str | PathLike[str]) -> bytes:
    """The bytes of a picture that is safe to draw; the suffix gives its format.

    Raises:
        FileError: the file can't be read, is not a picture of its format, has too many pixels or
            shapes, or names other files; the message has the file's name.
    """
    content = read_bytes(path, MAX_BYTES)
    suffix = Path(path).suffix.lower()
    try:
        if suffix == ".svg":
            _check_svg(content)
        elif content.startswith(_JPEG if suffix in (".jpg", ".jpeg") else _PNG):
            _check_pixels(content)
        else:
            raise FileError(f"it is not a {suffix.lstrip('.').upper()} file; save it as one")
    except FileError as error:
        raise FileError(f"can't draw {shown_path(path)}: {error}") from None
    return content


def pixels(content: bytes) -> tuple[int, int]:
    """Width and height in pixels, from the header of a PNG or JPEG.

    >>> pixels(_PNG + bytes(8) + (60).to_bytes(4, "big") + (40).to_bytes(4, "big"))
    (60, 40)

    Raises:
        FileError: the header has no size.
    """
    if content.startswith(_PNG) and len(content) >= 24:
        return int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")
    offset = 2
    while content.startswith(_JPEG) and offset + 9 <= len(content):
        # Any number of FF bytes may fill the room before a marker.
        if content[offset] != 0xFF or content[offset + 1] == 0xFF:
            offset += 1
        elif (marker := content[offset + 1]) in _SIZE_MARKERS:
            height, width = content[offset + 5 : offset + 7], content[offset + 7 : offset + 9]
            return int.from_bytes(width, "big"), int.from_bytes(height, "big")
        else:
            length = int.from_bytes(content[offset + 2 : offset + 4], "big")
            offset += 2 if marker in _MARKERS_WITHOUT_LENGTH else 2 + length
    raise FileError("its size can't be found; save it again as PNG")


def _check_pixels(content: bytes) -> None:
    """Refuse a picture with more than `MAX_PIXELS` pixels."""
    width, height = pixels(content)
    if width * height > MAX_PIXELS:
        raise FileError(
            f"it has {width:,} x {height:,} pixels; give {MAX_PIXELS / 1e6:.0f} million pixels "
            "at most"
        )


def _check_svg(content: bytes) -> None:
    """Refuse an SVG that is damaged, too large, or could run or load anything."""
    # Entities of a DOCTYPE can expand to gigabytes; zero bytes, as in UTF-16, would hide them.
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content or b"\0" in content:
        raise FileError("it has a DOCTYPE; save it as plain SVG, without one")
    try:
        root = fromstring(content)
    except (ParseError, ValueError, LookupError) as error:  # LookupError: an unknown encoding
        raise FileError(f"it is not an SVG: {printable(str(error), 60)}") from None
    if _name(root) != "svg":
        raise FileError(f"it is not an SVG: it begins with {shown(_name(root), 20)}")
    for element in root.iter():
        if _name(element) in _REFUSED_ELEMENTS:
            raise FileError(f"it has an element {_name(element)}; leave it out")
        for key, value in element.attrib.items():
            _check_attribute(key.rpartition("}")[2], value)
        if _name(element) == "style" and _REFERS_OUTSIDE.search(element.text or ""):
            raise FileError("its style names another file; leave that out")
    if _shape_count(root) > MAX_SHAPES:
        raise FileError(f"it draws over {MAX_SHAPES:,} shapes; draw fewer")


def _check_attribute(key: str, value: str) -> None:
    """Refuse an attribute that refers to another file or is a program."""
    if key in {"href", "src"}:
        if not _EMBEDDED.match(value.strip()):
            raise FileError(f"it names another file, {shown(value)}; embed the picture, as PNG")
        if value.strip().startswith("data:"):
            try:
                # A few kilobytes of an embedded picture can decode to gigabytes.
                _check_pixels(b64decode(value.partition(",")[2]))
            except Base64Error:
                raise FileError("a picture in it is damaged; embed it again, as PNG") from None
    elif _REFERS_OUTSIDE.search(value):
        raise FileError(f"it names another file, {key}={shown(value)}; leave that out")
    elif key.lower().startswith("on"):
        raise FileError(f"it has a program, {key}; leave it out")


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _used_ids(element: Element) -> Iterator[str]:
    """The ids that an element draws: of `use`, patterns, masks, markers."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == "href" and value.strip().startswith("#"):
            yield value.strip()[1:]
        yield from re.findall(r"url\(\s*['\"]?#([^'\")\s]+)", value)


def _shape_count(root: Element) -> int:
    """The number of elements that a picture draws, counting each use of one."""
    element_by_id = {element.get("id"): element for element in root.iter() if element.get("id")}

    def shapes_under(element_drawn: Element, depth: int) -> int:
        """The number of elements in one and in what it uses; over the limit if in a circle."""
        # elements that use each other have no last level
        if depth > 20:
            return MAX_SHAPES + 1
        elements = list(element_drawn.iter())
        ids = [used for element in elements for used in _used_ids(element) if used in element_by_id]
        return len(elements) + sum(shapes_of_id(used, depth + 1) for used in ids)

    # cached: uses that double on every level would take exponential time if counted one by one
    @cache
    def shapes_of_id(element_id: str, depth: int) -> int:
        return shapes_under(element_by_id[element_id], depth)

    return shapes_under(root, -1)
