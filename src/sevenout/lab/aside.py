"""Work that would keep every page waiting is done on another thread."""

from asyncio import CancelledError
from collections.abc import Callable
from typing import TypeVar

from nicegui import run

T = TypeVar("T")


async def aside(work: Callable[..., T], *given: object) -> T:
    """The result of some work, done on another thread.

    Raises:
        CancelledError: the lab was stopped meanwhile.
    """
    done: list[T] = []
    await run.io_bound(lambda: done.append(work(*given)))
    if not done:
        raise CancelledError
    return done[0]
