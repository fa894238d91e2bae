"""The Game of the Goose with cards: a complete game in a package of its own, as somebody else would write it.

Nothing in Escapade names it. It becomes known by `games.register(KIND)`, or by an entry point of the group
`escapade.games` in the distribution that installs it: `goose = third_game:KIND`.
"""

from escapade.games import Kind
from third_game import editions, kernel
from third_game.position import Goose

KIND = Kind(
    name=Goose.kind,
    title="the Game of the Goose",
    game=Goose,
    editions=editions.EDITIONS,
    house=editions.HOUSE,
    players=editions.PLAYERS,
    kernel=kernel,
    bots_in="third_game.bots",
    samples=("goose",),
)
