"""`sevenout lab`: the workbench in a browser."""

from typing import Annotated

from cyclopts import Parameter

from sevenout.extras import needs


def lab(
    *,
    port: int = 8080,
    open: Annotated[bool, Parameter(negative="--no-open")] = True,
) -> None:
    """Open the lab in a browser, on this machine alone; it stays until Ctrl-C.

    Parameters
    ----------
    port
        The port; 0 for any that is free.
    open
        Open the browser (--no-open does not).
    """
    for module in ("htpy", "starlette", "uvicorn"):
        needs(module, "lab")
    from sevenout.lab.host import serve

    serve(port, show=open)
