"""The socket that games are played through: messages read and sent, each decoded once and done or refused."""

import asyncio
import contextlib

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from escapade.server import commands
from escapade.server.answers import NOT_A_MESSAGE, unreadable
from escapade.server.limits import Allowances, address
from escapade.server.live import Reader
from escapade.server.messages import Fault, FromClient, Refused
from escapade.server.supervision import logged, note
from escapade.server.tables import Tables

MOST_MESSAGE = 4096  # characters of a message
MOST_SOCKETS = 10_000
PATIENCE = 200  # messages that come too fast before the connection is closed

read_message = msgspec.json.Decoder(FromClient).decode


class Sockets:
    """All connections."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.open = tables, 0
        self.coming = Allowances(2000, 20)  # connections from an address

    async def connect(self, socket: WebSocket) -> None:
        """A connection from its first message to its last."""
        if self.open >= MOST_SOCKETS or not self.coming.take(address(socket)):
            await socket.close(1013, "full")
            return
        await socket.accept()
        reader = Reader(address(socket))
        writer = asyncio.create_task(logged("sending to a connection", write_on, socket, reader))
        self.open += 1
        try:
            await self._listen(socket, reader)
        finally:
            self.open -= 1
            self.tables.leave(reader)
            writer.cancel()

    async def _listen(self, socket: WebSocket, reader: Reader) -> None:
        patience = PATIENCE
        while patience:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            if not reader.asking.take():
                patience -= 1
                reader.send(Fault(code="too-fast"))
            elif text is None or len(text) > MOST_MESSAGE:
                reader.send(Fault(code="bad-message" if text is None else "too-big"))
            else:
                await self._hear(reader, text)
        await socket.close(1008, "too-fast")

    async def _hear(self, reader: Reader, text: str) -> None:
        """One message. Whatever happens, the connection goes on."""
        try:
            message = read_message(text)
        except NOT_A_MESSAGE as why:
            detail, where = unreadable(why)
            reader.send(Fault(code="bad-message", detail=detail, where=where))
            return
        about = str(message.__struct_config__.tag)
        try:
            await commands.do(self.tables, reader, message)
        except Refused as refused:
            self._refuse(reader, about, refused.code, refused.detail)
        except Exception as fault:
            name = reader.live.table.name if reader.live else "none"
            note(f"table {name}: {about}", fault)
            self._refuse(reader, about, "broken")

    def _refuse(self, reader: Reader, about: str, code: str, detail: str | None = None) -> None:
        version = reader.live.table.version if reader.live else None
        reader.send(Fault(code=code, about=about, version=version, detail=detail))


async def write_on(socket: WebSocket, reader: Reader) -> None:
    """Send what is queued for a reader, one message after another, and close the connection at the end."""
    with contextlib.suppress(WebSocketDisconnect):
        while data := await reader.unsent.get():
            await socket.send_text(data.decode())
        await socket.close(1012)
