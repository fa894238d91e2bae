"""The rules of Cartagena, compiled. It trusts its caller and knows no text, no names and no secrets.

A state is one record. Sets of spaces and of symbols are 64-bit masks (sets.py); cards are counted by symbol, 0 to 5 in
the order B D H K P S, and 6 is a card that is not known. `pile` holds the row and the face-down pile as one stack, the
next card at its end: the top `row` of its `cards` lie open. Space 0 is the prison, `rules.boat` the boat.

An action is a number: symbol << 6 | space for an advance, with RETREAT in place of the symbol for a retreat, DRAW, END.
Their order as numbers is the notation's order. A move is an action with its outcome: see `outcome`.

Nothing here is random but what is given a generator, `rng`: when the discards must be shuffled for an action
(`reshuffles`), the caller calls `restock` first and puts the bottom of the pile into an order of its choice.

Functions take a state; those called from Python end in `_in` and take an array, whose first state is meant.
"""

from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from escapade.cartagena.editions import PRINTED
from escapade.cartagena.editions import SYMBOLS as LETTERS
from escapade.compiled import compiled, inlined
from escapade.rng import Words, next_random, pick_high, pick_low
from escapade.sets import (
    ZERO,
    U,
    above,
    below,
    beyond_lowest,
    bit,
    highest,
    lowest,
    nth,
    signed,
    size,
    without_lowest,
)

Array: TypeAlias = np.ndarray[Any, Any]
States: TypeAlias = np.ndarray[Any, Any]
Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]

SYMBOLS, UNKNOWN = 6, 6
PRISON = 0
RETREAT, DRAW, END = 6, 7 << 6, (7 << 6) + 1
NOBODY, DRAWN = -1, -2
ROUNDS = 3  # in which everyone passes, and the game is over

# A move: the action, and from these bits on its target, the number of cards drawn, the cards, and in a log the turn.
ACTION = 511
TARGET, COUNT, FIRST, SECOND, TURN = 9, 15, 17, 20, 24
ILLEGAL, SHUFFLE = -1, -2

# k // n is k * RECIPROCAL[n] >> 16 for all numbers of actions, and takes a tenth of the time.
RECIPROCAL = np.array([0, *((1 << 16) // n + 1 for n in range(1, 10))])

# The printed segments, each way round: the place of each symbol.
SEGMENTS = np.array([[[side.index(symbol) for symbol in LETTERS] for side in (s, s[::-1])] for s in PRINTED])


class State(Protocol):
    """The fields of a state, for whoever writes code on it; STATE lays them out in memory."""

    spaces: Array  # the tunnel's spaces of each symbol
    one: U  # tunnel spaces with at least one, two, three pirates
    two: U
    three: U
    own: Array  # the same for each seat's pirates; `own[seat, 0]` has prison and boat too
    held: Array  # the symbols in each hand
    turn: int
    prison: Array
    boat: Array
    hand: Array
    known: Array  # of a hand, what everyone saw being taken from the row (C17)
    discard: Array
    pile: Array
    cards: int
    row: int
    players: int
    seat: int
    actions: int
    winner: int
    passes: int  # turns without any action, up to now and in a row (C20)
    reshuffles: int


STATE = np.dtype(
    [
        ("spaces", np.uint64, (6,)),
        ("one", np.uint64),
        ("two", np.uint64),
        ("three", np.uint64),
        ("own", np.uint64, (5, 3)),
        ("held", np.uint64, (5,)),
        ("turn", np.int64),
        ("prison", np.int8, (5,)),
        ("boat", np.int8, (5,)),
        ("hand", np.int8, (5, 8)),
        ("known", np.int8, (5, 8)),
        ("discard", np.int8, (8,)),
        ("pile", np.int8, (112,)),
        ("cards", np.int16),
        ("row", np.int16),
        ("players", np.uint8),
        ("seat", np.uint8),
        ("actions", np.int8),
        ("winner", np.int8),
        ("passes", np.int8),
        ("reshuffles", np.int32),
    ],
    align=True,
)


class Rules(NamedTuple):
    """An edition and its house rules as numbers, so that one compilation serves them all."""

    boat: int
    tunnel: U
    retreaters: U
    pirates: int
    least: int
    most: int
    row: int
    empty_hand_draw: int
    turn_limit: int
    copies: int
    deal: int


@compiled
def origins(s: State, rules: Rules) -> U:
    """The spaces from which the seat to act can advance a pirate."""
    return s.own[s.seat, 0] & below(rules.boat)


@compiled
def retreat_origins(s: State, rules: Rules, seat: int) -> U:
    """The spaces from which a seat can retreat; the boat is one of them unless the house says no (C10)."""
    return s.own[seat, 0] & rules.retreaters & beyond_lowest(s.one & ~s.three)


@compiled
def advance_target(s: State, rules: Rules, symbol: int, space: int) -> int:
    """The first free space ahead with the symbol, or else the boat (C8)."""
    return lowest((s.spaces[symbol] & ~s.one & above(space)) | bit(rules.boat))


@compiled
def retreat_target(s: State, space: int) -> int:
    """The nearest space behind with one or two pirates, never the prison (C9)."""
    return highest(s.one & ~s.three & below(space))


@compiled
def may_draw(s: State, rules: Rules) -> bool:
    """Whether the turn may be given up for the pile's top card: at its start, with an empty hand (C13)."""
    return bool(rules.empty_hand_draw) and s.actions == 0 and s.held[s.seat] == ZERO


@compiled
def may_end(s: State, rules: Rules, others: int) -> bool:
    """Whether the turn may end, or be passed, where so many other actions are possible (C12)."""
    return s.actions >= rules.least or others == 0


@compiled
def count_actions(s: State, rules: Rules) -> int:
    """How many actions are legal."""
    n = size(origins(s, rules)) * size(s.held[s.seat]) + size(retreat_origins(s, rules, s.seat))
    if may_draw(s, rules):
        n += 1
    return n + 1 if may_end(s, rules, n) else n


@compiled
def nth_action(s: State, rules: Rules, k: int) -> int:
    """The k-th legal action, counted from 0."""
    places = origins(s, rules)
    held = s.held[s.seat]
    advances = size(places) * size(held)
    if k < advances:
        symbol = k * RECIPROCAL[size(places)] >> 16
        return nth(held, symbol) << 6 | nth(places, k - symbol * size(places))
    k -= advances
    places = retreat_origins(s, rules, s.seat)
    if k < size(places):
        return RETREAT << 6 | nth(places, k)
    return DRAW if k == size(places) and may_draw(s, rules) else END


@compiled
def legal(s: State, rules: Rules, action: int) -> bool:
    """Whether an action is legal; for any number at all."""
    if s.winner != NOBODY:
        return False
    symbol, space = action >> 6, action & 63
    if symbol < SYMBOLS:
        return s.held[s.seat] & bit(symbol) != ZERO and origins(s, rules) & bit(space) != ZERO
    if symbol == RETREAT:
        return retreat_origins(s, rules, s.seat) & bit(space) != ZERO
    if action == DRAW:
        return may_draw(s, rules)
    return action == END and nth_action(s, rules, count_actions(s, rules) - 1) == END


@inlined
def move(s: State, rules: Rules, space: int, goal: int) -> None:
    """Move one of the acting seat's pirates."""
    me = s.seat
    here, there = bit(space) & rules.tunnel, bit(goal) & rules.tunnel
    one, two, three = s.one, s.two, s.three
    s.one = one & ~(here & ~two) | there
    s.two = two & ~(here & ~three) | one & there
    s.three = three & ~here | two & there
    one, two, three = s.own[me, 0], s.own[me, 1], s.own[me, 2]
    s.own[me, 1] = two & ~(here & ~three) | one & there
    s.own[me, 2] = three & ~here | two & there
    s.prison[me] -= space == PRISON
    s.boat[me] += signed(goal == rules.boat) - signed(space == rules.boat)
    ends = U(s.prison[me] > 0) << U(PRISON) | U(s.boat[me] > 0) << U(rules.boat)
    s.own[me, 0] = one & rules.tunnel & ~(here & ~two) | there | ends


@compiled
def give(s: State, seat: int, card: int) -> None:
    """Put a card into a hand, which has no limit, to be played whenever its seat acts (C11)."""
    s.hand[seat, card] += 1
    s.held[seat] |= bit(card)


@compiled
def lay_row(s: State, rules: Rules) -> None:
    """Lay out a new row where there is none, as long as the pile has cards (C15)."""
    if s.row == 0:
        s.row = min(rules.row, s.cards)


@inlined
def take(s: State, rules: Rules) -> None:
    """A card for the acting seat after a retreat: the head of the row, or the top of the pile, if there is one."""
    lay_row(s, rules)
    if s.cards == 0:
        return
    s.cards -= 1
    card = s.pile[s.cards]
    give(s, s.seat, card)
    if rules.row > 0:
        s.known[s.seat, card] += 1
        s.row -= 1
        lay_row(s, rules)


@compiled
def take_under_row(s: State) -> None:
    """The top card of the pile, which lies under the row, for the acting seat, if there is one."""
    place = s.cards - s.row - 1
    if place < 0:
        return
    give(s, s.seat, s.pile[place])
    for i in range(place + 1, s.cards):
        s.pile[i - 1] = s.pile[i]
    s.cards -= 1


@compiled
def drawn_cards(s: State, action: int) -> int:
    """How many cards an action brings where there are enough: one or two pirates stood on the space retreated to."""
    if action >> 6 != RETREAT:
        return 1 if action == DRAW else 0
    return 2 if s.two & bit(retreat_target(s, action & 63)) != ZERO else 1


@compiled
def reshuffles(s: State, rules: Rules, action: int) -> bool:
    """Whether an action needs a card off the pile when it is empty and there are discards to shuffle (C16)."""
    if (action >> 6 != RETREAT and action != DRAW) or s.cards - s.row >= max(rules.row, 2):
        return False
    needed = drawn_cards(s, action)
    if rules.row > 0 and action != DRAW:
        needed = rules.row if s.row <= needed else 0
    return needed > s.cards - s.row and discards(s) > 0


@compiled
def discards(s: State) -> int:
    """How many cards lie on the discard pile."""
    n = 0
    for symbol in range(SYMBOLS):
        n += signed(s.discard[symbol])
    return n


@compiled
def restock(s: State) -> int:
    """Put the discards under the pile, the first symbol's on top; how many they are."""
    n = discards(s)
    for i in range(s.cards - 1, -1, -1):
        s.pile[i + n] = s.pile[i]
    place = n
    for symbol in range(SYMBOLS):
        for _ in range(s.discard[symbol]):
            place -= 1
            s.pile[place] = symbol
        s.discard[symbol] = 0
    s.cards += n
    s.reshuffles += 1
    return n


@compiled
def shuffle(s: State, n: int, rng: Words) -> None:
    """Shuffle the n cards at the bottom of the pile."""
    i = n - 1
    while i > 0:
        word = next_random(rng)
        j = pick_high(word, i + 1)
        s.pile[i], s.pile[j] = s.pile[j], s.pile[i]
        i -= 1
        j = pick_low(word, i + 1)
        s.pile[i], s.pile[j] = s.pile[j], s.pile[i]
        i -= 1


@inlined
def end_turn(s: State, rules: Rules) -> None:
    """The next seat's turn, clockwise (C6)."""
    s.seat += 1
    if s.seat == s.players:
        s.seat = 0
    s.actions = 0
    s.turn += 1
    if limit_reached(s, rules):
        s.winner = DRAWN


@compiled
def limit_reached(s: State, rules: Rules) -> bool:
    """Whether the last turn allowed is over (C19)."""
    return s.turn > rules.turn_limit


@inlined
def acted(s: State, rules: Rules) -> None:
    """Count an action; the last one allowed ends the turn (C7)."""
    s.passes = 0
    s.actions += 1
    if s.actions == rules.most:
        end_turn(s, rules)


@compiled
def nobody_wants_to(s: State) -> bool:
    """Whether every seat has passed in three rounds running (C20)."""
    return s.passes == ROUNDS * s.players


@compiled
def escaped(s: State, rules: Rules, seat: int) -> bool:
    """Whether a seat has all its pirates in the boat, which wins at once (C14)."""
    return s.boat[seat] == rules.pirates


@compiled
def dead(s: State, rules: Rules) -> bool:
    """Whether no seat can ever act again (C18)."""
    if s.held[s.seat] != ZERO:
        return False
    for seat in range(s.players):
        if s.held[seat] != ZERO:
            return False
    if rules.empty_hand_draw and s.cards - s.row + discards(s) > 0:
        return False
    for seat in range(s.players):
        if retreat_origins(s, rules, seat) != ZERO:
            return False
    return True


@inlined
def advance(s: State, rules: Rules, symbol: int, space: int) -> None:
    """Play a card and move a pirate ahead."""
    me = s.seat
    s.hand[me, symbol] -= 1
    s.held[me] &= ~(U(s.hand[me, symbol] == 0) << U(symbol))
    if rules.row > 0 and s.known[me, symbol] > 0:
        s.known[me, symbol] -= 1
    s.discard[symbol] += 1
    move(s, rules, space, advance_target(s, rules, symbol, space))


@inlined
def retreat(s: State, rules: Rules, space: int) -> None:
    """Move a pirate back and take a card for each pirate found there."""
    goal = retreat_target(s, space)
    two = s.two & bit(goal) != ZERO
    move(s, rules, space, goal)
    take(s, rules)
    if two:
        take(s, rules)


@inlined
def apply(s: State, rules: Rules, action: int) -> None:
    """Play a legal action whose reshuffle, if it needs one, has been done."""
    symbol, space = action >> 6, action & 63
    if symbol < SYMBOLS:
        advance(s, rules, symbol, space)
        if escaped(s, rules, s.seat):
            s.winner = s.seat
            s.actions += 1
            return
        acted(s, rules)
    elif symbol == RETREAT:
        retreat(s, rules, space)
        acted(s, rules)
    else:
        if action == DRAW:
            take_under_row(s)
            s.passes = 0
        elif s.actions == 0:
            s.passes += 1
        end_turn(s, rules)
        if nobody_wants_to(s):
            s.winner = DRAWN
    if dead(s, rules):
        s.winner = DRAWN


@compiled
def target(s: State, rules: Rules, action: int) -> int:
    """Where an action's pirate ends; 0 for an action that moves none."""
    symbol, space = action >> 6, action & 63
    if symbol < SYMBOLS:
        return advance_target(s, rules, symbol, space)
    return retreat_target(s, space) if symbol == RETREAT else 0


@compiled
def outcome(s: State, rules: Rules, action: int) -> int:
    """The move that a legal action is: certain, once a reshuffle that it needs has been done."""
    move = action | target(s, rules, action) << TARGET
    top = signed(s.cards) - signed(s.row) if action == DRAW else signed(s.cards)
    n = min(drawn_cards(s, action), top)
    if n > 0:
        move |= n << COUNT | signed(s.pile[top - 1]) << FIRST
    if n > 1:
        move |= signed(s.pile[top - 2]) << SECOND
    return move


@compiled
def list_actions(s: State, rules: Rules, out: Numbers) -> int:
    """Write the legal actions, as far as cards are known, in order; how many they are."""
    n = 0
    symbols = s.held[s.seat] & below(SYMBOLS)
    while symbols != ZERO:
        places = origins(s, rules)
        while places != ZERO:
            out[n] = lowest(symbols) << 6 | lowest(places)
            n += 1
            places = without_lowest(places)
        symbols = without_lowest(symbols)
    places = retreat_origins(s, rules, s.seat)
    while places != ZERO:
        out[n] = RETREAT << 6 | lowest(places)
        n += 1
        places = without_lowest(places)
    if may_draw(s, rules):
        out[n] = DRAW
        n += 1
    if may_end(s, rules, n):
        out[n] = END
        n += 1
    return n


@compiled
def legal_moves_in(states: States, rules: Rules, out: Numbers) -> int:
    """Write the legal actions with their targets in order; how many they are."""
    s: State = states[0]
    if s.winner != NOBODY:
        return 0
    n = list_actions(s, rules, out)
    for k in range(n):
        out[k] |= target(s, rules, out[k]) << TARGET
    return n


@compiled
def play_in(states: States, rules: Rules, action: int, goal: int) -> int:
    """Play an action, its target given or -1: the move that it was, ILLEGAL, or SHUFFLE if a restock is due."""
    s: State = states[0]
    if not legal(s, rules, action) or (goal != -1 and goal != target(s, rules, action)):
        return ILLEGAL
    if reshuffles(s, rules, action):
        return SHUFFLE
    move = outcome(s, rules, action)
    apply(s, rules, action)
    return move


@compiled
def settle_in(states: States, rules: Rules) -> None:
    """Find out whether a position that was set up is the end of a game."""
    s: State = states[0]
    s.winner = DRAWN if limit_reached(s, rules) or dead(s, rules) else NOBODY
    for seat in range(s.players):
        if escaped(s, rules, seat):
            s.winner = seat


@compiled
def stand(s: State, rules: Rules, players: int) -> None:
    """Put everyone into prison with empty hands, the first seat to act."""
    s.one, s.two, s.three = ZERO, ZERO, ZERO
    for seat in range(players):
        s.own[seat, 0], s.own[seat, 1], s.own[seat, 2] = bit(PRISON), ZERO, ZERO
        s.prison[seat], s.boat[seat], s.held[seat] = rules.pirates, 0, ZERO
        for symbol in range(8):
            s.hand[seat, symbol] = 0
            s.known[seat, symbol] = 0
    s.players, s.seat, s.actions, s.turn = players, 0, 0, 1
    s.winner, s.passes, s.reshuffles, s.row = NOBODY, 0, 0, 0


@compiled
def deal(s: State, rules: Rules) -> None:
    """Give each seat in turn its cards off the top, then lay out the first row (C5)."""
    for seat in range(s.players):
        for _ in range(rules.deal):
            s.cards -= 1
            give(s, seat, s.pile[s.cards])
    lay_row(s, rules)


@compiled
def deal_in(states: States, rules: Rules, players: int) -> None:
    """Set up a game whose whole pack lies in the pile."""
    s: State = states[0]
    stand(s, rules, players)
    deal(s, rules)


@compiled
def random_setup(s: State, rules: Rules, players: int, rng: Words) -> None:
    """Set up a game of printed segments and a pack shuffled by the playouts' generator."""
    for symbol in range(SYMBOLS):
        s.spaces[symbol] = ZERO
    box = ZERO
    for i in range(rules.boat // 6):
        if box == ZERO:
            box = below(len(SEGMENTS))
        word = next_random(rng)
        segment = nth(box, pick_high(word, size(box)))
        box &= ~bit(segment)
        turned = pick_low(word, 2)
        for symbol in range(SYMBOLS):
            s.spaces[symbol] |= bit(1 + 6 * i + SEGMENTS[segment, turned, symbol])
    s.cards = SYMBOLS * rules.copies
    for i in range(s.cards):
        s.pile[i] = i // rules.copies
    shuffle(s, s.cards, rng)
    for symbol in range(SYMBOLS):
        s.discard[symbol] = 0
    stand(s, rules, players)
    deal(s, rules)


@compiled
def random_setup_in(states: States, rules: Rules, players: int, rng: Words) -> None:
    """A new game by the playouts' generator."""
    random_setup(states[0], rules, players, rng)


@compiled
def act_in(states: States, rules: Rules, action: int, rng: Words) -> None:
    """Play a legal action by the playouts' generator."""
    act(states[0], rules, action, rng)


@inlined
def act(s: State, rules: Rules, action: int, rng: Words) -> None:
    """Play a legal action; where that takes a shuffle, the playouts' generator does it."""
    if reshuffles(s, rules, action):
        shuffle(s, restock(s), rng)
    apply(s, rules, action)


@inlined
def any_action(s: State, rules: Rules, rng: Words) -> int:
    """One of the legal actions, each as likely as the others."""
    word = next_random(rng)
    return nth_action(s, rules, pick_high(word, count_actions(s, rules)))


@inlined
def finish(s: State, rules: Rules, rng: Words) -> int:
    """Play a game to its end at random; how many decisions that took."""
    decisions = 0
    while s.winner == NOBODY:
        act(s, rules, any_action(s, rules, rng), rng)
        decisions += 1
    return decisions


@compiled
def playout_in(states: States, rules: Rules, firsts: U, rng: Words, log: Numbers, n: int) -> int:
    """Play on, writing each move with its turn into the log, until the game or the log ends or a reshuffle is needed.

    Seats in the set `firsts` take the first legal action, the others any. How many moves the log has then. A reshuffle
    takes back the choice that led to it: once the caller has restocked, the same choice is made again.
    """
    s: State = states[0]
    while s.winner == NOBODY and n < len(log):
        before = rng[0], rng[1]
        k = 0
        if firsts & bit(s.seat) == ZERO:
            k = pick_high(next_random(rng), count_actions(s, rules))
        action = nth_action(s, rules, k)
        if reshuffles(s, rules, action):
            rng[0], rng[1] = before
            return n
        log[n] = outcome(s, rules, action) | s.turn << TURN
        apply(s, rules, action)
        n += 1
    return n


@compiled
def replay_in(states: States, rules: Rules, log: Numbers, piles: Numbers) -> int:
    """Play a log: the place of the first fault, or the end.

    `piles` has for each reshuffle the place of its move, the number of cards and the cards, top first.
    """
    s: State = states[0]
    at = 0
    for n in range(len(log)):
        action = log[n] & ACTION
        if not legal(s, rules, action) or log[n] >> TURN != s.turn:
            return n
        if reshuffles(s, rules, action) != (at < len(piles) and piles[at] == n):
            return n
        if reshuffles(s, rules, action):
            if not restock_as(s, piles[at + 1 :]):
                return n
            at += 2 + piles[at + 1]
        if outcome(s, rules, action) != log[n] & (1 << TURN) - 1:
            return n
        apply(s, rules, action)
    return len(log)


@compiled
def restock_as(s: State, order: Numbers) -> bool:
    """Restock, and put the cards into the order given after its length; False where they are not the same cards."""
    n = restock(s)
    if order[0] != n:
        return False
    left = np.zeros(8, np.int64)
    for i in range(n):
        left[s.pile[i]] += 1
        left[order[1 + i]] -= 1
    for i in range(n):
        s.pile[n - 1 - i] = order[1 + i]
    return not left.any()


@compiled
def restock_in(states: States, order: Numbers) -> None:
    """Restock with the cards in the order given after their number."""
    restock_as(states[0], order)


@compiled
def target_in(states: States, rules: Rules, action: int) -> int:
    """The target of an action, legal or not, that has one."""
    return target(states[0], rules, action)


@compiled
def follow(states: States, rules: Rules, depth: int, action: int) -> None:
    """Play an action of `states[depth]` in `states[depth - 1]`; discards are restocked, not shuffled."""
    states[depth - 1] = states[depth]
    child: State = states[depth - 1]
    if reshuffles(child, rules, action):
        restock(child)
    apply(child, rules, action)


@compiled
def perft(states: States, rules: Rules, depth: int) -> int:
    """How many sequences of so many actions there are from `states[depth]`."""
    s: State = states[depth]
    if s.winner != NOBODY:
        return 0
    n = count_actions(s, rules)
    if depth == 1:
        return n
    total = 0
    for k in range(n):
        follow(states, rules, depth, nth_action(s, rules, k))
        total += perft(states, rules, depth - 1)
    return total


@compiled
def perft_after(states: States, rules: Rules, depth: int, k: int) -> int:
    """How many of them begin with the legal action of this number."""
    if depth == 1:
        return 1
    follow(states, rules, depth, nth_action(states[depth], rules, k))
    return perft(states, rules, depth - 1)
