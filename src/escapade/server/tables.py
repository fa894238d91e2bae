"""The tables of this server, live: events go to disk before anyone is told, bots and clocks act when they are due."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from contextlib import suppress

import msgspec

from escapade.server import messages, thinking
from escapade.server.messages import Fault, Moved, Seated, Shown, ToClient, Undone
from escapade.server.store import NotSaved, Store
from escapade.server.table import (
    ABSENT,
    Event,
    Opened,
    Played,
    Refused,
    Spoken,
    Table,
    TakenBack,
    hashed,
    kind_of,
    open_table,
    write_event,
)
from escapade.server.thinking import Thinkers

log = logging.getLogger("escapade")
encode = msgspec.json.Encoder().encode

MOST_TABLES = 20_000  # in memory
MOST_CONNECTIONS = 64  # at a table
MOST_UNSENT = 256  # messages that wait for a slow reader
IDLE = 300.0  # seconds after which a table that nobody looks at is put away
LOOK_AHEAD = 120.0  # a table is loaded so many seconds before it is due
DEFAULT_PLAYER = "greedy"  # decides for whoever lets the clock run out and may not simply end the turn


class Reader:
    """A connection: what waits to be sent to it, which key it showed, and what it may know."""

    def __init__(self) -> None:
        self.unsent: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_UNSENT)
        self.live: Live | None = None
        self.holder: str | None = None
        self.granted: messages.Held | None = None
        self.advised: asyncio.Task[None] | None = None
        self.gone = False

    @property
    def seats(self) -> frozenset[int]:
        """The seats that its key holds."""
        return self.live.table.seats_of(self.holder) if self.live else frozenset()

    def send(self, message: ToClient | bytes) -> None:
        """Queue a message; a reader that does not read is let go, and comes back to the whole table."""
        if self.unsent.qsize() >= MOST_UNSENT - 1:
            self.let_go()
        elif not self.gone:
            self.unsent.put_nowait(message if isinstance(message, bytes) else encode(message))

    def let_go(self) -> None:
        """Close the connection after what waits already."""
        if not self.gone:
            self.gone = True
            self.unsent.put_nowait(None)


class Live:
    """A table in memory, who looks at it, and what the server will do there next."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.readers: set[Reader] = set()
        self.lock = asyncio.Lock()
        self.left: dict[str, float] = {}  # when a key's last connection went
        self.task: asyncio.Task[None] | None = None
        self.about: object = None  # what the task is there for
        self.used = time.monotonic()
        self.dropped = False

    @property
    def busy(self) -> bool:
        """Whether the server is about to act here."""
        return self.task is not None and not self.task.done()

    @property
    def here(self) -> frozenset[str]:
        """The keys that are connected."""
        return frozenset(reader.holder for reader in self.readers if reader.holder is not None)

    @property
    def watchers(self) -> int:
        """How many connections hold no seat."""
        return sum(not reader.seats for reader in self.readers)


class Tables:
    """All tables: found, made, played at."""

    def __init__(self, store: Store, thinkers: Thinkers) -> None:
        self.store, self.thinkers = store, thinkers
        self.live: dict[str, Live] = {}
        self.loading: dict[str, asyncio.Future[Live | None]] = {}
        self.ready = {"cartagena": asyncio.Event(), "evades": asyncio.Event()}  # the compiled rules are loaded
        self.started = time.time()
        self.tasks: set[asyncio.Task[None]] = set()

    # Finding and making

    async def find(self, name: str) -> Live:
        """A table, from memory or from disk."""
        live = self.live.get(name)
        if live is None:
            if name not in self.loading:
                self.loading[name] = asyncio.ensure_future(self._load(name))
            live = await asyncio.shield(self.loading[name])
        if live is None:
            raise Refused("no-table")
        live.used = time.monotonic()
        return live

    async def _load(self, name: str) -> Live | None:
        try:
            for kind in self.ready.values():
                await kind.wait()
            events = await self.store.events(name)
            if not events:
                return None
            try:
                table = Table.fold(name, events)
            except (ValueError, msgspec.MsgspecError) as fault:  # its words may hold secrets
                log.error("table %s cannot be read: %s", name, type(fault).__name__)
                raise Refused("damaged") from None
            live = self.live[name] = Live(table)
            self._wake(live)
            return live
        finally:
            del self.loading[name]

    async def make(self, setup: messages.Setup) -> messages.Made:
        """A new table, and the key to its maker's seats."""
        await self.ready[kind_of(setup.game)].wait()
        key = new_key()
        opened = open_table(setup, key, secrets.token_bytes(32), secrets.randbelow(len(setup.seats)), time.time())
        return messages.Made(table=await self._open(opened), key=key)

    async def _open(self, opened: Opened) -> str:
        if len(self.live) >= MOST_TABLES:
            raise Refused("full")
        name = secrets.token_urlsafe(9)
        table = Table(name, opened)
        await self._write(table, opened)
        live = self.live[name] = Live(table)
        self._wake(live)
        return name

    async def _write(self, table: Table, event: Event) -> None:
        due = None if table.bots_only else table.due(self.started)  # bots alone wait for somebody who looks
        await self.store.append(table.name, table.seq, write_event(event), due)

    # Coming and going

    async def join(self, reader: Reader, name: str, key: str | None) -> None:
        """Come to a table: the answer is all of it."""
        live = await self.find(name)
        async with live.lock:
            if live.dropped:
                raise Refused("busy")
            if len(live.readers) >= MOST_CONNECTIONS:
                raise Refused("full")
            holder = hashed(key) if key else None
            if reader.live and (reader.live is not live or reader.holder != holder):
                self.leave(reader)
            reader.live, reader.holder = live, holder
            live.readers.add(reader)
            live.left.pop(reader.holder or "", None)
            reader.send(self.whole(live, reader))
            self._tell_seats(live, but=reader)
            if live.table.bots_only:
                self._wake(live)

    def leave(self, reader: Reader) -> None:
        """Go from a table."""
        live, reader.live = reader.live, None
        if live is None:
            return
        live.readers.discard(reader)
        if reader.holder and reader.holder not in live.here:
            live.left[reader.holder] = time.monotonic()
        live.used = time.monotonic()
        self._tell_seats(live)

    # What a message does. The table's lock is held from the check to the telling, so everyone hears the same order.

    async def change(self, reader: Reader, command: Callable[[Live], Event | None]) -> None:
        """Let a command change the reader's table, write it down, and tell everyone."""
        live = reader.live
        if live is None:
            raise Refused("hello-first")
        async with live.lock:
            if live.dropped:
                raise Refused("busy")
            event = command(live)
            if event is None:  # heard before: the sender may have missed the answer
                reader.send(self.whole(live, reader))
                return
            await self._settle(live, event)

    async def _settle(self, live: Live, event: Event) -> None:
        """Write an event and tell it; a table whose event could not be written is read anew from disk."""
        try:
            await self._write(live.table, event)
        except NotSaved:
            self._drop(live)
            for reader in list(live.readers):
                reader.send(Fault(code="not-saved"))
                reader.let_go()
            raise Refused("not-saved") from None
        live.used = time.monotonic()
        self._tell(live, event)
        self._wake(live)

    def _drop(self, live: Live) -> None:
        live.dropped = True
        self.live.pop(live.table.name, None)
        if live.task:
            live.task.cancel()

    def play(self, reader: Reader, message: messages.Play) -> Callable[[Live], Event | None]:
        """Act."""
        return lambda live: live.table.play(reader.seats, message.version, message.action, time.time())

    def undo(self, reader: Reader, message: messages.Undo) -> Callable[[Live], Event | None]:
        """Take the last action back."""
        return lambda live: live.table.undo(reader.seats, message.version, time.time())

    def sit(self, reader: Reader, message: messages.Sit) -> Callable[[Live], Event | None]:
        """Take a free seat; who holds none yet gets a key, once it holds the seat on disk."""

        def command(live: Live) -> Event:
            known = reader.seats or reader.holder == live.table.opened.host
            key = None if known else new_key()
            holder = hashed(key) if key else reader.holder
            assert holder is not None
            event = live.table.sit(message.seat, message.name, holder, time.time())
            reader.holder = holder
            reader.granted = messages.Held(seat=message.seat, key=key) if key else None
            return event

        return command

    def set_bot(self, reader: Reader, message: messages.SetBot) -> Callable[[Live], Event | None]:
        """Let a bot play a seat, or take it back."""

        def command(live: Live) -> Event:
            chair = live.table._chair(message.seat)
            away = live.left.get(chair.key or "", self.started_ago())
            absent = chair.key not in live.here and time.monotonic() - away >= ABSENT
            return live.table.set_bot(message.seat, message.level, reader.holder, absent, time.time())

        return command

    def started_ago(self) -> float:
        """When this server started, on the clock that absences are measured by."""
        return time.monotonic() - (time.time() - self.started)

    def say(self, reader: Reader, message: messages.Say) -> Callable[[Live], Event | None]:
        """Say something."""
        return lambda live: live.table.say(reader.seats, message.text)

    async def rematch(self, reader: Reader) -> None:
        """Make the next table, or find the one that was made already."""
        live = reader.live
        if live is None:
            raise Refused("hello-first")
        async with live.lock:
            if live.dropped:
                raise Refused("busy")
            if not reader.seats and reader.holder != live.table.opened.host:
                raise Refused("no-seat")
            if live.table.rematch is None:
                name = await self._open(live.table.next_opened(secrets.token_bytes(32), time.time()))
                await self._settle(live, live.table.follow(name))
            else:
                reader.send(messages.Next(table=live.table.rematch))

    def hint(self, reader: Reader, message: messages.AskHint) -> None:
        """Hints for whoever asks, one question at a time, thought out without holding anything up."""
        live = reader.live
        if live is None:
            raise Refused("hello-first")
        table = live.table
        seat = table.actor(reader.seats)
        if seat is None:
            raise Refused("not-your-turn")
        if not table.hinted:
            raise Refused("no-hints")
        if message.version != table.version:
            raise Refused("stale")
        if reader.advised and not reader.advised.done():
            raise Refused("busy")
        reader.advised = asyncio.create_task(self._advise(reader, message.version, table.known_to(seat)))

    async def _advise(self, reader: Reader, version: int, known: tuple[str, str | None]) -> None:
        found = await self.thinkers.think(thinking.advise, *known)
        reader.send(messages.Hints(version=version, hints=msgspec.convert(found, list[messages.Advice])))

    # Telling

    def whole(self, live: Live, reader: Reader) -> Shown:
        """The table as a reader may know it."""
        table, seats = live.table, reader.seats
        game = table.game
        eyes = table.eyes(seats)
        return Shown(
            table=table.name,
            version=table.version,
            game=str(table.edition),
            kind=table.kind,
            rules=dict(table.edition.rules),
            printing=table.opened.printing,
            clock=table.opened.clock,
            pace=table.opened.pace,
            seats=table.sitters(reader.holder, live.here),
            watchers=live.watchers,
            host=reader.holder == table.opened.host,
            hints=bool(seats) and table.hinted,
            state=table.state(seats, time.time(), self.started) if game else None,
            moves=[table.shown(move, eyes) for move in table.moves],
            chat=list(table.chat),
            rematch=table.rematch,
            commitment=game.tags.get("Commitment") if game else None,
        )

    def _tell(self, live: Live, event: Event) -> None:
        """Tell everyone at a table what has happened, each as they may know it."""
        table = live.table
        match event:
            case Played() | TakenBack():
                told: dict[frozenset[int], bytes] = {}
                for reader in live.readers:
                    seats = reader.seats
                    if seats not in told:
                        told[seats] = encode(self._news(live, event, seats))
                    reader.send(told[seats])
            case Spoken():
                line = encode(table.chat[-1])
                for reader in live.readers:
                    reader.send(line)
            case _:
                for reader in live.readers:
                    if reader.granted:
                        reader.send(reader.granted)
                        reader.granted = None
                    reader.send(self.whole(live, reader))

    def _news(self, live: Live, event: Played | TakenBack, seats: frozenset[int]) -> ToClient:
        table = live.table
        state = table.state(seats, time.time(), self.started)
        if isinstance(event, TakenBack):
            return Undone(version=table.version, seat=event.seat, state=state)
        # Several seats at one screen see their own draw even though the next seat's eyes are open by now.
        eyes = event.seat if event.seat in seats else state.eyes
        return Moved(version=table.version, move=table.shown(table.moves[-1], eyes), state=state)

    def _tell_seats(self, live: Live, but: Reader | None = None) -> None:
        here, watchers = live.here, live.watchers
        for reader in live.readers:
            if reader is not but:
                reader.send(Seated(seats=live.table.sitters(reader.holder, here), watchers=watchers))

    # Acting by itself

    def _wake(self, live: Live) -> None:
        """Let the server act at a table when it is due, if ever."""
        due = live.table.due(self.started)
        about = (live.table.version, due, [chair.bot for chair in live.table.chairs])
        if live.busy and live.task is not asyncio.current_task():
            if live.about == about:  # somebody came or talked, which is no reason to think anew
                return
            live.task.cancel()  # type: ignore[union-attr]
        live.task, live.about = None, about
        if due is None or (live.table.bots_only and not live.readers):
            return
        if due - time.time() > LOOK_AHEAD:  # the round comes by in time
            return
        live.task = asyncio.create_task(self._act(live, due))
        self.tasks.add(live.task)
        live.task.add_done_callback(self._acted)

    def _acted(self, task: asyncio.Task[None]) -> None:
        """A failed task is tried again when the round comes by. Its message may hold secrets and is not told."""
        self.tasks.discard(task)
        if not task.cancelled() and task.exception():
            log.error("a bot or a clock failed: %s", type(task.exception()).__name__)

    async def _act(self, live: Live, due: float) -> None:
        """Think for a bot, or for somebody whose time is up, and play it unless something has happened meanwhile."""
        table = live.table
        version, seat = table.version, table.bot_to_act()
        level = table.chairs[seat - 1].bot if seat else None
        if seat is None:
            await asyncio.sleep(due - time.time())
            seat = table.waiting()[0]
        action = await self._choose(table, seat, level)
        await asyncio.sleep(due - time.time())
        async with live.lock:
            if table.version != version or live.dropped or table.chairs[seat - 1].bot != level:
                return
            try:
                await self._settle(live, table.act(seat, action, time.time()))
            except Refused as refused:
                log.error("table %s: %s, action of %s at version %d", table.name, refused.code, level, version)

    async def _choose(self, table: Table, seat: int, level: str | None) -> str:
        game = table.game
        assert game is not None
        legal = game.legal_actions()
        if level is None and "." in legal:
            return "."
        view, record = table.known_to(seat)
        about = (level or DEFAULT_PLAYER, table.kind, view, legal, record, secrets.randbits(60))
        return str(await self.thinkers.think(thinking.choose, *about))

    async def go_round(self) -> None:
        """From time to time: load the tables that are soon due, put away those that nobody needs."""
        while True:
            for name in await self.store.due(time.time() + LOOK_AHEAD):
                with suppress(Refused):
                    live = await self.find(name)
                    if not live.busy:
                        self._wake(live)
            now = time.monotonic()
            for live in list(self.live.values()):
                if not live.readers and not live.busy and now - live.used > IDLE and not live.lock.locked():
                    self._drop(live)
            await asyncio.sleep(LOOK_AHEAD / 2)

    async def close(self) -> None:
        """Stop acting, and let every reader go."""
        for task in list(self.tasks):
            task.cancel()
        for live in self.live.values():
            for reader in live.readers:
                reader.let_go()


def new_key() -> str:
    """A secret of 144 bits that nobody guesses."""
    return secrets.token_urlsafe(18)
