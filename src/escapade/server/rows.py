"""A store as plain rows, for commands that go over all of it: read as it is at one moment, or written all at once."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from escapade.server.sqlite import AGES, MIGRATIONS, cannot, hide, make_private, upgrade
from escapade.server.store import CannotOpen, InUse, TooNew, shown
from escapade.server.stores import driver, is_database

AT_ONCE = 500
COLUMNS = {
    "events": ("game", "seq", "event"),
    "waiting": ("game", "due"),
    "ages": ("game", "day", "over"),
    "analyses": ("game", "engine", "found"),
    "puzzles": ("id", "rating", "deviation", "volatility", "tries"),
    "shut": ("game",),
}  # in both stores
ORDER = {table: "game, seq" if table == "events" else names[0] for table, names in COLUMNS.items()}
Row = tuple[Any, ...]


class Rows(ABC):
    """The rows of a store, of the tables in `COLUMNS`."""

    @abstractmethod
    async def count(self, table: str) -> int:
        """How many rows there are."""

    @abstractmethod
    def read(self, table: str) -> AsyncIterator[list[Row]]:
        """All rows, some at a time; those of a game one after the other, by number."""

    @abstractmethod
    async def games(self) -> int:
        """How many tables have events."""

    @abstractmethod
    async def is_as_it_was(self) -> bool:
        """Whether nobody has written to the store while it was read here."""

    @abstractmethod
    async def write(self, table: str, rows: list[Row]) -> None:
        """Add rows."""


class FileRows(Rows):
    """Those of an SQLite file."""

    def __init__(self, path: Path, db: sqlite3.Connection, version: int) -> None:
        self.path, self.db, self.before = path, db, touched(path)
        there = {name for (name,) in self._ask("select name from sqlite_master where type = 'table'")}
        self.sources = {name: name for name in COLUMNS if name in there}
        if not version:
            self.sources["ages"] = f"({AGES})"

    async def count(self, table: str) -> int:
        return next(self._ask(f"select count(*) from {self.sources[table]}"))[0] if table in self.sources else 0

    async def games(self) -> int:
        return int(next(self._ask("select count(distinct game) from events"))[0])

    async def read(self, table: str) -> AsyncIterator[list[Row]]:
        if table not in self.sources:
            return
        # What is damaged need not be of its column's type.
        names = [f"cast({name} as blob)" if name in ("event", "found") else name for name in COLUMNS[table]]
        found = self._ask(f"select {', '.join(names)} from {self.sources[table]} order by {ORDER[table]}")
        while rows := list(islice(found, AT_ONCE)):
            if table == "ages":
                rows = [(game, day, None if over is None else bool(over)) for game, day, over in rows]
            yield rows

    async def is_as_it_was(self) -> bool:
        return touched(self.path) == self.before

    async def write(self, table: str, rows: list[Row]) -> None:
        marks = ", ".join("?" * len(COLUMNS[table]))
        with told(cannot, self.path):
            self.db.executemany(f"insert into {table} values ({marks})", rows)

    def _ask(self, question: str) -> Iterator[Row]:
        with told(unreadable, self.path):
            yield from self.db.execute(question)


class DatabaseRows(Rows):
    """Those of a PostgreSQL database, by a connection of asyncpg."""

    def __init__(self, db: Any) -> None:
        self.db = db

    async def count(self, table: str) -> int:
        return int(await self.db.fetchval(f"select count(*) from {table}"))

    async def games(self) -> int:
        return int(await self.db.fetchval("select count(distinct game) from events"))

    async def read(self, table: str) -> AsyncIterator[list[Row]]:
        question = f"select {', '.join(COLUMNS[table])} from {table} order by {ORDER[table]}"
        found = await self.db.cursor(question)
        while rows := await found.fetch(AT_ONCE):
            yield [tuple(row) for row in rows]

    async def lost(self) -> list[str]:
        """Tables that have an age and not one event."""
        rows = await self.db.fetch("select game from ages where game not in (select game from events) order by game")
        return [row["game"] for row in rows]

    async def is_as_it_was(self) -> bool:
        return True  # as far as its transaction sees

    async def write(self, table: str, rows: list[Row]) -> None:
        await self.db.copy_records_to_table(table, records=rows, columns=COLUMNS[table])


@asynccontextmanager
async def reading_database(url: str) -> AsyncIterator[DatabaseRows]:
    """A database as it is at this moment, while servers run."""
    async with (
        driver().connected(url) as db,
        db.transaction(isolation="repeatable_read", readonly=True),
    ):
        await check_schema(db, url)
        yield DatabaseRows(db)


@asynccontextmanager
async def reading(where: str | Path) -> AsyncIterator[Rows]:
    """A store as it is at this moment. A file must not be in use, a database may be."""
    if is_database(where):
        async with reading_database(str(where)) as rows:
            yield rows
        return
    path = Path(where)
    with closing(connect_to_read(path)) as file:
        with told(unreadable, path):
            [version] = file.execute("pragma user_version").fetchone()
            file.execute("begin")
            file.execute("select 1 from events limit 1")
        if version > len(MIGRATIONS):
            raise TooNew(path, version, len(MIGRATIONS))
        yield FileRows(path, file, version)


@asynccontextmanager
async def writing(where: str | Path) -> AsyncIterator[Rows]:
    """A store that has to be empty, or a new one. What is written is there once all of it is, and nothing before."""
    if is_database(where):
        async with driver().connected(str(where)) as db:
            await driver().migrated(db, shown(str(where)))
            async with db.transaction():
                await db.execute(f"lock table {', '.join(COLUMNS)} in exclusive mode nowait")
                if await db.fetchval("select exists (select 1 from members where until > clock_timestamp())"):
                    raise InUse(f"{shown(str(where))} is in use: stop its servers first")
                yield await emptied(DatabaseRows(db), shown(str(where)))
        return
    path = Path(where)
    make_private(path)
    with told(cannot, path):
        file = sqlite3.connect(path, isolation_level=None)
    with closing(file):
        with told(cannot, path):
            file.execute("pragma locking_mode=exclusive")
            file.execute("pragma auto_vacuum=incremental")
            file.execute("pragma journal_mode=wal")
            [version] = file.execute("pragma user_version").fetchone()
            file.executescript(upgrade(path, version))
            hide(path)
            file.execute("begin immediate")
        yield await emptied(FileRows(path, file, len(MIGRATIONS)), str(path))
        with told(cannot, path):
            file.execute("commit")


async def emptied(rows: Rows, where: str) -> Rows:
    """The rows of a store, unless it has any already."""
    for table in COLUMNS:
        if await rows.count(table):
            raise CannotOpen(f"{where} is not empty: a copy needs a store of its own")
    return rows


async def check_schema(db: Any, where: str) -> None:
    """A database that has no games, or those of a later version, cannot be read."""
    version = None
    if await db.fetchval("select to_regclass('schema')"):
        version = await db.fetchval("select version from schema")
    if version is None:
        raise CannotOpen(f"{shown(where)} has no games of Escapade")
    known = len(driver().MIGRATIONS)
    if version > known:
        raise TooNew(shown(where), version, known)


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A file that is read alone. Where nothing waits in a file beside it, SQLite makes no such file either."""
    way = "mode=ro" if Path(f"{path}-wal").exists() else "immutable=1"
    with told(unreadable, path):
        return sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True, timeout=1, isolation_level=None)


@contextmanager
def told(how: Callable[[Path, sqlite3.Error], CannotOpen], path: Path) -> Iterator[None]:
    """What goes wrong with a file is a message."""
    try:
        yield
    except sqlite3.Error as fault:
        raise how(path, fault) from None


def unreadable(path: Path, fault: sqlite3.Error) -> CannotOpen:
    """Why a file cannot be read."""
    if "locked" in str(fault):
        return InUse(f"{path} is in use: stop the server first, or take a copy")
    return CannotOpen(f"{path} cannot be read: {fault}")


def touched(path: Path) -> tuple[float, ...]:
    """What changes when a file is written to."""
    return tuple(file.stat().st_mtime if file.exists() else 0.0 for file in (path, Path(f"{path}-wal")))
