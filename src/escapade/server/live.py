"""A table in memory: those who look at it, and the lock under which it changes, first on disk and then on screens."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from escapade.server import showing
from escapade.server.events import Event, Played, Spoken, TakenBack, write_event
from escapade.server.limits import Allowance
from escapade.server.messages import Fault, Held, Refused, Seated, Shown, ToClient
from escapade.server.store import NotSaved, Store
from escapade.server.supervision import note
from escapade.server.table import Table

encode = msgspec.json.Encoder().encode

REST = 60.0  # seconds after which bots rest at a table that everyone has left
ABSENT = 10.0  # seconds after which a bot may play for somebody who is not connected
MOST_UNSENT = 256  # messages that wait for a slow reader


class Reader:
    """A connection: what waits to be sent to it, which key it showed, and how much it may ask for."""

    def __init__(self, address: str = "") -> None:
        self.address = address  # whose share of thinking its questions take
        self.unsent: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_UNSENT)
        self.live: Live | None = None
        self.holder: str | None = None  # the hash of its key
        self.granted: Held | None = None  # a new key, to be sent once its seat is on disk
        self.advised: asyncio.Task[None] | None = None  # the hint that is being computed
        self.asking, self.chatting = Allowance(40, 10), Allowance(5, 0.5)
        self.gone = False

    @property
    def seats(self) -> frozenset[int]:
        """The seats that its key holds."""
        return self.live.table.seats_of(self.holder) if self.live else frozenset()

    def send(self, message: ToClient | bytes) -> None:
        """Queue a message. A reader that is too slow is disconnected; it gets the whole table when it comes back."""
        if self.unsent.qsize() >= MOST_UNSENT - 1:
            self.let_go()
        elif not self.gone:
            self.unsent.put_nowait(message if isinstance(message, bytes) else encode(message))

    def let_go(self) -> None:
        """Close the connection after what is queued already."""
        if not self.gone:
            self.gone = True
            self.unsent.put_nowait(None)


class Live:
    """A table in memory, who looks at it, and what the server will do there next."""

    def __init__(self, table: Table, store: Store, started: float) -> None:
        self.table, self.store = table, store
        self.started = started  # the server's start
        self.readers: set[Reader] = set()
        self.lock = asyncio.Lock()
        self.left: dict[str, float] = {}  # when a key's last connection was closed
        self.task: asyncio.Task[None] | None = None
        self.about: object = None  # what the task is there for
        self.used = time.monotonic()
        self.last: tuple[str, float] | None = None  # the address that left last, and when
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
        """Whether bots rest here: nobody has come since the server's start, or everyone has left a while ago."""
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
        since_start = time.monotonic() - (time.time() - self.started)
        away = self.left.get(holder or "", since_start)
        return holder not in self.here and time.monotonic() - away >= ABSENT

    # Changing: the lock is held from the check of a message to its answer, so that everyone hears the same order.

    @asynccontextmanager
    async def held(self) -> AsyncIterator[Table]:
        """Hold the table's lock. Where something fails unexpectedly, what is in memory is no longer trusted."""
        async with self.lock:
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
            await self.store.append(self.table.name, self.table.seq, write_event(event), self.alone_due)
        except NotSaved:
            raise Refused("not-saved") from None

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
        return showing.whole(self.table, reader.holder, self.here, self.watchers, time.time(), self.started)

    def send(self, event: Event) -> None:
        """Send what has happened to everyone at the table, each as they may know it."""
        match event:
            case Played() | TakenBack():
                now, encoded = time.time(), dict[frozenset[int], bytes]()
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
                for reader in self.readers:
                    if reader.granted:
                        reader.send(reader.granted)
                        reader.granted = None
                    reader.send(self.whole(reader))

    def send_seats(self, but: Reader | None = None) -> None:
        """Send who sits and who is connected to everyone, but to one who knows it already."""
        here, watchers = self.here, self.watchers
        for reader in self.readers:
            if reader is not but:
                seats = showing.sitters(self.table, reader.holder, here)
                reader.send(Seated(seats=seats, watchers=watchers))
