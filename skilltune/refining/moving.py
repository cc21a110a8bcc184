"""A skill that goes on under another path: what the audit log says of it under the former one, carried over.

A folder that is renamed would else begin anew, without cooldown and with its own text as the baseline.
"""

from collections.abc import Mapping
from typing import Any

from skilltune.evolution.skilldoc import SkillDoc, body_digest
from skilltune.refining.places import SkillPlace
from skilltune.refining.records import SkillRecord
from skilltune.stores.paths import look_at

__all__ = ["carried_over", "find_former"]


def find_former(place: SkillPlace, content: bytes) -> SkillRecord | None:
    """The record of a file that is gone and had the body of `content`, now or once; the latest; None for none."""
    body = SkillDoc.of(content).body
    if not body.strip():
        return None
    rows = place.log.read()
    files = dict.fromkeys(row.get("file") for row in reversed(rows))
    for file in files:
        if not isinstance(file, str) or file == place.key or look_at(place.folder / file) is not None:
            continue
        record = SkillRecord.of(rows, file=file)
        if record.last is not None and body_digest(body) in _bodies(place, record):
            return record
    return None


def carried_over(former: SkillRecord) -> dict[str, Any]:
    """What the first entry under the new path says: baseline, last refinement, limit, and corrections used up."""
    base, refined, limit = former.baseline, former.last_refined, former.limit_percent
    found: dict[str, Any] = {"movedFrom": former.entries[-1]["file"], "correctionIds": sorted(former.consumed)}
    if base is None:
        found |= {"source": "none", "baselineNote": "it had none under its former name"}
    else:
        found |= {"source": base.source, "baselineDigest": base.digest, "commit": base.commit}
        found |= {"baselineNote": base.note, **({"baselineTime": base.at.isoformat()} if base.at else {})}
    found |= {"lastRefined": refined.isoformat()} if refined else {}
    return found | ({"limit": limit} if limit is not None else {})


def _bodies(place: SkillPlace, record: SkillRecord) -> set[str]:
    """Digests of the bodies it had, as far as their snapshots are there."""
    digests: Mapping[str, None] = dict.fromkeys(version.digest for version in record.versions)
    contents = (place.snapshots.find(digest) for digest in digests)
    return {body_digest(SkillDoc.of(content).body) for content in contents if content is not None}
