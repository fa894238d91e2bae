"""The server's time. It begins with the wall clock's and never jumps: whoever sets the wall clock changes no turn.

Everything that is waited for, and every event, has this time. A machine that sleeps does not count its sleep. Where
several machines have the same tables, the time is their store's.
"""

import time

_began = time.time() - time.monotonic()


def now() -> float:
    """What the wall clock shows, in seconds since 1970. It may be set at any moment, so nothing is measured by it."""
    return time.time()


def agree(at: float) -> None:
    """Go on from another clock's time, which was asked before the first table was opened."""
    global _began
    _began = at - time.monotonic()


def ticks() -> float:
    """The server's time: seconds since 1970 by the wall clock as it was at the server's start."""
    return _began + time.monotonic()


def dated(at: float) -> float:
    """A moment of the server's time as the wall clock would tell it now, for records."""
    return at + now() - ticks()
