"""What can be chosen, in rows: arrows move, Enter or a click chooses, a digit chooses within the row."""

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from escapade.terminal.face import Option, Row

MOST_LABEL = 22  # columns


class Piece(NamedTuple):
    """An option where it stands."""

    y: int
    x: int
    text: str
    option: Option
    row: int

    @property
    def middle(self) -> float:
        """Its middle column."""
        return self.x + len(self.text) / 2


class Choice(Widget, can_focus=True):
    """Rows of options."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "line(-1)", show=False),
        Binding("down", "line(1)", show=False),
        Binding("left", "step(-1)", show=False),
        Binding("right", "step(1)", show=False),
        Binding("enter,space", "choose", show=False),
        Binding("backspace,escape", "back", show=False),
        *[Binding(str(digit), f"pick({digit})", show=False) for digit in range(1, 10)],
    ]

    def __init__(
        self,
        rows: Sequence[Row],
        chosen: Callable[[Option], object],
        back: Callable[[], object],
        moved: Callable[[], object] | None = None,
    ) -> None:
        super().__init__()
        # Called at once, not by Textual's messages: the next key must find what this one has changed.
        self.chosen, self.back, self.moved = chosen, back, moved
        self.rows, self.at = list(rows), 0
        self.lines: list[str] = []
        self.pieces: list[Piece] = []
        self.first = 0

    def offer(self, rows: Sequence[Row], at: int = 0) -> None:
        """Offer other rows, with the cursor on an option counted from the first."""
        self.rows = list(rows)
        self.lay()
        self.at = max(0, min(at, len(self.pieces) - 1))
        self.refresh(layout=True)

    @property
    def option(self) -> Option | None:
        """The option under the cursor."""
        return self.pieces[self.at].option if self.at < len(self.pieces) else None

    def lay(self) -> None:
        """Set the rows out in lines that fit."""
        width = self.size.width or 80
        labels = [len(row.label) for row in self.rows if row.options]
        left = min(MOST_LABEL, max(labels, default=0)) + 2
        self.lines, self.pieces = [], []
        for number, row in enumerate(self.rows):
            line = f" {row.label} ".ljust(left) if row.options else f" {row.label}"
            for option in row.options:
                text = f" {option.caption} "
                if len(line) + len(text) > width and len(line) > left:
                    self.lines.append(line)
                    line = " " * left
                self.pieces.append(Piece(len(self.lines), len(line), text, option, number))
                line += text
            self.lines.append(line)

    def on_resize(self) -> None:
        """Fit another width."""
        self.lay()
        self.at = max(0, min(self.at, len(self.pieces) - 1))

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """As many lines as there are."""
        self.lay()
        return len(self.lines)

    def render(self) -> Content:
        """The lines that fit, those around the cursor, which stands in brackets."""
        here = self.pieces[self.at] if self.at < len(self.pieces) else None
        height = max(1, self.size.height)
        if here:
            self.first = min(max(self.first, here.y - height + 1), here.y)
        self.first = max(0, min(self.first, len(self.lines) - height))
        shown = []
        for y, line in enumerate(self.lines[self.first : self.first + height], self.first):
            content = Content(line)
            if here and here.y == y:
                end = here.x + len(here.text)
                marked = Content.styled(f"[{here.option.caption}]", "bold reverse")
                content = Content(line[: here.x]) + marked + Content(line[end:])
            shown.append(content)
        return Content("\n").join(shown)

    def go(self, at: int) -> None:
        """Put the cursor on an option."""
        if 0 <= at < len(self.pieces):
            self.at = at
            self.refresh()
            if self.moved:
                self.moved()

    def action_step(self, by: int) -> None:
        """To the next or the previous option."""
        if self.pieces:
            self.go((self.at + by) % len(self.pieces))

    def action_line(self, by: int) -> None:
        """To the nearest option in the next or the previous line that has any."""
        if not self.pieces:
            return
        here = self.pieces[self.at]
        beyond = [piece for piece in self.pieces if (piece.y - here.y) * by > 0]
        nearest = min(beyond, key=lambda piece: (abs(piece.y - here.y), abs(piece.middle - here.middle)), default=None)
        if nearest:
            self.go(self.pieces.index(nearest))

    def action_pick(self, digit: int) -> None:
        """Choose an option of the cursor's row by its number."""
        if self.pieces:
            row = [n for n, piece in enumerate(self.pieces) if piece.row == self.pieces[self.at].row]
            if digit <= len(row):
                self.go(row[digit - 1])
                self.action_choose()

    def action_choose(self) -> None:
        """Choose what is under the cursor."""
        if self.option:
            self.chosen(self.option)

    def action_back(self) -> None:
        """Take the last pick back."""
        self.back()

    def on_click(self, event: events.Click) -> None:
        """Choose what is clicked."""
        for n, piece in enumerate(self.pieces):
            if piece.y == event.y + self.first and piece.x <= event.x < piece.x + len(piece.text):
                self.go(n)
                self.action_choose()
