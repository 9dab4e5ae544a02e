"""A page as HTML, without scripts or requests; all text is escaped, and styled only by class."""

from base64 import b64encode
from collections.abc import Iterable
from html import escape as escaped

from sevenout.documents.blocks import Block, Page, Picture
from sevenout.documents.drawings import Drawing
from sevenout.documents.kinds import Kind
from sevenout.documents.numbers import TOO_LONG, minus
from sevenout.documents.tables import Facts, Table, with_note
from sevenout.documents.words import Code, Span, Text, isolate_right_to_left

MAX_FRACTION, DIGITS_PER_LINE = 400, 24
"""The most characters of a fraction in full, and the most between places where it may break."""
MAX_FRACTION_IN_CELL = 60
"""The most in a notebook's cell; the document has the fraction in full."""

STYLE = """
.page { font-variant-numeric: lining-nums; }
.page .kind, .page dt, .page .note, .page figcaption, .page thead th { opacity: .7; }
.page .kind { font-variant: small-caps; margin: 0; }
.page dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem;
  font-size: .85rem; margin: .6rem 0; }
.page dd { margin: 0; overflow-wrap: anywhere; }
.page p.note, .page figcaption, .page td.note { font-size: .85rem; }
.page .good { color: #00714f; } .page .bad { color: #b84a00; }
.page p.good, .page p.bad, .page .strong { font-weight: 600; }
.page .wide { overflow-x: auto; margin: 1rem 0 1.4rem; }
.page table { border-collapse: collapse; border: 0; max-width: 100%; font-size: .92rem;
  border-top: 2px solid; border-bottom: 2px solid; }
.page table.facts { border: 0; }
.page caption { text-align: left; font-style: italic; padding-bottom: .3rem; }
.page th { font-weight: 400; } .page thead th { border-bottom: 1px solid; }
.page th, .page td { padding: .18rem .5rem; vertical-align: top; text-align: left; }
.page tr > .number, .page tr > .exact { text-align: right;
  font-variant-numeric: lining-nums tabular-nums; }
.page td.number { white-space: nowrap; } .page td.text { min-width: 6rem; }
.page .mono { font-family: ui-monospace, monospace; white-space: pre; }
.page tfoot > tr > * { font-weight: 600; border-top: 1px solid; }
.page .drawing { color: #0072b2; display: block; max-width: none; }
.page figure { margin: 1.4rem 0; text-align: center; }
.page img { max-width: 100%; height: auto; }
""".strip()

SHEET = """
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #1a1a1a; }
body > .page { font: 17px/1.5 "Libertinus Serif", "STIX Two Text", Charter, Georgia, serif;
  max-width: 46rem; margin: 3rem auto; padding: 0 1.2rem; }
.page header { border-bottom: 1px solid #9a9a9a; margin-bottom: 2rem; }
.page h1 { font-size: 2.1rem; font-weight: 600; line-height: 1.15; margin: 0 0 .5rem;
  border-bottom: 2px solid #1a1a1a; padding-bottom: .5rem; overflow-wrap: anywhere; }
.page h2 { font-size: 1.3rem; font-weight: 600; margin: 2.4rem 0 .8rem; }
.page p { text-align: justify; hyphens: auto; overflow-wrap: anywhere; }
@media (max-width: 36rem) { .page p { text-align: start; } }
@media print { body > .page { font-size: 10pt; margin: 0; max-width: none; }
  .page h2, .page caption { break-after: avoid; }
  .page figure, .page tr { break-inside: avoid; } }
""".strip()

# If markup ever slips through the escaping, the browser still runs and requests nothing.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def escape(text: str) -> str:
    """Text without markup or changes of direction."""
    return escaped(isolate_right_to_left(text))


def html_document(page: Page) -> str:
    """An HTML document."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{escape(page.title)}</title>\n<style>\n{STYLE}\n{SHEET}\n</style>\n"
        f"</head>\n<body>\n{fragment(page)}\n</body>\n</html>\n"
    )


def notebook_cell(page: Page) -> str:
    """The HTML of a page in a cell of a notebook, with its style."""
    return f"<style>{STYLE}</style>\n{fragment(page, level=4, max_fraction=MAX_FRACTION_IN_CELL)}"


def fragment(page: Page, level: int = 1, max_fraction: int = MAX_FRACTION) -> str:
    """A page as an element of another page.

    >>> print(fragment(Page("", Text("a < b"))))
    <article class="page">
    <p>a &lt; b</p>
    </article>

    Args:
        page: the page.
        level: of its heading.
        max_fraction: the most characters of a fraction.
    """
    lines = ['<article class="page">']
    heading = f"<h{level}>{escape(page.title)}</h{level}>" if page.title else ""
    if page.subtitle or page.title_facts:
        kind = f'<p class="kind">{escape(page.subtitle)}</p>' if page.subtitle else ""
        pairs = (f"<dt>{escape(n)}</dt><dd>{escape(v)}</dd>" for n, v in page.title_facts)
        lines.append(f"<header>{kind}{heading}<dl>{''.join(pairs)}</dl></header>")
    elif heading:
        lines.append(heading)
    return "\n".join([*lines, *_blocks(page.blocks, level, max_fraction), "</article>"])


def _blocks(blocks: Iterable[Block], level: int, max_fraction: int) -> list[str]:
    """Blocks as HTML, with a note on figures that are too long to print."""
    noted = with_note(blocks, lambda _: max_fraction)
    return [_block(block, level, max_fraction) for block in noted]


def _block(block: Block, level: int, max_fraction: int) -> str:
    """A block as HTML; the title of a section is one level below `level`."""
    match block:
        case Page():
            # HTML has no heading below h6.
            h = f"h{min(level + 1, 6)}"
            heading = [f"<{h}>{escape(block.title)}</{h}>"] if block.title else []
            inner = _blocks(block.blocks, level + 1, max_fraction)
            return "\n".join(["<section>" + "".join(heading), *inner, "</section>"])
        case Table() | Facts():
            return _table(block, max_fraction)
        case Picture():
            # An `img` runs no script of its SVG, and its ids can't clash with another's.
            source = b64encode(block.svg.encode()).decode()
            caption = escape(block.caption)
            return (
                f'<figure><img src="data:image/svg+xml;base64,{source}" alt="{caption}" '
                f'width="{block.width * 4 / 3:.0f}"/><figcaption>{caption}</figcaption></figure>'
            )
        case Code():
            return "<pre>" + "\n".join(f"<code>{escape(s)}</code>" for s in block.lines) + "</pre>"
        case Text():
            tone = f' class="{block.tone}"' if block.tone else ""
            return f"<p{tone}>{''.join(map(_span, block.spans))}</p>"


def _span(span: Span) -> str:
    """A span of text as HTML."""
    text = escape(span.text)
    return f"<code>{text}</code>" if span.look else text


def _cell(text: str, kind: Kind) -> str:
    """The content of a cell, which the browser may break at the right places."""
    if isinstance(text, Drawing):
        return text.svg()
    if text == TOO_LONG:
        return ""
    if kind.setting == "number":
        return escape(minus(text))
    if kind.setting != "exact":
        return escape(text)
    # A fraction has no spaces, so the browser is told where it may break the line.
    return "/<wbr/>".join(
        "<wbr/>".join(part[i : i + DIGITS_PER_LINE] for i in range(0, len(part), DIGITS_PER_LINE))
        for part in escape(minus(text)).split("/")
    )


def _row(texts: list[str], kinds: list[Kind], tone: str = "") -> str:
    """A row of a table; its first cell is a header if it is text."""
    cells = [
        f'<td class="{k.setting}">{_cell(t, k)}</td>' for t, k in zip(texts, kinds, strict=True)
    ]
    # A screen reader repeats the header of a row with each of its cells.
    if kinds[0].setting == "text":
        cells[0] = f'<th class="text" scope="row">{escape(texts[0])}</th>'
    attribute = f' class="{tone}"' if tone else ""
    return f"<tr{attribute}>{''.join(cells)}</tr>"


def _table(block: Table | Facts, max_fraction: int) -> str:
    """A table or facts, in a box that scrolls if they are too wide."""
    kinds, rows = block.kinds, block.printed(max_fraction)
    tones, total = (block.tones, block.total) if isinstance(block, Table) else ({}, None)
    attribute = "" if isinstance(block, Table) else ' class="facts"'
    elements = [f'<div class="wide"><table{attribute}>']
    if block.caption:
        elements.append(f"<caption>{escape(block.caption)}</caption>")
    if isinstance(block, Table) and any(block.heads):
        heads = (
            f'<th class="{c.kinds[-1].setting}" scope="col"'
            + (f' colspan="{len(c.kinds)}"' if len(c.kinds) > 1 else "")
            + f">{escape(c.head)}</th>"
            for c in block.columns
        )
        elements.append(f"<thead><tr>{''.join(heads)}</tr></thead>")
    total_row = [] if total is None else [rows.pop()]
    body = (_row(row, kinds, tones.get(k, "")) for k, row in enumerate(rows))
    elements.append(f"<tbody>{''.join(body)}</tbody>")
    elements += [f"<tfoot>{_row(row, kinds)}</tfoot>" for row in total_row]
    return "".join([*elements, "</table></div>"])
