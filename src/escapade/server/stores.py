"""Which store is meant: a file, or a database by its address."""

from pathlib import Path
from types import ModuleType

from escapade.server.sqlite import Sqlite
from escapade.server.store import CannotOpen, Store

SCHEMES = ("postgresql://", "postgres://")


def is_database(where: str | Path) -> bool:
    """Whether a store is a database of PostgreSQL rather than a file."""
    return str(where).startswith(SCHEMES)


async def open_store(where: str | Path) -> Store:
    """Open a store, or make a new one."""
    if not is_database(where):
        return await Sqlite.open(where)
    store: Store = await driver().Postgres.open(str(where))
    return store


def driver() -> ModuleType:
    """`postgres.py`, which the core installation does not have what it takes for."""
    try:
        from escapade.server import postgres
    except ModuleNotFoundError as missing:
        if missing.name != "asyncpg":
            raise
        raise CannotOpen('PostgreSQL needs asyncpg: pip install "escapade[postgres]"') from None
    return postgres
