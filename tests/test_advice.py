"""Hints and analysis: the best actions with their reasons, and what a game's turns gave away."""

import json
import random
import xml.etree.ElementTree as ET
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from positions.forced_wins import CARTAGENA, EVADES, Task
from test_secrets import played, twins

import escapade
from escapade.analysis import analyze, picture, turning_points
from escapade.bots import make
from escapade.bots.cartagena.reasons import ENGLISH as CARTAGENA_WORDS
from escapade.bots.evades.reasons import ENGLISH as EVADES_WORDS
from escapade.cli import main
from escapade.hints import reasons

TUNNEL = "BPHSDK/DBKPHS/PKDHSB"
SOME = ("B", 17), ("D", 17), ("H", 17), ("K", 17), ("P", 17), ("S", 17)


def position(pirates: str, hands: str, row: str, seat: int = 1) -> str:
    """A position of tortuga in a short tunnel; all cards not named are discards."""
    held = hands.replace("/", "").replace("-", "") + row.replace("-", "")
    left = "".join(f"{symbol}{copies - held.count(symbol)}" for symbol, copies in SOME)
    return f"tortuga+pirates=3 {TUNNEL} {pirates} {hands} {row} - {left} {seat}:0:9"


def game_after(text: str, players: int, actions: int, seed: int = 3) -> escapade.Game:
    """A game after some actions by buccaneers."""
    game = escapade.new(text, players, seed=seed)
    bot = make("buccaneer", game.kind, 1)
    for _ in range(actions):
        game.play(bot.choose(game.view(game.seat), game.legal_actions()))
    return game


@pytest.mark.parametrize("text", ["jamaica", "first-escape-open", "tortuga+most-actions=5", "evades"])
def test_hints_are_legal_lines_with_chances_and_reasons(text: str) -> None:
    for players in (2, 4):
        game = game_after(text, players, 11)
        hints = escapade.hint(game.view(game.seat), game.record(game.seat), time=0.4)
        assert 1 <= len(hints) <= 3
        assert len({hint.action for hint in hints}) == len(hints)
        for hint in hints:
            assert hint.action in game.legal_actions()
            assert hint.line[0] == hint.action
            assert len(hint.chances) == players
            assert sum(hint.chances) == pytest.approx(1, abs=1e-6)
            assert hint.chance == hint.chances[game.seat - 1]
            assert hint.reason
    trial = game.copy()
    for action in hints[0].line if game.kind == "cartagena" else hints[0].line[:1]:
        trial.play(action)


def test_a_hint_is_the_same_whatever_the_seat_cannot_know() -> None:
    rng, pairs = random.Random(2), 0
    for seed in range(12):
        game, actions = played("jamaica", 2, seed, 9)
        pair = twins(game, actions, game.seat, rng)
        if pair:
            pairs += 1
            first, second = (escapade.hint(one.view(game.seat), one.record(game.seat), time=60.0) for one in pair)
            assert first == second
    assert pairs >= 3


@pytest.mark.parametrize("task", [*CARTAGENA[:4], *EVADES[:4]], ids=lambda task: task.why[:40])
def test_the_first_hint_is_the_forced_win(task: Task) -> None:
    game = escapade.parse(task.position)
    assert escapade.hint(game.view(game.seat))[0].action in task.best


def test_reasons_tell_what_a_turn_does() -> None:
    # Seat 2 stands on three hats, 3, 11 and 16: a road for whoever is behind them with a hat.
    view = position("0.2.19/3.11.16", "HK/B", "KB")
    words = {str(reason) for reason in reasons(view, ("H2>19", "K0>6"))}
    assert "brings a pirate into the boat" in words
    assert "uses a road of three hats, 17 spaces long" in words
    # Seat 1 leaves 11, where its pirate made the road of hats one longer.
    view = position("2.11.19/0.3.16", "K/H", "KB")
    assert "closes a road of three hats for seat 2" in {str(reason) for reason in reasons(view, ("K11>13", "."))}
    view = position("2.8.19/0.3.16", "H/H", "KB")
    assert "opens a road of three hats for seat 2" in {str(reason) for reason in reasons(view, ("H8>11", "."))}
    assert str(reasons(position("2.19.19/0.0.0", "K/-", "KB"), ("K2>6",))[0]) == "leaps 4 spaces with a key"
    assert str(reasons(position("14.19.19/0.0.0", "K/-", "KB"), ("K14>19",))[0]) == "wins the game"


def test_a_reason_against_the_next_seat_names_it() -> None:
    # Seat 2 wins with its key from 12, because 14, the last key ahead of it, is taken; leaving 14 stops that.
    view = position("0.2.14/12.19.19", "B/K", "DD")
    assert "stops seat 2 from winning next turn" in {str(reason) for reason in reasons(view, ("B14>18", "."))}
    assert "stops seat 2 from winning next turn" not in {str(reason) for reason in reasons(view, ("B2>8", "."))}


def test_every_reason_has_words() -> None:
    met = set()
    for text in ("jamaica", "tortuga", "evades"):
        game = game_after(text, 3, 0)
        bot = make("sailor", game.kind, 1)
        while not game.over:
            for action in game.legal_actions()[:40]:
                for reason in reasons(game.view(game.seat), (action,)):
                    met.add(reason.code)
                    assert str(reason)
            game.play(bot.choose(game.view(game.seat), game.legal_actions()))
    assert met >= {*CARTAGENA_WORDS, *EVADES_WORDS} - {"stops-win"}


@pytest.mark.parametrize(
    ("view", "why"),
    [
        (position("0.2.13/12.19.19", "B/K", "BB").replace("B/K", "?/K").replace("B15", "B14"), "not known"),
        (position("19.19.19/12.19.19", "B/K", "BB"), "over"),
        ("hello", "8 fields"),
    ],
)
def test_no_hint_where_there_is_nothing_to_advise(view: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        escapade.hint(view)


def test_the_command_tells_hints_in_words_and_as_json() -> None:
    view = position("0.2.14/12.19.19", "B/K", "DD")
    words, plain = (CliRunner().invoke(main, ["hint", view, *more]) for more in ([], ["--json"]))
    hints = json.loads(plain.output)
    assert hints[0]["action"] in words.output.splitlines()[0]
    assert hints[0]["reason"] in words.output.splitlines()[0]
    assert ["stops-win", {"seat": 2}] in hints[0]["reasons"]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games: a cabin boy against a captain, and one of Les Évadés."""
    path = tmp_path_factory.mktemp("games") / "two.esc"
    texts = []
    tables = {"jamaica+pirates=3": ["cabin-boy", "captain"], "evades+length=15": ["sailor", "sailor", "random"]}
    for text, names in tables.items():
        game = escapade.new(text, len(names), seed=5, names=names)
        bots = [make(name, game.kind, 1) for name in names]
        while not game.over:
            game.play(bots[game.seat - 1].choose(game.view(game.seat), game.legal_actions()))
        texts.append(game.record())
    path.write_text("".join(texts), encoding="utf-8")
    return path


@pytest.mark.parametrize("number", [1, 2])
def test_an_analysis_has_every_turn_the_chances_of_all_and_the_end(record: Path, number: int, tmp_path: Path) -> None:
    svg = tmp_path / "chances.svg"
    arguments = ["analyze", str(record), "--number", str(number), "--time", "0.1"]
    done = CliRunner().invoke(main, [*arguments, "--json", "--svg", str(svg)])
    assert done.exit_code == 0, done.output
    analysis, game = json.loads(done.output), list(escapade.read(record))[number - 1]
    assert [turn["turn"] for turn in analysis["turns"]] == [turn for turn, _ in game.turns]
    assert [turn["actions"] for turn in analysis["turns"]] == [tokens for _, tokens in game.turns]
    for turn in analysis["turns"]:
        assert sum(turn["chances"]) == pytest.approx(1, abs=1e-6)
        assert turn["mark"] == ("blunder" if turn["lost"] >= 0.15 else "mistake" if turn["lost"] >= 0.05 else "")
        assert bool(turn["better"]) == bool(turn["mark"])
    final = analysis["turns"][-1]["chances"]
    assert [seat for seat, chance in enumerate(final, 1) if chance] == list(game.winners)
    drawn = ET.parse(svg).getroot()
    assert len(drawn.findall("{*}polyline")) == game.players
    assert len(drawn.findall("{*}circle")) == sum(bool(turn["mark"]) for turn in analysis["turns"])


def test_a_cabin_boy_gives_more_away_than_a_captain(record: Path) -> None:
    done = CliRunner().invoke(main, ["analyze", str(record), "--time", "0.2"])
    assert done.exit_code == 0, done.output
    first, second = (float(line.split(", ")[-1].split("%")[0]) for line in done.output.splitlines()[:2])
    assert first > second
    assert "urning point" in done.output


def test_a_win_thrown_away_is_a_blunder_and_a_turning_point() -> None:
    # With 14 taken the key brings 12 home, and then 14: a win. The other way round 12 stops on 14, and seat 2 wins.
    game = escapade.parse(position("12.14.19/12.19.19", "KK/K", "BB"), seed=1)
    for action in ("K14>19", "K12>14", ".", "K12>19"):
        game.play(action)
    assert game.winners == (2,)
    turns = list(analyze(game, time=5.0))
    assert turns[0].mark == "blunder"
    assert turns[0].lost > 0.5
    assert turns[0].better == ("K12>19", "K14>19")
    assert [point.turn for point in turning_points(turns, 2)] == [9]
    assert turning_points(turns, 2)[0].cause == "blunder"
    assert "blunder" in picture(game, turns)


def test_what_was_hidden_from_a_seat_is_no_mistake_of_its_own() -> None:
    """The judgement of a turn is the same in games that differ only in what its seat could not see."""
    game, actions = played("jamaica", 2, 1, 3)
    pair = twins(game, actions, 1, random.Random(4))
    first, second = (next(iter(analyze(one, time=60.0))) for one in pair)
    assert (first.lost, first.better) == (second.lost, second.better)
    assert first.chances != second.chances


@pytest.mark.parametrize(
    ("arguments", "why"),
    [(["--number", "9"], "holds 2 games, and no game 9"), (["--svg", "/nowhere/x.svg"], "/nowhere/x.svg")],
)
def test_an_analysis_that_cannot_be_is_refused(record: Path, arguments: list[str], why: str) -> None:
    done = CliRunner().invoke(main, ["analyze", str(record), *arguments])
    assert done.exit_code in (1, 2)
    assert why in done.output


def test_a_record_with_secrets_is_not_analysed() -> None:
    game = game_after("jamaica", 2, 7)
    with pytest.raises(escapade.Invalid, match="whole record"):
        list(analyze(next(escapade.read(BytesIO(game.record(1).encode())))))
