"""A table in memory: those who look at it, and the lock under which it changes, first on disk and then on screens."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Protocol

from escapade.server import clock, showing
from escapade.server.events import Event, Played, Spoken, TakenBack, write_event
from escapade.server.limits import Allowance
from escapade.server.messages import Fault, Held, Refused, Seated, Shown, ToClient, encode
from escapade.server.seen import Seen
from escapade.server.store import NotSaved, Store
from escapade.server.supervision import note
from escapade.server.table import Table

REST = 60.0  # seconds after which bots rest at a table that everyone has left
ABSENT = 10.0  # seconds after which a bot may play for somebody who is not connected
MOST_UNSENT = 256  # messages that wait for a slow reader
MOST_UNSENT_BYTES = 2_000_000
MANY_UNSENT = 32  # of them, and the reader is not listened to until it has read


class Unsent:
    """What waits to be sent to a reader, the oldest first, and of what is soon out of date the newest alone."""

    def __init__(self) -> None:
        self.waiting: deque[bytes | None] = deque()  # None: close the connection
        self.size = 0
        self.newest: bytes | None = None  # the one that the next of its sort replaces
        self.sending = False
        self.filled, self.emptied = asyncio.Event(), asyncio.Event()

    def qsize(self) -> int:
        """How many wait."""
        return len(self.waiting)

    def put(self, data: bytes | None, replaces: bool = False) -> bool:
        """Queue a message, unless too much waits already."""
        if replaces:
            self._drop(self.newest)
            self.newest = data
        if data is not None:
            if len(self.waiting) >= MOST_UNSENT or (self.waiting and self.size + len(data) > MOST_UNSENT_BYTES):
                return False
            self.size += len(data)
        self.waiting.append(data)
        self.filled.set()
        return True

    def _drop(self, data: bytes | None) -> None:
        for number in range(int(self.sending), len(self.waiting)):
            if data is not None and self.waiting[number] is data:
                self.size -= len(data)
                del self.waiting[number]
                return

    def get_nowait(self) -> bytes | None:
        """Take the oldest out."""
        data = self.waiting.popleft()
        self.size -= len(data or b"")
        self.sending = False
        self.emptied.set()
        return data

    async def first(self) -> bytes | None:
        """The oldest, as soon as there is one; it waits here until it has been sent and is taken out."""
        while not self.waiting:
            self.filled.clear()
            await self.filled.wait()
        self.sending = True
        return self.waiting[0]

    async def room(self) -> None:
        """Wait until not too many wait."""
        while len(self.waiting) > MANY_UNSENT:
            self.emptied.clear()
            await self.emptied.wait()

    def clear(self) -> None:
        """Forget all of it."""
        self.waiting.clear()
        self.size, self.sending = 0, False
        self.emptied.set()


class Passing(Protocol):
    """The way to the process that owns a reader's table."""

    def send(self, text: str) -> None:
        """Pass on what the reader says."""

    def hang_up(self) -> None:
        """The reader has left."""


class Reader:
    """A connection: what waits to be sent to it, which key it showed, and how much it may ask for.

    `write` sends a message at once if it can, and `abort` breaks the connection off.
    """

    def __init__(
        self,
        address: str = "",
        write: Callable[[bytes], bool] | None = None,
        abort: Callable[[], None] | None = None,
    ) -> None:
        self.address = address  # whose share of thinking its questions take
        self.write, self.abort = write, abort
        self.unsent = Unsent()
        self.live: Live | None = None
        self.far: Passing | None = None  # where another process owns its table
        self.holder: str | None = None  # the hash of its key
        self.granted: Held | None = None  # a new key, to be sent once its seat is on disk
        self.advised: asyncio.Task[None] | None = None  # the hint that is being computed
        self.asking, self.chatting, self.greeting = Allowance(40, 10), Allowance(5, 0.5), Allowance(20, 1)
        self.tell: Callable[[str], None] | None = None  # is told the code of every fault
        self.came = time.monotonic()
        self.greeted = False
        self.gone = False

    @property
    def seats(self) -> frozenset[int]:
        """The seats that its key holds."""
        return self.live.table.seats_of(self.holder) if self.live else frozenset()

    def send(self, message: ToClient | bytes, replaces: bool = False) -> None:
        """Send a message, or queue it. Whoever reads too slowly is cut off, and gets the whole table on coming back."""
        if self.gone:
            return
        if self.tell and isinstance(message, Fault):
            self.tell(message.code)
        data = message if isinstance(message, bytes) else encode(message)
        at_once = self.write is not None and not self.unsent.waiting and self.write(data)
        if not at_once and not self.unsent.put(data, replaces):
            self.cut_off()

    def cut_off(self) -> None:
        """Break the connection off, and forget what is queued: to close it would wait until that is read."""
        self.gone = True
        self.unsent.clear()
        if self.abort:
            self.abort()
        else:
            self.unsent.put(None)

    def let_go(self) -> None:
        """Close the connection after what is queued already."""
        if not self.gone:
            self.gone = True
            self.unsent.put(None)


class Live:
    """A table in memory, who looks at it, and what the server will do there next."""

    def __init__(self, table: Table, store: Store, started: float, fence: int = 0, seen: Seen | None = None) -> None:
        self.table, self.store, self.seen = table, store, seen
        self.started, self.loaded = started, clock.ticks()  # the server's start, and when it came to have the table
        self.fence = fence  # the number under which this process owns the table
        self.readers: set[Reader] = set()
        self.lock = asyncio.Lock()
        self.left: dict[str, float] = {}  # when a key's last connection was closed
        self.task: asyncio.Task[None] | None = None
        self.about: object = None  # what the task is there for
        self.used = time.monotonic()
        self.last: tuple[str, float] | None = None  # the address that left last, or made the table, and when
        self.dropped = False

    @property
    def busy(self) -> bool:
        """Whether the server is about to act here."""
        return self.task is not None and not self.task.done()

    @property
    def due(self) -> float | None:
        """When the server has to act here by itself; where bots rest, the clock alone goes on."""
        return self.alone_due if self.resting else self.table.due(self.started)

    @property
    def alone_due(self) -> float | None:
        """When the server has to act here though nobody is here: bots alone wait for somebody who looks."""
        return None if self.table.bots_only else self.table.deadline(self.started)

    @property
    def resting(self) -> bool:
        """Whether bots rest here: nobody was here since the server's start, or everyone has left a while ago."""
        if self.readers:
            return False
        return self.table.bots_only or self.last is None or time.monotonic() - self.last[1] >= REST

    @property
    def visitors(self) -> frozenset[str]:
        """The addresses for whom bots think here."""
        return frozenset(reader.address for reader in self.readers) or frozenset([self.last[0]] if self.last else [])

    @property
    def here(self) -> frozenset[str]:
        """The keys that are connected."""
        return frozenset(reader.holder for reader in self.readers if reader.holder is not None)

    @property
    def watchers(self) -> int:
        """How many connections hold no seat."""
        return sum(not reader.seats for reader in self.readers)

    def absent(self, holder: str | None) -> bool:
        """Whether the holder of a key has been away for so long that a bot may play for them."""
        away = self.left.get(holder or "", self.loaded)
        return holder not in self.here and clock.ticks() - away >= ABSENT

    # Changing: the lock is held from the check of a message to its answer, so that everyone hears the same order.

    @asynccontextmanager
    async def held(self) -> AsyncIterator[Table]:
        """Hold the table's lock. Where something fails unexpectedly, what is in memory is no longer trusted."""
        async with self.lock:
            if not self.dropped and not self.store.sure:
                self.fail("busy")
            if self.dropped:
                raise Refused("busy")
            try:
                yield self.table
            except Refused:
                raise
            except Exception as fault:
                note(f"table {self.table.name}: a change", fault)
                self.fail("broken")
                raise Refused("broken") from None

    async def write(self, event: Event) -> None:
        """Write the event that the table has just made."""
        try:
            table = self.table
            await self.store.append(table.name, table.seq, write_event(event), self.alone_due, table.over, self.fence)
        except NotSaved:
            raise Refused("not-saved") from None
        if self.seen:
            self.seen.settled(table, event)

    async def settle(self, event: Event) -> None:
        """Write an event and send it to everyone."""
        try:
            await self.write(event)
        except Refused as refused:
            self.fail(refused.code)
            raise
        self.used = time.monotonic()
        self.send(event)

    def fail(self, code: str) -> None:
        """Forget the table as it is in memory: it is read from disk when its readers come back."""
        self.drop()
        for reader in list(self.readers):
            reader.send(Fault(code=code))
            reader.let_go()

    def drop(self) -> None:
        """Put the table away; `Tables` reads it from disk when it is needed again."""
        self.dropped = True
        if self.task and self.task is not asyncio.current_task():
            self.task.cancel()

    def whole(self, reader: Reader) -> Shown:
        """The table as a reader may know it."""
        return showing.whole(self.table, reader.holder, self.here, self.watchers, clock.ticks(), self.started)

    def send(self, event: Event) -> None:
        """Send what has happened to everyone at the table, each as they may know it."""
        match event:
            case Played() | TakenBack():
                now, encoded = clock.ticks(), dict[frozenset[int], bytes]()
                for reader in self.readers:
                    seats = reader.seats
                    if seats not in encoded:
                        encoded[seats] = encode(showing.change(self.table, event, seats, now, self.started))
                    reader.send(encoded[seats])
            case Spoken():
                line = encode(self.table.chat[-1])
                for reader in self.readers:
                    reader.send(line)
            case _:
                known = {chair.key for chair in self.table.chairs} | {self.table.opened.host}
                tables = dict[str | None, bytes]()  # a long one takes its time, and all who watch get the same
                for reader in self.readers:
                    if reader.granted:
                        reader.send(reader.granted)
                        reader.granted = None
                    holder = reader.holder if reader.holder in known else None
                    if holder not in tables:
                        tables[holder] = encode(self.whole(reader))
                    reader.send(tables[holder])

    def send_seats(self, but: Reader | None = None) -> None:
        """Send who sits and who is connected to everyone, but to one who knows it already."""
        here, watchers, encoded = self.here, self.watchers, dict[frozenset[int], bytes]()
        for reader in self.readers:
            if reader is not but:
                seats = reader.seats
                if seats not in encoded:
                    sitters = showing.sitters(self.table, reader.holder, here)
                    encoded[seats] = encode(Seated(seats=sitters, watchers=watchers))
                reader.send(encoded[seats], replaces=True)
