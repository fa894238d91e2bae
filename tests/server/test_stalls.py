"""Nobody waits for somebody else's long game: whatever is read, shown or replayed, the event loop goes on."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from server.live import Player, Running, free, mine, wait_for
from server.test_folding import long_game
from server.test_supervision import Bots, Here, bots, here

from escapade.server import tables
from escapade.server.events import Opened, Played, TakenBack, write_event
from escapade.server.keys import hashed
from escapade.server.seen import EVERY, Seen
from escapade.server.tables import LATE

__all__ = ["bots", "here"]
KEY = "a-key-of-twenty-four-let"
STALL = 0.02  # seconds of the processor's time that one callback of the loop may take
SLOW = 3  # times that another processor, or one that others use too, may take longer


def events_of(actions: int) -> list[bytes]:
    """A long game in which every action was taken back and made again."""
    found = long_game(actions)
    chairs = [msgspec.structs.replace(chair, key=hashed(KEY)) for chair in found.opened.chairs]
    events: list[Opened | Played | TakenBack] = [msgspec.structs.replace(found.opened, chairs=chairs, host=hashed(KEY))]
    for move in found.moves:
        played = Played(seat=move.seat, action=move.action, at=move.at)
        events += [played, TakenBack(seat=move.seat, at=move.at), played]
    return [write_event(event) for event in events]


def write(path: Path, games: dict[str, list[bytes]]) -> None:
    """Write tables into a store that nobody has open."""
    with sqlite3.connect(path) as db:
        db.executemany(
            "insert into events values (?, ?, ?)",
            [(name, seq, event) for name, events in games.items() for seq, event in enumerate(events, 1)],
        )
    db.close()


@contextmanager
def watched() -> Iterator[list[tuple[float, str]]]:
    """What the event loops of this process have done, each callback with the processor's time that it took."""
    took: list[tuple[float, str]] = []
    run = asyncio.Handle._run

    def timed(self: asyncio.Handle) -> None:
        before = time.thread_time()
        run(self)
        took.append((time.thread_time() - before, str(self)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.Handle, "_run", timed)
        yield took


def test_nothing_that_is_done_with_long_games_holds_the_loop_up(here: Callable[[], Here], bots: Bots) -> None:
    """Counted in the processor's time, so that it does not matter what else the machine does."""
    server = here()
    server.end()
    write(server.store, {"long-table": events_of(5000), **{f"cold-{i}": events_of(40) for i in range(50)}})
    server.start(0)
    server.open("jamaica")  # the rules are loaded
    with watched() as took:
        holders = [Player(server, "long-table", KEY) for _ in range(2)]
        watchers = [Player(server, "long-table") for _ in range(10)]
        assert (holders[0].version, len(watchers[9].shown["moves"])) == (15_000, 5000)
        assert len(server.get("/api/tables?" + "&".join(f"id=cold-{i}" for i in range(50))).json()) == 50
        assert len(server.get("/api/tables/long-table/replay", KEY).json()["steps"]) == 5000
        assert len(server.get("/api/tables/long-table/record", KEY).text) > 20_000
        for level in ("sailor", None):  # everyone gets the whole table
            holders[0].ask("bot", seat=2, level=level)
        assert holders[0].state
        holders[0].ask("play", version=15_000, action=holders[0].state["legal"][0])
        watchers[9].wait(lambda player: player.version >= 15_001)
    assert len(took) > 500
    assert max(took)[0] < STALL * SLOW, max(took)
    assert sum(cpu > STALL for cpu, _ in took) <= 3, sorted(took)[-5:]


@contextmanager
def slow_loop(server: Here) -> Iterator[None]:
    """A server each of whose callbacks takes long."""
    run = asyncio.Handle._run

    def held_up(self: asyncio.Handle) -> None:
        if threading.current_thread() is server.thread:
            time.sleep(2 * LATE)
        run(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.Handle, "_run", held_up)
        yield


def test_a_server_that_is_late_lets_nobody_in_but_those_who_play(
    here: Callable[[], Here], bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MANY", 2)
    server, setup = here(), {"game": "jamaica", "seats": [{"colour": 0}, {"colour": 1}]}
    (anne, bob), lobby = server.open("jamaica"), server.make("jamaica", mine("Anne"), free(), first=0)

    def status() -> int:
        return server.post("/api/tables", setup).status_code

    with slow_loop(server):
        assert status() == 201  # with one table that somebody looks at nobody is refused
        host = Player(server, *lobby)
        wait_for(lambda: status() == 503)
        host.go()
        wait_for(lambda: status() == 201)  # nor where there are many that nobody looks at
        host.come()
        wait_for(lambda: status() == 503)
        assert server.post("/api/tables", setup).json() == {"code": "full"}
        anne.come_again()
        anne.play(anne.choose())
        bob.wait(lambda player: player.version == 1)
        Player(server, lobby[0]).sit(2, "Bob")  # who was invited gets in
        watcher = Player(server, anne.table, answered="fault")
        assert watcher.heard[-1]["code"] == "full"
    monkeypatch.setattr(tables, "LATE", 5 * LATE)  # a machine that is busy with other things stays late by itself
    wait_for(lambda: status() == 201)


def test_one_good_moment_is_no_reason_to_let_many_in() -> None:
    seen, seconds = Seen(), round(1 / EVERY)
    seen.notice(10.0)  # one stall, as of a machine that slept, is no reason to let nobody in
    assert seen.late < LATE
    for _ in range(4 * seconds):
        seen.notice(0.01)
    assert seen.late > LATE
    for _ in range(8 * seconds):
        seen.notice(0.0)
    assert seen.late > LATE
    for _ in range(30 * seconds):
        seen.notice(0.0)
    assert seen.late < LATE


def test_a_canary_does_not_notice_that_a_long_game_is_read(start: Callable[[], Running]) -> None:
    """10,000 actions and 5,000 undos. A machine that is busy with other things is so without the long game too."""
    server = start()
    server.kill()
    long = events_of(5000)
    write(server.store, {f"long-table-{i}": long for i in range(6)})
    server.start(0)
    canaries = [server.open("jamaica")[0] for _ in range(5)]  # each may send ten messages a second
    slowest = []
    for number in range(6):
        quiet = [ping(canaries[k % len(canaries)]) for k in range(60)]
        waits = pings_while(threading.Thread(target=ask_all, args=(server, f"long-table-{number}")), canaries)
        slowest.append((nearly_longest(quiet), nearly_longest(waits)))
        if slowest[-1][1] < 0.05 + slowest[-1][0]:
            return
    raise AssertionError(f"99 of 100 pings were answered within so many seconds before and meanwhile: {slowest}")


def nearly_longest(waits: list[float]) -> float:
    """The time within which 99 of 100 are answered."""
    return sorted(waits)[int(len(waits) * 0.99)]


def pings_while(working: threading.Thread, canaries: list[Player]) -> list[float]:
    """How long each ping took as long as something else was going on."""
    waits: list[float] = []
    working.start()
    while working.is_alive():
        waits.append(ping(canaries[len(waits) % len(canaries)]))
    working.join()
    return waits


def ping(canary: Player) -> float:
    """How long the answer to a ping takes; and wait a little, as ten messages a second are allowed."""
    began = time.perf_counter()
    assert canary.ask("ping")["type"] == "pong"
    waited = time.perf_counter() - began
    time.sleep(0.02)
    return waited


def ask_all(server: Running, table: str) -> None:
    """Ask for all that there is to know of a table."""
    assert len(server.get(f"/api/tables?id={table}").json()) == 1
    assert server.get(f"/api/tables/{table}/replay").status_code == 200
    assert server.get(f"/api/tables/{table}/record").status_code == 200
    with Player(server, table) as watcher:
        assert watcher.version == 15_000
