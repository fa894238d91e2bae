"""Why a turn of Cartagena may be good, from what it changes."""

from collections.abc import Sequence

from escapade import reasons as common
from escapade.bots.cartagena.search import has_win
from escapade.bots.cartagena.turns import follow, new_desk
from escapade.cartagena.editions import symbol_names
from escapade.cartagena.kernel import ACTION, SYMBOLS, UNKNOWN, Rules, State, States, advance_target
from escapade.cartagena.notation import CARDS, MOVES
from escapade.cartagena.position import Cartagena
from escapade.compiled import compiled
from escapade.reasons import NO_LUCK, Words, some
from escapade.sets import ZERO, above, below, lowest, size, without_lowest

SHORT = {"three-cornered hat": "hat", "keys": "key"}  # how symbols are called in a sentence, where that is shorter
ROAD = 2  # so many spaces jumped make a road
MOST = 3  # reasons given at once


def road_of(symbol: str, thing: str, length: int, seat: int, you: bool, space: int, target: int) -> str:
    """A road, whose it is, and where it leads."""
    whose = "you" if you else f"seat {seat}"
    return f"a road of {some(length, thing)} for {whose}, from {space or 'the prison'} to {target or 'the boat'}"


ENGLISH: Words = {
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
}


class Reason(common.Reason):
    """A reason for a turn of Cartagena."""

    words = ENGLISH


def reasons(view: str, actions: Sequence[str]) -> list[Reason]:
    """What speaks for a turn of the seat to act, the weightiest first; what speaks against it comes last."""
    game = Cartagena.parse(view, NO_LUCK)
    desk, rules, me = new_desk(), game.rules, game.seat - 1
    before, states = game.states[0], game.states.copy()
    threatened = has_win(game.states, desk, rules, (me + 1) % game.players)
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
    names = symbol_names(game.edition.name)
    return {symbol: SHORT.get(name, name) for symbol, name in names.items()}


def road_changes(game: Cartagena, states: States) -> list[tuple[float, Reason]]:
    """Roads that a turn opens or closes, for oneself or for others who may hold the card."""
    found, me = [], game.seat - 1
    for seat in range(game.players):
        for symbol in range(SYMBOLS):
            if not (states[0]["hand"][seat, symbol] or (seat != me and states[0]["hand"][seat, UNKNOWN])):
                continue
            (old, *was), (new, *leads) = (
                longest_road(state, game.rules, seat, symbol) for state in (game.states, states)
            )
            card = CARDS[symbol]
            values = {"symbol": card, "thing": things(game)[card], "seat": seat + 1, "you": seat == me}
            sure = 1.0 if states[0]["hand"][seat, symbol] else 0.3
            if new >= ROAD and new > old:
                weight = 4 * (new - old) * sure * (1 if seat == me else -1)
                found.append((weight, Reason("opens-road", {**values, "length": new, **way(game, *leads)})))
            elif old >= ROAD and old > new and seat != me:
                found.append(
                    (4 * (old - new) * sure, Reason("closes-road", {**values, "length": old, **way(game, *was)}))
                )
    return found


def way(game: Cartagena, space: int, target: int) -> dict[str, int]:
    """Where a road begins, 0 for the prison, and where it leads, 0 for the boat."""
    return {"space": int(space), "target": int(target) % int(game.rules.boat)}


@compiled
def jumped(states: States, rules: Rules, symbol: int, space: int) -> int:
    """How many spaces of a symbol a card of it takes a pirate over."""
    s: State = states[0]
    return size(s.spaces[symbol] & above(space) & below(advance_target(s, rules, symbol, space)))


@compiled
def longest_road(states: States, rules: Rules, seat: int, symbol: int) -> tuple[int, int, int]:
    """The most spaces that a card of a symbol takes one of a seat's pirates over, from where, and where to."""
    s: State = states[0]
    places, most, start, goal = s.own[seat, 0] & below(rules.boat), 0, 0, 0
    while places != ZERO:
        place = lowest(places)
        over = jumped(states, rules, symbol, place)
        if over > most:
            most, start, goal = over, place, advance_target(s, rules, symbol, place)
        places = without_lowest(places)
    return most, start, goal
