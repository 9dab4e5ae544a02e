"""`sevenout lab`: sevenout in a browser."""

from pathlib import Path
from shlex import quote
from typing import Annotated

from cyclopts import Parameter

from sevenout.budgets.supervision import status
from sevenout.extras import needs
from sevenout.files import named


def lab(
    *,
    port: int = 8080,
    open: Annotated[bool, Parameter(negative="--no-open")] = True,
    build: Path | None = None,
    url: str = "",
) -> None:
    """Open the lab in a browser, on this machine only. Press Ctrl-C to stop it.

    With --build DIR the lab is written to a folder instead, which any web server can serve. It has
    the same pages, and Python runs in the visitor's browser. Pyodide and python-flint are
    downloaded from the npm registry and PyPI the first time, and checked.

    Parameters
    ----------
    port
        The port. Write 0 for any free port.
    open
        Open the lab in the browser, or only serve it.
    build
        The folder to write: a new one, or an earlier edition, which is replaced.
    url
        With --build, the address where the folder will be served. Links to it then show a preview.
    """
    for module in ("htpy", "starlette", "uvicorn"):
        needs(module, "lab")
    if build is not None:
        from sevenout.lab.static.build import build as written

        with status.waiting():  # while two registries answer
            pages, size = written(build, url)
        status.speak()
        print(
            f"The lab is in {named(build)}: {pages} pages, and {size / 1e6:.0f} MB of Python that "
            "a browser fetches once. Any web server can serve it, such as\n"
            f"python3 -m http.server --directory {quote(str(build))}"
        )
        return
    from sevenout.lab.host import serve

    with status.waiting():
        serve(port, show=open)
