"""Somebody sets the wall clock, an hour back or forth: no turn ends by it, none lasts longer, and no bot waits."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from server.live import Player, Running, mine, sailor
from server.test_order import TWO_ON_17

from escapade.server import clock
from escapade.server.events import write_event
from escapade.server.messages import Place, Setup
from escapade.server.opening import open_table
from escapade.server.table import Table

HOUR = 3600
Step = Callable[[float], None]


@pytest.fixture
def stepped(tmp_path: Path) -> Iterator[tuple[Running, Step]]:
    """A server, and a hand on its wall clock."""
    added = tmp_path / "added"

    def step(seconds: float) -> None:
        (tmp_path / "new").write_text(str(seconds))
        (tmp_path / "new").replace(added)

    step(0)
    running = Running(tmp_path / "games.db", program=(str(Path(__file__).with_name("stepping.py")), str(added)))
    yield running, step
    running.stop()


def left(player: Player) -> float:
    """The seconds that the clock leaves now."""
    player.send("hello", table=player.table, key=player.key)
    player.until("table")
    assert player.state
    return float(player.state["left"])


@pytest.mark.parametrize("by", [-HOUR, HOUR], ids=["back", "forth"])
def test_a_step_of_the_wall_clock_neither_ends_nor_stops_a_turn_nor_delays_a_bot(
    by: float, stepped: tuple[Running, Step]
) -> None:
    server, step = stepped
    slow = server.open("jamaica", start=TWO_ON_17, clock=600)
    quick = server.open("jamaica", start=TWO_ON_17, clock=5)
    [alone] = server.open("jamaica", bots=1, start=TWO_ON_17)
    gone = server.open("jamaica", start=TWO_ON_17)
    gone[1].go()
    step(by)
    began = time.monotonic()
    assert gone[0].refused("bot", seat=2, level="sailor") == "not-absent"
    assert 500 < left(slow[0]) <= 600
    for action in ("D0>5", "."):
        alone.play(action)
    assert alone.state
    if "grace" in alone.state and alone.state["undo"]:  # the end of a turn can be taken back for two seconds
        assert 0 < alone.state["grace"] <= 2
    alone.wait(lambda player: player.heard[-1]["type"] == "moved" and player.heard[-1]["move"]["seat"] == 2)
    quick[0].wait(lambda player: player.turn >= 6)
    assert time.monotonic() - began < 60, "the bot and the clock were not held up"
    assert slow[0].settle() is not None
    assert slow[0].turn == 5
    assert "Date" in server.record(slow[0].table, slow[0].key)


@pytest.mark.parametrize(("by", "least", "most"), [(-HOUR, 590, 600), (HOUR, 50, 60)], ids=["back", "forth"])
def test_after_a_restart_a_turn_has_a_minute_or_its_clock_and_bots_go_on(
    by: float, least: float, most: float, stepped: tuple[Running, Step]
) -> None:
    server, step = stepped
    anne, _ = server.open("jamaica", start=TWO_ON_17, clock=600)
    table, key = server.make("jamaica", sailor(), mine("Bo"), first=0)
    server.kill()
    step(by)
    server.start(server.port)
    anne.come_again()
    assert least <= left(anne) <= most
    began = time.monotonic()
    bo = Player(server, table, key)
    bo.wait(lambda player: player.turn >= 2)
    assert time.monotonic() - began < 60


def test_the_time_goes_on_whatever_the_wall_clock_shows_and_records_are_dated_by_the_latter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, wall = clock.ticks(), time.time
    monkeypatch.setattr(time, "time", lambda: wall() - 400 * 86_400)
    assert 0 <= clock.ticks() - before < 5
    places = [Place(colour=0, name="Anne", mine=True), Place(colour=1, name="Bo", mine=True)]
    opened = open_table(Setup(game="jamaica", seats=places, clock=600), "key", bytes(32), 0, clock.ticks())
    today = time.strftime("%Y-%m-%d", time.gmtime(time.time()))
    assert f'[Date "{today}"]' in Table("dated", opened).record(frozenset({1}))


def test_what_seems_to_be_still_to_come_has_just_happened() -> None:
    places = [Place(colour=0, name="Anne", mine=True), Place(colour=1, name="Bo", mine=True)]
    setup = Setup(game="jamaica", seats=places, start=TWO_ON_17, clock=600)
    opened = open_table(setup, "key", bytes(32), 0, 5000.0)
    events = [write_event(opened), write_event(Table("x", opened).play(frozenset({1, 2}), 0, "D0>5", 5100.0))]
    assert Table.fold("x", events, 5200.0).deadline(5150.0) == 5600.0
    assert Table.fold("x", events, 1000.0).deadline(990.0) == 1600.0
    assert Table.fold("x", events, 9000.0).deadline(8990.0) == 9050.0
