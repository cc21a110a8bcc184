"""What the notebook ``03_review`` calls: parameters in, what waits, the approval panel, drift and history out."""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from markupsafe import Markup

from skilltune.errors import CollectionDisabled, InputError, LogError, ReadError
from skilltune.page.html import Section
from skilltune.refining.candidates import find_candidates
from skilltune.refining.state import SkillState, read_state
from skilltune.stores.injected import check_injected
from skilltune.widgets.approval import ApprovalPanel
from skilltune.widgets.approval_items import Queue, Waiting, read_queue
from skilltune.widgets.approval_tables import finding_of, findings_view, history_view, queue_view, waiting_view
from skilltune.widgets.drift_view import drift_view
from skilltune.widgets.label_tables import framed

__all__ = ["ReviewPage", "read_review_page"]


@dataclass(frozen=True)
class ReviewPage:
    """The parts of the notebook; each is as it is on the disk when it is shown."""

    workspace: str | None
    skill: str | None

    @cached_property
    def panel(self) -> ApprovalPanel:
        """The approval panel; a table where there is no front end."""
        return ApprovalPanel(self.workspace, self.skill)

    def waiting(self) -> Section:
        """How many wait, of which skills, and why some are held."""
        return Section(framed(queue_view(self._queue())))

    def contradictions(self) -> Section:
        """The corrections that work against each other."""
        return Section(framed(findings_view(self._queue())))

    def suggestions(self) -> Section:
        """Every change that is proposed, whatever holds it."""
        return Section(framed(waiting_view(self._queue())))

    def drift(self) -> Section:
        """How far each skill has moved from its first text."""
        found = self._skills()
        shown = [drift_view(item.state, suggestion=item.suggestion, wide=True) for item in found]
        nothing = finding_of("No skill has anything recorded about it: there is no drift to show.")
        return Section(framed(*(Markup('<div class="stw-found">{}</div>').format(part) for part in shown or [nothing])))

    def history(self) -> Section:
        """Every version of each skill and every act, from the audit log."""
        return Section(framed(history_view(self._states())))

    def _queue(self) -> Queue:
        return read_queue(self.workspace, skill=self.skill)

    def _skills(self) -> list[Waiting]:
        return [item for item in self._queue().items if item.suggestion is not None]

    def _states(self) -> list[SkillState]:
        keys = dict.fromkeys((item.skill_id, item.key.folder) for item in self._queue().items)
        return [read_state(name, workspace=self.workspace, base_directory=folder or None) for name, folder in keys]


def read_review_page(*, workspace: str = "", skill: str = "") -> ReviewPage:
    """The review of a workspace; corrections that sessions show are looked for first, where there are sessions.

    Parameters
    ----------
    workspace
        Folder of the logs; '' is the nearest ``.skilltune`` upwards, else the user's.
    skill
        Only this skill; '' is every one that anything was recorded or complained about.

    Raises
    ------
    InputError
        When a parameter has another type.
    """
    check_injected()
    given: dict[str, Any] = {"workspace": workspace, "skill": skill}
    for name, value in given.items():
        if not isinstance(value, str):
            raise InputError(f"parameter {name!r} is {value!r}; it takes a str")
    with suppress(CollectionDisabled, ReadError, LogError):
        find_candidates(workspace or None)
    return ReviewPage(workspace or None, skill or None)
