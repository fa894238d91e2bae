"""The registry: one row for each kind of game, with all that the rest of the house asks about it.

Whatever works for every game asks here and names none. A further game is a row like these: `register(kind)` at run
time, or an entry point of the group `escapade.games` in a package of its own (docs/architecture.md).
"""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any, NamedTuple

from escapade.cartagena import editions as cartagena_editions
from escapade.cartagena import inputs as cartagena_inputs
from escapade.cartagena import kernel as cartagena_kernel
from escapade.cartagena.position import Cartagena
from escapade.evades import editions as evades_editions
from escapade.evades import inputs as evades_inputs
from escapade.evades import kernel as evades_kernel
from escapade.evades.position import Evades
from escapade.game import Allowed, Chance, Edition, Game, Invalid, Option, Setting, read_edition

GROUP = "escapade.games"
LEVELS: tuple[str, ...] = (
    "cabin-boy",
    "deckhand",
    "sailor",
    "gunner",
    "buccaneer",
    "boatswain",
    "helmsman",
    "quartermaster",
    "mate",
    "captain",
    "legend",
)  # of bots, as players choose them, weakest first


class OwnLevel(NamedTuple):
    """A bot of the operator's own that a server offers as a level: how it is found, and the kinds that it plays."""

    bot: str
    kinds: tuple[str, ...]


OWN: dict[str, OwnLevel] = {}  # by name, in this process


@dataclass(frozen=True, kw_only=True, eq=False)
class Kind:
    """A kind of game. What is above this module, its bots and its drawing, is named and imported when first used."""

    name: str  # in records, as in [Game "cartagena"]
    title: str  # on the box
    game: type[Game]
    editions: Mapping[str, Mapping[str, Setting]]
    house: Allowed
    players: range
    kernel: ModuleType
    inputs: ModuleType | None = None  # a view as a set, where there are networks for this kind
    bots_in: str  # the module that has BOTS, consider, outlook and reasons; with networks value and onlooker too
    drawn_in: str | None = None  # the module that has text and draw, where there is one
    terminal_in: str | None = None  # the module that has face, for the game in a terminal, where there is one
    studied_in: str | None = None  # the module that plays and asks for a study, where there is one
    samples: tuple[str, ...]  # editions that between them make use of all compiled rules
    sheet: Callable[[], Mapping[str, Any]] = dict  # what a setup sheet shows beside editions and house rules

    def __reduce__(self) -> tuple[Callable[[str], "Kind"], tuple[str]]:
        return named, (self.name,)  # modules cannot be pickled, and there is one of each kind

    @property
    def features(self) -> ModuleType:
        """A view as arrays."""
        return self.game.features

    @property
    def bots(self) -> ModuleType:
        """The bots, and what they advise."""
        return import_module(self.bots_in)

    @property
    def drawing(self) -> ModuleType | None:
        """How a view is drawn."""
        return import_module(self.drawn_in) if self.drawn_in else None

    @property
    def terminal(self) -> ModuleType | None:
        """How a view is shown and chosen from in a terminal; needs Textual."""
        return import_module(self.terminal_in) if self.terminal_in else None

    @property
    def study(self) -> ModuleType | None:
        """How its games are studied."""
        return import_module(self.studied_in) if self.studied_in else None

    @property
    def offers(self) -> Mapping[str, Any]:
        """What a setup sheet shows beside editions, house rules and levels."""
        return self.sheet()

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels that this kind has bots for."""
        own = (level for level, (_, kinds) in OWN.items() if self.name in kinds)
        return *(level for level in LEVELS if level in self.bots.BOTS), *own

    def edition(self, text: str) -> Edition:
        """An edition of this kind, with its house rules."""
        return read_edition(text, self.editions, self.house)

    def check_players(self, players: int, where: str) -> None:
        """Refuse a number of players that the box is not for."""
        if players not in self.players:
            raise Invalid(f"{where}: {players} players; {self.title} is for {self.players[0]} to {self.players[-1]}")


CARTAGENA = Kind(
    name=Cartagena.kind,
    title="Cartagena",
    game=Cartagena,
    editions=cartagena_editions.EDITIONS,
    house=cartagena_editions.HOUSE,
    players=cartagena_editions.PLAYERS,
    kernel=cartagena_kernel,
    inputs=cartagena_inputs,
    bots_in="escapade.bots.cartagena",
    drawn_in="escapade.adapters.drawing.cartagena",
    terminal_in="escapade.terminal.cartagena",
    studied_in="escapade.study.cartagena",
    samples=("jamaica", "tortuga"),
    sheet=cartagena_editions.sheet,
)
EVADES = Kind(
    name=Evades.kind,
    title="Les Évadés",
    game=Evades,
    editions=evades_editions.EDITIONS,
    house=evades_editions.HOUSE,
    players=evades_editions.PLAYERS,
    kernel=evades_kernel,
    inputs=evades_inputs,
    bots_in="escapade.bots.evades",
    drawn_in="escapade.adapters.drawing.evades",
    terminal_in="escapade.terminal.evades",
    studied_in="escapade.study.evades",
    samples=("evades",),
)

_kinds = {kind.name: kind for kind in (CARTAGENA, EVADES)}
_waiting: list[EntryPoint] = list(entry_points(group=GROUP))  # other packages import this one, so they come later


def register(kind: Kind) -> None:
    """Add a kind of game; its name and its editions must be new."""
    taken = {kind.name} & set(_kinds) or set(kind.editions) & set(editions(_kinds.values()))
    if taken:
        raise Invalid(f"the game {kind.name!r}: {', '.join(sorted(taken))} is registered already")
    _kinds[kind.name] = kind


def unregister(name: str) -> None:
    """Take a kind of game out again."""
    del _kinds[name]


def kinds() -> Mapping[str, Kind]:
    """Every kind by its name, in the order in which they are shown."""
    while _waiting:
        point = _waiting.pop(0)
        try:
            register(point.load())
        except Exception as fault:  # somebody else's package: the other games are played on without it
            warnings.warn(
                f"the game {point.name!r} of {point.value} is left out: {fault!r}", RuntimeWarning, stacklevel=2
            )
    return _kinds


def named(name: str) -> Kind:
    """The kind of this name."""
    return kinds()[name]


def editions(some: Iterable[Kind]) -> dict[str, Kind]:
    """The names of all editions, each with its kind."""
    return {name: kind for kind in some for name in kind.editions}


def edition_name(text: str) -> str:
    """The name of an edition with house rules, or of the one that a position or view begins with."""
    return text.partition(" ")[0].partition("+")[0]


def kind_of(text: str) -> Kind:
    """The kind of an edition, a position or a view."""
    name, known = edition_name(text), editions(kinds().values())
    if name not in known:
        words = f"{text!r}: no edition is called {name!r}; there are {', '.join(known)}"
        raise Invalid(words, code="unknown-edition", name=name)
    return known[name]


def options() -> dict[str, Option]:
    """What any kind takes for a new game besides house rules."""
    return {name: option for kind in kinds().values() for name, option in kind.game.options.items()}


def options_for(kind: Kind, text: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a kind takes; those of other kinds may stand at their defaults."""
    known = options()
    for name, value in given.items():
        if name not in kind.game.options and value not in (None, known[name].default):
            raise Invalid(f"{text}: {kind.title} has no {known[name].part}")
    return {name: given[name] for name in kind.game.options if given.get(name) is not None}


def new(
    game: str = "jamaica",
    players: int = 2,
    *,
    seed: int | bytes | None = None,
    names: Sequence[str] | None = None,
    **choices: Any,
) -> Game:
    """A new game of an edition, as in `new("tortuga+pirates=4", players=3, seed=7, boat_retreat="off")`.

    Besides house rules, Cartagena takes `tunnel`, a tunnel's text, or `printed` (the default) or `free` for one of so
    many `segments` (6) laid by chance.
    """
    kind = kind_of(game)
    given = {name: choices.pop(name) for name in options().keys() & choices.keys()}
    for rule, value in choices.items():
        setting = ("off", "on")[value] if isinstance(value, bool) else value
        game += f"+{rule.replace('_', '-')}={setting}"
    return kind.game.new(game, players, Chance(seed), names, **options_for(kind, game, given))


def parse(position: str, seed: int | bytes | None = None) -> Game:
    """A game that begins from a position; one with `?` in it can be looked at, not played on."""
    # A text of no edition is read by the first kind, which says what a position looks like.
    kind = editions(kinds().values()).get(edition_name(position), next(iter(kinds().values())))
    try:
        return kind.game.parse(position, Chance(seed))
    except Invalid as fault:
        if fault.code == "unknown-edition":
            kind_of(position)  # which lists the editions of all kinds
        raise
