"""``skilltune refine --check``: where a skill stands; without a name, a line for each that people spoke of."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from skilltune.cli.output import now
from skilltune.errors import DamagedError, InputError, ReadError, SkillFileError, SkillNotFoundError
from skilltune.evolution.complaints import read_complaints
from skilltune.evolution.eligibility import Eligibility
from skilltune.evolution.refusals import TextsTooDifferentError, TextTooLongError
from skilltune.refining.evidence import find_openings, judge_eligibility, read_evidence
from skilltune.refining.folders import used_folders
from skilltune.refining.state import SkillState, read_state, see_skill
from skilltune.refining.suggesting import suggest_from
from skilltune.rendering.next_step import RANK, Status, next_step, state_of
from skilltune.rendering.terminal import columns, command, count_words, finished, fitted, painter, safe, wrapped
from skilltune.stores.ledger import find_ledger
from skilltune.stores.skill_files import all_skill_files
from skilltune.stores.workspace import Workspace, find_workspace
from skilltune.workflow import read_events

__all__ = ["Overview", "OverviewRow", "Standing", "overview_rows", "overview_text", "read_standing"]

_NAME, _STATUS = 20, 14
_TO_DECIDE: Final[tuple[Status, ...]] = ("ready", "word it", "choose", "no baseline")


@dataclass(frozen=True, kw_only=True)
class Standing:
    """Where one installed skill stands."""

    eligibility: Eligibility
    status: Status
    openings: int
    """Open suggestions that wait for words."""
    unusable: int
    """Recorded corrections that do not count."""
    drift_percent: float | None


@dataclass(frozen=True, kw_only=True)
class OverviewRow:
    """One skill."""

    skill_id: str
    status: Status
    corrections: int
    """Usable ones."""
    open_suggestions: int = 0
    days_remaining: int = 0
    conflicts: int = 0
    drift_percent: float | None = None
    reason: str = ""
    told: str = ""
    """What holds it, or what would be suggested."""
    folder: str = ""
    """Where it was used, if that is outside of this project and the user's skills."""

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
    recorded: frozenset[str]
    """Names with corrections in the ledger."""


def read_standing(state: SkillState, *, as_of: datetime) -> Standing:
    """Where a skill stands by ledger, complaints, audit log and file."""
    evidence = read_evidence(state.skill_id, workspace=state.workspace, as_of=as_of)
    found = judge_eligibility(state, evidence=evidence, as_of=as_of)
    drift = state.measure()
    openings = len(find_openings(state))
    suggestion = (
        suggest_from(state, allow_missing_baseline=False, as_of=as_of, eligibility=found) if found.eligible else None
    )
    changes = suggestion.changes if suggestion else ()
    return Standing(
        eligibility=found,
        status=state_of(
            found,
            failing=[verdict.gate for verdict in suggestion.failing] if suggestion else (),
            choosable=any(change.choosable and not change.chosen for change in changes),
            rejected=bool(state.record.rejections(evidence.corrections, skill_id=state.skill_id)),
            openings=openings,
            exceeded=drift.exceeded,
        ),
        openings=openings,
        unusable=sum(item.id not in evidence.retracted for item in evidence.corrections) - found.correction_count,
        drift_percent=drift.percent,
    )


def overview_rows(workspace: Path | None) -> Overview:
    """What is known of each skill with recorded corrections or mined complaints, in each folder it was used from."""
    moment, home = now(), find_workspace(explicit=workspace)
    counts = _recorded(home)
    names = sorted({*counts, *_complained_of(home)})
    rows = [_row(name, workspace=workspace, as_of=moment, recorded=counts.get(name, 0)) for name in names]
    rows += _rows_elsewhere(home, workspace=workspace, as_of=moment)
    known = {row.skill_id for row in rows if row.folder}
    rows = [row for row in rows if not (row.status == "not installed" and row.skill_id in known)]
    installed = {file.skill_id for file in all_skill_files()}
    return Overview(tuple(sorted(rows, key=_readiness)), len(installed - set(names)), frozenset(counts))


def overview_text(found: Overview, *, width: int = 80, color: bool = False, unicode: bool = True) -> str:
    """Sentence, table, next command."""
    paint = painter(color=color)
    rows = found.rows
    ready = sum(row.status in _TO_DECIDE for row in rows)
    lines = [paint(line, "finding") for line in wrapped(_finding(rows, ready=ready), width)]
    if rows:
        head = f"{'skill':{_NAME}}  usable  {'status':{_STATUS}}  days left  conflicts   drift  open"
        lines += ["", paint(head, "quiet"), *(line for row in rows for line in _lines(row))]
    if found.others:
        others = count_words(found.others, "other skill")
        them = "it" if found.others == 1 else "them"
        lines += ["", *wrapped(f"{others} installed; nobody recorded or said anything about {them}.", width)]
    return finished([*lines, "", *_next(found)], unicode=unicode)


def _next(found: Overview) -> list[str]:
    """The command that moves the most ready skill on; how to begin where there is none."""
    if not found.rows:
        record = command("feedback", "record", "correction", "--help")
        return [f"Next: {command('mine')}", f"Or record a correction: {record}"]
    row = found.rows[0]
    if row.status == "not installed" and row.skill_id not in found.recorded:
        return [f"Next: {command('events', row.skill_id)}"]
    if row.status == "in cooldown":
        return [f"Next: {command('refine', '--check', row.skill_id, *_folder_option(row))}"]
    return [f"Next: {next_step(row.skill_id, row.status, folder=row.folder)}"]


def _folder_option(row: OverviewRow) -> tuple[str, ...]:
    return ("--skill-folder", row.folder) if row.folder else ()


def _finding(rows: Sequence[OverviewRow], *, ready: int) -> str:
    if not rows:
        return "Nothing is recorded about any skill yet."
    if not ready:
        return f"None of {count_words(len(rows), 'skill')} has anything for you to decide."
    return (
        f"{ready} of {count_words(len(rows), 'skill')} {'has' if ready == 1 else 'have'} something for you to decide."
    )


def _lines(row: OverviewRow) -> Iterator[str]:
    drift = "-" if row.drift_percent is None else f"{row.drift_percent:.1f}%"
    yield (
        f"{fitted(row.skill_id, _NAME)}  {row.corrections:>6,}  {row.status:{_STATUS}}  {row.days_remaining:>9}  "
        f"{row.conflicts:>9}  {drift:>6}  {row.open_suggestions:>4}"
    )
    if row.folder:
        shown = safe(row.folder)
        yield f"  {shown if columns(shown) <= _PATH else fitted(shown, _PATH)}"


_PATH: Final = 160
"""Columns of a folder's path; it is whole in the command below and for programs."""


def _readiness(row: OverviewRow) -> tuple[int, int, int, str, str]:
    return RANK.index(row.status), row.days_remaining, -row.corrections, row.skill_id, row.folder


def _row(name: str, *, workspace: Path | None, as_of: datetime, recorded: int, folder: str = "") -> OverviewRow:
    try:
        read = read_state(name, workspace=workspace, base_directory=folder or None)
        standing = read_standing(see_skill(read, at=as_of), as_of=as_of)
    except (DamagedError, SkillFileError, TextTooLongError, TextsTooDifferentError) as error:
        return OverviewRow(skill_id=name, status="damaged", corrections=recorded, told=str(error), folder=folder)
    except (SkillNotFoundError, InputError) as error:
        return OverviewRow(
            skill_id=name,
            status="not installed",
            corrections=recorded,
            reason="skill_not_found",
            told=str(error),
            folder=folder,
        )
    found = standing.eligibility
    return OverviewRow(
        skill_id=name,
        status=standing.status,
        corrections=found.correction_count,
        open_suggestions=standing.openings,
        days_remaining=found.days_remaining,
        conflicts=sum(finding.holds for finding in found.contradictions.findings),
        drift_percent=standing.drift_percent,
        reason=found.reason,
        told=found.outlook if found.eligible else found.told,
        folder=folder,
    )


def _rows_elsewhere(home: Workspace, *, workspace: Path | None, as_of: datetime) -> list[OverviewRow]:
    """A row a folder outside of this project that skills were used from."""
    used: Mapping[str, Sequence[str]] = used_folders(home)
    return [
        _row(name, workspace=workspace, as_of=as_of, recorded=0, folder=folder)
        for name, folders in used.items()
        for folder in folders
    ]


def _recorded(home: Workspace) -> dict[str, int]:
    """Skill → corrections in the ledger."""
    counts: defaultdict[str, int] = defaultdict(int)
    for event in find_ledger(home).corrections():
        counts[event.skill_id] += 1
    return dict(counts)


def _complained_of(home: Workspace) -> Collection[str]:
    """The skills with mined complaints; none without a log."""
    try:
        return {complaint.skill_id for complaint in read_complaints(read_events(home.feedback_path))}
    except ReadError:
        return ()
