"""Many games for one learner side by side, as Gymnasium's vector environment: a batch in which the others act too.

`gymnasium.make_vec` makes it for every id of `adapters.gymnasium`. A step is one action of the learner in each game and
what the others do until it acts again, all in compiled code. Where a game ends, the next one begins in the same step
(SAME_STEP), and `infos` has `final_obs` and `final_info`.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space

from escapade.adapters.gymnasium import check_options, check_seat, limit_turns, name_opponents, observation_box
from escapade.batch import (
    CHUNK,
    DONE,
    TAKEN,
    THREADS,
    Array,
    Batch,
    Loop,
    Rules,
    act,
    action_of,
    any_action,
    apart,
    best,
    clear,
    count,
    ending,
    forget,
    generic,
    layouts,
    legal,
    note,
    observe,
    own_sheet,
    pay,
    random_setup,
    show,
    winners,
    wipe,
)
from escapade.bots import name_of
from escapade.counters import add
from escapade.game import BROKEN_OFF, GOES_ON, Illegal, Invalid
from escapade.rng import next_random, pick_high
from escapade.sets import U, signed

OPPONENTS = ("random", "net")
LOST = 3  # how a game stands in which the learner has chosen an illegal number; beside GOES_ON, ENDED, BROKEN_OFF


@apart
def answer(
    tables: Array, notes: Array, rules: Rules, hidden: bool, rivals: Array, me: int, net: Any, sheets: Any,
    trials: Array, thread: int, game: int,
) -> int:  # fmt: skip
    """Let the others act until the learner's seat is to act or the game ends; how it stands then.

    Where there is no network, `net` is None, and what it would take is not compiled.
    """
    table = tables[game]
    s = table.state
    players, how = signed(s.players), int(ending(s, rules))
    while how == GOES_ON and signed(s.seat) != me:
        action = any_action(s, rules, table.choices)
        if net is not None:
            if rivals[(signed(s.seat) - me - 1 + players) % players]:
                sheet = own_sheet(sheets, thread)
                action = action_of(rules, best(tables, trials, thread, notes, rules, hidden, net, sheet, game))
            note(s, notes[game], rules, action)
        act(s, rules, action, table.luck)
        how = int(ending(s, rules))
    return how


@generic
def begin(
    tables: Array, notes: Array, rules: Rules, hidden: bool, rivals: Array, own: int, learners: Array, net: Any,
    sheets: Any, trials: Array, thread: int, game: int,
) -> None:  # fmt: skip
    """Begin a game in which the learner comes to act, on the seat `own` or, where that is negative, on any."""
    table = tables[game]
    players, how = signed(table.state.players), LOST
    while how != GOES_ON:
        random_setup(table.state, rules, players, table.luck)
        forget(notes, game)
        learners[game] = own if own >= 0 else pick_high(U(next_random(table.choices)), players)
        me = signed(learners[game])
        how = answer(tables, notes, rules, hidden, rivals, me, net, sheets, trials, thread, game)


@apart
def look_last(tables: Array, rules: Rules, hidden: bool, me: int, finals: Array, game: int) -> None:
    """Write what the learner sees of a game that is over."""
    finals[game] = 0
    observe(tables[game].state, rules, hidden, me, finals[game])


@Loop
def begin_learners(
    tables: Array, notes: Array, rules: Rules, hidden: bool, rivals: Array, own: int, learners: Array, masks: Array,
    observations: Array, net: Any, sheets: Any, trials: Array, share: Array,
) -> None:  # fmt: skip
    """Begin some of the games."""
    thread = add(share, THREADS, 1)
    first = add(share, TAKEN, CHUNK)
    while first < len(tables):
        for game in range(first, min(first + CHUNK, len(tables))):
            wipe(masks, observations, game)
            begin(tables, notes, rules, hidden, rivals, own, learners, net, sheets, trials, thread, game)
            show(tables[game], rules, hidden, signed(learners[game]), masks, observations, game)
        add(share, DONE, 1)
        first = add(share, TAKEN, CHUNK)


@Loop
def step_learners(
    tables: Array, notes: Array, rules: Rules, hidden: bool, rivals: Array, own: int, learners: Array, masks: Array,
    observations: Array, numbers: Array, ends: Array, turns: Array, rewards: Array, terminated: Array,
    truncated: Array, finals: Array, net: Any, sheets: Any, trials: Array, share: Array,
) -> None:  # fmt: skip
    """Play the learner's actions in some of the games, and let the others answer."""
    thread = add(share, THREADS, 1)
    first = add(share, TAKEN, CHUNK)
    while first < len(tables):
        for game in range(first, min(first + CHUNK, len(tables))):
            table, me, number, how = tables[game], signed(learners[game]), numbers[game], LOST
            s = table.state
            wipe(masks, observations, game)
            clear(signed(s.players), rewards, terminated, truncated, game)
            if 0 <= number < count(rules):
                action = action_of(rules, number)
                if legal(s, rules, action):
                    if net is not None:
                        note(s, notes[game], rules, action)
                    act(s, rules, action, table.luck)
                    how = answer(tables, notes, rules, hidden, rivals, me, net, sheets, trials, thread, game)
            ends[game] = how
            if how != GOES_ON:
                rewards[game, me] = -1
                if how != LOST:
                    pay(winners(s, rules), signed(s.players), rewards, game)
                terminated[game], truncated[game], turns[game] = how != BROKEN_OFF, how == BROKEN_OFF, s.turn
                look_last(tables, rules, hidden, me, finals, game)
                begin(tables, notes, rules, hidden, rivals, own, learners, net, sheets, trials, thread, game)
            show(table, rules, hidden, signed(learners[game]), masks, observations, game)
        add(share, DONE, 1)
        first = add(share, TAKEN, CHUNK)


class EscapadeVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Games for one learner. Its seat is drawn anew for every game unless one is given, counted from 1."""

    metadata: dict[str, Any] = {  # noqa: RUF012  not ours to type
        "autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP,
        "render_modes": [],
        "layouts": layouts(),
    }

    def __init__(
        self,
        num_envs: int = 1,
        edition: str = "jamaica",
        players: int = 2,
        *,
        opponents: str | Sequence[str] = "random",
        seat: int | None = None,
        turn_limit: int | None = None,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        check_seat(seat, players)
        named = name_opponents(opponents, players)
        for name in named:
            if name not in OPPONENTS:
                raise Invalid(
                    f"{name_of(name)}: opponents in a vector environment are {' or '.join(OPPONENTS)};"
                    " any bot can be one with vectorization_mode='sync' or 'async'"
                )
        self.games = Batch(
            limit_turns(edition, turn_limit), players, num_envs, threads=threads, net="net" in named, **options
        )
        if self.games.box.rules.turn_limit < players:
            raise Invalid(f"{self.games.box.edition}: with {players} players some would never act")
        self.num_envs, self.own_seat = num_envs, -1 if seat is None else seat - 1
        self.rivals = np.array([name == "net" for name in named], np.bool_)
        self.learners = np.zeros(num_envs, np.int8)
        self.ends, self.turns = np.zeros(num_envs, np.int8), np.zeros(num_envs, np.int64)
        self.finals = self.games.observations()
        self.begun = False
        self.single_observation_space = observation_box(self.games.length)
        self.single_action_space = spaces.Discrete(self.games.numbers)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        check_options(options)
        super().reset(seed=seed)
        self.games.reset(int(self.np_random.integers(1 << 62)))
        self.begun = True
        seen, masks = self._rows()
        self._do(begin_learners, masks, seen)
        return seen, self._infos(masks)

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Play the action of a number in every game, and let the others play until the learner acts again."""
        numbers, games, before = self._numbers(actions), self.games, self.learners.copy()
        seen, masks = self._rows()
        results = self.ends, self.turns, games.rewards, games.terminated, games.truncated, self.finals
        self._do(step_learners, masks, seen, numbers, *results)
        rewards = np.take_along_axis(games.rewards, before[:, None].astype(np.int64), axis=1)[:, 0].astype(np.float64)
        infos = self._infos(masks)
        if (self.ends != GOES_ON).any():
            infos |= self._final(before)
        return seen, rewards, games.terminated.copy(), games.truncated.copy(), infos

    def _do(self, work: Loop, *arguments: Any) -> None:
        games, box = self.games, self.games.box
        desks = games.desks if games.net else (None, None)
        common = games.notes, box.rules, box.hidden, self.rivals, self.own_seat, self.learners
        games.do(work, *common, *arguments, games.net, *desks)

    def _rows(self) -> tuple[Array, Array]:
        """New arrays for what is seen and may be done, since a caller may keep the old ones."""
        return np.empty((self.num_envs, self.games.length), np.int8), np.empty(
            (self.num_envs, self.games.numbers), bool
        )

    def _numbers(self, actions: Any) -> Array:
        if not self.begun:
            raise Illegal("no games are being played, reset() begins them")
        numbers = np.asarray(actions)
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            raise Invalid(
                f"actions: {numbers.dtype} of shape {numbers.shape}; a whole number for each of {self.num_envs} games"
            )
        return np.ascontiguousarray(numbers, np.int64)

    def _infos(self, masks: Array) -> dict[str, Any]:
        turns = self.games.tables["state"]["turn"].copy()
        info = {"action_mask": masks.view(np.int8), "seat": self.learners + 1, "turn": turns}
        return told(info, np.ones(self.num_envs, np.bool_))

    def _final(self, seats: Array) -> dict[str, Any]:
        """What the games that have ended were like at their ends."""
        over, won = self.ends != GOES_ON, self.games.rewards > 0
        seen = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(over):
            seen[game] = self.finals[game].copy()
        info = {"seat": seats + 1, "turn": self.turns.copy(), "winners": won, "illegal": self.ends == LOST}
        return told({"final_obs": seen, "final_info": told(info, over)}, over)


def told(info: dict[str, Any], where: Array) -> dict[str, Any]:
    """Infos as Gymnasium has them in vector environments: beside each the games that it is told of."""
    return info | {f"_{name}": where.copy() for name in info}
