"""Why an action of Les Évadés may be good, from where its pawns are and where they were bet."""

from collections.abc import Mapping, Sequence

from escapade import reasons as common
from escapade.evades.editions import COLOURS
from escapade.evades.position import Evades
from escapade.reasons import NO_LUCK, Words


def colours(pawns: Sequence[str]) -> str:
    """Some pawns by their colours."""
    *first, last = [COLOURS[pawn] for pawn in pawns]
    return f"{', '.join(first)} and {last}" if first else last


ENGLISH: Words = {
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
WEIGHTIEST = (
    "boards-as-bet", "holds-back", "blocks", "hurries", "must-move", "leaves-white", "boards-otherwise",
)  # fmt: skip
MOST = 3  # reasons given at once


class Reason(common.Reason):
    """A reason for an action of Les Évadés."""

    words = ENGLISH


def reasons(view: str, actions: Sequence[str]) -> list[Reason]:
    """What speaks for some actions of a turn, from where their pawns are and where they were bet."""
    game = Evades.parse(view, NO_LUCK)
    if actions[0].startswith("bet:"):
        return [Reason("bets", {})]
    layout = game.layout()
    bets = {pawn: boat for boat, pawns in enumerate(layout.bets[game.seat - 1].split("."), 1) for pawn in pawns}
    if actions[0].startswith("roll:"):
        return roll_reasons(actions[0][5:], bets, layout.stacks)
    found = []
    for action in actions:
        found += [Reason("leaves-white", {})] if action == "." else move_reasons(action, bets, game.layout().stacks)
        game.play_recorded(action)
    return sorted(found, key=lambda reason: WEIGHTIEST.index(reason.code))[:MOST]


def move_reasons(action: str, bets: Mapping[str, int], stacks: Mapping[int, str]) -> list[Reason]:
    """The reasons of a move."""
    pawn, way, goal = action[0], action[1], action[2:]
    if goal.startswith("#"):
        boat = int(goal[1:])
        code = "boards-as-bet" if bets[pawn] == boat else "boards-otherwise"
        values = {"pawn": pawn, "boat": boat} | ({} if bets[pawn] == boat else {"bet": bets[pawn]})
        return [Reason(code, values)]
    under = stacks.get(int(goal), "")[-1:] if int(goal) else ""
    blocked = [Reason("blocks", {"pawn": under, "bet": bets[under]})] if under and bets[under] > bets[pawn] else []
    if way == "<":
        return [Reason("holds-back", {"pawn": pawn, "bet": bets[pawn]}), *blocked]
    code = "hurries" if bets[pawn] <= 2 else "must-move"
    return [*blocked, Reason(code, {"pawn": pawn, "bet": bets[pawn]})]


def roll_reasons(dice: str, bets: dict[str, int], stacks: Mapping[int, str]) -> list[Reason]:
    """The reasons of a throw."""
    pawns = sorted((die for die in dice if die != "w"), key=bets.__getitem__)
    found = [Reason("throws", {"pawns": pawns, "boats": sorted({bets[pawn] for pawn in pawns})})]
    if "w" in dice:
        late = max((pawn for stack in stacks.values() for pawn in stack), key=bets.__getitem__)
        found.append(Reason("throws-white", {"pawns": [late]}))
    return found
