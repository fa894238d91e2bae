"""How much a connection or an address may ask for: so much at once, and so much a second afterwards."""

import ipaddress
import time
from typing import NamedTuple

from starlette.requests import HTTPConnection

MOST_ADDRESSES = 10_000  # remembered before those that have not asked for a while are forgotten


class Bounds(NamedTuple):
    """How many may be here at once, and for how many seconds each may keep the server waiting."""

    sockets: int = 10_000  # open connections; fewer where the system allows fewer files
    per_address: int = 500  # of them from one address
    header: float = 10.0  # for a request, from its first byte or the connection on
    body: float = 30.0  # for what the request brings
    hello: float = 10.0  # for the first message that says which table
    unread: float = 20.0  # for somebody who does not read what waits for them


BOUNDS = Bounds()


class Allowance:
    """So much at once, and so much a second afterwards."""

    def __init__(self, most: float, a_second: float) -> None:
        self.most, self.a_second = most, a_second
        self.left, self.at = most, time.monotonic()

    def take(self) -> bool:
        """Whether one more is allowed; if so, it counts."""
        now = time.monotonic()
        self.left = min(self.most, self.left + (now - self.at) * self.a_second)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Allowances:
    """An allowance for each address. Addresses whose allowance is full again are forgotten."""

    def __init__(self, most: float, a_second: float) -> None:
        self.most, self.a_second = most, a_second
        self.of: dict[str, Allowance] = {}

    def take(self, address: str) -> bool:
        """Whether this address is allowed one more; if so, it counts."""
        if len(self.of) > MOST_ADDRESSES:
            now = time.monotonic()
            full = self.most / self.a_second
            self.of = {name: one for name, one in self.of.items() if now - one.at < full}
        return self.of.setdefault(address, Allowance(self.most, self.a_second)).take()


def address(request: HTTPConnection) -> str:
    """The address a request comes from, as it is counted."""
    return house(request.client.host if request.client else "")


def house(host: str) -> str:
    """An address as it is counted: an IPv6 network of 64 bits is one, since one person may own it all."""
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if found.version == 4:
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))
