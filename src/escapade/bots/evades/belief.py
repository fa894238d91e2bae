"""What a seat's decisions reveal of its bet, compiled: Bayes over all 630 bets, each judged by the rule of thumb."""

from collections.abc import Iterator

import numpy as np

from escapade.bots.evades.play import (
    Reals,
    measure,
    step_gain,
    white_gain,
)
from escapade.compiled import compiled
from escapade.evades.kernel import (
    ACTION,
    BACK,
    BETS,
    COLOURS,
    END,
    PAWNS,
    ROLL,
    WHITE,
    Numbers,
    Rules,
    State,
    States,
    back_pawns,
    count_rolls,
    nth_roll,
)
from escapade.evades.notation import read_token
from escapade.evades.position import Evades
from escapade.record import begin, parse
from escapade.sets import ZERO, U, bit, lowest, signed, size, without_lowest

MOST_ROLLS = 70
KEEN, WHIM = 3.0, 0.3  # how strongly dice are thought to follow the wish, and how often they follow nothing
KEEN_BACK, WHIM_BACK = 1.0, 0.4
CAUTION = 0.6  # a seat that errs once in its choice of dice does so again, so that every choice counts for less

DOUBT = 1e-6  # that all before was an error, so that no bet is ever out of the question


@compiled
def likelihood(scores: Reals, count: int, chosen: int, keen: float, whim: float) -> float:
    """How likely the chosen one of some options is, each with what it brings."""
    best = scores[:count].max()
    total = 0.0
    for option in range(count):
        total += np.exp(keen * (scores[option] - best))
    return (1 - whim) * np.exp(keen * (scores[chosen] - best)) / total + whim / count


@compiled
def list_rolls(s: State, rolls: Numbers) -> int:
    """The choices of colours; the white die costs nothing until four pawns are aboard, and reveals nothing."""
    count = 0
    for k in range(count_rolls(s)):
        dice = nth_roll(s, k)
        if dice & bit(WHITE) == ZERO:
            rolls[count] = signed(dice)
            count += 1
    return count


@compiled
def weigh_roll(s: State, rules: Rules, dice: U, weights: Reals, far: Numbers) -> None:
    """Multiply each bet's weight by how likely its owner would have chosen these dice."""
    rolls, scores, gains, wish = np.zeros(MOST_ROLLS, np.int64), np.zeros(MOST_ROLLS), np.zeros(PAWNS), np.zeros(PAWNS)
    count, chosen = list_rolls(s, rolls), 0
    while rolls[chosen] != signed(dice & COLOURS):
        chosen += 1
    for bet in range(len(BETS)):
        for pawn in range(PAWNS):
            wish[pawn] = BETS[bet, pawn]
        for pawn in range(PAWNS):
            gains[pawn] = step_gain(s, far, wish, pawn) if far[pawn] > 0 else 0.0
        for roll in range(count):
            scores[roll] = 0.0
            left = U(rolls[roll])
            while left != ZERO:
                scores[roll] += gains[lowest(left)]
                left = without_lowest(left)
        weights[bet] *= likelihood(scores, count, chosen, KEEN, WHIM) ** CAUTION


@compiled
def weigh_back(s: State, rules: Rules, action: int, weights: Reals, far: Numbers) -> None:
    """The same for a pawn taken back by the white die, or for a white die not used."""
    scores, wish = np.zeros(8), np.zeros(PAWNS)
    for bet in range(len(BETS)):
        for pawn in range(PAWNS):
            wish[pawn] = BETS[bet, pawn]
        count, chosen, pawns = 0, 0, back_pawns(s)
        while pawns != ZERO:
            pawn, pawns = lowest(pawns), without_lowest(pawns)
            scores[count] = white_gain(s, rules, far, wish, pawn)
            if action == BACK | pawn:
                chosen = count
            count += 1
        scores[count] = 0.0
        if action == END:
            chosen = count
        weights[bet] *= likelihood(scores, count + 1, chosen, KEEN_BACK, WHIM_BACK)


@compiled
def normalize(weights: Reals) -> None:
    """Make the weights sum to 1, none of them to nothing."""
    total = weights.sum()
    for bet in range(len(BETS)):
        weights[bet] = weights[bet] / total * (1 - DOUBT) + DOUBT / len(BETS)


@compiled
def weigh(states: States, rules: Rules, action: int, weights: Reals) -> None:
    """Multiply each bet's weight by how likely its owner would have chosen an action; the weights then sum to 1.

    The order of moves forward is ignored, and so is all that happens around the last three pawns, where everyone works
    against each other: measured on games of all levels, both would mislead.
    """
    s: State = states[0]
    if action < BACK or size(s.aboard) >= 4:
        return
    far = np.zeros(PAWNS, np.int64)
    measure(s, rules, far)
    if action >= ROLL:
        weigh_roll(s, rules, U(action - ROLL), weights, far)
    else:
        weigh_back(s, rules, action, weights, far)
    normalize(weights)


def retold(record: str | None) -> Iterator[tuple[Evades, int]]:
    """A recorded game before each of its actions, and the action's number."""
    if not record:
        return
    recorded = parse(record)
    game = begin(recorded)
    assert isinstance(game, Evades)
    for _, tokens in recorded.turns:
        for token in tokens:
            yield game, read_token(token).move & ACTION
            game.play_recorded(token)


def beliefs(players: int, record: str | None) -> Reals:
    """How likely each seat (row) made each bet (column), for one who saw the record but no bet."""
    weights = np.full((players, len(BETS)), 1 / len(BETS))
    for game, action in retold(record):
        weigh(game.states, game.rules, action, weights[game.seat - 1])
    return weights
