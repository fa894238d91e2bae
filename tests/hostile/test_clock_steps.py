"""M8: somebody sets the wall clock; no turn ends for it, and no bot waits for it."""

import json
import time

import pytest
from hostile.starting import Begin, Visit
from hostile.wire import Visitor, bot, mine
from server.live import Running

HOUR = 3600.0


def step(server: Running, seconds: float) -> None:
    """Set the server's wall clock."""
    (server.store.parent / "world.json").write_text(json.dumps({"step": seconds}))


def play_a_turn(visitor: Visitor, table: str, key: str) -> float:
    """Play a turn against a sailor, and give the seconds that its answer took."""
    with visitor.come(table, key) as line:
        shown = line.shown
        while shown["state"]["legal"]:
            line.send("play", version=shown["version"], action=shown["state"]["legal"][0])
            shown = line.until("moved", "fault")
        began = time.monotonic()
        while not shown["state"]["legal"]:
            shown = line.until("moved", timeout=30)
    return time.monotonic() - began


@pytest.mark.parametrize("seconds", [-HOUR, HOUR])
def test_a_step_neither_ends_nor_stops_a_turn(begin: Begin, visit: Visit, seconds: float) -> None:
    server = begin({"step": 0.0})
    visitor = visit(server)
    against, key = visitor.made("jamaica", mine(), bot(), first=0)
    timed, its_key = visitor.made("jamaica", mine("Anne"), mine("Bo"), first=0, clock=600)
    waiting = visitor.come(timed, its_key)
    quiet = max(play_a_turn(visitor, against, key) for _ in range(2))
    step(server, seconds)
    assert play_a_turn(visitor, against, key) < 2 * quiet + 3
    with visitor.come(timed, its_key) as line:
        assert 500 < line.shown["state"]["left"] <= 600
        line.send("play", version=0, action=line.shown["state"]["legal"][0])
        state = line.until("moved")["state"]
        assert 500 < state["left"] <= 600
    assert waiting.until("moved")["state"]["seat"] == 1
    with pytest.raises(TimeoutError):  # nobody else acts
        waiting.until("moved", timeout=3)
