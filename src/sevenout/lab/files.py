"""Files dropped on a page or chosen from a dialogue, read in the browser and sent as text."""

from collections.abc import Callable
from typing import Any

from nicegui import ui

from sevenout.lab import limits
from sevenout.lab.widgets import Words, box, say

_READ = """
const read = async (file) => {
  if (!file) return;
  if (file.size > %d) emit({large: true});
  else emit({name: file.name, text: await file.text()});
};
"""
_CHOSEN = "(e) => { %s read(e.target.files[0]); e.target.value = ''; }"
_DROPPED = (
    "(e) => { e.preventDefault(); e.currentTarget.classList.remove('dropping'); "
    "%s read(e.dataTransfer.files[0]); }"
)
_OVER = "(e) => { e.preventDefault(); e.currentTarget.classList.add('dropping'); }"
_LEFT = "(e) => e.currentTarget.classList.remove('dropping')"

Taken = Callable[[str, str], Any]
"""Called with the name and the text of a file."""


def accept(
    target: ui.element, text: str, kinds: str, taken: Taken, refused: Callable[[str], Any]
) -> None:
    """A button that opens a file, and a target on which one may be dropped.

    Args:
        target: where a file may be dropped.
        text: on the button.
        kinds: the suffixes of the dialogue.
        taken: called with the name and the text.
        refused: called with a sentence if the file is too large.
    """

    def arrived(event: Any) -> Any:
        given = event.args
        if not isinstance(given, dict) or not isinstance(given.get("text"), str):
            return refused(limits.TOO_LARGE)
        if len(given["text"]) > limits.MAX_UPLOAD:
            return refused(limits.TOO_LARGE)
        return taken(str(given.get("name", "file"))[:100], given["text"])

    read = _READ % limits.MAX_UPLOAD
    with box("label", "button file"):
        Words("span", text)
        chooser = ui.element("input")
        say(chooser, type="file", accept=kinds, aria_label=text)
        chooser.on("change", arrived, js_handler=_CHOSEN % read)
    target.on("dragover", js_handler=_OVER)
    target.on("dragleave", js_handler=_LEFT)
    target.on("drop", arrived, js_handler=_DROPPED % read)
