"""Compiled code is made once, cached where possible, and never stale."""

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np

from escapade import bench, compiled

ASK = (
    "import numpy as np; from escapade.cartagena.position import Cartagena; from escapade.game import Chance\n"
    "from escapade.cartagena import kernel; g = Cartagena.new('jamaica', 2, Chance(1), tunnel='BPHSDK/DBKPHS/PKDHSB')\n"
    "print(kernel.target_in(g.states, g.rules, 0 << 6 | 0))"
)


def ask(package: Path, cache: str) -> int:
    """Where a bottle takes a pirate from the prison, computed in a new process."""
    env = {**os.environ, "PYTHONPATH": str(package), "XDG_CACHE_HOME": cache, "PYTHONDONTWRITEBYTECODE": "1"}
    env.pop("NUMBA_CACHE_DIR", None)
    answer = subprocess.run([sys.executable, "-c", ASK], env=env, check=True, capture_output=True, text=True)
    return int(answer.stdout)


def test_an_edit_in_one_compiled_file_reaches_its_callers_in_another(tmp_path: Path) -> None:
    shutil.copytree(compiled.PACKAGE, tmp_path / "src" / "escapade", ignore=shutil.ignore_patterns("__pycache__"))
    cache = str(tmp_path / "cache")
    assert ask(tmp_path / "src", cache) == 1
    sets = tmp_path / "src" / "escapade" / "sets.py"
    text = sets.read_text()
    sets.write_text(text.replace("return ALL << U(member + 1)", "return ALL << U(member + 2)"))
    assert sets.read_text() != text
    assert ask(tmp_path / "src", cache) == 8
    sets.write_text(text)
    assert ask(tmp_path / "src", cache) == 1
    assert len(list(Path(cache, "escapade").iterdir())) == 2


def test_where_the_cache_cannot_be_written_the_rules_run_all_the_same() -> None:
    assert ask(compiled.PACKAGE.parent, "/dev/null") == 1


def test_threads_play_the_games_that_one_thread_plays() -> None:
    def totals(seed: int) -> list[int]:
        sums = np.zeros(8, np.int64)
        bench.batch_player("jamaica", 3, seed)(0, 200, sums)
        return [int(total) for total in sums]

    alone = [totals(seed) for seed in (1, 2)]
    together: dict[int, list[int]] = {}
    threads = [threading.Thread(target=lambda s=seed: together.update({s: totals(s)})) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[1], together[2]] == alone


def test_the_interpreter_goes_on_while_games_are_played() -> None:
    sums = np.zeros(8, np.int64)
    play = bench.batch_player("jamaica", 3, 1)
    play(0, 1, sums)
    player = threading.Thread(target=play, args=(0, 20_000, sums))
    player.start()
    moments = 0
    while player.is_alive():
        moments += 1
        player.join(0.001)
    assert moments > 5


def test_a_plain_processor_plays_the_same_games() -> None:
    play = (
        "import numpy as np; from escapade import bench; from escapade.sets import has_pdep\n"
        "sums = np.zeros(8, np.int64); bench.batch_player('tortuga', 3, 1)(0, 100, sums); print(has_pdep(), *sums)"
    )
    answers = []
    for plain in ({}, {"NUMBA_CPU_NAME": "generic"}):
        done = subprocess.run(
            [sys.executable, "-c", play], env={**os.environ, **plain}, check=True, capture_output=True, text=True
        )
        answers.append(done.stdout.split())
    assert answers[1][0] == "False"
    assert answers[0][1:] == answers[1][1:]
