"""The left side of the approval panel: a button for each item that waits, under the heading of its group."""

from collections.abc import Callable
from typing import Any

from skilltune.widgets.approval_items import Key, Queue, Waiting
from skilltune.widgets.approval_rows import button_of, look_box, queue_heading
from skilltune.widgets.approval_tables import GROUPS, REFUSED
from skilltune.widgets.safe_text import readable_lines

__all__ = ["QueueColumn"]


class QueueColumn:
    """Shows what waits; says which item is shown, and which ones `J` and `K` go to."""

    def __init__(self) -> None:
        self.box = look_box("stw-queue")
        self.buttons: dict[Key, Any] = {}

    def fill(self, queue: Queue, *, on_item: Callable[[Any, Key], None]) -> None:
        """Make a button for each item; `on_item` wires it."""
        self.buttons = {}
        parts: list[Any] = []
        for group, words in GROUPS.items():
            items = [item for item in queue.items if item.group == group]
            parts += [queue_heading(words)] if items else []
            for item in items:
                self.buttons[item.key] = button_of("", "stw-item")
                on_item(self.buttons[item.key], item.key)
                parts.append(self.buttons[item.key])
        self.box.children = parts

    def name(self, item: Waiting, words: str, *, decided: bool) -> None:
        """Write the two lines of an item."""
        button = self.buttons.get(item.key)
        if button is None:
            return
        button.description = f"{readable_lines(item.skill_id)}\n{words}"
        for look, there in (("stw-done", decided), ("stw-held", words.startswith(REFUSED))):
            (button.add_class if there else button.remove_class)(look)

    def mark(self, shown: Key | None) -> None:
        """Say which item is shown, and which stand beside it."""
        keys = list(self.buttons)
        place = keys.index(shown) if shown in self.buttons else 0
        marks = {"stw-chosen": place, "stw-previous": place - 1, "stw-next": place + 1}
        for at, key in enumerate(keys):
            for look, where in marks.items():
                (self.buttons[key].add_class if at == where else self.buttons[key].remove_class)(look)
