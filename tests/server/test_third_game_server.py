"""A game that the server has never heard of, installed beside it: secrets, undo, bots, restart, replay, record."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from installing import GOOSE, install
from server.live import Message, Player, Running, level, mine, play_out, sailor
from third_game import KIND

import escapade
from escapade import games

# Hands and a pile so odd that they cannot be anything else.
ODD = f"goose+hand=9+length=99 0/0 111111111/666666666 {'2' * 11}{'3' * 11} 1:1"


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """The game is known in this process too, whose players look at views."""
    games.register(KIND)
    yield
    games.unregister(KIND.name)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that finds the game by its entry point."""
    folder: Path = tmp_path_factory.mktemp("goose")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", install(folder / "site", goose=GOOSE)["PYTHONPATH"])
        running = Running(folder / "games.db")
        yield running
        running.stop()


def state(player: Player) -> Message:
    """The game as a player knows it."""
    assert player.state
    return player.state


def asked(server: Running, player: Player) -> str:
    """Everything that HTTP answers about a table."""
    paths = ["record", "replay"]
    answers = [server.get(f"/api/tables/{player.table}/{path}", player.key) for path in paths]
    answers.append(server.get(f"/api/tables?id={player.table}"))
    assert [answer.status_code for answer in answers] == [200] * 3
    return "\n".join(f"{answer.headers}\n{answer.text}" for answer in answers)


def test_the_server_offers_the_game(installed: Running) -> None:
    rules = installed.get("/api/rules").text
    assert '"goose"' in rules
    assert '"goose-fixed"' in rules
    checked = installed.post("/api/position", {"position": ODD}).json()
    assert (checked["kind"], checked["players"], checked["playable"]) == ("goose", 2, True)
    anne, _ = installed.open("goose", 2)
    assert (anne.shown["kind"], anne.shown["rules"]) == ("goose", dict(KIND.editions["goose"]))


def test_nobody_is_told_another_ones_hand_or_what_they_drew_or_will(installed: Running) -> None:
    anne, bo = installed.open("goose+hand=9+length=99", start=ODD)
    watcher = Player(installed, anne.table)
    told = dict.fromkeys([anne, bo, watcher], "")
    for _ in range(3):
        for player, place in ((anne, 0), (bo, -1)):
            player.play(state(player)["legal"][place])
            level([anne, bo, watcher])
        for player in told:
            told[player] += asked(installed, player)
    assert [state(player)["view"].split(" ")[2] for player in told] == [
        "111111222/?????????",
        "?????????/222666666",
        "?????????/?????????",
    ]
    for player in told:
        told[player] += "\n".join(player.raw)
        assert "33333" not in told[player]
        assert "22222" not in told[player]
        assert ("11111" in told[player]) == (player is anne)
        assert ("66666" in told[player]) == (player is bo)
        assert ("1>1+2" in told[player]) == (player is anne)
        assert ("6>6+2" in told[player]) == (player is bo)
        assert "1>1+?" in told[player] or player is anne
        assert "6>6+?" in told[player] or player is bo
    log = installed.log.read_text()
    assert not [secret for secret in ("11111", "66666", "22222", "33333", "Traceback") if secret in log]


@pytest.mark.parametrize(("game", "possible"), [("goose-fixed", True), ("goose", False)])
def test_an_action_is_taken_back_unless_a_card_was_drawn_for_it(installed: Running, game: str, possible: bool) -> None:
    anne, bo = installed.open(game)
    before = state(anne)["view"]
    anne.play(state(anne)["legal"][0])
    assert (state(anne)["view"] != before, state(anne)["undo"]) == (True, possible)
    answer = anne.ask("undo", version=1)
    bo.wait(lambda player: player.version == anne.version)
    if possible:
        assert (answer["type"], state(anne)["view"], state(bo)["seat"]) == ("undone", before, 1)
        anne.play(state(anne)["legal"][-1])
    else:
        assert answer["code"] == "no-undo"


def test_what_is_not_offered_is_refused(installed: Running) -> None:
    anne, bo = installed.open("goose+hand=9+length=99", start=ODD)
    for action in ("6>6", "1>2", ".", "1>1+2", "1>1+6", "B0>1", "bet"):
        assert anne.refused("play", version=0, action=action) == "illegal"
    assert bo.refused("play", version=0, action="6>6") == "not-your-turn"
    assert anne.play("1>1")["move"]["action"] == "1>1+2"


def test_a_game_with_a_bot_goes_on_after_a_kill_and_its_record_is_proven(installed: Running) -> None:
    people = installed.open("goose+length=30", 3, bots=1)
    for player in people:
        player.play(player.choose())
        level(people)
    anne = people[0]
    anne.wait(lambda player: player.turn == 4)  # the bot has played
    level(people)
    before = {player: (state(player)["view"], player.shown["commitment"]) for player in people}
    for player in people:
        player.go()
    installed.kill()
    installed.start(installed.port)
    for player in people:
        player.come()
        assert (state(player)["view"], player.shown["commitment"]) == before[player]
        assert [move["seat"] for move in player.shown["moves"]] == [1, 2, 3]
    play_out(people)
    record = installed.record(anne.table)
    [game] = escapade.read(io.BytesIO(record.encode()))
    assert (game.result, game.kind, "Seed" in game.tags) == (state(anne)["result"], "goose", True)
    assert game.names[2] == "Bot 0"
    replay = installed.get(f"/api/tables/{anne.table}/replay").json()
    again = installed.post("/api/replay", {"record": record}).json()
    assert replay["proven"]
    assert again["proven"]
    assert (replay["steps"], replay["start"]) == (again["steps"], again["start"])
    assert replay["steps"][-1]["view"] == str(game)


def test_one_person_against_a_bot_gets_hints(installed: Running) -> None:
    table, key = installed.make("goose", mine(), sailor(), first=0)
    anne = Player(installed, table, key)
    best = anne.ask("hint", version=0)["hints"][0]
    assert best["action"] in state(anne)["legal"]
    assert best["reasons"][0]["code"] in ("goes", "rides")
    anne.play(best["action"])
    anne.wait(lambda player: player.turn == 3)
