"""Puzzles: positions with one turn that is clearly the best.

`training/puzzles.py` finds them in games of strong bots, and writes a file of them for each kind of game.
"""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from importlib import resources
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from escapade import games, record
from escapade.game import Chance, Game

Verdict: TypeAlias = Literal["open", "right", "wrong"]


class Puzzle(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A position, the best turn of the seat to act in every order that it can be played in, and what it is worth.

    Where the best turn `line` wins, there are no `solutions`: whatever wins is right. `chance` is the seat's after it,
    `other` the next best turn and `less` the chance after that, all by what the seat can see. `solved` are the levels
    of bots that find it. With a `record`, nothing hidden, the turns before are part of the puzzle: they tell of the
    others' secrets.
    """

    id: str
    position: str
    themes: tuple[str, ...]
    line: tuple[str, ...]
    solutions: tuple[tuple[str, ...], ...]
    chance: float
    other: tuple[str, ...]
    less: float
    solved: tuple[str, ...]
    rating: int
    record: str = ""


class Tried(NamedTuple):
    """What some actions came to: the game after them, the actions as its record has them, and whether that is it."""

    game: Game
    tokens: tuple[str, ...]
    verdict: Verdict


@lru_cache
def puzzles(kind: str) -> dict[str, Puzzle]:
    """All puzzles of a kind of game by their ids; none where it has no file."""
    file = resources.files(__package__) / f"{kind}.jsonl"
    if not file.is_file():
        return {}
    found = [msgspec.json.decode(line, type=Puzzle) for line in file.read_bytes().splitlines()]
    return {puzzle.id: puzzle for puzzle in found}


def find(name: str) -> Puzzle | None:
    """A puzzle by its id."""
    return next((puzzles(kind)[name] for kind in games.kinds() if name in puzzles(kind)), None)


def of_the_day(day: date, kind: str) -> Puzzle | None:
    """The puzzle of a day: the same one everywhere, and all of a kind in turn before one comes again."""
    found = list(puzzles(kind).values())
    return found[day.toordinal() * 89 % len(found)] if found else None


def begin(puzzle: Puzzle) -> Game:
    """The game at the puzzle's position; its luck is the same for everyone."""
    seed = int.from_bytes(puzzle.id.encode())
    if not puzzle.record:
        return games.parse(puzzle.position, seed=seed)
    game = record.from_record(puzzle.record)
    game.chance = Chance(seed)
    return game


def remembered(puzzle: Puzzle, game: Game) -> str | None:
    """The record that the seat to act may consult, or None where there is nothing but the position."""
    return game.record(game.seat) if puzzle.record else None


def attempt(puzzle: Puzzle, actions: Sequence[str]) -> Tried:
    """Play some actions of the seat to act."""
    game = begin(puzzle)
    seat, turn = game.seat, game.turn
    tokens = tuple(game.play(action) for action in actions)
    if puzzle.solutions:
        fitting = [one for one in puzzle.solutions if one[: len(actions)] == tuple(actions)]
        whole = any(len(one) == len(actions) for one in fitting)
        return Tried(game, tokens, "right" if whole else ("open" if fitting else "wrong"))
    if seat in game.winners:
        return Tried(game, tokens, "right")
    return Tried(game, tokens, "open" if not game.over and (game.seat, game.turn) == (seat, turn) else "wrong")
