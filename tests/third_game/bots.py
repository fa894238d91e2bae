"""The bots of the Game of the Goose by name, and what they advise."""

from collections.abc import Mapping, Sequence

import numpy as np

from escapade import reasons as common
from escapade.bots.bot import Bot, First, Line, Maker, Random, luck
from escapade.compiled import compiled
from escapade.reasons import NO_LUCK
from escapade.rng import Words, next_random, pick_high
from third_game.kernel import HIGHEST, UNKNOWN, Numbers, Rules, State, States, apply, finish
from third_game.notation import read_token
from third_game.position import Goose

PLAYOUTS = 400  # for each action, which takes a millisecond or two
NO_ACTION = 0


@compiled
def imagine(s: State, rng: Words) -> None:
    """Put any cards in the place of those that are not known."""
    for seat in range(s.players):
        while s.hand[seat, UNKNOWN] > 0:
            s.hand[seat, UNKNOWN] -= 1
            s.hand[seat, 1 + pick_high(next_random(rng), HIGHEST)] += 1
    for place in range(s.cards):
        if s.pile[place] == UNKNOWN:
            s.pile[place] = 1 + pick_high(next_random(rng), HIGHEST)


@compiled
def playouts_in(states: States, rules: Rules, action: int, playouts: int, rng: Words, wins: Numbers) -> None:
    """Play on from `states[1]` so many times, with an action first if one is given; who won how often."""
    for _ in range(playouts):
        states[0] = states[1]
        s: State = states[0]
        imagine(s, rng)
        if action != NO_ACTION:
            apply(s, rules, action)
        finish(s, rules, rng)
        if s.winner >= 0:
            wins[s.winner] += 1


def chances(position: str, action: int, playouts: int, seed: int) -> tuple[float, ...]:
    """Each seat's winning chance when everyone plays at random after an action."""
    game = Goose.parse(position, NO_LUCK)
    states, wins = np.concatenate([game.states, game.states]), np.zeros(game.players, np.int64)
    playouts_in(states, game.rules, action, playouts, luck(seed, position), wins)
    return tuple(float(won) / playouts for won in wins)


def lines(view: str, legal: Sequence[str], playouts: int, seed: int) -> list[Line]:
    """The legal actions, the best for the seat to act first."""
    me = Goose.parse(view, NO_LUCK).seat - 1
    tried = [Line((action,), chances(view, read_token(action).move & 7, playouts, seed)) for action in legal]
    return sorted(tried, key=lambda line: -line.chances[me])


class Greedy(Bot):
    """Goes as far as it can."""

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        return max(legal, key=lambda action: int(action.partition(">")[2] or 0))


class Sailor(Bot):
    """Tries every card in playouts."""

    def __init__(self, seed: int, playouts: int) -> None:
        super().__init__(seed)
        self.playouts = playouts

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        return lines(view, legal, self.playouts, self.seed)[0].actions[0]


BOTS: Mapping[str, Maker] = {
    "random": (Random, {}),
    "first": (First, {}),
    "greedy": (Greedy, {}),
    "cabin-boy": (Greedy, {}),
    "sailor": (Sailor, {"playouts": 100}),
}


def consider(view: str, record: str | None, seed: int, time: float, also: Sequence[str] = ()) -> list[Line]:
    """The actions of the seat to act, best first."""
    return lines(view, Goose.parse(view, NO_LUCK).legal_actions(), PLAYOUTS, seed)


def outlook(position: str, seed: int, time: float) -> tuple[float, ...]:
    """Every seat's winning chance in a position that is not over."""
    return chances(position, NO_ACTION, PLAYOUTS, seed)


ENGLISH: common.Words = {
    "wins": lambda: "wins the game",
    "rides": lambda spaces: f"rides a goose, {spaces} spaces in all",
    "goes": lambda spaces: f"goes on by {common.some(spaces, 'space')}",
    "passes": lambda: "has no cards",
}


class Reason(common.Reason):
    """A reason for an action of the Game of the Goose."""

    words = ENGLISH


def reasons(view: str, actions: Sequence[str]) -> list[Reason]:
    """What speaks for the first of some actions."""
    if actions[0] == ".":
        return [Reason("passes", {})]
    game = Goose.parse(view, NO_LUCK)
    card, goal = (int(part) for part in actions[0].split(">"))
    if goal == game.rules.length:
        return [Reason("wins", {})]
    spaces = goal - game.scores[game.seat - 1]
    return [Reason("rides" if spaces > card else "goes", {"spaces": spaces})]
