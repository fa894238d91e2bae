"""A game mirrored in a state of OpenSpiel's: the same actions, the same luck."""

from collections.abc import Iterable

import pyspiel

from escapade.cartagena.position import Cartagena
from escapade.game import Game


def begin(state: pyspiel.State, game: Game) -> None:
    """Let chance lay and deal in a new state what it did in a new game."""
    if isinstance(game, Cartagena):
        setup = dict(game.setup_tags(None))
        laid = [] if state.table.due else setup["Tunnel"].split("/")
        fall(state, [*laid, *setup["Deal"].replace("/", ""), *setup["Pile"]])


def follow(state: pyspiel.State, game: Game, action: str) -> str:
    """Play an action in a game and in the state that follows it; the action as the game's record has it."""
    pile = game.layout().pile if isinstance(game, Cartagena) else ""
    state.apply_action(state.string_to_action(action))
    played: str = game.play(action)
    dice, _, numbers = played.partition(":")[2].partition("=")
    thrown = [die + number for die, number in zip(dice, numbers, strict=False)]
    fall(state, thrown or pile + played.partition("~")[2])
    return played


def fall(state: pyspiel.State, outcomes: Iterable[str]) -> None:
    """Let chance bring these outcomes, as far as any are due."""
    for outcome in outcomes:
        if not state.is_chance_node():
            return
        state.apply_action(state.string_to_action(outcome))
