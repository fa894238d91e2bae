"""The programs of docs/programming.md run, and the documentation site is made of all pages without a warning."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest
from pages import ROOT, programs


@pytest.mark.parametrize(
    "code", [pytest.param(code, id=name) for name, code in programs().items() if name.startswith("programming")]
)
def test_a_program_of_the_page_runs(code: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def text_of(page: Path) -> str:
    """What a page of the site says, without its markup."""
    return unescape(re.sub(r"<[^>]+>", "", page.read_text()))


def test_the_site_is_built_without_a_warning_and_its_notebooks_run(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="Sphinx builds the site; it is in the extra `docs`")
    site = tmp_path / "site"
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "docs", str(site)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "seat (1,) has won" in text_of(site / "tutorials" / "first-steps.html")
    assert re.search(r"leap won \d+ of 20, ", text_of(site / "tutorials" / "a-bot.html"))
    assert "<svg" in (site / "tutorials" / "inside-a-game.html").read_text()
    assert "A new game of an edition" in text_of(site / "api.html")
    assert 'href="rules/evades.fr.html"' in (site / "languages.html").read_text()
