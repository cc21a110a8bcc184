"""How far a skill has come from its baseline, and what was done to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from skilltune.evolution.drift import Drift
from skilltune.refining.places import user_name
from skilltune.refining.records import Baseline, Version
from skilltune.refining.state import read_state, see_skill
from skilltune.workflow import as_time

__all__ = ["SkillDrift", "SkillHistory", "drift", "drift_of", "history_of"]


@dataclass(frozen=True, kw_only=True)
class SkillDrift:
    """How far a skill has come from its baseline."""

    skill_id: str
    version: int
    measure: Drift
    baseline: Baseline | None
    outside_edit: bool
    """The file was edited since the last entry of its audit log."""
    notes: tuple[str, ...]

    @property
    def percent(self) -> float | None:
        """Net drift, one decimal; None where it is not known."""
        return self.measure.percent

    @property
    def status(self) -> str:
        """``within_bounds``, ``exceeded``, ``no_baseline`` or ``undefined``."""
        return self.measure.status


@dataclass(frozen=True, kw_only=True)
class SkillHistory:
    """What was done to a skill."""

    skill_id: str
    path: Path
    version: int
    versions: tuple[Version, ...]
    """Every text it had, oldest first; one that was edited outside since the last entry is not among them."""
    acts: tuple[Mapping[str, Any], ...]
    """All entries of the audit log on it, oldest first."""
    outside_edit: bool
    notes: tuple[str, ...]


def drift_of(
    skill_id: str,
    *,
    workspace: str | Path | None = None,
    base_directory: str | Path | None = None,
    as_of: datetime | str | None = None,
) -> SkillDrift:
    """How far a skill's body has moved from its baseline.

    Parameters
    ----------
    skill_id, workspace, base_directory, as_of
        As for ``eligibility_of``.

    Raises
    ------
    SkillNotFoundError
        There is no such skill.
    """
    state = see_skill(read_state(skill_id, workspace=workspace, base_directory=base_directory), at=as_time(as_of))
    baseline = state.baseline
    told = [baseline.note] if baseline is not None and baseline.note else []
    if baseline is not None and state.baseline_body is None:
        told.append("the baseline's snapshot is missing or was changed, so drift is not known")
    if state.outside_edit:
        told.append("edited outside of skilltune since the last entry of its audit log")
    return SkillDrift(
        skill_id=skill_id,
        version=state.version,
        measure=state.measure(),
        baseline=baseline,
        outside_edit=state.outside_edit,
        notes=(*state.notes, *told),
    )


def history_of(
    skill_id: str, *, workspace: str | Path | None = None, base_directory: str | Path | None = None
) -> SkillHistory:
    """Every version of a skill that is known, and every act on it.

    Parameters
    ----------
    skill_id, workspace, base_directory
        As for ``eligibility_of``.
    """
    state = read_state(skill_id, workspace=workspace, base_directory=base_directory)
    opened = state if state.seen else state.opened(at=as_time(None), by=user_name())
    moved = any(row.get("versions") for row in opened.opening)
    known = opened.record if moved else state.record
    gone = [str(item.number) for item in known.versions if opened.kept(item.digest) is None]
    told = f"the text of version {', '.join(gone)} is missing or was changed; there is no going back to it"
    return SkillHistory(
        skill_id=skill_id,
        path=state.place.target,
        version=opened.version if moved else state.version,
        versions=known.versions,
        acts=state.record.entries,
        outside_edit=state.outside_edit,
        notes=(*state.notes, *([told] if gone else [])),
    )


drift = drift_of
