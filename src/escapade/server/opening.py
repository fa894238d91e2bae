"""From a setup to the first event of a table, and from there to its game; what cannot be played is refused."""

import re
from unicodedata import bidirectional, category, combining

import escapade
from escapade import games
from escapade.game import Game
from escapade.games import Kind
from escapade.server.events import Chair, Opened
from escapade.server.keys import hashed
from escapade.server.messages import PRINTINGS, Refused, Setup

WATCHED_TURNS = 1000  # where only bots play and nobody set a limit, so that the game ends (C19)
LAID_BY_CHANCE = (None, "printed", "free")  # what a setup says of a tunnel that nobody has laid
ZWNJ, ZWJ, PICTURE_OR_TEXT, KEYCAP, VIRAMA = "\u200c", "\u200d", "\ufe0e\ufe0f", "\u20e3", 9
# Letters and marks that show nothing; what else does not is told by its category.
PICTURES = ("So", "Sk", "Cn")  # emoji, colours of skin, and what is newer than our tables
BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\u2065\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)


def open_table(setup: Setup, key: str, seed: bytes, begins: int, at: float) -> Opened:
    """The first event of a new table; `begins` is the place that gets the first turn where the setup names none."""
    places = setup.seats
    check_places(setup)
    first = 0 if setup.start else begins if setup.first is None else setup.first
    holder = hashed(key)
    chairs = [
        Chair(name=place.name, colour=place.colour, bot=place.bot, key=holder if place.mine else None)
        for place in places[first:] + places[:first]
    ]
    try:
        kind = games.kind_of(setup.game)
        check_kind(setup, kind)
        opened = Opened(
            game=limited(setup, kind),
            chairs=chairs,
            host=holder,
            seed=seed.hex(),
            tunnel=setup.tunnel,
            start=setup.start,
            printing=setup.printing,
            clock=setup.clock,
            pace=setup.pace,
            at=at,
            first=None if setup.start else "chance" if setup.first is None else "chosen",
        )
        game = new_game(opened)
    except ValueError as fault:
        raise Refused("bad-setup", str(fault)) from None
    if game.over:
        raise Refused("bad-setup", "in this position the game is over")
    if game.hidden:
        raise Refused("bad-setup", "a position with unknown cards or bets cannot be played on")
    return opened


def check_places(setup: Setup) -> None:
    """Refuse seats that contradict each other or the rest of the setup."""
    places = setup.seats
    if len({place.colour for place in places}) < len(places):
        raise Refused("bad-setup", "two seats have the same colour")
    if setup.first is not None and setup.first >= len(places):
        raise Refused("bad-setup", f"place {setup.first} cannot begin: there are {len(places)}, counted from 0")
    if any(place.mine and place.bot for place in places):
        raise Refused("bad-setup", "a seat is yours or a bot's, not both")
    if any(place.name is None for place in places if place.mine or place.bot):
        raise Refused("bad-setup", "your seats and the bots' need names")
    for place in places:
        if place.name is not None:
            check_name(place.name)
    if setup.start and (setup.tunnel or setup.first is not None):
        raise Refused("bad-setup", "a position has a tunnel and a first seat already")


def check_name(name: str) -> None:
    """Refuse names that show nothing, that hide something, or that change the direction of the text around them."""
    around = zip(" " + name, name, name[1:] + " ", strict=False)
    if not name.strip() or any(hidden(*three) for three in around):
        raise Refused("bad-setup", f"the name {name!a} cannot be read")


def hidden(before: str, c: str, after: str) -> bool:
    """Whether a character cannot be seen, in a name, between two others.

    Joiners are allowed where writing needs them: after a virama, between Arabic letters, and between pictures.
    """
    if c in (ZWJ, ZWNJ):
        pictures = category(after) in PICTURES and (category(before) in PICTURES or before in PICTURE_OR_TEXT)
        letters = bidirectional(before) == bidirectional(after) == "AL"
        return not (combining(before) == VIRAMA or (pictures if c == ZWJ else letters))
    if c in PICTURE_OR_TEXT:
        return after != KEYCAP and (before.isalnum() or before.isspace())
    return category(c) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") or bool(BLANK.match(c))


def check_kind(setup: Setup, kind: Kind) -> None:
    """Refuse bots and printings that this kind of game does not have."""
    for place in setup.seats:
        if place.bot and place.bot not in kind.levels:
            raise Refused("bad-setup", f"{kind.title} has no bot called {place.bot}")
    if setup.printing not in kind.offers.get("printings", PRINTINGS[:1]):
        raise Refused("bad-setup", f"{kind.title} has no printing {setup.printing}")


def limited(setup: Setup, kind: Kind) -> str:
    """The edition and its house rules; bots that play among themselves get a turn limit."""
    alone = all(place.bot for place in setup.seats) and not setup.start
    if alone and "turn-limit" in kind.house and "turn-limit" not in setup.game:
        return f"{setup.game}+turn-limit={WATCHED_TURNS}"
    return setup.game


def chosen(opened: Opened) -> list[str]:
    """What the host has set that guests could take for chance."""
    if opened.start is not None:
        return ["position"]
    by_host = {"tunnel": opened.tunnel not in LAID_BY_CHANCE, "first": opened.first == "chosen"}
    return [what for what, so in by_host.items() if so]


def new_game(opened: Opened) -> Game:
    """The game of a table at its start."""
    seed = bytes.fromhex(opened.seed)
    if opened.start is None:
        return escapade.new(opened.game, len(opened.chairs), seed=seed, tunnel=opened.tunnel)
    game = escapade.parse(opened.start, seed)
    if game.players != len(opened.chairs) or str(game.edition) != str(games.kind_of(opened.game).edition(opened.game)):
        raise escapade.Invalid(f"{opened.game} with {len(opened.chairs)} seats is not what the position has")
    return game
