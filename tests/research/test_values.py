"""What networks say of whole batches: the same as of single views, on any number of threads, if there is one."""

import random
from typing import Any

import numpy as np
import pytest
from test_nets import words_of

import escapade
from escapade import Cartagena, Chance, Invalid, nets
from escapade.batch import Batch
from escapade.bots.cartagena import legend
from escapade.bots.evades import ends as evades_ends
from escapade.bots.evades import legend as evades_legend
from escapade.bots.evades.players import look
from escapade.evades import inputs as evades_inputs
from escapade.game import Game

GAMES = 70  # more than one chunk
KINDS = [
    ("jamaica", 2),
    ("tortuga+turn-limit=40", 3),
    ("hispaniola", 5),
    ("first-escape", 4),
    ("evades", 2),
    ("evades", 5),
]


def told(net: nets.Net, words: nets.Words, players: int, reader: int) -> Any:
    """Every seat's chance by a network from some inputs, the first seat's first; what is left is nobody's."""
    sheet = nets.new_sheet(net, 1)
    nets.begin(net, words, sheet.sums[0])
    nets.judge(net, sheet.sums[0], sheet)
    return np.roll(sheet.chances[:players], reader)


def by_view(game: Game, reader: int, notes: Any) -> Any:
    """Every seat's chance as a network tells it from one reader's view alone."""
    view = game.view(reader + 1)
    if game.kind == "cartagena":
        seen = Cartagena.parse(view, Chance(0))
        net = legend.net_for(seen)
        assert net
        return told(net, words_of(seen, reader, legend.box_of(seen, net)), game.players, reader)
    pawns = look(view)
    net = evades_legend.net_for(pawns)
    assert net
    words = np.zeros(evades_inputs.count(game.players), np.uint64)
    evades_ends.show(pawns.states[0], notes, reader, pawns.rules, words)
    return told(net, words, game.players, reader)


@pytest.mark.parametrize(("text", "players"), KINDS)
def test_values_are_what_the_network_says_of_each_view(text: str, players: int) -> None:
    games, actions = Batch(text, players, GAMES, seed=2, net=True), np.zeros(GAMES, np.int64)
    for step in range(60):
        if step % 20 == 19:
            values, others = games.values(), games.values(reader=1)
            totals = values.sum(axis=1)
            assert totals.max() <= 1.00001
            assert "evades" in text or totals.min() >= 0.99999, "only there nobody may win"
            for k in range(0, GAMES, 9):
                game, seat = games.game(k), int(games.seats[k])
                assert values[k].tolist() == by_view(game, seat, games.notes[k]).tolist()
                assert others[k].tolist() == by_view(game, 1, games.notes[k]).tolist()
        games.choose(actions)
        games.step(actions)


def test_a_batch_notes_what_a_record_tells() -> None:
    """A game of a batch, played in the other way too: the same notes, none when the next begins."""
    games, actions = Batch("evades+turn-limit=30", 2, GAMES, seed=3, net=True), np.zeros(GAMES, np.int64)
    kept, ended = np.zeros((GAMES, evades_inputs.NOTES), np.int8), 0
    for _ in range(150):
        games.choose(actions)
        for k in range(GAMES):
            action = games.box.features.action_of(games.box.rules, actions[k])
            evades_ends.note_in(
                np.ascontiguousarray(games.tables["state"][k : k + 1]), kept[k], games.box.rules, action
            )
        games.step(actions)
        over = games.terminated | games.truncated
        kept[over] = 0
        ended += int(over.sum())
        assert (games.notes == kept).all()
    assert ended
    assert kept.any()
    with pytest.raises(escapade.Illegal):
        games.step(np.full(GAMES, 99_999))
    assert (games.notes == kept).all()
    games.reset()
    assert not games.notes.any()


@pytest.mark.parametrize(("text", "players"), [("jamaica", 2), ("evades", 2), ("evades", 5)])
def test_threads_value_and_choose_the_same(text: str, players: int) -> None:
    runs = []
    for threads in (1, 3):
        games = Batch(text, players, 200, seed=5, threads=threads, net=True)
        actions, written = np.zeros(200, np.int64), []
        for _ in range(20):
            games.best(actions)
            games.step(actions)
            written += [actions.copy(), games.values().ravel()]
        runs.append(np.concatenate(written))
    assert (runs[0] == runs[1]).all()


@pytest.mark.parametrize(("text", "players", "steps"), [("jamaica", 2, 160), ("evades", 2, 200)])
def test_the_best_actions_beat_random_ones(text: str, players: int, steps: int) -> None:
    games = Batch(text, players, GAMES, seed=7, net=True)
    best, any_one, mine = np.zeros(GAMES, np.int64), np.zeros(GAMES, np.int64), np.arange(GAMES) % players
    won = ended = 0
    for _ in range(steps):
        games.best(best)
        games.choose(any_one)
        games.step(np.where(games.seats == mine, best, any_one))
        ended += int(games.terminated.sum())
        won += int((games.rewards[np.arange(GAMES), mine] > 0).sum())
    assert ended > 20
    assert won > 0.9 * ended


def test_a_win_at_hand_is_taken() -> None:
    games = Batch("jamaica", 2, 1, net=True)
    rng = random.Random(4)
    game = escapade.new("jamaica", 2, seed=4)
    while game.legal_actions() and not winning(game):
        game.play(rng.choice(game.legal_actions()))
    games.tables["state"][0] = game.states[0]
    actions = np.zeros(1, np.int64)
    games.best(actions)
    games.step(actions)
    assert games.terminated[0]
    assert games.rewards[0, game.seat - 1] == 1


def winning(game: Game) -> bool:
    """Whether an action wins at once."""
    tried = [escapade.parse(str(game)) for _ in game.legal_actions()]
    for one, action in zip(tried, game.legal_actions(), strict=True):
        one.play(action)
    return any(one.over for one in tried)


@pytest.mark.parametrize(
    ("text", "players", "options"),
    [("jamaica+pirates=4", 2, {}), ("jamaica", 2, {"segments": 5}), ("evades+length=20", 2, {})],
)
def test_where_there_is_no_network_that_is_said(text: str, players: int, options: dict[str, Any]) -> None:
    with pytest.raises(Invalid, match=f"there is no network for {players} players under these rules"):
        Batch(text, players, 4, net=True, **options)
    games = Batch(text, players, 4, **options)
    for ask in (games.values, lambda: games.best(np.zeros(4, np.int64))):
        with pytest.raises(Invalid, match="no network was asked for"):
            ask()


def test_arrays_and_readers_that_do_not_fit_are_refused() -> None:
    games = Batch("jamaica", 2, 4, net=True)
    with pytest.raises(Invalid, match="values: float64 of shape"):
        games.values(np.zeros((4, 2)))
    with pytest.raises(Invalid, match="the reader 2 is no seat from 0 to 1"):
        games.values(reader=2)
    with pytest.raises(Invalid, match="actions: "):
        games.best(np.zeros(3, np.int64))
