"""Starts the server with luck that is always the same, on a day in 2026: `launcher.py SECONDS-LATER OPTIONS...`.

The same bytes whenever luck is asked for, so that nothing depends on how often or in which order that is done; only
what must be there once, ids and keys, is counted.
"""

import secrets
import sys
import time
from collections import Counter
from typing import Any

from escapade.server import thinking

thinking.HINT_TIME = 25.0  # here and where hints are computed, which imports this file too: the work decides
DAY = 1_794_830_400  # 2026-11-16, noon
asked: Counter[int] = Counter()


def token_urlsafe(size: int = 18) -> str:
    """An id or a key that says what it is."""
    asked[size] += 1
    return f"secret-of-{size}-bytes-{asked[size]}"


if __name__ == "__main__":
    luck: Any = secrets
    luck.token_bytes = lambda size=32: bytes(range(size))
    luck.randbelow = lambda end: end - 1
    luck.randbits = lambda bits: 12345 % (1 << bits)
    luck.token_urlsafe = token_urlsafe
    began, later = time.monotonic(), float(sys.argv.pop(1))
    time.time = lambda: DAY + later + time.monotonic() - began

    from escapade.cli import main

    main()
