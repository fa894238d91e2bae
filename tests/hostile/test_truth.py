"""Every byte to seats, second tabs, watchers and wrong keys, compared with what is true by the seed."""

import json
import random
import re
from dataclasses import dataclass, field
from hashlib import sha256

import httpx
from hostile.starting import Visit
from hostile.truth import Truth
from hostile.wire import Line, Message, Visitor, mine
from server.live import Running

GAME, PLAYERS, DEAL = "jamaica+deal=10+turn-limit=54", 5, 10
BETS = ("br.yl.do.n", "yo.bn.rl.d", "dn.bo.ry.l")


@dataclass
class Role:
    """Somebody at the table, by the key that they bring."""

    line: Line
    seat: int  # 0: no seat is theirs
    key: str | None
    heard: list[Message] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    answers: list[tuple[int, str, httpx.Response]] = field(default_factory=list)
    state: Message = field(default_factory=dict)

    def until_version(self, version: int) -> Message:
        """Listen until the table has changed so often."""
        while True:
            message = self.hear()
            if message.get("version", -1) >= version and message["type"] in ("table", "moved", "undone"):
                return message

    def hear(self) -> Message:
        """One message, kept."""
        message = self.line.hear()
        self.heard.append(message)
        self.raw.append(self.line.raw[-1])
        self.state = message.get("state") or self.state
        return message

    def come_again(self, visitor: Visitor, table: str) -> None:
        """Lose the line, and come back."""
        self.line.close()
        again = come(visitor, table, self.seat, self.key)
        self.line, self.state = again.line, again.state
        self.heard += again.heard
        self.raw += again.raw


def come(visitor: Visitor, table: str, seat: int, key: str | None) -> Role:
    line = visitor.line()
    line.send("hello", table=table, **({"key": key} if key else {}))
    role = Role(line, seat, key)
    while role.hear()["type"] != "table":
        pass
    return role


def sit(visitor: Visitor, table: str, seat: int) -> Role:
    role = come(visitor, table, seat, None)
    role.line.send("sit", seat=seat, name=f"Seat {seat}")
    while (message := role.hear())["type"] != "held":
        pass
    role.key = message["key"]
    return role


def ask(visitor: Visitor, role: Role, version: int, table: str) -> None:
    """Every question about a table over HTTP."""
    headers = {"Authorization": f"Bearer {role.key}"} if role.key else {}
    for path in (
        f"/api/tables/{table}/record",
        f"/api/tables/{table}/replay",
        f"/api/tables?id={table}",
        f"/t/{table}",
    ):
        role.answers.append((version, path, visitor.asked.get(path, headers=headers)))


def wrong_keys(key: str, others: str) -> list[str | None]:
    """None, another table's, what the server keeps of the right one, and nearly the right one."""
    return [None, others, sha256(key.encode()).hexdigest(), key[:-1], key[::-1], key.swapcase()]


def test_nobody_is_told_more_than_the_truth_allows(server: Running, visit: Visit) -> None:
    visitor, asker = visit(server), visit(server)
    _, elsewhere = visitor.made("jamaica", mine(), {})
    table, key = visitor.made(GAME, mine(), *[{}] * (PLAYERS - 1), first=0)
    people = [come(visitor, table, 1, key), *(sit(visitor, table, seat) for seat in range(2, PLAYERS + 1))]
    strangers = [come(visitor, table, 0, wrong) for wrong in wrong_keys(key, elsewhere)]
    everyone = [*people, *strangers, come(visitor, table, 2, people[1].key)]
    history = play_out(visitor, asker, table, people, everyone)
    lines = truths(asker.asked.get(f"/api/tables/{table}/record").text, history)
    assert any("~" in state.token for state in lines[-1]), "the discards are never shuffled in this game"
    assert sha256(lines[0][0].seed).hexdigest() == strangers[0].heard[0]["commitment"]
    keys = [role.key for role in people if role.key]
    secrets = [lines[0][0].seed.hex(), *keys, *(sha256(key.encode()).hexdigest() for key in keys)]
    assert sum(check_role(role, lines, secrets) for role in everyone) > 1000


def play_out(visitor: Visitor, asker: Visitor, table: str, people: list[Role], everyone: list[Role]) -> list[str]:
    """Play to the end with undos, broken lines and questions in between; returns what was done."""
    rng, history = random.Random(1), list[str]()
    for role in everyone:
        while not role.state:
            role.hear()
    while (state := people[0].state)["result"] == "*":
        acting = people[state["seat"] - 1]
        action = choose(acting.state, history, rng)
        played = {} if action == "undo" else {"action": action}
        acting.line.send("play" if played else "undo", version=len(history), **played)
        history.append(action)
        for role in everyone:
            role.until_version(len(history))
        if rng.random() < 0.06 and people[0].state["result"] == "*":  # the end reveals everything
            for role in rng.sample(everyone, 3):
                ask(asker, role, len(history), table)
        if len(history) % 30 == 0:  # what may be sent at once is counted for a connection
            for role in everyone:
                role.come_again(visitor, table)
    return history


def choose(state: Message, history: list[str], rng: random.Random) -> str:
    """Anything that is allowed, most often a retreat, so that cards are drawn."""
    if state["undo"] and history[-1] != "undo" and rng.random() < 0.1:
        return "undo"
    back = [action for action in state["legal"] if "<" in action]
    return str(rng.choice(back if back and rng.random() < 0.7 else state["legal"]))


def truths(record: str, history: list[str]) -> list[list[Truth]]:
    """The positions that survive at each version, from the start of the game to that version."""
    seed = bytes.fromhex(re.findall(r'\[Seed "(\w{64})"\]', record)[0])
    lines = [[Truth.begin(GAME, seed, PLAYERS, DEAL)]]
    for action in history:
        line = lines[-1]
        lines.append(line[:-1] if action == "undo" else [*line, line[-1].play(action)])
    return lines


def check_role(role: Role, lines: list[list[Truth]], secrets: list[str]) -> int:
    """All that somebody heard and was answered; returns how many views there were."""
    views = 0
    for message, raw in zip(role.heard, role.raw, strict=True):
        views += check_message(message, role.seat, lines)
        own = [role.key] if message["type"] == "held" else []
        assert not [secret for secret in secrets if secret in raw and secret not in own]
    for version, path, answer in role.answers:
        check_answer(answer, path, role.seat, lines[version])
        assert not [secret for secret in secrets if secret in answer.text + str(answer.headers)]
    return views


def check_message(message: Message, eyes: int, lines: list[list[Truth]]) -> int:
    """A message says what is true, and no more; returns how many views it had."""
    if not message.get("state") or message["state"]["result"] != "*":
        return 0
    line, state = lines[message["version"]], message["state"]
    truth = line[-1]
    assert state["view"] == truth.view(eyes)
    assert (state["eyes"], state["seat"], state["turn"]) == (eyes, truth.seat, truth.turn)
    assert bool(state["legal"]) == (eyes == truth.seat)
    assert not state["undo"] or eyes == truth.actor
    if message["type"] == "moved":
        assert message["move"]["action"] == truth.told(eyes)
    if message["type"] == "table":
        assert [move["action"] for move in message["moves"]] == [one.told(eyes) for one in line[1:]]
    return 1


def check_answer(answer: httpx.Response, path: str, eyes: int, line: list[Truth]) -> None:
    """An answer over HTTP says what is true, and no more."""
    assert answer.status_code == 200, path
    if path.endswith("/replay"):
        told = answer.json()
        assert told["start"] == line[0].view(eyes)
        assert [step["view"] for step in told["steps"]] == [one.view(eyes) for one in line[1:]]
        assert [step["action"] for step in told["steps"]] == [one.told(eyes) for one in line[1:]]
        check_record(told["record"], eyes, line)
        assert not told["proven"]
    elif path.endswith("/record"):
        check_record(answer.text, eyes, line)
    elif "id=" in path:
        assert set(answer.json()[0]) <= {"table", "game", "names", "colours", "free", "seat", "turn", "result"}


def check_record(record: str, eyes: int, line: list[Truth]) -> None:
    """A record for somebody's eyes."""
    start = line[0]
    hands = [hand if seat == eyes else "?" * len(hand) for seat, hand in enumerate(start.hands, 1)]
    assert f'[Deal "{"/".join(hands)}"]' in record
    assert f'[Pile "?{len(start.pile)}"]' in record
    assert "[Seed" not in record
    tokens = [token for text in record.split("\n\n")[1].splitlines() for token in text.split(" ")[1:]]
    assert tokens == [one.told(eyes) for one in line[1:]]


def test_a_bet_is_nobody_elses_before_the_end(server: Running, visit: Visit) -> None:
    visitor = visit(server)
    table, key = visitor.made("evades+turn-limit=4", mine(), {}, {}, first=0)
    people = [come(visitor, table, 1, key), sit(visitor, table, 2), sit(visitor, table, 3)]
    everyone = [*people, come(visitor, table, 0, None), come(visitor, table, 0, key[:-1])]
    version = 0
    for seat in (2, 3, 1):
        people[seat - 1].line.send("play", version=0, action=f"bet:{BETS[seat - 1]}")
        version += 1
        for role in everyone:
            role.until_version(version)
            ask(visitor, role, version, table)
    while (state := people[0].state)["result"] == "*":
        acting = people[state["seat"] - 1]
        acting.line.send("play", version=version, action=acting.state["legal"][0])
        version += 1
        for role in everyone:
            role.until_version(version)
    for role in everyone:
        told = [raw for message, raw in zip(role.heard, role.raw, strict=True) if not over(message)]
        told += [answer.text for _, _, answer in role.answers]
        hidden = [bet for seat, bet in enumerate(BETS, 1) if seat != role.seat]
        assert not [bet for bet in hidden for text in told if bet in text]
        assert all(bet in json.dumps(role.heard[-1]) for bet in BETS)


def over(message: Message) -> bool:
    return bool(message.get("state")) and message["state"]["result"] != "*"


PROBES: list[Message] = [
    {"type": "play", "version": 0, "action": "B0>1"},
    {"type": "play", "version": 0, "action": "."},
    {"type": "play", "version": 0, "action": "bet:br.yl.do.n"},
    {"type": "undo", "version": 0},
    {"type": "hint", "version": 0},
    {"type": "bot", "seat": 1, "level": None},
    {"type": "bot", "seat": 1, "level": "sailor"},
    {"type": "bot", "seat": 2, "level": "sailor"},
    {"type": "sit", "seat": 1, "name": "Eve"},
    {"type": "sit", "seat": 2, "name": "Eve"},
    {"type": "sit", "seat": 6, "name": "Eve"},
    {"type": "say", "text": "Ahoy"},
    {"type": "rematch"},
]


def test_a_wrong_key_opens_nothing(server: Running, visit: Visit) -> None:
    visitor = visit(server)
    _, elsewhere = visitor.made("jamaica", mine(), {})
    table, key = visitor.made("jamaica", mine(), {}, first=0)
    bo = sit(visitor, table, 2)
    for wrong in wrong_keys(key, elsewhere):
        stranger = come(visitor, table, 0, wrong)
        assert not stranger.heard[-1]["host"]
        assert not any(sitter["yours"] for sitter in stranger.heard[-1]["seats"])
        for probe in PROBES:
            fields = {name: value for name, value in probe.items() if name != "type"}
            assert stranger.line.ask(probe["type"], **fields)["type"] == "fault", probe
        stranger.line.close()
    shown = come(visitor, table, 2, bo.key).heard[-1]
    assert (shown["version"], shown["chat"], [one["name"] for one in shown["seats"]]) == (0, [], ["Anne", "Seat 2"])
