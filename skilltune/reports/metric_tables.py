"""What the notebook ``02_metrics`` calls: parameters in, the tables that its metrics are made from."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

import pandas as pd

from skilltune.errors import InputError, UnknownSkillError
from skilltune.limits import MIN_INVOCATIONS
from skilltune.page.words import count_of
from skilltune.reports.choice import existing_log
from skilltune.reports.readable import ROWS, ReadableTable, readable
from skilltune.sample import sample_end, sample_root
from skilltune.stores.injected import check_injected
from skilltune.stores.paths import expand_path
from skilltune.stores.skills import find_installed_skills
from skilltune.stores.tables import read_tables
from skilltune.stores.unmeasurable import unmeasurable_of
from skilltune.workflow import as_time, mine, read_sessions

__all__ = ["MetricTables", "read_metric_tables"]

_OWN: Final = "for figures of your own run `skilltune mine` and then all cells again"
_NOTHING: Final = (
    f"Nothing to measure yet: {_OWN}, or write sample: bool = True in the cell of parameters to see an example."
)
_SAMPLE: Final = f"There is no feedback log of yours yet: these are invented sample sessions; {_OWN}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricTables:
    """Events and uses, and what was asked about them."""

    events: pd.DataFrame
    invocations: pd.DataFrame
    sessions: pd.DataFrame | None
    """What whole sessions cost; None for a feedback log that did not keep that yet."""
    installed: tuple[str, ...] | None
    """Names of the installed skills; None for the sample, whose skills are nowhere."""
    unmeasurable: dict[str, str]
    """Skills whose use leaves no trace, as the config says, with the reason in words."""
    as_of: datetime
    time_zone: str
    min_invocations: int
    skill: str
    stands_in: bool = False
    """These are the bundled sample sessions, since there is no log."""

    def __repr__(self) -> str:
        failed = int((self.invocations["failed"] != "").sum())
        uses = f"{count_of(len(self.events), 'judged use')}, {count_of(len(self.invocations) - failed, 'use')}"
        left_out = f", {count_of(failed, 'failed call')} that no rate counts" if failed else ""
        told = f"{uses}{left_out}, before {self.as_of:%Y-%m-%d %H:%M} UTC; weeks in {self.time_zone}"
        told = told if len(self.invocations) or len(self.events) else f"{told}. {_NOTHING}"
        return f"{_SAMPLE} {told}" if self.stands_in else told

    def of_skill(self, table: pd.DataFrame) -> pd.DataFrame:
        """The rows of the skill that was asked for; all where none was, or where rows are of no single skill."""
        if not self.skill or "skill_id" not in table.columns:
            return table
        return table[table["skill_id"] == self.skill].reset_index(drop=True)

    def shown(self, table: pd.DataFrame, *, rows: int = ROWS) -> ReadableTable:
        """Those rows, at most `rows`, for a person's eyes; the frame itself stays as it is, to work with."""
        needed = self.min_invocations
        return readable(self.of_skill(table), time_zone=self.time_zone, min_invocations=needed, rows=rows)

    def closest(self, ranking: pd.DataFrame) -> str:
        """The skill to look at closely: the one asked for, else the first of `ranking`, else ''."""
        return self.skill or next(iter(ranking["skill_id"]), "")


def read_metric_tables(
    *,
    workspace: str = "",
    skill: str = "",
    min_invocations: int = MIN_INVOCATIONS,
    as_of: str = "",
    time_zone: str = "UTC",
    sample: bool = False,
    use_labels: bool = True,
) -> MetricTables:
    """The tables of a feedback log, or of the bundled sample; where there is no log yet, of the sample, too.

    Parameters
    ----------
    workspace
        Folder of the workspace, or path of a feedback log (``….jsonl``); '' finds one from the current folder.
    skill
        Only this skill is shown; '' is all of them.
    min_invocations
        Judged uses from which on a rate is called sufficient.
    as_of
        ISO date or time: later uses do not exist; '' is now, or the end of the sample.
    time_zone
        Where weeks begin on Monday at midnight.
    sample
        Take the bundled sample sessions.
    use_labels
        Whether the person's labels beat the rules.

    Raises
    ------
    InputError
        When a time or number is not understood.
    UnknownSkillError
        When no use of `skill` is known.
    ReadError
        When there is no log, and one is named by its path, or a folder that is not there, or `skill`.
    """
    check_injected()
    if min_invocations < 1:
        raise InputError(f"min_invocations is {min_invocations}; at least 1 is needed")
    sessions = None
    stands_in = not sample and _may_stand_in(workspace, skill=skill)
    sample = sample or stands_in
    if sample:
        mined = mine(read_sessions(sample_root() / "projects"), turns="window", as_of=sample_end())
        events, invocations, sessions = mined.events, mined.invocations, mined.sessions
    else:
        tables = read_tables(existing_log(workspace), use_labels=use_labels)
        events, invocations, sessions = tables.events, tables.invocations, tables.sessions
    known = {*events["skill_id"], *invocations["skill_id"]}
    if skill and skill not in known:
        raise UnknownSkillError(skill, known)
    return MetricTables(
        events=events,
        invocations=invocations,
        sessions=sessions,
        installed=None if sample else tuple(find_installed_skills()),
        unmeasurable={} if sample else unmeasurable_of(workspace),
        as_of=sample_end() if sample and not as_of else as_time(as_of or None),
        time_zone=time_zone,
        min_invocations=min_invocations,
        skill=skill,
        stands_in=stands_in,
    )


def _may_stand_in(workspace: str, *, skill: str) -> bool:
    """Whether there is no log yet and nothing was asked for by name: the sample then shows what there will be."""
    named = workspace.endswith(".jsonl") or (workspace and not expand_path(workspace).is_dir())
    return not (named or skill or existing_log(workspace, may_be_missing=True).exists())
