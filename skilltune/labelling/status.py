"""How far labelling is, without reading a session: from the label log and what the feedback log knows of the uses."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skilltune.analysis.sampling import drawn_uses
from skilltune.labelling.population import label_log, whole_uses
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.label_rows import PERSON
from skilltune.stores.labels import LabelContents
from skilltune.stores.workspace import find_workspace

__all__ = ["LabelStatus", "SkillStatus", "read_status"]

_UNKNOWN = "(not known)"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillStatus:
    """How far the labelling of one skill is."""

    skill_id: str
    uses: int
    """Uses that are labelled whole."""
    turns: int
    """Turns that are labelled."""
    drawn: int
    """Uses in a random sample."""
    open: int
    """Those of them that are not labelled whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelStatus:
    """How far a person's labelling is."""

    path: Path
    skills: tuple[SkillStatus, ...]
    """Skills with a label or a drawn use, the most labelled first."""
    judges: dict[str, int]
    """Judge → turns that it labelled."""
    problems: dict[str, int]
    """Lines of the log that were not in order, by reason."""

    def total(self, name: str) -> int:
        """The sum over all skills of ``uses``, ``turns``, ``drawn`` or ``open``."""
        return sum(getattr(skill, name) for skill in self.skills)


def read_status(workspace: str | Path | None = None) -> LabelStatus:
    """How far labelling is in a workspace."""
    log = label_log(workspace)
    contents = log.read()
    labels = contents.of_reader(PERSON)
    skills = _skills(contents, workspace)
    whole = whole_uses(labels)
    drawn = drawn_uses(contents.draws_for(PERSON))
    counts: dict[str, Counter[str]] = {}
    for event_id in whole | drawn:
        row = counts.setdefault(skills.get(event_id, _UNKNOWN), Counter())
        row.update({"uses": event_id in whole, "drawn": event_id in drawn, "open": event_id in drawn - whole})
    for label in labels:
        counts.setdefault(label.skill_id, Counter())["turns"] += 1
    found = [_status(skill_id, row) for skill_id, row in counts.items()]
    return LabelStatus(
        path=log.path,
        skills=tuple(sorted(found, key=lambda status: (-status.uses, -status.turns, status.skill_id))),
        judges=dict(Counter(label.reader for label in contents.labels if label.reader != PERSON)),
        problems=dict(Counter(problem.reason for problem in contents.problems)),
    )


def _status(skill_id: str, row: "Counter[str]") -> SkillStatus:
    values: dict[str, Any] = {name: int(row[name]) for name in ("uses", "turns", "drawn", "open")}
    return SkillStatus(skill_id=skill_id, **values)


def _skills(contents: LabelContents, workspace: str | Path | None) -> dict[str, str]:
    """The skill of each use that a log knows."""
    feedback = FeedbackLog(find_workspace(explicit=workspace).feedback_path)
    uses = feedback.read().invocations if feedback.exists() else []
    skills = {use.event_id: use.skill_id for use in uses}
    skills |= {turn.event_id: turn.skill_id for turn in contents.asked.values()}
    return skills | {label.event_id: label.skill_id for label in contents.labels}
