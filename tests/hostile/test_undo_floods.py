"""H2: a table with many undos, played, listed and loaded, holds up nobody else."""

import time

import pytest
from hostile.attacks import take_back
from hostile.starting import Begin, Visit, Watch

pytestmark = pytest.mark.flaky(reruns=2)  # times are compared, and other work may come between
ACTIONS = 700
STALL = 0.25  # seconds more than in quiet: what two noisy cores may add, far below what a fold of every undo took


def test_a_game_of_many_undos_stalls_nobody(begin: Begin, visit: Visit, canary: Watch) -> None:
    server = begin()
    visitor, bird = visit(server), canary(server)
    quiet = bird.quiet(turns=2)
    began = time.monotonic()
    table, key, seen = take_back(visitor, ACTIONS)
    assert seen["undone"] > ACTIONS // 10, seen
    during = bird.during(began)
    assert during.p99 < 2 * quiet.p99 + STALL, (quiet, during)
    bird.end()
    server.kill()
    server.start(server.port)
    again, other = canary(server), visit(server)
    quiet = again.quiet(turns=1)
    began = time.monotonic()
    listed = other.asked.get(f"/api/tables?id={table}").json()
    assert [one["table"] for one in listed] == [table]
    assert other.come(table, key).shown["version"] == seen["moved"] + seen["undone"]
    assert other.asked.get(f"/api/tables/{table}/replay").status_code == 200
    during = again.during(began - 0.5)
    assert during.worst < 2 * quiet.worst + STALL, (quiet, during)
