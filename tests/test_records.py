"""Game records from outside: they round-trip exactly, and a corrupted one is refused with the place of the fault."""

import hashlib
import io
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import escapade
from escapade import Game, Illegal, Invalid

EDITIONS = [
    "jamaica",
    "tortuga+most-actions=5",
    "hispaniola+boat-retreat=off",
    "first-escape+pirates=3",
    "first-escape-open+turn-limit=90",
    "jamaica+empty-hand-draw=on+row=7",
    "evades",
    "evades+count-jumped=off+length=20+turn-limit=40",
]
TUNNEL = "BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH"
PILE = "KDDBSP" + "".join(card * (17 - "BBDHKSDKPPSSKDDBSP".count(card)) for card in "SPKHDB")

# The example of the notation with the rest of its pile.
CARTAGENA = f"""\
[Game "cartagena"]
[Edition "jamaica"]
[Seats "Anne/bot:captain"]
[Tunnel "{TUNNEL}"]
[Deal "BBDHKS/DKPPSS"]
[Pile "{PILE}"]
[Result "*"]

1. D0>5 B0>1 .
2. D0>7 7<5+K K0>6
3. 5<1+D .

"""
EVADES = """\
[Game "evades"]
[Edition "evades"]
[Seats "Anne/bot:captain"]
[Bets "br.yl.do.n/yo.bn.rl.d"]
[Result "*"]

1. roll:bry=123 b>1 r>2 y>3
2. roll:bry=456 y>9 b>5 r>7
3. roll:ldow=2465 y<4 l>2 d>4 o>6
4. roll:bln=111 b>6

"""


def read(text: str | bytes) -> list[Game]:
    """The games of a record's text."""
    return list(escapade.read(io.BytesIO(text if isinstance(text, bytes) else text.encode())))


def play_on(game: Game, actions: int, luck: random.Random) -> Game:
    """The game after some more random actions, or at its end."""
    for _ in range(actions):
        if game.over:
            break
        game.play(luck.choice(game.legal_actions()))
    return game


def finished(edition: str, players: int = 2, seed: int = 7) -> Game:
    """A game played to its end."""
    return play_on(escapade.new(edition, players, seed=seed), 5000, random.Random(seed))


def replaced(text: str, old: str, new: str) -> str:
    """The text with one thing in it changed."""
    assert text.count(old) == 1, old
    return text.replace(old, new)


def untagged(text: str, *tags: str) -> str:
    """The record without some of its tags."""
    return re.sub(rf'\[(?:{"|".join(tags)}) "[^"]*"\]\n', "", text)


LENGTHS = st.integers(0, 12) | st.integers(0, 700)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game at any point, begun from the start or from a position at any point, mid-turn too."""
    edition, players, seed = draw(st.sampled_from(EDITIONS)), draw(st.integers(2, 5)), draw(st.integers(0, 999))
    luck = random.Random(seed)
    game = play_on(escapade.new(edition, players, seed=seed), draw(LENGTHS), luck)
    if draw(st.booleans()):
        game = play_on(escapade.parse(str(game), seed=seed), draw(LENGTHS), luck)
    return game


@settings(max_examples=400)
@given(games())
def test_a_record_reads_back_to_the_letter_and_to_the_same_position(game: Game) -> None:
    [again] = read(game.record())
    assert again.record() == game.record()
    assert str(again) == str(game)
    assert (again.result, again.names, again.scores) == (game.result, game.names, game.scores)


@settings(max_examples=80)
@given(games())
def test_a_record_for_a_seats_or_a_spectators_eyes_reads_back_to_the_letter(game: Game) -> None:
    for seat in range(game.players + 1):
        [again] = read(game.record(seat))
        assert again.record() == game.record(seat)


@pytest.mark.parametrize("text", [CARTAGENA, EVADES], ids=["cartagena", "les evades"])
def test_the_examples_read_back_to_the_letter(text: str) -> None:
    [game] = read(text)
    assert game.record() == text
    assert game.names == ("Anne", "bot:captain")
    assert not game.over


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_finished_game_tells_its_result_and_its_seed(edition: str) -> None:
    game = finished(edition, 3)
    tags = dict(re.findall(r'\[(\w+) "([^"]*)"\]', game.record()))
    assert tags["Result"] == ("/".join(map(str, game.winners)) or "=")
    assert hashlib.sha256(bytes.fromhex(tags["Seed"])).hexdigest() == tags["Commitment"]
    assert read(game.record())[0] == game


@pytest.mark.parametrize("edition", ["jamaica", "evades"])
def test_an_unfinished_game_keeps_its_seed_to_itself(edition: str) -> None:
    game = play_on(escapade.new(edition, seed=7), 10, random.Random(7))
    assert "[Commitment " in game.record()
    assert "[Seed " not in game.record()


def test_a_game_from_the_middle_of_a_turn_is_numbered_on_from_there() -> None:
    game = escapade.new("jamaica", seed=7)
    for _ in range(4):
        game.play(game.legal_actions()[0])
    game = escapade.parse(str(game))
    played = [game.play(game.legal_actions()[0]) for _ in range(2)]
    assert f"\n\n2. {' '.join(played)}\n\n" in game.record()
    assert '[Start "jamaica ' in game.record()
    assert "[Deal " not in game.record()
    assert read(game.record())[0].record() == game.record()


def test_bets_that_are_not_made_yet_stand_as_dashes() -> None:
    game = escapade.new("evades", 3)
    game.play("bet:br.yl.do.n")
    assert '[Bets "br.yl.do.n/-/-"]' in game.record()
    assert '[Bets "?/-/-"]' in game.record(2)
    assert read(game.record())[0].seat == 2


def test_bets_made_since_the_start_from_a_position_are_kept() -> None:
    game = escapade.new("evades", 3)
    game.play("bet:br.yl.do.n")
    game = escapade.parse(str(game))
    game.play("bet:yo.bn.rl.d")
    assert str(read(game.record())[0]) == str(game)


def test_a_record_hides_what_a_seat_may_not_know() -> None:
    [game] = read(CARTAGENA)
    assert replaced(replaced(CARTAGENA, PILE, "?90"), "DKPPSS", "??????").replace("+K", "+?") == game.record(1)
    assert replaced(replaced(CARTAGENA, PILE, "?90"), "BBDHKS", "??????").replace("+D", "+?") == game.record(2)
    spectator = replaced(replaced(CARTAGENA, PILE, "?90"), "BBDHKS/DKPPSS", "??????/??????")
    assert re.sub(r"\+[DK]", "+?", spectator) == game.record(0)


def test_a_record_hides_the_bets_of_others() -> None:
    [game] = read(EVADES)
    assert game.record(1) == replaced(EVADES, "yo.bn.rl.d", "?")
    assert game.record(0) == replaced(EVADES, "br.yl.do.n/yo.bn.rl.d", "?/?")


def test_a_reshuffled_pile_is_hidden_as_a_count() -> None:
    game = finished("jamaica")
    piles = re.findall(r"~(\w+)", game.record())
    assert piles
    assert re.findall(r"~(\S+)", game.record(0)) == [f"?{len(pile)}" for pile in piles]


@pytest.mark.parametrize("seat", [-1, 3])
def test_there_is_no_record_for_a_seat_that_is_not_there(seat: int) -> None:
    with pytest.raises(Invalid, match=f"seat {seat}"):
        read(CARTAGENA)[0].record(seat)


def test_unknown_tags_are_kept() -> None:
    text = replaced(CARTAGENA, "\n\n1.", '\n[Date "1655-05-10"]\n[Site "La Rochelle, café"]\n[X-1_y ""]\n\n1.')
    assert read(text)[0].record() == text


def test_names_are_any_letters() -> None:
    game = escapade.new("evades", names=["Ève [1]", "bot:純"])
    assert '[Seats "Ève [1]/bot:純"]' in game.record()
    assert read(game.record())[0].names == ("Ève [1]", "bot:純")


@pytest.mark.parametrize("name", ["", "a/b", 'a"b', "a\nb", "a\rb", "a\0b"])
def test_a_name_that_a_record_cannot_hold_is_refused(name: str) -> None:
    with pytest.raises(Invalid, match="name"):
        escapade.new("jamaica", names=["Anne", name])


def test_a_file_holds_any_number_of_games_of_both_kinds(tmp_path: Path) -> None:
    file = tmp_path / "games.esc"
    texts = [CARTAGENA, finished("evades").record(), EVADES, escapade.new("tortuga").record()]
    file.write_text("".join(texts), encoding="utf-8", newline="\n")
    assert [game.record() for game in escapade.read(file)] == texts
    assert [game.record() for game in escapade.read(str(file))] == texts


def test_a_file_without_games_is_read() -> None:
    assert read("") == []


@pytest.mark.parametrize("text", [CARTAGENA, EVADES], ids=["cartagena", "les evades"])
def test_a_game_that_was_read_is_played_on(text: str) -> None:
    game = play_on(read(text)[0], 5000, random.Random(1))
    assert game.over
    assert game.record().startswith(text[: text.index("[Result")])
    assert read(game.record())[0] == game


def test_a_hidden_record_cannot_be_played_on() -> None:
    for text in (CARTAGENA, EVADES):
        [game] = read(read(text)[0].record(2))
        with pytest.raises(Illegal, match="not played on"):
            game.play("." if "cartagena" in text else "roll:bry")


SPOILED_CARTAGENA = {
    "a card drawn is changed": ("7<5+K", "7<5+D", "turn 2, 7<5+D: K is what comes"),
    "a card too many": ("7<5+K", "7<5+KD", "turn 2, 7<5+KD: K is what comes"),
    "a card left out": ("7<5+K", "7<5", "turn 2, 7<5: the record should have 7<5+K"),
    "a card hidden": ("7<5+K", "7<5+?", "turn 2, 7<5+?: K is what comes"),
    "a card after an advance": ("B0>1", "B0>1+K", "turn 1, 'B0>1+K' is not an action"),
    "a reshuffle that is none": ("7<5+K", "7<5+K~DDB", "turn 2, 7<5+K~DDB: nothing is reshuffled"),
    "a target changed": ("D0>7", "D0>15", "turn 2, D0>15: the first free D ahead of 0 is 7"),
    "a retreat's target changed": ("7<5+K", "7<1+K", "turn 2, 7<1+K: the nearest space behind 7"),
    "a card not held": ("K0>6", "H0>3", "turn 2, H0>3: seat 2 holds no H"),
    "a pirate not there": ("7<5+K", "8<5+K", "turn 2, 8<5+K: seat 2 has no pirate on 8"),
    "an action dropped": (" B0>1", "", "turn 3, 5<1+D: no space behind 5"),
    "an action doubled": ("D0>5", "D0>5 D0>5", "turn 1, D0>5: seat 1 holds no D"),
    "actions swapped": ("7<5+K K0>6", "K0>6 7<5+K", "turn 2, 7<5+K: the nearest space behind 7"),
    "the end of a turn dropped": ("B0>1 .", "B0>1", "game 2: turn 2: turn 1 comes here"),
    "an action after the third": ("K0>6", "K0>6 .", "turn 2, .: the turn was over"),
    "a line dropped": ("2. D0>7 7<5+K K0>6\n", "", "game 2: turn 3: turn 2 comes here"),
    "a line doubled": ("3. 5<1+D .\n", "3. 5<1+D .\n3. 5<1+D .\n", "game 2: turn 3: this turn has a line already"),
    "a turn begun twice": ("D0>7 7", "D0>7\n2. 7", "game 2: turn 2: this turn has a line already"),
    "a turn number changed": ("3. 5", "4. 5", "game 2: turn 4: turn 3 comes here"),
    "a huge turn number": ("3. 5", "9999999999. 5", "game 2: turn 9999999999: turn 3 comes here"),
    "a turn number with a zero": ("3. 5", "03. 5", "line 23: '03. 5<1+D .' is not a turn"),
    "no turn number": ("3. 5", "5", "line 23: '5<1+D .' is not a turn"),
    "no actions": ("3. 5<1+D .", "3.", "line 23: '3.' is not a turn"),
    "result changed": ('"*"', '"1"', "game 2: the Result is '1', but the game's is '*'"),
    "result drawn": ('"*"', '"="', "game 2: the Result is '=', but the game's is '*'"),
    "cards dealt swapped": ("BBDHKS/DKPPSS", "BBHKPS/DDKPSS", "turn 1, D0>5: seat 1 holds no D"),
    "a card dealt changed": ("BBDHKS/DKPPSS", "BBDDKS/DKPPSS", "game 2: the record's tags: 18 cards show D"),
    "a card dealt too few": ("BBDHKS/DKPPSS", "BBDHK/DKPPSS", "game 2: the record's tags: 2 seats get 6 cards each"),
    "a hand too few": ("BBDHKS/DKPPSS", "BBDHKS", "game 2: the record's tags: 2 seats get 6 cards each"),
    "a deal not in order": ("BBDHKS/DKPPSS", "BBHDKS/DKPPSS", "not written in listing order"),
    "the pile's first cards swapped": ('"KDD', '"DKD', "turn 2, 7<5+K: D is what comes"),
    "the pile's next cards swapped": ('"KDDB', '"KBDD', "turn 3, 5<1+D: B is what comes"),
    "a card missing in the pile": ('"KDD', '"KD', "game 2: the record's tags: 101 cards"),
    "a card of no symbol in the pile": ('"KDD', '"KDX', "game 2: the record's tags: the pile 'KDX"),
    "tunnel changed": (TUNNEL, TUNNEL.replace("BPHSDK/", "BPHSKD/"), "turn 1, D0>5: the first free D ahead of 0 is 6"),
    "tunnel that cannot be": (TUNNEL, TUNNEL[:-1], "game 2: the record's tags: the segment 'SPBKD'"),
    "edition unknown": ('"jamaica"', '"cuba"', "game 2: 'cuba': no edition is called"),
    "edition changed": ('"jamaica"', '"first-escape"', "game 2: the record's tags: 102 cards; first-escape has 108"),
    "house rule out of range": ('"jamaica"', '"jamaica+deal=11"', "game 2: 'jamaica+deal=11': deal can be 3 to 10"),
    "game unknown": ('"cartagena"', '"chess"', "game 2: [Game 'chess']"),
    "game exchanged": ('"cartagena"', '"evades"', "game 2: the tag Bets is missing"),
    "a seat too many": ("bot:captain", "bot:captain/Eve", "game 2: the record's tags: 3 seats get 6 cards each"),
    "a name missing": ("Anne/bot:captain", "Anne/", "game 2: the name ''"),
    "a short form": ("D0>5", "D0", "turn 1, D0: the record should have D0>5"),
    "a short retreat": ("7<5+K", "7<+K", "turn 2, 7<+K: the record should have 7<5+K"),
    "a blank doubled": ("D0>7 7", "D0>7  7", "line 22: '2. D0>7  7<5+K K0>6' is not a turn"),
    "a blank at the end": ("K0>6\n", "K0>6 \n", "line 22: '2. D0>7 7<5+K K0>6 ' is not a turn"),
    "a blank before": ("2. D", " 2. D", "line 22: ' 2. D0>7 7<5+K K0>6' is not a turn"),
    "no blank": ("2. D", "2.D", "line 22: '2.D0>7 7<5+K K0>6' is not a turn"),
    "a tab": ("D0>7 7", "D0>7\t7", "turn 2, 'D0>7\\t7<5+K' is not an action"),
    "a tag twice": ('[Result "*"]', '[Result "*"]\n[Result "*"]', "line 20: the tag Result is there twice"),
    "a tag without its end": ('[Result "*"]', '[Result "*"', "is not a tag"),
    "a tag with two blanks": ('[Result "*"]', '[Result  "*"]', "is not a tag"),
    "a start beside the deal": ('[Result "*"]', '[Result "*"]\n[Start "x"]', "game 2: 'x': a position of Cartagena"),
    "a line's end with a return": ("K0>6\n", "K0>6\r\n", "turn 2, 'K0>6\\r' is not an action"),
    "no line between tags and turns": ('"*"]\n', '"*"]', "line 20: '1. D0>5 B0>1 .' is not a tag"),
    "an empty line among the turns": ("2. D", "\n2. D", "line 23: '2. D0>7 7<5+K K0>6' is not a tag"),
    "an empty line among the tags": ("[Edition", "\n[Edition", "line 15: '[Edition \"jamaica\"]' is not a turn"),
    "a comment": ("2. D", "# hm\n2. D", "line 22: '# hm' is not a turn"),
    "other digits": ("2. D", "٢. D", "line 22: '٢. D0>7 7<5+K K0>6' is not a turn"),
}


@pytest.mark.parametrize(("old", "new", "place"), SPOILED_CARTAGENA.values(), ids=SPOILED_CARTAGENA)
def test_a_spoiled_record_of_cartagena_is_refused_with_its_place(old: str, new: str, place: str) -> None:
    refuse(CARTAGENA + replaced(CARTAGENA, old, new), place)


SPOILED_EVADES = {
    "dice changed": ("bry=456", "bry=356", "turn 2, b>5: b is on 1 with a 3, which takes it to 4"),
    "dice left out": ("bry=456", "bry", "turn 2, roll:bry: the record should have roll:bry="),
    "a die too few": ("bry=456", "bry=45", "turn 2, 'roll:bry=45': 2 numbers for 3 dice"),
    "a seven": ("bry=456", "bry=457", "turn 2, 'roll:bry=457' is not an action"),
    "dice out of order": ("bry=456", "yrb=654", "turn 2, 'roll:yrb=654': dice are listed once each in the order"),
    "a die twice": ("bry=456", "bby=456", "turn 2, 'roll:bby=456': dice are listed once each in the order"),
    "two dice thrown": ("bry=456", "br=45", "turn 2, roll:br=45: with no pawns in boats exactly three colours"),
    "the white die too early": ("bry=456", "bryw=4561", "turn 2, roll:bryw=4561: the white die is not thrown in the"),
    "thrown again": ("bry=456", "bry=456 roll:bry=456", "turn 2, roll:bry=456: the dice of this turn have been"),
    "not thrown": (" roll:bry=456", "", "turn 2, y>9: the dice have to be thrown first"),
    "a target changed": ("y>9", "y>8", "turn 2, y>8: y is on 3 with a 6, which takes it to 9"),
    "a pawn changed": ("y>9", "o>6", "turn 2, o>6: the die of o (orange) has not been thrown"),
    "a boat too early": ("y>9", "y>#1", "turn 2, y>#1: y is on 3 with a 6, which takes it to 9"),
    "back to another space": ("y<4", "y<5", "turn 3, y<5: the white 5 takes it from 9 to 4"),
    "a move dropped": (" r>7", "", "game 2: turn 3: turn 2 comes here"),
    "a move doubled": ("r>7", "r>7 r>7", "turn 2, r>7: the turn was over"),
    "an end too many": ("r>7", "r>7 .", "turn 2, .: the turn was over"),
    "an end too early": ("b>5 r>7", "b>5 .", "turn 2, .: a pawn has to be moved forward first"),
    "a line dropped": ("2. roll:bry=456 y>9 b>5 r>7\n", "", "game 2: turn 3: turn 2 comes here"),
    "a bet among the turns": ("2. ", "2. bet:br.yl.do.n ", "turn 2, bet:br.yl.do.n: all bets have been made"),
    "a pawn bet on twice": ("br.yl.do.n/", "br.yl.do.b/", "game 2: the record's tags: the bet 'br.yl.do.b' has b"),
    "a bet out of order": ("br.yl.do.n/", "rb.yl.do.n/", "game 2: the record's tags: the pawns of a boat are listed"),
    "a bet too few": ("/yo.bn.rl.d", "", "game 2: the record's tags: 1 bets for 2 seats"),
    "a bet not made": ("yo.bn.rl.d", "-", "game 2: turn 1: turn 0 comes here"),
    "bets in the wrong order": ("br.yl.do.n/", "-/", "game 2: the record's tags: bets are made in the order"),
    "result changed": ('"*"', '"1/2"', "game 2: the Result is '1/2', but the game's is '*'"),
    "track changed": ('"evades"]\n[S', '"evades+length=14"]\n[S', "game 2: 'evades+length=14': length can be 15 to 60"),
    "tags of the other game": ('"evades"]\n[E', '"cartagena"]\n[E', "game 2: the tag Tunnel is missing"),
}


@pytest.mark.parametrize(("old", "new", "place"), SPOILED_EVADES.values(), ids=SPOILED_EVADES)
def test_a_spoiled_record_of_les_evades_is_refused_with_its_place(old: str, new: str, place: str) -> None:
    refuse(EVADES + replaced(EVADES, old, new), place)


def refuse(text: str | bytes, place: str) -> None:
    """Assert that a file is refused, with the place of the fault."""
    with pytest.raises(ValueError, match=re.escape(place)) as refusal:
        read(text)
    assert isinstance(refusal.value, (Invalid, Illegal))


@pytest.mark.parametrize("tag", ["Game", "Edition", "Seats", "Tunnel", "Deal", "Pile", "Result"])
def test_a_missing_tag_is_named(tag: str) -> None:
    refuse(CARTAGENA + untagged(CARTAGENA, tag), f"line 13, game 2: the tag {tag} is missing")


def test_a_file_with_returns_at_the_line_ends_is_refused() -> None:
    refuse(CARTAGENA.replace("\n", "\r\n"), "line 1: '[Game \"cartagena\"]\\r' is not a tag")


def test_a_file_that_is_not_utf_8_is_refused() -> None:
    refuse(CARTAGENA.replace("Anne", "Ève").encode("latin-1"), "line 3: not UTF-8")


def test_a_file_that_begins_with_a_byte_order_mark_is_refused() -> None:
    refuse(CARTAGENA.encode("utf-8-sig"), "line 1:")


def test_a_fault_is_told_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "games.esc"
    file.write_text(replaced(CARTAGENA, "7<5+K", "7<5+D"), encoding="utf-8", newline="\n")
    with pytest.raises(Illegal, match=re.escape(f"{file}, line 1, game 1: turn 2, 7<5+D: ")):
        list(escapade.read(file))


def test_games_before_the_fault_are_read() -> None:
    games = escapade.read(io.BytesIO((EVADES + replaced(CARTAGENA, "7<5+K", "7<5+D")).encode()))
    assert next(games).record() == EVADES
    with pytest.raises(Illegal, match="game 2: turn 2"):
        next(games)


@pytest.mark.parametrize("edition", ["jamaica", "evades"])
@pytest.mark.parametrize("left", [0.1, 0.5, 0.9, 0.98])
def test_a_finished_game_that_is_cut_short_is_refused(edition: str, left: float) -> None:
    text = finished(edition).record()
    refuse(text[: int(len(text) * left)], "line ")


@pytest.mark.parametrize("edition", ["jamaica", "evades"])
def test_a_finished_game_without_its_last_line_or_action_is_refused(edition: str) -> None:
    text = finished(edition).record().removesuffix("\n\n")
    refuse(text[: text.rindex("\n")] + "\n\n", "game 1: the Result is ")
    refuse(text[: text.rindex(" ")] + "\n\n", "game 1: the Result is ")


@pytest.mark.parametrize("edition", ["jamaica", "evades"])
def test_nothing_follows_the_end_of_a_game(edition: str) -> None:
    game = finished(edition)
    text, turn = game.record().removesuffix("\n\n"), game.turns[-1][0]
    refuse(f"{text} .\n\n", f"game 1: turn {turn}, .: the game is over")
    refuse(f"{text}\n{turn + 1}. .\n\n", f"game 1: turn {turn + 1}: the game is over")


def drawn_by_waiting(kind: str, from_text: bool) -> Game:
    """A game of three that is drawn because nobody does anything, from its start or from a position."""
    if kind == "cartagena":
        game = escapade.new("first-escape", 3, seed=7)
        game.play(game.legal_actions()[0])
    else:
        game = escapade.parse("evades 21:n,22:o,#1:br,#2:yl,#3:d br.yl.do.n/ln.bo.rd.y/rl.bn.yd.o - - 1:31", seed=7)
        for action in ("roll:on=12", "n>23", "o>23"):
            game.play(action)
    game = escapade.parse(str(game), seed=7) if from_text else game
    while not game.over:
        game.play("." if "." in game.legal_actions() else "roll:nw")
    return game


@pytest.mark.parametrize("kind", ["cartagena", "evades"])
@pytest.mark.parametrize("from_text", [False, True])
def test_a_game_that_is_drawn_because_nobody_does_anything_is_read_and_checked(kind: str, from_text: bool) -> None:
    game = drawn_by_waiting(kind, from_text)
    text = game.record()
    assert '[Result "="]' in text
    for seat in (None, *range(4)):
        [again] = read(game.record(seat))
        assert (again.record(), again.over, again.result) == (game.record(seat), True, "=")
    refuse(text.replace('[Result "="]', '[Result "*"]'), "the Result is '*', but the game's is '='")
    more = f"{game.turn}. {'.' if kind == 'cartagena' else 'roll:nw=11 .'}"
    refuse(f"{text[:-1]}{more}\n\n", f"turn {game.turn}: the game is over")
    cut = text.removesuffix("\n\n")
    refuse(f"{cut[: cut.rindex(chr(10))]}\n\n", "the Result is '=', but the game's is '*'")


SEEDED = {"jamaica": finished("jamaica").record(), "evades": finished("evades").record()}
SEED = re.compile(r'\[Seed "(\w+)"\]')


@pytest.mark.parametrize("edition", SEEDED)
def test_a_seed_that_is_not_the_one_committed_to_is_refused(edition: str) -> None:
    other = SEED.search(finished(edition, seed=8).record())
    assert other
    refuse(SEED.sub(other[0], SEEDED[edition]), "game 1: the SHA-256 of the Seed")
    refuse(SEEDED[edition].replace('[Commitment "', '[Commitment "0'), "game 1: the SHA-256 of the Seed")
    refuse(SEED.sub('[Seed "7"]', SEEDED[edition]), "game 1: the SHA-256 of the Seed")


@pytest.mark.parametrize(
    ("edition", "fault"),
    [("jamaica", "the deal and the pile do not follow"), ("evades", "turn 1, roll:.*: the numbers do not follow")],
)
def test_another_games_seed_and_commitment_are_refused(edition: str, fault: str) -> None:
    theirs = re.findall(r'\[(?:Commitment|Seed) "\w+"\]\n', finished(edition, seed=8).record())
    spoiled = untagged(SEEDED[edition], "Commitment", "Seed").replace("]\n\n", "]\n" + "".join(theirs) + "\n")
    with pytest.raises(Invalid, match=f"game 1: {fault} from the Seed"):
        read(spoiled)


def test_a_number_of_the_white_die_that_nobody_used_is_still_checked_against_the_seed() -> None:
    text = next(
        t for t in (finished("evades", seed=s).record() for s in range(50)) if re.search(r"w=\d+ [^<\n]*\.\n", t)
    )
    spoiled = re.sub(r"(w=\d*)(\d)( [^<\n]*\.\n)", lambda m: f"{m[1]}{int(m[2]) % 6 + 1}{m[3]}", text, count=1)
    assert read(untagged(spoiled, "Commitment", "Seed"))
    with pytest.raises(Invalid, match=r"game 1: turn \d+, roll:\w+w=\d+: the numbers do not follow from the Seed"):
        read(spoiled)


def test_a_card_at_the_bottom_of_a_reshuffled_pile_is_still_checked_against_the_seed() -> None:
    spoiled = respoil(swap_last)
    with pytest.raises(Invalid, match=r"game 1: turn \d+, \S+: the new pile does not follow from the Seed"):
        read(spoiled)
    assert read(untagged(spoiled, "Commitment", "Seed"))


def test_a_reshuffled_pile_with_its_first_cards_swapped_is_refused() -> None:
    with pytest.raises(Illegal, match=r"game 1: turn \d+, \S+: \w+ (is|cannot be) what comes"):
        read(untagged(respoil(lambda pile: swap_last(pile[::-1])[::-1]), "Commitment", "Seed"))


@pytest.mark.parametrize(
    "change", [lambda pile: pile[:-1], lambda pile: pile + "B", lambda pile: "", lambda pile: "?9"]
)
def test_a_reshuffled_pile_of_other_cards_is_refused(change: Callable[[str], str]) -> None:
    with pytest.raises(ValueError, match=r"game 1: turn \d+, "):
        read(untagged(respoil(change), "Commitment", "Seed"))


def respoil(change: Callable[[str], str]) -> str:
    """The seeded game of Jamaica with its last reshuffled pile changed."""
    text = SEEDED["jamaica"]
    begin = text.rindex("~") + 1
    pile = re.split(r"\s", text[begin:])[0]
    return text[:begin] + change(pile) + text[begin + len(pile) :]


def swap_last(pile: str) -> str:
    """The pile with its last card and the last one that differs from it swapped."""
    other = max(i for i, card in enumerate(pile) if card != pile[-1])
    return pile[:other] + pile[-1] + pile[other + 1 : -1] + pile[other]


ODD = [
    "",
    "0",
    "9",
    "?",
    ".",
    "-",
    "K",
    "D",
    "b",
    "w",
    "+",
    "~",
    "=",
    "/",
    "1",
    "draw",
    "18<17+KB",
    "roll:bry=123",
    "é",
]
WHOLE = [CARTAGENA, EVADES, read(CARTAGENA)[0].record(1), read(EVADES)[0].record(2), *SEEDED.values()]


@settings(max_examples=1000)
@given(st.sampled_from(WHOLE), st.sampled_from([r"\S+", r"\w+", r"\S"]), st.data())
def test_a_record_with_one_thing_changed_is_refused_or_reads_back_to_the_letter(
    text: str, token: str, data: st.DataObject
) -> None:
    spans = [match.span() for match in re.finditer(token, text)]
    begin, end = data.draw(st.sampled_from(spans))
    other = data.draw(st.sampled_from(spans).map(lambda span: text[slice(*span)]) | st.sampled_from(ODD))
    spoiled = text[:begin] + other + text[end:]
    try:
        games = read(spoiled)
    except (Invalid, Illegal):
        return
    assert "".join(game.record() for game in games) == spoiled


@pytest.mark.parametrize("seed", [0, 7, -1, 10**30])
@pytest.mark.parametrize("edition", ["first-escape", "evades"])
def test_a_game_with_an_integer_seed_is_proven_by_it(edition: str, seed: int) -> None:
    game = play_on(escapade.new(edition, seed=seed), 5000, random.Random(1))
    again = play_on(escapade.new(edition, seed=seed), 5000, random.Random(1))
    assert game.record() == again.record()
    assert read(game.record())[0].tags == {
        "Commitment": game.chance.commitment,
        "Seed": hashlib.sha256(f"escapade {seed}".encode()).hexdigest(),
    }


def test_numbers_given_against_the_seed_take_the_commitment_away() -> None:
    game = escapade.new("evades", seed=7)
    game.play("bet:br.yl.do.n")
    game.play("bet:yo.bn.rl.d")
    chosen = game.copy().play("roll:bry")
    other = "roll:bry=123" if chosen != "roll:bry=123" else "roll:bry=124"
    same, contrary = game.copy(), game.copy()
    assert same.play(chosen) == chosen
    assert "[Commitment " in same.record()
    assert contrary.play(other) == other
    assert "[Commitment " not in contrary.record()
    assert "[Seed " not in play_on(contrary, 5000, random.Random(1)).record()
    assert read(contrary.record())[0] == contrary


def before_a_reshuffle(edition: str = "jamaica") -> Game:
    """A game from a position in which a retreat draws two cards of an empty pile."""
    hands = "BBDHKSDKPPSS"
    discards = "".join(f"{card}{17 - hands.count(card)}" for card in "BDHKPS")
    position = f"{edition} {TUNNEL} 0.0.0.0.0.18/0.0.0.0.17.17 BBDHKS/DKPPSS - - {discards} 1:0:9"
    return escapade.parse(position, seed=7)


def test_a_record_that_hides_nothing_but_a_reshuffled_pile_reads_back_and_cannot_be_played_on() -> None:
    game = before_a_reshuffle("jamaica+hands=open")
    drawn = game.play("18<17")
    text = game.record(1)
    assert f"\n9. {drawn[:8]}~?90\n" in text
    [again] = read(text)
    assert again.record() == text
    with pytest.raises(Illegal, match="not played on"):
        again.play(".")


def test_cards_given_against_the_seed_take_the_commitment_away() -> None:
    drawn = before_a_reshuffle().play("18<17")
    cards = drawn[6:8]
    same, contrary = before_a_reshuffle(), before_a_reshuffle()
    assert same.play(f"18<17+{cards}") == drawn
    assert "[Commitment " in same.record()
    other = "KB" if cards != "KB" else "BK"
    played = contrary.play(f"18<17+{other}")
    assert played.startswith(f"18<17+{other}~{other}")
    assert sorted(played[9:]) == sorted(drawn[9:])
    assert "[Commitment " not in contrary.record()
    assert read(contrary.record())[0] == contrary


def test_a_whole_pile_given_is_used_instead_of_chance() -> None:
    drawn = before_a_reshuffle().play("18<17")
    pile = "".join(sorted(drawn[9:]))
    game = before_a_reshuffle()
    assert game.play(f"18<17+{pile[:2]}~{pile}") == f"18<17+{pile[:2]}~{pile}"
    assert "[Commitment " not in game.record()
    game = before_a_reshuffle()
    assert game.play(drawn) == drawn
    assert "[Commitment " in game.record()


@pytest.mark.parametrize("outcome", ["+KB~KB", "+K", "+KBB", "+KX", "+KB~BK", "~"])
def test_an_outcome_that_cannot_be_is_refused_and_changes_nothing(outcome: str) -> None:
    game = before_a_reshuffle()
    record, position = game.record(), str(game)
    with pytest.raises(ValueError, match="18<17"):
        game.play(f"18<17{outcome}")
    assert (game.record(), str(game)) == (record, position)
