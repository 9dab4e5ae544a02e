"""The server: pages, guard and limits put together, on this machine alone unless told otherwise."""

import logging
import re
import sys
from contextlib import suppress
from importlib import import_module
from secrets import token_urlsafe
from typing import Any

from nicegui import Client, app, core, run, ui

from sevenout.errors import SevenoutError
from sevenout.lab import limits, theme
from sevenout.lab.guard import Door, Guard, is_loopback
from sevenout.lab.pages import catalogue, dice, game, simulate, table, variants

PAGES = (game, table, simulate, variants, dice, catalogue)
SLOW = ("scipy.stats", "sevenout.simulate", "sevenout.verify", "sevenout.variants.query")
RECONNECT = 4.0
"""Seconds after which a page that is gone is forgotten, and what it started is stopped."""


def serve(
    host: str = "127.0.0.1",
    port: int = 8080,
    *,
    token: str | None = None,
    show: bool = True,
) -> None:
    """Open the lab and stay until it is stopped.

    Args:
        host: what to listen on; anything but this machine alone asks browsers for a token.
        port: the port.
        token: the token of a network; a new one if not given.
        show: open the lab in the browser.

    Raises:
        SevenoutError: a port that is no port, or in use; a token that can't be in an address.
    """
    if not 1 <= port <= 65535:
        raise SevenoutError(f"port {port}; a port is a number from 1 to 65535")
    _must_be_free(host, port)
    if token is not None and not re.fullmatch(r"[A-Za-z0-9_-]{8,200}", token):
        raise SevenoutError(
            "this token can't stand in an address; give 8 to 200 letters, digits, - or _"
        )
    network = not is_loopback(host)
    token = (token or token_urlsafe(18)) if network else None
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
    if network:
        print(
            "warning: the lab can be reached from the network. Its traffic is not encrypted; do "
            "this on a network that you trust. Browsers need the token once:",
            file=sys.stderr,
        )
    print(f"The lab is at {address}  (Ctrl-C stops it)", flush=True)
    configure(Door(host, port, token, pages()))
    with suppress(KeyboardInterrupt):
        _run(host, port, show and not network)


def _run(host: str, port: int, show: bool) -> None:
    """Run the framework's server as the lab needs it."""
    ui.run(
        host=host,
        port=port,
        title="sevenout lab",
        favicon=theme.ICON,
        dark=None,
        language="en-US",
        reload=False,
        show=show,
        show_welcome_message=False,
        tailwind=False,
        reconnect_timeout=RECONNECT,
        message_history_length=50,
        binding_refresh_interval=None,
        ws_max_size=limits.MAX_MESSAGE,
        server_header=False,
        uvicorn_logging_level="error",
        timeout_graceful_shutdown=1,
    )


def pages() -> frozenset[str]:
    """The paths of the pages."""
    return frozenset(page.PATH for page in PAGES)


def configure(door: Door) -> None:
    """Put the lab together, with a guard at its door."""
    register()
    app.add_middleware(Guard, door=door, admit=admit)


def register() -> None:
    """Register the pages and the style sheet with the framework."""
    logging.getLogger("nicegui").addFilter(_quiet)
    core.sio.eio.max_http_buffer_size = limits.MAX_MESSAGE
    app.config.socket_io_js_transports = ["websocket"]
    sheet = theme.css()

    @app.get(theme.css_path(), include_in_schema=False)
    def _sheet() -> Any:
        from starlette.responses import Response

        cached = {"cache-control": "public, max-age=31536000, immutable"}
        return Response(sheet, media_type="text/css", headers=cached)

    app.on_startup(warm_up)
    for page in PAGES:
        page.register()


async def warm_up() -> None:
    """Load what is slow to load before the first page needs it."""
    await run.io_bound(lambda: [import_module(name) for name in SLOW])


def admit() -> bool:
    """Whether there is room for another page; those that were never opened make room."""
    waiting = [c for c in Client.instances.values() if not c.has_socket_connection]
    gone = [client for client in waiting if not client._delete_tasks]
    for client in sorted(gone, key=lambda c: c.created)[: -limits.MAX_PENDING or None]:
        client.delete()
    return sum(c.has_socket_connection for c in Client.instances.values()) < limits.MAX_PAGES


def _quiet(record: logging.LogRecord) -> bool:
    """A browser that goes away while it is spoken to is no news."""
    return "has been deleted but is still being used" not in record.getMessage()


def _must_be_free(host: str, port: int) -> None:
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise SevenoutError(
                f"port {port} on {host} can't be used ({error.strerror}); take another, such as "
                f"--port {port + 1 if port < 65535 else 8080}"
            ) from None
