"""A view drawn for people: as text, as SVG, and for those who watch an environment as pixels or in a window.

Everything is drawn from the text of a view, so nothing can be shown that its seat may not know. pygame is imported only
where pixels are wanted.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from escapade.adapters.drawing.sheet import GOLD, Sheet
from escapade.adapters.drawing.vector import Svg
from escapade.game import Invalid
from escapade.games import kind_of

if TYPE_CHECKING:
    from escapade.adapters.drawing.window import Picture, Pixels

__all__ = ["MODES", "Picture", "check_mode", "close_window", "render", "svg", "text"]

MODES = ("human", "ansi", "rgb_array")


def check_mode(mode: str | None) -> None:
    """Refuse a way to render that is not there."""
    if mode is not None and mode not in MODES:
        raise Invalid(f"render_mode {mode!r}: there are {', '.join(MODES)} and None")


def render(view: str, seat: int, mode: str, frames: int) -> "Picture | str | None":
    """A view in one of the MODES; a window waits so that so many frames come in a second."""
    if mode == "ansi":
        return text(view, seat)
    sheet = pixels(view, seat)
    if mode == "rgb_array":
        return sheet.pixels()
    sheet.show(frames)
    return None


def close_window() -> None:
    """Close the window, if there is one."""
    from escapade.adapters.drawing import window

    window.close()


def text(view: str, seat: int) -> str:
    """A view for a terminal; of a game that has no drawing, the view itself."""
    drawing = kind_of(view).drawing
    words: str = drawing.text(view, seat) if drawing else f"{view}\n"
    return words


def pixels(view: str, seat: int) -> "Pixels":
    """A view as a picture of pixels."""
    from escapade.adapters.drawing.window import Pixels

    sheet = Pixels()
    draw(sheet, view, seat)
    return sheet


def svg(view: str, seat: int, actions: Sequence[str] = (), ending: str = "", width: int = 1120) -> str:
    """A view as an SVG picture, with arrows for actions, and in words how the game has ended, where it has."""
    sheet = Svg()
    draw(sheet, view, seat)
    drawing = kind_of(view).drawing
    if drawing and actions:
        drawing.draw_arrows(sheet, view, actions)
    sheet.write(ending, 414, 488, 14, GOLD, 0.5)
    words = text(view, seat)
    return sheet.text(ending or words.partition("\n")[0], words, width)


def draw(sheet: Sheet, view: str, seat: int) -> None:
    """Draw a view; of a game that has no drawing, its fields line by line."""
    drawing = kind_of(view).drawing
    if drawing:
        drawing.draw(sheet, view, seat)
    else:
        for row, field in enumerate(view.split(" ")):
            sheet.write(field, 24, 36 + 30 * row, 16)
