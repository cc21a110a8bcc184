"""``status``: of each skill how it fares, where it is heading, what it missed and when it was changed last."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from skilltune.analysis.summary import skill_metrics
from skilltune.errors import ReadError, SkilltuneError
from skilltune.refining.records import Version
from skilltune.refining.state import read_state
from skilltune.stores.skill_files import all_skill_files
from skilltune.stores.tables import as_text, read_tables
from skilltune.stores.workspace import find_workspace
from skilltune.workflow import existing_log

__all__ = ["SkillStanding", "skill_standings"]

_CHANGES: Final = ("refine", "rollback")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillStanding:
    """One skill."""

    skill_id: str
    installed: bool
    uses: int = 0
    judged: int = 0
    """Uses that a person reacted to."""
    complaints: int = 0
    """Of these, corrected or accepted in part."""
    sufficient: bool = False
    """Enough were judged to speak of a rate."""
    trend: str = ""
    """improving, stable, worsening, insufficient_data or no_baseline; '' where the skill was never used."""
    missed: int | None = None
    """Prompts that should have triggered it and did not; None where nobody measured that."""
    change: str = ""
    """refine or rollback; '' where skilltune changed nothing."""
    changed_at: datetime | None = None
    version: int | None = None
    problem: str = ""
    """Why its history cannot be told, or ''."""

    def as_row(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return asdict(self) | {"changed_at": self.changed_at and self.changed_at.isoformat()}


def skill_standings(
    workspace: str | Path | None = None, *, as_of: datetime, missed: Mapping[str, int] | None = None
) -> list[SkillStanding]:
    """Each skill that is installed or in the log, those with most complaints first, then by name.

    Parameters
    ----------
    workspace
        Default the nearest ``.skilltune`` upwards, else the user's.
    as_of
        End of time for figures and trends.
    missed
        Skill → prompts that should have triggered it, of eval sets; None where there are none.
    """
    home = find_workspace(explicit=workspace)
    installed = {file.skill_id for file in all_skill_files()}
    used = _metrics(workspace, as_of=as_of, min_invocations=home.config.report.min_invocations)
    rows = []
    for name in sorted(installed | set(used)):
        change, problem = _last_change(name, workspace=workspace) if name in installed else (None, "")
        rows.append(
            SkillStanding(
                skill_id=name,
                installed=name in installed,
                **used.get(name, {}),
                missed=None if missed is None else missed.get(name),
                change=change.type if change else "",
                changed_at=change.at if change else None,
                version=change.number if change else None,
                problem=problem,
            )
        )
    return sorted(rows, key=lambda row: (-row.complaints, row.skill_id))


def _metrics(workspace: str | Path | None, *, as_of: datetime, min_invocations: int) -> dict[str, dict[str, Any]]:
    """Skill → what the log says of its uses; {} without a log."""
    try:
        tables = as_text(read_tables(existing_log(None, workspace=workspace)))
    except ReadError:
        return {}
    rows = skill_metrics(tables.events, invocations=tables.invocations, as_of=as_of, min_invocations=min_invocations)
    return {row["skill_id"]: _figures(row) for row in rows}


def _figures(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "uses": row["n_invocations"] or row["sample_size"],
        "judged": row["sample_size"],
        "complaints": row["corrections"] + row["partials"],
        "sufficient": row["sufficient_data"],
        "trend": (row["trend"] or {}).get("direction") or "",
    }


def _last_change(skill_id: str, *, workspace: str | Path | None) -> tuple[Version | None, str]:
    """The last change that skilltune made to a skill, and why none can be told."""
    try:
        versions = read_state(skill_id, workspace=workspace).record.versions
    except SkilltuneError as error:
        return None, str(error)
    return next((version for version in reversed(versions) if version.type in _CHANGES), None), ""
