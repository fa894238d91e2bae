"""Batches on a GPU equal those on the CPU, bit for bit; without a GPU, in numba-cuda's simulator."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba.cuda
import numpy as np
import pytest

from escapade.batch import Batch, play_games

pytest.importorskip("numba_cuda", reason="numba-cuda is in the extra `cuda`")

cuda: Any = numba.cuda
SCRIPT = Path(__file__).parent / "device_games.py"


def test_games_on_the_device_are_those_of_the_processor(tmp_path: Path) -> None:
    real = cuda.is_available()
    games, steps = (3000, 200) if real else (3, 8)
    simulated = {} if real else {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    out = tmp_path / "arrays.npz"
    command = [sys.executable, "-W", "ignore", str(SCRIPT), str(out), str(games), str(steps)]
    subprocess.run(command, env=os.environ | simulated, check=True, timeout=600)
    arrays = np.load(out)
    for text, players in (("first-escape+pirates=3+deal=3+turn-limit=6", 3), ("evades+length=15", 2)):
        whole = f"{text}+turn-limit=8" if text.startswith("evades") else text
        assert np.array_equal(arrays[f"{text} played"], play_games(whole, players, games, seed=4, first=2))
        batch = Batch(text, players, games, seed=4)
        actions, masks, seen = np.zeros(games, np.int64), batch.masks(), batch.observations()
        finals = batch.finals()
        for step in range(steps):
            batch.choose(actions)
            batch.step(actions, masks=masks, observations=seen, finals=finals)
            parts = actions, batch.seats, batch.rewards, batch.terminated, batch.truncated, masks, seen, finals
            assert np.array_equal(arrays[f"{text} {step}"], np.concatenate([part.ravel() for part in parts]))
        assert arrays[f"{text} positions"].tolist() == [str(batch.game(k)) for k in range(games)]
        illegal, unfit, listed = arrays[f"{text} refused"]
        assert listed == f"actions: a list; an array of int64 or int32 on the device, of shape ({games},), is needed"
        assert illegal.startswith("game 0: 99999 is not the number of a legal action, in ")
        assert unfit.startswith(f"actions: float32 of shape ({games},); int64 or int32")
        positions = [str(batch.game(k)) for k in range(games)]
        batch.show(observations=seen, reader=players - 1)
        branched = arrays[f"{text} branched"].tolist()
        assert branched[:games] == [positions[2], *positions[1:2] * (games - 1)]
        assert branched[games:] == [*positions[:2], positions[1], *positions[3:]]
        assert np.array_equal(arrays[f"{text} shown"], seen[[2, *[1] * (games - 1)]])
    assert [arrays[f"passed {step}"].tolist() for step in range(7)] == [[step == 5] * games for step in range(7)]  # C20
    for text in ("jamaica", "evades"):
        check_judgements(text, games, arrays)


def check_judgements(text: str, games: int, arrays: Any) -> None:
    """A network says the same on both machines but for the last digits, which may decide between two actions."""
    batch, actions = Batch(text, 2, games, seed=4, net=True), np.zeros(games, np.int64)
    for step in range(4):
        assert np.abs(batch.values() - arrays[f"{text} values {step}"]).max() < 1e-5
        batch.best(actions)
        assert np.mean(actions == arrays[f"{text} best {step}"]) > 0.99
        batch.step(arrays[f"{text} best {step}"])


def test_the_simulator_asks_for_plain_python() -> None:
    if cuda.is_available():
        pytest.skip("a GPU is here, so nothing is simulated")
    done = subprocess.run(
        [sys.executable, "-c", "import escapade.cuda"],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert "takes NUMBA_DISABLE_JIT=1 too" in done.stderr
