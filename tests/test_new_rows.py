"""An edition that differs only in data is a row, and so is a level: everything else finds them in the registry."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from server.live import EVERYONE, Player, Running, mine

from escapade import games

HERE = Path(__file__).parent
PROGRAM = (str(HERE / "new_rows.py"),)
EDITION, LEVEL = "barbados", "ghost"
LANGUAGES = sorted((HERE.parent / "src" / "escapade" / "client" / "lang").glob("*.json"))


def run(*arguments: str) -> str:
    """What the command prints."""
    done = subprocess.run([sys.executable, *PROGRAM, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_commands_play_a_new_edition_by_a_new_level(tmp_path: Path) -> None:
    records = tmp_path / "games.esc"
    match = ["--game", EDITION, "--players", "3", "--seed", "1"]
    summary = json.loads(
        run("simulate", *match, "--players-are", LEVEL, "--games", "3", "--out", str(records), "--json")
    )
    assert (summary["games"], summary["players"]) == (3, [LEVEL] * 3)
    assert f'[Edition "{EDITION}+turn-limit=1000"]' in records.read_text()
    assert run("verify", str(records)).endswith("3 games hold, 3 of them proven fair by their seed\n")
    assert EDITION in run("bench", "--game", EDITION, "--players", "2", "--seconds", "0.01")
    assert LEVEL in run("simulate", "--help")


def test_a_server_offers_and_plays_them(tmp_path: Path) -> None:
    server = Running(tmp_path / "games.db", program=PROGRAM)
    try:
        offer = server.get("/api/rules").json()
        assert offer["levels"][-1] == LEVEL
        assert offer["kinds"]["cartagena"]["editions"][-1] == EDITION
        assert offer["kinds"]["cartagena"]["offers"]["symbols"][EDITION]["classic"]["S"] == "skull"
        assert offer["kinds"]["evades"]["levels"][-1] == LEVEL
        assert f'"{EDITION}"' in server.get("/").text.replace("&quot;", '"')
        ghost = {"name": "Bo", "bot": LEVEL}
        for game in (EDITION, "evades"):
            table, key = server.make(game, mine("Anne"), ghost, first=1)
            anne = Player(server, table, key)
            assert anne.shown["seats"][0]["bot"] == LEVEL
            anne.wait(lambda player: player.version > 0)
    finally:
        while EVERYONE:
            EVERYONE.pop().go()
        server.stop()


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: str(path.stem))
def test_every_edition_and_level_has_its_texts_in_every_language(path: Path) -> None:
    texts = json.loads(path.read_text())
    assert set(texts["edition"]) == set(games.editions(games.kinds().values()))
    assert list(texts["level"]) == list(games.LEVELS)
