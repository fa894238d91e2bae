"""The games as PettingZoo environments: each seat is an agent, and each action of a turn is a step of its agent.

`env("jamaica", players=3)` is what most want: an agent that takes an illegal action loses the game there, as in
PettingZoo's own classics; `raw_env` raises instead. An observation is what the agent's seat sees, and nothing else.
"""

import operator
import secrets
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, overload

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv, register
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from escapade.adapters import drawing
from escapade.adapters.gymnasium import limit_turns, observation_box, reward
from escapade.batch import Loop, act, action_of, ending, layouts, legal, mark, observe, open_box
from escapade.compiled import records
from escapade.game import GOES_ON, Game, Illegal, Invalid
from escapade.rng import Words, seed_rng

Observation: TypeAlias = dict[str, np.ndarray[Any, np.dtype[np.int8]]]
Seen = TypeVar("Seen")
Last: TypeAlias = tuple[Seen, float, bool, bool, dict[str, Any]]

OVER, ILLEGAL = -1, -2


@Loop
def play_and_show(states: Any, rules: Any, hidden: bool, number: int, luck: Words, seen: Any, mask: Any) -> int:
    """Play the action of a number and write what the next seat sees and may do: that seat, OVER or ILLEGAL."""
    s = states[0]
    action = action_of(rules, number)
    if not legal(s, rules, action):
        return ILLEGAL
    act(s, rules, action, luck)
    observe(s, rules, hidden, s.seat, seen)
    mark(s, rules, mask)
    return s.seat if ending(s, rules) == GOES_ON else OVER


class Numbers(spaces.Discrete[Any]):
    """The space of the numbers of actions; sampling Gymnasium's own takes longer than a step."""

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is None or probability is not None or mask.shape != (self.n,) or not mask.any():
            return super().sample(mask, probability)
        legal = mask.nonzero()[0]
        return legal[int(self.np_random.random() * len(legal))]


class Environment(AECEnv[str, Observation, int | None]):  # type: ignore[misc]  # which has no types of its own
    """A game whose seats are agents. `max_cycles`, where no turn limit is given, is one in rounds."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "escapade_v0",
        "render_modes": list(drawing.MODES),
        "render_fps": 4,
        "layouts": layouts(),
        "is_parallelizable": False,  # by `turn_based_aec_to_parallel` alone, which does not ask
    }

    def __init__(
        self,
        edition: str = "jamaica",
        players: int = 2,
        *,
        turn_limit: int | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        illegal_loses: bool = False,
        **options: Any,
    ) -> None:
        super().__init__()
        if turn_limit is None and max_cycles is not None:
            turn_limit = players * max_cycles
        drawing.check_mode(render_mode)
        self.render_mode, self.illegal_loses = render_mode, illegal_loses
        box = open_box(limit_turns(edition, turn_limit), players, **options)
        self.edition, self.players = box.edition, players
        self._rules, self._hidden = box.rules, box.hidden
        self._begin, self._from_states = box.kernel.random_setup_in, box.kind.game.from_states
        self._play_and_show = play_and_show.of(box.kind)
        self._observe_in, self._mark_in = box.features.observe_in, box.features.mark_in
        self._states = records(box.kernel.STATE, 1)
        self._count, self._length = box.features.count(box.rules), box.features.length(box.rules, players)
        self._luck = np.zeros(2, np.uint64)
        self._seed, self._games = 0, -1
        self.possible_agents = [f"seat_{seat}" for seat in range(1, players + 1)]
        self._numbers = {agent: number for number, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: Numbers(self._count) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.agents: list[str] = []

    def _space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self._count,), np.int8)
        return spaces.Dict({"observation": observation_box(self._length), "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game: the first of a seed, or the next one of the seed in use."""
        if seed is not None or self._games < 0:
            self._seed, self._games = (secrets.randbits(63) if seed is None else operator.index(seed) % (1 << 63)), -1
        self._games += 1
        seed_rng(self._luck, self._seed, self._games)
        self._begin(self._states, self._rules, self.players, self._luck)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self._actor = self.agents[0]
        self._observation = self._look(0)
        self._mark_in(self._states, self._rules, self._observation["action_mask"].view(np.bool_))
        if self.render_mode == "human":
            self.render()

    def _look(self, seat: int) -> Observation:
        """What a seat sees, with nothing that it may do."""
        seen = np.empty(self._length, np.int8)
        self._observe_in(self._states, self._rules, self._hidden, seat, seen)
        return {"observation": seen, "action_mask": np.zeros(self._count, np.int8)}

    def observe(self, agent: str) -> Observation:
        """What an agent's seat sees; its mask is empty where it is not to act."""
        return self._observation if agent == self._actor else self._look(self._numbers[agent])

    def step(self, action: int | None) -> None:
        """Play the action of a number."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = -1 if action is None else operator.index(action)
        if not 0 <= number < self._count:
            raise Invalid(f"{action} from {agent}: actions are numbered from 0 to {self._count - 1}")
        seen, mask = np.zeros(self._length, np.int8), np.zeros(self._count, np.int8)
        seat = self._play_and_show(
            self._states, self._rules, self._hidden, number, self._luck, seen, mask.view(np.bool_)
        )
        if seat == ILLEGAL:
            self._refuse(agent, number)
            return
        if seat == OVER:
            seat = int(self._states["seat"][0])
            self._pay()
        self.agent_selection = self._actor = self.possible_agents[seat]
        self._observation = {"observation": seen, "action_mask": mask}
        if self.render_mode == "human":
            self.render()

    def _refuse(self, agent: str, number: int) -> None:
        """Raise Illegal, the game unchanged; or end it, lost for the agent alone, as TerminateIllegalWrapper does."""
        if not self.illegal_loses:
            raise Illegal(f"{number} from {agent}: legal are {self._legal()}, in {self.game}")
        EnvLogger.warn_on_illegal_move()
        self.rewards[agent] = self._cumulative_rewards[agent] = -1.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {other: {"illegal": agent} for other in self.agents}
        self._actor = ""

    def _pay(self) -> None:
        """End the game for all the agents."""
        game = self.game
        broken_off = not game.winners and game.turn > self._rules.turn_limit
        for seat, agent in enumerate(self.agents, 1):
            self.rewards[agent] = self._cumulative_rewards[agent] = reward(self.players, game.winners, seat)
            self.terminations[agent], self.truncations[agent] = not broken_off, broken_off
            self.infos[agent] = {"winners": [self.possible_agents[winner - 1] for winner in game.winners]}

    @property
    def game(self) -> Game:
        """A copy of the game as it stands, nothing hidden: to print, to read and to try things on."""
        return self._from_states(self.edition, self._states, self.players)

    def texts(self) -> dict[int, str]:
        """The legal numbers, each with its action in the notation."""
        return dict(zip(self._legal(), self.game.legal_actions(), strict=True))

    def _legal(self) -> list[int]:
        mask = np.empty(self._count, np.bool_)
        self._mark_in(self._states, self._rules, mask)
        return np.flatnonzero(mask).tolist()

    def render(self) -> "drawing.Picture | str | None":
        """The board as the seat to act may see it, at the end as the agent selected may."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() draws nothing: no render_mode was given")
            return None
        seat = self._numbers[self.agent_selection] + 1
        return drawing.render(self.game.view(seat), seat, self.render_mode, self.metadata["render_fps"])

    def close(self) -> None:
        if self.render_mode == "human":
            drawing.close_window()


class Ordered(OrderEnforcingWrapper[str, Observation, int | None]):  # type: ignore[misc]
    """PettingZoo's check of the order of calls, with one call of the environment for `last` instead of five."""

    @overload
    def last(self, observe: Literal[True] = True) -> Last[Observation]: ...

    @overload
    def last(self, observe: bool) -> Last[Observation | None]: ...

    def last(self, observe: bool = True) -> Last[Any]:
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return self.env.last(observe)  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return str(self.env)


def raw_env(edition: str = "jamaica", players: int = 2, **settings: Any) -> Environment:
    """An environment that raises Illegal for an illegal action."""
    return Environment(edition, players, **settings)


def env(edition: str = "jamaica", players: int = 2, **settings: Any) -> Ordered:
    """An environment in which an agent that takes an illegal action loses."""
    return Ordered(Environment(edition, players, illegal_loses=True, **settings))


def parallel_env(edition: str = "jamaica", players: int = 2, **settings: Any) -> ParallelEnv[str, Observation, int]:
    """All agents act in every step, and what the one to act does counts."""
    return turn_based_aec_to_parallel(env(edition, players, **settings))


register("aec", "escapade/escapade_v0", entry_point="escapade.adapters.pettingzoo:env")
register("parallel", "escapade/escapade_v0", entry_point="escapade.adapters.pettingzoo:parallel_env")
