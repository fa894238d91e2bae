"""Order and repetition: an action counts once, on the version it was made on, from the seat whose turn it is."""

import re
from typing import Any

import pytest
from server.live import Message, Player, Running, free, mine, play_out, position

TWO_ON_17 = position("jamaica", "0.0.0.0.0.18/0.0.0.0.17.17", "BBDHKS/DKPPSS", top="PS")
BET = "bet:br.yl.do.n"


def known(server: Running, table: str, *keys: str | None) -> list[Message]:
    """The table as each of these may know it, but for what passes with time."""
    told = []
    for key in keys:
        with Player(server, table, key) as reader:
            shown = dict(reader.shown)
            state = {name: value for name, value in (shown["state"] or {}).items() if name not in ("grace", "left")}
            seats = [{**sitter, "here": None} for sitter in shown["seats"]]
            told.append({**shown, "state": state, "seats": seats, "watchers": None})
    return told


def test_an_action_heard_twice_is_answered_with_the_table_and_done_once(server: Running) -> None:
    anne, bo = server.open("jamaica", start=TWO_ON_17)
    anne.play("D0>5")
    again = anne.ask("play", version=0, action="D0>5")
    assert (again["type"], again["version"], len(again["moves"])) == ("table", 1, 1)
    anne.come_again()
    again = anne.ask("play", version=0, action="D0>5")
    assert (again["type"], again["version"], len(again["moves"])) == ("table", 1, 1)
    bo.until("moved")
    assert [message["type"] for message in bo.settle() if message["type"] != "seats"] == []


def test_the_last_action_of_a_game_heard_twice_is_answered_with_the_table(server: Running) -> None:
    anne, _ = server.open("jamaica+turn-limit=1")
    while not anne.over:
        action = anne.choose()
        anne.play(action)
    again = anne.ask("play", version=anne.version - 1, action=action)
    assert (again["type"], again["version"]) == ("table", anne.version)
    assert anne.refused("play", version=anne.version, action=action) == "not-your-turn"


def test_a_bet_heard_twice_is_no_other_seats_bet(server: Running) -> None:
    """Two people share a screen; a third one bets between the moment they saw the table and their own bet."""
    table, key = server.make("evades", mine("Anne"), mine("Bo"), free(), first=0)
    cy = Player(server, table)
    cy.sit(3, "Cy")
    pair = Player(server, table, key)
    cy.play(BET)
    pair.send("play", version=0, action="bet:yo.bn.rl.d")
    pair.wait(lambda player: player.version == 2)
    again = pair.ask("play", version=0, action="bet:yo.bn.rl.d")
    assert (again["type"], again["version"], again["state"]["sealed"]) == ("table", 2, [1, 3])
    pair.play("bet:yo.bn.rl.d")  # the other one may bet the same
    assert pair.state
    assert pair.state["turn"] == 1


def test_an_action_taken_back_and_then_heard_again_stays_taken_back(server: Running) -> None:
    anne, _ = server.open("jamaica", start=TWO_ON_17)
    anne.play("D0>5")
    anne.ask("undo", version=1)
    again = anne.ask("play", version=0, action="D0>5")
    assert (again["type"], again["version"], again["moves"]) == ("table", 2, [])


REFUSED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "on an older version": ("anne", "stale", {"version": 0, "action": "B0>1"}),
    "on an older version, what another one did": ("bo", "stale", {"version": 0, "action": "D0>5"}),
    "on a version to come": ("anne", "stale", {"version": 2, "action": "B0>1"}),
    "on a version far to come": ("anne", "stale", {"version": 1_000_000_000, "action": "B0>1"}),
    "for another seat": ("bo", "not-your-turn", {"version": 1, "action": "B0>1"}),
    "of one's own when another is to act": ("bo", "not-your-turn", {"version": 1, "action": "D0>11"}),
    "by somebody who watches": ("watcher", "no-seat", {"version": 1, "action": "B0>1"}),
    "with a key that nobody has": ("stranger", "no-seat", {"version": 1, "action": "B0>1"}),
    "with the key to another table": ("elsewhere", "no-seat", {"version": 1, "action": "B0>1"}),
    "with its outcome": ("anne", "illegal", {"version": 1, "action": "18<17+PS"}),
    "with another outcome": ("anne", "illegal", {"version": 1, "action": "18<17+KB"}),
    "in its short form": ("anne", "illegal", {"version": 1, "action": "18<"}),
    "an advance in its short form": ("anne", "illegal", {"version": 1, "action": "B0"}),
    "with a blank": ("anne", "illegal", {"version": 1, "action": "B0>1 "}),
    "with a card that is not in the hand": ("anne", "illegal", {"version": 1, "action": "P0>1"}),
    "of the other game": ("anne", "illegal", {"version": 1, "action": "roll:bry"}),
    "that is a word of the server's": ("anne", "illegal", {"version": 1, "action": "undo"}),
    "of nothing": ("anne", "bad-message", {"version": 1, "action": ""}),
    "without a version": ("anne", "bad-message", {"action": "B0>1"}),
    "on a version below nothing": ("anne", "bad-message", {"version": -1, "action": "B0>1"}),
}


@pytest.fixture(scope="module")
def people(server: Running) -> dict[str, Any]:
    """A table after its first action, and the keys of everyone there."""
    anne, bo = server.open("jamaica", start=TWO_ON_17)
    anne.play("D0>5")
    _, elsewhere = server.make("jamaica", mine("Di"), free())
    keys = {"anne": anne.key, "bo": bo.key, "watcher": None, "stranger": "A" * 24, "elsewhere": elsewhere}
    anne.go()
    bo.go()
    return {"table": anne.table, "keys": keys}


@pytest.mark.parametrize("what", REFUSED)
def test_an_action_is_refused_and_nothing_changes(server: Running, people: dict[str, Any], what: str) -> None:
    who, code, fields = REFUSED[what]
    table, keys = people["table"], people["keys"]
    before = known(server, table, keys["anne"], keys["bo"], None)
    with Player(server, table, keys[who]) as player:
        answer = player.ask("play", **fields)
        assert (answer["type"], answer["code"]) == ("fault", code)
        assert answer["about"] == (None if code == "bad-message" else "play")
        assert [message for message in player.settle() if message["type"] != "seats"] == []
    assert known(server, table, keys["anne"], keys["bo"], None) == before


def test_numbers_are_never_taken_from_outside(server: Running) -> None:
    people = server.open("evades")
    for player in people:
        player.play(BET)
    anne = people[0]
    anne.wait(lambda player: player.version == 2)
    before = known(server, anne.table, anne.key, None)
    for action in ("roll:bry=666", "roll:bryw=6666", "roll:yrb", "b>6", BET):
        assert anne.refused("play", version=2, action=action) == "illegal"
    assert known(server, anne.table, anne.key, None) == before
    assert re.fullmatch("roll:bry=[1-6]{3}", anne.play("roll:bry")["move"]["action"])


def test_actions_that_arrive_in_the_wrong_order_are_not_done_in_it(server: Running) -> None:
    anne, _ = server.open("jamaica", start=TWO_ON_17)
    anne.send("play", version=1, action="B0>1")
    anne.send("play", version=0, action="D0>5")
    assert anne.until("fault", "moved")["code"] == "stale"
    assert anne.until("fault", "moved")["move"]["action"] == "D0>5"
    assert anne.play("B0>1")["version"] == 2


def test_two_people_who_act_at_the_same_moment_are_heard_one_after_the_other(server: Running) -> None:
    people = server.open("evades", 3)
    for player in people:
        player.send("play", version=0, action=BET)
    for player in people:
        player.wait(lambda player: player.version == 3)
    shown = [Player(server, player.table, player.key).shown for player in people]
    assert {len(one["moves"]) for one in shown} == {3}
    assert sorted(move["seat"] for move in shown[0]["moves"]) == [1, 2, 3]
    assert [move["action"] for one in shown for move in one["moves"]].count(BET) == 3
    assert [one["state"]["turn"] for one in shown] == [1, 1, 1]


def test_a_finished_game_goes_no_further(server: Running) -> None:
    people = server.open("evades+turn-limit=2")
    play_out(people)
    before = known(server, people[0].table, people[0].key)
    for player in people:
        assert player.refused("play", version=player.version, action="roll:bry") == "not-your-turn"
        assert player.refused("undo", version=player.version) == "no-undo"
    assert known(server, people[0].table, people[0].key) == before
