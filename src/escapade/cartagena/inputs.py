"""A view of Cartagena as a set of inputs for a network: words of 64 bits, of which few change from turn to turn.

Only what `Cartagena.view` shows the reader is read from the state. Seats are counted from the reader's own, which comes
first. Numbers are told as thermometers: n is the lowest n bits. The first words have a set of spaces each, whose bits
from SPARE on are used for something else.
"""

import hashlib
from typing import Any

import numpy as np

from escapade.cartagena.features import number_of
from escapade.cartagena.kernel import (
    NOBODY,
    SYMBOLS,
    UNKNOWN,
    Rules,
    State,
    apply,
    count_actions,
    nth_action,
    reshuffles,
    restock,
    retreat_origins,
    retreat_target,
)
from escapade.compiled import compiled, inlined
from escapade.sets import ALL, ONE, ZERO, U, above, below, bit, highest, lowest, signed, size, without_lowest

Words = np.ndarray[Any, np.dtype[np.uint64]]
Notes = np.ndarray[Any, np.dtype[np.int8]]

BOAT, PIRATES, MOST_ACTIONS = 37, 6, 3  # of the tunnels that a network is made for
SPARE = 38
COMMON, EACH = 9, 6  # words for all, and words for each seat
DISCARD = 8  # bits for a symbol's discards, one for two cards
HELD = 5  # bits for a symbol's cards in a hand
ROW = 12
FAR = 38
RETREATS = 16  # bits for the shortest retreats
FAR_LEAPS = U(sum(1 << steps for steps in (2, 3, 4, 6, 8, 11, 15, 21)))
SHORT_WAYS = U(sum(1 << steps for steps in (1, 2, 3, 5, 8, 12, 18, FAR - 1)))

LAYOUT = """\
word 0 to 5: free spaces of a symbol; spare: the row's cards of that symbol (12), its discards by two (8)
word 6: spaces with a pirate; spare: cards in the pile by five (20), 1 if hands are hidden, 1 if there is a row,
    1 if an empty hand may draw
word 7: spaces with two; spare: the seat to act (5), actions taken in this turn (3)
word 8: spaces with three
then for each seat
word 0: own spaces, prison and boat among them; spare: pirates in prison (6), pirates in the boat (6), cards (14)
word 1: spaces with two of its pirates; spare: cards of the first three symbols (5 each), unknown cards (11)
word 2: spaces with three of its pirates; spare: cards of the other three symbols (5 each), unknown cards beyond (11)
word 3: for each symbol its longest leap (2 3 4 6 8 11 15 21) and how many would board (1, 2), in 10 bits
word 4: the same where the symbol is held
word 5: spaces up to the last pirate (38); the shortest retreat for one card (8) and for two (8), progress by 22 (10)
"""
VERSION = hashlib.sha256(LAYOUT.encode()).hexdigest()[:16]


NOTES = 1  # numbers that are noted of a game's course: none, but arrays are not empty


def count(players: int) -> int:
    """How many words there are."""
    return COMMON + EACH * players


def outcomes(players: int) -> int:
    """How many outcomes a network tells the chances of: each seat wins, the reader first; all share a draw."""
    return players


@compiled
def thermometer(number: int, most: int) -> U:
    """A number as its lowest bits."""
    return below(min(number, most))


@inlined
def leaps(s: State, rules: Rules, seat: int, symbol: int) -> U:
    """The longest way that a card of this symbol takes one of the seat's pirates, and from how many spaces it boards.

    Of pirates that would go to the same space only the last can be the one.
    """
    free, pirates, best = s.spaces[symbol] & ~s.one, s.own[seat, 0] & below(rules.boat), 0
    places = pirates
    while places != ZERO:
        space = lowest(places)
        goal = lowest(free & above(space) | bit(rules.boat))
        best = max(best, goal - space)
        places &= ~below(goal)
    boards = size(pirates & ~below(highest(free | ONE)))
    return below(size(FAR_LEAPS & below(best + 1))) | thermometer(boards, 2) << U(8)


@inlined
def near(steps: int) -> U:
    """How short a way is, the more bits the shorter; none where there is no way."""
    return below(8) & ~below(8 - size(SHORT_WAYS & ~below(steps)))


@inlined
def shown(s: State, seat: int, unseen: bool, symbol: int) -> int:
    """The cards of a symbol in a hand, as far as they are known: of an unseen hand what everyone saw being taken."""
    cards: int = signed(s.known[seat, symbol]) if unseen else signed(s.hand[seat, symbol])
    return cards


@inlined
def describe_seat(s: State, rules: Rules, seat: int, unseen: bool, out: Words, at: int) -> None:
    """Write a seat's words."""
    cards, unknown, held, more = signed(s.hand[seat, UNKNOWN]), signed(s.hand[seat, UNKNOWN]), ZERO, ZERO
    for symbol in range(SYMBOLS):
        n, known = signed(s.hand[seat, symbol]), shown(s, seat, unseen, symbol)
        cards += n
        unknown += n - known
        if symbol < 3:
            held |= thermometer(known, HELD) << U(HELD * symbol)
        else:
            more |= thermometer(known, HELD) << U(HELD * (symbol - 3))
    spare = thermometer(signed(s.prison[seat]), 6) | thermometer(signed(s.boat[seat]), 6) << U(6)
    out[at] = s.own[seat, 0] | (spare | thermometer(cards, 14) << U(12)) << U(SPARE)
    out[at + 1] = s.own[seat, 1] & rules.tunnel | (held | thermometer(unknown, 11) << U(15)) << U(SPARE)
    out[at + 2] = s.own[seat, 2] & rules.tunnel | (more | thermometer(max(0, unknown - 11), 11) << U(15)) << U(SPARE)
    describe_leaps(s, rules, seat, unseen, ALL, ZERO, out, at + 3)
    come = rules.boat * signed(s.boat[seat])
    for k in range(3):
        places = s.own[seat, k] & rules.tunnel
        while places != ZERO:
            come += lowest(places)
            places = without_lowest(places)
    rest = retreats(s, rules, seat) | thermometer(come // 22, 10) << U(RETREATS)
    out[at + 5] = below(lowest(s.own[seat, 0])) | rest << U(SPARE)


@inlined
def describe_leaps(
    s: State, rules: Rules, seat: int, unseen: bool, changed: U, before: U, out: Words, at: int
) -> None:  # fmt: skip
    """Write a seat's words of leaps, those of symbols of which no space has `changed` as they were before."""
    leap, ready = ZERO, ZERO
    for symbol in range(SYMBOLS):
        if changed == ALL or s.spaces[symbol] & changed != ZERO:
            ways = leaps(s, rules, seat, symbol) << U(10 * symbol)
        else:
            ways = before & below(10) << U(10 * symbol)
        leap |= ways
        if shown(s, seat, unseen, symbol) > 0:
            ready |= ways
    out[at], out[at + 1] = leap, ready


@inlined
def retreats(s: State, rules: Rules, seat: int) -> U:
    """How near a seat's retreats for one card and for two are."""
    single, double, places = FAR, FAR, retreat_origins(s, rules, seat)
    while places != ZERO:
        space = lowest(places)
        goal = retreat_target(s, space)
        if s.two & bit(goal) != ZERO:
            double = min(double, space - goal)
        else:
            single = min(single, space - goal)
        places = without_lowest(places)
    return near(single) | near(double) << U(8)


@inlined
def describe_common(s: State, rules: Rules, hidden: bool, reader: int, out: Words) -> None:
    """Write the words that are no seat's."""
    players = signed(s.players)
    for symbol in range(SYMBOLS):
        spare = thermometer((signed(s.discard[symbol]) + 1) // 2, DISCARD) << U(ROW)
        out[symbol] = s.spaces[symbol] & ~s.one & rules.tunnel | spare << U(SPARE)
    for i in range(s.row):
        card = signed(s.pile[s.cards - 1 - i])
        if card < SYMBOLS:
            out[card] |= bit(SPARE + i)
    rest = thermometer((signed(s.cards) - signed(s.row) + 4) // 5, 20) | U(hidden) << U(20)
    rest |= U(rules.row > 0) << U(21) | U(rules.empty_hand_draw > 0) << U(22)
    out[6] = s.one & rules.tunnel | rest << U(SPARE)
    turn = bit((signed(s.seat) - reader + players) % players) | bit(5 + min(signed(s.actions), 2))
    out[7] = s.two & rules.tunnel | turn << U(SPARE)
    out[8] = s.three & rules.tunnel


@inlined
def describe(s: State, notes: Notes, rules: Rules, hidden: bool, masked: bool, reader: int, out: Words) -> None:
    """Write what a seat sees: `hidden` says whether the edition hides hands, `masked` whether the state has more.

    A state that was made from a view, with what its reader remembers, is not masked.
    """
    players = signed(s.players)
    describe_common(s, rules, hidden, reader, out)
    for k in range(players):
        describe_seat(s, rules, (reader + k) % players, masked and k > 0, out, COMMON + EACH * k)


@inlined
def describe_next(s: State, rules: Rules, hidden: bool, masked: bool, reader: int, before: Words, out: Words) -> None:
    """Write what a seat sees after an action of its own, from what it saw before: the others have not moved."""
    players = signed(s.players)
    describe_common(s, rules, hidden, reader, out)
    describe_seat(s, rules, reader, False, out, COMMON)
    changed = (before[6] ^ out[6]) & rules.tunnel
    for k in range(1, players):
        seat, at = (reader + k) % players, COMMON + EACH * k
        out[at], out[at + 1], out[at + 2] = before[at], before[at + 1], before[at + 2]
        describe_leaps(s, rules, seat, masked, changed, before[at + 3], out, at + 3)
        out[at + 5] = before[at + 5] & ~(below(RETREATS) << U(SPARE)) | retreats(s, rules, seat) << U(SPARE)


@inlined
def options(s: State, rules: Rules) -> int:
    """How many actions a seat can choose from by what they lead to."""
    return count_actions(s, rules)


@inlined
def attempt(s: State, rules: Rules, luck: Words, k: int) -> int:
    """Play the k-th action as its seat can foresee it: cards from the pile stay unknown. The action's number."""
    action = nth_action(s, rules, k)
    number = number_of(rules, action)
    if reshuffles(s, rules, action):
        for i in range(restock(s)):
            s.pile[i] = UNKNOWN
    unseen = signed(s.cards) - signed(s.row)
    for i in range(max(0, unseen - max(2, rules.row)), unseen):
        s.pile[i] = UNKNOWN
    apply(s, rules, action)
    return number


@inlined
def share(s: State, rules: Rules, seat: int) -> float:
    """A seat's share of the win of a game that is over, or -1 while it goes on."""
    if s.winner == NOBODY:
        return -1.0
    return 1.0 if s.winner == seat else 0.0


@inlined
def note(s: State, notes: Notes, rules: Rules, action: int) -> None:
    """Note what an action that is about to be played tells everyone, beyond the position: nothing here."""
