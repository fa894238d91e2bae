"""What a host has set is never taken for chance: it is told to everyone, can be looked at, and is not called proven."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from server.live import TUNNEL, Player, Running, free, mine, play_out, position, sailor

import escapade
from escapade.server.events import Opened, read_event, write_event
from escapade.server.messages import Place, Setup
from escapade.server.opening import chosen, open_table

CARTAGENA = position("jamaica+pirates=3+turn-limit=9", "0.36.37/0.0.17", "BBDHKS/DKPPSS", top="PS")
EVADES = "evades+length=15+turn-limit=16 0:yo,5:r,7:b,9:d,#1:ln br.yl.do.n/yo.bn.rl.d - - 2:14"


def verified(path: Path) -> str:
    """What `escapade verify` says of a file, after its name."""
    done = subprocess.run([sys.executable, "-m", "escapade.cli", "verify", str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.removeprefix(f"{path}: ")


@pytest.mark.parametrize("start", [CARTAGENA, EVADES], ids=["cartagena", "evades"])
def test_a_game_from_a_position_is_told_shown_and_never_called_proven(
    start: str, server: Running, tmp_path: Path
) -> None:
    game = escapade.parse(start)
    table, key = server.make(start.split(" ")[0], mine("Anne"), free(), start=start)
    anne, bo, watcher = Player(server, table, key), Player(server, table), Player(server, table)
    for player in (anne, bo, watcher):  # in the lobby
        assert player.shown["chosen"] == ["position"]
        assert player.shown["start"] == game.view(None)
    bo.sit(2, "Bo")
    for player, eyes in ((anne, 1), (bo, 2), (watcher, None)):
        player.wait(lambda player: player.state)
        assert (player.shown["chosen"], player.shown["start"]) == (["position"], game.view(eyes))
    play_out([anne, bo])
    assert Player(server, table).shown["start"] == start
    record = server.record(table)
    assert f'[Start "{start}"]' in record
    assert "[Seed " in record
    for replay in (server.get(f"/api/tables/{table}/replay"), server.post("/api/replay", {"record": record})):
        assert (replay.json()["proven"], replay.json()["chosen"]) == (False, ["position"])
    (tmp_path / "set.esc").write_text(record)
    told = "1 began from a position, and only what came after it follows from the seed"
    assert verified(tmp_path / "set.esc") == f"1 games hold, 0 of them proven fair by their seed; {told}\n"
    rematch = anne.ask("rematch")
    assert Player(server, str(rematch["rematch"])).shown["chosen"] == ["position"]


def test_people_who_share_a_screen_do_not_see_each_others_cards_in_the_position(server: Running) -> None:
    table, key = server.make("jamaica+pirates=3+turn-limit=9", mine("Anne"), mine("Bo"), start=CARTAGENA)
    both = Player(server, table, key)
    assert both.state
    assert both.state["eyes"] == 1
    assert both.shown["start"] == escapade.parse(CARTAGENA).view(None)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({}, []),
        ({"tunnel": "free"}, []),
        ({"first": 1}, ["first"]),
        ({"tunnel": TUNNEL}, ["tunnel"]),
        ({"tunnel": TUNNEL, "first": 0}, ["tunnel", "first"]),
    ],
    ids=str,
)
def test_a_tunnel_laid_by_hand_and_a_first_seat_that_was_chosen_are_told(
    more: dict[str, Any], told: list[str], server: Running
) -> None:
    table, key = server.make("jamaica", mine("Anne"), sailor(), free(), **more)
    host, guest = Player(server, table, key), Player(server, table)
    assert host.shown["chosen"] == guest.shown["chosen"] == told
    assert guest.shown["start"] is None
    guest.sit(next(seat for seat, sitter in enumerate(guest.shown["seats"], 1) if sitter["free"]), "Guest")
    assert guest.shown["chosen"] == told


def test_in_a_rematch_the_next_seat_begins_which_is_neither_chosen_nor_chance(server: Running) -> None:
    people = server.open("jamaica+turn-limit=1", tunnel=TUNNEL)
    assert people[1].shown["chosen"] == ["tunnel", "first"]
    play_out(people)
    table = str(people[0].ask("rematch")["rematch"])
    assert Player(server, table).shown["chosen"] == ["tunnel"]


def test_a_table_of_the_version_before_does_not_say_how_the_first_seat_was_found() -> None:
    places = [Place(colour=0, name="Anne", mine=True), Place(colour=1, name="Bo", mine=True)]
    opened = open_table(Setup(game="jamaica", seats=places, first=0), "key", bytes(32), 0, 0.0)
    assert chosen(opened) == ["first"]
    before = read_event(write_event(opened).replace(b',"first":"chosen"', b""))
    assert isinstance(before, Opened)
    assert (before.first, chosen(before)) == (None, [])


def test_a_tunnel_laid_by_hand_is_told_by_the_record(server: Running, tmp_path: Path) -> None:
    records = []
    for tunnel in (None, "free", TUNNEL):
        people = server.open("jamaica+turn-limit=1", tunnel=tunnel)
        play_out(people)
        records.append(server.record(people[0].table))
        replay = server.post("/api/replay", {"record": records[-1]}).json()
        assert (replay["proven"], replay["chosen"]) == (True, ["tunnel"] if tunnel == TUNNEL else [])
    (tmp_path / "laid.esc").write_text("".join(records))
    told = "3 games hold, 3 of them proven fair by their seed; in 1 the tunnel does not follow from the seed\n"
    assert verified(tmp_path / "laid.esc") == told


@pytest.mark.parametrize("segments", [3, 6, 8])
def test_a_tunnel_by_chance_follows_from_the_seed_whatever_its_length(segments: int) -> None:
    for tunnel in ("printed", "free"):
        assert escapade.new("jamaica", players=2, seed=5, segments=segments, tunnel=tunnel).unproven() == ()
    assert escapade.new("jamaica", players=2, seed=5, tunnel=TUNNEL).unproven() == ("tunnel",)
    assert escapade.new("evades", players=2, seed=5).unproven() == ()
