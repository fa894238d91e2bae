"""The attacks, with their sizes as parameters: short ones for the tests, long ones for benchmarks/hostile.py.

Each returns how it was answered: codes of faults and refusals, closing codes, statuses, or what else was seen.
"""

import contextlib
import random
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable

import httpx
from hostile.wire import PING, TEXT, Closed, Line, Refused, Visitor, bot, framed, mine, said

AT_ONCE = 38  # messages that a connection may send at once, without one or two to spare
HALVES = (
    b"",
    b"GET /api/rules HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half",
    b"POST /api/position HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{",
)
Seen = Counter[str]


def stay_silent(visitor: Visitor, count: int, halves: Iterable[bytes] = HALVES) -> list[socket.socket]:
    """H3: open connections that say nothing, or half of a request, and never more."""
    ways, said = list[socket.socket](), list(halves)
    for number in range(count):
        with contextlib.suppress(OSError):
            way = visitor.knock()
            ways.append(way)
            way.sendall(said[number % len(said)])
    return ways


def still_open(ways: list[socket.socket]) -> int:
    """How many of these the server has not ended; what it has said is read and forgotten."""
    for way in ways:
        with contextlib.suppress(OSError):
            while way.fileno() >= 0 and said(way):
                if not way.recv(65536):
                    way.close()
    return sum(way.fileno() >= 0 for way in ways)


def open_legends(visitor: Visitor, count: int) -> tuple[Seen, list[str]]:
    """H4: tables of four legends at which nobody sits, whose clocks drive them on."""
    seen, tables = Seen(), list[str]()
    for _ in range(count):
        legends = [bot("legend", f"Legend {number}") for number in range(4)]
        answer = visitor.make("jamaica", mine(), *legends, clock=5, first=1)
        seen[code_of(answer)] += 1
        if answer.status_code == 201:
            tables.append(answer.json()["table"])
    return seen, tables


def code_of(answer: httpx.Response) -> str:
    """The code of a refusal, or the status of what is none."""
    return str(answer.json()["code"]) if answer.status_code >= 400 else str(answer.status_code)


def ask_hints(visitor: Visitor, tabs: int, seconds: float, tables: int = 10) -> Seen:
    """H4: many tabs of one visitor, each asking for hints again as soon as it is answered."""
    made = [visitor.made("jamaica", mine(), bot("cabin-boy"), first=0) for _ in range(tables)]
    seen, lines = Seen(), list[Line]()
    for number in range(tabs):
        with contextlib.suppress(Closed, Refused, OSError):
            line = visitor.come(*made[number % tables])
            line.send("hint", version=0)
            lines.append(line)
    end = time.monotonic() + seconds
    while lines and time.monotonic() < end:
        for line in list(lines):
            try:
                for message in line.waiting():
                    if message["type"] in ("hints", "fault"):
                        seen[str(message.get("code") or "hints")] += 1
                        line.send("hint", version=0)
            except Closed as closed:
                seen[f"closed {closed.code}"] += 1
                lines.remove(line)
        time.sleep(0.2)
    return seen


def abandon_hints(visitor: Visitor, count: int) -> Seen:
    """H4: ask for hints and go away before they come."""
    table, key = visitor.made("jamaica", mine(), bot("cabin-boy"), first=0)
    seen = Seen()
    for _ in range(count):
        with contextlib.suppress(Closed, Refused), visitor.come(table, key) as line:
            line.send("hint", version=0)
            seen["asked"] += 1
    return seen


def long_record(visitor: Visitor, size: int) -> str:
    """A record as large as that: one finished game over and over."""
    table, key = visitor.made("jamaica+turn-limit=60", mine("Anne"), mine("Bo"), first=0)
    line, rng = visitor.come(table, key), random.Random(1)
    shown, sent = line.shown, 1
    while shown["state"]["result"] == "*":
        if sent == AT_ONCE:
            line.close()
            line, sent = visitor.come(table, key), 1
        line.send("play", version=shown["version"], action=rng.choice(shown["state"]["legal"]))
        shown, sent = line.until("moved"), sent + 1
    line.close()
    record = visitor.asked.get(f"/api/tables/{table}/record").text
    return record * (size // len(record.encode()))


def paste_records(visitor: Visitor, record: str, count: int) -> Callable[[float], Seen]:
    """H4: let large records be checked, all at once; what is returned waits for the answers."""
    seen, number = Seen(), record.count("[Game ")

    def paste() -> None:
        with Visitor(visitor.port, visitor.address) as own, contextlib.suppress(httpx.HTTPError):
            seen[code_of(own.asked.post("/api/replay", json={"record": record, "number": number}))] += 1

    pasting = [threading.Thread(target=paste, daemon=True) for _ in range(count)]
    for thread in pasting:
        thread.start()

    def wait(most: float) -> Seen:
        end = time.monotonic() + most
        for thread in pasting:
            thread.join(max(0.0, end - time.monotonic()))
        seen["unanswered"] += sum(thread.is_alive() for thread in pasting)
        return +seen

    return wait


def take_back(visitor: Visitor, actions: int, seconds: float = 60.0) -> tuple[str, str, Seen]:
    """H2: play and take back, tab after tab; returns the table, its key and what was answered."""
    table, key = visitor.made("jamaica", mine("Anne"), mine("Bo"), first=0)
    rng, seen, end = random.Random(2), Seen(), time.monotonic() + seconds
    while seen["moved"] + seen["undone"] < actions and time.monotonic() < end:
        with contextlib.suppress(Closed, Refused), visitor.come(table, key) as line:
            play_and_undo(line, rng, seen, end)
    return table, key, seen


def play_and_undo(line: Line, rng: random.Random, seen: Seen, end: float) -> None:
    """Act as often as a connection may at once, and take back most actions that can be."""
    shown, tired = line.shown, False
    for _ in range(AT_ONCE - 1):
        state = shown["state"]
        if time.monotonic() > end or state["result"] != "*":
            return
        undo = state["undo"] and not tired and rng.random() < 0.7
        back = [action for action in state["legal"] if "<" in action]
        action = {} if undo else {"action": rng.choice(back if back and rng.random() < 0.4 else state["legal"])}
        line.send("undo" if undo else "play", version=shown["version"], **action)
        answer = line.until("moved", "undone", "fault")
        seen[str(answer.get("code") or answer["type"])] += 1
        tired = answer["type"] == "fault"
        shown = shown if tired else answer


def watch(visitor: Visitor, table: str, count: int) -> tuple[Seen, list[Line]]:
    """M1: fill a table with watchers."""
    seen, lines = Seen(), list[Line]()
    for _ in range(count):
        try:
            lines.append(visitor.come(table))
            seen[str(lines[-1].shown.get("code") or "table")] += 1
        except (Closed, Refused) as refused:
            seen[f"{type(refused).__name__.lower()} {refused.args[0]}"] += 1
    return seen, lines


def greet(visitor: Visitor, table: str, watchers: int, hellos: int = AT_ONCE) -> None:
    """M2: watchers say hello as often as they may at once, each of which tells everyone who is there."""
    lines = [visitor.line() for _ in range(watchers)]
    text = framed(TEXT, f'{{"type":"hello","table":"{table}"}}'.encode())
    for line in lines:
        line.way.sendall(text * hellos)


def talk(visitor: Visitor) -> tuple[str, str]:
    """A table whose chat is as long as it can be, so that showing it takes 80 KB; returns its id and its key."""
    table, key = visitor.made("jamaica", mine("Anne"), mine("Bo"), first=0)
    for _ in range(20):
        with visitor.come(table, key) as line:
            for _ in range(5):
                line.ask("say", text="\U0001f480" * 200)
    return table, key


def never_read(visitor: Visitor, at: tuple[str, str], sockets: int, seconds: float, done: Callable[[], bool]) -> None:
    """M3: ask for a long table again and again and read nothing of it, for so long or until something is so."""
    text = framed(TEXT, '{{"type":"hello","table":"{}","key":"{}"}}'.format(*at).encode())
    lines, end = [visitor.line(small=True) for _ in range(sockets)], time.monotonic() + seconds
    for line in lines:
        line.way.sendall(text * AT_ONCE)
    while time.monotonic() < end and not done():
        time.sleep(1.0)
        for line in lines:
            with contextlib.suppress(OSError):
                line.way.send(text)


def ping_unread(visitor: Visitor, sockets: int, size: int, seconds: float) -> Seen:
    """M4: send WebSocket pings and read no pong."""
    lines = [visitor.line() for _ in range(sockets)]
    pings, end, sent, seen = framed(PING, b"x" * 125) * 500, time.monotonic() + seconds, Counter[Line](), Seen()
    for line in lines:
        line.way.setblocking(False)
    while lines and time.monotonic() < end:
        for line in list(lines):
            try:
                sent[line] += line.way.send(pings[sent[line] % 131 :])
            except BlockingIOError:
                time.sleep(0.01)
            except OSError:
                seen["broken off"] += 1
                lines.remove(line)
                continue
            if sent[line] >= size:
                lines.remove(line)
    seen["MB sent"] = sent.total() // 1_000_000
    return seen


def send_garbage(visitor: Visitor, count: int) -> None:
    """What is no request at all, one connection each."""
    rng = random.Random(4)
    for _ in range(count):
        with contextlib.suppress(OSError), visitor.knock() as way:
            way.sendall(rng.randbytes(40) + b"\r\n\r\n")
            way.recv(4096)


def break_utf8(visitor: Visitor, count: int) -> None:
    """Text frames that are no text."""
    for _ in range(count):
        with contextlib.suppress(Closed, Refused, OSError), visitor.line() as line:
            line.frame(TEXT, b'{"type":"say","text":"\xff\xfe"}')
            line.until("nothing that is ever sent", timeout=10)


def sit_and_vanish(visitor: Visitor, table: str, key: str) -> None:
    """M5: the line breaks right after `sit`, before anything of the answer is read."""
    line = visitor.line()
    line.send("hello", table=table)
    line.until("table")
    line.way.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.send("sit", seat=2, name="Bo", key=key)
    line.close()


def status_of(visitor: Visitor, count: int, forwarded: Callable[[int], dict[str, str]]) -> Seen:
    """M6: ask again and again with headers that name other addresses; many requests in one go, to be fast."""
    seen = Seen()
    for start in range(0, count, 100):
        numbers = range(start, min(start + 100, count))
        asked = b"".join(question(forwarded(number), number == numbers[-1]) for number in numbers)
        answers = visitor.exchange(asked).split(b"HTTP/1.1 ")[1:]
        seen.update(answer[:3].decode() for answer in answers)
    return seen


def question(headers: dict[str, str], last: bool) -> bytes:
    """A request; the last one asks for the connection to be closed."""
    lines = [f"{name}: {value}" for name, value in headers.items()]
    end = ["Connection: close", "", ""] if last else ["", ""]
    return "\r\n".join(["GET /api/tables HTTP/1.1", "Host: 127.0.0.1", *lines, *end]).encode()
