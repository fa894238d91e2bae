"""How fast the compiled rules play uniformly random games: figures, in one thread or several."""

import time
from collections.abc import Callable
from threading import Thread
from typing import Any, TypeAlias

import numpy as np

from escapade.batch import PLAYED, open_box, play_some, table_of
from escapade.compiled import records
from escapade.games import editions, kind_of, kinds

Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Player: TypeAlias = Callable[[int, int, Numbers], None]


def wanted(game: str | None, players: int | None) -> list[tuple[str, int]]:
    """The editions and numbers of players to measure: all, or those of one edition with its house rules."""
    texts = list(editions(kinds().values())) if game is None else [game]
    return [(text, n) for text in texts for n in kind_of(text).players if players in (None, n)]


def batch_player(text: str, players: int, seed: int) -> Player:
    """A function that plays games from one number on and adds what happened to its totals; for one thread."""
    box = open_box(text, players)
    tables, play_them = records(table_of(box.kernel), 1), play_some.of(box.kind)

    def play(first: int, games: int, totals: Numbers) -> None:
        played = np.zeros((games, len(PLAYED)), np.int64)
        play_them(tables, box.rules, players, seed, first, played, np.zeros(4, np.int64))
        totals[:4] += games, *played[:, :2].sum(axis=0), np.count_nonzero(played[:, 2] == 0)

    return play


def measure(text: str, players: int, seconds: float, threads: int, seed: int) -> dict[str, Any]:
    """Play for so long; games, decisions, turns and time."""
    batch_player(text, players, seed)(0, 1, np.zeros(8, np.int64))
    totals = np.zeros((threads, 64), np.int64)  # a row a thread, too long to share a cache line
    cpu = np.zeros(threads)

    def work(thread: int) -> None:
        play = batch_player(text, players, seed + thread)
        began, games, done = time.thread_time(), 1, 0
        while not done or time.perf_counter() < end:
            at = time.perf_counter()
            play(done, games, totals[thread])
            done += games
            if time.perf_counter() - at < 0.02:
                games *= 2
        cpu[thread] = time.thread_time() - began

    start = time.perf_counter()
    end = start + seconds
    workers = [Thread(target=work, args=(thread,)) for thread in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    elapsed = time.perf_counter() - start
    games, decisions, turns, drawn = (int(total) for total in totals.sum(axis=0)[:4])
    return {
        "game": text,
        "players": players,
        "threads": threads,
        "seconds": elapsed,
        "games": games,
        "decisions": decisions,
        "games_per_s": games / elapsed,
        "decisions_per_s": decisions / elapsed,
        "decisions_per_cpu_s": decisions / cpu.sum(),
        "ns_per_decision": cpu.sum() / decisions * 1e9,
        "decisions_per_game": decisions / games,
        "turns_per_game": turns / games,
        "drawn": drawn / games,
    }
