"""The lab's local server: it passes addresses to workers and computes nothing.

It listens on this machine only and answers GET and HEAD; a POST to `/proof` is a certificate, which
the checker reads in a process of its own. It refuses requests that name another host or come from
another origin. Its pages may load only what it serves.
"""

import sys
from asyncio import TimerHandle, Transport
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from pathlib import Path
from socket import AF_INET, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, socket
from subprocess import DEVNULL, PIPE, STDOUT, Popen, TimeoutExpired
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic
from typing import Any
from urllib.parse import parse_qsl, unquote

from anyio import CapacityLimiter, fail_after, sleep, to_thread
from h11 import IDLE
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from sevenout.catalogue import games
from sevenout.errors import SevenoutError
from sevenout.lab.address import MAX_LENGTH
from sevenout.lab.pages import PAGES
from sevenout.lab.scripts import ASSETS, asset, version
from sevenout.lab.site import MAX_BYTES, refused, waiting
from sevenout.lab.widgets.view import Reply
from sevenout.lab.worker import TIME_LIMITS, LaneName, Pending, WorkerPool, quick_workers

# No inline script is allowed, so text from an address can never run as one.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data: blob:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    # An address holds the whole page, which no other site needs to know.
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
FRAMED_POLICY = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
"""The policy of a single card, which may stand in a frame of any page."""
# A request holds its thread only for `worker.POLL_SECONDS`, so few threads serve many.
THREADS, MAX_WAITING = {"quick": 32, "slow": 16}, 256
"""Threads per lane; and how many more requests may wait."""
PATIENCE, PAUSE = 1.2, 0.05
"""Seconds until an unfinished page says so; and between two times that its answer is asked for."""
TOO_LONG = "This takes longer than the lab allows; use the command line."
MAX_PROOF = 64 << 20
"""Bytes of a certificate, which is kept in memory while it arrives."""
CHECKER = files("sevenout.certify") / "check.py"
CHECKED_ELSEWHERE = "use sevenout certify --check proof.json"
HEAD_PATIENCE, PROOF_PATIENCE = 10.0, 60.0
"""Seconds until the head of a request, and a certificate, must have arrived."""
MAX_CHECKERS = 2
"""Certificates checked at once: the pages need processors too."""


def lane_of(url: str) -> LaneName:
    """The lane that answers an address."""
    path, _, query = url.partition("?")
    slow = path in PAGES and PAGES[path].slow
    # These two pages are quick or slow by their query.
    if path == "/dice":
        slow = "tab=faults" in query or "tab=test" in query
    if path == "/table":
        slow = "strategy=" in query or "show=" in query or game_of(query) in games.with_choices
    return "slow" if slow else "quick"


def is_file(url: str) -> bool:
    """Whether an address is of a file, such as a card or a picture of its page."""
    path, _, query = url.partition("?")
    return path.endswith(".pdf") or "card=" in query or "as=" in query


def is_embedded(query: str) -> bool:
    """Whether a query asks for a single card, to stand in a frame."""
    fields = dict(parse_qsl(query))
    return bool(fields.get("card")) and fields.get("as") == "html"


def game_of(query: str) -> str:
    """The name of the game in a query, without its options."""
    return unquote(query.partition("game=")[2].partition("&")[0]).partition(";")[0]


Ask = Callable[[str, LaneName], Awaitable[Reply | Pending]]
"""Asks for an address in a lane."""


async def wait_for_answer(ask: Ask, url: str, is_left: Callable[[], Awaitable[bool]]) -> Reply:
    """The answer, or after `PATIENCE` a page that says it isn't there yet.

    `is_left` is whether the visitor has left.

    Raises:
        TimeoutError: the answer takes longer than its limit.
    """
    # A download can't show a page that waits, so its request waits to the end.
    end = monotonic() + (TIME_LIMITS["slow"] if is_file(url) else PATIENCE)
    while True:
        answer = await ask(url, lane_of(url))
        if not isinstance(answer, Pending):
            return answer
        # Asking again after the visitor has left would keep the work alive for nobody.
        if monotonic() > end or await is_left():
            break
        await sleep(PAUSE)
    if is_file(url):
        raise TimeoutError
    return waiting(url, answer.seconds, version())


def check_certificate(content: bytes) -> str:
    """What the checker prints of a certificate, within the limits of a slow page."""
    with TemporaryDirectory(prefix="sevenout-") as folder:
        name = "proof.json"  # the checker names the file in its messages
        Path(folder, name).write_bytes(content)
        # In isolated mode neither the environment nor the folder can add modules.
        command = [sys.executable, "-I", str(CHECKER), name]
        with Popen(command, cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT) as checker:
            if sys.platform == "linux":  # elsewhere only its time is limited
                import resource

                limit = int(MAX_BYTES)
                resource.prlimit(checker.pid, resource.RLIMIT_DATA, (limit, limit))
            try:
                text, _ = checker.communicate(timeout=TIME_LIMITS["slow"])
            except TimeoutExpired:
                checker.kill()
                seconds = TIME_LIMITS["slow"]
                return f"Not checked: it takes over {seconds:.0f} s; {CHECKED_ELSEWHERE}"
    if checker.returncode not in (0, 1, 2):  # the checker itself was ended
        return f"Not checked: it needs over {MAX_BYTES / 1e9:.1f} GB; {CHECKED_ELSEWHERE}"
    return text.decode("utf-8", "replace").strip()


class ImpatientProtocol(H11Protocol):
    """HTTP that closes a connection whose request has not arrived in time.

    Uvicorn closes a connection that is idle between two requests, but waits for ever for the first
    request and for the rest of a head: a thousand half-open connections would stay.

    Attributes:
        deadline: closes the connection; None while a request is answered.
    """

    deadline: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._expect_request()

    def connection_lost(self, error: Exception | None) -> None:
        # A timer left behind would keep the closed connection in memory until it fires.
        self._stop_waiting()
        super().connection_lost(error)

    def _expect_request(self) -> None:
        if self.conn.their_state is not IDLE:  # the head has arrived
            self._stop_waiting()
        elif self.deadline is None:  # more bytes of the same head don't move the deadline
            self.deadline = self.loop.call_later(HEAD_PATIENCE, self.transport.close)

    def _stop_waiting(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None


def _refusal(request: Request, port: int) -> Response | None:
    """The answer to a request that is not of one of the lab's own pages; None if it is."""
    # Another site's name may resolve to 127.0.0.1, and its pages would then reach the lab.
    hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
    if request.headers.get("host", "") not in hosts:
        return _text_response("this lab answers only to 127.0.0.1 and localhost", 421)
    # Browsers leave this header out when a link is followed.
    origin = request.headers.get("origin")
    if origin is not None and origin not in {f"http://{host}" for host in hosts}:
        return _text_response("this lab answers only its own pages", 403)
    # Other sites may link to the lab, but not fetch from it or post to it.
    if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        navigates = request.headers.get("sec-fetch-mode") == "navigate"
        destination = request.headers.get("sec-fetch-dest")
        is_framed_card = destination == "iframe" and is_embedded(request.url.query)
        shows_page = navigates and (destination == "document" or is_framed_card)
        if request.method == "POST" or not shows_page:
            return _text_response("this lab answers only its own pages", 403)
    return None


def app(ask: Ask, port: int, lifespan: Any) -> Starlette:
    """The server.

    Requests that name another port are refused. `lifespan` runs as long as the server.
    """
    checkers = CapacityLimiter(MAX_CHECKERS)

    async def check_proof(request: Request) -> Response:
        if refused_request := _refusal(request, port):
            return refused_request
        content = bytearray()
        try:
            with fail_after(PROOF_PATIENCE):
                async for chunk in request.stream():
                    content += chunk
                    # Counted as it arrives, because a request may tell no length, or a wrong one.
                    if len(content) > MAX_PROOF:
                        return _text_response(
                            f"over {MAX_PROOF >> 20} MB; {CHECKED_ELSEWHERE}", 413
                        )
        except TimeoutError:
            return _text_response("the file did not arrive in time; send it again", 408)
        # In a thread, because the event loop has to go on answering pages.
        text = await to_thread.run_sync(check_certificate, bytes(content), limiter=checkers)
        return _text_response(text, 200)

    async def answer(request: Request) -> Response:
        if refused_request := _refusal(request, port):
            return refused_request
        path = request.url.path
        if path in ASSETS:
            # The query changes with the content, so a browser may keep such a file for good.
            caching = "max-age=31536000, immutable" if request.url.query else "no-cache"
            return Response(
                asset(path),
                headers={**HEADERS, "cache-control": caching, "content-type": ASSETS[path]},
            )
        # Latin-1 decodes any byte; UTF-8 would fail on a query that is not escaped.
        query = request.scope["query_string"].decode("latin-1")
        url = path + (f"?{query}" if query else "")
        # Still too long, so the page refuses it, but a worker is not sent megabytes.
        if len(url) > 4 * MAX_LENGTH:
            url = url[: 4 * MAX_LENGTH]
        try:
            reply = await wait_for_answer(ask, url, request.is_disconnected)
        except TimeoutError:
            reply = refused(TOO_LONG, version(), 503)
        return _response(reply, embedded=is_embedded(query))

    routes = [
        Route("/proof", check_proof, methods=["POST"]),
        Route("/{path:path}", answer, methods=["GET"]),
    ]
    return Starlette(routes=routes, lifespan=lifespan)


def _response(answer: Reply, embedded: bool) -> Response:
    """An answer of the lab with its HTTP headers; `embedded` lets other pages frame it."""
    # Not stored, because a page that waits and its answer have the same address.
    headers = {**HEADERS, "content-type": answer.media_type, "cache-control": "no-store"}
    if embedded:
        headers["content-security-policy"] = FRAMED_POLICY
        headers["cross-origin-resource-policy"] = "cross-origin"
    if answer.location:
        headers["location"] = answer.location
    if answer.filename:
        headers["content-disposition"] = f'attachment; filename="{answer.filename}"'
    return Response(answer.body, answer.status, headers)


def _text_response(text: str, status: int) -> Response:
    return Response(text, status, {**HEADERS, "content-type": "text/plain; charset=utf-8"})


def serve(port: int = 8080, *, show: bool = True) -> None:
    """Serve the lab on this machine until Ctrl-C.

    Raises:
        SevenoutError: the port is taken or not a port.
    """
    import uvicorn

    listener = _listen(port)
    # The system chooses the number if the port is 0.
    port = listener.getsockname()[1]
    address = f"http://127.0.0.1:{port}/"
    pools: list[WorkerPool] = []

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        pool = await run_in_threadpool(
            WorkerPool, version(), quick_workers(), 2, address.rstrip("/")
        )
        pools.append(pool)
        # Only now are there workers for a first page; flushed, in case a program reads this line.
        print(f"The lab is at {address} (Ctrl-C ends it)", flush=True)
        if show:
            import webbrowser

            webbrowser.open(address)
        # These pages take a while, and the server should answer at once.
        Thread(target=pool.prepare, daemon=True).start()
        yield
        await run_in_threadpool(pool.end)

    limiters = {lane: CapacityLimiter(n) for lane, n in THREADS.items()}

    async def ask(url: str, lane: LaneName) -> Reply | Pending:
        limiter = limiters[lane]
        # A flood of requests is refused at once, or the queue would grow without end.
        if limiter.statistics().tasks_waiting > MAX_WAITING:
            raise TimeoutError
        return await to_thread.run_sync(pools[0].ask, url, lane, limiter=limiter)

    config = uvicorn.Config(
        app(ask, port, lifespan),
        log_level="error",
        access_log=False,
        ws="none",
        http=ImpatientProtocol,
        server_header=False,
        h11_max_incomplete_event_size=64 * 1024,
        # Without a limit Ctrl-C would wait for the slowest page.
        timeout_graceful_shutdown=2,
    )
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listener])


def _listen(port: int) -> socket:
    """A socket that listens at a port; a SevenoutError says why it can't."""
    listener = socket(AF_INET, SOCK_STREAM)
    # Without it the port stays taken for a while after the lab has ended.
    listener.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
    try:
        # The lab has no passwords, so only this machine may connect.
        listener.bind(("127.0.0.1", port))
        listener.listen(128)  # so early requests wait
    except (OSError, OverflowError) as error:
        listener.close()
        # An OverflowError, of a number that is no port, has no such text.
        why = getattr(error, "strerror", None) or "it is not a port"
        raise SevenoutError(f"port {port}: {why}; give another with --port") from None
    return listener
