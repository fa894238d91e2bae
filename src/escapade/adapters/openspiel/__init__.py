"""Both games for OpenSpiel: `pyspiel.load_game("escapade_cartagena(edition=tortuga,players=3)")`, `"escapade_evades"`.

Importing this module registers them. A parameter left out is as the edition has it: -1, or `edition` where it is text.

Chance nodes are explicit, one outcome each:

- Cartagena: each segment of the tunnel and its way round (2 * segment + turned), unless `tunnel` gives it; then every
  card of the first hands, seat by seat, and of the row (0 to 5 for B D H K P S, by the cards that are left). In the
  game an action that brings cards up from the face-down pile is followed by one node for each of them, whether it goes
  into a hand or lies open in the row. A reshuffle has none of its own: it changes what is left.
- Les Évadés: a roll is followed by one node for each die (0 to 5 for 1 to 6), in the order b r y l d o n w.

The end is worth 1 to a winner and -1 / (n - 1) to the others; several winners divide the sum; a game that nobody wins,
also one that the turn limit ends (500 turns of Cartagena, 200 of Les Évadés, unless `turn_limit` is given), is worth
nothing to anybody.

`Playouts` lets OpenSpiel's searches play a game to its end in compiled code.
"""

from base64 import b64encode
from collections.abc import Callable, Mapping
from pickle import dumps
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from escapade.adapters.openspiel.cartagena import CartagenaTable
from escapade.adapters.openspiel.evades import EvadesTable
from escapade.adapters.openspiel.table import CHANCE, OVER, Setting, Table, rewards
from escapade.cartagena import editions as cartagena_editions
from escapade.cartagena import position as cartagena_position
from escapade.cartagena.notation import SEGMENT
from escapade.evades import editions as evades_editions
from escapade.evades.position import Evades
from escapade.game import Allowed, Edition, Invalid, allows, span
from escapade.rng import seed_rng

Parameters = Mapping[str, Any]

NO_ATTRIBUTES = b64encode(dumps({})).decode()

OWN, AS_PRINTED = -1, "edition"
# A tensor has room for every action, so turns are limited: of 20,000 random games of two in each edition the longest
# had 429 turns, of Les Évadés 97.
CARTAGENA_TURNS, EVADES_TURNS, MOST_TURNS = 500, 200, 10_000

# What a game for solvers may have, too: wider than house rules, as far as the kernel goes.
CARTAGENA_RULES: Allowed = {
    **cartagena_editions.HOUSE,
    "cards": range(1, 19),
    "deal": range(1, 55),
    "pirates": range(1, 9),
    "row": range(13),
    "turn-limit": range(1, MOST_TURNS + 1),
}
EVADES_RULES: Allowed = {
    **evades_editions.HOUSE,
    "length": range(1, 61),
    "turn-limit": range(1, MOST_TURNS + 1),
}


def parameters(rules: Allowed, own: Parameters) -> dict[str, Any]:
    """The parameters of a game and their defaults."""
    house = {
        rule.replace("-", "_"): OWN if isinstance(values[-1], int) else AS_PRINTED for rule, values in rules.items()
    }
    return {**own, "players": 2, **house}


def chosen_edition(name: str, given: Parameters, turns: int, editions: Mapping[str, Any], rules: Allowed) -> Edition:
    """An edition with the rules that are given."""
    if name not in editions:
        raise Invalid(f"no edition is called {name!r}; there are {', '.join(editions)}")
    own = editions[name]
    changed = {"turn-limit": turns}
    for rule, values in rules.items():
        setting = given[rule.replace("-", "_")]
        if setting in (OWN, AS_PRINTED):
            continue
        if not allows(values, setting):
            raise Invalid(f"{rule.replace('-', '_')} can be {span(values)}, not {setting!r}")
        changed[rule] = setting
    return Edition(name, {**own, **changed}, tuple(sorted(rule for rule in changed if changed[rule] != own.get(rule))))


def cartagena_setting(given: Parameters) -> Setting:
    """What parameters make of Cartagena."""
    edition = chosen_edition(given["edition"], given, CARTAGENA_TURNS, cartagena_editions.EDITIONS, CARTAGENA_RULES)
    cartagena_editions.check_players(given["players"], "players")
    tunnel, segments = given["tunnel"], given["segments"]
    if not 1 <= segments <= 8:
        raise Invalid(f"segments can be 1 to 8, not {segments}")
    if tunnel != "printed":
        check_tunnel(tunnel)
        segments = tunnel.count("/") + 1
    rules = cartagena_position.rules_of(edition, segments)
    if given["players"] * rules.deal > 6 * rules.copies:
        raise Invalid(f"{given['players']} hands of {rules.deal} cards out of a pack of {6 * rules.copies}")
    return Setting(edition, rules, given["players"], tunnel)


def check_tunnel(tunnel: str) -> None:
    """Refuse what is no tunnel of one to eight segments."""
    segments = tunnel.split("/")
    for segment in segments:
        if not SEGMENT.fullmatch(segment) or len(set(segment)) != 6 or len(segments) > 8:
            raise Invalid(f"tunnel can be printed, or 1 to 8 segments with six symbols each, not {tunnel!r}")


def evades_setting(given: Parameters) -> Setting:
    """What parameters make of Les Évadés."""
    edition = chosen_edition("evades", given, EVADES_TURNS, evades_editions.EDITIONS, EVADES_RULES)
    evades_editions.check_players(given["players"], "players")
    return Setting(edition, Evades.rules_of(edition), given["players"])


class Kind(NamedTuple):
    """One of the two games, as it is registered."""

    name: str
    title: str
    most_players: int
    defaults: Mapping[str, Any]
    setting: Callable[[Parameters], Setting]
    table: Callable[[Setting], Table]
    most_outcomes: int  # of one chance node


CARTAGENA = Kind(
    "escapade_cartagena",
    "Cartagena",
    cartagena_editions.PLAYERS[-1],
    parameters(CARTAGENA_RULES, {"edition": "jamaica", "segments": 6, "tunnel": "printed"}),
    cartagena_setting,
    CartagenaTable,
    12,
)
EVADES = Kind(
    "escapade_evades",
    "Les Évadés",
    evades_editions.PLAYERS[-1],
    parameters(EVADES_RULES, {}),
    evades_setting,
    EvadesTable,
    6,
)


def game_type(kind: Kind, open_hands: bool = False) -> pyspiel.GameType:
    """What OpenSpiel has to know of a game; where all hands are open, nothing is hidden from a player."""
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=kind.name,
        long_name=kind.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.PERFECT_INFORMATION if open_hands else information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=kind.most_players,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=dict(kind.defaults),
    )


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game with its rules chosen."""

    kind: Kind

    def __init__(self, params: Parameters | None = None) -> None:
        given = {**self.kind.defaults, **(params or {})}
        self.setting = self.kind.setting(given)
        self.first = self.kind.table(self.setting)
        players = self.setting.players
        info = pyspiel.GameInfo(
            num_distinct_actions=self.first.features.count(self.setting.rules),
            max_chance_outcomes=self.kind.most_outcomes,
            num_players=players,
            min_utility=-1 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.first.most_actions,
        )
        open_hands = self.setting.edition.rules.get("hands") == "open"
        changed = {name: value for name, value in given.items() if value != self.kind.defaults[name]}
        super().__init__(game_type(self.kind, open_hands), info, changed)

    def new_initial_state(self) -> "State":
        return State(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.first.most_outcomes

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        if params:
            raise Invalid(f"an observer takes no parameters, not {params}")
        return Observer(self.first, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class CartagenaGame(Game):
    """Cartagena."""

    kind = CARTAGENA


class EvadesGame(Game):
    """Les Évadés."""

    kind = EVADES


class State(pyspiel.State):  # type: ignore[misc]
    """A state of a game; all that it has is its table, which is copied when OpenSpiel copies the state."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.table = game.first.copy()

    def current_player(self) -> int:
        return self.table.mover

    def is_terminal(self) -> bool:
        return self.table.mover == OVER

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.table.outcomes()

    def _apply_action(self, action: int) -> None:
        self.table.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.table.outcome_text(action) if player == CHANCE else self.table.action_text(action)

    def returns(self) -> list[float]:
        return self.table.rewards()

    def __str__(self) -> str:
        return str(self.table)

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> "State":
        """A state that a player cannot tell from this one, what it does not know drawn anew."""
        table, changes = self.table.resampled(player_id, probability_sampler)
        if not self.table.steps:
            self.table.steps = [f"{step.player}:{step.action}" for step in self.full_history()]
        steps = self.table.steps.copy()
        for place, action in changes.items():
            steps[place] = f"{steps[place].partition(':')[0]}:{action}"
        # The only way to give a state another history short of playing it again.
        state: State = self.get_game().deserialize_state(
            f"history={','.join(steps)}\nmove_number={len(steps)}\n__dict__={NO_ATTRIBUTES}"
        )
        state.table = table
        return state


class Observer:
    """What a player sees now, or has seen so far, as text and as a tensor; parts of it as text alone."""

    def __init__(self, first: Table, kind: Any) -> None:
        self.recalls = kind.perfect_recall
        self.public, self.private = kind.public_info, kind.private_info
        rules, players = first.setting.rules, first.setting.players
        shapes = first.shapes() if self.recalls else [("observation", (first.features.length(rules, players),))]
        self.dict: dict[str, Any] = {}
        self.tensor = None
        if self.public and self.private == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            ends = np.cumsum([int(np.prod(shape)) for _, shape in shapes])
            self.tensor = np.zeros(ends[-1], np.float32)
            for (name, shape), piece in zip(shapes, np.split(self.tensor, ends[:-1]), strict=True):
                self.dict[name] = piece.reshape(shape)

    def set_from(self, state: State, player: int) -> None:
        """Write what a player sees, or has seen, into the tensor."""
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if self.recalls:
            state.table.write(player, self.dict)
        else:
            state.table.observe(player, self.tensor)

    def string_from(self, state: State, player: int) -> str:
        """What a player sees, or has seen, as text."""
        table = state.table
        if self.private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            return str(table)
        if self.private == pyspiel.PrivateInfoType.NONE:
            return (table.memory(None) if self.recalls else table.view(None)) if self.public else ""
        if not self.public:
            return table.private(player)
        return table.memory(player) if self.recalls else table.view(player)


class Playouts:
    """An evaluator for OpenSpiel's searches: the rest of a game is played in compiled code, at random or greedily.

    What nobody knows is drawn for each game anew. A greedy seat of Cartagena takes the longest leap, or cards while it
    has few; one of Les Évadés moves what its bet wishes for.
    """

    def __init__(self, n: int = 1, seed: int = 0, greedy: bool = False) -> None:
        self.n, self.greedy = n, greedy
        self.rng = np.zeros(2, np.uint64)
        seed_rng(self.rng, seed, 0)

    def evaluate(self, state: State) -> np.ndarray[Any, np.dtype[np.float64]]:
        """What each player gets on the average."""
        table = state.table
        if table.mover == CHANCE:
            table = table.copy()
            table.settle(self.rng)
        if table.mover == OVER:
            return np.array(table.rewards())
        shares = np.zeros(table.setting.players)
        table.play_on(self.n, self.greedy, self.rng, shares)
        return np.array(rewards(shares, self.n))

    def prior(self, state: State) -> list[tuple[int, float]]:
        """Every action as likely as any other; of chance, what it can bring."""
        if state.table.mover == CHANCE:
            return state.table.outcomes()
        legal = state.table.legal()
        return [(action, 1 / len(legal)) for action in legal]


for game in (CartagenaGame, EvadesGame):
    pyspiel.register_game(game_type(game.kind), game)
