"""The bots of Les Évadés, from the cabin boy who only hurries to the legend who reads the others' bets."""

import math
import re
import time as clock
from collections.abc import Sequence

import numpy as np

from escapade.bots.bot import Bot, Fallible, Line, luck
from escapade.bots.evades.belief import beliefs, retold, weigh
from escapade.bots.evades.play import Reals, choose_by_thumb, expect_points, judge_rolls
from escapade.bots.evades.search import MOST_ENDS, count_right, find_ends, settles, try_worlds
from escapade.compiled import records
from escapade.evades.editions import PAWNS
from escapade.evades.kernel import ACTION, BET, BETS, COLOURS, ROLL, STATE, UNTOLD, Numbers, States
from escapade.evades.notation import read_token
from escapade.evades.position import Evades
from escapade.game import Chance
from escapade.record import parse
from escapade.sets import ZERO, U, bit

NO_LUCK = Chance(0)
CHUNK = 400  # playouts between two looks at the clock
BETS_TRIED = 12
GUESS, TRUST = 0.1, 50  # what a roll brings by rule of thumb, as a chance, and how many worlds that is worth
MARGIN = 0.01  # winning chance that the legend gives up to hide its bet
CERTAIN = 100.0  # the value of what cannot be beaten, or its negative, whatever the worlds say


def look(view: str, record: str | None = None) -> Evades:
    """The position that a view shows, and for how many turns nothing has moved in it, which its record tells."""
    game = Evades.parse(view, NO_LUCK)
    before = [tokens for turn, tokens in parse(record).turns if turn < game.turn] if record else []
    if before and not re.search("[<>]", "".join(before[-1])):
        *_, (told, _) = retold(record)
        game.states[0]["idle"] = told.states[0]["idle"]
    return game


def own_bet(game: Evades) -> list[int]:
    """The boats that the seat to act has bet its pawns into."""
    boats: list[int] = game.states[0]["bet"][game.seat - 1, : len(PAWNS)].tolist()
    return boats


def number_of(action: str) -> int:
    """The kernel's number of an action."""
    return read_token(action).move & ACTION


def any_of(legal: Sequence[str], seed: int, view: str) -> str:
    """One of the actions by luck."""
    return legal[int(luck(seed, view)[0] % len(legal))]


class CabinBoy(Bot):
    """Throws and moves its first boat's pawns, then its second's, wherever they stand, and never the white die."""

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        game = look(view)
        if game.turn == 0:
            return any_of(legal, self.seed, view)
        boats = dict(zip(PAWNS, own_bet(game), strict=True))
        plain = [action for action in legal if "w" not in action and "<" not in action]
        return min(plain, key=lambda action: sum(boats[pawn] for pawn in named(action)))


def named(action: str) -> str:
    """The pawns that an action throws for or moves."""
    return action.removeprefix("roll:") if action.startswith("roll:") else action[0].strip(".")


class Greedy(Bot):
    """Throws and moves what brings its own order of pawns most at once; never takes a pawn back."""

    patience = 0.0  # turns for each space of the track after which it stops taking pawns back

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        game = look(view)
        if game.turn == 0:
            return any_of(legal, self.seed, view)
        boats = own_bet(game)
        takes = self.takes_back(boats) if game.turn <= self.patience * game.rules.length else ZERO
        action = choose_by_thumb(game.states, game.rules, np.array(boats, float), takes)
        return next(text for text in legal if number_of(text) == action)

    def takes_back(self, boats: list[int]) -> U:
        """The pawns that it would use the white die on."""
        return ZERO


class Sailor(Greedy):
    """Hurries the right pawns by rule of thumb, and for a while takes back the one that should come last."""

    patience = 1

    def takes_back(self, boats: list[int]) -> U:
        return bit(boats.index(4))


class Careless(Greedy):
    """Throws by rule of thumb, then takes the end of its turn that promises its own bet most."""

    patience = 1.4

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        game = look(view)
        if game.turn == 0 or legal[0].startswith("roll:"):
            return super().choose(view, legal)
        ends, firsts = ends_of(game)
        promise = np.zeros(len(ends))
        expect_points(ends, game.rules, game.seat - 1, promise)
        ways = int(firsts[promise.argmax()])
        return next(text for k, text in enumerate(legal) if ways >> k & 1)

    def takes_back(self, boats: list[int]) -> U:
        return COLOURS


class Hasty(Sailor):
    """A sailor who never misses that its turn can end the game with every pawn as bet."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.careless = Careless(seed)

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        game = look(view)
        thrown = game.turn > 0 and not legal[0].startswith("roll:")
        settles = thrown and (arrived_right(game, ends_of(game)[0]) == left_of(game)).any()
        return self.careless.choose(view, legal) if settles else super().choose(view, legal)


def ends_of(game: Evades) -> tuple[States, Numbers]:
    """Every end that a turn may have after its throw, and the legal actions that lead to each, as bits."""
    ends, firsts = records(STATE, MOST_ENDS), np.zeros(MOST_ENDS, np.int64)
    count = find_ends(game.states, ends, firsts, game.rules)
    return ends[:count], firsts[:count]


def arrived_right(game: Evades, ends: States) -> Numbers:
    """How many of the pawns not yet in boats ended as the seat to act has bet; -1 where the game goes on."""
    right = np.zeros(len(ends), np.int64)
    count_right(game.states, ends, game.seat - 1, right)
    return right


def left_of(game: Evades) -> int:
    """How many pawns are not yet in boats."""
    return len(PAWNS) - int(np.count_nonzero(game.states[0]["boat"][: len(PAWNS)]))


class Deckhand(Fallible):
    """A sailor who at times hurries the pawns of its first boat wherever they stand, as cabin boys do."""

    good, bad = Sailor, CabinBoy


class Buccaneer(Fallible):
    """Ends its turns with no thought of what the others want, and at times is greedy and takes what helps at once."""

    good, bad = Careless, Hasty


class Search:
    """The choices of the seat to act, and what has come of each so far.

    A choice is a position to start from: after a bet, before a roll, or at an end that this turn may have.
    """

    def __init__(self, game: Evades, weights: Reals, seed: int, opposing: float = 1.0, horizon: int = 6) -> None:
        self.game, self.seat, self.players = game, game.seat - 1, game.players
        self.seed, self.horizon = seed, horizon
        for seat, bet in enumerate(game.states[0]["bet"][: game.players, : len(PAWNS)].tolist()):
            if seat != self.seat and 0 < bet[0] < UNTOLD:  # an onlooker knows it
                weights[seat] = (bet == BETS).all(axis=1)
        self.sums = np.cumsum(weights, axis=1)
        # The boat that each seat seems to want each pawn in; a product of matrices differs between processors.
        hoped = (weights[:, :, None] * BETS).sum(axis=1)
        self.against = opposing * (hoped.sum(axis=0) - hoped) / (self.players - 1)
        self.legal: list[str] = list(map(str, game.legal_actions()))
        self.trial = records(STATE, 2)
        self.trial[0] = game.states[0]

    def list_starts(self, also: Sequence[str]) -> None:
        """Find what there is to try, and what the rule of thumb says of it."""
        moves = np.array([number_of(action) for action in self.legal])
        if moves[0] >= BET:
            self.list_bets([self.legal.index(action) for action in also])
        elif moves[0] >= ROLL:
            self.starts = records(STATE, len(moves))
            self.starts[:] = self.game.states[0]
            self.actions, self.firsts = moves, [[k] for k in range(len(moves))]
        else:
            self.list_ends()
        count = len(self.starts)
        self.shares, self.worlds, self.prior = np.zeros((count, 8)), np.zeros(count, np.int64), np.zeros(count)
        if ROLL <= moves[0] < BET:
            wish = np.array(own_bet(self.game)) - self.against[self.seat]
            judge_rolls(self.game.states, self.game.rules, wish, moves, self.prior)
            self.prior += CERTAIN * self.settling(moves)
        else:
            self.prior += CERTAIN * self.ended()

    def settling(self, rolls: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> Reals:
        """1 for a roll after which the game can surely be ended with every pawn as bet, else 0."""
        ends, firsts = records(STATE, MOST_ENDS + 1), np.zeros(MOST_ENDS, np.int64)
        state, rules = self.game.states, self.game.rules
        return np.array([1.0 * settles(state, roll, ends, firsts, rules, self.seat) for roll in rolls.tolist()])

    def ended(self) -> Reals:
        """1 where the game has ended with every pawn as bet, which nothing beats; -1 where the last two came wrong.

        Whatever happens otherwise to the last two, the others gain no more by it than oneself.
        """
        right, left = arrived_right(self.game, self.starts), left_of(self.game)
        return 1.0 * (right == left) - 1.0 * ((right == 0) & (left == 2))

    def list_bets(self, also: Sequence[int]) -> None:
        """Some of the bets that promise most; where all promise the same, luck chooses, so that nobody can guess."""
        states, promise = records(STATE, len(BETS)), np.zeros(len(BETS))
        states[:] = self.game.states[0]
        states["bet"][:, self.seat, : len(PAWNS)] = BETS
        states["seat"], states["turn"] = 0, 1
        expect_points(states, self.game.rules, self.seat, promise)
        shuffled = np.random.default_rng(self.seed).permutation(len(BETS))
        best = shuffled[np.argsort(-promise[shuffled].round(6), kind="stable")][:BETS_TRIED]
        tried = [*best.tolist(), *(k for k in also if k not in best)]
        self.starts, self.firsts = states[tried], [[k] for k in tried]
        self.actions = np.zeros(len(tried), np.int64)

    def list_ends(self) -> None:
        """Every end that the turn may have."""
        self.starts, firsts = ends_of(self.game)
        self.actions = np.zeros(len(self.starts), np.int64)
        self.firsts = [[k for k in range(len(self.legal)) if ways >> k & 1] for ways in firsts.tolist()]

    def try_out(self, chosen: Sequence[int], count: int) -> None:
        """Try some of the starts in so many more worlds; so far they have been tried in the same ones."""
        done = int(self.worlds[chosen[0]])
        try_worlds(
            self.starts, self.actions, np.array(chosen), self.trial, self.game.rules, self.seat, self.sums,
            self.against, self.horizon, self.seed, done, count, self.shares,
        )  # fmt: skip
        self.worlds[chosen] += count

    def judged(self, start: int) -> float:
        """The seat's chance of winning from a start, the rule of thumb counted as some worlds."""
        if abs(self.prior[start]) >= CERTAIN / 2:
            return float(self.prior[start])
        won = self.shares[start, self.seat] + TRUST * GUESS * self.prior[start]
        return float(won / (self.worlds[start] + TRUST))

    def run(self, playouts: int, time: float, also: Sequence[str] = ()) -> list[int]:
        """Try all, then repeatedly the better half; the starts that were tried to the end, best first."""
        self.list_starts(also)
        began, spent = clock.perf_counter(), 0
        chosen, named = list(range(len(self.starts))), {self.legal.index(action) for action in also}
        rounds = max(1, math.ceil(math.log2(len(chosen))))
        for number in range(1, rounds + 1):
            while not spent or (
                spent < playouts * number / rounds and clock.perf_counter() - began < time * number / rounds
            ):
                share = (playouts * number / rounds - spent) / len(chosen)
                count = max(1, int(min(share, CHUNK / len(chosen))))
                self.try_out(chosen, count)
                spent += count * len(chosen)
            chosen.sort(key=self.judged, reverse=True)
            if number < rounds:
                first = {next(start for start in chosen if k in self.firsts[start]) for k in named}
                half = (len(chosen) + 1) // 2
                chosen = chosen[:half] + [start for start in chosen[half:] if start in first]
        return chosen

    def close(self, best: Sequence[int]) -> list[str]:
        """The actions that are hardly worse than the best."""
        least = self.judged(best[0]) - MARGIN
        return [self.legal[k] for start in best if self.judged(start) >= least for k in self.firsts[start]]

    def lines(self, best: Sequence[int]) -> list[Line]:
        """Every action with the chances of the best start that it leads to, best first."""
        rest = sorted(range(len(self.starts)), key=lambda start: (-self.worlds[start], -self.judged(start)))
        found: dict[int, Line] = {}
        for start in (*best, *rest):
            chances = self.shares[start, : self.players] / self.worlds[start]
            for k in self.firsts[start]:
                found.setdefault(k, Line((self.legal[k],), tuple(chances.tolist())))
        return list(found.values())


def seed_of(seed: int, view: str) -> int:
    """A number for the worlds of a search."""
    return int(luck(seed, view)[0] >> U(1))


def consider(
    view: str, record: str | None, seed: int, playouts: int, time: float, also: tuple[str, ...] = ()
) -> list[Line]:
    """The actions of the seat to act, best first, as the legend judges them; those in `also` as well as the best."""
    game = look(view, record)
    search = Search(game, beliefs(game.players, record), seed_of(seed, view))
    return search.lines(search.run(playouts, time, also))


class Captain(Bot):
    """Tries every choice in many worlds, in which any bet of the others is as likely as any other."""

    work = "playouts"

    def __init__(self, seed: int, playouts: int, time: float) -> None:
        super().__init__(seed)
        self.playouts, self.time = playouts, time

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        game = look(view, record)
        if len(legal) == 1 or game.turn == 0:
            return any_of(legal, self.seed, view)
        search = Search(game, beliefs(game.players, None), seed_of(self.seed, view))
        return search.close(search.run(self.playouts, self.time))[0]


class Lookahead(Captain):
    """Reads the others' bets from what they throw and take back, works against them, and hides its own."""

    remembers = True

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        if len(legal) == 1:
            return legal[0]
        game = look(view, record)
        weights = beliefs(game.players, record)
        search = Search(game, weights, seed_of(self.seed, view))
        close = search.close(search.run(self.playouts, self.time))
        if game.turn == 0:
            return close[0]
        return min(close, key=lambda action: given_away(game, action, weights[search.seat]))


def given_away(game: Evades, action: str, weights: Reals) -> float:
    """How much likelier an action makes the seat's bet to somebody with these beliefs about it."""
    bet = BETS.tolist().index(own_bet(game))
    after = weights.copy()
    weigh(game.states, game.rules, number_of(action), after)
    return round(float(after[bet] / weights[bet]), 6)
