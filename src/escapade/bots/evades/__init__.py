"""The bots of Les Évadés by name, and what they advise."""

from collections.abc import Mapping, Sequence

from escapade.bots.bot import First, Line, Maker, Random
from escapade.bots.evades import players
from escapade.bots.evades.legend import LOOKAHEAD, Legend, Mate, NetPlayer, Officer
from escapade.bots.evades.players import Buccaneer, CabinBoy, Deckhand, Greedy, Gunner, Lookahead, Sailor
from escapade.bots.evades.reasons import reasons

__all__ = ["BOTS", "consider", "outlook", "reasons"]

PLAYOUTS = 4000  # games that are played on for advice

# Work and time both bound a search; the time, in seconds, is there for slow machines, and the work decides.
BOTS: Mapping[str, Maker] = {
    "random": (Random, {}),
    "first": (First, {}),
    "greedy": (Greedy, {}),
    "cabin-boy": (CabinBoy, {}),
    "deckhand": (Deckhand, {"slips": 44}),
    "sailor": (Sailor, {}),
    "gunner": (Gunner, {"slips": 46}),
    "buccaneer": (Buccaneer, {}),
    "boatswain": (Officer, {"slips": 56}),
    "helmsman": (Officer, {"slips": 29}),
    "quartermaster": (Officer, {"slips": 12}),
    "mate": (Mate, {}),
    "captain": (Legend, {"width": 4, "playouts": 300, "time": 0.5}),
    "lookahead": (Lookahead, LOOKAHEAD),
    "net": (NetPlayer, {}),
    "legend": (Legend, {"width": 8, "playouts": 4000, "time": 1.5}),
}


def consider(view: str, record: str | None, seed: int, time: float, also: Sequence[str] = ()) -> list[Line]:
    """The actions of the seat to act, best first; the first of `also` is tried as well as the best."""
    return players.consider(view, record, seed, PLAYOUTS, time, tuple(also[:1]))


def outlook(position: str, seed: int, time: float) -> tuple[float, ...]:
    """Every seat's winning chance in a position that is not over."""
    return players.consider(position, None, seed, PLAYOUTS, time)[0].chances
