"""What to write for what a run found: a row where the log does not say so yet, and the lines a rebuild leaves."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from skilltune.records import FeedbackEvent, Invocation
from skilltune.stores.jsonl import dump_row
from skilltune.stores.rows import event_row, row_digest, same_state, same_verdict, use_row, with_known
from skilltune.stores.secrets import snippet
from skilltune.stores.states import LogLine

__all__ = [
    "Kind",
    "Record",
    "change",
    "found_records",
    "judges",
    "kind_of",
    "new_row",
    "rebuilt",
    "saw_less",
    "says",
    "without_text",
]

Kind = Literal["event", "use"]
Record = FeedbackEvent | Invocation


def found_records(events: Iterable[FeedbackEvent], uses: Iterable[Invocation]) -> dict[str, Record]:
    """Event id → what a run found of that use."""
    judged: dict[str, Record] = {event.event_id: event for event in events}
    return {use.event_id: use for use in uses if use.event_id not in judged} | judged


def kind_of(record: Record) -> Kind:
    """In which of the log's files a record belongs."""
    return "event" if isinstance(record, FeedbackEvent) else "use"


def new_row(record: Record, now: LogLine | None, *, snippets: bool) -> dict[str, Any]:
    """The row to write for `record`, which replaces `now`; fields of other tools come along."""
    supersedes = row_digest(now.row) if now else ""
    known = now.row if now else {}
    if isinstance(record, Invocation):
        return with_known(use_row(record, supersedes=supersedes), known)
    text = snippet(record.user_message_snippet) if snippets else ""
    row = with_known(event_row(record, text=text, supersedes=supersedes), known)
    strange = now.row.keys() - row.keys() if now and now.kind == "event" else set()
    return row | {name: now.row[name] for name in now.row if name in strange} if now else row


def says(record: Record, now: LogLine | None) -> bool:
    """Whether the log's line `now` already says what `record` says."""
    return now is not None and now.kind == kind_of(record) and same_state(_row(record), now.row)


def judges(record: Record, now: LogLine | None) -> bool:
    """Whether the log's line `now` has the verdict of `record`, be it without its cost and what else is beside it."""
    return now is not None and now.kind == kind_of(record) and same_verdict(_row(record), now.row)


def _row(record: Record) -> dict[str, Any]:
    return event_row(record) if isinstance(record, FeedbackEvent) else use_row(record)


def saw_less(record: Record, now: LogLine | None) -> bool:
    """Whether the log's line rests on more of the session than `record`, by the same rules.

    Then the run read a copy that ends earlier, and the line stays. A use has no ruleset of its own: it is taken for
    that of the other. An event that does not say how many turns it saw proves nothing, either way.
    """
    logged = now.record if now else None
    if logged is None or (isinstance(record, FeedbackEvent) and not record.turns_seen):
        return False
    both = isinstance(record, FeedbackEvent) and isinstance(logged, FeedbackEvent)
    return record.turns_seen < logged.turns_seen and (not both or _ruleset(record) == _ruleset(logged))


def change(record: Record, now: LogLine | None) -> str:
    """Under which of the ``UpdateCounts`` a record falls ('' for a use that is known)."""
    if saw_less(record, now):
        return "kept_longer" if "event" in (kind_of(record), now and now.kind) else ""
    if isinstance(record, Invocation):
        if now and now.kind == "event":
            return "withdrawn"
        return "" if judges(record, now) else "uses"
    if now is None or now.kind == "use":
        return "new"
    return "unchanged" if judges(record, now) else "updated"


def _ruleset(record: Record) -> str:
    return record.ruleset if isinstance(record, FeedbackEvent) else ""


def rebuilt(
    line: LogLine, *, found: Mapping[str, Record], current: Mapping[str, LogLine], lost: set[str], snippets: bool
) -> bytes | None:
    """What an overwrite makes of a line: one line a use that was found, none of a lost one, the rest as it is."""
    record = line.record
    if record and record.event_id in lost:
        return None
    if record is None or record.event_id not in found:
        return line.line.raw if snippets else without_text(line)
    now = current[record.event_id]
    if (now.path, now.line.number) != (line.path, line.line.number):
        return None
    fresh = found[record.event_id]
    written = with_known(new_row(fresh, None, snippets=snippets) | {"supersedes": line.supersedes}, line.row)
    return dump_row(written | {name: value for name, value in line.row.items() if name not in written})


def without_text(line: LogLine) -> bytes | None:
    """The line with its text emptied; None for one that nobody can read."""
    if line.line.row is None:
        return None
    if not line.row.get("user_message_snippet"):
        return line.line.raw
    return dump_row(line.row | {"user_message_snippet": ""})
