"""What the browser has to do: page sizes, time until one can play, frames a second while moves are animated.

python benchmarks/browser.py
"""

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import click
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

import escapade

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from server.live import Running, mine, position

LOADING = 15  # seconds in which a server that was started before loads its bots
SETTLING = 2000  # milliseconds in which a new window of the browser has shown what is its own
GAMES = {
    "Cartagena": (
        position("jamaica", "0.0.0.0.0.18/0.0.0.0.17.17", "BBDHKS/DKPPSS", top="PS"),
        "D0>5",
        ".place.movable",
    ),
    "Les Évadés": ("evades 0:yo,5:r,7:b,9:d,#1:ln br.yl.do.n/yo.bn.rl.d b4w3 r+ 1:14", "b>11", "[data-pin]"),
}
# Animates a move on the board over and over and counts frames, from the positions of the table.
FRAMES = """async ([move, seconds]) => {
  const face = document.querySelector('cartagena-face, evades-face'), { view, after } = move;
  let frames = 0, running = true, longest = 0, last = performance.now();
  const count = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    frames++;
    if (running) requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  const begin = performance.now();
  do await face.animate(move, view, after, 1); while (performance.now() - begin < seconds * 1000);
  running = false;
  return [frames / (performance.now() - begin) * 1000, longest];
}"""  # fmt: skip
IDLE = """(seconds) => new Promise((done) => {
  let frames = 0;
  const begin = performance.now();
  const count = () => {
    if (performance.now() - begin > seconds * 1000) return done(frames / seconds);
    frames++;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
})"""  # fmt: skip


def fresh(browser: Browser, server: Running) -> BrowserContext:
    """A browser context that has not visited the server before."""
    kept = json.dumps({"speed": 1, "sound": False, "games": []})
    storage: Any = {
        "cookies": [],
        "origins": [{"origin": server.url, "localStorage": [{"name": "escapade", "value": kept}]}],
    }
    return browser.new_context(storage_state=storage, viewport={"width": 1280, "height": 720}, locale="en-GB")


def opened(context: BrowserContext, url: str, ready: str) -> tuple[Page, int, int, float]:
    """A page, its bytes and number of responses, and the seconds until it could be used."""
    page, answers = context.new_page(), []
    page.wait_for_timeout(SETTLING)
    page.on("response", lambda answer: answers.append(answer))
    begin = time.perf_counter()
    page.goto(url)
    page.locator(ready).first.wait_for()
    seconds = time.perf_counter() - begin
    page.wait_for_load_state("networkidle")
    weights = [len(answer.body()) for answer in answers if not answer.url.startswith("blob:")]
    return page, sum(weights), len(weights), seconds


@click.command()
@click.option("--seconds", default=4.0, show_default=True, help="How long frames are counted.")
def main(seconds: float) -> None:
    """Start a server and a browser, measure, print."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise click.ClickException("No Chromium here: install Debian's package chromium, or Google Chrome.")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Running(Path(folder) / "games.db")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        fresh(browser, server).new_page().goto(server.url)
        time.sleep(LOADING)
        print("| page | KB | answers | seconds to playable | frames a second, idle | in motion | longest frame |")
        print("|---|---|---|---|---|---|---|")
        page, weight, answers, took = opened(fresh(browser, server), server.url, "[data-do=play]")
        print(f"| first page | {weight / 1000:.0f} | {answers} | {took:.2f} | {page.evaluate(IDLE, seconds):.0f} | | |")
        for name, (start, action, ready) in GAMES.items():
            table, key = server.make(
                start.split(" ")[0], mine("Anne"), {"bot": "cabin-boy", "name": "Grace"}, start=start
            )
            page, weight, answers, took = opened(fresh(browser, server), f"{server.url}/t/{table}#{key}", ready)
            idle = page.evaluate(IDLE, seconds)
            move = {"seat": 1, "turn": 14, "action": action, **views(start, action)}
            rate, longest = page.evaluate(FRAMES, [move, seconds])
            measured = f"{took:.2f} | {idle:.0f} | {rate:.0f} | {longest:.0f} ms"
            print(f"| {name} | {weight / 1000:.0f} | {answers} | {measured} |")
            page.context.close()
        browser.close()
        server.stop()


def views(start: str, action: str) -> dict[str, str]:
    """The views of seat 1 before and after an action."""
    game = escapade.parse(start, 7)
    before = game.view(1)
    game.play(action)
    return {"view": before, "after": game.view(1)}


if __name__ == "__main__":
    main()
