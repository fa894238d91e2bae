"""M1 and M2: those who watch, however many and however often they say hello, take nothing from those who play."""

import time

from hostile.attacks import greet, watch
from hostile.starting import Visit
from hostile.wire import Line, Visitor, mine
from server.live import Running


def seated(visitor: Visitor) -> tuple[str, dict[str, Line]]:
    """A table of two people: its id, and their lines by their keys."""
    table, key = visitor.made("jamaica", mine(), {}, first=0)
    anne, bo = visitor.come(table, key), visitor.come(table)
    bo.send("sit", seat=2, name="Bo")
    return table, {key: anne, bo.until("held")["key"]: bo}


def test_watchers_never_take_a_players_place(server: Running, visit: Visit) -> None:
    table, players = seated(visit(server))
    for line in players.values():
        line.close()
    seen, _ = watch(visit(server), table, 80)
    assert seen["table"] >= 30
    assert seen["full"] >= 10, seen
    for key in players:
        shown = visit(server).come(table, key).shown
        assert shown["type"] == "table", shown
        assert any(sitter["yours"] for sitter in shown["seats"])


def test_a_guest_finds_a_seat_at_a_table_full_of_watchers(server: Running, visit: Visit) -> None:
    table, _ = visit(server).made("jamaica", mine(), {}, first=0)
    watch(visit(server), table, 80)
    guest = visit(server).come(table)
    if guest.shown["type"] == "table":
        guest.send("sit", seat=2, name="Bo")
        assert guest.until("held", "fault")["type"] == "held"
    else:
        assert guest.shown["code"] == "full"


def test_a_burst_of_hellos_disconnects_nobody_who_plays(server: Running, visit: Visit) -> None:
    table, players = seated(visit(server))
    greet(visit(server), table, 7)
    time.sleep(1)
    for line in players.values():
        line.send("ping")
        told = 0
        while line.hear()["type"] != "pong":
            told += 1
        assert told < 150, "seats are told once for many changes"
        line.send("say", text="Ahoy")
        line.until("said")
