"""When the server acts by itself: bots think once about what they do, and nobody acts where nobody looks."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from server.live import Player, Running, mine, sailor
from server.test_order import TWO_ON_17

from escapade.server.commands import do
from escapade.server.keys import hashed
from escapade.server.live import Reader
from escapade.server.messages import Place, Play, Refused, Say, SetBot, Setup, Sit
from escapade.server.sqlite import Sqlite
from escapade.server.tables import Tables
from escapade.server.thinking import Thinkers


class Slow(Thinkers):
    """Somebody who never finishes thinking, and is asked how often they have begun."""

    def __init__(self) -> None:
        self.begun = 0

    async def think(self, work: Callable[..., Any], *about: Any, **share: Any) -> Any:
        """Think for good."""
        self.begun += 1
        await asyncio.Event().wait()


def at_tables(path: Path, work: Callable[[Tables, Slow], Awaitable[None]]) -> None:
    """Work with tables whose bots are slow."""

    async def run() -> None:
        store, thinkers = await Sqlite.open(path), Slow()
        tables = Tables(store, thinkers)
        for ready in tables.ready.values():
            ready.set()
        try:
            await work(tables, thinkers)
        finally:
            await tables.close()
            await store.close()

    asyncio.run(run())


async def soon(known: Callable[[], bool]) -> None:
    """Let others go on until something is so."""
    while not known():
        await asyncio.sleep(0.001)


BOT = Place(colour=1, name="Bot", bot="sailor")


def test_a_bot_goes_on_thinking_while_people_talk(tmp_path: Path) -> None:
    async def work(tables: Tables, thinkers: Slow) -> None:
        anne = Place(colour=0, name="Anne", mine=True)
        made = await tables.make(Setup(game="jamaica", seats=[anne, BOT], start=TWO_ON_17), "here")
        reader = Reader()
        await tables.join(reader, made.table, made.key)
        for version, action in enumerate(["18<17", "D0>5", "."]):
            await do(tables, reader, Play(version=version, action=action))
        await soon(lambda: thinkers.begun == 1)
        for _ in range(3):
            await do(tables, reader, Say(text="Ahoy"))
            await asyncio.sleep(0.01)
        await tables.join(Reader(), made.table, None)
        assert thinkers.begun == 1

    at_tables(tmp_path / "x.db", work)


def test_bots_alone_wait_until_somebody_looks_and_think_once_for_all_who_do(tmp_path: Path) -> None:
    async def work(tables: Tables, thinkers: Slow) -> None:
        made = await tables.make(Setup(game="jamaica", seats=[BOT, Place(colour=0, name="Bot", bot="sailor")]), "here")
        assert await tables.store.due(1e12) == []  # after a restart nobody acts here either
        await asyncio.sleep(0.01)
        assert thinkers.begun == 0
        for _ in range(3):
            await tables.join(Reader(), made.table, None)
            await asyncio.sleep(0.01)
        assert thinkers.begun == 1

    at_tables(tmp_path / "x.db", work)


def test_whoever_comes_again_without_their_key_has_just_left(tmp_path: Path) -> None:
    async def work(tables: Tables, thinkers: Slow) -> None:
        tables.started -= 1000
        made = await tables.make(
            Setup(game="jamaica", seats=[Place(colour=0, name="Anne", mine=True), Place(colour=1)]), "here"
        )
        anne, bo = Reader(), Reader()
        await tables.join(anne, made.table, made.key)
        await tables.join(bo, made.table, None)
        free = next(seat for seat in (1, 2) if seat not in anne.seats)
        await do(tables, bo, Sit(seat=free, name="Bo"))
        await tables.join(bo, made.table, None)
        assert not bo.seats
        with pytest.raises(Refused, match="not-absent"):
            await do(tables, anne, SetBot(seat=free, level="sailor"))

    at_tables(tmp_path / "x.db", work)


def test_a_table_that_is_damaged_is_told_apart_and_hurts_no_other(start: Callable[[], Running]) -> None:
    server = start()
    bad, key = server.make("jamaica", mine(), sailor(), first=0)
    good = server.open("jamaica+turn-limit=2")
    for player in good:
        player.go()
    server.kill()
    with sqlite3.connect(server.store) as db:
        db.execute("update events set event = replace(event, 'jamaica', 'nowhere') where game = ?", (bad,))
    db.close()
    server.start(server.port)
    assert Player(server, bad, key, answered="fault").heard[0]["code"] == "damaged"
    assert server.get(f"/api/tables/{bad}/record").json()["code"] == "damaged"
    assert [one["table"] for one in server.get(f"/api/tables?id={bad}&id={good[0].table}").json()] == [good[0].table]
    assert "nowhere" not in server.log.read_text()
    assert hashed(key) not in server.log.read_text()
