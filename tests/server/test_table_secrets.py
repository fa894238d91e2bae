"""Two tables that differ only in what a reader may not know give that reader the same bytes, whatever is asked."""

import random
from typing import Any, cast

import msgspec
import pytest
from server.live import position
from test_secrets import HIDDEN

import escapade
from escapade.cartagena.editions import edition
from escapade.server import clock
from escapade.server.events import Event, Played, TakenBack
from escapade.server.keys import hashed
from escapade.server.live import Live, Reader
from escapade.server.messages import Place, Setup
from escapade.server.opening import open_table
from escapade.server.replay import of_table
from escapade.server.showing import summary
from escapade.server.table import Table

NOW = 1_800_000_000.0
SEED = bytes(range(32))
encode = msgspec.json.Encoder().encode


@pytest.fixture(autouse=True)
def standing_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """What passes with time is no secret, and no difference."""
    for name in ("now", "ticks"):
        monkeypatch.setattr(clock, name, lambda: NOW)


class Watched:
    """A table, with somebody in each seat, somebody in all of them, and somebody who watches."""

    def __init__(self, text: str, players: int, start: str | None) -> None:
        places = [Place(colour=seat, name=f"Seat {seat}", mine=seat == 0) for seat in range(players)]
        first = None if start else 0
        opened = open_table(Setup(game=text, seats=places, start=start, first=first), "key 1", SEED, 0, NOW)
        self.table = Table("watched", opened)
        for seat in range(2, players + 1):
            self.table.sit(seat, f"Seat {seat}", hashed(f"key {seat}"), NOW)
        self.live = Live(self.table, cast("Any", None), NOW - 1000)
        self.readers = {seat: self.reader(f"key {seat}" if seat else None) for seat in range(players + 1)}

    def reader(self, key: str | None) -> Reader:
        reader = Reader()
        reader.live, reader.holder = self.live, hashed(key) if key else None
        self.live.readers.add(reader)
        return reader

    def play(self, seat: int, action: str) -> Event:
        event = self.table.play(frozenset({seat}), self.table.version, action, NOW)
        assert event
        self.live.send(event)
        return event

    def undo(self, seat: int) -> Event:
        event = self.table.undo(frozenset({seat}), self.table.version, NOW)
        assert event
        self.live.send(event)
        return event

    def told(self, seat: int) -> list[bytes | None]:
        """What was sent to a seat's reader since this was asked."""
        queue = self.readers[seat].unsent
        return [queue.get_nowait() for _ in range(queue.qsize())]

    def everything(self, seat: int) -> list[bytes]:
        """Whatever a seat, or with 0 a spectator, can ask for."""
        reader = self.readers[seat]
        seats = reader.seats
        answers = [
            encode(self.live.whole(reader)),
            self.table.record(seats).encode(),
            encode(of_table(self.table, seats)),
            encode(summary(self.table)),
        ]
        assert not [answer for answer in answers if SEED.hex().encode() in answer]
        return answers


def unlike(text: str, players: int, reader: int, rng: random.Random) -> tuple[str, str]:
    """Two positions that a reader cannot tell apart: others hold other cards, which lie deep in the pile instead."""
    copies, deep = int(edition(text).rules["cards"]), 40
    pack = [card for card in "BDHKPS" for _ in range(copies)]
    rng.shuffle(pack)
    deal = [[pack.pop() for _ in range(rng.randint(3, 7))] for _ in range(players)]
    row = "".join(pack.pop() for _ in range(int(edition(text).rules["row"])))
    places = [space for space in range(1, 37) for _ in range(2)]
    rng.shuffle(places)
    pirates = "/".join(".".join(map(str, sorted([0, 0, *places[seat::players][:4]]))) for seat in range(players))
    other = rng.choice([seat for seat in range(players) if seat != reader - 1])
    twin = [list(hand) for hand in deal]
    rest = list(pack)
    for _ in range(2):
        i, j = rng.randrange(len(twin[other])), rng.randrange(deep, len(rest))
        twin[other][i], rest[j] = rest[j], twin[other][i]
    tail = rest[deep:]
    rng.shuffle(tail)
    rest[deep:] = tail

    def written(hands: list[list[str]], pile: list[str]) -> str:
        shown = "/".join("".join(sorted(hand)) for hand in hands)
        return position(text, pirates, shown, row=row, top="".join(pile), pile=len(pile), clock="1:0:5")

    return written(deal, pack), written(twin, rest)


def alike(one: Watched, other: Watched, seat: int) -> None:
    """What a reader was told and can ask for is the same at both tables, byte for byte."""
    assert one.told(seat) == other.told(seat)
    assert one.everything(seat) == other.everything(seat)


@pytest.mark.parametrize("text", [str(edition(text)) for text in HIDDEN])
def test_tables_that_differ_in_hidden_cards_are_the_same_to_seats_and_spectators(text: str) -> None:
    rng, differences = random.Random(text), 0
    for _ in range(12):
        players = rng.randint(2, 4)
        reader = rng.randint(1, players)
        pair = [Watched(text, players, start) for start in unlike(text, players, reader, rng)]
        one, other = pair
        for step in range(rng.randint(3, 20)):
            assert one.table.game
            assert other.table.game
            seat = one.table.game.seat
            legal = set(other.table.game.legal_actions())
            common = [action for action in one.table.game.legal_actions() if action in legal]
            if not common:
                break
            action = rng.choice(common)
            if "~" in one.table.game.copy().play(action) or "~" in other.table.game.copy().play(action):
                break
            events = [table.play(seat, action) for table in pair]
            for eyes in (reader, 0):
                alike(one, other, eyes)
            if step % 3 == 0 and one.table.undoable(frozenset({seat}), NOW)[0]:
                assert other.table.undoable(frozenset({seat}), NOW)[0]
                events += [table.undo(seat) for table in pair]
                for eyes in (reader, 0):
                    alike(one, other, eyes)
            assert all(isinstance(event, Played | TakenBack) for event in events)
            if one.table.game.over:
                break
        differences += str(one.table.game) != str(other.table.game)
    assert differences >= 5


def test_tables_that_differ_in_bets_are_the_same_to_seats_and_spectators() -> None:
    bets = ["br.yl.do.n", "yo.bn.rl.d", "dn.bo.ry.l"]
    for order in ([1, 2, 3], [3, 2, 1], [2, 3, 1]):
        one, other = Watched("evades", 3, None), Watched("evades", 3, None)
        for seat in order:
            one.play(seat, f"bet:{bets[0]}")
            other.play(seat, f"bet:{bets[0] if seat == 1 else bets[seat - 1]}")
            for eyes in (1, 0):
                alike(one, other, eyes)
        rng = random.Random(1)
        for _ in range(30):
            assert one.table.game
            if one.table.game.over:
                break
            action, seat = rng.choice(one.table.game.legal_actions()), one.table.game.seat
            one.play(seat, action)
            other.play(seat, action)
            if not one.table.game.over:
                for eyes in (1, 0):
                    alike(one, other, eyes)
                assert one.everything(2) != other.everything(2)


def test_tables_that_begin_with_other_bets_are_the_same_to_seats_and_spectators() -> None:
    pair = [
        Watched("evades", 2, f"evades 0:yo,5:r,7:b,9:d,#1:ln br.yl.do.n/{bet} b4w3 r+ 2:14")
        for bet in ("yo.bn.rl.d", "dn.bo.ry.l")
    ]
    for eyes in (1, 0):
        alike(pair[0], pair[1], eyes)
    for table in pair:
        table.play(2, "b>11")
    for eyes in (1, 0):
        alike(pair[0], pair[1], eyes)
    assert pair[0].everything(2) != pair[1].everything(2)


def test_the_seed_changes_nothing_but_the_commitment_before_it_is_used() -> None:
    start = position("jamaica", "0.0.0.0.0.18/0.0.0.0.17.17", "BBDHKS/DKPPSS", top="PS")
    shown = []
    for seed in (bytes(32), SEED):
        places = [Place(colour=0, name="a", mine=True), Place(colour=1, name="b", mine=True)]
        table = Table("seeded", open_table(Setup(game="jamaica", seats=places, start=start), "key", seed, 0, NOW))
        record = table.record(frozenset())
        commitment = escapade.Chance(seed).commitment
        assert commitment in record
        shown.append(record.replace(commitment, ""))
    assert shown[0] == shown[1]
