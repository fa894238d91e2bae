"""Matches between bots: the same deals with the seats rotated, ratings with intervals, a sequential test."""

import math
from collections.abc import Generator, Sequence
from functools import partial
from html import escape
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from escapade.bots import name_of
from escapade.cluster import Workers
from escapade.game import Invalid
from escapade.simulate import Match, Played, in_order, play_game, wilson

Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

ELO = 400 / math.log(10)
DRAWS = 1000
ERROR = 0.05  # of the sequential test: the chance of a wrong decision, either way
PRIOR = 1e-6  # of the ratings: pulls bots together, and only matters where no games compare them


class Block(NamedTuple):
    """One deal, played once for every rotation of the seats: which bot sat where, and how each game ended."""

    lineups: list[tuple[int, ...]]
    games: list[Played]


def play(match: Match, players: int, games: int, jobs: Workers) -> Generator[Block, None, None]:
    """Play at least `games` games, deal by deal; all pairings play the same deals."""
    meetings = lineups(len(match.bots), players)
    deals = math.ceil(games / (len(meetings) * players))
    if jobs != 1:
        play_game(match._replace(bots=match.bots[:1] * players, records=False), 1)
    tasks = ((lineup, deal) for deal in range(1, deals + 1) for lineup in meetings)
    return in_order(partial(play_block, match), tasks, jobs)


def lineups(bots: int, players: int) -> list[tuple[int, ...]]:
    """Who plays whom, by number: every pair, or all at one table, or the first against copies of the second."""
    if players == 2:
        return list(combinations(range(bots), 2))
    if bots == players:
        return [tuple(range(bots))]
    if bots == 2:
        return [(0, *[1] * (players - 1))]
    raise Invalid(
        f"{bots} bots for {players} seats: name as many as there are seats, or two, the first against the others"
    )


def rotated(lineup: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Every rotation of the seats."""
    return [lineup[i:] + lineup[:i] for i in range(len(lineup))]


def play_block(match: Match, lineup: tuple[int, ...], deal: int) -> Block:
    """Play a deal once for every rotation of the seats, with the same cards or dice each time."""
    seatings = rotated(lineup)
    games = [play_game(match._replace(bots=tuple(match.bots[i] for i in seats)), deal) for seats in seatings]
    return Block(seatings, games)


def wins_between(blocks: Sequence[Block], bots: int) -> Numbers:
    """How often each bot won against each other bot at its table; a shared win is split between the winners."""
    table = np.zeros((bots, bots))
    for block in blocks:
        for seats, game in zip(block.lineups, block.games, strict=True):
            winners = winning_bots(seats, game)
            for winner in winners:
                for other in set(seats) - winners:
                    table[winner, other] += 1 / len(game.winners)
    return table


def ratings(tables: Numbers) -> Numbers:
    """Elo ratings by Bradley and Terry's model, their mean 0, from a table of wins or from an array of such tables.

    Maximum likelihood by iterated Luce spectral ranking (Maystre and Grossglauser, 2015): the strengths are the
    stationary distribution of a walk from losers to winners, at rates of wins / (sum of both strengths) + PRIOR.
    """
    bots = tables.shape[-1]
    strengths = np.ones(tables.shape[:-1])
    for _ in range(100):  # about ten are enough, unless few pairs have met
        rates = PRIOR + tables / (strengths[..., None] + strengths[..., None, :])  # rows are winners, columns losers
        balance = rates - np.eye(bots) * rates.sum(axis=-2, keepdims=True)
        better = np.ones_like(strengths)  # only ratios are determined, so the first bot's is fixed at 1
        better[..., 1:] = np.linalg.solve(balance[..., 1:, 1:], -balance[..., 1:, :1])[..., 0]
        better *= bots / better.sum(axis=-1, keepdims=True)
        settled = np.allclose(better, strengths, rtol=1e-7, atol=0)
        strengths = better
        if settled:
            break
    logs = np.log(strengths)
    return np.asarray((logs - logs.mean(axis=-1, keepdims=True)) * ELO)


def half_wins_added(table: Numbers) -> Numbers:
    """The table with half a win more for both sides of every pair that met, so that bots that never lost are rated."""
    return np.where(table + table.T > 0, table + 0.5, 0.0)


def intervals(table: Numbers) -> list[tuple[float, float]]:
    """95 % intervals of the ratings, from random draws of each pair's winning chance given its games.

    A bootstrap over deals would give a bot that won them all an interval of no width. It would also use that games of
    one deal are paired, but that narrows the intervals by a few hundredths only.
    """
    rng = np.random.default_rng(1)
    chances = np.triu(rng.beta(table + 0.5, table.T + 0.5, (DRAWS, *table.shape)), 1)
    drawn = (table + table.T) * (chances + np.tril(1 - chances.swapaxes(1, 2), -1))
    low, high = np.percentile(ratings(drawn), [2.5, 97.5], axis=0)
    return [(float(a), float(b)) for a, b in zip(low, high, strict=True)]


def score(blocks: Sequence[Block]) -> list[float]:
    """The first bot's score in each deal, a drawn game counted half, between 0 and 1."""
    scores = []
    for block in blocks:
        won = [
            0.5 if not game.winners else sum(seats[s - 1] == 0 for s in game.winners) / len(game.winners)
            for seats, game in zip(block.lineups, block.games, strict=True)
        ]
        scores.append(sum(won) / len(won))
    return scores


def llr(scores: Sequence[float], elo0: float, elo1: float) -> float:
    """The log-likelihood ratio of two Elo differences, with the scores of whole deals taken as normally distributed."""
    # A lost and a won deal are added, or a few equal scores at the start would have no spread and look certain.
    spread = float(np.var([*scores, 0.0, 1.0]))
    s0, s1 = (1 / (1 + 10 ** (-elo / 400)) for elo in (elo0, elo1))
    return len(scores) * (s1 - s0) * (2 * float(np.mean(scores)) - s0 - s1) / (2 * spread)


def decided(ratio: float) -> str | None:
    """Which of the two hypotheses the sequential test has accepted, or None while it is undecided."""
    bound = math.log((1 - ERROR) / ERROR)
    return None if abs(ratio) < bound else ("elo1" if ratio > 0 else "elo0")


def summary(match: Match, blocks: Sequence[Block], sprt: tuple[float, float] | None) -> dict[str, Any]:
    """The result of a match in numbers."""
    names, games = list(map(name_of, match.bots)), [game for block in blocks for game in block.games]
    table = wins_between(blocks, len(names))
    bots = []
    for bot, (rating, interval) in enumerate(zip(ratings(half_wins_added(table)), intervals(table), strict=True)):
        played, won, actions, seconds = record_of(blocks, bot)
        low, high = wilson(won, max(1, played))
        bots.append(
            {
                "name": names[bot],
                "elo": float(rating),
                "elo_low": interval[0],
                "elo_high": interval[1],
                "games": played,
                "won": won,
                "share_low": low,
                "share_high": high,
                "ms_per_action": 1000 * seconds / actions if actions else None,
            }
        )
    result = {
        "game": match.edition,
        "seed": match.seed,
        "games": len(games),
        "drawn": sum(not game.winners for game in games),
        "shared": sum(
            len(winning_bots(seats, game)) > 1 for b in blocks for seats, game in zip(b.lineups, b.games, strict=True)
        ),
        "bots": bots,
        "wins": table.tolist(),
    }
    if sprt:
        ratio = llr(score(blocks), *sprt)
        result["sprt"] = {"elo0": sprt[0], "elo1": sprt[1], "llr": ratio, "decided": decided(ratio)}
    return result


def running(bots: Sequence[str], blocks: Sequence[Block]) -> str:
    """The score so far, for the progress bar."""
    return " ".join("{}: {}/{}".format(name, *record_of(blocks, bot)[1::-1]) for bot, name in enumerate(bots))


def winning_bots(seats: tuple[int, ...], game: Played) -> set[int]:
    """The bots whose seats have won: none in a drawn game, more than one in a shared win."""
    return {seats[seat - 1] for seat in game.winners}


def record_of(blocks: Sequence[Block], bot: int) -> tuple[int, int, int, float]:
    """How many games with this bot had a single winner, how many of them it won, its actions and its thinking time."""
    played = won = actions = 0
    seconds = 0.0
    for block in blocks:
        for seats, game in zip(block.lineups, block.games, strict=True):
            own = [seat for seat, sitting in enumerate(seats, 1) if sitting == bot]
            winners = winning_bots(seats, game)
            played += bool(own and len(winners) == 1)
            won += winners == {bot}
            for seat in own if game.thought else []:
                actions, seconds = actions + game.thought[seat - 1][0], seconds + game.thought[seat - 1][1]
    return played, won, actions, seconds


def plot(result: dict[str, Any]) -> str:
    """The ratings with their intervals as an SVG picture."""
    bots = sorted(result["bots"], key=lambda bot: -bot["elo"])
    low, high = min(bot["elo_low"] for bot in bots) - 20, max(bot["elo_high"] for bot in bots) + 20
    left = 30 + 8 * max(len(bot["name"]) for bot in bots)
    width, height = left + 580, 40 * len(bots) + 70

    def x(elo: float) -> str:
        return f"{left + 540 * (elo - low) / (high - low):.1f}"

    rows = []
    for row, bot in enumerate(bots):
        y = 50 + 40 * row
        rows.append(
            f'<text x="{left - 10}" y="{y + 5}" text-anchor="end">{escape(bot["name"])}</text>'
            f'<path d="M{x(bot["elo_low"])} {y}H{x(bot["elo_high"])}" stroke="#1b6b72" stroke-width="3"/>'
            f'<circle cx="{x(bot["elo"])}" cy="{y}" r="6" fill="#b3541e"/>'
            f'<text x="{x(bot["elo"])}" y="{y - 11}" text-anchor="middle" font-size="12">{bot["elo"]:+.0f}</text>'
        )
    title = escape(f"{result['game']}: {result['games']:,} games, Elo with 95 % intervals")
    rows.append(
        f'<text x="{left}" y="{height - 10}" font-size="12">{low:+.0f}</text>'
        f'<text x="{left + 540}" y="{height - 10}" font-size="12" text-anchor="end">{high:+.0f}</text>'
    )
    size = f'viewBox="0 0 {width} {height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="14">'
        f'<rect width="{width}" height="{height}" fill="#fffdf7"/><text x="20" y="24">{title}</text>'
        f"{''.join(rows)}</svg>\n"
    )
