"""The bots of Les Évadés: every choice played to the end many times over, with bets that the others may have made."""

from collections.abc import Sequence

import numpy as np

from escapade.bots.bot import Bot, luck
from escapade.compiled import compiled, records
from escapade.evades.kernel import (
    BET,
    BETS,
    PAWNS,
    ROLL,
    RUNNING,
    STATE,
    UNTOLD,
    Rules,
    State,
    States,
    apply,
    count_actions,
    nth_action,
    points,
    throw,
)
from escapade.evades.position import Evades
from escapade.game import Chance
from escapade.rng import Words, next_random, pick_high
from escapade.sets import signed

NO_LUCK = Chance(0)


@compiled
def share_of_win(s: State, seat: int) -> float:
    """What a seat has of a finished game: all of a win, or its part of a shared one."""
    own, equals = points(s, seat), 0
    for other in range(s.players):
        theirs = points(s, other)
        if theirs > own:
            return 0.0
        equals += theirs == own
    return 1.0 / equals


@compiled
def play_on(s: State, rules: Rules, action: int, rng: Words) -> None:
    """Play an action and then at random to the end."""
    while True:
        if ROLL <= action < BET:
            throw(s, rng)
        apply(s, rules, action)
        if s.over != RUNNING:
            return
        action = nth_action(s, pick_high(next_random(rng), count_actions(s)))


@compiled
def choose(states: States, trial: States, rules: Rules, playouts: int, rng: Words) -> int:
    """The place of the legal action that wins most when the game goes on at random; one bet is as good as another."""
    s = states[0]
    n = count_actions(s)
    if n == 1 or s.turn == 0:
        return pick_high(next_random(rng), n)
    wins = np.zeros(n)
    for _ in range(max(1, playouts // n)):
        for k in range(n):
            trial[0] = states[0]
            world = trial[0]
            for seat in range(s.players):
                if s.bet[seat, 0] == UNTOLD:
                    bet = pick_high(next_random(rng), len(BETS))
                    for pawn in range(PAWNS):
                        world.bet[seat, pawn] = BETS[bet, pawn]
            play_on(world, rules, nth_action(s, k), rng)
            wins[k] += share_of_win(world, s.seat)
    return signed(wins.argmax())


class MonteCarlo(Bot):
    """Plays every choice to the end at random, so many times in all, and takes the one that wins most."""

    def __init__(self, seed: int, playouts: int) -> None:
        super().__init__(seed)
        self.playouts, self.trial = playouts, records(STATE, 1)

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        game = Evades.parse(view, NO_LUCK)
        return legal[choose(game._state, self.trial, game.rules, self.playouts, luck(self.seed, view))]
