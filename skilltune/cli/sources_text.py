"""What ``sources`` prints: a block for each place, in lines that fit the terminal."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from skilltune.cli.left_out_text import left_out_words
from skilltune.cli.output import safe
from skilltune.cli.read_text import amount_words, counted_lines, named_files, named_records
from skilltune.rendering.terminal import count_words, wrapped
from skilltune.scan import Copy
from skilltune.stores.transcripts import transcript_days
from skilltune.survey import AgentShare, Place, Survey

__all__ = ["sources_text"]

_NAMED: Final = 3
"""How many copies, orphans and unreadable files are named; the others are counted."""
_PATH_CHARS: Final = 56
_KINDS: Final = 12
"""How many unknown kinds of record, and fields, are named."""


def sources_text(found: Survey, *, width: int = 80) -> str:
    """A block for each place where sessions were looked for; those that are not there in one paragraph."""
    lines: list[str] = []
    for place in found.places:
        if place.exists:
            lines += [*_block(place, width=width), ""]
    missing = [f"{place.name} ({safe(place.path)})" for place in found.places if not place.exists]
    if missing:
        lines += wrapped(f"Not there: {', '.join(missing)}", width, hanging="  ")
    return "\n".join(lines).rstrip("\n")


def _block(place: Place, *, width: int) -> list[str]:
    told = [
        f"{amount_words(place)}, {count_words(place.turns, 'human turn')}, {_signs(place.uses)}",
        *(_agent(share) for share in place.agents),
        *(_warning(share) for share in place.agents if share.silent),
        *_expiring(place),
        *_copies(place),
        *(f"left out by mine: {_left_out_of(place, reason)}" for reason in place.left_out),
        *(f"passed over: {count_words(n, 'file')} {why}" for why, n in named_files(place.skipped).items()),
        *_some([f"not readable: {safe(path)}: {safe(message)}" for path, message in place.unreadable]),
        *_some([f"sub-agents without a session: {_below(path, place)}" for path in place.orphans]),
    ]
    lines = [f"{place.name}: {safe(place.path)}"]
    lines += [line for text in told for line in wrapped(text, width, indent="  ", hanging="    ")]
    if place.records:
        lines += ["  records", *(f"  {line}" for line in counted_lines(named_records(place.records)))]
    if place.unknown_types:
        lines += ["  kinds that skilltune does not know"]
        lines += [f"  {line}" for line in counted_lines(place.unknown_types, most=_KINDS, width=width - 2)]
    if place.unknown_fields:
        lines += ["  fields that skilltune does not know"]
        lines += [f"  {line}" for line in counted_lines(place.unknown_fields, most=_KINDS, width=width - 2)]
    return lines


def _agent(share: AgentShare) -> str:
    """``Codex: 3 sessions, 9 human turns, 2 signs of skill use, versions 0.80 to 0.101, newest record …``."""
    parts = [
        count_words(share.sessions, "session"),
        count_words(share.turns, "human turn"),
        _signs(share.uses),
    ]
    if share.versions:
        first, last = safe(share.versions[0]), safe(share.versions[-1])
        parts.append(f"version {first}" if first == last else f"versions {first} to {last}")
    if share.newest:
        parts.append(f"newest record {share.newest:%d %b %Y %H:%M} UTC")
    if share.newest_use:
        parts.append(f"newest use {share.newest_use:%d %b %Y}")
    return f"{safe(share.name)}: {', '.join(parts)}"


def _warning(share: AgentShare) -> str:
    since = f"since {share.newest_use:%d %b %Y}" if share.newest_use else "in any of its sessions"
    return (
        f"warning: {safe(share.name)} has new sessions, but no use of a skill {since}. If skills were used, its logs "
        "may have changed: skilltune mine --explain"
    )


def _expiring(place: Place) -> list[str]:
    if not place.expiring:
        return []
    days = count_words(transcript_days(), "day")
    told = f"{count_words(place.expiring, 'transcript')} will be deleted by Claude Code within a week"
    return [f"{told}: it keeps them {days} (cleanupPeriodDays in its settings.json). skilltune mine keeps the feedback"]


def _copies(place: Place) -> Iterator[str]:
    """How many sessions another file counts wholly or partly, and of what the first ones are copies."""
    if not place.copies:
        return
    whole = sum(copy.copied == copy.items for copy in place.copies)
    items = count_words(sum(copy.copied for copy in place.copies), "turn or use", plural="turns and uses")
    yield (
        f"copies: {count_words(len(place.copies), 'session')} repeat others ({whole:,} wholly); {items} in them are "
        "counted once, in the earliest file"
    )
    yield from _some([_copy(copy, place) for copy in place.copies])


def _copy(copy: Copy, place: Place) -> str:
    fork = f", a fork of {safe(copy.forked_from)}" if copy.forked_from else ""
    owner = _below(copy.owner_path, place)
    return f"  {_below(copy.path, place)}{fork}: {copy.copied:,} of {copy.items:,} counted in {owner}"


def _some(lines: list[str]) -> Iterable[str]:
    """The first few lines, and how many more there are."""
    more = len(lines) - _NAMED
    return lines if more <= 0 else [*lines[:_NAMED], f"  and {more:,} more (all of them: --json)"]


def _below(path: str, place: Place) -> str:
    """The end of a path as seen from its place."""
    shown = safe(str(Path(path).relative_to(place.path)) if Path(path).is_relative_to(place.path) else path)
    return shown if len(shown) <= _PATH_CHARS else f"…{shown[1 - _PATH_CHARS :]}"


def _left_out_of(place: Place, reason: str) -> str:
    return f"{left_out_words(reason, place.left_out[reason])} (with {_signs(place.left_out_uses[reason])})"


def _signs(count: int) -> str:
    """Calls, commands and reads as they stand in the files; which of them are uses, ``mine`` decides."""
    return count_words(count, "sign of skill use", plural="signs of skill use")
