"""The rules of Les Évadés, G1 to G14, each as one or more tests; expectations come from docs/rules/evades.md."""

import re
from itertools import combinations

import pytest

import escapade
from escapade.evades.editions import HOUSE

BETS = "br.yl.do.n/ln.bo.rd.y/rl.bn.yd.o"


def at(position: str, rules: str = "", bets: str = BETS) -> escapade.Game:
    """A game of three from a position without its edition and bets: pawns, dice, pawns moved, clock."""
    pawns, turn = position.split(" ", 1)
    return escapade.parse(f"evades{rules} {pawns} {bets} {turn}", seed=7)


def now(position: object) -> str:
    """A position without its edition and bets."""
    pawns, _, turn = str(position).split(" ", 3)[1:]
    return f"{pawns} {turn}"


def play(game: escapade.Game, actions: str) -> str:
    """Play some actions; returns them as a record has them."""
    return " ".join(game.play(action) for action in actions.split())


def rolls(pawns: str, colours: int) -> list[str]:
    """The throws of so many colours, each without and then with the white die."""
    return [f"roll:{''.join(dice)}{white}" for dice in combinations(pawns, colours) for white in ("", "w")]


# Things


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_g1_two_to_six_players_share_seven_pawns(players: int) -> None:
    game = escapade.new("evades", players=players, seed=1)
    assert str(game) == f"evades 0:bryldon {'/'.join('-' * players)} - - 1:0"


@pytest.mark.parametrize("players", [1, 7])
def test_g1_fewer_than_two_and_more_than_six_players_are_refused(players: int) -> None:
    with pytest.raises(escapade.Invalid, match="2 to 6"):
        escapade.new("evades", players=players)


def test_g1_every_pawn_has_a_die_of_its_colour() -> None:
    game = at("0:bryldon - - 1:1")
    assert game.legal_actions() == [f"roll:{''.join(dice)}" for dice in combinations("bryldon", 3)]


def test_g1_all_dice_have_six_sides() -> None:
    throws = {escapade.parse(f"evades 0:bryldon {BETS} - - 1:4", seed=seed).play("roll:bryw") for seed in range(60)}
    for die in range(4):
        assert {throw.partition("=")[2][die] for throw in throws} == set("123456")
    with pytest.raises(escapade.Invalid, match="roll:bry=127"):
        at("0:bryldon - - 1:1").play("roll:bry=127")


def test_g2_pawns_begin_at_the_windows_off_the_track() -> None:
    assert play(at("0:bryldon - - 1:1"), "roll:bry=146 b>1 r>4 y>6") == "roll:bry=146 b>1 r>4 y>6"


def test_g2_the_track_has_30_spaces() -> None:
    assert at("0:ldon,22:y,23:r,24:b b6r6y6 - 1:4").legal_actions() == ["b>#1", "r>29", "y>28"]


@pytest.mark.parametrize("length", [15, 36, 60])
def test_g2_the_house_rule_length_sets_how_many(length: int) -> None:
    game = at(f"0:yldon,{length - 7}:r,{length - 6}:b b6r6y1 - 1:4", f"+length={length}")
    assert game.legal_actions() == ["b>#1", f"r>{length - 1}", "y>1"]


def test_g3_there_are_630_bets_by_boat() -> None:
    bets = []
    for one in combinations("bryldon", 2):
        for two in combinations([pawn for pawn in "bryldon" if pawn not in one], 2):
            for three in combinations([pawn for pawn in "bryldon" if pawn not in one + two], 2):
                (four,) = set("bryldon") - {*one, *two, *three}
                bets.append("bet:" + ".".join(map("".join, (one, two, three, four))))
    assert len(bets) == 630
    assert escapade.new("evades", seed=1).legal_actions() == bets


def test_g3_bets_are_made_in_seat_order_before_the_first_turn() -> None:
    game = escapade.new("evades", seed=1)
    play(game, "bet:br.yl.do.n")
    assert str(game) == "evades 0:bryldon br.yl.do.n/- - - 2:0"
    with pytest.raises(escapade.Illegal, match="seat 2 has to bet"):
        game.play("roll:bry")
    play(game, "bet:ln.bo.rd.y")
    assert str(game) == "evades 0:bryldon br.yl.do.n/ln.bo.rd.y - - 1:1"
    with pytest.raises(escapade.Illegal, match="all bets have been made"):
        game.play("bet:br.yl.do.n")


@pytest.mark.parametrize("bet", ["bry.l.do.n", "br.yl.do", "bb.yl.do.n", "br.yl.dx.n", "rb.yl.do.n"])
def test_g3_a_bet_has_two_two_two_and_one_in_listing_order(bet: str) -> None:
    with pytest.raises(escapade.Invalid, match=re.escape(bet)):
        escapade.new("evades", seed=1).play(f"bet:{bet}")


# A turn


def test_g4_each_thrown_colours_pawn_goes_forward_by_its_die() -> None:
    game = at("0:bryldon - - 1:1")
    assert play(game, "roll:bry=123") == "roll:bry=123"
    assert now(game) == "0:bryldon b1r2y3 - 1:1"
    assert game.legal_actions() == ["b>1", "r>2", "y>3"]


def test_g4_the_order_is_the_players_choice() -> None:
    game = at("0:bryldon b1r2y3 - 1:1")
    play(game, "y>3 b>1")
    assert now(game) == "0:rldon,1:b,3:y r2 b+y+ 1:1"
    play(game, "r>2")
    assert now(game) == "0:ldon,1:b,2:r,3:y - - 2:2"


def test_g4_a_pawn_once_moved_is_not_moved_again() -> None:
    game = at("0:bryldon b1r2y3 - 1:1")
    play(game, "b>1")
    assert game.legal_actions() == ["r>2", "y>3"]
    with pytest.raises(escapade.Illegal, match="b has been moved in this turn"):
        game.play("b>2")


def test_g4_seats_play_clockwise() -> None:
    game = at("0:bryldon - - 1:1")
    seats = []
    for throw in ("roll:bry=111 b>1 r>1 y>1", "roll:ldo=222 l>2 d>2 o>2", "roll:ldo=111 o>3 d>3 l>3"):
        seats.append(game.seat)
        play(game, throw)
    assert seats == [1, 2, 3]
    assert (game.seat, game.turn) == (1, 4)


def test_g4_chance_throws_the_dice_that_are_not_given() -> None:
    game = at("0:bryldon - - 1:1")
    thrown = re.fullmatch(r"roll:bry=([1-6])([1-6])([1-6])", game.play("roll:bry"))
    assert thrown
    assert now(game) == f"0:bryldon b{thrown[1]}r{thrown[2]}y{thrown[3]} - 1:1"


@pytest.mark.parametrize(
    ("pawns", "colours"), [("0:bryldon", 3), ("0:bryldo,#1:n", 3), ("0:bryld,#1:on", 2), ("0:bryl,#1:on,#2:d", 2)]
)
def test_g5_exactly_three_colours_or_two_once_two_are_aboard_and_the_white_die_at_will(
    pawns: str, colours: int
) -> None:
    free = pawns.split(",")[0].removeprefix("0:")
    assert at(f"{pawns} - - 1:4").legal_actions() == rolls(free, colours)


def test_g5_once_four_are_aboard_exactly_two_dice_in_all() -> None:
    four = at("0:bry,#1:on,#2:ld - - 1:4")
    assert four.legal_actions() == ["roll:br", "roll:by", "roll:ry", "roll:bw", "roll:rw", "roll:yw"]
    five = at("0:br,#1:on,#2:ld,#3:y - - 1:4")
    assert five.legal_actions() == ["roll:br", "roll:bw", "roll:rw"]


@pytest.mark.parametrize(
    ("pawns", "dice"),
    [
        ("0:bryldon", "br"),
        ("0:bryldon", "brw"),
        ("0:bryldon", "bryl"),
        ("0:bryldo,#1:n", "br"),
        ("0:bryld,#1:on", "bry"),
        ("0:bryld,#1:on", "bw"),
        ("0:bry,#1:on,#2:ld", "b"),
        ("0:bry,#1:on,#2:ld", "brw"),
        ("0:bry,#1:on,#2:ld", "bry"),
    ],
)
def test_g5_no_more_and_no_fewer_dice(pawns: str, dice: str) -> None:
    with pytest.raises(escapade.Illegal, match="exactly"):
        at(f"{pawns} - - 1:4").play(f"roll:{dice}")


def test_g5_only_dice_of_pawns_that_are_not_in_a_boat() -> None:
    with pytest.raises(escapade.Illegal, match=r"the pawn of n \(brown\) is in a boat"):
        at("0:bryldo,#1:n - - 1:4").play("roll:brn")


def test_g5_the_count_is_taken_at_the_start_of_the_turn() -> None:
    game = at("0:ldo,10:r,12:y,28:b,#1:n b3r1y2 - 1:4")
    play(game, "b>#1")
    assert game.legal_actions() == ["r>11", "y>14"]
    play(game, "r>11 y>14")
    assert now(game) == "0:ldo,11:r,14:y,#1:bn - - 2:5"
    assert game.legal_actions() == rolls("ryldo", 2)


def test_g6_a_pawn_that_ends_on_an_occupied_space_goes_on_top() -> None:
    game = at("0:ldon,3:r,5:b,7:y b2r2y1 - 1:4")
    play(game, "r>5")
    assert now(game) == "0:ldon,5:br,7:y b2y1 r+ 1:4"
    assert game.legal_actions() == ["y>8"]


def test_g6_a_blocked_pawn_moves_neither_forward_nor_back() -> None:
    game = at("0:dn,5:rby,8:o,9:l b1r1y1w2 - 1:4")
    assert game.legal_actions() == ["y>6", "y<3", "l<7", "o<6"]
    play(game, "y>6")
    assert game.legal_actions() == ["b>6", "b<3", "l<7", "o<6"]


def test_g6_the_windows_and_the_boats_do_not_stack() -> None:
    game = at("0:rydo,24:b,25:l,#1:n b6r2l5 - 1:4")
    play(game, "l>#1 b>#2 r>2")
    assert now(game) == "0:ydo,2:r,#1:ln,#2:b - - 2:5"


def test_g6_a_jumped_space_counts_like_an_empty_one() -> None:
    assert at("0:ldon,3:b,4:r,5:y b4l1d1 - 1:4").legal_actions() == ["b>7", "l>1", "d>1"]


@pytest.mark.parametrize(("rules", "targets"), [("", [4, 5, 6, 7, 8, 9]), ("+count-jumped=off", [4, 6, 8, 9, 11, 12])])
def test_g6_with_count_jumped_off_all_steps_but_the_last_skip_occupied_spaces(rules: str, targets: list[int]) -> None:
    for die, target in enumerate(targets, 1):
        game = at(f"0:ldn,3:b,4:r,6:y,9:o b{die}l5d1 - 1:4", rules)
        assert game.legal_actions()[0] == f"b>{target}"


def test_g6_with_count_jumped_off_the_pawn_may_land_on_another() -> None:
    game = at("0:ldn,3:b,4:r,6:y,9:o b2l5d1 - 1:4", "+count-jumped=off")
    play(game, "b>6")
    assert now(game) == "0:ldn,4:r,6:yb,9:o l5d1 b+ 1:4"


def test_g6_with_count_jumped_off_the_way_from_the_windows_and_into_the_boats_is_shorter() -> None:
    pawns = "0:ldo,1:r,2:y,27:b,28:n b2l2d1 - 1:4"
    assert at(pawns, "+count-jumped=off").legal_actions() == ["b>#1", "l>4", "d>1"]
    assert at(pawns).legal_actions() == ["b>29", "l>2", "d>1"]


def test_g6_going_back_every_space_counts_either_way() -> None:
    for rules in ("", "+count-jumped=off"):
        game = at("0:ldon,3:b,4:r,6:y b1l1d1w3 - 1:4", rules)
        assert "y<3" in game.legal_actions()
        play(game, "y<3")
        assert now(game).startswith("0:ldon,3:by,4:r ")


def test_g7_while_a_thrown_pawn_is_free_one_must_be_moved() -> None:
    game = at("0:bryldo,9:n b1r2y3w4 - 1:4")
    assert game.legal_actions() == ["b>1", "r>2", "y>3", "n<5"]
    play(game, "b>1 n<5 r>2")
    assert game.legal_actions() == ["y>3"]
    with pytest.raises(escapade.Illegal, match="a pawn has to be moved forward first"):
        game.play(".")


def test_g7_a_blocked_pawns_die_lapses_when_no_choice_is_left() -> None:
    game = at("0:ln,3:d,5:rb,9:yo b2r3y1 - 3:6")
    assert game.legal_actions() == ["b>7"]
    play(game, "b>7")
    assert game.legal_actions() == ["r>8"]
    play(game, "r>8")
    assert now(game) == "0:ln,3:d,7:b,8:r,9:yo - - 1:7"


def test_g7_a_pawn_may_be_blocked_by_the_players_own_choice() -> None:
    game = at("0:ldon,3:r,5:b,7:y b2r2y1 - 1:4")
    play(game, "r>5 y>8")
    assert now(game) == "0:ldon,5:br,8:y - - 2:5"


def test_g7_the_die_of_a_pawn_taken_back_lapses() -> None:
    game = at("0:yo,5:r,7:b,9:d,#1:ln b4w3 r+ 2:14")
    play(game, "b<4")
    assert now(game) == "0:yo,4:b,5:r,9:d,#1:ln - - 3:15"


@pytest.mark.parametrize(
    ("pawns", "throw"), [("0:n,5:rb,9:yo,12:ld", "roll:ryl=123"), ("0:n,1:rylbod", "roll:rylw=1234")]
)
def test_g7_the_turn_ends_straight_after_a_throw_that_moves_nothing(pawns: str, throw: str) -> None:
    game = at(f"{pawns} - - 1:4")
    play(game, throw)
    assert now(game) == f"{pawns} - - 2:5"


def test_g7_a_white_move_that_is_possible_keeps_the_turn_open() -> None:
    game = at("0:n,5:rb,9:yo,12:ld - - 1:4")
    play(game, "roll:rylw=1232")
    assert game.legal_actions() == ["b<3", "d<10", "o<7", "."]
    play(game, ".")
    assert now(game) == "0:n,5:rb,9:yo,12:ld - - 2:5"


def test_g8_the_white_die_is_never_thrown_in_the_first_round() -> None:
    assert at("0:bryldon - - 3:3").legal_actions() == [f"roll:{''.join(dice)}" for dice in combinations("bryldon", 3)]
    assert at("0:bryldon - - 1:4").legal_actions() == rolls("bryldon", 3)
    assert at("0:bry,#1:on,#2:ld - - 3:3").legal_actions() == ["roll:br", "roll:by", "roll:ry"]
    with pytest.raises(escapade.Illegal, match="the white die is not thrown in the first round"):
        at("0:bryldon - - 3:3").play("roll:bryw")


def test_g8_the_white_die_may_be_used_at_any_point_or_not_at_all() -> None:
    position = "0:yo,5:r,7:b,9:d,#1:ln b4w3 r+ 2:14"
    first, last, never = at(position), at(position), at(position)
    assert first.legal_actions() == ["b>11", "b<4", "d<6"]
    play(first, "d<6 b>11")
    play(last, "b>11")
    assert last.legal_actions() == ["d<6", "."]
    play(last, "d<6")
    play(never, "b>11 .")
    assert now(first) == now(last) == "0:yo,5:r,6:d,11:b,#1:ln - - 3:15"
    assert now(never) == "0:yo,5:r,9:d,11:b,#1:ln - - 3:15"


def test_g8_it_moves_one_pawn_only() -> None:
    game = at("0:yo,5:r,7:b,9:d,#1:ln b4w3 r+ 2:14")
    play(game, "d<6")
    assert now(game) == "0:yo,5:r,6:d,7:b,#1:ln b4 r+d- 2:14"
    assert game.legal_actions() == ["b>11"]


@pytest.mark.parametrize(("white", "target"), [(2, 3), (4, 1), (5, 1), (6, 1)])
def test_g8_a_pawn_goes_back_at_most_to_space_1(white: int, target: int) -> None:
    game = at(f"0:bryldo,5:n b1r2y3w{white} - 1:4")
    assert game.legal_actions()[-1] == f"n<{target}"


def test_g8_a_pawn_at_a_window_on_space_1_or_in_a_boat_cannot_go_back() -> None:
    game = at("0:ry,1:o,6:d,9:b,#1:ln b4y2w3 - 2:14")
    assert game.legal_actions() == ["b>13", "y>2", "b<6", "d<3"]


def test_g8_the_same_pawn_does_not_go_forward_and_back_in_one_turn() -> None:
    forth, back = (at("0:ry,1:o,6:d,9:b,#1:ln b4y2w3 - 2:14") for _ in range(2))
    play(forth, "b>13")
    assert forth.legal_actions() == ["y>2", "d<3"]
    play(back, "b<6")
    assert now(back) == "0:ry,1:o,6:db,#1:ln b4y2 b- 2:14"
    assert back.legal_actions() == ["y>2"]


def test_g8_taking_a_pawn_back_may_free_one_that_must_then_move() -> None:
    game = at("0:n,5:rb,9:yo,12:ld r1y2l3w2 - 1:4")
    assert game.legal_actions() == ["b<3", "d<10", "o<7", "."]
    play(game, "b<3")
    assert game.legal_actions() == ["r>6"]


# The boats


@pytest.mark.parametrize(
    ("aboard", "boat"), [("", 1), (",#1:n", 1), (",#1:on", 2), (",#1:on,#2:d", 2), (",#1:on,#2:ld", 3)]
)
def test_g9_a_pawn_that_reaches_or_passes_the_end_goes_to_the_lowest_boat_with_room(aboard: str, boat: int) -> None:
    free = "".join(pawn for pawn in "yldon" if pawn not in aboard)
    game = at(f"0:{free},26:r,27:b{aboard} b3r6 - 1:4")
    assert game.legal_actions() == [f"b>#{boat}", f"r>#{boat}"]


def test_g9_the_boats_fill_up_one_after_the_other() -> None:
    game = at("0:yldo,26:r,27:b,#1:n b3r6 - 1:4")
    play(game, "r>#1 b>#2")
    assert now(game) == "0:yldo,#1:rn,#2:b - - 2:5"


def test_g9_the_die_of_a_pawn_in_a_boat_leaves_the_game() -> None:
    game = at("0:yldo,26:r,27:b,#1:n b3r6 - 1:4")
    play(game, "r>#1 b>#2")
    assert game.legal_actions() == rolls("yldo", 2)


def test_g10_of_the_last_two_the_one_brought_back_to_space_1_goes_to_boat_4() -> None:
    game = at("4:o,22:n,#1:br,#2:yl,#3:d n2w5 - 1:31")
    play(game, "o<1")
    assert now(game) == "#1:br,#2:yl,#3:dn,#4:o n2 o- 1:31"
    assert (game.over, game.legal_actions()) == (True, [])


def test_g10_this_is_looked_for_in_mid_turn() -> None:
    game = at("4:o,22:n,29:y,#1:br,#2:ld y3w5 - 1:31")
    play(game, "y>#3")
    assert game.legal_actions() == ["o<1", "n<17", "."]
    play(game, "o<1")
    assert now(game) == "#1:br,#2:ld,#3:yn,#4:o - y+o- 1:31"
    assert game.over


def test_g10_a_pawn_brought_back_while_three_are_left_does_not_count() -> None:
    game = at("4:o,22:n,29:y,#1:br,#2:ld y3w5 - 1:31")
    play(game, "o<1 y>#3")
    assert now(game) == "1:o,22:n,#1:br,#2:ld,#3:y - - 2:32"
    assert not game.over


def test_g10_a_pawn_that_stands_on_space_1_already_does_not_count() -> None:
    game = at("1:o,22:n,#1:br,#2:yl,#3:d n2w5 - 1:31")
    assert game.legal_actions() == ["n>24", "n<17"]
    play(game, "n<17")
    assert now(game) == "1:o,17:n,#1:br,#2:yl,#3:d - - 2:32"
    assert not game.over


def test_g10_a_pawn_that_comes_to_space_1_from_its_window_does_not_count() -> None:
    game = at("0:o,22:n,#1:br,#2:yl,#3:d o1n2 - 1:31")
    play(game, "o>1 n>24")
    assert now(game) == "1:o,24:n,#1:br,#2:yl,#3:d - - 2:32"
    assert not game.over


def test_g10_a_pawn_brought_back_to_another_space_does_not_count() -> None:
    game = at("7:o,22:n,#1:br,#2:yl,#3:d n2w5 - 1:31")
    play(game, "o<2 n>24")
    assert now(game) == "2:o,24:n,#1:br,#2:yl,#3:d - - 2:32"
    assert not game.over


@pytest.mark.parametrize("pawns", ["4:o,29:n", "29:on", "0:o,29:n"])
def test_g10_when_one_is_left_it_goes_to_boat_4_at_once(pawns: str) -> None:
    game = at(f"{pawns},#1:br,#2:yl,#3:d o2n3 - 1:31")
    play(game, "n>#3")
    assert now(game) == "#1:br,#2:yl,#3:dn,#4:o o2 n+ 1:31"
    assert (game.over, game.legal_actions()) == (True, [])


def test_g10_the_other_one_goes_to_boat_3_even_from_its_window() -> None:
    game = at("0:n,4:o,#1:br,#2:yl,#3:d n2w5 - 1:31")
    assert game.legal_actions() == ["n>2", "o<1"]
    play(game, "o<1")
    assert now(game) == "#1:br,#2:yl,#3:dn,#4:o n2 o- 1:31"
    assert (game.over, game.scores, game.winners) == (True, (9, 3, 8), (1,))


def test_g10_in_a_stack_the_other_one_goes_to_boat_3_from_below() -> None:
    game = at("4:no,#1:br,#2:yl,#3:d n2w5 - 1:31")
    play(game, "o<1")
    assert now(game) == "#1:br,#2:yl,#3:dn,#4:o n2 o- 1:31"


def test_g10_with_three_left_the_order_of_the_white_die_and_the_third_pawn_decides() -> None:
    position = "4:o,22:n,29:d,#1:br,#2:yl d3w5 - 1:31"
    back_first, third_first = at(position), at(position)
    play(back_first, "o<1 d>#3")
    assert now(back_first) == "1:o,22:n,#1:br,#2:yl,#3:d - - 2:32"
    play(third_first, "d>#3 o<1")
    assert now(third_first) == "#1:br,#2:yl,#3:dn,#4:o - d+o- 1:31"
    assert "31. d>#3 o<1\n" in third_first.record()


def test_g11_each_pawn_in_the_boat_it_was_bet_into_scores_the_boats_number() -> None:
    game = at("4:o,22:n,#1:br,#2:yl,#3:d n2w5 - 1:31")
    assert (game.scores, game.winners) == (None, ())
    play(game, "o<1")
    assert (game.scores, game.winners) == ((9, 3, 8), (1,))
    assert '[Result "1"]' in game.record()


def test_g11_at_most_16_and_at_least_nothing() -> None:
    game = at("4:o,22:n,#1:br,#2:yl,#3:d n2w5 - 1:31", bets="yd.bo.rl.n/br.yl.dn.o")
    play(game, "o<1")
    assert (game.scores, game.winners) == ((0, 16), (2,))


def test_g11_equal_points_share_the_win() -> None:
    game = at("4:o,22:n,#1:br,#2:yl,#3:d n2w5 - 1:31", bets="br.yl.dn.o/ln.bo.rd.y/br.yl.dn.o")
    play(game, "o<1")
    assert (game.scores, game.winners) == ((16, 3, 16), (1, 3))
    assert '[Result "1/3"]' in game.record()


def test_g12_everything_is_known_but_the_other_players_bets() -> None:
    game = at("0:yo,5:r,7:b,9:d,#1:ln b4w3 r+ 2:14")
    assert game.view(2) == str(game).replace(BETS, "?/ln.bo.rd.y/?")
    assert game.view(3) == str(game).replace(BETS, "?/?/rl.bn.yd.o")


def test_g12_a_bet_is_hidden_once_it_is_made() -> None:
    game = escapade.new("evades", players=3, seed=1)
    play(game, "bet:br.yl.do.n")
    assert game.view(1) == "evades 0:bryldon br.yl.do.n/-/- - - 2:0"
    assert game.view(2) == "evades 0:bryldon ?/-/- - - 2:0"
    assert '[Bets "?/-/-"]' in game.record(2)
    assert '[Bets "br.yl.do.n/-/-"]' in game.record()


def test_g12_games_that_differ_in_anothers_bet_look_alike() -> None:
    one, two = at("0:bryldon - - 1:1"), at("0:bryldon - - 1:1", bets=BETS.replace("br.yl.do.n", "on.ld.by.r"))
    assert one.view(2) == two.view(2)
    assert one.view(1) != two.view(1)


def test_g12_bets_are_shown_at_the_end() -> None:
    game = at("4:o,22:n,#1:br,#2:yl,#3:d n2w5 - 1:31")
    assert BETS not in game.view(2)
    play(game, "o<1")
    assert game.view(2) == str(game)
    assert BETS in game.view(2)


# House rules


def test_g13_the_house_rules_are_recorded_only_where_they_differ() -> None:
    assert sorted(HOUSE) == ["count-jumped", "length", "turn-limit"]
    game = escapade.new("evades+length=36+count-jumped=off", seed=1)
    assert str(game).startswith("evades+count-jumped=off+length=36 ")
    assert str(escapade.new("evades", seed=1, length=30, count_jumped="on")).startswith("evades 0:")


@pytest.mark.parametrize(
    "change", ["count-jumped=no", "length=14", "length=61", "length=", "turn-limit=0", "pirates=4", "deal=6"]
)
def test_g13_other_house_rules_and_values_are_refused(change: str) -> None:
    with pytest.raises(escapade.Invalid, match=change.split("=")[0]):
        escapade.new(f"evades+{change}", seed=1)


def test_g13_with_a_turn_limit_the_game_is_drawn_when_that_turn_is_over() -> None:
    game = at("0:bryldon b4r5y6 - 1:4", "+turn-limit=5")
    play(game, "b>4 r>5 y>6 roll:ldo=123 l>1 d>2")
    assert not game.over
    play(game, "o>3")
    assert (game.over, game.winners, game.legal_actions()) == (True, (), [])
    assert now(game) == "0:n,1:l,2:d,3:o,4:b,5:r,6:y - - 3:6"
    assert '[Result "="]' in game.record()
    assert escapade.parse(str(game)).over


def test_g13_a_game_that_ends_in_the_last_turn_is_won() -> None:
    game = at("4:o,22:n,#1:br,#2:yl,#3:d n2w5 - 1:31", "+turn-limit=31")
    play(game, "o<1")
    assert (game.winners, now(game)[-4:]) == ((1,), "1:31")


def wait(game: escapade.Game, turns: int, action: str = "roll:nw=24 .") -> bool:
    """Throw so often for the pawn below and leave the white die; whether the game is over then."""
    for _ in range(turns):
        play(game, action)
    return game.over


LAST_TWO = "22:no,#1:br,#2:yl,#3:d - - 1:31"


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_g14_when_no_pawn_has_moved_in_three_rounds_the_game_is_drawn_at_once(players: int) -> None:
    game = at(LAST_TWO, bets="/".join([BETS.split("/")[0]] * players))
    assert not wait(game, 3 * players - 1)
    assert wait(game, 1)
    assert (game.winners, game.scores, game.legal_actions(), game.result) == ((), None, [], "=")
    assert now(game) == f"22:no,#1:br,#2:yl,#3:d - - 1:{31 + 3 * players}"
    assert '[Result "="]' in game.record()
    assert game.view(None) == str(game)


def test_g14_a_throw_that_moves_nothing_counts_like_a_white_die_left_unused() -> None:
    game = at("22:yno,#1:br,#2:ld - - 1:31")
    assert not wait(game, 8, "roll:yn=11")
    assert wait(game, 1, "roll:yw=11 .")


@pytest.mark.parametrize("move", ["roll:on=11 o>23 n>23", "roll:nw=36 o<16 n>25 roll:ow=36 o>19 n<19"])
def test_g14_a_pawn_that_moves_begins_the_count_anew(move: str) -> None:
    game = at(LAST_TWO)
    assert not wait(game, 8)
    play(game, move)
    assert not wait(game, 8, "roll:ow=14 .")
    assert wait(game, 1, "roll:ow=14 .")


def test_g14_a_pawn_taken_back_has_moved_too() -> None:
    game = at("22:yno,#1:br,#2:ld - - 1:31")
    assert not wait(game, 8, "roll:yn=11")
    play(game, "roll:yw=12 o<20")
    assert not wait(game, 8, "roll:yw=11 .")
    assert wait(game, 1, "roll:yw=11 .")


def test_g14_the_count_begins_where_the_text_of_a_position_does() -> None:
    game = at(LAST_TWO)
    wait(game, 8)
    other, twin = escapade.parse(str(game)), game.copy()
    assert other == game
    assert (wait(game, 1), wait(twin, 1), wait(other, 8)) == (True, True, False)
    assert not escapade.parse(str(game)).over
    assert wait(other, 1)


def test_g14_a_text_in_mid_turn_tells_what_has_moved_in_it() -> None:
    still, moved = at("22:no,#1:br,#2:yl,#3:d n2w4 - 1:31"), at("20:y,22:no,#1:br,#2:ld n2w4 y+ 1:31")
    assert [wait(game, 1, ".") for game in (still, moved)] == [False, False]
    assert (wait(still, 8), wait(moved, 8)) == (True, False)
    assert wait(moved, 1)


def test_g14_where_the_turn_limit_draws_a_game_no_points_are_shown_either() -> None:
    game = at("22:n,24:o,#1:br,#2:yl,#3:d - - 1:31", "+turn-limit=31")
    play(game, "roll:on=11 n>23 o>25")
    assert (game.over, game.result, game.scores) == (True, "=", None)


# What an error says


@pytest.mark.parametrize(
    ("position", "action", "reason"),
    [
        ("0:bryldon - - 1:1", "bet:br.yl.do.n", "all bets have been made"),
        ("0:bryldon - - 1:1", "b>1", "the dice have to be thrown first"),
        ("0:bryldon - - 1:1", ".", "the dice have to be thrown first"),
        ("0:bryldon - - 1:1", "roll:bryw", "the white die is not thrown in the first round"),
        ("0:bryldon - - 1:1", "roll:br", "exactly three colours"),
        ("0:bryld,#1:on - - 1:4", "roll:bry", "exactly two colours"),
        ("0:bryld,#1:on - - 1:4", "roll:bn", "the pawn of n (brown) is in a boat"),
        ("0:bry,#1:on,#2:ld - - 1:4", "roll:bryw", "exactly two dice"),
        ("0:bryldon b1r2y3 - 1:4", "roll:bry", "the dice of this turn have been thrown"),
        ("0:bryldon b1r2y3 - 1:4", "l>4", "the die of l (light green) has not been thrown"),
        ("0:bryldon b1r2y3 - 1:4", "b>2", "b is on 0 with a 1, which takes it to 1"),
        ("0:ryldon,28:b b2r2y3 - 1:4", "b>30", "b is on 28 with a 2, which takes it to #1"),
        ("0:ryldon,28:b b2r2y3 - 1:4", ".", "a pawn has to be moved forward first"),
        ("0:ryldon,28:b b2r2y3 - 1:4", "b<27", "there is no white die to use"),
        ("0:yldon,5:rb b1r1y1w2 - 1:4", "r>6", "r is blocked: b stands on it"),
        ("0:yldon,5:rb b1r1y1w2 - 1:4", "r<3", "r is blocked: b stands on it"),
        ("0:yldon,5:rb b1r1y1w2 - 1:4", "b<4", "the white 2 takes it from 5 to 3"),
        ("0:yldon,5:rb b1r1y1w2 - 1:4", "y<1", "y stands at a window and cannot go back"),
        ("0:yldon,1:rb b1r1y1w2 - 1:4", "b<1", "b stands on space 1 and cannot go back"),
        ("0:yldo,5:rb,#1:n b1r1y1w2 - 1:4", "n<28", "n is in a boat"),
        ("0:yldon,6:b,7:r r1y1w2 b+ 1:4", "b<4", "b has been moved in this turn"),
        ("#1:br,#2:yl,#3:dn,#4:o n2 o- 1:31", "roll:on", "the game is over (1)"),
    ],
)  # fmt: skip
def test_g3_to_g10_an_illegal_action_is_told_why(position: str, action: str, reason: str) -> None:
    game = at(position)
    before = str(game)
    with pytest.raises(escapade.Illegal) as fault:
        game.play(action)
    assert str(fault.value).startswith(f"{action}: ")
    assert reason in str(fault.value)
    assert str(fault.value).endswith(f"in {before}")
    assert str(game) == before


@pytest.mark.parametrize(
    "action", ["", "b", "b>", "b>04", "x>4", "b>#5", "roll:", "roll:yrb", "roll:bry=12", " ", "b>4 "]
)
def test_g4_what_is_no_action_at_all_is_invalid(action: str) -> None:
    with pytest.raises(escapade.Invalid, match=re.escape(repr(action))):
        at("0:bryldon b4r2y3 - 1:1").play(action)
