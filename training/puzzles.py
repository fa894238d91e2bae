"""Find puzzles in games of strong bots: turns that are clearly the best, and not the first that comes to mind.

    python training/puzzles.py --game jamaica --wanted 60 --jobs 2 --out src/escapade/puzzles/cartagena.jsonl

Every turn in games of mates is considered as a hint would be. It is a puzzle if by what its seat can see

- what it does best is better than all else by `GAP`, and on average of `TRIALS` more searches, each in worlds of its
  own, still by `GAP`, and by `SURE` if luck has favoured it by two standard errors;
- or it wins, and whoever misses that is not sure to win later;
- it has at least two choices, and the game is neither lost nor won anyway;
- a legend finds it, and a search far longer than its usual one begins with it;
- not every level of bots finds it. Those that do seed its rating;
- there is something to say about it: its themes follow from the reasons for the best turn.

With `--read` a puzzle has the turns before, as its seat has seen them, and then (by `READ_GAP` and `READ_SURE`)

- all that holds with them, whereas by the position alone another turn seems better, by `MISLED` on average;
- somebody who knows what is hidden prefers it to that other turn too: nobody is misled by what the others have done.

After a throw or an unknown card the rest of the turn belongs to the puzzle if that is clear as well. What is found is
added to the file, a line each, the easiest first. The same command finds the same puzzles; with `--wanted 0` those
that the file has are put in order, each once, and their themes told anew. With `--anew` all levels try those first, and
what a legend misses, or every level finds, goes; whether the best turn still is the best is not asked again.
"""

import hashlib
import itertools
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

import escapade
from escapade.bots import Bot, make
from escapade.bots.bot import Line
from escapade.game import Chance, Game
from escapade.games import LEVELS
from escapade.hints import consider, reasons, value
from escapade.puzzles import Puzzle, Tried, attempt, begin, remembered
from escapade.simulate import in_order

BOT = "mate"
GAP, SURE, TRIALS = 0.1, 0.07, 8
READ_GAP, READ_SURE = 0.06, 0.03  # reading is seldom worth `GAP`: with that, and twice MISLED, no puzzle was found
HOPELESS = 0.4  # of `GAP`: where less is left of it, no further search is spent on a position
LEAST = 0.0  # seconds for the least search: it tries everything in a few worlds, however long that takes
MISLED = 0.01
MATTERS = 0.07  # what the seat would gain by knowing the others' bets
LATE, LAST = 1, 2  # boats begun besides the first when there was something to be read, and with two pawns left
PATIENCE = 4  # turns of a seat, with the same pawns in boats, after which it is not expected any more
AGAIN = 6  # times that a game is played on from where it matters
MOST_TURNS = 120  # of a record: who solves it may go through all of them
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


def search_game(edition: str, players: int, seed: int, read: bool) -> list[Puzzle]:
    """The puzzles of one game."""
    found: list[Puzzle] = []
    game = escapade.new(edition + LIMIT, players, seed=seed)
    game.drop_commitment()
    bots = [make(BOT, game.kind, seed * 10 + seat) for seat in range(players)]
    for now in readable(game, bots, seed) if read else turns(game, bots):
        puzzle = examine(draft(now, read))
        if puzzle:
            found.append(puzzle)
        if len(found) == EACH:
            break
    return found


def turns(game: Game, bots: Sequence[Bot]) -> Iterator[Game]:
    """The game at the beginning of every turn and after every luck in it, while it is played to its end."""
    fresh = True
    while not game.over:
        seat, turn = game.seat, game.turn
        if fresh and not game.choosing:
            yield game
        action = bots[seat - 1].choose(game.view(seat), game.legal_actions(), game.record(seat))
        fresh = game.play(action) != action or game.turn != turn


def readable(game: Game, bots: Sequence[Bot], seed: int) -> Iterator[Game]:
    """The game whenever it matters what others have bet, and played on from the first such turn with other luck too."""
    games, again = [game], AGAIN
    while games:
        fruitless: Counter[tuple[int, str]] = Counter()
        for now in turns(games.pop(), bots):
            places = str(now).split(" ")[1]
            boats = places[places.find("#") :]
            given_up = [seat for seat in range(1, now.players + 1) if fruitless[seat, boats] == PATIENCE]
            if now.turn > MOST_TURNS or (boats.count(",") == LAST and len(given_up) == now.players):
                break
            if boats.count(",") < LATE or now.seat in given_up or len(now.legal_actions()) == 1:
                continue
            if matters(now):
                games += [with_luck(now, seed * 100 + k) for k in range(again)]
                again = 0
                yield now
            else:
                fruitless[now.seat, boats] += 1


def with_luck(game: Game, seed: int) -> Game:
    """The same game with other luck from now on."""
    other = game.copy()
    other.chance = Chance(seed)
    return other


def matters(game: Game) -> bool:
    """Whether the seat to act would do much better if it knew what the others have bet."""
    seat, blind = game.seat, consider(game.view(game.seat), None, 1, LEAST)[0].actions
    known = consider(str(game), None, 1, TIME, blind)
    missed = next(line for line in known if line.actions == blind[: len(line.actions)])
    return known[0].chances[seat - 1] - missed.chances[seat - 1] >= MATTERS


def draft(game: Game, read: bool) -> Puzzle:
    """A puzzle of which nothing but the position is known, and the turns before if it is about reading them."""
    position, record = str(game).replace(LIMIT, ""), game.record().replace(LIMIT, "") if read else ""
    return Puzzle(
        id=hashlib.sha256((position + record).encode()).hexdigest()[:8],
        position=position,
        themes=(),
        line=(),
        solutions=(),
        chance=1.0,
        other=(),
        less=0.0,
        solved=(),
        rating=0,
        record=record,
    )


def examine(puzzle: Puzzle) -> Puzzle | None:
    """The whole puzzle, if it is one."""
    game = begin(puzzle)
    seat, turn = game.seat, game.turn
    parts: list[Part] = []
    orders: list[tuple[str, ...]] = [()]
    if len(game.legal_actions()) == 1 or not (puzzle.record or is_worth_it(game)):
        return None
    while not game.over and (game.seat, game.turn) == (seat, turn):
        part = best_part(puzzle, game)
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
    return graded(puzzle) if not puzzle.record or is_read(puzzle) else None


def is_worth_it(game: Game) -> bool:
    """Whether the least search sees a win or one turn ahead, which spares most positions the whole one."""
    best, *others = (line.chances[game.seat - 1] for line in consider(game.view(game.seat), None, 1, LEAST))
    return best == 1 or best - max(others, default=0.0) >= HOPELESS * GAP


def is_read(puzzle: Puzzle) -> bool:
    """Whether another turn seems better without the turns before, and is worse for who knows what is hidden."""
    game = begin(puzzle)
    if not puzzle.solutions or is_right(puzzle, consider(game.view(game.seat), None, 1, TIME)[0].actions):
        return False
    blind = means(game.view(game.seat), None, game.seat)
    seeming = max(blind, key=blind.__getitem__)
    if is_right(puzzle, seeming) or not blind[seeming] - best_right(puzzle, blind) >= MISLED:
        return False
    known = means(str(game), remembered(puzzle, game), game.seat)
    return seeming in known and best_right(puzzle, known) > known[seeming]


def best_right(puzzle: Puzzle, chances: Mapping[tuple[str, ...], float]) -> float:
    """The chances by the best turn, as some searches see them; no number where not all of them have tried it."""
    return max((chance for actions, chance in chances.items() if is_right(puzzle, actions)), default=math.nan)


def is_right(puzzle: Puzzle, actions: Sequence[str]) -> bool:
    """Whether some actions are the best turn, or begin it."""
    return attempt(puzzle, actions).verdict != "wrong"


def searches(view: str, record: str | None, seat: int) -> Iterator[dict[tuple[str, ...], float]]:
    """A seat's chances by all that it may do, in one search after another, each in worlds of its own."""
    for seed in range(2, 2 + TRIALS):
        yield {line.actions: line.chances[seat - 1] for line in consider(view, record, seed, TIME)}


def means(view: str, record: str | None, seat: int) -> dict[tuple[str, ...], float]:
    """A seat's chances on average by what every search has considered."""
    found = list(searches(view, record, seat))
    return {
        one: statistics.fmean(each[one] for each in found) for one in found[0] if all(one in each for each in found)
    }


def choices(puzzle: Puzzle, actions: Sequence[str]) -> int:
    """How many of some actions, ends of turns aside, were chosen among several."""
    game, found = begin(puzzle), 0
    for action in actions:
        found += action != "." and len(game.legal_actions()) > 1
        game.play(action)
    return found


def best_part(puzzle: Puzzle, game: Game) -> Part | None:
    """What the seat to act does best up to the next luck, if that is clear by what it can see, or forced."""
    view, seat, legal, record = game.view(game.seat), game.seat, game.legal_actions(), remembered(puzzle, game)
    if len(legal) == 1:
        return Part((legal[0],), 0.0, (), 0.0)
    lines = consider(view, record, 1, TIME)
    best = lines[0]
    if best.chances[seat - 1] == 1:
        return Part(best.actions, 1.0, (), 0.0)
    if len(lines) < 2 or not best.chances[seat - 1] >= LOST or lines[1].chances[seat - 1] > WON:
        return None
    gap, sure = (READ_GAP, READ_SURE) if puzzle.record else (GAP, SURE)
    if best.chances[seat - 1] - lines[1].chances[seat - 1] < gap:
        return None
    return confirmed(view, record, seat, lines, gap, sure)


def confirmed(view: str, record: str | None, seat: int, lines: Sequence[Line], gap: float, sure: float) -> Part | None:
    """The first line if it is the best by far in other worlds too."""
    best, *others = (line.actions for line in lines)
    chances: dict[tuple[str, ...], list[float]] = {line.actions: [] for line in lines}
    for found in searches(view, record, seat):
        if not chances.keys() <= found.keys():
            return None
        for actions in chances:
            chances[actions].append(found[actions])
        if len(chances[best]) >= TRIALS // 2 and min(gap_of(chances, one) for one in others) < HOPELESS * gap:
            return None
    if any(gap_of(chances, other) < gap or gap_of(chances, other, errors=2) < sure for other in others):
        return None
    worth = {actions: round(statistics.fmean(some), 3) for actions, some in chances.items()}
    other = max(others, key=worth.__getitem__)
    return Part(best, worth[best], other, worth[other])


def gap_of(chances: Mapping[tuple[str, ...], Sequence[float]], other: tuple[str, ...], errors: int = 0) -> float:
    """By how much the first of some lines is better than another on average, less so many standard errors."""
    gaps = [mine - theirs for mine, theirs in zip(next(iter(chances.values())), chances[other], strict=True)]
    error = statistics.stdev(gaps) / math.sqrt(len(gaps)) if errors else 0.0
    return statistics.fmean(gaps) - errors * error


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


def graded(puzzle: Puzzle) -> Puzzle | None:
    """The puzzle with its themes and its rating, or None where a legend misses it or nobody does."""
    game = begin(puzzle)
    if not solves(puzzle, "legend"):
        return None
    deep = make(DEEP[game.kind], game.kind, 7)
    if not is_right(puzzle, [deep.choose(game.view(game.seat), game.legal_actions(), remembered(puzzle, game))]):
        return None
    solved = tuple(level for level in LEVELS if level == "legend" or solves(puzzle, level))
    if len(solved) == len(LEVELS):
        return None
    if not puzzle.solutions:
        missed = max(missing(puzzle, level) for level in LEVELS if level not in solved)
        if missed > WON:
            return None
        puzzle = msgspec.structs.replace(puzzle, less=round(missed, 3))
    lowest = next(k for k in range(len(LEVELS)) if len(set(LEVELS[k:]) - set(solved)) <= (k < len(LEVELS) - 2))
    puzzle = msgspec.structs.replace(puzzle, themes=themes(puzzle), solved=solved, rating=RATINGS[lowest])
    return puzzle if puzzle.themes else None


def themes(puzzle: Puzzle) -> tuple[str, ...]:
    """What a puzzle is about."""
    game = begin(puzzle)
    found = ["read"] if puzzle.record else []
    if not puzzle.solutions:
        found.append("win")
    why = [reason.code for reason in reasons(game.view(game.seat), puzzle.line)]
    found += [THEMES[code] for code in why if code in THEMES]
    if len(puzzle.solutions) == 1 and has_other_order(puzzle):
        found.append("order")
    return tuple(dict.fromkeys(found))


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
    found = 0
    for seed in range(TRIES):
        found += tries(puzzle, level, seed).verdict == "right"
        if max(found, seed + 1 - found) > TRIES // 2:
            break
    return found > TRIES // 2


def tries(puzzle: Puzzle, level: str, seed: int) -> Tried:
    """What a bot plays, up to where it is clear whether it has found it."""
    tried = attempt(puzzle, ())
    played: list[str] = []
    bot = make(level, tried.game.kind, seed)
    while tried.verdict == "open":
        game = tried.game
        played.append(bot.choose(game.view(game.seat), game.legal_actions(), remembered(puzzle, game)))
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
@click.option("--read", is_flag=True, help="Those for which the turns before must be read.")
@click.option("--anew", is_flag=True, help="Let all levels try those again that the file has.")
@click.option("--jobs", default=1, show_default=True, help="Processes to search on.")
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="File to add them to.")
def main(game: str, players: int, wanted: int, seed: int, read: bool, anew: bool, jobs: int, out: Path) -> None:
    """Find puzzles in games of strong bots."""
    if read and not game.startswith("evades"):
        raise click.BadParameter(f"bets are read in Les Évadés, not in {game}", param_hint="--read")
    rows = out.read_bytes().splitlines() if out.exists() else []
    read_in = (msgspec.json.decode(row, type=Puzzle) for row in rows)
    if anew:
        read_in = (puzzle for puzzle in in_order(graded, ((puzzle,) for puzzle in read_in), jobs) if puzzle)
    known = {puzzle.id: msgspec.structs.replace(puzzle, themes=themes(puzzle)) for puzzle in read_in}
    write(out, known.values())
    added = 0
    searching = in_order(search_game, ((game, players, seed + k, read) for k in itertools.count()), jobs)
    for searched, found in enumerate(searching if wanted else (), 1):
        new = [puzzle for puzzle in found if puzzle.id not in known]
        known.update({puzzle.id: puzzle for puzzle in new})
        added += len(new)
        write(out, known.values())
        click.echo(f"{game}, {players} players: {added} puzzles in {searched} games", err=True)
        if added >= wanted:
            break


def write(out: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write puzzles, the easiest first."""
    easiest_first = sorted(puzzles, key=lambda puzzle: (puzzle.rating, puzzle.id))
    out.write_bytes(b"".join(msgspec.json.encode(puzzle) + b"\n" for puzzle in easiest_first))


if __name__ == "__main__":
    main()
