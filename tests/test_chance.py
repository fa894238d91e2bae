"""Luck that anyone can check: the derivation of docs/notation.md, reimplemented here with only a hash function."""

import hashlib
import random
from collections import Counter

import pytest
from scipy.stats import chisquare

import escapade
from escapade import Chance

DICE = "bryldonw"


def stream(seed: bytes, label: str, count: int) -> list[int]:
    """The numbers of a stream: SHA-256 of seed, label, a zero byte and the block's number, 8 bytes a number."""
    blocks = b"".join(hashlib.sha256(seed + label.encode() + b"\0" + bytes([0, 0, 0, i])).digest() for i in range(64))
    return [int.from_bytes(blocks[8 * i : 8 * i + 8], "big") for i in range(count)]


def shuffled(seed: bytes, label: str, cards: str) -> str:
    return "".join(card for _, card in sorted(zip(stream(seed, label, len(cards)), cards, strict=True)))


def tags_of(game: escapade.Game) -> dict[str, str]:
    return dict(line[1:-2].split(' "') for line in game.record().splitlines() if line.startswith("["))


def test_the_pack_follows_from_the_seed() -> None:
    seed = bytes(range(32))
    game = escapade.new("tortuga", 3, seed=seed)
    pack = shuffled(seed, "deck", "".join(symbol * 17 for symbol in "BDHKPS"))
    assert tags_of(game)["Deal"] == "/".join("".join(sorted(pack[i : i + 6])) for i in (0, 6, 12))
    assert tags_of(game)["Pile"] == pack[18:]
    assert str(game).split(" ")[4] == pack[18:30]


def test_reshuffles_follow_from_the_seed_the_turn_and_the_actions_taken() -> None:
    seed, rng, found = bytes(32), random.Random(1), 0
    game = escapade.new("jamaica+deal=10+turn-limit=300", 5, seed=seed)
    while not game.over:
        actions, turn = str(game).split(":")[1:]
        pile = game.play(rng.choice(game.legal_actions())).partition("~")[2]
        found += bool(pile)
        assert pile == shuffled(seed, f"pile {turn} {actions}", "".join(sorted(pile)))
    assert found > 1


def test_dice_follow_from_the_seed_and_the_turn() -> None:
    seed, rng = b"\xff" * 32, random.Random(1)
    game = escapade.new("evades+turn-limit=300", 2, seed=seed)
    while not game.over:
        turn, played = game.turn, game.play(rng.choice(game.legal_actions()))
        if played.startswith("roll:"):
            dice, numbers = played[5:].split("=")
            faces = [1 + number % 6 for number in stream(seed, f"dice {turn}", 8)]
            assert numbers == "".join(str(faces[DICE.index(die)]) for die in dice)


def test_an_integer_seed_derives_the_256_bits() -> None:
    assert Chance(7).seed == hashlib.sha256(b"escapade 7").digest()
    assert str(escapade.new("jamaica", 3, seed=7)) == str(escapade.new("jamaica", 3, seed=Chance(7).seed))
    assert str(escapade.new("jamaica", 3, seed=7)) != str(escapade.new("jamaica", 3, seed=8))
    assert str(escapade.new("jamaica", 3)) != str(escapade.new("jamaica", 3))


def test_the_commitment_is_published_at_the_start_and_the_seed_at_the_end() -> None:
    game = escapade.new("jamaica+turn-limit=2", 2, seed=b"s" * 32)
    commitment = hashlib.sha256(b"s" * 32).hexdigest()
    while not game.over:
        assert tags_of(game)["Commitment"] == commitment
        assert "Seed" not in tags_of(game)
        assert (b"s" * 32).hex() not in game.record(1)
        game.play(game.legal_actions()[0])
    assert tags_of(game)["Seed"] == (b"s" * 32).hex()
    assert tags_of(game)["Commitment"] == commitment


@pytest.mark.parametrize("seed", [b"short", b"x" * 33])
def test_a_seed_has_32_bytes(seed: bytes) -> None:
    with pytest.raises(escapade.Invalid, match="32 are needed"):
        escapade.new("jamaica", seed=seed)


def test_cards_and_dice_come_evenly() -> None:
    tops = Counter(Chance(i).shuffled("BDHKPS", "deck")[0] for i in range(6000))
    faces = Counter(face for i in range(1000) for face in Chance(i).dice("dice 1", 8))
    assert chisquare([tops[c] for c in "BDHKPS"]).pvalue > 0.001
    assert chisquare([faces[n] for n in range(1, 7)]).pvalue > 0.001


def test_tunnels_laid_by_chance_are_printed_segments_either_way_round() -> None:
    printed = {"BPHSDK", "DBKPHS", "HKPBSD", "KBSDHP", "PKDHSB", "HDKBPS"}
    seen = Counter[str]()
    for seed in range(300):
        laid = str(escapade.new("jamaica", seed=seed)).split(" ")[1].split("/")
        assert {min(s, s[::-1]) for s in laid} == {min(s, s[::-1]) for s in printed}
        seen[laid[0]] += 1
    assert len(seen) == 12
    free = {str(escapade.new("jamaica", seed=seed, tunnel="free")).split(" ")[1] for seed in range(100)}
    assert len(free) == 100
    for segments in range(3, 9):
        assert str(escapade.new("jamaica", seed=1, segments=segments)).split(" ")[1].count("/") == segments - 1
