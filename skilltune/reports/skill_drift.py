"""How the skill on this machine came to where it is, only looked at: nothing is written beside it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pandas as pd

from skilltune.errors import SkilltuneError
from skilltune.evolution.drift_course import BodyVersion, drift_course
from skilltune.evolution.settings import RefinementSettings
from skilltune.page.skill_summary import SkillDrift
from skilltune.refining.state import SkillState
from skilltune.reports.skill_states import SkillFiles, look_at_skill
from skilltune.stores.workspace import find_workspace

__all__ = ["logged_drift"]

_TOLD: Final = {
    "first_seen": "first seen",
    "refine": "refined",
    "rollback": "rolled back",
    "outside_edit": "edited outside",
}
MOST: Final = 24
"""Versions that are drawn: the first and the latest."""


def logged_drift(
    skill: str, log_path: Path, *, projects: Sequence[str], used: Mapping[str, Sequence[str]] | None = None
) -> SkillDrift | None:
    """The drift of a skill's versions; None where its file is not here, or cannot be read.

    Parameters
    ----------
    projects
        Paths of projects in which it was used, the most recently used first.
    used
        Folders that skills were used from, as for ``SkillFiles``.
    """
    workspace = find_workspace(explicit=log_path.parent)
    try:
        file = SkillFiles(workspace, projects=projects, used=used).find(skill)
        settings = RefinementSettings.of(workspace.config.refinement_for(skill))
        state = None if file is None else look_at_skill(file, workspace=workspace, settings=settings)
        versions = [] if state is None else _versions(state)
    except (SkilltuneError, OSError):
        return None
    if state is None:
        return None
    course = drift_course(versions)
    if len(course) > MOST:
        course = pd.concat([course.iloc[:1], course.iloc[1 - MOST :]], ignore_index=True)
    return SkillDrift(
        skill_id=skill,
        course=course,
        limit_percent=state.settings.drift_limit,
        max_change_percent=state.settings.max_change_percent,
    )


def _versions(state: SkillState) -> list[BodyVersion]:
    """The first text and the versions since, as far as they are kept; the file as it is comes last."""
    if state.baseline is None or state.baseline_body is None:
        return []
    found = [
        BodyVersion(name=f"v{version.number}", kind=version.type, told=_TOLD[version.type], at=version.at, body=body)
        for version in state.record.since_baseline
        if (body := state.body_of(version.digest)) is not None
    ]
    if not found or found[0].body != state.baseline_body:
        first = state.baseline
        found.insert(
            0,
            BodyVersion(name="start", kind="baseline", told="first text", at=first.at, body=state.baseline_body),
        )
    if state.outside_edit:
        told = _TOLD["outside_edit"]
        now = BodyVersion(name=f"v{state.version}", kind="outside_edit", told=told, at=None, body=state.doc.body)
        return [*found, now]
    return found
