"""What a person types and allows in the approval panel: the line for complaints, and going on without a baseline."""

from datetime import datetime
from typing import Final

import ipywidgets as W  # noqa: N812  # as in its own documentation

from skilltune.evolution.learned import LEARNED_HEADING
from skilltune.evolution.suggestions import Suggestion
from skilltune.page.words import count_of
from skilltune.refining.suggesting import suggest_from
from skilltune.rendering.line_room import line_room
from skilltune.widgets.approval_choice import worded_suggestion
from skilltune.widgets.approval_items import Waiting
from skilltune.widgets.approval_rows import look_box
from skilltune.widgets.panel import html

__all__ = ["Allowance", "Wording"]

ALLOWED: Final = "Go on without the first text. Drift cannot be measured then; the audit log says that you allowed it."
ALLOWANCE: Final = "The first text of this skill is missing, so nobody can tell how far it has moved from it."


class Wording:
    """The line that a person words for an open suggestion, and the section it goes under; hidden for others."""

    def __init__(self) -> None:
        self.line = W.Text(description="The line", placeholder="one line, in your words", continuous_update=True)
        self.section = W.Dropdown(description="goes under", options=[LEARNED_HEADING])
        self.section.observe(lambda _: self._say_room(), names="value")
        self.item: Waiting | None = None
        self.box = look_box("stw-wording", self.line, self.section)

    def offer(self, item: Waiting | None, *, titles: list[str]) -> None:
        """Take a new line for `item`; hide where it is no open suggestion."""
        self.item = item
        opened = item.opening if item else None
        self.box.layout.display = "" if opened else "none"
        if opened is not None:
            self.section.options = list(dict.fromkeys([*titles, LEARNED_HEADING]))
            self.section.value = opened.section if opened.section in titles else LEARNED_HEADING
            self.line.value = ""
            self._say_room()

    def _say_room(self) -> None:
        """Say in the empty line how long it may be where it goes."""
        if self.item is not None and self.item.opening is not None:
            state = self.item.state
            limit = state.settings.max_change_percent
            room = line_room(state.doc.body, section=str(self.section.value), max_percent=limit)
            self.line.placeholder = f"one line, in your words; room for {count_of(room, 'character')}"

    def suggestion(self, item: Waiting, *, line: str = "", allowed: bool, as_of: datetime) -> Suggestion | None:
        """The suggestion that adds `line`, by default the one that stands there; None without one."""
        return worded_suggestion(
            item,
            line=line or str(self.line.value),
            section=str(self.section.value),
            allow_missing_baseline=allowed,
            as_of=as_of,
        )


class Allowance:
    """The tick by which a person lets a skill be refined whose first text is missing; hidden for all others."""

    def __init__(self) -> None:
        self.tick = W.Checkbox(value=False, description=ALLOWED, indent=False)
        self.box = look_box("stw-allowance", html(value=f"<p>{ALLOWANCE}</p>"), self.tick)
        self.offer(None)

    @property
    def given(self) -> bool:
        """Whether it is ticked where it can be."""
        return bool(self.tick.value) and self.box.layout.display == ""

    def offer(self, item: Waiting | None) -> None:
        """Show it, not ticked, where `item` has something to apply and no baseline."""
        missing = item is not None and item.state.baseline_body is None
        something = item is not None and bool(item.opening or item.choosable)
        self.box.layout.display = "" if missing and something else "none"
        self.tick.value, self.tick.disabled = False, False

    def suggestion(self, item: Waiting, *, as_of: datetime) -> Suggestion | None:
        """The item's suggestion, as it is with what was allowed."""
        if item.suggestion is None or not self.given:
            return item.suggestion
        return suggest_from(item.state, allow_missing_baseline=True, as_of=as_of)
