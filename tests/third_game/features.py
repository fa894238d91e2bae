"""A view of the Game of the Goose as arrays; the reader's seat comes first, then the others as they follow it."""

from typing import Any

import numpy as np

from escapade.compiled import compiled
from escapade.game import BROKEN_OFF, ENDED, GOES_ON, Field
from escapade.sets import ZERO, U, bit, signed
from third_game.kernel import DRAWN, HIGHEST, NOBODY, PASS, Rules, State, States, legal

Mask = np.ndarray[Any, np.dtype[np.bool_]]
Row = np.ndarray[Any, np.dtype[np.int8]]

VERSION = 1
MOST = 127


@compiled
def count(rules: Rules) -> int:
    """How many numbers actions have: the six cards, and to pass."""
    return PASS


@compiled
def number_of(rules: Rules, action: int) -> int:
    """The number of an action."""
    return action - 1


@compiled
def action_of(rules: Rules, number: int) -> int:
    """The action of a number."""
    return number + 1


@compiled
def mark(s: State, rules: Rules, mask: Mask) -> None:
    """Mark the numbers of legal actions in a row of zeros."""
    for number in range(PASS):
        mask[number] = legal(s, rules, number + 1)


def fields(rules: Rules, players: int) -> list[Field]:
    """The parts of an observation in their order."""
    return [
        Field("spaces", (players,), "the space of each goose", rules.length),
        Field("cards", (players,), "how many cards each seat holds", rules.hand),
        Field("seat", (players,), "1 for the seat to act", 1),
        Field("hand", (HIGHEST,), "how many cards of each number the reader holds", min(rules.copies, rules.hand)),
        Field("pile", (1,), "cards in the pile", HIGHEST * rules.copies),
        Field("turns", (1,), f"turns left before the limit, this one counted, {MOST} at most", MOST),
    ]


@compiled
def length(rules: Rules, players: int) -> int:
    """How many numbers an observation has."""
    return 3 * players + HIGHEST + 2


@compiled
def observe(s: State, rules: Rules, hidden: bool, reader: int, out: Row) -> None:
    """Write what a seat sees into a row of zeros."""
    players: int = signed(s.players)
    for k in range(players):
        seat = (reader + k) % players
        out[k] = s.space[seat]
        out[players + k] = s.held[seat]
        out[2 * players + k] = seat == s.seat
    for card in range(1, HIGHEST + 1):
        out[3 * players + card - 1] = s.hand[reader, card]
    out[3 * players + HIGHEST] = s.cards
    out[3 * players + HIGHEST + 1] = min(MOST, max(0, rules.turn_limit - s.turn + 1))


@compiled
def ending(s: State, rules: Rules) -> int:
    """Whether the game goes on, has ended, or has been broken off by the turn limit."""
    if s.winner == NOBODY:
        return GOES_ON
    return BROKEN_OFF if s.winner == DRAWN and s.turn > rules.turn_limit else ENDED


@compiled
def winners(s: State, rules: Rules) -> U:
    """The set of seats that have won."""
    return bit(s.winner) if s.winner >= 0 else ZERO


@compiled
def mark_in(states: States, rules: Rules, mask: Mask) -> None:
    """Write which numbers are legal in `states[0]`."""
    mark(states[0], rules, mask)


@compiled
def observe_in(states: States, rules: Rules, hidden: bool, reader: int, out: Row) -> None:
    """Write what a seat sees of `states[0]`."""
    observe(states[0], rules, hidden, reader, out)
