"""A view of Les Évadés as arrays: numbered actions with the mask of the legal ones, and what a seat sees.

Only what `Evades.view` shows the reader is read from the state. Seats are counted from the reader's own, which comes
first.
"""

from typing import Any

import numpy as np

from escapade.compiled import compiled
from escapade.evades.kernel import (
    ARRIVED,
    BACK,
    BET,
    BETS,
    DRAWN,
    END,
    ONES,
    PAWNS,
    ROLL,
    RUNNING,
    THREES,
    TWOS,
    UNTOLD,
    WHITE,
    Rules,
    State,
    States,
    back_pawns,
    dice_to_throw,
    forward_pawns,
    legal_roll,
    may_throw_white,
    points,
)
from escapade.game import BROKEN_OFF, ENDED, GOES_ON, Field
from escapade.sets import ZERO, U, bit, lowest, signed, without_lowest

Mask = np.ndarray[Any, np.dtype[np.bool_]]
Row = np.ndarray[Any, np.dtype[np.int8]]

VERSION = 1
MOST = 127

# Three colours, two, each without and with the white die; one with it: as the notation lists them.
ROLLS = np.array(
    [*(int(some) | white << WHITE for size in (THREES, TWOS) for some in size for white in (0, 1))]
    + [int(one) | 1 << WHITE for one in ONES],
    np.int64,
)
PLACE = np.array([ROLLS.tolist().index(dice) if dice in ROLLS else 0 for dice in range(256)], np.int64)
WITH_THREE = 2 * len(THREES)  # so many of them have three colours
FIRST_BACK, NUMBER_OF_END, FIRST_ROLL = PAWNS, 2 * PAWNS, 2 * PAWNS + 1
FIRST_BET = FIRST_ROLL + len(ROLLS)
NUMBERS = FIRST_BET + len(BETS)


@compiled
def count(rules: Rules) -> int:
    """How many numbers actions have: each pawn forward and back, the end of the turn, the rolls, the bets."""
    return NUMBERS


@compiled
def number_of(rules: Rules, action: int) -> int:
    """The number of an action."""
    if action >= BET:
        return FIRST_BET + action - BET
    if action >= ROLL:
        return FIRST_ROLL + PLACE[action - ROLL]
    if action == END:
        return NUMBER_OF_END
    return FIRST_BACK + action - BACK if action >= BACK else action


@compiled
def action_of(rules: Rules, number: int) -> int:
    """The action of a number."""
    if number >= FIRST_BET:
        return BET + number - FIRST_BET
    if number >= FIRST_ROLL:
        return ROLL | ROLLS[number - FIRST_ROLL]
    if number == NUMBER_OF_END:
        return END
    return BACK + number - FIRST_BACK if number >= FIRST_BACK else number


@compiled
def mark_pawns(mask: Mask, first: int, pawns: U) -> None:
    """Mark the numbers of these pawns, counted from the first."""
    while pawns != ZERO:
        mask[first + lowest(pawns)] = True
        pawns = without_lowest(pawns)


@compiled
def mark(s: State, rules: Rules, mask: Mask) -> None:
    """Mark the numbers of legal actions in a row of zeros."""
    if s.over != RUNNING:
        return
    if s.turn == 0:
        mask[FIRST_BET:] = True
    elif s.thrown == ZERO:
        three = dice_to_throw(s) == 3
        for k in range(0 if three else WITH_THREE, WITH_THREE if three else len(ROLLS)):
            mask[FIRST_ROLL + k] = legal_roll(s, U(ROLLS[k]))
    else:
        forward = forward_pawns(s)
        mark_pawns(mask, 0, forward)
        mark_pawns(mask, FIRST_BACK, back_pawns(s))
        mask[NUMBER_OF_END] = forward == ZERO


def fields(rules: Rules, players: int) -> list[Field]:
    """The parts of an observation in their order."""
    return [
        Field("spaces", (PAWNS, rules.length), "1 on the space of each pawn that is in no boat; 0 is the windows", 1),
        Field("boats", (PAWNS, 4), "1 for the boat of each pawn that is in one", 1),
        Field("below", (PAWNS,), "pawns that each pawn stands on", PAWNS - 1),
        Field("dice", (WHITE + 1, 6), "1 for the number of each die thrown and not used, the white one last", 1),
        Field("forward", (PAWNS,), "1 for the pawns moved forward in this turn", 1),
        Field("back", (PAWNS,), "1 for the pawn moved back in this turn", 1),
        Field("bets", (players, PAWNS, 4), "1 for the boat that each seat bet for each pawn, where it may be known", 1),
        Field("made", (players,), "1 for the seats that have bet", 1),
        Field("seat", (players,), "1 for the seat to act", 1),
        Field("white", (1,), "1 once the white die may be thrown", 1),
        Field("turns", (1,), f"turns left before the limit, this one counted, {MOST} at most", MOST),
    ]


@compiled
def length(rules: Rules, players: int) -> int:
    """How many numbers an observation has."""
    return PAWNS * (rules.length + 7) + 6 * (WHITE + 1) + players * (4 * PAWNS + 2) + 2


@compiled
def observe_pawn(s: State, rules: Rules, pawn: int, out: Row) -> None:
    """Write where a pawn is and what has been done with it in this turn."""
    boats = PAWNS * rules.length
    below = boats + 4 * PAWNS
    moved = below + PAWNS + 6 * (WHITE + 1)
    if s.boat[pawn] > 0:
        out[boats + 4 * pawn + signed(s.boat[pawn]) - 1] = 1
    else:
        out[pawn * rules.length + signed(s.space[pawn])] = 1
        under = s.below[pawn]
        while under >= 0:
            out[below + pawn] += 1
            under = s.below[under]
    out[moved + pawn] = s.forth & bit(pawn) != ZERO
    out[moved + PAWNS + pawn] = s.back & bit(pawn) != ZERO


@compiled
def observe_bet(s: State, seat: int, shown: bool, out: Row, at: int) -> None:
    """Write a seat's bet where it may be seen."""
    for pawn in range(PAWNS):
        boat = signed(s.bet[seat, pawn])
        if shown and 0 < boat < UNTOLD:
            out[at + 4 * pawn + boat - 1] = 1


@compiled
def observe(s: State, rules: Rules, hidden: bool, reader: int, out: Row) -> None:
    """Write what a seat sees into a row of zeros: everything but the others' bets, and at the end those too."""
    players, dice = signed(s.players), PAWNS * (rules.length + 5)
    for pawn in range(PAWNS):
        observe_pawn(s, rules, pawn, out)
    for die in range(WHITE + 1):
        if s.thrown & bit(die) != ZERO:
            out[dice + 6 * die + signed(s.dice[die]) - 1] = 1
    bets = dice + 6 * (WHITE + 1) + 2 * PAWNS
    made = bets + players * 4 * PAWNS
    for k in range(players):
        seat = (reader + k) % players
        observe_bet(s, seat, k == 0 or s.over != RUNNING, out, bets + 4 * PAWNS * k)
        out[made + k] = s.bet[seat, 0] != 0
    out[made + players + (signed(s.seat) - reader + players) % players] = 1
    out[made + 2 * players] = may_throw_white(s)
    out[made + 2 * players + 1] = min(MOST, max(0, rules.turn_limit - s.turn + 1))


@compiled
def ending(s: State, rules: Rules) -> int:
    """Whether the game goes on, has ended, or has been broken off by the turn limit."""
    if s.over == RUNNING:
        return GOES_ON
    return BROKEN_OFF if s.over == DRAWN and s.turn > rules.turn_limit else ENDED


@compiled
def winners(s: State, rules: Rules) -> U:
    """The set of seats that have won."""
    best, seats = -1, ZERO
    for seat in range(s.players):
        total = points(s, seat)
        if total >= best:
            seats = bit(seat) if total > best else seats | bit(seat)
            best = total
    return seats if s.over == ARRIVED else ZERO


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
