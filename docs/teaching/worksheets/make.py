"""Makes the worksheets as PDF: `python docs/teaching/worksheets/make.py`."""

from pathlib import Path

HERE = Path(__file__).parent
SHEETS = ("conditional-probability", "craps", "expected-value", "markov-chains", "pig")


def pdf(name: str) -> bytes:
    """A worksheet as PDF; the same source makes the same bytes."""
    import typst

    return bytes(typst.compile(str(HERE / f"{name}.typ"), timestamp=0))


if __name__ == "__main__":
    for sheet in SHEETS:
        (HERE / f"{sheet}.pdf").write_bytes(pdf(sheet))
