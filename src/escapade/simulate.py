"""Play many games between named bots, in one process, several or on a cluster, without keeping them in memory."""

import hashlib
import math
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from escapade.bots import Player, ask, make, name_of
from escapade.cluster import Cluster, Workers
from escapade.game import Game, Invalid
from escapade.games import kind_of, new

Done = TypeVar("Done")

COMPILED = ("random", "first")
TURN_LIMIT = 1000
CHUNK = 25
QUANTILE = 1.959963984540054  # 95 % of a normal distribution lies within so many standard deviations


class Played(NamedTuple):
    """What is kept of a finished game."""

    winners: tuple[int, ...]
    actions: int
    turns: int
    reshuffles: int | None
    record: str | None
    thought: tuple[tuple[int, float], ...]  # each seat's actions and the seconds spent on them; empty if compiled


class Match(NamedTuple):
    """Which games to play: the edition, who sits where, and the seed that all deals follow from."""

    edition: str
    bots: tuple[Player, ...]
    seed: int
    records: bool


def limited(text: str) -> str:
    """The edition with the turn limit for simulations added, unless it sets its own."""
    return text if "+turn-limit=" in text else f"{text}+turn-limit={TURN_LIMIT}"


def seat_players(named: Sequence[Player], edition: str, players: int) -> tuple[Player, ...]:
    """Who sits where, from one name for all seats or one for each."""
    for name in named:
        make(name, kind_of(edition).name, 0)
    if players > len(named) > 1 or len(named) > players:
        raise Invalid(f"{len(named)} players named for {players} seats; name one for all or one for each")
    return tuple(named) * players if len(named) == 1 else tuple(named)


def is_compiled(match: Match) -> bool:
    """Whether compiled code can play these games on its own."""
    return all(bot in COMPILED for bot in match.bots)


def play_with_bots(game: Game, bots: Sequence[Player], seed: int) -> tuple[tuple[int, float], ...]:
    """Play to the end, each bot choosing from its seat's view; returns each seat's actions and seconds."""
    seated = [make(bot, game.kind, seed + seat) for seat, bot in enumerate(bots)]
    thought = [(0, 0.0)] * len(bots)
    while not game.over:
        seat, view, legal = game.seat - 1, game.view(game.seat), game.legal_actions()
        bot = seated[seat]
        record = game.record(game.seat) if bot.remembers else None
        began = time.perf_counter()
        choice = ask(bot, view, legal, record)
        thought[seat] = thought[seat][0] + 1, thought[seat][1] + time.perf_counter() - began
        game.play(choice)
    return tuple(thought)


def play_game(match: Match, number: int) -> Played:
    """Play game number `number` of a match, its seed derived from that of the match."""
    seed = hashlib.sha256(b"escapade %d %d" % (match.seed, number)).digest()
    names = [f"bot:{name_of(bot)}" for bot in match.bots]
    game = new(limited(match.edition), len(match.bots), seed=seed, names=names)
    numbers = game.chance.numbers("players", 2)
    thought: tuple[tuple[int, float], ...] = ()
    if is_compiled(match):
        firsts = sum(1 << seat for seat, bot in enumerate(match.bots) if bot == "first")
        actions = game.play_out(firsts, np.array(numbers, np.uint64))
    else:
        thought = play_with_bots(game, match.bots, numbers[0])
        actions = sum(count for count, _ in thought)
    return Played(
        game.winners,
        actions,
        game.turns[-1][0],
        getattr(game, "reshuffles", None),
        game.record() if match.records else None,
        thought,
    )


def play_chunk(match: Match, first: int, end: int) -> list[Played]:
    """Play the games from number `first` up to, not including, `end`."""
    return [play_game(match, number) for number in range(first, end)]


def play_games(match: Match, games: int, jobs: Workers) -> Generator[list[Played], None, None]:
    """Play games 1 to `games` and yield them in order, in chunks; the same games for any number of processes."""
    if jobs != 1:
        play_game(match, 1)  # compiles once, instead of in every process
    size = CHUNK if is_compiled(match) else 1
    chunks = ((first, min(first + size, games + 1)) for first in range(1, games + 1, size))
    return in_order(partial(play_chunk, match), chunks, jobs)


def in_order(work: Callable[..., Done], tasks: Iterable[tuple[Any, ...]], jobs: Workers) -> Generator[Done, None, None]:
    """Yield the results of tasks in the order of the tasks, worked on by `jobs` processes or by a cluster."""
    if isinstance(jobs, Cluster):
        yield from jobs.in_order(work, tasks)
        return
    if jobs == 1:
        for task in tasks:
            yield work(*task)
        return
    with ProcessPoolExecutor(jobs, initializer=leave_interrupt_to_parent) as pool:
        waiting: deque[Future[Done]] = deque()
        try:
            for task in tasks:
                waiting.append(pool.submit(work, *task))
                if len(waiting) > 2 * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def first_interrupt() -> Iterator[Callable[[], bool]]:
    """Yields a function that says whether Ctrl-C was pressed, so that games can finish; a second Ctrl-C interrupts."""
    came: list[bool] = []
    theirs = signal.getsignal(signal.SIGINT)

    def note(*_: object) -> None:
        came.append(True)
        signal.signal(signal.SIGINT, theirs)

    if theirs != signal.SIG_IGN:
        signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(came)
    finally:
        signal.signal(signal.SIGINT, theirs)


def leave_interrupt_to_parent() -> None:
    """Ignore Ctrl-C in worker processes: the parent handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def wilson(count: float, total: float) -> tuple[float, float]:
    """Wilson's 95 % interval for a share."""
    z2 = QUANTILE**2
    middle = (count + z2 / 2) / (total + z2)
    reach = QUANTILE / (total + z2) * math.sqrt(count * (total - count) / total + z2 / 4)
    return middle - reach if count else 0.0, middle + reach if count < total else 1.0


class Tally:
    """Running counts over finished games."""

    def __init__(self, players: int) -> None:
        self.games = self.drawn = self.shared = 0
        self.wins = [0] * players
        self.sums: dict[str, list[float]] = {name: [0, 0, math.inf, 0] for name in ("turns", "actions", "reshuffles")}

    def add(self, played: Played) -> None:
        """Count a game."""
        self.games += 1
        self.drawn += not played.winners
        self.shared += len(played.winners) > 1
        for seat in played.winners:
            self.wins[seat - 1] += 1
        for name, sums in self.sums.items():
            value = getattr(played, name)
            if value is not None:
                sums[:] = sums[0] + value, sums[1] + value**2, min(sums[2], value), max(sums[3], value)

    def summary(self) -> dict[str, Any]:
        """Shares with 95 % Wilson intervals, means with their standard errors."""

        def share(count: int) -> dict[str, Any]:
            low, high = wilson(count, self.games)
            return {"count": count, "share": count / self.games, "low": low, "high": high}

        lengths = {}
        for name, (total, squares, least, most) in self.sums.items():
            if least < math.inf:
                mean = total / self.games
                error = math.sqrt(max(0.0, squares / self.games - mean**2) / self.games)
                lengths[name] = {"mean": mean, "standard_error": error, "least": least, "most": most}
        wins = [{"seat": seat, **share(count)} for seat, count in enumerate(self.wins, 1)]
        return {"games": self.games, "wins": wins, "drawn": share(self.drawn), "shared": self.shared, **lengths}
