"""A sheet as one HTML page: no script, no request, every text escaped."""

from base64 import b64encode
from fractions import Fraction
from html import escape

from sevenout.report.page import (
    CUT,
    CUT_NOTE,
    Block,
    Cell,
    Kind,
    Picture,
    Sheet,
    Table,
    exactly,
    minus,
)

LONG, LINE = 400, 24
"""A fraction with more characters is shown by its decimals only; it may break after so many."""

STYLE = """
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #1a1a1a; }
.sheet { font: 17px/1.5 "Libertinus Serif", "STIX Two Text", Charter, Georgia, serif;
  max-width: 46rem; margin: 3rem auto; padding: 0 1.2rem; font-variant-numeric: lining-nums; }
.sheet header { border-bottom: 1px solid #9a9a9a; margin-bottom: 2rem; }
.sheet .kind { color: #6b6b6b; font-variant: small-caps; margin: 0; }
.sheet h1 { font-size: 2.1rem; font-weight: 600; line-height: 1.15; margin: 0 0 .5rem;
  border-bottom: 2px solid #1a1a1a; padding-bottom: .5rem; overflow-wrap: anywhere; }
.sheet h2 { font-size: 1.3rem; font-weight: 600; margin: 2.4rem 0 .8rem; }
.sheet dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem;
  font-size: .85rem; margin: .6rem 0; }
.sheet dt { color: #6b6b6b; } .sheet dd { margin: 0; overflow-wrap: anywhere; }
.sheet p { text-align: justify; hyphens: auto; overflow-wrap: anywhere; }
.sheet p.note, .sheet figcaption, .sheet td.note { color: #6b6b6b; font-size: .85rem; }
.sheet .wide { overflow-x: auto; margin: 1rem 0 1.4rem; }
.sheet table { border-collapse: collapse; max-width: 100%; font-size: .92rem;
  border-top: 2px solid #1a1a1a; border-bottom: 2px solid #1a1a1a; }
.sheet caption { text-align: left; font-style: italic; padding-bottom: .3rem; }
.sheet th { font-weight: 400; color: #6b6b6b; border-bottom: 1px solid #9a9a9a; }
.sheet th, .sheet td { padding: .18rem .5rem; vertical-align: top; text-align: left; }
.sheet .number, .sheet .exact { text-align: right; font-variant-numeric: lining-nums tabular-nums; }
.sheet .number { white-space: nowrap; } .sheet td.text { min-width: 6rem; }
.sheet tr.total td { font-weight: 600; border-top: 1px solid #9a9a9a; }
.sheet figure { margin: 1.4rem 0; text-align: center; }
.sheet img { max-width: 100%; height: auto; }
@media print { .sheet { font-size: 10pt; margin: 0; max-width: none; }
  .sheet h2, .sheet caption { break-after: avoid; }
  .sheet figure, .sheet tr { break-inside: avoid; } }
""".strip()

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(sheet: Sheet) -> str:
    """The whole page."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{escape(sheet.title)}</title>\n</head>\n<body>\n{body(sheet)}\n</body>\n</html>\n"
    )


def body(sheet: Sheet) -> str:
    """The sheet itself, as a notebook shows it."""
    facts = [*([("date", sheet.date)] if sheet.date else []), *sheet.facts]
    lines = [
        f"<style>{STYLE}</style>",
        '<article class="sheet">',
        f'<header><p class="kind">{escape(sheet.subtitle)}</p><h1>{escape(sheet.title)}</h1>',
        "<dl>"
        + "".join(f"<dt>{escape(n)}</dt><dd>{escape(v)}</dd>" for n, v in facts)
        + "</dl></header>",
    ]
    for section in sheet.sections:
        lines.append(f"<section><h2>{escape(section.title)}</h2>")
        blocks = [_block(block) for block in section.blocks]
        cut = [i for i, block in enumerate(blocks) if f">{CUT}</td>" in block]
        if cut:
            blocks.insert(cut[-1] + 1, _block(CUT_NOTE))
        lines += blocks
        lines.append("</section>")
    return "\n".join([*lines, "</article>"])


def _block(block: Block) -> str:
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Picture):
        source = b64encode(block.svg.encode()).decode()
        caption = escape(block.caption)
        return (
            f'<figure><img src="data:image/svg+xml;base64,{source}" alt="{caption}" '
            f'style="width: {block.width * 4 / 3:.0f}px"/>'
            f"<figcaption>{caption}</figcaption></figure>"
        )
    kind = ' class="note"' if block.note else ""
    return f"<p{kind}>{escape(block.text)}</p>"


def _cell(cell: Cell, kind: Kind) -> str:
    if not isinstance(cell, Fraction):
        return escape(minus(cell) if kind == "number" else cell)
    return "/<wbr/>".join(
        "<wbr/>".join(part[i : i + LINE] for i in range(0, len(part), LINE))
        for part in minus(exactly(cell, LONG)).split("/")
    )


def _table(table: Table) -> str:
    parts = ['<div class="wide"><table>']
    if table.caption:
        parts.append(f"<caption>{escape(table.caption)}</caption>")
    if any(table.head):
        cells = zip(table.kinds, table.head, strict=True)
        parts.append(
            "<thead><tr>"
            + "".join(f'<th class="{k}" scope="col">{escape(h)}</th>' for k, h in cells)
            + "</tr></thead>"
        )
    parts.append("<tbody>")
    for i, row in enumerate(table.rows):
        total = ' class="total"' if table.total and i == len(table.rows) - 1 else ""
        cells_ = "".join(
            f'<td class="{k}">{_cell(c, k)}</td>' for k, c in zip(table.kinds, row, strict=True)
        )
        parts.append(f"<tr{total}>{cells_}</tr>")
    return "".join([*parts, "</tbody></table></div>"])
