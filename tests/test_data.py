"""Games as tables: what stands in them, how they are written, and the analyses of docs/data.md."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet
import pytest

import escapade
from escapade import Game, Invalid

PAGE = (Path(__file__).parents[1] / "docs" / "data.md").read_text()
BIN = Path(sys.executable).parent


def played(text: str, players: int = 2, most: int = 60) -> Game:
    """A game after some actions."""
    game = escapade.new(text, players, seed=7)
    while not game.over and most:
        game.play(game.legal_actions()[0 if most % 3 else -1])
        most -= 1
    return game


GAMES = [played("jamaica"), played("evades", 3), played("evades", 2, 999)]


def test_a_row_is_an_action_with_what_was_drawn() -> None:
    rows = escapade.frame(GAMES).to_pylist()
    for number, game in enumerate(GAMES, 1):
        mine = [row for row in rows if row["game"] == number]
        turns = [row for row in mine if row["turn"]]
        told = [(before.turn, before.seat, action) for before, action in game.mainline()]
        assert [(row["turn"], row["seat"], row["action"] + (row["outcome"] or "")) for row in turns] == told
        assert [row["kind"] for row in turns] == [game.action_type(action).kind for _, _, action in told]  # type: ignore[attr-defined]
        assert {row["won"] for row in mine} == ({True, False} if game.over else {None})
    retreats = [row for row in rows if row["kind"] == "retreat"]
    assert retreats
    assert all(row["outcome"] in (f"+{row['drawn']}", None if not row["drawn"] else "") for row in retreats)
    bets = [row["bet"] for row in rows if row["kind"] == "bet"]
    assert bets == [one.split(".") for game in GAMES[1:] for one in dict(game.setup_tags(None))["Bets"].split("/")]
    thrown = next(row for row in rows if row["kind"] == "roll")
    assert "=" + "".join(map(str, thrown["numbers"])) == thrown["outcome"]


def test_what_is_hidden_is_null_and_types_never_change() -> None:
    seen = [GAMES[0].record(2), GAMES[1].record(2)]
    for rows in ("actions", "games"):
        assert (
            escapade.frame(seen, rows).schema == escapade.frame(GAMES, rows).schema == escapade.frame([], rows).schema
        )
    jamaica, evades = escapade.frame(seen, "games").to_pylist()
    assert (jamaica["deal"][0], jamaica["pile"], evades["bets"][0]) == (None, None, None)
    assert evades["bets"][1]
    drawn = {row["seat"]: row["drawn"] for row in escapade.frame(seen[0]).to_pylist() if row["kind"] == "retreat"}
    assert drawn[1] is None
    assert drawn[2] is not None
    for wrong, rows, why in (([7], "actions", "int 7"), ([], "turns", "rows 'turns'"), (["x"], "games", "not a tag")):
        with pytest.raises(Invalid, match=why):
            escapade.frame(wrong, rows)  # type: ignore[arg-type]


def test_every_column_is_documented() -> None:
    told = set(re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in PAGE.splitlines() if line[:3] == "| `")))
    assert told == {name for rows in ("actions", "games") for name in escapade.frame([], rows).column_names}


def export(*arguments: str, given: bytes = b"", rc: int = 0) -> "subprocess.CompletedProcess[bytes]":
    """Run `escapade export`."""
    done = subprocess.run([BIN / "escapade", "export", *arguments], input=given, capture_output=True, timeout=200)
    assert done.returncode == rc, done.stderr
    return done


def test_files_hold_the_same_tables(tmp_path: Path) -> None:
    file = tmp_path / "some.esc"
    file.write_text("".join(game.record() for game in GAMES))
    export(str(file), "--parquet")
    for rows in ("actions", "games"):
        table = pyarrow.parquet.read_table(tmp_path / f"some.{rows}.parquet")
        assert table.to_pylist() == escapade.frame(escapade.read(file), rows).to_pylist()
        assert table.schema == escapade.frame([], rows).schema
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
        export("-", "--csv", "--games", str(tmp_path / "pipe"), given=file.read_bytes())
        assert reader.stdout
        lines = reader.stdout.read().decode().splitlines()
    assert (tmp_path / "pipe").is_fifo()  # what is no plain file is written to and never replaced
    assert lines[0].startswith('"game","kind","edition"')
    assert lines[2].startswith('2,"evades","evades",3,"Seat 1/Seat 2/Seat 3","*",,,')


def test_a_file_that_does_not_hold_leaves_the_old_tables(tmp_path: Path) -> None:
    (tmp_path / "some.esc").write_text(GAMES[0].record().replace("\n2. ", "\n3. "))
    (tmp_path / "some.games.csv").write_text("old")
    told = export(str(tmp_path / "some.esc"), "--csv", rc=1).stderr.decode()
    assert "game 1: turn 3: turn 2 comes here" in told
    assert {path.name for path in tmp_path.iterdir()} == {"some.esc", "some.games.csv"}
    assert (tmp_path / "some.games.csv").read_text() == "old"
    for arguments in (["-", "--csv"], ["-"], ["-", "--csv", "--actions", "-", "--games", "-"]):
        assert b"Usage" in export(*arguments, rc=2).stderr


def test_without_pyarrow_the_extra_is_named_and_nothing_else_needs_it() -> None:
    code = "import sys; sys.modules['pyarrow'] = None; import escapade; escapade.frame([])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert "ModuleNotFoundError: tables need pyarrow: pip install 'escapade[data]'" in done.stderr


def test_the_analyses_of_the_page_print_what_it_shows(tmp_path: Path) -> None:
    path = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    commands = PAGE.split("```sh\n")[1].split("```")[0]
    subprocess.run(["sh", "-e", "-c", commands], cwd=tmp_path, env=path, check=True, capture_output=True, timeout=300)
    programs = re.findall(r"```python\n(.*?)```\n```text\n(.*?)```", PAGE, re.DOTALL)
    assert len(programs) == 3
    for code, shown in programs:
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=100)
        assert done.stdout == shown, done.stderr
