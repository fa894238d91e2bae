"""Everything is as it was in version 0.1.0, where somebody outside could tell; make.py has written what that was."""

import shutil
from pathlib import Path

import pytest
from golden import scenes
from golden.compare import Value, difference
from golden.make import PARTS, STORE, load


def changes(name: str, now: Value, loose: bool = False) -> str:
    """The first thing of a part that is not as it was, if any."""
    return difference(load(name), now, name, loose) or ""


@pytest.mark.parametrize("part", PARTS)
def test_what_is_played_and_told_is_as_it_was(part: str) -> None:
    changed = changes(part, PARTS[part]())
    assert not changed, changed


def test_people_at_a_server_say_and_hear_what_they_did(tmp_path: Path) -> None:
    told, _ = scenes.transcripts(tmp_path / "games.db")
    changed = [found for name, now in told.items() if (found := changes(name, now, loose=name == "answers"))]
    assert not changed, "\n".join(changed)


def test_a_store_of_the_version_before_opens_and_its_games_go_on(tmp_path: Path) -> None:
    shutil.copy(STORE, tmp_path / "games.db")
    changed = changes("reopened", scenes.reopening(tmp_path / "games.db", load("keys")))
    assert not changed, changed
