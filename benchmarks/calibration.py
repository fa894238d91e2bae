"""How well calibrated winning chances are: what an analysis tells at each turn of many games, against who won.

python benchmarks/calibration.py --game jamaica --players 2 --games 400 --jobs 13
python benchmarks/calibration.py --game evades --players 4 --bot mate --games 1200 --seed 110001 --alone
python benchmarks/calibration.py --game jamaica,first-escape --players 3 --bot mate --games 400 --seed 20001 --fit

By tenths and by role, for the chances told now and for those of the search without a network, at the same moments of
the same games (`--alone` leaves that search out, which takes most of the time); those that nobody wins, after 300 turns
at the latest, are left out. `--analysed 20` goes over that many of the games too: how many turns are called mistakes
and blunders, how much luck there was, and how long it takes. `--fit` does nothing but find the weights that chances are
made with from what each seat thinks (see bots/onlooker.py); `--seed` keeps the games for that apart from those that are
measured.
"""

from collections.abc import Callable
from time import process_time
from typing import NamedTuple

import click
import numpy as np

import escapade
from escapade.analysis import Judged, analyze
from escapade.bots import make
from escapade.bots.cartagena import players as cartagena
from escapade.bots.evades import players as evades
from escapade.bots.onlooker import UNLIKELY, Sums, Weights
from escapade.hints import onlooker, outlook
from escapade.simulate import in_order

LIMIT = 300  # turns after which a game is broken off

Reals = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Seats = np.ndarray[tuple[int], np.dtype[np.int64]]

# The search without a network, as it told chances before there were any.
BEFORE: dict[str, Callable[[str], tuple[float, ...]]] = {
    "cartagena": lambda position: cartagena.outlook(position, 1, 32, 1.0),
    "evades": lambda position: evades.consider(position, None, 1, 4000, 1.0)[0].chances,
}


class Moment(NamedTuple):
    """The start of a turn: whose it is, what is told and was told, and what each seat (row) thinks."""

    seat: int
    told: tuple[float, ...]
    before: tuple[float, ...]
    opinions: Sums | None


class Played(NamedTuple):
    """A game: its moments, each seat's share of the win, its turns judged, and the seconds that took."""

    moments: list[Moment]
    won: list[float]
    turns: list[Judged]
    seconds: float


def play(game_text: str, players: int, bot: str, seed: int, judged: bool, compared: bool) -> Played:
    """Play a game, and write down what is told at the start of every turn."""
    game = escapade.new(f"{game_text}+turn-limit={LIMIT}", players, seed=seed)
    seats = [make(bot, game.kind, seed + seat) for seat in range(players)]
    moments, last, looker = [], 0, onlooker(game)
    while not game.over:
        if game.turn != last:
            last, position = game.turn, str(game)
            told = looker.chances(game) if looker else outlook(position, 1, 1.0)
            opinions = looker.opinions(game) if looker else None
            before = BEFORE[game.kind](position) if compared else told
            moments.append(Moment(game.seat - 1, told, before, opinions))
        seated = seats[game.seat - 1]
        record = game.record(game.seat) if seated.remembers else None
        action = seated.choose(game.view(game.seat), game.legal_actions(), record)
        if looker:
            looker.foresee(game, action)
        game.play(action)
    won = [(seat in game.winners) / max(1, len(game.winners)) for seat in range(1, players + 1)]
    began = process_time()
    turns = list(analyze(game)) if judged else []
    return Played(moments, won, turns, process_time() - began)


def table_of_tenths(columns: list[Reals], won: Reals) -> None:
    """Print what was told and won in each tenth."""
    head = "turns | on average | won | difference |"
    print(f"| told | {' before: '.join([head] * len(columns))}\n|{'---|' * (1 + 4 * len(columns))}")
    for tenth in range(10):
        cells = []
        for chances in columns:
            some = np.minimum(chances * 10, 9).astype(int) == tenth
            mean, share = (part[some].mean() if some.any() else np.nan for part in (chances, won))
            cells.append(f"{some.sum()} | {mean:.1%} | {share:.1%} | {100 * (mean - share):+.1f}")
        print(f"| {tenth / 10:.0%} to {(tenth + 1) / 10:.0%} | {' | '.join(cells)} |")


def table_of_roles(columns: list[Reals], won: Reals, seats: Seats) -> None:
    """Print what was won and told on average by the seat to act, the next one, and so on."""
    print(f"\n| role | won | {' | before: '.join(['told'] * len(columns))} |\n|{'---|' * (2 + len(columns))}")
    for role in range(won.shape[1]):
        some = (seats + role) % won.shape[1]
        cells = [f"{np.take_along_axis(part, some[:, None], 1).mean():.1%}" for part in (won, *columns)]
        name = "to act" if role == 0 else f"{role} later"
        print(f"| {name} | {' | '.join(cells)} |")


def fit(inputs: Reals, won: Reals) -> Weights:
    """The weights of inputs (game, seat, input) whose softmax makes the wins likeliest, by Newton's method."""
    weights = np.zeros(inputs.shape[2])
    for _ in range(30):
        shares = np.exp(inputs @ weights)
        shares /= shares.sum(1, keepdims=True)
        apart = inputs - (shares[:, :, None] * inputs).sum(1, keepdims=True)
        slope = ((won - shares)[:, :, None] * inputs).sum((0, 1))
        curve = np.einsum("nk,nki,nkj->ij", shares, apart, apart)
        weights += np.linalg.solve(curve + 1e-6 * np.eye(len(weights)), slope)
    return weights


def fitted(games: list[Played]) -> list[float]:
    """The row of weights for these games (see bots/onlooker.py)."""
    pooled, single, won = [], [], []
    for game in games:
        for moment in game.moments:
            if moment.opinions is None or max(moment.told) == 1:
                continue
            seats = len(moment.opinions)
            opinions = np.log(np.maximum(moment.opinions, UNLIKELY))
            own, acts = np.diag(opinions), np.arange(seats) == moment.seat
            pooled.append(np.stack([own, (opinions.sum(0) - own) / (seats - 1), acts], 1))
            single.append(np.stack([opinions[moment.seat], acts], 1))
            won.append(game.won)
    rows = [fit(np.array(inputs), np.array(won)) for inputs in (pooled, single)]
    return [round(float(weight), 2) for row in rows for weight in row]


def tell_analysed(games: list[Played]) -> None:
    """Print what analyses of the games found."""
    turns = [turn for game in games for turn in game.turns]
    shares = [sum(turn.mark == mark for turn in turns) / len(turns) for mark in ("mistake", "blunder")]
    given = sum(turn.lost for turn in turns) / len(turns)
    print(f"\nOf {len(turns)} turns {shares[0]:.1%} are mistakes and {shares[1]:.1%} blunders; {given:.1%} given away.")
    luck = np.array([turn.luck for turn in turns if turn.luck])
    if len(luck):
        print(f"Luck changed a chance by {np.abs(luck).mean():.1%} a turn.")
    seconds = [game.seconds for game in games if game.turns]
    print(f"Seconds a game: {np.median(seconds):.1f} in the middle, at most {max(seconds):.1f}.")


@click.command()
@click.option("--game", default="jamaica", show_default=True, help="Edition, or several joined by commas.")
@click.option("--players", default=2, show_default=True, help="Seats.")
@click.option("--bot", default="captain", show_default=True, help="Who plays.")
@click.option("--games", default=60, show_default=True, help="How many games of each edition.")
@click.option("--seed", default=0, show_default=True, help="Seed of the first game.")
@click.option("--analysed", default=0, show_default=True, help="How many of them are analysed.")
@click.option("--alone", is_flag=True, help="Leave out the search without a network.")
@click.option("--fit", "fits", is_flag=True, help="Find the weights that chances are made with.")
@click.option("--jobs", default=2, show_default=True, help="Processes.")
def main(
    game: str, players: int, bot: str, games: int, seed: int, analysed: int, alone: bool, fits: bool, jobs: int
) -> None:
    """Play, compare, print."""
    tasks = (
        (edition, players, bot, seed + place * games + number, number < analysed, not alone and not fits)
        for place, edition in enumerate(game.split(","))
        for number in range(games)
    )
    played = list(in_order(play, tasks, jobs))
    found = [one for one in played if sum(one.won)]
    if len(found) < len(played):
        print(f"{len(played) - len(found)} games were won by nobody and are left out.")
    if fits:
        print(f"{game}, {players} players, {games} games of {bot}: weights {fitted(found)}")
        return
    moments = [(moment, one.won) for one in found for moment in one.moments if one.moments]
    told, before, won = (
        np.array(part)
        for part in zip(*((moment.told, moment.before, shares) for moment, shares in moments), strict=True)
    )
    print(f"{game}, {players} players, {games} games of {bot}, {len(told)} turns\n")
    columns = [told] if alone else [told, before]
    table_of_tenths(columns, won)
    table_of_roles(columns, won, np.array([moment.seat for moment, _ in moments]))
    scores = [f"{((chances - won) ** 2).mean():.4f}" for chances in (*columns, np.full_like(won, 1 / players))]
    print(f"\nBrier score {'; before '.join(scores[:-1])}; knowing nothing {scores[-1]}.")
    if analysed:
        tell_analysed(found)


if __name__ == "__main__":
    main()
