"""What ``turns``, ``mine`` and ``events`` print."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from skilltune.cli.left_out_text import left_out_lines, left_out_words
from skilltune.cli.output import safe
from skilltune.cli.read_text import amount_words, counted_lines, named_files, named_records
from skilltune.limits import MIN_INVOCATIONS
from skilltune.mining.windows import TAKEN_BACK
from skilltune.records import Invocation
from skilltune.rendering.terminal import count_words
from skilltune.scan import ScanSummary
from skilltune.stores.feedback import OverwriteCounts
from skilltune.workflow import Collected

__all__ = ["collected_row", "collected_text", "events_text", "explained_text", "turn_text"]

_MOST_USED: Final = 5


def collected_text(collected: Collected, *, min_invocations: int | None = None) -> str:
    """The summary of a run: what was read, found, left out, and where it was written."""
    summary = collected.mined.scan.summary
    judged = _outcomes(collected)
    return "\n".join(
        [
            _read_line(summary),
            "",
            _log_line(collected),
            f"Outcomes{_of(collected)}: {', '.join(count_words(n, name) for name, n in judged.items())}.",
            *_most_used(collected, min_invocations or MIN_INVOCATIONS),
            *_left_out(collected),
            *_troubles(collected),
            "",
            *_written(collected),
        ]
    )


def collected_row(collected: Collected) -> dict[str, Any]:
    """The same summary for programs."""
    summary = collected.mined.scan.summary
    counts = collected.counts
    return {
        "log": str(collected.log.path),
        "written": collected.log.exists(),
        "files": summary.files,
        "sessions": summary.sessions,
        "bytes": summary.bytes,
        "skill": collected.skill_id,
        "events": {name: getattr(counts, name) for name in counts.__slots__ if name != "uses"},
        "archived": collected.archived,
        "outcomes": _outcomes(collected),
        "uses": sum(1 for use in _uses(collected) if not use.failed),
        "trigger_problems": sum(1 for use in _uses(collected) if use.failed),
        "records": summary.records,
        "unknown_types": summary.unknown_types,
        "skipped_files": summary.skipped,
        "left_out": collected.mined.records.dropped,
        "damaged": summary.problems,
        "unreadable": [{"path": path, "message": message} for path, message in summary.unreadable],
        "warnings": len(collected.warnings) + len(summary.unreadable),
    }


def explained_text(collected: Collected) -> str:
    """Each use with its verdict, or with the reason why it has none."""
    verdicts = {event.event_id: event for event in collected.mined.records.events}
    lines = []
    for use in _uses(collected):
        event = verdicts.get(use.event_id)
        said = f"{event.outcome}, rule {event.rule}" if event else f"no verdict: {use.failed or use.reason}"
        lines.append(f"{safe(use.path)}:{use.line}  {safe(use.skill_id)}  {said}")
    return "\n".join([*lines, ""])


def turn_text(row: Mapping[str, Any]) -> str:
    """One turn as two lines."""
    verdict = row["correction_type"] or row["outcome"]
    skill = f"  about {safe(row['skill_id'])} ({row['attribution']})" if row["skill_id"] else ""
    head = f"{_place(row)}  {row['channel']}  {verdict}  [{row['rule']}]{skill}"
    text = safe(row["text"] or "")[:200]
    return f"{head}\n    {text}" if text else head


def _place(row: Mapping[str, Any]) -> str:
    """File, line and agent of a turn, and its session where the file's name does not tell it."""
    session = "" if row["session"] in row["path"] else f" {safe(row['session'])}"
    return f"{safe(row['path'])}:{row['line']}  {safe(row['agent'])}{session}"


def events_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Newest events, each with its rule and what the person said."""
    if not rows:
        return "No use was judged yet. Why, of each use: skilltune mine --explain"
    return "\n".join(_event_text(row) for row in rows)


def _event_text(row: Mapping[str, Any]) -> str:
    day = str(row["timestamp"] or "no date")[:10]
    what = " ".join(filter(None, [row["correction_type"] or row["outcome"], row["dimension_hint"]]))
    wordless = "(taken back by a command)" if row["rule"] == TAKEN_BACK else "(no words)"
    agent = f"  {safe(row['agent'])}" if row["agent"] else ""
    words = safe(row["user_message_snippet"]) or wordless
    return f"{day}  {safe(row['skill_id'])}  {what}  [{row['rule']}]{agent}\n    {words}"


def _read_line(summary: ScanSummary) -> str:
    return f"Read {amount_words(summary)}, {count_words(sum(summary.records.values()), 'record')}."


def _log_line(collected: Collected) -> str:
    counts = collected.counts
    parts = [f"{counts.new:,} new", f"{counts.updated:,} updated", f"{counts.unchanged:,} unchanged"]
    if isinstance(counts, OverwriteCounts):
        parts += [f"{counts.removed:,} removed", f"{counts.kept:,} kept"]
    elif counts.withdrawn:
        parts.append(f"{counts.withdrawn:,} withdrawn")
    if counts.kept_longer:
        parts.append(f"{counts.kept_longer:,} kept as they were (less of their session is there now)")
    moved = f" {count_words(collected.archived, 'event')} moved into the archive." if collected.archived else ""
    return f"Feedback events: {', '.join(parts)}.{moved}"


def _outcomes(collected: Collected) -> dict[str, int]:
    found = Counter(event.outcome for event in collected.mined.records.events if _stored(collected, event.skill_id))
    return {name: found[name] for name in ("correction", "partial", "acceptance")}


def _stored(collected: Collected, skill: str) -> bool:
    return collected.skill_id in (None, skill)


def _uses(collected: Collected) -> list[Invocation]:
    return [use for use in collected.mined.records.invocations if _stored(collected, use.skill_id)]


def _of(collected: Collected) -> str:
    return f" of {safe(collected.skill_id)}" if collected.skill_id else ""


def _most_used(collected: Collected, min_invocations: int) -> list[str]:
    """The five most used skills of this run with their rate."""
    uses = Counter(use.skill_id for use in _uses(collected) if not use.failed)
    if not uses:
        return ["", f"No use{_of(collected)} was found in these sessions.", *_sessions_left_out(collected)]
    lines = ["", "Most used skills"]
    for skill, n in sorted(uses.items(), key=lambda item: (-item[1], item[0]))[:_MOST_USED]:
        lines.append(f"  {safe(skill)}: {count_words(n, 'use')}, {_rate(collected, skill, min_invocations)}")
    return lines


def _rate(collected: Collected, skill: str, min_invocations: int) -> str:
    found = Counter(event.outcome for event in collected.mined.records.events if event.skill_id == skill)
    judged = sum(found.values())
    if judged < min_invocations:
        return f"{judged} judged (insufficient data)"
    return f"{(2 * found['correction'] + found['partial']) / (2 * judged):.0%} corrected of {judged} judged"


def _left_out(collected: Collected) -> list[str]:
    summary = collected.mined.scan.summary
    lines = ["", "Records", *counted_lines(named_records(summary.records))]
    if summary.unknown_types:
        lines += ["Kinds of record that skilltune does not know", *counted_lines(summary.unknown_types)]
    if summary.skipped:
        lines += ["Files without a session", *counted_lines(named_files(summary.skipped))]
    if collected.mined.records.dropped:
        lines += ["Sessions and uses left out", *left_out_lines(collected.mined.records.dropped)]
    return lines


def _sessions_left_out(collected: Collected) -> list[str]:
    """Why a run without any use found none, as far as whole sessions were left out."""
    dropped = collected.mined.records.dropped
    return [f"Left out: {left_out_words(name, n)}." for name, n in dropped.items() if name.startswith("session_")]


def _written(collected: Collected) -> list[str]:
    """Where the log is; where there is none, that nothing was written, and what to do."""
    if collected.log.exists():
        return [f"Written to {safe(str(collected.log.path))}"]
    if not collected.mined.scan.summary.sessions:
        step = "Name a folder of sessions: skilltune mine --session-dir FOLDER"
    else:
        step = "What lies where, and what is left out: skilltune sources"
    return [f"Nothing written: there is no use of a skill to store. {step}"]


def _troubles(collected: Collected) -> list[str]:
    summary = collected.mined.scan.summary
    lines = [
        f"  {safe(path)}: " + ", ".join(f"{n} {reason}" for reason, n in reasons.items())
        for path, reasons in summary.problems.items()
    ]
    lines += [f"  {safe(path)}: {safe(message)}" for path, message in summary.unreadable]
    return ["Damaged lines and files (the rest of each file counts)", *lines] if lines else []
