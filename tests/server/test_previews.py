"""What other programs are told of a link: of games that are over and of puzzles, and nothing of what goes on."""

import re
import struct
from concurrent.futures import ThreadPoolExecutor
from html import unescape

import pytest
from server.live import Player, Running, free, mine, play_out
from server.test_http import EXPECTED
from server.test_puzzling import ROAD

HOSTILE = ["", "-1", "1.5", "1e3", "0x1", "٣", "²", "1000000", "1" * 500, "x", "<script>", "1&turn"]
NAME = "Ann <i>&'`"


def tags(page: str) -> dict[str, str]:
    """What the head of a page tells other programs."""
    return {name: unescape(told) for name, told in re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', page)}


@pytest.fixture(scope="module")
def over(server: Running) -> str:
    """A table whose game is over."""
    table, key = server.make("jamaica+pirates=3+turn-limit=6", mine(NAME), free(), first=0)
    with Player(server, table, key) as anne, Player(server, table) as bo:
        bo.sit(2, "Bø")
        for player in (anne, bo):
            player.wait(lambda player: player.state)
        play_out([anne, bo])
    return table


def test_a_finished_game_and_its_turns_have_words_and_a_picture_of_their_own(server: Running, over: str) -> None:
    page = server.get(f"/replay/{over}").text
    told = tags(page)
    assert told["title"] == f"{NAME} and Bø · Jamaica"
    assert "<i>" not in page
    assert told["description"] == "Nobody wins: a draw. 6 turns."
    assert told["url"] == f"{server.url}/replay/{over}"
    assert '<meta name="twitter:card" content="summary_large_image">' in page
    assert f"<title>{NAME} and Bø · Jamaica · Escapade</title>" in unescape(page)
    turn = tags(server.get(f"/replay/{over}?turn=3", **{"Accept-Language": "xx, da-DK;q=0.9"}).text)
    assert turn["description"] == "Tur 3 af 6. Ingen vinder: uafgjort."
    assert turn["url"].endswith(f"/replay/{over}?turn=3")
    shown = {}
    for one in (told, turn):
        assert one["image"].startswith(f"{server.url}/")
        answer = server.get(one["image"].removeprefix(server.url))
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
        assert answer.headers["cache-control"] == "public, max-age=86400"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        assert struct.unpack(">II", answer.content[16:24]) == (1200, 630)
        assert (one["image:width"], one["image:height"]) == ("1200", "630")
        shown[one["image"]] = answer.content
    assert len(set(shown.values())) == 2


def test_a_question_for_the_head_alone_has_no_body(server: Running, over: str) -> None:
    for path in (f"/replay/{over}", f"/embed/{over}", f"/api/tables/{over}/picture.png"):
        whole, head = server.get(path), server.asked.head(server.url + path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]


def test_every_number_of_a_turn_leads_to_a_picture_of_the_game_and_nothing_else_is_a_number(
    server: Running, over: str
) -> None:
    path = f"/api/tables/{over}/picture.png"
    end = server.get(path).content
    assert server.get(f"{path}?turn=7").content == server.get(f"{path}?turn=999999").content == end
    assert server.get(f"{path}?turn=0").content == server.get(f"{path}?turn=1").content != end
    for turn in HOSTILE:
        answer = server.asked.get(server.url + path, params={"turn": turn})
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-message")
        page = server.asked.get(f"{server.url}/replay/{over}", params={"turn": turn})
        assert (page.status_code, tags(page.text)) == (200, {})


def test_nothing_is_told_of_a_game_that_goes_on_or_is_not_there(server: Running) -> None:
    lobby, _ = server.make("jamaica", mine("Secret"), free())
    anne, _ = server.open("jamaica")
    anne.play(anne.choose())
    for table, code in ((lobby, "not-begun"), (anne.table, "not-over"), ("nowhere", "no-table")):
        answer = server.get(f"/api/tables/{table}/picture.png", anne.key)
        assert answer.json()["code"] == code
        assert answer.headers["cache-control"] == "no-store"
        for page in ("replay", "embed"):
            shown = server.get(f"/{page}/{table}")
            assert shown.status_code == 200
            assert not tags(shown.text)
            assert "<title>Escapade</title>" in shown.text
            assert "Secret" not in shown.text
            assert "Anne" not in shown.text


def test_a_puzzle_is_shown_as_its_seat_sees_it_and_its_answer_is_not_told(server: Running) -> None:
    page = server.get(f"/puzzles/{ROAD.id}").text
    told = tags(page)
    assert told["title"].startswith("Puzzle · ")
    picture = server.get(told["image"].removeprefix(server.url))
    assert picture.content.startswith(b"\x89PNG")
    assert not [action for action in ROAD.line if len(action) > 2 and action in page]
    assert server.get("/api/puzzles/none/picture.png").json()["code"] == "no-puzzle"
    assert not tags(server.get("/puzzles/none").text)


def test_only_the_page_for_other_sites_may_be_framed_and_nothing_sets_a_cookie(server: Running, over: str) -> None:
    framed = server.get(f"/embed/{over}")
    policy = framed.headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "x-frame-options" not in framed.headers
    for path in (f"/replay/{over}", f"/puzzles/{ROAD.id}", f"/t/{over}", f"/api/tables/{over}/replay"):
        headers = server.get(path).headers
        assert {name: headers.get(name) for name in EXPECTED} == EXPECTED
    pages = [framed, server.get(f"/replay/{over}"), server.get(f"/api/tables/{over}/picture.png")]
    assert not [page for page in pages if "set-cookie" in page.headers]


def test_many_pictures_at_once_are_drawn_or_refused_and_a_table_goes_on(server: Running) -> None:
    table, key = server.make("jamaica+turn-limit=40", mine("Anne"), mine("Bo"), first=0)
    with Player(server, table, key) as both:
        both.wait(lambda player: player.state)
        play_out([both])
    anne, _ = server.open("jamaica")
    with ThreadPoolExecutor(30) as pool:
        asked = [
            pool.submit(server.asked.get, f"{server.url}/api/tables/{table}/picture.png?turn={n}") for n in range(1, 31)
        ]
        anne.play(anne.choose())
        assert anne.version == 1
        answers = [one.result() for one in asked]
    assert {answer.status_code for answer in answers} <= {200, 429, 503}
    assert any(answer.status_code == 200 for answer in answers)
