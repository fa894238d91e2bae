"""A server that is killed in the middle of everything: what was acknowledged is there, once, and the games go on."""

import io
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from server.live import WAIT, Message, Player, Running, command, free, level, mine, play_out, sailor, wait_for
from websockets.exceptions import ConnectionClosed

import escapade

GAMES = ["jamaica", "tortuga", "hispaniola", "first-escape", "first-escape-open", "evades"]


class Playing(threading.Thread):
    """The people of a table, who act whenever they can until the server is gone."""

    def __init__(self, people: list[Player], pause: threading.Event) -> None:
        super().__init__(daemon=True)
        self.people, self.pause = people, pause
        self.unanswered: tuple[Player, Message] | None = None
        self.acknowledged = 0

    def run(self) -> None:
        try:
            while not self.people[0].over:
                self.step()
        except (ConnectionClosed, OSError):
            return

    def step(self) -> None:
        level(self.people)
        acting = next((player for player in self.people if player.state and player.state["legal"]), None)
        if acting is None:
            self.people[0].receive()
            return
        action = acting.choose(acting.seats[0])
        message: Message = {"version": acting.version, "action": action}
        self.unanswered = acting, message
        if acting.sent > 30:
            acting.come_again()
        acting.send("play", **message)
        acting.wait(lambda player: player.heard[-1]["type"] == "fault" or own(player) >= message["version"] + 1)
        assert acting.heard[-1]["type"] != "fault", acting.heard[-1]
        self.unanswered = None
        self.acknowledged += 1
        self.pause.wait(0.02)  # so that all tables are in the middle of their games when the end comes


def own(player: Player) -> int:
    """The version that a player's own last action led to."""
    message = player.heard[-1]
    if message["type"] != "moved" or message["move"]["seat"] not in player.seats:
        return -1
    return int(message["version"])


def heard_moves(player: Player) -> dict[int, Message]:
    """What a connection was told to have happened, by version."""
    return {one["version"]: one["move"] for one in player.heard if one["type"] == "moved"}


def open_tables(server: Running) -> list[list[Player]]:
    """Tables of people, of people and bots, and of bots alone with somebody who watches."""
    people = [server.open(f"{game}+turn-limit=40", 2 + number % 2) for number, game in enumerate(GAMES)]
    mixed = [server.open(f"{game}+turn-limit=9", 3, bots=2) for game in GAMES]
    watched = []
    for game in ("jamaica+turn-limit=200", "evades"):
        table, key = server.make(game, sailor("One"), sailor("Two"), pace=20)
        watched.append([Player(server, table, key)])
    return people + mixed + watched


def test_what_was_acknowledged_survives_a_kill_once_and_the_games_go_on(start: Callable[[], Running]) -> None:
    server = start()
    tables = [Playing(people, threading.Event()) for people in open_tables(server)]
    for table in tables:
        table.start()
    wait_for(lambda: sum(table.acknowledged for table in tables) >= 150)
    server.kill()
    for table in tables:
        table.join(WAIT)
        assert not table.is_alive()
    server.start(server.port)
    assert sum(not table.people[0].over for table in tables) >= len(tables) // 2
    with ThreadPoolExecutor(len(tables)) as pool:
        for played in [pool.submit(go_on, server, table) for table in tables]:
            played.result()


def come_back(table: Playing) -> None:
    """Connect again: what was told is still so, and what was not answered is sent again and happens once."""
    for player in table.people:
        told = heard_moves(player)
        player.come_again()
        kept = player.shown["moves"]
        assert len(kept) == player.version
        for version, move in told.items():
            # What was secret then and is told now, like bets when the game is over, is not compared.
            assert {**kept[version - 1], "action": None} == {**move, "action": None}
            assert kept[version - 1]["action"] == move["action"] or "bet" in move["action"]
        if told and not any(sitter["bot"] for sitter in player.shown["seats"]):
            assert max(told) <= player.version <= max(told) + 1
    if table.unanswered:
        player, message = table.unanswered
        player.send("play", **message)
        player.until("moved", "table")
        shown = player.ask("hello", table=player.table, key=player.key)
        done = shown["moves"][message["version"]]
        assert done["seat"] in player.seats
        assert done["action"].startswith(message["action"])
        if not any(sitter["bot"] for sitter in shown["seats"]):
            assert shown["version"] == message["version"] + 1


def go_on(server: Running, table: Playing) -> None:
    """Come back and play to the end; the record holds, and has what was told before the kill."""
    come_back(table)
    people = table.people
    for player in people:
        player.come_again()
    if people[0].seats:
        play_out(people)
    people[0].wait(lambda player: player.over)
    [game] = escapade.read(io.BytesIO(server.record(people[0].table).encode()))
    assert "Seed" in game.tags
    actions = [token for _, tokens in game.turns for token in tokens]
    bets = game.players if game.kind == "evades" else 0
    for version, move in heard_moves(people[0]).items():
        if version > bets:
            assert actions[version - bets - 1].startswith(move["action"].split("+")[0].split("~")[0])
    assert len(actions) == people[0].version - bets


def test_a_bot_whose_turn_it_was_acts_after_a_restart_when_somebody_comes(start: Callable[[], Running]) -> None:
    server = start()
    table, key = server.make("jamaica", mine("Anne"), sailor(), first=0)
    with Player(server, table, key) as anne:
        while anne.state and anne.state["turn"] == 1:
            anne.play(anne.choose())
    server.kill()
    server.start(server.port)
    time.sleep(2)
    assert server.get(f"/api/tables?id={table}").json()[0]["turn"] == 2
    with Player(server, table, key) as anne:
        anne.wait(lambda player: player.turn == 3)


def test_seats_chat_and_bots_in_ones_place_survive_a_kill(start: Callable[[], Running]) -> None:
    server = start()
    table, key = server.make("evades", mine("Anne"), free(), free(), first=0)
    anne, bo = Player(server, table, key), Player(server, table)
    bo.sit(2, "Bo")
    anne.ask("say", text="Ahoy")
    anne.ask("bot", seat=3, level="cabin-boy")
    bo.play("bet:br.yl.do.n")
    before = Player(server, table, bo.key).shown
    server.kill()
    server.start(server.port)
    after = Player(server, table, bo.key).shown
    for name in ("chat", "game", "commitment", "printing", "rules"):
        assert after[name] == before[name]
    assert [(one["name"], one["bot"], one["yours"]) for one in after["seats"]] == [
        (one["name"], one["bot"], one["yours"]) for one in before["seats"]
    ]
    assert after["state"]["view"].split(" ")[2].split("/")[1] == "br.yl.do.n"
    assert Player(server, table, key).shown["host"]


def run_on(store: Path) -> subprocess.CompletedProcess[str]:
    """Start another server, which is expected to give up."""
    return subprocess.run(command(store, 0), capture_output=True, text=True, timeout=WAIT)


def test_a_second_server_on_the_same_store_is_refused(server: Running) -> None:
    second = run_on(server.store)
    assert second.returncode == 1
    assert second.stderr.startswith(f"Error: {server.store} is in use: Escapade is running already")
    assert "Traceback" not in second.stderr
    assert server.get("/api/rules").status_code == 200


def test_a_store_that_is_no_database_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "letter.db"
    store.write_text("Dear Anne,\n" * 1000)
    refused = run_on(store)
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"Error: {store} cannot be used to keep games in: file is not a database")
    assert store.read_text() == "Dear Anne,\n" * 1000


def test_a_store_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    refused = run_on(tmp_path)
    assert refused.returncode != 0
    assert str(tmp_path) in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_port_that_is_taken_is_refused(server: Running, tmp_path: Path) -> None:
    second = subprocess.run(command(tmp_path / "x.db", server.port), capture_output=True, text=True, timeout=WAIT)
    assert second.returncode == 1
    assert second.stderr.startswith(f"Error: 127.0.0.1 port {server.port}: ")
