"""The bots of Les Évadés by name, and what they advise."""

from collections.abc import Mapping

from escapade.bots.bot import First, Maker, Random
from escapade.bots.evades.advice import consider, onlooker, outlook, value
from escapade.bots.evades.legend import LOOKAHEAD, Legend, NetPlayer
from escapade.bots.evades.players import Buccaneer, CabinBoy, Captain, Greedy, Lookahead, Sailor
from escapade.bots.evades.reasons import reasons

__all__ = ["BOTS", "consider", "onlooker", "outlook", "reasons", "value"]

# Work and time both bound a search; the time, in seconds, is there for slow machines, and the work decides.
BOTS: Mapping[str, Maker] = {
    "random": (Random, {}),
    "first": (First, {}),
    "greedy": (Greedy, {}),
    "cabin-boy": (CabinBoy, {}),
    "sailor": (Sailor, {}),
    "buccaneer": (Buccaneer, {}),
    "captain": (Captain, {"playouts": 1000, "time": 0.15}),
    "lookahead": (Lookahead, LOOKAHEAD),
    "net": (NetPlayer, {}),
    "legend": (Legend, {"width": 8, "playouts": 4000, "time": 1.5}),
}
