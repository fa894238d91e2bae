"""Escapade: the great escape board games, to play, study and simulate."""

from collections.abc import Sequence

from escapade.cartagena.position import Cartagena
from escapade.evades.position import Evades
from escapade.game import Chance, Game, Illegal, Invalid
from escapade.hints import Hint, hint
from escapade.record import read

__version__ = "0.1.0"
__all__ = ["Cartagena", "Chance", "Evades", "Game", "Hint", "Illegal", "Invalid", "hint", "new", "parse", "read"]


def new(
    game: str = "jamaica",
    players: int = 2,
    *,
    seed: int | bytes | None = None,
    names: Sequence[str] | None = None,
    tunnel: str | None = None,
    segments: int = 6,
    **house: str | int | bool,
) -> Game:
    """A new game of an edition, as in `new("tortuga+pirates=4", players=3, seed=7, boat_retreat="off")`.

    `tunnel` is a tunnel's text, or `printed` (the default) or `free` for one of so many `segments` laid by chance.
    """
    for rule, value in house.items():
        setting = ("off", "on")[value] if isinstance(value, bool) else value
        game += f"+{rule.replace('_', '-')}={setting}"
    chance = Chance(seed)
    if not is_evades(game):
        return Cartagena.new(game, players, chance, names, tunnel, segments)
    if tunnel is not None or segments != 6:
        raise Invalid(f"{game}: Les Évadés has no tunnel")
    return Evades.new(game, players, chance, names)


def parse(position: str, seed: int | bytes | None = None) -> Game:
    """A game that begins from a position; one with `?` in it can be looked at, not played on."""
    return (Evades if is_evades(position) else Cartagena).parse(position, Chance(seed))


def is_evades(text: str) -> bool:
    """Whether an edition's or a position's text is of Les Évadés."""
    return text.split(" ")[0].split("+")[0] == "evades"
