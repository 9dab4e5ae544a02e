"""The door of the server: who may ask, how, and what no page may hold up."""

import asyncio
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from multiprocessing import Pipe
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest
from benchmarks.attack import attacks

import sevenout as so
from sevenout.errors import SevenoutError
from sevenout.lab import host, worker
from sevenout.lab.host import POLICY, _listen, lane_of, wait_for_answer
from sevenout.lab.site import waiting
from sevenout.lab.widgets.view import Reply
from tests.lab.conftest import running


def ask(lab: str, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Any:
    connection = HTTPConnection(lab.removeprefix("http://"), timeout=30)
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    connection.request(method, path, body, headers=named)
    answer = connection.getresponse()
    answer.text = answer.read().decode("utf-8", "replace")
    connection.close()
    return answer


def test_the_policy_is_strict_and_on_every_answer(lab: str) -> None:
    assert POLICY == (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
        "img-src 'self' data: blob:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    for path in ("/", "/nowhere", "/lab.css", "/lab.js", "/?to-dice=3d6", "/game.toml"):
        answer = ask(lab, path)
        assert answer.getheader("content-security-policy") == POLICY, path
        assert answer.getheader("x-content-type-options") == "nosniff"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}, 403),
        ({"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}, 403),
        (
            {
                "Sec_Fetch_Site": "cross-site",
                "Sec_Fetch_Mode": "navigate",
                "Sec_Fetch_Dest": "document",
            },
            200,
        ),
    ],
)
def test_strangers_are_refused(lab: str, headers: dict[str, str], status: int) -> None:
    assert ask(lab, "/catalogue?q=nothing", **headers).status == status


def test_only_get(lab: str) -> None:
    assert ask(lab, "/", "HEAD").status == 200
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert ask(lab, "/", method).status == 405


def test_a_proof_is_checked_in_a_process_of_its_own(lab: str) -> None:
    game = so.games["craps"]
    proof = b"".join(so.solve(game).certificate("pass", rules=game).lines())
    assert "per unit staked is -7/495" in ask(lab, "/proof", "POST", proof).text
    altered = proof.replace(b'"pays":{"pass":1}', b'"pays":{"pass":2}', 1)
    assert "proof.json, line 2: not proved: " in ask(lab, "/proof", "POST", altered).text
    for content in (b"", b"x" * 1_000, b"\x1f\x8bx", b"[" * 10**6):
        answer = ask(lab, "/proof", "POST", content)
        assert answer.status == 200
        assert "not proved: " in answer.text or "is not JSON" in answer.text or "gz" in answer.text
        assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Sec_Fetch_Site": "cross-site"}]
)
def test_no_stranger_has_a_proof_checked(lab: str, headers: dict[str, str]) -> None:
    assert ask(lab, "/proof", "POST", b"{}", **headers).status == 403


def test_a_proof_that_is_too_large_or_takes_too_long_is_not_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(host.TIME_LIMITS, "slow", -1.0)  # over before it began
    assert "takes over" in host.check_certificate(b"{}")


HASTY = """
from sevenout.lab import host
host.HEAD_PATIENCE = 0.5
host.serve(port=0, show=False)
"""


def test_half_open_connections_are_closed() -> None:
    with running(program=HASTY) as lab:
        place = tuple(lab.removeprefix("http://").split(":"))
        with ExitStack() as open_ones:
            silent, slow, second = (
                open_ones.enter_context(socket.create_connection(place, timeout=20))
                for _ in range(3)
            )
            whole = f"GET /lab.css HTTP/1.1\r\nHost: {place[0]}:{place[1]}\r\n\r\n".encode()
            second.sendall(whole)
            assert second.recv(12) == b"HTTP/1.1 200"
            second.sendall(b"GET / HT")  # in keep-alive: the rest never comes
            for byte in whole[:4]:  # bytes that trickle in don't earn more time
                slow.sendall(bytes([byte]))
                time.sleep(0.1)
            for connection in (silent, slow, second):
                while connection.recv(1 << 16):  # to its end
                    pass
        assert ask(lab, "/").status == 200


def test_huge_and_malformed_addresses_are_harmless(lab: str) -> None:
    for path in ("/?" + "x" * 20_000, "/?game=%ff%fe%00", "//evil.example/", "/%2e%2e/x", "/?a=%"):
        assert ask(lab, path).status in (200, 400, 404)
    assert ask(lab, "/?" + "x" * 70_000).status in (400, 414, 431)
    assert ask(lab, "/").status == 200


def test_lanes() -> None:
    quick = ("/", "/table?game=craps&did=roll*9", "/dice", "/game.toml")
    slow = ("/variants", "/simulate?games=9", "/sheet.pdf", "/dice?tab=test&taps=0")
    slow += ("/table?strategy=pass", "/table?seed=1&game=pig;goal=50&did=roll*2", "/evening")
    assert {lane_of(url) for url in quick} == {"quick"}
    assert {lane_of(url) for url in slow} == {"slow"}


def test_a_port_that_is_taken_is_said() -> None:
    first = _listen(0)
    with pytest.raises(SevenoutError, match="give another with --port"):
        _listen(first.getsockname()[1])
    first.close()


def test_a_worker_that_takes_too_long_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = worker.WorkerPool("", quick=1, slow=0)
    try:
        first = pool.quick.slots[0].worker.process.pid
        with monkeypatch.context() as hasty:
            hasty.setitem(worker.TIME_LIMITS, "quick", -1.0)
            hasty.setitem(worker.POLL_SECONDS, "quick", 0.0)
            with pytest.raises(TimeoutError):
                pool.quick.ask("/")
        assert pool.quick.slots[0].worker.process.pid != first
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)
        answer = pool.quick.ask("/nowhere", 60)
        assert isinstance(answer, Reply)
        assert answer.status == 404
    finally:
        pool.end()


POOL = """
import sys
from sevenout.lab import worker

if __name__ == "__main__":
    pool = worker.WorkerPool("", quick=1, slow=0)
    pool.ask("/nowhere", "quick")
    print("up", flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_a_lab_that_is_killed_leaves_no_folder_behind(tmp_path: Path) -> None:
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", POOL]
    with subprocess.Popen(command, env=environment, stdin=PIPE, stdout=PIPE, text=True) as lab:
        assert lab.stdout is not None
        assert lab.stdout.readline() == "up\n"
        assert any(tmp_path.iterdir())  # the socket of the fork server
        lab.kill()
    end = time.monotonic() + 60
    while any(tmp_path.iterdir()) and time.monotonic() < end:
        time.sleep(0.1)
    assert not any(tmp_path.iterdir())


def test_what_is_too_slow_for_the_quick_lane_goes_to_the_slow_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pool = worker.WorkerPool("", quick=1, slow=1)
    try:
        with monkeypatch.context() as hasty:
            hasty.setitem(worker.TIME_LIMITS, "quick", -1.0)
            hasty.setattr(pool.quick.slots[0].worker.pipe, "poll", lambda _: False)  # not yet
            hasty.setitem(worker.POLL_SECONDS, "slow", 60.0)
            answer = pool.ask("/nowhere", "quick")
        assert isinstance(answer, Reply)
        assert answer.status == 404
        assert [slot.url for slot in pool.quick.slots] == [None]
        assert list(pool.late) == ["/nowhere"]
    finally:
        pool.end()


def test_a_worker_that_keeps_too_much_is_replaced_after_its_answer(lane: Any) -> None:
    slow, made = lane
    slow.ask("/slow", 0)
    made[0].there.send((Reply(b"there"), 1.0))
    assert slow.ask("/slow", 60).body == b"there"
    assert [each.ended for each in made] == [False]
    slow.ask("/slow", 0)
    made[0].there.send((Reply(b"there"), 1e12))
    assert slow.ask("/slow", 60).body == b"there"
    assert [each.ended for each in made] == [True, False]


def test_a_process_knows_what_it_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    now = worker.resident_bytes()
    monkeypatch.setattr(worker, "PROC", Path("/nowhere"))
    most = worker.resident_bytes()
    assert now / 2 < most < 100 * now
    assert worker.resident_bytes(1) == 0


def test_what_is_free_is_given_back() -> None:
    held = [bytes(50_000) for _ in range(4_000)]
    full = worker.resident_bytes()
    del held
    worker.collect()
    assert worker.resident_bytes() < full - 50e6


def test_a_lane_makes_room_of_what_was_asked_longest_ago(lane: Any) -> None:
    slow, made = lane
    slow.max_workers = 3
    for url in ("/a", "/b"):
        slow.ask(url, 0)
    made[1].memory = worker.MAX_BYTES_TO_GROW
    slow.ask("/c", 0)
    assert len(made) == 2, "a lane that has much is not made larger"
    made[0].memory = made[1].memory = 0.6 * worker.MAX_LANE_BYTES["slow"]
    made[0].there.send((Reply(b"a"), 1.0))
    slow.ask("/a", 60)
    assert [each.ended for each in made] == [True, False, False]
    slow.ask("/c", 0)
    made[2].memory = 0.6 * worker.MAX_LANE_BYTES["slow"]
    made[1].there.send((Reply(b"b"), 1.0))
    slow.ask("/b", 60)
    assert [each.ended for each in made] == [True, True, False, False], "busy ones stay"


def test_what_nobody_asks_for_any_more_ends_by_itself(lane: Any) -> None:
    slow, made = lane
    slow.ask("/slow", 0)
    slow.tend()
    assert [each.ended for each in made] == [False]
    slow.slots[0].asked_at = time.monotonic() - 1_000
    slow.tend()
    assert [each.ended for each in made] == [True, False]
    assert slow.slots[0].url is None


def test_of_pages_that_take_too_much_together_the_last_one_waits(lane: Any) -> None:
    slow, made = lane
    slow.max_workers = 3
    for url in ("/first", "/last", "/small"):
        slow.ask(url, 0)
    for slot, worked in zip(slow.slots, (3.0, 1.0, 2.0), strict=True):
        slot.started = time.monotonic() - worked
    made[0].memory = made[1].memory = 0.6 * worker.MAX_LANE_BYTES["slow"]
    slow.tend()
    assert [each.ended for each in made] == [False, True, False, False]
    slow.tend()
    assert len(made) == 4, "there is room again"
    assert slow.ask("/last", 0) == worker.Pending(0.0), "it waits, though there is a worker"
    assert isinstance(slow.ask("/other", 0), worker.Pending)
    assert made[3].there.recv() == "/other", "and lets others pass"
    made[0].there.send((Reply(b"there"), 1.0))
    assert slow.ask("/first", 60).body == b"there"
    slow.ask("/last", 0)
    assert made[0].there.recv() == "/first"
    assert made[0].there.recv() == "/last"


def test_what_takes_too_much_alone_goes_on(lane: Any) -> None:
    slow, made = lane
    slow.ask("/slow", 0)
    made[0].memory = 3 * worker.MAX_LANE_BYTES["slow"]
    slow.tend()
    assert [each.ended for each in made] == [False]


def test_without_proc_the_memory_of_the_last_answer_counts(lane: Any) -> None:
    slow, made = lane
    slow.max_workers = 2
    slow.large["/large"] = None
    slow.ask("/slow", 0)
    slow.slots[0].reported_bytes = 2 * worker.MAX_BYTES_TO_GROW
    assert slow.total_bytes() == 2 * worker.MAX_BYTES_TO_GROW
    slow.slots.append(worker.WorkerSlot(slow.start_worker()))
    assert slow.ask("/large", 0) == worker.Pending(0.0)
    assert not made[1].there.poll(), "there is a free worker, but no room"
    slow.slots[0].reported_bytes = 0.0
    slow.ask("/large", 0)
    assert made[1].there.recv() == "/large"


def test_turns_are_in_order(lane: Any) -> None:
    slow, (one,) = lane
    for url in ("/busy", "/gone", "/second", "/third"):
        slow.ask(url, 0)
    one.there.send((Reply(b"there"), 0))
    slow.ask("/busy", 60)
    assert slow.ask("/third", 0) == worker.Pending(0.0)
    slow.waiting["/gone"] -= worker.ASKING_PERIOD
    assert slow.ask("/third", 0) == worker.Pending(0.0)
    assert one.there.recv() == "/busy"
    slow.ask("/second", 0)
    assert one.there.recv() == "/second"


class Slow:
    """A worker that answers when the test says so."""

    def __init__(self) -> None:
        self.pipe, self.there = Pipe()
        self.ended, self.memory = False, 0.0

    def own_bytes(self) -> float:
        """Bytes, as the test says."""
        return self.memory

    def end(self) -> None:
        self.ended = True
        self.pipe.close()


@pytest.fixture
def lane() -> Iterator[tuple[worker.Lane, list[Slow]]]:
    """A lane of one worker, and all that were made."""
    made: list[Slow] = []

    def make() -> Any:
        made.append(Slow())
        return made[-1]

    lane = worker.Lane("slow", make, 1, 1)
    yield lane, made
    lane.end()


def test_what_is_slow_goes_on_while_one_asks_again(lane: Any) -> None:
    slow, (one,) = lane
    assert isinstance(slow.ask("/slow", 0), worker.Pending)
    assert slow.ask("/other", 0) == worker.Pending(0.0)  # it waits for its turn
    assert isinstance(slow.ask("/slow", 0), worker.Pending)
    assert one.there.recv() == "/slow"
    assert not one.there.poll(), "it was begun once"
    one.there.send((Reply(b"there"), 0))
    answer = slow.ask("/slow", 60)
    assert answer.body == b"there"
    assert isinstance(slow.ask("/other", 0), worker.Pending)
    assert one.there.recv() == "/other"


def test_a_slow_page_has_a_limit_too(lane: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    slow, made = lane
    monkeypatch.setitem(worker.TIME_LIMITS, "slow", -1.0)
    with pytest.raises(TimeoutError):
        slow.ask("/slow", 0)
    assert [each.ended for each in made] == [True, False]


@pytest.mark.parametrize("since", ["asked_at", "started"])
def test_what_nobody_asks_for_any_more_or_takes_too_long_makes_room(since: str, lane: Any) -> None:
    slow, made = lane
    slow.ask("/slow", 0)
    setattr(slow.slots[0], since, time.monotonic() - 1_000)
    assert slow.ask("/other", 0) is not None
    assert [each.ended for each in made] == [True, False]
    assert made[1].there.recv() == "/other"


def test_a_second_request_for_the_same_answer_waits_for_no_lock(lane: Any) -> None:
    slow, _ = lane
    slow.ask("/slow", 0)
    with slow.slots[0].pipe_lock:  # another looks
        assert isinstance(slow.ask("/slow", 0), worker.Pending)


def test_there_is_a_place_for_another_until_there_are_as_many_as_may_be(lane: Any) -> None:
    slow, made = lane
    slow.max_workers = 2
    for url in ("/one", "/two", "/three"):
        slow.ask(url, 0)
    assert [each.there.recv() for each in made] == ["/one", "/two"]


class Coming:
    """A server's worker whose answer is there when it was looked for so often."""

    def __init__(self, after: int) -> None:
        self.after, self.looks = after, 0

    async def ask(self, url: str, lane: str) -> Reply | worker.Pending:
        self.looks += 1
        return Reply(b"there") if self.looks > self.after else worker.Pending(0.0)

    async def gone(self) -> bool:
        return self.looks > 5


def test_a_file_is_waited_for_and_never_a_page_that_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(host, "PATIENCE", -1.0)
    monkeypatch.setattr(host, "PAUSE", 0)
    for url in ("/sheet.pdf?game=craps", "/evening?card=law&as=csv"):
        answer = asyncio.run(wait_for_answer((one := Coming(3)).ask, url, one.gone))
        assert answer == Reply(b"there")
        with pytest.raises(TimeoutError):
            asyncio.run(wait_for_answer((one := Coming(99)).ask, url, one.gone))
        assert one.looks == 6, "of who is gone nothing is asked any more"
    answer = asyncio.run(wait_for_answer((one := Coming(3)).ask, "/evening", one.gone))
    assert b"data-next" in answer.body


def test_a_page_that_is_not_there_yet_asks_again() -> None:
    text = waiting("/best?game=pig", 3.2, "").body.decode()
    assert waiting("/best?game=" + "x" * 9_000, 0.0, "").status == 400
    assert "3 seconds so far" in text
    assert re.search(r'<a class="button" href="/best\?game=pig" data-next>', text)


def test_an_attack_is_refused_or_harmless(lab: str) -> None:
    found = [ask(lab, url, **headers).status for url, headers in attacks(150, seed=1)]
    assert set(found) <= {200, 303, 400, 403, 404, 414, 421, 431, 503}, Counter(found)
    assert ask(lab, "/").status == 200


def test_many_requests_leave_the_server_as_it_was(lab: str) -> None:
    async def wave() -> None:
        loop = asyncio.get_running_loop()
        paths = [f"/table?game=craps&seed={i}" for i in range(60)]
        found = await asyncio.gather(*(loop.run_in_executor(None, ask, lab, p) for p in paths))
        assert {answer.status for answer in found} == {200}

    asyncio.run(wave())


@pytest.mark.parametrize("moment", [0.0, 0.05, 0.3])
def test_a_lab_that_ends_while_its_slow_lane_works_ends_in_silence(
    moment: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[object] = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    pool = worker.WorkerPool("", quick=1, slow=1)
    listener = threading.Thread(target=pool.prepare)
    listener.start()
    time.sleep(moment)
    pool.end()
    listener.join(60)
    assert not listener.is_alive()
    assert raised == []
    with pytest.raises(TimeoutError):
        pool.ask("/best", "slow")
