"""What a skill's bounds rest on, as the first entry of another log or under another path carries it.

One form for a skill that was renamed, for the head of the audit log, and for a log that is begun anew.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from skilltune.evolution.skilldoc import SkillDoc
from skilltune.refining.records import Baseline, SkillRecord, Version
from skilltune.stores.snapshots import Snapshots

__all__ = ["BaselineInForce", "baseline_in_force", "carry_record", "summarize_records"]

BodyOf = Callable[[str], str | None]
"""The body of a snapshot by its digest; None where it is missing or damaged."""


@dataclass(frozen=True, slots=True)
class BaselineInForce:
    """What drift is measured against, and the versions from there on."""

    baseline: Baseline | None
    since: tuple[Version, ...]


def baseline_in_force(record: SkillRecord, *, body_of: BodyOf, now: str = "") -> BaselineInForce:
    """The baseline of a record; of one without a text the first version that has one.

    Drift from an empty text is not defined, so a skill that was first seen without a text would have no bound for good.

    Parameters
    ----------
    record
        The record.
    body_of
        Reads a version's body.
    now
        Digest of the file as it is, where that is another one than the last version.
    """
    base, since = record.baseline, record.since_baseline
    if base is None or (body := body_of(base.digest)) is None or body.strip():
        return BaselineInForce(base, since)
    for place, version in enumerate(since):
        if (body := body_of(version.digest)) is None or body.strip():
            found = replace(base, digest=version.digest, at=version.at, commit="", note=_first_text(version.number))
            return BaselineInForce(found, since[place:])
    if now and (body_of(now) or "").strip():
        return BaselineInForce(replace(base, digest=now, at=None, commit="", note=_first_text(None)), ())
    return BaselineInForce(base, since)


def carry_record(record: SkillRecord, *, body_of: BodyOf) -> dict[str, Any]:
    """Baseline, last refinement, limit, versions, and what was used up, rejected and released; no id twice."""
    base = baseline_in_force(record, body_of=body_of).baseline
    refined, limit, versions = record.last_refined, record.limit_percent, record.carried_versions()
    told = {id_ for row in versions for id_ in row.get("correctionIds", ())}
    rows = {row.get("id") for row in versions}
    found: dict[str, Any] = {
        "correctionIds": sorted(record.consumed - told),
        "formerNames": list(record.names),
        "refinements": record.refinements,
        "rejections": [item.row() for item in record.refusals if item.id not in rows],
        "released": sorted(record.released),
        "versions": versions,
    }
    if base is None:
        found |= {"source": "none", "baselineNote": "there was none before"}
    else:
        found |= {"source": base.source, "baselineDigest": base.digest, "commit": base.commit}
        found |= {"baselineNote": base.note, **({"baselineTime": base.at.isoformat()} if base.at else {})}
    found |= {"lastRefined": refined.isoformat()} if refined else {}
    return found | ({"limit": limit} if limit is not None else {})


def summarize_records(rows: Sequence[Mapping[str, Any]], *, folder: Path) -> dict[str, dict[str, Any]]:
    """What each file's bounds rest on, by its path from the audit log's folder, with its last text; the last that
    anything was done to comes last.
    """
    snapshots = Snapshots(folder)

    def body_of(digest: str) -> str | None:
        content = snapshots.find(digest)
        return None if content is None else SkillDoc.of(content).body

    files = dict.fromkeys(row["file"] for row in reversed(rows) if isinstance(row.get("file"), str))
    records = [(file, SkillRecord.of(rows, file=file)) for file in reversed(files)]
    return {file: _summary(record, body_of=body_of) for file, record in records if record.last is not None}


def _summary(record: SkillRecord, *, body_of: BodyOf) -> dict[str, Any]:
    """One skill's last text, what its bounds rest on, and the file that it went on from."""
    last, name = record.versions[-1], record.entries[-1].get("skillName")
    moved = [row["movedFrom"] for row in record.entries if isinstance(row.get("movedFrom"), str)][-1:]
    return {
        "skillName": name if isinstance(name, str) else "",
        "version": last.number,
        "afterDigest": last.digest,
        **({"movedFrom": moved[0]} if moved else {}),
        **carry_record(record, body_of=body_of),
    }


def _first_text(number: int | None) -> str:
    which = "the text of now" if number is None else f"version {number}"
    return f"the text that was seen first is empty; drift is measured from {which}, the first that is not"
