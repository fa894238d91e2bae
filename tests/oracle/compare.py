"""The library compared with the oracles: the same game, step by step, from the start or from random positions."""

import random
from collections.abc import Iterator

from oracle.cartagena import Cartagena
from oracle.evades import Evades

import escapade
from escapade.cartagena.editions import HOUSE, SYMBOLS

PAWNS = "bryldon"


def random_edition(rng: random.Random, name: str, limits: tuple[int, ...] = (2, 60, 120)) -> str:
    """An edition with some house rules."""
    rules = [rule for rule in HOUSE if rule != "turn-limit" and rng.random() < 0.25]
    changes = "".join(f"+{rule}={rng.choice(HOUSE[rule])}" for rule in rules)
    return f"{name}{changes}+turn-limit={rng.choice(limits)}"


def random_position(rng: random.Random, name: str) -> str:
    """A position of Cartagena that need not be reachable: crowded or empty, with few cards in the pile or none."""
    text = random_edition(rng, name, (1000,))
    rules = dict(change.split("=") for change in text.split("+")[1:])
    game = escapade.new(text, rng.randint(2, 5), seed=rng.randrange(1000), tunnel="free", segments=rng.randint(3, 8))
    first, tunnel, pirates, *_ = str(game).split(" ")
    boat = 6 * (tunnel.count("/") + 1) + 1
    places = [q for q in range(1, boat) for _ in range(3)] + [0, boat] * 40
    crowd = rng.sample(rng.sample(places, len(places) // rng.randint(1, 4)) + [0] * 40, len(pirates.split("/")) * 8)
    count = int(rules.get("pirates", 6))
    seats = [sorted(crowd[8 * i : 8 * i + count]) for i in range(game.players)]
    for spaces in seats:
        spaces[0] = min(spaces[0], boat - 1) if spaces[0] == boat and crowd.count(boat - 1) < 3 else spaces[0]
        spaces[0] = 0 if spaces[0] == boat else spaces[0]
    cards = [symbol for symbol in SYMBOLS for _ in range(int(game.edition.rules["cards"]))]
    rng.shuffle(cards)
    hands = ["".join(sorted(cards.pop() for _ in range(rng.choice((0, 0, 1, 3, 6))))) for _ in seats]
    capacity = int(rules.get("row", {"jamaica": 0, "tortuga": 12, "hispaniola": 12}.get(name, 10)))
    row = "".join(cards.pop() for _ in range(rng.randint(0, min(3, capacity)))) if capacity else ""
    pile = "".join(cards.pop() for _ in range(rng.choice((0, 1, 2, 5, 9, len(cards)))))
    discards = "".join(f"{symbol}{cards.count(symbol)}" for symbol in SYMBOLS if symbol in cards)
    most, empty = int(rules.get("most-actions", 3)), "-"
    clock = f"{rng.randint(1, len(seats))}:{rng.randrange(most)}:{rng.randint(1, 900)}"
    where = "/".join(".".join(map(str, sorted(spaces))) for spaces in seats)
    held = "/".join(hand or empty for hand in hands)
    return f"{first} {tunnel} {where} {held} {row or empty} {pile or empty} {discards or empty} {clock}"


def random_escape(rng: random.Random, stacked: bool = False) -> str:
    """A position of Les Évadés between two turns; `stacked` has the last two or three pawns in one stack."""
    length = rng.randint(15, 60)
    text = f"evades{rng.choice(('', '+count-jumped=off'))}" + (f"+length={length}" if length != 30 else "")
    pawns = rng.sample(PAWNS, 7)
    aboard, players = rng.choice((4, 5) if stacked else (0, 1, 2, 3, 4, 5, 5)), rng.randint(2, 6)
    spread = rng.choice((4, 8, length - 1))
    places: dict[int, str] = {}
    for pawn in pawns[aboard:]:
        space = rng.randint(max(0, length - 1 - spread), length - 1) if rng.random() < 0.7 else rng.randint(0, 3)
        space = max(places) if stacked and places else max(1, space) if stacked else space
        places[space] = places.get(space, "") + pawn
    if 0 in places:
        places[0] = "".join(sorted(places[0], key=PAWNS.index))
    listed = [f"{space}:{stack}" for space, stack in sorted(places.items())]
    boats = ["".join(sorted(pawns[i : min(i + 2, aboard)], key=PAWNS.index)) for i in range(0, aboard, 2)]
    listed += [f"#{boat}:{some}" for boat, some in enumerate(boats, 1) if some]
    bets = "/".join(rng.choice(BETS) for _ in range(players))
    return f"{text} {','.join(listed)} {bets} - - {rng.randint(1, players)}:{rng.randint(1, 40)}"


BETS = [action.removeprefix("bet:") for action in escapade.new("evades").legal_actions()]


def idle(game: escapade.Game, legal: list[str]) -> list[str]:
    """The actions after which nothing has moved: the end of a turn, and throws for pawns that are all blocked."""
    stacks = [place.split(":") for place in str(game).split(" ")[1].split(",") if ":" in place]
    blocked = {"w", *(pawn for space, stack in stacks if space[0] not in "0#" for pawn in stack[:-1])}
    return [action for action in legal if action == "." or (action[:5] == "roll:" and {*action[5:]} <= blocked)]


def steps(
    game: escapade.Game, oracle: Cartagena | Evades, rng: random.Random, most: int, views: float, lazy: float = 0
) -> Iterator[escapade.Game]:
    """Play at random with the library and the oracle in lockstep; both must agree on everything at every step."""
    for _ in range(most):
        assert str(game) == str(oracle)
        assert (game.over, game.winners, game.scores) == (oracle.over, oracle.winners, oracle.scores)
        legal = game.legal_actions()
        assert legal == oracle.legal(), str(game)
        if rng.random() < views or game.over:
            for seat in (None, *range(1, game.players + 1)):
                assert game.view(seat) == oracle.view(seat)
        yield game
        if game.over:
            return
        # Prefer retreats and draws now and then, so that piles and hands run out too.
        quiet = [action for action in legal if ">" not in action]
        if lazy and rng.random() < lazy:
            quiet = legal = idle(game, legal) or legal
        oracle.play(game.play(rng.choice(quiet if quiet and rng.random() < 0.3 else legal)))


def play_cartagena(name: str, games: int, seed: int, house: bool, most: int = 400) -> int:
    """Compare whole games from the start; returns the number of actions."""
    rng, actions = random.Random(f"{name} {seed} {house}"), 0
    for number in range(games):
        text = random_edition(rng, name) if house else f"{name}+turn-limit={rng.choice((30, 150))}"
        segments, tunnel = (rng.randint(3, 8), rng.choice(("printed", "free"))) if house else (6, "printed")
        game = escapade.new(text, rng.randint(2, 5), seed=number, tunnel=tunnel, segments=segments)
        tags = dict(line[1:-2].split(' "') for line in game.record().splitlines() if line.startswith("["))
        oracle = Cartagena.start(tags["Edition"], tags["Tunnel"], tags["Deal"], tags["Pile"])
        actions += sum(1 for _ in steps(game, oracle, rng, most, 0.05))
    return actions


def play_positions(name: str, positions: int, seed: int, most: int = 30) -> int:
    """Compare the next actions from random positions; returns the number of actions."""
    rng, actions = random.Random(f"{name} {seed}"), 0
    for number in range(positions):
        position = random_escape(rng) if name == "evades" else random_position(rng, name)
        game = escapade.parse(position, seed=number)
        assert str(game) == position
        oracle = (Evades if name == "evades" else Cartagena).parse(position)
        actions += sum(1 for _ in steps(game, oracle, rng, most, 0.1))
    return actions


def play_lazily(name: str, positions: int, seed: int) -> int:
    """Compare games in which nobody does much; returns how many were drawn for it (C20, G14)."""
    rng, drawn = random.Random(f"{name} {seed} lazily"), 0
    for number in range(positions):
        position = random_escape(rng, stacked=True) if name == "evades" else random_position(rng, name)
        game = escapade.parse(position, seed=number)
        oracle = (Evades if name == "evades" else Cartagena).parse(position)
        for _ in steps(game, oracle, rng, 400, 0.1, lazy=0.97):
            pass
        drawn += game.over and not game.winners and not escapade.parse(str(game)).over
    return drawn


def play_evades(games: int, seed: int) -> int:
    """Compare whole games from the first bet on; returns the number of actions."""
    rng, actions = random.Random(seed), 0
    for number in range(games):
        text = f"evades{rng.choice(('', '+count-jumped=off'))}{rng.choice(('', '+length=15', '+length=60'))}"
        text += rng.choice(("", "", "+turn-limit=1", "+turn-limit=20"))
        game = escapade.new(text, rng.randint(2, 6), seed=number)
        actions += sum(1 for _ in steps(game, Evades.start(text, game.players), rng, 2000, 0.05))
    return actions
