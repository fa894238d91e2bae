"""Les Évadés by a network: notes from the record, choices that are legal and blind to what is hidden, other rules."""

import random

import numpy as np
import pytest
from oracle.compare import BETS

import escapade
from escapade.bots import make
from escapade.bots.evades.ends import note_in
from escapade.bots.evades.legend import net_for
from escapade.bots.evades.players import number_of
from escapade.bots.evades.reading import notes_of
from escapade.evades.inputs import NOTES
from escapade.evades.position import Evades

NAMES = ["mate", "legend(playouts=40)"]


def new(edition: str, players: int, seed: int) -> Evades:
    """A game of Les Évadés."""
    game = escapade.new(edition, players, seed=seed)
    assert isinstance(game, Evades)
    return game


@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_record_has_the_notes_that_were_kept(players: int) -> None:
    for number in range(4):
        game, rng, notes = new("evades+turn-limit=60", players, number), random.Random(number), np.zeros(NOTES, np.int8)
        while not game.over:
            for seat in range(1, players + 1):
                assert (notes_of(game.record(seat)) == notes).all()
            action = rng.choice(game.legal_actions())
            note_in(game.states, notes, game.rules, number_of(action))
            game.play(action)
    assert notes.any()


def choose(name: str, game: Evades) -> str:
    """What a bot of this name does now."""
    return make(name, "evades", 7).choose(game.view(game.seat), game.legal_actions(), game.record(game.seat))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("edition", ["evades", "evades+length=24", "evades+count-jumped=off"])
def test_a_whole_game_is_played(name: str, edition: str) -> None:
    game = new(f"{edition}+turn-limit=20", 2, 3)
    while not game.over:
        game.play(choose(name, game))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("players", [2, 3])
def test_others_bets_make_no_difference(name: str, players: int) -> None:
    rng = random.Random(1)
    for number in range(6):
        games = [new("evades", players, number) for _ in range(2)]
        own = f"bet:{rng.choice(BETS)}"
        for game in games:
            game.play(own)
            for _ in range(players - 1):
                game.play(f"bet:{rng.choice(BETS)}")
        for k in range(players * 4 * (number + 1)):
            if games[0].seat == 1 and k >= players * 4 * number:
                assert choose(name, games[0]) == choose(name, games[1])
            if not games[0].over:
                action = rng.choice(games[0].legal_actions())
                for game in games:
                    game.play(action)


def test_other_rules_are_played_without_a_network() -> None:
    for edition in ("evades+length=24", "evades+count-jumped=off"):
        game = new(edition, 2, 1)
        assert net_for(game) is None
        for _ in range(12):
            assert choose("legend(playouts=40)", game) == choose("lookahead(playouts=400)", game)
            game.play(choose("mate", game))


@pytest.mark.parametrize("name", NAMES)
def test_bets_differ_from_game_to_game(name: str) -> None:
    game = new("evades", 2, 1)
    bets = {make(name, "evades", seed).choose(game.view(1), game.legal_actions()) for seed in range(12)}
    assert len(bets) > 8
