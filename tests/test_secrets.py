"""One door for secrets: what a seat may not know makes no difference to what it is shown (C17, G12)."""

import random

import pytest

import escapade
from escapade import Cartagena, Chance
from escapade.cartagena.editions import SYMBOLS, edition

HIDDEN = ["jamaica", "hispaniola", "first-escape", "tortuga+hands=hidden", "jamaica+empty-hand-draw=on+deal=3"]


def played(text: str, players: int, seed: int, actions: int) -> tuple[escapade.Game, list[str]]:
    """A game after some random actions, stopped before the first reshuffle, and the actions."""
    game, rng, bare = escapade.new(text, players, seed=seed), random.Random(seed), []
    for _ in range(actions):
        action = rng.choice(game.legal_actions())
        if "~" in game.copy().play(action):
            break
        bare.append(action)
        game.play(action)
    return game, bare


def tags_of(record: str) -> dict[str, str]:
    return dict(line[1:-2].split(' "') for line in record.splitlines() if line.startswith("["))


def without_seed(record: str) -> list[str]:
    return [line for line in record.splitlines() if not line.startswith(("[Commitment", "[Seed"))]


def twin_tags(tags: dict[str, str], seat: int, rng: random.Random) -> dict[str, str]:
    """The same start except for cards that a seat has not seen: some dealt to others, some deep in the pile."""
    hands, pile = [list(hand) for hand in tags["Deal"].split("/")], list(tags["Pile"])
    depth = 40
    rest = pile[depth:]
    rng.shuffle(rest)
    other = rng.choice([i for i in range(len(hands)) if i != seat - 1])
    for _ in range(rng.randint(1, 2)):
        i, j = rng.randrange(len(hands[other])), rng.randrange(len(rest))
        hands[other][i], rest[j] = rest[j], hands[other][i]
    deal = "/".join("".join(sorted(hand, key=SYMBOLS.index)) for hand in hands)
    return {**tags, "Deal": deal, "Pile": "".join(pile[:depth] + rest)}


def twins(game: escapade.Game, actions: list[str], seat: int, rng: random.Random) -> list[Cartagena]:
    """A game after its actions, and a twin that a seat cannot tell from it; none if the twin cannot play them."""
    tags = tags_of(game.record())
    pair = [Cartagena.from_tags(of, tags["Seats"].split("/"), Chance(1)) for of in (tags, twin_tags(tags, seat, rng))]
    try:
        for action in actions:
            for one in pair:
                one.play(action)
    except escapade.Illegal:
        return []  # an action played a card that the twin does not have
    return pair


@pytest.mark.parametrize("text", HIDDEN)
def test_games_that_differ_only_in_hidden_cards_look_the_same_all_the_way(text: str) -> None:
    rng, twins, differences = random.Random(text), 0, 0
    for seed in range(150):
        players = rng.randint(2, 5)
        game, actions = played(text, players, seed, rng.randint(4, 24))
        seat, tags = rng.randint(1, players), tags_of(game.record())
        twin = Cartagena.from_tags(twin_tags(tags, seat, rng), tags["Seats"].split("/"), Chance(1))
        first = Cartagena.from_tags(tags, tags["Seats"].split("/"), Chance(1))
        try:
            for action in actions:
                assert first.view(seat) == twin.view(seat)
                assert first.view(None) == twin.view(None)
                first.play(action)
                twin.play(action)
        except escapade.Illegal:
            continue  # an action played a card that the twin does not have
        twins += 1
        differences += str(first) != str(twin)
        assert first.view(seat) == twin.view(seat)
        assert first.view(None) == twin.view(None)
        assert without_seed(first.record(seat)) == without_seed(twin.record(seat))
    assert twins >= 20
    assert differences == twins


@pytest.mark.parametrize("text", HIDDEN)
def test_a_view_never_shows_the_pile_and_always_shows_ones_own_hand(text: str) -> None:
    game, _ = played(text, 3, 5, 30)
    hands = str(game).split(" ")[3].split("/")
    for seat in (1, 2, 3):
        fields = game.view(seat).split(" ")
        assert fields[3].split("/")[seat - 1] == hands[seat - 1]
        assert fields[5].startswith("?")
        assert [len(hand) for hand in fields[3].split("/")] == [len(hand) for hand in hands]


def test_what_is_known_of_a_hand_is_what_was_seen_being_taken_less_what_was_played() -> None:
    game = escapade.parse(
        "hispaniola BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH 0.2.3.4.5.6/0.0.0.1.7.9 BBK/S KBBBBBBBBBBB H"
        " B4D17H16K15P17S16 1:0:1"
    )

    def seen() -> str:
        return game.view(2).split(" ")[3].split("/")[0]

    assert seen() == "???"
    game.play("6<5")  # finds one pirate, and takes K from the row
    assert seen() == "K???"
    game.play("K0>6")  # it may have been either key: the known one is gone
    assert seen() == "???"
    game.play("5<4")
    assert seen() == "B???"
    game.play("S0>12")
    game.play(".")
    game.play("K2>14")  # no key was known, so one of the unknown cards is gone
    assert seen() == "B??"


def test_open_hands_are_known_to_all() -> None:
    game, _ = played("tortuga", 3, 3, 40)
    assert game.view(1) == game.view(2) == game.view(None)
    assert "?" not in game.view(1).split(" ")[3]


def test_a_text_with_unknown_cards_is_its_readers_view_already() -> None:
    for text in HIDDEN:
        for seed in range(20):
            game, _ = played(text, 3, seed, 60)
            for seat in (1, 2, 3):
                assert escapade.parse(game.view(seat)).view(seat) == game.view(seat)
                assert str(escapade.parse(game.view(seat))) == game.view(seat)


def test_a_jamaica_view_read_by_another_seat_tells_it_nothing() -> None:
    game, _ = played("jamaica", 3, 1, 5)
    others = escapade.parse(game.view(1)).view(2).split(" ")[3]
    assert set(others) <= {"?", "/"}


def test_bets_are_hidden_from_others_until_the_end() -> None:
    def with_bets(*bets: str) -> escapade.Game:
        game = escapade.new("evades", 3, seed=4)
        for bet in bets:
            game.play(f"bet:{bet}")
        return game

    ours, theirs = (
        with_bets("br.yl.do.n", "br.yl.do.n", "by.rl.do.n"),
        with_bets("br.yl.do.n", "dn.bo.ry.l", "lo.br.dn.y"),
    )
    rng = random.Random(1)
    while not ours.over:
        assert ours.view(1) == theirs.view(1)
        assert ours.view(None) == theirs.view(None)
        assert ours.view(2) != theirs.view(2)
        assert without_seed(ours.record(1)) == without_seed(theirs.record(1))
        action = rng.choice(ours.legal_actions())
        assert ours.play(action) == theirs.play(action)
    assert ours.view(1) == str(ours) == ours.view(None)


def test_every_edition_with_hidden_hands_is_looked_at_here() -> None:
    assert {"jamaica", "hispaniola", "first-escape"} <= {edition(text).name for text in HIDDEN}
