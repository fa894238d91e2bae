"""The library against the oracles, over thousands of games and positions in every edition and house rule."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from oracle.compare import play_cartagena, play_evades, play_lazily, play_positions

from escapade.cartagena.editions import EDITIONS

PARTS = range(4)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("house", [False, True])
@pytest.mark.parametrize("edition", EDITIONS)
def test_whole_games_of_cartagena_go_as_the_oracle_says(edition: str, house: bool, part: int) -> None:
    assert play_cartagena(edition, 50, part, house) > 1000


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_positions_of_cartagena_made_up_at_random_go_on_as_the_oracle_says(edition: str, part: int) -> None:
    assert play_positions(edition, 150, part) > 1000


@pytest.mark.parametrize("part", PARTS)
def test_whole_games_of_les_evades_go_as_the_oracle_says(part: int) -> None:
    assert play_evades(150, part) > 1000


@pytest.mark.parametrize("part", PARTS)
def test_positions_of_les_evades_made_up_at_random_go_on_as_the_oracle_says(part: int) -> None:
    assert play_positions("evades", 400, part) > 1000


@pytest.mark.parametrize("edition", ["first-escape", "first-escape-open", "evades"])
def test_games_in_which_nobody_does_much_are_drawn_when_the_oracle_says(edition: str) -> None:
    assert play_lazily(edition, 60, 0) > 20


def test_the_rules_run_without_being_compiled() -> None:
    tests = Path(__file__).parent.parent
    play = (
        "from escapade.compiled import JIT; from escapade.cartagena.editions import EDITIONS\n"
        "from oracle.compare import play_cartagena, play_evades, play_lazily, play_positions\n"
        "assert not JIT\n"
        "for name in EDITIONS:\n"
        "    play_cartagena(name, 3, 0, True, 120); play_positions(name, 10, 0)\n"
        "play_evades(3, 0); play_positions('evades', 20, 0)\n"
        "play_lazily('evades', 3, 0); play_lazily('first-escape', 3, 0)\n"
    )
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(tests)}
    subprocess.run([sys.executable, "-W", "error", "-c", play], env=plain, check=True)
    rulebook = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", str(tests / "rulebook")]
    subprocess.run(rulebook, env=plain, check=True, cwd=tests.parent)
