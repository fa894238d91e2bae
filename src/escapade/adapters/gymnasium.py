"""The games as Gymnasium environments: one seat learns, named bots play the others.

Importing this module registers `escapade/Jamaica-2p-v0` and so on, for every edition and number of players. A step is
one action of the learner's seat; what the others do before it acts again is part of the step. The observation is what
the seat sees; `info["action_mask"]` and `action_masks()`, as MaskablePPO asks for it, have the legal numbers. An
illegal number loses: the episode ends with reward -1 and `info["illegal"]`.
"""

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces

from escapade import bots
from escapade.adapters import drawing
from escapade.batch import layouts, open_box
from escapade.bots import Player
from escapade.game import Illegal, Invalid
from escapade.games import editions, kinds, new

Observation: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]
Mask: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
Step: TypeAlias = tuple[Observation, float, bool, bool, dict[str, Any]]

MOST = 127


def reward(players: int, winners: tuple[int, ...], seat: int) -> float:
    """What a seat gets at the end: 1 for who wins alone, paid by the others, and nothing where nobody wins."""
    share = (seat in winners) / len(winners) if winners else 1 / players
    return (players * share - 1) / (players - 1)


def limit_turns(text: str, turn_limit: int | None) -> str:
    """An edition with a turn limit, where one is given."""
    return text if turn_limit is None else f"{text}+turn-limit={turn_limit}"


def observation_box(length: int) -> spaces.Box:
    """The space of what a seat sees."""
    return spaces.Box(0, MOST, (length,), np.int8)


def name_opponents(opponents: Player | Sequence[Player], players: int) -> tuple[Player, ...]:
    """Who plays the other seats, in their order after the learner's: one for all of them, or one for each."""
    named: tuple[Any, ...] = (opponents,) * (players - 1)
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        named = tuple(opponents)
    if len(named) != players - 1:
        listed = ", ".join(map(bots.name_of, named))
        raise Invalid(f"{len(named)} opponents, {listed}: with {players} players there are {players - 1}")
    return named


def check_seat(seat: int | None, players: int) -> None:
    """Refuse a learner's seat that is not there."""
    if seat is not None and not 1 <= seat <= players:
        raise Invalid(f"seat {seat}: with {players} players there are seats 1 to {players}")


def check_options(options: dict[str, Any] | None) -> None:
    """Refuse options of `reset`, which has none."""
    if options:
        raise Invalid(f"reset takes no options, such as {', '.join(map(str, options))}: settings are given to make")


class EscapadeEnv(gymnasium.Env[Any, Any]):
    """A game for one learner. Its seat is drawn anew for every game unless one is given, counted from 1."""

    metadata: dict[str, Any] = {  # noqa: RUF012  not ours to type
        "render_modes": list(drawing.MODES),
        "render_fps": 4,
        "layouts": layouts(),
    }

    def __init__(
        self,
        edition: str = "jamaica",
        players: int = 2,
        *,
        opponents: Player | Sequence[Player] = "sailor",
        seat: int | None = None,
        turn_limit: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        drawing.check_mode(render_mode)
        check_seat(seat, players)
        self.render_mode = render_mode
        self.box = open_box(limit_turns(edition, turn_limit), players, **options)
        self.opponents, self.own_seat, self.options = name_opponents(opponents, players), seat, options
        self.observation_space = observation_box(self.box.features.length(self.box.rules, players))
        self.action_space = spaces.Discrete(self.box.features.count(self.box.rules))
        self._set_up(0)
        self.lost = True  # until `reset`

    def _set_up(self, number: int) -> None:
        """Begin the game of a number."""
        players = self.box.players
        luck = np.random.default_rng(number)
        seeds = luck.integers(1 << 62, size=players).tolist()
        self.game = new(str(self.box.edition), players, seed=seeds[0], **self.options)
        self.seat = self.own_seat or int(luck.integers(players)) + 1
        self.bots = {
            (self.seat + k - 1) % players + 1: bots.make(name, self.game.kind, seeds[k])
            for k, name in enumerate(self.opponents, 1)
        }
        self.lost = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        check_options(options)
        super().reset(seed=seed)
        self._set_up(int(self.np_random.integers(1 << 62)))
        return self._after()

    def step(self, action: int) -> Step:
        """Play the action of a number, and let the others play until the learner's seat acts again."""
        number, mask = operator.index(action), self.action_masks()
        if not 0 <= number < len(mask):
            raise Invalid(f"{action}: actions are numbered from 0 to {len(mask) - 1}")
        if self.lost or self.game.over:
            raise Illegal(f"{number}: no game is being played, reset() begins one, in {self.game}")
        self.lost = not mask[number]
        if self.lost:
            seen, info = self._after()
            return seen, -1.0, True, False, {**info, "illegal": True}
        self.game.play(self.game.action_of(number))
        seen, info = self._after()
        if not self.game.over:
            return seen, 0.0, False, False, info
        winners = self.game.winners
        broken_off = not winners and self.game.turn > self.box.rules.turn_limit
        info["winners"] = winners
        return seen, reward(self.box.players, winners, self.seat), not broken_off, broken_off, info

    def _after(self) -> tuple[Observation, dict[str, Any]]:
        """Let the others play, unless the learner has lost; what its seat then sees and may do."""
        while not (self.lost or self.game.over or self.game.seat == self.seat):
            bot = self.bots[self.game.seat]
            record = self.game.record(self.game.seat) if bot.remembers else None
            self.game.play(bots.ask(bot, self.game.view(self.game.seat), self.game.legal_actions(), record))
        if self.render_mode == "human":
            self.render()
        seen = self.game.observation(self.seat)
        return seen, {"action_mask": self.action_masks().view(np.int8), "seat": self.seat, "turn": self.game.turn}

    def action_masks(self) -> Mask:
        """Which numbers are legal; none when the game is over."""
        return np.zeros(self.action_space.n, np.bool_) if self.lost else self.game.mask()  # type: ignore[attr-defined]

    def render(self) -> Any:
        """The board as the learner's seat may see it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() draws nothing: no render_mode was given")
            return None
        return drawing.render(self.game.view(self.seat), self.seat, self.render_mode, self.metadata["render_fps"])

    def close(self) -> None:
        if self.render_mode == "human":
            drawing.close_window()


def ids() -> dict[str, dict[str, Any]]:
    """Every edition with every number of players: the id and the settings that it stands for."""
    return {
        f"escapade/{name.title().replace('-', '')}-{players}p-v0": {"edition": name, "players": players}
        for name, kind in editions(kinds().values()).items()
        for players in kind.players
    }


for number, settings in ids().items():
    gymnasium.register(
        number,
        "escapade.adapters.gymnasium:EscapadeEnv",
        vector_entry_point="escapade.adapters.vector:EscapadeVectorEnv",
        kwargs=settings,
    )
