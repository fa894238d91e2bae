"""The rules of Les Évadés, compiled. It trusts its caller and knows no text, no names and no secrets.

A state is one record. Pawns are 0 to 6 in the order b r y l d o n, and die 7 is the white one; sets of pawns, of dice
and of spaces are 64-bit masks (sets.py). A stack is a chain: `top` of a space is its uppermost pawn, `below` the pawn
under a pawn, -1 for none. Space 0 is the windows, where pawns do not stack.

An action is a number: the pawn for a move forward, BACK | pawn, END, ROLL | set of dice, BET + number of the bet; their
order within a decision is the notation's. Nothing here is random but what is given a generator, `rng`: whoever rolls
puts the numbers into `dice` first.

Functions take a state; those called from Python end in `_in` and take an array, whose first state is meant.
"""

from itertools import combinations
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from escapade.compiled import compiled
from escapade.rng import Words, next_random, pick_high
from escapade.sets import ZERO, U, bit, lowest, nth, signed, size

Array: TypeAlias = np.ndarray[Any, Any]
States: TypeAlias = np.ndarray[Any, Any]
Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Dice: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]

PAWNS, WHITE = 7, 7
BACK, END, ROLL, BET = 8, 16, 256, 512
RUNNING, ARRIVED, DRAWN = 0, 1, 2
ROUNDS = 3  # in which no pawn moves, and the game is over
UNTOLD = 5
COLOURS = U(127)

# A move: the action, and from these bits on its target and, in a log, the turn. A target over BOAT is a boat.
ACTION = 2047
TARGET, TURN = 11, 20
BOAT = 60
ILLEGAL = -1


class State(Protocol):
    """The fields of a state, for whoever writes code on it; STATE lays them out in memory."""

    aboard: U  # pawns in boats
    covered: U  # pawns with another above them
    far: U  # pawns on space 2 or beyond
    taken: U  # spaces with a pawn
    thrown: U  # dice thrown and not used yet
    forth: U  # pawns moved forward in this turn
    back: U  # the pawn moved back in this turn
    turn: int
    space: Array
    below: Array
    top: Array
    boat: Array
    dice: Array
    bet: Array  # each seat's boat for each pawn; 0 not made, UNTOLD not known to the reader
    players: int
    seat: int
    over: int
    idle: int  # turns in which no pawn moved, up to now and in a row (G14)


STATE = np.dtype(
    [
        ("aboard", np.uint64),
        ("covered", np.uint64),
        ("far", np.uint64),
        ("taken", np.uint64),
        ("thrown", np.uint64),
        ("forth", np.uint64),
        ("back", np.uint64),
        ("turn", np.int64),
        ("space", np.int8, (8,)),
        ("below", np.int8, (8,)),
        ("top", np.int8, (64,)),
        ("boat", np.int8, (8,)),
        ("dice", np.int8, (8,)),
        ("bet", np.int8, (6, 8)),
        ("players", np.int8),
        ("seat", np.int8),
        ("over", np.int8),
        ("idle", np.int8),
    ],
    align=True,
)


class Rules(NamedTuple):
    """The house rules as numbers."""

    length: int
    count_jumped: int
    turn_limit: int


def all_bets() -> list[list[int]]:
    """The 630 bets, each pawn's boat, ordered by boat 1, then 2, then 3 (G3)."""
    bets = []
    for first in combinations(range(PAWNS), 2):
        for second in combinations(sorted(set(range(PAWNS)) - {*first}), 2):
            for third in combinations(sorted(set(range(PAWNS)) - {*first, *second}), 2):
                boats = [1 if p in first else 2 if p in second else 3 if p in third else 4 for p in range(PAWNS)]
                bets.append(boats)
    return bets


def colour_sets(count: int) -> "np.ndarray[Any, np.dtype[np.uint64]]":
    """Every choice of so many colours, in the order of the pawns."""
    return np.array([sum(1 << pawn for pawn in some) for some in combinations(range(PAWNS), count)], np.uint64)


BETS = np.array(all_bets(), np.int8)
ONES, TWOS, THREES = colour_sets(1), colour_sets(2), colour_sets(3)


@compiled
def may_throw_white(s: State) -> bool:
    """Whether the white die may be thrown: once everyone has played."""
    return s.turn > s.players


@compiled
def dice_to_throw(s: State) -> int:
    """How many dice a throw has before a white one is added: three, two, and at last two with the white one (G5)."""
    return 3 if size(s.aboard) < 2 else 2


@compiled
def chosen(colours: "np.ndarray[Any, np.dtype[np.uint64]]", aboard: U, k: int) -> U:
    """The k-th of the choices of colours that are still in play."""
    for some in colours:
        if some & aboard == ZERO:
            if k == 0:
                return some
            k -= 1
    return ZERO


@compiled
def count_rolls(s: State) -> int:
    """How many choices of dice there are."""
    left = PAWNS - size(s.aboard)
    choices = left * (left - 1) // 2
    if dice_to_throw(s) == 3:
        choices = choices * (left - 2) // 3
    if not may_throw_white(s):
        return choices
    return 2 * choices if size(s.aboard) < 4 else choices + left


@compiled
def nth_roll(s: State, k: int) -> U:
    """The k-th choice of dice: colours in the order of the pawns, each without and then with the white die."""
    colours = THREES if dice_to_throw(s) == 3 else TWOS
    if not may_throw_white(s):
        return chosen(colours, s.aboard, k)
    if size(s.aboard) < 4:
        return chosen(colours, s.aboard, k // 2) | U(k % 2) << U(WHITE)
    left = PAWNS - size(s.aboard)
    pairs = left * (left - 1) // 2
    if k < pairs:
        return chosen(colours, s.aboard, k)
    return chosen(ONES, s.aboard, k - pairs) | bit(WHITE)


@compiled
def free(s: State) -> U:
    """The pawns that are in no boat and have none above them (G6)."""
    return COLOURS & ~s.aboard & ~s.covered


@compiled
def forward_pawns(s: State) -> U:
    """The pawns that may be moved forward; while there is one, one must be (G7)."""
    return s.thrown & free(s) & ~s.back


@compiled
def back_pawns(s: State) -> U:
    """The pawns that the white die may take back (G8)."""
    if s.thrown & bit(WHITE) == ZERO:
        return ZERO
    return s.far & free(s) & ~s.forth


@compiled
def forward_target(s: State, rules: Rules, pawn: int) -> int:
    """The space, or BOAT and the boat's number, to which a pawn's die takes it."""
    space = signed(s.space[pawn])
    steps = signed(s.dice[pawn])
    if rules.count_jumped:
        space += steps
    else:
        for _ in range(steps - 1):
            space += 1
            while space < rules.length and s.taken & bit(space) != ZERO:
                space += 1
        space += 1
    return space if space < rules.length else BOAT + boat_with_room(s)


@compiled
def back_target(s: State, pawn: int) -> int:
    """The space to which the white die takes a pawn back."""
    return max(1, signed(s.space[pawn]) - signed(s.dice[WHITE]))


@compiled
def boat_with_room(s: State) -> int:
    """The boat that the next pawn to arrive goes into (G9)."""
    return size(s.aboard) // 2 + 1


@compiled
def count_actions(s: State) -> int:
    """How many actions are legal."""
    if s.turn == 0:
        return len(BETS)
    if s.thrown == ZERO:
        return count_rolls(s)
    forward, back = size(forward_pawns(s)), size(back_pawns(s))
    return forward + back if forward > 0 else back + 1


@compiled
def nth_action(s: State, k: int) -> int:
    """The k-th legal action, counted from 0."""
    if s.turn == 0:
        return BET + k
    if s.thrown == ZERO:
        return ROLL | signed(nth_roll(s, k))
    forward, back = forward_pawns(s), back_pawns(s)
    if k < size(forward):
        return nth(forward, k)
    k -= size(forward)
    return BACK | nth(back, k) if k < size(back) else END


@compiled
def target(s: State, rules: Rules, action: int) -> int:
    """Where an action's pawn goes; 0 for an action that moves none."""
    if action < BACK:
        return forward_target(s, rules, action)
    return back_target(s, action & 7) if action < END else 0


@compiled
def leave(s: State, pawn: int) -> None:
    """Take a pawn off its space."""
    space, under = s.space[pawn], s.below[pawn]
    if space == 0:
        return
    s.top[space] = under
    if under >= 0:
        s.covered &= ~bit(under)
    else:
        s.taken &= ~bit(space)
    s.below[pawn] = -1
    s.far &= ~bit(pawn)


@compiled
def land(s: State, pawn: int, space: int) -> None:
    """Put a pawn on a space, on top of what is there."""
    s.space[pawn] = space
    if space == 0:
        return
    under = s.top[space]
    s.below[pawn] = under
    if under >= 0:
        s.covered |= bit(under)
    s.top[space] = pawn
    s.taken |= bit(space)
    if space > 1:
        s.far |= bit(pawn)


@compiled
def board(s: State, pawn: int) -> None:
    """Put a pawn that has left its space into the lowest boat with room."""
    s.boat[pawn] = boat_with_room(s)
    s.space[pawn] = 0
    s.aboard |= bit(pawn)


@compiled
def place_last(s: State, brought_back: int) -> None:
    """Place the last two pawns when the white die has brought one to space 1, or the last one alone (G10)."""
    if brought_back >= 0 and size(s.aboard) == 5 and s.space[brought_back] == 1:
        other = lowest(COLOURS & ~s.aboard & ~bit(brought_back))
        leave(s, brought_back)
        leave(s, other)
        board(s, other)
        board(s, brought_back)
    if size(s.aboard) == 6:
        last = lowest(COLOURS & ~s.aboard)
        leave(s, last)
        board(s, last)


@compiled
def place_bet(s: State, bet: int) -> None:
    """Write down a bet; after the last seat's the first turn begins."""
    for pawn in range(PAWNS):
        s.bet[s.seat, pawn] = BETS[bet, pawn]
    s.seat += 1
    if s.seat == s.players:
        s.seat = 0
        s.turn = 1


@compiled
def end_turn(s: State, rules: Rules) -> None:
    """The next seat's turn, clockwise, no pawn moved and nothing thrown yet (G4)."""
    s.seat += 1
    if s.seat == s.players:
        s.seat = 0
    s.turn += 1
    s.idle = s.idle + 1 if s.forth | s.back == ZERO else 0
    s.thrown, s.forth, s.back = ZERO, ZERO, ZERO
    if s.turn > rules.turn_limit or nothing_moves(s):
        s.over = DRAWN


@compiled
def nothing_moves(s: State) -> bool:
    """Whether no pawn has moved in three rounds running (G14)."""
    return s.idle == ROUNDS * s.players


@compiled
def move_forward(s: State, rules: Rules, pawn: int) -> None:
    """Move a pawn by its die."""
    space = forward_target(s, rules, pawn)
    leave(s, pawn)
    if space > BOAT:
        board(s, pawn)
    else:
        land(s, pawn, space)
    s.thrown &= ~bit(pawn)
    s.forth |= bit(pawn)


@compiled
def move_back(s: State, pawn: int) -> None:
    """Move a pawn back by the white die."""
    space = back_target(s, pawn)
    leave(s, pawn)
    land(s, pawn, space)
    s.thrown &= ~bit(WHITE)
    s.back |= bit(pawn)


@compiled
def apply(s: State, rules: Rules, action: int) -> None:
    """Play a legal action; the numbers of a roll stand in `dice` already."""
    if action >= BET:
        place_bet(s, action - BET)
        return
    if action == END:
        end_turn(s, rules)
        return
    if action >= ROLL:
        s.thrown = U(action - ROLL)
    elif action < BACK:
        move_forward(s, rules, action)
        place_last(s, -1)
    else:
        move_back(s, action & 7)
        place_last(s, action & 7)
    if size(s.aboard) == PAWNS:
        s.over = ARRIVED
    elif forward_pawns(s) | back_pawns(s) == ZERO:
        end_turn(s, rules)


@compiled
def points(s: State, seat: int) -> int:
    """The boats' numbers of the pawns that a seat bet into the boat they are in (G11)."""
    total = 0
    for pawn in range(PAWNS):
        if s.boat[pawn] > 0 and s.boat[pawn] == s.bet[seat, pawn]:
            total += s.boat[pawn]
    return total


@compiled
def legal_moves_in(states: States, rules: Rules, out: Numbers) -> int:
    """Write the legal actions with their targets in order; how many they are."""
    s: State = states[0]
    if s.over != RUNNING:
        return 0
    n = count_actions(s)
    for k in range(n):
        out[k] = nth_action(s, k)
        out[k] |= target(s, rules, out[k]) << TARGET
    return n


@compiled
def play_in(states: States, rules: Rules, move: int, numbers: Dice) -> int:
    """Play an action, given with its target, and a roll with the numbers of all dice: 0, or ILLEGAL."""
    s: State = states[0]
    action = move & ACTION
    if not legal(s, rules, action) or move >> TARGET != target(s, rules, action):
        return ILLEGAL
    if ROLL <= action < BET:
        for die in range(8):
            s.dice[die] = numbers[die]
    apply(s, rules, action)
    return 0


@compiled
def legal(s: State, rules: Rules, action: int) -> bool:
    """Whether an action is legal; for any number that is an action's."""
    if s.over != RUNNING:
        return False
    if s.turn == 0 or s.thrown == ZERO:
        return action >= BET if s.turn == 0 else ROLL <= action < BET and legal_roll(s, U(action - ROLL))
    if action < END:
        pawns = forward_pawns(s) if action < BACK else back_pawns(s)
        return pawns & bit(action & 7) != ZERO
    return action == END and forward_pawns(s) == ZERO


@compiled
def legal_roll(s: State, dice: U) -> bool:
    """Whether these dice may be thrown."""
    white, colours = signed(dice >> U(WHITE)), size(dice & COLOURS)
    if dice & s.aboard != ZERO or (white > 0 and not may_throw_white(s)):
        return False
    if size(s.aboard) < 4:
        return colours == dice_to_throw(s)
    return colours > 0 and colours + white == 2


@compiled
def target_in(states: States, rules: Rules, action: int) -> int:
    """The target of an action, legal or not, that has one."""
    return target(states[0], rules, action)


@compiled
def count_moves_in(states: States) -> int:
    """How many pawns may be moved."""
    return size(forward_pawns(states[0])) + size(back_pawns(states[0]))


@compiled
def points_in(states: States, seat: int) -> int:
    """A seat's points."""
    return points(states[0], seat)


@compiled
def clear_table(s: State, players: int) -> None:
    """No pawn anywhere, no bet, the first seat to act."""
    s.aboard, s.covered, s.far, s.taken = ZERO, ZERO, ZERO, ZERO
    s.thrown, s.forth, s.back = ZERO, ZERO, ZERO
    for pawn in range(8):
        s.space[pawn], s.below[pawn], s.boat[pawn], s.dice[pawn] = 0, -1, 0, 0
    for space in range(64):
        s.top[space] = -1
    for seat in range(6):
        for pawn in range(8):
            s.bet[seat, pawn] = 0
    s.players, s.seat, s.turn, s.over, s.idle = players, 0, 0, RUNNING, 0


@compiled
def clear_in(states: States, players: int) -> None:
    """An empty table."""
    clear_table(states[0], players)


@compiled
def random_setup(s: State, rules: Rules, players: int, rng: Words) -> None:
    """Set up a game; nothing is left to chance in it."""
    clear_table(s, players)


@compiled
def random_setup_in(states: States, rules: Rules, players: int, rng: Words) -> None:
    """A new game."""
    clear_table(states[0], players)


@compiled
def land_in(states: States, pawn: int, space: int) -> None:
    """Put a pawn on a space while a position is set up."""
    land(states[0], pawn, space)


@compiled
def throw(s: State, rng: Words) -> None:
    """Throw all dice with the playouts' generator."""
    for die in range(8):
        s.dice[die] = 1 + pick_high(next_random(rng), 6)


@compiled
def act(s: State, rules: Rules, action: int, rng: Words) -> None:
    """Play a legal action; where that takes a throw, the playouts' generator does it."""
    if ROLL <= action < BET:
        throw(s, rng)
    apply(s, rules, action)


@compiled
def act_in(states: States, rules: Rules, action: int, rng: Words) -> None:
    """Play a legal action by the playouts' generator."""
    act(states[0], rules, action, rng)


@compiled
def any_action(s: State, rules: Rules, rng: Words) -> int:
    """One of the legal actions, each as likely as the others."""
    return nth_action(s, pick_high(next_random(rng), count_actions(s)))


@compiled
def finish(s: State, rules: Rules, rng: Words) -> int:
    """Play a game to its end at random; how many decisions that took."""
    decisions = 0
    while s.over == RUNNING:
        act(s, rules, any_action(s, rules, rng), rng)
        decisions += 1
    return decisions


@compiled
def playout_in(states: States, rules: Rules, firsts: U, rng: Words, dice: Numbers, log: Numbers, n: int) -> int:
    """Play on, writing each move with its turn into the log, until the game, the log or the rows of dice are at an end.

    Seats in the set `firsts` take the first legal action, the others any. How many moves the log has then.
    """
    s: State = states[0]
    while s.over == RUNNING and n < len(log) and s.turn < len(dice):
        k = 0
        if firsts & bit(s.seat) == ZERO:
            k = pick_high(next_random(rng), count_actions(s))
        action = nth_action(s, k)
        if ROLL <= action < BET:
            for die in range(8):
                s.dice[die] = dice[s.turn, die]
        log[n] = action | target(s, rules, action) << TARGET | s.turn << TURN
        apply(s, rules, action)
        n += 1
    return n


@compiled
def outcomes(s: State, action: int) -> int:
    """How many outcomes an action has: those of a throw, or one."""
    return 6 ** size(U(action - ROLL)) if s.turn > 0 and s.thrown == ZERO else 1


@compiled
def follow(states: States, rules: Rules, depth: int, action: int, number: int) -> None:
    """Play an action of `states[depth]` in `states[depth - 1]`, with the outcome of a number."""
    states[depth - 1] = states[depth]
    child: State = states[depth - 1]
    rolls = child.turn > 0 and child.thrown == ZERO
    for die in range(8):
        if rolls and U(action - ROLL) & bit(die) != ZERO:
            child.dice[die] = 1 + number % 6
            number //= 6
    apply(child, rules, action)


@compiled
def perft(states: States, rules: Rules, depth: int) -> int:
    """How many sequences of so many actions there are from `states[depth]`, every outcome of a throw counted."""
    s: State = states[depth]
    if s.over != RUNNING:
        return 0
    total = 0
    for k in range(count_actions(s)):
        action = nth_action(s, k)
        if depth == 1:
            total += outcomes(s, action)
            continue
        for number in range(outcomes(s, action)):
            follow(states, rules, depth, action, number)
            total += perft(states, rules, depth - 1)
    return total


@compiled
def perft_after(states: States, rules: Rules, depth: int, k: int) -> int:
    """How many of them begin with the legal action of this number."""
    action = nth_action(states[depth], k)
    if depth == 1:
        return outcomes(states[depth], action)
    total = 0
    for number in range(outcomes(states[depth], action)):
        follow(states, rules, depth, action, number)
        total += perft(states, rules, depth - 1)
    return total
