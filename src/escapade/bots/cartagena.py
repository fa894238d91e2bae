"""The bots of Cartagena: planners of whole turns, without and with a look ahead."""

from collections.abc import Sequence

import numpy as np

from escapade.bots.bot import Bot, luck
from escapade.bots.planner import WEIGHTS, choose, choose_by_lookahead
from escapade.cartagena.kernel import ACTION, STATE
from escapade.cartagena.notation import MOVES
from escapade.cartagena.position import Cartagena
from escapade.compiled import records
from escapade.game import Chance

NO_LUCK = Chance(0)


class Planner(Bot):
    """Tries every turn there is and takes the one that leaves it furthest ahead."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.plans, self.lists, self.values = records(STATE, 8), np.zeros((8, 64), np.int64), np.zeros(64)
        self.seen = np.zeros(1 << 14, np.uint64)

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        texts = {MOVES[text] & ACTION: text for text in legal}
        return texts[self.action(Cartagena.parse(view, NO_LUCK), view)]

    def action(self, game: Cartagena, view: str) -> int:
        """The number of the action to play."""
        return choose(game._state, self.plans, self.lists, self.values, self.seen, game.rules, WEIGHTS)


class Lookahead(Planner):
    """Tries the planner's best actions in many worlds that fit what it sees, everyone planning on for some turns."""

    def __init__(self, seed: int, width: int, samples: int, horizon: int) -> None:
        super().__init__(seed)
        self.width, self.samples, self.horizon = width, samples, horizon
        self.worlds = records(STATE, 2)

    def action(self, game: Cartagena, view: str) -> int:
        return choose_by_lookahead(
            game._state, self.worlds, self.plans, self.lists, self.values, self.seen, game.rules, WEIGHTS,
            luck(self.seed, view), self.width, self.samples, self.horizon,
        )  # fmt: skip
