"""Who sits where: free seats, keys, bots that stand in, people who share a screen or only watch, and the next game."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from server.live import Message, Player, Running, free, mine, play_out, position, sailor, wait_for
from server.test_order import BET, TWO_ON_17

from escapade.server.keys import hashed
from escapade.server.messages import Place, Refused, Setup
from escapade.server.opening import open_table
from escapade.server.table import Table


def test_a_game_begins_when_the_last_seat_is_taken(server: Running) -> None:
    table, key = server.make("jamaica", mine("Anne"), free(), free(), first=0)
    anne, bo, cy = Player(server, table, key), Player(server, table), Player(server, table)
    assert anne.shown["state"] is None
    assert server.get(f"/api/tables/{table}/record").json() == {"code": "not-begun"}
    assert server.get(f"/api/tables/{table}/replay").status_code == 409
    assert anne.refused("play", version=0, action=".") == "not-your-turn"
    cy.sit(3, "Cy")
    assert cy.shown["state"] is None
    bo.sit(2, "Bo")
    for player in (anne, bo, cy):
        player.wait(lambda player: player.state)
    assert [sitter["name"] for sitter in anne.shown["seats"]] == ["Anne", "Bo", "Cy"]
    assert [player.seats for player in (anne, bo, cy)] == [[1], [2], [3]]
    assert len({anne.key, bo.key, cy.key}) == 3


def test_a_seat_that_is_taken_or_not_there_is_refused(server: Running) -> None:
    table, key = server.make("jamaica", mine("Anne"), free(), sailor(), first=0)
    watcher = Player(server, table)
    assert watcher.refused("sit", seat=1, name="Cy") == "seat-taken"
    assert watcher.refused("sit", seat=3, name="Cy") == "seat-taken"
    assert watcher.refused("sit", seat=4, name="Cy") == "no-seat"
    assert [sitter["name"] for sitter in Player(server, table, key).shown["seats"]] == ["Anne", "", "Bot"]
    assert watcher.seats == []


OWN = "a-key-of-ones-own-24-chr"


def sits_and_is_cut_off(server: Running, key: str) -> tuple[str, Player]:
    """A table at which somebody has sent `sit` with a key and heard nothing more, and its host."""
    table, host = server.make("jamaica", mine("Anne"), free(), free(), first=0)
    anne, bo = Player(server, table, host), Player(server, table)
    bo.send("sit", seat=2, name="Bo", key=key)
    bo.socket.socket.close()  # as a network does it: nobody says goodbye
    bo.line.pop_all()
    return table, anne


def test_whoever_brings_a_key_has_the_seat_although_the_line_broke_before_the_answer(server: Running) -> None:
    for number in range(20):
        key = f"{OWN[:-2]}{number:02}"
        table, _ = sits_and_is_cut_off(server, key)
        again = Player(server, table, key if number % 2 else None)
        again.send("sit", seat=2, name="Bo", key=key)
        again.wait(lambda player: player.shown["seats"][1]["yours"])
        assert [message for message in again.settle() if message["type"] == "fault"] == []
        with Player(server, table, key) as elsewhere:
            assert elsewhere.seats == [2]


def test_a_seat_that_is_asked_for_again_is_taken_once_and_is_nobody_elses(server: Running) -> None:
    table, host = server.make("jamaica", mine("Anne"), free(), free(), first=0)
    anne, bo, eve = Player(server, table, host), Player(server, table), Player(server, table)
    bo.send("sit", seat=2, name="Bo", key=OWN)
    assert bo.until("held", "fault") == {"type": "held", "seat": 2, "key": OWN}
    bo.until("table")
    assert bo.ask("sit", seat=2, name="Bo", key=OWN)["type"] == "table"
    assert eve.refused("sit", seat=2, name="Eve") == "seat-taken"
    assert eve.refused("sit", seat=2, name="Eve", key=OWN[::-1]) == "seat-taken"
    assert eve.refused("sit", seat=2, name="Eve", key=hashed(OWN)) == "seat-taken"
    assert eve.refused("sit", seat=2, name="Eve", key="short") == "bad-message"
    assert eve.seats == []
    anne.wait(lambda player: player.shown["seats"][1]["here"])
    bo.come_again()
    assert bo.seats == []  # it has not kept its key
    assert bo.ask("sit", seat=2, name="Bo", key=OWN)["type"] == "table"
    assert bo.seats == [2]
    anne.settle()
    assert anne.shown["seats"][1]["here"]
    assert anne.ask("sit", seat=3, name="Anne too", key=OWN)["type"] == "table"  # whoever is known uses their own key
    assert anne.seats == [1, 3]


def race(server: Running, table: str, name: str) -> list[Message]:
    with Player(server, table) as player:
        player.send("sit", seat=2, name=name)
        answer = player.until("held", "fault")
        return [{**answer, "name": name}]


def test_of_those_who_race_for_a_seat_one_gets_it(server: Running) -> None:
    table, _ = server.make("jamaica", mine("Anne"), free(), free(), first=0)
    with ThreadPoolExecutor(6) as pool:
        answers = [one for some in pool.map(lambda i: race(server, table, f"Racer {i}"), range(6)) for one in some]
    held = [answer for answer in answers if answer["type"] == "held"]
    assert len(held) == 1
    assert {answer["code"] for answer in answers if answer["type"] == "fault"} == {"seat-taken"}
    with Player(server, table, held[0]["key"]) as winner:
        assert winner.seats == [2]
        assert winner.shown["seats"][1]["name"] == held[0]["name"]


def test_a_key_is_of_use_at_its_own_table_only(server: Running) -> None:
    table, _ = server.make("jamaica", mine("Anne"), free(), first=0)
    _, other = server.make("jamaica", mine("Di"), free(), first=0)
    stranger = Player(server, table, other)
    assert (stranger.seats, stranger.shown["host"]) == ([], False)
    stranger.sit(2, "Bo")
    assert stranger.key != other
    assert Player(server, table, stranger.key).seats == [2]
    assert Player(server, table, other).seats == []


def test_the_host_takes_a_second_seat_with_the_same_key(server: Running) -> None:
    table, key = server.make("jamaica", mine("Anne"), free(), first=0)
    anne = Player(server, table, key)
    anne.send("sit", seat=2, name="Bo")
    assert anne.until("table", "held")["type"] == "table"
    assert anne.seats == [1, 2]


def test_the_host_and_nobody_else_fills_free_seats_with_bots(server: Running) -> None:
    table, key = server.make("jamaica", mine("Anne"), free(), free(), first=0)
    anne, bo = Player(server, table, key), Player(server, table)
    assert bo.refused("bot", seat=2, level="sailor") == "not-yours"
    bo.sit(3, "Bo")
    assert bo.refused("bot", seat=2, level="sailor") == "not-yours"
    assert anne.ask("bot", seat=2, level="cabin-boy")["type"] == "table"
    assert anne.refused("bot", seat=2, level="sailor") == "seat-taken"  # the game has begun
    assert anne.refused("bot", seat=2) == "not-yours"
    assert anne.refused("bot", seat=4, level="sailor") == "no-seat"
    seats = Player(server, table).shown["seats"]
    assert [(sitter["bot"], sitter["person"]) for sitter in seats] == [
        (None, True),
        ("cabin-boy", False),
        (None, True),
    ]
    assert seats[1]["name"]


def test_a_bot_plays_for_somebody_absent_until_they_are_back(server: Running) -> None:
    anne, bo = server.open("jamaica", start=TWO_ON_17)
    watcher = Player(server, anne.table)
    assert anne.refused("bot", seat=2, level="sailor") == "not-absent"
    bo.go()
    anne.wait(lambda player: not player.shown["seats"][1]["here"])
    assert anne.refused("bot", seat=2, level="sailor") == "not-absent"
    assert watcher.refused("bot", seat=2, level="sailor") == "no-seat"
    anne.play("D0>5")
    anne.play("B0>1")
    anne.play("18<17")
    answer: Message = {"type": "fault"}

    def replaced() -> bool:
        answer.update(anne.ask("bot", seat=2, level="sailor"))
        if answer["type"] == "fault":
            assert answer["code"] in ("not-absent", "too-fast")
        return bool(answer["type"] == "table")

    wait_for(replaced, every=0.5)
    assert [(sitter["bot"], sitter["person"]) for sitter in anne.shown["seats"]] == [(None, True), ("sailor", True)]
    anne.wait(lambda player: player.heard[-1]["type"] == "moved" and player.heard[-1]["move"]["seat"] == 2)
    bo.come()
    assert bo.refused("play", version=bo.version, action=".") in ("not-your-turn", "stale")
    bo.send("bot", seat=2, level=None)
    bo.wait(lambda player: player.shown["seats"][1]["bot"] is None)
    anne.wait(lambda player: player.shown["seats"][1]["bot"] is None)
    assert anne.shown["seats"][1]["name"] == "Person 2"
    play_out([anne, bo])


def test_somebody_who_leaves_by_another_hello_is_not_absent_at_once() -> None:
    """How long somebody has been away is a matter of the table's; here, that the rule itself refuses."""
    setup = Setup(game="jamaica", seats=[Place(colour=0, name="Anne", mine=True), Place(colour=1)])
    table = Table("two", open_table(setup, "key", bytes(32), 0, 0.0))
    table.sit(2, "Bo", hashed("other"), 1.0)
    with pytest.raises(Refused, match="not-absent"):
        table.set_bot(2, "sailor", hashed("key"), False, 2.0)
    table.set_bot(2, "sailor", hashed("key"), True, 2.0)
    with pytest.raises(Refused, match="not-yours"):
        table.set_bot(2, None, hashed("key"), True, 3.0)
    table.set_bot(2, None, hashed("other"), False, 3.0)
    assert table.chairs[1].bot is None


def test_one_lets_a_bot_play_for_oneself_and_takes_the_seat_back(server: Running) -> None:
    anne, bo = server.open("jamaica", start=TWO_ON_17)
    anne.ask("bot", seat=1, level="sailor")
    bo.wait(lambda player: player.state and player.state["seat"] == 2)
    assert anne.refused("bot", seat=2) == "not-yours"
    anne.send("bot", seat=1)
    anne.wait(lambda player: player.shown["seats"][0]["bot"] is None)
    play_out([anne, bo])


def test_people_who_share_a_screen_see_the_hand_of_the_one_to_act_and_no_other(server: Running) -> None:
    table, key = server.make("jamaica", mine("Anne"), mine("Bo"), free(), start=THREE)
    cy = Player(server, table)
    cy.sit(3, "Cy")
    pair = Player(server, table, key)
    for acting, hands, draws in [
        (1, "BBDHKS/??????/??", []),
        (2, "??????????/DKPPSS/??".replace("??????????", "?" * 8), ["18<17+??"]),
    ]:
        assert pair.state
        assert (pair.state["eyes"], pair.state["view"].split(" ")[3]) == (acting, hands)
        whole = Player(server, table, key).shown
        assert whole["state"]["view"] == pair.state["view"]
        assert [move["action"] for move in whole["moves"] if "+" in move["action"]] == draws
        if acting == 1:
            assert pair.play("18<17")["move"]["action"] == "18<17+PS"
            pair.play(".")
    pair.play("D0>5")
    pair.play(".")
    assert pair.state
    assert (pair.state["seat"], pair.state["eyes"]) == (3, 0)
    assert set(pair.state["view"].split(" ")[3]) == {"?", "/"}
    cy.wait(lambda player: player.version == pair.version)
    assert cy.state
    assert cy.state["view"].split(" ")[3].endswith("/PP")
    record = server.record(table, key)
    assert "PS" not in record.split("\n\n")[1]


THREE = position("jamaica", "0.0.0.0.0.18/0.0.0.0.17.17/0.0.0.0.0.0", "BBDHKS/DKPPSS/PP", top="PS")


def test_bets_of_people_who_share_a_screen_are_hidden_from_each_other(server: Running) -> None:
    table, key = server.make("evades", mine("Anne"), mine("Bo"), first=0)
    pair = Player(server, table, key)
    pair.play(BET)
    assert pair.state
    assert (pair.state["eyes"], pair.state["view"].split(" ")[2]) == (2, "?/-")
    assert [move["action"] for move in Player(server, table, key).shown["moves"]] == ["bet"]


def test_those_who_watch_are_counted(server: Running) -> None:
    anne, bo = server.open("jamaica")
    one, two = Player(server, anne.table), Player(server, anne.table, "A" * 24)
    anne.wait(lambda player: player.shown["watchers"] == 2)
    assert two.shown["watchers"] == 2
    assert one.shown["seats"][0]["here"]
    one.go()
    anne.wait(lambda player: player.shown["watchers"] == 1)
    bo.go()
    anne.wait(lambda player: not player.shown["seats"][1]["here"])
    anne.wait(lambda player: player.shown["seats"][0]["here"])


def test_somebody_with_two_tabs_is_here_until_both_are_closed(server: Running) -> None:
    anne, bo = server.open("jamaica")
    tab = Player(server, anne.table, bo.key)
    bo.go()
    bo.come()
    tab.go()
    anne.settle()
    assert Player(server, anne.table).shown["seats"][1]["here"]


def test_a_table_has_room_for_so_many_and_then_refuses(server: Running) -> None:
    anne, _ = server.open("jamaica")
    for _ in range(62):
        Player(server, anne.table)
    late = Player(server, anne.table, answered="fault")
    assert late.heard[-1]["code"] == "full"
    assert anne.ask("ping")["type"] in ("pong", "seats")


def test_both_ask_for_another_game_and_meet_at_one_table(server: Running) -> None:
    people = server.open("evades+turn-limit=2", 2)
    anne, bo = people
    assert anne.refused("rematch") == "not-over"
    play_out(people)
    watcher = Player(server, anne.table)
    assert watcher.refused("rematch") == "no-seat"
    anne.send("rematch")
    bo.send("rematch")
    for player in people:
        player.wait(lambda player: player.shown["rematch"])
    assert bo.ask("rematch") == {"type": "rematch", "table": anne.shown["rematch"]}
    assert anne.shown["rematch"] == bo.shown["rematch"] != anne.table
    watcher.wait(lambda player: player.shown["rematch"])
    again = [Player(server, anne.shown["rematch"], player.key) for player in people]
    assert [player.seats for player in again] == [[2], [1]]  # the next one begins
    assert [sitter["name"] for sitter in again[0].shown["seats"]] == ["Person 2", "Anne"]
    assert [sitter["colour"] for sitter in again[0].shown["seats"]] == [1, 0]
    assert again[0].shown["host"]
    assert again[0].shown["commitment"] != anne.shown["commitment"]
    play_out(again)


def test_a_hint_is_for_whoever_plays_against_bots_alone(server: Running) -> None:
    table, key = server.make("jamaica", mine("Anne"), sailor(), start=TWO_ON_17)
    anne = Player(server, table, key)
    assert anne.shown["hints"]
    assert not Player(server, table).shown["hints"]
    assert anne.refused("hint", version=3) == "stale"
    assert Player(server, table).refused("hint", version=0) == "not-your-turn"
    answer = anne.ask("hint", version=0)
    assert (answer["type"], answer["version"]) == ("hints", 0)
    assert anne.state
    assert {advice["action"] for advice in answer["hints"]} <= set(anne.state["legal"])
    assert all(len(advice["chances"]) == 2 for advice in answer["hints"])
    two = server.open("jamaica")
    assert not two[0].shown["hints"]
    assert two[0].refused("hint", version=0) == "no-hints"
