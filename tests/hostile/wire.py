"""HTTP and WebSocket as bytes on plain sockets, so that a visitor can also do what no well-behaved library does."""

import base64
import contextlib
import json
import os
import select
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

HERE = "127.0.0.1"
WAIT = 120.0  # seconds after which something has gone wrong, however slow the machine is
TEXT, BYTES, CLOSE, PING, PONG = 1, 2, 8, 9, 10
Message = dict[str, Any]


class Closed(Exception):
    """The connection is at its end; with the code that the server gave, or 1006 for none."""

    def __init__(self, code: int = 1006) -> None:
        super().__init__(code)
        self.code = code


class Refused(Exception):
    """The server answered a handshake with something else than a socket."""

    def __init__(self, status: int, answer: bytes) -> None:
        super().__init__(status, answer)
        self.status, self.answer = status, answer


class Visitor:
    """Somebody with an address of their own, on the loopback, and everything that they have opened."""

    def __init__(self, port: int, address: str = HERE) -> None:
        self.port, self.address = port, address
        self.opened = contextlib.ExitStack()
        transport = httpx.HTTPTransport(local_address=address)
        self.asked = self.opened.enter_context(
            httpx.Client(base_url=f"http://{HERE}:{port}", transport=transport, timeout=WAIT, trust_env=False)
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.opened.close()

    def knock(self, small: bool = False) -> socket.socket:
        """A plain connection; `small`: with hardly any room for what the server sends."""
        way = self.opened.enter_context(socket.socket(socket.AF_INET, socket.SOCK_STREAM))
        way.settimeout(WAIT)
        if small:
            way.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        way.bind((self.address, 0))
        way.connect((HERE, self.port))
        return way

    def exchange(self, request: bytes, timeout: float = WAIT) -> bytes:
        """Send bytes and read until the server closes, or says nothing for so long."""
        way = self.knock()
        way.settimeout(timeout)
        answer = b""
        with way, contextlib.suppress(OSError):
            way.sendall(request)
            while part := way.recv(65536):
                answer += part
        return answer

    def line(self, headers: dict[str, str] | None = None, *, small: bool = False) -> "Line":
        """A WebSocket that has said nothing yet."""
        return Line(self.knock(small), headers or {})

    def come(self, table: str, key: str | None = None) -> "Line":
        """A WebSocket at a table; `shown` is the first answer, a table or a fault."""
        line = self.line()
        line.send("hello", table=table, **({"key": key} if key else {}))
        line.shown = line.until("table", "fault")
        return line

    def make(self, game: str, *seats: Message, **more: Any) -> httpx.Response:
        """Ask for a new table; seats get their colours in order."""
        places = [{"colour": colour, **seat} for colour, seat in enumerate(seats)]
        return self.asked.post("/api/tables", json={"game": game, "seats": places, "pace": 0, **more})

    def made(self, game: str, *seats: Message, **more: Any) -> tuple[str, str]:
        """A new table and its maker's key."""
        answer = self.make(game, *seats, **more)
        assert answer.status_code == 201, answer.text
        return answer.json()["table"], answer.json()["key"]


class Line:
    """A WebSocket spoken frame by frame. Nothing is read unless somebody listens."""

    def __init__(self, way: socket.socket, headers: dict[str, str]) -> None:
        self.way, self.unread, self.raw = way, b"", list[str]()
        self.shown: Message = {}
        nonce = base64.b64encode(os.urandom(16)).decode()
        asked = {
            "Host": f"{HERE}:{way.getpeername()[1]}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": nonce,
            "Sec-WebSocket-Version": "13",
            **headers,
        }
        lines = [f"{name}: {value}" for name, value in asked.items()]
        self._give("\r\n".join(["GET /ws HTTP/1.1", *lines, "", ""]).encode())
        end = time.monotonic() + WAIT
        while b"\r\n\r\n" not in self.unread:
            self._take(end)
        head, self.unread = self.unread.split(b"\r\n\r\n", 1)
        status = int(head.split(b" ", 2)[1])
        if status != 101:
            way.close()
            raise Refused(status, head + b"\r\n\r\n" + self.unread)

    def send(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        self.say(json.dumps({"type": kind, **fields}))

    def say(self, text: str) -> None:
        """Send any text."""
        self.frame(TEXT, text.encode())

    def frame(self, kind: int, payload: bytes, last: bool = True) -> None:
        """Send a frame, masked with zeros, which is allowed and leaves it readable."""
        self._give(framed(kind, payload, last))

    def ask(self, kind: str, **fields: Any) -> Message:
        """Send a message, and give the next that is not about who comes and goes."""
        self.send(kind, **fields)
        return self.until("table", "moved", "undone", "said", "hints", "rematch", "pong", "fault", "held")

    def until(self, *kinds: str, timeout: float = WAIT) -> Message:
        """The next message of one of these types."""
        end = time.monotonic() + timeout
        while True:
            message = self.hear(max(0.0, end - time.monotonic()))
            if message["type"] in kinds:
                return message

    def hear(self, timeout: float = WAIT) -> Message:
        """The next message. TimeoutError where none comes, Closed at the end."""
        end = time.monotonic() + timeout
        while True:
            kind, payload = self._next_frame(end)
            if kind == PING:
                self.frame(PONG, payload)
            elif kind == CLOSE:
                self.way.close()
                raise Closed(struct.unpack(">H", payload[:2])[0] if payload else 1005)
            elif kind == TEXT:
                self.raw.append(payload.decode())
                message: Message = json.loads(payload)
                return message

    def waiting(self) -> Iterator[Message]:
        """The messages that are here already."""
        with contextlib.suppress(TimeoutError):
            while True:
                yield self.hear(0.0)

    def _next_frame(self, end: float) -> tuple[int, bytes]:
        while (frame := unframed(self.unread)) is None:
            self._take(end)
        kind, payload, used = frame
        self.unread = self.unread[used:]
        return kind, payload

    def _take(self, end: float) -> None:
        """Wait for more bytes, but not for ever."""
        try:
            if not said(self.way, max(0.0, end - time.monotonic())):
                raise TimeoutError
            part = self.way.recv(65536)
        except TimeoutError:
            raise
        except (OSError, ValueError):
            part = b""
        if not part:
            self.way.close()
            raise Closed
        self.unread += part

    def _give(self, data: bytes) -> None:
        try:
            self.way.sendall(data)
        except OSError:
            raise Closed from None

    @property
    def dead(self) -> bool:
        """Whether the server has ended this connection, as seen without reading from it."""
        return is_dead(self.way)

    def close(self) -> None:
        """Go without a word."""
        self.way.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *why: object) -> None:
        self.close()


def framed(kind: int, payload: bytes, last: bool = True) -> bytes:
    """A frame as a client sends it."""
    size = len(payload)
    if size < 126:
        length = struct.pack(">B", 128 | size)
    elif size < 65536:
        length = struct.pack(">BH", 254, size)
    else:
        length = struct.pack(">BQ", 255, size)
    return bytes([128 * last | kind]) + length + bytes(4) + payload


def unframed(data: bytes) -> tuple[int, bytes, int] | None:
    """The first frame of what a server sent: its kind, its payload, its length; None where it is not whole yet."""
    if len(data) < 2:
        return None
    size, start = data[1] & 127, 2
    if size == 126:
        start = 4
    elif size == 127:
        start = 10
    if len(data) < start:
        return None
    if start > 2:
        size = int.from_bytes(data[2:start], "big")
    if len(data) < start + size:
        return None
    return data[0] & 15, data[start : start + size], start + size


def said(way: socket.socket, within: float = 0.0) -> bool:
    """Whether something can be read within so many seconds; unlike select, whatever its file's number is."""
    poll = select.poll()
    poll.register(way, select.POLLIN)
    return bool(poll.poll(1000 * within))


def is_dead(way: socket.socket) -> bool:
    """Whether the other side has ended a connection, as seen without reading from it."""
    if way.fileno() < 0:
        return True
    poll = select.poll()
    poll.register(way, select.POLLRDHUP)
    return any(what & (select.POLLRDHUP | select.POLLHUP | select.POLLERR) for _, what in poll.poll(0))


def sockets_of(process: int) -> int:
    """How many sockets a process has open. Only that tells of one that was broken off with its buffer full."""
    held = 0
    for link in Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(OSError):
            held += os.readlink(link).startswith("socket:")
    return held


def mine(name: str = "Anne") -> Message:
    """A seat of the maker's own."""
    return {"mine": True, "name": name}


def bot(level: str = "sailor", name: str = "Bot") -> Message:
    """A bot's seat."""
    return {"bot": level, "name": name}
