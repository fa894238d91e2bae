"""Hints and analysis: the best actions with their reasons, and what a game's turns gave away."""

import json
import random
import sys
import xml.etree.ElementTree as ET
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from positions.forced_wins import CARTAGENA, EVADES, Task
from test_secrets import played, twins

import escapade
from escapade.analysis import BLUNDER, MISTAKE, Judged, analyze, in_words, luck_of, picture, turning_points
from escapade.bots import make
from escapade.bots.cartagena.reasons import ENGLISH as CARTAGENA_WORDS
from escapade.bots.evades.reasons import ENGLISH as EVADES_WORDS
from escapade.cli import main
from escapade.hints import onlooker, reasons, result

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
            least = 0.95 if text == "evades" else 1 - 1e-6  # there a game may be nobody's
            assert least <= sum(hint.chances) <= 1 + 1e-6
            assert hint.chance == hint.chances[game.seat - 1]
            assert hint.reason
        trial = game.copy()
        for action in hints[0].line:
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
    assert "closes a road of three hats for seat 2, from the prison to the boat" in {
        str(reason) for reason in reasons(view, ("K11>13", "."))
    }
    view = position("2.8.19/0.3.16", "H/H", "KB")
    assert "opens a road of three hats for seat 2, from the prison to the boat" in {
        str(reason) for reason in reasons(view, ("H8>11", "."))
    }
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
        assert turn["mark"] == ("blunder" if turn["lost"] >= BLUNDER else "mistake" if turn["lost"] >= MISTAKE else "")
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


@pytest.mark.parametrize(("text", "players"), [("jamaica", 2), ("evades", 2), ("evades", 3)])
def test_a_game_that_breaks_off_in_mid_turn_is_analysed(text: str, players: int) -> None:
    game, rng = escapade.new(text, players=players, seed=1), random.Random(1)
    for number in range(1, 15):
        game.play(rng.choice(game.legal_actions()))
        if number > 8:
            told = [judged.actions for judged in analyze(game, time=0.01)]
            assert told == [tuple(tokens) for _, tokens in game.turns]


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


def bots_play(text: str, names: list[str], seed: int) -> escapade.Game:
    """A whole game of bots."""
    game = escapade.new(text, len(names), seed=seed, names=names)
    bots = [make(name, game.kind, seed) for name in names]
    while not game.over:
        game.play(bots[game.seat - 1].choose(game.view(game.seat), game.legal_actions(), game.record(game.seat)))
    return game


@pytest.fixture(scope="module")
def analysed() -> list[tuple[escapade.Game, list[Judged]]]:
    """The beginnings and ends of games that networks know, analysed."""
    games = [
        bots_play("jamaica+turn-limit=10", ["cabin-boy", "captain"], 2),
        bots_play("tortuga+turn-limit=9", ["random", "sailor", "buccaneer"], 3),
        bots_play("evades+turn-limit=8", ["random", "sailor"], 4),
    ]
    return [(game, list(analyze(game, time=60.0))) for game in games]


def test_a_turn_gives_away_no_more_than_its_seat_had(analysed: list[tuple[escapade.Game, list[Judged]]]) -> None:
    for game, turns in analysed:
        looker = onlooker(game.beginning())
        assert looker
        before = looker.chances(game.beginning())
        for turn in turns:
            assert 0 <= turn.lost <= before[turn.seat - 1] + 1e-9
            before = turn.chances
        assert max(turn.lost for turn in turns) > 0.01


def test_luck_is_what_cards_and_dice_changed(analysed: list[tuple[escapade.Game, list[Judged]]]) -> None:
    for game, turns in analysed:
        for turn in turns[:-1]:
            assert len(turn.luck) == game.players
            unknown = any("+" in action or "=" in action or "~" in action for action in turn.actions)
            assert sum(turn.luck) == pytest.approx(0, abs=1e-6)
            assert unknown or not any(turn.luck)
        told = luck_of(turns)
        assert told == pytest.approx([sum(turn.luck[k] for turn in turns) for k in range(game.players)])
        for line, luck in zip(in_words(game, turns), told, strict=False):
            assert line.endswith(f"luck {luck:+.0%}")
    assert [any(any(turn.luck) for turn in turns) for _, turns in analysed] == [True, False, True]  # a row suffices


def test_what_is_left_of_a_turn_without_luck_and_losses_is_small() -> None:
    """Chances before, and luck, less losses, are about the chances after: for one who plays as the network would."""
    for text in ("jamaica+turn-limit=12", "evades+turn-limit=12"):
        game = bots_play(text, ["mate", "mate"], 5)
        turns = list(analyze(game, time=60.0))[:-1]
        rest = [
            after.chances[after.seat - 1] - before.chances[after.seat - 1] - after.luck[after.seat - 1] + after.lost
            for before, after in pairwise(turns)
        ]
        assert sum(map(abs, rest)) / len(rest) < 0.12


def test_what_was_to_be_expected_of_dice_is_the_mean_of_all_throws() -> None:
    game = game_after("evades", 2, 12)
    while not game.legal_actions()[0].startswith("roll:"):
        game.play(game.legal_actions()[0])
    roll = next(action for action in game.legal_actions() if "w" not in action)
    looker, seen = onlooker(game), onlooker(game)
    assert looker
    assert seen
    expected = looker.foresee(game, roll)
    seen.foresee(game, roll)
    count, total = len(roll.removeprefix("roll:")), [0.0, 0.0]
    for throw in range(6**count):
        trial = game.copy()
        trial.play(f"{roll}={''.join(str(1 + throw // 6**k % 6) for k in range(count))}")
        total = [old + new / 6**count for old, new in zip(total, seen.chances(trial), strict=True)]
    assert expected == pytest.approx(total, abs=1e-6)
    assert seen.foresee(trial, trial.legal_actions()[0]) is None


def test_what_was_to_be_expected_of_a_card_is_the_mean_of_the_pile() -> None:
    game = game_after("jamaica", 2, 9)
    retreat = next(action for action in game.legal_actions() if "<" in action and "+" in game.copy().play(action))
    looker = onlooker(game)
    assert looker
    expected, total = looker.foresee(game, retreat), [0.0, 0.0]
    state, count = game.states[0], game.face_down
    pile = state["pile"][:count].tolist()
    for k in range(count):
        trial = game.copy()
        trial.states[0]["pile"][:count] = pile[k:] + pile[:k]
        trial.play(retreat)
        total = [old + new / count for old, new in zip(total, looker.chances(trial), strict=True)]
    assert expected == pytest.approx(total, abs=0.01)
    advance = next((action for action in game.legal_actions() if ">" in action), ".")
    assert looker.foresee(game, advance) is None


@pytest.mark.parametrize(("text", "most"), [("jamaica", 200), ("evades", 600)])
def test_a_hint_does_no_more_work_than_it_should(text: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game, done = game_after(text, 2, 14), []
    module = sys.modules[f"escapade.bots.{game.kind}.advice"]
    try_out = module.Trials.try_out

    def counted(self: Any, chosen: list[int], count: int, *until: float) -> None:
        done.append(len(chosen) * count)
        try_out(self, chosen, count, *until)

    monkeypatch.setattr(module.Trials, "try_out", counted)
    escapade.hint(game.view(game.seat), game.record(game.seat), time=60.0)
    assert 40 <= sum(done) <= most


def test_advice_on_bets_is_the_same_whatever_the_others_have_bet() -> None:
    def with_bets(*bets: str) -> escapade.Game:
        game, rng = escapade.new("evades", 2, seed=4), random.Random(7)
        for bet in bets:
            game.play(f"bet:{bet}")
        for _ in range(30):
            game.play(rng.choice(game.legal_actions()))
        return game

    ours, theirs = with_bets("br.yl.do.n", "br.yl.do.n"), with_bets("br.yl.do.n", "dn.bo.ry.l")
    while ours.seat != 1:
        action = ours.legal_actions()[0]
        assert ours.play(action) == theirs.play(action)
    first, second = (escapade.hint(one.view(1), one.record(1), time=60.0) for one in (ours, theirs))
    assert first == second
    assert escapade.value(ours.view(1), ours.record(1)) == escapade.value(theirs.view(1), theirs.record(1))
    assert escapade.value(ours.view(1), ours.record(1)) != escapade.value(ours.view(1))
    assert escapade.value(ours.view(2)) != escapade.value(theirs.view(2))


@pytest.mark.parametrize(
    "text", ["jamaica", "tortuga", "hispaniola", "jamaica+pirates=3", "evades", "evades+length=15"]
)
def test_a_value_adds_up_to_one_for_every_reader_and_is_the_result_at_the_end(text: str) -> None:
    game = game_after(text, 2, 15)
    for view in (game.view(1), game.view(2), str(game)):
        chances = escapade.value(view)
        assert len(chances) == 2
        assert all(0 <= chance <= 1 for chance in chances)
        assert sum(chances) == pytest.approx(1, abs=1e-6)
    bot = make("sailor", game.kind, 1)
    while not game.over:
        game.play(bot.choose(game.view(game.seat), game.legal_actions()))
    assert escapade.value(str(game)) == escapade.value(game.view(1)) == result(game)
    assert sum(result(game)) == pytest.approx(1)


def test_a_spectator_of_evades_is_told_that_anybody_may_win() -> None:
    assert escapade.value(game_after("evades", 2, 2).view(None)) == pytest.approx((0.5, 0.5), abs=0.1)


@pytest.mark.parametrize("text", ["jamaica", "tortuga", "evades"])
def test_chances_come_true(text: str) -> None:
    """In the last third of some games, what is told is nearer to what comes than a guess, whose score is 0.25."""
    errors = []
    for seed in range(8):
        game = escapade.new(f"{text}+turn-limit=200", 2, seed=seed)
        player, looker = make("mate", game.kind, seed), onlooker(game)
        moments: list[tuple[int, int, tuple[float, ...]]] = []
        assert looker
        while not game.over:
            if game.turn and (not moments or moments[-1][0] != game.turn):
                moments.append((game.turn, game.seat, looker.chances(game)))
            action = player.choose(game.view(game.seat), game.legal_actions())
            looker.foresee(game, action)
            game.play(action)
        for _, seat, chances in moments[-len(moments) // 3 :] if game.winners else []:
            errors.append(chances[seat - 1] - result(game)[seat - 1])
    assert sum(error**2 for error in errors) / len(errors) < 0.2
    assert abs(sum(errors) / len(errors)) < 0.1
