"""Hints: the best that a seat could do now, with winning chances and plain reasons, from what that seat knows."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from escapade import games
from escapade.bots.bot import Line
from escapade.bots.onlooker import Onlooker
from escapade.game import Game, Illegal
from escapade.reasons import Reason

TIME = 2.0  # most seconds for a hint
QUICK = 0.2  # and for chances where there is no network


Valuer: TypeAlias = Callable[[str, str | None], tuple[float, ...] | None]


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
    game = games.parse(view, seed=0)
    if not game.legal_actions():
        raise Illegal(f"the game is over ({game.result}), in {view}")
    lines, seat = consider(view, record, seed, time), game.seat
    hints: dict[str, Hint] = {}
    for line in lines:
        if line.actions[0] not in hints and len(hints) < most:
            why = tuple(reasons(view, line.actions))
            hints[line.actions[0]] = Hint(line.actions[0], line.actions, line.chances[seat - 1], line.chances, why)
    return list(hints.values())


def consider(view: str, record: str | None, seed: int, time: float, also: Sequence[str] = ()) -> list[Line]:
    """What the seat to act could do, the best first, and `also` in any case."""
    lines: list[Line] = games.kind_of(view).bots.consider(view, record, seed, time, also)
    return lines


def reasons(view: str, actions: Sequence[str]) -> list[Reason]:
    """What speaks for some actions of the seat to act, the weightiest first; what speaks against them comes last."""
    found: list[Reason] = games.kind_of(view).bots.reasons(view, actions)
    return found


def value(view: str, record: str | None = None) -> tuple[float, ...]:
    """Each seat's chance to win as a network tells it at once from a view, or the result of a game that is over.

    The record of the view's seat helps where more follows from it than from the view, as on the bets of Les Évadés.
    Where there is no network for the rules or for so many players, a short search without one tells them (`outlook`).
    """
    game = games.parse(view, seed=0)
    if game.over:
        return result(game)
    by_network: Valuer | None = getattr(games.kind_of(view).bots, "value", None)
    chances = by_network(view, record) if by_network else None
    return chances or outlook(view, 1, QUICK)


def result(game: Game) -> tuple[float, ...]:
    """Each seat's share of a win; in a drawn game nobody has one."""
    return tuple((seat in game.winners) / max(1, len(game.winners)) for seat in range(1, game.players + 1))


def onlooker(game: Game) -> Onlooker | None:
    """Who tells everyone's chances in a whole game by a network, or None where there is no network for it."""
    maker: Callable[[Game], Onlooker | None] | None = getattr(games.kinds()[game.kind].bots, "onlooker", None)
    return maker(game) if maker else None


def outlook(position: str, seed: int, time: float) -> tuple[float, ...]:
    """Each seat's winning chance in a position that is not over, for a judge who sees all that it shows."""
    chances: tuple[float, ...] = games.kind_of(position).bots.outlook(position, seed, time)
    return chances
