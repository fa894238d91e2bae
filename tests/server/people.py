"""Scripted players who go on whatever breaks: they reconnect to any server, and send again what was not answered.

Written from docs/protocol.md alone. They act at random among what is offered, and note what they say and hear.
"""

import asyncio
import contextlib
import json
import random
import secrets
import time
from collections import Counter
from math import inf
from typing import Any

import msgspec
from server.checker import Told, bare, digest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

GAMES = ("jamaica+turn-limit=30", "tortuga+pirates=3+turn-limit=30", "evades+length=15")
PAWNS = "bryldon"  # in the order in which a boat lists them
PATIENCE = 3.0  # seconds after which a player who waits for an answer goes elsewhere
HELLO_PATIENCE = 4.0  # the same for hello, which may wait until it is clear who has the table
QUIET = 2.0  # seconds of silence after which a player asks whether the line is alive
BROKEN = (OSError, TimeoutError, WebSocketException)
MOVED_ON = ("stale", "illegal", "not-your-turn", "no-undo", "over", "not-over", "seat-taken")
Message = dict[str, Any]


async def ask(port: int, path: str, body: object = None) -> tuple[int, bytes]:
    """The status and the body of an answer over HTTP."""
    data = b"" if body is None else json.dumps(body).encode()
    head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        with contextlib.closing(writer):
            writer.write(head.encode() + data)
            top, _, found = (await reader.read()).partition(b"\r\n\r\n")
    return int(top[9:12] or 0), found


def bet(rng: random.Random) -> str:
    """Any of the 630, so that hardly anybody bets the same twice by chance."""
    pawns = rng.sample(PAWNS, len(PAWNS))
    boats = (pawns[:2], pawns[2:4], pawns[4:6], pawns[6:])
    return "bet:" + ".".join("".join(sorted(boat, key=PAWNS.index)) for boat in boats)


class Left(OSError):
    """A player has broken the line off."""


class Scene:
    """What all players share: the servers' ports, the log, and what was counted."""

    def __init__(self, ports: list[int], think: float, seed: int) -> None:
        self.ports, self.think, self.rng = ports, think, random.Random(seed)
        self.log: list[Told] = []
        self.counts: Counter[str] = Counter()
        self.over = False
        self.ready = set(range(len(ports)))

    async def look(self, server: int) -> None:
        """Ask a server twice a second whether people can be sent there, as a web server in front does."""
        while True:
            well = False
            with contextlib.suppress(*BROKEN):
                async with asyncio.timeout(1):
                    well = (await ask(self.ports[server], "/health/ready"))[0] == 200
            (self.ready.add if well else self.ready.discard)(server)
            await asyncio.sleep(0.5)

    def door(self) -> int:
        """Where somebody is sent who comes: to a server that is ready, where one is."""
        return self.rng.choice(sorted(self.ready) or range(len(self.ports)))

    async def make(self) -> tuple[str, str]:
        """A new table and its maker's key, from whoever makes one."""
        seats = [{"colour": 0, "name": "Anne", "mine": True}, {"colour": 1}]
        body = {"game": self.rng.choice(GAMES), "seats": seats}
        while True:
            with contextlib.suppress(*BROKEN):
                status, made = await ask(self.ports[self.door()], "/api/tables", body)
                if status == 201:
                    self.counts["tables"] += 1
                    return json.loads(made)["table"], json.loads(made)["key"]
                self.counts[f"tables refused, {status}"] += 1
            await asyncio.sleep(0.5)


class Pair:
    """Two people who play one game after another."""

    def __init__(self, scene: Scene, number: int) -> None:
        self.scene, self.table, self.changing = scene, "", asyncio.Lock()
        self.players = [Player(self, f"{name} {number}", number) for name in ("Anne", "Bo")]

    async def play(self) -> None:
        """Play until all is over."""
        await self.go_on("")
        await asyncio.gather(*(player.play() for player in self.players))

    async def go_on(self, table: str) -> str:
        """Where to go after a table: to a new one, which the first who asks makes."""
        async with self.changing:
            if self.table == table:
                self.table, self.players[0].key = await self.scene.make()
        return self.table


class Player:
    """A person at a table: a connection after another, what they know, and what they want and were not answered yet."""

    def __init__(self, pair: Pair, name: str, number: int) -> None:
        self.pair, self.scene, self.name = pair, pair.scene, name
        self.address = f"127.1.{number >> 8}.{number & 255}"  # one each, so that none asks too much
        self.key, self.table, self.line, self.seat, self.free = secrets.token_urlsafe(18), "", 0, 0, 0
        self.version, self.state = 0, Message()
        self.wish: Message | None = None
        self.trying: float | None = None  # since when an answer is missing
        self.greeting, self.came = False, 0  # on which line it last heard the table
        self.act_at = self.answer_by = inf

    def note(self, kind: str, version: int = 0, seat: int = 0, what: str = "") -> None:
        """Write a line of the log."""
        self.scene.log.append(Told(time.monotonic(), self.name, self.line, self.table, kind, version, seat, what))

    async def play(self) -> None:
        """Connect to any server, again and again."""
        rng, tries, came = self.scene.rng, 0, 0
        self.table = self.pair.table
        while not self.scene.over:
            server = self.scene.door()
            self.note("turned", what=str(server + 1))
            try:
                async with connect(
                    f"ws://127.0.0.1:{self.scene.ports[server]}/ws",
                    compression=None,
                    max_size=None,
                    open_timeout=PATIENCE,
                    close_timeout=0.1,
                    ping_interval=None,
                    local_addr=(self.address, 0),
                    proxy=None,
                ) as socket:
                    self.line += 1
                    await self.visit(socket)
            except BROKEN as why:
                self.scene.counts[f"lines broken: {type(why).__name__}"] += 1
            tries, came = (tries + 1 if came == self.came else 0), self.came
            if not self.scene.over:
                self.trying = self.trying or time.monotonic()
                await asyncio.sleep(min(2.0, 0.2 * 1.5**tries) * rng.uniform(0.5, 1.5))
        if self.trying:
            self.note("waited", what=str(self.trying))

    async def visit(self, socket: ClientConnection) -> None:
        """Say hello, listen, and act when it is time."""
        self.act_at = self.answer_by = inf
        await self.greet(socket)
        quiet = time.monotonic() + QUIET
        while not self.scene.over:
            try:
                async with asyncio.timeout_at(min(self.act_at, self.answer_by, quiet)):
                    message = msgspec.json.decode(await socket.recv())
            except TimeoutError:
                now = time.monotonic()
                if now >= self.answer_by:
                    raise
                if now >= self.act_at:
                    await self.act(socket)
                elif self.table != self.pair.table and not self.wish:
                    self.table = self.pair.table
                    await self.greet(socket)
                elif now >= quiet:
                    await self.send(socket, {"type": "ping"})
            else:
                self.answer_by = time.monotonic() + PATIENCE if self.wish and not self.greeting else inf
                await self.hear(socket, message)
            quiet = time.monotonic() + QUIET

    async def send(self, socket: ClientConnection, message: Message) -> None:
        """Send, and expect an answer."""
        patience = HELLO_PATIENCE if self.greeting else PATIENCE
        self.answer_by = min(self.answer_by, time.monotonic() + patience)
        await socket.send(json.dumps(message))

    async def greet(self, socket: ClientConnection) -> None:
        """Ask for the whole table."""
        self.greeting, self.act_at = True, inf
        self.note("greeted")
        await self.send(socket, {"type": "hello", "table": self.table, "key": self.key})

    async def want(self, socket: ClientConnection, kind: str, **fields: Any) -> None:
        """Want something that is sent again until it is answered."""
        self.wish, self.act_at = {"type": kind, **fields}, inf
        self.trying = self.trying or time.monotonic()
        if kind in ("play", "undo"):
            self.note("asked", self.version, self.seat, fields.get("action", "undo"))
        await self.send(socket, self.wish)

    def settle(self, how: str) -> None:
        """It was answered."""
        if self.wish:
            if how in ("again", "refused") and self.wish["type"] in ("play", "undo"):
                self.note(how, self.wish["version"], self.seat, self.wish.get("action", "undo"))
            self.scene.counts[f"{self.wish['type']}: {how}"] += 1
        self.wish = None
        if self.trying and how != "refused":
            self.note("waited", what=str(self.trying))
            self.trying = None

    async def hear(self, socket: ClientConnection, message: Message) -> None:
        """Note what is told, see whether it answers what is wanted, and go on."""
        match message["type"]:
            case "table" if message["table"] == self.table:
                await self.hear_table(socket, message)
            case "moved" | "undone":
                seat = message["move"]["seat"] if "move" in message else message["seat"]
                what = bare(message["move"]["action"]) if "move" in message else "undo"
                self.version, self.state = message["version"], message["state"]
                self.note(message["type"], self.version, seat, what)
                wish = self.wish or Message(type="")
                if (seat, what) == (self.seat, bare(wish.get("action") or wish["type"])):
                    self.settle("done")
            case "said":
                self.note("said", seat=message["seat"], what=message["text"])
            case "rematch" if self.wish and self.wish["type"] == "rematch":
                await self.follow(socket, message["table"])
                return
            case "fault":
                await self.hear_fault(socket, message)
                return
        await self.go_on(socket)

    async def hear_table(self, socket: ClientConnection, message: Message) -> None:
        """The answer to hello, or to what was sent again and had been done before; or somebody sat down."""
        self.version, self.state = message["version"], message["state"] or Message()
        self.seat = next((seat for seat, sitter in enumerate(message["seats"], 1) if sitter["yours"]), 0)
        self.free = next((seat for seat, sitter in enumerate(message["seats"], 1) if sitter["free"]), 0)
        moves = digest((move["seat"], bare(move["action"])) for move in message["moves"])
        self.note("table", self.version, self.seat, moves)
        if message["rematch"]:
            self.note("next", what=message["rematch"])
        if self.greeting:
            self.greeting, self.came = False, self.line
            if self.wish:
                await self.send(socket, self.wish)
            else:
                self.settle("")
        elif self.wish and self.wish["type"] == "sit":
            if self.seat:
                self.settle("done")
        elif self.wish and self.wish["type"] != "rematch":
            self.settle("stale" if message["rematch"] else "again")  # or else it was sent because of the rematch
        if self.wish and self.wish["type"] == "rematch" and message["rematch"]:
            await self.follow(socket, message["rematch"])

    async def hear_fault(self, socket: ClientConnection, message: Message) -> None:
        """Give up what is no longer possible or could not be saved; try the rest again."""
        code, about = message["code"], message["about"]
        self.scene.counts[f"fault {code}"] += 1
        if code in ("no-table", "damaged"):
            self.note("denied", what=code)
        if self.greeting or about == "hello":
            raise TimeoutError
        if self.wish and code == "not-saved":
            self.settle("refused")
        elif self.wish and about == self.wish["type"] and code in MOVED_ON:
            self.settle("stale")
            await self.greet(socket)
        elif self.wish and about == self.wish["type"]:
            await asyncio.sleep(0.5)
            await self.send(socket, self.wish)

    async def follow(self, socket: ClientConnection, table: str) -> None:
        """Go to the table of the next game."""
        self.note("next", what=table)
        self.settle("done")
        self.pair.table = self.table = table
        await self.greet(socket)

    async def go_on(self, socket: ClientConnection) -> None:
        """Sit down, plan the next action, or go to the next game."""
        if self.greeting or self.wish:
            return
        rng, state = self.scene.rng, self.state
        if not self.seat and self.table != self.pair.table:  # the other has gone to the next game, with a new key
            self.table = self.pair.table
            await self.greet(socket)
        elif not self.seat and not self.free:
            self.note("denied", what="no seat is free")
            raise Left
        elif not self.seat:
            await self.want(socket, "sit", seat=self.free, name="Bo", key=self.key)
        elif state and state["result"] != "*":
            self.scene.counts["games"] += self.name.startswith("Anne")
            if ord(self.table[-1]) % 2:
                self.table = await self.pair.go_on(self.table)
                await self.greet(socket)
            else:
                await self.want(socket, "rematch")
        elif state and self.act_at == inf and (state["legal"] or (state["undo"] and rng.random() < 0.1)):
            self.act_at = time.monotonic() + self.scene.think * rng.uniform(0.5, 1.5)

    async def act(self, socket: ClientConnection) -> None:
        """Leave now and then, to come back anywhere; chat now and then; take back or act."""
        rng, self.act_at = self.scene.rng, inf
        if rng.random() < 0.05:
            raise Left
        if rng.random() < 0.03:
            line = secrets.token_hex(8)
            self.note("saying", what=line)
            await socket.send(json.dumps({"type": "say", "text": line}))
        legal = self.state["legal"]
        if self.state["undo"] and (not legal or rng.random() < 0.08):
            await self.want(socket, "undo", version=self.version)
        elif legal:
            action = bet(rng) if legal == ["bet"] else rng.choice(legal)
            await self.want(socket, "play", version=self.version, action=action)
