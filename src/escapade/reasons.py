"""Why an action may be good: codes with values that any language can put into words, and the English words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from escapade.bots.search import has_win
from escapade.bots.turns import follow, new_desk
from escapade.cartagena.kernel import ACTION, SYMBOLS, UNKNOWN, Rules, States, advance_target
from escapade.cartagena.notation import CARDS, MOVES
from escapade.cartagena.position import Cartagena
from escapade.compiled import compiled
from escapade.evades.editions import COLOURS
from escapade.evades.position import Evades
from escapade.game import Chance
from escapade.sets import ZERO, above, below, lowest, size, without_lowest

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
THINGS = {"B": "bottle", "D": "dagger", "H": "hat", "K": "key", "P": "pistol", "S": "skull"}
SECOND = {**THINGS, "S": "parrot"}
ROAD = 2  # so many spaces jumped make a road
NO_LUCK = Chance(0)
MOST = 3  # reasons told at once


class Reason(NamedTuple):
    """A code and its values: `opens-road` with the symbol, its length and the seat that can use it."""

    code: str
    values: dict[str, Any]

    def __str__(self) -> str:
        return ENGLISH[self.code](**self.values)


def some(n: int, thing: str) -> str:
    """A number of things, in words."""
    return f"a {thing}" if n == 1 else f"{NUMBERS[n] if n < len(NUMBERS) else n} {thing}s"


def road_of(symbol: str, thing: str, length: int, seat: int, you: bool) -> str:
    """A road, and whose it is."""
    return f"a road of {some(length, thing)} for {'you' if you else f'seat {seat}'}"


def colours(pawns: Sequence[str]) -> str:
    """Some pawns by their colours."""
    *first, last = [COLOURS[pawn] for pawn in pawns]
    return f"{', '.join(first)} and {last}" if first else last


ENGLISH: dict[str, Callable[..., str]] = {
    "wins": lambda: "wins the game",
    "stops-win": lambda seat: f"stops seat {seat} from winning next turn",
    "boards": lambda pirates: f"brings {some(pirates, 'pirate')} into the boat",
    "takes-cards": lambda cards: f"takes {some(cards, 'card')}",
    "uses-road": lambda symbol, thing, length, spaces: f"uses a road of {some(length, thing)}, {spaces} spaces long",
    "leaps": lambda symbol, thing, spaces: f"leaps {spaces} spaces with a {thing}",
    "frees": lambda pirates: f"frees {some(pirates, 'pirate')} from prison",
    "opens-road": lambda **road: f"opens {road_of(**road)}",
    "closes-road": lambda **road: f"closes {road_of(**road)}",
    "keeps": lambda: "keeps its cards and its places",
    "bets": lambda: "a bet that nothing speaks against, and that nobody will guess",
    "throws": lambda pawns, boats: f"throws for {colours(pawns)}, bet into boat {' and '.join(map(str, boats))}",
    "throws-white": lambda pawns: f"takes the white die, to hold {colours(pawns)} back",
    "boards-as-bet": lambda pawn, boat: f"puts {COLOURS[pawn]} into boat {boat}, as you bet",
    "boards-otherwise": lambda pawn, boat, bet: f"puts {COLOURS[pawn]} into boat {boat}, though you bet {bet}",
    "hurries": lambda pawn, bet: f"hurries {COLOURS[pawn]}, which you bet into boat {bet}",
    "must-move": lambda pawn, bet: f"moves {COLOURS[pawn]}, bet into boat {bet}, where it does least harm",
    "blocks": lambda pawn, bet: f"blocks {COLOURS[pawn]}, which you bet into boat {bet}",
    "holds-back": lambda pawn, bet: f"takes {COLOURS[pawn]} back, which you bet into boat {bet}",
    "leaves-white": lambda: "leaves every pawn where it is",
}


def reasons(view: str, actions: Sequence[str]) -> list[Reason]:
    """What speaks for some actions of the seat to act, the weightiest first; what speaks against them comes last."""
    if view.startswith("evades"):
        return evades_reasons(Evades.parse(view, NO_LUCK), actions[0])
    return cartagena_reasons(Cartagena.parse(view, NO_LUCK), actions)


def cartagena_reasons(game: Cartagena, actions: Sequence[str]) -> list[Reason]:
    """The reasons of a turn, from what it changes."""
    desk, rules, me = new_desk(), game.rules, game.seat - 1
    before, states = game._state[0], game._state.copy()
    threatened = has_win(game._state, desk, rules, (me + 1) % game.players)
    jumps = []
    for action in actions:
        move = MOVES[action] & ACTION
        if ">" in action:
            space, goal = (int(part) for part in action[1:].split(">"))
            jumps.append((goal - space, action[0], jumped(states, rules, move >> 6, space)))
        follow(states, desk, rules, move)
    after = states[0]
    if after["winner"] == me:
        return [Reason("wins", {})]
    weighed: list[tuple[float, Reason]] = []
    if threatened and not has_win(states, desk, rules, (me + 1) % game.players):
        weighed.append((900, Reason("stops-win", {"seat": (me + 1) % game.players + 1})))
    boarded = int(after["boat"][me]) - int(before["boat"][me])
    if boarded > 0:
        weighed.append((25 * boarded, Reason("boards", {"pirates": boarded})))
    taken = int(after["hand"][me].sum()) - int(before["hand"][me].sum()) + len(jumps)
    if taken > 0:
        weighed.append((8 * taken, Reason("takes-cards", {"cards": taken})))
    freed = int(before["prison"][me]) - int(after["prison"][me])
    if freed > 0:
        weighed.append((5 * freed, Reason("frees", {"pirates": freed})))
    if jumps:
        spaces, symbol, over = max(jumps)
        leap = {"symbol": symbol, "thing": things(game)[symbol], "spaces": spaces}
        far = Reason("uses-road", {**leap, "length": over}) if over >= ROAD else Reason("leaps", leap)
        weighed.append((spaces, far))
    weighed += road_changes(game, states)
    if not weighed:
        return [Reason("keeps", {})]
    weighed.sort(key=lambda item: -item[0])
    return [reason for _, reason in weighed[: MOST - 1] + [item for item in weighed[MOST - 1 :] if item[0] < 0][-1:]]


def things(game: Cartagena) -> dict[str, str]:
    """What the symbols are called, in short."""
    return SECOND if game.edition.name.startswith("first-escape") else THINGS


def road_changes(game: Cartagena, states: States) -> list[tuple[float, Reason]]:
    """Roads that a turn opens or closes, for oneself or for others who may hold the card."""
    found, me = [], game.seat - 1
    for seat in range(game.players):
        for symbol in range(SYMBOLS):
            if not (states[0]["hand"][seat, symbol] or (seat != me and states[0]["hand"][seat, UNKNOWN])):
                continue
            old, new = (longest_road(state, game.rules, seat, symbol) for state in (game._state, states))
            card = CARDS[symbol]
            values = {"symbol": card, "thing": things(game)[card], "seat": seat + 1, "you": seat == me}
            sure = 1.0 if states[0]["hand"][seat, symbol] else 0.3
            if new >= ROAD and new > old:
                weight = 4 * (new - old) * sure * (1 if seat == me else -1)
                found.append((weight, Reason("opens-road", {**values, "length": new})))
            elif old >= ROAD and old > new and seat != me:
                found.append((4 * (old - new) * sure, Reason("closes-road", {**values, "length": old})))
    return found


@compiled
def jumped(states: States, rules: Rules, symbol: int, space: int) -> int:
    """How many spaces of a symbol a card of it takes a pirate over."""
    s = states[0]
    return size(s.spaces[symbol] & above(space) & below(advance_target(s, rules, symbol, space)))


@compiled
def longest_road(states: States, rules: Rules, seat: int, symbol: int) -> int:
    """The most spaces that a card of a symbol takes one of a seat's pirates over."""
    places, most = states[0].own[seat, 0] & below(rules.boat), 0
    while places != ZERO:
        most = max(most, jumped(states, rules, symbol, lowest(places)))
        places = without_lowest(places)
    return most


def evades_reasons(game: Evades, action: str) -> list[Reason]:
    """The reasons of one action, from where its pawns are and where they were bet."""
    layout = game.layout()
    if action.startswith("bet:"):
        return [Reason("bets", {})]
    if action == ".":
        return [Reason("leaves-white", {})]
    bets = {pawn: boat for boat, pawns in enumerate(layout.bets[game.seat - 1].split("."), 1) for pawn in pawns}
    if action.startswith("roll:"):
        return roll_reasons(action[5:], bets, layout.stacks)
    pawn, way, goal = action[0], action[1], action[2:]
    if goal.startswith("#"):
        boat = int(goal[1:])
        code = "boards-as-bet" if bets[pawn] == boat else "boards-otherwise"
        values = {"pawn": pawn, "boat": boat} | ({} if bets[pawn] == boat else {"bet": bets[pawn]})
        return [Reason(code, values)]
    under = layout.stacks.get(int(goal), "")[-1:] if int(goal) else ""
    blocked = [Reason("blocks", {"pawn": under, "bet": bets[under]})] if under and bets[under] > bets[pawn] else []
    if way == "<":
        return [Reason("holds-back", {"pawn": pawn, "bet": bets[pawn]}), *blocked]
    code = "hurries" if bets[pawn] <= 2 else "must-move"
    return [*blocked, Reason(code, {"pawn": pawn, "bet": bets[pawn]})]


def roll_reasons(dice: str, bets: dict[str, int], stacks: Mapping[int, str]) -> list[Reason]:
    """The reasons of a throw."""
    pawns = sorted((die for die in dice if die != "w"), key=bets.__getitem__)
    told = [Reason("throws", {"pawns": pawns, "boats": sorted({bets[pawn] for pawn in pawns})})]
    if "w" in dice:
        late = max((pawn for stack in stacks.values() for pawn in stack), key=bets.__getitem__)
        told.append(Reason("throws-white", {"pawns": [late]}))
    return told
