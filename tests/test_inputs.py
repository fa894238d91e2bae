"""What networks see: the bits that they have learned, however they are described."""

import hashlib
from typing import Any

import numpy as np
import pytest

from escapade.batch import Batch, action_of, of_kind
from escapade.bots.cartagena.turns import look, step_blind
from escapade.cartagena import inputs as cartagena
from escapade.cartagena.kernel import NOBODY, list_actions
from escapade.compiled import compiled, records
from escapade.evades import inputs as evades
from escapade.evades.kernel import RUNNING, apply, count_actions, nth_action

GAMES, STEPS = 16, 240
LEARNED = {
    ("jamaica", 2): "e45197dc3f6673a0",
    ("jamaica", 5): "2410827789c6e7c0",
    ("tortuga", 3): "3a542c9d13ac6293",
    ("hispaniola", 4): "673ad1c73ef0236a",
    ("first-escape", 2): "4ba8b310b761ff3b",
    ("first-escape-open", 5): "7a3541ead7b90d01",
    ("evades", 2): "6e743385b18912e4",
    ("evades+count-jumped=off", 6): "50b8a43b59a61b76",
}
describe = of_kind("inputs", "describe")
note = of_kind("inputs", "note")


@compiled
def describe_all(tables: Any, notes: Any, rules: Any, hidden: bool, reader: int, out: Any) -> None:
    """Write what a seat of each game sees."""
    for game in range(len(tables)):
        describe(tables[game].state, notes[game], rules, hidden, hidden, reader, out[game])


@compiled
def note_all(tables: Any, notes: Any, rules: Any, actions: Any) -> None:
    """Note what everyone is about to do."""
    for game in range(len(tables)):
        note(tables[game].state, notes[game], rules, action_of(rules, actions[game]))


def told(text: str, players: int) -> str:
    """A hash of all that every seat of some games at random sees."""
    games, digest = Batch(text, players, GAMES, seed=9), hashlib.sha256()
    inputs, rules = games.box.kind.inputs, games.box.rules
    assert inputs
    actions, notes = np.zeros(GAMES, np.int64), np.zeros((GAMES, inputs.NOTES), np.int8)
    words = np.zeros((GAMES, inputs.count(players)), np.uint64)
    for step in range(STEPS):
        for reader in range(players if step % 5 == 0 else 0):
            describe_all(games.tables, notes, rules, games.box.hidden, reader, words)
            digest.update(words.astype("<u8").tobytes())
        games.choose(actions)
        note_all(games.tables, notes, rules, actions)
        games.step(actions)
        notes[games.terminated | games.truncated] = 0
    return digest.hexdigest()[:16]


@pytest.mark.parametrize(("text", "players"), LEARNED)
def test_networks_see_the_bits_that_they_have_learned(text: str, players: int) -> None:
    """Weights are worth nothing where a bit means something else: that takes another layout, and training anew."""
    assert told(text, players) == LEARNED[text, players]


@compiled
def pirates_differ(tables: Any, rules: Any, hidden: bool, masked: bool, plans: Any, actions: Any, words: Any) -> int:
    """After how many actions the next words are not those from scratch, and in the lowest bits how many were tried."""
    notes, tried, wrong = np.zeros(cartagena.NOTES, np.int8), 0, 0
    for game in range(len(tables)):
        look(tables[game].state, plans)
        me = plans[0].seat
        cartagena.describe(plans[0], notes, rules, hidden, masked, me, words[0])
        for k in range(list_actions(plans[0], rules, actions)):
            step_blind(plans, 0, rules, actions[k])
            if plans[1].winner == NOBODY:
                cartagena.describe(plans[1], notes, rules, hidden, masked, me, words[1])
                cartagena.describe_next(plans[1], rules, hidden, masked, me, words[0], words[2])
                tried += 1
                wrong += not np.array_equal(words[1], words[2])
    return wrong << 32 | tried


@compiled
def pawns_differ(tables: Any, notes: Any, rules: Any, trial: Any, words: Any) -> int:
    """The same for the moves of Les Évadés."""
    tried, wrong = 0, 0
    for game in range(len(tables)):
        s, me = tables[game].state, tables[game].state.seat
        if s.turn == 0 or s.thrown == 0:
            continue
        evades.describe(s, notes[game], rules, True, True, me, words[0])
        order = evades.in_order(s, notes[game], rules, me)
        for k in range(count_actions(s)):
            trial[0] = s
            apply(trial[0], rules, nth_action(s, k))
            if trial[0].over == RUNNING:
                evades.describe(trial[0], notes[game], rules, True, True, me, words[1])
                evades.describe_next(trial[0], notes[game], rules, me, words[0], order, words[2])
                tried += 1
                wrong += not np.array_equal(words[1], words[2])
    return wrong << 32 | tried


@pytest.mark.parametrize(("text", "players"), LEARNED)
def test_what_is_seen_after_an_action_follows_from_what_was_seen_before(text: str, players: int) -> None:
    games, total = Batch(text, players, GAMES, seed=3), 0
    kind, rules, hidden = games.box.kind, games.box.rules, games.box.hidden
    assert kind.inputs
    actions, notes = np.zeros(GAMES, np.int64), np.zeros((GAMES, kind.inputs.NOTES), np.int8)
    trial, words = records(kind.kernel.STATE, 2), np.zeros((3, kind.inputs.count(players)), np.uint64)
    for step in range(STEPS // 2):
        if "evades" in text:
            found = pawns_differ(games.tables, notes, rules, trial, words)
        else:
            found = pirates_differ(games.tables, rules, hidden, step % 2 == 0, trial, np.zeros(64, np.int64), words)
        assert found >> 32 == 0
        total += found
        games.choose(actions)
        note_all(games.tables, notes, rules, actions)
        games.step(actions)
        notes[games.terminated | games.truncated] = 0
    assert total > 1000
