"""Tables that another process owns: what a client says goes to the owner, and what the owner says to the client."""

import asyncio
import errno
import ipaddress
import itertools
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import escapade
from escapade.server.live import Reader
from escapade.server.pipe import Closed, Pipe, Stranger
from escapade.server.supervision import Tasks, log
from escapade.server.tables import Tables

if TYPE_CHECKING:  # it needs asyncpg, which not everyone has
    from escapade.server.postgres import Postgres

GREETED = 3.0  # seconds in which the owner answers a hello
MOST_UNHEARD = 1000  # messages of a client that wait at the owner


class CannotListen(Exception):
    """Why other processes could not reach this one, as a message for the person who starts it."""


def read_relay(text: str) -> tuple[str, int]:
    """The host and the port of `HOST` or `HOST:PORT`, 0 for any port."""
    with suppress(ValueError):
        host = ipaddress.ip_address(text)
        if not host.is_unspecified:
            return text, 0
    try:
        parts = urlsplit(f"//{text}")
        if parts.hostname and parts.netloc == text and parts.port != 0 and not text.endswith(":") and "@" not in text:
            with suppress(ValueError):
                if ipaddress.ip_address(parts.hostname).is_unspecified:
                    raise CannotListen(f"--relay {text}: others need one address by which they reach this process")
            return parts.hostname, parts.port or 0
    except ValueError:
        pass
    raise CannotListen(f"--relay takes HOST or HOST:PORT, as 10.0.0.5, [fd00::5] or 10.0.0.5:9000, not {text!r}")


class Far:
    """A client of this process at a table of another."""

    def __init__(self, line: "Line", number: int, reader: Reader) -> None:
        self.line, self.number, self.reader = line, number, reader
        self.greeted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    async def greet(self, hello: str) -> bool:
        """Come to the table; False where the other does not own it any more."""
        self.line.pipe.send("open", self.number, self.reader.address)
        self.line.pipe.send("text", self.number, hello)
        try:
            async with asyncio.timeout(GREETED):
                return await self.greeted
        except TimeoutError:
            self.hang_up()
            raise Closed("no answer to a hello") from None

    def send(self, text: str) -> None:
        """Pass on what the client says."""
        self.line.pipe.send("text", self.number, text)

    def hang_up(self) -> None:
        """The client has left."""
        self.line.pipe.send("shut", self.number)
        self.line.ends.pop(self.number, None)


class Line:
    """The connection to another process, for all clients of this one at its tables."""

    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe
        self.numbers = itertools.count(1)
        self.ends: dict[int, Far] = {}
        self.asked: dict[int, asyncio.Future[bytes]] = {}  # what the other process was asked

    def open(self, reader: Reader) -> Far:
        """A client that comes to a table there."""
        number = next(self.numbers)
        self.ends[number] = Far(self, number, reader)
        return self.ends[number]

    def hear(self, what: str, number: int, said: bytes = b"") -> None:
        """What the other process says to a client, or has thought."""
        if what == "answer":
            if number in self.asked:
                self.asked.pop(number).set_result(said)
            return
        far = self.ends.get(number)
        if far is None:
            return
        if what != "text":
            del self.ends[number]
        if not far.greeted.done():
            far.greeted.set_result(what != "moved")
        if what == "text":
            far.reader.send(said)
        elif what == "shut":
            far.reader.let_go()

    def lose(self) -> None:
        """The other process is gone: its clients come back, and find who owns their tables now."""
        for far in self.ends.values():
            if far.greeted.done():
                far.reader.let_go()
            else:
                far.greeted.set_exception(Closed("the connection broke"))
        self.ends.clear()
        for asked in self.asked.values():
            asked.set_exception(Closed("the connection broke"))
        self.asked.clear()


class Guest(Reader):
    """A client of another process at a table of this one."""

    def __init__(self, pipe: Pipe, number: int, address: str) -> None:
        super().__init__(address, write=self._pass_on)
        self.pipe, self.number = pipe, number
        self.unheard: deque[str] = deque()
        self.task: asyncio.Task[None] | None = None

    def _pass_on(self, data: bytes) -> bool:
        self.pipe.send("text", self.number, data)
        return True

    def end(self, why: str) -> None:
        """Say that there will be nothing more."""
        if not self.gone:
            self.gone = True
            self.pipe.send(why, self.number)

    def cut_off(self) -> None:
        self.end("shut")

    def let_go(self) -> None:
        self.end("shut")


class Relay:
    """This process among those of its store: its own door for the others, and the lines to theirs."""

    def __init__(
        self, tables: Tables, store: "Postgres", hear: Callable[[Reader, str], Awaitable[None]], at: str | None
    ) -> None:
        self.tables, self.store, self.hear_from, self.at = tables, store, hear, at
        self.tasks = Tasks()
        self.lines: dict[str, asyncio.Task[Line]] = {}
        self.answers: dict[str, Callable[[bytes], Awaitable[bytes]]] = {}  # what others may ask of this process
        self.thinks = False  # whether it thinks for others
        self.server: asyncio.Server | None = None
        self.host = ""

    async def open(self) -> None:
        """Open the door. CannotListen: why it cannot be where it was told to be."""
        self.host, port = read_relay(self.at) if self.at else (await self._seen(), 0)
        hosts: list[str | None] = [self.host, None]  # all: where addresses are translated, none of them is ours
        for host in hosts:
            try:
                self.server = await asyncio.start_server(self._let_in, host, port)
                return
            except OSError as fault:
                foreign = fault.errno == errno.EADDRNOTAVAIL
                if host is None or not (foreign and port):
                    why = "this machine has no such address; say the port too" if foreign else fault.strerror
                    raise CannotListen(f"--relay {self.at or self.host}: {why or fault}") from None

    async def start(self) -> None:
        """Become a member of the store, whom others reach at the door."""
        if not self.server:
            await self.open()
        assert self.server
        port = self.server.sockets[0].getsockname()[1]
        address = f"[{self.host}]:{port}" if ":" in self.host else f"{self.host}:{port}"
        await self.store.join(address, escapade.__version__, self.thinks)

    async def _seen(self) -> str:
        """The address by which PostgreSQL sees this process."""
        seen = await self.store.seen_from()
        return "127.0.0.1" if not seen or ipaddress.ip_address(seen).is_loopback else seen

    async def close(self) -> None:
        """Close the door and all lines."""
        if self.server:
            self.server.close()
        await self.tasks.end()

    # To tables of others.

    async def reach(self, address: str, reader: Reader) -> Far:
        """A way for a client to another process. Closed: there is none."""
        return (await self._line(address)).open(reader)

    async def ask(self, address: str, what: str, about: bytes = b"") -> bytes:
        """Ask another process. Closed: it cannot be reached, or is gone before it has an answer."""
        line = await self._line(address)
        number = next(line.numbers)
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        line.asked[number] = answer
        line.pipe.send("ask", number, what, about)
        try:
            return await answer
        finally:
            if line.asked.pop(number, None):
                line.pipe.send("forget", number)

    async def _line(self, address: str) -> Line:
        if address not in self.lines:
            self.lines[address] = asyncio.create_task(self._connect(address))
        try:
            line = await asyncio.shield(self.lines[address])
        except Closed:
            self.lines.pop(address, None)
            raise
        if line.pipe.closed:
            raise Closed(address)
        return line

    async def _connect(self, address: str) -> Line:
        line = Line(await Pipe.connect(address, self.store.secret))
        self.tasks.start("a line to another process", self._listen, address, line)
        return line

    async def _listen(self, address: str, line: Line) -> None:
        try:
            await line.pipe.listen(line.hear)
        finally:
            self.lines.pop(address, None)
            line.lose()

    # To tables of this process.

    async def _let_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            pipe = await Pipe.accept(reader, writer, self.store.secret)
        except Stranger:
            words = "somebody who does not know the store's secret was at the door for other processes"
            log.warning(words, extra={"event": "stranger", "fields": {}})
            return
        except Closed:
            return
        self.tasks.start("a line from another process", self._serve, pipe)

    async def _serve(self, pipe: Pipe) -> None:
        guests: dict[int, Guest] = {}
        asked: dict[int, asyncio.Task[None]] = {}
        try:
            await pipe.listen(partial(self._hear, pipe, guests, asked))
        finally:
            for task in asked.values():
                task.cancel()
            for guest in list(guests.values()):
                self._see_off(guests, guest)

    def _hear(
        self,
        pipe: Pipe,
        guests: dict[int, Guest],
        asked: dict[int, asyncio.Task[None]],
        what: str,
        number: int,
        said: str = "",
        about: bytes = b"",
    ) -> None:
        guest = guests.get(number)
        if what == "ask":
            asked[number] = self.tasks.start("answering another process", self._answer, pipe, number, said, about)
            asked[number].add_done_callback(lambda _: asked.pop(number, None))
        elif what == "forget":
            if number in asked:
                asked[number].cancel()
        elif what == "open":
            guests[number] = Guest(pipe, number, said)
            guests[number].tell = self.tables.seen.refused
        elif guest is None:
            return
        elif what == "shut":
            self._see_off(guests, guest)
        elif len(guest.unheard) < MOST_UNHEARD:
            guest.unheard.append(said)
            if guest.task is None or guest.task.done():
                guest.task = self.tasks.start("a message from another process", self._hear_all, guest)
        else:
            guest.end("shut")
            self._see_off(guests, guest)

    async def _answer(self, pipe: Pipe, number: int, what: str, about: bytes) -> None:
        pipe.send("answer", number, await self.answers[what](about))

    async def _hear_all(self, guest: Guest) -> None:
        """One message after another."""
        while guest.unheard and not guest.gone:
            await self.hear_from(guest, guest.unheard.popleft())

    def _see_off(self, guests: dict[int, Guest], guest: Guest) -> None:
        guests.pop(guest.number, None)
        guest.gone = True
        guest.write = None  # which has the guest, who would stay until a full collection
        guest.unheard.clear()
        self.tables.leave(guest)
