"""Who may speak to the lab.

A web page from elsewhere can make a browser send requests to this machine. So every request and
every websocket must name the lab in its Host (400 if not), must not come from another origin (403),
and, on a network, must carry the token (401). What is answered may load nothing from elsewhere and
may be framed by nobody.

The policy allows `unsafe-eval`, which the framework needs to compile its templates, and inline
styles; inline scripts only with the nonce of the answer.
"""

import re
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qs

from sevenout.lab import limits
from sevenout.lab.markup import tag

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "sevenout-lab"
SOCKET = "/_nicegui_ws/"
OWN = ("/_nicegui/", SOCKET, "/lab-", "/favicon.ico", "/sheet/")
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

POLICY = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'unsafe-eval'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self' {socket}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass(frozen=True)
class Door:
    """Where the lab can be reached, and how.

    Attributes:
        host: what it listens on.
        port: its port.
        token: what a browser must show first; None on this machine alone.
        pages: the paths of the pages.
    """

    host: str
    port: int
    token: str | None
    pages: frozenset[str]

    def knows(self, host: str) -> bool:
        """Whether a Host header names the lab.

        On a network the address may be any number of this machine; a name is refused unless it is
        the one that was given, because a name can be made to point anywhere.

        >>> door = Door("127.0.0.1", 8080, None, frozenset())
        >>> door.knows("localhost:8080"), door.knows("evil.example:8080"), door.knows("localhost")
        (True, False, False)
        """
        match = re.fullmatch(r"(\[[^][]*\]|[^][:]*)(?::([0-9]{1,5}))?", host)
        if match is None:
            return False
        name, port = match[1], match[2] or ""
        if port != str(self.port) and not (self.port == 80 and not port):
            return False
        if name in LOOPBACK:
            return True
        if self.token is None:
            return name.strip("[]") == self.host and _is_number(self.host)
        return name.strip("[]") == self.host or _is_number(name.strip("[]"))


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's alone.

    >>> is_loopback("localhost"), is_loopback("127.0.0.2"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """An ASGI layer in front of the lab.

    Args:
        app: the lab.
        door: where it can be reached.
        admit: says whether there is room for another page, and makes some where it can.
    """

    def __init__(self, app: App, door: Door, admit: Callable[[], bool] = lambda: True) -> None:
        self.app, self.door, self.admit = app, door, admit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let through."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = _headers(scope)
        refused = self._refusal(scope, headers)
        if refused is not None:
            await _refuse(scope, send, *refused)
            return
        scope["headers"] = [(k, v) for k, v in scope["headers"] if k != b"x-forwarded-prefix"]
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        if self._brings_token(scope):
            await self._let_in(scope, send)
            return
        await self.app(scope, _Limited(receive).receive, self._sealed(headers, send))

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """Why a request is refused, if it is."""
        path, host = str(scope["path"]), headers.get("host", "")
        if not self.door.knows(host):
            return 400, f"This is not the lab's address. It is at port {self.door.port} here."
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return 403, "A page from elsewhere may not speak to the lab."
        if headers.get("sec-fetch-site") == "cross-site" and not (
            headers.get("sec-fetch-mode") == "navigate"
            and headers.get("sec-fetch-dest") == "document"
        ):
            return 403, "A page from elsewhere may not load what is in the lab."
        if scope["type"] == "websocket":
            if not self._has_token(headers):
                return 403, "The lab asks for its token first."
            return None
        if len(scope.get("query_string", b"")) > limits.MAX_QUERY and not path.startswith(SOCKET):
            return 414, limits.TOO_LONG
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > limits.MAX_UPLOAD:
            return 413, limits.TOO_LARGE
        if not self._has_token(headers) and not self._brings_token(scope):
            return 401, (
                "The lab asks for its token. Open the address that it printed when it was started."
            )
        if path.startswith(SOCKET):
            return 400, "The lab speaks to its pages over websockets only."
        if path not in self.door.pages and not path.startswith(OWN):
            return 404, "There is no such page in the lab."
        if path in self.door.pages and not self.admit():
            return 503, limits.TOO_MANY_PAGES
        return None

    def _has_token(self, headers: dict[str, str]) -> bool:
        if self.door.token is None:
            return True
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and _same(cookie.value, self.door.token)

    def _brings_token(self, scope: Scope) -> bool:
        if self.door.token is None:
            return False
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        return any(_same(given, self.door.token) for given in query.get("token", ()))

    async def _let_in(self, scope: Scope, send: Send) -> None:
        """Keep the token in a cookie, and take it out of the address."""
        cookie = f"{COOKIE}={self.door.token}; Path=/; HttpOnly; SameSite=Strict"
        headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    def _sealed(self, headers: dict[str, str], send: Send) -> Send:
        """Seal the answers: headers on all, a nonce on the scripts of a page."""
        nonce = token_urlsafe(16)
        policy = POLICY.format(nonce=nonce, socket=f"ws://{headers['host']}")
        start: Message = {}
        body = bytearray()

        async def sealed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                kept = [(k, v) for k, v in message["headers"] if k.lower() not in _DROPPED]
                kept += [(k.encode(), v.encode()) for k, v in HEADERS.items()]
                kept.append((b"content-security-policy", policy.encode()))
                start = {**message, "headers": kept}
                if not _is_page(kept):
                    await send(start)
            elif not _is_page(start["headers"]):
                await send(message)
            else:
                body.extend(message.get("body", b""))
                if not message.get("more_body"):
                    page = _with_nonce(bytes(body), nonce)
                    others = [(k, v) for k, v in start["headers"] if k != b"content-length"]
                    length = (b"content-length", str(len(page)).encode())
                    await send({**start, "headers": [*others, length]})
                    await send({"type": "http.response.body", "body": page})

        return sealed


_DROPPED = {b"server", b"access-control-allow-origin", b"access-control-allow-credentials"}


def _with_nonce(page: bytes, nonce: str) -> bytes:
    """Every script of the page gets the nonce; texts in it have their `<` escaped already."""
    return re.sub(rb"<script(?=[\s>])", f'<script nonce="{nonce}"'.encode(), page)


class _Limited:
    """A request whose body may not be longer than was said it may be."""

    def __init__(self, receive: Receive) -> None:
        self.inner, self.size = receive, 0

    async def receive(self) -> Message:
        """The next part; a request that goes on for too long is cut off."""
        message = await self.inner()
        self.size += len(message.get("body", b""))
        return message if self.size <= limits.MAX_UPLOAD else {"type": "http.disconnect"}


async def _refuse(scope: Scope, send: Send, status: int, words: str) -> None:
    if scope["type"] == "websocket":
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        kind = "websocket.http.response"
    else:
        kind = "http.response"
    body = plain_page(words).encode()
    headers = {
        **HEADERS,
        "content-type": "text/html; charset=utf-8",
        "content-length": str(len(body)),
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
        "cache-control": "no-store",
    }
    raw = [(k.encode(), v.encode()) for k, v in headers.items()]
    await send({"type": f"{kind}.start", "status": status, "headers": raw})
    await send({"type": f"{kind}.body", "body": body})


def plain_page(words: str) -> str:
    """One sentence as a page."""
    look = (
        "body{font:1.125rem/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;"
        "padding:0 1rem;"
        "color-scheme:light dark;background:Canvas;color:CanvasText}"
    )
    return "<!doctype html>" + tag(
        "html",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width"),
        tag("title", "sevenout lab"),
        tag("style", look),
        tag("body", tag("main", tag("p", words), tag("p", tag("a", "To the lab", href="/")))),
        lang="en",
    )


def _headers(scope: Scope) -> dict[str, str]:
    """The headers; where one comes twice, both are looked at as one text and match nothing."""
    out: dict[str, str] = {}
    for key, value in scope["headers"]:
        name, text = key.decode("latin-1").lower(), value.decode("latin-1")
        out[name] = f"{out[name]}, {text}" if name in out else text
    return out


def _is_page(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(k.lower() == b"content-type" and v.startswith(b"text/html") for k, v in headers)


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _same(given: str, token: str) -> bool:
    return compare_digest(given.encode(), token.encode())
