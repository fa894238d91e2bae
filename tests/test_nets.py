"""Networks: the compiled forward pass against plain NumPy, files that fit and files that are refused."""

import hashlib
import json
import os
import pickle
import random
import subprocess
import sys
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_bots import play_some
from test_secrets import played, twins

import escapade
from escapade import Cartagena, Chance, nets
from escapade.bots import make
from escapade.bots.cartagena import advice, legend
from escapade.bots.cartagena.ends import Box, best_end, list_all_ends, list_ends, look_at, new_memory, show, try_ends
from escapade.bots.cartagena.memory import nothing_old
from escapade.bots.cartagena.turns import new_desk, unpack
from escapade.cartagena import inputs
from escapade.cartagena.editions import EDITIONS
from escapade.cartagena.kernel import STATE
from escapade.cartagena.notation import TEXTS
from escapade.compiled import compiled, records
from escapade.games import kind_of, kinds

Arrays = dict[str, nets.Reals]


def some_weights(players: int, seed: int = 1) -> Arrays:
    """Weights drawn by chance, as large as trained ones, in half precision as in a file."""
    rng, shapes = np.random.default_rng(seed), nets.shapes(inputs.count(players), players)
    spread = (0.12, 0.1, 0.1, 0.1, 0.2, 0.1)
    return {
        name: rng.normal(0, scale, shape).astype(np.float16)
        for (name, shape), scale in zip(shapes.items(), spread, strict=True)
    }


def plain_chances(arrays: Arrays, words: nets.Words) -> nets.Reals:
    """What a network says, in NumPy."""
    x = np.unpackbits(words.view(np.uint8), bitorder="little").astype(np.float64)
    first, first_bias, second, second_bias, third, third_bias = (arrays[part].astype(np.float64) for part in nets.PARTS)
    y = np.maximum(x @ first + first_bias, 0)
    z = np.maximum(second @ y + second_bias, 0)
    logits = third @ z + third_bias
    chances: nets.Reals = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    return chances


def positions(edition: str, players: int, count: int) -> list[Cartagena]:
    """The views that the seats to act have in a game at random."""
    rng = random.Random(edition)
    found: list[Cartagena] = []
    game = escapade.new(edition, players, seed=players)
    while not game.over and len(found) < count:
        found.append(Cartagena.parse(game.view(game.seat), Chance(0)))
        game.play(rng.choice(game.legal_actions()))
    return found


def words_of(game: Cartagena, reader: int, box: Box) -> nets.Words:
    """What a seat sees, as inputs."""
    words = np.zeros(inputs.count(game.players), np.uint64)
    show(game.states[0], reader, False, box, words)
    return words


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_compiled_network_says_what_plain_numpy_says(edition: str, players: int) -> None:
    arrays = some_weights(players)
    net = nets.made_of(arrays)
    for game in positions(edition, players, 40):
        box, memory = legend.box_of(game, net), new_memory(net, 1)
        look_at(game.states, game.seat - 1, box, memory)
        expected = plain_chances(arrays, words_of(game, game.seat - 1, box))
        assert memory.sheet.chances == pytest.approx(expected, abs=0.005)
        assert memory.sheet.chances.sum() == pytest.approx(1)


@pytest.mark.parametrize("edition", ["jamaica", "tortuga", "first-escape"])
def test_sums_that_are_followed_are_the_sums_from_scratch(edition: str) -> None:
    net = nets.made_of(some_weights(3))
    sheet = nets.new_sheet(net, 3)
    for game in positions(edition, 3, 120):
        sheet.words[1] = words_of(game, 0, legend.box_of(game, net))
        nets.follow(net, sheet.words[0], sheet.words[1], sheet.sums[0], sheet.sums[1])
        nets.begin(net, sheet.words[1], sheet.sums[2])
        if sheet.words[0].any():
            assert (sheet.sums[1] == sheet.sums[2]).all()
        sheet.words[0], sheet.sums[0] = sheet.words[1], sheet.sums[2]


def test_sums_stay_well_below_what_they_are_cut_off_at() -> None:
    net = nets.made_of(some_weights(5))
    sheet = nets.new_sheet(net, 1)
    for game in positions("hispaniola", 5, 200):
        nets.begin(net, words_of(game, 0, legend.box_of(game, net)), sheet.sums[0])
        assert np.abs(sheet.sums[0]).max() >> net.shift < nets.LARGEST / 2


@pytest.mark.parametrize("edition", ["jamaica", "tortuga", "first-escape"])
def test_the_best_turn_by_a_network_leads_where_it_says(edition: str) -> None:
    """The first turn's actions, played one by one on the view, lead to a position that is judged just so."""
    arrays = some_weights(2)
    net, desk, out = nets.made_of(arrays), new_desk(), np.zeros(8, np.int64)
    for game in positions(edition, 2, 30):
        box, memory = legend.box_of(game, net), new_memory(net, 1)
        ends = list_all_ends(game.states, box, desk, memory)
        values, turn, seat = desk.values[:ends], int(desk.turns[0]), game.seat - 1
        assert values[0] == values.max()
        if values[0] > 1:
            continue
        n = unpack(game.states, desk, game.rules, turn, out)
        assert TEXTS[int(out[0])] in game.legal_actions()
        after = Cartagena.parse(str(game), Chance(0))
        after.states[0] = desk.plans[0]
        assert n
        assert values[0] == pytest.approx(plain_chances(arrays, words_of(after, seat, box))[0], abs=0.005)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3])
def test_a_diary_of_plans_saves_time_and_changes_nothing(edition: str, players: int) -> None:
    net, desk, worlds, old = nets.made_of(some_weights(players)), new_desk(), records(STATE, 3), nothing_old(players)
    kept, anew = 0, 0
    for game in positions(edition, players, 60)[::6]:
        box, memory, rng = legend.box_of(game, net), new_memory(net, 4), np.array([game.turn, 1], np.uint64)
        turns = desk.turns[: min(4, list_all_ends(game.states, box, desk, memory))].copy()
        sums = np.zeros((2, len(turns), players))
        for _ in range(10):
            drawn = rng.copy()
            try_ends(game.states, worlds, box, desk, memory, turns, rng, players, old, sums[0])
            for k in range(len(turns)):
                fresh = new_memory(net, 4)
                some = (turns[k : k + 1], drawn.copy(), players, old, sums[1, k : k + 1])
                try_ends(game.states, worlds, box, desk, fresh, *some)
                anew += int(np.count_nonzero(fresh.diary.known))
        kept += int(np.count_nonzero(memory.diary.known))
        assert (sums[0] == sums[1]).all()
    assert 0 < kept < anew


@pytest.mark.parametrize("name", ["first", "second"])
def test_rows_of_weights_begin_where_lines_of_memory_do(name: str) -> None:
    rows = getattr(nets.made_of(some_weights(3)), name)
    assert rows.ctypes.data % nets.LINE == 0
    assert rows.strides[0] % nets.LINE == 0


@compiled
def judge_turns(states: Any, box: Box, desk: Any, memory: Any, extra: int) -> None:
    """Judge every end of a turn, and a beam of them; then make an array of some length, or none."""
    for k in range(len(states)):
        list_ends(states[k], False, box, desk, memory)
        best_end(states[k], False, box, desk, memory)
    if extra:
        states[0].turn += np.zeros(extra, np.int64)[0]


def test_nothing_is_allocated_to_judge_the_ends_of_a_turn() -> None:
    runtime: Any = import_module("numba.core.runtime")
    runtime._nrt_python.memsys_enable_stats()
    games, net, desk = positions("tortuga", 3, 20), nets.made_of(some_weights(3)), new_desk()
    states, box, memory = (
        np.concatenate([game.states for game in games]),
        legend.box_of(games[0], net),
        new_memory(net, 4),
    )

    def allocated(count: int, extra: int) -> int:
        before = runtime.rtsys.get_allocation_stats().alloc
        judge_turns(states[:count], box, desk, memory, extra)
        return int(runtime.rtsys.get_allocation_stats().alloc - before)

    judge_turns(states, box, desk, memory, 0)
    assert allocated(20, 0) == allocated(1, 0)  # something is for every call from Python
    assert allocated(1, 1) == allocated(1, 0) + 1


ASK = """
import numpy as np
from escapade import nets
rng = np.random.default_rng(1)
net = nets.made_of({name: rng.normal(0, 0.12, shape) for name, shape in nets.shapes(21, 2).items()})
sheet, drawn = nets.new_sheet(net, 3), rng.integers(0, 1 << 63, (20, 3, 21)).astype(np.uint64)
for words in drawn[:, 0] & drawn[:, 1] & drawn[:, 2]:
    sheet.words[1] = words
    nets.begin(net, sheet.words[1], sheet.sums[1])
    nets.follow(net, sheet.words[1], sheet.words[0], sheet.sums[1], sheet.sums[2])
    nets.judge(net, sheet.sums[1], sheet)
    print(sheet.sums[1].sum(), sheet.sums[2].sum(), *sheet.chances.tolist())
"""


def test_a_processor_without_vectors_judges_the_same() -> None:
    """The target `generic` has neither AVX2 nor BMI2; layers of whole numbers are the same everywhere."""
    here, plain = (
        subprocess.run([sys.executable, "-c", ASK], env=os.environ | more, check=True, capture_output=True, text=True)
        for more in ({}, {"NUMBA_CPU_NAME": "generic"})
    )
    assert len(here.stdout.split()) == 80
    assert here.stdout == plain.stdout


@pytest.fixture
def with_nets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Networks for any number of players, whatever is shipped."""
    made = {players: nets.made_of(some_weights(players)) for players in range(2, 6)}
    monkeypatch.setattr(nets, "is_shipped", lambda name: True)
    monkeypatch.setattr(nets, "load", lambda name, layout, words, players: made[players])


@pytest.mark.usefixtures("with_nets")
@pytest.mark.parametrize("name", ["mate", "legend(width=4,samples=4)"])
@pytest.mark.parametrize("text", ["jamaica", "hispaniola", "first-escape"])
def test_a_choice_by_a_network_is_the_same_whatever_the_seat_cannot_know(text: str, name: str) -> None:
    rng, bot, pairs = random.Random(text), make(name, "cartagena", 3), 0
    for seed in range(30):
        game, actions = played(text, rng.randint(2, 4), seed, rng.randint(4, 20))
        pair = twins(game, actions, game.seat, rng)
        if not pair or game.over:
            continue
        pairs += 1
        seat, legal = game.seat, game.legal_actions()
        assert len({bot.choose(one.view(seat), legal, one.record(seat)) for one in pair}) == 1
        assert len({escapade.value(one.view(seat)) for one in pair}) == 1
    assert pairs >= 6


@pytest.mark.usefixtures("with_nets")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_legend_plays_legal_actions_with_a_network(edition: str) -> None:
    for players in (2, 3, 5):
        play_some(make("legend(width=3,samples=2)", "cartagena", 1), escapade.new(edition, players, seed=1), 25)


@pytest.mark.usefixtures("with_nets")
def test_a_value_is_a_chance_for_every_seat() -> None:
    for edition in EDITIONS:
        for players in range(2, 6):
            game = escapade.new(edition, players, seed=2)
            for seat in range(1, players + 1):
                chances = escapade.value(game.view(seat))
                assert chances
                assert len(chances) == players
                assert sum(chances) == pytest.approx(1)


@pytest.mark.usefixtures("with_nets")
@pytest.mark.parametrize(
    ("text", "has"),
    [("jamaica", True), ("tortuga+turn-limit=90", True), ("tortuga+hands=hidden", True), ("jamaica+pirates=4", False),
     ("jamaica+hands=open", False), ("first-escape+row=6", False)],
)  # fmt: skip
def test_networks_play_the_printed_editions_and_the_search_plays_the_rest(text: str, has: bool) -> None:
    game = Cartagena.new(text, 2, Chance(1))
    assert (legend.net_for(game) is not None) == has
    assert (advice.value(game.view(1)) is not None) == has
    assert sum(escapade.value(game.view(1))) == pytest.approx(1)
    assert legend.net_for(Cartagena.new(text, 2, Chance(1), segments=5)) is None


def test_an_edition_is_played_by_its_own_network_and_otherwise_by_that_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(nets, "is_shipped", {"tortuga-2", "cartagena-2", "cartagena-3"}.__contains__)
    monkeypatch.setattr(nets, "load", lambda name, *sizes: loaded.append(name))
    for text, players in (("tortuga+turn-limit=90", 2), ("tortuga", 3), ("hispaniola+hands=open", 2), ("jamaica", 2)):
        legend.net_for(Cartagena.new(text, players, Chance(1)))
    assert loaded == ["tortuga-2", "cartagena-3", "tortuga-2", "cartagena-2"]


def test_a_network_comes_back_from_its_file(tmp_path: Path) -> None:
    nets.write(tmp_path, "x-2", some_weights(2), {"layout": "abc"})
    read, made = nets.read(tmp_path, "x-2", "abc", inputs.count(2), 2), nets.made_of(some_weights(2))
    assert all(np.array_equal(*pair) for pair in zip(map(np.asarray, read), map(np.asarray, made), strict=True))


def test_other_layouts_other_sizes_and_other_bytes_are_refused(tmp_path: Path) -> None:
    words = inputs.count(2)
    nets.write(tmp_path, "x-2", some_weights(2), {"layout": "abc"})
    with pytest.raises(escapade.Invalid, match="x-2: its layout is abc, wanted is abd"):
        nets.read(tmp_path, "x-2", "abd", words, 2)
    with pytest.raises(escapade.Invalid, match="x-2: its shapes"):
        nets.read(tmp_path, "x-2", "abc", words + 1, 2)
    with pytest.raises(escapade.Invalid, match="x-2: its shapes"):
        nets.read(tmp_path, "x-2", "abc", words, 3)
    data = bytearray((tmp_path / "x-2.npz").read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "x-2.npz").write_bytes(data)
    with pytest.raises(escapade.Invalid, match="x-2: its sha256"):
        nets.read(tmp_path, "x-2", "abc", words, 2)


class Bomb:
    """What runs code as soon as it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("it was unpickled",)


def test_nothing_in_a_file_is_ever_unpickled(tmp_path: Path) -> None:
    held = BytesIO()
    np.savez(held, first=np.array([Bomb()], object))
    for data in (held.getvalue(), pickle.dumps(Bomb())):
        (tmp_path / "x-2.npz").write_bytes(data)
        card = {"layout": "abc", "sha256": hashlib.sha256(data).hexdigest()}
        (tmp_path / "x-2.json").write_text(json.dumps(card))
        with pytest.raises(escapade.Invalid, match="x-2: its file has something else than plain arrays"):
            nets.read(tmp_path, "x-2", "abc", inputs.count(2), 2)


def test_what_is_shipped_can_be_read_and_has_a_whole_card() -> None:
    folder = Path(nets.__file__).parent / nets.WEIGHTS
    cards = list(folder.glob("*.json"))
    assert cards
    for file in cards:
        game, _, players = file.stem.rpartition("-")
        card, seen = json.loads(file.read_text()), (kinds().get(game) or kind_of(game)).inputs
        wanted = "architecture layout inputs rules commit command data strength limits sha256"
        assert set(wanted.split()) <= card.keys()
        assert seen
        assert nets.load(file.stem, seen.VERSION, seen.count(int(players)), seen.outcomes(int(players)))
    assert sum(file.stat().st_size for file in folder.glob("*")) < 12e6
    assert not nets.is_shipped("cartagena-9")
