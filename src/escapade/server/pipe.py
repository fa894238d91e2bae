"""A connection between two processes of one store: messages both ways, for those alone who know the store's secret."""

import asyncio
import hmac
import secrets
import time
from collections.abc import Callable
from typing import Any

import msgspec

MOST = 16 << 20  # bytes of a message, and of what waits to be sent; the longest tables have a hundredth of it
NONCE = 32
EVERY = 1.0  # seconds between two signs of life
SILENT = 4.0  # seconds without one after which the other is taken for dead
PATIENCE = 2.0  # seconds to reach another, and to show that one knows the secret

encode, decode = msgspec.msgpack.encode, msgspec.msgpack.decode


class Closed(ConnectionError):
    """There is no connection, or none any more."""


class Stranger(Closed):
    """Somebody who does not know the secret."""


class Pipe:
    """Messages to and from another process: lists of plain values. It closes itself where the other is silent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.heard = time.monotonic()
        self.closed = False

    @classmethod
    async def connect(cls, address: str, secret: bytes) -> "Pipe":
        """Reach another process, and show that one knows the secret."""
        host, _, port = address.rpartition(":")
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
                try:
                    nonce = await reader.readexactly(NONCE)
                    mine = secrets.token_bytes(NONCE)
                    writer.write(mine + proof(secret, b"client", nonce))
                    if not hmac.compare_digest(await reader.readexactly(NONCE), proof(secret, b"server", mine)):
                        raise Closed(f"{address} does not know the secret")
                except BaseException:
                    writer.transport.abort()
                    raise
        except (OSError, EOFError, TimeoutError) as fault:
            raise Closed(f"{address}: {type(fault).__name__}") from None
        return cls(reader, writer)

    @classmethod
    async def accept(cls, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, secret: bytes) -> "Pipe":
        """Let another process in that knows the secret. Closed: it did not stay to tell it."""
        nonce = secrets.token_bytes(NONCE)
        writer.write(nonce)
        try:
            async with asyncio.timeout(PATIENCE):
                theirs, shown = await reader.readexactly(NONCE), await reader.readexactly(NONCE)
        except (OSError, EOFError, TimeoutError) as fault:
            writer.transport.abort()
            raise Closed(str(fault)) from None
        if not hmac.compare_digest(shown, proof(secret, b"client", nonce)):
            writer.transport.abort()
            raise Stranger
        writer.write(proof(secret, b"server", theirs))
        return cls(reader, writer)

    def send(self, *message: Any) -> None:
        """Send a message. Where the other does not read, the connection is given up."""
        if self.closed or self.writer.is_closing():
            return
        data = encode(message)
        self.writer.write(len(data).to_bytes(4) + data)
        if self.writer.transport.get_write_buffer_size() > MOST:
            self.close()

    async def listen(self, hear: Callable[..., None]) -> None:
        """Pass every message on until the connection ends, which it does in any case after this."""
        watch = asyncio.create_task(self._watch())
        try:
            while True:
                size = int.from_bytes(await self.reader.readexactly(4))
                if size > MOST:
                    return
                message = decode(await self.reader.readexactly(size))
                self.heard = time.monotonic()
                if message:
                    hear(*message)
        except (OSError, EOFError):
            return
        finally:
            watch.cancel()
            self.close()

    async def _watch(self) -> None:
        """Give signs of life, and end the connection where none come."""
        while time.monotonic() - self.heard < SILENT:
            self.send()
            await asyncio.sleep(EVERY)
        self.close()

    def close(self) -> None:
        """End the connection at once."""
        self.closed = True
        self.writer.transport.abort()


def proof(secret: bytes, who: bytes, nonce: bytes) -> bytes:
    """What only those can tell who know the secret."""
    return hmac.digest(secret, who + nonce, "sha256")
