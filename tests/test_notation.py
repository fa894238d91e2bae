"""The notation from outside: every position and action has a text that round-trips, and nothing else is accepted."""

import random
import time
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import escapade
from escapade import Game, Illegal, Invalid

TUNNEL = "BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH"
TORTUGA = (
    f"tortuga {TUNNEL} 0.6.6.9.17.18/5.8.17.17.22.26/0.11.12.19.19.29/0.9.21.30.33.37"
    " BDDDD/HK/-/PSS KDDBSP ?40 B9D5H7K8P9S8 1:0:41"
)
EVADES = "evades 0:yo,5:r,7:b,9:d,#1:ln br.yl.do.n/?/? b4w3 r+ 2:14"
EVADES_KNOWN = EVADES.replace("?/?", "br.yl.do.n/yo.bn.rl.d")
PAWNS = "bryldon"

EDITIONS = ["jamaica", "tortuga", "hispaniola", "first-escape", "first-escape-open"]
CARTAGENA_HOUSE = {
    "boat-retreat": ["on", "off"],
    "deal": [*range(3, 11)],
    "empty-hand-draw": ["on", "off"],
    "hands": ["open", "hidden"],
    "least-actions": [0, 1],
    "most-actions": [*range(1, 6)],
    "pirates": [*range(3, 9)],
    "row": [0, *range(6, 13)],
    "turn-limit": [1, 7, 60, 1_000_000_000],
}
EVADES_HOUSE = {"count-jumped": ["on", "off"], "length": [*range(15, 61)], "turn-limit": [1, 7, 60, 1_000_000_000]}


@st.composite
def house_rules(draw: st.DrawFn, house: dict[str, list[str | int]]) -> str:
    """Some house rules as their text, each once, in alphabetical order."""
    chosen = draw(st.sets(st.sampled_from(sorted(house)), max_size=4))
    return "".join(f"+{rule}={draw(st.sampled_from(house[rule]))}" for rule in sorted(chosen))


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game of any edition with any house rules, some way into random play."""
    name = draw(st.sampled_from([*EDITIONS, "evades"]))
    evades = name == "evades"
    text = name + draw(house_rules(EVADES_HOUSE if evades else CARTAGENA_HOUSE))
    players, seed = draw(st.integers(2, 5)), draw(st.integers(0, 999))
    if evades:
        game = escapade.new(text, players, seed=seed)
    else:
        tunnel = draw(st.sampled_from(["printed", "free"]))
        game = escapade.new(text, players, seed=seed, tunnel=tunnel, segments=draw(st.integers(3, 8)))
    return played(game, draw(st.integers(0, 500)), draw(st.integers(0, 999)), draw(st.booleans()))


def played(game: Game, actions: int, seed: int, eager: bool = False) -> Game:
    """The game after some random actions; eager players never retreat while they can advance."""
    luck = random.Random(seed)
    for _ in range(actions):
        legal = game.legal_actions()
        if not legal:
            break
        forward = [action for action in legal if ">" in action] if eager else []
        game.play(luck.choice(forward or legal))
    return game


def rest_of_pack(cards: str, copies: int = 17) -> str:
    """The other cards of the pack, in alphabetical order."""
    return "".join(symbol * (copies - cards.count(symbol)) for symbol in "BDHKPS")


def jamaica(**fields: str) -> str:
    """The text of a position of Jamaica for two, with some of its fields changed."""
    usual = {
        "edition": "jamaica",
        "tunnel": TUNNEL,
        "pirates": "0.0.5.6.6.37/0.5.7.8.9.36",
        "hands": "BBDHKS/DKPPSS",
        "row": "-",
        "pile": rest_of_pack("BBDHKSDKPPSS"),
        "discards": "-",
        "clock": "1:0:9",
    }
    return " ".join({**usual, **fields}.values())


def evades(**fields: str) -> str:
    """The text of a position of Les Évadés for two, with some of its fields changed."""
    usual = {
        "edition": "evades",
        "places": "0:yo,5:rb,9:d,#1:ln",
        "bets": "br.yl.do.n/yo.bn.rl.d",
        "dice": "-",
        "moved": "-",
        "clock": "2:14",
    }
    return " ".join({**usual, **fields}.values())


@settings(max_examples=600)
@given(games())
def test_a_position_printed_and_parsed_is_the_same_position(game: Game) -> None:
    again = escapade.parse(str(game))
    assert str(again) == str(game)
    assert again == game
    if game.states[0]["passes" if game.kind == "cartagena" else "idle"] == 3 * game.players:
        assert (game.result, again.over) == ("=", False)  # no text carries this count (C20, G14)
        return
    assert again.legal_actions() == game.legal_actions()
    assert (again.seat, again.over, again.winners, again.scores) == (game.seat, game.over, game.winners, game.scores)


@settings(max_examples=300)
@given(games())
def test_what_a_seat_sees_printed_and_parsed_is_the_same_text(game: Game) -> None:
    for seat in range(1, game.players + 1):
        view = game.view(seat)
        assert str(escapade.parse(view)) == view
        # A seat that remembers every card sees a text without `?`, from which its reader cannot be known (C17).
        assert "?" not in view or escapade.parse(view).view(seat) == view


@settings(max_examples=300)
@given(games())
def test_every_legal_action_is_accepted_and_told_back(game: Game) -> None:
    legal = game.legal_actions()
    assert len(set(legal)) == len(legal)
    for action in random.Random(1).sample(legal, min(len(legal), 20)):
        token = game.copy().play(action)
        assert token.partition("=" if "roll" in action else "+")[0].partition("~")[0] == action


@settings(max_examples=300)
@given(games())
def test_legal_actions_come_in_the_notations_order(game: Game) -> None:
    legal = game.legal_actions()
    assert legal == sorted(legal, key=evades_order(str(game)) if str(game).startswith("evades") else cartagena_order)


def cartagena_order(action: str) -> tuple[int, str, int]:
    """Advances by card, then space; retreats by space; `draw`; `.`."""
    if ">" in action:
        return 0, action[0], int(action[1 : action.index(">")])
    if "<" in action:
        return 1, "", int(action[: action.index("<")])
    return (2, "", 0) if action == "draw" else (3, "", 0)


class evades_order:  # noqa: N801 (a function of the position, called with an action)
    """Bets by boat 1, 2, 3; rolls by pawns, without and then with `w`; forward moves; moves back; `.`."""

    def __init__(self, position: str) -> None:
        boats = [place[3:] for place in position.split(" ")[1].split(",") if place[0] == "#"]
        self.four_aboard = len("".join(boats)) >= 4

    def __call__(self, action: str) -> tuple[int, list[int]]:
        if action.startswith("bet:"):
            return 0, [PAWNS.index(pawn) for pawn in action[4:].replace(".", "")]
        if action.startswith("roll:"):
            white = int(action.endswith("w"))
            pawns = [PAWNS.index(die) for die in action[5:].rstrip("w")]
            return 1, [white, *pawns] if self.four_aboard else [*pawns, white]
        if action == ".":
            return 4, []
        return (2 if ">" in action else 3), [PAWNS.index(action[0])]


def test_the_first_seat_has_the_630_bets_to_choose_from() -> None:
    legal = escapade.new("evades").legal_actions()
    assert len(legal) == 630
    assert legal[0] == "bet:br.yl.do.n"
    assert legal[-1] == "bet:on.ld.ry.b"


def test_rolls_are_listed_without_and_then_with_the_white_die() -> None:
    assert escapade.parse(evades()).legal_actions()[:4] == ["roll:br", "roll:brw", "roll:by", "roll:byw"]


def test_rolls_with_four_aboard_are_all_pairs_and_then_each_with_white() -> None:
    game = escapade.parse(evades(places="0:o,5:r,9:d,#1:ln,#2:by"))
    assert game.legal_actions() == ["roll:rd", "roll:ro", "roll:do", "roll:rw", "roll:dw", "roll:ow"]


def test_kinds_of_actions_do_not_mix() -> None:
    legal = escapade.parse(jamaica(clock="1:1:9")).legal_actions()
    assert [kind for kind, _ in groupby(">" if ">" in a else "<" if "<" in a else a for a in legal)] == [">", "<", "."]


@pytest.mark.parametrize("text", [TORTUGA, EVADES])
def test_the_examples_of_the_notation_come_back_to_the_letter(text: str) -> None:
    assert str(escapade.parse(text)) == text


@pytest.mark.parametrize(
    "edition", ["tortuga+boat-retreat=off+pirates=4+turn-limit=200", "evades+count-jumped=off+length=36"]
)
def test_the_example_editions_of_the_notation_come_back_to_the_letter(edition: str) -> None:
    assert str(escapade.new(edition)).split(" ")[0] == edition
    assert str(escapade.parse(str(escapade.new(edition)))).split(" ")[0] == edition


def test_the_actions_of_the_example_position_are_those_of_the_rule_sheet() -> None:
    game = escapade.parse(TORTUGA)
    assert {"D0>7", "D6>7", "B17>37", "17<12"} <= set(game.legal_actions())


@pytest.mark.parametrize(
    ("short", "whole"), [("D6", "D6>7"), ("37<", "37<36+B"), ("6<", "6<5+BB"), ("37<+B", "37<36+B"), ("B6", "B6>8")]
)
def test_short_forms_are_accepted_by_play_and_told_whole(short: str, whole: str) -> None:
    position = jamaica(pirates="0.0.5.6.6.37/0.5.10.11.12.36")
    assert escapade.parse(position).play(short) == whole
    assert escapade.parse(position).play(whole) == whole


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("D6>11", "the first free D ahead of 6 is 15"),
        ("P0>2", "seat 1 holds no P"),
        ("D8>11", "seat 1 has no pirate on 8"),
        ("D37>37", "a pirate in the boat goes no further"),
        ("37<5", "the nearest space behind 37 with one or two pirates is 36"),
        ("5<4", "no space behind 5 holds one or two pirates"),
        ("37<36+D", "B is what comes"),
        ("37<36+BB", "B is what comes"),
        ("37<36+B~BDH", "nothing is reshuffled here"),
        ("draw", "no draw with an empty hand"),
        (".", "at least one action"),
    ],
)
def test_an_illegal_action_is_refused_with_the_reason_and_changes_nothing(action: str, reason: str) -> None:
    game = escapade.parse(jamaica())
    record = game.record()
    with pytest.raises(Illegal) as refusal:
        game.play(action)
    assert reason in str(refusal.value)
    assert str(game) in str(refusal.value)
    assert str(game) == jamaica()
    assert game.record() == record


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("roll:rl", r"l \(light green\) is in a boat"),
        ("roll:bry", "exactly two colours"),
        ("b>4", "have to be thrown first"),
        ("b<4", "have to be thrown first"),
        (".", "have to be thrown first"),
        ("bet:br.yl.do.n", "all bets have been made"),
    ],
)
def test_an_illegal_action_of_les_evades_is_refused_with_the_reason(action: str, reason: str) -> None:
    game = escapade.parse(evades())
    with pytest.raises(Illegal, match=reason):
        game.play(action)
    assert str(game) == evades()


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("b>10", "takes it to 11"),
        ("o>3", "has not been thrown"),
        ("r>9", "has been moved"),
        ("d<5", "takes it from 9 to 6"),
        ("o<1", "at a window"),
        (".", "moved forward first"),
        ("roll:br", "have been thrown"),
    ],
)
def test_a_move_that_the_dice_do_not_allow_is_refused_with_the_reason(action: str, reason: str) -> None:
    with pytest.raises(Illegal, match=reason):
        escapade.parse(EVADES_KNOWN).play(action)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "D6 >15",
        " D6",
        "d6",
        "D06",
        "D6>",
        "D6>015",
        "D٦",
        "6<<",
        "DRAW",
        "X6",
        "..",
        "D6>1000000000000",
        "draw+BBB",
        "18<17+",
        "18<17~",
        "B6>8+K",
    ],
)
def test_what_is_no_action_of_cartagena_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="not an action"):
        escapade.parse(jamaica()).play(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "roll:",
        "roll:rb",
        "roll:bb",
        "roll:wb",
        "roll:br=1",
        "roll:br=17",
        "roll:br=123",
        "roll:br=٣٣",
        "b >4",
        "b>04",
        "b>#5",
        "b<#1",
        "b>99",
        "w>4",
        "bet:",
        "bet:rb.yl.do.n",
        "bet:br.yl.do",
        "bet:bb.yl.do.n",
        "roll: br",
    ],
)
def test_what_is_no_action_of_les_evades_is_refused(text: str) -> None:
    game = escapade.parse(evades())
    with pytest.raises(Invalid):
        game.play(text)
    assert str(game) == evades()


FIELDS = "8 fields with one blank"
REFUSED_CARTAGENA = {
    "empty": ("", FIELDS),
    "a blank": (" ", FIELDS),
    "no clock": (jamaica().rpartition(" ")[0], FIELDS),
    "a ninth field": (jamaica() + " -", FIELDS),
    "a blank before": (" " + jamaica(), FIELDS),
    "a blank after": (jamaica() + " ", FIELDS),
    "a doubled blank": (jamaica().replace(" 0", "  0", 1), FIELDS),
    "a tab": (jamaica().replace(" ", "\t"), FIELDS),
    "a line's end": (jamaica() + "\n", "turn '9\\n'"),
    "unknown edition": (jamaica(edition="cuba"), "no edition is called 'cuba'"),
    "edition in capitals": (jamaica(edition="Jamaica"), "no edition is called 'Jamaica'"),
    "unknown house rule": (jamaica(edition="jamaica+rum=on"), "no house rule is called 'rum'"),
    "cards of another pack": (jamaica(edition="jamaica+cards=18"), "102 cards; jamaica+cards=18 has 108"),
    "the other game's rule": (jamaica(edition="jamaica+length=36"), "no house rule is called 'length'"),
    "rule out of range": (jamaica(edition="jamaica+pirates=9"), "pirates can be 3 to 8, not '9'"),
    "row out of range": (jamaica(edition="jamaica+row=5"), "row can be 0, 6, 7, 8, 9, 10, 11 or 12, not '5'"),
    "no turns at all": (jamaica(edition="jamaica+turn-limit=0"), "turn-limit can be 1 to 1,000,000,000, not '0'"),
    "huge rule": (jamaica(edition=f"jamaica+turn-limit={10**30}"), "turn-limit can be 1 to 1,000,000,000"),
    "negative rule": (jamaica(edition="jamaica+deal=-3"), "deal can be 3 to 10, not '-3'"),
    "rule without value": (jamaica(edition="jamaica+boat-retreat"), "boat-retreat can be on or off, not ''"),
    "rule in capitals": (jamaica(edition="jamaica+boat-retreat=OFF"), "boat-retreat can be on or off, not 'OFF'"),
    "rule with leading zero": (jamaica(edition="jamaica+pirates=06"), "pirates can be 3 to 8, not '06'"),
    "rule in other digits": (jamaica(edition="jamaica+pirates=٦"), "pirates can be 3 to 8, not '٦'"),
    "rule twice": (jamaica(edition="jamaica+hands=open+hands=open"), "hands is set twice"),
    "empty rule": (jamaica(edition="jamaica+"), "no house rule is called ''"),
    "two segments": (jamaica(tunnel="BPHSDK/DBKPHS"), "has 2 segments; 3 to 8"),
    "nine segments": (jamaica(tunnel="/".join(["BPHSDK"] * 9)), "has 9 segments; 3 to 8"),
    "symbol twice": (jamaica(tunnel=TUNNEL.replace("BPHSDK", "BBHSDK")), "'BBHSDK' does not show each of BDHKPS once"),
    "short segment": (jamaica(tunnel=TUNNEL[:-1]), "'SPBKD' does not show each of BDHKPS once"),
    "37 pirates": (jamaica(pirates="0." * 36 + "0/0.0.0.0.0.0"), "seat 1 has 37 pirates; jamaica has 6 each"),
    "five pirates": (jamaica(pirates="0.0.0.0.0.0/0.0.0.0.0"), "seat 2 has 5 pirates; jamaica has 6 each"),
    "four on a space": (jamaica(pirates="0.0.5.5.6.37/0.5.5.8.9.36"), "4 pirates on space 5; three at most"),
    "beyond the boat": (jamaica(pirates="0.0.5.6.6.38/0.5.7.8.9.36"), "a pirate on 38; the boat is 37"),
    "two winners": (
        jamaica(pirates="37.37.37.37.37.37/37.37.37.37.37.37"),
        "two seats have all their pirates in the boat",
    ),
    "huge space": (jamaica(pirates=f"0.0.5.6.6.{10**30}/0.5.7.8.9.36"), "is not a number from 0 to 9,999,999,999"),
    "negative space": (jamaica(pirates="0.0.5.6.6.-1/0.5.7.8.9.36"), "space '-1' is not a number"),
    "no space": (jamaica(pirates="0.0.5.6.6./0.5.7.8.9.36"), "space '' is not a number"),
    "space with leading zero": (jamaica(pirates="0.0.05.6.6.37/0.5.7.8.9.36"), "space '05' is not a number"),
    "space in other digits": (jamaica(pirates="0.0.३.6.6.37/0.5.7.8.9.36"), "space '३' is not a number"),
    "unsorted pirates": (jamaica(pirates="0.0.6.5.6.37/0.5.7.8.9.36"), "is written '0.0.5.6.6.37/0.5.7.8.9.36'"),
    "one player": (jamaica(pirates="0.0.0.0.0.0"), "1 players; Cartagena is for 2 to 5"),
    "six players": (jamaica(pirates="/".join(["0.0.0.0.0.0"] * 6)), "6 players; Cartagena is for 2 to 5"),
    "unsorted hand": (jamaica(hands="BBHDKS/DKPPSS"), "'BBHDKS/DKPPSS' is written 'BBDHKS/DKPPSS'"),
    "unknown cards first": (jamaica(hands="?BDHKS/DKPPSS"), "is written 'BDHKS?/DKPPSS'"),
    "a card of no suit": (jamaica(hands="BBDHKX/DKPPSS"), "the hand 'BBDHKX' is not - or some of BDHKPS?"),
    "an empty hand without -": (jamaica(hands="/DKPPSS"), "the hand '' is not - or some of"),
    "a hand too many": (jamaica(hands="BBDHKS/DKPPSS/-"), "3 hands for 2 seats"),
    "a hand too few": (jamaica(hands="BBDHKS"), "1 hands for 2 seats"),
    "18 daggers": (
        jamaica(pile=rest_of_pack("BBDHKSDKPPSS").replace("B", "D", 1)),
        "18 cards show D; jamaica has 17 of each symbol",
    ),
    "18 daggers, most unknown": (jamaica(pile=f"{'D' * 16}?74"), "18 cards show D"),
    "101 cards": (jamaica(pile="?89"), "101 cards; jamaica has 102"),
    "103 cards": (jamaica(pile="?90", discards="B1"), "103 cards; jamaica has 102"),
    "102 cards where 108 are": (jamaica(edition="first-escape"), "102 cards; first-escape has 108"),
    "a row where none is": (jamaica(row="BDHKPS", pile="?84"), "a row of 6 cards; jamaica has room for 0"),
    "too long row": (
        jamaica(edition="tortuga", row="BDHKPSBDHKPSB", pile="?77"),
        "a row of 13 cards; tortuga has room for 12",
    ),
    "an empty row without -": (jamaica(row=""), "the row '' is not - or some of"),
    "an empty pile without -": (jamaica(pile=""), "the pile '' is not - or some of"),
    "unknown cards not counted": (jamaica(pile="?"), "the pile '?' is not - or some of"),
    "no unknown cards": (jamaica(pile="?0"), "the pile '?0' is not - or some of"),
    "count with leading zero": (jamaica(pile="?090"), "the pile '?090' is not - or some of"),
    "count in other digits": (jamaica(pile="?٩٠"), "is not - or some of"),
    "huge pile": (jamaica(pile=f"?{10**30}"), "is not - or some of"),
    "two runs": (jamaica(pile="?40?50"), "'?40?50' is written '?90'"),
    "unsorted discards": (jamaica(pile="?85", discards="D3B2"), "'D3B2' is written 'B2D3'"),
    "discards twice": (jamaica(pile="?85", discards="B2B3"), "'B2B3' is written 'B5'"),
    "no discards of a symbol": (jamaica(pile="?85", discards="B0D5"), "the discards 'B0D5' are not - or counts"),
    "unknown discards": (jamaica(pile="?85", discards="?5"), "the discards '?5' are not - or counts"),
    "huge discards": (jamaica(discards=f"B{10**30}"), "are not - or counts"),
    "no seat": (jamaica(clock="0:0:9"), "seat 0 is to act, but there are seats 1 to 2"),
    "seat not there": (jamaica(clock="3:0:9"), "seat 3 is to act, but there are seats 1 to 2"),
    "huge seat": (jamaica(clock="9999999999:0:9"), "seat 9999999999 is to act"),
    "impossible action count": (jamaica(clock="1:3:9"), "3 actions taken, but the turn ends with action 3"),
    "two actions where one is allowed": (
        jamaica(edition="jamaica+most-actions=1", clock="1:1:9"),
        "1 actions taken, but the turn ends with action 1",
    ),
    "large action count": (jamaica(clock="1:200:9"), "200 actions taken, but the turn ends with action 3"),
    "huge action count": (jamaica(clock="1:9999999999:9"), "9999999999 actions taken"),
    "turn 0": (jamaica(clock="1:0:0"), "turns are counted from 1"),
    "huge turn": (jamaica(clock="1:0:9999999999"), "turn 9999999999 is over 1,000,000,000"),
    "immense turn": (jamaica(clock=f"1:0:{10**30}"), "is not a number from 0 to 9,999,999,999"),
    "turn with leading zero": (jamaica(clock="1:0:09"), "turn '09' is not a number"),
    "turn in other digits": (jamaica(clock="1:0:٩"), "turn '٩' is not a number"),
    "signed turn": (jamaica(clock="1:0:+9"), "turn '+9' is not a number"),
    "clock of two": (jamaica(clock="1:9"), "the last field is seat:actions:turn"),
}


@pytest.mark.parametrize(("text", "reason"), REFUSED_CARTAGENA.values(), ids=REFUSED_CARTAGENA)
def test_a_position_of_cartagena_that_cannot_be_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(Invalid) as refusal:
        escapade.parse(text)
    assert reason in str(refusal.value)
    assert refusal.value.code, "for those who read another language"


FIELDS = "6 fields with one blank"
REFUSED_EVADES = {
    "no clock": (evades().rpartition(" ")[0], FIELDS),
    "a blank after": (evades() + " ", FIELDS),
    "a doubled blank": (evades().replace(" -", "  -", 1), FIELDS),
    "rule out of range": (evades(edition="evades+length=61"), "length can be 15 to 60, not '61'"),
    "rule twice": (evades(edition="evades+length=36+length=36"), "length is set twice"),
    "the other game's rule": (evades(edition="evades+pirates=4"), "no house rule is called 'pirates'"),
    "pawn twice": (evades(places="0:byo,5:rb,9:d,#1:ln"), "b (blue) is there 2 times"),
    "pawn nowhere": (evades(places="0:y,5:rb,9:d,#1:ln"), "o (orange) is there 0 times"),
    "the white die is no pawn": (evades(places="0:yow,5:rb,9:d,#1:ln"), "'0:yow' is not a space or a boat with pawns"),
    "too many in a boat": (evades(places="0:yo,9:d,#1:bln,#2:r"), "3 pawns in boat 1, which takes 2"),
    "two in boat 4": (evades(places="9:d,#1:ln,#2:br,#3:o,#4:y"), "a pawn is in boat 4 while boat 3 has room"),
    "boats out of turn": (evades(places="0:yo,5:rb,9:d,#2:ln"), "a pawn is in boat 2 while boat 1 has room"),
    "six aboard": (evades(places="9:d,#1:ln,#2:br,#3:yo"), "six pawns are in boats"),
    "a fifth boat": (evades(places="0:yo,5:rb,9:d,#5:ln"), "space '#5' is not a number"),
    "at the boats but not aboard": (evades(places="0:yo,5:rb,30:d,#1:ln"), "no pawn stands on 30"),
    "huge space": (evades(places=f"0:yo,5:rb,{10**30}:d,#1:ln"), "is not a number from 0 to 9,999,999,999"),
    "space with leading zero": (evades(places="0:yo,05:rb,9:d,#1:ln"), "space '05' is not a number"),
    "space in other digits": (evades(places="0:yo,३:rb,9:d,#1:ln"), "space '३' is not a number"),
    "unsorted spaces": (evades(places="5:rb,0:yo,9:d,#1:ln"), "is written '0:yo,5:rb,9:d,#1:ln'"),
    "boats first": (evades(places="#1:ln,0:yo,5:rb,9:d"), "is written '0:yo,5:rb,9:d,#1:ln'"),
    "unsorted windows": (evades(places="0:oy,5:rb,9:d,#1:ln"), "is written '0:yo,5:rb,9:d,#1:ln'"),
    "unsorted boat": (evades(places="0:yo,5:rb,9:d,#1:nl"), "is written '0:yo,5:rb,9:d,#1:ln'"),
    "a space twice": (evades(places="0:yo,5:r,5:b,9:d,#1:ln"), "is written '0:yo,5:rb,9:d,#1:ln'"),
    "an empty space": (evades(places="0:yo,4:,5:rb,9:d,#1:ln"), "'4:' is not a space or a boat with pawns"),
    "bet with a colour twice": (evades(bets="br.yl.do.b/yo.bn.rl.d"), "the bet 'br.yl.do.b' has b in it twice"),
    "bet with a boat too full": (evades(bets="bry.l.do.n/yo.bn.rl.d"), "the bet 'bry.l.do.n' is not written like"),
    "unsorted bet": (evades(bets="rb.yl.do.n/yo.bn.rl.d"), "listed in the order bryldon, not as in 'rb.yl.do.n'"),
    "one player": (evades(bets="br.yl.do.n"), "1 players; Les Évadés is for 2 to 6"),
    "seven players": (evades(bets="/".join("?" * 7)), "7 players; Les Évadés is for 2 to 6"),
    "bets out of turn": (evades(bets="-/br.yl.do.n"), "bets are made in the order of the seats"),
    "a bet missing in play": (evades(bets="br.yl.do.n/-"), "with these bets made, 2:14 cannot be the clock"),
    "die with a seven": (evades(dice="b7"), "'b7' is not - or dice such as b4w3"),
    "unsorted dice": (evades(dice="d3b4"), "'d3b4' is written 'b4d3'"),
    "die twice": (evades(dice="b4b4"), "'b4b4' is written 'b4'"),
    "die of a pawn aboard": (evades(dice="b4l3"), "l is in a boat, so its die is out of the game"),
    "too many dice": (evades(dice="b4r1y2d3"), "bryd are more than three colours"),
    "used die": (evades(dice="b4", moved="b+"), "b has moved forward, so its die is used"),
    "unsorted moves": (evades(dice="y4", moved="d+b-"), "'d+b-' is written 'b-d+'"),
    "moved from a window to it": (evades(dice="b4", moved="y+"), "y has moved, but stands at a window"),
    "white die used and not": (evades(dice="y4w3", moved="b-"), "the white die takes one pawn back"),
    "white die in the first round": (
        evades(places="0:ryon,5:b,9:d,10:l", dice="b4w3", moved="d+", clock="2:2"),
        "the white die is not thrown in the first round",
    ),
    "a turn that is over": (evades(moved="d+"), "no die is left, so the turn would be over"),
    "seat not there": (evades(clock="3:14"), "seat 3 is to act, but there are seats 1 to 2"),
    "no seat": (evades(clock="0:14"), "seat 0 is to act, but there are seats 1 to 2"),
    "huge seat": (evades(clock="9999999999:14"), "seat 9999999999 is to act"),
    "huge turn": (evades(clock="2:9999999999"), "turn 9999999999 is over 1,000,000,000"),
    "turn with leading zero": (evades(clock="2:014"), "turn '014' is not a number"),
    "turn in other digits": (evades(clock="2:١٤"), "turn '١٤' is not a number"),
    "clock of three": (evades(clock="2:0:14"), "the last field is seat:turn"),
}


@pytest.mark.parametrize(("text", "reason"), REFUSED_EVADES.values(), ids=REFUSED_EVADES)
def test_a_position_of_les_evades_that_cannot_be_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(Invalid) as refusal:
        escapade.parse(text)
    assert reason in str(refusal.value)
    assert refusal.value.code, "for those who read another language"


@pytest.mark.parametrize("text", [jamaica(), evades()], ids=["cartagena", "les evades"])
def test_the_positions_that_the_refused_ones_are_made_from_are_accepted(text: str) -> None:
    assert str(escapade.parse(text)) == text


@settings(max_examples=600)
@given(st.sampled_from([jamaica(), evades(), TORTUGA, EVADES]), st.data())
def test_a_spoiled_position_is_refused_or_comes_back_to_the_letter(text: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(text) - 1))
    patch = data.draw(st.sampled_from(["", *"0179BDbr?-+/.:, #=٣", "128", "99999999999"]))
    spoiled = text[:place] + patch + text[place + data.draw(st.integers(0, 2)) :]
    try:
        came = str(escapade.parse(spoiled))
    except Invalid:
        return
    assert came == spoiled


@pytest.mark.parametrize("edition", ["jamaica", "evades"])
def test_a_turn_limit_that_is_no_number_is_refused_at_once(edition: str) -> None:
    began = time.perf_counter()
    with pytest.raises(Invalid, match="turn-limit can be 1 to 1,000,000,000, not 'never'"):
        escapade.new(f"{edition}+turn-limit=never")
    assert time.perf_counter() - began < 10


def test_the_last_turn_that_can_be_written_is_followed_by_one_that_can_be_read() -> None:
    game = escapade.parse(jamaica(edition="jamaica+turn-limit=1000000000", clock="1:2:1000000000"))
    game.play("D6")
    assert game.over
    assert escapade.parse(str(game)) == game


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("jamaica+pirates=6", "jamaica"),
        ("tortuga+hands=open+row=12", "tortuga"),
        ("first-escape+deal=7+least-actions=0", "first-escape+deal=7"),
        ("jamaica+row=0+boat-retreat=off", "jamaica+boat-retreat=off"),
        ("evades+length=30+turn-limit=9", "evades+turn-limit=9"),
    ],
)
def test_a_rule_set_to_the_editions_own_value_is_accepted_and_not_printed(text: str, printed: str) -> None:
    assert str(escapade.new(text)).split(" ")[0] == printed


def test_a_position_with_a_rule_set_to_its_own_value_prints_without_it() -> None:
    assert str(escapade.parse(jamaica(edition="jamaica+pirates=6"))) == jamaica()


def test_house_rules_are_keywords_too() -> None:
    game = escapade.new("jamaica", players=3, seed=7, boat_retreat="off", pirates=4, turn_limit=200)
    assert game == escapade.new("jamaica+boat-retreat=off+pirates=4+turn-limit=200", players=3, seed=7)
    assert str(game).startswith("jamaica+boat-retreat=off+pirates=4+turn-limit=200 ")
    assert str(escapade.new("evades", length=36, count_jumped="off")).startswith("evades+count-jumped=off+length=36 ")


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ({"boat_retreat": "no"}, "boat-retreat can be on or off, not 'no'"),
        ({"pirates": 9}, "pirates can be 3 to 8, not '9'"),
        ({"rum": "on"}, "no house rule is called 'rum'"),
    ],
)
def test_keywords_that_are_no_house_rules_are_refused(rules: dict[str, str | int], reason: str) -> None:
    with pytest.raises(Invalid, match=reason):
        escapade.new("jamaica", **rules)  # type: ignore[arg-type]


def test_a_rule_in_the_text_and_again_as_a_keyword_is_refused() -> None:
    with pytest.raises(Invalid, match="set twice"):
        escapade.new("jamaica+pirates=4", pirates=4)


@pytest.mark.parametrize(("game", "players"), [("jamaica", 1), ("jamaica", 6), ("evades", 1), ("evades", 7)])
def test_a_number_of_players_that_a_game_is_not_for_is_refused(game: str, players: int) -> None:
    with pytest.raises(Invalid, match=f"{players} players"):
        escapade.new(game, players)


def test_a_tunnel_can_be_named() -> None:
    assert str(escapade.new("jamaica", tunnel=TUNNEL)).split(" ")[1] == TUNNEL


@pytest.mark.parametrize("hidden", [TORTUGA, jamaica(hands="BBDHKS/D?????"), jamaica(pile="?90"), EVADES])
def test_a_position_with_unknown_things_prints_and_views_but_cannot_be_played_on(hidden: str) -> None:
    game = escapade.parse(hidden)
    assert str(game) == hidden
    assert "?" in game.view(1)
    for action in game.legal_actions():
        with pytest.raises(Illegal, match="can be looked at, not played on"):
            game.play(action)
    assert str(game) == hidden


def test_a_seat_sees_its_own_hand_and_not_the_others() -> None:
    game = escapade.parse(jamaica())
    assert game.view(1) == jamaica(hands="BBDHKS/??????", pile="?90")
    assert game.view(2) == jamaica(hands="??????/DKPPSS", pile="?90")


def test_a_seat_sees_open_hands_and_the_row_but_not_the_pile() -> None:
    text = jamaica(edition="tortuga", row="BDHKPS", pile=rest_of_pack("BBDHKSDKPPSSBDHKPS"))
    assert escapade.parse(text).view(2) == jamaica(edition="tortuga", row="BDHKPS", pile="?84")


def test_a_seat_sees_its_own_bet_and_not_the_others() -> None:
    assert escapade.parse(evades()).view(2) == evades(bets="?/yo.bn.rl.d")


@pytest.mark.parametrize("seat", [3, -1])
def test_there_is_no_view_for_a_seat_that_is_not_there(seat: int) -> None:
    for text in (jamaica(), evades()):
        with pytest.raises(Invalid, match=f"seat {seat}: this game has seats 1 to 2"):
            escapade.parse(text).view(seat)
