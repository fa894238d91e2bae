"""The rules of Cartagena, C1 to C20, each as one or more tests; expectations come from docs/rules/cartagena.md."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product

import pytest

import escapade
from escapade.cartagena.editions import EDITIONS, HOUSE, PRINTED, symbol_names
from escapade.cartagena.editions import edition as read_edition

# The tunnel of the worked examples in 002 and 004. Its symbols are on
#   B 1 8 18 22 29 33    D 5 7 15 24 27 35    H 3 11 16 19 26 36
#   K 6 9 14 20 30 34    P 2 10 13 21 25 32   S 4 12 17 23 28 31
TUNNEL = "BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH"
PRISON = "0.0.0.0.0.0"
FIELDS = ("edition", "tunnel", "pirates", "hands", "row", "pile", "discards", "clock")


def at(position: str, seed: int = 7) -> escapade.Game:
    """A game from a position, in which T is the examples' tunnel and * every card that is not named."""
    fields = position.split(" ")
    fields[1] = TUNNEL if fields[1] == "T" else fields[1]
    named = "".join(fields[3:6]) + "".join(symbol * int(count) for symbol, count in re.findall(r"(\w)(\d+)", fields[6]))
    copies = int(read_edition(fields[0]).rules["cards"])
    rest = {symbol: copies - named.count(symbol) for symbol in "BDHKPS"}
    letters = "".join(symbol * count for symbol, count in rest.items())
    counts = "".join(f"{symbol}{count}" for symbol, count in rest.items() if count)
    fields[3:6] = [field.replace("*", letters) for field in fields[3:6]]
    fields[6] = fields[6].replace("*", counts)
    return escapade.parse(" ".join(fields), seed=seed)


def picture(clock: str, red: str = "HK") -> escapade.Game:
    """The picture of 002 and 004: Blue, Red, Green and Yellow; Blue is to play at 1:0:41."""
    blue, green, yellow = "0.6.6.9.17.18", "0.11.12.19.19.29", "0.9.21.30.33.37"
    return at(f"tortuga T {blue}/5.8.17.17.22.26/{green}/{yellow} BDDDD/{red}/-/PSS KDDBSP - * {clock}")


def play(game: escapade.Game, actions: str) -> str:
    """Play some actions; returns them as a record has them."""
    return " ".join(game.play(action) for action in actions.split())


def field(position: object, name: str) -> str:
    """A field of a position, by its name."""
    return str(position).split(" ")[FIELDS.index(name)]


def retreats(game: escapade.Game) -> list[str]:
    """The legal retreats."""
    return [action for action in game.legal_actions() if "<" in action]


def laid(segments: tuple[str, ...]) -> Iterator[str]:
    """Every tunnel that can be laid of some segments."""
    for order in permutations(segments):
        for turns in product((1, -1), repeat=len(order)):
            yield "/".join(segment[::turn] for segment, turn in zip(order, turns, strict=True))


# Things


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_c1_two_to_five_players_have_six_pirates_each(players: int) -> None:
    game = escapade.new("jamaica", players=players, seed=1)
    assert field(game, "pirates") == "/".join([PRISON] * players)


@pytest.mark.parametrize("players", [0, 1, 6])
def test_c1_fewer_than_two_and_more_than_five_players_are_refused(players: int) -> None:
    with pytest.raises(escapade.Invalid, match="2 to 5"):
        escapade.new("jamaica", players=players)


def test_c1_a_position_with_five_pirates_of_a_seat_is_refused() -> None:
    with pytest.raises(escapade.Invalid, match="seat 2 has 5 pirates"):
        at(f"jamaica T {PRISON}/0.0.0.0.0 D/S - * - 1:0:1")


@pytest.mark.parametrize("pirates", [3, 8])
def test_c1_the_house_rule_pirates_sets_how_many_pirates_each_has(pirates: int) -> None:
    game = escapade.new("jamaica", seed=1, pirates=pirates)
    assert field(game, "edition") == f"jamaica+pirates={pirates}"
    assert field(game, "pirates") == "/".join([".".join("0" * pirates)] * 2)


def test_c2_six_printed_segments_are_laid_each_once_and_either_way_round() -> None:
    tunnels = [field(escapade.new(seed=seed), "tunnel").split("/") for seed in range(40)]
    for segments in tunnels:
        assert sorted(min(s, s[::-1]) for s in segments) == sorted(min(s, s[::-1]) for s in PRINTED)
    assert {segments[0] for segments in tunnels} > set(PRINTED)


def test_c2_the_printed_segments_make_46080_tunnels() -> None:
    assert PRINTED == ("BPHSDK", "DBKPHS", "HKPBSD", "KBSDHP", "PKDHSB", "HDKBPS")
    assert len(set(laid(PRINTED))) == 46_080


def test_c2_the_players_may_choose_the_tunnel_even_of_free_permutations() -> None:
    tunnel = "/".join(["BDHKPS"] * 6)
    assert field(escapade.new("tortuga", seed=1, tunnel=tunnel), "tunnel") == tunnel
    by_chance = field(escapade.new("tortuga", seed=1, tunnel="free"), "tunnel").split("/")
    assert ["".join(sorted(segment)) for segment in by_chance] == ["BDHKPS"] * 6
    assert not {*by_chance, *(segment[::-1] for segment in by_chance)} <= {*PRINTED, *(s[::-1] for s in PRINTED)}


@pytest.mark.parametrize("segment", ["BPHSDD", "BPHSD", "BPHSDX"])
def test_c2_a_segment_shows_each_symbol_once(segment: str) -> None:
    with pytest.raises(escapade.Invalid, match=segment):
        escapade.new(tunnel=TUNNEL.replace("BPHSDK", segment))


def test_c2_spaces_are_numbered_from_the_fortress_to_the_boat() -> None:
    game = at(f"jamaica T 0.0.0.0.0.36/{PRISON} BDHKPS/S - * - 1:0:1")
    moves = "B0>1 B36>37 D0>5 D36>37 H0>3 H36>37 K0>6 K36>37 P0>2 P36>37 S0>4 S36>37"
    assert game.legal_actions() == moves.split()


def test_c2_the_prison_and_the_boat_hold_any_number() -> None:
    crowd = "0.0.0.37.37.37"
    game = at(f"jamaica T 0.0.37.37.37.37/{crowd}/{crowd}/{crowd}/{crowd} -/D/D/D/D - * - 1:0:9")
    assert game.scores == (4, 3, 3, 3, 3)


def test_c2_in_a_tunnel_of_three_segments_the_boat_is_19() -> None:
    game = at("jamaica BPHSDK/DBKPHS/PKDHSB 0.0.0.0.1.8/0.0.0.0.0.18 BB/S - * - 1:0:5")
    assert play(game, "B0>19 B8>19") == "B0>19 B8>19"
    assert field(game, "pirates") == "0.0.0.1.19.19/0.0.0.0.0.18"
    assert "19<18" in game.legal_actions()


def test_c2_in_a_tunnel_of_eight_segments_the_boat_is_49() -> None:
    game = at(f"jamaica {TUNNEL}/BPHSDK/DBKPHS 0.0.0.0.33.48/0.0.0.0.0.42 BPS/S - * - 1:0:5")
    assert play(game, "B33>37 P48>49 S37>40") == "B33>37 P48>49 S37>40"
    assert field(game, "pirates") == "0.0.0.0.40.49/0.0.0.0.0.42"


@pytest.mark.parametrize("segments", [3, 8])
def test_c2_chance_lays_a_shorter_or_longer_tunnel_from_one_box_or_two(segments: int) -> None:
    tunnel = field(escapade.new(seed=3, segments=segments), "tunnel").split("/")
    box = Counter(min(segment, segment[::-1]) for segment in tunnel)
    assert len(tunnel) == segments
    assert set(box) <= {min(segment, segment[::-1]) for segment in PRINTED}
    assert max(box.values()) == (1 if segments <= 6 else 2)
    assert segments <= 6 or len(box) == 6


@pytest.mark.parametrize("segments", [2, 9])
def test_c2_a_tunnel_has_three_to_eight_segments(segments: int) -> None:
    with pytest.raises(escapade.Invalid, match="3 to 8"):
        escapade.new(segments=segments)
    with pytest.raises(escapade.Invalid, match="3 to 8"):
        escapade.new(tunnel="/".join(["BPHSDK"] * segments))


@pytest.mark.parametrize(
    ("edition", "printing", "names"),
    [
        ("jamaica", "classic", "bottle, dagger, three-cornered hat, key, pistol, skull"),
        ("tortuga", "classic", "bottle, dagger, three-cornered hat, key, pistol, skull"),
        ("tortuga", "tilsit", "jug, hook, tricorne, bunch of keys, pistol, parrot"),
        ("first-escape", "classic", "bottle, dagger, hat, keys, pistol, parrot"),
        ("first-escape-open", "classic", "bottle, dagger, hat, keys, pistol, parrot"),
    ],
)
def test_c3_the_same_six_letters_stand_for_each_editions_symbols(edition: str, printing: str, names: str) -> None:
    called = symbol_names(edition, printing)
    assert "".join(called) == "BDHKPS"
    # The engine uses the short names "hat" and "keys" where the table has longer ones.
    assert [
        full for full, name in zip(names.split(", "), called.values(), strict=True) if not full.endswith(name)
    ] == []
    assert len(set(called.values())) == 6


@pytest.mark.parametrize(("edition", "copies"), [("jamaica", 17), ("tortuga", 17), ("first-escape", 18)])
def test_c4_there_are_17_cards_of_each_symbol_or_18_in_the_second_edition(edition: str, copies: int) -> None:
    game = escapade.new(edition, players=3, seed=2)
    cards = Counter("".join(field(game, name) for name in ("hands", "row", "pile")))
    assert {symbol: cards[symbol] for symbol in "BDHKPS"} == dict.fromkeys("BDHKPS", copies)
    assert field(game, "discards") == "-"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("copies", [17, 18])
def test_c4_the_house_rule_cards_sets_how_many(edition: str, copies: int) -> None:
    game = escapade.new(f"{edition}+cards={copies}", players=3, seed=2)
    cards = Counter("".join(field(game, name) for name in ("hands", "row", "pile")))
    assert {symbol: cards[symbol] for symbol in "BDHKPS"} == dict.fromkeys("BDHKPS", copies)
    printed = EDITIONS[edition]["cards"] == copies
    assert field(game, "edition") == (edition if printed else f"{edition}+cards={copies}")
    assert escapade.parse(str(game)) == game


def test_c4_a_position_with_other_totals_is_refused() -> None:
    with pytest.raises(escapade.Invalid, match="101 cards"):
        at(f"jamaica T {PRISON}/{PRISON} D/S - - B17D16H17K17P16S16 1:0:1")
    with pytest.raises(escapade.Invalid, match="18 cards show B"):
        at(f"jamaica T {PRISON}/{PRISON} D/S - - B18D16H17K17P16S16 1:0:1")


@pytest.mark.parametrize("edition", EDITIONS)
def test_c5_six_cards_are_dealt_to_each(edition: str) -> None:
    hands = field(escapade.new(edition, players=5, seed=2), "hands").split("/")
    assert [len(hand) for hand in hands] == [6] * 5


@pytest.mark.parametrize("deal", [3, 10])
def test_c5_the_house_rule_deal_sets_how_many(deal: int) -> None:
    hands = field(escapade.new(f"tortuga+deal={deal}", players=5, seed=2), "hands").split("/")
    assert [len(hand) for hand in hands] == [deal] * 5


# A turn


def test_c6_seats_play_clockwise_from_seat_1() -> None:
    game = escapade.new("jamaica", players=3, seed=5)
    clocks = []
    for _ in range(4):
        clocks.append(field(game, "clock"))
        play(game, f"{game.legal_actions()[0]} .")
    assert clocks == ["1:0:1", "2:0:2", "3:0:3", "1:0:4"]
    assert (game.seat, game.turn) == (2, 5)


def test_c7_a_turn_may_end_after_one_action() -> None:
    game = at(f"jamaica T {PRISON}/{PRISON} BDHK/S - * - 1:0:1")
    play(game, "B0>1")
    assert game.legal_actions()[-1] == "."
    assert field(game, "clock") == "1:1:1"
    play(game, ".")
    assert field(game, "clock") == "2:0:2"


def test_c7_a_turn_ends_by_itself_after_three_actions() -> None:
    game = at(f"jamaica T {PRISON}/{PRISON} BDHK/S - * - 1:0:1")
    play(game, "B0>1 D0>5")
    assert field(game, "clock") == "1:2:1"
    play(game, "H0>3")
    assert field(game, "clock") == "2:0:2"


def test_c7_actions_come_in_any_order_and_mix_also_with_one_pirate() -> None:
    game = at("jamaica T 0.0.0.0.0.9/0.0.0.0.0.5 BK/S - D* - 1:0:3")
    assert play(game, "9<5 K5>6 D6>7") == "9<5+D K5>6 D6>7"
    assert field(game, "pirates") == "0.0.0.0.0.7/0.0.0.0.0.5"


@pytest.mark.parametrize("edition", ["jamaica", "tortuga", "hispaniola", "first-escape+least-actions=1"])
def test_c7_at_least_one_action_is_owed(edition: str) -> None:
    game = at(f"{edition} T {PRISON}/{PRISON} D/S - * - 1:0:1")
    assert game.legal_actions() == ["D0>5"]


@pytest.mark.parametrize("edition", ["first-escape", "first-escape-open", "jamaica+least-actions=0"])
def test_c7_in_the_second_edition_a_turn_of_no_action_is_allowed(edition: str) -> None:
    game = at(f"{edition} T {PRISON}/{PRISON} D/S - * - 1:0:1")
    assert game.legal_actions() == ["D0>5", "."]
    play(game, ".")
    assert field(game, "clock") == "2:0:2"


@pytest.mark.parametrize("most", [1, 2, 5])
def test_c7_the_house_rule_most_actions_ends_the_turn_sooner_or_later(most: int) -> None:
    game = at(f"jamaica+most-actions={most} T {PRISON}/{PRISON} BDHKPS/S - * - 1:0:1")
    for action in ["B0>1", "D0>5", "H0>3", "K0>6"][: most - 1]:
        game.play(action)
    assert field(game, "clock") == f"1:{most - 1}:1"
    play(game, "S0>4")
    assert field(game, "clock") == "2:0:2"


def test_c8_a_pirate_jumps_the_occupied_spaces_to_the_first_free_one() -> None:
    game = picture("4:0:44")
    assert play(game, "S9>23") == "S9>23"
    assert field(game, "pirates").split("/")[3] == "0.21.23.30.33.37"


def test_c8_three_daggers_in_a_row_jump_each_other() -> None:
    game = picture("1:0:41")
    assert play(game, "D0 D6 D6") == "D0>7 D6>15 D6>24"
    assert field(game, "pirates").split("/")[0] == "7.9.15.17.18.24"
    assert field(game, "clock") == "2:0:42"


def test_c8_with_no_free_symbol_ahead_the_pirate_boards() -> None:
    game = picture("1:0:41")
    assert play(game, "B17") == "B17>37"
    assert field(game, "pirates").split("/")[0] == "0.6.6.9.18.37"


def test_c8_boarding_is_not_a_choice_while_a_free_symbol_is_ahead() -> None:
    game = at(f"jamaica T 0.0.0.0.0.34/{PRISON} D/S - * - 1:0:5")
    assert game.legal_actions() == ["D0>5", "D34>35"]
    with pytest.raises(escapade.Illegal, match="the first free D ahead of 34 is 35"):
        game.play("D34>37")


def test_c8_the_card_goes_to_the_discards() -> None:
    game = at(f"jamaica T {PRISON}/{PRISON} BDD/S - * H2 1:0:1")
    play(game, "D0>5")
    assert (field(game, "hands"), field(game, "discards")) == ("BD/S", "D1H2")


def test_c8_a_pirate_in_the_boat_goes_no_further() -> None:
    game = at(f"jamaica T 0.0.0.0.0.37/{PRISON} D/S - * - 1:0:5")
    assert game.legal_actions() == ["D0>5"]


def test_c8_c9_every_option_of_blue_in_the_picture_is_offered_once() -> None:
    advances = "B0>1 B6>37 B9>37 B17>37 B18>37 D0>7 D6>7 D9>15 D17>24 D18>24"
    assert picture("1:0:41").legal_actions() == f"{advances} 6<5 9<8 17<12 18<12".split()


def test_c9_a_retreat_to_two_pirates_draws_two_cards() -> None:
    game = picture("2:0:42")
    assert play(game, "8<6") == "8<6+KD"
    assert field(game, "pirates").split("/")[1] == "5.6.17.17.22.26"
    assert (field(game, "hands").split("/")[1], field(game, "row")) == ("DHKK", "DBSP")


def test_c9_three_retreats_draw_one_two_and_two() -> None:
    game = picture("1:0:41")
    assert play(game, "17<12 18<17 17<12") == "17<12+K 18<17+DD 17<12+BS"
    assert field(game, "pirates").split("/")[0] == "0.6.6.9.12.12"
    assert (field(game, "hands").split("/")[0], field(game, "row")) == ("BBDDDDDDKS", "P")


def test_c8_c9_boarding_and_a_step_back_free_the_bottle_on_18() -> None:
    assert "B17>37" in picture("2:0:42", red="BHK").legal_actions()
    game = picture("1:0:41", red="BHK")
    assert play(game, "B17>37 18<17 D0>7") == "B17>37 18<17+KD D0>7"
    assert field(game, "pirates").split("/")[0] == "6.6.7.9.17.37"
    assert "B17>18" in game.legal_actions()


def test_c9_a_retreat_skips_empty_spaces_and_spaces_with_three_pirates() -> None:
    game = at("jamaica T 0.0.0.6.6.8/0.0.0.5.5.6 D/S - KB* - 1:0:9")
    assert play(game, "8<5") == "8<5+KB"
    assert field(game, "pirates") == "0.0.0.5.6.6/0.0.0.5.5.6"


def test_c9_a_space_with_one_may_not_be_skipped_for_one_with_two() -> None:
    game = at("jamaica T 0.0.0.0.0.9/0.0.0.5.5.7 D/S - K* - 1:0:9")
    assert retreats(game) == ["9<7"]
    with pytest.raises(escapade.Illegal, match="the nearest space behind 9 with one or two pirates is 7"):
        game.play("9<5")
    assert play(game, "9<7") == "9<7+K"


def test_c9_ones_own_pirates_count_like_the_others() -> None:
    game = at(f"jamaica T 0.0.0.5.5.8/{PRISON} -/S - KB* - 1:0:9")
    assert play(game, "8<5") == "8<5+KB"
    assert field(game, "pirates") == f"0.0.0.5.5.5/{PRISON}"


def test_c9_nobody_goes_back_to_the_prison() -> None:
    game = at(f"jamaica T 0.0.0.0.0.5/{PRISON} D/S - * - 1:0:9")
    assert retreats(game) == []
    with pytest.raises(escapade.Illegal, match="no space behind 5"):
        game.play("5<")


def test_c9_the_space_that_a_pirate_stands_on_is_not_behind_it() -> None:
    assert retreats(at("jamaica T 0.0.0.0.6.6/0.0.0.0.0.6 D/S - * - 1:0:9")) == []


def test_c9_never_more_than_three_pirates_on_a_space() -> None:
    assert retreats(at("jamaica T 0.0.0.0.0.8/0.0.0.5.5.5 D/S - * - 1:0:9")) == []
    with pytest.raises(escapade.Invalid, match="4 pirates on space 5"):
        at("jamaica T 0.0.0.0.0.5/0.0.0.5.5.5 D/S - * - 1:0:9")


@pytest.mark.parametrize("edition", EDITIONS)
def test_c10_a_pirate_may_retreat_from_the_boat_in_every_edition(edition: str) -> None:
    game = at(f"{edition} T 0.0.0.0.0.37/0.0.0.0.20.20 D/S - KB* - 1:0:9")
    assert retreats(game) == ["37<20"]
    assert play(game, "37<20") == "37<20+KB"
    assert game.scores == (0, 0)


def test_c10_the_house_rule_boat_retreat_off_keeps_pirates_in_the_boat() -> None:
    game = at("jamaica+boat-retreat=off T 0.0.0.0.30.37/0.0.0.0.20.20 D/S - * - 1:0:9")
    assert retreats(game) == ["30<20"]
    with pytest.raises(escapade.Illegal, match="boat-retreat=off"):
        game.play("37<30")


def test_c11_a_card_just_drawn_may_be_played_at_once() -> None:
    tunnel = "BPHSDK/DBKPHS/HKPBSD/KBSDHP/PKDHSB/HDKBPS"
    game = at(f"first-escape {tunnel} 0.0.9.20.33.37/0.0.0.0.18.18 H/DS BKDHPS - * 1:0:21")
    assert play(game, "H33>37 20<18 B9>16") == "H33>37 20<18+BK B9>16"
    assert field(game, "pirates") == "0.0.16.18.37.37/0.0.0.0.18.18"
    assert (field(game, "hands"), field(game, "row")) == ("K/DS", "DHPS")


def test_c11_a_hand_has_no_limit() -> None:
    game = at("jamaica T 0.0.0.0.0.8/0.0.0.0.5.5 */- - KB - 1:0:9")
    play(game, "8<5")
    assert field(game, "hands") == "/".join(["".join(symbol * 17 for symbol in "BDHKPS"), "-"])


def test_c12_a_player_who_can_do_nothing_passes() -> None:
    game = at(f"jamaica T 0.0.0.0.0.5/{PRISON} -/D - * - 1:0:3")
    assert game.legal_actions() == ["."]
    play(game, ".")
    assert field(game, "clock") == "2:0:4"


def test_c12_a_player_with_a_possible_action_may_not_pass() -> None:
    game = at(f"jamaica T 0.0.0.0.5.8/{PRISON} -/D - * - 1:0:3")
    assert game.legal_actions() == ["8<5"]
    with pytest.raises(escapade.Illegal, match="at least one action"):
        game.play(".")


def test_c12_a_turn_does_not_end_by_itself_because_nothing_is_possible() -> None:
    game = at(f"jamaica T {PRISON}/{PRISON} D/S - * - 1:0:3")
    play(game, "D0>5")
    assert field(game, "clock") == "1:1:3"
    assert game.legal_actions() == ["."]


def test_c12_where_a_draw_is_possible_and_an_action_is_owed_passing_is_not() -> None:
    assert at(f"jamaica+empty-hand-draw=on T {PRISON}/{PRISON} -/D - * - 1:0:3").legal_actions() == ["draw"]
    assert at(f"first-escape T {PRISON}/{PRISON} -/D - * - 1:0:3").legal_actions() == ["draw", "."]


@pytest.mark.parametrize("edition", ["first-escape", "first-escape-open", "hispaniola+empty-hand-draw=on"])
def test_c13_an_empty_hand_may_give_up_the_turn_for_the_top_of_the_pile(edition: str) -> None:
    game = at(f"{edition} T {PRISON}/{PRISON} -/D KKKK SB* - 1:0:3")
    assert play(game, "draw") == "draw+S"
    assert (field(game, "hands"), field(game, "row"), field(game, "clock")) == ("S/D", "KKKK", "2:0:4")
    assert field(game, "pile").startswith("B")


def test_c13_the_draw_is_a_choice_beside_the_retreats() -> None:
    game = at(f"first-escape T 0.0.0.0.5.8/{PRISON} -/D KKKK * - 1:0:3")
    assert game.legal_actions() == ["8<5", "draw", "."]


def test_c13_only_at_the_start_of_the_turn() -> None:
    game = at(f"first-escape T {PRISON}/{PRISON} D/D - * - 1:0:3")
    play(game, "D0>5")
    assert game.legal_actions() == ["."]
    with pytest.raises(escapade.Illegal, match="only at the start of a turn"):
        game.play("draw")


def test_c13_only_without_a_card_in_hand() -> None:
    game = at(f"first-escape T {PRISON}/{PRISON} D/D - * - 1:0:3")
    assert "draw" not in game.legal_actions()
    with pytest.raises(escapade.Illegal, match="seat 1 has cards in hand"):
        game.play("draw")


def test_c13_the_discards_are_shuffled_for_it() -> None:
    game = at(f"first-escape T {PRISON}/{PRISON} -/* KK - S2 1:0:3")
    assert play(game, "draw") == "draw+S~SS"
    assert (field(game, "row"), field(game, "pile"), field(game, "discards")) == ("KK", "S", "-")


def test_c13_even_when_no_card_can_come() -> None:
    game = at(f"first-escape T {PRISON}/{PRISON} -/* KK - - 1:0:3")
    assert game.legal_actions() == ["draw", "."]
    assert play(game, "draw") == "draw"
    assert (field(game, "hands")[:2], field(game, "row"), field(game, "clock")) == ("-/", "KK", "2:0:4")


@pytest.mark.parametrize("edition", ["jamaica", "tortuga", "hispaniola", "first-escape+empty-hand-draw=off"])
def test_c13_the_other_editions_have_no_such_draw(edition: str) -> None:
    game = at(f"{edition} T {PRISON}/{PRISON} -/D - * - 1:0:3")
    assert game.legal_actions() == ["."]
    with pytest.raises(escapade.Illegal, match="no draw with an empty hand"):
        game.play("draw")


def test_c14_the_sixth_pirate_aboard_wins_at_once_in_mid_turn() -> None:
    game = at("jamaica T 34.37.37.37.37.37/0.0.0.0.20.37 BK/S - * - 1:0:31")
    assert not game.over
    play(game, "K34>37")
    assert (game.over, game.winners, game.scores) == (True, (1,), (6, 1))
    assert (field(game, "clock"), game.legal_actions()) == ("1:1:31", [])
    assert field(game, "pirates").split("/")[1] == "0.0.0.0.20.37"
    assert '[Result "1"]' in game.record()


def test_c14_the_winning_third_action_is_counted_and_the_clock_stays() -> None:
    game = at("jamaica T 0.0.0.0.20.37/32.34.35.37.37.37 BK/DKP - * - 2:0:32")
    play(game, "D35>37 K34>37 P32>37")
    assert (game.winners, field(game, "clock")) == ((2,), "2:3:32")
    assert escapade.parse(str(game)).winners == (2,)


def test_c14_five_aboard_do_not_win() -> None:
    game = at("jamaica T 0.34.37.37.37.37/0.0.0.0.20.37 K/S - * - 1:0:31")
    play(game, "K34>37")
    assert (game.over, game.scores) == (False, (5, 1))


def test_c14_with_the_house_rule_pirates_the_last_of_those_wins() -> None:
    game = at("jamaica+pirates=3 T 34.37.37/0.0.20 BK/S - * - 1:0:31")
    play(game, "K34>37")
    assert (game.winners, game.scores) == ((1,), (3, 0))


# The cards on the table


@pytest.mark.parametrize(
    ("edition", "hands", "row", "cards", "least", "empty_hand_draw"),
    [
        ("jamaica", "hidden", 0, 17, 1, "off"),
        ("tortuga", "open", 12, 17, 1, "off"),
        ("hispaniola", "hidden", 12, 17, 1, "off"),
        ("first-escape", "hidden", 10, 18, 0, "on"),
        ("first-escape-open", "open", 10, 18, 0, "on"),
    ],
)
def test_c4_c7_c13_c15_c17_each_edition_is_a_row_of_the_table(
    edition: str, hands: str, row: int, cards: int, least: int, empty_hand_draw: str
) -> None:
    rules = EDITIONS[edition]
    assert (rules["hands"], rules["row"], rules["cards"]) == (hands, row, cards)
    assert (rules["least-actions"], rules["empty-hand-draw"]) == (least, empty_hand_draw)
    assert (rules["deal"], rules["pirates"], rules["most-actions"], rules["boat-retreat"]) == (6, 6, 3, "on")
    assert len(EDITIONS) == 5


@pytest.mark.parametrize(
    ("edition", "row"),
    [("tortuga", 12), ("hispaniola", 12), ("first-escape", 10), ("first-escape-open", 10), ("jamaica+row=6", 6)],
)
def test_c15_a_row_is_laid_out_from_the_pile_at_the_start(edition: str, row: int) -> None:
    game = escapade.new(edition, seed=4)
    pile = re.search(r'\[Pile "(\w+)"\]', game.record())
    assert pile
    assert (field(game, "row"), field(game, "pile")) == (pile[1][:row], pile[1][row:])


@pytest.mark.parametrize("edition", ["jamaica", "tortuga+row=0"])
def test_c15_without_a_row_cards_come_from_the_pile(edition: str) -> None:
    assert field(escapade.new(edition, seed=4), "row") == "-"
    game = at(f"{edition} T 0.0.0.0.0.8/0.0.0.0.5.5 -/S - KDB* - 1:0:9")
    assert play(game, "8<5") == "8<5+KD"
    assert field(game, "row") == "-"


def test_c15_cards_are_taken_from_the_head_and_the_row_is_not_topped_up() -> None:
    game = at("tortuga T 0.0.0.0.0.8/0.0.0.0.5.5 -/S KDB * - 1:0:9")
    assert play(game, "8<5") == "8<5+KD"
    assert field(game, "row") == "B"


@pytest.mark.parametrize(
    ("edition", "row"), [("tortuga", "DBSPHKDBSPHK"), ("first-escape", "DBSPHKDBSP"), ("jamaica+row=6", "DBSPHK")]
)
def test_c15_the_moment_the_row_is_empty_a_new_one_is_laid_out(edition: str, row: str) -> None:
    game = at(f"{edition} T 0.0.0.0.0.8/0.0.0.0.0.5 -/S K DBSPHKDBSPHKDBSPHK* - 1:0:9")
    assert play(game, "8<5") == "8<5+K"
    assert field(game, "row") == row
    assert field(game, "pile").startswith("DBSPHKDBSPHKDBSPHK"[len(row) :])


def test_c15_a_new_row_is_laid_out_in_the_middle_of_a_two_card_draw() -> None:
    game = at("tortuga T 0.0.0.0.0.8/0.0.0.0.5.5 -/S K DBSPHKDBSPHKSS* - 1:0:9")
    assert play(game, "8<5") == "8<5+KD"
    assert field(game, "row") == "BSPHKDBSPHK"
    assert field(game, "pile").startswith("SS")


def test_c16_the_discards_become_a_new_pile_when_a_card_must_come() -> None:
    game = at("jamaica T 0.0.0.0.0.8/0.0.0.0.5.5 -/* - - D2S2 1:0:9")
    drawn = re.fullmatch(r"8<5\+(\w\w)~(\w{4})", play(game, "8<5"))
    assert drawn
    assert sorted(drawn[2]) == ["D", "D", "S", "S"]
    assert drawn[1] == drawn[2][:2]
    assert (field(game, "pile"), field(game, "discards")) == (drawn[2][2:], "-")


def test_c16_a_reshuffle_can_be_given_as_in_a_record() -> None:
    position = "jamaica T 0.0.0.0.0.8/0.0.0.0.5.5 -/* - - D2S1 1:0:9"
    game = at(position)
    assert play(game, "8<5+SD~SDD") == "8<5+SD~SDD"
    assert (field(game, "hands")[:2], field(game, "pile"), field(game, "discards")) == ("DS", "D", "-")
    with pytest.raises(escapade.Illegal, match="the discards to be shuffled are DDS"):
        at(position).play("8<5+SD~SDK")


def test_c16_a_pile_just_emptied_is_not_reshuffled_yet() -> None:
    game = at("jamaica T 0.0.0.0.0.8/0.0.0.0.5.5 -/* - KB D2S1 1:0:9")
    assert play(game, "8<5") == "8<5+KB"
    assert (field(game, "pile"), field(game, "discards")) == ("-", "D2S1")


def test_c16_the_second_card_of_a_draw_may_need_the_reshuffle() -> None:
    game = at("jamaica T 0.0.0.0.0.8/0.0.0.0.5.5 -/* - K D2S1 1:0:9")
    assert play(game, "8<5+KS~SDD") == "8<5+KS~SDD"
    assert (field(game, "pile"), field(game, "discards")) == ("DD", "-")


@pytest.mark.parametrize("edition", ["jamaica", "tortuga"])
def test_c16_when_no_card_can_come_the_retreat_stands(edition: str) -> None:
    game = at(f"{edition} T 0.0.0.0.0.8/0.0.0.0.5.5 -/* - - - 1:0:9")
    assert play(game, "8<5") == "8<5"
    assert field(game, "pirates") == "0.0.0.0.0.5/0.0.0.0.5.5"
    assert (field(game, "hands")[:2], field(game, "clock")) == ("-/", "1:1:9")


@pytest.mark.parametrize(("edition", "row", "pile"), [("jamaica", "-", "K"), ("tortuga", "K", "-")])
def test_c16_where_one_card_is_left_a_draw_of_two_takes_one(edition: str, row: str, pile: str) -> None:
    game = at(f"{edition} T 0.0.0.0.0.8/0.0.0.0.5.5 -/* {row} {pile} - 1:0:9")
    assert play(game, "8<5") == "8<5+K"
    assert (field(game, "row"), field(game, "pile")) == ("-", "-")


def test_c16_a_row_that_cannot_be_filled_stays_short() -> None:
    game = at("tortuga T 0.0.0.0.8.9/0.0.0.0.0.5 H/* K DSB - 1:0:9")
    assert play(game, "8<5") == "8<5+K"
    assert (field(game, "row"), field(game, "pile")) == ("DSB", "-")
    assert play(game, "H0>3 9<5") == "H0>3 9<5+DS"
    assert (field(game, "row"), field(game, "discards")) == ("B", "H1")


def test_c16_a_new_row_takes_the_rest_of_the_pile_and_then_the_shuffled_discards() -> None:
    game = at("tortuga T 0.0.0.0.0.8/0.0.0.0.0.5 -/* K DS B5 1:0:9")
    assert play(game, "8<5") == "8<5+K~BBBBB"
    assert (field(game, "row"), field(game, "pile"), field(game, "discards")) == ("DSBBBBB", "-", "-")


def test_c16_a_row_taken_empty_over_an_empty_pile_is_laid_from_the_discards_at_once() -> None:
    game = at("tortuga T 0.0.0.0.0.8/0.0.0.0.0.5 -/* K - P13 1:0:9")
    assert play(game, "8<5") == f"8<5+K~{'P' * 13}"
    assert (field(game, "row"), field(game, "pile"), field(game, "discards")) == ("P" * 12, "P", "-")


def test_c16_an_empty_row_is_tried_again_when_a_card_is_next_to_be_taken() -> None:
    game = at("tortuga T 0.0.0.8.9.10/0.0.0.0.0.5 D/* - - - 1:0:9")
    assert play(game, "8<5 D0>7") == "8<5 D0>7"
    assert (field(game, "row"), field(game, "pile"), field(game, "discards")) == ("-", "-", "D1")
    assert play(game, "9<7") == "9<7+D~D"
    assert (field(game, "hands")[:2], field(game, "row"), field(game, "discards")) == ("D/", "-", "-")


def test_c16_an_empty_row_is_laid_out_only_when_a_card_is_taken() -> None:
    game = at("tortuga T 0.0.0.0.0.8/0.0.0.0.0.5 D/S - KDBSPHKDBSPHHH* - 1:0:9")
    assert field(game, "row") == "-"
    play(game, "D0>7")
    assert field(game, "row") == "-"
    assert play(game, "8<7") == "8<7+K"
    assert field(game, "row") == "DBSPHKDBSPH"


def test_c16_a_seed_settles_the_reshuffle() -> None:
    position = "jamaica T 0.0.0.0.0.8/0.0.0.0.5.5 -/S - - * 1:0:9"
    assert play(at(position, seed=1), "8<5") == play(at(position, seed=1), "8<5")
    assert play(at(position, seed=1), "8<5") != play(at(position, seed=2), "8<5")


def test_c17_in_jamaica_nobody_sees_what_others_draw() -> None:
    game = at("jamaica T 0.0.0.0.0.8/0.0.0.0.0.5 DS/HK - P* - 1:0:9")
    play(game, "8<5")
    assert [field(game.view(seat), "hands") for seat in (1, 2)] == ["DPS/??", "???/HK"]
    assert "9. 8<5+P" in game.record(1)
    assert "9. 8<5+?" in game.record(2)


def test_c17_discards_are_public_and_the_pile_never_is() -> None:
    game = at(f"tortuga T {PRISON}/{PRISON} DS/HK BB * P3 1:0:9")
    play(game, "D0>5")
    assert (field(game.view(2), "discards"), field(game.view(2), "pile")) == ("D1P3", "?93")
    assert field(game.view(2), "row") == "BB"


def test_c17_cards_taken_from_the_row_are_known_and_played_first() -> None:
    game = at("hispaniola T 0.0.0.0.8.9/0.0.0.0.0.5 KS/HK KBP * - 1:0:9")
    assert field(game.view(2), "hands") == "??/HK"
    play(game, "8<5")
    assert field(game.view(2), "hands") == "K??/HK"
    play(game, "K0>6")
    assert field(game.view(2), "hands") == "??/HK"
    play(game, "S0>4")
    assert field(game.view(2), "hands") == "?/HK"


def test_c17_a_card_played_that_is_not_known_comes_from_the_unknown_ones() -> None:
    game = at("hispaniola T 0.0.0.0.8.9/0.0.0.0.0.5 DS/HK KBP * - 1:0:9")
    play(game, "8<5 D0>7")
    assert field(game.view(2), "hands") == "K?/HK"


def test_c17_the_deal_is_unknown_to_the_others() -> None:
    game = escapade.new("hispaniola", seed=1)
    one, two = field(game, "hands").split("/")
    assert [field(game.view(seat), "hands") for seat in (1, 2)] == [f"{one}/??????", f"??????/{two}"]
    assert f'[Deal "??????/{two}"]' in game.record(2)
    assert '[Pile "?90"]' in game.record(2)


def test_c17_a_card_drawn_with_an_empty_hand_is_unknown_to_the_others() -> None:
    game = at(f"first-escape T {PRISON}/{PRISON} -/D KKKK S* - 1:0:3")
    play(game, "draw")
    assert (field(game.view(1), "hands"), field(game.view(2), "hands")) == ("S/?", "?/D")
    assert "3. draw+?" in game.record(2)


@pytest.mark.parametrize("edition", ["tortuga", "first-escape-open", "jamaica+hands=open"])
def test_c17_open_hands_are_seen_by_all(edition: str) -> None:
    game = at(f"{edition} T 0.0.0.0.0.8/0.0.0.0.0.5 DS/HK - P* - 1:0:9")
    play(game, "8<5")
    assert field(game.view(2), "hands") == "DPS/HK"
    assert "9. 8<5+P" in game.record(2)


def test_c17_the_house_rule_hands_hidden_hides_them() -> None:
    game = at(f"tortuga+hands=hidden T {PRISON}/{PRISON} DS/HK BB * P3 1:0:9")
    assert field(game.view(2), "hands") == "??/HK"


def test_c17_a_reshuffle_is_seen_as_a_number_of_cards() -> None:
    game = at("jamaica T 0.0.0.0.0.8/0.0.0.0.5.5 -/* - - D2S1 1:0:9")
    play(game, "8<5+SD~SDD")
    assert "9. 8<5+??~?3\n" in game.record(2)
    assert "9. 8<5+SD~?3\n" in game.record(1)


def test_c17_positions_that_differ_in_hidden_things_look_alike() -> None:
    one = at(f"jamaica T {PRISON}/{PRISON} DD/HK - SP* - 1:0:9")
    two = at(f"jamaica T {PRISON}/{PRISON} PS/HK - DD* - 1:0:9")
    assert one.view(2) == two.view(2)
    assert one.view(1) != two.view(1)


def test_c18_when_nobody_can_do_anything_the_game_is_drawn_at_once_in_mid_turn() -> None:
    game = at(f"jamaica T {PRISON}/{PRISON} D/- - * - 1:0:9")
    assert not game.over
    play(game, "D0>5")
    assert (game.over, game.winners, game.legal_actions()) == (True, (), [])
    assert field(game, "clock") == "1:1:9"
    assert '[Result "="]' in game.record()


@pytest.mark.parametrize("edition", ["jamaica", "tortuga", "first-escape+empty-hand-draw=off"])
def test_c18_a_dead_position_is_seen_when_it_is_read(edition: str) -> None:
    row = "-" if edition == "jamaica" else "BDHKPS"
    game = at(f"{edition} T 0.0.0.0.0.8/0.0.0.5.5.5 -/- {row} * - 2:0:9")
    assert (game.over, game.winners, game.legal_actions()) == (True, (), [])
    assert field(game, "clock") == "2:0:9"


def test_c18_a_dead_position_after_the_last_action_leaves_the_clock_at_the_next_turn() -> None:
    game = at(f"jamaica+most-actions=1 T {PRISON}/{PRISON} D/- - * - 1:0:9")
    play(game, "D0>5")
    assert (game.over, game.winners, field(game, "clock")) == (True, (), "2:0:10")


def test_c18_a_retreat_of_any_seat_keeps_the_game_alive() -> None:
    game = at(f"jamaica T {PRISON}/0.0.0.0.5.8 -/- - * - 1:0:9")
    assert (game.over, game.legal_actions()) == (False, ["."])


def test_c18_a_retreat_from_the_boat_counts_where_it_is_allowed() -> None:
    assert not at(f"jamaica T {PRISON}/0.0.0.0.5.37 -/- - * - 1:0:9").over
    assert at(f"jamaica+boat-retreat=off T {PRISON}/0.0.0.0.5.37 -/- - * - 1:0:9").over


def test_c18_a_draw_with_an_empty_hand_keeps_the_game_alive_also_in_mid_turn() -> None:
    game = at(f"first-escape T {PRISON}/{PRISON} D/- - * - 1:0:9")
    play(game, "D0>5")
    assert (game.over, game.legal_actions()) == (False, ["."])
    play(game, ".")
    assert game.legal_actions() == ["draw", "."]


def test_c19_the_game_is_drawn_when_the_last_turn_is_over() -> None:
    game = at(f"jamaica+turn-limit=9 T {PRISON}/{PRISON} BD/S - * - 1:0:9")
    play(game, "D0>5")
    assert not game.over
    play(game, ".")
    assert (game.over, game.winners, game.legal_actions()) == (True, (), [])
    assert field(game, "clock") == "2:0:10"
    assert '[Result "="]' in game.record()
    assert escapade.parse(str(game)).over


def test_c19_a_third_action_ends_the_last_turn_too() -> None:
    game = at(f"jamaica+turn-limit=9 T {PRISON}/{PRISON} BDHK/S - * - 1:0:9")
    play(game, "D0>5 B0>1 H0>3")
    assert (game.over, field(game, "clock")) == (True, "2:0:10")


def test_c19_a_win_in_the_last_turn_is_a_win() -> None:
    game = at("jamaica+turn-limit=9 T 32.34.35.37.37.37/0.0.0.0.20.37 DKP/S - * - 1:0:9")
    play(game, "D35>37 K34>37 P32>37")
    assert (game.winners, field(game, "clock")) == ((1,), "1:3:9")


def test_c19_between_people_there_is_no_limit() -> None:
    assert field(escapade.new("jamaica", seed=1), "edition") == "jamaica"
    game = at(f"jamaica T {PRISON}/{PRISON} BD/S - * - 1:0:1000")
    play(game, "D0>5 .")
    assert (game.over, field(game, "clock")) == (False, "2:0:1001")


def passes(game: escapade.Game, count: int) -> bool:
    """Pass so often; whether the game is over then."""
    for _ in range(count):
        game.play(".")
    return game.over


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("edition", ["first-escape", "first-escape-open", "tortuga+least-actions=0"])
def test_c20_when_everyone_has_passed_in_three_rounds_the_game_is_drawn_at_once(edition: str, players: int) -> None:
    game = escapade.new(edition, players, seed=1)
    assert not passes(game, 3 * players - 1)
    assert passes(game, 1)
    assert (game.winners, game.legal_actions(), game.result) == ((), [], "=")
    assert field(game, "clock") == f"1:0:{3 * players + 1}"
    assert '[Result "="]' in game.record()


def test_c20_a_turn_with_an_action_begins_the_count_anew() -> None:
    game = at(f"first-escape T {PRISON}/{PRISON} D/S - * - 1:0:9")
    assert not passes(game, 4)
    play(game, "D0>5")
    assert not passes(game, 6)
    assert passes(game, 1)


def test_c20_the_draw_with_an_empty_hand_is_no_pass_even_when_no_card_comes() -> None:
    game = at(f"first-escape T {PRISON}/{PRISON} -/* KK - - 1:0:9")
    assert not passes(game, 4)
    assert play(game, "draw") == "draw"
    assert not passes(game, 5)
    assert passes(game, 1)


def test_c20_where_an_action_is_owed_a_pass_for_want_of_one_does_not_end_the_game() -> None:
    game = at(f"jamaica T {PRISON}/0.0.0.0.5.8 -/- - * - 1:0:9")
    play(game, ".")
    assert game.legal_actions() == ["8<5"]


def test_c20_the_count_begins_where_the_text_of_a_position_does() -> None:
    game = escapade.new("first-escape", seed=1)
    passes(game, 5)
    other, twin = escapade.parse(str(game)), game.copy()
    assert other == game
    assert (passes(game, 1), passes(twin, 1), passes(other, 5)) == (True, True, False)
    assert str(game).endswith(" 1:0:7")
    assert not escapade.parse(str(game)).over
    assert passes(other, 1)


def test_c20_a_text_in_mid_turn_does_not_begin_with_a_pass() -> None:
    game = at(f"first-escape T {PRISON}/{PRISON} D/S - * - 1:1:9")
    assert not passes(game, 6)
    assert passes(game, 1)


# House rules


@pytest.mark.parametrize(
    ("rule", "allowed", "refused"),
    [
        ("boat-retreat", "on off", "yes 1"),
        ("cards", "17 18", "16 19"),
        ("deal", "3 10", "2 11"),
        ("empty-hand-draw", "on off", "yes 1"),
        ("hands", "open hidden", "on closed"),
        ("least-actions", "0 1", "2"),
        ("most-actions", "1 5", "0 6"),
        ("pirates", "3 8", "2 9"),
        ("row", "0 6 12", "1 5 13"),
        ("turn-limit", "1 1000", "0 none"),
    ],
)
def test_c1_to_c20_the_house_rules_have_the_values_of_the_table(rule: str, allowed: str, refused: str) -> None:
    for value in allowed.split():
        assert escapade.new(f"tortuga+{rule}={value}", seed=1).seat == 1
    for value in refused.split():
        with pytest.raises(escapade.Invalid, match=f"{rule} can be"):
            escapade.new(f"tortuga+{rule}={value}", seed=1)
    assert len(HOUSE) == 10


@pytest.mark.parametrize("change", ["tunnel=18", "pirates", "pirates=4+pirates=4", "Pirates=4", ""])
def test_c1_to_c20_what_is_no_house_rule_is_refused(change: str) -> None:
    with pytest.raises(escapade.Invalid, match=re.escape(f"tortuga+{change}")):
        escapade.new(f"tortuga+{change}", seed=1)


def test_c1_to_c20_house_rules_are_recorded_in_order_and_only_where_they_differ() -> None:
    game = escapade.new("tortuga+row=12+pirates=4+hands=open+deal=3", seed=1, boat_retreat="off", turn_limit=200)
    edition = "tortuga+boat-retreat=off+deal=3+pirates=4+turn-limit=200"
    assert field(game, "edition") == edition
    assert f'[Edition "{edition}"]' in game.record()


# What an error says


@pytest.mark.parametrize(
    ("position", "action", "reason"),
    [
        ("0.0.0.0.12.18/0.0.0.0.17.17 D/S - * - 1:0:9", "18<12", "behind 18 with one or two pirates is 17"),
        ("0.0.0.0.0.5/0.0.0.0.0.8 D/S - * - 1:0:9", "5<1", "no space behind 5 holds one or two pirates"),
        ("0.0.0.0.0.5/0.0.0.0.0.8 D/S - * - 1:0:9", "8<5", "seat 1 has no pirate on 8"),
        ("0.0.0.0.0.5/0.0.0.0.0.8 D/S - * - 1:0:9", "D6>7", "seat 1 has no pirate on 6"),
        ("0.0.0.0.0.5/0.0.0.0.0.8 D/S - * - 1:0:9", "D0>5", "the first free D ahead of 0 is 7"),
        ("0.0.0.0.0.5/0.0.0.0.0.8 D/S - * - 1:0:9", "S0>4", "seat 1 holds no S"),
        ("0.0.0.0.0.35/0.0.0.0.0.8 D/S - * - 1:0:9", "D35>36", "no free D lies ahead of 35, so the pirate boards"),
        ("0.0.0.0.0.37/0.0.0.0.0.8 D/S - * - 1:0:9", "D37", "a pirate in the boat goes no further"),
        ("0.0.0.0.0.37/0.0.0.0.0.8 D/S - * - 1:0:9", "37<5", "behind 37 with one or two pirates is 8"),
        ("0.0.0.0.0.5/0.0.0.0.0.8 D/S - * - 1:0:9", "0<", "nobody goes back from the prison"),
        ("0.0.0.0.0.5/0.0.0.0.0.8 D/S - * - 1:0:9", "0<8+D", "nobody goes back from the prison"),
        ("0.0.0.0.0.37/0.0.0.0.0.8 D/S - * - 1:0:9", "40<8", "there is no space 40; the boat is 37"),
        ("0.0.0.0.0.37/0.0.0.0.0.8 D/S - * - 1:0:9", ".", "a turn has at least one action, and one is possible"),
        ("0.0.0.0.0.37/0.0.0.0.0.8 -/S - * - 1:0:9", "draw", "jamaica has no draw with an empty hand"),
        ("0.0.0.0.0.37/0.0.0.0.0.8 -/S - KB* - 1:0:9", "37<8+B", "K is what comes"),
        ("0.0.0.0.0.37/0.0.0.0.0.8 -/S - KB* - 1:0:9", "37<8+K~KB", "nothing is reshuffled here"),
        ("0.0.0.0.0.8/0.0.0.0.5.5 -/* - - B2P2 1:0:9", "8<5+KB", "what comes"),
        ("0.0.0.0.0.8/0.0.0.0.5.5 -/* - - - 1:0:9", "8<5+K", "the pile and the discards are empty, so no card comes"),
        ("37.37.37.37.37.37/0.0.0.0.0.8 D/S - * - 1:1:9", "D0>5", "the game is over (1)"),
    ],
)  # fmt: skip
def test_c7_to_c16_an_illegal_action_is_told_why(position: str, action: str, reason: str) -> None:
    game = at(f"jamaica T {position}")
    before = str(game)
    with pytest.raises(escapade.Illegal) as fault:
        game.play(action)
    assert str(fault.value).startswith(f"{action}: ")
    assert reason in str(fault.value)
    assert str(fault.value).endswith(f"in {before}")
    assert str(game) == before


def test_c13_a_draw_that_brings_nothing_is_explained_where_it_is_mistaken() -> None:
    empty = "the pile and the discards are empty, so no card comes"
    game = at(f"first-escape T {PRISON}/{PRISON} -/* KK - - 1:0:3")
    with pytest.raises(escapade.Illegal, match=rf"draw\+K: {empty}, in "):
        game.play("draw+K")
    owed = at(f"first-escape+least-actions=1 T {PRISON}/{PRISON} -/* KK - - 1:0:3")
    with pytest.raises(escapade.Illegal, match=f"one is possible: draw, although {empty}, in "):
        owed.play(".")
    assert owed.legal_actions() == ["draw"]


@pytest.mark.parametrize(
    "action", ["", "D", "D6>", "D06>15", "d6>15", " D0>5", "D0>5 ", "18>17", "18<17+", "pass", ".."]
)
def test_c7_what_is_no_action_at_all_is_invalid(action: str) -> None:
    with pytest.raises(escapade.Invalid, match=re.escape(repr(action))):
        picture("1:0:41").play(action)
