"""What networks see: the bits that they have learned, however they are described."""

import hashlib
from typing import Any

import numpy as np
import pytest

from escapade.batch import Batch, action_of, of_kind
from escapade.compiled import compiled

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
