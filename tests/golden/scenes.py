"""What people at tables say and hear: scenes played at a real server, everything written down."""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from golden.compare import Value, rounded
from golden.games import EVADES, JAMAICA, PILE, TUNNEL
from server.live import EVERYONE, MOST_SENT, Message, Player, Running, free, mine, sailor, wait_for

LAUNCHER = Path(__file__).with_name("launcher.py")
SECRET = re.compile(r"secret-of-(\d+)-bytes-\d+")
BETS = ("bet:br.yl.do.n", "bet:yo.bn.rl.d", "bet:dn.bo.ry.l")
ENDING = f"jamaica+pirates=3 {TUNNEL} 36.37.37/35.36.37 BBDHKS/DKPPSS - {PILE} - 1:0:40"
MONTH = 30 * 86_400
TOO_EARLY: list[Message] = [
    {"type": "ping"}, {"type": "sit", "seat": 1, "name": "A"}, {"type": "play", "version": 0, "action": "."},
    {"type": "undo", "version": 0}, {"type": "bot", "seat": 1}, {"type": "say", "text": "a"},
    {"type": "hint", "version": 0}, {"type": "rematch"},
]  # fmt: skip
UNREADABLE: list[str | bytes] = [
    "", "{", "[]", "null", '"ping"', "{}", '{"type":"dance"}', '{"type":"ping","more":1}', '{"type":"hello"}',
    '{"type":"hello","table":"a"}', '{"type":"hello","table":"a/b/c"}', '{"type":"hello","table":"abcd","key":"x"}',
    '{"type":"play","version":-1,"action":"."}', '{"type":"play","version":1.5,"action":"."}',
    '{"type":"play","version":0,"action":""}', '{"type":"play","version":0,"action":7}', '{"type":"undo"}',
    '{"type":"sit","seat":0,"name":"A"}', '{"type":"sit","seat":1,"name":"a/b"}',
    '{"type":"sit","seat":1,"name":" "}', '{"type":"bot","seat":1,"level":"god"}',
    '{"type":"say","text":""}', '{"type":"hint","version":null}',
    "x" * 5000, b"\x01\x02",
]  # fmt: skip
NOT_HERE: list[Message] = [
    {"kind": "sit", "seat": 1, "name": "Anne"}, {"kind": "sit", "seat": 5, "name": "Anne"},
    {"kind": "sit", "seat": 2, "name": "\u202ea"}, {"kind": "play", "version": 0, "action": "."},
    {"kind": "undo", "version": 0}, {"kind": "undo", "version": 5}, {"kind": "bot", "seat": 2},
    {"kind": "bot", "seat": 6, "level": "sailor"}, {"kind": "say", "text": "\u200b"}, {"kind": "hint", "version": 0},
    {"kind": "rematch"}, {"kind": "hello", "table": "nowhere"},
]  # fmt: skip
TWO: list[Message] = [{"colour": 0, "name": "Anne", "mine": True}, {"colour": 1}]
SETUPS: list[Message] = [
    {"game": "jamaica+pirates=99"}, {"seats": TWO[:1]}, {"seats": TWO * 2}, {"first": 4},
    {"tunnel": "BBBBBB"}, {"clock": 1}, {"pace": 6000}, {"printing": "gold"}, {"start": "evades"}, {"start": EVADES},
    {"start": JAMAICA, "first": 1}, {"start": JAMAICA.replace("BBDHKS", "??????")}, {"more": 1},
    {"seats": [{"colour": 0, "mine": True}, {"colour": 1}]}, {"seats": [{"colour": 9}, {"colour": 1}]},
    {"seats": [{"colour": 0, "name": "A", "mine": True, "bot": "sailor"}, {"colour": 1}]},
    {"seats": [{"colour": 0, "name": "\u200b", "mine": True}, {"colour": 1}]},
    {"start": JAMAICA, "seats": [*TWO, {"colour": 2}]},
]  # fmt: skip


class Guest(Player):
    """A connection whose messages, both ways, are written down."""

    def __init__(self, scene: "Scene", who: str, table: str, key: str | None = None, answered: str = "table") -> None:
        self.scene, self.who, self.quiet, self.came = scene, who, False, time.monotonic()
        scene.guests.append(self)
        super().__init__(scene.server, table, key, answered)

    def send_raw(self, data: str | bytes) -> None:
        while self.sent >= MOST_SENT + 9 * (time.monotonic() - self.came):
            time.sleep(0.05)  # or it would be told that it is too fast
        if not self.quiet:
            self.scene.note(**{self.who: "sends", "message": read(data)})
        super().send_raw(data)

    def receive(self) -> Message:
        message = super().receive()
        if not (self.quiet and message["type"] == "pong"):
            self.scene.note(**{self.who: "hears", "message": message})
        return message

    def until(self, *kinds: str) -> Message:
        """The next message of one of these types, or what is said instead of it."""
        return super().until(*kinds, *(["fault"] if kinds != ("pong",) else []))

    def settle(self) -> list[Message]:
        self.quiet = True
        heard = super().settle()
        self.quiet = False
        return heard

    def sit(self, seat: int, name: str) -> None:
        super().sit(seat, name)
        self.scene.keys[self.table][self.who] = str(self.key)
        self.scene.settle(but=self)

    def tell(self, kind: str, **fields: Any) -> None:
        """Send a message, and let everyone hear what comes of it, the sender first."""
        self.send(kind, **fields)
        if any(message["type"] != "fault" for message in self.settle()):
            self.scene.settle(but=self)

    def stammer(self, data: str | bytes) -> None:
        """Send what is refused."""
        self.send_raw(data)
        self.receive()

    def does(self, action: str | None = None) -> None:
        """Play an action, the first legal one if none is named."""
        assert self.state
        self.tell("play", version=self.version, action=action or self.state["legal"][0])

    def leave(self) -> None:
        """Go, and let the others hear of it."""
        self.go()
        self.scene.guests.remove(self)
        for other in self.scene.guests:  # who are all at the same table
            other.until("seats")


class Scene:
    """A few tables, who is there, and all that is asked and answered."""

    def __init__(self, server: Running) -> None:
        self.server, self.guests = server, list[Guest]()
        self.lines: list[Value] = []
        self.keys: dict[str, dict[str, str]] = {}  # of every table, who holds which
        self.secrets: dict[str, str] = {}

    def play(self, what: Callable[["Scene"], None]) -> None:
        """Play the scene; where it cannot go on, what was heard before tells why."""
        try:
            what(self)
            self.everyone_goes()
        except Exception as why:
            self.note(broke_off=repr(why))

    def note(self, **line: Any) -> None:
        """Write a line: ids and keys numbered as they come, and nothing that depends on time."""
        text = SECRET.sub(self.secret, json.dumps(rounded(line)))
        self.lines.append(timeless(json.loads(text)))

    def secret(self, match: re.Match[str]) -> str:
        """A name for an id or a key that depends on this scene alone."""
        kind = "table" if match[1] == "9" else "key"
        count = sum(name.startswith(kind) for name in self.secrets.values())
        return self.secrets.setdefault(match[0], f"{kind}-{count + 1}")

    def settle(self, but: Guest | None = None) -> None:
        """Let everyone hear what is on its way."""
        for guest in self.guests:
            if guest is not but:
                guest.settle()

    def come(self, who: str, table: str, key: str | None = None) -> Guest:
        """Somebody comes to a table, and the others there hear of it."""
        guest = Guest(self, who, table, key)
        self.settle(but=guest)
        return guest

    def follow(self, guest: Guest) -> str:
        """The next table of a guest's people, where their keys hold their seats."""
        table = str(guest.shown["rematch"])
        self.keys[table] = self.keys[guest.table]
        return table

    def ask(self, path: str, body: Any = None, key: str | None = None, **headers: str) -> Any:
        """Ask over HTTP, and write down question and answer."""
        asked = f"{'GET' if body is None else 'POST'} {path}"
        answer = self.server.get(path, key, **headers) if body is None else self.server.post(path, body)
        told = answer.json() if answer.headers["content-type"] == "application/json" else answer.text
        self.note(asked=asked, body=body if len(str(body)) < 5000 else "much", key=key)
        self.note(status=answer.status_code, answer=told)
        return told

    def make(self, game: str, *places: Message, **more: Any) -> tuple[str, str]:
        """A new table, and its maker's key."""
        seats = [{"colour": colour, **place} for colour, place in enumerate(places)]
        made = self.ask("/api/tables", {"game": game, "seats": seats, "pace": 0, **more})
        self.keys[made["table"]] = {"Anne": made["key"]} if any("mine" in place for place in places) else {}
        return made["table"], made["key"]

    def people(self, game: str, players: int = 2, **more: Any) -> list[Guest]:
        """A table of Anne, who makes it, Bo, Cleo and so on, everyone connected and in their seats."""
        table, key = self.make(game, mine("Anne"), *[free()] * (players - 1), **more)
        guests = [self.come("Anne", table, key)]
        for name in ("Bo", "Cleo")[: players - 1]:
            guest = self.come(name, table)
            guest.sit(next(seat for seat, sitter in enumerate(guest.shown["seats"], 1) if sitter["free"]), name)
            guests.append(guest)
        return guests

    def look(self, table: str) -> None:
        """Ask for all that is told of a table over HTTP, by everyone who holds a seat and by somebody else."""
        for key in (*self.keys[table].values(), None):
            self.ask(f"/api/tables/{table}/record", key=key)
            self.ask(f"/api/tables/{table}/replay", key=key)
        self.ask(f"/api/tables?id={table}&id=nowhere")

    def everyone_goes(self) -> None:
        """Close all connections; what they heard meanwhile is no part of the scene."""
        for guest in self.guests:
            guest.settle()
        while self.guests:
            self.guests.pop().go()


def read(data: str | bytes) -> Value:
    """A message as it is best read in a file."""
    try:
        return json.loads(data)
    except ValueError:
        return str(data) if len(data) < 100 else f"{len(data)} characters"


def timeless(value: Value, key: str = "") -> Value:
    """The same without the seconds that are left, and without the words of the library that decodes messages."""
    if isinstance(value, dict):
        unreadable = value.get("code") == "bad-message"
        return {name: timeless(one, name) for name, one in value.items() if not (unreadable and name == "detail")}
    if isinstance(value, list):
        return [timeless(one) for one in value]
    return 0 if key in ("left", "grace") and value is not None else value


# ---- the scenes ----------------------------------------------------------------------------------------------------


def cartagena(scene: Scene) -> None:
    """Two people, hidden hands, a clock; actions taken back, refused and repeated; talk; somebody watches."""
    anne, bo = scene.people("jamaica", first=0, clock=MONTH)
    watcher = scene.come("Watcher", anne.table)
    anne.does()
    anne.tell("undo", version=anne.version)
    anne.tell("undo", version=0)  # nothing is there to be taken back
    anne.tell("undo", version=1)  # heard before
    anne.does(again := (anne.state or {})["legal"][1])
    anne.tell("play", version=2, action=again)  # heard before
    anne.tell("play", version=1, action="K0>3")
    anne.tell("play", version=anne.version, action="5<0+K")
    bo.tell("play", version=bo.version, action=".")
    watcher.tell("play", version=0, action=".")
    bo.tell("say", text="  your\tturn ")
    anne.tell("say", text="I know")
    watcher.tell("say", text="hurry")
    anne.does(".")
    anne.tell("undo", version=anne.version)
    anne.does(".")
    for _ in range(5):
        legal = (bo.state or {})["legal"]
        bo.does(next((one for one in legal if "<" in one), None)) if legal else anne.does()
    bo.tell("hint", version=bo.version)
    bo.tell("rematch")
    anne.tell("hello", table=anne.table, key=anne.key)
    scene.look(anne.table)
    watcher.leave()
    bo.leave()


def evades(scene: Scene) -> None:
    """Three people bet out of order, one takes its bet back; then they throw and move."""
    anne, bo, cleo = scene.people("evades", 3, first=0)
    scene.come("Watcher", anne.table)
    cleo.does(BETS[2])
    bo.tell("play", version=0, action=BETS[1])  # on an older version
    bo.tell("play", version=0, action=BETS[1])  # heard before
    bo.tell("play", version=bo.version, action=BETS[0])
    cleo.tell("undo", version=cleo.version)
    scene.look(anne.table)
    anne.does("bet:br.yl.do")
    anne.does(BETS[0])
    anne.tell("undo", version=anne.version)
    cleo.does(BETS[1])
    anne.does(BETS[2])
    bo.tell("undo", version=bo.version)
    for _ in range(10):
        acting = next(player for player in (anne, bo, cleo) if player.state and player.state["legal"])
        acting.does()
        if acting.state and acting.state["undo"] and not acting.state["grace"]:
            acting.tell("undo", version=acting.version)
            acting.does(acting.state["legal"][-1])
    anne.tell("say", text="Évadés!")
    scene.look(anne.table)


def endings(scene: Scene) -> None:
    """Games from positions to their ends, and the next games of the same people."""
    anne, bo = scene.people("jamaica+pirates=3", start=ENDING)
    anne.tell("rematch")
    anne.does("B36>37")
    scene.look(anne.table)
    bo.tell("rematch")
    anne.tell("rematch")
    bo.tell("undo", version=bo.version)
    bo.tell("say", text="again?")
    table = scene.follow(bo)
    again = [scene.come(who, table, key) for who, key in scene.keys[table].items()]
    again[0].does()
    scene.everyone_goes()

    anne, bo = scene.people("evades+turn-limit=3", first=1)
    anne.does(BETS[0])
    bo.does(BETS[1])
    while not anne.over:
        (anne if anne.state and anne.state["legal"] else bo).does()
    anne.tell("rematch")
    scene.look(anne.table)
    scene.look(scene.follow(anne))


def bets(scene: Scene) -> None:
    """Bets that wait for those of earlier seats, and one seat still free elsewhere."""
    anne, bo, cleo = scene.people("evades+length=20", 3, clock=MONTH, first=0)
    cleo.does(BETS[0])
    bo.does(BETS[2])
    scene.look(anne.table)
    table, key = scene.make("hispaniola+pirates=4", mine("Anne"), free(), mine("Ann"), printing="tilsit", tunnel="free")
    lobby = scene.come("Anne in the lobby", table, key)
    lobby.tell("play", version=0, action=".")
    lobby.tell("say", text="anybody?")
    scene.look(table)


def screen(scene: Scene) -> None:
    """Two at one screen, and a seat that the host gives to a bot; a position to begin from."""
    table, key = scene.make("jamaica", mine("Anne"), mine("Ann"), start=JAMAICA)
    anne = scene.come("Anne", table, key)
    for action in ("B0>1", ".", "7<5", "."):
        anne.does(action)
    scene.look(table)
    table, key = scene.make("tortuga", mine("Anne"), free(), free(), first=0, tunnel=TUNNEL)
    host, guest = scene.come("Anne", table, key), scene.come("Bo", table)
    guest.tell("bot", seat=2, level="sailor")
    host.tell("bot", seat=1)
    host.tell("bot", seat=6, level="sailor")
    host.tell("bot", seat=3, level="sailor")
    host.tell("bot", seat=3, level="sailor")
    guest.tell("sit", seat=3, name="Bo")
    guest.sit(2, "Bo")
    host.tell("bot", seat=2, level="sailor")
    guest.tell("bot", seat=2, level="cabin-boy")
    guest.tell("bot", seat=2)
    host.does()
    host.does(".")
    scene.look(table)


def bots(scene: Scene) -> None:
    """One person against bots, with hints; and bots alone, for somebody who watches."""
    versus = (mine("Anne"), sailor("Bot"))
    for betting, (table, key) in [
        (False, scene.make("jamaica", *versus, first=0)),
        (True, scene.make("evades", *versus, first=0)),
        (False, scene.make("evades", *versus[::-1], start=EVADES)),
    ]:
        if betting:  # the bot's bet comes at once
            wait_for(partial(steps, scene, table))
        anne = scene.come("Anne", table, key)
        anne.tell("hint", version=7)
        anne.tell("bot", seat=3, level="sailor")
        for _ in range(1 + betting):
            anne.send("hint", version=anne.version)
            anne.until("hints")
            act_for_a_turn(anne)
            anne.wait(lambda player: player.state and player.state["legal"])
        anne.tell("rematch")
        scene.look(table)
        scene.everyone_goes()
    for game, *levels in [
        ("hispaniola+turn-limit=12", "sailor", "buccaneer", "cabin-boy"),
        ("evades+length=15", "buccaneer", "sailor"),
    ]:
        table, _ = scene.make(game, *[{"bot": level, "name": level} for level in levels])
        scene.look(table)  # nothing happens before somebody comes
        watcher = scene.come("Watcher", table)
        watcher.wait(lambda player: player.over)
        watcher.tell("rematch")
        scene.look(table)
        scene.everyone_goes()
    scene.make("tortuga", *[{"bot": "legend", "name": name} for name in ("Jack", "Grace")])


def steps(scene: Scene, table: str) -> int:
    """How much has happened at a table."""
    return len(scene.server.get(f"/api/tables/{table}/replay").json()["steps"])


def act_for_a_turn(guest: Guest) -> None:
    """Bet, or act until it is another one's turn."""
    turn = guest.turn
    while guest.turn == turn and guest.state and guest.state["legal"]:
        guest.does(BETS[0] if turn == 0 else None)


def faults(scene: Scene) -> None:
    """Messages that are none, or not now, or not here."""
    table, key = scene.make("jamaica", mine("Anne"), free(), first=0)
    anne = scene.come("Anne", table, key)
    stray = Guest(scene, "Stray", "nowhere", answered="fault")
    for message in TOO_EARLY:
        stray.stammer(json.dumps(message))
    for text in UNREADABLE:
        stray.stammer(text)
    for message in NOT_HERE:
        anne.tell(**message)
    bo = scene.come("Bo", table)
    bo.tell("rematch")
    bo.tell("bot", seat=2, level="sailor")
    bo.sit(2, "Bo")
    anne.tell("bot", seat=2, level="sailor")
    anne.tell("play", version=0, action="37>38")
    anne.tell("play", version=9, action=".")
    bo.tell("play", version=0, action=".")
    anne.tell("hint", version=0)
    stray.tell("hello", table=table, key="nobody-knows-this-key")


def questions(scene: Scene) -> None:
    """Everything that is asked over HTTP."""
    records = Path(__file__).with_name("records")
    for more in SETUPS:
        scene.ask("/api/tables", {"game": "jamaica", "seats": TWO, **more})
    over, hidden = ENDING.replace("36.37.37", "37.37.37"), JAMAICA.replace("DKPPSS", "??????")
    for position in (JAMAICA, EVADES, f" {JAMAICA} ", over, hidden, "evades", "jamaica x"):
        scene.ask("/api/position", {"position": position})
    both = (records / "jamaica.esc").read_text() + (records / "evades.esc").read_text()
    wrong = both.replace("1. ", "1. B0>36 ", 1)
    for number in (1, 2, 3):
        scene.ask("/api/replay", {"record": both, "number": number})
    for body in ({"record": wrong}, {"record": ""}, {}):
        scene.ask("/api/replay", body)
    for path in ("tables/nowhere/record", "tables/nowhere/replay", "nothing", "replay", "tables"):
        scene.ask(f"/api/{path}")
    scene.ask("/api/rules", Origin="http://elsewhere.example")
    scene.ask("/api/rules", {})
    scene.ask("/api/position", {"position": "x" * 700_000})
    scene.ask("/api/qr", {"link": "http://127.0.0.1/t/table"})


SCENES: list[Callable[[Scene], None]] = [cartagena, evades, endings, bets, screen, bots, faults, questions]


def reopened(scene: Scene, keys: dict[str, dict[str, str]]) -> None:
    """Tables that an earlier server has left: all that is told of each, and that the game goes on there."""
    for table, held in keys.items():
        scene.keys[table] = held
        scene.look(table)
        guests = [scene.come(who, table, key) for who, key in held.items()]
        if guests:  # bots alone would begin if somebody came
            scene.come("Watcher", table)
        for guest in guests:
            if guest.state and guest.state["legal"]:
                guest.does(BETS[0] if guest.turn == 0 else None)
        scene.everyone_goes()


# ---- the server ----------------------------------------------------------------------------------------------------


@contextmanager
def serving(store: Path, later: int = 0) -> Iterator[Running]:
    """A server whose luck is known, so many seconds later than the first."""
    server = Running(store, program=(str(LAUNCHER), str(later)))
    try:
        yield server
    finally:
        while EVERYONE:
            EVERYONE.pop().go()
        server.stop()


def transcripts(store: Path) -> tuple[dict[str, Value], dict[str, dict[str, str]]]:
    """Every scene, one after the other on a new store, and the keys to all its tables."""
    told: dict[str, Value] = {}
    keys: dict[str, dict[str, str]] = {}
    with serving(store) as server:
        for play in SCENES:
            scene = Scene(server)
            scene.play(play)
            told[play.__name__] = scene.lines
            keys |= scene.keys
        told["answers"] = answers(server)
    return told, keys


def reopening(store: Path, keys: dict[str, dict[str, str]]) -> Value:
    """What a server tells of a store, an hour after it was written."""
    with serving(store, 3600) as server:
        scene = Scene(server)
        scene.play(partial(reopened, keys=keys))
        return scene.lines


def answers(server: Running) -> Value:
    """What clients find out about a server; there may be more of all this one day."""
    rules = server.get("/api/rules").json()
    schema, openapi = server.get("/api/schema.json").json(), server.get("/api/openapi.json").json()
    return {
        "rules": {key: value for key, value in rules.items() if key not in ("version", "addresses")},
        "schema": fields(schema["$defs"]),
        "from-client": types(schema["from-client"]),
        "to-client": types(schema["to-client"]),
        "bodies": fields(openapi["components"]["schemas"]),
        "paths": {path: {verb: {} for verb in verbs} for path, verbs in openapi["paths"].items()},
    }


def fields(parts: Value) -> Value:
    """The names of the fields of every part of a schema, and whether they must be there."""
    return {
        name: {field: field in part.get("required", []) for field in part.get("properties", {})}
        for name, part in parts.items()
    }


def types(union: Value) -> Value:
    """The types of messages."""
    return {kind: {} for kind in union["discriminator"]["mapping"]}
