"""Tables that nobody will come back to are deleted, a long time after something last happened there."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from escapade.server.rows import check_schema, told, unreadable
from escapade.server.sqlite import OLD, upgrade
from escapade.server.store import ABOUT, DAY, Aged
from escapade.server.stores import driver, is_database
from escapade.server.supervision import log
from escapade.server.tables import Tables

PAUSE = 0.02  # seconds between two tables, in which others write
EVERY = 3600.0


class Keep(NamedTuple):
    """For how many days after the last event tables are kept, finished ones and others; 0: for ever."""

    finished: int = 365
    abandoned: int = 180

    def is_past(self, age: int, over: bool | None) -> bool:
        """Whether a table of so many days need not be kept, whether it is over or, with None, in either case."""
        kept = {True: [self.finished], False: [self.abandoned], None: [self.finished, self.abandoned]}[over]
        return all(days and age > days for days in kept)


DEFAULT = Keep()


async def sweep(tables: Tables, keep: Keep) -> None:
    """Delete the tables that need not be kept, one by one, and make the file smaller."""
    days = [days for days in keep if days]
    if not days:
        return
    today, after, gone = int(time.time() // DAY), "", 0
    while found := await tables.store.aged(today - min(days), after):
        for table in found:
            over = await is_over(tables, table) if table.over is None else table.over
            if keep.is_past(today - table.day, over) and await tables.delete(table.game):
                gone += 1
                await asyncio.sleep(PAUSE)
        after = found[-1].game
    if gone:
        extra = {"event": "tables-deleted", "fields": {"tables": gone}}
        log.warning("%d tables were deleted: nothing had happened there for so long", gone, extra=extra)
    while gone and await tables.store.shrink():
        await asyncio.sleep(PAUSE)


async def is_over(tables: Tables, aged: Aged) -> bool | None:
    """Whether the game of a table is over that an earlier version has written; None where it cannot be read."""
    try:
        table = await tables.read(aged.game)
    except Exception:  # `escapade store check` says what is wrong with it
        return None
    await tables.store.learn(aged.game, table.over)
    return table.over


class Pruned(NamedTuple):
    """What deleting old tables came to: how many, and the bytes of the store before and after."""

    tables: int
    before: int
    after: int


def prune(where: str | Path, days: int) -> Pruned:
    """Delete every table of a store at which nothing has happened for so many days, and make the store small."""
    before = int(time.time() // DAY) - days
    return asyncio.run(prune_database(str(where), before)) if is_database(where) else prune_file(Path(where), before)


async def prune_database(url: str, before: int) -> Pruned:
    """Delete the tables that no server has, while servers run."""
    postgres = driver()
    async with postgres.connected(url) as db:
        await check_schema(db, url)
        size = await postgres.size(db)
        return Pruned(await postgres.prune(db, before), size, await postgres.size(db))


def prune_file(path: Path, before: int) -> Pruned:
    """Delete tables from a file that no server has open."""
    size = path.stat().st_size
    with told(unreadable, path), closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("pragma locking_mode=exclusive")
        [version] = db.execute("pragma user_version").fetchone()
        db.executescript(upgrade(path, version))
        old = [game for game, *_ in db.execute(OLD, ("", before, before * DAY, -1))]
        db.execute("begin immediate")
        for table in ABOUT:
            db.executemany(f"delete from {table} where game = ?", [(game,) for game in old])
        db.execute("commit")
        db.execute("pragma auto_vacuum=incremental")  # from now on the server gives room back by itself
        db.execute("vacuum")
        db.execute("pragma wal_checkpoint(truncate)")
    return Pruned(len(old), size, path.stat().st_size)
