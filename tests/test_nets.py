"""Networks: the compiled forward pass against plain NumPy, files that fit and files that are refused."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from test_bots import play_some
from test_secrets import played, twins

import escapade
from escapade import Cartagena, Chance, nets
from escapade.bots import make
from escapade.bots.cartagena import advice, legend
from escapade.bots.cartagena.ends import Box, list_all_ends, look_at, new_memory, show
from escapade.bots.cartagena.turns import new_desk, unpack
from escapade.cartagena import inputs
from escapade.cartagena.editions import EDITIONS
from escapade.cartagena.notation import TEXTS

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


@pytest.fixture
def with_nets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Networks for any number of players, whatever is shipped."""
    made = {players: nets.made_of(some_weights(players)) for players in range(2, 6)}
    monkeypatch.setattr(nets, "is_shipped", lambda name: True)
    monkeypatch.setattr(nets, "load", lambda name, layout, words, players: made[players])


@pytest.mark.usefixtures("with_nets")
@pytest.mark.parametrize("name", ["net", "legend(width=4,samples=4)"])
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


def test_what_is_shipped_can_be_read_and_has_a_whole_card() -> None:
    folder = Path(nets.__file__).parent / nets.WEIGHTS
    for file in folder.glob("cartagena-*.json"):
        card, players = json.loads(file.read_text()), int(file.stem.rpartition("-")[2])
        wanted = {"architecture", "layout", "rules", "commit", "command", "data", "strength", "limits", "sha256"}
        assert wanted <= card.keys()
        assert nets.load(file.stem, inputs.VERSION, inputs.count(players), players)
    assert sum(file.stat().st_size for file in folder.glob("*")) < 12e6
    assert not nets.is_shipped("cartagena-9")
