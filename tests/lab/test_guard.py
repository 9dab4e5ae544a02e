import asyncio
from typing import Any

import pytest

from sevenout.errors import SevenoutError
from sevenout.lab import limits
from sevenout.lab.guard import Door, Guard, is_loopback

HOME = Door("127.0.0.1", 8080, None, frozenset({"/"}))
NETWORK = Door("0.0.0.0", 8080, "secret", frozenset({"/"}))
HERE = {"host": "127.0.0.1:8080"}


async def page(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    while (await receive()).get("more_body"):
        pass
    start = {"type": "http.response.start", "status": 200}
    await send({**start, "headers": [(b"content-type", b"text/html; charset=utf-8")]})
    body = b"<script>one()</script> &lt;script> <script src=x>"
    await send({"type": "http.response.body", "body": body[:20], "more_body": True})
    await send({"type": "http.response.body", "body": body[20:]})


def ask(
    door: Door,
    headers: dict[str, str],
    *,
    path: str = "/",
    query: str = "",
    kind: str = "http",
    admit: Any = lambda: True,
) -> tuple[Any, dict[str, str], str]:
    """What the guard answers: status (or the type of a websocket's answer), headers, body."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {
        "type": kind,
        "path": path,
        "query_string": query.encode(),
        "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
        "extensions": {},
    }
    asyncio.run(Guard(page, door, admit)(scope, receive, send))
    said = {k.decode(): v.decode() for k, v in sent[0].get("headers", ())}
    body = b"".join(message.get("body", b"") for message in sent[1:]).decode()
    return sent[0].get("status", sent[0]["type"]), said, body


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"])
def test_this_machine_is_let_in(host: str) -> None:
    assert ask(HOME, {"host": host, "origin": f"http://{host}"})[0] == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8080", "127.0.0.1", "127.0.0.1:80", "", "192.168.0.1:8080"],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_another_host_is_refused(host: str, kind: str) -> None:
    status, _, body = ask(HOME, {"host": host}, kind=kind)
    assert status == (400 if kind == "http" else "websocket.close")
    assert kind == "websocket" or "address. It is at port 8080" in body


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1:8081", "null", "http://127.0.0.1:8080.evil"]
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_another_origin_is_refused(origin: str, kind: str) -> None:
    status, _, body = ask(HOME, HERE | {"origin": origin}, kind=kind)
    assert status == (403 if kind == "http" else "websocket.close")
    assert kind == "websocket" or "elsewhere" in body


@pytest.mark.parametrize("origin", ["http://[evil", "http://[127.0.0.1:8080", "", "//[", "http://"])
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_an_origin_that_is_none_is_refused(origin: str, kind: str) -> None:
    status, _, _ = ask(HOME, HERE | {"origin": origin}, kind=kind)
    assert status == (403 if kind == "http" else "websocket.close")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "127.0.0.1:80"])
def test_the_port_of_the_web_is_not_named(host: str) -> None:
    door = Door("127.0.0.1", 80, None, frozenset({"/"}))
    assert door.knows(host)
    assert ask(door, {"host": host, "origin": f"http://{host}"})[0] == 200
    assert not door.knows("evil.example")


def test_another_address_of_this_machine_is_let_in_if_it_was_given() -> None:
    door = Door("127.0.0.2", 8080, None, frozenset({"/"}))
    assert door.knows("127.0.0.2:8080")
    assert not door.knows("127.0.0.3:8080")
    assert not door.knows("evil.example:8080")


def test_a_host_that_comes_twice_is_refused() -> None:
    async def go() -> None:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"host", b"127.0.0.1:8080"), (b"host", b"evil.example")]
        scope = {"type": "http", "path": "/", "query_string": b"", "headers": headers}
        await Guard(page, HOME)(scope, None, send)  # type: ignore[arg-type]
        assert sent[0]["status"] == 400

    asyncio.run(go())


def test_a_page_from_elsewhere_may_link_here_but_not_embed() -> None:
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert ask(HOME, HERE | link | {"sec-fetch-dest": "document"})[0] == 200
    assert ask(HOME, HERE | link | {"sec-fetch-dest": "iframe"})[0] == 403
    image = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    assert ask(HOME, HERE | image)[0] == 403


def test_scripts_run_only_with_the_nonce_of_the_answer() -> None:
    _, headers, body = ask(HOME, HERE)
    policy = headers["content-security-policy"]
    nonce = policy.split("'nonce-")[1].split("'")[0]
    assert body == (
        f'<script nonce="{nonce}">one()</script> &lt;script> <script nonce="{nonce}" src=x>'
    )
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "unsafe-inline" not in scripts
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["content-length"] == str(len(body))
    assert headers["x-content-type-options"] == "nosniff"
    assert ask(HOME, HERE)[1]["content-security-policy"] != policy


def test_a_network_asks_for_the_token_and_keeps_it_in_a_cookie() -> None:
    here = {"host": "192.168.0.7:8080"}
    assert ask(NETWORK, here)[0] == 401
    assert ask(NETWORK, here, query="token=wrong")[0] == 401
    assert ask(NETWORK, here, kind="websocket")[0] == "websocket.close"
    status, headers, _ = ask(NETWORK, here, query="token=secret")
    assert (status, headers["location"]) == (303, "/")
    assert "HttpOnly; SameSite=Strict" in headers["set-cookie"]
    cookie = {"cookie": headers["set-cookie"].split(";")[0]}
    assert ask(NETWORK, here | cookie)[0] == 200
    assert ask(NETWORK, here | cookie, kind="websocket")[0] == "websocket.accept"
    assert ask(NETWORK, {"host": "evil.example:8080"} | cookie)[0] == 400


@pytest.mark.parametrize(
    ("status", "words", "asked"),
    [
        (404, "no such page", {"path": "/passwd"}),
        (400, "websockets only", {"path": "/_nicegui_ws/socket.io/", "query": "transport=polling"}),
        (414, "longer than", {"query": "game=" + "2," * limits.MAX_QUERY}),
        (413, "no larger file", {"headers": HERE | {"content-length": "1000001"}}),
        (413, "no larger file", {"headers": HERE | {"content-length": "many"}}),
        (503, "takes no more", {"admit": lambda: False}),
    ],
)
def test_every_bound_has_its_sentence(status: int, words: str, asked: dict[str, Any]) -> None:
    got, _, body = ask(HOME, asked.pop("headers", HERE), **asked)
    assert got == status
    assert words in body


@pytest.mark.parametrize(
    ("host", "alone"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("box", False)],
)
def test_loopback(host: str, alone: bool) -> None:
    assert is_loopback(host) is alone


def test_a_port_in_use_is_named() -> None:
    import socket

    from sevenout.lab.server import serve

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SevenoutError, match=f"port {port} on 127.0.0.1 can't be used"):
            serve(port=port)
    with pytest.raises(SevenoutError, match="from 1 to 65535"):
        serve(port=0)


@pytest.mark.parametrize("token", ["", "short", "correct horse", "a;b;c;d;e", "größer-ist"])
def test_a_token_must_fit_an_address(token: str) -> None:
    from sevenout.lab.server import serve

    with pytest.raises(SevenoutError, match="8 to 200 letters"):
        serve("0.0.0.0", 8080, token=token)
