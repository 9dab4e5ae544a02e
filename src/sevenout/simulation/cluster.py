"""A Dask cluster as an executor."""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from sevenout.errors import SevenoutError
from sevenout.extras import needs

TIMEOUT = "10s"


@contextmanager
def connect(address: str) -> Iterator[tuple[Executor, int]]:
    """The executor of a cluster, and the number of tasks that keeps its workers busy.

    The workers need only the same version of sevenout; blocks travel as tables of integers.

    Args:
        address: of the scheduler, such as "tcp://host:8786".

    Raises:
        SevenoutError: Dask is not installed, or the scheduler does not answer.
    """
    needs("distributed", "cluster")
    distributed: Any = import_module("distributed")
    try:
        client = distributed.Client(address, timeout=TIMEOUT)
    except (OSError, ValueError):
        raise SevenoutError(
            f"no scheduler answers at {address!r}; give one such as tcp://host:8786"
        ) from None
    with client, client.get_executor(pure=False) as executor:
        yield executor, 2 * max(1, sum(client.ncores().values()))
