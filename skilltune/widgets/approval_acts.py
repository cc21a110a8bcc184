"""What a press of the approval panel does on disk, and how it is taken back: each act is written before it is told."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from skilltune.errors import InputError, StaleError
from skilltune.evolution.approvals import Approval, Decision, check_approval, decide
from skilltune.evolution.candidates import Candidate
from skilltune.evolution.contradictions import Contradiction
from skilltune.evolution.eligibility import check_cooldown
from skilltune.evolution.suggestions import Suggestion
from skilltune.page.words import count_of, long_date
from skilltune.refining.acts import record_decision, release_contradiction, reopen
from skilltune.refining.applying import Applied, apply_refinement
from skilltune.refining.candidates import decide_candidate, reopen_candidate
from skilltune.refining.places import user_name
from skilltune.refining.rebuilding import rebuild_suggestion
from skilltune.refining.rolling import rollback
from skilltune.refining.state import read_state
from skilltune.stores.ledger import find_ledger
from skilltune.stores.workspace import find_workspace
from skilltune.widgets.approval_items import Waiting
from skilltune.widgets.approval_views import side_letter
from skilltune.widgets.approval_words import clock_time, path_words
from skilltune.workflow import as_time

__all__ = ["BY_PROGRAM", "REOPEN", "Act", "Acts", "check_reason"]

REOPEN: Final = "Undo: let it wait again"
BY_PROGRAM: Final = "pressed by a program, not in a browser"


@dataclass(frozen=True, kw_only=True)
class Act:
    """What was done."""

    said: tuple[str, ...]
    """For the result line, every second part in bold."""
    short: str
    """For the queue: ``approved 14:02``."""
    aside: str = ""
    """Where it stands, such as ``audit entry 41``."""
    after: str = ""
    """What holds from now on."""
    undo: "Callable[[], Act] | None" = None
    """Takes it back; recorded itself."""
    undo_words: str = ""
    writes: bool = False
    """The skill's file was changed to what was suggested."""
    settles: bool = True
    """The suggestion is decided; a contradiction alone leaves it open."""


@dataclass(frozen=True)
class Acts:
    """The acts in one workspace.

    Parameters
    ----------
    workspace, as_of
        As for ``read_queue``.
    by_program
        The presses are told by a program and not by the kernel: every entry says so.
    folder
        The folder of the skill that is decided on; '' where its name alone leads to it.
    """

    workspace: str | Path | None
    as_of: datetime | str | None = None
    by_program: bool = False
    folder: str = ""

    @property
    def base_directory(self) -> str | None:
        """The folder, for what finds a skill by its name where there is none."""
        return self.folder or None

    @property
    def now(self) -> datetime:
        """The time of an act."""
        return as_time(self.as_of)

    def approve(self, suggestion: Suggestion, *, note: str) -> Act:
        """Write the suggestion to the skill's file; every bound is checked again there."""
        now = self.now
        approval = self._decide(suggestion, decision="approve", at=now, note=note)
        done = apply_refinement(
            suggestion,
            approval=approval,
            workspace=self.workspace,
            base_directory=self.base_directory,
            allow_missing_baseline=suggestion.basis.allow_missing_baseline,
            as_of=self.as_of,
        )
        changes = count_of(len(suggestion.chosen), "change")
        time = clock_time(now)
        rest = check_cooldown([now], as_of=now, cooldown_days=suggestion.basis.settings.cooldown_days)
        back = done.version - 1
        return Act(
            said=(
                "",
                f"Approved and written at {time}.",
                f" {done.skill_id} is now v{done.version}: {changes} in {path_words(done.path)}{_notes(done)}",
            ),
            short=f"approved {time}",
            aside=_entry(done.entry),
            after=_next_words(rest.next_eligible),
            undo=lambda: self.take_back(done.skill_id, done.version, to=back),
            undo_words=f"Undo: back to v{back}",
            writes=True,
        )

    def decline(self, suggestion: Suggestion, *, decision: Decision, note: str) -> Act:
        """Record that the suggestion is rejected or deferred, if it is on disk what was shown."""
        now = self.now
        approval = self._decide(suggestion, decision=decision, at=now, note=note)
        state = read_state(suggestion.skill_id, workspace=self.workspace, base_directory=self.base_directory)
        allowed = suggestion.basis.allow_missing_baseline
        fresh = rebuild_suggestion(suggestion, state=state, allow_missing_baseline=allowed, as_of=now)
        check_approval(approval, suggestion=fresh, decisions=("reject", "defer"))
        entry = record_decision(suggestion, approval=approval, base_directory=self.base_directory, as_of=self.as_of)
        word = {"reject": "rejected", "defer": "deferred"}[decision]
        new = suggestion.basis.settings.rejected_memory
        rejected = f"Not proposed again before {count_of(new, 'new correction')}."
        if suggestion.chosen and not suggestion.chosen[0].original:
            rejected = "These complaints are not proposed again."
        then = rejected if decision == "reject" else "It stays in the queue."
        return Act(
            said=("", f"{word.capitalize()} at {clock_time(now)}.", f" {suggestion.skill_id} is as it was. {then}"),
            short=f"{word} {clock_time(now)}",
            aside=_entry(entry),
            undo=lambda: self.reopen(suggestion.skill_id, suggestion.digest),
            undo_words=REOPEN,
        )

    def reopen(self, skill_id: str, digest: str) -> Act:
        """Take a rejection or a deferral back: what it was about waits again."""
        entry = reopen(
            skill_id, digest, base_directory=self.base_directory, note=self.noted("undone"), as_of=self.as_of
        )
        told = f" The suggestion for {skill_id} waits again."
        return Act(said=("", "Taken back.", told), short="waits again", aside=_entry(entry), settles=False)

    def _decide(self, suggestion: Suggestion, *, decision: Decision, at: datetime, note: str) -> Approval:
        who = user_name()
        return decide(suggestion, decision=decision, reviewer=who, at=at, how="panel", note=self.noted(note))

    def noted(self, note: str) -> str:
        """`note` for the logs, which say where no person pressed anything in a browser."""
        return f"{note} ({BY_PROGRAM})".lstrip() if self.by_program else note

    def take_back(self, skill_id: str, version: int, *, to: int) -> Act:
        """Put back the text before a refinement, if the file still is what that one made."""
        now = read_state(skill_id, workspace=self.workspace, base_directory=self.base_directory).version
        if now != version:
            raise StaleError(
                f"{skill_id} is v{now} by now, not v{version}; look at the drift and earlier versions",
                skill_id=skill_id,
                value=now,
                limit=version,
            )
        return self.roll_back(skill_id, to=to, note=f"undone: v{version} is taken back")

    def roll_back(self, skill_id: str, *, to: int, note: str, over_outside_edits: bool = False) -> Act:
        """Put an earlier version's exact text back."""
        done = rollback(
            skill_id,
            to=to,
            workspace=self.workspace,
            base_directory=self.base_directory,
            note=self.noted(note),
            over_outside_edits=over_outside_edits,
            as_of=self.as_of,
        )
        time = clock_time(self.now)
        where = f"{path_words(done.path)}{_notes(done)}"
        told = f" {skill_id} is now v{done.version}, with the exact text of v{to}, in {where}"
        return Act(said=("", f"Rolled back at {time}.", told), short=f"rolled back {time}", aside=_entry(done.entry))

    def keep_side(self, item: Waiting, finding: Contradiction, *, place: int, reason: str) -> Act:
        """Take back the corrections of all sides but one."""
        self._check_there(item, finding)
        ledger, who = find_ledger(find_workspace(explicit=self.workspace)), user_name()
        gone = ledger.read().retracted
        others = [each for at, side in enumerate(finding.sides) if at != place for each in side.corrections]
        told = self.noted(reason) or f"side {side_letter(place)} of a contradiction was kept"
        done = [ledger.retract(each.id, by=who, reason=told, at=self.now).id for each in others if each.id not in gone]
        letter = side_letter(place)
        return Act(
            said=("", f"Kept {letter}.", f" {count_of(len(done), 'correction')} that said otherwise: taken back."),
            short=f"{letter} kept",
            aside=path_words(ledger.path),
            undo=lambda: self._unretract(done, letter=letter),
            undo_words=f"Undo: {count_of(len(done), 'correction')} count again",
            settles=False,
        )

    def keep_all(self, item: Waiting, finding: Contradiction, *, reason: str) -> Act:
        """Let all sides stand: the contradiction holds nothing any more."""
        self._check_there(item, finding)
        entry = release_contradiction(
            item.skill_id,
            finding.id,
            base_directory=self.base_directory,
            note=self.noted(reason),
            as_of=self.as_of,
        )
        return Act(
            said=("", "Kept both.", " The contradiction holds nothing any more; it is still shown."),
            short="both kept",
            aside=_entry(entry),
            undo=lambda: self._hold(item.skill_id, finding.id),
            undo_words="Undo: hold it again",
            settles=False,
        )

    def accept(self, item: Waiting, candidate: Candidate) -> Act:
        """Record a detected correction for the skill, once for each session that shows it."""
        events = decide_candidate(
            candidate.id, decision="accept", skill_id=item.skill_id, workspace=self.workspace, as_of=self.as_of
        )
        ids = [event.id for event in events]
        told = f" {count_of(len(ids), 'correction')} of {item.skill_id} recorded."
        return Act(
            said=("", "Accepted.", told),
            short="accepted",
            aside=path_words(find_ledger(find_workspace(explicit=self.workspace)).path),
            undo=lambda: self.reopen_candidate(candidate.id),
            undo_words=f"Undo: take {count_of(len(ids), 'correction')} back",
            settles=False,
        )

    def dismiss(self, candidate: Candidate) -> Act:
        """Take a detected correction off the list for good."""
        decide_candidate(candidate.id, decision="dismiss", workspace=self.workspace, as_of=self.as_of)
        return Act(
            said=("", "Dismissed.", " It does not come back by itself."),
            short="dismissed",
            undo=lambda: self.reopen_candidate(candidate.id),
            undo_words=REOPEN,
            settles=False,
        )

    def reopen_candidate(self, candidate_id: str) -> Act:
        """Take back that a detected correction was accepted or dismissed; what it recorded counts no more."""
        done = reopen_candidate(candidate_id, note=self.noted("undone"), workspace=self.workspace, as_of=self.as_of)
        count = len(done.retracted)
        gone = f" {count_of(count, 'correction does', 'corrections do')} not count any more." if count else ""
        told = f"{gone} It waits again."
        return Act(said=("", "Taken back.", told), short="waits again", settles=False)

    def _check_there(self, item: Waiting, finding: Contradiction) -> None:
        """Raise where the contradiction is not what was shown."""
        ledger = find_ledger(find_workspace(explicit=self.workspace)).read()
        shown = {each.id for side in finding.sides for each in side.corrections}
        if shown & ledger.retracted or not shown <= {event.id for event in ledger.events}:
            raise StaleError(
                f"the corrections of this contradiction of {item.skill_id} changed since; look at it as it is now",
                skill_id=item.skill_id,
            )

    def _unretract(self, ids: list[str], *, letter: str) -> Act:
        ledger, who = find_ledger(find_workspace(explicit=self.workspace)), user_name()
        for id_ in reversed(ids):
            ledger.retract(id_, by=who, reason=f"undone: side {letter} was kept", at=self.now)
        told = f" {count_of(len(ids), 'correction')} count again; the contradiction is open."
        return Act(said=("", "Taken back.", told), short="open again", aside=path_words(ledger.path), settles=False)

    def _hold(self, skill_id: str, contradiction_id: str) -> Act:
        note = self.noted("undone: both sides were kept")
        entry = reopen(skill_id, contradiction_id, base_directory=self.base_directory, note=note, as_of=self.as_of)
        told = " The contradiction holds what it touches again."
        return Act(said=("", "Taken back.", told), short="held again", aside=_entry(entry), settles=False)


def check_reason(reason: str) -> str:
    """`reason` without blanks around it.

    Raises
    ------
    InputError
        It is empty.
    """
    if not reason.strip():
        raise InputError("a reason is needed to reject; it stands in the audit log")
    return reason.strip()


def _notes(done: Applied) -> str:
    commit = f", commit {done.commit.commit[:7]}" if done.commit and done.commit.commit else ""
    return f"{commit}. {'; '.join(done.notes)}".rstrip() if done.notes else f"{commit}."


def _entry(entry: Any) -> str:
    return f"audit entry {entry.get('seq', '')}".strip()


def _next_words(at: datetime | None) -> str:
    return f"Next refinement possible from {long_date(at.astimezone().date())}" if at else ""
