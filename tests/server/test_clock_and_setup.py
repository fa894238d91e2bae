"""The clock, positions played on from, and tables that cannot be."""

from typing import Any

import pytest
from server.live import Player, Running, free, mine, play_out, position, sailor
from server.test_order import TWO_ON_17

import escapade
from escapade import games
from escapade.server.acting import seed_of
from escapade.server.keys import hashed
from escapade.server.messages import Place, Refused, Setup
from escapade.server.opening import open_table
from escapade.server.showing import state
from escapade.server.table import Table

OVER = position("jamaica", "37.37.37.37.37.37/0.0.0.0.17.17", "BBDHKS/DKPPSS", clock="1:1:5")


def test_a_bot_has_the_same_luck_for_a_whole_turn() -> None:
    """Whoever errs does so from the first action of the turn to the last."""
    game = escapade.new("jamaica", seed=1)
    first = seed_of(game, 1)
    game.play(next(action for action in game.legal_actions() if action != "."))
    assert (game.seat, seed_of(game, 1)) == (1, first)
    game.play(".")
    assert len({first, seed_of(game, 1), seed_of(game, 2), seed_of(escapade.new("jamaica", seed=2), 1)}) == 4


def test_whoever_lets_the_clock_run_out_is_played_for(server: Running) -> None:
    """Both games at once: a turn of Cartagena and a bet and a throw of Les Évadés pass by themselves."""
    cartagena = server.open("jamaica", start=TWO_ON_17, clock=5)
    evades = server.open("evades", clock=5)
    for player in cartagena:
        assert player.state
        assert 0 < player.state["left"] <= 5
    for player in cartagena:
        player.wait(lambda player: player.turn >= 6)
        moves = [message["move"] for message in player.heard if message["type"] == "moved"]
        assert moves[0]["seat"] == 1
        assert all(move["late"] for move in moves)
        assert all(move["late"] for move in Player(server, player.table).shown["moves"])
        steps = server.get(f"/api/tables/{player.table}/replay").json()["steps"]
        assert [step.get("late", False) for step in steps[: len(moves)]] == [True] * len(moves)
        assert [move["action"] for move in moves if move["turn"] == 5][-1] == "."
    for player in evades:
        player.wait(lambda player: player.turn >= 1)
        bets = [message["move"] for message in player.heard if message["type"] == "moved"][:2]
        assert sorted(bet["seat"] for bet in bets) == [1, 2]
        assert sorted(bet["action"] == "bet" for bet in bets) == [False, True]
        player.wait(lambda player: player.heard[-1]["type"] == "moved" and "roll" in player.heard[-1]["move"]["action"])


def test_a_clock_runs_from_the_end_of_the_turn_before_and_a_server_that_was_away_leaves_a_minute() -> None:
    places = [Place(colour=0, name="Anne", mine=True), Place(colour=1, name="Bo", mine=True)]
    setup = Setup(game="jamaica", seats=places, start=TWO_ON_17, clock=90)
    table, both = Table("clocked", open_table(setup, "key", bytes(32), 0, 1000.0)), frozenset({1, 2})
    assert table.due(0.0) == table.deadline(0.0) == 1090.0
    table.play(both, 0, "D0>5", 1050.0)
    assert table.deadline(0.0) == 1090.0
    table.play(both, 1, ".", 1060.0)
    assert table.deadline(0.0) == 1150.0
    assert table.deadline(1140.0) == 1200.0
    assert state(table, both, 1100.0, 0.0).left == 50.0
    assert state(table, both, 1200.0, 0.0).left == 0.0
    table.undo(both, 2, 1061.0)
    assert table.deadline(0.0) == 1090.0


@pytest.mark.parametrize(
    "start",
    [
        position("tortuga", "0.0.0.0.0.36/0.0.0.0.17.17", "BBDHKS/DKPPSS", row="KDDBSP", clock="2:1:40"),
        position("first-escape", "0.0.0.0.0.36/0.0.0.0.17.17/1.1.2.3.4.5", "B/-/S", row="KDDBSP", clock="3:0:7"),
        "evades 0:yo,5:r,7:b,9:d,#1:ln br.yl.do.n/yo.bn.rl.d b4w3 r+ 2:14",
        "evades 0:bryldon -/-/- - - 1:0",
    ],
    ids=["tortuga", "first-escape", "evades", "before the bets"],
)
def test_a_position_is_played_on_from_to_the_end(server: Running, start: str) -> None:
    edition, players = start.split(" ")[0], start.split(" ")[2].count("/") + 1
    people = server.open(edition, players, start=start)
    seat = int(start.rsplit(" ", 1)[1].split(":")[0])
    for player in people:
        assert player.state
        assert player.state["seat"] == seat
    play_out(people)
    record = server.record(people[0].table)
    assert f'[Start "{start}"]' in record
    assert server.post("/api/replay", {"record": record}).json()["proven"] is False


GOOD: dict[str, Any] = {"game": "jamaica", "seats": [{"colour": 0, **mine()}, {"colour": 1}]}
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no such edition": ({"game": "monopoly"}, "no edition is called 'monopoly'"),
    "no such house rule": ({"game": "jamaica+wings=on"}, "no house rule is called 'wings'"),
    "a house rule that cannot be": ({"game": "jamaica+pirates=99"}, "pirates can be 3 to 8"),
    "too many players": (
        {"seats": [{"colour": i, "name": "a", "mine": True} for i in range(6)]},
        "6 players; Cartagena is for 2 to 5",
    ),
    "two of a colour": ({"seats": [{"colour": 0, **mine()}, {"colour": 0}]}, "the same colour"),
    "a first place that is not there": ({"first": 2}, "place 2 cannot begin"),
    "yours and a bot's": ({"seats": [{"colour": 0, **mine(), **sailor()}, {"colour": 1}]}, "not both"),
    "a seat of yours without a name": ({"seats": [{"colour": 0, "mine": True}, {"colour": 1}]}, "need names"),
    "a bot without a name": ({"seats": [{"colour": 0, "bot": "sailor"}, {"colour": 1}]}, "need names"),
    "a tunnel that is none": ({"tunnel": "BBBBBB/DDDDDD"}, "BBBBBB"),
    "a tunnel for Les Évadés": ({"game": "evades", "tunnel": "KBSDHP/BPHSDK/DBKPHS"}, "tunnel"),
    "a printing for Les Évadés": ({"game": "evades", "printing": "tilsit"}, "Les Évadés has no printing tilsit"),
    "a position and a tunnel": ({"start": TWO_ON_17, "tunnel": "KBSDHP/BPHSDK/DBKPHS"}, "has a tunnel"),
    "a position and a first place": ({"start": TWO_ON_17, "first": 0}, "has a tunnel and a first seat"),
    "no position": ({"start": "jamaica"}, "jamaica"),
    "a position of another edition": ({"game": "tortuga", "start": TWO_ON_17}, "is not what the position has"),
    "a position of other seats": (
        {"start": TWO_ON_17, "seats": [{"colour": 0, **mine()}, {"colour": 1}, {"colour": 2}]},
        "3 seats is not what the position has",
    ),
    "a position that is over": ({"start": OVER}, "over"),
    "a position with unknown cards": ({"start": TWO_ON_17.replace("BBDHKS", "BBDHK?")}, "unknown"),
    "a position with cards too many": ({"start": TWO_ON_17.replace("BBDHKS", "BBDHKSS")}, "S"),
}


@pytest.mark.parametrize("what", BAD)
def test_a_table_that_cannot_be_is_refused_with_the_reason(server: Running, what: str) -> None:
    changes, reason = BAD[what]
    refused = server.post("/api/tables", {**GOOD, **changes})
    assert (refused.status_code, refused.json()["code"]) == (400, "bad-setup"), refused.text
    assert reason in refused.json()["detail"]


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"seats": []}, "$.seats"),
        ({"seats": [{"colour": 0}] * 7}, "$.seats"),
        ({"clock": 4}, "$.clock"),
        ({"pace": -1}, "$.pace"),
        ({"printing": "gold"}, "$.printing"),
        ({"game": "x" * 301}, "$.game"),
        ({"start": "x" * 2001}, "$.start"),
        ({"seats": [{"colour": 9}, {"colour": 1}]}, "$.seats[0].colour"),
        ({"seats": [{"colour": 0, "bot": "god"}, {"colour": 1}]}, "$.seats[0].bot"),
        ({"seed": "0" * 64}, None),
    ],
    ids=str,
)
def test_a_setup_with_a_field_that_cannot_be_is_refused_with_its_place(
    server: Running, changes: dict[str, Any], where: str | None
) -> None:
    refused = server.post("/api/tables", {**GOOD, **changes})
    assert (refused.status_code, refused.json()["code"], refused.json().get("where")) == (400, "bad-message", where)


def test_a_level_that_a_game_has_no_bot_for_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(games.kind_of("jamaica").bots.BOTS, "legend")
    places = [Place(colour=0, name="Anne", mine=True), Place(colour=1, name="Bot", bot="legend")]
    with pytest.raises(Refused) as refused:
        open_table(Setup(game="jamaica", seats=places), "key", bytes(32), 0, 0.0)
    assert (refused.value.code, refused.value.detail) == ("bad-setup", "Cartagena has no bot called legend")
    free_seat = [Place(colour=0, name="Anne", mine=True), Place(colour=1)]
    table = Table("without", open_table(Setup(game="jamaica", seats=free_seat, first=0), "key", bytes(32), 0, 0.0))
    with pytest.raises(Refused, match="bad-message"):
        table.set_bot(2, "legend", hashed("key"), True, 0.0)
    table.set_bot(2, "captain", hashed("key"), True, 0.0)


def test_whoever_has_no_seat_may_still_make_a_table_for_others(server: Running) -> None:
    table, key = server.make("jamaica", free(), sailor(), first=0)
    host = Player(server, table, key)
    assert (host.seats, host.shown["host"]) == ([], True)
    guest = Player(server, table)
    guest.sit(1, "Guest")
    assert guest.state
    assert guest.state["legal"]
