"""Find puzzles in games of strong bots: turns that are clearly the best, and not the first that comes to mind.

    python training/puzzles.py --game jamaica --wanted 60 --jobs 2 --out src/escapade/puzzles/cartagena.jsonl

Every turn in games of mates is considered as a hint would be. It is a puzzle if by what its seat can see

- what it does best is better than all else by `GAP`, and on average of `TRIALS` more searches, each in worlds of its
  own, still by `GAP`, and by `SURE` if luck has favoured it by two standard errors;
- or it wins, and whoever misses that is not sure to win later;
- it has at least two choices, and the game is neither lost nor won anyway;
- a legend finds it, and a search far longer than its usual one begins with it;
- not every level of bots finds it. Those that do seed its rating.

After a throw or an unknown card the rest of the turn belongs to the puzzle if that is clear as well. What is found is
added to the file, a line each, the easiest first. The same command finds the same puzzles.
"""

import hashlib
import itertools
import math
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

import escapade
from escapade.bots import Bot, make
from escapade.bots.bot import Line
from escapade.game import Game
from escapade.games import LEVELS
from escapade.hints import consider, reasons, value
from escapade.puzzles import Puzzle, Tried, attempt, begin
from escapade.simulate import in_order

BOT = "mate"
GAP, SURE, TRIALS = 0.1, 0.07, 8
LOST, WON = 0.1, 0.9  # what is left of a seat's chances where there is nothing to be found any more
TIME = 60.0  # seconds for a search: its work bounds it
DEEP = {"cartagena": "legend(samples=256,time=60)", "evades": "legend(playouts=8000,time=60)"}
MOST_ORDERS = 40
EACH = 2  # most puzzles of one game: they resemble each other
TRIES = 3  # of each level; it finds what it finds in most of them
RATINGS = range(800, 3000, 200)  # by the lowest level from which on all find it, but one perhaps
LIMIT = "+turn-limit=300"
# What a turn is about, by the reasons for it.
THEMES = {
    "wins": "win",
    "stops-win": "stop",
    "uses-road": "road",
    "leaps": "road",
    "takes-cards": "hand",
    "closes-road": "block",
    "throws": "dice",
    "throws-white": "dice",
    "boards-as-bet": "bet",
    "boards-otherwise": "bet",
    "blocks": "block",
    "holds-back": "block",
    "hurries": "road",
}


class Part(NamedTuple):
    """What a seat does best up to the end of its turn or to the next luck; the next best, and the chances by both.

    Where there is no choice, there is no next best.
    """

    actions: tuple[str, ...]
    chance: float
    other: tuple[str, ...]
    less: float


def search_game(edition: str, players: int, seed: int) -> list[Puzzle]:
    """The puzzles of one game."""
    found: list[Puzzle] = []
    game = escapade.new(edition + LIMIT, players, seed=seed)
    bots = [make(BOT, game.kind, seed * 10 + seat) for seat in range(players)]
    for position in turns(game, bots):
        puzzle = examine(position.replace(LIMIT, ""))
        if puzzle:
            found.append(puzzle)
        if len(found) == EACH:
            break
    return found


def turns(game: Game, bots: Sequence[Bot]) -> Iterator[str]:
    """The position at the beginning of every turn and after every luck in it, while a game is played to its end."""
    fresh = True
    while not game.over:
        seat, turn = game.seat, game.turn
        if fresh and not game.choosing:
            yield str(game)
        action = bots[seat - 1].choose(game.view(seat), game.legal_actions(), game.record(seat))
        fresh = game.play(action) != action or game.turn != turn


def examine(position: str) -> Puzzle | None:
    """The puzzle that a position is, if it is one."""
    name = hashlib.sha256(position.encode()).hexdigest()[:8]
    puzzle = Puzzle(
        id=name,
        position=position,
        themes=(),
        line=(),
        solutions=(),
        chance=1.0,
        other=(),
        less=0.0,
        solved=(),
        rating=0,
    )
    game = begin(puzzle)
    view, seat, turn = game.view(game.seat), game.seat, game.turn
    parts: list[Part] = []
    orders: list[tuple[str, ...]] = [()]
    if len(game.legal_actions()) == 1:
        return None
    while not game.over and (game.seat, game.turn) == (seat, turn):
        part = best_part(game)
        if part is None:
            break
        parts.append(part)
        if part.chance == 1:
            break
        same = same_ends(game, part.actions)
        orders = [(*one, *other) for one in orders for other in same]
        for action in part.actions:
            game.play(action)
    actions = [str(action) for part in parts for action in part.actions]
    if choices(puzzle, actions) < 2 or len(orders) > MOST_ORDERS:
        return None
    last, first = parts[-1], parts[0]
    if last.chance < 1:
        puzzle = msgspec.structs.replace(puzzle, solutions=tuple(orders))
    elif len(parts) > 1:
        return None
    puzzle = msgspec.structs.replace(
        puzzle, line=tuple(actions), chance=first.chance, other=tuple(map(str, first.other)), less=first.less
    )
    return graded(puzzle, view, actions)


def choices(puzzle: Puzzle, actions: Sequence[str]) -> int:
    """How many of some actions, ends of turns aside, were chosen among several."""
    game, found = begin(puzzle), 0
    for action in actions:
        found += action != "." and len(game.legal_actions()) > 1
        game.play(action)
    return found


def best_part(game: Game) -> Part | None:
    """What the seat to act does best up to the next luck, if that is clear by what it can see, or forced."""
    view, seat, legal = game.view(game.seat), game.seat, game.legal_actions()
    if len(legal) == 1:
        return Part((legal[0],), 0.0, (), 0.0)
    lines = consider(view, None, 1, TIME)
    best = lines[0]
    if best.chances[seat - 1] == 1:
        return Part(best.actions, 1.0, (), 0.0)
    if len(lines) < 2 or not best.chances[seat - 1] >= LOST or lines[1].chances[seat - 1] > WON:
        return None
    if best.chances[seat - 1] - lines[1].chances[seat - 1] < GAP:
        return None
    return confirmed(view, seat, lines)


def confirmed(view: str, seat: int, lines: Sequence[Line]) -> Part | None:
    """The first line if it is the best by far in other worlds too."""
    tried: dict[tuple[str, ...], list[float]] = {line.actions: [] for line in lines}
    for seed in range(2, 2 + TRIALS):
        for line in consider(view, None, seed, TIME):
            if line.actions in tried:
                tried[line.actions].append(line.chances[seat - 1])
    of_best, other, less = tried.pop(lines[0].actions), lines[1].actions, 0.0
    for actions, chances in tried.items():
        gaps = [mine - theirs for mine, theirs in zip(of_best, chances, strict=False)]
        if len(gaps) < TRIALS or statistics.fmean(gaps) < GAP:
            return None
        if statistics.fmean(gaps) - 2 * statistics.stdev(gaps) / math.sqrt(TRIALS) < SURE:
            return None
        if statistics.fmean(chances) > less:
            other, less = actions, statistics.fmean(chances)
    return Part(lines[0].actions, round(statistics.fmean(of_best), 3), other, round(less, 3))


def same_ends(game: Game, actions: tuple[str, ...]) -> list[tuple[str, ...]]:
    """These actions, and all others, as many, that lead to the same position."""
    seat, goal = game.seat, game.copy()
    for action in actions:
        goal.play(action)
    end = str(goal)
    found: list[tuple[str, ...]] = []
    begun: list[tuple[tuple[str, ...], Game]] = [((), game)]
    for number in range(1, len(actions) + 1):
        grown: list[tuple[tuple[str, ...], Game]] = []
        for path, now in begun:
            for action in now.legal_actions():
                after = now.copy()
                after.play(action)
                if number == len(actions):
                    if str(after) == end:
                        found.append((*path, str(action)))
                elif not after.over and after.seat == seat:
                    grown.append(((*path, str(action)), after))
        begun = grown
    return found


def graded(puzzle: Puzzle, view: str, actions: Sequence[str]) -> Puzzle | None:
    """The puzzle with its themes and its rating, or None where a legend misses it or nobody does."""
    game = begin(puzzle)
    deep = make(DEEP[game.kind], game.kind, 7).choose(view, game.legal_actions(), None)
    if attempt(puzzle, [deep]).verdict == "wrong":
        return None
    solved = tuple(level for level in LEVELS if solves(puzzle, level))
    if "legend" not in solved or len(solved) == len(LEVELS):
        return None
    if not puzzle.solutions:
        missed = max(missing(puzzle, level) for level in LEVELS if level not in solved)
        if missed > WON:
            return None
        puzzle = msgspec.structs.replace(puzzle, less=round(missed, 3))
    lowest = next(k for k in range(len(LEVELS)) if len(set(LEVELS[k:]) - set(solved)) <= (k < len(LEVELS) - 2))
    found = [THEMES[reason.code] for reason in reasons(view, actions) if reason.code in THEMES]
    if len(puzzle.solutions) == 1 and has_other_order(puzzle):
        found.append("order")
    return msgspec.structs.replace(puzzle, themes=tuple(dict.fromkeys(found)), solved=solved, rating=RATINGS[lowest])


def has_other_order(puzzle: Puzzle) -> bool:
    """Whether the same actions can be played in another order, which leads elsewhere."""
    for order in itertools.permutations(puzzle.solutions[0]):
        game = begin(puzzle)
        if order != puzzle.solutions[0] and all(can_play(game, action) for action in order):
            return True
    return False


def can_play(game: Game, action: str) -> bool:
    """Play an action if it is legal."""
    if game.over or action not in game.legal_actions():
        return False
    game.play(action)
    return True


def solves(puzzle: Puzzle, level: str) -> bool:
    """Whether a level finds it in most tries."""
    return 2 * sum(tries(puzzle, level, seed).verdict == "right" for seed in range(TRIES)) > TRIES


def tries(puzzle: Puzzle, level: str, seed: int) -> Tried:
    """What a bot plays, up to where it is clear whether it has found it."""
    tried = attempt(puzzle, ())
    played: list[str] = []
    bot = make(level, tried.game.kind, seed)
    while tried.verdict == "open":
        game = tried.game
        played.append(bot.choose(game.view(game.seat), game.legal_actions(), None))
        tried = attempt(puzzle, played)
    return tried


def missing(puzzle: Puzzle, level: str) -> float:
    """The seat's chance after a level has missed a win."""
    game, seat = tries(puzzle, level, 0).game, begin(puzzle).seat
    return 1.0 if seat in game.winners else value(game.view(seat))[seat - 1]


@click.command()
@click.option("--game", default="jamaica", show_default=True, help="Edition.")
@click.option("--players", default=2, show_default=True, help="How many seats.")
@click.option("--wanted", default=60, show_default=True, help="How many puzzles to find.")
@click.option("--seed", default=1, show_default=True, help="Of the first game.")
@click.option("--jobs", default=1, show_default=True, help="Processes to search on.")
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="File to add them to.")
def main(game: str, players: int, wanted: int, seed: int, jobs: int, out: Path) -> None:
    """Find puzzles in games of strong bots."""
    rows = out.read_bytes().splitlines() if out.exists() else []
    known = {puzzle.id: puzzle for puzzle in (msgspec.json.decode(row, type=Puzzle) for row in rows)}
    added = 0
    searching = in_order(search_game, ((game, players, seed + k) for k in itertools.count()), jobs)
    for searched, found in enumerate(searching, 1):
        new = [puzzle for puzzle in found if puzzle.id not in known]
        known.update({puzzle.id: puzzle for puzzle in new})
        added += len(new)
        easiest_first = sorted(known.values(), key=lambda puzzle: (puzzle.rating, puzzle.id))
        out.write_bytes(b"".join(msgspec.json.encode(puzzle) + b"\n" for puzzle in easiest_first))
        click.echo(f"{game}, {players} players: {added} puzzles in {searched} games", err=True)
        if added >= wanted:
            break


if __name__ == "__main__":
    main()
