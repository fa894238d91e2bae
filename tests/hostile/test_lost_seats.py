"""M5: a line that breaks right after `sit` loses no seat, since the key was brought along."""

import secrets
from functools import partial

from hostile.attacks import sit_and_vanish
from hostile.starting import Visit
from hostile.wire import Visitor, mine
from server.live import Running, wait_for


def is_seated(visitor: Visitor, table: str, key: str) -> bool:
    """Whether a key holds seat 2."""
    with visitor.come(table, key) as line:
        return bool(line.shown["seats"][1]["yours"])


def test_the_seat_is_there_when_its_owner_comes_back(server: Running, visit: Visit) -> None:
    visitor = visit(server)
    for _ in range(10):
        key = secrets.token_urlsafe(18)
        table, _ = visitor.made("jamaica", mine(), {}, first=0)
        sit_and_vanish(visitor, table, key)
        with visitor.come(table, key) as line:
            if not line.shown["seats"][1]["yours"]:  # it never arrived, or is still on its way: it can be sent again
                line.send("sit", seat=2, name="Bo", key=key)
                assert line.until("held", "table", "fault")["type"] != "fault"
        wait_for(partial(is_seated, visitor, table, key))


def test_sit_can_be_sent_again_by_its_owner_and_by_nobody_else(server: Running, visit: Visit) -> None:
    visitor, key = visit(server), secrets.token_urlsafe(18)
    table, host = visitor.made("jamaica", mine(), {}, {}, first=0)
    first, second = visitor.come(table), visitor.come(table)
    for line in (first, second):
        line.send("sit", seat=2, name="Bo", key=key)
        assert line.until("held", "table", "fault")["type"] != "fault"
    stranger = visitor.come(table)
    stranger.send("sit", seat=2, name="Eve", key=secrets.token_urlsafe(18))
    assert stranger.until("fault")["code"] == "seat-taken"
    stranger.send("sit", seat=1, name="Eve", key=key)
    assert stranger.until("fault")["code"] == "seat-taken"
    assert [one["name"] for one in visitor.come(table, host).shown["seats"]] == ["Anne", "Bo", ""]
