"""A real server and a real browser for all tests of this folder, and screens that complain when a page does."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright
from server.live import EVERYONE, OPERATED, WAIT, Running

from browser.screens import PHONE, Screen

# Debian's headless shell has the same engine and none of the windows around it, which take as long as our pages do.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
SWITCHES += ["--disable-component-update", "--disable-sync"]
# What the other programs have in each window for an address bar that nobody sees. This takes the place of Playwright's
# list, so what is on that one and could ask the network is on this one too.
OFF = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess", "AimEnabled", "HttpsUpgrades"]
OFF += ["MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"]
SWITCHES += [f"--disable-features={','.join(OFF)}"]
# Markup that somebody smuggles in calls `q`; a broken policy is told by the browser as an event.
WITNESS = """
window.q = () => console.error('markup of a player was run');
addEventListener('securitypolicyviolation', ({ violatedDirective }) => console.error('policy', violatedDirective));
"""
# The pictures that lie under everything: to paint them takes as long as much of what a test does.
BARE = """{
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => blob.type !== 'image/svg+xml' ? make(blob) :
    'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
}"""

Screens = Callable[..., Screen]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser for a worker while it is in this folder: no test can have another event loop than Playwright's."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here: install Debian's package `chromium-headless-shell`, or Google Chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that goes on running."""
    running = Running(tmp_path_factory.mktemp("browser") / "games.db", program=OPERATED)
    yield running
    running.stop()


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Running]:
    """A server to be killed."""
    running = Running(tmp_path / "games.db")
    yield running
    running.stop()


@pytest.fixture
def painted() -> bool:
    """Whether pages have the pictures that lie under everything, as modules that look at them or play games say."""
    return False


@pytest.fixture
def screens(chromium: Browser, painted: bool) -> Iterator[Screens]:
    """Opens screens, each a browser of its own with its own memory. At the end none may have complained."""
    contexts: list[BrowserContext] = []
    opened: list[Screen] = []

    def opens(at: Running, path: str = "/", settings: dict[str, Any] | None = None, **more: Any) -> Screen:
        more = {"viewport": {"width": 1280, "height": 720}, "locale": "en-GB", "reduced_motion": "reduce", **more}
        context = chromium.new_context(storage_state=remembering(at, settings or {}), **more)
        contexts.append(context)
        context.set_default_timeout(1000 * WAIT)
        context.add_init_script(WITNESS if painted else WITNESS + BARE)
        opened.append(Screen(at, context.new_page(), path))
        return opened[-1]

    yield opens
    complaints = [complaint for screen in opened for complaint in screen.all_complaints()]
    for context in contexts:
        context.close()
    assert not complaints


def remembering(server: Running, settings: dict[str, Any]) -> Any:
    """A browser's memory in which moves are shown at once, without sound."""
    kept = json.dumps({"speed": 0, "sound": False, "games": [], **settings})
    return {"cookies": [], "origins": [{"origin": server.url, "localStorage": [{"name": "escapade", "value": kept}]}]}


@pytest.fixture
def phone() -> dict[str, Any]:
    """What makes a screen that of a phone."""
    return {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


@pytest.fixture(autouse=True)
def everyone_goes() -> Iterator[None]:
    """No connection outlives its test."""
    yield
    while EVERYONE:
        EVERYONE.pop().go()
