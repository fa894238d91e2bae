"""What is true at a table of Cartagena with hidden hands and no row, worked out anew from docs/notation.md.

Nothing here is shared with the program: a seed gives tunnel, pack and reshuffles, actions give the rest, and a reader
should be shown exactly what `Truth.view` says.
"""

import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

SYMBOLS = "BDHKPS"
SEGMENTS = ("BPHSDK", "DBKPHS", "HKPBSD", "KBSDHP", "PKDHSB", "HDKBPS")  # C2, in the rules' order
COPIES, MOST_ACTIONS, PIRATES = 17, 3, 6


def stream(seed: bytes, label: str, count: int) -> tuple[int, ...]:
    """The first numbers of a stream."""
    blocks = (sha256(seed + label.encode() + b"\0" + i.to_bytes(4, "big")).digest() for i in range(count))
    return struct.unpack_from(f">{count}Q", b"".join(blocks))


def shuffled(seed: bytes, label: str, things: Sequence[str]) -> list[str]:
    """Things in the order that a label gives them."""
    numbers = stream(seed, label, len(things))
    return [things[i] for i in sorted(range(len(things)), key=lambda i: numbers[i])]


def pack(seed: bytes) -> str:
    """All cards, top first."""
    return "".join(shuffled(seed, "deck", [card for card in SYMBOLS for _ in range(COPIES)]))


def tunnel(seed: bytes) -> str:
    """A tunnel laid by chance."""
    turned = stream(seed, "turned", len(SEGMENTS))
    laid = shuffled(seed, "tunnel 1", SEGMENTS)
    return "/".join(one[::-1] if turned[i] % 2 else one for i, one in enumerate(laid))


@dataclass(frozen=True)
class Truth:
    """A position with everything known, and the action that led to it as its own seat may read it."""

    game: str
    seed: bytes
    tunnel: str
    pirates: tuple[tuple[int, ...], ...]
    hands: tuple[str, ...]
    pile: str
    discards: str = ""
    seat: int = 1
    acts: int = 0
    turn: int = 1
    actor: int = 0
    token: str = ""

    @classmethod
    def begin(cls, game: str, seed: bytes, players: int, deal: int) -> "Truth":
        """After the deal."""
        cards = pack(seed)
        hands = tuple(ordered(cards[deal * i : deal * (i + 1)]) for i in range(players))
        return cls(game, seed, tunnel(seed), ((0,) * PIRATES,) * players, hands, cards[deal * players :])

    def play(self, action: str) -> "Truth":
        """After a bare action of the seat to act."""
        if action == ".":
            return replace(self, actor=self.seat, token=action)._next_turn()
        if "<" in action:
            done = self._retreat(action)
        else:
            card, (start, end) = action[0], action[1:].split(">")
            hand = self.hands[self.seat - 1].replace(card, "", 1)
            done = replace(self._moved(int(start), int(end))._held(hand), discards=self.discards + card, token=action)
        done = replace(done, actor=self.seat, acts=self.acts + 1)
        return done._next_turn() if done.acts == MOST_ACTIONS else done

    def _retreat(self, action: str) -> "Truth":
        start, end = map(int, action.split("<"))
        drawn, pile, discards, new = "", self.pile, self.discards, ""
        for _ in range(sum(spaces.count(end) for spaces in self.pirates)):
            if not pile and discards and not new:
                pile = new = "".join(shuffled(self.seed, f"pile {self.turn} {self.acts}", ordered(discards)))
                discards = ""
            drawn, pile = drawn + pile[:1], pile[1:]
        moved = self._moved(start, end)._held(ordered(self.hands[self.seat - 1] + drawn))
        token = action + (f"+{drawn}" if drawn else "") + (f"~{new}" if new else "")
        return replace(moved, pile=pile, discards=discards, token=token)

    def _moved(self, start: int, end: int) -> "Truth":
        spaces = list(self.pirates[self.seat - 1])
        spaces[spaces.index(start)] = end
        return replace(self, pirates=exchanged(self.pirates, self.seat, tuple(sorted(spaces))))

    def _held(self, hand: str) -> "Truth":
        return replace(self, hands=exchanged(self.hands, self.seat, hand))

    def _next_turn(self) -> "Truth":
        return replace(self, seat=self.seat % len(self.hands) + 1, acts=0, turn=self.turn + 1)

    def view(self, eyes: int) -> str:
        """The position as a seat may see it, or with 0 somebody who watches."""
        hands = [hand if seat == eyes else "?" * len(hand) for seat, hand in enumerate(self.hands, 1)]
        pirates = "/".join(".".join(map(str, spaces)) for spaces in self.pirates)
        counts = sorted(Counter(self.discards).items())
        fields = [
            self.game,
            self.tunnel,
            pirates,
            "/".join(hand or "-" for hand in hands),
            "-",
            f"?{len(self.pile)}" if self.pile else "-",
            "".join(f"{card}{count}" for card, count in counts) or "-",
            f"{self.seat}:{self.acts}:{self.turn}",
        ]
        return " ".join(fields)

    def told(self, eyes: int) -> str:
        """The action as a seat may read it: another's cards and a new pile are only counted."""
        action, _, new = self.token.partition("~")
        bare, plus, drawn = action.partition("+")
        shown = drawn if eyes == self.actor else "?" * len(drawn)
        return bare + plus + shown + (f"~?{len(new)}" if new else "")


def ordered(cards: str) -> str:
    """Cards in alphabetical order."""
    return "".join(sorted(cards))


def exchanged(things: tuple[Any, ...], seat: int, thing: Any) -> tuple[Any, ...]:
    """A tuple with one seat's thing replaced."""
    return (*things[: seat - 1], thing, *things[seat:])
