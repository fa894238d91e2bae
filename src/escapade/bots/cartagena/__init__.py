"""The bots of Cartagena by name, and what they advise."""

from collections.abc import Mapping

from escapade.bots.bot import First, Maker, Random
from escapade.bots.cartagena.advice import consider, onlooker, outlook, value
from escapade.bots.cartagena.legend import Legend, NetPlanner
from escapade.bots.cartagena.players import Buccaneer, Searcher
from escapade.bots.cartagena.reasons import reasons
from escapade.bots.cartagena.simple import CabinBoy, Greedy, Sailor

__all__ = ["BOTS", "consider", "onlooker", "outlook", "reasons", "value"]

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
