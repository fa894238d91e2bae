"""Keys: the secrets that hold seats. Only their SHA-256 is kept."""

import hashlib
import secrets


def new_key() -> str:
    """A secret of 144 random bits."""
    return secrets.token_urlsafe(18)


def hashed(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()
