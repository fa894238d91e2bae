"""Bots: fair, legal, the same for the same seed, and never blind to a win."""

import random

import pytest
from oracle.cartagena import Cartagena
from oracle.compare import BETS, random_escape, random_position

import escapade
from escapade.bots import Bot, make
from escapade.cartagena.editions import EDITIONS
from escapade.simulate import Match, play_game

CARTAGENA = ["random", "first", "planner", "lookahead(width=2,samples=1,horizon=1)"]
EVADES = ["random", "first", "captain(playouts=60)"]


def play_some(bot: Bot, game: escapade.Game, most: int) -> None:
    """Let a bot act for whoever is to act; what it chooses must be legal."""
    for _ in range(most):
        if game.over:
            return
        legal = game.legal_actions()
        choice = bot.choose(game.view(game.seat), legal)
        assert choice in legal
        game.play(choice)


@pytest.mark.parametrize("name", CARTAGENA)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_bot_of_cartagena_plays_legal_actions_in_any_position(edition: str, name: str) -> None:
    rng, bot = random.Random(edition), make(name, "cartagena", 1)
    for _ in range(60 if "look" in name else 150):
        play_some(bot, escapade.parse(random_position(rng, edition)), 3)


@pytest.mark.parametrize("name", EVADES)
def test_a_bot_of_les_evades_plays_legal_actions_in_any_position(name: str) -> None:
    rng, bot = random.Random(name), make(name, "evades", 1)
    for _ in range(150):
        play_some(bot, escapade.parse(random_escape(rng)), 5)


@pytest.mark.parametrize("name", CARTAGENA)
def test_a_choice_follows_from_the_view_and_the_seed_alone(name: str) -> None:
    for seed in range(6):
        game = escapade.new("first-escape+turn-limit=30", 3, seed=seed)
        rng = random.Random(seed)
        for _ in range(20):
            game.play(rng.choice(game.legal_actions()))
        view, legal = game.view(game.seat), game.legal_actions()
        busy = make(name, "cartagena", 5)
        another = escapade.new("jamaica", seed=1)
        busy.choose(another.view(1), another.legal_actions())
        assert busy.choose(view, legal) == make(name, "cartagena", 5).choose(view, legal)


def wins_this_turn(oracle: Cartagena) -> bool:
    """Whether the seat to act can win before its turn is over, by cards that it can see."""
    seat = str(oracle).split(" ")[7].split(":")[0]
    for child in oracle.children():
        if child.winners:
            return True
        if not child.over and str(child).split(" ")[7].split(":")[0] == seat and wins_this_turn(child):
            return True
    return False


@pytest.mark.parametrize("name", ["planner", "lookahead(width=2,samples=1,horizon=1)"])
def test_a_win_in_this_turn_is_never_missed(name: str) -> None:
    rng, bot, found = random.Random(7), make(name, "cartagena", 1), 0
    while found < 40:
        boat = 19
        mine = sorted([boat] * rng.randint(3, 5) + [rng.randint(8, 18) for _ in range(6)])[-6:]
        theirs = sorted(rng.choices([0, 3, *range(8, 19)], k=6))
        crowd = [q for q in mine + theirs if q < boat]
        if mine[0] == boat or any(crowd.count(q) > 3 for q in crowd if q):
            continue
        hand = "".join(sorted(rng.choices("BDHKPS", k=rng.randint(0, 3))))
        row = "".join(rng.choices("BDHKPS", k=4))
        left = {symbol: 17 - (hand + row).count(symbol) for symbol in "BDHKPS"}
        pirates = "/".join(".".join(map(str, seat)) for seat in (mine, theirs))
        position = (
            f"tortuga BPHSDK/DBKPHS/PKDHSB {pirates} {hand or '-'}/- {row} -"
            f" {''.join(f'{symbol}{count}' for symbol, count in left.items())} 1:0:9"
        )
        if not wins_this_turn(Cartagena.parse(position)):
            continue
        found += 1
        game = escapade.parse(position, seed=1)
        while not game.over and game.seat == 1:
            game.play(bot.choose(game.view(1), game.legal_actions()))
        assert game.winners == (1,), position


def test_the_last_move_of_les_evades_is_the_one_that_wins() -> None:
    bot = make("captain(playouts=500)", "evades", 1)
    rng = random.Random(1)
    for _ in range(40):
        order = rng.sample("bryldon", 7)
        listed = ["".join(sorted(order[i : i + 2], key="bryldon".index)) for i in (0, 2)]
        one, other = order[5], order[6]
        best = f"{listed[0]}.{listed[1]}.{''.join(sorted(order[4] + one, key='bryldon'.index))}.{other}"
        pair = "".join(sorted(one + other, key="bryldon".index))
        dice = "".join(f"{pawn}6" for pawn in pair)
        places = f"28:{one},29:{other},#1:{listed[0]},#2:{listed[1]},#3:{order[4]}"
        game = escapade.parse(f"evades {places} {best}/{rng.choice(BETS)} {dice} - 1:30")
        assert bot.choose(game.view(1), game.legal_actions()) == f"{one}>#3"


@pytest.mark.parametrize(
    ("edition", "strong", "weak", "games", "least"),
    [
        ("jamaica", "planner", "random", 20, 20),
        ("tortuga", "planner", "first", 10, 10),
        ("tortuga", "lookahead(width=4,samples=4,horizon=3)", "planner", 10, 7),
        ("evades", "captain(playouts=200)", "random", 10, 8),
    ],
)
def test_the_stronger_bot_wins_by_far(edition: str, strong: str, weak: str, games: int, least: int) -> None:
    wins = 0
    for number in range(games):
        bots = (strong, weak) if number % 2 else (weak, strong)
        wins += bots.index(strong) + 1 in play_game(Match(edition, bots, 1, False), number).winners
    assert wins >= least


@pytest.mark.parametrize(
    "text", ["planer", "planner(", "lookahead(depth=3)", "lookahead(samples=0)", "planner(samples=3)", ""]
)
def test_a_player_that_is_not_there_is_refused(text: str) -> None:
    with pytest.raises(escapade.Invalid):
        make(text, "cartagena", 1)
