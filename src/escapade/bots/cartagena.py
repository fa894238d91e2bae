"""The bots of Cartagena that plan whole turns, without and with a search some turns ahead."""

import math
from collections.abc import Sequence
from time import perf_counter

import numpy as np

from escapade.bots.bot import Bot, Line, luck
from escapade.bots.evaluation import CHANCE, OWN_TURN, TURN, Weights
from escapade.bots.memory import recall
from escapade.bots.search import list_candidates, plan_turn, try_turns
from escapade.bots.turns import new_desk, nth_of, pack, unpack
from escapade.cartagena.kernel import ACTION, STATE, Numbers
from escapade.cartagena.notation import MOVES, TEXTS
from escapade.cartagena.position import Cartagena
from escapade.compiled import records
from escapade.game import Chance
from escapade.rng import Words

NO_LUCK = Chance(0)
WIDTH, REPLIES = 8, 4  # for advice: turns weighed, and answers to each that the next seat weighs
AFFORDABLE = 400_000  # ends of turns looked at in one world, some tenths of a second


def seen(view: str, record: str | None) -> Cartagena:
    """The position of a view, with what the seat can remember where the discards have been shuffled."""
    if record and "~" in record:
        return recall(record, int(view.rsplit(" ", 1)[1].split(":")[0]))
    return Cartagena.parse(view, NO_LUCK)


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
        return plan_turn(game._state, self.desk, game.rules, self.weights)


class Buccaneer(Planner):
    """Plans the whole of its own turn, and never thinks of what it leaves to the others."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, OWN_TURN)


class Searcher(Planner):
    """Tries the planner's best turns in many worlds that fit what it sees, everyone planning on for some turns."""

    remembers = True
    work = "samples"

    def __init__(self, seed: int, width: int, samples: int, rounds: int, replies: int, time: float) -> None:
        super().__init__(seed)
        self.width, self.samples, self.rounds, self.replies, self.time = width, samples, rounds, replies, time

    def turn(self, game: Cartagena, view: str) -> int:
        turns = self.candidates(game)
        if len(turns) == 1:
            return int(turns[0])
        return self.weigh(game, turns, luck(self.seed, view), math.ceil(math.log2(len(turns))))[0][0]

    def candidates(self, game: Cartagena) -> Numbers:
        """The turns to be tried: fewer where there are so many that even one world would take long."""
        turns = np.zeros(self.width, np.int64)
        found, ends = list_candidates(game._state, self.desk, game.rules, self.weights, turns)
        plans = game.players * (self.rounds + self.replies)
        return turns[: max(2, min(found, AFFORDABLE // (ends * plans)))] if found > 1 else turns[:1]

    def weigh(self, game: Cartagena, turns: Numbers, rng: Words, stages: int) -> list[tuple[int, tuple[float, ...]]]:
        """The turns with every seat's chances, the best first; after each stage but the last the worse half goes."""
        began, seat, worlds = perf_counter(), game.seat - 1, records(STATE, 3)
        sums, tries = np.zeros((len(turns), game.players)), 0
        for stage in range(1, stages + 1):
            done, share = 0, math.ceil(self.samples / stages)
            while done < share and (tries + done == 0 or perf_counter() - began < self.time * stage / stages):
                before = sums.copy()
                try_turns(
                    game._state, worlds, self.desk, game.rules, self.weights, CHANCE, turns, rng, 1,
                    game.players * self.rounds or 1, self.replies, sums,
                )  # fmt: skip
                done += 1
                if stage == 1 and done == 2 and np.allclose(sums, 2 * before):
                    stages = share = 1  # all that comes is known, so more worlds tell nothing
            tries += done
            order = np.argsort(-sums[:, seat], kind="stable")
            order = order[: (len(order) + 1) // 2] if stage < stages else order
            turns, sums = turns[order], sums[order]
            if stage >= stages:
                break
        return [(int(turn), tuple(chances)) for turn, chances in zip(turns, (sums / tries).tolist(), strict=True)]


def consider(
    view: str, record: str | None, seed: int, samples: int, time: float, also: Sequence[str] = ()
) -> list[Line]:
    """The turns worth a thought for the seat to act, the best first, and in any case one that begins with `also`."""
    game = seen(view, record)
    bot = Searcher(seed, WIDTH, samples, 1, REPLIES, time)
    turns = bot.candidates(game)
    if also:
        played = pack(game._state, bot.desk, game.rules, np.array([MOVES[action] & ACTION for action in also]))
        turns = turns if played in turns else np.append(turns, played)
    out, lines = np.zeros(8, np.int64), []
    for turn, chances in bot.weigh(game, turns, luck(seed, view), 1):
        n = unpack(game._state, bot.desk, game.rules, turn, out)
        lines.append(Line(tuple(TEXTS[move] for move in out[:n].tolist()), chances))
    return lines
