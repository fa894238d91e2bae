"""The commands as a user runs them: what they print, where they write, how they fail, and how they stop."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import escapade
from escapade.cli import main

ESCAPADE = str(Path(sys.executable).parent / "escapade")
TUNNEL = "BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH"
PILE = "".join(card * (17 - "BBDHKSDKPPSS".count(card)) for card in "BDHKPS")
JAMAICA = f"jamaica {TUNNEL} 0.0.5.6.6.37/0.5.7.8.9.36 BBDHKS/DKPPSS - {PILE} - 1:0:9"
EVADES = "evades 0:yo,5:rb,9:d,#1:ln br.yl.do.n/yo.bn.rl.d - - 2:14"

Run = subprocess.CompletedProcess[str]


def run(*arguments: str | Path, rc: int = 0) -> Run:
    """Run a command to its end; it must have this exit status and show no traceback."""
    done = subprocess.run([ESCAPADE, *map(str, arguments)], capture_output=True, text=True, timeout=200, check=False)
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    assert done.returncode == rc, done.stdout + done.stderr
    return done


def refused(*arguments: str, rc: int) -> str:
    """What a command says that cannot be done; here, as a process of its own would take a second for each."""
    done = CliRunner().invoke(main, arguments)
    assert isinstance(done.exception, SystemExit), done.exception
    assert (done.exit_code, done.stdout) == (rc, ""), done.output
    return done.stderr


def simulate(out: Path, *more: str | Path, game: str = "jamaica", seed: int = 7, games: int = 60) -> Run:
    """A small simulation that writes its records."""
    return run("simulate", "--game", game, "--seed", str(seed), "--games", str(games), "--out", out, *more)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty games of Jamaica that were simulated with the seed 7."""
    file = tmp_path_factory.mktemp("simulated") / "games.esc"
    simulate(file)
    return file


def test_the_help_lists_the_commands() -> None:
    done = run("--help")
    assert done.stdout.startswith("Usage: escapade ")
    assert re.findall(r"^  (\w+)  ", done.stdout, re.MULTILINE)[-13:] == [
        "new",
        "show",
        "moves",
        "simulate",
        "arena",
        "study",
        "hint",
        "analyze",
        "verify",
        "export",
        "perft",
        "bench",
        "store",
    ]


def test_the_version_is_the_packages() -> None:
    assert escapade.__version__ in run("--version").stdout


@pytest.mark.parametrize("position", [JAMAICA, EVADES, str(escapade.new("evades", 3))])
def test_moves_prints_the_position_and_its_legal_actions(position: str) -> None:
    assert run("moves", position).stdout.splitlines() == [position, *escapade.parse(position).legal_actions()]


def test_moves_plays_the_actions_given_first() -> None:
    game = escapade.parse(JAMAICA)
    game.play("D6")
    game.play("37<36+B")
    assert run("moves", JAMAICA, "D6", "37<36+B").stdout.splitlines() == [str(game), *game.legal_actions()]


def test_moves_takes_a_throw_as_it_is_given_or_from_the_seed() -> None:
    assert " b1y2 - 2:14\nb>6\ny>2\n" in run("moves", EVADES, "roll:by=12").stdout
    once, again = (run("moves", EVADES, "roll:by", "--seed", "7").stdout for _ in range(2))
    assert once == again


def test_moves_of_a_game_that_is_over_are_none() -> None:
    position = JAMAICA.replace("0.0.5.6.6.37", "37.37.37.37.37.37").replace("1:0:9", "1:1:9")
    assert run("moves", position).stdout == f"{position}\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["moves", ""], "8 fields"),
        (["moves", JAMAICA.replace("0.0.5", "5.5.5")], "4 pirates on space 5"),
        (["moves", JAMAICA, "D6>11"], "the first free D ahead of 6 is 15"),
        (["moves", JAMAICA, "hello"], "'hello' is not an action"),
        (["moves", JAMAICA.replace("1:0:9", "1:200:9")], "200 actions taken"),
        (["moves", JAMAICA.replace(PILE, "?90"), "D6"], "not played on"),
        (["perft", JAMAICA.replace(PILE, "?90"), "1"], "cannot be played on"),
        (["hint", "jamaica"], "8 fields"),
        (["hint", JAMAICA.replace(PILE, "?90").replace("BBDHKS", "??????")], "is not known"),
        (["simulate", "--game", "cuba"], "no edition is called 'cuba'"),
        (["simulate", "--game", "jamaica+pirates=9"], "pirates can be 3 to 8"),
        (["simulate", "--players", "6"], "6 players; Cartagena is for 2 to 5"),
        (["simulate", "--players", "1000000000000"], "1000000000000 players; Cartagena is for 2 to 5"),
        (["simulate", "--game", "evades", "--players", "7"], "7 players; Les Évadés is for 2 to 6"),
        (
            ["simulate", "--players-are", "clever"],
            "no player of cartagena is called 'clever'; there are random, first, greedy, cabin-boy, deckhand, sailor",
        ),
        (["simulate", "--players-are", "first,random,first"], "3 players named for 2 seats"),
        (["simulate", "--games", "3", "--out", "/nowhere/games.esc"], "/nowhere/games.esc cannot be written"),
        (["simulate", "--games", "3", "--out", "/dev/full"], "/dev/full"),
        (["bench", "--game", "cuba", "--players", "2"], "no edition is called 'cuba'"),
        (["bench", "--game", "jamaica", "--players", "6"], "jamaica is not played by 6"),
    ],
)
def test_bad_input_is_told_without_a_traceback(arguments: list[str], reason: str) -> None:
    told = refused(*arguments, rc=1)
    assert reason in told
    assert told.startswith("Error: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["fly"],
        ["moves"],
        ["perft", JAMAICA, "-1"],
        ["simulate", "--games", "0"],
        ["simulate", "--jobs", "0"],
        ["simulate", "--seed", "x"],
        ["simulate", "--out", "/"],
        ["bench", "--seconds", "0"],
        ["bench", "--game", "jamaica", "--players", "2", "--seconds", "nan"],
        ["verify"],
        ["verify", "/nowhere/games.esc"],
    ],
)
def test_a_wrong_option_is_told_with_the_usage(arguments: list[str]) -> None:
    assert "Usage: " in refused(*arguments, rc=2)


def test_a_number_of_players_that_no_game_has_is_told_in_plain_words() -> None:
    error = refused("bench", "--players", "99", rc=1)
    assert "99" in error
    assert "no game is not" not in error


def test_perft_counts_the_sequences_of_actions() -> None:
    game = escapade.parse(JAMAICA)
    second = 0
    for action in game.legal_actions():
        twin = game.copy()
        twin.play(action)
        second += len(twin.legal_actions())
    assert run("perft", JAMAICA, "1").stdout == f"{len(game.legal_actions())}\n"
    assert run("perft", JAMAICA, "2").stdout == f"{second}\n"


def test_simulate_writes_as_many_checked_games_as_were_asked_for(games: Path) -> None:
    read = list(escapade.read(games))
    assert len(read) == 60
    assert all(game.over for game in read)
    assert {game.names for game in read} == {("bot:random", "bot:random")}
    assert {str(game.edition) for game in read} == {"jamaica+turn-limit=1000"}
    assert len({game.tags["Seed"] for game in read}) == 60


@pytest.mark.parametrize("game", ["jamaica", "evades"])
def test_the_games_do_not_depend_on_the_number_of_processes(game: str, tmp_path: Path) -> None:
    summaries = [simulate(tmp_path / jobs, "--json", "--jobs", jobs, game=game).stdout for jobs in "12"]
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    assert summaries[0] == summaries[1]


def test_other_seeds_give_other_games(games: Path, tmp_path: Path) -> None:
    simulate(tmp_path / "8", seed=8)
    ours, theirs = games.read_text("utf-8").split("\n\n\n"), (tmp_path / "8").read_text("utf-8").split("\n\n\n")
    assert not set(ours) & set(theirs) - {""}


def test_simulate_tells_who_won_as_the_records_do(games: Path, tmp_path: Path) -> None:
    summary = json.loads(simulate(tmp_path / "games.esc", "--json").stdout)
    read = list(escapade.read(games))
    assert summary["games"] == 60
    assert summary["seed"] == 7
    assert [one["count"] for one in summary["wins"]] == [
        sum(game.winners == (seat,) for game in read) for seat in (1, 2)
    ]
    assert summary["drawn"]["count"] == sum(not game.winners for game in read)
    assert summary["turns"]["most"] == max(game.turns[-1][0] for game in read)
    assert all(one["low"] <= one["share"] <= one["high"] for one in summary["wins"])


def test_simulate_tells_the_same_in_words() -> None:
    lines = run("simulate", "--game", "evades", "--players", "3", "--games", "5", "--seed", "7").stdout.splitlines()
    assert lines[0] == "5 games of evades, 3 players, seed 7"
    assert [line.split()[:2] for line in lines[1:4]] == [["seat", "1"], ["seat", "2"], ["seat", "3"]]


def test_a_simulation_without_a_seed_tells_the_one_it_took() -> None:
    summaries = [json.loads(run("simulate", "--games", "2", "--json").stdout) for _ in range(2)]
    assert summaries[0]["seed"] != summaries[1]["seed"]
    again = run("simulate", "--games", "2", "--json", "--seed", str(summaries[0]["seed"])).stdout
    assert json.loads(again) == summaries[0]


@pytest.mark.parametrize("edition", ["jamaica", "evades"])
def test_the_player_first_takes_the_first_legal_action(edition: str, tmp_path: Path) -> None:
    simulate(tmp_path / "games.esc", "--players-are", "first,random", game=edition, games=3)
    for game in escapade.read(tmp_path / "games.esc"):
        assert game.names == ("bot:first", "bot:random")
        assert first_legal(game) > 5


def first_legal(game: escapade.Game) -> int:
    """Replay a game and assert that seat 1 always took the first legal action; how often it did."""
    again, taken = escapade.new(str(game.edition), 2, seed=bytes.fromhex(game.tags["Seed"])), 0
    bets = dict(game.setup_tags(None)).get("Bets", "")
    actions = [f"bet:{bet}" for bet in bets.split("/") if bet] + [token for _, turn in game.turns for token in turn]
    for action in actions:
        if again.seat == 1:
            assert re.split("[+~=]", action)[0] == again.legal_actions()[0]
            taken += 1
        again.play(action)
    assert again == game
    return taken


def test_the_turn_limit_of_simulations_can_be_another(tmp_path: Path) -> None:
    simulate(tmp_path / "games.esc", game="jamaica+turn-limit=3", games=2)
    assert [game.result for game in escapade.read(tmp_path / "games.esc")] == ["=", "="]


def test_verify_counts_the_games_that_hold(games: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.esc"
    other.write_text(escapade.new("evades").record(), encoding="utf-8")
    lines = run("verify", games, other).stdout.splitlines()
    assert lines[0].startswith(f"{games}: 60 games hold")
    assert lines[1].startswith(f"{other}: 1 ")


def test_verify_tells_the_first_fault_with_its_place(games: Path, tmp_path: Path) -> None:
    spoiled = tmp_path / "spoiled.esc"
    records = games.read_text("utf-8").split("[Game ")
    records[7] = re.sub(r"^(30\. )\S+", r"\1X99>1", records[7], flags=re.MULTILINE)
    spoiled.write_text("[Game ".join(records), encoding="utf-8")
    done = run("verify", spoiled, games, rc=1)
    assert re.search(rf"{spoiled}, line \d+, game 7: turn 30, 'X99>1'", done.stdout + done.stderr)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"hello\n", b"[Game", b"\0" * 5000])
def test_verify_refuses_what_is_no_record(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "no.esc"
    file.write_bytes(content)
    done = run("verify", file, rc=1)
    assert f"{file}, line 1" in done.stdout + done.stderr


def test_bench_measures_one_game() -> None:
    options = ["--game", "jamaica+boat-retreat=off", "--players", "2", "--seconds", "0.1", "--json"]
    row = json.loads(run("bench", *options).stdout)
    assert {"decisions_per_s", "ns_per_decision", "games_per_s"} <= row.keys()
    assert row["game"] == "jamaica+boat-retreat=off"
    assert row["decisions_per_s"] > 0
    assert row["games_per_s"] < row["decisions_per_s"]


def test_bench_in_words_has_a_line_for_each_number_of_players() -> None:
    lines = run("bench", "--game", "evades", "--seconds", "0.01").stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["evades", str(n)] for n in range(2, 7)]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_stops_a_simulation_with_whole_games_written(jobs: str, tmp_path: Path) -> None:
    out = tmp_path / "games.esc"
    with long_simulation(out, jobs) as process:
        try:
            wait_for_games(out)
            os.killpg(process.pid, signal.SIGINT)
            _, errors = process.communicate(timeout=200)
        finally:
            stop(process)
    assert process.returncode == 130
    assert b"Traceback" not in errors
    stopped = re.search(r"Stopped after ([\d,]+) of 1,000,000 games", errors.decode())
    held = re.search(r": ([\d,]+) games hold", run("verify", out).stdout)
    assert stopped
    assert held
    assert held[1] == stopped[1]


@pytest.mark.parametrize("delay", [0.0, 0.005, 0.02])
def test_ctrl_c_while_the_processes_start_neither_hangs_nor_shows_a_traceback(delay: float, tmp_path: Path) -> None:
    out = tmp_path / "games.esc"
    with long_simulation(out, "2") as process:
        try:
            wait_for_games(out, least=0)
            time.sleep(delay)
            os.killpg(process.pid, signal.SIGINT)
            _, errors = process.communicate(timeout=200)
        finally:
            stop(process)
    assert process.returncode != 0
    assert b"Traceback" not in errors


def long_simulation(out: Path, jobs: str) -> subprocess.Popen[bytes]:
    """A simulation that only Ctrl-C ends, in its own process group, as under a terminal."""
    # A handler here makes sure that the command does not inherit an ignored Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    command = [ESCAPADE, "simulate", "--games", "1000000", "--seed", "7", "--jobs", jobs, "--out", str(out)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a simulation that did not end by itself, its workers too."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


def wait_for_games(file: Path, least: int = 1_000_000) -> None:
    """Wait until a simulation has opened its file and written at least this many bytes."""
    deadline = time.monotonic() + 200
    while not file.exists() or file.stat().st_size < least:
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_a_progress_bar_appears_on_a_terminal_and_only_there() -> None:
    options = ["simulate", "--games", "500", "--seed", "7", "--json"]
    mine, theirs = pty.openpty()
    with subprocess.Popen([ESCAPADE, *options], stdout=subprocess.PIPE, stderr=theirs, env=terminal()) as process:
        os.close(theirs)
        shown = everything(mine)
        assert process.stdout
        assert json.loads(process.stdout.read())["games"] == 500
    assert re.search(r"\[#+-*\] +\d+%", shown)
    assert "100%" in shown
    assert run(*options).stderr == ""


def terminal() -> dict[str, str]:
    """The environment of a user at a terminal."""
    return {**os.environ, "TERM": "xterm", "COLUMNS": "100"}


def everything(terminal: int) -> str:
    """What is shown on a terminal until its other side is closed."""
    shown = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:  # how Linux reports that the other side is closed
            more = b""
        if not more:
            os.close(terminal)
            return shown.decode()
        shown += more
