"""A game that Escapade has never heard of works everywhere once it is registered, or installed with an entry point."""

import dataclasses
import io
import json
import os
import random
import re
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from installing import GOOSE, install
from third_game import KIND

import escapade
from escapade import Illegal, Invalid, analysis, bots, games
from escapade.adapters import pettingzoo
from escapade.adapters.gymnasium import EscapadeEnv
from escapade.batch import Batch, play_games
from escapade.simulate import Match, play_game

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # the suites import one of their own games by its old name
    from pettingzoo.test import api_test, parallel_api_test, seed_test

SPACES_WITH_GEESE = {5, 9, 14, 18, 23, 27, 32, 36, 41, 45, 50, 54, 59, 63, 68, 72, 77, 81, 86, 90, 95}
EDITIONS = [("goose", 2), ("goose-fixed", 3), ("goose+hand=2+length=99", 4), ("goose-fixed+turn-limit=9", 4)]
LAST_CARDS = "goose+length=20 0/1/2 25/1/- 3 1:7"


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """The game is there while a test runs."""
    games.register(KIND)
    yield
    games.unregister(KIND.name)


def positions(text: str, players: int, seed: int) -> Iterator[escapade.Game]:
    """A game at random, from its start to its end."""
    game, luck = escapade.new(text, players, seed=seed), random.Random(seed)
    yield game
    while not game.over:
        game.play(luck.choice(game.legal_actions()))
        yield game


def read(record: str) -> escapade.Game:
    """The one game of a text, replayed and checked."""
    [game] = escapade.read(io.BytesIO(record.encode()))
    return game


def recount(record: str) -> str:
    """Where a recorded game ends, counted by hand."""
    tags = dict(re.findall(r'\[(\w+) "(.*)"\]', record))
    rule = {**KIND.editions[tags["Edition"].split("+")[0]], "turn-limit": 10**9}
    rule |= {name: int(value) for name, value in re.findall(r"\+([a-z-]+)=(\d+)", tags["Edition"])}
    hands, pile = [list(hand) for hand in tags["Deal"].split("/")], tags["Pile"].strip("-")
    end, limit = int(rule["length"]), int(rule["turn-limit"])
    spaces, over, turn = [0] * len(hands), "", 0
    for turn, (number, action) in enumerate(re.findall(r"^(\d+)\. (.+)$", record, re.MULTILINE), 1):
        seat = (turn - 1) % len(hands)
        assert (int(number), over) == (turn, "")
        hands[seat].remove(action[0])
        spaces[seat] += int(action[0])
        while spaces[seat] < end and spaces[seat] in SPACES_WITH_GEESE:
            spaces[seat] += int(action[0])
        spaces[seat] = min(spaces[seat], end)
        assert action[1:] == f">{spaces[seat]}" + (f"+{pile[0]}" if pile else "")
        hands[seat] += pile[:1]
        pile = pile[1:]
        over = str(seat + 1) if end in spaces else "" if any(hands) and turn < limit else "="
    assert tags["Result"] == over
    clock = turn if over != "=" else turn + 1
    held = "/".join("".join(sorted(hand)) or "-" for hand in hands)
    return f"{tags['Edition']} {'/'.join(map(str, spaces))} {held} {pile or '-'} {(clock - 1) % len(hands) + 1}:{clock}"


@pytest.mark.parametrize(("text", "players"), EDITIONS)
def test_a_record_recounted_by_hand_ends_where_the_game_did(text: str, players: int) -> None:
    *_, last = positions(text, players, 1)
    assert recount(last.record()) == str(last)
    results = Counter[str]()
    for number in range(60):
        played = play_game(Match(text, ("random",) * (players - 1) + ("first",), 5, True), number)
        assert played.record
        game = read(played.record)
        assert recount(played.record) == str(game)
        results["drawn" if game.result == "=" else "won"] += 1
    assert results["drawn"] > 0 or "length=99" not in text
    assert results["won"] > 0 or "turn-limit" in text


@pytest.mark.parametrize(("text", "players"), EDITIONS)
def test_what_is_printed_is_read_again(text: str, players: int) -> None:
    for game in positions(text, players, 2):
        again = escapade.parse(str(game))
        assert (again, str(again), again.result) == (game, str(game), game.result)
        assert again.legal_actions() == game.legal_actions()
        for seat in [None, *range(1, players + 1)]:
            assert str(escapade.parse(game.view(seat))) == game.view(seat)
        if not game.over:
            assert escapade.parse(game.view(game.seat)).legal_actions() == game.legal_actions()
    assert str(read(game.record())) == str(game)
    for seat in [None, *range(players + 1)]:
        assert str(read(game.record(seat))) == game.view(seat)
    assert game.beginning() == escapade.new(text, players, seed=2)


def otherwise(game: escapade.Game, seat: int, luck: random.Random) -> escapade.Game:
    """The same position for the eyes of a seat, with other cards where it cannot look."""
    edition, spaces, held, pile, clock = str(game).split(" ")
    hands = held.split("/")
    hidden = [hand.strip("-") for hand in [*hands[: seat - 1], *hands[seat:], pile]]
    cards = "".join(luck.sample("".join(hidden), len("".join(hidden))))
    ends = np.cumsum([0, *map(len, hidden)]).tolist()
    dealt = [cards[a:b] for a, b in pairwise(ends)]
    others = ["".join(sorted(hand)) or "-" for hand in dealt[:-1]]
    others.insert(seat - 1, hands[seat - 1])
    return escapade.parse(" ".join([edition, spaces, "/".join(others), dealt[-1] or "-", clock]))


def test_what_a_seat_may_not_know_changes_nothing_that_it_sees_or_that_bots_do_for_it() -> None:
    luck, differed = random.Random(3), 0
    for text, players in EDITIONS[:3]:
        for game in positions(text, players, 3):
            seat, twin = game.seat, otherwise(game, game.seat, luck)
            differed += str(twin) != str(game)
            assert twin.view(seat) == game.view(seat)
            assert twin.view(None).count("?") >= game.view(seat).count("?")
            seen = np.zeros((2, KIND.features.length(game.rules, players)), np.int8)
            for row, one in zip(seen, (game, twin), strict=True):
                KIND.features.observe_in(one.states, one.rules, True, seat - 1, row)
            assert seen[0].tolist() == seen[1].tolist()
            if not game.over and game.turn % 5 == 1:
                for level in bots.names("goose"):
                    chosen = {
                        bots.make(level, "goose", 1).choose(one.view(seat), one.legal_actions()) for one in (game, twin)
                    }
                    assert len(chosen) == 1
                assert escapade.hint(game.view(seat)) == escapade.hint(twin.view(seat))
    assert differed > 30


def test_a_record_for_a_seat_shows_the_cards_that_this_seat_drew() -> None:
    *_, game = positions("goose", 2, 4)
    shown = [game.record(seat).splitlines() for seat in (0, 1, 2)]
    drawn = [[line[-1] for line in lines if "+" in line[2:]] for lines in shown]
    whole = [line[-1] for line in game.record().splitlines() if "+" in line[2:]]
    assert drawn[0] == ["?"] * len(whole)
    assert drawn[1][::2] == whole[::2]
    assert drawn[2][1::2] == whole[1::2]
    assert set(drawn[1][1::2]) == set(drawn[2][::2]) == {"?"}


def test_errors_say_what_is_wrong() -> None:
    game = escapade.parse(LAST_CARDS)
    assert game.legal_actions() == ["2>2", "5>10"]
    for action, why in {
        "5>5": "the card takes the goose to 10",
        "1>1": "seat 1 holds no 1",
        ".": "seat 1 has cards to play",
        "2>2+6": r"should have 2>2\+3",
    }.items():
        with pytest.raises(Illegal, match=why):
            game.play(action)
    played = [game.play(action) for action in ("5>10", "1>2", ".", "2>12", ".", ".", "3>15")]
    assert played[:4] == ["5>10+3", "1>2", ".", "2>12"]
    assert (game.result, game.turn) == ("=", 14)
    with pytest.raises(Illegal, match="the game is over"):
        game.play("1>1")
    with pytest.raises(Illegal, match="can be looked at, not played on"):
        escapade.parse(escapade.parse(LAST_CARDS).view(1)).play("2>2")


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("goose 0/0 123/456 1:1", "has 5 fields"),
        ("goose 0 123 - 1:1", "1 players; the Game of the Goose is for 2 to 4"),
        ("goose 0/9 123/456 - 1:1", "no goose stays on a goose space"),
        ("goose 0/63 123/456 - 1:1", "has won at once"),
        ("goose 0/0 321/456 - 1:1", "in order"),
        ("goose 0/0 123/4567 - 1:1", "cards from 1 to 6"),
        ("goose 0/0 1234/456 - 1:1", "more than 3 cards"),
        ("goose 0/0 111/222 111111111 1:1", "12 cards show 1"),
        ("goose-fixed 0/0 111/222 3 1:1", "has no pile"),
        ("goose+hand=13 0/0 111/222 3 1:1", "hand can be 1 to 12"),
        ("goose 0/0 111/222 3 3:1", "seats 1 to 2"),
    ],
)
def test_positions_that_cannot_be_are_refused(position: str, why: str) -> None:
    with pytest.raises(Invalid, match=why):
        escapade.parse(position)


def test_a_record_that_does_not_hold_is_refused() -> None:
    *_, game = positions("goose", 2, 1)
    record = game.record()
    first = re.search(r"^1\. \d>\d+\+(\d)$", record, re.MULTILINE)
    assert first
    other = first[0][:-1] + str(int(first[1]) % 6 + 1)
    with pytest.raises(Illegal, match="turn 1, "):
        read(record.replace(first[0], other))
    with pytest.raises(Invalid, match="the Result is '='"):
        read(record.replace(f'[Result "{game.result}"]', '[Result "="]'))
    with pytest.raises(Invalid, match="do not follow from the Seed"):
        read(re.sub(r'\[Commitment "\w+"\]\n\[Seed "\w+"\]', f'[Seed "{"0" * 64}"]', record))


def test_a_game_is_known_only_while_it_is_registered_and_names_nobody_elses() -> None:
    assert escapade.new("goose-fixed", 4, seed=1).kind == "goose"
    assert games.kinds()["goose"].levels == ("cabin-boy", "sailor")
    other = dataclasses.replace(KIND, name="swan")
    mine = dataclasses.replace(KIND, name="swan", editions={"swan": {}, "jamaica": {}})
    for kind, taken in ((KIND, "goose"), (other, "goose, goose-fixed"), (mine, "jamaica")):
        with pytest.raises(Invalid, match=f"{taken} is registered already"):
            games.register(kind)
    assert "swan" not in games.kinds()
    record = escapade.new("goose").record()
    games.unregister("goose")
    with pytest.raises(Invalid, match="no edition is called 'goose'"):
        escapade.new("goose")
    with pytest.raises(Invalid, match="the games are cartagena and evades"):
        read(record)
    games.register(KIND)
    read(record)


def test_a_batch_steps_as_the_rules_say() -> None:
    for text, players in EDITIONS:
        batch = Batch(text, players, 6, seed=5)
        actions, masks, seen = np.zeros(6, np.int64), batch.masks(), batch.observations()
        batch.show(masks=masks, observations=seen)
        ended = 0
        for _ in range(70):
            before, legal = [batch.game(k) for k in range(6)], masks.copy()
            batch.choose(actions)
            batch.step(actions, masks=masks, observations=seen)
            for k, game in enumerate(before):
                offered = game.legal_actions()
                assert [number + 1 for number in np.flatnonzero(legal[k])] == [int(action[0]) for action in offered]
                game.play(offered[np.count_nonzero(legal[k, : actions[k]])])
                over = bool(batch.terminated[k]), bool(batch.truncated[k])
                broken_off = game.result == "=" and game.turn > batch.box.rules.turn_limit
                assert over == (game.over and not broken_off, broken_off)
                assert (batch.rewards[k].argmax() + 1,) == game.winners or not game.winners
                assert game.over or str(batch.game(k)) == str(game)
                assert seen[k].tolist() == observed(batch.game(k).view(int(batch.seats[k]) + 1))
                ended += game.over
        assert ended
    alone, together = (play_games("goose", 3, 500, seed=1, threads=threads) for threads in (1, 2))
    assert alone.tolist() == together.tolist()


def observed(view: str) -> list[int]:
    """What the seat to act observes, read from its view."""
    _, spaces, held, pile, clock = view.split(" ")
    seat, turn = map(int, clock.split(":"))
    hands = [hand.strip("-") for hand in held.split("/")]
    geese, around = [int(space) for space in spaces.split("/")], [*range(seat - 1, len(hands)), *range(seat - 1)]
    limit = re.search(r"turn-limit=(\d+)", view)
    own, left = hands[seat - 1], int(limit[1]) - turn + 1 if limit else 127
    seats = [geese[k] for k in around] + [len(hands[k]) for k in around] + [1] + [0] * (len(hands) - 1)
    return [*seats, *[own.count(card) for card in "123456"], int(pile[1:] or 0), min(127, left)]


def test_pettingzoos_and_gymnasiums_own_suites_pass() -> None:
    with pytest.warns(UserWarning, match="Observation|Action mask"):
        api_test(pettingzoo.env("goose", 3), num_cycles=200)
    seed_test(lambda: pettingzoo.env("goose-fixed", 2))
    parallel_api_test(pettingzoo.parallel_env("goose", 2), num_cycles=200)
    check_env(EscapadeEnv("goose", 3), skip_render_check=True)
    env = pettingzoo.raw_env("goose", 2, render_mode="ansi")
    env.reset(seed=1)
    assert list(env.texts().values()) == env.game.legal_actions()
    assert env.render() == f"{env.game.view(1)}\n"


def test_one_learner_plays_against_named_bots() -> None:
    env, ends = EscapadeEnv("goose-fixed", 3, opponents=["sailor", "greedy"], seat=2), set()
    for seed in range(20):
        _, info = env.reset(seed=seed)
        reward, over = 0.0, False
        while not over:
            number = int(np.flatnonzero(info["action_mask"])[-1])
            _, reward, terminated, truncated, info = env.step(number)
            over = terminated or truncated
        assert reward == (1 if info["winners"] == (2,) else -0.5 if info["winners"] else 0)
        ends.add(info["winners"])
    assert len(ends) > 1


def test_hints_and_an_analysis_have_chances_and_reasons() -> None:
    game = escapade.parse("goose 60/55/3 134/245/666 111 1:9")
    best = escapade.hint(game.view(1))[0]
    assert (best.action, best.chance, best.reason) == ("3>63", 1, "wins the game")
    assert escapade.hint("goose 0/3 235/??? ?60 1:1")[0].reason == "rides a goose, 10 spaces in all"
    game.play("1>61")
    while not game.over:
        game.play(game.legal_actions()[0])
    judged = list(analysis.analyze(game))
    assert (judged[0].mark, judged[0].better) == ("blunder", ("3>63",))
    assert len(judged) == len(game.turns)


# In other processes the game is known by its entry point alone.

RUN = """
import json, sys
from escapade.cli import main
for command in json.loads(sys.argv[1]):
    main(command, standalone_mode=False)
    print("-" * 9)
import gymnasium
seen, info = gymnasium.make("escapade.adapters.gymnasium:escapade/Goose-3p-v0").reset(seed=1)
print(len(seen), "numbers")
"""


def python(code: str, env: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run code in a process of its own."""
    done = subprocess.run([sys.executable, "-c", code, *arguments], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def test_the_commands_know_an_installed_game(tmp_path: Path) -> None:
    env, out, played = install(tmp_path / "site", goose=GOOSE), str(tmp_path / "a.esc"), str(tmp_path / "b.esc")
    view = escapade.parse(LAST_CARDS).view(1)
    commands = [
        ["simulate", "--game", "goose", "--players", "3", "--games", "40", "--seed", "1", "--out", out, "--json"],
        ["simulate", "--game", "goose-fixed", "--games", "6", "--players-are", "sailor,greedy", "--jobs", "2"],
        ["arena", "sailor", "random", "--game", "goose", "--games", "20", "--seed", "1", "--out", played, "--json"],
        ["verify", out, played],
        ["analyze", played, "--json"],
        ["bench", "--game", "goose", "--players", "2", "--seconds", "0.05", "--json"],
        ["moves", LAST_CARDS, "5>10"],
        ["hint", view],
        ["perft", LAST_CARDS, "4"],
    ]
    *answers, numbers = python(RUN, env, json.dumps(commands)).stdout.split("-" * 9 + "\n")
    simulated, bot_games, match, verified, analysed, speed, moved, hinted, counted = answers
    assert json.loads(simulated)["games"] == 40
    assert "seat 1 (sailor) won" in bot_games
    assert json.loads(match)["bots"][0]["elo"] > 0
    assert verified.count("games hold") == 2
    assert "40 games hold, 40 of them proven fair by their seed" in verified
    assert json.loads(analysed)["game"] == "goose+turn-limit=1000"
    assert json.loads(speed)["decisions_per_cpu_s"] > 100_000
    assert moved.splitlines() == ["goose+length=20 10/1/2 23/1/- - 2:8", "1>2"]
    assert "rides a goose, 10 spaces in all" in hinted
    assert int(counted) == escapade.parse(LAST_CARDS).perft(4) == 4
    assert numbers == "17 numbers\n"
    assert [recount(game.record()) for game in escapade.read(out)] == [str(game) for game in escapade.read(out)]


def test_a_broken_entry_point_is_left_out_with_a_warning(tmp_path: Path) -> None:
    env = install(tmp_path, goose=GOOSE, gander="no_such_module:KIND", again=GOOSE, dice="third_game.editions:HOUSE")
    code = "import escapade, sys; print(*(escapade.new(name, seed=1).view(1).split(' ')[0] for name in sys.argv[1:]))"
    done = python(code, env, "goose", "jamaica", "evades")
    assert done.stdout == "goose jamaica evades\n"
    left_out = re.findall(r"RuntimeWarning: the game '(\w+)' of \S+ is left out", done.stderr)
    assert left_out == ["gander", "again", "dice"]


PLAY = """
import os
from escapade.simulate import Match, play_game
if "NUMBA_ENABLE_CUDASIM" in os.environ:
    from escapade.cuda import play_games
else:
    from escapade.batch import play_games
for number in (1, 2):
    print(play_game(Match("goose", ("random", "first", "random"), 1, True), number).record)
print([[int(number) for number in row] for row in play_games("goose", 2, 3, seed=1)])
"""


def test_plain_python_and_a_simulated_gpu_play_the_same_games(tmp_path: Path) -> None:
    env = {**install(tmp_path, goose=GOOSE), "PYTHONWARNINGS": "ignore"}
    plain = {"NUMBA_DISABLE_JIT": "1", "NUMBA_ENABLE_CUDASIM": "1"}
    compiled, interpreted = (python(PLAY, env | more).stdout for more in ({}, plain))
    assert compiled == interpreted
    assert compiled.count("[Result") == 2


def test_what_is_compiled_beside_an_installed_game_is_used_without_it(tmp_path: Path) -> None:
    code = "import sys; from escapade.batch import Batch; [Batch(name, 2, 1) for name in sys.argv[1:]]"
    env = {**install(tmp_path / "site", goose=GOOSE), "XDG_CACHE_HOME": str(tmp_path)}
    env.pop("NUMBA_CACHE_DIR", None)
    python(code, env, "goose", "jamaica")
    made = files(tmp_path)
    named = {path.relative_to(tmp_path).parts[1] for path in made if b"third_game" in path.read_bytes()}
    assert len(named) == 1
    assert len({path.relative_to(tmp_path).parts[1] for path in made}) == 2
    env["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")
    python(code, env, "jamaica")
    assert files(tmp_path) == made  # so nothing was compiled again


def files(folder: Path) -> dict[Path, int]:
    """The files of a cache, and when they were written."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")}
