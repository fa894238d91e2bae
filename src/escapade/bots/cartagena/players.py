"""The bots of Cartagena that plan whole turns, without and with a search some turns ahead."""

import math
from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

import numpy as np

from escapade.bots.bot import Bot, Fallible, Line, luck
from escapade.bots.cartagena.evaluation import CHANCE, OWN_TURN, TURN, Sums, Weights
from escapade.bots.cartagena.memory import Old, nothing_old, recall, remembered, replay
from escapade.bots.cartagena.search import PATIENCE, choose_some, list_all, plan_turn, try_turns
from escapade.bots.cartagena.simple import Sailor
from escapade.bots.cartagena.turns import NO_TURN, new_desk, nth_of, pack, unpack, winning_turn
from escapade.cartagena.kernel import ACTION, STATE, Numbers
from escapade.cartagena.notation import MOVES, TEXTS
from escapade.cartagena.position import Cartagena
from escapade.compiled import records
from escapade.game import Chance
from escapade.record import parse
from escapade.rng import Words

NO_LUCK = Chance(0)
WIDTH, REPLIES = 8, 4  # for advice: turns weighed, and answers to each that the next seat weighs
WIDER = 3  # times as many turns are tried where nothing is unknown
AFFORDABLE = 1_000_000  # ends of turns looked at in one world, some tenths of a second


def seen(view: str, record: str | None) -> Cartagena:
    """The position of a view, with what the seat can remember, and how often it was passed last."""
    game = Cartagena.parse(recall(view, record), NO_LUCK)
    if record and (recorded := parse(record)).turns and recorded.turns[-1][1] == ["."]:
        *_, last = replay(recorded)
        game.states[0]["passes"] = last.game.states[0]["passes"]
    return game


class Stage(NamedTuple):
    """So many of the best turns are tried in so many more worlds."""

    width: int
    worlds: int


def halved(width: int) -> list[int]:
    """A number halved again and again, as long as there is a choice."""
    widths = [width]
    while widths[-1] > 2:
        widths.append((widths[-1] + 1) // 2)
    return widths


class Planner(Bot):
    """Tries every turn there is and takes the one that leaves it furthest ahead."""

    def __init__(self, seed: int, weights: Weights = TURN) -> None:
        super().__init__(seed)
        self.weights, self.desk = weights, new_desk()

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        if len(legal) == 1:
            return legal[0]
        texts = {MOVES[text] & ACTION: text for text in legal}
        return texts[nth_of(self.turn(seen(view, record), view), 0)]

    def turn(self, game: Cartagena, view: str) -> int:
        """The turn to play."""
        return plan_turn(game.states, self.desk, game.rules, self.weights)


class Careless(Planner):
    """Plans the whole of its own turn, and never thinks of what it leaves to the others."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, OWN_TURN)


class Hasty(Planner):
    """A sailor who never misses that it can win in this turn."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.sailor = Sailor(seed)

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        game = seen(view, record)
        wins = winning_turn(game.states[0], self.desk, game.rules, PATIENCE) != NO_TURN
        return super().choose(view, legal, record) if wins else self.sailor.choose(view, legal)


class Buccaneer(Fallible):
    """Plans its own turn with no thought of the others, and at times is greedy and takes the longest leaps."""

    good, bad = Careless, Hasty


class Searcher(Planner):
    """Tries the planner's best turns in many worlds that fit what it sees, everyone planning on for some turns."""

    remembers = True
    work = "samples"

    def __init__(
        self, seed: int, width: int, samples: int, rounds: int, replies: int, time: float, affordable: int = AFFORDABLE
    ) -> None:
        super().__init__(seed)
        self.width, self.samples, self.rounds, self.replies, self.time = width, samples, rounds, replies, time
        self.affordable = affordable
        self.worlds = records(STATE, 3)
        self.old: Old | None = None

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        self.old = remembered(view, record) if len(legal) > 1 else None
        return super().choose(view, legal, record)

    def old_of(self, game: Cartagena) -> Old:
        """What the seat to act remembers of the others' hands together."""
        return self.old or nothing_old(game.players)

    def turn(self, game: Cartagena, view: str) -> int:
        turns = self.candidates(game)
        if len(turns) == 1:
            return int(turns[0])
        return self.weigh(game, turns, luck(self.seed, view), self.stages(game, len(turns)))[0][0]

    def stages(self, game: Cartagena, found: int) -> list[Stage]:
        """How many of the turns found are tried, and in how many worlds: the worse half is dropped again and again."""
        widths = halved(min(found, self.width))
        return [Stage(width, math.ceil(self.samples / len(widths))) for width in widths]

    def candidates(self, game: Cartagena) -> Numbers:
        """The turns worth trying: fewer where there are so many that even one world would take long."""
        state, desk, rules = game.states, self.desk, game.rules
        ends = list_all(state, desk, rules, self.weights)
        if ends == 1:
            return desk.turns[:1].copy()
        best = desk.turns[np.argsort(-desk.values[:ends], kind="stable")]
        turns = np.zeros(WIDER * self.width, np.int64)
        found = choose_some(state, desk, rules, best, turns)
        plans = game.players * (self.rounds + self.replies)
        return turns[: min(found, max(2, self.affordable // (ends * plans)))]

    def weigh(
        self, game: Cartagena, turns: Numbers, rng: Words, stages: Sequence[Stage]
    ) -> list[tuple[int, tuple[float, ...]]]:
        """The turns that are left after the last stage with every seat's chances, best first.

        Where nothing is unknown, more worlds are of no use: more turns are tried, and the best answers to each.
        """
        began, seat, all_turns = perf_counter(), game.seat - 1, turns
        sums, tries, trusted = np.zeros((len(turns), game.players)), 0, self.trusted(game, turns)
        for number, (width, worlds) in enumerate(stages, 1):
            turns, sums, trusted = turns[:width], sums[:width], trusted[:width]
            done, until = 0, began + self.time * number / len(stages)
            while done < worlds and (tries + done == 0 or perf_counter() < until):
                before = sums.copy()
                self.try_world(game, turns, rng, 1, sums)
                done += 1
                if self.replies > 1 and tries + done == 2 and np.allclose(sums, 2 * before):
                    return self.weigh_answers(game, all_turns, rng)
            tries += done
            order = np.argsort(-sums[:, seat] - trusted, kind="stable")
            turns, sums, trusted = turns[order], sums[order], trusted[order]
        return spelled(turns, sums / tries)

    def trusted(self, game: Cartagena, turns: Numbers) -> Weights:
        """What turns are thought to win in some worlds before they are tried."""
        return np.zeros(len(turns))

    def weigh_answers(self, game: Cartagena, turns: Numbers, rng: Words) -> list[tuple[int, tuple[float, ...]]]:
        """The turns with every seat's chances, the best first, the next seat choosing the best of its answers."""
        sums = np.zeros((len(turns), game.players))
        self.try_world(game, turns, rng, self.replies, sums)
        order = np.argsort(-sums[:, game.seat - 1], kind="stable")
        return spelled(turns[order], sums[order])

    def try_world(self, game: Cartagena, turns: Numbers, rng: Words, replies: int, sums: Sums) -> None:
        """Try the turns in one more world."""
        ahead, chance = game.players * self.rounds or 1, CHANCE[game.players - 2]
        try_turns(
            game.states, self.worlds, self.desk, game.rules, self.weights, chance, turns, rng, ahead, replies,
            self.old_of(game), sums,
        )  # fmt: skip


def spelled(turns: Numbers, chances: Sums) -> list[tuple[int, tuple[float, ...]]]:
    """Turns with their chances, as plain values."""
    return [(turn, tuple(row)) for turn, row in zip(turns.tolist(), chances.tolist(), strict=True)]


def consider(
    view: str, record: str | None, seed: int, samples: int, time: float, also: Sequence[str] = ()
) -> list[Line]:
    """The turns worth a thought for the seat to act, the best first, and in any case one that begins with `also`."""
    game = seen(view, record)
    bot = Searcher(seed, WIDTH, samples, 1, REPLIES, time)
    turns = bot.candidates(game)
    if also:
        played = pack(game.states, bot.desk, game.rules, np.array([MOVES[action] & ACTION for action in also]))
        turns = np.array([played, *(turn for turn in turns if turn != played)])
    out, lines = np.zeros(8, np.int64), []
    for turn, chances in bot.weigh(game, turns, luck(seed, view), [Stage(WIDTH, samples)]):
        n = unpack(game.states, bot.desk, game.rules, turn, out)
        lines.append(Line(tuple(TEXTS[move] for move in out[:n].tolist()), chances))
    return lines


def outlook(position: str, seed: int, samples: int, time: float) -> tuple[float, ...]:
    """Every seat's chance when all, the seat to act included, play on by the same plain planning."""
    game = Cartagena.parse(position, NO_LUCK)
    bot = Searcher(seed, 1, samples, 1, 1, time)
    return bot.weigh(game, bot.candidates(game), luck(seed, position), [Stage(1, samples)])[0][1]
