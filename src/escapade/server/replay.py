"""Games to be stepped through: from a table, as far as the reader may know it, or from a record."""

import gzip
from collections.abc import Generator, Iterable

from escapade import games
from escapade.analysis import beginning
from escapade.game import Game, Invalid
from escapade.record import Record, begin, is_proven, is_seeded, parse_all
from escapade.record import replay as check
from escapade.server.messages import PRINTINGS, Refused, Replay, Step, encode
from escapade.server.opening import chosen, new_game
from escapade.server.slices import whole
from escapade.server.table import Done, Table


def of_table(table: Table, seats: frozenset[int]) -> Replay:
    """A table's game so far; when it is over nothing is hidden any more."""
    return whole(stepping(table, seats))


def stepping(table: Table, seats: frozenset[int]) -> Generator[None, None, Replay]:
    """A table's game so far, bit by bit. The table itself is asked now, and may go on while this goes on."""
    game = table.game
    if game is None:
        raise Refused("not-begun")
    replay = Replay(
        game=str(table.edition),
        kind=table.kind.name,
        rules=dict(table.edition.rules),
        printing=table.opened.printing,
        names=[chair.name or "" for chair in table.chairs],
        colours=[chair.colour for chair in table.chairs],
        start="",
        steps=[],
        result=table.result,
        scores=None if game.scores is None else list(game.scores),
        record=table.record(seats),
        proven=table.over and game.start is None and game.proves(game.chance) is None,
        chosen=chosen(table.opened),
        games=1,
        resigned=table.resigned,
    )
    return stepped(replay, new_game(table.opened), game, list(table.moves), None if table.over else table.eyes(seats))


def stepped(
    replay: Replay, again: Game, game: Game, moves: Iterable[Done], eyes: int | None
) -> Generator[None, None, Replay]:
    """A replay with all its steps, bit by bit, for somebody's eyes or, with None, for everyone's after the end."""
    replay.start = again.open_position if eyes is None else again.view(eyes or None)
    for move in moves:
        again.play(move.action, move.seat)
        action = move.action if eyes is None else game.shown(move.action, move.seat, eyes)
        view = again.open_position if eyes is None else again.view(eyes or None)
        replay.steps.append(Step(seat=move.seat, turn=move.turn, action=action, view=view, late=move.late))
        yield
    return replay


def find_game(text: str, number: int) -> tuple[Record, int]:
    """A game of a file of records, and how many there are."""
    found = list(parse_all(text.replace("\r\n", "\n")))
    if not found:
        raise Invalid("there is no game in this text", code="no-game")
    if number > len(found):
        words = f"there is no game {number}: this text has {len(found)}"
        raise Invalid(words, code="no-such-game", number=number, games=len(found))
    return found[number - 1], len(found)


def of_record(text: str, number: int = 1) -> Replay:
    """A game of a file of records, every action of it checked; a fault says where and why."""
    record, count = find_game(text, number)
    game = check(record)
    start, steps = steps_of(record)
    resigned = given_up(game)
    return Replay(
        game=str(game.edition),
        kind=game.kind,
        rules=dict(game.edition.rules),
        printing=printing_of(game),
        names=list(game.names),
        colours=list(range(game.players)),
        start=start,
        steps=steps,
        result=str(3 - resigned) if resigned else game.result,
        scores=None if game.scores is None else list(game.scores),
        record=game.record(),
        proven=is_proven(game),
        chosen=list(game.unproven() if is_seeded(game.tags) else ()),
        games=count,
        resigned=resigned,
    )


def given_up(game: Game) -> int:
    """Which seat of two gave a game up, as its record tells; 0 for none."""
    told = game.tags.get("Resigned", "")
    return int(told) if told in ("1", "2") and game.players == 2 and not game.over else 0


def whole_record(text: str, number: int) -> tuple[str, str, int]:
    """The record of a game of a file, checked and whole: its kind of game, its text, and its number of turns."""
    game = check(find_game(text, number)[0])
    beginning(game)
    return game.kind, game.record(), len(game.turns)


def printing_of(game: Game) -> str:
    """What the symbols of a record are called and drawn as: what it says, if this kind of game has that."""
    told = game.tags.get("Printing", "")
    return told if told in games.kinds()[game.kind].offers.get("printings", ()) else PRINTINGS[0]


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
