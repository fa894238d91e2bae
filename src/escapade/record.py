"""Games as text: read a file of records, replay every one, and check all that can be checked."""

import os
import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple, TextIO

from escapade import games
from escapade.game import NUMBER, Chance, Game, Invalid, Turns, check_names

REQUIRED = ("Game", "Edition", "Seats", "Result")
TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9_-]*) "([^"\r]*)"\]')
HEX = re.compile("[0-9a-f]{64}")


class Record(NamedTuple):
    """The tags and the turns of one game, and the line of its file that it begins on."""

    line: int
    tags: dict[str, str]
    turns: Turns


def read(source: str | os.PathLike[str] | BinaryIO | TextIO) -> Iterator[Game]:
    """The games of a file, each replayed and checked; an error names file, line, game, turn and action.

    The file is named, or open as bytes or as text.
    """
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            yield from read_lines(file, os.fspath(source))
    else:
        yield from read_lines(source, getattr(source, "name", "record"))


def read_lines(lines: Iterable[bytes | str], name: str) -> Iterator[Game]:
    """The games of a file's lines."""
    for number, record in enumerate(records(lines, name), 1):
        try:
            yield replay(record)
        except ValueError as fault:
            raise type(fault)(f"{name}, line {record.line}, game {number}: {fault}") from None


def from_record(text: str) -> Game:
    """The game that a record tells, replayed and checked; of several the first."""
    return replay(parse(text))


def parse(text: str) -> Record:
    """The first game of a text, its form checked; `begin` and `replay` make a game of it."""
    record = next(parse_all(text), None)
    if record is None:
        raise Invalid("there is no game in this text", code="no-game")
    return record


def parse_all(text: str) -> Iterator[Record]:
    """The games of a text, their form checked."""
    return records(text.encode().splitlines(keepends=True), "record")


def records(lines: Iterable[bytes | str], name: str) -> Iterator[Record]:
    """The games of a file's lines, their form checked."""
    record, tagged = Record(1, {}, []), False
    for number, raw in enumerate(lines, 1):
        try:
            line = (raw if isinstance(raw, str) else raw.decode()).removesuffix("\n")
            if line and not tagged:
                if not record.tags:
                    record = Record(number, {}, [])
                read_tag(line, record.tags)
            elif line:
                record.turns.append(read_turn_line(line))
        except UnicodeDecodeError:
            raise Invalid(f"{name}, line {number}: not UTF-8") from None
        except Invalid as fault:
            raise Invalid(f"{name}, line {number}: {fault}", fault.code, line=number, **fault.values) from None
        if not line and tagged:
            yield record
            record, tagged = Record(number, {}, []), False
        elif not line and record.tags:
            tagged = True
    if record.tags:
        yield record


def read_tag(line: str, tags: dict[str, str]) -> None:
    """One tag line."""
    match = TAG.fullmatch(line)
    if not match:
        raise Invalid(f'{line!r} is not a tag, as in [Game "cartagena"]', code="not-a-tag", text=line)
    if match[1] in tags:
        raise Invalid(f"the tag {match[1]} is there twice", code="tag-twice", tag=match[1])
    tags[match[1]] = match[2]


def read_turn_line(line: str) -> tuple[int, list[str]]:
    """One turn's line: its number and its actions."""
    number, dot, rest = line.partition(". ")
    tokens = rest.split(" ")
    if not dot or not NUMBER.fullmatch(number) or "" in tokens:
        words = f"{line!r} is not a turn, as in '1. D0>5 B0>1 .' with one blank between"
        raise Invalid(words, code="not-a-turn", text=line)
    return int(number), tokens


def replay(record: Record) -> Game:
    """A recorded game, every action checked, and its result, and its luck where it has a Seed."""
    game, tags = begin(record), record.tags
    known = {*REQUIRED, *game.setup, "Start"}
    game.tags = {name: value for name, value in tags.items() if name not in known}
    game.replay(record.turns)
    if game.result != tags["Result"]:
        told, found = tags["Result"], game.result
        words = f"the Result is {told!r}, but the game's is {found!r}, in {game}"
        raise Invalid(words, code="wrong-result", told=told, found=found)
    if is_seeded(tags):
        fault = game.proves(game.chance)
        if fault:
            raise Invalid(fault, code="wrong-luck")
    return game


def begin(record: Record) -> Game:
    """A recorded game at its start."""
    tags = record.tags
    for name in REQUIRED:
        if name not in tags:
            raise Invalid(f"the tag {name} is missing", code="tag-missing", tag=name)
    if tags["Game"] not in games.kinds():
        words = f"[Game {tags['Game']!r}]: the games are {' and '.join(games.kinds())}"
        raise Invalid(words, code="unknown-game", name=tags["Game"])
    kind = games.kinds()[tags["Game"]].game
    names = check_names(tags["Seats"].split("/"), tags["Seats"].count("/") + 1)
    chance = chance_of(tags)
    if "Start" in tags:
        return begin_at(kind, tags, names, chance)
    for name in kind.setup:
        if name not in tags:
            raise Invalid(f"the tag {name} is missing", code="tag-missing", tag=name)
    return kind.from_tags(tags, names, chance)


def begin_at(kind: type[Game], tags: dict[str, str], names: tuple[str, ...], chance: Chance) -> Game:
    """A recorded game that began from a position."""
    game = kind.parse(tags["Start"], chance)
    if game.start != tags["Start"]:
        raise Invalid(f"[Start {tags['Start']!r}] is written {game.start!r}")
    if str(game.edition) != tags["Edition"]:
        raise Invalid(f"[Edition {tags['Edition']!r}] is not the edition of the Start, {game.edition}")
    if len(names) != game.players:
        raise Invalid(f"{len(names)} names for {game.players} seats")
    game.take_setup(tags)
    game.names = names
    return game


def is_seeded(tags: dict[str, str]) -> bool:
    """Whether the record has a seed to check its luck against."""
    return HEX.fullmatch(tags.get("Seed", "")) is not None


def is_proven(game: Game) -> bool:
    """Whether all luck of a checked game follows from its seed; a position to begin from could be anyone's choice."""
    return is_seeded(game.tags) and game.start is None


def chance_of(tags: dict[str, str]) -> Chance:
    """The luck of a recorded game; a new seed where it has none, for those who play on."""
    chance = Chance(bytes.fromhex(tags["Seed"]) if is_seeded(tags) else None)
    if "Seed" in tags and tags.get("Commitment", chance.commitment) != chance.commitment:
        raise Invalid(f"the SHA-256 of the Seed {tags['Seed']!r} is not the Commitment {tags['Commitment']!r}")
    return chance
