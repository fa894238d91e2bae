"""A table is the fold of its events: one pass over what stands, the same as playing, taking back and playing again."""

import random

import pytest

from escapade.game import Game, bare
from escapade.server import showing, table
from escapade.server.events import Event, Opened, Played, Spoken, TakenBack, read_event, write_event
from escapade.server.messages import Place, Refused, Setup
from escapade.server.opening import new_game, open_table
from escapade.server.table import MOST_EVENTS, MOST_UNDOS, Done, Table

BETS = ("bet:br.yl.do.n", "bet:yo.bn.rl.d", "bet:dn.bo.ry.l")
KEYS = ("one", "two", "three")


def opened(game: str, seed: int, shared: bool) -> Table:
    """A table of three people, who may share one screen."""
    places = [Place(colour=seat, name=f"Seat {seat}", mine=True) for seat in range(3)]
    first = open_table(Setup(game=game, seats=places), "key", random.Random(seed).randbytes(32), 0, 1000.0)
    for chair, key in zip(first.chairs, KEYS, strict=True):
        chair.key = "all" if shared else key
    return Table("t", first)


def at_random(game: str, seed: int, steps: int) -> tuple[Table, list[bytes]]:
    """A table at which people play, take back and talk at random, and its events."""
    lucky, shared = random.Random(seed), bool(seed % 2)
    found = opened(game, seed, shared)
    events: list[Event] = [found.opened]
    now = 1000.0
    while len(events) < steps and found.game and not found.game.over:
        now += lucky.choice((0.1, 1.0, 4.0))
        held = frozenset({1, 2, 3}) if shared else frozenset({lucky.randint(1, 3)})
        seat, what = found.actor(held), lucky.random()
        if what < 0.05:
            events.append(found.say(held, "Ahoy"))
        elif what < 0.4 and found.undoable(held, now)[0]:
            undone = found.undo(held, found.version, now)
            assert undone
            events.append(undone)
        elif seat:
            offers = found.game.offers(seat)
            action = lucky.choice(BETS if offers == ["bet"] else offers)
            events.append(found.act(seat, action, now))
    return found, [write_event(event) for event in events]


class Naive:
    """What the events say, word for word: whatever is taken back, the whole game is played again without it."""

    def __init__(self, events: list[bytes]) -> None:
        first, *rest = map(read_event, events)
        assert isinstance(first, Opened)
        self.opened = first
        self.history: list[tuple[int, str]] = []
        self.played: list[Played] = []
        self.chat: list[str] = []
        self.game, self.moves = self.again()
        for event in rest:
            match event:
                case Played():
                    self.played.append(event)
                    self.history.append((event.seat, bare(event.action)))
                case TakenBack():
                    last = max(i for i, action in enumerate(self.played) if action.seat == event.seat)
                    del self.played[last]
                    self.history.append((event.seat, "undo"))
                case Spoken():
                    self.chat.append(event.text)
            if not isinstance(event, Spoken):
                self.game, self.moves = self.again()

    def again(self) -> tuple[Game, list[Done]]:
        """The game of the actions that stand, and those as a table notes them."""
        game, moves = new_game(self.opened), []
        for action in self.played:
            turn, face_down = game.turn, game.face_down
            token = game.play(action.action, action.seat)
            revealed = "=" in token or "~" in token or game.face_down != face_down
            moves.append(Done(action.seat, turn, token, action.at, revealed, action.final, action.late))
        return game, moves


def same(one: Table, other: Table | Naive) -> None:
    """Nothing that can be asked of one table is answered differently by the other."""
    assert one.moves == other.moves
    assert one.history == other.history
    assert one.game
    assert other.game
    assert (str(one.game), one.game.turns, one.game.sealed) == (str(other.game), other.game.turns, other.game.sealed)
    assert (one.game.waiting(), one.game.result) == (other.game.waiting(), other.game.result)
    for seat in (None, 1, 2, 3):
        assert one.game.view(seat) == other.game.view(seat)
    assert {**one.game.tags, "Date": ""} == {**other.game.tags, "Date": ""}
    assert one.game.legal_actions() == other.game.legal_actions()


@pytest.mark.parametrize("game", ["jamaica", "tortuga", "first-escape", "evades"])
def test_the_fold_is_what_playing_and_taking_back_came_to(game: str) -> None:
    undos = 0
    for seed in range(16):
        live, events = at_random(game, seed, 20 + 25 * (seed % 4))
        folded, naive = Table.fold("t", events), Naive(events)
        same(live, naive)
        same(folded, naive)
        assert [line.text for line in folded.chat] == naive.chat == [line.text for line in live.chat]
        assert (folded.version, folded.seq) == (len(naive.history), len(events)) == (live.version, live.seq)
        assert folded.second_thoughts == live.second_thoughts
        undos += live.second_thoughts.total()
        for held in (frozenset({1}), frozenset({2}), frozenset({1, 2, 3})):
            for now in (live.moves[-1].at + 1 if live.moves else 0.0, 1e9):
                assert showing.state(folded, held, now, 0.0) == showing.state(live, held, now, 0.0)
            assert folded.record(held) == live.record(held)
    assert undos > 40


@pytest.mark.parametrize("game", ["jamaica", "evades"])
def test_a_table_read_back_in_the_middle_goes_on_as_if_it_had_never_been_away(game: str) -> None:
    """Taking back starts from the games that a fold has kept, which are not those of the one who played."""
    for seed in range(8):
        _, events = at_random(game, seed, 90)
        for cut in (10, 40, 70):
            gone_on = Table.fold("t", events[:cut])
            for event in events[cut:]:
                gone_on.apply(event)
            same(gone_on, Table.fold("t", events))


def test_an_action_is_taken_back_as_quickly_at_the_end_of_a_long_game_as_at_its_beginning() -> None:
    """Counted in actions that are played again, not in time."""
    played: list[int] = []
    found = long_game(4000)
    assert found.game
    play = type(found.game).play

    def counted(self: Game, action: str, seat: int | None = None) -> str:
        played.append(1)
        done: str = play(self, action, seat)
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(found.game), "play", counted)
        for _ in range(150):  # by one who holds every seat and is quick, so that turn after turn is taken back
            played.clear()
            found._take_back(found.moves[-1].seat)
            assert len(played) <= table.KEPT_LONG
    assert len(found.moves) == 3850
    assert len(found.kept) <= 4000 / table.KEPT_LONG + 3


def long_game(actions: int) -> Table:
    """A game in which nobody wants to win: pirates go forth and back."""
    found, lucky = opened("jamaica", 1, shared=True), random.Random(1)
    assert found.game
    while len(found.moves) < actions:
        legal = found.game.legal_actions()
        back = [action for action in legal if "<" in action]
        found.act(found.game.seat, lucky.choice(back or legal), 0.0)
    return found


def test_the_same_action_is_not_taken_back_for_ever() -> None:
    found = opened("evades", 1, shared=False)
    one, two = frozenset({1}), frozenset({2})
    for _ in range(MOST_UNDOS):
        found.play(one, found.version, BETS[0], 0.0)
        assert showing.state(found, one, 0.0, 0.0).undo
        found.undo(one, found.version, 0.0)
    found.play(one, found.version, BETS[0], 0.0)
    assert not showing.state(found, one, 0.0, 0.0).undo
    with pytest.raises(Refused, match="no-undo"):
        found.undo(one, found.version, 0.0)
    found.play(two, found.version, BETS[1], 0.0)
    assert found.undo(two, found.version, 0.0)  # that is another one's


def test_a_table_at_which_too_much_has_happened_takes_no_more_and_waits_for_nobody() -> None:
    found = opened("jamaica+turn-limit=9", 1, shared=True)
    assert found.game
    found.opened.clock = 60
    everyone = frozenset({1, 2, 3})
    found.seq = MOST_EVENTS // 2
    with pytest.raises(Refused, match="full"):
        found.say(everyone, "Ahoy")
    found.play(everyone, 0, found.game.legal_actions()[0], 0.0)
    assert found.due(0.0) is not None
    found.seq = MOST_EVENTS
    with pytest.raises(Refused, match="full"):
        found.play(everyone, 1, found.game.legal_actions()[0], 0.0)
    with pytest.raises(Refused, match="full"):
        found.undo(everyone, 1, 0.0)
    assert found.due(0.0) is None


@pytest.mark.parametrize("game", ["first-escape", "evades"])
def test_turns_without_a_move_are_counted_right_when_some_are_taken_back(game: str) -> None:
    """No text tells how often everyone has passed; what is kept for an undo has it, and so has a fold (C20, G14)."""
    start = "evades 22:no,#1:br,#2:yl,#3:d br.yl.do.n/ln.bo.rd.y/rl.bn.yd.o - - 1:31" if game == "evades" else None
    places = [Place(colour=seat, name=f"Seat {seat}", mine=True) for seat in range(3)]
    found = Table("t", open_table(Setup(game=game, seats=places, start=start), "key", bytes(32), 0, 1000.0))
    events, everyone = [write_event(found.opened)], frozenset({1, 2, 3})
    for turn in range(1, 10):
        assert found.game
        assert not found.game.over
        actions = ["roll:nw", "."] if game == "evades" else ["."]
        events += [write_event(found.act(found.game.seat, action, 1000.0 + turn)) for action in actions]
        if turn % 4 == 0:
            undone = found.undo(everyone, found.version, 1000.0 + turn)
            assert undone
            events += [write_event(undone), write_event(found.act(found.game.seat, ".", 1000.0 + turn))]
    for one in (found, Table.fold("t", events)):
        assert one.game
        assert (one.game.over, one.game.result, one.game.turn) == (True, "=", 40 if game == "evades" else 10)
        assert showing.state(one, everyone, 2000.0, 0.0).scores == (None if game == "evades" else [0, 0, 0])
