"""A store in one file, for one process: SQLite."""

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiosqlite

from escapade.glicko import Rating
from escapade.server.store import ABOUT, DAY, Aged, CannotOpen, Entry, InUse, Missing, Store, TooNew

SHRUNK = 200  # pages that are given back at a time
# The day since 1970 on which something last happened at each table that has only events.
AGES = f"""
select game, cast(coalesce(
    case when json_valid(cast(event as text)) then json_extract(cast(event as text), '$.at') end,
    strftime('%s', 'now')) / {DAY} as integer) as day, null as over
from (select game, max(seq), event from events group by game)
"""
# From one version to the next; which one a file has is in its user_version. Stores of 0.1.0 have 0, as new files do.
MIGRATIONS = (
    f"""
    create table if not exists events (
        game text not null, seq integer not null, event blob not null, primary key (game, seq)
    ) without rowid;
    create table if not exists waiting (game text primary key, due real not null) without rowid;
    create index if not exists waiting_due on waiting (due);
    -- Whether a game is over is null where that is not known.
    create table ages (game text primary key, day integer not null, over integer) without rowid;
    insert into ages {AGES};
    """,
)
# What was found in finished games, by which engine, ratings of puzzles, tables closed by the operator; older versions
# of this program do not look at them.
BESIDES = """
create table if not exists analyses (game text primary key, engine text not null, found blob not null) without rowid;
create table if not exists puzzles (
    id text primary key, rating real not null, deviation real not null, volatility real not null, tries integer not null
) without rowid;
create table if not exists shut (game text primary key) without rowid;
"""
OLD = """
select game, day, over from ages
where game > ? and day < ? and not exists (select 1 from waiting where waiting.game = ages.game and due >= ?)
order by game limit ?
"""
RATE = """
insert into puzzles values (?, ?, ?, ?, ?) on conflict (id) do update set
rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility, tries = excluded.tries
where puzzles.tries = excluded.tries - 1
"""


class Sqlite(Store):
    """Events in SQLite."""

    def __init__(self, db: aiosqlite.Connection) -> None:
        super().__init__()
        self.db = db
        self.changing = asyncio.Lock()  # one transaction at a time

    @classmethod
    async def open(cls, path: Path | str) -> "Sqlite":
        """Open a store, or make a new one. Only one server at a time can."""
        make_private(path)
        try:
            db = await aiosqlite.connect(path, isolation_level=None)
        except sqlite3.Error as fault:
            raise cannot(path, fault) from None
        try:
            await db.execute("pragma locking_mode=exclusive")
            await db.execute("pragma auto_vacuum=incremental")  # which a file that has tables already does not heed
            await db.execute("pragma journal_mode=wal")
            await db.execute("pragma synchronous=full")
            [(version,)] = await db.execute_fetchall("pragma user_version")
            await db.executescript(upgrade(path, version))
        except sqlite3.Error as fault:
            await db.close()
            raise cannot(path, fault) from None
        except TooNew:
            await db.close()
            raise
        hide(path)
        return cls(db)

    async def close(self) -> None:
        await super().close()
        await self.db.close()

    async def events(self, game: str) -> list[bytes]:
        rows = list(
            await self.db.execute_fetchall("select event, seq from events where game = ? order by seq", (game,))
        )
        if rows and (rows[0][1], rows[-1][1]) != (1, len(rows)):
            raise Missing(game)
        return [event for event, _ in rows]

    async def last(self, game: str) -> int:
        [(last,)] = await self.db.execute_fetchall("select coalesce(max(seq), 0) from events where game = ?", (game,))
        return int(last)

    async def aged(self, before: int, after: str = "", most: int = 100) -> list[Aged]:
        rows = await self.db.execute_fetchall(OLD, (after, before, before * DAY, most))
        return [Aged(game, day, None if over is None else bool(over)) for game, day, over in rows]

    async def learn(self, game: str, over: bool) -> None:
        await self._change("update ages set over = ? where game = ?", over, game)

    async def analysis(self, game: str, engine: str) -> bytes | None:
        rows = list(
            await self.db.execute_fetchall("select found from analyses where game = ? and engine = ?", (game, engine))
        )
        return rows[0][0] if rows else None

    async def keep_analysis(self, game: str, engine: str, found: bytes) -> None:
        await self._change("insert or replace into analyses values (?, ?, ?)", game, engine, found)

    async def puzzle_ratings(self) -> dict[str, tuple[Rating, int]]:
        rows = await self.db.execute_fetchall("select id, rating, deviation, volatility, tries from puzzles")
        return {name: (Rating(*rating), tries) for name, *rating, tries in rows}

    async def rate_puzzle(self, name: str, rating: Rating, tries: int) -> bool:
        return await self._change(RATE, name, *rating, tries) == 1

    async def shut(self, game: str) -> None:
        await self._change("insert or ignore into shut values (?)", game)

    async def is_shut(self, game: str) -> bool:
        return bool(list(await self.db.execute_fetchall("select 1 from shut where game = ?", (game,))))

    async def probe(self) -> None:
        await self._change(f"pragma user_version = {len(MIGRATIONS)}")

    async def remove(self, game: str) -> None:
        async with self._transaction():
            for table in ABOUT:
                await self.db.execute(f"delete from {table} where game = ?", (game,))
        self.noted.pop(game, None)

    async def shrink(self) -> bool:
        async with self.changing:
            [(before,)] = await self.db.execute_fetchall("pragma freelist_count")
            await self.db.execute_fetchall(f"pragma incremental_vacuum({SHRUNK})")
            await self.db.execute_fetchall("pragma wal_checkpoint(passive)")
            [(free,)] = await self.db.execute_fetchall("pragma freelist_count")
        return bool(0 < free < before)  # an old store gives nothing back

    async def due(self, before: float) -> list[str]:
        rows = await self.db.execute_fetchall("select game from waiting where due < ? order by due", (before,))
        return [game for (game,) in rows]

    async def rest(self, game: str) -> None:
        await self._change("delete from waiting where game = ?", game)

    async def _commit(self, batch: list[Entry], ages: list[tuple[str, int, bool]]) -> set[Entry]:
        latest = {entry.game: entry.due for entry in batch}
        waiting = [(game, due) for game, due in latest.items() if due is not None]
        idle = [(game,) for game, due in latest.items() if due is None]
        async with self._transaction():
            await self.db.executemany("insert into events values (?, ?, ?)", [entry[:3] for entry in batch])
            if waiting:
                await self.db.executemany("insert or replace into waiting values (?, ?)", waiting)
            if idle:
                await self.db.executemany("delete from waiting where game = ?", idle)
            if ages:
                await self.db.executemany("insert or replace into ages values (?, ?, ?)", ages)
        return set()

    async def _change(self, sql: str, *values: object) -> int:
        """Change something by itself; how many rows that were."""
        async with self.changing, self.db.execute(sql, values) as cursor:
            return cursor.rowcount

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


def upgrade(path: Path | str, version: int) -> str:
    """What brings a file of some version to that of today."""
    if version > len(MIGRATIONS):
        raise TooNew(path, version, len(MIGRATIONS))
    steps = [*MIGRATIONS[version:], f"pragma user_version = {len(MIGRATIONS)};"] if version < len(MIGRATIONS) else []
    return f"begin immediate; {''.join(steps)} {BESIDES} commit"


def cannot(path: Path | str, fault: sqlite3.Error) -> CannotOpen:
    """Why a file cannot be used."""
    if "locked" in str(fault):
        return InUse(f"{path} is in use: Escapade is running already; --store takes another file")
    return CannotOpen(f"{path} cannot be used to keep games in: {fault}")


def make_private(path: Path | str) -> None:
    """Make the file of a new store for its owner's eyes only, as it holds the seeds of running games."""
    with suppress(OSError):  # it is there already, or SQLite will say what is wrong
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def hide(path: Path | str) -> None:
    """Hide a store from others, also one of before; SQLite gives the files beside it the same mode."""
    for file in (f"{path}", f"{path}-wal", f"{path}-shm"):
        with suppress(OSError):
            os.chmod(file, 0o600)
