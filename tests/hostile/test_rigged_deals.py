"""H1: whoever sets a game up can choose much, but cannot have it called chance."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from hostile.starting import Visit
from hostile.truth import COPIES, SYMBOLS
from hostile.wire import Line, Message, Visitor, mine
from server.live import Running

GAME = "jamaica+turn-limit=2"
TUNNEL = "BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH"


def rigged() -> str:
    """A start in which the host holds what it likes, and knows what comes."""
    hands, top = ["BBBBKK", "DDDDDD"], "KKKKBBBB"
    left = {card: COPIES - "".join([*hands, top]).count(card) for card in SYMBOLS}
    pile = top + "".join(card * count for card, count in left.items())
    return f"{GAME} {TUNNEL} 0.0.0.0.0.0/0.0.0.0.0.0 {'/'.join(hands)} - {pile} - 1:0:1"


def played_out(visitor: Visitor, **more: Any) -> tuple[str, Message, Message]:
    """A table of two, played to its end: its id, and what the guest saw in the lobby and at the table."""
    table, key = visitor.made(GAME, mine(), {}, **more)
    guest = visitor.come(table)
    lobby = guest.shown
    guest.send("sit", seat=2 if lobby["seats"][1]["free"] else 1, name="Bo")
    while not (shown := guest.until("table"))["state"]:
        pass
    host = visitor.come(table, key)
    states: dict[Line, Message] = {host: host.shown["state"], guest: shown["state"]}
    version = 0
    while states[host]["result"] == "*":
        acting = next(line for line, state in states.items() if state["legal"])
        acting.send("play", version=version, action=states[acting]["legal"][0])
        version += 1
        for line in states:
            states[line] = line.until("moved")["state"]
    return table, lobby, shown


def verified(visitor: Visitor, table: str, folder: Path) -> str:
    """What the command says about a table's record."""
    (folder / "game.esc").write_text(visitor.asked.get(f"/api/tables/{table}/record").text)
    told = subprocess.run(
        [sys.executable, "-m", "escapade.cli", "verify", str(folder / "game.esc")], capture_output=True, text=True
    )
    return told.stdout


def replays(visitor: Visitor, table: str) -> list[httpx.Response]:
    """The table's own replay, and that of its record brought from outside."""
    record = visitor.asked.get(f"/api/tables/{table}/record").text
    return [
        visitor.asked.get(f"/api/tables/{table}/replay"),
        visitor.asked.post("/api/replay", json={"record": record}),
    ]


def test_a_game_from_a_position_is_named_to_the_guest_and_never_called_proven(
    server: Running, visit: Visit, tmp_path: Path
) -> None:
    visitor = visit(server)
    table, lobby, shown = played_out(visitor, start=rigged())
    assert "position" in lobby.get("chosen", [])
    assert "position" in shown.get("chosen", [])
    assert lobby["start"], "the guest may look at it"
    for replay in replays(visitor, table):
        assert replay.json()["proven"] is False
        assert "position" in replay.json()["chosen"]
    told = verified(visitor, table, tmp_path)
    assert "0 of them proven" in told
    assert "position" in told


def test_a_guest_who_looks_at_the_position_is_not_shown_hands_of_others(server: Running, visit: Visit) -> None:
    _, lobby, shown = played_out(visit(server), start=rigged())
    assert "BBBB" not in str(lobby)
    assert "DDDD" not in str(lobby)
    assert "BBBB" not in str(shown)


@pytest.mark.parametrize(
    ("more", "named"), [({"tunnel": TUNNEL}, "tunnel"), ({"first": 0}, "first"), ({"first": 1}, "first")]
)
def test_what_else_a_host_sets_is_named(server: Running, visit: Visit, more: Message, named: str) -> None:
    visitor = visit(server)
    table, lobby, shown = played_out(visitor, **more)
    assert lobby.get("chosen") == shown.get("chosen") == [named]
    assert visitor.asked.get(f"/api/tables/{table}/replay").json()["chosen"] == [named]


def test_a_fair_game_is_proven_and_nothing_is_named(server: Running, visit: Visit, tmp_path: Path) -> None:
    visitor = visit(server)
    table, lobby, shown = played_out(visitor)
    assert lobby.get("chosen") == shown.get("chosen") == []
    for replay in replays(visitor, table):
        assert (replay.json()["proven"], replay.json()["chosen"]) == (True, [])
    assert "1 of them proven fair" in verified(visitor, table, tmp_path)
