"""The bots of Les Évadés by name, and what they advise."""

from collections.abc import Mapping

from escapade.bots.bot import First, Maker, Random
from escapade.bots.evades.advice import consider, onlooker, outlook, value
from escapade.bots.evades.legend import LOOKAHEAD, Legend, Officer, Skipper, net_for
from escapade.bots.evades.players import Buccaneer, CabinBoy, Deckhand, Greedy, Lookahead, Sailor
from escapade.bots.evades.reasons import reasons

__all__ = ["BOTS", "consider", "net_for", "onlooker", "outlook", "reasons", "value"]

# Work and time both bound a search; the time, in seconds, is there for slow machines, and the work decides.
BOTS: Mapping[str, Maker] = {
    "random": (Random, {}),
    "first": (First, {}),
    "greedy": (Greedy, {}),
    "cabin-boy": (CabinBoy, {}),
    "deckhand": (Deckhand, {"slips": 44}),
    "sailor": (Sailor, {}),
    "gunner": (Buccaneer, {"slips": 69}),
    "buccaneer": (Buccaneer, {"slips": 35}),
    "boatswain": (Officer, {"slips": 92}),
    "helmsman": (Officer, {"slips": 48}),
    "quartermaster": (Officer, {"slips": 28}),
    "mate": (Officer, {"slips": 13}),
    "captain": (Skipper, {"slips": 5, "width": 2, "playouts": 20, "time": 0.5}),
    "lookahead": (Lookahead, LOOKAHEAD),
    "legend": (Legend, {"slips": 0, "width": 8, "playouts": 4000, "time": 1.5}),
}
