"""How much a connection or an address may ask for: so much at once, and so much a second afterwards."""

import ipaddress
import time

from starlette.requests import HTTPConnection

MOST_ADDRESSES = 10_000  # remembered before those that have not asked for a while are forgotten


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
    """The address a request comes from; an IPv6 network of 64 bits counts as one, since one person may own it all."""
    host = request.client.host if request.client else ""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else host
