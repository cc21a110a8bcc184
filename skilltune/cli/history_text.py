"""What ``history``, ``rollback`` and ``refine --approve`` print."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from skilltune.refining.applying import Applied
from skilltune.refining.records import Version
from skilltune.refining.telling import SkillHistory
from skilltune.rendering.eligibility import iso_date
from skilltune.rendering.terminal import NAME_CHARS, command, cut, finished, painter, safe, titled, visible, wrapped

__all__ = ["applied_text", "history_row", "history_text"]

NOTE_CHARS: Final = 160
_TYPES: Final = {
    "first_seen": "first seen",
    "outside_edit": "edited outside",
    "refine": "refined",
    "rollback": "rolled back",
}
_ACTS: Final = {
    "approve": "approved",
    "reject": "rejected",
    "defer": "deferred",
    "reset_baseline": "baseline taken anew",
    "set_limit": "limit set",
    "release": "contradiction released",
    "hold": "contradiction holds again",
    "reopen": "taken back",
}


def applied_text(
    applied: Applied,
    *,
    lead: str,
    back_to: int,
    options: Sequence[str] = (),
    notes: Sequence[str] = (),
    width: int = 80,
    color: bool = False,
    unicode: bool = True,
) -> str:
    """What was written and where, the drift, and how to go back; `options` say which skill of the name is meant."""
    paint = painter(color=color)
    lines = [paint(line, "finding") for line in wrapped(f"{lead}; it is version {applied.version} now.", width)]
    lines.append(f"Written to {safe(str(applied.path))}")
    drift = applied.drift
    if drift.percent is None:
        lines.append(f"Drift: not known ({drift.note}).")
    else:
        lines.append(f"Drift: {drift.percent:.1f}% of the baseline, limit {drift.limit_percent:g}%.")
    if applied.commit is not None and applied.commit.commit:
        lines.append(f"Committed as {applied.commit.commit[:12]}.")
    lines += [line for note in (*applied.notes, *notes) for line in wrapped(f"Look at: {safe(note)}", width)]
    lines += ["", f"Undo: {command('rollback', applied.skill_id, '--to', str(back_to), *options)}"]
    return finished(lines, unicode=unicode)


def history_text(found: SkillHistory, *, width: int = 80, color: bool = False, unicode: bool = True) -> str:
    """A line a version, then what else was decided, and how to go back."""
    paint = painter(color=color)
    lines = titled(f"History: {cut(found.skill_id, NAME_CHARS)}")
    lines += [f"Current version: {found.version}", f"File: {safe(str(found.path))}", ""]
    if not found.versions:
        lines.append("Nothing was ever done to it.")
    for version in found.versions:
        lines += wrapped(_version_words(version), width, hanging=" " * 18)
    if found.outside_edit:
        lines += ["", *(paint(line, "held") for line in wrapped(_EDITED, width))]
    decided = [entry for entry in found.acts if entry.get("type") in _ACTS or entry.get("versions")]
    idle = _not_applied(found.acts)
    if decided:
        lines += ["", "Decisions:"]
        lines += [
            line
            for entry in decided
            for line in wrapped(_act_words(entry, idle=entry in idle), width, indent="  ", hanging=" " * 14)
        ]
    lines += [line for note in found.notes for line in wrapped(f"Look at: {safe(note)}", width)]
    others = [version for version in found.versions[:-1] if version.digest != found.versions[-1].digest]
    if others:
        lines += ["", f"Next: {command('rollback', found.skill_id, '--to', str(others[-1].number))}"]
    return finished(lines, unicode=unicode)


def history_row(found: SkillHistory) -> dict[str, Any]:
    """The same for programs; an approval that nothing came of has ``applied`` false."""
    idle = _not_applied(found.acts)
    return {
        "skill_id": found.skill_id,
        "path": str(found.path),
        "version": found.version,
        "versions": [
            {
                "version": version.number,
                "type": version.type,
                "at": None if version.at is None else version.at.isoformat(),
                "by": version.by,
                "note": version.note,
                "change_percent": version.change_percent,
                "drift_percent": version.drift_percent,
                "digest": version.digest,
                "healed": version.healed,
            }
            for version in found.versions
        ],
        "acts": [dict(entry) | ({"applied": False} if entry in idle else {}) for entry in found.acts],
        "outside_edit": found.outside_edit,
        "notes": list(found.notes),
    }


_EDITED: Final = "Edited outside of skilltune since; the next act keeps that text as a version of its own."


def _version_words(version: Version) -> str:
    parts = [f"{version.number:>4}  {iso_date(version.at):10}  {_TYPES.get(version.type, safe(version.type))}"]
    if version.change_percent is not None:
        drift = "" if version.drift_percent is None else f", drift {version.drift_percent:.1f}%"
        parts.append(f"({version.change_percent:g}%{drift})")
    if version.by:
        parts.append(f"by {cut(version.by, NOTE_CHARS)}")
    if version.healed:
        parts.append("[completed after a crash]")
    return " ".join(parts) + (f": {cut(version.note, NOTE_CHARS)}" if version.note else "")


def _not_applied(acts: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The approvals that no refinement came of, as where the disk was full."""
    waiting: dict[str, Mapping[str, Any]] = {}
    idle = []
    for entry in acts:
        digest = str(entry.get("suggestionDigest") or "")
        if entry.get("type") == "approve":
            idle += [waiting[digest]] if digest in waiting else []
            waiting[digest] = entry
        elif entry.get("type") == "refine":
            waiting.pop(digest, None)
    return [*idle, *waiting.values()]


def _act_words(entry: Mapping[str, Any], *, idle: bool) -> str:
    said = _ACTS.get(str(entry.get("type"))) or ("audit log begun anew" if entry.get("restarted") else "moved")
    digest = str(entry.get("suggestionDigest") or "")[:12]
    limit = f" to {entry['limit']:g}%" if isinstance(entry.get("limit"), int | float) else ""
    by, note = str(entry.get("by") or ""), str(entry.get("note") or "")
    told = f"{str(entry.get('timestamp'))[:10]}  {said}{limit}{' ' + digest if digest else ''}"
    told += (" (not applied)" if idle else "") + (f" by {cut(by, NOTE_CHARS)}" if by else "")
    return visible(told) + (f": {cut(note, NOTE_CHARS)}" if note else "")
