"""Analyses: line by line, the course of the game first, kept with the game, and behind everybody else."""

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing

import httpx
import pytest
from server.live import Message, Player, Running, free, mine, wait_for

import escapade
from escapade.analysis import analyze
from escapade.bots import make
from escapade.server.analysing import MOST_EACH, MOST_TURNS
from escapade.server.sharing import Job, Waiting
from escapade.server.thinking import JUDGE_TIME

SHORT = "BPHSDK/DBKPHS/PKDHSB"
# With 14 taken the key brings 12 home, and then 14: a win. The other way round 12 stops on 14, and seat 2 wins.
LAST = f"tortuga+pirates=3 {SHORT} 12.14.19/12.19.19 KK/K BB - B15D17H17K14P17S17 1:0:9"
BLUNDER = ("K14>19", "K12>14", ".", "K12>19")


def blundered(*names: str) -> escapade.Game:
    """A game in which seat 1 throws a certain win away."""
    game = escapade.parse(LAST, seed=1)
    game.names = names or game.names
    for action in BLUNDER:
        game.play(action)
    assert game.winners == (2,)
    return game


def bots_play(text: str, seed: int, players: int = 2) -> escapade.Game:
    """A whole game of sailors."""
    game = escapade.new(text, players, seed=seed)
    sailor = make("sailor", game.kind, seed)
    while not game.over:
        game.play(sailor.choose(game.view(game.seat), game.legal_actions()))
    return game


def lines_of(answer: httpx.Response) -> list[Message]:
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def ask(server: Running, record: str) -> list[Message]:
    """The analysis of a record; where there was no time for it, it goes on when it is asked for again."""
    found: list[Message] = []

    def asked() -> bool:
        found[:] = lines_of(server.post("/api/analysis", {"record": record}))
        return found[-1].get("code") != "busy"

    wait_for(asked, every=1)
    return found


@pytest.fixture(autouse=True)
def loaded(server: Running) -> None:
    """Records are read, which a slow machine refuses until the rules are loaded."""
    body = {"record": escapade.new("jamaica", seed=1).record()}
    wait_for(lambda: server.post("/api/replay", body).status_code == 200, every=0.5)


def finished(server: Running) -> str:
    """A table at which the win was thrown away."""
    table, key = server.make("tortuga+pirates=3", mine("Anne"), free(), start=LAST)
    with Player(server, table, key) as anne, Player(server, table) as bo:
        bo.sit(2, "Bo")
        anne.wait(lambda player: player.state)
        for player, action in zip((anne, anne, anne, bo), BLUNDER, strict=True):
            player.wait(lambda player: player.state and player.state["legal"])
            player.play(action)
    return table


def test_the_course_comes_first_then_every_turn_and_then_the_verdict(server: Running) -> None:
    game = blundered()
    outline, *judged, verdict = ask(server, game.record())
    assert (outline["type"], outline["turns"], outline["seats"]) == ("outline", [9, 10], [1, 2])
    assert [len(row) for row in outline["chances"]] == [2, 2, 2]
    assert outline["chances"][-1] == [0, 1]
    assert {line["type"] for line in judged} == {"judged"}
    assert sorted(line["index"] for line in judged) == [0, 1]
    first = next(line for line in judged if line["index"] == 0)
    assert (first["mark"], first["better"], first["at"]) == ("blunder", ["K12>19", "K14>19"], 0)
    assert [why["code"] for why in first["reasons"]]
    assert (verdict["type"], verdict["blunders"], verdict["mistakes"]) == ("verdict", [1, 0], [0, 0])
    assert verdict["accuracy"][0] < 0.5 < verdict["accuracy"][1]
    assert [(point["index"], point["gainer"], point["cause"]) for point in verdict["turning"]] == [(0, 2, "blunder")]


@pytest.mark.flaky(reruns=2)  # a judgement has so many seconds at most, which a busy machine may use up
@pytest.mark.parametrize(("text", "players"), [("jamaica+turn-limit=6", 2), ("evades+turn-limit=5", 3)])
def test_it_finds_what_the_command_finds(text: str, players: int, server: Running) -> None:
    ask(server, bots_play(text, 3, players).record())  # a process that thinks first loads what it needs, in its time
    game = bots_play(text, 2, players)
    outline, *judged, _ = ask(server, game.record())
    known = list(analyze(game, time=JUDGE_TIME))
    assert outline["turns"] == [turn.turn for turn in known]
    for line in judged:
        turn = known[line["index"]]
        assert line["lost"] == pytest.approx(turn.lost)
        assert (line["mark"], line["better"], line["at"]) == (turn.mark, list(turn.better), turn.at)
        assert line["chances"] == pytest.approx(turn.chances)


@pytest.mark.flaky(reruns=2)  # what is kept comes within a second, unless other work comes between
def test_a_finished_table_is_analysed_once_and_the_result_outlives_the_server(start: Callable[[], Running]) -> None:
    server = start()
    table = finished(server)
    found = lines_of(server.get(f"/api/tables/{table}/analysis"))
    assert [line["type"] for line in found] == ["outline", "judged", "judged", "verdict"]
    began = time.monotonic()
    assert lines_of(server.get(f"/api/tables/{table}/analysis")) == found
    assert time.monotonic() - began < 1
    server.kill()
    server.start(server.port)
    wait_for(lambda: server.get(f"/api/tables/{table}/replay").status_code == 200)
    began = time.monotonic()
    assert lines_of(server.get(f"/api/tables/{table}/analysis")) == found
    assert time.monotonic() - began < 1
    server.kill()
    with closing(sqlite3.connect(server.store)) as db:
        db.execute("update analyses set engine = 'of yesterday', found = x''")
        db.commit()
    server.start(server.port)
    assert lines_of(server.get(f"/api/tables/{table}/analysis")) == found, "another engine looks again"


def test_only_finished_games_and_whole_records_are_analysed(server: Running) -> None:
    table, key = server.make("jamaica", mine("Anne"), free(), first=0)
    refused = server.get(f"/api/tables/{table}/analysis", key)
    assert (refused.status_code, refused.json()["code"]) == (409, "not-begun")
    with Player(server, table, key) as anne, Player(server, table) as bo:
        bo.sit(2, "Bo")
        anne.wait(lambda player: player.state)
        refused = server.get(f"/api/tables/{table}/analysis", key)
        assert (refused.status_code, refused.json()["code"]) == (409, "not-over")
        hidden = server.record(table, key)
        bo.ask("resign", seat=2)
    assert [line["type"] for line in lines_of(server.get(f"/api/tables/{table}/analysis"))] == ["outline", "verdict"]
    answer = server.post("/api/analysis", {"record": hidden})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-record")
    assert answer.json()["why"] == {"code": "not-whole", "values": {}}
    answer = server.post("/api/analysis", {"record": "[Game]"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-record")


def test_a_game_that_was_broken_off_is_analysed_as_far_as_it_goes(server: Running) -> None:
    game = escapade.new("tortuga", 2, seed=4)
    for _ in range(5):
        game.play(game.legal_actions()[0])
    assert len(ask(server, game.record())) == len(game.turns) + 2


def endless(turns: int) -> str:
    """A game in which everyone goes back and forth."""
    game = escapade.new("jamaica", players=2, seed=1)
    while len(game.turns) <= turns:
        legal = game.legal_actions()
        back = [action for action in legal if "<" in action]
        game.play(back[0] if back else "." if "." in legal else legal[0])
    return game.record()


def test_a_game_that_is_too_long_is_refused(server: Running) -> None:
    answer = server.post("/api/analysis", {"record": endless(MOST_TURNS)})
    assert (answer.status_code, answer.json()["code"]) == (413, "too-big")


def test_it_stops_when_nobody_reads_and_goes_on_from_there(server: Running) -> None:
    record = bots_play("tortuga", 5).record()

    def read(most: int) -> list[str]:
        """The lines that come first, and more if they come with them."""
        found: list[str] = []
        with server.asked.stream("POST", f"{server.url}/api/analysis", json={"record": record}) as answer:
            for part in answer.iter_raw():
                found += part.decode().splitlines()
                if len(found) >= most:
                    break
        return found

    read(3)
    before = read(1)
    time.sleep(3)
    began = time.monotonic()
    after = read(1)
    assert time.monotonic() - began < 1
    assert after[: len(before)] == before
    assert len(after) <= len(before) + 2, "it went on though nobody read"


def test_an_address_has_a_few_games_gone_over_at_once(server: Running) -> None:
    records = [endless(100 + k) for k in range(MOST_EACH + 1)]
    opened = [server.asked.build_request("POST", f"{server.url}/api/analysis", json={"record": one}) for one in records]
    answers = [server.asked.send(request, stream=True) for request in opened]
    assert [answer.status_code for answer in answers] == [200] * MOST_EACH + [503]
    for answer in answers:
        answer.close()
    wait_for(lambda: server.post("/api/analysis", {"record": blundered().record()}).status_code == 200, every=0.3)


def test_advice_on_a_position_and_what_a_try_would_give_away(server: Running) -> None:
    body: Message = {"position": LAST}
    told = server.post("/api/advice", body).json()
    assert told["hints"][0]["line"] == ["K12>19", "K14>19"]
    assert told["lost"] is None
    good = server.post("/api/advice", {**body, "actions": ["K12>19", "K14>19"]}).json()
    bad = server.post("/api/advice", {**body, "actions": ["K14>19", "K12>14"]}).json()
    assert good["lost"] == 0
    assert bad["lost"] > 0.5
    for actions in (["K12>18"], ["K14>19", "K12>14", ".", "K12>19"], ["x"]):
        assert server.post("/api/advice", {**body, "actions": actions}).json()["code"] == "illegal"
    over = str(blundered())
    assert server.post("/api/advice", {"position": over}).json()["code"] == "over"
    hidden = escapade.new("jamaica", 2, seed=1).view(1)
    assert server.post("/api/advice", {"position": hidden}).json()["why"]["code"] == "not-whole"


def test_idle_work_is_taken_when_nothing_else_waits_and_by_one_process() -> None:
    async def look() -> None:
        waiting = Waiting(100, 100)
        jobs = {name: Job(print, (), 0.2, name, idle=name == "idle") for name in ("idle", "bot")}
        for job in jobs.values():
            waiting.add(job)
        waiting._visitor("bot").had += 50
        assert waiting.take(quick=False) is jobs["bot"], "though its visitor has had more"
        assert waiting.take(quick=False, idle=False) is None
        assert waiting.take(quick=False) is jobs["idle"]

    asyncio.run(look())
