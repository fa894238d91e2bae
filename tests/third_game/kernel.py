"""The rules of the Game of the Goose, compiled. It trusts its caller and knows no text, no names and no secrets.

An action is the card to be played, 1 to 6, or PASS. A hand counts its cards by number; number 0 is a card that is not
known. `pile` is a stack with the next card at its end.

Functions take a state; those called from Python end in `_in` and take an array, whose first state is meant.
"""

from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from escapade.compiled import compiled
from escapade.rng import Words, next_random, pick_high
from escapade.sets import ZERO, U, bit, signed

Array: TypeAlias = np.ndarray[Any, Any]
States: TypeAlias = np.ndarray[Any, Any]
Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]

UNKNOWN, HIGHEST, PASS = 0, 6, 7
NOBODY, DRAWN = -1, -2
ILLEGAL = -1

# A move: the action, and from these bits on where its goose goes, the card drawn and, in a log, the turn.
TARGET, CARD, TURN = 3, 10, 13
NO_CARD = 7


class State(Protocol):
    """The fields of a state."""

    turn: int
    space: Array
    hand: Array
    held: Array  # how many cards are in each hand
    pile: Array
    cards: int  # in the pile
    players: int
    seat: int
    winner: int


STATE = np.dtype(
    [
        ("turn", np.int64),
        ("space", np.int8, (4,)),
        ("hand", np.int8, (4, 8)),
        ("held", np.int8, (4,)),
        ("pile", np.int8, (72,)),
        ("cards", np.int16),
        ("players", np.int8),
        ("seat", np.int8),
        ("winner", np.int8),
    ],
    align=True,
)


class Rules(NamedTuple):
    """An edition and its house rules as numbers."""

    length: int
    copies: int
    hand: int
    draw: int
    turn_limit: int


@compiled
def is_goose(space: int) -> bool:
    """Whether there is a goose on a space: on 5, 9, 14, 18 and so on."""
    return space % 9 == 0 or space % 9 == 5


@compiled
def target(s: State, rules: Rules, action: int) -> int:
    """Where a card takes the goose of the seat to act, on from every goose space and up to the end; 0 for PASS."""
    if action == PASS:
        return 0
    space: int = signed(s.space[s.seat]) + action
    while space < rules.length and is_goose(space):
        space += action
    return min(space, rules.length)


@compiled
def legal(s: State, rules: Rules, action: int) -> bool:
    """Whether an action is legal; only those who have no cards pass."""
    if s.winner != NOBODY:
        return False
    return bool(s.held[s.seat] == 0) if action == PASS else bool(s.hand[s.seat, action] > 0)


@compiled
def take(s: State, seat: int) -> int:
    """Draw the top card into a hand; NO_CARD where there is none."""
    if s.cards == 0:
        return NO_CARD
    s.cards -= 1
    card: int = signed(s.pile[s.cards])
    s.hand[seat, card] += 1
    s.held[seat] += 1
    return card


@compiled
def apply(s: State, rules: Rules, action: int) -> int:
    """Play a legal action, and end the turn or the game; the card drawn."""
    card = NO_CARD
    if action != PASS:
        s.space[s.seat] = target(s, rules, action)
        s.hand[s.seat, action] -= 1
        s.held[s.seat] -= 1
        card = take(s, s.seat)
    if s.space[s.seat] == rules.length:
        s.winner = s.seat
        return card
    s.seat = (s.seat + 1) % s.players
    s.turn += 1
    if s.turn > rules.turn_limit or nobody_has_cards(s):
        s.winner = DRAWN
    return card


@compiled
def nobody_has_cards(s: State) -> bool:
    """Whether all hands are empty."""
    for seat in range(s.players):
        if s.held[seat] > 0:
            return False
    return True


@compiled
def deal(s: State, rules: Rules, players: int) -> None:
    """Begin a game with the pack that lies in `pile`."""
    s.turn, s.players, s.seat, s.winner = 1, players, 0, NOBODY
    for seat in range(4):
        s.space[seat], s.held[seat] = 0, 0
        for card in range(8):
            s.hand[seat, card] = 0
    for seat in range(players):
        for _ in range(rules.hand):
            take(s, seat)
    if not rules.draw:
        s.cards = 0


@compiled
def random_setup(s: State, rules: Rules, players: int, rng: Words) -> None:
    """Shuffle the pack and deal."""
    s.cards = HIGHEST * rules.copies
    for place in range(s.cards):
        other = pick_high(next_random(rng), place + 1)
        s.pile[place] = s.pile[other]
        s.pile[other] = 1 + place % HIGHEST
    deal(s, rules, players)


@compiled
def any_action(s: State, rules: Rules, rng: Words) -> int:
    """One of the legal actions, each as likely as the others."""
    count = 0
    for action in range(1, PASS + 1):
        count += legal(s, rules, action)
    k, action = pick_high(next_random(rng), count), 0
    while k >= 0:
        action += 1
        k -= legal(s, rules, action)
    return action


@compiled
def first_action(s: State, rules: Rules) -> int:
    """The first of the legal actions."""
    action = 1
    while not legal(s, rules, action):
        action += 1
    return action


@compiled
def act(s: State, rules: Rules, action: int, rng: Words) -> None:
    """Play a legal action; the pack was shuffled when the game began."""
    apply(s, rules, action)


@compiled
def finish(s: State, rules: Rules, rng: Words) -> int:
    """Play a game to its end at random; how many decisions that took."""
    decisions = 0
    while s.winner == NOBODY:
        apply(s, rules, any_action(s, rules, rng))
        decisions += 1
    return decisions


@compiled
def random_setup_in(states: States, rules: Rules, players: int, rng: Words) -> None:
    """A new game with a pack shuffled by the playouts' generator."""
    random_setup(states[0], rules, players, rng)


@compiled
def deal_in(states: States, rules: Rules, players: int) -> None:
    """A new game with the pack that lies in `pile`."""
    deal(states[0], rules, players)


@compiled
def legal_moves_in(states: States, rules: Rules, out: Numbers) -> int:
    """Write the legal actions with their targets in order; how many they are."""
    s: State = states[0]
    n = 0
    for action in range(1, PASS + 1):
        if legal(s, rules, action):
            out[n] = action | target(s, rules, action) << TARGET
            n += 1
    return n


@compiled
def play_in(states: States, rules: Rules, move: int) -> int:
    """Play an action, given with its target: the card drawn, or ILLEGAL."""
    s: State = states[0]
    action = move & (1 << TARGET) - 1
    if not legal(s, rules, action) or move >> TARGET != target(s, rules, action):
        return ILLEGAL
    return apply(s, rules, action)


@compiled
def playout_in(states: States, rules: Rules, firsts: U, rng: Words, log: Numbers) -> int:
    """Play to the end, each move written into the log with its turn; how many there are.

    Seats in the set `firsts` take the first legal action, the others any.
    """
    s: State = states[0]
    n = 0
    while s.winner == NOBODY:
        turn = s.turn
        action = any_action(s, rules, rng) if firsts & bit(s.seat) == ZERO else first_action(s, rules)
        move = action | target(s, rules, action) << TARGET
        log[n] = move | apply(s, rules, action) << CARD | turn << TURN
        n += 1
    return n


@compiled
def perft(states: States, rules: Rules, depth: int) -> int:
    """How many sequences of so many actions there are from `states[depth]`."""
    total = 0
    for action in range(1, PASS + 1):
        if legal(states[depth], rules, action):
            states[depth - 1] = states[depth]
            apply(states[depth - 1], rules, action)
            total += 1 if depth == 1 else perft(states, rules, depth - 1)
    return total
