"""Answers to turns of Cartagena where every card is known, compiled: max-n a few turns deep, judged by a network.

Every seat tries the turns that the network likes best and takes the one that is best for itself.
"""

from typing import NamedTuple

import numpy as np

from escapade.bots.cartagena.ends import Box, Memory, best_end, lean, list_ends
from escapade.bots.cartagena.evaluation import Sums, Weights
from escapade.bots.cartagena.search import play_turn
from escapade.bots.cartagena.turns import Desk
from escapade.cartagena.kernel import NOBODY, STATE, Numbers, State, States
from escapade.compiled import compiled, records
from escapade.rng import Words
from escapade.sets import signed

DEEPEST = 8
PASSED = -3.0  # less than any chance


class Tree(NamedTuple):
    """A line of positions: at each the turns to try, how many there are and were tried, and the best chances so far."""

    states: States
    turns: Numbers
    counts: Numbers
    tried: Numbers
    best: Sums
    leaf: Weights


def new_tree(players: int, width: int) -> Tree:
    """An empty tree."""
    counts, tried = np.zeros((2, DEEPEST), np.int64)
    best = np.zeros((DEEPEST, players))
    return Tree(records(STATE, DEEPEST), np.zeros((DEEPEST, width), np.int64), counts, tried, best, np.zeros(players))


@compiled
def expand(tree: Tree, depth: int, replies: int, box: Box, desk: Desk, memory: Memory) -> None:
    """Write down the few turns that the network likes best."""
    n = list_ends(tree.states[depth], box.hidden, box, desk, memory)
    for k in range(min(n, replies)):
        best = k
        for other in range(k + 1, n):
            if desk.values[other] > desk.values[best]:
                best = other
        tree.turns[depth, k] = desk.turns[best]
        desk.turns[best], desk.values[best] = desk.turns[k], desk.values[k]
    tree.counts[depth] = min(n, replies)
    start(tree, depth)


@lean
def start(tree: Tree, depth: int) -> None:
    """Begin to try the turns of a position."""
    tree.tried[depth] = 0
    for seat in range(len(tree.leaf)):
        tree.best[depth, seat] = PASSED


@lean
def offer(tree: Tree, depth: int, chances: Weights) -> None:
    """Take chances for the best so far if they are better for the seat to act."""
    seat = tree.states[depth].seat
    if chances[seat] > tree.best[depth, seat]:
        for other in range(len(chances)):
            tree.best[depth, other] = chances[other]


@lean
def is_settled(tree: Tree, depth: int) -> bool:
    """Whether a position is so good for its seat already that the seat before will not let it come about."""
    if tree.tried[depth] == tree.counts[depth]:
        return True
    seat, before = tree.states[depth].seat, tree.states[depth - 1].seat
    return seat != before and tree.best[depth, seat] >= 1 - tree.best[depth - 1, before]


@compiled
def judge_leaf(tree: Tree, depth: int, box: Box, desk: Desk, memory: Memory) -> None:
    """Write everyone's chances when the seat to act has planned its turn."""
    s: State = tree.states[depth]
    players, seat = len(tree.leaf), signed(s.seat)
    for other in range(players):
        tree.leaf[other] = 1.0 if s.winner == other else 0.0
    if s.winner == NOBODY:
        best_end(s, box.hidden, box, desk, memory)
        for other in range(players):
            tree.leaf[(seat + other) % players] = min(memory.best[other], 1.0)


@compiled
def try_answers(
    worlds: States, box: Box, desk: Desk, memory: Memory, tree: Tree, turns: Numbers, replies: int, limit: int,
    rng: Words, sums: Sums,
) -> None:  # fmt: skip
    """Write everyone's chances after each turn in the world `worlds[0]`, with a few answers for so many turns."""
    tree.states[0] = worlds[0]
    start(tree, 0)
    depth, luck = 0, np.empty(2, np.uint64)
    for k in range(len(turns)):
        tree.turns[0, k] = turns[k]
    tree.counts[0] = len(turns)
    while depth > 0 or tree.tried[0] < tree.counts[0]:
        if depth > 0 and is_settled(tree, depth):
            depth -= 1
            offer(tree, depth, tree.best[depth + 1])
            if depth == 0:
                sums[tree.tried[0] - 1] = tree.best[1]
            continue
        tree.states[depth + 1] = tree.states[depth]
        child: State = tree.states[depth + 1]
        luck[0], luck[1] = rng[0], rng[1]
        play_turn(child, box.rules, tree.turns[depth, tree.tried[depth]], luck)
        tree.tried[depth] += 1
        if child.winner == NOBODY and depth + 1 < limit:
            depth += 1
            expand(tree, depth, replies, box, desk, memory)
            continue
        judge_leaf(tree, depth + 1, box, desk, memory)
        offer(tree, depth, tree.leaf)
        if depth == 0:
            sums[tree.tried[0] - 1] = tree.leaf
