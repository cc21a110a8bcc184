"""Words for what was read: how much, which records, which files hold no session."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from skilltune.cli.output import safe
from skilltune.rendering.terminal import count_words
from skilltune.scan import ScanSummary
from skilltune.survey import Place

__all__ = ["amount_words", "counted_lines", "named_files", "named_records"]

_KINDS: Final = {
    "agent": "of the agent",
    "tool_result": "tool results",
    "orphan_result": "tool results whose call is not there",
    "turn": "of a person (turns)",
    "use": "skill calls and commands",
    "automation": "prompts of an automation",
    "command": "shell commands a person typed",
    "compaction": "summaries of what was said before",
    "skill_body": "texts of skills",
    "subagent": "in sub-agents' transcripts",
    "sidechain": "of sub-agents",
    "teammate": "messages of other agents",
    "harness": "put in by the program",
    "meta": "put in by the program",
    "empty": "messages without words",
    "synthetic": "written by the program in a person's place",
    "part": "parts of messages",
    "orphan_message": "messages whose session is not there",
    "orphan_part": "parts whose message is not there",
    "unknown_type": "of kinds that skilltune does not know",
    "not_a_session": "of no session",
    "headless": "in files whose first record is damaged",
    "without_parent_column": "in databases that do not tell sub-agents apart",
    "pending": "unfinished, at the end of a file",
    "duplicate": "twice in a file",
    "not_json": "damaged: no JSON",
    "not_object": "damaged: no object",
    "malformed": "damaged: no message",
    "damaged_database": "damaged: a database that breaks off",
    "unreadable": "damaged: a file or folder that cannot be opened",
    "too_long": "too long to be read",
}
"""What a kind of record is called where people read it; the others are called as the transcript calls them."""
_FILES: Final = {
    "compressed": "compressed (.zst, .gz): unpack them to have them read",
    "empty": "empty",
    "headless": "whose first record is damaged: nobody knows who speaks in them",
    "no_messages": "without a message",
    "not_a_session": "not recognised",
    "orphan_messages": "of messages whose session has no file",
    "same_file": "reached twice by links: read once",
    "subagent": "of sub-agents",
    "without_parent_column": "whose sub-agents cannot be told apart",
}
"""Why a file holds no session, where people read it."""


def amount_words(read: ScanSummary | Place) -> str:
    """``2 sessions in 3 files (1.2 MB)``."""
    return f"{count_words(read.sessions, 'session')} in {count_words(read.files, 'file')} ({_size(read.bytes)})"


def named_records(records: Mapping[str, int]) -> dict[str, int]:
    """Counts of records under the words for people, added up where two kinds have the same."""
    return _named(records, words=_KINDS)


def named_files(skipped: Mapping[str, int]) -> dict[str, int]:
    """Counts of files without a session under the words for people."""
    return _named(skipped, words=_FILES)


def counted_lines(counts: Mapping[str, int], *, most: int | None = None, width: int = 80) -> list[str]:
    """A line for each count, the largest first, numbers below each other; those after `most` are added up."""
    ordered = [item for item in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if item[1]]
    shown, rest = ordered[:most], ordered[most:] if most else []
    lines = [f"  {n:>9,}  {_short(safe(name), width - 13) or '(without a name)'}" for name, n in shown]
    if rest:
        lines.append(f"  {sum(n for _, n in rest):>9,}  of {len(rest):,} more kinds (all of them: --json)")
    return lines


def _short(name: str, width: int) -> str:
    return name if len(name) <= width else f"{name[: width - 1]}…"


def _named(counts: Mapping[str, int], *, words: Mapping[str, str]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for kind, n in counts.items():
        found[words.get(kind, kind.replace("_", " "))] += n
    return dict(found)


def _size(count: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return count_words(count, "byte")
