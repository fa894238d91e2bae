"""The doors: who keeps the server waiting, does not read, or comes too often is sent away, and nobody else notices."""

import contextlib
import json
import logging
import resource
import socket
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from server.live import WAIT, Player, Running, mine, wait_for
from server.test_http import EXPECTED
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.h11_impl import RequestResponseCycle as Cycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from escapade.server import doors, logs, serve
from escapade.server.limits import Bounds, house

SMALL = """
import resource
from escapade import cli
from escapade.server import limits, serve
if {files}:
    resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))
whole, bounds = serve.serve, limits.Bounds(**{bounds})
serve.serve = lambda settings: whole(settings._replace(bounds=bounds))
cli.main()
"""
RAW: list["Raw"] = []  # every connection of the running test


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Starts servers with bounds and options of one's own."""
    started: list[Running] = []

    def starts(*options: str, files: int = 0, **bounds: float) -> Running:
        program = SMALL.format(files=files, bounds=bounds)
        started.append(Running(tmp_path / f"games-{len(started)}.db", program=("-c", program, *options)))
        return started[-1]

    yield starts
    for running in started:
        running.stop()


@pytest.fixture(autouse=True)
def all_are_closed() -> Iterator[None]:
    """No connection outlives its test."""
    yield
    while RAW:
        RAW.pop().close()


class Raw:
    """A connection that sends what it likes and reads when it likes."""

    def __init__(self, server: Running, data: bytes = b"", source: str = "127.0.0.1", buffer: int = 0) -> None:
        self.socket = socket.socket()
        RAW.append(self)
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.bind((source, 0))
        self.socket.settimeout(WAIT)
        self.socket.connect(("127.0.0.1", server.port))
        self.send(data)

    def send(self, data: bytes) -> None:
        """Send, whatever becomes of it."""
        with contextlib.suppress(OSError):
            self.socket.sendall(data)

    def read(self) -> bytes:
        """Everything until the end of the connection."""
        found = b""
        with contextlib.suppress(ConnectionError):
            while part := self.socket.recv(65536):
                found += part
        return found

    def close(self) -> None:
        self.socket.close()


def frame(opcode: int, data: bytes = b"", fin: bool = True) -> bytes:
    """A frame as a client sends it, masked with zeros."""
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack("!H", len(data))
    return bytes([fin << 7 | opcode]) + size + bytes(4) + data


def handshake(server: Running, *more: str) -> bytes:
    """A request to become a WebSocket."""
    lines = ["GET /ws HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Connection: Upgrade", "Upgrade: websocket"]
    key = ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    return "\r\n".join([*lines, *key, *more, "", ""]).encode()


def upgraded(server: Running, table: str | None = None, **how: Any) -> Raw:
    """A WebSocket by hand, which may have said hello."""
    raw = Raw(server, handshake(server), **how)
    head = b""
    while b"\r\n\r\n" not in head:
        head += raw.socket.recv(1)
    assert head.startswith(b"HTTP/1.1 101"), head
    if table:
        raw.send(frame(1, json.dumps({"type": "hello", "table": table}).encode()))
    return raw


def memory(server: Running) -> float:
    """Resident memory of the server in megabytes."""
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


# ---- requests that do not come


HALVES = {
    "nothing": b"",
    "half a line": b"GET / HT",
    "half a header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nA: ",
    "half a body": b"POST /api/qr HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
    "a body nobody wants": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
    "a header after an answer": b"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HT",
}


def test_whoever_does_not_finish_a_request_is_sent_away(small: Callable[..., Running]) -> None:
    server = small(header=1, body=1, hello=1)
    began = time.monotonic()
    raws = {what: Raw(server, data) for what, data in HALVES.items()}
    raws["a socket without a hello"] = upgraded(server)
    strange = handshake(server).replace(b"GET /ws", b"POST /ws")
    raws["a handshake that is none"] = Raw(server, strange)
    for raw in raws.values():
        raw.read()
    assert time.monotonic() - began < 30  # uvicorn would wait for good


def test_a_request_byte_by_byte_is_sent_away_too(small: Callable[..., Running]) -> None:
    server = small(header=1, body=1)
    for start in (
        b"GET / HTTP/1.1\r\nA: ",
        b"POST /api/qr HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999\r\n\r\n",
    ):
        raw = Raw(server, start)
        raw.socket.settimeout(0.1)
        began = time.monotonic()
        while not over(raw):
            assert time.monotonic() - began < WAIT
            raw.send(b"a")


def over(raw: Raw) -> bool:
    """Whether the connection has ended; waits as long as the socket does."""
    try:
        return not raw.socket.recv(65536)
    except TimeoutError:
        return False
    except ConnectionError:
        return True


# ---- bounds


def test_silent_connections_make_room_for_those_who_ask(small: Callable[..., Running]) -> None:
    server = small(files=400, per_address=1000)  # so many files that 144 connections fit
    table, key = server.make("jamaica", mine(), mine("Bo"))
    player = Player(server, table, key)
    for _ in range(500):
        Raw(server, b"GET /")
    for _ in range(5):
        assert httpx.get(f"{server.url}/api/rules", trust_env=False, timeout=WAIT).status_code == 200
        Player(server, table, key).go()
    assert player.ask("ping")["type"] in ("pong", "seats")
    assert len(server.log.read_text().splitlines()) <= 3, server.log.read_text()[:2000]


def test_newcomers_are_refused_before_the_files_run_out(small: Callable[..., Running]) -> None:
    server = small(files=300, per_address=1000)
    table, _ = server.make("jamaica", mine(), mine("Bo"))
    server.asked.close()
    server.asked = httpx.Client(trust_env=False, timeout=WAIT)
    for number in range(74):  # a quarter of the files, and one that may still be closing
        upgraded(server, table, source=f"127.0.0.{number % 4 + 2}").socket.recv(1)
    wait_for(lambda: first_line(server, "127.0.0.6", table).startswith(b"HTTP/1.1 503"))
    answer = Raw(server, b"GET /api/rules HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").read()
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert answer.endswith(b'{"code":"full"}')
    assert all(f"{name}: {text}" in answer.decode().lower() for name, text in lowered(EXPECTED))
    for _ in range(300):
        Raw(server, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    while RAW:
        RAW.pop().close()
    wait_for(lambda: server.get("/api/rules").status_code == 200)
    assert len(server.log.read_text().splitlines()) <= 3, server.log.read_text()[:2000]


def lowered(headers: dict[str, str]) -> list[tuple[str, str]]:
    """Headers in small letters."""
    return [(name.lower(), text.lower()) for name, text in headers.items()]


def test_one_address_gets_so_many_connections_and_others_do_not_notice(small: Callable[..., Running]) -> None:
    server = small(per_address=5)
    table, key = server.make("jamaica", mine(), mine("Bo"))
    server.asked.close()
    server.asked = httpx.Client(trust_env=False, timeout=WAIT)
    wait_for(lambda: b"101" in first_line(server, "127.0.0.9"))  # the one that made the table has gone
    held = [upgraded(server, table, source="127.0.0.2") for _ in range(5)]
    for raw in held:
        raw.socket.recv(1)
    assert first_line(server, "127.0.0.2").startswith(b"HTTP/1.1 503")
    assert first_line(server, "127.0.0.3").startswith(b"HTTP/1.1 101")
    Player(server, table, key).go()
    held.pop().close()
    wait_for(lambda: first_line(server, "127.0.0.2").startswith(b"HTTP/1.1 101"))


def first_line(server: Running, source: str, table: str | None = None, *more: str) -> bytes:
    """How a socket from an address is answered; with a table it stays."""
    raw = Raw(server, handshake(server, *more), source=source)
    try:
        line = raw.socket.recv(20)
    except ConnectionError:
        return b""
    if table:
        raw.send(frame(1, json.dumps({"type": "hello", "table": table}).encode()))
    else:
        raw.close()
    return line


def test_the_bounds_fit_the_files_that_there_are() -> None:
    assert serve.fitting(Bounds(), None) == Bounds()
    assert serve.fitting(Bounds(), 1_000_000) == Bounds()
    assert serve.fitting(Bounds(), 1024)[:2] == (768, 384)
    assert serve.fitting(Bounds(), 100)[:2] == (25, 12)


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("somewhere", "somewhere"),
    ],
)
def test_a_house_is_one_address(host: str, counted: str) -> None:
    assert house(host) == counted


def test_whoever_holds_a_seat_gets_in_however_many_watch(server: Running) -> None:
    anne, bo = server.open("jamaica")
    watching = [Player(server, anne.table) for _ in range(62)]
    assert Player(server, anne.table, answered="fault").heard[-1]["code"] == "full"
    anne.come_again()
    assert anne.seats == [1]
    more = [Player(server, anne.table, bo.key) for _ in range(17)]  # and with 16 tabs the oldest goes
    assert more[-1].seats == [2]
    with pytest.raises(ConnectionClosed):
        bo.until("nothing that is ever sent")
    assert bo.socket.close_code == 1012
    assert watching[0].ask("ping")["type"] in ("pong", "seats")


def test_a_full_server_says_so_and_closes(small: Callable[..., Running]) -> None:
    server = small("--proxy", "127.0.0.1", per_address=1)
    table, _ = server.make("jamaica", mine(), mine("Bo"))
    url, far = server.url.replace("http", "ws") + "/ws", {"X-Forwarded-For": "192.0.2.1"}
    with connect(url, additional_headers=far, proxy=None, open_timeout=WAIT) as first:
        first.send(json.dumps({"type": "hello", "table": table}))
        first.recv()
        with connect(url, additional_headers=far, proxy=None, open_timeout=WAIT) as second:
            with pytest.raises(ConnectionClosed):
                second.recv(timeout=WAIT)
            assert (second.close_code, second.close_reason) == (1013, "full")


# ---- those who do not read


def test_hellos_are_throttled_and_disturb_nobody(server: Running) -> None:
    anne, _ = server.open("jamaica")
    watchers = [Player(server, anne.table) for _ in range(7)]
    anne.settle()
    for watcher in watchers:
        for _ in range(38):
            watcher.send("hello", table=anne.table)
    codes = []
    for watcher in watchers:
        answers = [watcher.until("table", "fault") for _ in range(38)]
        codes += [answer["code"] for answer in answers if answer["type"] == "fault"]
    assert set(codes) == {"too-fast"}
    assert {message["type"] for message in anne.settle()} <= {"seats"}  # and the connection goes on


def test_of_seats_only_the_newest_waits_and_too_much_is_too_much() -> None:
    from escapade.server.live import MOST_UNSENT, MOST_UNSENT_BYTES, Reader

    cut: list[str] = []
    reader = Reader(abort=lambda: cut.append("off"))
    reader.send(b"first")
    for number in range(2 * MOST_UNSENT):
        reader.send(b"seats %d" % number, replaces=True)
        if number == 7:
            reader.send(b"table")
    waiting = [reader.unsent.get_nowait() for _ in range(reader.unsent.qsize())]
    assert waiting == [b"first", b"table", b"seats %d" % (2 * MOST_UNSENT - 1)]
    assert (cut, reader.unsent.size) == ([], 0)
    reader.send(bytes(MOST_UNSENT_BYTES + 1))  # one always fits
    assert not cut
    reader.send(b"and more")
    assert cut == ["off"]
    assert reader.unsent.qsize() == 0
    many = Reader(abort=lambda: cut.append("off again"))
    for _ in range(MOST_UNSENT + 1):
        many.send(b"x")
    assert cut == ["off", "off again"]


def test_whoever_does_not_read_is_broken_off(small: Callable[..., Running]) -> None:
    server = small(unread=1)
    table, key = server.make("jamaica", mine(), mine("Bo"))
    player = Player(server, table, key)
    server.asked.close()
    server.asked = httpx.Client(trust_env=False, timeout=WAIT)
    wait_for(lambda: sockets(server) == 2)  # the one that listens, and the player's
    before = memory(server)
    ask = b"GET /client/table/page.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    stuck = [Raw(server, ask * 800, buffer=2048) for _ in range(3)]  # far more than the system buffers
    wait_for(lambda: sockets(server) == 2)
    assert memory(server) - before < 30
    assert player.ask("ping")["type"] == "pong"
    assert len(stuck) == 3  # they are still open on this side


def sockets(server: Running) -> int:
    """How many TCP sockets the server has open, in whatever state they are."""
    inodes = set()
    for file in Path(f"/proc/{server.process.pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            inodes.add(str(file.readlink()))
    lines = [line.split() for line in Path(f"/proc/{server.process.pid}/net/tcp").read_text().splitlines()[1:]]
    return sum(f"socket:[{line[9]}]" in inodes for line in lines)


@pytest.mark.parametrize("opcode", [9, 10], ids=["pings", "pongs"])
def test_a_flood_of_pings_is_broken_off(server: Running, opcode: int) -> None:
    anne, _ = server.open("jamaica")
    raw = upgraded(server, anne.table)
    raw.socket.recv(1)
    for _ in range(10):
        raw.send(frame(opcode, b"a") * 100)
    raw.read()
    one = upgraded(server, anne.table)
    one.send(frame(9, b"alive?"))
    heard = b""
    while b"\x8a\x06alive?" not in heard:
        heard += one.socket.recv(65536)


def test_a_message_in_endless_pieces_is_broken_off(server: Running) -> None:
    anne, _ = server.open("jamaica")
    raw = upgraded(server, anne.table)
    raw.send(frame(1, b"a", fin=False))
    raw.send(frame(0, b"", fin=False) * 5000)
    raw.read()
    assert anne.ask("ping")["type"] in ("pong", "seats")


# ---- behind a proxy, by name


def test_forwarded_addresses_count_only_from_a_proxy_that_is_named(small: Callable[..., Running]) -> None:
    trusting, strict = small("--proxy", "127.0.0.2", per_address=3), small(per_address=3)
    for server, others in ((trusting, 101), (strict, 503)):
        table, _ = server.make("jamaica", mine(), mine("Bo"))
        for number in range(5):
            far = f"X-Forwarded-For: 10.9.8.7, 192.0.2.{number}"
            line = first_line(server, "127.0.0.2", table, far, f"Forwarded: for=192.0.2.{number}")
            assert line.startswith(f"HTTP/1.1 {101 if number < 3 else others}".encode())
            RAW[-1].socket.recv(1)  # or it would be silent, and make room
        for number in range(4):
            line = first_line(server, "127.0.0.3", table, f"X-Forwarded-For: 192.0.2.{number}")
            assert line.startswith(b"HTTP/1.1 101" if number < 3 else b"HTTP/1.1 503")
            RAW[-1].socket.recv(1)


def test_a_proxy_is_an_address() -> None:
    with pytest.raises(serve.CannotServe, match="--proxy takes an address"):
        serve.networks(["nowhere"])
    assert list(map(str, serve.networks(["127.0.0.1", "10.1.2.3/8", "::1"]))) == [
        "127.0.0.1/32",
        "10.0.0.0/8",
        "::1/128",
    ]


def test_a_name_is_enforced_on_every_bind() -> None:
    assert serve.answered("0.0.0.0", []) == ["*"]
    assert "evil.example" not in serve.answered("127.0.0.1", [])
    named = serve.answered("0.0.0.0", ["play.example.org"])
    assert {"play.example.org", "localhost", "127.0.0.1", "[::1]", *serve.own_addresses()} <= set(named)
    assert "*" not in named


# ---- the log, and the answers of the HTTP layer


GARBAGE = [
    b"\x16\x03\x01\x02\x00\x01",
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\n: x\r\n\r\n",
    b"\xff" * 500,
]


def test_garbage_is_refused_with_the_headers_and_few_lines(server: Running) -> None:
    began, before = time.monotonic(), server.log.read_text().count("Invalid HTTP request received.")
    for data in GARBAGE:
        answer = Raw(server, data + b"\r\n\r\n").read()
        assert answer.startswith(b"HTTP/1.1 400 "), (data, answer)
        assert answer.endswith(b'{"code":"bad-request"}')
        assert all(f"{name}: {text}" in answer.decode().lower() for name, text in lowered(EXPECTED))
    for _ in range(60):
        Raw(server, GARBAGE[0] + b"\r\n\r\n").read()
    for header in ("Sec-WebSocket-Version: 13", "Upgrade: h2c", "A: " + "a" * 9000, "Sec-WebSocket-Key: x"):
        told = Raw(server, handshake(server, header)).read()
        assert told.startswith(b"HTTP/1.1 4"), told
    renamed = handshake(server).replace(f"Host: 127.0.0.1:{server.port}".encode(), b"Host: evil.example")
    for data in (handshake(server, "Origin: http://evil.example"), renamed):
        told = Raw(server, data).read()
        assert told.startswith(b"HTTP/1.1 403"), told
        assert all(f"{name}: {text}" in told.decode().lower() for name, text in lowered(EXPECTED))
    log = server.log.read_text()
    assert "Traceback" not in log
    assert "ASGI" not in log
    assert log.count("Invalid HTTP request received.") - before <= allowed(began)


def test_broken_text_closes_with_1007_and_few_lines(server: Running) -> None:
    began, before = time.monotonic(), server.log.read_text().count("Invalid UTF-8")
    anne, _ = server.open("jamaica")
    for _ in range(30):
        raw = upgraded(server, anne.table)
        raw.send(frame(1, b"\xff\xfe secret"))
        assert b"\x03\xef" in raw.read()  # 1007
    log = server.log.read_text()
    assert "Traceback" not in log
    assert "secret" not in log
    assert 1 <= log.count("Invalid UTF-8") - before <= allowed(began)


def allowed(began: float) -> int:
    """How many lines of a kind there may be since then."""
    return logs.A_MINUTE * (2 + int((time.monotonic() - began) / 60))


def record(name: str, text: str, *args: object, **more: Any) -> logging.LogRecord:
    made = logging.LogRecord(name, logging.ERROR, "x.py", 1, text, args, more.pop("exc_info", None))
    made.__dict__.update(more)
    return made


def test_the_log_has_so_many_lines_a_minute_of_each_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    bounded, line = logs.Bounded(3), logs.OneLine()
    told = [bounded.filter(record("a", "table %s failed", number)) for number in range(10)]
    assert told == [True] * 3 + [False] * 7
    assert bounded.filter(record("a", "another thing"))
    now[0] += 61
    again = record("a", "table %s failed", 11)
    assert bounded.filter(again)
    assert line.format(again) == "ERROR: table 11 failed (and 7 like it in the minute before)"
    kinds = [bounded.filter(record("a", f"kind {number}")) for number in range(1000)]
    assert sum(kinds) <= logs.MOST_KINDS + 3


def test_a_line_of_the_log_names_an_exception_and_not_what_it_says() -> None:
    try:
        raise KeyError("BBDHKS")
    except KeyError as fault:
        info = (KeyError, fault, fault.__traceback__)
    line = logs.OneLine().format(record("uvicorn.error", "Exception in ASGI application\n", exc_info=info))
    assert line.startswith("ERROR: Exception in ASGI application: KeyError (test_doors.py:")
    assert "BBDHKS" not in line
    asyncio_line = record("asyncio", "Exception in callback told(b'BBDHKS')\nhandle: <Handle told(b'BBDHKS')>")
    assert logs.OneLine().format(asyncio_line) == "ERROR: Exception in callback told"
    assert "\n" not in logs.OneLine().format(record("a", "x\ny\x1b[0m"))


# ---- names


HIDING = [
    *["An\u0085ne", "An\u009bne", "\u202eAnne", "An\u200ene", "Anne\u200f", "An\u061cne", "An\u200bne", "An\u200cne"],
    *["An\u200dne", "An\u2060ne", "\ufeffAnne", "An\u2028ne", "An\u2029ne", "\u2066Anne\u2069", "An\u00adne"],
    *["\u3164", "An\u034fne", "Anne\ufe0f", "\u2800", "An\U000e0041ne", "🏴\u200d", "\u200d☠"],
]
HONEST = [
    *["Ève 海賊", "محمد علي", "علی\u200cرضا", "דוד בן־גוריון", "क्\u200dष", "สมชาย", "한글", "Ζωή", "Женя"],  # noqa: RUF001
    *["🏴\u200d☠️", "👩🏽\u200d🚀", "👨\u200d👩\u200d👧", "❤️\u200d🔥", "1️⃣", "☠️", "🇩🇰", "a\u0301", "Nguyễn", "O'Neil"],
]


@pytest.mark.parametrize(
    "name",
    HIDING,
    ids=ascii,
)
def test_a_name_shows_all_that_it_has(server: Running, name: str) -> None:
    seats: list[dict[str, Any]] = [{"colour": 0, "name": name, "mine": True}, {"colour": 1}]
    refused = server.post("/api/tables", {"game": "jamaica", "seats": seats})
    assert (refused.status_code, refused.json()["code"]) == (400, "bad-setup")
    assert refused.json()["detail"] == f"the name {name!a} cannot be read"
    table, _ = server.make("jamaica", mine(), {})
    with Player(server, table) as guest:
        assert guest.refused("sit", seat=2 if guest.shown["seats"][1]["free"] else 1, name=name) == "bad-setup"


@pytest.mark.parametrize(
    "name",
    HONEST,
    ids=ascii,
)
def test_a_name_in_any_script_is_welcome(server: Running, name: str) -> None:
    table, key = server.make("jamaica", mine(name), mine("Bo"), first=0)
    with Player(server, table, key) as player:
        assert player.shown["seats"][0]["name"] == name


# ---- what is used of uvicorn


def test_uvicorn_has_what_the_doors_use(server: Running) -> None:
    """A version that names these otherwise would run without bounds."""
    http = set(dir(H11Protocol)) | set(H11Protocol.__init__.__code__.co_names) | set(Cycle.__init__.__code__.co_names)
    assert {"send_400_response", "handle_websocket_upgrade", "cycle", "transport", "config"} <= http
    assert {"more_body", "response_complete"} <= http
    frames = set(dir(WebSocketsSansIOProtocol)) | set(WebSocketsSansIOProtocol.__init__.__code__.co_names)
    used = {"handle_ping", "handle_pong", "keepalive_timeout", "run_asgi", "conn", "queue", "frames", "writable"}
    assert used | {"close_sent", "read_paused", "handshake_initiated", "handshake_complete"} <= frames
    assert issubclass(doors.Http, doors.Asking)
