"""The door of a running lab, knocked at over plain sockets."""

import asyncio
import re
import socket
import subprocess
import sys
from typing import Any

import pytest
from tests.lab.conftest import START, environment, free_port, running

from sevenout.lab import limits

UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
SOCKET = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"


def knock(address: str, path: str = "/", body: bytes = b"", **headers: str) -> tuple[int, str]:
    """The status and the whole text of the answer."""
    host, port = address.removeprefix("http://").split(":")
    said = {"Host": f"{host}:{port}", "Connection": "close"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    method = "POST" if body else "GET"
    if body:
        said["Content-Length"] = str(len(body))
    lines = [f"{method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in said.items() if v), "", ""]
    with socket.create_connection((host, int(port)), 10) as line:
        line.settimeout(10)
        line.sendall("\r\n".join(lines).encode() + body)
        answer = b""
        while chunk := line.recv(65536):
            answer += chunk
            if b"101 Switching" in answer:
                break
    text = answer.decode(errors="replace")
    return int(text.split(" ")[1]), text


def test_only_the_lab_itself_is_answered(lab: str) -> None:
    assert knock(lab)[0] == 200
    assert knock(lab, Host="evil.example")[0] == 400
    assert knock(lab, Host="")[0] == 400
    assert knock(lab, Origin="http://evil.example")[0] == 403
    assert knock(lab, Origin=lab)[0] == 200
    assert knock(lab, "/nothing")[0] == 404
    assert knock(lab, "/?game=" + "2," * limits.MAX_QUERY)[0] in (400, 414)
    assert knock(lab, body=b"x" * 2_000)[0] in (403, 405)


def test_websockets_too(lab: str) -> None:
    assert knock(lab, SOCKET, **UPGRADE, Origin=lab)[0] == 101
    assert knock(lab, SOCKET, **UPGRADE, Origin="http://evil.example")[0] == 403
    assert knock(lab, SOCKET, **UPGRADE, Host="evil.example")[0] in (400, 403)
    assert knock(lab, SOCKET.replace("websocket", "polling"))[0] == 400


def test_the_answer_is_sealed(lab: str) -> None:
    status, text = knock(lab, X_Forwarded_Prefix="/evil")
    assert status == 200
    head = text.split("\r\n\r\n")[0].lower()
    assert "content-security-policy: default-src 'none'" in head
    assert "x-frame-options: deny" in head
    assert "access-control-allow-origin" not in head
    assert "/evil" not in text
    assert "http://" not in re.sub(
        r"http://www\.w3\.org/\S+|http%3A//www\.w3\.org", "", text.replace(lab, "")
    )


def test_a_network_warns_and_asks_for_the_token() -> None:
    port = free_port()
    code = START.format(options=f"'0.0.0.0', port={port}, show=False")
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(),
    ) as lab:
        try:
            assert lab.stdout is not None
            warning, address = lab.stdout.readline(), lab.stdout.readline()
            assert "from the network" in warning
            token = re.search(r"\?token=(\S+)", address)
            assert token is not None
            _wait(port)
            here = f"http://127.0.0.1:{port}"
            assert knock(here)[0] == 401
            status, text = knock(here, f"/?token={token[1]}")
            assert status == 303
            cookie = re.search(r"(?i)set-cookie: ([^;]+)", text)
            assert cookie is not None
            assert knock(here, Cookie=cookie[1])[0] == 200
            assert knock(here, SOCKET, **UPGRADE)[0] == 403
        finally:
            lab.terminate()


def _wait(port: int) -> None:
    from time import sleep

    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            sleep(0.1)
        else:
            return


def test_pages_that_are_never_opened_make_room(visit: Any) -> None:
    async def look(user: Any) -> None:
        from nicegui import Client

        from sevenout.lab.server import admit

        for k in range(2 * limits.MAX_PENDING):
            answer = await user.http_client.get("/catalogue" if k % 2 else "/")
            assert answer.status_code == 200
            assert admit()
        assert len(Client.instances) <= limits.MAX_PENDING
        await asyncio.sleep(0)

    visit(look)


def test_the_lab_survives_its_stop() -> None:
    with running() as address:
        assert knock(address)[0] == 200


@pytest.mark.parametrize("count", ["0", "-1", "1e11", "nan", "1.5", "", "x" * 100])
def test_a_count_is_a_whole_number(count: str) -> None:
    from sevenout.errors import SevenoutError
    from sevenout.lab import limits
    from sevenout.numerals import parse_count

    with pytest.raises(SevenoutError, match="whole number from 1 to"):
        parse_count(count, most=limits.MAX_GAMES)
