"""The bots of Cartagena by name, and what they advise."""

from collections.abc import Mapping, Sequence

from escapade.bots.bot import First, Line, Maker, Random
from escapade.bots.cartagena import players
from escapade.bots.cartagena.legend import Legend, NetPlanner, net_for, value
from escapade.bots.cartagena.players import Buccaneer, Searcher
from escapade.bots.cartagena.reasons import reasons
from escapade.bots.cartagena.simple import CabinBoy, Greedy, Sailor

__all__ = ["BOTS", "consider", "net_for", "outlook", "reasons", "value"]

SAMPLES = 16  # worlds that each turn is tried in for advice

# Work and time both bound a search; the time, in seconds, is there for slow machines, and the work decides.
BOTS: Mapping[str, Maker] = {
    "random": (Random, {}),
    "first": (First, {}),
    "greedy": (Greedy, {}),
    "cabin-boy": (CabinBoy, {}),
    "sailor": (Sailor, {}),
    "buccaneer": (Buccaneer, {}),
    "captain": (Searcher, {"width": 6, "samples": 4, "rounds": 0, "replies": 1, "time": 0.15}),
    "lookahead": (Searcher, {"width": 12, "samples": 48, "rounds": 1, "replies": 6, "time": 1.5}),
    "net": (NetPlanner, {}),
    "legend": (Legend, {"width": 16, "samples": 400, "rounds": 1, "beam": 4, "replies": 6, "time": 1.5}),
}


def consider(view: str, record: str | None, seed: int, time: float, also: Sequence[str] = ()) -> list[Line]:
    """The turns worth a thought for the seat to act, best first, and in any case one that begins with `also`."""
    return players.consider(view, record, seed, SAMPLES, time, also)


def outlook(position: str, seed: int, time: float) -> tuple[float, ...]:
    """Every seat's winning chance in a position that is not over."""
    return players.outlook(position, seed, 2 * SAMPLES, time)
