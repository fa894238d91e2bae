"""What opens over the table: the log, the rules, hints, the chat, the end, and questions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from escapade.terminal.choice import Choice
from escapade.terminal.face import Option, Picked, Row

CSS = """
Sheet, Chat { align: center middle; }
.sheet { width: 100%; max-width: 100; height: auto; max-height: 100%; border: round $primary; padding: 0 1; }
.sheet .title { text-style: bold; height: auto; }
.sheet VerticalScroll { height: auto; }
.sheet Static { height: auto; }
.sheet Choice { height: auto; max-height: 12; margin-top: 1; }
.sheet .keys { color: $text-muted; }
.sheet Input { border: none; height: 1; padding: 0; margin-top: 1; background: $surface; }
"""


def leave_room(sheet: ModalScreen[Any]) -> None:
    """Let the text scroll where it leaves no room for what stands around it."""
    around = 4 + sum(widget.outer_size.height + 1 for widget in sheet.query("Choice, Input"))
    sheet.query_one(VerticalScroll).styles.max_height = max(1, sheet.size.height - around)


class Sheet(ModalScreen[Option | None]):
    """A text, and perhaps something to choose."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,l,question_mark", "close", show=False),
        Binding("n", "answer('n')", show=False),
        Binding("q", "answer('q')", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("pagedown,space", "scroll(10)", show=False),
        Binding("home", "scroll(-100000)", show=False),
        Binding("end", "scroll(100000)", show=False),
    ]

    def __init__(
        self,
        title: str,
        body: Content,
        rows: Sequence[Row] = (),
        keys: str = "",
        last: bool = False,
        answers: Mapping[str, Option] | None = None,
    ) -> None:
        super().__init__()
        self.answers = answers or {}
        self.heading, self.body, self.rows, self.keys, self.last = title, body, rows, keys, last

    def compose(self) -> ComposeResult:
        with Vertical(classes="sheet"):
            yield Static(Content(self.heading), classes="title")
            with VerticalScroll(can_focus=False):
                yield Static(self.body, id="body")
            if self.rows:
                yield Choice(self.rows, self.choose, self.action_close)
            yield Static(Content(self.keys), classes="keys")

    def on_resize(self) -> None:
        """Fit another size."""
        self.call_after_refresh(leave_room, self)

    def on_mount(self) -> None:
        """Begin where one reads first."""
        if self.rows:
            self.query_one(Choice).focus()
        if self.last:
            self.query_one(VerticalScroll).scroll_end(animate=False)

    def choose(self, option: Option) -> None:
        """Close with what was chosen."""
        self.dismiss(option)

    def action_close(self) -> None:
        """Close without a choice."""
        self.dismiss(None)

    def action_answer(self, key: str) -> None:
        """Close with what a key stands for here; q closes every sheet."""
        if key in self.answers or key == "q":
            self.dismiss(self.answers.get(key))

    def action_scroll(self, lines: int) -> None:
        """Read on, or back."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


class Log(Sheet):
    """The game so far, which goes on while it is read."""

    def show(self, body: Content) -> None:
        """Tell what has come; whoever reads the end goes on reading there."""
        self.body = body
        if self.is_mounted:
            scroll = self.query_one(VerticalScroll)
            at_end = scroll.is_vertical_scroll_end
            self.query_one("#body", Static).update(body)
            if at_end:
                self.call_after_refresh(scroll.scroll_end, animate=False)


class Setup(Sheet):
    """What is played, by how many, against whom: rows that change with what is picked."""

    def __init__(self, title: str, rows: Callable[[Picked], Sequence[Row]], picked: Picked, keys: str) -> None:
        super().__init__(title, Content(""), rows(picked), keys)
        self.rows_for = rows

    def choose(self, option: Option) -> None:
        """Pick something, or begin."""
        if option.picked is None:
            self.dismiss(option)
        else:
            choice = self.query_one(Choice)
            choice.offer(self.rows_for(option.picked), choice.at)


class Chat(ModalScreen[str]):
    """Lines that were said, where there are any, and a line to write; also a question that a line answers."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", show=False)]

    def __init__(self, title: str, body: Content, value: str, most: int, keys: str, writes: bool = True) -> None:
        super().__init__()
        self.heading, self.body, self.value, self.most = title, body, value, most
        self.keys, self.writes = keys, writes

    def compose(self) -> ComposeResult:
        with Vertical(classes="sheet"):
            yield Static(Content(self.heading), classes="title")
            with VerticalScroll(can_focus=False):
                yield Static(self.body, id="body")
            if self.writes:
                yield Input(self.value, max_length=self.most)
            yield Static(Content(self.keys), classes="keys")

    def on_resize(self) -> None:
        """Fit another size."""
        self.call_after_refresh(leave_room, self)

    def on_mount(self) -> None:
        """Begin to write, after what was said last."""
        if self.writes:
            self.query_one(Input).focus()
        self.query_one(VerticalScroll).scroll_end(animate=False)

    def show(self, body: Content) -> None:
        """Show what has been said by now."""
        self.query_one("#body", Static).update(body)
        self.query_one(VerticalScroll).scroll_end(animate=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with the line."""
        self.dismiss(event.value.strip())

    def action_close(self) -> None:
        """Close without a line."""
        self.dismiss("")
