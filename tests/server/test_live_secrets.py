"""What goes over the wire and into the log: every byte of it is searched for what its reader may not know."""

import hashlib
import re

import pytest
from server.live import Message, Player, Running, level, mine, play_out, position, sailor

HANDS = ["BBBBBBBBBB", "KKKKKKKKK", "PPPPPPPPPP"]  # so odd that they cannot be anything else
TOP = "DHSDHSDHSDHS"
ODD = position(
    "jamaica+turn-limit=20", "0.0.0.0.0.18/0.0.0.0.17.17/0.0.0.9.9.20", "/".join(HANDS), top=TOP, pile=40, clock="1:0:1"
)
BETS = ["br.yl.do.n", "yo.bn.rl.d", "dn.bo.ry.l"]


def ways_to_ask(server: Running, table: str, key: str | None) -> str:
    """Everything that HTTP answers about a table, headers and all."""
    paths = [f"/api/tables/{table}/record", f"/api/tables/{table}/replay", f"/api/tables?id={table}", f"/t/{table}"]
    answers = [server.get(path, key) for path in paths]
    return "\n".join(f"{answer.headers}\n{answer.text}" for answer in answers)


def secrets_of(keys: list[str]) -> list[str]:
    """Keys, and what is kept of them."""
    return keys + [hashlib.sha256(key.encode()).hexdigest() for key in keys]


def seed_of(server: Running, table: str) -> str:
    found = re.search(r'\[Seed "(\w+)"\]', server.record(table))
    assert found
    return found[1]


def heard_before_the_end(player: Player) -> str:
    return "\n".join(raw for raw, message in zip(player.raw, player.heard, strict=True) if not is_end(message))


def is_end(message: dict[str, object]) -> bool:
    state = message.get("state")
    return isinstance(state, dict) and state["result"] != "*"


def check_nothing_leaks(server: Running, people: list[Player], asked: dict[int, str], own: list[set[str]]) -> None:
    """No key in anything, no seed before the end, and none of the others' secrets in what each seat was told."""
    keys = [player.key for player in people if player.key]
    seed = seed_of(server, people[0].table)
    for number, player in enumerate(people):
        held = [one["key"] for one in player.heard if one["type"] == "held"]
        told = heard_before_the_end(player) + asked[number]
        for key in held:
            told = told.replace(key, "", 1)  # whoever sits down is told their own key, once
        assert not [secret for secret in secrets_of(keys) if secret in told]
        assert seed not in told
        others = set().union(*own) - own[number] if number < len(own) else set().union(*own)
        assert not [secret for secret in others if secret in told], (number, others)
    log = server.log.read_text()
    assert not [secret for secret in [*secrets_of(keys), seed, *set().union(*own)] if secret in log]
    assert "Traceback" not in log


def test_nobody_is_told_another_ones_hand_or_what_they_drew(server: Running) -> None:
    people = server.open("jamaica+turn-limit=20", 3, start=ODD)
    people.append(Player(server, people[0].table))
    players, asked = people[:3], dict.fromkeys(range(4), "")
    own = [{"BBBB", "18<17+DH"}, {"KKKK"}, {"PPPP"}]
    for action in ("18<17", "."):
        players[0].play(action)
    for number, player in enumerate(people):
        player.wait(lambda player: player.version == 2)
        asked[number] += ways_to_ask(server, player.table, player.key)
        assert ("18<17+DH" in "".join(player.raw) + asked[number]) == (number == 0)
        assert "18<17+??" in asked[number] or number == 0
    for _ in range(6):  # as long as hands and pile are as odd as they were
        acting = next(player for player in players if player.state and player.state["legal"])
        assert acting.state
        acting.play(acting.state["legal"][-2 if acting.state["legal"][-1] == "." else -1])
        level(people)
    for number, player in enumerate(people):
        asked[number] += ways_to_ask(server, player.table, player.key)
        assert TOP[:5] not in asked[number] + "".join(player.raw)
    told = [len(player.heard) for player in people]
    play_out(players)
    people[3].wait(lambda player: player.over)
    for player, count in zip(people, told, strict=True):
        del player.heard[count:], player.raw[count:]
    check_nothing_leaks(server, people, asked, own)


def test_nobody_is_told_another_ones_bet_before_the_end(server: Running) -> None:
    people = server.open("evades+turn-limit=6", 3)
    people.append(Player(server, people[0].table))
    asked = dict.fromkeys(range(4), "")
    for number in (2, 0, 1):
        people[number].play(f"bet:{BETS[number]}")
        level(people)
        for reader, player in enumerate(people):
            asked[reader] += ways_to_ask(server, player.table, player.key)
    play_out(people[:3])
    people[3].wait(lambda player: player.over)
    check_nothing_leaks(server, people, asked, [{bet} for bet in BETS])
    assert all(bet in server.record(people[0].table) for bet in BETS)
    assert people[3].state
    assert all(bet in people[3].state["view"] for bet in BETS)


def test_bots_tell_nobody_what_they_hold(server: Running) -> None:
    start = position(
        "jamaica+turn-limit=9", "0.0.0.0.0.18/0.0.0.0.17.17", "BBBBBBBBBB/KKKKKKKKK", pile=40, clock="1:0:1"
    )
    table, key = server.make("jamaica+turn-limit=9", mine(), sailor(), start=start)
    anne = Player(server, table, key)
    watcher = Player(server, table)
    before = ways_to_ask(server, table, key)
    anne.ask("hint", version=0)
    assert "KKKK" not in before + "".join(anne.raw) + "".join(watcher.raw)
    play_out([anne])
    watcher.wait(lambda player: player.over)
    assert anne.shown["seats"][1]["bot"] == "sailor"


@pytest.mark.parametrize("key", [None, "A" * 24, "Basic"])
def test_a_record_asked_for_without_the_right_key_is_a_spectators(server: Running, key: str | None) -> None:
    people = server.open("jamaica", 2)
    headers = {"Authorization": f"Basic {people[0].key}"} if key == "Basic" else {}
    answer = server.get(f"/api/tables/{people[0].table}/record", None if key == "Basic" else key, **headers)
    assert '[Deal "??????/??????"]' in answer.text
    assert '[Deal "??????/??????"]' not in server.record(people[0].table, people[0].key)
    assert "[Seed" not in answer.text


def test_the_key_in_the_address_is_not_a_key(server: Running) -> None:
    people = server.open("jamaica", 2)
    assert '[Deal "??????/??????"]' in server.record(f"{people[0].table}/record?key={people[0].key}#")


TRIED: dict[str, Message] = {
    "play": {"version": 0, "action": "B0>1"},
    "undo": {"version": 0},
    "hint": {"version": 0},
    "bot": {"seat": 1, "level": None},
    "rematch": {},
    "sit": {"seat": 1, "name": "Eve"},
}


def test_messages_are_refused_without_telling_what_is_there(server: Running) -> None:
    people = server.open("jamaica+turn-limit=20", 3, start=ODD)
    watcher = Player(server, people[0].table)
    for kind, fields in TRIED.items():
        watcher.refused(kind, **fields)
        people[1].refused(kind, **fields)
    assert not [hand for hand in HANDS if hand[:4] in "".join(watcher.raw)]
    assert not [hand for hand in (HANDS[0], HANDS[2]) if hand[:4] in "".join(people[1].raw)]
