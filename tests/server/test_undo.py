"""Taking back: as long as nothing hidden or random has come to light, and nobody else has acted."""

import pytest
from server.live import Player, Running, mine, play_out, position, sailor
from server.test_order import BET, TWO_ON_17

from escapade.server.messages import Place, Refused, Setup
from escapade.server.opening import open_table
from escapade.server.showing import state
from escapade.server.table import BOT_GRACE, GRACE, Table

PIRATES = "0.0.0.0.0.18/0.0.0.0.17.17"
HANDS = "BBDHKS/DKPPSS"
OPEN_ROW = position("tortuga", PIRATES, HANDS, row="KDDBSP")
LAST_OF_THE_ROW = position("tortuga", PIRATES, HANDS, row="KD", top="PSPSPSPSPSPS")
RESHUFFLED = position("jamaica", PIRATES, HANDS, pile=0)
EMPTY_HAND = position("first-escape", PIRATES, "-/DKPPSS", row="KDDBSP", clock="1:0:5")
ROLLED = "evades 0:ryldon,4:b br.yl.do.n/yo.bn.rl.d - - 1:5"
ONE = frozenset({1})


def took_back(player: Player) -> bool:
    """Whether a player's last action could be taken back, having been offered or not."""
    assert player.state
    offered = player.state["undo"]
    before, version = player.state["view"], player.version
    answer = player.ask("undo", version=version)
    assert (answer["type"] == "undone") == offered, answer
    if not offered:
        assert answer["code"] == "no-undo"
        assert (player.ask("hello", table=player.table, key=player.key)["state"]["view"], player.version) == (
            before,
            version,
        )
    return bool(offered)


@pytest.mark.parametrize(
    ("start", "actions", "possible"),
    [
        (TWO_ON_17, ["D0>5"], True),
        (TWO_ON_17, ["D0>5", "B0>1"], True),
        (TWO_ON_17, ["D0>5", "."], True),
        (TWO_ON_17, ["18<17"], False),
        (TWO_ON_17, ["18<17", "D0>5"], True),
        (TWO_ON_17, ["D0>5", "18<17"], False),
        (TWO_ON_17, ["D0>5", "B0>1", "18<17"], False),
        (OPEN_ROW, ["18<17"], True),
        (OPEN_ROW, ["18<17", "D0>5", "B0>1"], True),
        (LAST_OF_THE_ROW, ["18<17"], False),
        (RESHUFFLED, ["D0>5"], True),
        (RESHUFFLED, ["18<17"], False),
        (EMPTY_HAND, ["draw"], False),
        (ROLLED, ["roll:bry"], False),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else str(value).split(" ")[0],
)
def test_an_action_is_taken_back_unless_it_showed_something(
    server: Running, start: str, actions: list[str], possible: bool
) -> None:
    anne, bo = server.open(start.split(" ")[0], start=start)
    for action in actions[:-1]:
        anne.play(action)
    assert anne.state
    before = anne.state["view"]
    anne.play(actions[-1])
    assert anne.state["view"] != before
    assert took_back(anne) == possible
    assert (anne.state["view"] == before) == possible
    bo.wait(lambda player: player.version == anne.version)


def test_everything_since_the_last_thing_shown_is_taken_back_one_by_one(server: Running) -> None:
    anne, bo = server.open("evades", start=ROLLED)
    anne.play("roll:bry")
    assert anne.state
    rolled = anne.state["view"]
    moves = 0
    while anne.state["seat"] == 1 and anne.state["turn"] == 5:
        anne.play(anne.state["legal"][0])
        moves += 1
    for _ in range(moves):
        assert took_back(anne)
    assert anne.state["view"] == rolled
    assert not took_back(anne)
    bo.wait(lambda player: player.version == anne.version)
    assert bo.state
    assert bo.state["turn"] == 5


def test_the_end_of_a_turn_is_taken_back_until_the_next_one_acts(server: Running) -> None:
    anne, bo = server.open("jamaica", start=TWO_ON_17)
    anne.play("D0>5")
    anne.play(".")
    assert anne.state
    assert anne.state["undo"]
    assert 0 < anne.state["grace"] <= GRACE
    assert took_back(anne)
    assert (anne.state["seat"], anne.state["turn"], anne.state["grace"]) == (1, 5, None)
    anne.play(".")
    bo.wait(lambda player: player.version == anne.version)
    bo.play("D0>7")
    anne.wait(lambda player: player.version == bo.version)
    assert not took_back(anne)


def test_nobody_takes_back_what_another_one_did(server: Running) -> None:
    anne, bo = server.open("jamaica", start=TWO_ON_17)
    anne.play("D0>5")
    bo.wait(lambda player: player.version == 1)
    assert not took_back(bo)
    assert not took_back(Player(server, anne.table))
    assert took_back(anne)


def test_a_bot_waits_for_second_thoughts_and_then_nothing_is_taken_back(server: Running) -> None:
    table, key = server.make("jamaica", mine("Anne"), sailor(), start=TWO_ON_17)
    anne = Player(server, table, key)
    anne.play("D0>5")
    anne.play(".")
    assert anne.state
    assert anne.state["grace"] <= BOT_GRACE
    answer = anne.ask("undo", version=anne.version)
    if answer["type"] == "undone":  # on a machine that is slow enough the bot comes first
        assert anne.state["turn"] == 5
        anne.play(".")
    anne.wait(lambda player: player.turn == 7)
    assert not took_back(anne)


def timed(*bots: str | None) -> Table:
    """A table of two at time 0, with Anne to act in seat 1."""
    places = [Place(colour=seat, name=f"Seat {seat}", mine=bot is None, bot=bot) for seat, bot in enumerate(bots)]
    return Table("timed", open_table(Setup(game="jamaica", seats=places, start=TWO_ON_17), "key", bytes(32), 0, 0.0))


@pytest.mark.parametrize(("next_one", "grace"), [(None, GRACE), ("sailor", BOT_GRACE)])
def test_the_time_for_second_thoughts_runs_out(next_one: str | None, grace: float) -> None:
    table = timed(None, next_one)
    table.play(ONE, 0, "D0>5", 100.0)
    table.play(ONE, 1, ".", 200.0)
    assert state(table, ONE, 200.0 + grace / 2, 0.0).grace == grace / 2
    assert not state(table, ONE, 200.0 + grace, 0.0).undo
    with pytest.raises(Refused, match="no-undo"):
        table.undo(ONE, 2, 200.0 + grace)
    assert table.due(0.0) == (200.0 + grace if next_one else None)
    table.undo(ONE, 2, 200.0 + grace - 0.1)
    assert table.game
    assert table.game.turn == 5
    assert state(table, ONE, 1e9, 0.0).grace is None
    table.undo(ONE, 3, 1e9)


def test_a_bet_is_taken_back_while_others_still_write(server: Running) -> None:
    anne, bo, cy = server.open("evades", 3)
    anne.play(BET)
    cy.play("bet:yo.bn.rl.d")
    anne.wait(lambda player: player.version == 2)
    assert took_back(anne)
    assert anne.state
    assert (anne.state["sealed"], anne.state["legal"]) == ([3], ["bet"])
    anne.play("bet:dn.bo.ry.l")
    bo.wait(lambda player: player.version == anne.version)
    bo.play(BET)
    for player in (anne, bo, cy):
        player.wait(lambda player: player.turn == 1)
    assert [player.state["view"].split(" ")[2] for player in (anne, bo, cy) if player.state] == [
        "dn.bo.ry.l/?/?",
        f"?/{BET[4:]}/?",
        "?/?/yo.bn.rl.d",
    ]
    assert not took_back(anne)  # only the one who ended the betting may think again


def test_an_action_of_one_tab_is_taken_back_in_another(server: Running) -> None:
    anne, _ = server.open("jamaica", start=TWO_ON_17)
    tab = Player(server, anne.table, anne.key)
    anne.play("D0>5")
    tab.wait(lambda player: player.version == 1)
    assert took_back(tab)
    assert anne.until("undone")["version"] == 2
    tab.play("B0>1")
    assert anne.refused("play", version=2, action="D0>5") == "stale"


def test_taking_back_heard_twice_is_answered_with_the_table_and_done_once(server: Running) -> None:
    anne, _ = server.open("jamaica", start=TWO_ON_17)
    anne.play("D0>5")
    anne.play("B0>1")
    anne.ask("undo", version=2)
    again = anne.ask("undo", version=2)
    assert (again["type"], again["version"], len(again["moves"])) == ("table", 3, 1)
    assert anne.refused("undo", version=1) == "stale"
    assert anne.refused("undo", version=9) == "stale"


def test_a_game_with_second_thoughts_is_proven_by_its_seed_all_the_same(server: Running) -> None:
    people = server.open("hispaniola+turn-limit=12")
    anne = people[0]
    anne.play(anne.choose())
    if anne.state and anne.state["undo"]:
        took_back(anne)
    play_out(people)
    replay = server.post("/api/replay", {"record": server.record(anne.table)}).json()
    assert (replay["proven"], replay["result"]) == (True, "=")
