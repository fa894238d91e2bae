"""A view of Cartagena as arrays: numbered actions with the mask of the legal ones, and what a seat sees.

Only what `Cartagena.view` shows the reader is read from the state. Seats are counted from the reader's own, which comes
first.
"""

from typing import Any

import numpy as np

from escapade.cartagena.kernel import (
    DRAW,
    DRAWN,
    END,
    NOBODY,
    RETREAT,
    SYMBOLS,
    UNKNOWN,
    Rules,
    State,
    States,
    may_draw,
    may_end,
    origins,
    retreat_origins,
)
from escapade.compiled import compiled, inlined
from escapade.game import BROKEN_OFF, ENDED, GOES_ON, Field
from escapade.sets import ZERO, U, below, bit, lowest, signed, size, without_lowest

Mask = np.ndarray[Any, np.dtype[np.bool_]]
Row = np.ndarray[Any, np.dtype[np.int8]]

VERSION = 1
PLANES = SYMBOLS + 1  # of actions: a card of each symbol, and the retreat
LONGEST_ROW = 12
MOST = 127


@compiled
def count(rules: Rules) -> int:
    """How many numbers actions have: a card or a retreat from each space, the draw, the end of the turn."""
    return PLANES * (rules.boat + 1) + 2


@inlined
def number_of(rules: Rules, action: int) -> int:
    """The number of an action."""
    if action >= DRAW:
        return PLANES * (rules.boat + 1) + action - DRAW
    return (action >> 6) * (rules.boat + 1) + (action & 63)


@inlined
def action_of(rules: Rules, number: int) -> int:
    """The action of a number."""
    plane = number * ((1 << 16) // (rules.boat + 1) + 1) >> 16  # a division whose costly part is the same for all
    space = number - plane * (rules.boat + 1)
    return DRAW + space if plane == PLANES else plane << 6 | space


@inlined
def mark_places(mask: Mask, first: int, places: U) -> None:
    """Mark the numbers of these spaces, counted from the first."""
    while places != ZERO:
        mask[first + lowest(places)] = True
        places = without_lowest(places)


@inlined
def mark(s: State, rules: Rules, mask: Mask) -> None:
    """Mark the numbers of legal actions in a row of zeros."""
    spaces = rules.boat + 1
    if s.winner != NOBODY:
        return
    places, symbols = origins(s, rules), s.held[s.seat] & below(SYMBOLS)
    others = size(places) * size(symbols)
    while symbols != ZERO:
        mark_places(mask, lowest(symbols) * spaces, places)
        symbols = without_lowest(symbols)
    places = retreat_origins(s, rules, s.seat)
    others += size(places)
    mark_places(mask, RETREAT * spaces, places)
    if may_draw(s, rules):
        others += 1
        mask[PLANES * spaces] = True
    if may_end(s, rules, others):
        mask[PLANES * spaces + END - DRAW] = True


def fields(rules: Rules, players: int) -> list[Field]:
    """The parts of an observation in their order."""
    spaces, pack = rules.boat + 1, SYMBOLS * rules.copies
    hands = "each seat's cards by symbol, and at last those that are not known"
    return [
        Field("symbols", (SYMBOLS, spaces), "1 where the tunnel shows the symbol", 1),
        Field("pirates", (players, spaces), "each seat's pirates on each space", rules.pirates),
        Field("hands", (players, UNKNOWN + 1), hands, pack),
        Field("row", (LONGEST_ROW, SYMBOLS), "1 for the symbol of each card of the row, its head first", 1),
        Field("discards", (SYMBOLS,), "discarded cards by symbol", rules.copies),
        Field("pile", (1,), "cards in the face-down pile", pack),
        Field("seat", (players,), "1 for the seat to act", 1),
        Field("actions", (1,), "actions that it has taken in this turn", rules.most),
        Field("turns", (1,), f"turns left before the limit, this one counted, {MOST} at most", MOST),
    ]


@compiled
def length(rules: Rules, players: int) -> int:
    """How many numbers an observation has."""
    return (SYMBOLS + players) * (rules.boat + 1) + players * (UNKNOWN + 2) + (LONGEST_ROW + 1) * SYMBOLS + 3


@inlined
def observe_pirates(s: State, rules: Rules, seat: int, out: Row, at: int) -> None:
    """Count a seat's pirates on each space."""
    out[at] = s.prison[seat]
    for k in range(3):
        places = s.own[seat, k] & rules.tunnel
        while places != ZERO:
            out[at + lowest(places)] = k + 1
            places = without_lowest(places)
    out[at + rules.boat] = s.boat[seat]


@inlined
def observe_hand(s: State, seat: int, hidden: bool, out: Row, at: int) -> None:
    """Count a seat's cards; of a hidden hand only those that everyone saw being taken are known."""
    unseen = 0
    for symbol in range(SYMBOLS):
        shown = s.known[seat, symbol] if hidden else s.hand[seat, symbol]
        out[at + symbol] = shown
        unseen += signed(s.hand[seat, symbol]) - signed(shown)
    out[at + UNKNOWN] = unseen + signed(s.hand[seat, UNKNOWN])


@inlined
def observe(s: State, rules: Rules, hidden: bool, reader: int, out: Row) -> None:
    """Write what a seat sees into a row of zeros; `hidden` says whether the edition hides hands."""
    spaces, players, at = rules.boat + 1, signed(s.players), 0
    for symbol in range(SYMBOLS):
        places = s.spaces[symbol] & rules.tunnel
        while places != ZERO:
            out[at + lowest(places)] = 1
            places = without_lowest(places)
        at += spaces
    hands = at + players * spaces
    for k in range(players):
        seat = (reader + k) % players
        observe_pirates(s, rules, seat, out, at + k * spaces)
        observe_hand(s, seat, hidden and k > 0, out, hands + k * (UNKNOWN + 1))
    at = hands + players * (UNKNOWN + 1)
    for i in range(s.row):
        card = signed(s.pile[s.cards - 1 - i])
        if card < UNKNOWN:
            out[at + i * SYMBOLS + card] = 1
    at += LONGEST_ROW * SYMBOLS
    for symbol in range(SYMBOLS):
        out[at + symbol] = s.discard[symbol]
    at += SYMBOLS
    out[at] = s.cards - s.row
    out[at + 1 + (signed(s.seat) - reader + players) % players] = 1
    out[at + 1 + players] = s.actions
    out[at + 2 + players] = min(MOST, max(0, rules.turn_limit - s.turn + 1))


@inlined
def ending(s: State, rules: Rules) -> int:
    """Whether the game goes on, has ended, or has been broken off by the turn limit."""
    if s.winner == NOBODY:
        return GOES_ON
    return BROKEN_OFF if s.winner == DRAWN and s.turn > rules.turn_limit else ENDED


@inlined
def winners(s: State, rules: Rules) -> U:
    """The set of seats that have won."""
    return ZERO if s.winner < 0 else bit(s.winner)


@compiled
def mark_in(states: States, rules: Rules, mask: Mask) -> None:
    """Write which numbers are legal in `states[0]`."""
    mask[:] = False
    mark(states[0], rules, mask)


@compiled
def observe_in(states: States, rules: Rules, hidden: bool, reader: int, out: Row) -> None:
    """Write what a seat sees of `states[0]`."""
    out[:] = 0
    observe(states[0], rules, hidden, reader, out)
