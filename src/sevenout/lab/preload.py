"""Imported once, by the process that workers are forked from.

That process also sweeps the folder of its socket, which `multiprocessing` leaves in the folder of
temporary files if the lab is killed (`kill -9`).
"""

import atexit
import os
from shutil import rmtree

from sevenout.lab.worker import SOCKET_FOLDER, warm


def sweep(folder: str, server_pid: int) -> None:
    """Remove the folder of the socket; a worker that ends leaves it to the server."""
    if os.getpid() == server_pid:
        rmtree(folder, ignore_errors=True)


if folder := os.environ.get(SOCKET_FOLDER):
    # Forked workers inherit this, so it names the one process that may remove the folder.
    atexit.register(sweep, folder, os.getpid())
warm()
