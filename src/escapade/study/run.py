"""A study: every question asked in every setting, the same rows for any number of processes, and figures of them.

What is asked of every kind of game is here: who wins by seat, how long games are, how far luck decides. The rest is in
the kind's own module.
"""

import hashlib
from collections.abc import Generator, Iterable, Sequence
from functools import partial
from math import ceil
from typing import TypeAlias

import numpy as np

from escapade.cluster import Workers
from escapade.game import Invalid
from escapade.games import Kind, editions, kind_of, kinds, new
from escapade.simulate import TURN_LIMIT, in_order, limited
from escapade.study.figures import Figure, Found, Group, Question, Reals, Row, Setting, mean, paired, share

OFFICERS = ("quartermaster", "helmsman", "boatswain")
RIVALS = (*OFFICERS, "careless")  # officers never think of the others in some turns, the careless in all
CHUNK = 10  # rows that a process works on at a time

Task: TypeAlias = tuple[str, Setting, int, int]  # a question, where it is asked, the first row and how many
Answers: TypeAlias = dict[str, dict[Setting, Reals]]  # the rows of every question


def settings(named: Sequence[str], players: Sequence[int], seed: int) -> list[Setting]:
    """What is played: all that there are networks for, or what is named, if it can be studied."""
    found = []
    for edition in named or editions(kinds().values()):
        kind = kind_of(edition)
        for count in players or kind.players:
            if named and players:
                kind.check_players(count, edition)
            if count in kind.players and can_study(kind, edition, count):
                found.append(Setting(edition, count, seed))
            elif named and players:
                raise Invalid(f"{edition}: there is no network for {count} players under these rules, so no study")
    if not found:
        raise Invalid(f"nothing to study: no network plays {', '.join(named) or 'any edition'} with so many players")
    return found


def can_study(kind: Kind, edition: str, players: int) -> bool:
    """Whether a network plays an edition with so many."""
    return kind.study is not None and kind.bots.net_for(new(limited(edition), players, seed=0)) is not None


def questions(kind: Kind) -> list[Question]:
    """All that is asked of a kind of game."""
    assert kind.study
    between_two = Question("duels", 0.25, partial(play_duels, kind), lambda setting: setting.players == 2)
    return [Question("games", 1.0, kind.study.play), between_two, *kind.study.QUESTIONS]


def play_duels(kind: Kind, setting: Setting, first: int, count: int) -> Reals:
    """Deals played from both sides against each rival: the better player's shares."""
    assert kind.study
    slips = [*(kind.bots.BOTS[officer][1]["slips"] for officer in OFFICERS), 100]
    return np.concatenate([kind.study.duel(setting, first, count, some) for some in slips], axis=1)


def tasks(asked: Iterable[Setting], games: int) -> list[Task]:
    """The work in pieces, in the order in which it is put together again."""
    found = []
    for setting in asked:
        for question in questions(kind_of(setting.edition)):
            rows = max(2, ceil(question.share * games))
            if question.fits(setting):
                pieces = range(0, rows, CHUNK)
                found += [(question.name, setting, first, min(CHUNK, rows - first)) for first in pieces]
    return found


def work(name: str, setting: Setting, first: int, count: int) -> Reals:
    """Some rows of a question, whose luck is its own."""
    question = next(one for one in questions(kind_of(setting.edition)) if one.name == name)
    digest = hashlib.sha256(f"study {setting.seed} {name} {setting.edition} {setting.players}".encode()).digest()
    return question.work(setting._replace(seed=int.from_bytes(digest[:7], "big")), first, count)


def ask(todo: Sequence[Task], jobs: Workers, answers: Answers) -> Generator[int, None, None]:
    """Work on all tasks, and yield how many rows each had, once it is among the answers."""
    for (name, setting, _, count), rows in zip(todo, in_order(work, todo, jobs), strict=True):
        known = answers.setdefault(name, {})
        known[setting] = np.concatenate([known[setting], rows]) if setting in known else rows
        yield count


def tell(answers: Answers) -> list[Figure]:
    """All figures: those of every kind, then each kind's own."""
    games, duels = answers["games"], answers.get("duels", {})
    figures = [*tell_games(games), *(tell_luck(duels) if duels else [])]
    for kind in {kind_of(setting.edition).name: kind_of(setting.edition) for setting in games}.values():
        assert kind.study
        own = {
            name: {setting: rows for setting, rows in found.items() if kind_of(setting.edition) is kind}
            for name, found in answers.items()
        }
        asked = {question.name: own.get(question.name, {}) for question in questions(kind)}
        figures += [figure for figure in kind.study.tell(asked) if any(group.rows for group in figure.groups)]
    return figures


def tell_games(games: Found) -> list[Figure]:
    """Who wins by seat, and how long that takes."""
    turns, actions = (
        [length_row(setting, rows[:, setting.players + place]) for setting, rows in games.items()] for place in range(2)
    )
    return [
        Figure(
            "seats",
            "Who wins: the seats",
            "Games of equals. Seat 1 plays first. A dot is the share of games that a seat won alone, with Wilson's "
            "interval; the line marks an equal share for all. Games that were drawn, or won by several, are apart, so "
            "where there are many of them all seats may lie below the line.",
            "share",
            [*by_seat_in_all(games), *(by_seat(str(one), one.players, rows) for one, rows in games.items())],
        ),
        Figure(
            "turns",
            "How long a game is, in turns",
            "Turns of all seats together: the mean with its interval, and as a pale band where nine games in ten lie. "
            f"A game is broken off after {TURN_LIMIT:,} turns, and drawn.",
            "turns",
            [Group("all games", turns)],
        ),
        Figure(
            "actions",
            "How long a game is, in actions",
            "The same in actions, as a record lists them; with cards, the dot that ends a turn early is not counted.",
            "actions",
            [Group("all games", actions)],
        ),
    ]


def by_seat_in_all(games: Found) -> list[Group]:
    """The same over all editions of a kind, where there are several."""
    together: dict[tuple[str, int], list[Reals]] = {}
    for setting, rows in games.items():
        together.setdefault((kind_of(setting.edition).title, setting.players), []).append(rows)
    return [
        by_seat(f"{title}, all editions, {players} players", players, np.concatenate(some))
        for (title, players), some in together.items()
        if len(some) > 1
    ]


def by_seat(label: str, players: int, rows: Reals) -> Group:
    """How often each seat won alone, and games without a single winner."""
    shares = rows[:, :players]
    alone = (shares == 1).sum(axis=0)
    told = [share(f"seat {seat}", int(wins), len(rows)) for seat, wins in enumerate(alone, 1)]
    drawn, shared = int((shares.sum(axis=1) == 0).sum()), int(((shares > 0) & (shares < 1)).any(axis=1).sum())
    told += [share(name, some, len(rows)) for name, some in (("shared", shared), ("drawn", drawn)) if some]
    return Group(label, told, 1 / players)


def length_row(setting: Setting, lengths: Reals) -> Row:
    """The length of games."""
    low, middle, high = np.percentile(lengths, (5, 50, 95))
    note = f"median {middle:.0f}, nine in ten {low:.0f} to {high:.0f}"
    return mean(str(setting), lengths, note, spread=True)


def tell_luck(duels: Found) -> list[Figure]:
    """How far the better player wins, and how often the deal decides."""
    return [
        Figure(
            "skill",
            "Skill: how often the better player wins",
            "Two players, the player of this study against weaker ones: they plan some turns (quartermaster, helmsman, "
            "boatswain) or all (careless) as one who never thinks of the others; in every edition the officers are "
            "as they are where there are secrets. Each deal was played from both sides; a drawn or shared game "
            "counts half, and the interval is for deals.",
            "share",
            [Group(str(setting), [skill_row(rival, rows) for rival in range(len(RIVALS))], 0.5)
             for setting, rows in duels.items()],
        ),
        Figure(
            "luck",
            "Luck: how often the deal decides",
            "The same deals. Where one seat won both games, whoever sat there, its place and its cards or dice have "
            "decided; where one player won both, skill has. Two equals who always do the same would make it 100 %.",
            "share",
            [Group(str(setting), [luck_row(rival, rows) for rival in range(len(RIVALS))])
             for setting, rows in duels.items()],
        ),
    ]  # fmt: skip


def skill_row(rival: int, rows: Reals) -> Row:
    """The better player's share against a rival."""
    return paired(f"against the {RIVALS[rival]}", rows[:, 2 * rival : 2 * rival + 2])


def luck_row(rival: int, rows: Reals) -> Row:
    """How often the same seat won a deal from both sides; the first column is the better player's share in seat 1."""
    first, second = rows[:, 2 * rival], rows[:, 2 * rival + 1]
    better, weaker = (int(((first == won) & (second == won)).sum()) for won in (1, 0))
    seat = int((((first == 1) & (second == 0)) | ((first == 0) & (second == 1))).sum())
    note = f"the better player won both on {better / len(rows):.0%}, the weaker on {weaker / len(rows):.0%}"
    return share(f"against the {RIVALS[rival]}", seat, len(rows), note)
