"""Games to be stepped through: from a table, as far as the reader may know it, or from a record."""

import gzip
from collections.abc import Iterator

from escapade.game import Game
from escapade.record import Record, begin, is_seeded, parse_all
from escapade.record import replay as check
from escapade.server.answers import encode
from escapade.server.messages import PRINTINGS, Refused, Replay, Step
from escapade.server.opening import new_game
from escapade.server.showing import shown_move
from escapade.server.table import Done, Table


def of_table(table: Table, seats: frozenset[int]) -> Replay:
    """A table's game so far; when it is over nothing is hidden any more."""
    game = table.game
    if game is None:
        raise Refused("not-begun")
    eyes = table.eyes(seats)
    views, steps = [], []
    for done, again in played_again(table):
        views.append(again.open_position if game.over else again.view(eyes or None))
        if done:
            action = done.action if game.over else shown_move(table, done, eyes).action
            steps.append(Step(seat=done.seat, turn=done.turn, action=action, view=views[-1]))
    return Replay(
        game=str(table.edition),
        kind=table.kind.name,
        rules=dict(table.edition.rules),
        printing=table.opened.printing,
        names=[chair.name or "" for chair in table.chairs],
        colours=[chair.colour for chair in table.chairs],
        start=views[0],
        steps=steps,
        result=game.result,
        scores=None if game.scores is None else list(game.scores),
        record=table.record(seats),
        proven=game.over and game.proves(game.chance) is None,
        games=1,
    )


def played_again(table: Table) -> Iterator[tuple[Done | None, Game]]:
    """A table's game at its start, and after each of its actions."""
    game = new_game(table.opened)
    yield None, game
    for done in table.moves:
        game.play(done.action, done.seat)
        yield done, game


def of_record(text: str, number: int = 1) -> Replay:
    """A game of a file of records, every action of it checked; a fault is a ValueError that says where and why."""
    found = list(parse_all(text.replace("\r\n", "\n")))
    if not found:
        raise ValueError("there is no game in this text")
    if number > len(found):
        raise ValueError(f"there is no game {number}: this text has {len(found)}")
    record = found[number - 1]
    whole = check(record)
    start, steps = steps_of(record)
    return Replay(
        game=str(whole.edition),
        kind=whole.kind,
        rules=dict(whole.edition.rules),
        printing=PRINTINGS[0],
        names=list(whole.names),
        colours=list(range(whole.players)),
        start=start,
        steps=steps,
        result=whole.result,
        scores=None if whole.scores is None else list(whole.scores),
        record=whole.record(),
        proven=is_seeded(whole.tags),
        games=len(found),
    )


def read_record(text: str, number: int, zipped: bool) -> bytes:
    """The same as JSON, ready to be sent: a long game is too much for the server itself to write and to compress."""
    found = encode(of_record(text, number))
    return gzip.compress(found, 6) if zipped else found


def steps_of(record: Record) -> tuple[str, list[Step]]:
    """The position at the start of a checked record, and the steps from there."""
    game = begin(record)
    start, steps = str(game), []
    for turn, tokens in record.turns:
        for token in tokens:
            seat = game.seat
            game.play_recorded(token)
            steps.append(Step(seat=seat, turn=turn, action=token, view=str(game)))
    return start, steps
