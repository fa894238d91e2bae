"""H3: connections that say nothing, or half of something, are ended, and leave room for those who speak."""

import contextlib
import time

import pytest
from hostile.attacks import HALVES, stay_silent, still_open, watch
from hostile.starting import Begin, Visit, Watch
from hostile.wire import Closed, Line, mine
from server.live import wait_for

pytestmark = pytest.mark.flaky(reruns=2)  # times are compared, and other work may come between
SOON = {"header": 2.0, "body": 3.0, "hello": 2.0, "unread": 3.0}
FILES = 300


def test_silence_and_half_requests_are_ended(begin: Begin, visit: Visit) -> None:
    server = begin({"constants": {"escapade.server.limits.BOUNDS": SOON}})
    visitor = visit(server)
    ways, lines = stay_silent(visitor, 60), [visitor.line() for _ in range(20)]
    trickle = visitor.knock()
    trickle.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
    end = time.monotonic() + 20
    while time.monotonic() < end and still_open([*ways, trickle]) + sum(not line.dead for line in lines):
        with contextlib.suppress(OSError):
            trickle.sendall(b"X")
        time.sleep(0.2)
    assert still_open(ways) == 0
    assert still_open([trickle]) == 0
    assert all(line.dead for line in lines)
    with visitor.line() as line, pytest.raises(Closed) as closed:
        only_ping(line)
    assert closed.value.code in (1006, 1008)


def only_ping(line: Line) -> None:
    """Speak, but never say hello."""
    for _ in range(100):
        line.ask("ping")
        time.sleep(0.2)


def test_one_address_cannot_take_all_places(begin: Begin, visit: Visit) -> None:
    server = begin({}, "--per-address", "40")
    visitor, other = visit(server), visit(server)
    table, key = other.made("jamaica", mine(), {})
    seen, _ = watch(visitor, table, 45)
    assert seen["table"] <= 40
    assert seen.keys() <= {"table", "full", "refused 503", "closed 1013"}, seen
    assert other.come(table, key).shown["type"] == "table"


def test_when_files_run_out_those_inside_play_on_and_the_log_stays_short(
    begin: Begin, visit: Visit, canary: Watch
) -> None:
    server = begin({"files": FILES})
    bird = canary(server)
    quiet, written = bird.quiet(turns=2), server.log.stat().st_size
    began = time.monotonic()
    visitors = [visit(server) for _ in range(4)]
    ways = [way for visitor in visitors for way in stay_silent(visitor, FILES // 3, HALVES[:2])]
    time.sleep(2)
    during = bird.during(began)
    assert server.log.stat().st_size - written < 4000, server.log.read_text()[-2000:]
    assert during.faults == []
    assert during.p50 < 2 * quiet.p50 + 0.1, (quiet, during)
    wait_for(lambda: still_open(ways) < FILES // 3)
    assert visit(server).asked.get("/api/rules").status_code == 200
