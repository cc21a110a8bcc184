"""What a report says of refinement: ledger, audit logs, skills and complaints in, one summary out; nothing written."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pandas as pd

from skilltune.analysis.before_after import before_after
from skilltune.analysis.isoweeks import IsoWeek
from skilltune.analysis.ratings import override_reasons, skill_ratings
from skilltune.analysis.weekly import WEEKS
from skilltune.errors import SkilltuneError
from skilltune.evolution.complaints import Complaint, group_complaints, read_complaints
from skilltune.evolution.corrections import Correction
from skilltune.evolution.eligibility import Eligibility, check_eligibility
from skilltune.evolution.openings import open_suggestions
from skilltune.evolution.settings import RefinementSettings
from skilltune.evolution.suggestions import Suggestion, suggest_refinement
from skilltune.limits import TREND_DAYS
from skilltune.page.refinement_summary import RefinementSummary, SkillProblem, WaitingSkill
from skilltune.refining.evidence import Evidence, judge_eligibility, own_groups
from skilltune.refining.folders import used_folders_of
from skilltune.refining.recorded import read_ledger
from skilltune.refining.state import SkillState
from skilltune.reports.skill_states import (
    AuditedSkill,
    SkillFiles,
    audited_skills,
    known_texts,
    look_at_skill,
    problem_of,
)
from skilltune.stores.candidates import find_candidate_log
from skilltune.stores.ledger import LedgerContents, find_ledger
from skilltune.stores.workspace import Workspace, find_workspace

__all__ = ["logged_refinements", "sample_refinements", "used_projects"]

_CHANGES: Final = ("refine", "rollback", "outside_edit")
_MARKS: Final = ("skill_id", "at", "skill_digest", "version", "former", "kind")
_PLAIN: Final = RefinementSettings()


@dataclass(frozen=True)
class _Said:
    """What people said, by skill."""

    corrections: Mapping[str, Sequence[Correction]]
    complaints: Mapping[str, Sequence[Complaint]]
    retracted: frozenset[str] = frozenset()
    dismissed: frozenset[str] = frozenset()
    """Complaints of groups that a person dismissed."""

    @property
    def skills(self) -> list[str]:
        """Those that somebody corrected, or complained about often enough to ask for a change."""
        often = {name for name, said in self.complaints.items() if group_complaints(said, decided=self.dismissed)}
        return sorted(often | set(self.corrections))


@dataclass
class _Look:
    """Where things are looked for, and what could not be looked at."""

    workspace: Workspace
    files: SkillFiles
    now: datetime
    problems: list[SkillProblem] = field(default_factory=list)

    def settings_for(self, skill_id: str) -> RefinementSettings:
        """The workspace's; the published ones where its settings hold a mistake."""
        try:
            return RefinementSettings.of(self.workspace.config.refinement_for(skill_id))
        except (SkilltuneError, OSError):
            return _PLAIN


def logged_refinements(
    log_path: Path,
    *,
    events: pd.DataFrame,
    invocations: pd.DataFrame,
    week: IsoWeek,
    skills: Sequence[str] = (),
    min_invocations: int,
    now: datetime,
) -> RefinementSummary:
    """The refinement of the skills of one feedback log; what cannot be read is told, never raised.

    Parameters
    ----------
    log_path
        The feedback log, in a workspace's folder; the ledger lies beside it.
    events, invocations
        All that is in it.
    week
        Where the weeks that are looked back at end; what came after it, until `now`, is there too, marked as later.
    skills
        Only these; none means all.
    min_invocations
        Judged uses that either side of a refinement needs.
    """
    workspace = find_workspace(explicit=log_path.parent)
    files = SkillFiles(workspace, projects=used_projects(invocations), used=used_folders_of(events, invocations))
    look = _Look(workspace, files, now)
    contents, ledger = _ledger(workspace, problems=look.problems)
    candidates, dismissed = _queue(workspace, skills=skills, problems=look.problems)
    said = replace(_said(contents, events, now=now), dismissed=dismissed)
    audited = audited_skills(look.files.audit_folders(), problems=look.problems)
    marks = _marks(audited)
    chosen = [name for name in said.skills if not skills or name in skills]
    marks = marks[marks["skill_id"].isin(list(skills))] if skills else marks
    marks = marks[marks["at"] < now]
    ratings, reasons = _ratings(ledger, invocations=invocations, week=week, now=now)
    return RefinementSummary(
        skills=tuple(item for name in chosen for item in _waiting(name, said=said, look=look)),
        effects=_effects(marks, events, week=week, now=now, min_invocations=min_invocations),
        marks=marks,
        texts=known_texts(audited),
        ratings=ratings[ratings["skill_id"].isin(list(skills))] if skills else ratings,
        reasons=reasons,
        corrections=sum(event.type == "correction" for event in contents.standing),
        candidates=candidates,
        problems=tuple(dict.fromkeys(look.problems)),
        made=now,
    )


def sample_refinements(
    root: Path, *, events: pd.DataFrame, now: datetime, skills: Sequence[str] = ()
) -> RefinementSummary:
    """What the complaints of the bundled sample would ask of its own skills; nothing of the person's is looked at."""
    workspace = Workspace(named=root, cwd=root)
    look = _Look(workspace, SkillFiles(workspace, home=root), now)
    said = _said(LedgerContents([], frozenset(), []), events, now=now)
    chosen = [name for name in said.skills if not skills or name in skills]
    found = tuple(item for name in chosen for item in _waiting(name, said=said, look=look))
    return RefinementSummary(skills=found, own=False, made=now)


def used_projects(invocations: pd.DataFrame) -> list[str]:
    """Paths of projects, the last used first."""
    dated = invocations.dropna(subset=["timestamp"]).sort_values("timestamp", ascending=False)
    return [name for name in dict.fromkeys(dated["project"].astype("object")) if isinstance(name, str) and name]


def _ledger(workspace: Workspace, *, problems: list[SkillProblem]) -> tuple[LedgerContents, pd.DataFrame | None]:
    try:
        contents = find_ledger(workspace.folder).read()
        return contents, read_ledger(workspace=workspace.folder)
    except (SkilltuneError, OSError) as error:
        problems.append(problem_of("the ledger", error))
        return LedgerContents([], frozenset(), []), None


def _queue(workspace: Workspace, *, skills: Sequence[str], problems: list[SkillProblem]) -> tuple[int, frozenset[str]]:
    """How many corrections seen in sessions wait for a decision, and the complaints of groups that were dismissed.

    Those that no list shows, since no rule could come of them, wait for nobody; ``feedback candidates`` counts them.
    """
    try:
        contents = find_candidate_log(workspace).read()
    except (SkilltuneError, OSError) as error:
        problems.append(problem_of("the queue of candidates", error))
        return 0, frozenset()
    undecided = [item for item in contents.candidates.values() if item.id not in contents.decisions]
    chosen = [item for item in undecided if item.noise is None and (not skills or set(item.skills) & set(skills))]
    return len(chosen), frozenset(contents.dismissed_complaints)


def _said(contents: LedgerContents, events: pd.DataFrame, *, now: datetime) -> _Said:
    """Corrections and complaints up to now, by skill."""
    corrections: defaultdict[str, list[Correction]] = defaultdict(list)
    for event in contents.events:
        if event.type == "correction" and event.timestamp <= now + timedelta(days=1):
            corrections[event.skill_id].append(event.as_correction())
    complaints: defaultdict[str, list[Complaint]] = defaultdict(list)
    for item in read_complaints(events):
        complaints[item.skill_id].append(item)
    return _Said(corrections, complaints, contents.retracted)


def _waiting(skill_id: str, *, said: _Said, look: _Look) -> list[WaitingSkill]:
    """What waits of the skills of a name, one for each folder; without a file, what people said of it."""
    evidence = Evidence(tuple(said.corrections.get(skill_id, ())), said.retracted)
    settings = look.settings_for(skill_id)
    found: list[WaitingSkill] = []
    for file in look.files.all_of(skill_id):
        try:
            state = look_at_skill(file, workspace=look.workspace, settings=settings)
            item = _waiting_of(state, evidence=evidence, said=said, now=look.now)
            found.append(replace(item, folder=look.files.folder_of(file)))
        except (SkilltuneError, OSError) as error:
            look.problems.append(problem_of(skill_id, error))
    return found or [_without_file(skill_id, evidence=evidence, said=said, look=look)]


def _without_file(skill_id: str, *, evidence: Evidence, said: _Said, look: _Look) -> WaitingSkill:
    """What people said of a skill whose file nobody can look at."""
    eligibility = check_eligibility(
        skill_id,
        corrections=evidence.corrections,
        as_of=look.now,
        found=False,
        retracted=evidence.retracted,
        settings=look.settings_for(skill_id),
    )
    groups = group_complaints(said.complaints.get(skill_id, ()), decided=said.dismissed)
    return WaitingSkill(
        skill_id=skill_id,
        eligibility=eligibility if evidence.corrections else None,
        openings=tuple(open_suggestions(groups, body="")),
    )


def _waiting_of(state: SkillState, *, evidence: Evidence, said: _Said, now: datetime) -> WaitingSkill:
    eligibility = judge_eligibility(state, evidence=evidence, as_of=now)
    complaints = said.complaints.get(state.skill_id, ())
    groups = own_groups(state, complaints=complaints, dismissed=said.dismissed)
    return WaitingSkill(
        skill_id=state.skill_id,
        version=state.version,
        numbered=state.record.last is not None,
        eligibility=eligibility if evidence.corrections else None,
        suggestion=_suggestion(state, eligibility, now=now) if eligibility.candidates else None,
        openings=tuple(open_suggestions(groups, body=state.doc.body)),
    )


def _suggestion(state: SkillState, eligibility: Eligibility, *, now: datetime) -> Suggestion:
    """The suggestion; where skilltune never saw the skill, against the baseline that it would take."""
    if state.record.last is None:
        state = state.opened(at=now, by="")
    return suggest_refinement(
        eligibility,
        body=state.doc.body,
        version=state.version,
        baseline=state.baseline_body,
        versions=state.version_bodies,
        settings=state.settings,
    )


def _marks(skills: Sequence[AuditedSkill]) -> pd.DataFrame:
    """All refinements, roll-backs and edits from outside, with the digest by which uses know the new text."""
    rows: list[dict[str, Any]] = []
    for skill in skills:
        former = 1
        for version in skill.record.versions:
            if version.type in _CHANGES and version.at is not None:
                values = (
                    skill.skill_id,
                    version.at,
                    skill.digest_of(version),
                    version.number,
                    former,
                    version.type,
                )
                rows.append(dict(zip(_MARKS, values, strict=True)))
            former = version.number
    table = pd.DataFrame(rows, columns=list(_MARKS))
    kinds = {"skill_id": "str", "skill_digest": "str", "version": "int64", "former": "int64", "kind": "str"}
    return table.assign(at=pd.to_datetime(table["at"], utc=True)).astype(kinds)


def _effects(
    marks: pd.DataFrame, events: pd.DataFrame, *, week: IsoWeek, now: datetime, min_invocations: int
) -> pd.DataFrame:
    """Whether the refinements of the last weeks helped, as far as is known now, latest first."""
    end = pd.Timestamp(week.end)
    told = before_after(events, as_of=now, changes=marks, min_invocations=min_invocations)
    keys = ["skill_id", "at", "skill_digest"]
    known = marks.assign(at=marks["at"].dt.as_unit("us")).drop_duplicates(keys, keep="last")
    rows = told.merge(known, on=keys, how="inner")
    rows = rows.assign(later=rows["at"] >= end, **_ends(rows, marks))
    recent = (rows["kind"] == "refine") & (rows["at"] >= end - timedelta(weeks=WEEKS))
    return rows[recent].reset_index(drop=True)


def _ends(rows: pd.DataFrame, marks: pd.DataFrame) -> dict[str, "pd.Series[pd.Timestamp]"]:
    """When the text of each row ended: by a roll-back, or by another text."""
    ends: dict[str, list[Any]] = {"rolled_back": [], "replaced": []}
    for skill_id, at in zip(rows["skill_id"], rows["at"], strict=True):
        later = marks[(marks["skill_id"] == skill_id) & (marks["at"] > at)].sort_values("at").head(1)
        back = len(later) and later["kind"].iloc[0] == "rollback"
        when = later["at"].iloc[0] if len(later) else pd.NaT
        ends["rolled_back"].append(when if back else pd.NaT)
        ends["replaced"].append(pd.NaT if back else when)
    return {
        name: pd.to_datetime(pd.Series(found, index=rows.index, dtype="object"), utc=True)
        for name, found in ends.items()
    }


def _ratings(
    ledger: pd.DataFrame | None, *, invocations: pd.DataFrame, week: IsoWeek, now: datetime
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Ratings and reasons of the last days of the week and since; ``later`` of them came after the week."""
    if ledger is None or ledger.empty:
        return pd.DataFrame({"skill_id": pd.Series(dtype="str")}), pd.DataFrame()
    since = max(math.ceil((now - week.end) / timedelta(days=1)), 0)
    options: dict[str, Any] = {"as_of": week.end + timedelta(days=since), "days": TREND_DAYS + since}
    ratings = skill_ratings(ledger, invocations=invocations, **options)
    until = skill_ratings(ledger, as_of=week.end, days=TREND_DAYS).set_index("skill_id")
    earlier = (until["n_ratings"] + until["overrides"]).reindex(ratings["skill_id"], fill_value=0).to_numpy()
    later = (ratings["n_ratings"] + ratings["overrides"] - earlier).clip(lower=0)
    return ratings.assign(later=later), override_reasons(ledger, **options)
