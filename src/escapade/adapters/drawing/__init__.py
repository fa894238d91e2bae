"""A view drawn for people who watch an environment: as text, as a picture, in a window.

Everything is drawn from the text of a view, so nothing can be shown that its seat may not know. pygame is imported only
where a picture is wanted.
"""

from escapade.adapters.drawing.sheet import Picture, Sheet, close_window
from escapade.game import Invalid
from escapade.games import kind_of

__all__ = ["MODES", "Picture", "check_mode", "close_window", "render"]

MODES = ("human", "ansi", "rgb_array")


def check_mode(mode: str | None) -> None:
    """Refuse a way to render that is not there."""
    if mode is not None and mode not in MODES:
        raise Invalid(f"render_mode {mode!r}: there are {', '.join(MODES)} and None")


def render(view: str, seat: int, mode: str, frames: int) -> Picture | str | None:
    """A view in one of the MODES; a window waits so that so many frames come in a second."""
    if mode == "ansi":
        return text(view, seat)
    sheet = draw(view, seat)
    if mode == "rgb_array":
        return sheet.pixels()
    sheet.show(frames)
    return None


def text(view: str, seat: int) -> str:
    """A view for a terminal; of a game that has no drawing, the view itself."""
    drawing = kind_of(view).drawing
    words: str = drawing.text(view, seat) if drawing else f"{view}\n"
    return words


def draw(view: str, seat: int) -> Sheet:
    """A view as a picture; of a game that has no drawing, its fields line by line."""
    sheet, drawing = Sheet(), kind_of(view).drawing
    if drawing:
        drawing.draw(sheet, view, seat)
    else:
        for row, field in enumerate(view.split(" ")):
            sheet.write(field, 24, 36 + 30 * row, 16)
    return sheet
