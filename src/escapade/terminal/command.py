"""What `escapade play` does: see that all is there, fill the screen, and say how to come back."""

import getpass
import sys
from collections.abc import Sequence
from contextlib import nullcontext

import textual  # noqa: F401  whoever lacks it is told so before anything is asked

import escapade
from escapade import games
from escapade.terminal.app import Play, Wish
from escapade.terminal.host import Host
from escapade.terminal.link import Link, Trouble, find, offer, read_link
from escapade.words import LANGUAGES, Words, preferred

__all__ = ["Trouble", "play"]
MOST_NAME = 24  # characters


def play(
    text: str | None,
    game: str | None,
    players: int | None,
    bots: Sequence[str],
    name: str | None,
    language: str | None,
    wait: bool,
) -> str:
    """Play until one leaves; the link to a seat that one can come back to."""
    link = read_link(text) if text else None
    check(link, game, players, bots, name, language)
    if not is_terminal():
        raise Trouble("this is no terminal: play needs a screen and a keyboard; `escapade` alone plays in the browser")
    if link:
        (find if link.table else offer)(link)
    wish = Wish(game or "", players or 0, tuple(bots), name or ("" if link and link.table else own_name()), wait)
    with nullcontext() if link else Host() as host:
        left = Play(link, wish, Words(language or preferred()), host).run()
    if left and left.trouble:
        raise Trouble(left.trouble)
    return str(left.link) if left and left.link.table else ""


def is_terminal() -> bool:
    """Whether there is a screen and a keyboard; Textual draws on what errors are told on."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def check(
    link: Link | None,
    game: str | None,
    players: int | None,
    bots: Sequence[str],
    name: str | None,
    language: str | None,
) -> None:
    """Refuse what cannot be, before the screen is taken."""
    if link and link.table and (game or players or bots):
        raise Trouble("--game, --players and --bots are for a new table, and the link leads to one that is there")
    if players and bots and len(bots) not in (1, players - 1):
        raise Trouble(f"--bots names {len(bots)} for {players - 1} seats: name one for all, or one for each")
    if name and (len(name) > MOST_NAME or not name.strip() or set(name) & set('/"')):
        raise Trouble(f'--name: a name has 1 to {MOST_NAME} characters, without / and "')
    if language and language not in LANGUAGES:
        raise Trouble(f"--language {language}: there are {', '.join(LANGUAGES)}")
    if not link and (game or players or bots):
        made = escapade.new(game or "jamaica", players or len(bots) + 1 if bots or players else 2)
        levels = games.kinds()[made.kind].levels
        for level in bots:
            if level not in levels:
                raise Trouble(f"--bots {level}: there are {', '.join(levels)}")


def own_name() -> str:
    """What this person is called here."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = ""
    return (
        "".join(letter for letter in name.title() if letter.isprintable() and letter not in '/"')[:MOST_NAME] or "You"
    )
