"""Copies a store into another, of whichever sort either is, and compares what has arrived."""

import asyncio
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from escapade.server.rows import COLUMNS, Row, reading, writing
from escapade.server.store import CannotOpen, InUse, shown
from escapade.server.stores import is_database

MODULUS = 1 << 256


class Content(NamedTuple):
    """How many rows some part of a store has, and a digest of them that does not depend on their order."""

    rows: int = 0
    digest: int = 0

    def and_also(self, rows: list[Row]) -> "Content":
        """With some more rows."""
        added = sum(int.from_bytes(hashlib.sha256(repr(row).encode()).digest()) for row in rows)
        return Content(self.rows + len(rows), (self.digest + added) % MODULUS)


class Copied(NamedTuple):
    """What was copied: how many tables, how many rows of each part, and a digest of all events."""

    tables: int
    rows: dict[str, int]
    digest: str


def is_same_file(one: str | Path, other: str | Path) -> bool:
    """Whether both are the same file, by whichever name."""
    return not is_database(one) and not is_database(other) and Path(other).exists() and Path(one).samefile(other)


async def copy(source: str | Path, target: str | Path, tell: Callable[[int, int], None]) -> Copied:
    """Copy a store into an empty one, whole or not at all; `tell` hears of every so many rows, and of how many."""
    if str(source) == str(target) or is_same_file(source, target):
        raise CannotOpen(f"{shown(source)} cannot be copied into itself")
    async with reading(source) as old, writing(target) as new:
        steps = 2 * sum([await old.count(part) for part in COLUMNS])  # each row is written, and read again
        copied = dict[str, Content]()
        for part in COLUMNS:
            sent = arrived = Content()
            async for rows in old.read(part):
                await new.write(part, rows)
                sent = sent.and_also(rows)
                tell(len(rows), steps)
                await asyncio.sleep(0)  # so that Ctrl-C is heard
            async for rows in new.read(part):
                arrived = arrived.and_also(rows)
                tell(len(rows), steps)
                await asyncio.sleep(0)
            if arrived != sent:
                raise CannotOpen(f"{part}: what has arrived is not what was sent; nothing was copied")
            copied[part] = sent
        if not await old.is_as_it_was():
            raise InUse(f"{source} was written to meanwhile; nothing was copied")
        tables = await new.games()
    return Copied(tables, {part: found.rows for part, found in copied.items()}, f"{copied['events'].digest:064x}")
