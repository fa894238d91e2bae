"""Les Évadés as inputs: nothing hidden is read, colours do not matter, dice that are chosen are not known yet."""

from typing import Any

import numpy as np
import pytest

from escapade.compiled import compiled, records
from escapade.evades import features, inputs, kernel
from escapade.evades.kernel import PAWNS, ROLL, RUNNING, STATE, WHITE, Rules
from escapade.rng import seed_rng

RULES = [Rules(30, 1, 300), Rules(30, 0, 300), Rules(24, 1, 300)]


@compiled
def play(states: Any, notes: Any, rules: Rules, players: int, rng: Any, decisions: int) -> None:
    """Play at random, with notes."""
    s = states[0]
    kernel.random_setup(s, rules, players, rng)
    for _ in range(decisions):
        if s.over == 0:
            action = kernel.any_action(s, rules, rng)
            inputs.note(s, notes, rules, action)
            kernel.act(s, rules, action, rng)


@compiled
def describe(states: Any, notes: Any, rules: Rules, reader: int, out: Any) -> None:
    """Describe a position."""
    inputs.describe(states[0], notes, rules, True, True, reader, out)


@compiled
def attempt(states: Any, rules: Rules, luck: Any, k: int) -> int:
    """Try an action."""
    return inputs.attempt(states[0], rules, luck, k)


def played(rules: Rules, players: int, seed: int, decisions: int) -> tuple[Any, Any, Any]:
    """A position of a game at random, its notes, and the luck that is left."""
    states, notes, rng = records(STATE, 1), np.zeros(inputs.NOTES, np.int8), np.zeros(2, np.uint64)
    seed_rng(rng, seed, 0)
    play(states, notes, rules, players, rng, decisions)
    return states, notes, rng


def words(states: Any, notes: Any, rules: Rules, reader: int) -> list[int]:
    """What a reader sees, as inputs."""
    out = np.full(inputs.count(int(states[0]["players"])), 7, np.uint64)
    describe(states, notes, rules, reader, out)
    told: list[int] = out.tolist()
    return told


def renamed(states: Any, notes: Any, names: list[int]) -> tuple[Any, Any]:
    """The same position with other colours: pawn p becomes names[p]."""
    new, old = states.copy(), states[0]
    dice = [*names, WHITE]
    for field in ("aboard", "covered", "far", "thrown", "forth", "back"):
        new[0][field] = sum(1 << dice[p] for p in range(8) if int(old[field]) >> p & 1)
    for p in range(PAWNS):
        for field in ("space", "boat", "dice"):
            new[0][field][names[p]] = old[field][p]
        new[0]["below"][names[p]] = names[old["below"][p]] if old["below"][p] >= 0 else -1
        new[0]["bet"][:, names[p]] = old["bet"][:, p]
    for space in range(64):
        new[0]["top"][space] = names[old["top"][space]] if old["top"][space] >= 0 else -1
    shaped, moved = notes.reshape(6, PAWNS, -1), np.zeros_like(notes.reshape(6, PAWNS, -1))
    moved[:, names] = shaped
    return new, moved.ravel()


@pytest.mark.parametrize("players", range(2, 7))
def test_colours_do_not_matter(players: int) -> None:
    for seed in range(60):
        rules, luck = RULES[seed % 3], np.random.default_rng(seed)
        states, notes, _ = played(rules, players, seed, players + int(luck.integers(0, 150)))
        other = renamed(states, notes, luck.permutation(PAWNS).tolist())
        for reader in range(players):
            assert words(states, notes, rules, reader) == words(*other, rules, reader)


@pytest.mark.parametrize("players", range(2, 7))
def test_others_bets_are_not_read(players: int) -> None:
    for seed in range(30):
        states, notes, _ = played(RULES[0], players, seed, players + 3 * seed)
        for reader in range(players):
            before = words(states, notes, RULES[0], reader)
            other = states.copy()
            for seat in range(players):
                if seat != reader:
                    other[0]["bet"][seat, :PAWNS] = kernel.BETS[(97 * seed + seat) % 630]
            assert words(other, notes, RULES[0], reader) == before


def test_dice_are_chosen_before_they_are_known() -> None:
    seen = set()
    for seed in range(40):
        states, notes, rng = played(RULES[0], 3, seed, 3 + 2 * seed)
        if states[0]["over"] != RUNNING or states[0]["thrown"] or not states[0]["turn"]:
            continue
        reader = int(states[0]["seat"])
        trials = []
        for die in (1, 6):
            trial = states.copy()
            trial[0]["dice"] = die
            number = attempt(trial, RULES[0], rng, 0)
            assert trial[0]["seat"] == reader
            trials.append((number, words(trial, notes, RULES[0], reader)))
        assert trials[0] == trials[1]
        assert features.action_of(RULES[0], trials[0][0]) >= ROLL
        seen.add(seed)
    assert seen


def test_bets_are_drawn_apart() -> None:
    states, rng = records(STATE, 1), np.zeros(2, np.uint64)
    seed_rng(rng, 3, 0)
    kernel.random_setup_in(states, RULES[0], 6, rng)
    drawn = [attempt(states, RULES[0], rng, 0) for _ in range(6)]
    assert len(set(drawn)) == 6
    assert states[0]["turn"] == 1


@compiled
def describe_roll(states: Any, notes: Any, rules: Rules, dice: Any, before: Any, out: Any) -> bool:
    """Describe chosen dice by what they change; False where that is not enough."""
    s = states[0]
    order = inputs.in_order(s, notes, rules, s.seat)
    inputs.describe_roll(order, dice, before, out)
    return not inputs.are_alike(s, order, dice)


@pytest.mark.parametrize("players", [2, 5])
def test_chosen_dice_are_told_by_what_they_change(players: int) -> None:
    told = 0
    for seed in range(60):
        states, notes, rng = played(RULES[seed % 3], players, seed, players + 2 * seed)
        if states[0]["over"] != RUNNING or states[0]["thrown"] or not states[0]["turn"]:
            continue
        reader = int(states[0]["seat"])
        before = np.array(words(states, notes, RULES[0], reader), np.uint64)
        for k in range(kernel.count_actions(states[0])):
            trial, out = states.copy(), before.copy()
            attempt(trial, RULES[0], rng, k)
            if describe_roll(states, notes, RULES[0], trial[0]["thrown"], before, out):
                assert out.tolist() == words(trial, notes, RULES[0], reader)
                told += 1
    assert told > 500
