"""What a seat's decisions reveal of its bet to one who knows how a network would play each bet, compiled.

The rule of thumb (belief.py) misleads about players who know it and hide. How likely a decision is follows here from
what the network thinks of all that could have been done instead, for each bet.
"""

from functools import partial

import numpy as np

from escapade.bots.evades.belief import likelihood, normalize, retold
from escapade.bots.evades.ends import Box, Memory, judge_position, judge_roll, look_first, note_in
from escapade.bots.evades.play import Reals
from escapade.compiled import compiled
from escapade.evades.inputs import NOTES, Notes, in_order
from escapade.evades.kernel import (
    ACTION,
    BACK,
    BETS,
    PAWNS,
    ROLL,
    WHITE,
    State,
    States,
    apply,
    back_pawns,
    count_actions,
    count_rolls,
    nth_action,
    nth_roll,
)
from escapade.evades.notation import read_token
from escapade.evades.position import Evades
from escapade.record import begin, parse
from escapade.sets import ZERO, U, bit, signed

# Measured on games of the network and of the search without one: how strongly decisions follow the network, in
# chances, how often they follow nothing, and that a seat that errs once errs again.
KEEN, WHIM, CAUTION = 240.0, 0.3, 0.3
UNLIKELY = 1e-5  # a bet that needs no thought until the others have become less likely too
MOST_CHOICES = 70

lean = partial(compiled, _nrt=False)


@lean
def score_rolls(s: State, notes: Notes, dice: U, box: Box, memory: Memory, scores: Reals) -> tuple[int, int]:
    """Write what each choice of colours brings a seat, the white die as it was chosen: how many, and which was."""
    count, chosen, order = 0, 0, in_order(s, notes, box.rules, signed(s.seat))
    for k in range(count_rolls(s)):
        some = nth_roll(s, k)
        if (some ^ dice) & bit(WHITE) == ZERO:
            judge_roll(s, notes, order, some, box, memory)
            scores[count] = memory.sheet.chances[0]
            if some == dice:
                chosen = count
            count += 1
    return count, chosen


@lean
def score_moves(s: State, notes: Notes, action: int, box: Box, memory: Memory, scores: Reals) -> tuple[int, int]:
    """Write what each move brings a seat: how many, and which was chosen."""
    count, chosen, order = count_actions(s), 0, in_order(s, notes, box.rules, signed(s.seat))
    for k in range(count):
        memory.trial[0] = s
        apply(memory.trial[0], box.rules, nth_action(s, k))
        judge_position(memory.trial[0], notes, order, signed(s.seat), box, memory.sheet)
        scores[k] = memory.sheet.chances[0]
        if nth_action(s, k) == action:
            chosen = k
    return count, chosen


@compiled
def weigh_by_net(states: States, notes: Notes, action: int, box: Box, memory: Memory, weights: Reals) -> None:
    """Multiply each bet's weight by how likely its owner would have chosen an action; the weights then sum to 1.

    Only rolls count, and what is done with the white die.
    """
    s: State = states[0]
    seat, scores, trial = signed(s.seat), np.zeros(MOST_CHOICES), memory.trial
    if action < BACK or (action < ROLL and back_pawns(s) == ZERO):
        return
    trial[1] = s
    owner: State = trial[1]
    for bet in range(len(BETS)):
        if weights[bet] < UNLIKELY:
            continue
        for pawn in range(PAWNS):
            owner.bet[seat, pawn] = BETS[bet, pawn]
        look_first(owner, notes, seat, box, memory.sheet)
        if action >= ROLL:
            count, chosen = score_rolls(owner, notes, U(action - ROLL), box, memory, scores)
        else:
            count, chosen = score_moves(owner, notes, action, box, memory, scores)
        weights[bet] *= likelihood(scores, count, chosen, KEEN, WHIM) ** CAUTION
    normalize(weights)


def notes_of(record: str | None) -> Notes:
    """What everyone could note so far, from a seat's record."""
    notes = np.zeros(NOTES, np.int8)
    for game, action in retold(record):
        note_in(game.states, notes, game.rules, action)
    return notes


class Reader:
    """What a seat may think of the others' bets. It goes on from where it has read the same record to before."""

    def __init__(self, seat: int, box: Box, memory: Memory) -> None:
        self.seat, self.box, self.memory = seat, box, memory
        self.tags: dict[str, str] = {}
        self.read: list[str] = []

    def beliefs(self, record: str) -> Reals:
        """How likely each other seat (row) made each bet (column), from the seat's record."""
        recorded = parse(record)
        tokens = [token for _, some in recorded.turns for token in some]
        if recorded.tags != self.tags or tokens[: len(self.read)] != self.read:
            game = begin(recorded)
            assert isinstance(game, Evades)
            self.game, self.tags, self.read = game, recorded.tags, []
            self.weights, self.notes = no_beliefs(game.players), np.zeros(NOTES, np.int8)
        for token in tokens[len(self.read) :]:
            self.weigh(read_token(token).move & ACTION)
            self.game.play_recorded(token)
        self.read = tokens
        return self.weights.copy()

    def weigh(self, action: int) -> None:
        """Weigh and note an action that is about to be played."""
        game = self.game
        if game.seat != self.seat:
            weigh_by_net(game.states, self.notes, action, self.box, self.memory, self.weights[game.seat - 1])
        note_in(game.states, self.notes, game.rules, action)


def no_beliefs(players: int) -> Reals:
    """Every bet of every seat as likely as any other."""
    return np.full((players, len(BETS)), 1 / len(BETS))
