"""Controls: native elements with labels, so that keyboards and screen readers know them."""

from collections.abc import Callable, Iterable
from json import dumps
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from sevenout.lab.markup import Markup, render

_VALUE = "(e) => emit(e.target.value)"
_SET = "((id, text) => { const e = document.getElementById(id); if (e) e.value = text; })(%s, %s)"


class Words(TextElement):
    """An element with a text; the text is never markup."""

    def __init__(self, name: str, text: str = "", classes: str = "", **attributes: object) -> None:
        super().__init__(tag=name, text=text)
        self.classes(classes)
        say(self, **attributes)


def say(element: ui.element, **attributes: object) -> None:
    """Set attributes; None takes one away. `aria_label` is aria-label."""
    for key, value in attributes.items():
        name = key.rstrip("_").replace("_", "-")
        if value is None:
            element.props.pop(name, None)
        else:
            element.props[name] = value
    element.update()


def box(name: str, classes: str = "", **attributes: object) -> ui.element:
    """An element for others to be in."""
    element = ui.element(name).classes(classes)
    if attributes:
        say(element, **attributes)
    return element


class Html(ui.html):
    """A piece of markup that was built from data, and can be replaced."""

    def __init__(self, *children: object, classes: str = "", name: str = "div") -> None:
        super().__init__(render(*children), sanitize=False, tag=name)
        self.classes(classes)

    def show(self, *children: object) -> None:
        """Replace the markup; every text in it is escaped."""
        content: Markup = render(*children)
        if content != self.content:
            self.set_content(content)


def button(
    text: str, action: Callable[[], Any] | None = None, kind: str = "", **attributes: object
) -> Words:
    """A button."""
    element = Words("button", text, f"button {kind}".strip(), type="button", **attributes)
    if action is not None:
        element.on("click", lambda _: action(), args=[])
    return element


def link(text: str, to: str, classes: str = "", **attributes: object) -> Words:
    """A link within the lab."""
    return Words("a", text, classes, href=to, **attributes)


class Field:
    """A labelled control and, beneath it, what is wrong with its value.

    A text is given as the control's *default* value: the framework sets a plain `value` again
    whenever anything on the page changes, and would take away what is being typed.
    """

    prop = "defaultValue"

    def __init__(
        self,
        label: str,
        control: str,
        value: str,
        changed: Callable[[str], Any],
        *,
        classes: str = "",
        hint: str = "",
        event: str = "change",
        **attributes: object,
    ) -> None:
        self.value = value
        self._changed = changed
        with box("div", f"field {classes}".strip()) as self.root:
            self.label = Words("label", label)
            self.control = ui.element(control)
            say(self.control, **{self.prop: value}, **attributes)
            say(self.label, **{"for": self.control.html_id})
            self.hint = Words("span", hint, "hint" if hint else "hidden")
        self.control.on(event, self._take, js_handler=_VALUE)

    def _take(self, event: Any) -> Any:
        self.value = str(event.args)
        self.control.props[self.prop] = self.value
        return self._changed(self.value)

    def set(self, value: str) -> None:
        """Show another value."""
        if value != self.value:
            self.value = value
            say(self.control, **{self.prop: value})
            ui.run_javascript(_SET % (dumps(self.control.html_id), dumps(value)))

    def wrong(self, words: str = "") -> None:
        """Say what is wrong; nothing is wrong if there are no words."""
        say(self.control, aria_invalid="true" if words else None)
        self.hint.set_text(words)
        self.hint.classes(replace="wrong" if words else "hidden")


def text_field(label: str, value: str, changed: Callable[[str], Any], **options: Any) -> Field:
    """A line of text; with `control="textarea"`, lines."""
    control = options.pop("control", "input")
    plain: dict[str, Any] = {"type": "text", "autocomplete": "off", "spellcheck": "false"}
    return Field(label, control, value, changed, **(plain | options))


class Select(Field):
    """A choice from a list."""

    prop = "value"

    def __init__(
        self,
        label: str,
        choices: Iterable[tuple[str, str]],
        value: str,
        changed: Callable[[str], Any],
        **options: Any,
    ) -> None:
        super().__init__(label, "select", value, changed, **options)
        self._choices: tuple[tuple[str, str], ...] = ()
        self.offer(choices, value)

    def offer(self, choices: Iterable[tuple[str, str]], value: str) -> None:
        """Offer these (value, text) choices."""
        self.value = value
        if (listed := tuple(choices)) != self._choices:
            self._choices = listed
            self.control.clear()
            with self.control:
                for key, text in listed:
                    Words("option", text, value=key)
        # The value is set after the options are there: a select shows only what it has.
        say(self.control, value=value)


class Segments:
    """A few choices side by side, one of them pressed."""

    def __init__(
        self,
        label: str,
        choices: Iterable[tuple[str, str]],
        value: str,
        changed: Callable[[str], Any],
    ) -> None:
        self.value, self._changed = value, changed
        self._buttons: dict[str, Words] = {}
        with box("div", "segments", role="group", aria_label=label) as self.root:
            for key, text in choices:
                one = Words("button", text, type="button")
                one.on("click", lambda _, key=key: self._take(key), args=[])
                self._buttons[key] = one
        self.set(value)

    def _take(self, key: str) -> Any:
        self.set(key)
        return self._changed(key)

    def set(self, value: str) -> None:
        """Press one."""
        self.value = value
        for key, one in self._buttons.items():
            say(one, aria_pressed="true" if key == value else "false")


class SortHead:
    """The head of a table; its titles sort.

    Args:
        columns: (name, title, classes) of each; a column without a name does not sort.
        order: called with the name of a column.
    """

    def __init__(
        self, columns: Iterable[tuple[str, str, str]], order: Callable[[str], Any]
    ) -> None:
        self._cells: dict[str, ui.element] = {}
        with box("thead"), box("tr"):
            for key, text, kind in columns:
                with box("th", kind, scope="col") as cell:
                    if not key:
                        Words("span", text)
                        continue
                    title = Words("button", text, type="button")
                    title.on("click", lambda _, key=key: order(key), args=[])
                self._cells[key] = cell

    def mark(self, column: str, down: bool) -> None:
        """Say by which column the table is sorted, and which way."""
        for key, cell in self._cells.items():
            way = ("descending" if down else "ascending") if key == column else None
            if cell.props.get("aria-sort") != way:
                say(cell, aria_sort=way)


class Notice:
    """A sentence for the reader; a screen reader says it when it changes."""

    def __init__(self, wrong: bool = False) -> None:
        role = "alert" if wrong else "status"
        self.words = Words("p", "", "notice wrong" if wrong else "notice", role=role)

    def show(self, text: str = "") -> None:
        """Say something, or nothing."""
        self.words.set_text(text)


def card(title: str = "", note: str = "", classes: str = "") -> ui.element:
    """A card with a heading; to be used in a `with` statement."""
    element = box("section", f"card {classes}".strip())
    if title:
        with element, box("header"):
            heading = Words("h2", title)
            say(element, aria_labelledby=heading.html_id)
            if note:
                Words("p", note)
    return element


def sentence(error: Exception) -> str:
    """An error of the house as a sentence.

    >>> sentence(ValueError("the out is 13, but 2d6 can't roll it"))
    "The out is 13, but 2d6 can't roll it."
    """
    text = str(error).strip().rstrip(".")
    first = text.split(" ")[0]
    return f"{first.capitalize() if first.isalpha() else first}{text[len(first) :]}."
