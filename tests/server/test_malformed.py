"""Messages that are none: always answered with a fault, never with a change, and the connection goes on."""

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from server.live import MOST_SENT, Message, Player, Running, mine, wait_for
from server.test_order import TWO_ON_17, known
from websockets.exceptions import ConnectionClosed

from escapade.server.socket import read_message

DEEP = 1500
MALFORMED: dict[str, tuple[str | bytes, str]] = {
    "nothing": ("", "bad-message"),
    "no JSON": ("play D0>5", "bad-message"),
    "half of it": ('{"type":"ping"', "bad-message"),
    "more than one": ('{"type":"ping"}{"type":"ping"}', "bad-message"),
    "an array": ('[{"type":"ping"}]', "bad-message"),
    "a number": ("1", "bad-message"),
    "null": ("null", "bad-message"),
    "not a number": ("NaN", "bad-message"),
    "no type": ("{}", "bad-message"),
    "a type that is a number": ('{"type":1}', "bad-message"),
    "an unknown type": ('{"type":"win"}', "bad-message"),
    "the type of an answer": ('{"type":"moved","version":1}', "bad-message"),
    "a field too many": ('{"type":"ping","more":1}', "bad-message"),
    "a field too few": ('{"type":"play","version":0}', "bad-message"),
    "a text for a number": ('{"type":"play","version":"0","action":"D0>5"}', "bad-message"),
    "a broken number": ('{"type":"play","version":0.5,"action":"D0>5"}', "bad-message"),
    "truth for a number": ('{"type":"play","version":true,"action":"D0>5"}', "bad-message"),
    "a huge number": ('{"type":"play","version":1e400,"action":"D0>5"}', "bad-message"),
    "a number for a text": ('{"type":"play","version":0,"action":1}', "bad-message"),
    "a list for a text": ('{"type":"play","version":0,"action":["D0>5"]}', "bad-message"),
    "null for a text": ('{"type":"play","version":0,"action":null}', "bad-message"),
    "a long action": (json.dumps({"type": "play", "version": 0, "action": "D" * 25}), "bad-message"),
    "half a character": ('{"type":"say","text":"\\ud800"}', "bad-message"),
    "seat 0": ('{"type":"sit","seat":0,"name":"Cy"}', "bad-message"),
    "seat 7": ('{"type":"sit","seat":7,"name":"Cy"}', "bad-message"),
    "an unknown level": ('{"type":"bot","seat":1,"level":"god"}', "bad-message"),
    "a table with a strange name": ('{"type":"hello","table":"../../etc"}', "bad-message"),
    "a table with a long name": (json.dumps({"type": "hello", "table": "a" * 25}), "bad-message"),
    "a key that is too short": ('{"type":"hello","table":"abcdefgh","key":"abc"}', "bad-message"),
    "deep before the type": ('{"a":' + "[" * DEEP + "]" * DEEP + ',"type":"ping"}', "bad-message"),
    "deep without an end": ('{"a":' * 600, "bad-message"),
    "a deep array": ("[" * 4000, "bad-message"),
    "deep in a field": ('{"type":"say","text":' + "[" * DEEP + "]" * DEEP + "}", "bad-message"),
    "bytes": (b'{"type":"ping"}', "bad-message"),
    "no bytes": (b"", "bad-message"),
    "strange bytes": (bytes(range(256)), "bad-message"),
    "5 KB of text": (json.dumps({"type": "say", "text": "a" * 5000}), "too-big"),
    "5 KB of nothing": ("x" * 5000, "too-big"),
    "200 KB": ("[" * 200_000, "too-big"),
    "200 KB of bytes": (b"x" * 200_000, "bad-message"),
}


@pytest.fixture(scope="module")
def at(server: Running) -> Message:
    """A table with a game, and the key to both its seats."""
    table, key = server.make("jamaica", mine("Anne"), mine("Bo"), start=TWO_ON_17)
    return {"table": table, "key": key}


@pytest.mark.parametrize("what", MALFORMED)
def test_what_is_no_message_is_refused_and_the_connection_goes_on(server: Running, at: Message, what: str) -> None:
    data, code = MALFORMED[what]
    before = known(server, at["table"], at["key"], None)
    with Player(server, at["table"], at["key"]) as player:
        player.send_raw(data)
        answer = player.until("fault")
        assert answer["code"] == code
        assert player.settle() == []
    assert known(server, at["table"], at["key"], None) == before


def test_a_fault_says_where_it_is(server: Running, at: Message) -> None:
    player = Player(server, at["table"], at["key"])
    fault = player.ask("play", version="0", action="D0>5")
    assert (fault["code"], fault["where"], fault["detail"]) == (
        "bad-message",
        "$.version",
        "Expected `int`, got `str`",
    )


def test_a_message_of_300_kb_is_told_to_be_too_big(server: Running, at: Message) -> None:
    before = known(server, at["table"], at["key"], None)
    player = Player(server, at["table"], at["key"])
    player.send_raw("x" * 300_000)
    assert player.until("fault")["code"] == "too-big"
    assert known(server, at["table"], at["key"], None) == before


def test_a_message_of_3_mb_ends_the_connection_and_nothing_else(server: Running, at: Message) -> None:
    before = known(server, at["table"], at["key"], None)
    player = Player(server, at["table"], at["key"])
    with suppress(ConnectionClosed):
        player.send_raw("x" * 3_000_000)
    with pytest.raises(ConnectionClosed):
        player.settle()
    assert player.socket.close_code in (1006, 1009)  # the line may break before the reason is read
    player.come_again()
    assert known(server, at["table"], at["key"], None) == before


def test_everything_but_ping_wants_a_hello_first(server: Running) -> None:
    player = Player(server, "nowhere-at-all", answered="fault")
    assert player.heard[0]["code"] == "no-table"
    for kind, fields in UNGREETED.items():
        assert player.refused(kind, **fields) == "hello-first"
    assert player.ask("ping")["type"] == "pong"


UNGREETED: dict[str, Message] = {
    "play": {"version": 0, "action": "."},
    "undo": {"version": 0},
    "sit": {"seat": 1, "name": "Cy"},
    "bot": {"seat": 1, "level": "sailor"},
    "say": {"text": "Ahoy"},
    "hint": {"version": 0},
    "rematch": {},
}
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
TYPES = ["hello", "sit", "play", "undo", "bot", "say", "hint", "rematch", "ping", "table", "fault"]
FIELDS = ["type", "table", "key", "seat", "name", "version", "action", "level", "text"]
almost = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={
        name: values | st.integers(0, 3) | st.sampled_from(["D0>5", ".", "sailor", "Anne"]) for name in FIELDS[1:]
    },
)
texts = st.text(max_size=60) | st.text(alphabet='{}[]",:01abc\\u ', max_size=40)
anything = texts | values.map(json.dumps) | almost.map(json.dumps)


def decodes(text: str) -> bool:
    try:
        read_message(text)
    except msgspec.MsgspecError:
        return False
    return True


@settings(max_examples=500)
@given(anything)
def test_whatever_comes_is_a_message_or_an_error_of_the_decoder(text: str) -> None:
    decodes(text)


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(text=anything.filter(lambda text: not decodes(text)))
def test_whatever_is_no_message_changes_nothing_at_a_live_table(server: Running, at: Message, text: str) -> None:
    player = at.setdefault("player", None) or Player(server, at["table"], at["key"])
    at["player"] = player
    if player.sent >= MOST_SENT:
        player.come_again()
    shown = player.shown["state"]
    player.send_raw(text)
    assert player.until("fault", "table", "moved")["code"] in ("bad-message", "too-big")
    assert player.ask("hello", table=at["table"], key=at["key"])["state"] == shown


def test_whoever_is_too_fast_is_told_so_and_may_go_on_later(server: Running, at: Message) -> None:
    player = Player(server, at["table"], at["key"])
    for _ in range(150):
        player.send("ping")
    answers = [player.until("pong", "fault") for _ in range(150)]
    assert {answer["type"] for answer in answers} == {"pong", "fault"}
    assert {answer["code"] for answer in answers if answer["type"] == "fault"} == {"too-fast"}
    wait_for(lambda: player.ask("ping")["type"] == "pong")


def test_whoever_never_slows_down_is_let_go(server: Running, at: Message) -> None:
    player = Player(server, at["table"], at["key"])

    with pytest.raises(ConnectionClosed):
        flood(player)
    assert player.socket.close_code in (1008, 1012)


def flood(player: Player) -> None:
    """Send far too much, and then listen for good."""
    for _ in range(400):
        player.send("ping")
    player.until("nothing that is ever sent")


def test_chat_has_a_limit_of_its_own(server: Running) -> None:
    anne, bo = server.open("jamaica")
    for number in range(15):
        anne.send("say", text=f"line {number}")
    answers = [anne.until("said", "fault") for _ in range(15)]
    said = [answer["text"] for answer in answers if answer["type"] == "said"]
    assert {answer["code"] for answer in answers if answer["type"] == "fault"} == {"too-fast"}
    assert said[:3] == ["line 0", "line 1", "line 2"]
    bo.wait(lambda player: len([one for one in player.heard if one["type"] == "said"]) == len(said))
    assert [line["text"] for line in Player(server, anne.table).shown["chat"]] == said


def test_chat_is_one_line_of_things_to_read(server: Running) -> None:
    anne, _ = server.open("jamaica")
    assert anne.ask("say", text="\u0000 a\n\tb\u202e\u200bc\u0007 <b>é</b>  ")["text"] == "a b c <b>é</b>"
    assert anne.refused("say", text=" \n\u200b\u0000") == "bad-message"
    assert anne.refused("say", text="a" * 201) == "bad-message"
    assert Player(server, anne.table).refused("say", text="Ahoy") == "no-seat"


@pytest.mark.parametrize(
    "name", ["", " ", "\t", "a/b", 'a"b', "Anne\n", "\nAnne", "a\u0000", "a" * 25, "\u007f", "a\rb"], ids=ascii
)
def test_a_name_can_stand_in_a_record(server: Running, name: str) -> None:
    seats: list[dict[str, Any]] = [{"colour": 0, "name": name, "mine": True}, {"colour": 1}]
    refused = server.post("/api/tables", {"game": "jamaica", "seats": seats})
    assert (refused.status_code, refused.json()["code"]) == (400, "bad-message")
    assert refused.json()["where"] == "$.seats[0].name"
