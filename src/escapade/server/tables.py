"""All tables of this server: found in memory or on disk, made, joined and left, and put away when nobody needs them."""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Generator
from contextlib import suppress
from itertools import islice
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
from escapade.server.seen import Seen
from escapade.server.showing import preparing
from escapade.server.slices import Slices
from escapade.server.store import Elsewhere, Store
from escapade.server.supervision import Tasks, note, tell
from escapade.server.table import Table
from escapade.server.thinking import Thinkers
from escapade.server.warming import Ready

MOST_TABLES = 20_000  # in memory
MOST_CONNECTIONS = 64  # at a table; whoever holds a seat gets in nevertheless
MOST_OF_KEY = 16  # with one key at a table; the oldest gives way
MANY = 100  # tables that somebody looks at; with less of them nobody is refused because the machine is slow
LATE = 0.003  # seconds by which the loop may be late on average: from then on those who play would wait
IDLE = 300.0  # seconds after which a table that nobody looks at is put away
MOST_LOOKED_AT = 100  # tables of other processes that are kept in memory
MOVING = 0.005  # seconds between two tables that are given to other processes: their clients do not come all at once
FIRST_PAUSE, LONGEST_PAUSE = 10.0, 3600.0  # seconds until a table that could not be read is tried again


class Aside(NamedTuple):
    """A table that could not be read: until when it is left alone, and how long that is."""

    until: float
    pause: float


class Tables:
    """All tables: found, made, joined and left."""

    def __init__(self, store: Store, thinkers: Thinkers, seen: Seen | None = None) -> None:
        self.store, self.thinkers, self.seen = store, thinkers, seen or Seen()
        self.tasks = Tasks()
        self.acting = Acting(thinkers, self.tasks)
        self.slices = Slices()
        self.live: dict[str, Live] = {}
        self.aside: dict[str, Aside] = {}
        self.leaving: set[str] = set()  # tables that are being deleted
        self.loading: dict[str, asyncio.Task[Live]] = {}
        self.ready = {kind: Ready() for kind in games.kinds()}
        self.started = clock.ticks()
        self.looked_at: OrderedDict[str, Live] = OrderedDict()
        self.draining = False  # whether tables go to other processes, and none are taken over
        store.heard, store.lost = self.heard, self.lost

    async def find(self, name: str) -> Live:
        """A table to play at, from memory or from disk. Elsewhere: another process owns it."""
        if not self.store.sure:
            raise Refused("busy")
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

    async def look(self, name: str) -> Live:
        """A table to read alone, whichever process owns it."""
        live = self.live.get(name)
        if not self.store.shared or (live and not live.dropped and self.store.sure):
            return await self.find(name)
        last = await self.store.last(name)
        kept = self.looked_at.get(name)
        if kept is None or kept.table.seq != last:
            kept = self.looked_at[name] = Live(await self._read(name), self.store, self.started)
        self.looked_at.move_to_end(name)
        if len(self.looked_at) > MOST_LOOKED_AT:
            self.looked_at.popitem(last=False)
        return kept

    async def _load(self, name: str) -> Live:
        if self.draining:
            raise Refused("busy")
        if self.store.shared and not await self.store.last(name):
            raise Refused("no-table")
        lapses, fence = self.store.lapses, await self.store.claim(name)
        try:
            live = Live(await self._read(name), self.store, self.started, fence, self.seen)
            if not self.store.sure or self.store.lapses != lapses:  # others may have played on since it was read
                raise Refused("busy")
        except Refused:
            await self.store.release(name, fence)
            raise
        self.acting.wake(live)
        self.live[name] = live
        self.looked_at.pop(name, None)
        return live

    async def _read(self, name: str) -> Table:
        """A table from disk; one that cannot be read is left alone for a while."""
        try:
            table = await self.read(name)
        except Refused:
            raise
        except Exception as fault:
            note(f"table {name}: reading it", fault)
            self._set_aside(name)
            raise Refused("damaged") from None
        self.aside.pop(name, None)
        return table

    async def read(self, name: str) -> Table:
        """A table from disk, unless an operator has closed it."""
        if await self.store.is_shut(name):
            raise Refused("closed")
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
        if self.crowded:
            raise Refused("full")
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
        fence = await self.store.claim(name)
        live = Live(Table(name, opened), self.store, self.started, fence, self.seen)
        live.last = address, time.monotonic()
        await live.write(opened)
        self.live[name] = live
        self.acting.wake(live)
        return name

    @property
    def crowded(self) -> bool:
        """Whether those who are here already take all that this process can do."""
        if len(self.live) < MANY or self.seen.late <= LATE:
            return False
        looked_at = (live for live in self.live.values() if live.readers)
        return sum(1 for _ in islice(looked_at, MANY)) == MANY

    async def join(self, reader: Reader, name: str, key: str | None) -> None:
        """Come to a table: the answer is all of it."""
        live = await self.find(name)
        async with live.lock:
            if live.dropped or not self.store.sure:
                raise Refused("busy")
            holder = hashed(key) if key else None
            await self.slices.do(preparing(live.table, live.table.seats_of(holder)))
            if reader.live is not live or reader.holder != holder:  # or it asks for the table again
                make_room(live, holder, self.crowded)
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

    async def shut(self, name: str) -> None:
        """Close a table for good: everyone there is told and disconnected. Its events stay on disk until they are old.

        The store keeps it: `shut` notes that a table is closed, and `is_shut` says so from then on.
        """
        if not await self.store.last(name):
            raise Refused("no-table")
        await self.store.shut(name)  # which tells the process that owns it, if that is another
        await self.store.rest(name)
        if name in self.loading:
            await asyncio.wait([self.loading[name]])
        self.looked_at.pop(name, None)
        live = self.live.pop(name, None)
        if live:
            async with live.lock:
                if not live.dropped:
                    live.fail("closed")
        tell("table-closed", table=name)

    async def delete(self, name: str) -> bool:
        """Delete a table from disk, unless somebody uses it."""
        if name in self.live or name in self.loading:
            return False
        self.leaving.add(name)
        try:
            await self.store.claim(name)
            await self.store.remove(name)
        except Elsewhere:
            return False
        finally:
            self.leaving.discard(name)
        self.aside.pop(name, None)
        return True

    # With other processes.

    def heard(self, name: str, seq: int) -> None:
        """Something was written to a table: not by this process where it is ahead, and 0 means that it was closed."""
        live = self.live.get(name)
        if seq == 0:
            self.looked_at.pop(name, None)
        if live and not live.dropped and (seq == 0 or seq > live.table.seq):
            live.fail("busy" if seq else "closed")

    async def lost(self) -> None:
        """The lease on all tables had run out for a while: those that others have by now are put away."""
        owned = await self.store.owned()
        for name, live in self.live.items():
            if owned.get(name) != live.fence and not live.dropped:
                live.fail("busy")

    async def drain(self) -> None:
        """Give up one table after another; their clients come back at the processes that go on."""
        self.draining = True
        for name, live in list(self.live.items()):
            async with live.lock:
                if not live.dropped:
                    live.drop()
                    await self.store.release(name, live.fence)
            for reader in list(live.readers):
                reader.let_go()
            await asyncio.sleep(MOVING)

    async def take_up(self) -> None:
        """Load the tables that are soon due."""
        if self.draining or not self.store.sure:
            return
        for name in await self.store.due(clock.ticks() + LOOK_AHEAD):
            with suppress(Refused, Elsewhere):  # it has been logged, or is another's
                live = await self.find(name)
                async with live.lock:
                    if live.alone_due is None:  # a version in which bots never rested has written it down
                        await self.store.rest(name)

    async def go_round(self) -> None:
        """See to the tables in memory, and put away those that nobody needs."""
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
                self.tasks.start(f"table {name}: giving it up", self.store.release, name, live.fence)
            if live.dropped and self.live.get(name) is live:
                del self.live[name]
            yield

    async def close(self) -> None:
        """Stop acting, and disconnect every reader."""
        await self.tasks.end()
        for live in self.live.values():
            for reader in live.readers:
                reader.let_go()


def make_room(live: Live, holder: str | None, crowded: bool) -> None:
    """Refuse one more who watches where there are many. Whoever holds a seat gets in: their oldest connection goes."""
    if live.table.seats_of(holder) or holder == live.table.opened.host:
        own = [reader for reader in live.readers if reader.holder == holder and not reader.gone]
        if len(own) >= MOST_OF_KEY:
            min(own, key=lambda reader: reader.came).let_go()
    elif len(live.readers) >= MOST_CONNECTIONS or (crowded and live.table.game is not None):
        raise Refused("full")
