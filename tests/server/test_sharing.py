"""Thinking is shared: nobody's bots, hints or records keep the others waiting, and killed processes come back.

Each attack is a short form of one that was tried from outside. The canary is somebody else's table with a sailor,
measured against its own quiet time in the same run.
"""

import asyncio
import contextlib
import itertools
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from server.live import WAIT, Message, Player, Running, alive, mine, sailor, wait_for
from server.test_order import TWO_ON_17
from server.test_supervision import Here, children, here  # noqa: F401

import escapade
from escapade.server import app, live
from escapade.server.live import Reader
from escapade.server.messages import Place, Setup
from escapade.server.sharing import Busy, Job, Unwanted, Waiting
from escapade.server.sqlite import Sqlite
from escapade.server.tables import Tables
from escapade.server.thinking import Thinkers

pytestmark = pytest.mark.flaky(reruns=2)  # times are compared, and other work may come between
LEGENDS = [{"bot": "legend", "name": f"Legend {i}"} for i in range(4)]
ATTACK: dict[str, Any] = {"clock": 5, "pace": 0, "first": 1}

linux = pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")


@pytest.fixture
def server(start: Callable[[], Running]) -> Running:
    """A server whose bots are loaded."""
    running = start()
    answered_in(running)
    return running


def answered_in(server: Running) -> float:
    """Seconds until a sailor answers at a new table."""
    table, key = server.make("jamaica", mine(), sailor(), start=TWO_ON_17)
    with Player(server, table, key) as anne:
        anne.play("D0>5")
        anne.play(".")
        began = time.monotonic()
        anne.wait(lambda player: player.heard[-1]["type"] == "moved" and player.heard[-1]["move"]["seat"] == 2)
        return time.monotonic() - began


def usual(server: Running) -> float:
    """Seconds in which a sailor answers mostly."""
    return statistics.median(answered_in(server) for _ in range(3))


@contextlib.contextmanager
def tabs(server: Running, tables: list[tuple[str, str]]) -> Iterator[list[Player]]:
    """A connection to each of some tables."""
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(Player(server, table, key)) for table, key in tables]


# ---- the canary while others attack ------------------------------------------------------------------------------


def test_tables_full_of_legends_where_nobody_is_delay_nobody_also_after_a_restart(server: Running) -> None:
    quiet = usual(server)
    for _ in range(40):
        server.make("jamaica", mine(), *LEGENDS, **ATTACK)
    assert usual(server) <= 2 * quiet
    server.kill()
    server.start(server.port)
    answered_in(server)  # the bots are loaded
    assert usual(server) <= 2 * quiet


def test_tables_full_of_legends_where_somebody_looks_on_delay_nobody(server: Running) -> None:
    quiet = usual(server)
    made = [server.make("jamaica", mine(), *LEGENDS, **ATTACK) for _ in range(30)]
    with tabs(server, made):
        assert usual(server) <= 2 * quiet


def test_many_hints_delay_nobody_and_each_is_given_or_refused(server: Running) -> None:
    quiet = usual(server)
    made = [server.make("jamaica", mine(), sailor(), first=0) for _ in range(40)]
    with tabs(server, made) as asking:
        for player in asking:
            player.send("hint", version=0)
        assert usual(server) <= 2 * quiet
        answers = [player.until("hints", "fault") for player in asking]
    codes = {answer.get("code", "hints") for answer in answers}
    assert codes == {"hints", "busy"}
    assert all(answer["about"] == "hint" for answer in answers if answer["type"] == "fault")


def test_hints_that_nobody_waits_for_any_more_are_not_computed(server: Running) -> None:
    made = [server.make("jamaica", mine(), sailor(), first=0) for _ in range(21)]
    with tabs(server, made[:1]) as (anne,):
        began = time.monotonic()
        assert anne.ask("hint", version=0)["type"] == "hints"
        quiet = time.monotonic() - began
        with tabs(server, made[1:]) as asking:
            for player in asking:
                player.send("hint", version=0)
        began = time.monotonic()
        assert anne.ask("hint", version=0)["type"] == "hints"
        assert time.monotonic() - began <= 3 * quiet + 1  # one of them may have been begun


def long_record(actions: int) -> str:
    """A game in which everyone goes back whenever they can."""
    game = escapade.new("jamaica", players=2, seed=1)
    for _ in range(actions):
        legal = game.legal_actions()
        back = [action for action in legal if "<" in action]
        game.play(back[0] if back else "." if "." in legal else legal[0])
    assert not game.over
    return game.record()


def test_pasted_records_delay_nobody_and_each_is_read_or_refused(server: Running) -> None:
    quiet, body = usual(server), {"record": long_record(4000) + "\n" * 200_000}
    short = {"record": long_record(10)}

    def paste(body: Message) -> httpx.Response:
        return httpx.post(f"{server.url}/api/replay", json=body, timeout=WAIT, trust_env=False)

    with ThreadPoolExecutor(40) as many:
        pasted = [many.submit(paste, body) for _ in range(40)]
        assert usual(server) <= 2 * quiet
        answers = [one.result() for one in pasted]
        assert 503 in {answer.status_code for answer in answers} <= {200, 503}  # none is read where all is slow
        assert {answer.json()["code"] for answer in answers if answer.status_code == 503} == {"busy"}
    wait_for(lambda: paste(short).status_code == 200, every=0.5)


def test_games_that_are_gone_over_delay_nobody_and_each_is_or_is_refused(server: Running) -> None:
    quiet = usual(server)
    records = [long_record(300 + number) for number in range(12)]

    def analyse(record: str) -> httpx.Response:
        return httpx.post(f"{server.url}/api/analysis", json={"record": record}, timeout=WAIT, trust_env=False)

    with ThreadPoolExecutor(12) as many:
        asked = [many.submit(analyse, record) for record in records]
        assert usual(server) <= 2 * quiet
        wait_for(lambda: any(one.done() for one in asked))
        server.kill()  # or it would go on for minutes
        for one in asked:
            one.exception()
    codes = {one.result().status_code for one in asked if not one.exception()}
    assert codes == {503}


def test_a_record_that_takes_too_long_is_refused_and_the_next_one_is_read(
    here: Callable[[], Here],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app, "RECORDS", {**app.RECORDS, "limit": 0.4})  # a quarter of what it takes
    server, body = here(), {"record": long_record(10)}
    wait_for(lambda: server.post("/api/replay", body).status_code == 200)  # it is loaded
    refused = server.post("/api/replay", {"record": long_record(20_000)})
    assert (refused.status_code, refused.json()) == (503, {"code": "busy"})
    wait_for(lambda: server.post("/api/replay", body).status_code == 200)


# ---- processes ---------------------------------------------------------------------------------------------------


def slowness() -> float:
    """How many times slower than usual this machine is now: loading the bots takes 1.5 s on a quiet one."""
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", "import escapade.bots"], check=True)
    return max(1.0, (time.monotonic() - began) / 1.5)


@linux
def test_six_killed_processes_leave_no_bot_idle_for_five_seconds(server: Running) -> None:
    table, key = server.make("jamaica", sailor("One"), sailor("Two"), pace=100)
    watcher, heard, stop = Player(server, table, key), [time.monotonic()], threading.Event()
    slow = [slowness()]

    def kill() -> None:
        for number in range(6):
            wait_for(lambda: children(server.process.pid))
            there = children(server.process.pid)
            with contextlib.suppress(ProcessLookupError):
                os.kill(there[number % len(there)], signal.SIGKILL)
            slow.append(slowness())
            time.sleep(slow[-1])
        time.sleep(5 * slow[-1])
        stop.set()

    killing = threading.Thread(target=kill)
    killing.start()
    while not stop.is_set():
        if watcher.over:
            watcher.go()
            table, key = server.make("jamaica", sailor("One"), sailor("Two"), pace=100)
            watcher = Player(server, table, key)
        watcher.receive()
        heard.append(time.monotonic())
    killing.join()
    gaps = [after - before for before, after in itertools.pairwise(heard)]
    assert max(gaps) <= 5 * max(slow)


@linux
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_server_ends_without_a_word_and_leaves_no_process(
    start: Callable[[], Running], how: signal.Signals
) -> None:
    server = start()
    answered_in(server)
    told = server.log.read_text()
    made = [server.make("jamaica", mine(), *LEGENDS, **ATTACK) for _ in range(3)]
    body = {"record": long_record(8000)}
    with tabs(server, made), ThreadPoolExecutor(1) as other:
        pasted = other.submit(httpx.post, f"{server.url}/api/replay", json=body, timeout=WAIT, trust_env=False)
        wait_for(lambda: len(children(server.process.pid)) >= 3)  # one of them reads the record
        server.process.send_signal(how)
        assert server.process.wait(WAIT) in (0, -how)
        assert pasted.result().status_code in (200, 503)
    assert server.log.read_text() == told
    wait_for(lambda: not alive(server.process.pid))


# ---- resting -----------------------------------------------------------------------------------------------------


class Counted(Thinkers):
    """Nobody who thinks, but it is counted how often they were asked."""

    def __init__(self) -> None:
        self.begun = 0

    async def think(self, work: Callable[..., Any], *about: Any, **share: Any) -> Any:
        """Answer with the first legal action."""
        self.begun += 1
        return about[3][0]


def at_tables(path: Path, work: Callable[[Tables, Counted], Awaitable[None]]) -> None:
    """Work with tables whose bots are counted."""

    async def run() -> None:
        store, thinkers = await Sqlite.open(path), Counted()
        tables = Tables(store, thinkers)
        for ready in tables.ready.values():
            ready.set()
        try:
            await work(tables, thinkers)
        finally:
            await tables.close()
            await store.close()

    asyncio.run(run())


ANNE = Place(colour=0, name="Anne", mine=True)
BOTS = [Place(colour=colour, name="Bot", bot="legend") for colour in (1, 2)]


def test_bots_rest_where_nobody_comes_and_where_all_have_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "REST", 0.2)

    async def work(tables: Tables, thinkers: Counted) -> None:
        made = await tables.make(Setup(game="jamaica", seats=[*BOTS, ANNE], first=0, pace=50), "here")
        await asyncio.sleep(0.5)  # whoever made the table may come any moment, so they play for a while
        assert await tables.store.due(1e12) == []  # though not after a restart
        begun = thinkers.begun
        await asyncio.sleep(0.3)
        assert thinkers.begun == begun >= 1
        reader = Reader()
        await tables.join(reader, made.table, None)
        await asyncio.sleep(0.2)
        assert thinkers.begun > begun
        tables.leave(reader)
        await asyncio.sleep(0.5)
        begun, table = thinkers.begun, (await tables.find(made.table)).table
        await asyncio.sleep(0.3)
        if table.bot_to_act():
            assert thinkers.begun == begun
            await tables.join(Reader(), made.table, made.key)
            await asyncio.sleep(0.2)
            assert thinkers.begun > begun

    at_tables(tmp_path / "x.db", work)


def test_a_bots_turn_that_an_older_version_has_written_down_is_looked_at_once(tmp_path: Path) -> None:
    async def work(tables: Tables, thinkers: Counted) -> None:
        made = await tables.make(Setup(game="jamaica", seats=[*BOTS, ANNE], first=0), "here")
        await cast(Sqlite, tables.store).db.execute("insert into waiting values (?, 0.0)", (made.table,))
        assert await tables.store.due(1.0) == [made.table]
        await tables.take_up()
        assert await tables.store.due(1e12) == []

    at_tables(tmp_path / "x.db", work)


def test_clocks_go_on_where_bots_rest_and_nothing_thinks(start: Callable[[], Running]) -> None:
    server = start()
    table, _ = server.make("jamaica", mine(), *LEGENDS, **ATTACK)

    def turn() -> int:
        return int(server.get(f"/api/tables?id={table}").json()[0]["turn"])

    wait_for(lambda: turn() >= 3, every=0.5)
    server.kill()
    server.start(server.port)
    before = turn()
    wait_for(lambda: turn() > before, every=0.5)


# ---- who is next -------------------------------------------------------------------------------------------------


def in_order(work: Callable[[], Awaitable[None]]) -> None:
    """Work where jobs can be made."""
    asyncio.run(work())  # type: ignore[arg-type]


def job(visitor: str, table: str = "", cost: float = 1.0, wanted: Callable[[], bool] = lambda: True) -> Job:
    """Work of a visitor at a table."""
    return Job(print, (), cost, visitor, table, wanted)


def taken(waiting: Waiting, count: int) -> list[tuple[str, str]]:
    """For whom is thought next."""
    found = [waiting.take(quick=False) for _ in range(count)]
    return [(one.visitor, one.table) for one in found if one]


def test_visitors_take_turns_and_so_do_the_tables_of_each() -> None:
    async def work() -> None:
        waiting = Waiting(1000, 1000)
        for _ in range(3):
            for table in "abc":
                waiting.add(job("many", table))
        for _ in range(3):
            waiting.add(job("few", "z"))
        order = taken(waiting, 6)
        assert sorted(visitor for visitor, _ in order) == ["few"] * 3 + ["many"] * 3
        assert sorted(table for visitor, table in order if visitor == "many") == ["a", "b", "c"]

    in_order(work)


def test_a_newcomer_is_next_and_who_was_away_has_saved_nothing() -> None:
    async def work() -> None:
        waiting = Waiting(1000, 1000)
        for _ in range(20):
            waiting.add(job("many"))
        taken(waiting, 5)
        for _ in range(4):
            waiting.add(job("new"))
        assert [visitor for visitor, _ in taken(waiting, 4)].count("new") == 2

    in_order(work)


def test_short_work_is_first_and_long_work_is_never_for_the_process_that_is_kept_free() -> None:
    async def work() -> None:
        waiting = Waiting(1000, 1000)
        for table in "abcdef":
            waiting.add(job("one", table, 1.5))
        waiting.add(job("one", "captain", 0.15))
        assert waiting.take(quick=True) is None
        waiting.add(job("one", "sailor", 0.02))
        assert [table for _, table in taken(waiting, 2)] == ["sailor", "captain"]

    in_order(work)


def test_who_has_most_waiting_is_refused_first_and_what_nobody_wants_is_dropped() -> None:
    async def work() -> None:
        waiting = Waiting(10, 8)
        many = [job("many") for _ in range(9)]
        for one in many:
            waiting.add(one)
        assert [one.done.done() for one in many] == [False] * 8 + [True]
        with pytest.raises(Busy):
            await many[8].done
        few = [job("few") for _ in range(4)]
        for one in few:
            waiting.add(one)
        assert not any(one.done.done() for one in few)
        assert [one.done.done() for one in many] == [False] * 6 + [True] * 3
        with pytest.raises(Busy):
            await many[7].done
        with pytest.raises(Busy):
            await many[6].done
        for one in many + few:
            one.done.cancel()
        gone = job("few", wanted=lambda: False)
        waiting.add(gone)
        assert waiting.take(quick=False) is None
        with pytest.raises(Unwanted):
            await gone.done

    in_order(work)
