"""Work that would keep every page waiting is done on another thread."""

from collections.abc import Callable
from typing import TypeVar

from nicegui import run

from sevenout.errors import SevenoutError

T = TypeVar("T")


async def aside(work: Callable[..., T], *given: object) -> T:
    """The result of some work, done on another thread.

    Raises:
        SevenoutError: the lab was stopped meanwhile; and whatever the work raises.
    """
    done: list[T] = []
    await run.io_bound(lambda: done.append(work(*given)))
    if not done:
        raise SevenoutError("the lab was stopped")
    return done[0]
