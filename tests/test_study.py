"""A study: its player is the network, its page has every figure, and its statistics find what was put in."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from escapade.bots.cartagena import whole as cartagena
from escapade.bots.cartagena.legend import Mate
from escapade.bots.cartagena.turns import nth_of
from escapade.bots.evades import whole as evades
from escapade.bots.evades.legend import NetSearch, net_for
from escapade.bots.evades.players import number_of
from escapade.bots.evades.reading import no_beliefs, notes_of
from escapade.cartagena.kernel import ACTION
from escapade.cartagena.notation import MOVES
from escapade.cartagena.position import Cartagena
from escapade.cli import main
from escapade.evades.position import Evades
from escapade.games import CARTAGENA, new
from escapade.simulate import wilson
from escapade.study import figures


@pytest.mark.parametrize("edition", ["jamaica", "tortuga"])
def test_the_player_of_cartagena_is_the_network_which_sees_no_more_than_its_view(edition: str) -> None:
    player, mate = cartagena.Player(edition + "+turn-limit=1000", 2, 5), Mate(1)
    player.deal(3)
    _, turns, _ = player.play(3)
    for at in range(0, turns, 3):
        states = player.course[at : at + 1].copy()
        game = Cartagena.from_states(CARTAGENA.edition(edition), states, 2)
        chosen = nth_of(cartagena.choose(states, player.table, cartagena.ALL), 0)
        said = mate.choose(game.view(game.seat), game.legal_actions(), None)
        assert chosen == MOVES[said] & ACTION, str(game)


def test_the_player_of_les_evades_takes_what_the_network_likes_best() -> None:
    game = new("evades", 2, seed=4)
    assert isinstance(game, Evades)
    player, net = evades.Player("evades+turn-limit=1000", 2, 5), net_for(game)
    assert net
    for bet in ("bet:br.yl.do.n", "bet:dn.bo.ry.l"):
        game.play(bet)
    while not game.over and game.turn < 30:
        legal = list(map(str, game.legal_actions()))
        player.states[0], player.table.notes[:] = game.states[0], notes_of(game.record(game.seat))
        rolls = legal[0].startswith("roll:")
        action = (evades.choose_roll if rolls else evades.choose_move)(player.states, player.table)
        said = next(text for text in legal if number_of(text) == action)
        if len(legal) > 1:
            search = NetSearch(game, net, notes_of(game.record(game.seat)), no_beliefs(2), 1, 1000)
            search.list_starts(())
            best = [legal[k] for start in range(len(search.prior)) if search.prior[start] == max(search.prior)
                    for k in search.firsts[start]]  # fmt: skip
            assert said in best, str(game)
        game.play(said)


def figures_of(page: str) -> dict[str, dict[str, object]]:
    """The figures of a page by their keys, read from the page itself."""
    found = re.search(r'<script type="application/json" id="figures">(.*?)</script>', page, re.DOTALL)
    assert found
    return {figure["key"]: figure for figure in json.loads(found[1])["figures"]}


def study(out: Path, *options: str) -> str:
    """Run a small study, and its page."""
    done = CliRunner().invoke(main, ["study", "--games", "4", "--players", "2", "--out", str(out), *options])
    assert done.exit_code == 0, done.output
    return out.read_text()


def test_a_small_study_has_every_figure_and_needs_no_other_file(tmp_path: Path) -> None:
    page = study(tmp_path / "study.html", "--editions", "tortuga")
    told = figures_of(page)
    assert {"seats", "turns", "skill", "luck", "player", "tunnels", "card", "symbols", "row", "first-turns"} <= set(
        told
    )
    for figure in told.values():
        for group in figure["groups"]:  # type: ignore[attr-defined]
            for row in group["rows"]:
                assert row["low"] is None or row["low"] <= row["value"] + 1e-9 <= row["high"] + 2e-9, row
    assert not re.search(r'(src|href)="(?!#)|url\(|@import', page)
    assert [path.name for path in tmp_path.iterdir()] == ["study.html"]


def test_a_study_is_the_same_for_any_number_of_processes(tmp_path: Path) -> None:
    once, twice, other = (
        figures_of(study(tmp_path / f"{n}.html", "--editions", "evades", *options))
        for n, options in enumerate((["--jobs", "1"], ["--jobs", "2"], ["--seed", "2"]))
    )
    assert {"bets-right", "bets-points", "first-throws"} <= set(once)
    assert once == twice != other


def test_a_study_that_is_interrupted_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("escapade.study.run.work", interrupted)
    done = CliRunner().invoke(main, ["study", "--games", "4", "--out", str(tmp_path / "study.html")])
    assert done.exit_code == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--editions", "nowhere"], "no edition is called 'nowhere'"),
        (["--editions", "jamaica+pirates=4", "--players", "2"], "no network for 2 players under these rules"),
        (["--editions", "jamaica", "--players", "7"], "Cartagena is for 2 to 5"),
        (["--players", "two"], "'two' is not a list of numbers"),
        (["--out", "no/such/folder.html"], "there is no folder no/such"),
    ],
)
def test_what_cannot_be_studied_is_refused_in_words(options: list[str], words: str) -> None:
    done = CliRunner().invoke(main, ["study", *options])
    assert done.exit_code != 0
    assert words in done.output


def test_shares_that_differ_by_chance_alone_are_not_said_to_differ_and_others_are() -> None:
    rng, tries = np.random.default_rng(5), np.full(400, 20.0)

    def told(chances: figures.Reals) -> tuple[figures.Row, float]:
        wins = rng.binomial(20, chances).astype(float)
        sample = wins / tries, figures.noise_of(wins / tries, tries)
        row = figures.between("", [sample], str)
        return row, float(row.note)

    alike, chance = told(np.full(400, 0.6))
    assert alike.low == 0 <= alike.value <= chance
    apart, chance = told(np.clip(rng.normal(0.6, 0.1, 400), 0, 1))
    assert chance < apart.low <= 0.1 <= apart.high


def test_the_interval_of_paired_deals_is_wilsons_and_never_narrower_than_that_of_their_games() -> None:
    split = figures.paired("", np.array([[1.0, 0.0], [0.0, 1.0]] * 10))
    assert (split.low, split.high) == wilson(20, 40)
    swept = figures.paired("", np.ones((20, 2)))
    assert (swept.low, swept.high) == wilson(20, 20)


def test_the_interval_of_a_ratio_counts_rows_not_what_is_in_them() -> None:
    won = np.array([1.0, 0.0] * 50)
    one, ten = figures.ratio("", won, np.ones(100)), figures.ratio("", 10 * won, np.full(100, 10.0))
    assert (one.value, one.low, one.high) == pytest.approx((ten.value, ten.low, ten.high))
    assert one.high - one.low == pytest.approx(2 * 1.96 * np.sqrt(0.25 / 99), rel=0.03)
