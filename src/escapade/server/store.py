"""Tables kept as events: append one, read them from the start, ask which tables wait for the server or are old.

What every store does is here; where events are kept is `sqlite.py`'s and `postgres.py`'s.
"""

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from escapade.glicko import Rating
from escapade.server.messages import Refused
from escapade.server.supervision import log, repeated

MOST_AT_ONCE = 500
DAY = 86400
QUIET = 60.0  # seconds between two lines of the log about what could not be written
ABOUT = ("events", "waiting", "ages", "analyses", "shut")  # what has rows about a table


class NotSaved(Exception):
    """An event could not be written, so nothing has happened."""


class Fenced(NotSaved):
    """Another process owns the table by now."""


class Elsewhere(Exception):
    """Another process owns the table: its address."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class Unreachable(Refused):
    """The store does not answer, or this process cannot be sure of its tables."""

    def __init__(self, detail: str | None = None) -> None:
        super().__init__("busy", detail)


class CannotOpen(Exception):
    """Why a store cannot be opened, as a message for the person who wants it."""


class InUse(CannotOpen):
    """Another server has the store open."""


class TooNew(CannotOpen):
    """A later version of this program has made the store."""

    def __init__(self, where: object, version: int, known: int) -> None:
        made = f"a later version of Escapade has made it (schema {version}, known is {known})"
        super().__init__(f"{where} cannot be used to keep games in: {made}")


class Missing(Exception):
    """Not all events of a table are there."""


class Aged(NamedTuple):
    """A table, the day since 1970 on which something last happened there, and whether its game is over, if known."""

    game: str
    day: int
    over: bool | None


class Entry(NamedTuple):
    """An event on its way to disk, when the server has to act at that table next, if ever, and if its game is over.

    `fence` is the number under which this process owns the table.
    """

    game: str
    seq: int
    event: bytes
    due: float | None
    over: bool
    fence: int
    written: asyncio.Future[None]


class Store(ABC):
    """Events on disk. All that wait are committed together, and `append` returns once its event is on disk.

    `watch` is told of every commit, its seconds and the number of its events, and `failed` of events that could not be
    written.
    """

    watch: Callable[[float, int], None] | None = None
    failed: Callable[[int], None] | None = None

    every = 60.0  # seconds between two rounds in which tables are found that are due
    shared = False  # whether other processes have the same tables
    lapses = 0  # how often this process could not be sure of its tables for a while

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Entry] = asyncio.Queue()
        self.today, self.noted = 0, dict[str, bool]()  # the ages that were written today
        self.unsaved, self.told = 0, -QUIET  # events that could not be written, and when the log was told
        self.writer = asyncio.create_task(repeated("writing to the store", self._write_on, 1.0))
        # Of other processes: something was written to a table, and a lease that had run out is there again.
        self.heard: Callable[[str, int], None] | None = None
        self.lost: Callable[[], Awaitable[None]] | None = None

    async def close(self) -> None:
        """Write what still waits, and close."""
        await self.queue.join()
        self.writer.cancel()
        with suppress(asyncio.CancelledError):
            await self.writer

    async def append(
        self, game: str, seq: int, event: bytes, due: float | None, over: bool = False, fence: int = 0
    ) -> None:
        """Write an event; it is on disk when this returns. The same number a second time is refused."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.queue.put_nowait(Entry(game, seq, event, due, over, fence, written))
        await written

    # Which process owns a table. Where there is one process alone, it owns all.

    @property
    def sure(self) -> bool:
        """Whether this process can be sure that it still owns its tables."""
        return True

    @property
    def answers(self) -> bool:
        """Whether the store answers, as far as is known without asking."""
        return True

    async def claim(self, game: str) -> int:
        """Own a table from now on; the number under which events are written. Elsewhere: another process owns it."""
        return 0

    async def release(self, game: str, fence: int) -> None:
        """Own a table no longer."""
        return

    async def owned(self) -> dict[str, int]:
        """The tables that this process owns by the store, with their fences."""
        return {}

    # What each store does in its own way.

    @abstractmethod
    async def events(self, game: str) -> list[bytes]:
        """Everything that has happened at a table, in order."""

    @abstractmethod
    async def last(self, game: str) -> int:
        """The number of the last event of a table; 0 where there is none."""

    @abstractmethod
    async def aged(self, before: int, after: str = "", most: int = 100) -> list[Aged]:
        """Tables at which nothing has happened since a day, and nothing is to happen, by name from one on."""

    @abstractmethod
    async def learn(self, game: str, over: bool) -> None:
        """Note whether the game of a table is over."""

    @abstractmethod
    async def analysis(self, game: str, engine: str) -> bytes | None:
        """What this engine has found in a table's game, if it was asked before."""

    @abstractmethod
    async def keep_analysis(self, game: str, engine: str, found: bytes) -> None:
        """Keep what was found in a table's game, in the place of what an earlier engine found."""

    @abstractmethod
    async def puzzle_ratings(self) -> dict[str, tuple[Rating, int]]:
        """The ratings of all puzzles that somebody has tried, and how many have."""

    @abstractmethod
    async def rate_puzzle(self, name: str, rating: Rating, tries: int) -> bool:
        """Keep the rating of a puzzle after so many tries, unless another process has rated it meanwhile."""

    @abstractmethod
    async def shut(self, game: str) -> None:
        """Close a table for good: nobody comes in any more. What happened there is kept."""

    @abstractmethod
    async def is_shut(self, game: str) -> bool:
        """Whether a table was closed for good."""

    @abstractmethod
    async def probe(self) -> None:
        """Write something that means nothing; this fails where events could not be written either."""

    @abstractmethod
    async def remove(self, game: str) -> None:
        """Delete a table."""

    async def shrink(self) -> bool:
        """Give some room back to the disk where tables were deleted; whether there is more of it."""
        return False

    @abstractmethod
    async def due(self, before: float) -> list[str]:
        """The tables at which the server has to act before a time, and which no other process owns."""

    @abstractmethod
    async def rest(self, game: str) -> None:
        """Note that the server has nothing to do at a table."""

    @abstractmethod
    async def _commit(self, batch: list[Entry], ages: list[tuple[str, int, bool]]) -> set[Entry]:
        """Write events and the ages of their tables whole, or raise and write nothing. Those that were fenced off."""

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
        today = int(time.time() // DAY)
        noted = self.noted if today == self.today else {}
        over = {entry.game: entry.over for entry in batch}
        ages = [(game, today, over) for game, over in over.items() if noted.get(game) is not over]
        began = time.perf_counter()
        try:
            fenced = await self._commit(batch, ages)
        except Exception as fault:
            if last or isinstance(fault, Unreachable):
                settle(batch, NotSaved(str(fault)))
                self._tell(fault, len(batch))
                if self.failed:
                    self.failed(len(batch))
                return True
            return False
        if self.watch:
            self.watch(time.perf_counter() - began, len(batch) - len(fenced))
        self.today, self.noted = today, noted
        self.noted.update((game, over) for game, _, over in ages)
        for entry in fenced:
            self.noted.pop(entry.game, None)
        settle([entry for entry in batch if entry not in fenced], None)
        settle(fenced, Fenced())
        return True

    def _tell(self, fault: Exception, unsaved: int) -> None:
        """Tell the log why an event could not be written, as when the disk is full: not for each of them."""
        self.unsaved += unsaved
        if time.monotonic() - self.told >= QUIET:
            why = getattr(fault, "sqlite_errorname", "") or getattr(fault, "sqlstate", None) or ""
            fields = {"fault": type(fault).__name__, "code": why, "events": self.unsaved}
            extra = {"event": "not-saved", "fields": fields}
            log.error("writing to the store failed: %s %s, %d not saved", *fields.values(), extra=extra)
            self.unsaved, self.told = 0, time.monotonic()


def settle(batch: Iterable[Entry], fault: NotSaved | None) -> None:
    """Wake those who wait for these events: they are written, or why not."""
    for entry in batch:
        if entry.written.done():  # the one who waited was cancelled
            continue
        if fault:
            entry.written.set_exception(fault)
        else:
            entry.written.set_result(None)


def shown(where: str | Path) -> str:
    """A file, or a database's address without its password, also where that has signs that an address does not have."""
    scheme, is_address, rest = str(where).partition("://")
    if isinstance(where, Path) or not is_address:
        return str(where)
    person, _, place = rest.rpartition("@")
    return f"{scheme}://{'…' if '?' in person else place.partition('?')[0]}"
