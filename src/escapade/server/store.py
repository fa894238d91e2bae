"""Tables on disk as events: append one, read them from the start, ask which tables wait for the server or are old."""

import asyncio
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import aiosqlite

from escapade.glicko import Rating
from escapade.server.supervision import log, repeated

MOST_AT_ONCE = 500
DAY = 86400
QUIET = 60.0  # seconds between two lines of the log about what could not be written
SHRUNK = 200  # pages that are given back at a time
VERSION = 1  # of what follows, kept in user_version; the stores of 0.1.0 before it had 0 and no ages
# What was found in finished games, by which engine, and ratings of puzzles; older versions of this program do not look
# at them.
BESIDES = """
create table if not exists analyses (game text primary key, engine text not null, found blob not null) without rowid;
create table if not exists puzzles (
    id text primary key, rating real not null, deviation real not null, volatility real not null, tries integer not null
) without rowid;
"""
OPEN = f"begin immediate; {BESIDES} commit"
UPGRADE = f"""
begin immediate;
create table if not exists events (
    game text not null, seq integer not null, event blob not null, primary key (game, seq)
) without rowid;
create table if not exists waiting (game text primary key, due real not null) without rowid;
create index if not exists waiting_due on waiting (due);
-- The day since 1970 on which something last happened at a table, and whether its game is over: null if not known.
create table ages (game text primary key, day integer not null, over integer) without rowid;
insert into ages
    select game, cast(coalesce(
        case when json_valid(cast(event as text)) then json_extract(cast(event as text), '$.at') end,
        strftime('%s', 'now')) / {DAY} as integer), null
    from (select game, max(seq), event from events group by game);
{BESIDES}
pragma user_version = {VERSION};
commit;
"""


OLD = """
select game, day, over from ages
where game > ? and day < ? and not exists (select 1 from waiting where waiting.game = ages.game and due >= ?)
order by game limit ?
"""


ABOUT = ("events", "waiting", "ages", "analyses")  # what has rows about a table


class NotSaved(Exception):
    """An event could not be written, so nothing has happened."""


class InUse(Exception):
    """Another server has the store open."""


class TooNew(sqlite3.DatabaseError):
    """A later version of this program has made the store."""


class Missing(Exception):
    """Not all events of a table are there."""


class Aged(NamedTuple):
    """A table, the day since 1970 on which something last happened there, and whether its game is over, if known."""

    game: str
    day: int
    over: bool | None


class Entry(NamedTuple):
    """An event on its way to disk, when the server has to act at that table next, if ever, and if its game is over."""

    game: str
    seq: int
    event: bytes
    due: float | None
    over: bool
    written: asyncio.Future[None]


class Store:
    """Events in SQLite. All that wait are committed together, and `append` returns once its event is on disk."""

    def __init__(self, db: aiosqlite.Connection) -> None:
        self.db = db
        self.queue: asyncio.Queue[Entry] = asyncio.Queue()
        self.changing = asyncio.Lock()  # one transaction at a time
        self.today, self.noted = 0, dict[str, bool]()  # the ages that were written today
        self.unsaved, self.told = 0, -QUIET  # events that could not be written, and when the log was told
        self.writer = asyncio.create_task(repeated("writing to the store", self._write_on, 1.0))

    @classmethod
    async def open(cls, path: Path | str) -> "Store":
        """Open a store, or make a new one. Only one server at a time can."""
        make_private(path)
        db = await aiosqlite.connect(path, isolation_level=None)
        try:
            await db.execute("pragma locking_mode=exclusive")
            await db.execute("pragma auto_vacuum=incremental")  # which a file that has tables already does not heed
            await db.execute("pragma journal_mode=wal")
            await db.execute("pragma synchronous=full")
            [(version,)] = await db.execute_fetchall("pragma user_version")
            if version > VERSION:
                raise TooNew(f"a later version of Escapade has made it (schema {version}, known is {VERSION})")
            await db.executescript(UPGRADE if version < VERSION else OPEN)
        except sqlite3.Error as fault:
            await db.close()
            if "locked" in str(fault):
                raise InUse(str(path)) from None
            raise
        hide(path)
        return cls(db)

    async def close(self) -> None:
        """Write what still waits, and close."""
        await self.queue.join()
        self.writer.cancel()
        await self.db.close()

    async def append(self, game: str, seq: int, event: bytes, due: float | None, over: bool = False) -> None:
        """Write an event; it is on disk when this returns. The same number a second time is refused."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.queue.put_nowait(Entry(game, seq, event, due, over, written))
        await written

    async def events(self, game: str) -> list[bytes]:
        """Everything that has happened at a table, in order."""
        rows = list(
            await self.db.execute_fetchall("select event, seq from events where game = ? order by seq", (game,))
        )
        if rows and (rows[0][1], rows[-1][1]) != (1, len(rows)):
            raise Missing(game)
        return [event for event, _ in rows]

    async def aged(self, before: int, after: str = "", most: int = 100) -> list[Aged]:
        """Tables at which nothing has happened since a day, and nothing is to happen, by name from one on."""
        rows = await self.db.execute_fetchall(OLD, (after, before, before * DAY, most))
        return [Aged(game, day, None if over is None else bool(over)) for game, day, over in rows]

    async def learn(self, game: str, over: bool) -> None:
        """Note whether the game of a table is over."""
        async with self.changing:
            await self.db.execute("update ages set over = ? where game = ?", (over, game))

    async def analysis(self, game: str, engine: str) -> bytes | None:
        """What this engine has found in a table's game, if it was asked before."""
        rows = list(
            await self.db.execute_fetchall("select found from analyses where game = ? and engine = ?", (game, engine))
        )
        return rows[0][0] if rows else None

    async def keep_analysis(self, game: str, engine: str, found: bytes) -> None:
        """Keep what was found in a table's game, in the place of what an earlier engine found."""
        async with self.changing:
            await self.db.execute("insert or replace into analyses values (?, ?, ?)", (game, engine, found))

    async def puzzle_ratings(self) -> dict[str, tuple[Rating, int]]:
        """The ratings of all puzzles that somebody has tried, and how many have."""
        rows = await self.db.execute_fetchall("select id, rating, deviation, volatility, tries from puzzles")
        return {name: (Rating(*rating), tries) for name, *rating, tries in rows}

    async def rate_puzzle(self, name: str, rating: Rating, tries: int) -> None:
        """Keep the rating of a puzzle."""
        async with self.changing:
            await self.db.execute("insert or replace into puzzles values (?, ?, ?, ?, ?)", (name, *rating, tries))

    async def remove(self, game: str) -> None:
        """Delete a table."""
        async with self._transaction():
            for table in ABOUT:
                await self.db.execute(f"delete from {table} where game = ?", (game,))
        self.noted.pop(game, None)

    async def shrink(self) -> bool:
        """Give some room back to the disk where tables were deleted; whether there is more of it."""
        async with self.changing:
            [(before,)] = await self.db.execute_fetchall("pragma freelist_count")
            await self.db.execute_fetchall(f"pragma incremental_vacuum({SHRUNK})")
            await self.db.execute_fetchall("pragma wal_checkpoint(passive)")
            [(free,)] = await self.db.execute_fetchall("pragma freelist_count")
        return bool(0 < free < before)  # an old store gives nothing back

    async def due(self, before: float) -> list[str]:
        """The tables at which the server has to act before a time."""
        rows = await self.db.execute_fetchall("select game from waiting where due < ? order by due", (before,))
        return [game for (game,) in rows]

    async def rest(self, game: str) -> None:
        """Note that the server has nothing to do at a table."""
        async with self.changing:
            await self.db.execute("delete from waiting where game = ?", (game,))

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
            if last:
                settle(batch, NotSaved(str(fault)))
                self._tell(fault)
            return False
        settle(batch, None)
        return True

    async def _commit(self, batch: list[Entry]) -> None:
        today = int(time.time() // DAY)
        noted = self.noted if today == self.today else {}
        latest = {entry.game: entry for entry in batch}
        waiting = [(game, entry.due) for game, entry in latest.items() if entry.due is not None]
        idle = [(game,) for game, entry in latest.items() if entry.due is None]
        ages = [(game, today, entry.over) for game, entry in latest.items() if noted.get(game) is not entry.over]
        async with self._transaction():
            await self.db.executemany("insert into events values (?, ?, ?)", [entry[:3] for entry in batch])
            if waiting:
                await self.db.executemany("insert or replace into waiting values (?, ?)", waiting)
            if idle:
                await self.db.executemany("delete from waiting where game = ?", idle)
            if ages:
                await self.db.executemany("insert or replace into ages values (?, ?, ?)", ages)
        self.today, self.noted = today, noted
        self.noted.update((game, over) for game, _, over in ages)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[None]:
        async with self.changing:
            await self.db.execute("begin immediate")
            try:
                yield
                await self.db.commit()
            except BaseException:
                with suppress(Exception):
                    await self.db.rollback()
                raise

    def _tell(self, fault: Exception) -> None:
        """Tell the log why an event could not be written, as when the disk is full: not for each of them."""
        self.unsaved += 1
        if time.monotonic() - self.told >= QUIET:
            why = getattr(fault, "sqlite_errorname", "")
            log.error("writing to the store failed: %s %s, %d not saved", type(fault).__name__, why, self.unsaved)
            self.unsaved, self.told = 0, time.monotonic()


def make_private(path: Path | str) -> None:
    """Make the file of a new store for its owner's eyes only, as it holds the seeds of running games."""
    with suppress(OSError):  # it is there already, or SQLite will say what is wrong
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def hide(path: Path | str) -> None:
    """Hide a store from others, also one of before; SQLite gives the files beside it the same mode."""
    for file in (f"{path}", f"{path}-wal", f"{path}-shm"):
        with suppress(OSError):
            os.chmod(file, 0o600)


def settle(batch: Iterable[Entry], fault: NotSaved | None) -> None:
    """Wake those who wait for these events: they are written, or why not."""
    for entry in batch:
        if entry.written.done():  # the one who waited was cancelled
            continue
        if fault:
            entry.written.set_exception(fault)
        else:
            entry.written.set_result(None)
