"""Forced wins: the oracles confirm each by exhaustive search, and bots must find them."""

from collections.abc import Iterator
from copy import deepcopy
from itertools import permutations

import pytest
from oracle.cartagena import Cartagena
from oracle.evades import BOATS, PAWNS, Evades, all_bets
from positions.forced_wins import CARTAGENA, EVADES, FORCED, Task

import escapade
from escapade.bots import make

CARTAGENA_BOTS = ["gunner(slips=100)", "buccaneer", "captain", "legend"]
CARTAGENA_LOSS_BOTS = ["captain", "legend"]
EVADES_BOTS = ["captain", "legend"]

WINS = [task for task in CARTAGENA if task.kind == "win"]
PARRIES = [task for task in CARTAGENA if task.kind == "parry"]
NAMES = {task.position: f"{task.kind}-{number}" for number, task in enumerate(FORCED, start=1)}
BETS = [action.removeprefix("bet:") for action in all_bets()]


def name(task: Task) -> str:
    return NAMES[task.position]


def trials(tasks: list[Task], bots: list[str]) -> list[object]:
    """Each task with each bot."""
    return [pytest.param(task, bot, id=f"{name(task)}-{bot}") for task in tasks for bot in bots]


def seen(position: str) -> Cartagena:
    """The oracle without what nobody can see: a card off the pile comes as '?' and is never played."""
    game = Cartagena.parse(position)
    game.pile = ["?"] * len(game.pile)
    return game


def steps(game: Cartagena) -> Iterator[tuple[str, Cartagena]]:
    """Every action by cards that are known, and the game after it."""
    for action, after in zip(game.legal(), game.children(), strict=True):
        if not action.startswith("?"):
            yield action, after


def turns(game: Cartagena) -> Iterator[Cartagena]:
    """The game after every turn that the seat to act could play, duplicates removed."""
    met, waiting = {str(game)}, [game]
    while waiting:
        for _, after in steps(waiting.pop()):
            if str(after) in met:
                continue
            met.add(str(after))
            if after.over or after.turn != game.turn:
                yield after
            else:
                waiting.append(after)


def can_win(game: Cartagena) -> bool:
    """Whether the seat to act can win in this turn."""
    return not game.over and any(game.seat in after.winners for after in turns(game))


def ends_of(before: Cartagena, after: Cartagena) -> list[Cartagena]:
    """The ends of the turn that can follow an action."""
    return list(turns(after)) if not after.over and after.turn == before.turn else [after]


@pytest.mark.parametrize("task", FORCED, ids=name)
def test_a_position_is_whole_and_reads_the_same_in_the_library_and_the_oracle(task: Task) -> None:
    oracle = (Cartagena if task in CARTAGENA else Evades).parse(task.position)
    game = escapade.parse(task.position)
    assert str(game) == str(oracle) == task.position
    assert "?" not in task.position
    assert game.legal_actions() == oracle.legal()
    assert [action for action in oracle.legal() if action in task.best] == list(task.best)
    assert len(task.best) < len(oracle.legal())


@pytest.mark.parametrize("task", WINS, ids=name)
def test_these_first_actions_and_no_others_win_in_this_turn(task: Task) -> None:
    game = seen(task.position)
    best = [action for action, after in steps(game) if any(game.seat in end.winners for end in ends_of(game, after))]
    assert best == list(task.best)


@pytest.mark.parametrize("task", PARRIES, ids=name)
def test_these_first_actions_and_no_others_can_keep_the_next_seat_from_winning(task: Task) -> None:
    game = seen(task.position)
    assert game.rules["hands"] == "open"
    assert not can_win(game)
    safe = {action: [not can_win(end) for end in ends_of(game, after)] for action, after in steps(game)}
    assert [action for action, ends in safe.items() if any(ends)] == list(task.best)
    assert sum(map(len, safe.values())) > sum(map(sum, safe.values())) > 0


def played(game: Evades, token: str) -> Evades:
    """The game after a token."""
    after = deepcopy(game)
    after.play(token)
    return after


def as_bet(game: Evades, seat: int, pawns: str) -> list[bool]:
    """For each of these pawns, whether it is in the boat that the seat bet."""
    boats = game.bets[seat - 1].split(".")
    return [pawn in game.boats[boat] for boat in BOATS for pawn in boats[boat - 1] if pawn in pawns]


def settles(game: Evades, before: Evades, pawns: str) -> bool:
    """Whether the game can be made to end in this turn with these pawns as bet, whatever is thrown."""
    if game.over:
        return all(as_bet(game, before.seat, pawns))
    return game.turn == before.turn and any(
        all(settles(played(game, token), before, pawns) for token in game.outcomes(action)) for action in game.legal()
    )


def is_lost(game: Evades, before: Evades, pawns: str) -> bool:
    """Whether the game ends in this turn with none of these pawns as bet, whatever the seat does."""
    if game.over:
        return not any(as_bet(game, before.seat, pawns))
    return game.turn == before.turn and all(
        is_lost(played(game, token), before, pawns) for action in game.legal() for token in game.outcomes(action)
    )


def under_way(game: Evades) -> str:
    """The pawns that are in no boat yet."""
    return "".join(pawn for pawn in PAWNS if not any(pawn in aboard for aboard in game.boats.values()))


def arrivals(game: Evades) -> list[Evades]:
    """Every way in which the pawns under way could fill the boats."""
    places = [boat for boat, room in BOATS.items() for _ in range(room - len(game.boats[boat]))]
    ends = []
    for order in permutations(under_way(game)):
        end = deepcopy(game)
        for pawn, boat in zip(order, places, strict=True):
            end.board(pawn, boat)
        ends.append(end)
    return ends


def leads(end: Evades, seat: int) -> list[int]:
    """The seat's points less those of every bet that another could have made."""
    return [end.points(end.bets[seat - 1]) - end.points(bet) for bet in BETS]


@pytest.mark.parametrize("task", EVADES, ids=name)
def test_these_actions_and_no_others_settle_or_hold_a_game_of_les_evades(task: Task) -> None:
    game = Evades.parse(task.position)
    pawns = under_way(game)
    assert task.kind == "settle" or not settles(game, game, pawns)
    good = [
        action
        for action in game.legal()
        if all(
            settles(after, game, pawns) if task.kind == "settle" else not is_lost(after, game, pawns)
            for after in (played(game, token) for token in game.outcomes(action))
        )
    ]
    assert good == list(task.best)


@pytest.mark.parametrize("task", EVADES, ids=name)
def test_all_as_bet_is_best_and_none_as_bet_is_worst_against_every_bet(task: Task) -> None:
    game = Evades.parse(task.position)
    pawns, ends = under_way(game), arrivals(game)
    margins = [leads(end, game.seat) for end in ends]
    wanted = all if task.kind == "settle" else (lambda right: not any(right))
    chosen = [margin for end, margin in zip(ends, margins, strict=True) if wanted(as_bet(end, game.seat, pawns))]
    extreme = max if task.kind == "settle" else min
    assert chosen
    assert all(margin == [extreme(column) for column in zip(*margins, strict=True)] for margin in chosen)


def play_turn(task: Task, bot: str) -> tuple[str, escapade.Game]:
    """The bot's first action, and the game after its turn."""
    game = escapade.parse(task.position, seed=1)
    player, seat, first = make(bot, "cartagena" if task in CARTAGENA else "evades", 1), game.seat, ""
    while not game.over and game.seat == seat:
        action = player.choose(game.view(seat), game.legal_actions(), game.record(seat))
        first = first or action
        game.play(action)
    return first, game


@pytest.mark.parametrize(("task", "bot"), trials(WINS, CARTAGENA_BOTS))
def test_a_bot_wins_where_it_can_win_in_this_turn(task: Task, bot: str) -> None:
    first, game = play_turn(task, bot)
    assert first in task.best, task.why
    assert game.winners == (escapade.parse(task.position).seat,), task.why


@pytest.mark.parametrize(("task", "bot"), trials(PARRIES, CARTAGENA_LOSS_BOTS))
def test_a_bot_does_not_let_the_next_seat_win(task: Task, bot: str) -> None:
    _, game = play_turn(task, bot)
    assert not can_win(seen(str(game))), task.why


@pytest.mark.parametrize(("task", "bot"), trials(EVADES, EVADES_BOTS))
def test_a_bot_settles_or_holds_a_game_of_les_evades(task: Task, bot: str) -> None:
    first, game = play_turn(task, bot)
    before, after = Evades.parse(task.position), Evades.parse(str(game))
    assert first in task.best, task.why
    if task.kind == "settle":
        assert game.over
        assert all(as_bet(after, before.seat, under_way(before))), task.why
    else:
        assert not is_lost(after, before, under_way(before)), task.why


def test_the_suite_is_large_and_every_reason_names_a_rule() -> None:
    assert len(WINS) + len(PARRIES) >= 28
    assert len(EVADES) >= 20
    assert len(NAMES) == len(FORCED)
    assert all("(C" in task.why or "(G" in task.why or "G10" in task.why for task in FORCED)
