"""What a table offers around a turn: undo, hints, the clock, a turn once more, words for what cannot be done."""

import re

from playwright.sync_api import expect
from server.live import WAIT, Player, Running, free, mine, position

from browser.conftest import Screens
from browser.hands import SYMBOLS, Keys, Mouse
from browser.screens import ON, Screen, seat_link

START = position("jamaica+pirates=3", "0.0.18/0.17.17", "BBDHKS/DKPPSS", top="PS")
UNDO = "[data-do=undo]"
MAY_UNDO = UNDO + ON
CABIN_BOY = {"bot": "cabin-boy", "name": "Grace"}


def against_bo(server: Running, screens: Screens, **more: object) -> tuple[Screen, Player]:
    """Anne at her screen, and Bo somewhere else."""
    table, key = server.make("jamaica+pirates=3", mine("Anne"), free(), start=START, **more)
    bo = Player(server, table)
    bo.sit(2, "Bo")
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    return screen, bo


def top_of_discards(screen: Screen) -> str:
    """The card that is seen there."""
    seen = "[...document.querySelectorAll('.discards .top svg, .spent svg')].map((drawing) => drawing.innerHTML)"
    top, *kinds = ["", *screen.evaluate(seen)][-7:]
    return SYMBOLS[kinds.index(top)] if top else ""


def test_an_action_is_taken_back_and_the_end_of_a_turn_too_for_some_seconds(server: Running, screens: Screens) -> None:
    screen, bo = against_bo(server, screens)
    hand = Mouse(screen)
    expect(screen.find(UNDO)).to_be_disabled()
    hand.act("D0>5")
    screen.wait_turn()
    assert top_of_discards(screen) == "D"
    screen.find(MAY_UNDO).click()
    screen.wait(lambda: screen.of_type("undone"))
    expect(screen.find(UNDO)).to_be_disabled(timeout=1000 * WAIT)
    assert screen.find(".log li").count() == 0
    assert top_of_discards(screen) == ""
    assert screen.find(".hand [data-card=D]").get_attribute("aria-disabled") is None
    screen.wait_turn()
    hand.act("D0>5")
    screen.wait_turn()
    hand.act(".")
    screen.wait_text(UNDO, re.compile(r"\d s"))
    screen.page.keyboard.press("u")
    screen.wait(lambda: len(screen.of_type("undone")) == 2)
    screen.wait_turn()
    assert screen.text(".turn") == "Your turn"
    hand.act(".")
    bo.wait(lambda bo: bo.version == screen.version)
    bo.play("K0>6")
    expect(screen.find(UNDO)).to_be_disabled(timeout=1000 * WAIT)
    assert screen.find(".log li").count() == 3
    screen.page.reload()
    screen.find(".discards .top svg").wait_for()
    assert top_of_discards(screen) == "K"


def test_what_has_shown_a_card_is_not_taken_back(server: Running, screens: Screens) -> None:
    screen, _ = against_bo(server, screens)
    Mouse(screen).act("18<17")
    screen.wait_turn()
    expect(screen.find(UNDO)).to_be_disabled()
    screen.page.keyboard.press("u")
    Mouse(screen).act("D0>5")
    assert not [message for message in screen.sent if message["type"] == "undo"]


def test_a_bet_is_taken_back_until_the_last_one_is_made(server: Running, screens: Screens) -> None:
    table, key = server.make("evades", mine("Anne"), free(), first=0)
    Player(server, table).sit(2, "Bo")
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    Mouse(screen).act("bet:br.yl.do.n")
    screen.find(MAY_UNDO).click()
    screen.wait(lambda: screen.of_type("undone"))
    screen.find("dialog.bet[open]").wait_for()
    Mouse(screen).act("bet:yo.bn.rl.d")
    screen.wait_text(".actions .prompt", "Waiting")


def test_a_hint_is_told_step_by_step_as_it_is_asked_for(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), CABIN_BOY, start=START)
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    screen.ask_hint()
    clues = screen.find(".over.hints .clues li")
    best = screen.of_type("hints")[-1]["hints"][0]
    space = int(re.findall(r"\d+", best["action"])[0])
    marked = screen.find(".place.target, .slot.chosen, [data-do=retreat][aria-pressed=true]")
    first = clues.first.inner_text()
    if space:
        low, high = map(int, re.findall(r"\d+", first))
        assert low <= space <= high
        screen.page.keyboard.press("h")
        assert clues.nth(1).inner_text() == f"The pirate on {space}."
    else:
        assert first == "Look at the prison."
    assert not screen.find(".slot.chosen, [data-do=retreat][aria-pressed=true]").count()
    screen.page.keyboard.press("h")
    expect(marked.first).to_be_visible()
    if len(best["line"]) > 1:
        screen.page.keyboard.press("h")
        expect(clues.last).to_contain_text("The whole turn:")
    assert not screen.find(".over.hints [data-do=suggest]").count(), "reasons come last"
    screen.page.keyboard.press("h")
    hint = screen.find(".over.hints [data-do=suggest]")
    expect(hint.first).to_be_focused()
    assert screen.find("[data-do=more]").count() == 0


def test_hints_tell_chances_and_reasons_and_can_be_followed(server: Running, screens: Screens) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), CABIN_BOY, start=START)
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    screen.find("[data-do=hint]").click()
    screen.hear_hints()
    hints = screen.find(".over.hints li")
    assert 1 <= hints.count() <= 3
    assert re.search(r"\d+\s?%", hints.first.inner_text())
    assert len(hints.first.inner_text()) > 15
    best = screen.of_type("hints")[-1]["hints"][0]["action"]
    chosen = hints.first.get_by_role("button")
    chosen.click()
    assert chosen.get_attribute("aria-pressed") == "true"
    assert screen.find(".place.target, .slot.chosen, [data-do=retreat][aria-pressed=true]").count() > 0
    screen.page.keyboard.press("Escape")
    screen.find(".over.hints").wait_for(state="detached")
    screen.ask_hint()
    screen.find("[data-do=unhint]").click()
    screen.wait_turn()
    Mouse(screen).act(best)


def test_hints_in_les_evades_write_a_bet_and_choose_dice(server: Running, screens: Screens) -> None:
    table, key = server.make("evades+length=15", mine("Anne"), CABIN_BOY, first=0)
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    Mouse(screen).act("bet:br.yl.do.n")
    screen.wait_turn()
    screen.find("[data-do=hint]").click()
    screen.hear_hints()
    screen.find(".over.hints li button").first.click()
    best = screen.of_type("hints")[-1]["hints"][0]["action"]
    assert screen.find("[data-die][aria-pressed=true]").count() == len(best.split(":")[1])
    screen.find("[data-deed=throw]").click()
    screen.wait(lambda: [one for one in screen.of_type("moved") if one["move"]["action"].startswith(best)])


def test_the_clock_is_shown_and_when_it_has_run_out_the_turn_is_played(server: Running, screens: Screens) -> None:
    screen, bo = against_bo(server, screens, clock=15)
    assert re.fullmatch(r"0:(0[1-9]|1[0-5])", screen.text(".turn .clock"))
    Mouse(screen).act("D0>5")
    screen.wait_text(".told", "time is up: the server has acted")
    assert [message["move"]["action"] for message in screen.of_type("moved")] == ["D0>5", "."]
    screen.wait_text(".turn", "Bo")
    bo.wait(lambda bo: bo.version == screen.version)
    screen.wait_text(".log li", "Time was up: Anne")


def test_what_cannot_be_done_is_explained(server: Running, screens: Screens) -> None:
    screen, _ = against_bo(server, screens)
    told = set()
    for what in (".hand [data-card=P]", "[data-place='9']", "[data-place='36']"):
        before = screen.text(".actions .prompt")
        screen.find(what).click(force=True)
        screen.page.wait_for_function("old => document.querySelector('.prompt').textContent !== old", arg=before)
        told.add(screen.text(".actions .prompt"))
    assert len(told) == 3
    assert screen.text("#live")
    assert not [message for message in screen.sent if message["type"] == "play"]


def test_a_space_asks_what_should_lead_there(server: Running, screens: Screens) -> None:
    screen, _ = against_bo(server, screens)
    screen.find("[data-place='17']").click()
    screen.find(".choice [data-action='18<17']").wait_for()
    screen.page.keyboard.press("Escape")
    screen.find(".choice").wait_for(state="hidden")
    screen.find("[data-place='17']").click()
    screen.find(".choice [data-action='18<17']").click()
    screen.wait(lambda: screen.of_type("moved"))


def test_the_others_last_turn_is_shown_again(server: Running, screens: Screens) -> None:
    screen, bo = against_bo(server, screens)
    Mouse(screen).act("D0>5")
    screen.wait_turn()
    Mouse(screen).act(".")
    bo.wait(lambda bo: bo.version == screen.version)
    bo.play("K0>6")
    bo.play(".")
    screen.wait_turn()
    said = screen.text("#live")
    screen.find("[data-do=again]:visible").click()
    screen.page.wait_for_function("old => document.querySelector('#live').textContent !== old", arg=said)
    screen.wait_turn()
    assert screen.find(".log li").count() == 4
    assert screen.find(".recall path").count() == 2  # an arrow, and what is under it
    Mouse(screen).act("H0>3")
    screen.find(".recall path").first.wait_for(state="detached")


# What is told, and what is still on its way then.
WITNESS = """() => {
  window.told = [];
  const what = (selector) => document.querySelector(selector)?.textContent.trim() ?? '';
  const look = () => {
    const now = {
      cards: what('.player .counts > span'), aboard: what('.player .counts > span + span'), live: what('#live'),
      flying: document.querySelectorAll('.flying').length, rolling: document.querySelectorAll('.rolling').length,
      tally: what('.tally.aboard'),
    };
    told.push(now);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
}"""


def first_with(screen: Screen, what: str, text: str) -> dict[str, object]:
    """The page at the moment when something first had a text in it."""
    screen.page.wait_for_function("([what, text]) => told.some((now) => now[what].includes(text))", arg=[what, text])
    return dict(screen.evaluate("([what, text]) => told.find((now) => now[what].includes(text))", [what, text]))


def test_counts_change_when_cards_and_pirates_arrive(server: Running, screens: Screens) -> None:
    start = position("jamaica+pirates=3", "0.18.36/0.17.17", "BBDHKS/DKPPSS", top="PS")
    table, key = server.make("jamaica+pirates=3", mine("Anne"), free(), start=start)
    Player(server, table).sit(2, "Bo")
    screen = screens(server, seat_link(table, key), {"speed": 1}, reduced_motion="no-preference")
    screen.wait_turn()
    screen.evaluate(WITNESS)
    Mouse(screen).act("B36>37")
    assert first_with(screen, "cards", "5 cards")["flying"] == 0
    boarded = first_with(screen, "aboard", "1 of 3")
    assert boarded["tally"] == "1"
    assert screen.evaluate("document.querySelectorAll('.spark').length"), "it is counted while there is still cheering"
    screen.wait_turn()
    Mouse(screen).act("18<17")
    assert first_with(screen, "cards", "7 cards")["flying"] == 0


# How bright the dice are that tumble, frame by frame.
TUMBLING = """() => {
  window.bright = [];
  const look = () => {
    for (const die of document.querySelectorAll('.rolling :is(.die-b, .die-r, .die-y) .well')) {
      bright.push(Number(getComputedStyle(die).opacity));
    }
    requestAnimationFrame(look);
  };
  look();
}"""


def test_dice_are_bright_while_they_tumble_and_told_when_they_lie(server: Running, screens: Screens) -> None:
    start = "evades 0:yo,5:r,7:b,9:d,12:ln br.yl.do.n/yo.bn.rl.d - - 1:5"
    table, key = server.make("evades", mine("Anne"), CABIN_BOY, start=start)
    screen = screens(server, seat_link(table, key), {"speed": 1}, reduced_motion="no-preference")
    screen.wait_turn()
    screen.evaluate(WITNESS)
    screen.evaluate(TUMBLING)
    Mouse(screen).act("roll:bry")
    screen.find(".rolling").wait_for()
    assert "throws" not in screen.text(".actions .prompt")
    assert first_with(screen, "live", "throws")["rolling"] == 0
    assert set(screen.evaluate("bright")) == {1}


def test_the_others_ways_stay_on_the_island_until_one_chooses_dice(server: Running, screens: Screens) -> None:
    start = "evades 3:o,5:n,7:d,#1:br,#2:yl br.yl.do.n/yo.bn.rl.d/br.yl.do.n - - 1:31"
    table, key = server.make("evades", mine("Anne"), CABIN_BOY, {**CABIN_BOY, "name": "Bo"}, start=start)
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    while screen.state and screen.state["turn"] == 31:
        Mouse(screen).act(screen.choose())
        screen.wait(lambda: screen.over or screen.legal or (screen.state and screen.state["turn"] > 31))
    screen.wait_turn()
    told = [one["move"] for one in screen.of_type("moved") if one["move"]["seat"] > 1]
    ways = [move for move in told if move["action"][1] in "<>"]
    assert len({move["seat"] for move in told}) == 2
    expect(screen.find(".traces .past:not(.under)")).to_have_count(len(ways))
    for drawn in screen.find(".traces .past:not(.under)").all():
        assert (drawn.get_attribute("d") or "").count("M") == 3, "a line and the two barbs of its arrow"
    screen.find("[data-die=o]").click()
    expect(screen.find(".traces .past")).to_have_count(0)


def test_a_draw_that_can_bring_nothing_is_explained(server: Running, screens: Screens) -> None:
    rest = "".join(card * (18 - "KDDBSPKDDB".count(card)) for card in SYMBOLS)
    start = position("first-escape", "0.0.0.9.17.18/5.8.17.17.22.26", f"-/{rest}", row="KDDBSPKDDB", pile=0)
    table, key = server.make("first-escape", mine("Anne"), CABIN_BOY, start=start)
    screen = screens(server, seat_link(table, key))
    screen.wait_turn()
    assert screen.find("[data-do=draw]").is_visible()
    assert "no card to come" in screen.text(".actions .prompt")


def test_the_rules_and_the_log_on_a_phone(server: Running, screens: Screens, phone: dict[str, object]) -> None:
    table, key = server.make("jamaica+pirates=3", mine("Anne"), CABIN_BOY, start=START)
    screen = screens(server, seat_link(table, key), **phone)
    screen.wait_turn()
    keys = Keys(screen)
    keys.press("?")
    screen.find("dialog .steps").wait_for()
    assert screen.find("dialog [value=keys]").count() == 0, "there is no keyboard"
    keys.press("Escape")
    screen.find("dialog").wait_for(state="detached")
    screen.find("[data-do=side]:visible").tap()
    screen.find(".aside:popover-open").wait_for()
    keys.press("Escape")
    screen.find(".aside:popover-open").wait_for(state="detached")
    Mouse(screen).act("D0>5")
