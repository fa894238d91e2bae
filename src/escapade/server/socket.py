"""The socket that games are played through: messages read and sent, each decoded once and done or refused."""

import asyncio
import time
from collections import Counter
from contextlib import suppress

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from escapade.server import commands
from escapade.server.answers import NOT_A_MESSAGE, unreadable
from escapade.server.limits import BOUNDS, Allowances, Bounds, address
from escapade.server.live import Reader
from escapade.server.messages import AskHint, Fault, FromClient, Hello, Refused
from escapade.server.pipe import Closed
from escapade.server.relay import Guest, Relay
from escapade.server.store import Elsewhere
from escapade.server.supervision import logged, note
from escapade.server.tables import Tables

MOST_MESSAGE = 4096  # characters of a message
MOST_SOCKETS = BOUNDS.sockets
MOVING = 9.0  # seconds for which one who comes waits until it is clear who owns the table: longer than a lease
AGAIN = 0.25  # seconds between two tries
PATIENCE = 200  # messages that come too fast before the connection is closed

read_message = msgspec.json.Decoder(FromClient).decode


class Sockets:
    """All connections."""

    def __init__(self, tables: Tables, bounds: Bounds = BOUNDS) -> None:
        self.tables, self.bounds = tables, bounds
        self.relay: Relay | None = None  # where other processes have the same store
        self.open = 0
        self.of: Counter[str] = Counter()  # open ones by address
        self.coming = Allowances(2000, 20)  # connections from an address

    async def connect(self, socket: WebSocket) -> None:
        """A connection from its first message to its last."""
        house = address(socket)
        await socket.accept()
        crowded = self.open >= self.bounds.sockets or self.of[house] >= self.bounds.per_address
        if crowded or not self.coming.take(house):
            self.tables.seen.refused("full")
            await socket.close(1013, "full")
            return
        line = socket.scope.get("extensions", {}).get("escapade", {})  # where server/doors.py reads the connection
        reader = Reader(house, line.get("write"), line.get("abort"))
        reader.tell = self.tables.seen.refused
        writer = asyncio.create_task(logged("sending to a connection", write_on, socket, reader))
        self.open += 1
        self.of[house] += 1
        try:
            await self._listen(socket, reader)
        finally:
            self.open -= 1
            self.of[house] -= 1
            if not self.of[house]:
                del self.of[house]
            self._leave(reader)
            writer.cancel()

    async def _listen(self, socket: WebSocket, reader: Reader) -> None:
        patience = PATIENCE
        hello_by = asyncio.get_running_loop().time() + self.bounds.hello
        while patience:
            await reader.unsent.room()
            if reader.greeted:
                message = await socket.receive()
            else:
                try:
                    async with asyncio.timeout_at(hello_by):
                        message = await socket.receive()
                except TimeoutError:
                    self.tables.seen.refused("hello-first")
                    await socket.close(1008, "hello-first")
                    return
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            if not reader.asking.take():
                patience -= 1
                reader.send(Fault(code="too-fast"))
            elif text is None or len(text) > MOST_MESSAGE:
                reader.send(Fault(code="bad-message" if text is None else "too-big"))
            else:
                await self.hear(reader, text)
        await socket.close(1008, "too-fast")

    async def hear(self, reader: Reader, text: str) -> None:
        """One message. Whatever happens, the connection goes on."""
        heard = time.perf_counter()
        try:
            message = read_message(text)
        except NOT_A_MESSAGE as why:
            detail, where = unreadable(why)
            reader.send(Fault(code="bad-message", detail=detail, where=where))
            return
        reader.greeted |= isinstance(message, Hello)
        about = str(message.__struct_config__.tag)
        try:
            if isinstance(message, Hello):
                if not reader.greeting.take():
                    raise Refused("too-fast")
                await self._greet(reader, message, text)
            elif reader.far:
                reader.far.send(text)
            else:
                await commands.do(self.tables, reader, message)
        except Refused as refused:
            self._refuse(reader, about, refused.code, refused.detail)
            if isinstance(message, Hello) and refused.code == "busy":
                reader.let_go()  # it comes back, perhaps to another process
        except Exception as fault:
            name = reader.live.table.name if reader.live else "none"
            note(f"table {name}: {about}", fault)
            self._refuse(reader, about, "broken")
        if not isinstance(message, AskHint) and not reader.far:  # which are answered later, or by another process
            self.tables.seen.waits[about].observe(time.perf_counter() - heard)

    async def _greet(self, reader: Reader, message: Hello, text: str) -> None:
        """Come to a table, where it is: another process may own it, or have owned it until now."""
        loop = asyncio.get_running_loop()
        until = loop.time() + MOVING
        if reader.far:
            self._leave(reader)
        while True:
            try:
                await self.tables.join(reader, message.table, message.key)
                return
            except Elsewhere as owner:
                address = owner.address
            self._leave(reader)
            if isinstance(reader, Guest):
                reader.end("moved")
                return
            assert self.relay
            with suppress(Closed):
                far = await self.relay.reach(address, reader)
                if await far.greet(text):
                    reader.far = far
                    return
            if reader.gone or loop.time() >= until:
                raise Refused("busy")
            await asyncio.sleep(AGAIN)

    def _leave(self, reader: Reader) -> None:
        self.tables.leave(reader)
        if reader.far:
            reader.far.hang_up()
            reader.far = None

    def _refuse(self, reader: Reader, about: str, code: str, detail: str | None = None) -> None:
        version = reader.live.table.version if reader.live else None
        reader.send(Fault(code=code, about=about, version=version, detail=detail))


async def write_on(socket: WebSocket, reader: Reader) -> None:
    """Send what is queued for a reader, one message after another, and close the connection at the end."""
    try:
        while data := await reader.unsent.first():
            await socket.send_text(data.decode())
            reader.unsent.get_nowait()
        await socket.close(1012)
    except WebSocketDisconnect:
        reader.gone = True
        reader.unsent.clear()
