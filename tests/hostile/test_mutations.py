"""Thousands of messages and requests that are nearly right: each is refused by a code, and nothing breaks."""

import json
import random
from collections import Counter
from collections.abc import Callable

import pytest
from hostile.starting import Visit
from hostile.wire import BYTES, PING, TEXT, Closed, Line, Message, Visitor, framed, mine
from server.live import Running

FRAMES, REQUESTS, AT_ONCE = 2000, 300, 35
GOOD: list[Message] = [
    {"type": "hello", "table": "abcdefghijkl", "key": "k" * 24},
    {"type": "sit", "seat": 1, "name": "Eve"},
    {"type": "play", "version": 0, "action": "B0>1"},
    {"type": "undo", "version": 0},
    {"type": "bot", "seat": 1, "level": "sailor"},
    {"type": "say", "text": "Ahoy"},
    {"type": "hint", "version": 0},
    {"type": "rematch"},
]  # but no ping: the answer to it tells that all others have been answered
ODD: list[object] = [None, True, -1, 0, 7, 10**30, 1e400, "", "x" * 5000, "\ud800", "\0", [], {}, [[[]]], {"a": 1}]
SAFE = (b"?", b"'", b"\\", b"\0", b"%00", b"\xff\xfe", b"{", b"[" * 500, b'"', b"9" * 30, b"..%2f", b"\r\n", b" " * 40)


def other_value(rng: random.Random, message: Message) -> bytes:
    return json.dumps({**message, rng.choice(list(message)): rng.choice(ODD)}).encode()


def other_field(rng: random.Random, message: Message) -> bytes:
    return json.dumps({**message, rng.choice(["key", "seat", "__class__", "more", ""]): rng.choice(ODD)}).encode()


def missing(rng: random.Random, message: Message) -> bytes:
    kept = {name: value for name, value in message.items() if rng.random() < 0.6}
    return json.dumps(kept).encode()


def bent(rng: random.Random, message: Message) -> bytes:
    text = bytearray(json.dumps(message).encode())
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text))
        text[at : at + rng.randint(0, 3)] = rng.choice(SAFE) if rng.random() < 0.5 else rng.randbytes(2)
    return bytes(text)


BENDINGS: list[Callable[[random.Random, Message], bytes]] = [other_value, other_field, missing, bent]


@pytest.mark.parametrize("seed", [1, 2])
def test_a_bent_message_is_a_fault_and_nothing_else(server: Running, visit: Visit, seed: int) -> None:
    visitor, rng = visit(server), random.Random(seed)
    table, key = visitor.made("jamaica", mine("Anne"), mine("Bo"), first=0)
    before, answers = visitor.come(table, key).shown["state"]["view"], Counter[str]()
    for _ in range(FRAMES // AT_ONCE // 2):
        with visitor.come(table) as line:
            for _ in range(AT_ONCE):
                payload = rng.choice(BENDINGS)(rng, rng.choice(GOOD))
                kind = TEXT if is_utf8(payload) else BYTES  # broken UTF-8 is for the log's test: it ends a connection
                line.frame(kind, payload)
            answers += heard(line)
    assert answers["bad-message"] > FRAMES // 5
    assert not answers.keys() & {"broken", "damaged", "closed"}, answers
    assert "Traceback" not in server.log.read_text()
    assert visitor.come(table, key).shown["state"]["view"] == before


def heard(line: Line) -> Counter[str]:
    """The codes of all faults that a connection was answered with, up to the answer to a ping."""
    seen = Counter[str]()
    line.send("ping")
    try:
        while (message := line.hear())["type"] != "pong":
            seen[str(message.get("code") or message["type"])] += 1
    except Closed as end:
        seen["closed" if end.code == 1006 else f"closed {end.code}"] += 1
    return seen


def is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


BROKEN_FRAMES = {
    "no mask": b"\x81\x02{}",
    "reserved bits": b"\xf1\x80\0\0\0\0",
    "an unknown kind": b"\x8b\x80\0\0\0\0",
    "a long ping": framed(PING, b"x" * 126),
    "a ping in parts": framed(PING, b"x", last=False),
    "the rest of nothing": framed(0, b"x"),
    "a new one before the end": framed(TEXT, b"a", last=False) + framed(TEXT, b"b"),
    "a huge length": b"\x81\xff" + b"\x7f" + b"\xff" * 7 + bytes(4),
    "a close of one byte": framed(8, b"x"),
}


@pytest.mark.parametrize("what", BROKEN_FRAMES)
def test_a_broken_frame_ends_its_own_connection_only(server: Running, visit: Visit, what: str) -> None:
    visitor = visit(server)
    table, _ = visitor.made("jamaica", mine(), {})
    with visitor.come(table) as honest, visitor.come(table) as line:
        line.way.sendall(BROKEN_FRAMES[what])
        with pytest.raises(Closed):
            line.until("nothing that is ever sent", timeout=20)
        assert honest.ask("ping")["type"] == "pong"
    assert "Traceback" not in server.log.read_text()


SETUP = {"game": "jamaica", "seats": [{"colour": 0, "name": "Anne", "mine": True}, {"colour": 1}], "first": 0}
BODIES: dict[str, Message] = {
    "/api/tables": SETUP,
    "/api/position": {"position": "jamaica BPHSDK/DBKPHS 0.0/0.0 B/D - ?9 - 1:0:1"},
    "/api/replay": {"record": '[Game "cartagena"]\n[Edition "jamaica"]\n\n1. B0>1\n\n', "number": 1},
    "/api/qr": {"link": "http://localhost/t/abc"},
}
METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "BREW")


def test_a_bent_request_is_answered_with_a_code_and_never_with_500(server: Running, visit: Visit) -> None:
    rng, statuses = random.Random(3), Counter[int]()
    for number in range(REQUESTS):
        if number % 150 == 0:
            visitor = visit(server)
        statuses[bent_request(visitor, rng)] += 1
    assert not [status for status in statuses if status >= 500], statuses
    assert statuses[400] > REQUESTS // 5
    assert "Traceback" not in server.log.read_text()


def bent_request(visitor: Visitor, rng: random.Random) -> int:
    """Send one, and give the status; whatever is refused has a code and is JSON."""
    path, body = rng.choice(list(BODIES.items()))
    method = rng.choice(METHODS) if rng.random() < 0.2 else "POST"
    if rng.random() < 0.2:
        path += rng.choice(["/", "//", "/..", "?id=" + "%ff" * 9, "%2f", ";a=b", "/%00", "?" + "id=x&" * 300])
    headers = {"Content-Type": rng.choice(["application/json", "text/xml", "multipart/form-data", ""])}
    answer = visitor.asked.request(method, path, content=rng.choice(BENDINGS)(rng, body), headers=headers)
    if answer.status_code >= 400 and method != "HEAD":
        assert answer.headers["content-type"] == "application/json", answer
        assert set(answer.json()) <= {"code", "detail", "where", "why"}
    return answer.status_code
