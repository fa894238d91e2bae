"""Puzzles for whoever asks: tried action by action, and rated by those who try them."""

import datetime
import time
from collections import OrderedDict
from collections.abc import Sequence

from escapade import games, hints, puzzles
from escapade.game import Game, Illegal, Invalid
from escapade.glicko import Rating, rated
from escapade.puzzles import Puzzle
from escapade.server import thinking
from escapade.server.messages import (
    Answered,
    AskRating,
    Puzzled,
    PuzzleRow,
    Puzzles,
    Rated,
    Refused,
    Step,
    Why,
)
from escapade.server.store import Store
from escapade.server.tables import Tables

NEW = 150.0  # deviation of a puzzle's rating that was seeded by bots
SURE = 60.0  # a stranger's own rating counts as no surer than this
LEAST = 45.0  # a puzzle's rating goes on moving
MOST_NOTED = 20_000  # who has rated which puzzle lately
OLD = 60.0  # seconds after which ratings are read again, as other processes change them too
WEIGHING = 0.3  # seconds that it takes to tell what a wrong turn gives away


class Puzzling:
    """The puzzles with their ratings."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.ratings: dict[str, tuple[Rating, int]] | None = None
        self.asked = 0.0  # when they were read
        self.lately: OrderedDict[tuple[str, str], None] = OrderedDict()

    @property
    def store(self) -> Store:
        """Where ratings are kept."""
        return self.tables.store

    async def rating(self, puzzle: Puzzle) -> tuple[Rating, int]:
        """A puzzle's rating, and how many have tried it."""
        if self.ratings is None or time.monotonic() - self.asked > OLD:
            self.ratings, self.asked = await self.store.puzzle_ratings(), time.monotonic()
        return self.ratings.get(puzzle.id, (Rating(puzzle.rating, NEW), 0))

    async def all(self) -> Puzzles:
        """All puzzles, and those of today."""
        rows, today = [], datetime.datetime.now(datetime.UTC).date()
        for kind in games.kinds():
            for puzzle in puzzles.puzzles(kind).values():
                rating, tries = await self.rating(puzzle)
                row = PuzzleRow(
                    id=puzzle.id,
                    kind=kind,
                    game=puzzle.position.split(" ", 1)[0],
                    rating=round(rating.rating),
                    tries=tries,
                    themes=list(puzzle.themes),
                )
                rows.append(row)
        chosen = {kind: puzzles.of_the_day(today, kind) for kind in games.kinds()}
        return Puzzles(puzzles=rows, today={kind: one.id for kind, one in chosen.items() if one}, day=str(today))

    def find(self, name: str) -> Puzzle:
        """A puzzle by its id."""
        puzzle = puzzles.find(name)
        if puzzle is None:
            raise Refused("no-puzzle")
        return puzzle

    async def attempt(self, puzzle: Puzzle, actions: list[str], give_up: bool, visitor: str) -> Puzzled:
        """What some actions come to, and whether they are it; the answer once it is found or not wanted any more."""
        await self.tables.ready[games.kind_of(puzzle.position).name].wait()
        try:
            tried = puzzles.attempt(puzzle, actions)
        except (Illegal, Invalid) as why:
            raise Refused("illegal", str(why)) from None
        start = puzzles.begin(puzzle)
        seat, lost = start.seat, None
        if tried.verdict == "wrong":
            work = thinking.give_away, start.kind, puzzle.id, list(tried.tokens)
            lost = await self.tables.thinkers.think(*work, cost=WEIGHING, visitors=[visitor])
        return Puzzled(
            id=puzzle.id,
            game=str(start.edition),
            kind=start.kind,
            rules=dict(start.edition.rules),
            players=start.players,
            seat=seat,
            opening=start.beginning().view(seat),
            before=[] if actions else steps(start.beginning(), tokens_of(start), seat),
            start=start.view(seat),
            steps=steps(start, tried.tokens, seat),
            legal=tried.game.offers(seat) if tried.verdict == "open" else [],
            verdict=tried.verdict,
            lost=lost,
            answer=answer(puzzle) if give_up or tried.verdict == "right" else None,
        )

    async def rate(self, puzzle: Puzzle, asked: AskRating, visitor: str) -> Rated:
        """Rate somebody who has tried a puzzle, and the puzzle; from one address it counts for the puzzle once."""
        mine = Rating(asked.rating, asked.deviation, asked.volatility)
        theirs, tries = await self.rating(puzzle)
        after = rated(mine, [(theirs, float(asked.solved))])
        if (visitor, puzzle.id) not in self.lately:
            self.lately[visitor, puzzle.id] = None
            if len(self.lately) > MOST_NOTED:
                self.lately.popitem(last=False)
            stranger = mine._replace(deviation=max(SURE, mine.deviation))
            while True:
                theirs = rated(theirs, [(stranger, 1.0 - asked.solved)])
                theirs = theirs._replace(deviation=max(LEAST, theirs.deviation))
                if await self.store.rate_puzzle(puzzle.id, theirs, tries + 1):
                    break
                self.ratings = None  # another process has rated it meanwhile
                theirs, tries = await self.rating(puzzle)
            assert self.ratings is not None
            self.ratings[puzzle.id] = theirs, tries + 1
        return Rated(
            rating=after.rating,
            deviation=after.deviation,
            volatility=after.volatility,
            puzzle=round(theirs.rating),
            tries=tries + 1,
        )


def steps(game: Game, tokens: Sequence[str], seat: int) -> list[Step]:
    """Actions from a position on, as a seat sees them."""
    found, game = [], game.copy()
    for token in tokens:
        actor, turn = game.seat, game.turn
        game.play(token)
        found.append(Step(seat=actor, turn=turn, action=game.shown(token, actor, seat), view=game.view(seat)))
    return found


def tokens_of(game: Game) -> list[str]:
    """All recorded actions."""
    return [token for _, some in game.turns for token in some]


def answer(puzzle: Puzzle) -> Answered:
    """The best turn, the next best, what they are worth, and what speaks for the best."""
    game = puzzles.begin(puzzle)
    view, line = game.view(game.seat), list(puzzle.line)
    return Answered(
        line=line,
        steps=steps(game, puzzles.attempt(puzzle, line).tokens, game.seat),
        chance=puzzle.chance,
        other=list(puzzle.other),
        less=puzzle.less,
        reasons=[Why(code=reason.code, values=reason.values) for reason in hints.reasons(view, line)],
        solved=list(puzzle.solved),
    )
