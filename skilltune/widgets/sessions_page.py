"""What the notebook ``01_sessions`` calls: parameters in; what was found, sessions, uses, and the turn browser out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import PurePath
from typing import Final, TypeVar

from markupsafe import Markup

from skilltune.analysis.rows import as_records
from skilltune.errors import InputError
from skilltune.page.health import SKIPPED
from skilltune.page.html import Section
from skilltune.page.words import count_of, short_date
from skilltune.records import FeedbackEvent, Invocation, Turn
from skilltune.sample import sample_end, sample_root
from skilltune.scan import Scan
from skilltune.stores.injected import check_injected
from skilltune.stores.names import mask_name
from skilltune.widgets.approval_tables import finding_of, table_of
from skilltune.widgets.browser import TurnBrowser
from skilltune.widgets.browser_turns import COMPLAINTS
from skilltune.widgets.label_tables import framed
from skilltune.widgets.turn_view import agent_name
from skilltune.workflow import Mined, as_time, default_roots, may_exist, mine, read_sessions

__all__ = ["SessionsPage", "read_sessions_page"]

MOST_ROWS: Final = 15
"""Rows of a table; how many more there are is said, and what shows them."""
SAMPLE: Final = "There are no sessions of yours to read: these are invented sample sessions."

_Record = TypeVar("_Record", FeedbackEvent, Invocation, Turn)


@dataclass(frozen=True)
class SessionsPage:
    """The parts of the notebook."""

    mined: Mined
    scan: Scan
    skill: str = ""
    sample: bool = False
    """These are the bundled sample sessions."""

    @cached_property
    def browser(self) -> TurnBrowser:
        """The turn browser; a table where there is no front end."""
        return TurnBrowser(self.mined, skill_id=self.skill)

    def found(self, *, rows: int = MOST_ROWS) -> Section:
        """How much was read, and what was passed over and why, at most `rows` rows of each."""
        summary = self.scan.summary
        told = (
            f"{count_of(summary.sessions, 'session')} in {count_of(summary.files, 'file')}: "
            f"{count_of(len(self.mined.records.turns), 'turn')} of a person, {count_of(len(self._uses), 'skill use')}."
        )
        note = SAMPLE if self.sample else ""
        return Section(framed(finding_of(told, note), self._passed_over(rows), self._unread(rows)))

    def sessions(self, *, rows: int = MOST_ROWS) -> Section:
        """The sessions, the newest first, at most `rows` of them."""
        found = self._session_rows()
        if not found:
            return Section(framed(finding_of("No session holds a turn of a person.")))
        heads = ("session", "agent", "project", "last turn", "turns", "skill uses", "complaints")
        caption = f"Sessions, the newest first{_more(found, rows, by='sessions')}"
        shown = table_of(caption, heads, [row for _, row in found[:rows]])
        told = f"{count_of(len(found), 'session')} in which a person said something."
        return Section(framed(finding_of(told), shown))

    def uses(self, *, rows: int = MOST_ROWS) -> Section:
        """How often each skill was used, and what became of it, at most `rows` skills."""
        uses = Counter(use.skill_id for use in self._uses)
        if not uses:
            return Section(framed(finding_of("No skill was used.")))
        events: dict[str, Counter[str]] = {}
        for event in self.mined.records.events:
            events.setdefault(event.skill_id, Counter())[event.outcome] += 1
        found = [
            (mask_name(name), f"{count:,}", *(f"{events.get(name, Counter())[what]:,}" for what in _OUTCOMES))
            for name, count in uses.most_common()
        ]
        judged = len(self.mined.records.events)
        told = f"{count_of(len(uses), 'skill')}, {count_of(uses.total(), 'use')}, {judged:,} of them judged."
        heads = ("skill", "uses", "corrections", "partials", "acceptances")
        caption = f"Skills, the most used first{_more(found, rows, by='uses')}"
        return Section(framed(finding_of(told), table_of(caption, heads, found[:rows])))

    @cached_property
    def _uses(self) -> list[Invocation]:
        return [use for use in self.mined.records.invocations if not use.failed]

    def _session_rows(self) -> list[tuple[float, tuple[str, ...]]]:
        uses = Counter(use.session_id for use in self._uses)
        grouped: dict[str, list[Turn]] = {}
        for turn in self.mined.records.turns:
            grouped.setdefault(turn.session_id, []).append(turn)
        rows = []
        for name, turns in grouped.items():
            last = max((turn.timestamp for turn in turns if turn.timestamp), default=None)
            complaints = sum(turn.outcome in COMPLAINTS for turn in turns)
            cells = (
                mask_name(name)[:12],
                agent_name(turns[0].agent),
                mask_name(PurePath(turns[0].project.replace("\\", "/")).name),
                short_date(last.date()) if last else "",
                *(f"{count:,}" for count in (len(turns), uses[name], complaints)),
            )
            rows.append((last.timestamp() if last else 0.0, cells))
        return sorted(rows, key=lambda row: row[0], reverse=True)

    def _passed_over(self, most: int) -> Markup:
        left = sorted(
            (row for row in as_records(self.mined.dropped) if not row["kept"]), key=lambda row: -int(row["count"])
        )
        rows = [(str(row["reason"]).replace("_", " "), str(row["level"]), f"{int(row['count']):,}") for row in left]
        caption = f"Passed over{_more(rows, most, by='found')}"
        return table_of(caption, ("why", "what", "how many"), rows[:most]) if rows else Markup("")

    def _unread(self, most: int) -> Markup:
        unread = [(str(path), str(message)) for path, message in self.scan.summary.unreadable]
        skipped = self.scan.summary.skipped
        unread += [(count_of(skipped[why], "file"), words) for why, words in SKIPPED.items() if skipped.get(why)]
        caption = f"Could not be read{_more(unread, most, by='found')}"
        return table_of(caption, ("file", "why"), unread[:most]) if unread else Markup("")


_OUTCOMES: Final = ("correction", "partial", "acceptance")


def read_sessions_page(*, sessions: str = "", since: str = "", skill: str = "") -> SessionsPage:
    """The sessions of a person; where there are none at all, the bundled ones.

    Parameters
    ----------
    sessions
        A file or folder of sessions; '' is where the agents keep them.
    since
        ISO date or time: only what was said and used from then on; '' is everything.
    skill
        The browser begins with turns after uses of this skill; '' is every skill.

    Raises
    ------
    InputError
        When a parameter has another type, or `since` is no time.
    ReadError
        Nothing of `sessions` can be read.
    """
    check_injected()
    for name, value in {"sessions": sessions, "since": since, "skill": skill}.items():
        if not isinstance(value, str):
            raise InputError(f"parameter {name!r} is {value!r}; it takes a str")
    start = as_time(since) if since else None
    sample = not sessions and not any(map(may_exist, default_roots()))
    scan = read_sessions(sample_root() / "projects" if sample else sessions or None)
    mined = mine(scan, as_of=sample_end() if sample else None)
    return SessionsPage(_since(mined, start), scan, skill=skill, sample=sample)


def _since(mined: Mined, start: datetime | None) -> Mined:
    """What was mined, from `start` on."""
    if start is None:
        return mined
    records = mined.records
    later = replace(
        records,
        events=_later(records.events, start),
        invocations=_later(records.invocations, start),
        turns=_later(records.turns, start),
    )
    return replace(mined, records=later)


def _later(records: Iterable[_Record], start: datetime) -> list[_Record]:
    return [record for record in records if record.timestamp is not None and record.timestamp >= start]


def _more(rows: Sequence[object], most: int, *, by: str) -> str:
    """How many rows are not shown, and the call that shows them."""
    more = len(rows) - most
    return f"; {more:,} more: page.{by}(rows={len(rows)}) shows all" if more > 0 else ""
