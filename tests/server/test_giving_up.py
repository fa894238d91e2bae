"""Giving up a game of two, and turns that end for good."""

import pytest
from server.live import Player, Running, free, mine, position, sailor
from server.test_order import TWO_ON_17

from escapade import record
from escapade.server.events import write_event
from escapade.server.messages import Place, Setup
from escapade.server.opening import open_table
from escapade.server.replay import of_record
from escapade.server.table import BOT_GRACE, Table

ONE = frozenset({1})
ROW = position("tortuga", "0.0.0.0.0.18/0.0.0.0.17.17", "BBDHKS/DKPPSS", row="KDDBSP")


def against_a_bot() -> Table:
    """A table whose first seat is held by a person, and the second by a bot."""
    places = [Place(colour=0, name="Anne", mine=True), Place(colour=1, name="Bot", bot="sailor")]
    setup = Setup(game="tortuga", seats=places, start=ROW, pace=400)
    return Table("t", open_table(setup, "key", bytes(32), 0, 100.0))


def test_who_gives_up_loses_and_everyone_is_told(server: Running) -> None:
    anne, bo = server.open("jamaica")
    anne.play(anne.choose())
    bo.wait(lambda bo: bo.version == 1)
    watcher = Player(server, bo.table)
    answer = bo.ask("resign", seat=2)
    assert (answer["type"], answer["resigned"], answer["state"]["result"]) == ("table", 2, "1")
    for one in (anne, watcher):
        one.wait(lambda one: one.over)
        state = one.shown["state"]
        assert (one.shown["resigned"], state["result"], state["legal"]) == (2, "1", [])
    assert anne.refused("play", version=anne.version, action=".") == "not-your-turn"
    assert anne.refused("undo", version=anne.version) == "no-undo"
    assert anne.refused("resign", seat=1) == "over"
    assert bo.ask("resign", seat=2)["resigned"] == 2  # said again, as after a broken line
    replay = server.get(f"/api/tables/{bo.table}/replay").json()
    assert (replay["result"], replay["resigned"], replay["proven"]) == ("1", 2, True)
    assert "?" not in replay["steps"][-1]["view"]
    told = server.record(bo.table)
    assert '[Resigned "2"]' in told
    assert '[Result "*"]' in told  # by the rules it is not finished
    again = of_record(told)
    assert (again.result, again.resigned) == ("1", 2)
    game = record.replay(record.parse(told))
    assert record.is_seeded(game.tags)  # and what follows from the seed has been checked
    assert anne.ask("rematch")["rematch"]


def test_only_a_seat_of_ones_own_in_a_running_game_of_two_is_given_up(server: Running) -> None:
    table, key = server.make("jamaica", mine("Anne"), free(), first=0)
    anne = Player(server, table, key)
    assert anne.refused("resign", seat=1) == "not-begun"
    Player(server, table).sit(2, "Bo")
    assert anne.refused("resign", seat=2) == "not-yours"
    assert Player(server, table).refused("resign", seat=1) == "not-yours"
    table, key = server.make("jamaica", mine("Anne"), sailor(), sailor(), first=0)
    assert Player(server, table, key).refused("resign", seat=1) == "not-two"


def test_a_game_that_was_given_up_stays_so_after_a_restart() -> None:
    table = against_a_bot()
    events = [write_event(table.opened)]
    events += [
        write_event(event) for event in (table.play(ONE, 0, "18<17", 101.0), table.resign(ONE, 1, 102.0)) if event
    ]
    again = Table.fold("t", events)
    assert (again.over, again.result, again.waiting(), again.due(0.0)) == (True, "2", (), None)
    assert again.record(frozenset()) == table.record(frozenset())


@pytest.mark.parametrize("final", [False, True])
def test_after_a_final_action_nobody_waits_and_nothing_is_taken_back(final: bool) -> None:
    table = against_a_bot()
    table.play(ONE, 0, "D0>5", 101.0, final)
    assert table.undoable(ONE, 101.0) == (1, None)  # the turn goes on
    table.play(ONE, 1, ".", 102.0, final)
    assert table.undoable(ONE, 102.0)[0] == (None if final else 1)
    assert table.due(0.0) == (102.0 if final else 102.0 + BOT_GRACE)


def test_a_final_action_is_so_for_people_too(server: Running) -> None:
    anne, bo = server.open("jamaica", 2, start=TWO_ON_17)
    anne.play("D0>5")
    anne.send("play", version=anne.version, action=".", final=True)
    bo.wait(lambda bo: bo.version == 2)
    anne.wait(lambda anne: anne.version == 2)
    assert anne.refused("undo", version=2) == "no-undo"
