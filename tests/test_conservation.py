"""Nothing is lost and nothing appears: cards, pirates and pawns, after every action."""

import random
import re
from collections import Counter

import pytest

import escapade
from escapade.cartagena.editions import EDITIONS

PAWNS = "bryldon"


@pytest.mark.parametrize("edition", EDITIONS)
def test_cards_and_pirates_stay_and_never_four_stand_on_a_space(edition: str) -> None:
    copies = 18 if edition.startswith("first") else 17
    for seed in range(12):
        rng = random.Random(seed)
        game = escapade.new(f"{edition}+turn-limit=150", rng.randint(2, 5), seed=seed)
        while not game.over:
            game.play(rng.choice(game.legal_actions()))
            _, _, pirates, hands, row, pile, discards, _ = str(game).split(" ")
            cards = Counter(hands + row + pile)
            cards.update({symbol: int(count) for symbol, count in re.findall(r"([A-Z])(\d+)", discards)})
            assert [cards[symbol] for symbol in "BDHKPS"] == [copies] * 6
            seats = [list(map(int, seat.split("."))) for seat in pirates.split("/")]
            assert [len(seat) for seat in seats] == [6] * game.players
            crowd = Counter(space for seat in seats for space in seat if 0 < space < 37)
            assert max(crowd.values(), default=0) <= 3


@pytest.mark.parametrize("players", range(2, 7))
def test_seven_pawns_stay_and_boats_take_two_two_two_and_one(players: int) -> None:
    for seed in range(12):
        rng, game = random.Random(seed), escapade.new("evades", players, seed=seed)
        while not game.over:
            game.play(rng.choice(game.legal_actions()))
            places = str(game).split(" ")[1]
            assert sorted(c for c in places if c.isalpha()) == sorted(PAWNS)
            assert all(len(pawns) <= (1 if boat == "4" else 2) for boat, pawns in re.findall(r"#(\d):(\w+)", places))
        assert re.fullmatch(r"#1:\w\w,#2:\w\w,#3:\w\w,#4:\w", places)
        assert game.scores is not None
        assert max(game.scores) <= 16
        assert game.winners == tuple(s for s, points in enumerate(game.scores, 1) if points == max(game.scores))
