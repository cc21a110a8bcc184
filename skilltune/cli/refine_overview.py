"""``skilltune refine --check`` without a name: one line for each skill that people said something about."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from skilltune.errors import DamagedError, InputError, ReadError, SkillFileError
from skilltune.evolution.complaints import Complaint, group_complaints, read_complaints
from skilltune.refining.evidence import judge_eligibility, read_evidence
from skilltune.refining.state import read_state, see_skill
from skilltune.refining.suggesting import suggest_from
from skilltune.rendering.terminal import command, count_words, finished, fitted, painter, wrapped
from skilltune.stores.candidates import find_candidate_log
from skilltune.stores.ledger import find_ledger
from skilltune.stores.skill_files import all_skill_files
from skilltune.stores.workspace import Workspace, find_workspace
from skilltune.workflow import read_events

__all__ = ["Overview", "OverviewRow", "overview_rows", "overview_text"]

_RANK: Final = (
    "ready",
    "word it",
    "eligible",
    "over the bound",
    "held",
    "in cooldown",
    "too few",
    "drift reached",
    "not installed",
    "damaged",
)
_NAME, _STATUS = 20, 14


@dataclass(frozen=True, kw_only=True)
class OverviewRow:
    """One skill."""

    skill_id: str
    status: str
    corrections: int
    """Usable ones."""
    open_suggestions: int = 0
    days_remaining: int = 0
    conflicts: int = 0
    drift_percent: float | None = None
    reason: str = ""
    told: str = ""
    """What holds it, or what would be suggested."""

    @property
    def damaged(self) -> bool:
        """Whether its log or file cannot be read."""
        return self.status == "damaged"

    def as_dict(self) -> dict[str, Any]:
        """The row for programs."""
        return asdict(self)


@dataclass(frozen=True)
class Overview:
    """The skills that people said something about, the most ready first."""

    rows: tuple[OverviewRow, ...]
    others: int
    """Installed skills that nobody said anything about."""


def overview_rows(workspace: Path | None) -> Overview:
    """What is known of each skill with recorded corrections or mined complaints."""
    now, home = datetime.now(UTC), find_workspace(explicit=workspace)
    counts: defaultdict[str, int] = defaultdict(int)
    for event in find_ledger(home).corrections():
        counts[event.skill_id] += 1
    complaints, dismissed = _complaints(home), find_candidate_log(home).read().dismissed_complaints
    names = sorted({*counts, *complaints})
    rows = [
        _row(
            name,
            workspace=workspace,
            now=now,
            complaints=complaints.get(name, ()),
            dismissed=dismissed,
            recorded=counts[name],
        )
        for name in names
    ]
    installed = {file.skill_id for file in all_skill_files()}
    return Overview(tuple(sorted(rows, key=_readiness)), len(installed - set(names)))


def overview_text(found: Overview, *, width: int = 80, color: bool = False, unicode: bool = True) -> str:
    """Sentence, table, next command."""
    paint = painter(color=color)
    rows = found.rows
    ready = [row for row in rows if row.status in ("ready", "word it")]
    lines = [paint(line, "finding") for line in wrapped(_finding(rows, ready=len(ready)), width)]
    if rows:
        head = f"{'skill':{_NAME}}  usable  {'status':{_STATUS}}  days left  conflicts   drift  open"
        lines += ["", paint(head, "quiet"), *(_line(row) for row in rows)]
    if found.others:
        others = count_words(found.others, "other skill")
        lines += ["", *wrapped(f"{others} installed; nobody recorded or said anything about {_them(found)}.", width)]
    if rows:
        lines += ["", f"Next: {command('refine', rows[0].skill_id)}"]
    else:
        lines += ["", "Next: skilltune mine, or skilltune feedback record correction SKILL"]
    return finished(lines, unicode=unicode)


def _them(found: Overview) -> str:
    return "it" if found.others == 1 else "them"


def _finding(rows: Sequence[OverviewRow], *, ready: int) -> str:
    if not rows:
        return "Nothing is recorded about any skill yet."
    if not ready:
        return f"None of {count_words(len(rows), 'skill')} has anything for you to decide."
    return (
        f"{ready} of {count_words(len(rows), 'skill')} {'has' if ready == 1 else 'have'} something for you to decide."
    )


def _line(row: OverviewRow) -> str:
    drift = "-" if row.drift_percent is None else f"{row.drift_percent:.1f}%"
    return (
        f"{fitted(row.skill_id, _NAME)}  {row.corrections:>6,}  {row.status:{_STATUS}}  {row.days_remaining:>9}  "
        f"{row.conflicts:>9}  {drift:>6}  {row.open_suggestions:>4}"
    )


def _readiness(row: OverviewRow) -> tuple[int, int, int, str]:
    return _RANK.index(row.status), row.days_remaining, -row.corrections, row.skill_id


def _row(
    name: str,
    *,
    workspace: Path | None,
    now: datetime,
    complaints: Sequence[Complaint],
    dismissed: frozenset[str],
    recorded: int,
) -> OverviewRow:
    try:
        state = see_skill(read_state(name, workspace=workspace), at=now)
        evidence = read_evidence(name, workspace=state.workspace, as_of=now)
        found = judge_eligibility(state, evidence=evidence, as_of=now)
        drift = state.measure()
        opened = len(group_complaints(complaints, decided=state.record.decided | dismissed))
        suggestion = suggest_from(state, allow_missing_baseline=False, as_of=now) if found.eligible else None
    except (DamagedError, SkillFileError) as error:
        return OverviewRow(skill_id=name, status="damaged", corrections=recorded, told=str(error))
    except InputError as error:
        return OverviewRow(
            skill_id=name, status="not installed", corrections=recorded, reason="skill_not_found", told=str(error)
        )
    failing = {verdict.gate for verdict in suggestion.failing} if suggestion is not None else set()
    return OverviewRow(
        skill_id=name,
        status=_status(found.reason, failing=failing, opened=opened, exceeded=drift.exceeded),
        corrections=found.correction_count,
        open_suggestions=opened,
        days_remaining=found.days_remaining,
        conflicts=sum(finding.holds for finding in found.contradictions.findings),
        drift_percent=drift.percent,
        reason=found.reason,
        told=found.outlook if found.eligible else found.told,
    )


def _status(reason: str, *, failing: set[Any], opened: int, exceeded: bool) -> str:
    if exceeded:
        return "drift reached"
    if reason == "cooldown":
        return "in cooldown"
    if reason == "eligible" and not failing:
        return "ready"
    if opened:
        return "word it"
    if reason == "eligible":
        return "over the bound" if failing & {"change", "drift_after"} else "eligible"
    return "held" if reason == "contradictions" else "too few"


def _complaints(home: Workspace) -> Mapping[str, list[Complaint]]:
    """The mined complaints of each skill; none without a log."""
    try:
        events = read_events(home.feedback_path)
    except ReadError:
        return {}
    found: defaultdict[str, list[Complaint]] = defaultdict(list)
    for complaint in read_complaints(events):
        found[complaint.skill_id].append(complaint)
    return found
