"""The checker finds what it is there for: logs and stores made up here, right ones and one with each fault."""

from collections.abc import Sequence

import pytest
from server.checker import Change, Event, Owner, Strike, Told, check, check_fences, digest, waits

Rows = list[tuple[int, Event]]
PLAYED = [(1, "B0>5"), (1, "18<17+KB"), (1, "undo"), (2, "bet:br.yl.do.n"), (2, "S0>1")]
SEEN: list[Change] = [(1, "B0>5"), (1, "18<17"), (1, "undo"), (2, "bet"), (2, "S0>1")]
CHOSEN = [(1, "B0>5"), (1, "18<17"), (1, "undo"), (2, "bet:br.yl.do.n"), (2, "S0>1")]
STANDING = [(1, "B0>5"), (2, "bet"), (2, "S0>1")]


def rows(changes: Sequence[tuple[int, str]] = PLAYED) -> Rows:
    """A table's events: these, and then a line of chat."""
    events: list[Event] = [{"type": "opened"}, {"type": "sat", "seat": 2}]
    for seat, what in changes:
        events.append({"type": "undone", "seat": seat} if what == "undo" else played(seat, what))
    events.append({"type": "said", "seat": 1, "text": "Ahoy"})
    return list(enumerate(events, 1))


def played(seat: int, action: str) -> Event:
    return {"type": "played", "seat": seat, "action": action}


def log() -> list[Told]:
    """What two clients say and hear of it: Anne all the time, Bo from the third version on, on his second line."""
    lines = [Told(0, "Anne", 1, "t", "greeted"), Told(1, "Anne", 1, "t", "table", 0, 1, digest([]))]
    for version, (seat, what) in enumerate(CHOSEN):
        at = 10.0 * version + 10
        who, line = ("Anne", 1) if seat == 1 else ("Bo", 2)
        if version == 3:
            lines += [
                Told(at - 2, "Bo", 2, "t", "greeted"),
                Told(at - 1, "Bo", 2, "t", "table", 3, 2, digest(SEEN[:1])),
            ]
        lines.append(Told(at, who, line, "t", "asked", version, seat, what))
        kind = "undone" if what == "undo" else "moved"
        for client, number in (("Anne", 1), ("Bo", 2))[: 1 + (version > 2)]:
            lines.append(Told(at + 1, client, number, "t", kind, version + 1, seat, SEEN[version][1]))
        lines.append(Told(at + 2, who, line, "t", "waited", what=str(at)))
    lines += [Told(60, "Anne", 1, "t", "saying", what="Ahoy")]
    lines += [Told(61, client, line, "t", "said", 0, 1, "Ahoy") for client, line in (("Anne", 1), ("Bo", 2))]
    lines += [Told(70, "Bo", 3, "t", "greeted"), Told(71, "Bo", 3, "t", "table", 5, 2, digest(STANDING))]
    return [*lines, Told(72, "Bo", 3, "t", "again", 4, 2, "S0>1"), Told(73, "Bo", 3, "t", "again", 2, 2, CHOSEN[3][1])]


def sorts(found: list[str]) -> set[str]:
    return {fault.split(":")[0] for fault in found}


def without(number: int) -> Rows:
    return [row for row in rows() if row[0] != number]


def put(told: Told, **fields: object) -> list[Told]:
    """The log with one line changed."""
    assert told in log()
    return [one._replace(**fields) if one == told else one for one in log()]  # type: ignore[arg-type]


def heard(client: str, version: int) -> Told:
    return next(one for one in log() if one[1] == client and one[4:6] in (("moved", version), ("undone", version)))


def test_nothing_is_found_where_nothing_is_wrong() -> None:
    assert check(log(), {"t": rows(), "of nobody": rows([])}) == []


@pytest.mark.parametrize(
    ("sort", "told", "stored"),
    [
        ("lost", log(), rows(PLAYED[:-1])),  # what was told is not there
        ("lost", log(), rows()[:-1]),  # a line of chat is not there
        ("lost", [*log(), Told(80, "Bo", 3, "t", "again", 5, 2, "S0>1")], rows()),  # said to be done, and is not
        ("lost", [*log(), Told(80, "Bo", 3, "t", "next", what="t2")], rows()),
        ("lost", [*log(), Told(80, "Bo", 4, "t", "denied", what="no-table")], rows()),
        ("lost", [*log(), Told(80, "Bo", 4, "gone", "table", 0, 1, digest([]))], rows()),
        ("double", log(), rows([*PLAYED, PLAYED[-1]])),  # done twice
        ("double", log(), rows([*PLAYED[:4], PLAYED[3], PLAYED[4]])),  # a bet, which may be made on an old version
        ("double", log(), [*rows(), (9, rows()[-1][1])]),  # chat
        ("double", log(), [*rows(), (9, {"type": "sat", "seat": 2})]),
        ("changed", log(), rows([*PLAYED[:3], PLAYED[4], PLAYED[3]])),  # in another order
        ("changed", log(), rows([(1, "D0>6"), *PLAYED[1:]])),
        ("histories", put(heard("Bo", 4), seat=1), rows()),  # one was told this, the other one that
        ("histories", [*log(), Told(80, "Bo", 4, "t", "table", 5, 2, digest(STANDING[1:]))], rows()),
        ("hole", log(), [*rows()[:-1], (10, rows()[-1][1])]),
        ("hole", log(), without(1)),
        ("order", [one for one in log() if one != heard("Anne", 3)], rows()),  # a change was never told
        ("order", put(Told(61, "Anne", 1, "t", "said", 0, 1, "Ahoy"), at=40.5), rows()),  # chat before what was before
        (
            "stale",
            put(Told(71, "Bo", 3, "t", "table", 5, 2, digest(STANDING)), version=3, what=digest(SEEN[:1])),
            rows(),
        ),
        ("ghost", [*log(), Told(80, "Bo", 3, "t", "refused", 4, 2, "S0>1")], rows()),  # refused, but it happened
        ("ghost", [*log(), Told(80, "Bo", 3, "t", "refused", 1, 2, CHOSEN[3][1])], rows()),
    ],
)
def test_each_fault_is_found(sort: str, told: list[Told], stored: Rows) -> None:
    assert sort in sorts(check(told, {"t": stored}))


@pytest.mark.parametrize(("place", "refused"), [(4, 4), (3, 3), (3, 0)])  # an action on the same version, a bet on any
def test_what_was_refused_and_then_asked_for_again_may_have_happened(place: int, refused: int) -> None:
    asked = next(one for one in log() if one[4:] == ("asked", place, *CHOSEN[place]))
    before = asked._replace(version=refused, at=asked.at - 2)
    assert check([*log(), before, before._replace(at=asked.at - 1, kind="refused")], {"t": rows()}) == []


def test_a_fence_that_goes_down_or_has_two_owners_is_found() -> None:
    first = Owner(0, "t", 1, "a", 1)
    assert check_fences([first, first, Owner(1, "t", 2, "b", 2), Owner(2, "u", 2, "b", 1)]) == []
    assert sorts(check_fences([first, Owner(1, "t", 2, "b", 2), Owner(2, "t", 1, "a", 1)])) == {"fence"}
    assert sorts(check_fences([first, Owner(1, "t", 2, "b", 1)])) == {"fence"}


def test_a_wait_counts_from_the_last_strike_at_the_owner_and_without_the_stores_absence() -> None:
    waited = [Told(20, "Bo", 3, "t", "waited", what="5.0")]
    owners = [Owner(0, "t", 1, "a", 1), Owner(9, "t", 2, "b", 2)]
    assert waits(waited, [], owners)[0][0] == 15
    assert waits(waited, [Strike(6, 6, 1, "kill"), Strike(7, 7, 2, "kill")], owners)[0][0] == 14
    assert waits(waited, [Strike(6, 6, 1, "kill"), Strike(8, 8, 2, "kill")], owners)[0][0] == 12
    assert waits(waited, [Strike(6, 6, 1, "kill"), Strike(10, 10, 2, "kill")], owners)[0][0] == 10
    assert waits(waited, [Strike(0, 7, 0, "restart"), Strike(12, 15, 0, "restart")], owners)[0][0] == 10
    turned = [Told(4, "Bo", 3, "t", "turned", what="3"), *waited]
    assert waits(turned, [Strike(12, 12, 3, "kill")], owners)[0][0] == 15
    assert waits(turned, [Strike(12, 12, 3, "kill")], owners, asked_too=True)[0][0] == 8
    turned = [Told(at, "Bo", 3, "t", "turned", what=what) for at, what in ((4, "4"), (13, "3"))] + waited
    assert waits(turned, [Strike(12, 12, 3, "kill")], owners, asked_too=True)[0][0] == 8
    assert waits(turned, [Strike(11, 11, 3, "kill")], owners, asked_too=True)[0][0] == 15
