"""What a person at the keyboard may expect of every command and call: `-`, text files, errors in words."""

import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import escapade
from escapade import Game, Invalid, analysis
from escapade.adapters.gymnasium import EscapadeEnv
from escapade.batch import Batch

POSITION = "evades 0:yo,5:r,7:b,9:d,#1:ln br.yl.do.n/br.yl.do.n b4w3 r+ 2:14"


def run(*arguments: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the command with a text as its standard input."""
    program = [sys.executable, "-m", "escapade.cli", *arguments]
    return subprocess.run(program, input=given, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def records() -> str:
    """What `simulate --out -` writes, its words elsewhere."""
    done = run("simulate", "--games", "3", "--game", "evades", "--seed", "1", "--out", "-")
    assert done.stdout.count("[Game ") == 3
    assert "3 games of evades" in done.stderr
    return done.stdout


def test_records_come_and_go_by_standard_input_and_output(records: str) -> None:
    assert run("verify", "-", given=records).stdout == "-: 3 games hold, 3 of them proven fair by their seed\n"
    match = run("arena", "random", "first", "--games", "2", "--out", "-")
    assert match.stdout.startswith("[Game ")
    assert "2 games of jamaica" in match.stderr
    drawn = run("arena", "random", "first", "--games", "2", "--plot", "-")
    assert drawn.stdout.startswith("<svg ")
    assert drawn.stdout.endswith("</svg>\n")
    assert "Elo" not in drawn.stderr.partition("elo ")[0]


def test_a_position_is_read_from_standard_input() -> None:
    assert run("moves", "-", "b>11", given=f"{POSITION}\n").stdout == run("moves", POSITION, "b>11").stdout != ""
    assert run("perft", "-", "1", given=POSITION).stdout == "3\n"


def test_read_takes_a_text_file(records: str, tmp_path: Path) -> None:
    (tmp_path / "games.esc").write_text(records, encoding="utf-8")
    with open(tmp_path / "games.esc", encoding="utf-8") as file:
        told = [game.record() for game in escapade.read(file)]
    assert "".join(told) == records
    assert [game.record() for game in escapade.read(io.StringIO(records))] == told
    with pytest.raises(Invalid, match="record, line 1: 'nonsense' is not a tag"):
        list(escapade.read(io.StringIO("nonsense\n")))


def test_errors_are_in_words() -> None:
    batch, numbers = Batch("jamaica", 2, 4, threads=1), np.zeros(4, np.int64)
    wrong: Any = [0, 0, 0, 0]
    with pytest.raises(Invalid, match=r"actions: a list; an array of int64 or int32, of shape \(4,\), is needed"):
        batch.step(wrong)
    with pytest.raises(Invalid, match="int64 or int32 of shape"):
        batch.step(numbers[:2])
    for number in (-1, 4):
        with pytest.raises(Invalid, match=f"game {number}: the games are numbered from 0 to 3"):
            batch.game(number)
    for seed in ("x", 1.5):
        with pytest.raises(Invalid, match=f"the seed {seed!r}: a whole number or 32 bytes"):
            escapade.new(seed=seed)  # type: ignore[arg-type]
    assert escapade.new(seed=np.int64(7)) == escapade.new(seed=7)  # type: ignore[arg-type]
    env = EscapadeEnv("jamaica", 2, opponents="random")
    with pytest.raises(Invalid, match="reset takes no options, such as seat: settings are given to make"):
        env.reset(options={"seat": 1})
    env.reset(seed=1, options={})


def test_an_unknown_edition_is_told_all_there_are() -> None:
    position = str(escapade.new("jamaica", seed=1)).replace("jamaica", "jamaika")
    asked: list[tuple[Callable[[str], Game], str]] = [(escapade.new, "jamaika"), (escapade.parse, position)]
    for ask, text in asked:
        with pytest.raises(
            Invalid, match=r"no edition is called 'jamaika'; there are jamaica, .*first-escape-open, evades"
        ) as told:
            ask(text)
        assert told.value.code == "unknown-edition"


@pytest.mark.parametrize("text", ["jamaica", "evades"])
def test_0_and_none_are_a_spectator_for_views_and_records(text: str) -> None:
    game = escapade.new(text, 3, seed=1)
    while game.turn < 3:
        game.play(game.legal_actions()[0])
    assert game.view(0) == game.view(None) == str(escapade.from_record(game.record(0)))
    assert game.record(0) == game.record(None) != game.record()
    assert escapade.parse(game.view(2)).view(0) == game.view(0)
    for ask in (game.view, game.record):
        with pytest.raises(Invalid, match="seat -1: this game has seats 1 to 3"):
            ask(-1)


def test_an_analysis_says_what_its_columns_are() -> None:
    game = escapade.new("jamaica", 2, seed=1)
    judged = analysis.Judged(1, 1, ("B0>1", "."), (0.4, 0.6), 0.0, ())
    _, _, _, header, row, *_ = analysis.in_words(game, [judged])
    assert re.match(r"turn +seat +seat 1 +seat 2 +played \(chances after the turn", header)
    assert [header.index("seat 2") + 6, header.index("played")] == [row.index("60%") + 3, row.index("B0>1")]
