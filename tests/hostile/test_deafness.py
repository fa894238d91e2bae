"""M3 and M4: whoever sends and never reads is broken off, and does not fill the server's memory meanwhile."""

import os
import time
from pathlib import Path

import pytest
from hostile.attacks import never_read, ping_unread, talk
from hostile.starting import Begin, Visit, Watch
from hostile.wire import sockets_of
from server.live import Running

pytestmark = pytest.mark.flaky(reruns=2)  # times are compared, and other work may come between
SOON = {"escapade.server.limits.BOUNDS": {"header": 2.0, "body": 3.0, "hello": 2.0, "unread": 3.0}}
GROWS = 15.0  # MB


def memory(server: Running) -> float:
    """Resident memory of a server in megabytes."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def test_whoever_never_reads_is_broken_off(begin: Begin, visit: Visit) -> None:
    server = begin({"constants": SOON})
    visitor = visit(server)
    table = talk(visitor)
    before, held, grown = memory(server), sockets_of(server.process.pid), list[float]()

    def is_rid_of_them() -> bool:
        grown.append(memory(server) - before)
        return sockets_of(server.process.pid) <= held

    never_read(visitor, table, 10, 40.0, is_rid_of_them)
    assert is_rid_of_them()
    assert max(grown) < GROWS
    with visit(server).come(*table) as line:
        assert line.shown["type"] == "table"


def test_pings_that_nobody_reads_fill_nothing(begin: Begin, visit: Visit, canary: Watch) -> None:
    server = begin()
    bird = canary(server)
    quiet, before, since = bird.quiet(turns=1), memory(server), time.monotonic()
    ping_unread(visit(server), 4, 8_000_000, 5.0)
    assert memory(server) - before < GROWS
    time.sleep(1)  # they may be sent away before the canary has felt anything
    during = bird.during(since)
    assert during.p50 < 2 * quiet.p50 + 0.1, (quiet, during)
    assert during.faults == []
