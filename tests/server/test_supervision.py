"""What fails is logged with its table and answered, and everything else goes on: nobody waits for ever."""

import asyncio
import contextlib
import faulthandler
import os
import re
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from server.live import WAIT, Message, Player, Running, free, mine, sailor, wait_for
from server.test_order import TWO_ON_17

from escapade.games import LEVELS
from escapade.server import acting, app, showing, thinking, warming
from escapade.server.app import create_app
from escapade.server.keys import hashed
from escapade.server.serve import listen
from escapade.server.sqlite import Sqlite
from escapade.server.store import NotSaved
from escapade.server.table import Table
from escapade.server.thinking import Thinkers

Work = Callable[..., Any]


class Here(Running):
    """A server in this process, so that a test can make fail what it calls."""

    def start(self, port: int) -> None:
        """Serve on a port, 0 for any, from a thread."""
        self.door = listen("127.0.0.1", port)
        self.port = self.door.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.uvicorn: uvicorn.Server | None = None
        self.thread = threading.Thread(target=asyncio.run, args=[self.serve()], daemon=True)
        self.thread.start()
        wait_for(lambda: self.uvicorn and self.uvicorn.started)

    async def serve(self) -> None:
        """Serve until told to stop."""
        app = create_app(await Sqlite.open(self.store), processes=1)
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1, log_config=None)
        self.uvicorn = uvicorn.Server(config)
        await self.uvicorn.serve(sockets=[self.door])

    def end(self) -> None:
        """Stop, and leave the store to others."""
        assert self.uvicorn
        self.uvicorn.should_exit = True
        self.thread.join(WAIT)
        if self.thread.is_alive():
            faulthandler.dump_traceback(2)  # or nobody will ever know what it waits for
            pytest.fail("the server does not end")
        self.door.close()

    def stop(self) -> None:
        """Stop for good."""
        self.asked.close()
        self.end()


class Bots:
    """Stands in for the processes: bots think in threads, are loaded in no time, and can be made to fail."""

    def __init__(self) -> None:
        self.failing: dict[str, Any] = {}  # what a function's name, or a player's, brings instead
        self.asked: list[str] = []

    async def think(self, work: Work, *about: Any) -> Any:
        """Think, unless that is to fail."""
        self.asked.append(work.__name__)
        for name in (work.__name__, about[0]):
            if name in self.failing:
                failed = self.failing[name]
                if isinstance(failed, Exception):
                    raise failed
                return failed
        return None if work is thinking.warm_up else await asyncio.to_thread(work, *about)


@pytest.fixture
def bots(monkeypatch: pytest.MonkeyPatch) -> Bots:
    """Bots that can be made to fail."""
    found = Bots()
    monkeypatch.setattr(Thinkers, "think", lambda self, work, *about, **share: found.think(work, *about))
    monkeypatch.setattr(Thinkers, "keep_ready", lambda self, work, *about, **how: found.asked.append(work.__name__))
    return found


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Here]]:
    """Starts servers in this process, all on one store, one after the other.

    Whatever a test has replaced stays so until they have ended. Else their bots, which play on, would start processes
    while the server is about to close them.
    """
    started: list[Here] = []

    def starts() -> Here:
        if started:
            started.pop().stop()
        started.append(Here(tmp_path / "games.db"))
        return started[-1]

    yield starts
    for running in started:
        running.stop()


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The lines of the server's log."""
    return [record.getMessage() for record in caplog.records if record.name == "escapade"]


def fail(*args: Any, **kwargs: Any) -> Any:
    """Fail as nobody expects it, with a secret in the message."""
    raise KeyError("BBDHKS")


# ---- loading rules and bots --------------------------------------------------------------------------------------


def test_rules_that_cannot_be_loaded_break_their_own_tables_and_no_others(
    here: Callable[[], Here], bots: Bots, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = here()
    old, key = server.make("evades", mine(), free(), first=0)
    load = warming.load_rules
    monkeypatch.setattr(warming, "load_rules", lambda names: fail() if "evades" in names else load(names))
    server = here()
    anne, _ = server.open("jamaica", start=TWO_ON_17)
    assert anne.play("D0>5")["version"] == 1
    refused = server.post("/api/tables", {"game": "evades", "seats": [{"colour": 0}, {"colour": 1}]})
    assert (refused.status_code, refused.json()) == (500, {"code": "broken"})
    asked = server.post("/api/position", {"position": "evades 0:bryldon -/- - - 1:0"})
    assert (asked.status_code, asked.json()) == (500, {"code": "broken"})
    player = Player(server, old, key, answered="fault")
    assert (player.heard[0]["code"], player.heard[0]["about"]) == ("broken", "hello")
    assert [one["table"] for one in server.get(f"/api/tables?id={old}&id={anne.table}").json()] == [anne.table]
    assert [line for line in errors(caplog) if "evades" in line and "KeyError" in line]


def test_a_bot_that_cannot_be_loaded_keeps_nobody_from_playing(
    here: Callable[[], Here], bots: Bots, caplog: pytest.LogCaptureFixture
) -> None:
    bots.failing["warm_up"] = KeyError("BBDHKS")
    server = here()
    for game in ("jamaica", "evades"):
        table, key = server.make(game, sailor("One"), sailor("Two"))
        Player(server, table, key).wait(lambda player: player.turn >= 2)
    wait_for(lambda: bots.asked.count("warm_up") == 1 + 4 * len(LEVELS))  # it goes on to the last of them
    assert [line for line in errors(caplog) if line.startswith("loading legend of evades failed: KeyError")]


# ---- damaged tables ----------------------------------------------------------------------------------------------

FIRST = {
    "no such edition": "replace(event, 'jamaica', 'nowhere')",
    "no JSON": "cast('Dear Anne' as blob)",
    "not even text": "5",
    "nothing": "zeroblob(0)",
    "no seats": """replace(event, '"chairs":[', '"chairs":[],"more":[')""",
    "a seed that is none": """replace(event, '"seed":"', '"seed":"x')""",
    "another event first": """cast('{"type":"said","seat":1,"text":"Ahoy"}' as blob)""",
}
SECOND = {
    "no such event": '{"type":"eaten","seat":1}',
    "a seat that is not there": '{"type":"sat","seat":9,"name":"Bo","key":"x","at":0}',
    "an action that is not legal": '{"type":"played","seat":1,"action":"D0>36","at":0}',
    "nothing to take back": '{"type":"undone","seat":2,"at":0}',
}


def test_a_damaged_table_whatever_the_damage_is_answered_so_and_holds_no_other_up(
    here: Callable[[], Here], bots: Bots, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """All of them are due, and the round comes to them before it comes to the one that is whole."""
    server = here()
    bad = {what: server.make("jamaica", mine(), sailor(), first=0) for what in [*FIRST, *SECOND]}
    good, key = server.make("evades", mine("Anne"), mine("Bo"), first=0, clock=5)
    server.end()
    choose, acted = acting.Acting._choose, threading.Event()

    async def chooses(self: acting.Acting, *about: Any) -> str:
        acted.set()
        return await choose(self, *about)

    monkeypatch.setattr(acting.Acting, "_choose", chooses)
    with sqlite3.connect(server.store) as db:
        for what, event in FIRST.items():
            db.execute(f"update events set event = {event} where game = ?", bad[what][:1])
        for what, text in SECOND.items():
            db.execute("insert into events values (?, 2, ?)", (bad[what][0], text.encode()))
        db.executemany("insert or replace into waiting values (?, 1.0)", [(table,) for table, _ in bad.values()])
    db.close()
    server.start(0)
    wait_for(acted.is_set)  # by the round alone: nobody has asked for any table yet
    for what, (table, own) in bad.items():
        assert Player(server, table, own, answered="fault").heard[0]["code"] == "damaged", what
        assert server.get(f"/api/tables/{table}/record").json()["code"] == "damaged", what
    asked = "&".join(f"id={table}" for table in [*[table for table, _ in bad.values()], good])
    assert [one["table"] for one in server.get(f"/api/tables?{asked}").json()] == [good]
    Player(server, good, key).wait(lambda player: player.version)
    for table, own in bad.values():
        lines = [line for line in errors(caplog) if table in line]
        assert lines
        assert all(re.fullmatch(r"table \S+: reading it failed: \w+ \([\w.]+:\d+\)", line) for line in lines), lines
        assert not [line for line in errors(caplog) if hashed(own) in line or "nowhere" in line]


# ---- hints -------------------------------------------------------------------------------------------------------


def test_a_hint_that_fails_is_answered_and_the_next_one_can_be_asked_for(
    here: Callable[[], Here], bots: Bots, caplog: pytest.LogCaptureFixture
) -> None:
    server = here()
    table, key = server.make("jamaica", mine(), sailor(), first=0)
    anne = Player(server, table, key)
    bots.failing["advise"] = KeyError("BBDHKS")
    for _ in range(2):
        answer = anne.ask("hint", version=0)
        assert (answer["type"], answer["code"], answer["about"], answer["version"]) == ("fault", "broken", "hint", 0)
    del bots.failing["advise"]
    assert anne.ask("hint", version=0)["hints"]
    assert [line for line in errors(caplog) if line.startswith(f"table {table}: a hint at version 0 failed: KeyError")]


# ---- bots --------------------------------------------------------------------------------------------------------

FAILED: dict[str, tuple[dict[str, Any], str]] = {
    "a bot raises": ({"sailor": KeyError("BBDHKS")}, "KeyError"),
    "a bot does what is not legal": ({"sailor": "D0>36"}, "refused as illegal"),
    "a bot does what is no action": ({"sailor": "BBDHKS"}, "refused as illegal"),
    "a bot brings its own luck": ({"sailor": "roll:bry=666"}, "refused as illegal"),
    "a bot answers with nothing": ({"sailor": None}, "refused as illegal"),
    "a process dies again and again": ({"choose": BrokenProcessPool("BBDHKS")}, "BrokenProcessPool"),
    "so does the simpler one": ({"sailor": KeyError("BBDHKS"), "greedy": "BBDHKS"}, "refused as illegal"),
}


@pytest.mark.parametrize("game", ["jamaica", "evades"])
@pytest.mark.parametrize("what", FAILED)
def test_a_seat_whose_bot_fails_is_played_all_the_same(
    here: Callable[[], Here], bots: Bots, caplog: pytest.LogCaptureFixture, what: str, game: str
) -> None:
    failing, line = FAILED[what]
    bots.failing.update(failing)
    server = here()
    table, key = server.make(game, sailor("One"), sailor("Two"))
    Player(server, table, key).wait(lambda player: player.turn >= 3)
    assert [told for told in errors(caplog) if table in told and line in told]
    assert not [told for told in errors(caplog) if "BBDHKS" in told]


def test_a_clock_that_runs_out_where_no_bot_can_think_ends_in_the_first_legal_action(
    here: Callable[[], Here], bots: Bots
) -> None:
    bots.failing["choose"] = KeyError("BBDHKS")
    server = here()
    people = server.open("evades", clock=5)
    people[0].wait(lambda player: player.turn == 1)


def children(process: int) -> list[int]:
    """The processes in which a server's bots think: they are forked from one that it has started."""
    return [thinker for one in started_by(process) if b"forkserver" in read(one) for thinker in started_by(one)]


def started_by(process: int) -> list[int]:
    """The children of a process, whichever of its threads has started them."""
    found = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            found += [int(child) for child in (task / "children").read_text().split()]
    return found


def read(process: int) -> bytes:
    """How a process was started."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes()
    return b""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_bot_acts_though_its_process_is_killed_whenever_it_is_there(start: Callable[[], Running]) -> None:
    server = start()
    table, key = server.make("jamaica", mine(), {"bot": "legend", "name": "Bot"}, start=TWO_ON_17)
    anne = Player(server, table, key)
    wait_for(lambda: children(server.process.pid))
    acted, killed = threading.Event(), set[int]()

    def kill() -> None:
        while not acted.wait(0.05):
            for child in children(server.process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
                    killed.add(child)

    killing = threading.Thread(target=kill, daemon=True)
    killing.start()
    try:
        anne.play("D0>5")
        anne.play(".")
        anne.wait(lambda player: player.heard[-1]["type"] == "moved" and player.heard[-1]["move"]["seat"] == 2)
    finally:
        acted.set()
        killing.join()
    assert len(killed) >= 3
    assert f"table {table}: legend for seat 2 at version 2 failed: BrokenProcessPool" in server.log.read_text()
    anne.wait(lambda player: player.state and player.state["legal"])
    assert anne.ask("hint", version=anne.version)["type"] == "hints"  # left alone, processes think again


def test_a_process_that_is_stuck_is_ended_and_the_next_work_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        thinkers = Thinkers(1, quick=0)
        try:
            stuck = await thinkers.think(os.getpid)
            os.kill(stuck, signal.SIGSTOP)
            monkeypatch.setattr(thinking, "STUCK", 0.5)
            with pytest.raises(TimeoutError):
                await thinkers.think(os.getpid)
            monkeypatch.setattr(thinking, "STUCK", WAIT)
            assert await thinkers.think(os.getpid) != stuck
            wait_for(lambda: not read(stuck))
        finally:
            thinkers.close()

    asyncio.run(work())


# ---- the round, clocks and the store -----------------------------------------------------------------------------


def test_the_round_comes_to_every_table_whatever_happens_at_one_of_them_or_in_the_store(
    here: Callable[[], Here], bots: Bots, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The round comes by all the time, and nothing but the round makes the clocks run out."""
    monkeypatch.setattr(app, "LOOK_AHEAD", 0.1)
    monkeypatch.setattr(Sqlite, "every", 0.05)
    monkeypatch.setattr(acting, "LOOK_AHEAD", 0.0)
    server = here()
    bad = server.open("jamaica", start=TWO_ON_17, clock=5)[0]
    good = server.open("jamaica", start=TWO_ON_17, clock=6)[0]
    due, look, looked = Table.due, Sqlite.due, []

    async def looks(self: Sqlite, before: float) -> list[str]:
        looked.append(before)
        if len(looked) < 4:
            raise sqlite3.OperationalError("disk I/O error")
        return await look(self, before)

    monkeypatch.setattr(Table, "due", lambda self, start: fail() if self.name == bad.table else due(self, start))
    monkeypatch.setattr(Sqlite, "due", looks)
    good.wait(lambda player: player.version)
    assert bad.settle() == []
    assert [line for line in errors(caplog) if line.startswith("tables that are due failed: OperationalError")]
    assert [line for line in errors(caplog) if line.startswith(f"table {bad.table}: waking it failed: KeyError")]


def test_a_bot_that_could_not_act_is_tried_again_when_the_round_comes_by(
    here: Callable[[], Here], bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where only bots play, for whom no time is stored."""
    monkeypatch.setattr(app, "LOOK_AHEAD", 1.0)
    choose, failed = acting.Acting._choose, []

    async def chooses(self: acting.Acting, *about: Any) -> str:
        failed.append(time.monotonic())
        return await choose(self, *about) if len(failed) > 3 else fail()

    monkeypatch.setattr(acting.Acting, "_choose", chooses)
    server = here()
    table, key = server.make("jamaica", sailor("One"), sailor("Two"))
    Player(server, table, key).wait(lambda player: player.version)


def test_an_event_that_cannot_be_written_stops_neither_the_writer_nor_those_beside_it(tmp_path: Path) -> None:
    async def work() -> None:
        store = await Sqlite.open(tmp_path / "x.db")
        try:
            beside = asyncio.ensure_future(store.append("a", 1, b"x", None))
            with pytest.raises(NotSaved):  # a number that SQLite has no room for is no error of SQLite's
                await asyncio.wait_for(store.append("b", 1 << 70, b"x", None), 5)
            await asyncio.wait_for(beside, 5)
            await asyncio.wait_for(store.append("c", 1, b"x", None), 5)
            assert await store.events("a") == await store.events("c") == [b"x"]
        finally:
            store.writer.cancel()
            await store.db.close()

    asyncio.run(work())


# ---- messages ----------------------------------------------------------------------------------------------------


def test_a_message_that_fails_is_answered_and_its_table_read_anew(
    here: Callable[[], Here], bots: Bots, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = here()
    anne, bo = server.open("jamaica", start=TWO_ON_17)
    other = server.open("jamaica", start=TWO_ON_17)[0]
    anne.play("D0>5")
    advance = Table._advance

    def spoil(self: Table, *args: Any, **kwargs: Any) -> str:
        """Fail when half is done."""
        advance(self, *args, **kwargs)
        return str(fail())

    with monkeypatch.context() as broken:
        broken.setattr(Table, "_advance", spoil)
        assert anne.refused("play", version=1, action="B0>1") == "broken"
        assert bo.until("fault")["code"] == "broken"
    for player in (anne, bo):
        player.come_again()
        assert (player.version, len(player.shown["moves"])) == (1, 1)
    assert anne.play("B0>1")["version"] == 2
    assert other.play("D0>5")["version"] == 1
    assert [line for line in errors(caplog) if line.startswith(f"table {anne.table}: a change failed: KeyError")]


def test_an_event_that_is_written_but_cannot_be_shown_is_there_when_its_readers_come_back(
    here: Callable[[], Here], bots: Bots, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = here()
    anne, bo = server.open("jamaica", start=TWO_ON_17)
    with monkeypatch.context() as broken:
        broken.setattr(showing, "change", fail)
        assert anne.refused("play", version=0, action="D0>5") == "broken"
        assert bo.until("fault")["code"] == "broken"
    for player in (anne, bo):
        player.come_again()
        assert player.version == 1


def test_a_table_that_cannot_be_shown_to_one_is_no_trouble_to_the_others(
    here: Callable[[], Here], bots: Bots, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = here()
    anne, bo = server.open("jamaica", start=TWO_ON_17)
    whole = showing.whole

    def hidden(table: Table, holder: str | None, *more: Any) -> Any:
        return whole(table, holder, *more) if holder else fail()

    with monkeypatch.context() as broken:
        broken.setattr(showing, "whole", hidden)
        watcher = Player(server, anne.table, answered="fault")
        assert (watcher.heard[0]["code"], watcher.heard[0]["about"]) == ("broken", "hello")
        assert anne.play("D0>5")["version"] == 1
        assert bo.until("moved")["version"] == 1
        assert watcher.settle() == []
    answer: Message = watcher.ask("hello", table=anne.table)  # the connection goes on
    assert answer["version"] == 1
    assert [line for line in errors(caplog) if "hello failed: KeyError" in line]


def test_a_question_that_fails_is_answered_and_logged_without_secrets(
    here: Callable[[], Here], bots: Bots, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = here()
    anne, _ = server.open("jamaica", start=TWO_ON_17)
    monkeypatch.setattr(Table, "record", fail)
    answer = server.get(f"/api/tables/{anne.table}/record")
    assert (answer.status_code, answer.json()) == (500, {"code": "broken"})
    assert [line for line in errors(caplog) if line.startswith(f"GET /api/tables/{anne.table}/record failed: KeyError")]
    assert "BBDHKS" not in caplog.text
