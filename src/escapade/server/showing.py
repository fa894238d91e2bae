"""A table as one reader may know it: the messages that are made from it."""

from collections.abc import Generator

from escapade.server.events import Played, TakenBack
from escapade.server.messages import Move, Moved, Shown, Sitter, State, Summary, Undone
from escapade.server.opening import chosen
from escapade.server.table import Done, Table, alone

LONG = 500  # actions of a game, from which on those that were shown are remembered


def shown_move(table: Table, move: Done, eyes: int) -> Move:
    """An action as a seat may know it."""
    assert table.game is not None
    action = table.game.shown(move.action, move.seat, eyes)
    return Move(seat=move.seat, turn=move.turn, action=action, late=move.late)


def shown_moves(table: Table, eyes: int) -> list[Move]:
    """All actions as a seat may know them."""
    if table.game is None or len(table.moves) < LONG:
        return [shown_move(table, move, eyes) for move in table.moves]
    shown = table.shown.setdefault((eyes, table.over), [])  # at the end more may be shown of the beginning
    shown += [shown_move(table, move, eyes) for move in table.moves[len(shown) :]]
    return shown


def preparing(table: Table, seats: frozenset[int]) -> Generator[None, None, None]:
    """Show a long game bit by bit to all the eyes that these seats can have, so that `whole` finds it shown."""
    if table.game is None or len(table.moves) < LONG:
        return
    for eyes in {table.eyes(seats), *(seats or {0})}:
        shown = table.shown.setdefault((eyes, table.over), [])
        for move in table.moves[len(shown) :]:
            shown.append(shown_move(table, move, eyes))
            yield


def state(table: Table, seats: frozenset[int], now: float, server_start: float) -> State:
    """The game as the holder of some seats may know it."""
    game = table.game
    assert game is not None
    acting = table.actor(seats)
    eyes = acting or alone(seats)
    undo, grace = table.undoable(seats, now)
    deadline = table.deadline(server_start)
    return State(
        view=game.view(eyes or None),
        eyes=eyes,
        seat=0 if table.over else game.seat,
        turn=game.turn,
        legal=[] if acting is None else game.offers(acting),
        undo=undo is not None,
        grace=None if grace is None else round(grace, 1),
        left=None if deadline is None else round(max(0.0, deadline - now), 1),
        sealed=list(game.sealed),
        result=table.result,
        scores=None if game.scores is None else list(game.scores),
    )


def sitters(table: Table, holder: str | None, here: frozenset[str]) -> list[Sitter]:
    """The seats as everyone sees them, and which are the reader's; `here` are the keys that are connected."""
    return [
        Sitter(
            name=chair.name or "",
            colour=chair.colour,
            bot=chair.bot,
            free=chair.free,
            person=chair.key is not None,
            here=chair.key in here,
            yours=holder is not None and chair.key == holder,
            host=chair.key is not None and chair.key == table.opened.host,
        )
        for chair in table.chairs
    ]


def start_view(table: Table, seats: frozenset[int]) -> str | None:
    """The position that the host set up, if any, as the holder of these seats may see it."""
    start, game = table.start, table.game
    if start is None:
        return None
    if table.over:
        return start.open_position
    # It is there to be looked at any time, so people who share a screen do not see each other's cards in it.
    eyes = next(iter(seats)) if game and len(seats) == 1 else None
    return start.view(eyes)


def whole(
    table: Table, holder: str | None, here: frozenset[str], watchers: int, now: float, server_start: float
) -> Shown:
    """The whole table as the holder of a key may know it."""
    seats, game = table.seats_of(holder), table.game
    eyes = table.eyes(seats)
    return Shown(
        table=table.name,
        version=table.version,
        game=str(table.edition),
        kind=table.kind.name,
        rules=dict(table.edition.rules),
        printing=table.opened.printing,
        clock=table.opened.clock,
        pace=table.opened.pace,
        seats=sitters(table, holder, here),
        watchers=watchers,
        host=holder == table.opened.host,
        hints=bool(seats) and table.hinted,
        state=state(table, seats, now, server_start) if game else None,
        moves=shown_moves(table, eyes),
        chat=list(table.chat),
        resigned=table.resigned,
        rematch=table.rematch,
        commitment=game.tags.get("Commitment") if game else None,
        chosen=chosen(table.opened),
        start=start_view(table, seats),
    )


def change(
    table: Table, event: Played | TakenBack, seats: frozenset[int], now: float, server_start: float
) -> Moved | Undone:
    """An action that was just taken, or taken back, as the holder of some seats may know it."""
    after = state(table, seats, now, server_start)
    if isinstance(event, TakenBack):
        return Undone(version=table.version, seat=event.seat, state=after)
    # People who share a screen see what their own seat drew, although the next seat's eyes are open by now.
    eyes = event.seat if event.seat in seats else after.eyes
    return Moved(version=table.version, move=shown_move(table, table.moves[-1], eyes), state=after)


def summary(table: Table) -> Summary:
    """The table in a list."""
    game = table.game
    return Summary(
        table=table.name,
        game=str(table.edition),
        names=[chair.name or "" for chair in table.chairs],
        colours=[chair.colour for chair in table.chairs],
        free=sum(chair.free for chair in table.chairs),
        seat=game.seat if game and not table.over else 0,
        turn=game.turn if game else 0,
        result=table.result,
    )
