"""The rest of a game of Cartagena, compiled: at random, or by rule of thumb as the greedy bot plays."""

from escapade.adapters.openspiel.table import Reals, States
from escapade.bots.cartagena.search import fill
from escapade.cartagena.kernel import (
    END,
    NOBODY,
    RETREAT,
    UNKNOWN,
    Rules,
    State,
    act,
    advance_target,
    drawn_cards,
    finish,
    nth_action,
    origins,
    retreat_origins,
    retreat_target,
)
from escapade.compiled import compiled
from escapade.rng import Words
from escapade.sets import ZERO, below, lowest, signed, without_lowest

FEW = 5  # cards: with fewer a greedy seat fetches more


@compiled
def end_at_random(states: States, rules: Rules, games: int, rng: Words, shares: Reals) -> None:
    """Play to the end so many times, unknown cards shuffled, and count the wins."""
    for _ in range(games):
        world = states.copy()
        s: State = world[0]
        fill(s, rules, rng)
        finish(s, rules, rng)
        if s.winner >= 0:
            shares[s.winner] += 1


@compiled
def longest_leap(s: State, rules: Rules) -> tuple[int, int]:
    """The advance that takes a pirate furthest, of two such the one further back, and where it goes; END if none."""
    action, goal, best = END, 0, 0
    symbols = s.held[s.seat] & below(UNKNOWN)
    while symbols != ZERO:
        places = origins(s, rules)
        while places != ZERO:
            space = lowest(places)
            there = advance_target(s, rules, lowest(symbols), space)
            if there - space > best:
                action, goal, best = lowest(symbols) << 6 | space, there, there - space
            places = without_lowest(places)
        symbols = without_lowest(symbols)
    return action, goal


@compiled
def best_retreat(s: State, rules: Rules) -> int:
    """The retreat that brings most cards, of two such the shorter one; END if none."""
    action, best = END, -1
    places = retreat_origins(s, rules, s.seat)
    while places != ZERO:
        space = lowest(places)
        brings = drawn_cards(s, RETREAT << 6 | space) << 6 | (63 - space + retreat_target(s, space))
        if brings > best:
            action, best = RETREAT << 6 | space, brings
        places = without_lowest(places)
    return action


@compiled
def choose_by_thumb(s: State, rules: Rules) -> int:
    """The longest leap, or cards where fewer than five are in hand; but the last pirate goes home when it can."""
    leap, goal = longest_leap(s, rules)
    if leap != END and goal == rules.boat and s.boat[s.seat] == rules.pirates - 1:
        return leap
    cards = 0
    for symbol in range(UNKNOWN):
        cards += signed(s.hand[s.seat, symbol])
    if cards < FEW or leap == END:
        back = best_retreat(s, rules)
        if back != END:
            return back
    return leap if leap != END else nth_action(s, rules, 0)


@compiled
def end_by_thumb(states: States, rules: Rules, games: int, rng: Words, shares: Reals) -> None:
    """The same, everyone playing by rule of thumb."""
    for _ in range(games):
        world = states.copy()
        s: State = world[0]
        fill(s, rules, rng)
        while s.winner == NOBODY:
            act(s, rules, choose_by_thumb(s, rules), rng)
        if s.winner >= 0:
            shares[s.winner] += 1
