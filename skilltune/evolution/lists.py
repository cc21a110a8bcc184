"""Lists of Markdown: which form the list has that a stretch of text ends with, and how its next item is written."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["ListForm", "find_list_form", "without_marker"]

_ITEM: Final = re.compile(
    r"(?P<indent>[ \t]*)(?P<marker>[-*+]|(?P<number>\d{1,9})[.)])(?P<gap>[ \t]+)(?P<box>\[[ xX]\][ \t]+)?"
)


@dataclass(frozen=True, slots=True)
class ListForm:
    """How the items of a list are written."""

    indent: str
    marker: str
    """``-``, ``*``, ``+``; of a numbered list the last item's, such as ``3.``."""
    gap: str
    box: str = ""
    """``[ ] `` in a list of tasks."""
    step: int = 1
    """By how much its numbers grow; 0 where every item has the same."""

    def item(self, text: str, *, nth: int = 1) -> str:
        """The `nth` further item, with `text`."""
        marker = self.marker
        if marker[0].isdigit():
            marker = f"{int(marker[:-1]) + nth * self.step}{marker[-1]}"
        return f"{self.indent}{marker}{self.gap}{self.box}{text}"


def find_list_form(lines: Sequence[str]) -> ListForm | None:
    """The form of the list that `lines` end with, its outermost items; None where they end with something else.

    Examples
    --------
    >>> find_list_form(["Rules", "", "1. Boil it.", "   - gently", "2. Pour it."]).item("Wait.")
    '3. Wait.'
    """
    items: list[re.Match[str]] = []
    open_text = False
    for line in reversed(lines):
        found = _ITEM.match(line)
        if not line.strip():
            if open_text:
                break
        elif found and (not items or _width(found) <= _width(items[-1])):
            items.append(found)
            open_text = False
        elif not found and line[0] not in " \t":
            # text without indentation goes on with an item only where no blank line parts them
            open_text = True
    if not items:
        return None
    outermost = min(map(_width, items))
    siblings = [item for item in items if _width(item) == outermost]
    return _form(siblings[0], before=siblings[1] if len(siblings) > 1 else None)


def without_marker(line: str) -> str:
    """The text of an item; a line that is none as it is."""
    found = _ITEM.match(line)
    return line[found.end("gap") :] if found else line


def _form(last: re.Match[str], *, before: re.Match[str] | None) -> ListForm:
    alike = before is not None and before["number"] is not None and before["number"] == last["number"]
    return ListForm(
        indent=last["indent"],
        marker=last["marker"],
        gap=last["gap"],
        box="[ ] " if last["box"] else "",
        step=0 if alike else 1,
    )


def _width(item: re.Match[str]) -> int:
    return len(item["indent"].expandtabs(4))
