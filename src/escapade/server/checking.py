"""Goes over a store and finds the tables that cannot be read, and how much of each can. Nothing is written."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from escapade.server.rows import connect_to_read, reading_database, unreadable
from escapade.server.stores import is_database
from escapade.server.table import Table


class Damaged(NamedTuple):
    """A table that cannot be read: its events, how many of them from the first on are good, and what is then wrong."""

    table: str
    events: int
    good: int
    turn: int
    why: str

    def __str__(self) -> str:
        saved = f"{self.good:,} can be read, up to turn {self.turn}" if self.good else "none can be read"
        return f"table {self.table}: of {self.events:,} events {saved}; then {self.why}"


class Checked(NamedTuple):
    """What was found in a store: how many tables, those that are damaged, and what is wrong with the file itself."""

    tables: int
    damaged: list[Damaged]
    file: list[str]


def check(where: str | Path) -> Checked:
    """Read every table of a store as the server does."""
    return asyncio.run(check_database(str(where))) if is_database(where) else check_file(Path(where))


async def check_database(url: str) -> Checked:
    """Read every table as it is at this moment, while servers run."""
    async with reading_database(url) as store:
        damaged = [found for name in await store.lost() if (found := damage(name, []))]
        tables, name, rows = len(damaged), "", list[tuple[int, bytes]]()
        async for some in store.read("events"):
            for game, seq, event in some:
                if game != name:
                    damaged += [found for found in [damage(name, rows)] if rows and found]
                    tables, name, rows = tables + 1, game, []
                rows.append((seq, event))
        damaged += [found for found in [damage(name, rows)] if rows and found]
    return Checked(tables, sorted(damaged), [])


def check_file(path: Path) -> Checked:
    """The same for a file, also where it is torn."""
    with closing(connect_to_read(path)) as db:
        try:
            file = [line for (line,) in db.execute("pragma quick_check(10)") if line != "ok"]
        except sqlite3.DatabaseError as fault:
            if not fault.sqlite_errorname.startswith("SQLITE_CORRUPT"):
                raise unreadable(path, fault) from None
            file = [str(fault)]
        names = sorted(names_of(db))
        found = [damage_in(db, name) for name in names]
    return Checked(len(names), [one for one in found if one], file)


def names_of(db: sqlite3.Connection) -> set[str]:
    """The tables of a store. Where it is torn they are looked for from both ends, and where their ages are kept."""
    names = set[str]()
    for table, order in (("events", "asc"), ("events", "desc"), ("ages", "asc")):
        with suppress(sqlite3.Error):
            for (name,) in db.execute(f"select distinct game from {table} order by game {order}"):
                names.add(name)
    return names


def damage_in(db: sqlite3.Connection, name: str) -> Damaged | None:
    """What is wrong with a table of a file, if anything."""
    rows: list[tuple[int, bytes]] = []
    try:
        for row in db.execute("select seq, event from events where game = ? order by seq", (name,)):
            rows.append(row)  # noqa: PERF402 - those before the first that cannot be read are kept
    except sqlite3.Error as fault:
        return rescued(name, rows, f"the disk fails ({type(fault).__name__})")
    return damage(name, rows)


def damage(name: str, rows: Sequence[tuple[int, bytes]]) -> Damaged | None:
    """What is wrong with a table, if anything."""
    missing = next((seq for seq, row in enumerate(rows, 1) if row[0] != seq), None)
    if missing is not None:
        return rescued(name, rows, f"event {missing:,} is missing", missing - 1)
    try:
        Table.fold(name, [event for _, event in rows])
    except Exception:
        return rescued(name, rows, "")
    return None


def rescued(name: str, rows: Sequence[tuple[int, bytes]], why: str, most: int | None = None) -> Damaged:
    """How far a damaged table can be read, event by event. Why it ends there is told by type: a text may hold cards."""
    table, good = None, 0
    try:
        for _, event in rows[:most]:
            if table is None:
                table = Table.fold(name, [event])
            else:
                table.apply(event)
            good += 1
    except Exception as fault:
        why = f"event {good + 1:,} does not fit ({type(fault).__name__})"
    turn = table.game.turn if table and table.game else 0
    return Damaged(name, len(rows), good, turn, why)
