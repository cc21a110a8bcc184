"""What the notebook ``02_metrics`` calls: parameters in, the tables that its metrics are made from."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

import pandas as pd

from skilltune.errors import InputError, UnknownSkillError
from skilltune.limits import MIN_INVOCATIONS
from skilltune.reports.choice import existing_log
from skilltune.reports.readable import ReadableTable, readable
from skilltune.sample import sample_end, sample_root
from skilltune.stores.injected import check_injected
from skilltune.stores.skills import find_installed_skills
from skilltune.stores.tables import read_tables
from skilltune.stores.unmeasurable import unmeasurable_of
from skilltune.workflow import as_time, mine, read_sessions

__all__ = ["MetricTables", "read_metric_tables"]

_NOTHING: Final = (
    "Nothing to measure yet: run `skilltune mine` and then all cells again, or write sample: bool = True in the cell "
    "of parameters to see an example."
)


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

    def __repr__(self) -> str:
        counts = f"{len(self.events):,} judged uses, {len(self.invocations):,} uses"
        told = f"{counts}, before {self.as_of:%Y-%m-%d %H:%M} UTC; weeks in {self.time_zone}"
        return told if len(self.invocations) or len(self.events) else f"{told}. {_NOTHING}"

    def of_skill(self, table: pd.DataFrame) -> pd.DataFrame:
        """The rows of the skill that was asked for; all where none was, or where rows are of no single skill."""
        if not self.skill or "skill_id" not in table.columns:
            return table
        return table[table["skill_id"] == self.skill].reset_index(drop=True)

    def shown(self, table: pd.DataFrame) -> ReadableTable:
        """Those rows for a person's eyes; the frame itself stays as it is, to work with."""
        return readable(self.of_skill(table), time_zone=self.time_zone)

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
    """The tables of a feedback log, or of the bundled sample.

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
        When there is no log.
    """
    check_injected()
    if min_invocations < 1:
        raise InputError(f"min_invocations is {min_invocations}; at least 1 is needed")
    sessions = None
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
    )
