"""The doors: how many connections there may be, from where, and how long each may keep the server waiting.

uvicorn has no bound for a request that does not come, nor for somebody who does not read: its protocols are extended
here, and nowhere else. What is used of them besides `asyncio.Protocol` is named in `tests/server/test_doors.py`.
Full collections are rare (`FULL_COLLECTIONS` in `serve.py`), so a connection that is over refers to nothing that refers
to it: it is freed at once, and so is all that belongs to it.
"""

import asyncio
import ipaddress
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, cast

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Response
from websockets.server import ServerProtocol

from escapade.server.guard import HEADERS
from escapade.server.limits import Allowance, Bounds, house

REFUSING = 64  # newcomers that are told at the same time that there is no room; others are told nothing
A_MOMENT = 2.0  # seconds in which those must have asked for something
SLICE = 4096  # bytes of a socket that are looked at before it is asked whether they are too many
SOME_UNHEARD = 4  # messages, and no more are read until these are heard
MOST_UNHEARD = 1000  # messages, or parts of one, that a socket sends ahead

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def refusal(status: str, code: str) -> bytes:
    """An answer that needs no request to be understood."""
    body = f'{{"code":"{code}"}}'
    headers = {**HEADERS, "Cache-Control": "no-store", "Content-Type": "application/json", "Connection": "close"}
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", body]).encode()


FULL, BAD = refusal("503 Service Unavailable", "full"), refusal("400 Bad Request", "bad-request")


def ignore(code: str) -> None:
    """Nobody counts refusals."""


class Doors:
    """All connections, counted by the address that they come from. Those of a trusted proxy are counted by the app."""

    def __init__(self, bounds: Bounds, proxies: Sequence[Network] = ()) -> None:
        self.bounds, self.proxies = bounds, proxies
        self.inside: set[Line] = set()
        self.refused: set[Line] = set()
        self.silent: dict[Line, None] = {}  # those that have not asked for anything yet, the oldest first
        self.of: Counter[str] = Counter()
        self.tell: Callable[[str], None] = ignore  # is told the code of every refusal at the door

    def enter(self, line: "Line") -> bool:
        """Whether a connection may come in. Where it is too full, the oldest that has said nothing makes room."""
        crowded = line.house is not None and self.of[line.house] >= self.bounds.per_address
        if crowded or len(self.inside) >= self.bounds.sockets:
            gone = next((one for one in self.silent if not crowded or one.house == line.house), None)
            if gone is None:
                return False
            self.leave(gone)
            gone.transport.abort()
        self.inside.add(line)
        self.silent[line] = None
        if line.house is not None:
            self.of[line.house] += 1
        return True

    def refuse(self, line: "Line") -> None:
        """Tell a connection that there is no room, as soon as it asks for something."""
        self.tell("full")
        if len(self.refused) < REFUSING:
            self.refused.add(line)
            line.deadline = time.monotonic() + A_MOMENT
        else:
            line.transport.abort()

    def leave(self, line: "Line") -> None:
        """A connection is over."""
        self.refused.discard(line)
        if line in self.inside:
            self.inside.remove(line)
            self.silent.pop(line, None)
            if line.house is not None:
                self.of[line.house] -= 1
                if not self.of[line.house]:
                    del self.of[line.house]

    def become(self, line: "Line", socket: "Line") -> None:
        """A connection has become a WebSocket, which has another protocol."""
        socket.house = line.house
        if line in self.inside:
            self.inside.remove(line)
            self.inside.add(socket)
            self.silent.pop(line, None)
            self.silent[socket] = None

    async def sweep(self) -> None:
        """Break off what is overdue: requests, and what nobody reads."""
        now = time.monotonic()
        for line in [line for line in (*self.inside, *self.refused) if line.overdue(now)]:
            line.transport.abort()

    def house(self, transport: asyncio.BaseTransport) -> str | None:
        """Where a connection comes from; None for a trusted proxy, which stands for many."""
        peer = transport.get_extra_info("peername")
        name = house(str(peer[0])) if peer else ""
        with suppress(ValueError):
            where = ipaddress.ip_address(str(peer[0]).partition("%")[0] if peer else "")
            where = getattr(where, "ipv4_mapped", None) or where
            if any(where in network for network in self.proxies):
                return None
        return name


class Config(uvicorn.Config):
    """uvicorn's settings, and the doors."""

    doors: Doors


class Line(asyncio.Protocol):
    """A connection, and the times after which it is broken off."""

    config: Any  # a Config; uvicorn's classes declare their own
    transport: asyncio.Transport
    house: str | None = None
    deadline = math.inf  # of what it has to send
    unread = math.inf  # of what it has to read
    closing = math.inf

    @property
    def doors(self) -> Doors:
        """What it is counted by."""
        return cast("Config", self.config).doors

    def connection_lost(self, exc: Exception | None) -> None:
        self.doors.leave(self)
        super().connection_lost(exc)
        if hasattr(self.transport, "_read_ready_cb"):  # asyncio's own, which has its own method there
            self.transport._read_ready_cb = None

    def pause_writing(self) -> None:
        self.unread = time.monotonic() + self.doors.bounds.unread
        super().pause_writing()

    def resume_writing(self) -> None:
        self.unread = math.inf
        super().resume_writing()

    def overdue(self, now: float) -> bool:
        """Whether it kept the server waiting for too long. A transport that is closing waits until all is read."""
        if self.closing == math.inf and self.transport.is_closing():
            self.closing = now + self.doors.bounds.unread
        return now > min(self.deadline, self.unread, self.closing)


class Asking(Line):
    """A connection that asks over HTTP, whichever of uvicorn's protocols reads it."""

    cycle: Any  # the request that is being answered
    parser: Any  # what reads requests, with httptools
    stage: str | None = None  # what the deadline is for

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.house = self.doors.house(transport)
        if self.doors.enter(self):
            self._wait_for("header", self.doors.bounds.header)
        else:
            self.doors.refuse(self)

    def data_received(self, data: bytes) -> None:
        if self not in self.doors.inside:
            if not self.transport.is_closing():
                self.transport.write(FULL)
                self.transport.close()
            return
        super().data_received(data)
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering:
            self.doors.silent.pop(self, None)
        if not answering:
            self._wait_for("header", self.doors.bounds.header)
        elif self.cycle.more_body:
            self._wait_for("body", self.doors.bounds.body)
        else:
            self.stage, self.deadline = None, math.inf

    def _wait_for(self, stage: str, seconds: float) -> None:
        if stage != self.stage:
            self.stage, self.deadline = stage, time.monotonic() + seconds

    def handle_websocket_upgrade(self, *request: Any) -> None:
        """The connection goes on as a WebSocket."""
        cast("Any", super()).handle_websocket_upgrade(*request)
        self.doors.become(self, cast("Line", self.transport.get_protocol()))
        self.parser = None  # that of httptools has us, and nobody tells us when the connection is lost

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, unless an earlier one is just being answered."""
        self.doors.tell("bad-request")
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(BAD)
        self.transport.close()


class Handshake(ServerProtocol):
    """The reading and writing of frames, which also refuses what is no handshake: with our headers."""

    def reject(self, status: Any, text: str) -> Response:
        response = super().reject(status, text)
        response.headers.update(HEADERS)
        return response

    def forget(self) -> None:
        """Let go of what reads, and of why it failed: both have us, and so we would stay until a full collection."""
        self.parser.close()
        self.parser_exc = self.handshake_exc = None


class Socket(Line, WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    conn: Handshake

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = Handshake(max_size=self.config.ws_max_size, logger=self.logger)
        self.pings = Allowance(20, 2)  # frames that are no messages
        self.read_paused = (
            True  # uvicorn would pause and resume for every message, which costs as much as the rest of it
        )
        self.held_back = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.deadline = time.monotonic() + self.doors.bounds.header + self.doors.bounds.hello

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.forget()

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE):
            super().data_received(data[start : start + SLICE])
            if self.queue.qsize() > MOST_UNHEARD or len(self.frames) > MOST_UNHEARD:
                self.transport.abort()
            if self.transport.is_closing():
                return
        if self.conn.handshake_exc is not None and not self.handshake_initiated:  # uvicorn would wait for good
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
        if self.queue.qsize() > SOME_UNHEARD and not self.held_back:
            self.held_back = True
            self.transport.pause_reading()
        if self.handshake_complete:
            self.deadline = math.inf
            self.doors.silent.pop(self, None)

    async def receive(self) -> Any:
        message = await self.queue.get()
        if self.held_back and self.queue.empty():
            self.held_back = False
            self.transport.resume_reading()
        return message

    def handle_ping(self) -> None:
        """Answer, unless the answers are not read or there are too many."""
        if not self.pings.take():
            self.transport.abort()
        elif self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def handle_pong(self, event: Frame) -> None:
        super().handle_pong(event)
        if not self.pings.take():
            self.transport.abort()

    def keepalive_timeout(self) -> None:
        """Whoever does not answer is gone, or does not read: closing would wait until they do."""
        self.transport.abort()

    async def run_asgi(self) -> None:
        self.scope["extensions"].update({"escapade": {"write": self.write, "abort": self.transport.abort}})
        await super().run_asgi()
        del self.scope["extensions"]["escapade"]  # which has us

    def write(self, text: bytes) -> bool:
        """Send a message at once, unless others wait to be read or the connection is closing."""
        if not self.writable.is_set() or self.close_sent or self.transport.is_closing():
            return False
        self.conn.send_text(text)
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True


Http = type("Http", (Asking, AutoHTTPProtocol), {})
