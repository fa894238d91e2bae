"""A view of Les Évadés as a set of inputs for a network: words of 64 bits, of which few change from turn to turn.

Only what `Evades.view` and the record show the reader is read. Pawns have no names here but places in the reader's own
bet: the two of its boat 1 are first, the further one before the other. So the bet needs no inputs, and colours do not
matter. Seats are counted from the reader's own. Numbers are told as thermometers: n is the lowest n bits.

What the others have bet is to be read from what they did, which is noted for every seat and pawn (`note`).
"""

import hashlib
from typing import Any

import numpy as np

from escapade.compiled import compiled, inlined
from escapade.evades.features import number_of
from escapade.evades.kernel import (
    ARRIVED,
    BACK,
    BET,
    BETS,
    BOAT,
    COLOURS,
    DRAWN,
    END,
    PAWNS,
    ROLL,
    WHITE,
    Rules,
    State,
    apply,
    back_pawns,
    boat_with_room,
    count_actions,
    forward_target,
    free,
    nth_action,
    points,
)
from escapade.rng import GOLDEN, mix, pick_high
from escapade.sets import ZERO, U, below, bit, lowest, signed, size, without_lowest

Words = np.ndarray[Any, np.dtype[np.uint64]]
Notes = np.ndarray[Any, np.dtype[np.int8]]

TRACK, SEATS, ALL_POINTS = 30, 6, 16  # the track that networks are made for, the most players and points
DECIDED = 11  # steps between two places of which one will be reached first for certain
COMMON, EACH = 12, 7  # words for all, and words for each seat
OTHERS = 64 * (COMMON + EACH)  # inputs from here on are about other seats than the reader's
FIRST_PAIR, ORDER, REST = 7, 10, 11  # words after those of the pawns
CHOSEN, WHITE_CHOSEN, IS_THROWN = 44, 19, 60  # bits: of a pawn's die in its word, of the white die and of all in REST
MIDDLE, LATE = 2, 4  # pawns in boats from which on fewer colours are thrown

# What is noted of a seat and a pawn: how often it threw its die or, though the pawn was free, left it. Before LATE that
# is counted apart for pawns that are in the first half and for others, and before MIDDLE apart from later. Then how
# often it took the pawn back with the white die, or spared it though it could.
THREW_LATE, LEFT_LATE, TOOK_BACK, SPARED = 8, 9, 10, 12
KINDS = 14
NOTES = SEATS * PAWNS * KINDS
MOST = 100

# How far two pawns are apart, from FAR behind to FAR ahead: four bits for being ahead, four for being behind.
STEPS = 1, 3, 6, 10
FAR = STEPS[-1]
APART = np.array(
    [sum((far >= step) << k | (-far >= step) << k + 4 for k, step in enumerate(STEPS)) for far in range(-FAR, FAR + 1)],
    np.uint64,
)

LAYOUT = """\
word 0 to 6, the pawns of the reader's boat 1, 2, 3, 4, the further one first: space (29), boat (4), in a boat (1),
    the pawns above it by place (7) and number (3), die chosen (1), its number (6), which would board (1),
    moved forward, moved back, blocked (3)
word 7 to 9: for each two pawns 8 bits: the one of the lower place is ahead by 1, 3, 6, 10, or behind
word 10: pawns before each pawn (6 each), points if all arrived as they stand (16)
word 11: pawns aboard (7), the seat to act (6), turns until the white die (6), white die chosen (1), its number (6),
    points made (16), points within reach (16), bets are made (1), jumped spaces count (1), dice are thrown (1)
then for each seat seven words, one for each pawn, numbers told as 1 2 3 5 7 9 11:
    with less than two pawns aboard thrown in front (5), behind (5), left in front (5), behind (5),
    with less than four the same (4 each), later thrown (7), left (7),
    taken back before (4), later (4), spared by two before (3), later (3)
"""
VERSION = hashlib.sha256(LAYOUT.encode()).hexdigest()[:16]


def count(players: int) -> int:
    """How many words there are."""
    return COMMON + EACH * players


def outcomes(players: int) -> int:
    """How many outcomes a network tells the chances of: each seat wins, the reader first, or nobody does."""
    return players + 1


@compiled
def thermometer(number: int, most: int) -> U:
    """A number as its lowest bits."""
    return below(min(number, most))


@inlined
def progress(s: State, rules: Rules, pawn: int) -> int:
    """How far a pawn is on a track of TRACK spaces; those in boats are further than any other, the first one most."""
    if s.boat[pawn] > 0:
        boat: int = signed(s.boat[pawn])
        return TRACK - 1 + DECIDED * (5 - boat)
    space: int = signed(s.space[pawn])
    return max(min(space, 1), space + TRACK - rules.length)


@inlined
def above(s: State, pawn: int) -> U:
    """The pawns that stand on a pawn."""
    pawns = ZERO
    if s.covered & bit(pawn) != ZERO:
        other = signed(s.top[s.space[pawn]])
        while other != pawn:
            pawns |= bit(other)
            other = signed(s.below[other])
    return pawns


@inlined
def noted(seat: int, pawn: int) -> int:
    """Where the notes of a seat and a pawn begin."""
    return (seat * PAWNS + pawn) * KINDS


@inlined
def standing(s: State, rules: Rules, pawn: int) -> int:
    """How far a pawn is, in a stack the upper one further, and then what tells it from another one beside it."""
    place = 8 * progress(s, rules, pawn) - size(above(s, pawn))
    die: int = 1 + signed(s.dice[pawn]) if s.thrown & bit(pawn) != ZERO else 0
    moved: int = signed(s.forth >> U(pawn) & U(1))
    return 2 * (8 * place + die) + moved


@inlined
def precedes(s: State, notes: Notes, rules: Rules, reader: int, pawn: int, other: int) -> bool:
    """Whether a pawn comes before another one of the same boat of a bet; only what differs between them decides."""
    difference = standing(s, rules, pawn) - standing(s, rules, other)
    place = 0
    while difference == 0 and place < s.players * KINDS:
        seat = (reader + place // KINDS) % signed(s.players)
        kind = place % KINDS
        difference = signed(notes[noted(seat, pawn) + kind]) - signed(notes[noted(seat, other) + kind])
        place += 1
    return difference > 0


@inlined
def pawn_at(order: U, place: int) -> int:
    """The pawn at a place."""
    pawn: int = signed(order >> U(4 * place) & U(15))
    return pawn


@inlined
def in_order(s: State, notes: Notes, rules: Rules, reader: int) -> U:
    """The pawns in the order of the reader's bet, four bits each; before it has bet in any order."""
    order, place = ZERO, 0
    for boat in range(5):
        for pawn in range(PAWNS):
            if s.bet[reader, pawn] == boat:
                order |= U(pawn) << U(4 * place)
                place += 1
    return further_first(s, notes, rules, reader, order)


@inlined
def further_first(s: State, notes: Notes, rules: Rules, reader: int, order: U) -> U:
    """An order in which of two pawns of a boat the further one is before the other."""
    for first in range(0, PAWNS - 1, 2):
        pawn, other = pawn_at(order, first), pawn_at(order, first + 1)
        if precedes(s, notes, rules, reader, other, pawn):
            order ^= U(pawn ^ other) * U(17) << U(4 * first)
    return order


@inlined
def describe_pawn(s: State, rules: Rules, order: U, pawn: int) -> U:
    """A pawn's word."""
    word = thermometer(progress(s, rules, pawn), TRACK - 1)
    if s.boat[pawn] > 0:
        word |= (bit(signed(s.boat[pawn]) - 1) | bit(4)) << U(29)
    over = above(s, pawn)
    if over != ZERO:
        for place in range(PAWNS):
            word |= (over >> U(pawn_at(order, place)) & U(1)) << U(34 + place)
        word |= thermometer(size(over), 3) << U(41)
    if s.thrown & bit(pawn) != ZERO:
        number = signed(s.dice[pawn])
        word |= (U(1) | thermometer(number, 6) << U(1)) << U(CHOSEN)
        if number > 0 and forward_target(s, rules, pawn) > BOAT:
            word |= bit(51)
    word |= (s.forth >> U(pawn) & U(1)) << U(52) | (s.back >> U(pawn) & U(1)) << U(53)
    return word | (s.covered >> U(pawn) & U(1)) << U(54)


@inlined
def apart(steps: int) -> U:
    """How far one pawn is ahead of another, or behind it."""
    far: U = APART[min(max(steps, -FAR), FAR) + FAR]
    return far


@inlined
def describe_order(s: State, rules: Rules, order: U, out: Words) -> None:
    """Write the words of pairs of pawns, and the one of their order."""
    places, ranks, pair, word = ZERO, ZERO, 0, ZERO
    for place in range(PAWNS):
        pawn = pawn_at(order, place)
        places |= U(progress(s, rules, pawn)) << U(8 * place)
        ranks |= U(size(above(s, pawn))) << U(4 * place)
    for first in range(PAWNS):
        own = signed(places >> U(8 * first) & U(255))
        for second in range(first + 1, PAWNS):
            far = apart(own - signed(places >> U(8 * second) & U(255)))
            word |= far << U(8 * (pair % 8))
            ranks += (far >> U(4) & U(1)) << U(4 * first)
            ranks += (far & U(1)) << U(4 * second)
            if pair % 8 == 7:
                out[FIRST_PAIR + pair // 8] = word
                word = ZERO
            pair += 1
    out[ORDER - 1] = word
    total, word = 0, ZERO
    for place in range(PAWNS):
        rank = signed(ranks >> U(4 * place) & U(15))
        word |= thermometer(rank, 6) << U(6 * place)
        if rank // 2 == place // 2:
            total += 1 + place // 2
    out[ORDER] = word | thermometer(total, ALL_POINTS) << U(42)


@inlined
def within_reach(s: State, order: U) -> int:
    """The points that a reader can still make."""
    total, room = 0, boat_with_room(s)
    for place in range(PAWNS):
        boat, own = signed(s.boat[pawn_at(order, place)]), 1 + place // 2
        if boat == own or (boat == 0 and own >= room):
            total += own
    return total


@inlined
def describe_rest(s: State, rules: Rules, reader: int, order: U) -> U:
    """The word of whatever is there but once."""
    players = signed(s.players)
    word = thermometer(size(s.aboard), 7) | bit(7 + (signed(s.seat) - reader + players) % players)
    word |= thermometer(max(0, players + 1 - signed(s.turn)), 6) << U(13)
    if s.thrown & bit(WHITE) != ZERO:
        word |= (U(1) | thermometer(signed(s.dice[WHITE]), 6) << U(1)) << U(WHITE_CHOSEN)
    word |= thermometer(points(s, reader), ALL_POINTS) << U(26)
    word |= thermometer(within_reach(s, order), ALL_POINTS) << U(42)
    return word | U(s.turn == 0) << U(58) | U(rules.count_jumped != 0) << U(59) | U(s.thrown != ZERO) << U(IS_THROWN)


@inlined
def often(number: int, most: int) -> U:
    """A number of times as bits: 1, 2, 3, and from there on every other."""
    return thermometer(min(number, (number + 3) // 2), most)


@inlined
def describe_deeds(notes: Notes, at: int) -> U:
    """What a seat did with a pawn, as a word."""
    word = ZERO
    for kind in range(4):
        word |= often(signed(notes[at + kind]), 5) << U(5 * kind)
        word |= often(signed(notes[at + 4 + kind]), 4) << U(20 + 4 * kind)
    for late in range(2):
        word |= often(signed(notes[at + THREW_LATE + late]), 7) << U(36 + 7 * late)
        word |= often(signed(notes[at + TOOK_BACK + late]), 4) << U(50 + 4 * late)
        word |= often(signed(notes[at + SPARED + late]) // 2, 3) << U(58 + 3 * late)
    return word


@inlined
def describe_pawns(s: State, rules: Rules, reader: int, order: U, out: Words) -> None:
    """Write the words that are no seat's."""
    for place in range(PAWNS):
        out[place] = describe_pawn(s, rules, order, pawn_at(order, place))
    describe_order(s, rules, order, out)
    out[REST] = describe_rest(s, rules, reader, order)


@inlined
def describe(s: State, notes: Notes, rules: Rules, hidden: bool, masked: bool, reader: int, out: Words) -> None:
    """Write what a seat sees; other seats' bets are never read. A chosen die without a number is not thrown yet."""
    order, players = in_order(s, notes, rules, reader), signed(s.players)
    describe_pawns(s, rules, reader, order, out)
    for k in range(players):
        for place in range(PAWNS):
            at = noted((reader + k) % players, pawn_at(order, place))
            out[COMMON + EACH * k + place] = describe_deeds(notes, at)


@inlined
def describe_next(s: State, notes: Notes, rules: Rules, reader: int, before: Words, order: U, out: Words) -> None:
    """Write what a seat sees, from what it saw before in this `order`, while nothing more was noted.

    Two pawns of a boat may have changed places.
    """
    now = further_first(s, notes, rules, reader, order)
    describe_pawns(s, rules, reader, now, out)
    for place in range(PAWNS):
        was = COMMON + (place if pawn_at(now, place) == pawn_at(order, place) else place ^ 1)
        for at in range(0, EACH * signed(s.players), EACH):
            out[COMMON + place + at] = before[was + at]


@inlined
def are_alike(s: State, order: U, dice: U) -> bool:
    """Whether of two pawns of a boat that nothing but notes tells apart, at the windows, one is thrown for."""
    for first in range(0, PAWNS - 1, 2):
        pawn, other = pawn_at(order, first), pawn_at(order, first + 1)
        windows = s.space[pawn] + s.space[other] + s.boat[pawn] + s.boat[other] == 0
        if windows and (dice >> U(pawn) ^ dice >> U(other)) & U(1) != ZERO:
            return True
    return False


@inlined
def describe_roll(order: U, dice: U, before: Words, out: Words) -> None:
    """Write what a seat sees once it has chosen dice, from what it sees before; the order must stay (`are_alike`)."""
    for word in range(len(out)):
        out[word] = before[word]
    for place in range(PAWNS):
        out[place] |= (dice >> U(pawn_at(order, place)) & U(1)) << U(CHOSEN)
    out[REST] |= (dice >> U(WHITE) & U(1)) << U(WHITE_CHOSEN) | bit(IS_THROWN)


@inlined
def options(s: State, rules: Rules) -> int:
    """How many actions a seat can choose from by what they lead to; all bets are alike."""
    return 1 if s.turn == 0 else count_actions(s)


@inlined
def attempt(s: State, rules: Rules, luck: Words, k: int) -> int:
    """Play the k-th action as its seat can foresee it: dice are chosen, not thrown. The action's number.

    A bet is drawn, for each seat another one.
    """
    action = nth_action(s, k)
    if s.turn == 0:
        action = BET + pick_high(mix(luck[0] ^ mix(luck[1] + GOLDEN * U(signed(s.seat) + 1))), len(BETS))
    if ROLL <= action < BET:
        s.thrown = U(action - ROLL)
        for die in range(WHITE + 1):
            s.dice[die] = 0
    else:
        apply(s, rules, action)
    return number_of(rules, action)


@inlined
def share(s: State, rules: Rules, seat: int) -> float:
    """1 for a seat that has made all points, 0 if the game is drawn, else -1: others' bets are shown too late."""
    if s.over == DRAWN:
        return 0.0
    return 1.0 if s.over == ARRIVED and points(s, seat) == ALL_POINTS else -1.0


@inlined
def add_note(notes: Notes, seat: int, pawn: int, kind: int) -> None:
    """Count one more."""
    at = noted(seat, pawn) + kind
    if notes[at] < MOST:
        notes[at] += 1


@inlined
def is_behind(s: State, pawn: int) -> bool:
    """Whether half of the pawns that are in no boat are ahead of one."""
    ahead, left = 0, COLOURS & ~s.aboard
    half = size(left)
    while left != ZERO:
        ahead += s.space[lowest(left)] > s.space[pawn]
        left = without_lowest(left)
    return 2 * ahead >= half


@inlined
def note_roll(s: State, notes: Notes, dice: U) -> None:
    """Note which dice a seat chooses."""
    pawns, aboard = free(s) | dice & COLOURS, size(s.aboard)
    while pawns != ZERO:
        pawn = lowest(pawns)
        pawns = without_lowest(pawns)
        left = signed(dice & bit(pawn) == ZERO)
        if aboard >= LATE:
            add_note(notes, signed(s.seat), pawn, THREW_LATE + left)
        else:
            add_note(notes, signed(s.seat), pawn, 4 * (aboard >= MIDDLE) + 2 * left + is_behind(s, pawn))


@inlined
def note(s: State, notes: Notes, rules: Rules, action: int) -> None:
    """Note what an action that is about to be played tells everyone of its seat's bet."""
    if ROLL <= action < BET:
        note_roll(s, notes, U(action - ROLL))
    elif BACK <= action <= END:
        pawns = back_pawns(s)
        while pawns != ZERO:
            pawn = lowest(pawns)
            pawns = without_lowest(pawns)
            kind = TOOK_BACK if action == BACK | pawn else SPARED
            add_note(notes, signed(s.seat), pawn, kind + (size(s.aboard) >= LATE))
