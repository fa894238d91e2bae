"""The bots of Les Évadés: legal everywhere, blind to what is hidden, inferring bets, each stronger than the last."""

import math
import os
import random
import re
import subprocess
import sys
import time

import numpy as np
import pytest
from oracle.compare import BETS, random_escape

import escapade
from escapade.bots import make
from escapade.bots.evades.belief import beliefs
from escapade.bots.evades.players import consider, look
from escapade.simulate import Match, play_game

QUICK = ["cabin-boy", "deckhand", "sailor", "gunner", "buccaneer"]
EVERYONE = ["greedy", *QUICK, "helmsman", "captain(playouts=10)", "legend(playouts=100)"]
PAWNS = "bryldon"


def listed(pawns: str) -> str:
    """Pawns in the order of the notation."""
    return "".join(sorted(pawns, key=PAWNS.index))


def let_play(game: escapade.Game, names: list[str], most: int = 10_000) -> None:
    """Let each seat's bot act, up to `most` actions in all; every choice must be legal."""
    bots = [make(name, "evades", seat) for seat, name in enumerate(names)]
    for _ in range(most):
        if game.over:
            return
        bot, legal = bots[game.seat - 1], game.legal_actions()
        choice = bot.choose(game.view(game.seat), legal, game.record(game.seat) if bot.remembers else None)
        assert choice in legal
        game.play(choice)


@pytest.mark.parametrize("name", EVERYONE)
def test_a_choice_is_legal_in_any_position(name: str) -> None:
    rng = random.Random(name)
    for number in range(500 if name in QUICK else 120):
        game = escapade.parse(random_escape(rng), seed=number)
        let_play(game, [name] * game.players, 6)


@pytest.mark.parametrize("name", EVERYONE)
def test_a_choice_follows_from_the_seed_and_what_the_seat_sees(name: str) -> None:
    rng = random.Random(1)
    for number in range(8):
        bets = [rng.choice(BETS) for _ in range(3)]
        games = []
        for others in (bets, [bets[0], rng.choice(BETS), rng.choice(BETS)]):
            game = escapade.new("evades", 3, seed=number)
            for bet in others:
                game.play(f"bet:{bet}")
            games.append(game)
        acts = random.Random(number)
        for _ in range(rng.randint(0, 25)):
            action = acts.choice(games[0].legal_actions())
            for game in games:
                game.play(action)
        while not games[0].over and games[0].seat != 1:
            action = acts.choice(games[0].legal_actions())
            for game in games:
                game.play(action)
        legal = games[0].legal_actions()
        choices = {make(name, "evades", 4).choose(game.view(1), legal, game.record(1)) for game in games}
        assert len(choices) == 1


@pytest.mark.parametrize("record", [None, "from a position"])
def test_the_legend_goes_on_with_what_is_known(record: str | None) -> None:
    game = escapade.parse("evades 3:br,9:yl,12:don br.yl.do.n/lo.rd.yn.b/br.yl.do.n - - 2:8", seed=1)
    let_play(game, ["greedy"] * 3, 9)
    known = game.record(game.seat) if record else None
    legal = game.legal_actions()
    assert make("legend(playouts=50)", "evades", 1).choose(game.view(game.seat), legal, known) in legal


def test_the_legend_bets_differently_from_game_to_game() -> None:
    game = escapade.new("evades", 2, seed=1)
    bets = {make("legend(playouts=24)", "evades", s).choose(game.view(1), game.legal_actions()) for s in range(12)}
    assert len(bets) > 8


def test_the_legend_bets_on_pawns_as_they_stand() -> None:
    game = escapade.parse("evades 2:n,3:d,4:o,14:yl,27:br -/- - - 1:0")
    bet = make("legend(playouts=600)", "evades", 1).choose(game.view(1), game.legal_actions())
    assert bet.startswith("bet:br.yl.")


@pytest.mark.parametrize("name", ["cabin-boy", "sailor", "buccaneer"])
def test_the_true_bet_stands_out_after_some_turns(name: str) -> None:
    gains = []
    for number in range(8):
        game = escapade.new("evades", 2, seed=number)
        let_play(game, [name, name], 2 + 4 * 8)
        weights = beliefs(2, game.record(1))
        assert weights.sum(axis=1) == pytest.approx([1, 1])
        assert weights.min() > 0
        true = [BETS.index(bet) for bet in str(game).split(" ")[2].split("/")]
        gains += [float(np.log2(weights[seat, bet] * len(BETS))) for seat, bet in enumerate(true)]
    assert np.mean(gains) > 3
    assert min(gains) > 0


def test_what_a_seat_throws_tells_of_its_own_bet_alone() -> None:
    game = escapade.new("evades", 2, seed=1)
    let_play(game, ["sailor", "sailor"], 3)
    weights = beliefs(2, game.record(1))
    assert weights[0].max() > 2 / len(BETS)
    assert weights[1] == pytest.approx(1 / len(BETS))


@pytest.mark.parametrize("name", ["gunner(slips=100)", "buccaneer", "captain", "legend"])
def test_a_certain_win_is_never_missed(name: str) -> None:
    bot, rng = make(name, "evades", 1), random.Random(1)
    for _ in range(30):
        order = rng.sample(PAWNS, 7)
        one, other = order[5], order[6]
        boats = [listed(order[0] + order[1]), listed(order[2] + order[3])]
        best = f"{boats[0]}.{boats[1]}.{listed(order[4] + one)}.{other}"
        dice = "".join(f"{pawn}6" for pawn in listed(one + other))
        places = f"28:{one},29:{other},#1:{boats[0]},#2:{boats[1]},#3:{order[4]}"
        game = escapade.parse(f"evades {places} {best}/{rng.choice(BETS)} {dice} - 1:30")
        assert bot.choose(game.view(1), game.legal_actions()) == f"{one}>#3"


@pytest.mark.parametrize("name", ["gunner(slips=100)", "buccaneer", "captain", "legend"])
def test_the_white_die_wins_where_it_decides_the_last_two(name: str) -> None:
    bot, rng = make(name, "evades", 1), random.Random(2)
    for _ in range(30):
        order = rng.sample(PAWNS, 7)
        one, last = order[5], order[6]
        boats = [listed(order[0] + order[1]), listed(order[2] + order[3])]
        best = f"{boats[0]}.{boats[1]}.{listed(order[4] + one)}.{last}"
        places = f"4:{last},20:{one},#1:{boats[0]},#2:{boats[1]},#3:{order[4]}"
        game = escapade.parse(f"evades {places} {best}/{rng.choice(BETS)} {one}2w3 - 1:30", seed=1)
        while not game.over and game.seat == 1:
            game.play(bot.choose(game.view(1), game.legal_actions()))
        assert 1 in game.winners


@pytest.mark.parametrize("name", ["gunner(slips=100)", "buccaneer", "captain", "legend"])
@pytest.mark.parametrize(
    "position",
    [  # taken back, the pawn that is to be last would land on the other, which could not move then
        "26:y,28:o,#1:bn,#2:ld,#3:r bn.ld.ry.o/bn.ld.ry.o y5o6w2",
        "27:o,29:b,#1:ry,#2:ld,#3:n ry.ld.on.b/ry.ld.on.b b4o3w2",
        "25:n,29:r,#1:bo,#2:ld,#3:y bo.ld.yn.r/bo.ld.yn.r r2n5w4",
    ],
)
def test_a_certain_win_is_not_given_up_to_take_a_pawn_back(position: str, name: str) -> None:
    game, bot = escapade.parse(f"evades {position} - 1:30", seed=1), make(name, "evades", 1)
    while not game.over and game.seat == 1:
        game.play(bot.choose(game.view(1), game.legal_actions()))
    assert 1 in game.winners


@pytest.mark.parametrize("edition", ["evades", "evades+length=60", "evades+count-jumped=off"])
@pytest.mark.parametrize("name", QUICK)
def test_the_lower_levels_come_to_an_end(name: str, edition: str) -> None:
    for number in range(4):
        game = escapade.new(edition, 2 + number, seed=number)
        let_play(game, [name] * game.players)
        assert game.turn < 200


@pytest.mark.parametrize(
    ("strong", "weak", "games", "least"),
    [
        ("sailor", "random", 40, 34),
        ("sailor", "cabin-boy", 40, 26),
        ("buccaneer", "sailor", 40, 25),
        ("captain(playouts=150)", "sailor", 12, 8),
        ("legend(playouts=100)", "greedy", 12, 10),
    ],
)
def test_the_stronger_bot_wins_by_far(strong: str, weak: str, games: int, least: int) -> None:
    wins = 0
    for number in range(games):
        bots = (strong, weak) if number % 2 else (weak, strong)
        wins += bots.index(strong) + 1 in play_game(Match("evades", bots, 1, False), number // 2).winners
    assert wins >= least


def test_every_roll_and_move_is_considered_with_the_chances_of_all() -> None:
    game = escapade.new("evades", 3, seed=3)
    while not game.over and game.turn < 12:
        if game.turn:
            lines = consider(game.view(game.seat), game.record(game.seat), 1, 200, 9.0)
            assert sorted(line.actions[0] for line in lines) == sorted(game.legal_actions())
            assert all(len(line.actions) == 1 and sum(line.chances) == pytest.approx(1) for line in lines)
        let_play(game, ["buccaneer"] * 3, 1)


def test_an_action_that_is_asked_for_is_among_the_bets_considered() -> None:
    game = escapade.parse("evades 2:n,3:d,4:o,14:yl,27:br -/- - - 1:0")
    lines = consider(game.view(1), None, 1, 600, 9.0, ("bet:dn.yl.bo.r",))
    actions = [line.actions[0] for line in lines]
    assert 12 <= len(actions) <= 13
    assert actions.index("bet:dn.yl.bo.r") > 0
    assert lines[0].chances[0] > lines[actions.index("bet:dn.yl.bo.r")].chances[0] + 0.1


def test_a_game_that_the_limit_ends_is_nobodys() -> None:
    game = escapade.parse("evades+turn-limit=9 3:br,9:yl,12:don br.yl.do.n/lo.rd.yn.b - - 2:9")
    lines = consider(game.view(2), None, 1, 200, 9.0)
    assert all(sum(line.chances) < 0.01 for line in lines)


LAST_TWO = "22:no,#1:br,#2:yl,#3:d {bets} - - 1:40"


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("name", ["random", "greedy", "cabin-boy", "mate"])
def test_games_in_which_waiting_pays_come_to_an_end(name: str, players: int) -> None:
    for number in range(2 if name == "mate" else 12):
        bets = "/".join(random.Random(number).choices(BETS, k=players))
        game = escapade.parse(f"evades {LAST_TWO.format(bets=bets)}", seed=number)
        let_play(game, [name] * players)
        assert game.over
        assert game.turn < 300


def waited(turns: int) -> escapade.Game:
    """Two pawns are left, and so many turns long nobody has moved one; seat 2 wins if the upper one gets boat 3."""
    game = escapade.parse(f"evades {LAST_TWO.format(bets='bd.yl.rn.o/br.yl.do.n')}", seed=1)
    for _ in range(turns):
        game.play("roll:nw=14")
        game.play(".")
    return game


@pytest.mark.parametrize("turns", [0, 1, 4, 5])
def test_a_seat_knows_from_its_record_how_long_nothing_has_moved(turns: int) -> None:
    game = waited(turns)
    for action in ("roll:nw=14", ""):
        seen = look(game.view(game.seat), game.record(game.seat))
        assert seen.states[0]["idle"] == game.states[0]["idle"] == turns
        if action:
            game.play(action)


@pytest.mark.parametrize("name", ["mate", "lookahead(playouts=300)", "legend(playouts=100)"])
def test_who_can_still_win_waits_but_not_for_the_draw(name: str) -> None:
    for turns, choice in ((1, "."), (5, "o<18")):
        game = waited(turns)
        game.play("roll:nw=14")
        bot = make(name, "evades", 1)
        assert bot.choose(game.view(2), game.legal_actions(), game.record(2)) == choice


def test_time_alone_or_work_alone_is_the_only_bound() -> None:
    game = escapade.new("evades", 2, seed=1)
    let_play(game, ["sailor", "sailor"], 10)
    while not game.legal_actions()[0].startswith("roll:"):
        let_play(game, ["sailor", "sailor"], 1)
    view, legal = game.view(game.seat), game.legal_actions()
    for call, least in (("captain(time=0.5)", 0.4), ("captain(playouts=100)", 0.0)):
        bot = make(call, "evades", 1)
        bot.choose(view, legal)
        began = time.perf_counter()
        assert re.match("roll:", bot.choose(view, legal))
        assert time.perf_counter() - began >= least
    assert vars(make("captain(playouts=100)", "evades", 1))["time"] == math.inf
    assert make("captain(playouts=99999,time=0.1)", "evades", 1).choose(view, legal) in legal


def test_every_processor_considers_the_same() -> None:
    program = """
import escapade
from escapade.bots.evades.players import consider
for seed in range(3):
    game = escapade.new("evades+length=15", seed=seed)
    for number in range(2 + 5 * seed):
        game.play(game.legal_actions()[number % len(game.legal_actions())])
    print(consider(game.view(game.seat), game.record(game.seat), 1, 300, 60.0))
"""
    told = [
        subprocess.run([sys.executable, "-c", program], env={**os.environ, **plain}, check=True, capture_output=True)
        for plain in ({}, {"OPENBLAS_CORETYPE": "Nehalem"})  # how NumPy multiplies matrices
    ]
    assert told[0].stdout == told[1].stdout != b""
