"""Hints: the best that a seat could do now, with winning chances and plain reasons, from what that seat knows."""

from collections.abc import Sequence
from typing import NamedTuple

from escapade.bots import Line, cartagena, evades
from escapade.cartagena.position import Cartagena
from escapade.evades.position import Evades
from escapade.game import Illegal
from escapade.reasons import NO_LUCK, Reason, reasons

# How much is tried for a hint: worlds for each turn of Cartagena, games played on for each action of Les Évadés.
SAMPLES, PLAYOUTS = 16, 4000
TIME = 2.0


class Hint(NamedTuple):
    """What to do next, what it begins, every seat's winning chance then, and why."""

    action: str
    line: tuple[str, ...]
    chance: float
    chances: tuple[float, ...]
    reasons: tuple[Reason, ...]

    @property
    def reason(self) -> str:
        """The reasons in English."""
        return "; ".join(map(str, self.reasons))


def hint(view: str, record: str | None = None, *, most: int = 3, seed: int = 1, time: float = TIME) -> list[Hint]:
    """The best actions for the seat to act, the best first, as `game.view(game.seat)` shows the position.

    `record`, the game so far for that seat's eyes, lets the hint remember what the view does not show.
    """
    kind = Evades if view.startswith("evades") else Cartagena
    game = kind.parse(view, NO_LUCK)
    if not game.legal_actions():
        raise Illegal(f"the game is over ({game.result}), in {view}")
    lines, seat = consider(view, record, seed, time), game.seat
    told: dict[str, Hint] = {}
    for line in lines:
        if line.actions[0] not in told and len(told) < most:
            why = tuple(reasons(view, line.actions))
            told[line.actions[0]] = Hint(line.actions[0], line.actions, line.chances[seat - 1], line.chances, why)
    return list(told.values())


def consider(view: str, record: str | None, seed: int, time: float, also: Sequence[str] = ()) -> list[Line]:
    """What the seat to act could do, the best first, and `also` in any case."""
    if view.startswith("evades"):
        return evades.consider(view, record, seed, PLAYOUTS, time, tuple(also[:1]))
    return cartagena.consider(view, record, seed, SAMPLES, time, also)


def outlook(position: str, seed: int, time: float) -> tuple[float, ...]:
    """Each seat's winning chance in a position that is not over, as one who sees all that it shows would judge it."""
    if position.startswith("evades"):
        return evades.consider(position, None, seed, PLAYOUTS, time)[0].chances
    return cartagena.outlook(position, seed, 2 * SAMPLES, time)
