"""All tables of this server: found in memory or on disk, made, joined and left, and put away when nobody needs them."""

import asyncio
import secrets
import time
from collections.abc import Generator
from contextlib import suppress
from typing import NamedTuple

from escapade import games
from escapade.game import Invalid
from escapade.server import clock
from escapade.server.acting import LOOK_AHEAD, Acting
from escapade.server.events import Opened, read_event
from escapade.server.keys import hashed, new_key
from escapade.server.live import Live, Reader
from escapade.server.messages import Made, Refused, Setup
from escapade.server.opening import open_table
from escapade.server.showing import preparing
from escapade.server.slices import Slices
from escapade.server.store import Store
from escapade.server.supervision import Tasks, note
from escapade.server.table import Table
from escapade.server.thinking import Thinkers
from escapade.server.warming import Ready

MOST_TABLES = 20_000  # in memory
MOST_CONNECTIONS = 64  # at a table; whoever holds a seat gets in nevertheless
MOST_OF_KEY = 16  # with one key at a table; the oldest gives way
IDLE = 300.0  # seconds after which a table that nobody looks at is put away
FIRST_PAUSE, LONGEST_PAUSE = 10.0, 3600.0  # seconds until a table that could not be read is tried again


class Aside(NamedTuple):
    """A table that could not be read: until when it is left alone, and how long that is."""

    until: float
    pause: float


class Tables:
    """All tables: found, made, joined and left."""

    def __init__(self, store: Store, thinkers: Thinkers) -> None:
        self.store, self.thinkers = store, thinkers
        self.tasks = Tasks()
        self.acting = Acting(thinkers, self.tasks)
        self.slices = Slices()
        self.live: dict[str, Live] = {}
        self.aside: dict[str, Aside] = {}
        self.leaving: set[str] = set()  # tables that are being deleted
        self.loading: dict[str, asyncio.Task[Live]] = {}
        self.ready = {kind: Ready() for kind in games.kinds()}
        self.started = clock.ticks()

    async def find(self, name: str) -> Live:
        """A table, from memory or from disk."""
        live = self.live.get(name)
        if live is None or live.dropped:
            if name in self.aside and time.monotonic() < self.aside[name].until:
                raise Refused("damaged")
            if name in self.leaving:
                raise Refused("no-table")
            if name not in self.loading:
                self.loading[name] = asyncio.create_task(self._load(name))
                self.loading[name].add_done_callback(lambda task: self._loaded(name, task))
            live = await asyncio.shield(self.loading[name])
        live.used = time.monotonic()
        return live

    def _loaded(self, name: str, task: asyncio.Task[Live]) -> None:
        del self.loading[name]
        if not task.cancelled():
            task.exception()  # whoever asked may have gone, and asyncio complains about exceptions that nobody takes

    async def _load(self, name: str) -> Live:
        try:
            live = Live(await self.read(name), self.store, self.started)
            self.acting.wake(live)
        except Refused:
            raise
        except Exception as fault:
            note(f"table {name}: reading it", fault)
            self._set_aside(name)
            raise Refused("damaged") from None
        self.aside.pop(name, None)
        self.live[name] = live
        return live

    async def read(self, name: str) -> Table:
        """A table from disk."""
        events = await self.store.events(name)
        if not events:
            raise Refused("no-table")
        opened = read_event(events[0])
        if not isinstance(opened, Opened):
            raise ValueError("the first event of a table opens it")
        await self.ready[games.kind_of(opened.game).name].wait()
        return await self.slices.do(Table.folding(name, events, clock.ticks()))

    def _set_aside(self, name: str) -> None:
        """Leave a table alone that could not be read, at first for seconds: the disk may have failed for a moment."""
        pause = min(2 * self.aside[name].pause, LONGEST_PAUSE) if name in self.aside else FIRST_PAUSE
        self.aside[name] = Aside(time.monotonic() + pause, pause)

    async def make(self, setup: Setup, address: str) -> Made:
        """A new table, and the key to its maker's seats."""
        with suppress(Invalid):  # an edition that does not exist is refused with the rest of the setup
            await self.ready[games.kind_of(setup.game).name].wait()
        key = new_key()
        opened = open_table(setup, key, secrets.token_bytes(32), secrets.randbelow(len(setup.seats)), clock.ticks())
        return Made(table=await self.open(opened, address), key=key)

    async def open(self, opened: Opened, address: str) -> str:
        """Write the first event of a new table, and return its id; whoever made it may come any moment."""
        if len(self.live) >= MOST_TABLES:
            raise Refused("full")
        name = secrets.token_urlsafe(9)
        live = Live(Table(name, opened), self.store, self.started)
        live.last = address, time.monotonic()
        await live.write(opened)
        self.live[name] = live
        self.acting.wake(live)
        return name

    async def join(self, reader: Reader, name: str, key: str | None) -> None:
        """Come to a table: the answer is all of it."""
        live = await self.find(name)
        async with live.lock:
            if live.dropped:
                raise Refused("busy")
            holder = hashed(key) if key else None
            await self.slices.do(preparing(live.table, live.table.seats_of(holder)))
            if reader.live is not live or reader.holder != holder:  # or it asks for the table again
                make_room(live, holder)
                self.leave(reader)
            reader.live, reader.holder = live, holder
            live.readers.add(reader)
            live.left.pop(reader.holder or "", None)
            try:
                reader.send(live.whole(reader))
            except Exception:
                self.leave(reader)
                raise
            live.send_seats(but=reader)
            self.acting.wake(live)

    def leave(self, reader: Reader) -> None:
        """Leave a table."""
        live, reader.live = reader.live, None
        if live is None:
            return
        if reader.advised:
            reader.advised.cancel()  # nobody waits for it any more
        live.readers.discard(reader)
        live.last = reader.address, time.monotonic()
        if reader.holder and reader.holder not in live.here:
            live.left[reader.holder] = clock.ticks()
        live.used = time.monotonic()
        live.send_seats()

    async def delete(self, name: str) -> bool:
        """Delete a table from disk, unless somebody uses it."""
        if name in self.live or name in self.loading:
            return False
        self.leaving.add(name)
        try:
            await self.store.remove(name)
        finally:
            self.leaving.discard(name)
        self.aside.pop(name, None)
        return True

    async def go_round(self) -> None:
        """Load the tables that are soon due, see to those in memory, and put away those that nobody needs."""
        for name in await self.store.due(clock.ticks() + LOOK_AHEAD):
            with suppress(Refused):  # it has been logged
                live = await self.find(name)
                async with live.lock:
                    if live.alone_due is None:  # a version in which bots never rested has written it down
                        await self.store.rest(name)
        await self.slices.do(self._see_to_all())

    def _see_to_all(self) -> Generator[None, None, None]:
        """Wake the tables in memory, and put away those that nobody needs."""
        for name, live in list(self.live.items()):
            try:
                if not live.busy and not live.lock.locked():
                    self.acting.wake(live)
            except Exception as fault:
                note(f"table {name}: waking it", fault)
            unused = time.monotonic() - live.used > IDLE
            if not live.readers and not live.busy and unused and not live.lock.locked():
                live.drop()
            if live.dropped and self.live.get(name) is live:
                del self.live[name]
            yield

    async def close(self) -> None:
        """Stop acting, and disconnect every reader."""
        await self.tasks.end()
        for live in self.live.values():
            for reader in live.readers:
                reader.let_go()


def make_room(live: Live, holder: str | None) -> None:
    """Refuse one more who watches where there are many. Whoever holds a seat gets in: their oldest connection goes."""
    if live.table.seats_of(holder) or holder == live.table.opened.host:
        own = [reader for reader in live.readers if reader.holder == holder and not reader.gone]
        if len(own) >= MOST_OF_KEY:
            min(own, key=lambda reader: reader.came).let_go()
    elif len(live.readers) >= MOST_CONNECTIONS:
        raise Refused("full")
