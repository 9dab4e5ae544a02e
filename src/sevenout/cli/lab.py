"""`sevenout lab`: the workbench in a browser."""

from typing import Annotated

from cyclopts import Parameter

from sevenout.errors import SevenoutError


def lab(
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    token: str | None = None,
    open: Annotated[bool, Parameter(negative="--no-open")] = True,
) -> None:
    """Open the lab in a browser; it stays until Ctrl-C.

    Parameters
    ----------
    host
        What to listen on. Anything but this machine alone is for a network that you trust, and
        asks browsers for a token.
    port
        The port.
    token
        The token for a network; a new one is made if not given.
    open
        Open the browser (--no-open does not).
    """
    try:
        from sevenout.lab.server import serve
    except ModuleNotFoundError as error:
        if error.name != "nicegui":
            raise
        raise SevenoutError(
            "the lab needs NiceGUI; install it with: pip install 'sevenout[lab]'"
        ) from None
    serve(host, port, token=token, show=open)
