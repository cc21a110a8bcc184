"""``ApprovalPanel``: what waits for a decision, shown whole; a person approves, rejects, defers, and takes it back."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import ipywidgets as W  # noqa: N812  # as in its own documentation
from markupsafe import Markup

from skilltune.errors import InputError, RefusedError, SkilltuneError
from skilltune.evolution.approvals import Decision
from skilltune.evolution.candidates import Candidate
from skilltune.evolution.learned import find_sections
from skilltune.evolution.refusals import ApprovalError
from skilltune.evolution.suggestions import Suggestion
from skilltune.page.words import count_of
from skilltune.refining.state import SkillState, read_state
from skilltune.widgets.approval_acts import REOPEN, Act, Acts, check_reason
from skilltune.widgets.approval_choice import ticked_suggestion
from skilltune.widgets.approval_inputs import Allowance, Wording
from skilltune.widgets.approval_items import Dismissal, Key, Queue, Waiting, read_again, read_mined, read_queue
from skilltune.widgets.approval_queue import QueueColumn
from skilltune.widgets.approval_rows import (
    ChangeRow,
    button_of,
    candidate_box,
    dismissed_box,
    draw_rows,
    finding_box,
    guard_of,
    look_box,
)
from skilltune.widgets.approval_tables import (
    head_view,
    item_words,
    lead_words,
    queue_text,
    queue_view,
    then_words,
)
from skilltune.widgets.approval_views import heading_view, opening_view, quotes_view, verdict_view
from skilltune.widgets.drift_view import drift_view
from skilltune.widgets.frontend import click_origin
from skilltune.widgets.label_tables import framed
from skilltune.widgets.panel import Panel, PressRefused, html
from skilltune.widgets.safe_text import readable_lines
from skilltune.widgets.versions_row import VersionsRow

__all__ = ["ApprovalPanel"]

MIN_VIEW_SECONDS: Final = 0.5
MOST_SHOWN: Final = 12
"""Contradictions, and detected corrections, of one skill shown at a time; how many more there are is said."""
SHOW: Final = "show the drift and earlier versions"
HIDE: Final = "hide the drift and earlier versions"
STALE: Final = "It changed since it was shown: this is how it is now."
UNWORDED: Final = "Dismissed without words."
NOTHING: Final = "Nothing decided. Nothing is written to a skill before you approve."


class ApprovalPanel(Panel):
    """Shows one suggestion after another whole, and does with it what a person says.

    Parameters
    ----------
    workspace
        Default the nearest ``.skilltune`` upwards, else the user's.
    skill
        Only this skill; default all that anything was recorded or complained about.
    as_of
        The time of decisions; default now.
    min_view_s, origin, clock
        As in ``Panel``.

    Raises
    ------
    SkillNotFoundError
        `skill` is not installed.

    Notes
    -----
    Everything is read from the disk when the panel is made, when an item is chosen, and when a decision is written:
    what changed in between is refused and shown as it is now. The widgets are attributes (``queue``, ``changes``,
    ``approve``, ``reject``, ``defer``, ``reason``, ``undo``), so that a test can press them. Where no person can see
    it (papermill, nbconvert) it is a table, and decides nothing.
    """

    def __init__(
        self,
        workspace: str | Path | None = None,
        skill: str | None = None,
        *,
        as_of: datetime | str | None = None,
        min_view_s: float = MIN_VIEW_SECONDS,
        origin: Callable[[], str] = click_origin,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(look="stw-approval", guard=guard_of(), min_view_s=min_view_s, origin=origin, clock=clock)
        self.workspace, self.skill, self.as_of = workspace or None, skill or None, as_of
        self.acts = Acts(self.workspace, as_of, by_program=origin is not click_origin)
        self.item: Waiting | None = None
        self.suggestion: Suggestion | None = None
        self.problem = ""
        self.decidable = False
        self.decided: dict[Key, Act] = {}
        self.last: dict[Key, Act] = {}
        self.rows: tuple[ChangeRow, ...] = ()
        self._build()
        self._read()
        self.say(NOTHING)

    def still(self) -> Markup:
        """What waits, as a table."""
        return framed(queue_view(self.found))

    def still_text(self) -> str:
        """What waits, in a sentence."""
        return queue_text(self.found)

    def _build(self) -> None:
        self.head, self.rows_head, self.aside = html("stw-top"), html("stw-changes-head"), html("stw-aside")
        looks = ("stw-heading", "stw-words", "stw-lower", "stw-driftbox", "stw-then")
        self.heading, self.words, self.lower, self.drift, self.then = map(html, looks)
        self.queue, self.wording, self.allowance, self.versions = QueueColumn(), Wording(), Allowance(), VersionsRow()
        self.changes, self.findings = (look_box(f"stw-{name}") for name in ("changes", "findings"))
        self.approve = button_of("Approve", "stw-decide", "stw-approve")
        self.reject = button_of("Reject", "stw-decide", "stw-reject")
        self.defer = button_of("Defer", "stw-decide", "stw-defer")
        self.undo = button_of("Undo", "stw-decide", "stw-undo")
        self.again = button_of("read again", "stw-act", "stw-again")
        self.show = button_of(SHOW, "stw-act", "stw-show-drift")
        self.reason = W.Text(description="Reason", placeholder="needed to reject", continuous_update=True)
        self.on_press(self.approve, self._approve, decides=True)
        self.on_press(self.reject, partial(self._decline, "reject"), decides=True)
        self.on_press(self.defer, partial(self._decline, "defer"), decides=True)
        self.on_press(self.undo, self._undo, decides=True)
        self.on_press(self.versions.button, self._roll_back, decides=True)
        self.on_press(self.again, self._read_again)
        self.on_press(self.show, self._turn_drift)
        for control in (self.wording.line, self.wording.section, self.allowance.tick):
            self.on_change(control, self._refresh)
        self.on_change(self.versions.choice, self.drawn)
        self.on_change(self.reason, self._draw_reject)
        top = (self.heading, self.allowance.box, self.words, self.wording.box)
        parts = (*top, self.changes, self.findings, self.lower)
        main = look_box("stw-main", *parts, look_box("stw-acts", self.show, self.again), self.drift, self.versions.box)
        self.root.children = [
            self.style,
            self.head,
            look_box("stw-body", self.queue.box, main),
            look_box("stw-deciding", self.approve, self.reject, self.defer, self.reason, self.then),
            look_box("stw-foot", self.status, self.undo, self.aside),
            self.guard,
        ]

    def _read(self, *, shown: Key | None = None) -> None:
        """Read everything that waits, and show one item."""
        self.mined = read_mined(self.workspace)
        self.found: Queue = read_queue(self.workspace, skill=self.skill, as_of=self.as_of)
        self.decided.clear()
        self.queue.fill(self.found, on_item=lambda button, key: self.on_press(button, partial(self._select, key)))
        first = next((item for item in self.found.items if item.key == shown), None)
        self._show(first or next(iter(self.found.items), None))
        for item in self.found.items:
            self._name(item)

    def _read_again(self) -> None:
        self._read(shown=self.item.key if self.item else None)
        self.say("Read again from the disk.")

    def _select(self, key: Key) -> None:
        """Show another item as it is on the disk now."""
        item = self._fresh(key)
        if item is None and (self.item is None or self.item.key != key):
            raise InputError("it was decided on meanwhile; press “read again”")
        self._show(item or self.item)
        self.say(NOTHING if key not in self.last else f"{key.skill_id}: {self.last[key].short}.")

    def _fresh(self, key: Key) -> Waiting | None:
        return read_again(key, workspace=self.workspace, mined=self.mined, as_of=self.as_of)

    def _show(self, item: Waiting | None, *, stale: str = "") -> None:
        """Put an item on the screen, as it is suggested."""
        self.item, self.stale = item, stale
        self.acts = replace(self.acts, folder=item.key.folder if item else "")
        if item is not None:
            self.decided.pop(item.key, None)
            self.found = self.found.with_item(item)
        self.suggestion, self.problem = (item.suggestion, "") if item else (None, "")
        changes = item.suggestion.changes if item and item.suggestion else ()
        titles = [part.title for part in find_sections(item.state.doc.body) if part.title] if item else []
        self.rows = tuple(ChangeRow(change, sections=titles) for change in changes)
        self.changes.children = [self.rows_head, *(row.box for row in self.rows)] if self.rows else []
        for row in self.rows:
            for control in row.controls:
                self.on_change(control, self._refresh)
        self.words.value = opening_view(item) if item else ""
        self.wording.offer(item, titles=titles)
        self.allowance.offer(item)
        self.findings.children = self._choices(item) if item else []
        self.reason.value = ""
        self._turn_drift(shown=False)
        self.queue.mark(item.key if item else None)
        self._refresh()

    def _choices(self, item: Waiting) -> list[Any]:
        """A box for each contradiction, those that hold first, each detected correction, and what was dismissed."""
        holding = sorted(item.findings, key=lambda finding: not finding.holds)
        found = [self._finding(each) for each in holding[:MOST_SHOWN]]
        found += [self._candidate(each) for each in item.candidates[:MOST_SHOWN]]
        found += [self._dismissal(each) for each in item.dismissed[:MOST_SHOWN]]
        more = len(item.findings) + len(item.candidates) + len(item.dismissed) - len(found)
        note = Markup('<p class="stw-note">and {:,} more, shown when these are settled</p>').format(more)
        return [*found, html(value=note)] if more else found

    def _finding(self, finding: Any) -> Any:
        box, sides, both = finding_box(finding)
        for place, button in enumerate(sides):
            self.on_press(button, partial(self._keep, finding, place), decides=True)
        self.on_press(both, partial(self._keep, finding, None), decides=True)
        return box

    def _candidate(self, candidate: Candidate) -> Any:
        box, accept, dismiss = candidate_box(candidate)
        self.on_press(accept, lambda: self._do(lambda: self.acts.accept(self._item(), candidate)), decides=True)
        self.on_press(dismiss, lambda: self._do(lambda: self.acts.dismiss(candidate)), decides=True)
        return box

    def _dismissal(self, dismissal: Dismissal) -> Any:
        box, back = dismissed_box(dismissal)
        self.on_press(back, lambda: self._do(lambda: self.acts.reopen_candidate(dismissal.id)), decides=True)
        return box

    def _refresh(self) -> None:
        """Reckon everything anew for what is ticked and worded, and draw it."""
        item = self.item
        act = self.decided.get(item.key) if item else None
        if item and act is None:
            self._choose(item)
        self.rows_head.value = draw_rows(self.rows, self.suggestion, done=act is not None)
        self.heading.value = heading_view(item, told=self._lead(item, act), stale=self.stale) if item else ""
        self.lower.value = self._lower(item, done=bool(act and act.writes))
        self._draw_buttons(item, act)
        self.head.value = head_view(self.found, decided=self.decided)
        if item:
            self._name(item)
        self.drawn()

    def _choose(self, item: Waiting) -> None:
        """Make the suggestion that is ticked and worded; what cannot be made is said in its place."""
        try:
            self.problem, self.suggestion = "", self._chosen(item)
        except InputError as error:
            self.problem, self.suggestion = str(error), None

    def _chosen(self, item: Waiting) -> Suggestion | None:
        if item.opening is not None:
            return self.wording.suggestion(item, allowed=self.allowance.given, as_of=self.acts.now)
        return ticked_suggestion(self.allowance.suggestion(item, as_of=self.acts.now), self.rows)

    def _lead(self, item: Waiting, act: Act | None) -> str:
        if self.problem:
            return f"{self.problem[:1].upper()}{self.problem[1:]}."
        return lead_words(item, self.suggestion, decided=act is not None, applied=bool(act and act.writes))

    def _lower(self, item: Waiting | None, *, done: bool) -> Markup:
        if item is None or self.suggestion is None:
            return Markup("")
        changes = self.suggestion.changes
        parts = verdict_view(item, self.suggestion, done=done) + quotes_view(item, changes)
        return Markup('<div class="stw-two">{}</div>').format(parts)

    def _draw_buttons(self, item: Waiting | None, act: Act | None) -> None:
        found = self.suggestion
        changes = len(found.chosen) if found else 0
        words = "Approve this line" if item and item.opening else f"Approve {count_of(changes, 'change')}"
        self.approve.description = words if changes else "Approve"
        self.approve.disabled = not (found and found.ready and act is None)
        self.decidable = bool(changes or (item and item.opening)) and act is None
        self._draw_reject()
        self.defer.disabled = not (changes and act is None)
        self.reason.disabled = self.allowance.tick.disabled = act is not None
        for row in self.rows:
            row.close(done=act is not None)
        undo = self._undoing()
        self.undo.layout.display = "" if undo else "none"
        self.undo.description = undo[0] if undo else "Undo"
        digest = f"suggestion {found.digest[:6]}…" if found and changes else ""
        self.aside.value = Markup("<p>{}</p>").format(readable_lines(act.aside if act else digest))
        self.then.value = Markup("<p>{}</p>").format(act.after if act else then_words(item))

    def _draw_reject(self) -> None:
        """Nothing is rejected without a reason: the button says so before it is pressed."""
        self.reject.disabled = not (self.decidable and str(self.reason.value).strip())

    def _name(self, item: Waiting) -> None:
        """The two lines of an item in the queue."""
        shown = self.suggestion if self.item and self.item.key == item.key else None
        act = self.decided.get(item.key)
        self.queue.name(item, act.short if act else item_words(item, suggestion=shown), decided=act is not None)

    def _turn_drift(self, *, shown: bool | None = None) -> None:
        """Show the drift, or hide it again."""
        shown = self.show.description == SHOW if shown is None else shown
        self.show.description = HIDE if shown else SHOW
        state = self._state(self.item) if shown and self.item else None
        decided = self.item is not None and self.item.key in self.decided
        self.drift.value = drift_view(state, suggestion=None if decided else self.suggestion) if state else ""
        self.versions.offer(state)
        self.drawn()

    def _state(self, item: Waiting) -> SkillState:
        return read_state(item.skill_id, workspace=self.workspace, base_directory=item.key.folder or None)

    def _approve(self) -> None:
        suggestion = self.suggestion
        if suggestion is None or not suggestion.ready:
            raise PressRefused("Nothing was saved: this cannot be applied; the verdict says why")
        self._do(lambda: self.acts.approve(suggestion, note=self.reason.value.strip()))

    def _decline(self, decision: Decision) -> None:
        note = self.reason.value.strip() if decision == "defer" else check_reason(self.reason.value)
        item, suggestion = self._item(), self.suggestion
        if suggestion is None and item.opening is not None:
            allowed = self.allowance.given
            suggestion = self.wording.suggestion(item, line=UNWORDED, allowed=allowed, as_of=self.acts.now)
        if suggestion is None or not suggestion.chosen:
            raise PressRefused("Nothing was saved: nothing is ticked")
        self._do(lambda: self.acts.decline(suggestion, decision=decision, note=note))

    def _keep(self, finding: Any, place: int | None) -> None:
        item, reason = self._item(), self.reason.value.strip()
        if place is None:
            self._do(lambda: self.acts.keep_all(item, finding, reason=reason))
        else:
            self._do(lambda: self.acts.keep_side(item, finding, place=place, reason=reason))

    def _roll_back(self) -> None:
        item, to = self._item(), self.versions.chosen
        over, note = self.versions.over, self.reason.value.strip()
        self.decided.pop(item.key, None)
        self._do(lambda: self.acts.roll_back(item.skill_id, to=to, note=note, over_outside_edits=over), stays=False)

    def _undo(self) -> None:
        undo = self._undoing()
        if undo is None:
            raise PressRefused("There is nothing to take back")
        self.decided.pop(self._item().key, None)
        self._do(undo[1], stays=False)

    def _undoing(self) -> tuple[str, Callable[[], Act]] | None:
        """What takes the last act on the shown item back; of one before this panel, what the audit log knows."""
        item = self.item
        act = self.last.get(item.key) if item else None
        if act is not None:
            return (act.undo_words, act.undo) if act.undo else None
        if item is None or item.opening is not None or item.key.detected:
            return None
        name = item.skill_id
        if item.declined:
            digest = item.declined
            return REOPEN, lambda: self.acts.reopen(name, digest)
        if item.undoable is None:
            return None
        to, now = item.undoable, item.state.version
        return f"Undo: back to v{to}", lambda: self.acts.take_back(name, now, to=to)

    def _do(self, act: Callable[[], Act], *, stays: bool = True) -> None:
        """Do it, once; then show the same item, decided, or as it is now where it is not settled."""
        item = self._item()
        if item.key in self.decided:
            raise PressRefused(f"This is decided: {self.decided[item.key].short}. Choose another, or undo it")
        try:
            done = act()
        except (RefusedError, ApprovalError):
            self._show(self._fresh(item.key) or item, stale=STALE)
            raise
        self.last[item.key] = done
        self.say(*done.said)
        try:
            self._show_done(item, done, settled=done.settles and stays)
        except SkilltuneError as error:
            self.say(*done.said, f" The panel cannot be drawn anew: {error}")

    def _show_done(self, item: Waiting, done: Act, *, settled: bool) -> None:
        if settled:
            self.decided[item.key] = done
            self._refresh()
        else:
            self._show(self._fresh(item.key) or item)
            self.aside.value = Markup("<p>{}</p>").format(readable_lines(done.aside))

    def _item(self) -> Waiting:
        if self.item is None:
            raise PressRefused("Nothing was saved: there is nothing to decide")
        return self.item
