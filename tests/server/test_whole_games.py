"""Whole games over the wire, by people and bots: what is heard is what the rules make of the seed told at the end."""

import io
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from server.live import Player, Running, mine, play_out, replayed, sailor

import escapade
from escapade.cartagena.editions import EDITIONS
from escapade.record import is_seeded

EVERY = [*EDITIONS, "evades"]


def verified(record: str) -> escapade.Game:
    """The game of a record, which holds and is proven by its seed."""
    [game] = escapade.read(io.BytesIO(record.encode()))
    assert game.over
    assert is_seeded(game.tags)
    assert game.record() == record
    return game


def check_what_was_heard(player: Player, record: str) -> None:
    """Every state that a connection heard of is the one that the independently replayed game has for its eyes."""
    games = [game.copy() for game in replayed(record)]
    bets = games[0].players if record.startswith('[Game "evades"]') else 0
    heard = [message for message in player.heard if message["type"] == "moved" and message["version"] >= bets]
    assert heard
    for message in heard:
        game, state = games[message["version"] - bets], message["state"]
        assert state["view"] == game.view(state["eyes"] or None)
        assert (state["turn"], state["result"]) == (game.turn, game.result)
        assert state["seat"] == (0 if game.over else game.seat)
        assert state["legal"] in ([], game.legal_actions())
        assert bool(state["legal"]) == (not game.over and game.seat in player.seats)
        assert state["eyes"] == (player.seats[0] if player.seats else 0)
    versions = [message["version"] for message in heard]
    assert all(later > earlier for earlier, later in pairwise(versions))


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("edition", EVERY)
def test_people_play_a_game_to_its_end_and_its_record_is_proven_by_its_seed(
    server: Running, edition: str, players: int
) -> None:
    people = server.open(f"{edition}+turn-limit=40" if players == 3 else edition, players)
    watcher = Player(server, people[0].table)
    commitment = people[0].shown["commitment"]
    play_out(people)
    watcher.wait(lambda player: player.over)
    record = server.record(people[0].table)
    game = verified(record)
    assert game.tags["Commitment"] == commitment
    assert game.names[1:] == tuple(f"Person {seat}" for seat in range(2, players + 1))
    for player in [*people, watcher]:
        assert player.state
        assert player.state["result"] == game.result
        assert player.state["scores"] == (list(game.scores) if game.scores else None)
        check_what_was_heard(player, record)
        assert server.record(people[0].table, player.key) == record


def play_with_bots(server: Running, edition: str) -> tuple[list[Player], str]:
    people = server.open(f"{edition}+turn-limit=9", players=3, bots=2)
    play_out(people)
    return people, server.record(people[0].table)


def test_a_person_and_bots_play_every_edition_at_the_same_time(server: Running) -> None:
    with ThreadPoolExecutor(len(EVERY)) as pool:
        played = list(pool.map(lambda edition: play_with_bots(server, edition), EVERY))
    for people, record in played:
        game = verified(record)
        assert {seat for actor in game.actors() for seat in [actor]} == {1, 2, 3}
        check_what_was_heard(people[0], record)


@pytest.mark.parametrize("edition", ["hispaniola+turn-limit=60", "evades"])
def test_bots_alone_play_while_somebody_watches(server: Running, edition: str) -> None:
    table, key = server.make(edition, sailor("One"), sailor("Two"))
    with Player(server, table, key) as watcher:
        watcher.wait(lambda player: player.over)
        record = server.record(table)
        assert verified(record).names in (("One", "Two"), ("Two", "One"))
        assert watcher.seats == []
        check_what_was_heard(watcher, record)


def test_a_game_of_bots_that_nobody_limits_gets_a_limit(server: Running) -> None:
    table, _ = server.make("tortuga", sailor("One"), sailor("Two"))
    assert server.get(f"/api/tables?id={table}").json()[0]["game"] == "tortuga+turn-limit=1000"


def test_the_replay_of_a_finished_table_is_the_replay_of_its_record(server: Running) -> None:
    people = server.open("first-escape+turn-limit=12")
    play_out(people)
    replay = server.get(f"/api/tables/{people[0].table}/replay").json()
    brought = server.post("/api/replay", {"record": replay["record"]}).json()
    assert replay["record"] == server.record(people[0].table)
    assert [(step["seat"], step["turn"], step["action"], step["view"]) for step in replay["steps"]] == [
        (step["seat"], step["turn"], step["action"], step["view"]) for step in brought["steps"]
    ]
    assert (replay["start"], replay["result"], replay["scores"]) == (
        brought["start"],
        brought["result"],
        brought["scores"],
    )
    assert brought["proven"]


def test_a_tunnel_that_was_chosen_is_the_one_that_is_played(server: Running) -> None:
    tunnel = "KBSDHP/BPHSDK/DBKPHS"
    table, key = server.make("tortuga", mine("Anne"), mine("Bo"), tunnel=tunnel)
    with Player(server, table, key) as player:
        assert player.state
        assert player.state["view"].split(" ")[1] == tunnel
