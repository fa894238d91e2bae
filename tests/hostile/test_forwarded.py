"""M6: a header that names another address counts for nothing, unless it comes from a web server that is trusted."""

import random

from hostile.attacks import status_of
from hostile.starting import Begin, Visit
from server.live import Running

ASKED = 320  # more than an address may ask at once

HEADERS = ("X-Forwarded-For", "X-Real-IP", "Forwarded", "CF-Connecting-IP", "True-Client-IP", "X-Client-IP")


def lying(number: int) -> dict[str, str]:
    """Headers that name an address nobody has."""
    rng = random.Random(number)
    address = ".".join(str(rng.randint(1, 250)) for _ in range(4))
    return {name: f"for={address}" if name == "Forwarded" else address for name in HEADERS}


def test_without_a_proxy_no_header_makes_another_visitor(server: Running, visit: Visit) -> None:
    assert status_of(visit(server), ASKED, lying)["429"] > 20


def test_behind_a_proxy_each_visitor_has_an_allowance_of_their_own(begin: Begin, visit: Visit) -> None:
    server = begin({}, "--proxy", "127.0.77.7")
    proxy, stranger = visit(server, "127.0.77.7"), visit(server)
    assert status_of(proxy, ASKED, lambda number: {"X-Forwarded-For": "203.0.113.7"})["429"] > 20
    assert status_of(proxy, 20, lambda number: {"X-Forwarded-For": "203.0.113.8"}) == {"200": 20}
    forged = status_of(proxy, 60, lambda number: {"X-Forwarded-For": f"198.51.100.{number}, 203.0.113.7"})
    assert forged["429"] > 20, "only what the trusted proxy itself adds counts"
    assert status_of(stranger, ASKED, lying)["429"] > 20
