"""The bots of Cartagena by name, and what they advise."""

from collections.abc import Mapping

from escapade.bots.bot import First, Maker, Random
from escapade.bots.cartagena.advice import consider, onlooker, outlook, value
from escapade.bots.cartagena.legend import Legend, Officer, Skipper, net_for
from escapade.bots.cartagena.players import Buccaneer, Searcher
from escapade.bots.cartagena.reasons import reasons
from escapade.bots.cartagena.simple import CabinBoy, Deckhand, Greedy, Sailor

__all__ = ["BOTS", "OPEN", "consider", "net_for", "onlooker", "outlook", "reasons", "value"]

PLAIN = {"rounds": 1, "beam": 4}

# Work and time both bound a search; the time, in seconds, is there for slow machines, and the work decides.
BOTS: Mapping[str, Maker] = {
    "random": (Random, {}),
    "first": (First, {}),
    "greedy": (Greedy, {}),
    "cabin-boy": (CabinBoy, {}),
    "deckhand": (Deckhand, {"slips": 44}),
    "sailor": (Sailor, {}),
    "gunner": (Buccaneer, {"slips": 72}),
    "buccaneer": (Buccaneer, {"slips": 28}),
    "boatswain": (Officer, {"slips": 88}),
    "helmsman": (Officer, {"slips": 58}),
    "quartermaster": (Officer, {"slips": 32}),
    "mate": (Officer, {"slips": 13}),
    "captain": (Legend, {"slips": 85, "width": 4, "samples": 10, "trust": 0, **PLAIN, "replies": 1, "time": 0.5}),
    "lookahead": (Searcher, {"width": 12, "samples": 48, "rounds": 1, "replies": 6, "time": 1.5}),
    "legend": (Legend, {"slips": 0, "width": 8, "samples": 64, "trust": 64, **PLAIN, "replies": 6, "time": 1.5}),
}

# Where all hands are open a search gains more, so that steps are even if the lowest levels play there much as the next
# one does elsewhere, and those above the helmsman search; what is found is trusted without the network's own judgement.
SEARCHING = {"width": 3, "samples": 4, "trust": 0, **PLAIN, "replies": 1, "time": 0.5}
OPEN: Mapping[str, Maker] = {
    "cabin-boy": BOTS["deckhand"],
    "deckhand": BOTS["sailor"],
    "sailor": (Buccaneer, {"slips": 57}),
    "gunner": (Buccaneer, {"slips": 0}),
    "buccaneer": (Officer, {"slips": 65}),
    "boatswain": (Officer, {"slips": 34}),
    "helmsman": (Officer, {"slips": 13}),
    "quartermaster": (Skipper, {"slips": 95, **SEARCHING}),
    "mate": (Skipper, {"slips": 20, **SEARCHING}),
    "captain": (Legend, {"slips": 0, "width": 4, "samples": 4, "trust": 0, **PLAIN, "replies": 4, "time": 0.5}),
    "legend": (Legend, {"slips": 0, "width": 8, "samples": 64, "trust": 0, **PLAIN, "replies": 6, "time": 1.5}),
}
