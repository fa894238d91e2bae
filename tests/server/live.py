"""A real server, started as people start it, and connections that keep every byte that they receive."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import httpx
from websockets.sync.client import ClientConnection, connect

import escapade
from escapade.bots import make
from escapade.cartagena.editions import SYMBOLS, edition

WAIT = 150.0  # seconds after which something has gone wrong, however slow the machine is
PROGRAM = ("-m", "escapade.cli")
OPERATED = (*PROGRAM, "--operate", "0")
MOST_SENT = 35  # messages of a connection before it would be told that it is too fast
TUNNEL = "BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH"
Message = dict[str, Any]
EVERYONE: list["Player"] = []  # every connection of the running test, so that none is left open after it


class Running:
    """A server in a process of its own."""

    def __init__(
        self, store: Path, port: int = 0, program: Sequence[str] = PROGRAM, database: str | None = None
    ) -> None:
        self.store, self.starts, self.program = store, 0, program
        self.where = database or str(store)
        self.asked = httpx.Client(trust_env=False, timeout=WAIT)
        self.start(port)

    def start(self, port: int) -> None:
        """Start on a port, 0 for any, and wait for the address that is printed."""
        self.starts += 1
        self.log = self.store.with_suffix(f".{self.starts}.log")
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command(self.where, port, self.program),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        wait_for(lambda: self.process.poll() is not None or b" stops." in self.log.read_bytes())
        told = self.log.read_text()
        assert told.startswith("Escapade is at http://127.0.0.1:"), told
        self.url = told.split()[3].rstrip("/")
        self.port = int(self.url.rsplit(":", 1)[1])

    def kill(self) -> None:
        """End it as a power cut does; whoever thought for its bots goes too."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        wait_for(lambda: not alive(self.process.pid))

    def stop(self) -> None:
        """End it as Ctrl-C does; whatever still runs of it afterwards is killed."""
        self.asked.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(WAIT)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def get(self, path: str, key: str | None = None, **headers: str) -> httpx.Response:
        """Ask over HTTP, with or without a key."""
        if key:
            headers["Authorization"] = f"Bearer {key}"
        return self.patiently(lambda: self.asked.get(self.url + path, headers=headers))

    def post(self, path: str, body: Any) -> httpx.Response:
        """Send JSON over HTTP."""
        return self.patiently(lambda: self.asked.post(self.url + path, json=body))

    def patiently(self, ask: Callable[[], httpx.Response]) -> httpx.Response:
        """All tests of a worker share one address, and an address may not ask too much at once."""
        while True:
            answer = ask()
            if answer.status_code != 429:
                return answer
            time.sleep(0.5)

    def make(self, game: str, *places: Message, **more: Any) -> tuple[str, str]:
        """A new table and its maker's key."""
        seats = [{"colour": colour, **place} for colour, place in enumerate(places)]
        made = self.post("/api/tables", {"game": game, "seats": seats, "pace": 0, **more})
        assert made.status_code == 201, made.text
        return made.json()["table"], made.json()["key"]

    def open(self, game: str, players: int = 2, bots: int = 0, **more: Any) -> list["Player"]:
        """A new table with the maker in seat 1, people in the others, and sailors in the last ones."""
        people = [mine("Anne"), *[free()] * (players - bots - 1)]
        first = {} if "start" in more else {"first": 0}
        table, key = self.make(game, *people, *[sailor(f"Bot {i}") for i in range(bots)], **first, **more)
        seated = [Player(self, table, key)]
        for seat in range(2, players - bots + 1):
            player = Player(self, table)
            player.sit(seat, f"Person {seat}")
            seated.append(player)
        for player in seated:
            player.wait(lambda player: player.state)
        return seated

    @property
    def operators(self) -> list[str]:
        """The operator's ports, if it was started with any."""
        return re.findall(r"operator's port is (\S+)/", self.log.read_text())

    def close_table(self, table: str) -> None:
        """Close a table as the operator does."""
        assert self.asked.post(f"{self.operators[0]}/tables/{table}/close").status_code == 200

    def record(self, table: str, key: str | None = None) -> str:
        """A table's record."""
        answer = self.get(f"/api/tables/{table}/record", key)
        assert answer.status_code == 200, answer.text
        return answer.text


class Player:
    """A connection to a table, what it has heard, and the table as it knows it."""

    def __init__(self, server: Running, table: str, key: str | None = None, answered: str = "table") -> None:
        self.server, self.table, self.key, self.answered = server, table, key, answered
        self.heard: list[Message] = []
        self.raw: list[str] = []
        self.shown: Message = {}
        self.state: Message | None = None
        self.version = 0
        self.line = contextlib.ExitStack()
        EVERYONE.append(self)
        self.come()

    def come(self) -> None:
        """Connect, and say hello."""
        url = self.server.url.replace("http", "ws") + "/ws"
        opened = connect(url, open_timeout=WAIT, close_timeout=5, max_size=None, max_queue=None, proxy=None)
        self.socket: ClientConnection = self.line.enter_context(opened)
        self.sent = 0
        self.send("hello", table=self.table, **({"key": self.key} if self.key else {}))
        self.until(self.answered)

    def come_again(self) -> None:
        """Lose the connection, and come back."""
        self.go()
        self.come()

    def go(self) -> None:
        """Close the connection."""
        self.line.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *why: object) -> None:
        self.go()

    def send(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        self.send_raw(json.dumps({"type": kind, **fields}))

    def send_raw(self, data: str | bytes) -> None:
        """Send whatever it is."""
        self.sent += 1
        self.socket.send(data)

    def receive(self) -> Message:
        """The next message."""
        text = self.socket.recv(timeout=WAIT)
        assert isinstance(text, str)
        self.raw.append(text)
        message: Message = json.loads(text)
        self.heard.append(message)
        if message["type"] == "table":
            self.shown = message
        if "state" in message:
            self.state, self.version = message["state"], message["version"]
        if message["type"] == "seats":
            self.shown = {**self.shown, "seats": message["seats"], "watchers": message["watchers"]}
        return message

    def until(self, *kinds: str) -> Message:
        """The next message of one of these types."""
        while True:
            message = self.receive()
            if message["type"] in kinds:
                return message

    def wait(self, known: Callable[["Player"], Any]) -> None:
        """Listen until something is so."""
        while not known(self):
            self.receive()

    def ask(self, kind: str, **fields: Any) -> Message:
        """Send a message, and give what is not about who comes and goes."""
        self.send(kind, **fields)
        return self.until("table", "moved", "undone", "said", "hints", "rematch", "pong", "fault")

    def refused(self, kind: str, **fields: Any) -> str:
        """The code of the fault that a message is answered with."""
        self.send(kind, **fields)
        return str(self.until("fault")["code"])

    def settle(self) -> list[Message]:
        """Everything that was on its way when the server heard this."""
        before = len(self.heard)
        self.send("ping")
        self.until("pong")
        return self.heard[before:-1]

    def sit(self, seat: int, name: str) -> None:
        """Take a seat, and keep its key."""
        self.send("sit", seat=seat, name=name)
        held = self.until("held", "fault")
        assert held["type"] == "held", held
        self.key = held["key"]
        self.until("table")

    def play(self, action: str) -> Message:
        """Act, and wait until that is heard."""
        if self.sent >= MOST_SENT:
            self.come_again()
        self.send("play", version=self.version, action=action)
        answer = self.until("moved", "fault")
        while answer["type"] == "moved" and answer["move"]["seat"] not in self.seats:
            answer = self.until("moved", "fault")  # bets are made by all at the same time
        assert answer["type"] == "moved", (action, answer, self.state)
        return answer

    @property
    def seats(self) -> list[int]:
        """The seats that are its own."""
        return [seat for seat, sitter in enumerate(self.shown["seats"], 1) if sitter["yours"]]

    @property
    def turn(self) -> int:
        """The turn that it knows of."""
        return int(self.state["turn"]) if self.state else 0

    @property
    def over(self) -> bool:
        """Whether it has heard of the end."""
        return self.state is not None and self.state["result"] != "*"

    def choose(self, seed: int = 1) -> str:
        """What a simple player would do, knowing what this one knows."""
        state = self.state
        assert state
        if state["legal"] == ["bet"]:
            return "bet:" + ("br.yl.do.n", "yo.bn.rl.d", "dn.bo.ry.l")[seed % 3]
        return str(make("greedy", self.shown["kind"], seed).choose(state["view"], state["legal"]))


def command(store: Path | str, port: int, program: Sequence[str] = PROGRAM) -> list[str]:
    """How the server is started."""
    where = ["--port", str(port), "--store", str(store), "--processes", "1"]
    return [sys.executable, *program, "--no-browser", *where]


def mine(name: str = "Anne") -> Message:
    """A seat of the maker's own."""
    return {"mine": True, "name": name}


def free() -> Message:
    """A seat for whoever has the link."""
    return {}


def sailor(name: str = "Bot") -> Message:
    """A bot's seat."""
    return {"bot": "sailor", "name": name}


def play_out(players: list[Player]) -> None:
    """Let people play a game to its end, each knowing the latest before anyone acts."""
    while not all(player.over for player in players):
        level(players)
        acting = next((player for player in players if player.state and player.state["legal"]), None)
        if acting:
            acting.play(acting.choose(acting.seats[0]))
        elif not players[0].over:
            players[0].receive()


def level(players: list[Player]) -> None:
    """Let everyone hear what one of them has heard."""
    latest = max(player.version for player in players)
    for player in players:
        player.wait(lambda player: player.version >= latest)


def alive(group: int) -> bool:
    """Whether any process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for(known: Callable[[], Any], every: float = 0.02) -> None:
    """Look again and again until something is so."""
    end = time.monotonic() + WAIT
    while not known():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(every)


def position(
    text: str, pirates: str, hands: str, row: str = "", top: str = "", pile: int = 20, clock: str = "1:0:5"
) -> str:
    """A position of Cartagena with these cards; the pile has `top` and then others in order, the rest is discarded."""
    copies = int(edition(text).rules["cards"])
    left = {card: copies - (hands + row + top).count(card) for card in SYMBOLS}
    below = "".join(card * left[card] for card in SYMBOLS)[: max(0, pile - len(top))]
    discards = "".join(f"{card}{left[card] - below.count(card)}" for card in SYMBOLS if left[card] > below.count(card))
    return " ".join([text, TUNNEL, pirates, hands, row or "-", top + below or "-", discards or "-", clock])


def replayed(record: str) -> Iterator[escapade.Game]:
    """A finished game played anew from its seed and its bare actions: at its start, and after each action."""
    tags = dict(line[1:-2].split(' "', 1) for line in record.splitlines() if line.startswith("["))
    seed = bytes.fromhex(tags["Seed"])
    if "Start" in tags:
        game = escapade.parse(tags["Start"], seed)
    else:
        game = escapade.new(tags["Edition"], tags["Seats"].count("/") + 1, seed=seed, tunnel=tags.get("Tunnel"))
    if tags["Game"] == "evades" and game.turn == 0:
        for bet in tags["Bets"].split("/"):
            game.play(f"bet:{bet}")
    yield game
    for line in record.split("\n\n")[1].splitlines():
        for token in line.split(" ")[1:]:
            bare = token.split("=")[0].split("~")[0].split("+")[0]
            assert game.play(bare) == token
            yield game
