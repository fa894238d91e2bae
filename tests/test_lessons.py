"""Lessons by doing: every task can be done, every turn is judged, and every judgement has its words."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import escapade

ROOT = Path(__file__).parent.parent
KINDS = ["cartagena", "evades"]
READER = 1
TEXTS = json.loads((ROOT / "src" / "escapade" / "client" / "lang" / "course" / "en.json").read_text())["course"]
Try = dict[str, Any]
WAYS: list[Callable[[list[str]], str]] = [
    lambda legal: legal[0],
    lambda legal: legal[-1],
    lambda legal: "." if "." in legal else legal[0],
]


def ask(tries: list[Try]) -> Any:
    """The tasks, and what becomes of some tries, from the modules themselves."""
    command = [str(Path(sys.executable).parent / "deno"), "run", "--quiet", "--no-remote", "--no-npm", "--no-lock"]
    command += [f"--allow-read={ROOT}", "tests/client/tasks.js", json.dumps(KINDS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, input=json.dumps(tries))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@cache
def tasks(kind: str) -> list[Try]:
    """What there is to do in a lesson."""
    found: list[Try] = ask([])["tasks"][kind]
    return found


def begin(task: Try) -> escapade.Game:
    """The position in which the reader acts."""
    game = escapade.parse(task["position"], seed=1)
    for action in task["given"]:
        game.play(action)
    return game


def tried(kind: str, task: Try, game: escapade.Game, actions: list[str]) -> Try:
    """The actions of a try, with what they led to."""
    now = {"position": str(game), "seat": 0 if game.over else game.seat, "result": game.result}
    return {"kind": kind, "name": task["name"], "actions": actions, "now": now}


def play(kind: str, task: Try, actions: list[str]) -> Iterator[Try]:
    """What a reader has done after each of some actions."""
    game, done = begin(task), []
    for action in actions:
        done.append(game.play(action))
        yield tried(kind, task, game, list(done))


def turns(kind: str, task: Try) -> Iterator[list[Try]]:
    """Whole turns of the reader that begin with every action there is, and go on in three ways."""
    for first in begin(task).legal_actions():
        for then in WAYS:
            game, done, tries = begin(task), [], []
            action = str(first)
            while True:
                done.append(game.play(action))
                tries.append(tried(kind, task, game, list(done)))
                if game.over or game.seat != READER:
                    break
                action = then([str(one) for one in game.legal_actions()])
            yield tries


@pytest.mark.parametrize("kind", KINDS)
def test_every_position_is_whole_and_the_way_that_is_shown_does_it(kind: str) -> None:
    ways: list[Try] = []
    wanted: list[str] = []
    for task in tasks(kind):
        game = escapade.parse(task["position"], seed=1)
        assert str(game) == task["position"]
        assert not game.hidden
        assert begin(task).seat == READER
        plans = task["plans"] or {"right": task["solution"]}
        for name, actions in plans.items():
            ways += play(kind, task, actions)
            wanted += [*[""] * (len(actions) - 1), name]
    assert ask(ways)["verdicts"] == wanted


@pytest.mark.parametrize("kind", KINDS)
def test_every_turn_is_judged_in_words_and_some_are_slips(kind: str) -> None:
    lines = [(task, line) for task in tasks(kind) for line in turns(kind, task)]
    verdicts = iter(ask([one for _, line in lines for one in line])["verdicts"])
    said: dict[str, set[str]] = {}
    for task, line in lines:
        judged = [next(verdicts) for _ in line]
        assert any(judged), (task["name"], line[-1]["actions"])
        said.setdefault(task["name"], set()).add(next(filter(None, judged)))
    shared = TEXTS[kind]["slips"]
    assert list(said) == [task["name"] for task in tasks(kind)] == [name for name in TEXTS[kind] if name != "slips"]
    for name, found in said.items():
        own = TEXTS[kind][name]
        assert {"title", "goal", "right"} <= set(own)
        assert found - {"right"}, f"{name} cannot go wrong"
        assert found <= {*own, *shared}, name
    assert set(shared) <= set.union(*said.values())


def test_the_points_that_are_told_are_those_of_the_game() -> None:
    (task,) = [task for task in tasks("evades") if task["name"] == "score"]
    for action, scores, text in (("d>#3", (11, 6), "right"), ("n>#3", (4, 13), "theirs")):
        game = begin(task)
        game.play(action)
        assert game.scores == scores
        assert all(str(points) in TEXTS["evades"]["score"][text] for points in scores)
