"""The parts of the approval panel: a row for each change, buttons, boxes, and the panel's part in the browser."""

from collections.abc import Sequence
from typing import Any

import ipywidgets as W  # noqa: N812  # as in its own documentation
from markupsafe import Markup

from skilltune.evolution.candidates import Candidate
from skilltune.evolution.contradictions import Contradiction
from skilltune.evolution.proposals import ProposedChange
from skilltune.evolution.suggestions import Suggestion
from skilltune.widgets.approval_items import Dismissal
from skilltune.widgets.approval_views import (
    agreement_view,
    candidate_view,
    dismissal_view,
    finding_view,
    new_side,
    old_side,
    side_letter,
)
from skilltune.widgets.guard import Guard
from skilltune.widgets.panel import html
from skilltune.widgets.safe_text import readable_lines

__all__ = [
    "ChangeRow",
    "button_of",
    "candidate_box",
    "dismissed_box",
    "draw_rows",
    "finding_box",
    "guard_of",
    "look_box",
    "queue_heading",
]


class ChangeRow:
    """One change: a tick, both sides, how many agree; a line to word where it adds one."""

    def __init__(self, change: ProposedChange, *, sections: Sequence[str] = ()) -> None:
        self.change = change
        self.number = change.number
        self.tick = W.Checkbox(value=change.chosen, description=f"{change.number}", indent=False)
        self.tick.add_class("stw-tick-box")
        self.tick.disabled = not change.choosable
        self.text = self.section = None
        if change.kind == "append" and not change.blocked:
            titles = list(dict.fromkeys([*sections, change.section]))
            self.section = W.Dropdown(description="goes under", options=titles, value=change.section)
            self.text = W.Text(value=change.line, description="line to add", placeholder="one line, in your words")
        self.new, self.agree = html("stw-new"), html("stw-agree")
        sides = [each for each in (self.text, self.section, self.new) if each is not None]
        self.box = look_box(
            "stw-change", self.tick, html("stw-old", value=old_side(change)), look_box("stw-newbox", *sides), self.agree
        )

    @property
    def controls(self) -> list[Any]:
        """What a person may change."""
        return [each for each in (self.tick, self.text, self.section) if each is not None]

    @property
    def ticked(self) -> bool:
        """Whether the change is taken; one that cannot be is not, whatever a browser says."""
        return bool(self.tick.value) and self.change.choosable

    @property
    def line(self) -> str | None:
        """The line as worded, None where the change adds none."""
        return None if self.text is None else str(self.text.value)

    @property
    def title(self) -> str | None:
        """The section its line goes to, None where the change adds none."""
        return None if self.section is None else str(self.section.value)

    def close(self, *, done: bool) -> None:
        """Let nothing be changed any more, or all that may be."""
        self.tick.disabled = done or not self.change.choosable
        for control in self.controls[1:]:
            control.disabled = done

    def draw(self, now: ProposedChange, suggestion: Suggestion) -> None:
        """Draw the row as the change is beside the others that are ticked."""
        self.new.value, self.agree.value = new_side(now), agreement_view(now, suggestion=suggestion)


def draw_rows(rows: Sequence[ChangeRow], suggestion: Suggestion | None, *, done: bool) -> Markup:
    """Draw all rows as they are beside each other; the head above them. The rows stay, so that none loses the focus."""
    if suggestion is not None:
        changes = {change.number: change for change in suggestion.changes}
        for row in rows:
            row.draw(changes.get(row.number, row.change), suggestion)
    if not rows:
        return Markup("")
    sections = dict.fromkeys(row.change.section for row in rows if row.change.kind == "replace")
    under = f", under “{next(iter(sections))}”" if len(sections) == 1 and next(iter(sections)) else ""
    told = "tick those you want; the numbers below follow"
    if done or not any(row.change.choosable for row in rows):
        told = "decided" if done else "none of them can be taken now"
    return Markup(
        '<h4>Changes <span class="stw-note">· {}</span></h4><div class="stw-heads" aria-hidden="true"><span></span>'
        "<span>now{}</span><span>suggested</span><span>corrections</span></div>"
    ).format(told, readable_lines(under))


def finding_box(finding: Contradiction) -> tuple[Any, list[Any], Any]:
    """A contradiction's box, a button for each of its sides, and the one that keeps them all."""
    sides = [button_of(f"Keep {side_letter(place)}", "stw-decide", "stw-keep") for place in range(len(finding.sides))]
    both = button_of("Keep both" if len(sides) == 2 else "Keep all", "stw-decide", "stw-keep")
    both.disabled = finding.released
    box = look_box("stw-finding-box", html(value=finding_view(finding)), look_box("stw-keeps", *sides, both))
    return box, sides, both


def candidate_box(candidate: Candidate) -> tuple[Any, Any, Any]:
    """A detected correction's box, and the buttons that accept it for the skill and dismiss it."""
    accept = button_of(f"Accept for {readable_lines(candidate.skill_id)}", "stw-decide", "stw-keep")
    dismiss = button_of("Dismiss", "stw-decide", "stw-keep")
    box = look_box("stw-finding-box", html(value=candidate_view(candidate)), look_box("stw-keeps", accept, dismiss))
    return box, accept, dismiss


def dismissed_box(dismissal: Dismissal) -> tuple[Any, Any]:
    """A dismissal's box, and the button that takes it back."""
    back = button_of("Let it wait again", "stw-decide", "stw-keep")
    return look_box("stw-finding-box", html(value=dismissal_view(dismissal)), look_box("stw-keeps", back)), back


def queue_heading(words: str) -> Any:
    """A heading of the queue."""
    return html("stw-group", value=Markup("<h3>{}</h3>").format(words))


def button_of(words: str, *looks: str) -> Any:
    """A button with these classes."""
    button = W.Button(description=words)
    for look in looks:
        button.add_class(look)
    return button


def look_box(look: str, *children: Any) -> Any:
    """A box with this class."""
    box = W.Box(list(children))
    box.add_class(look)
    return box


def guard_of() -> Guard:
    """J and K go through the queue, D shows the drift; nothing is decided by one key."""
    return Guard(
        presses={"j": ".stw-next", "k": ".stw-previous", "d": ".stw-show-drift"},
        attributes={
            ".stw-approval": {"role": "region", "aria-label": "Approve changes of skills"},
            ".stw-queue": {"role": "group", "aria-label": "What waits"},
            ".stw-item:not(.stw-chosen)": {"aria-current": "false"},
            ".stw-item.stw-chosen": {"aria-current": "true"},
            ".stw-changes": {"role": "group", "aria-label": "Changes"},
            ".stw-findings": {"role": "group", "aria-label": "Contradictions and detected corrections"},
            ".stw-status": {"role": "status", "aria-live": "polite", "tabindex": "-1"},
        },
        home=".stw-status",
        rows=".stw-item",
        current=".stw-item.stw-chosen",
        returning=".stw-decide",
    )
