"""Cartagena studied: games of the network's player, and what only this game can be asked."""

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from escapade.bots.cartagena.turns import length, nth_of
from escapade.bots.cartagena.whole import ALL, BEAM, CHANGES, PLACES, Player, play_turn_in
from escapade.cartagena.editions import FIRST_EDITION
from escapade.cartagena.kernel import RETREAT
from escapade.simulate import limited
from escapade.study.figures import (
    Figure,
    Found,
    Group,
    Question,
    Reals,
    Row,
    Setting,
    between,
    mean,
    noise_of,
    paired,
)

NAMES = tuple(FIRST_EDITION["classic"].values())
GAMES = 20  # on each tunnel
HANDS = (0, 3, 6, 9, 12, 15, 120)  # cards in hand, counted together up to the next

# First turns by what they do: pirates out of prison, on, and back.
TURNS = ((3, 0, 0), (2, 1, 0), (1, 2, 0), (2, 0, 1), (2, 0, 0), (1, 1, 0), (1, 0, 0), (0, 0, 0))
TURN_NAMES = (
    "three pirates out", "two out, one of them on", "one out and twice on", "two out, one back for cards",
    "two out, and stop", "one out, on, and stop", "one out, and stop", "pass",
)  # fmt: skip


def seat(setting: Setting) -> Player:
    """A player of a setting's deals."""
    return Player(limited(setting.edition), setting.players, setting.seed)


def play(setting: Setting, first: int, count: int) -> Reals:
    """Games of equals: every seat's share of the win, turns and actions."""
    player, rows = seat(setting), np.zeros((count, setting.players + 2))
    for k in range(count):
        player.deal(first + k)
        winner, *rest = player.play(first + k)
        rows[k, : setting.players] = np.arange(setting.players) == winner
        rows[k, setting.players :] = rest
    return rows


def duel(setting: Setting, first: int, count: int, slips: int, width: int = BEAM) -> Reals:
    """Deals played from both sides, by the player and one who slips or has another beam: its share each time."""
    player, rows = seat(setting), np.zeros((count, 2))
    for k in range(count):
        for side in range(2):
            player.deal(first + k)
            widths, spoilt = np.array([BEAM, width]), np.array([0, slips])
            winner, *_ = player.play(first + k, np.roll(widths, side), np.roll(spoilt, side))
            rows[k, side] = winner == side if winner >= 0 else 0.5
    return rows


def play_tunnels(setting: Setting, first: int, count: int) -> Reals:
    """Tunnels, each with several deals: how many, the first seat's wins, and the mean of the turns and its variance."""
    player, rows, turns = seat(setting), np.zeros((count, 4)), np.zeros(GAMES)
    for k in range(count):
        player.deal(first + k)
        spaces = player.states["spaces"].copy()
        for game in range(GAMES):
            deal = (1 << 20) + (first + k) * GAMES + game
            player.deal(deal)
            player.states["spaces"] = spaces
            winner, turns[game], _ = player.play(deal)
            rows[k, :2] += winner >= 0, winner == 0
        rows[k, 2:] = turns.mean(), turns.var(ddof=1)
    return rows


def judge_positions(setting: Setting, first: int, count: int) -> Reals:
    """One turn's beginning of each game, any of them: cards in hand, chances by hand, spreads by place of the row."""
    player, rows = seat(setting), np.zeros((count, 1 + CHANGES + PLACES))
    for k in range(count):
        player.deal(first + k)
        _, turns, _ = player.play(first + k)
        held, hands, places = player.judge_any(first + k, turns)
        rows[k] = np.concatenate([[held], hands, places])
    return rows


def type_of(turn: int) -> int:
    """What a first turn does, as a place in TURNS, or -1."""
    actions = [int(nth_of(turn, k)) for k in range(int(length(turn)))]
    out = sum(action & 63 == 0 and action >> 6 < RETREAT for action in actions)
    back = sum(action >> 6 == RETREAT for action in actions)
    on = sum(action & 63 > 0 and action >> 6 < RETREAT for action in actions)
    return TURNS.index((out, on, back)) if (out, on, back) in TURNS else -1


def play_first_turns(setting: Setting, first: int, count: int) -> Reals:
    """Deals with the best first turn of each type: whether it wins, what the network says, and the player's choice."""
    player, rows = seat(setting), np.full((count, 2 * len(TURNS) + 1), np.nan)
    for k in range(count):
        player.deal(first + k)
        begun, luck = player.states.copy(), player.table.luck.copy()
        values, turns = player.list_turns()
        types = [type_of(turn) for turn in turns]
        rows[k, -1] = types[0]
        for kind in {kind for kind in types if kind >= 0}:
            value, turn = max(
                (value, turn) for value, turn, own in zip(values, turns, types, strict=True) if own == kind
            )
            player.states[:], player.table.luck[:] = begun, luck
            play_turn_in(player.states, player.table, turn)
            rows[k, kind], rows[k, len(TURNS) + kind] = player.play(first + k)[0] == 0, value
    return rows


def meet_wider(setting: Setting, first: int, count: int) -> Reals:
    """Deals played from both sides by the player and by one whose beam keeps every turn."""
    return duel(setting, first, count, 0, ALL)


def for_two(setting: Setting) -> bool:
    """Whether two play, between whom a seat's gain is the other's loss."""
    return setting.players == 2


def for_two_or_four(setting: Setting) -> bool:
    """Whether two play or four: positions take long to judge."""
    return setting.players in (2, 4)


PLAYER = (
    f"the <b>network</b> with a beam of {BEAM}: a whole turn is planned by the one for so many players, and after "
    f"each action only the {BEAM} best turns begun are gone on with; a certain win is always found. It does not "
    "remember what a reshuffle tells of the others' hands"
)
QUESTIONS = (
    Question("mate", 0.1, meet_wider, for_two),
    Question("tunnels", 0.05, play_tunnels, for_two),
    Question("positions", 0.2, judge_positions, for_two_or_four),
    Question("first-turns", 0.25, play_first_turns, for_two),
)


def tell(found: Mapping[str, Found]) -> list[Figure]:
    """The answers to this game's own questions."""
    return [
        Figure(
            "player",
            "Cartagena: the player of this study against one without a beam",
            "Deals played from both sides against a player who looks at every turn: the share that the player "
            "of this study wins. At a half, nothing is lost by its beam.",
            "share",
            [Group("two players", [paired(one.edition, rows) for one, rows in found["mate"].items()], 0.5)],
        ),
        Figure(
            "tunnels",
            "Cartagena: tunnels that favour a seat",
            f"Each of many tunnels, laid by chance from the printed segments, was played {GAMES} times with other "
            "cards. Single tunnels differ by chance alone, so no best or worst is shown; what is told is how far their "
            "true shares for the first seat lie apart, as a standard deviation (a random effect: the variance between "
            "tunnels less that of chance; the interval has what would make the figures seen nothing unusual).",
            "chance",
            [Group("first seat, two players", by_tunnel(found["tunnels"]), 0.0)],
        ),
        Figure(
            "tunnel-length",
            "Cartagena: tunnels that take long",
            "The same for the length of the game: how far tunnels lie apart in their mean number of turns, beyond "
            "chance, as a standard deviation.",
            "turns",
            [Group("two players", by_long_tunnel(found["tunnels"]), 0.0)],
        ),
        Figure(
            "card",
            "Cartagena: the worth of a card",
            "One turn's beginning of each of some games, any of them with the same chance. The seat to act is given a "
            "card more, and what that adds to its winning chance after its best turn, by the network's judgement, is "
            "its worth: the mean over the six symbols; then by how many cards it held before.",
            "chance",
            by_hand(found["positions"]),
        ),
        Figure(
            "symbols",
            "Cartagena: the worth of each symbol",
            "The same by the symbol of the card, less the mean of the six in the same position. The printed segments "
            "do not treat the symbols alike, so they may differ; an interval that holds 0 says that no difference was "
            "found.",
            "chance",
            by_symbol(found["positions"]),
        ),
        Figure(
            "row",
            "Cartagena: the worth of a place in the row",
            "In the same positions the card on one place of the row is changed into each of the six symbols: by how "
            "much that changes the chance of the seat to act after its best turn, as a standard deviation over the "
            "symbols. For comparison the same for a further card in its own hand.",
            "chance",
            [by_place(one, rows) for one, rows in found["positions"].items() if for_two(one) and has_row(rows)],
        ),
        Figure(
            "first-turns",
            "Cartagena: the first turn",
            "The first seat's first turn, by what it does. On each deal the best turn of each type, as the network "
            "judges it, was played once, and then on by the player of this study with the same cards in the pile. "
            "Shown is how often it won, less how often the type that the player takes on that deal did.",
            "chance",
            [by_first_turn(name, rows) for name, rows in with_all(found["first-turns"])],
        ),
        Figure(
            "first-turns-judged",
            "Cartagena: the first turn as the network judges it",
            "The same turns, and what the network itself says of them. That is finer than counting wins, but the "
            "network's own opinion: it flatters what the player takes, which is its highest number on every deal.",
            "chance",
            [by_judged_turn(name, rows) for name, rows in with_all(found["first-turns"])],
        ),
    ]


def by_tunnel(found: Found) -> list[Row]:
    """How far the first seat's shares lie apart from tunnel to tunnel, in each edition and in all of them."""
    shares = {one.edition: tunnel_shares(rows) for one, rows in found.items()}

    def words(alone: float) -> str:
        return f"were all alike, chance would show up to {100 * alone:.1f} points"

    pooled = [between("all editions", [*shares.values()], words)] if len(shares) > 1 else []
    return [between(name, [own], words) for name, own in shares.items()] + pooled


def tunnel_shares(rows: Reals) -> tuple[Reals, Reals]:
    """The first seat's share on each tunnel, and its variance by chance."""
    tries, wins = rows[rows[:, 0] > 1, :2].T
    return wins / tries, noise_of(wins / tries, tries)


def by_long_tunnel(found: Found) -> list[Row]:
    """How far the mean lengths lie apart from tunnel to tunnel."""

    def words(alone: float) -> str:
        return f"were all alike, chance would show up to {alone:.1f} turns"

    return [between(one.edition, [(rows[:, 2], rows[:, 3] / GAMES)], words) for one, rows in found.items()]


def worth_of(rows: Reals) -> Reals:
    """What a card more is worth in each position, the mean over the symbols."""
    worth: Reals = rows[:, 2 : 1 + CHANGES].mean(axis=1) - rows[:, 1]
    return worth


def by_hand(found: Found) -> list[Group]:
    """What a card more is worth in each setting, and by how many there are."""
    groups = [Group("to any hand", [mean(str(one), worth_of(rows)) for one, rows in found.items()], 0.0)]
    for players in sorted({setting.players for setting in found}):
        rows = np.concatenate([rows for setting, rows in found.items() if setting.players == players])
        told = []
        for least, beyond in pairwise(HANDS):
            some = rows[(rows[:, 0] >= least) & (rows[:, 0] < beyond)]
            label = f"{least} or more" if beyond == HANDS[-1] else f"{least} to {beyond - 1}"
            if len(some) > 1:
                told.append(mean(f"{label} cards", worth_of(some)))
        groups.append(Group(f"by cards in hand, all editions, {players} players", told, 0.0))
    return groups


def by_symbol(found: Found) -> list[Group]:
    """What a card of each symbol is worth beyond the mean of all."""
    chances = np.concatenate([rows[:, 2 : 1 + CHANGES] for rows in found.values()]) if found else np.zeros((0, 6))
    beyond = chances - chances.mean(axis=1, keepdims=True)
    told = [mean(name, beyond[:, symbol]) for symbol, name in enumerate(NAMES)] if len(beyond) > 1 else []
    return [Group("all editions, two and four players", told, 0.0)]


def has_row(rows: Reals) -> bool:
    """Whether there is a row to take cards from."""
    return not np.isnan(rows[:, 1 + CHANGES :]).all()


def by_place(setting: Setting, rows: Reals) -> Group:
    """How much hangs on each place of the row."""
    told = [mean("a card in hand", rows[:, 2 : 1 + CHANGES].std(axis=1))]
    for place in range(PLACES):
        spreads = rows[:, 1 + CHANGES + place]
        if (~np.isnan(spreads)).sum() > 1:
            told.append(mean(f"place {place + 1}", spreads[~np.isnan(spreads)]))
    return Group(str(setting), told, 0.0)


def with_all(found: Found) -> list[tuple[str, Reals]]:
    """The rows of every setting and, where there are several, of all together."""
    every = [("all editions, 2 players", np.concatenate([*found.values()]))] if len(found) > 1 else []
    return [*every, *((str(setting), rows) for setting, rows in found.items())]


def by_first_turn(label: str, rows: Reals) -> Group:
    """What each type of first turn brings, against the one that the player takes."""
    taken = rows[:, -1].astype(int)
    own = rows[np.arange(len(rows)), taken]
    told = []
    for kind, name in enumerate(TURN_NAMES):
        there = ~np.isnan(rows[:, kind])
        if there.sum() > 1:
            note = (
                f"wins {rows[there, kind].mean():.1%}; the player's choice on {(taken == kind).mean():.0%} of the deals"
            )
            told.append(mean(name, (rows[:, kind] - own)[there], note))
    return Group(label, sorted(told, key=lambda row: -row.value), 0.0)


def by_judged_turn(label: str, rows: Reals) -> Group:
    """What the network says of each type of first turn, against the one that the player takes."""
    judged = rows[:, len(TURNS) : -1]
    own = judged[np.arange(len(rows)), rows[:, -1].astype(int)]
    told = [
        mean(name, (judged[:, kind] - own)[~np.isnan(judged[:, kind])])
        for kind, name in enumerate(TURN_NAMES)
        if (~np.isnan(judged[:, kind])).sum() > 1
    ]
    return Group(label, sorted(told, key=lambda row: -row.value), 0.0)
