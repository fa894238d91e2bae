"""Tables on disk as events: append one, read them from the start, and ask which tables wait for the server itself."""

import asyncio
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import aiosqlite

MOST_AT_ONCE = 500
SCHEMA = """
create table if not exists events (
    game text not null, seq integer not null, event blob not null, primary key (game, seq)
) without rowid;
create table if not exists waiting (game text primary key, due real not null) without rowid;
create index if not exists waiting_due on waiting (due);
"""


class NotSaved(Exception):
    """An event could not be written, so nothing has happened."""


class InUse(Exception):
    """Another server has the store open."""


class Entry(NamedTuple):
    """An event on its way to disk, and when the server has to act at that table next, if ever."""

    game: str
    seq: int
    event: bytes
    due: float | None
    written: asyncio.Future[None]


class Store:
    """Events in SQLite. All that wait are committed together, and `append` returns once its event is on disk."""

    def __init__(self, db: aiosqlite.Connection) -> None:
        self.db = db
        self.queue: asyncio.Queue[Entry] = asyncio.Queue()
        self.writer = asyncio.create_task(self._write_on())

    @classmethod
    async def open(cls, path: Path | str) -> "Store":
        """Open a store, or make a new one. Only one server at a time can."""
        db = await aiosqlite.connect(path, isolation_level=None)
        try:
            await db.execute("pragma locking_mode=exclusive")
            await db.execute("pragma journal_mode=wal")
            await db.execute("pragma synchronous=full")
            await db.executescript(SCHEMA)
        except sqlite3.Error as fault:
            await db.close()
            if "locked" in str(fault):
                raise InUse(str(path)) from None
            raise
        return cls(db)

    async def close(self) -> None:
        """Write what still waits, and close."""
        await self.queue.join()
        self.writer.cancel()
        await self.db.close()

    async def append(self, game: str, seq: int, event: bytes, due: float | None) -> None:
        """Write an event; it is on disk when this returns. The same number a second time is refused."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.queue.put_nowait(Entry(game, seq, event, due, written))
        await written

    async def events(self, game: str) -> list[bytes]:
        """Everything that has happened at a table, in order."""
        rows = await self.db.execute_fetchall("select event from events where game = ? order by seq", (game,))
        return [event for (event,) in rows]

    async def due(self, before: float) -> list[str]:
        """The tables at which the server has to act before a time."""
        rows = await self.db.execute_fetchall("select game from waiting where due < ? order by due", (before,))
        return [game for (game,) in rows]

    async def _write_on(self) -> None:
        while True:
            batch = [await self.queue.get()]
            while len(batch) < MOST_AT_ONCE and not self.queue.empty():
                batch.append(self.queue.get_nowait())
            if len(batch) == 1 or not await self._try(batch):
                for entry in batch:
                    await self._try([entry], last=True)
            for _ in batch:
                self.queue.task_done()

    async def _try(self, batch: list[Entry], last: bool = False) -> bool:
        """Commit a batch whole, or not at all. Whatever goes wrong, everyone who waits gets an answer."""
        try:
            await self._commit(batch)
        except Exception as fault:
            with suppress(Exception):
                await self.db.rollback()
            if last:
                settle(batch, NotSaved(str(fault)))
            return False
        settle(batch, None)
        return True

    async def _commit(self, batch: list[Entry]) -> None:
        await self.db.execute("begin immediate")
        await self.db.executemany("insert into events values (?, ?, ?)", [entry[:3] for entry in batch])
        latest = {entry.game: entry.due for entry in batch}
        waiting = [(game, due) for game, due in latest.items() if due is not None]
        idle = [(game,) for game, due in latest.items() if due is None]
        if waiting:
            await self.db.executemany("insert or replace into waiting values (?, ?)", waiting)
        if idle:
            await self.db.executemany("delete from waiting where game = ?", idle)
        await self.db.commit()


def settle(batch: Iterable[Entry], fault: NotSaved | None) -> None:
    """Wake those who wait for these events: they are written, or why not."""
    for entry in batch:
        if entry.written.done():  # the one who waited was cancelled
            continue
        if fault:
            entry.written.set_exception(fault)
        else:
            entry.written.set_result(None)
