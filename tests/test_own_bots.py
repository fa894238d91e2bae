"""Bots that Escapade has never heard of play everywhere: by place or entry point, as class, function or instance."""

import random
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from installing import point_at
from server.live import EVERYONE, Player, Running, mine

import escapade
from escapade import Illegal, Invalid, arena, bots
from escapade.adapters.gymnasium import EscapadeEnv
from escapade.bots import Bot, make
from escapade.simulate import Match, play_game, seat_players

PAGE = (Path(__file__).parents[1] / "docs" / "writing-a-bot.md").read_text()
BOT, *PROGRAMS = (part.split("```")[0] for part in PAGE.split("```python\n")[1:])
COMMANDS = PAGE.split("```sh\n")[1].split("```")[0].splitlines()
ESCAPADE = "from escapade.cli import main; main()"


class Last(Bot):
    """The last legal action."""

    def choose(self, view: str, legal: Sequence[str], record: str | None = None) -> str:
        return legal[-1]


class Reader:
    """No subclass of ours; asks for the record."""

    def choose(self, view: str, legal: Sequence[str], record: str) -> str:
        assert escapade.from_record(record).seat == escapade.parse(view).seat
        return legal[0]


def last(view: str, legal: Sequence[str]) -> str:
    return legal[-1]


def run(folder: Path, *arguments: str, env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    """Run Python in a folder, which is not on its path but for the command's own doing."""
    program = [sys.executable, "-P", *arguments]
    return subprocess.run(program, cwd=folder, env=env, capture_output=True, text=True, timeout=120)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the page's bot in it."""
    (tmp_path / "mybot.py").write_text(BOT)
    return tmp_path


def test_the_page_is_short_and_its_bot_has_twenty_lines() -> None:
    assert len([line for line in BOT.splitlines() if line.strip()]) <= 20
    assert len(PAGE.splitlines()) <= 100


@pytest.mark.parametrize("line", [line for line in COMMANDS if "--bot" not in line])
def test_the_pages_commands_run(folder: Path, line: str) -> None:
    small = re.sub(r"--games \d+", "--games 4", line)
    done = run(folder, "-c", ESCAPADE, *shlex.split(small)[1:])
    assert done.returncode == 0, done.stderr
    assert "mybot:Leaper" in done.stdout
    if "--out" in line:
        assert {game.names[0] for game in escapade.read(folder / "games.esc")} == {"bot:mybot:Leaper"}


@pytest.mark.parametrize("code", PROGRAMS, ids=["arena", "gymnasium"])
def test_the_pages_programs_run(folder: Path, code: str) -> None:
    done = run(folder, "-c", f"import sys; sys.path.insert(0, '.')\n{code}")
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_an_entry_point_is_a_name(folder: Path) -> None:
    env = point_at(folder, "escapade.bots", leaper="mybot:Leaper", broken="no_such_module:Bot")
    done = run(folder, "-c", ESCAPADE, "arena", "leaper(cards=2)", "random", "--games", "4", env=env)
    assert "leaper(cards=2)" in done.stdout, done.stderr
    for name, why in {
        "broken": "no_such_module cannot be imported",
        "breaker": "there are .*leaper, broken, and",
    }.items():
        done = run(folder, "-c", ESCAPADE, "arena", name, "random", env=env)
        assert re.search(why, done.stderr), done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "player",
    [Last, Last(1), last, f"{__name__}:Last", f"{__name__}:last"],
    ids=["class", "instance", "function", "class by place", "function by place"],
)
def test_class_instance_function_and_path_play_the_same_game(player: Any) -> None:
    played = play_game(Match("jamaica+turn-limit=40", ("sailor", player), 1, True), 1)
    assert played.record
    moves = played.record.partition("\n\n")[2]
    assert moves == play_game(Match("jamaica+turn-limit=40", ("sailor", Last), 1, True), 1).record.partition("\n\n")[2]  # type: ignore[union-attr]
    env = EscapadeEnv("jamaica", 3, opponents=player, seat=1)
    assert [bot.choose("", ["a", "b"]) for bot in env.bots.values()] == ["b", "b"]


def test_a_third_argument_is_the_record() -> None:
    players: list[Any] = [Reader, Reader(), Reader().choose]
    for player in players:
        assert make(player, "cartagena", 1).remembers
        assert play_game(Match("evades+turn-limit=6", ("first", player), 1, False), 1).turns == 6
    assert not make(last, "cartagena", 1).remembers


def test_an_arena_of_own_bots_has_their_names() -> None:
    match = Match("jamaica+turn-limit=60", (Last, last, "random"), 1, False)
    blocks = list(arena.play(match, 2, 6, 1))
    assert [bot["name"] for bot in arena.summary(match, blocks, None)["bots"]] == ["Last", "last", "random"]


def wrong(view: str, legal: Sequence[str]) -> Any:
    return random.choice([None, "nonsense", "K0>1+B", 7])


class Picky(Last):
    kinds = ("evades",)


class Sealed(Last):
    def __init__(self, seed: int, depth: int) -> None:
        super().__init__(seed)


@pytest.mark.parametrize(
    ("player", "why"),
    [
        ("mybot:", "is not a player, as in random, captain"),
        ("mybot:Leaper(depth=x)", "is not a player"),
        ("no_such_module:Leaper", "no_such_module cannot be imported: ModuleNotFoundError"),
        (f"{__name__}:Nobody", "has no Nobody"),
        (f"{__name__}:PAGE", "is no bot: it can neither be called nor"),
        (f"{__name__}:last(depth=2)", "only a class takes parameters"),
        (f"{__name__}:Last(depth=2)", "cannot be made: .*unexpected keyword argument 'depth'"),
        (Sealed, "'Sealed' cannot be made: .*missing 1 required positional argument: 'depth'"),
        (Picky, "'Picky' plays evades, not cartagena"),
        (7, "is no bot"),
        ("nobody", "no player of cartagena is called 'nobody'; there are random, .*, and your own as in mybot:Leaper"),
    ],
)
def test_what_is_no_bot_is_told_why(player: Any, why: str) -> None:
    with pytest.raises(Invalid, match=why):
        seat_players([player], "jamaica", 2)


def test_a_choice_that_is_not_legal_names_the_bot_and_the_view() -> None:
    for _ in range(4):
        with pytest.raises(Illegal, match=r"^wrong chose .*, which is not one of the legal actions, in jamaica"):
            play_game(Match("jamaica", (wrong, "random"), 1, False), 1)
        with pytest.raises(Illegal, match=r"^wrong chose"):
            EscapadeEnv("jamaica", 2, opponents=wrong, seat=2).reset(seed=1)


def test_the_public_names_are_on_the_page() -> None:
    assert all(f"`{name}" in PAGE for name in bots.__all__ if name not in ("Line", "Player"))


FAULTY = """
import os, time
from escapade.bots import Bot


class Raises(Bot):
    def choose(self, view, legal, record=None):
        raise RuntimeError


class Dies(Bot):
    def choose(self, view, legal, record=None):
        os._exit(1)
"""


def test_a_server_offers_own_bots_as_levels_and_one_that_fails_holds_nobody_up(folder: Path) -> None:
    (folder / "faulty.py").write_text(FAULTY)
    named = [f"--bot={bot}" for bot in ("mybot:Leaper", "faulty:Raises", "faulty:Dies")]
    code = f"import os, sys; os.chdir({str(folder)!r}); from escapade.cli import main; main({named} + sys.argv[1:])"
    server = Running(folder / "games.db", program=("-P", "-c", code))
    try:
        kinds = server.get("/api/rules").json()["kinds"]
        assert kinds["cartagena"]["levels"][-3:] == ["Leaper", "Raises", "Dies"]
        assert kinds["evades"]["levels"][-2:] == ["Raises", "Dies"]
        assert "Leaper" not in kinds["evades"]["levels"]
        leaper, raises, dies = ({"name": name, "bot": name} for name in ("Leaper", "Raises", "Dies"))
        for game, seats, actions in (("jamaica", (leaper, raises), 6), ("evades", (raises, dies), 2)):
            watched = Player(server, *server.make(game, *seats, first=0))
            while watched.version <= actions:
                watched.receive()
        log = server.log.read_text()
        assert "Raises for seat 2" in log
        assert "Dies for seat 2" in log
        assert "Leaper for seat" not in log
        other = [{"colour": 0, **mine("Anne")}, {"colour": 1, "name": "Bo", "bot": "os:abort"}]
        assert server.post("/api/tables", {"game": "jamaica", "seats": other}).status_code == 400
    finally:
        while EVERYONE:
            EVERYONE.pop().go()
        server.stop()


def test_a_bot_that_is_none_keeps_the_server_from_starting(folder: Path) -> None:
    for bot, why in {"mybot:Hopper": "has no Hopper", "captain": "there is a level captain already"}.items():
        done = run(folder, "-c", ESCAPADE, "--bot", bot, "--no-browser")
        assert (done.returncode, why in done.stderr) == (1, True), done.stderr
