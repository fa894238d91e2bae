"""Players by name, as in `captain(time=2)`: each kind of game has a table of its own, and anyone's bots join them.

Your own are named by where they are, `mybot:Leaper`, or by an entry point of the group `escapade.bots`; in Python a
class, a function or an instance does as well (docs/writing-a-bot.md).
"""

import inspect
import math
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeAlias

from escapade import games
from escapade.bots.bot import Bot, Either, Line, Maker, Parameters
from escapade.game import Illegal, Invalid

__all__ = ["Bot", "Line", "Player", "ask", "make", "name_of", "names"]

GROUP = "escapade.bots"
CALL = re.compile(r"([a-z0-9-]+|[A-Za-z_][\w.]*:[A-Za-z_][\w.]*)(?:\(([a-z0-9=,._]*)\))?", re.ASCII)
VALUE = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?")

NO_BOUND = 100_000_000

Player: TypeAlias = str | Bot | type | Callable[..., str]  # whoever can be asked to play


def names(kind: str) -> tuple[str, ...]:
    """The players of a kind of game."""
    return tuple(games.kinds()[kind].bots.BOTS)


def row_of(kind: str, name: str, hides: bool) -> Maker:
    """How a bot is made for games in which seats have secrets from each other, or for those in which they have none."""
    bots = games.kinds()[kind].bots
    row: Maker = bots.BOTS[name]
    return row if hides else getattr(bots, "OPEN", {}).get(name, row)


def name_of(player: Player) -> str:
    """What a player is called in records and tables."""
    if isinstance(player, str):
        return player
    if isinstance(player, Asked):
        return player.name
    return getattr(player, "__qualname__", type(player).__qualname__)


def read_call(text: str) -> tuple[str, dict[str, int | float]]:
    """A bot's name and parameters, as in `captain(time=2)`."""
    match = CALL.fullmatch(text)
    parts = [part.partition("=") for part in (match[2] or "").split(",") if part] if match else []
    if not match or not all(VALUE.fullmatch(value) for _, _, value in parts):
        raise Invalid(f"{text!r} is not a player, as in random, captain(time=2) or mybot:Leaper")
    return match[1], {name: float(value) if "." in value else int(value) for name, _, value in parts}


def make(player: Player, kind: str, seed: int) -> Bot:
    """The bot of this name, class, function or instance for a kind of game."""
    if not isinstance(player, str):
        return own(player, {}, name_of(player), kind, seed)
    name, given = read_call(player)
    rows = games.kinds()[kind].bots.BOTS
    if name not in rows:
        return own(load(name, kind), given, player, kind, seed)
    hidden, bared = (row_of(kind, name, hides) for hides in (True, False))
    parameters = hidden[1]
    for parameter, value in given.items():
        whole = isinstance(parameters.get(parameter), int)
        if parameter not in parameters or not 0 < value <= 100_000 or (whole and not isinstance(value, int)):
            raise Invalid(
                f"{player!r}: {parameter}={value};"
                f" {name} takes {', '.join(parameters) or 'no parameters'}, up to 100,000"
            )
    if bared is hidden or not given.keys() <= bared[1].keys():
        return fill(hidden, given, seed)
    return Either(fill(hidden, given, seed), fill(bared, given, seed))


def fill(row: Maker, given: Parameters, seed: int) -> Bot:
    """The bot of a row, with the parameters that are given instead of the row's own."""
    maker: type[Any] = row[0]
    lifted = {name: value for name, value in unbounded(maker.work, given).items() if name in row[1]}
    bot: Bot = maker(seed=seed, **{**row[1], **lifted, **given})
    return bot


def unbounded(work: str, given: Parameters) -> dict[str, int | float]:
    """Lifts the bound on time of a bot that is given work alone; one that is given time alone uses it in every turn."""
    if not work or (work in given) == ("time" in given):
        return {}
    return {work: NO_BOUND, "slips": 0} if "time" in given else {"time": math.inf}


def load(name: str, kind: str) -> Any:
    """What somebody else's bot is made by: found as `module:Name`, or by its entry point."""
    points = {point.name: point for point in entry_points(group=GROUP)}
    if ":" not in name and name not in points:
        known = ", ".join([*names(kind), *points])
        raise Invalid(f"no player of {kind} is called {name!r}; there are {known}, and your own as in mybot:Leaper")
    point = points.get(name) or EntryPoint(name, name, GROUP)
    try:
        import_module(point.module)
    except Exception as fault:  # somebody else's module
        raise Invalid(f"{name!r}: the module {point.module} cannot be imported: {fault!r}") from fault
    try:
        return point.load()
    except AttributeError:
        raise Invalid(f"{name!r}: the module {point.module} has no {point.attr}") from None


def own(player: Any, given: Parameters, name: str, kind: str, seed: int) -> Bot:
    """A bot of somebody's class or function, or their instance."""
    if isinstance(player, type):
        takes = inspect.signature(player).parameters
        seeded = "seed" in takes or any(one.kind is one.VAR_KEYWORD for one in takes.values())
        try:
            player = player(**({"seed": seed} if seeded else {}), **given)
        except TypeError as fault:
            raise Invalid(f"{name!r} cannot be made: {fault}") from fault
    elif given:
        raise Invalid(f"{name!r}: only a class takes parameters")
    bot = player if isinstance(player, Bot) else Asked(getattr(player, "choose", player), name, seed)
    if bot.kinds and kind not in bot.kinds:
        raise Invalid(f"{name!r} plays {' and '.join(bot.kinds)}, not {kind}")
    return bot


class Asked(Bot):
    """A function that chooses from a view and the legal actions, and from the record where it takes a third."""

    def __init__(self, function: Any, name: str, seed: int) -> None:
        super().__init__(seed)
        if not callable(function):
            raise Invalid(f"{name!r} is no bot: it can neither be called nor has it a method `choose`")
        self.function, self.name = function, name
        try:
            inspect.signature(function).bind("view", [], "record")
            self.remembers = True
        except TypeError:
            self.remembers = False

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        choice: str = self.function(view, legal, record) if self.remembers else self.function(view, legal)
        return choice


def ask(bot: Bot, view: str, legal: Sequence[str], record: str | None) -> str:
    """What a bot chooses; whatever is not legal is refused with its name."""
    choice = bot.choose(view, legal, record)
    if choice not in legal:
        raise Illegal(f"{name_of(bot)} chose {choice!r}, which is not one of the legal actions, in {view}")
    return choice
