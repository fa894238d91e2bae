"""Les Évadés studied: games of the network, and what only this game can be asked."""

from collections.abc import Mapping
from itertools import combinations, pairwise

import numpy as np

from escapade.bots.evades.whole import Player, choose_roll
from escapade.evades.kernel import PAWNS, ROLL
from escapade.simulate import limited
from escapade.study.figures import Figure, Found, Group, Question, Reals, Setting, mean, ratio

BOATS = 4

# First throws by the boats that their seat has bet the three pawns into.
THROWS: list[tuple[int, ...]] = sorted(set(combinations((1, 1, 2, 2, 3, 3, 4), 3)))


def seat(setting: Setting) -> Player:
    """A player of a setting's deals."""
    return Player(limited(setting.edition), setting.players, setting.seed)


def play(setting: Setting, first: int, count: int) -> Reals:
    """Games of equals: every seat's share of the win, turns and actions; then points, agreement and bets come true.

    A bet agrees with another by the points that both would get together; the mean over the others is told.
    """
    player, players = seat(setting), setting.players
    rows = np.zeros((count, players + 2 + (2 + BOATS) * players))
    for k in range(count):
        player.deal(first + k)
        shares, made, lasted = player.play(first + k)
        bets, boats = (player.states[0][name][..., :PAWNS].astype(float) for name in ("bet", "boat"))
        own = bets[:players]
        agreed = (own[:, None] == own[None]) * own  # by seat, other seat and pawn
        agreement = (agreed.sum(axis=(1, 2)) - own.sum(axis=1)) / (players - 1)
        right = [((own == boat) & (boats == boat)).sum(axis=1) for boat in range(1, BOATS + 1)]
        rows[k] = np.concatenate([shares, lasted, made, agreement, *right])
    return rows


def duel(setting: Setting, first: int, count: int, slips: int) -> Reals:
    """Deals played from both sides by the network and one who slips: the network's share each time."""
    player, rows = seat(setting), np.zeros((count, 2))
    for k in range(count):
        for side in range(2):
            player.deal(first + k)
            shares, *_ = player.play(first + k, np.roll([0, slips], side))
            rows[k, side] = shares[side] if shares.any() else 0.5
    return rows


def play_first_throws(setting: Setting, first: int, count: int) -> Reals:
    """Deals with each kind of first throw: the first seat's share of the win, and which kind the network takes."""
    player, rows = seat(setting), np.zeros((count, len(THROWS) + 1))
    for k in range(count):
        player.deal(first + k)
        bet = player.states[0]["bet"][0, :PAWNS].tolist()
        rows[k, -1] = kind_of(choose_roll(player.states, player.table), bet)
        for kind, roll in {kind_of(roll, bet): roll for roll in player.rolls()}.items():
            player.deal(first + k)
            player.roll(first + k, roll)
            rows[k, kind] = player.play(first + k)[0][0]
    return rows


def kind_of(roll: int, bet: list[int]) -> int:
    """What a first throw is, as a place in THROWS."""
    return THROWS.index(tuple(sorted(bet[pawn] for pawn in range(PAWNS) if roll - ROLL >> pawn & 1)))


PLAYER = (
    "the <b>network</b>: every choice of dice, and every end of a turn, is judged by the one for so many players, and "
    "the best is taken. Before the first throw all 630 bets are alike to it, and it takes any"
)
QUESTIONS = (Question("first-throws", 0.1, play_first_throws),)


def tell(found: Mapping[str, Found]) -> list[Figure]:
    """The answers to this game's own questions."""
    games = found["games"]
    return [
        Figure(
            "bets-right",
            "Les Évadés: which bets win",
            "The seven colours begin at the same windows and move by the same dice, so before the first throw all 630 "
            "bets are worth the same: nothing could be plotted there but noise. What tells winners from losers is "
            "which part of the bet came true. Shown is the share of bets on each boat that did; winners are those who "
            "won alone.",
            "share",
            [group for setting, rows in games.items() for group in right_by_boat(setting, rows)],
        ),
        Figure(
            "bets-agree",
            "Les Évadés: like the others or alone",
            "Bets differ in how far they agree with the others': two bets agree by the points that a pawn bet into the "
            "same boat would bring both. Seats are grouped by their mean agreement with the other bets; a shared win "
            "is split. With two players both agree alike and share alike, so only three and more are shown.",
            "share",
            [by_agreement(setting, rows) for setting, rows in games.items() if setting.players > 2],
        ),
        Figure(
            "bets-points",
            "Les Évadés: points",
            "What the seats made of 16 points; games that nobody won are left out.",
            "points",
            [by_points(setting, rows) for setting, rows in games.items()],
        ),
        Figure(
            "first-throws",
            "Les Évadés: the first throw",
            "Each deal (all bets, and every die of every turn) was played once for each kind of first throw, named "
            "after the boats into which the first seat has bet the three pawns; everything after it is the network's "
            "choice. Shown is the first seat's share of the win less the mean of all kinds on the same deal: first by "
            "kind, over all numbers of players, then by how many of the three pawns are bet into boats 1 and 2.",
            "chance",
            by_first(found["first-throws"]),
        ),
    ]


def parts(setting: Setting, rows: Reals) -> dict[str, Reals]:
    """What a row of `play` has, by name; the bets come true by boat and seat."""
    n = setting.players
    names, widths = ("shares", "lasted", "made", "agreement", "right"), (n, 2, n, n, BOATS * n)
    cut = np.split(rows, np.cumsum(widths)[:-1], axis=1)
    return dict(zip(names, cut, strict=True))


def right_by_boat(setting: Setting, rows: Reals) -> list[Group]:
    """How often bets on each boat come true, for those who win alone and for the others of decided games."""
    has = parts(setting, rows)
    right = has["right"].reshape(len(rows), BOATS, setting.players)
    won, decided = (has["shares"] == 1) * 1.0, has["shares"].sum(axis=1) > 0
    groups = []
    for name, chosen in (("winners", won), ("the others", (has["shares"] == 0) * 1.0)):
        some = decided & (chosen.sum(axis=1) > 0)
        told = [
            ratio(
                f"boat {boat + 1}",
                (right[some, boat] * chosen[some]).sum(axis=1),
                chosen[some].sum(axis=1) * (2 if boat + 1 < BOATS else 1),
            )
            for boat in range(BOATS)
        ]
        groups.append(Group(f"{setting}: {name}", told))
    return groups


def by_agreement(setting: Setting, rows: Reals) -> Group:
    """The share of the win by how far a seat's bet agrees with the others."""
    has = parts(setting, rows)
    edges = (0.0, 1.0, 2.0, 3.0, 4.0, 17.0)
    told = []
    for low, high in pairwise(edges):
        inside = ((has["agreement"] >= low) & (has["agreement"] < high)) * 1.0
        label = f"{low:.0f} to under {high:.0f} points" if high < 17 else f"{low:.0f} points or more"
        if inside.sum() > 1:
            told.append(ratio(label, (has["shares"] * inside).sum(axis=1), inside.sum(axis=1)))
    return Group(str(setting), told, 1 / setting.players)


def by_points(setting: Setting, rows: Reals) -> Group:
    """The points of the best and of the last seat."""
    has = parts(setting, rows)
    made = has["made"][has["shares"].sum(axis=1) > 0]
    best, last = (mean(label, row, spread=True) for label, row in (("best", made.max(1)), ("last", made.min(1))))
    return Group(str(setting), [best, last])


def by_first(found: Found) -> list[Group]:
    """What each kind of first throw brings against the mean of all, and those with more or fewer early pawns."""
    beyond = {one: rows[:, :-1] - rows[:, :-1].mean(axis=1, keepdims=True) for one, rows in found.items()}
    every = np.concatenate([*beyond.values()]) if beyond else np.zeros((0, len(THROWS)))
    kinds = [mean("boats " + " ".join(map(str, boats)), every[:, kind]) for kind, boats in enumerate(THROWS)]
    groups = (
        [Group("by kind, all numbers of players", sorted(kinds, key=lambda row: -row.value), 0.0)] if beyond else []
    )
    early = np.array([sum(boat <= 2 for boat in boats) for boats in THROWS])
    for setting, rows in beyond.items():
        told = [mean(f"{pawns} of boats 1 and 2", rows[:, early == pawns].mean(axis=1)) for pawns in range(4)]
        own = THROWS[int(np.bincount(found[setting][:, -1].astype(int)).argmax())]
        groups.append(Group(f"{setting}; the network throws boats {' '.join(map(str, own))}", told, 0.0))
    return groups
