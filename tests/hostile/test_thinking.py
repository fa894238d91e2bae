"""H4: however much thinking somebody asks for, a sailor at another table answers nearly as quickly as before."""

import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hostile.attacks import abandon_hints, ask_hints, long_record, open_legends, paste_records
from hostile.canary import Canary, Figures
from hostile.starting import Visit, began
from server.live import Running

pytestmark = pytest.mark.flaky(reruns=2)  # times are compared, and other work may come between
SPARE = 2.0  # seconds more than twice the quiet time, for two noisy cores
WATCHED = 6.0  # seconds for which the canary is watched


class Scene(NamedTuple):
    """A server with a canary that has played undisturbed."""

    server: Running
    bird: Canary
    quiet: Figures


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    server = began(tmp_path_factory.mktemp("thinking"), {})
    bird = Canary(server.port, "127.0.99.1")
    yield Scene(server, bird, bird.quiet(turns=4))
    bird.end()
    server.stop()


def answers_still(scene: Scene, since: float, bird: Canary | None = None) -> None:
    """The canary's sailor has answered in time since then, and its pings went through."""
    during = (bird or scene.bird).during(since)
    assert during.sailor < 2 * scene.quiet.sailor + SPARE, (scene.quiet, during)
    assert during.p50 < 2 * scene.quiet.p50 + 0.1, (scene.quiet, during)
    assert during.faults == []


def test_many_tabs_that_ask_for_hints(scene: Scene, visit: Visit) -> None:
    since = time.monotonic()
    seen = ask_hints(visit(scene.server), 60, WATCHED)
    answers_still(scene, since)
    late = "closed 1008"  # a tab that a busy machine let say hello too late
    assert seen.keys() <= {"hints", "busy", "too-fast", late}, seen


def test_hints_that_nobody_waits_for(scene: Scene, visit: Visit) -> None:
    since = time.monotonic()
    abandon_hints(visit(scene.server), 60)
    time.sleep(WATCHED)
    answers_still(scene, since)


def test_records_that_take_long_to_check(scene: Scene, visit: Visit) -> None:
    visitor = visit(scene.server)
    record = long_record(visitor, 490_000)
    since = time.monotonic()
    answers = paste_records(visitor, record, 12)
    time.sleep(WATCHED)
    answers_still(scene, since)
    seen = answers(60.0)
    assert seen.keys() <= {"200", "busy", "too-fast", "too-big", "bad-record"}, seen
    assert visit(scene.server).asked.post("/api/replay", json={"record": ""}).status_code == 400


def test_legends_at_tables_where_nobody_is_also_after_a_restart(scene: Scene, visit: Visit) -> None:
    since = time.monotonic()
    seen, tables = open_legends(visit(scene.server), 40)
    assert tables, seen
    time.sleep(WATCHED)
    answers_still(scene, since)
    scene.server.kill()
    scene.server.start(scene.server.port)
    bird = Canary(scene.server.port, "127.0.99.2")
    try:
        bird.quiet(turns=1)
        since = time.monotonic()
        time.sleep(WATCHED)
        answers_still(scene, since, bird)
    finally:
        bird.end()
