"""Players by name, as in `captain(time=2)`; each kind of game has a table of its own."""

import math
import re

from escapade import games
from escapade.bots.bot import Bot, Line, Parameters
from escapade.game import Invalid

__all__ = ["Bot", "Line", "make", "names"]

CALL = re.compile(r"([a-z-]+)(?:\(([a-z0-9=,._]*)\))?")
VALUE = re.compile(r"[0-9]{1,6}(\.[0-9]{1,3})?")

NO_BOUND = 100_000_000


def names(kind: str) -> tuple[str, ...]:
    """The players of a kind of game."""
    return tuple(games.kinds()[kind].bots.BOTS)


def read_call(text: str) -> tuple[str, dict[str, int | float]]:
    """A bot's name and parameters, as in `captain(time=2)`."""
    match = CALL.fullmatch(text)
    parts = [part.partition("=") for part in (match[2] or "").split(",") if part] if match else []
    if not match or not all(VALUE.fullmatch(value) for _, _, value in parts):
        raise Invalid(f"{text!r} is not a player, as in random or captain(time=2)")
    return match[1], {name: float(value) if "." in value else int(value) for name, _, value in parts}


def make(text: str, kind: str, seed: int) -> Bot:
    """The bot of this name for a kind of game."""
    name, given = read_call(text)
    rows = games.kinds()[kind].bots.BOTS
    if name not in rows:
        raise Invalid(f"no player of {kind} is called {name!r}; there are {', '.join(rows)}")
    maker, own = rows[name]
    for parameter, value in given.items():
        whole = isinstance(own.get(parameter), int)
        if parameter not in own or not 0 < value <= 100_000 or (whole and not isinstance(value, int)):
            raise Invalid(
                f"{text!r}: {parameter}={value}; {name} takes {', '.join(own) or 'no parameters'}, up to 100,000"
            )
    bot: Bot = maker(seed=seed, **{**own, **given, **unbounded(maker.work, given)})
    return bot


def unbounded(work: str, given: Parameters) -> dict[str, int | float]:
    """Lifts the bound on work of a bot that is given time alone, and the bound on time where work alone is given."""
    if not work or (work in given) == ("time" in given):
        return {}
    return {work: NO_BOUND} if "time" in given else {"time": math.inf}
