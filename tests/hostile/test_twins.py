"""Two tables that differ only in what a reader may not know send that reader the same bytes."""

import json
import random
from collections.abc import Iterator
from hashlib import sha256
from itertools import count

from hostile.starting import Begin, Visit
from hostile.truth import ordered, pack
from hostile.wire import Line, Message, Visitor, mine

PAIRS, ALIKE, DEAL = 3, 2, 6
TUNNEL = "BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH"
SAME = bytes(range(32))


def twin_seeds() -> Iterator[tuple[bytes, bytes]]:
    """Seeds that deal seat 1 the same hand and put the same cards on the pile, and differ in seat 2's hand."""
    found: dict[str, bytes] = {}
    for number in count():
        seed = sha256(f"twin {number}".encode()).digest()
        cards = pack(seed)
        same = ordered(cards[:DEAL]) + cards[2 * DEAL : 2 * DEAL + ALIKE]
        if same in found and ordered(pack(found[same])[DEAL : 2 * DEAL]) != ordered(cards[DEAL : 2 * DEAL]):
            yield found.pop(same), seed
        found[same] = seed


class Twin:
    """A table of two, and everything that seat 1 and a watcher are told about it."""

    def __init__(self, visitor: Visitor, game: str, **more: str) -> None:
        self.visitor = visitor
        self.table, self.key = visitor.made(game, mine("Anne"), {}, first=0, **more)
        self.anne, self.watcher = visitor.come(self.table, self.key), visitor.come(self.table)
        self.bo = visitor.come(self.table)
        self.bo.send("sit", seat=2, name="Bo")
        self.held = self.bo.until("held")["key"]
        self.state: dict[Line, Message] = {}
        for line in (self.anne, self.bo, self.watcher):
            while not (message := line.until("table"))["state"]:
                pass
            self.state[line] = message["state"]
        self.commitment = message["commitment"]
        self.version = 0

    def play(self, line: Line, action: str) -> None:
        """Act, and let everyone hear of it."""
        line.send("play", version=self.version, action=action)
        self.version += 1
        for reader in self.state:
            while (message := reader.until("moved", "fault")).get("version") != self.version:
                assert message["type"] == "moved", message
            self.state[reader] = message["state"]

    def told(self) -> list[str]:
        """What seat 1 and the watcher have heard and can ask for, without what differs between any two tables."""
        texts = list(self.anne.raw + self.watcher.raw)
        for key in (self.key, None):
            headers = {"Authorization": f"Bearer {key}"} if key else {}
            paths = [f"tables/{self.table}/record", f"tables/{self.table}/replay", f"tables?id={self.table}"]
            texts += [self.visitor.asked.get(f"/api/{path}", headers=headers).text for path in paths]
        return [timeless(text.replace(self.table, "").replace(self.commitment, "")) for text in texts]


def timeless(text: str) -> str:
    """A message without the seconds that are left."""
    if not text.startswith("{"):
        return text
    message = json.loads(text)
    if message.get("state"):
        message["state"]["grace"] = message["state"]["left"] = None
    return json.dumps(message)


def test_tables_that_differ_in_hidden_cards_are_the_same_to_others(begin: Begin, visit: Visit) -> None:
    seeds = twin_seeds()
    pairs = [next(seeds) for _ in range(PAIRS)]
    server = begin({"seeds": [seed.hex() for pair in pairs for seed in pair] + [SAME.hex()] * 2})
    for pair in pairs:
        visitor, rng = visit(server), random.Random(pair[0])
        one, other = (Twin(visitor, "jamaica", tunnel=TUNNEL) for _ in pair)
        assert one.state[one.bo]["view"] != other.state[other.bo]["view"]
        piles = [pack(seed)[2 * DEAL :] for seed in pair]
        for _ in range(24):
            action = alike(one, other, piles, rng)
            if action is None:
                break
            for twin in (one, other):
                twin.play(twin.anne if twin.state[twin.anne]["legal"] else twin.bo, action)
        assert one.version > 5
        assert one.told() == other.told()
        assert one.state[one.bo]["view"] != other.state[other.bo]["view"]
    bets(visit(server))


def alike(one: Twin, other: Twin, piles: list[str], rng: random.Random) -> str | None:
    """Something that both can do and that shows seat 1 the same: it must not draw cards that differ."""
    state = one.state[one.anne]
    hers, drawn = state["seat"] == 1, len(piles[0]) - int(state["view"].split(" ")[5][1:])
    legal = [(twin.state[twin.anne] if hers else twin.state[twin.bo])["legal"] for twin in (one, other)]
    differs = piles[0][drawn : drawn + 2] != piles[1][drawn : drawn + 2]
    common = [action for action in legal[0] if action in legal[1] and not (hers and differs and "<" in action)]
    return rng.choice(common) if common else None


def bets(visitor: Visitor) -> None:
    """With the same dice and another bet in seat 2, nothing differs for the others until the end."""
    twins = [Twin(visitor, "evades+turn-limit=6") for _ in range(2)]
    rng = random.Random(1)
    for twin, bet in zip(twins, ("yo.bn.rl.d", "dn.bo.ry.l"), strict=True):
        twin.play(twin.bo, f"bet:{bet}")
        twin.play(twin.anne, "bet:br.yl.do.n")
    while twins[0].state[twins[0].anne]["turn"] < 6:
        state = twins[0].state[twins[0].anne]
        legal = state["legal"] or twins[0].state[twins[0].bo]["legal"]
        action = rng.choice(legal)
        for twin in twins:
            twin.play(twin.anne if state["legal"] else twin.bo, action)
    assert twins[0].told() == twins[1].told()
    assert twins[0].bo.raw[-1] != twins[1].bo.raw[-1]
