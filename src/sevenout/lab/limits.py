"""How much the lab gives to whom; each bound comes with the sentence that says so."""

MAX_PAGES = 24
"""Pages open at once: browsers that are connected."""
MAX_PENDING = 32
"""Pages that were asked for and never opened; the oldest goes first."""
MAX_QUERY = 2_000
"""Characters in the query of an address."""
MAX_UPLOAD = 1_000_000
"""Bytes in one request, a dropped file included."""
MAX_MESSAGE = 1_500_000
"""Bytes in one message over the websocket."""
MAX_GAMES = 10**10
"""Games in one simulation."""
MAX_STATES = 60_000
"""States of a game that the lab takes on; the command line takes any."""
MAX_TILES = 60
"""Totals that a page shows as tiles."""
MAX_LIMIT = 100
"""Rolls for the point in a game on tiles; its odds come within an instant."""
MAX_GAME_FILE = 20_000
"""Characters in a game's file."""
MAX_SPAN = 600
"""From the least total of some dice to the greatest."""
RUNNING = 2
"""Simulations at once; they share the machine."""
WAITING = 6
"""Simulations that may wait for their turn."""
MAX_LOG = 200
"""Lines of a log that a page keeps."""
MAX_ROLLS = 100_000
"""Rolls of a real die that a page keeps."""

TOO_MANY_PAGES = (
    f"The lab has {MAX_PAGES} pages open, and takes no more. Close one, then load this page again."
)
TOO_LONG = f"The address is longer than {MAX_QUERY:,} characters; no game needs so many."
TOO_LARGE = f"More than {MAX_UPLOAD:,} bytes; the lab takes no larger file."
GAME_FILE_TOO_LONG = (
    f"more than {MAX_GAME_FILE:,} characters; the lab takes no longer file for a game"
)
TOO_MANY_JOBS = (
    f"{WAITING} simulations are waiting already. Stop one, or wait until one has finished."
)
