"""How the server's messages change what is known of a table. Pure, as `client/table/state.js` is for the browser."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

Message = dict[str, Any]
OUTCOME = re.compile(r"^bet:.*|[+~=].*$")


class Pending(NamedTuple):
    """An action or undo that was sent and is not answered yet."""

    version: int
    seat: int
    message: Message


class Step(NamedTuple):
    """A move with the positions before and after it, empty where these eyes have not been sent them."""

    move: Message
    before: str
    after: str


@dataclass(frozen=True)
class Known:
    """What is known. `views[n]` is the position after n moves; `at` is when the state came; `advice` is None until
    hints come; `dropped` tells that something sent was neither done nor is to be done any more."""

    table: Message | None = None
    views: tuple[str, ...] = ()
    at: float = 0.0
    pending: Pending | None = None
    asking: bool = False
    advice: list[Message] | None = None
    fault: Message | None = None
    dropped: bool = False

    @property
    def state(self) -> Message | None:
        """The game, once it has begun."""
        return self.table["state"] if self.table else None

    @property
    def legal(self) -> list[str]:
        """What the reader may do now."""
        return list(self.state["legal"]) if self.state and not self.pending else []

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state is not None and self.state["result"] != "*"

    @property
    def own(self) -> list[int]:
        """The reader's seats, from 1."""
        seats = self.table["seats"] if self.table else []
        return [seat for seat, sitter in enumerate(seats, 1) if sitter["yours"]]

    @property
    def winners(self) -> list[int]:
        """The winning seats."""
        return [int(seat) for seat in self.state["result"].split("/") if seat.isdigit()] if self.state else []

    @property
    def steps(self) -> list[Step]:
        """The moves so far, each between two views."""
        moves = self.table["moves"] if self.table and self.state else []
        return [Step(move, self.views[n], self.views[n + 1]) for n, move in enumerate(moves)]

    def acting(self) -> int:
        """The seat that acts for the reader now, or 0."""
        state = self.state
        return int(state["eyes"] or state["seat"]) if state and state["legal"] else 0


def bare(action: str) -> str:
    """An action without its outcome or secret, which not everyone is sent."""
    return OUTCOME.sub(lambda cut: "bet" if cut[0].startswith("bet") else "", action)


def alike(one: Sequence[Message], other: Sequence[Message]) -> int:
    """How many moves two games have in common from the start."""
    for n, move in enumerate(one):
        if n >= len(other) or move["seat"] != other[n]["seat"] or bare(move["action"]) != bare(other[n]["action"]):
            return n
    return len(one)


def same_eyes(table: Message, state: Message) -> bool:
    """Whether a view is for the same seat as before: what one player may see is not kept for the next."""
    return bool(table["state"] and table["state"]["eyes"] == state["eyes"])


def heard_table(known: Known, message: Message, now: float) -> Known:
    """The whole table."""
    before, views, moves = known.table, [""] * len(message["moves"]), message["moves"]
    if message["state"] and before and before["table"] == message["table"] and same_eyes(before, message["state"]):
        same = alike(moves, before["moves"])
        views = [known.views[n] if n <= same and n < len(known.views) else "" for n in range(len(moves))]
    pending = known.pending if known.pending and known.pending.version == message["version"] else None
    state = message["state"]
    shown = (*views, state["view"]) if state else ()
    return replace(known, table=message, views=shown, at=now, pending=pending, asking=False, advice=None)


def heard_moved(known: Known, message: Message, now: float) -> Known:
    """Somebody has acted."""
    table, state = known.table, message["state"]
    if not table or message["version"] <= table["version"]:
        return known
    views = known.views if same_eyes(table, state) else ("",) * len(known.views)
    pending = None if known.pending and known.pending.seat == message["move"]["seat"] else known.pending
    moves = [*table["moves"], message["move"]]
    table = {**table, "version": message["version"], "state": state, "moves": moves}
    return replace(
        known, table=table, views=(*views, state["view"]), at=now, pending=pending, asking=False, advice=None
    )


def heard_undone(known: Known, message: Message, now: float) -> Known:
    """A seat's last action has been taken back."""
    table, state = known.table, message["state"]
    if not table or message["version"] <= table["version"]:
        return known
    gone = max((n for n, move in enumerate(table["moves"]) if move["seat"] == message["seat"]), default=-1)
    moves = [move for n, move in enumerate(table["moves"]) if n != gone]
    keeps = same_eyes(table, state)
    views = [known.views[n] if n <= gone and keeps else "" for n in range(len(moves))]
    pending = None if known.pending and known.pending.seat == message["seat"] else known.pending
    table = {**table, "version": message["version"], "state": state, "moves": moves}
    return replace(
        known, table=table, views=(*views, state["view"]), at=now, pending=pending, asking=False, advice=None
    )


def heard_past(known: Known, message: Message, now: float) -> Known:
    """The positions of the game so far, from a replay."""
    table, steps = known.table, message["steps"]
    if not table or not known.views or alike(table["moves"], steps) < len(table["moves"]):
        return known
    past = [message["start"], *(step["view"] for step in steps)]
    # What was seen through other eyes is told as these may know it.
    moves = [
        move if known.views[n] and known.views[n + 1] else {**move, "action": steps[n]["action"]}
        for n, move in enumerate(table["moves"])
    ]
    views = tuple(view or past[n] for n, view in enumerate(known.views))
    return replace(known, table={**table, "moves": moves}, views=views)


def heard_fault(known: Known, message: Message, now: float) -> Known:
    """Something was refused."""
    about = message["about"]
    pending = None if known.pending and known.pending.message["type"] == about else known.pending
    return replace(known, fault=message, pending=pending, asking=known.asking and about != "hint")


def heard_hints(known: Known, message: Message, now: float) -> Known:
    """What could be done."""
    late = not known.table or message["version"] != known.table["version"]
    return known if late else replace(known, asking=False, advice=message["hints"])


def in_table(known: Known, **changes: Any) -> Known:
    """The same with something else at the table."""
    return replace(known, table={**known.table, **changes}) if known.table else known


HEARD: dict[str, Callable[[Known, Message, float], Known]] = {
    "table": heard_table,
    "moved": heard_moved,
    "undone": heard_undone,
    "past": heard_past,
    "fault": heard_fault,
    "hints": heard_hints,
    "seats": lambda known, message, now: in_table(known, seats=message["seats"], watchers=message["watchers"]),
    "said": lambda known, message, now: in_table(known, chat=[*(known.table or {"chat": []})["chat"], message]),
    "rematch": lambda known, message, now: in_table(known, rematch=message["table"]),
}


def hear(known: Known, message: Message, now: float) -> Known:
    """What is known after a message; types of later versions change nothing."""
    change = HEARD.get(message["type"])
    after = change(known, message, now) if change else known
    return replace(after, dropped=was_dropped(known, after))


def was_dropped(before: Known, after: Known) -> bool:
    """Whether an action that was sent was neither done nor is still to be done, without a word of the server."""
    pending = before.pending
    if not pending or after.pending or after.fault is not before.fault or pending.message["type"] != "play":
        return False
    moves = after.table["moves"][len(before.table["moves"]) :] if before.table and after.table else []
    action = bare(pending.message["action"])
    return not any(move["seat"] == pending.seat and bare(move["action"]) == action for move in moves)
