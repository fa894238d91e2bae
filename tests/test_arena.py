"""The arena: fair pairings, and statistics with known answers."""

import json
import random
import xml.etree.ElementTree as ET
from pathlib import Path

import choix
import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import binomtest

import escapade
from escapade import arena
from escapade.cli import main
from escapade.simulate import Match, Played, wilson


def block(*winners: int) -> arena.Block:
    """A deal played by two bots from both seats, with the winner of each game (-1: drawn)."""
    games = []
    for seats, winner in zip([(0, 1), (1, 0)], winners, strict=True):
        won = (seats.index(winner) + 1,) if winner >= 0 else ()
        games.append(Played(won, 10, 5, 0, None, ((5, 0.5), (5, 1.0))))
    return arena.Block([(0, 1), (1, 0)], games)


def test_three_wins_to_one_are_191_elo() -> None:
    blocks = [block(0, 0)] * 50 + [block(0, 1)] * 50
    first, second = arena.ratings(arena.wins_between(blocks, 2))
    assert first - second == pytest.approx(190.85, abs=0.5)


def test_ratings_of_a_chain_add_up() -> None:
    table = np.array([[0, 75, 90], [25, 0, 75], [10, 25, 0]], float)
    first, second, third = arena.ratings(table)
    assert first - second == pytest.approx(190.85, abs=1)
    assert second - third == pytest.approx(190.85, abs=1)
    assert first + second + third == pytest.approx(0, abs=1e-6)


def random_table(rng: np.random.Generator, bots: int) -> arena.Numbers:
    """Wins between bots of random strengths, some pairs of which may never have met."""
    strengths = rng.normal(0, rng.choice([0.3, 2, 6]), bots)
    chances = 1 / (1 + np.exp(strengths - strengths[:, None]))
    met = np.triu(rng.integers(0, rng.choice([4, 50, 5000]), (bots, bots)) * (rng.random((bots, bots)) < 0.8), 1)
    won = rng.binomial(met, np.triu(chances))
    return (won + (met - won).T).astype(float)


def degenerate_tables(bots: int) -> list[arena.Numbers]:
    """No games, a bot that always won, one that always lost, an order without exceptions, groups that never met."""
    always, never = np.ones((bots, bots)) * 9, np.ones((bots, bots)) * 9
    always[:, 0], never[-1] = 0, 0
    order, groups = np.triu(np.ones((bots, bots)) * 50, 1), random_table(np.random.default_rng(bots), bots)
    groups[: bots // 2, bots // 2 :] = groups[bots // 2 :, : bots // 2] = 0
    tables = [np.zeros((bots, bots)), always, never, order, order[::-1, ::-1], groups, np.triu(groups)]
    return [table - np.diag(table.diagonal()) for table in tables]


@pytest.mark.parametrize("bots", [2, 3, 5, 8])
def test_ratings_are_those_of_choix(bots: int) -> None:
    rng = np.random.default_rng(bots)
    tables = [random_table(rng, bots) for _ in range(50)] + degenerate_tables(bots)
    # choix's own tolerance, 1e-8, is below its rounding error on some tables of bots that never won.
    expected = [choix.ilsr_pairwise_dense(table, alpha=1e-6, tol=1e-7) * arena.ELO for table in tables]
    assert np.allclose([arena.ratings(table) for table in tables], expected, rtol=0, atol=0.05)
    assert np.allclose(arena.ratings(np.array(tables)), expected, rtol=0, atol=0.05)


@pytest.mark.parametrize("total", [1, 2, 7, 100, 12_345])
def test_wilsons_interval_is_that_of_scipy(total: int) -> None:
    for count in {0, 1, total // 3, total - 1, total}:
        interval = binomtest(count, total).proportion_ci(method="wilson")
        assert wilson(count, total) == pytest.approx((interval.low, interval.high), abs=1e-9)


def test_the_interval_holds_the_true_difference_about_nineteen_times_in_twenty() -> None:
    rng, held = random.Random(1), 0
    for _ in range(40):
        blocks = [block(*(0 if rng.random() < 0.75 else 1 for _ in range(2))) for _ in range(80)]
        low, high = arena.intervals(arena.wins_between(blocks, 2))[0]
        held += low <= 190.85 / 2 <= high
    assert held >= 33


def test_a_bot_that_has_won_all_its_games_is_not_rated_for_certain() -> None:
    few, many = (arena.intervals(arena.wins_between([block(0, 0)] * n, 2))[0] for n in (6, 60))
    assert few[0] < many[0] < few[1]
    assert few[0] > 0


def test_a_drawn_game_is_half_a_point_and_no_win() -> None:
    blocks = [block(0, -1), block(-1, -1)]
    assert arena.score(blocks) == [0.75, 0.5]
    assert arena.wins_between(blocks, 2).tolist() == [[0, 1], [0, 0]]
    assert arena.record_of(blocks, 0) == (1, 1, 20, 3.0)


def test_a_win_that_two_bots_share_is_half_a_point_and_decides_nothing() -> None:
    shared = arena.Block([(0, 1)], [Played((1, 2), 10, 5, None, None, ())])
    assert arena.score([shared]) == [0.5]
    assert arena.record_of([shared], 0)[:2] == (0, 0)
    copies = arena.Block([(0, 1, 1)], [Played((2, 3), 10, 5, None, None, ())])
    assert [arena.record_of([copies], bot)[:2] for bot in (0, 1)] == [(1, 0), (1, 1)]


@pytest.mark.parametrize(("chance", "right"), [(0.5, "elo0"), (1 / (1 + 10 ** (-100 / 400)), "elo1")])
def test_the_sequential_test_decides_rightly(chance: float, right: str) -> None:
    rng, verdicts = random.Random(2), []
    for _ in range(40):
        scores: list[float] = []
        verdict = None
        while verdict is None:
            scores.append(sum(rng.random() < chance for _ in range(2)) / 2)
            verdict = arena.decided(arena.llr(scores, 0, 100))
        verdicts.append(verdict)
    assert verdicts.count(right) >= 34


@pytest.mark.parametrize(
    ("bots", "players", "meetings"),
    [(3, 2, [(0, 1), (0, 2), (1, 2)]), (3, 3, [(0, 1, 2)]), (2, 5, [(0, 1, 1, 1, 1)])],
)
def test_everyone_meets_from_every_seat(bots: int, players: int, meetings: list[tuple[int, ...]]) -> None:
    assert arena.lineups(bots, players) == meetings
    for lineup in meetings:
        assert {seats.index(lineup[0]) for seats in arena.rotated(lineup)} == set(range(players))


def test_bots_that_fill_no_table_are_refused() -> None:
    with pytest.raises(escapade.Invalid, match="3 bots for 4 seats"):
        arena.lineups(3, 4)


def test_a_deal_is_the_same_from_every_seat() -> None:
    played = arena.play_block(Match("tortuga", ("random", "first"), 3, True), (0, 1), 1)
    records = [game.record or "" for game in played.games]
    first, second = (
        [line for line in record.splitlines() if line.startswith(("[Deal", "[Pile", "[Tunnel"))] for record in records
    )
    assert first == second
    assert "bot:random/bot:first" in records[0]
    assert "bot:first/bot:random" in records[1]


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, ["arena", *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_a_match_is_told_in_words_numbers_records_and_a_picture(tmp_path: Path) -> None:
    out, svg = tmp_path / "games.esc", tmp_path / "elo.svg"
    match = ["buccaneer", "random", "--games", "12", "--seed", "4", "--out", str(out), "--plot", str(svg)]
    assert "buccaneer" in run(*match)
    summary = json.loads(run(*match, "--json"))
    assert summary["games"] == 12 == sum(1 for _ in escapade.read(out))
    assert [bot["won"] for bot in summary["bots"]] == [12, 0]
    assert summary["bots"][0]["elo_low"] <= summary["bots"][0]["elo"] <= summary["bots"][0]["elo_high"]
    assert "buccaneer" in "".join(ET.parse(svg).getroot().itertext())


def test_a_match_is_the_same_on_two_processes_and_stops_when_decided() -> None:
    games = ["first", "random", "--game", "evades", "--games", "24", "--seed", "4", "--json"]
    assert json.loads(run(*games))["wins"] == json.loads(run(*games, "--jobs", "2"))["wins"]
    decided = json.loads(run("buccaneer", "random", "--games", "400", "--seed", "4", "--sprt", "0", "50", "--json"))
    assert decided["sprt"]["decided"] == "elo1"
    assert decided["games"] < 400


def test_five_seats_are_the_first_against_copies_of_the_second() -> None:
    summary = json.loads(run("buccaneer", "random", "--players", "5", "--games", "10", "--seed", "4", "--json"))
    assert [bot["won"] for bot in summary["bots"]] == [10, 0]


@pytest.mark.parametrize(
    "arguments",
    [
        ["buccaneer"],
        ["buccaneer", "random", "--sprt", "5", "0"],
        ["a", "b"],
        ["buccaneer", "random", "first", "--players", "4"],
    ],
)
def test_a_match_that_cannot_be_is_refused(arguments: list[str]) -> None:
    done = CliRunner().invoke(main, ["arena", *arguments])
    assert done.exit_code == 1
    assert "Error" in done.output
