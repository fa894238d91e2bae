"""A study: its player is the mate, its page has every figure, and its statistics find what was put in."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from escapade.bots import make
from escapade.bots.cartagena import whole as cartagena
from escapade.bots.cartagena.turns import nth_of
from escapade.bots.evades import whole as evades
from escapade.bots.evades.legend import NetSearch, net_for
from escapade.bots.evades.players import number_of
from escapade.bots.evades.reading import no_beliefs, notes_of
from escapade.cartagena.kernel import ACTION
from escapade.cartagena.notation import MOVES
from escapade.cartagena.position import Cartagena
from escapade.cli import main
from escapade.evades.position import Evades
from escapade.games import CARTAGENA, new
from escapade.study import figures


@pytest.mark.parametrize("edition", ["jamaica", "tortuga"])
def test_the_player_of_cartagena_is_the_mate_who_sees_no_more_than_its_view(edition: str) -> None:
    player, mate = cartagena.Player(edition + "+turn-limit=1000", 2, 5), make("mate", "cartagena", 1)
    player.deal(3)
    _, turns, _ = player.play(3)
    for at in range(0, turns, 3):
        states = player.course[at : at + 1].copy()
        game = Cartagena.from_states(CARTAGENA.edition(edition), states, 2)
        chosen = nth_of(cartagena.choose(states, player.table, cartagena.ALL), 0)
        said = mate.choose(game.view(game.seat), game.legal_actions(), None)
        assert chosen == MOVES[said] & ACTION, str(game)


def test_the_player_of_les_evades_takes_what_the_mate_likes_best() -> None:
    game = new("evades", 2, seed=4)
    assert isinstance(game, Evades)
    player, net = evades.Player("evades+turn-limit=1000", 2, 5), net_for(game)
    assert net
    for bet in ("bet:br.yl.do.n", "bet:dn.bo.ry.l"):
        game.play(bet)
    while not game.over and game.turn < 30:
        legal = list(map(str, game.legal_actions()))
        player.states[0], player.table.notes[:] = game.states[0], notes_of(game.record(game.seat))
        rolls = legal[0].startswith("roll:")
        action = (evades.choose_roll if rolls else evades.choose_move)(player.states, player.table)
        said = next(text for text in legal if number_of(text) == action)
        if len(legal) > 1:
            search = NetSearch(game, net, notes_of(game.record(game.seat)), no_beliefs(2), 1, 1000)
            search.list_starts(())
            best = [legal[k] for start in range(len(search.prior)) if search.prior[start] == max(search.prior)
                    for k in search.firsts[start]]  # fmt: skip
            assert said in best, str(game)
        game.play(said)
