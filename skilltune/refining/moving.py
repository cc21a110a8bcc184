"""A skill that goes on under another path: what the audit log says of it under the former one, carried over.

A folder that is renamed would else begin anew, without cooldown and with its own text as the baseline.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from skilltune.evolution.refusals import TextsTooDifferentError, TextTooLongError
from skilltune.evolution.skilldoc import SkillDoc, body_digest
from skilltune.evolution.textdiff import measure_change
from skilltune.limits import DRIFT_LIMIT
from skilltune.refining.carrying import carry_record
from skilltune.refining.places import SkillPlace
from skilltune.refining.records import SkillRecord
from skilltune.stores.paths import look_at

__all__ = ["Former", "find_former", "has_returned"]

_DIFFERENT: Final = Fraction(DRIFT_LIMIT) / 200
"""Share of two bodies together up to which they are one skill, edited: that of a body at the drift limit, as long as
its baseline (60 % of one length are 30 % of two). What differs more would not be refined as the same skill either."""

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Former:
    """The record of a skill under its former path."""

    record: SkillRecord
    file: str
    edited: bool
    """The text is none that it had there."""

    def carried(self, place: SkillPlace) -> dict[str, Any]:
        """What the first entry under the new path says of it."""
        told = f"goes on from {self.file}" + (", edited since" if self.edited else "")
        return {"movedFrom": self.file, "note": told, **carry_record(self.record, body_of=place.kept_body)}


def find_former(place: SkillPlace, content: bytes) -> Former | None:
    """The record under which this skill went before; None where it is a skill of its own.

    A file that is gone, and that no other goes on from: one that had the body of `content`, now or once, the latest
    first; else the one whose last body is most like it, edited by less than the drift limit.
    """
    rows = place.log.read()
    returned = _returned(place, rows)
    if returned is not None:
        return Former(returned, _file(returned), edited=False)
    if SkillRecord.of(rows, file=place.key).last is not None:
        return None
    body = SkillDoc.of(content).body
    gone = list(_gone(place, rows)) if body.strip() else []
    for record in gone:
        if body_digest(body) in _bodies(place, record):
            return Former(record, _file(record), edited=False)
    alike = [(share, -at) for at, record in enumerate(gone) if (share := _different(place, record, body)) is not None]
    if not alike:
        return None
    record = gone[-min(alike)[1]]
    return Former(record, _file(record), edited=True)


def has_returned(place: SkillPlace, rows: Rows) -> bool:
    """Whether the file has a former name again, and what was done under its other one since is not in its record."""
    return _returned(place, rows) is not None


def _returned(place: SkillPlace, rows: Rows) -> SkillRecord | None:
    """The record of the file that went on from this one and is gone: the skill has its former name again."""
    later, file = _later(rows), place.key
    while file in later:
        file = later[file]
    if file == place.key or look_at(place.folder / file) is not None:
        return None
    return SkillRecord.of(rows, file=file)


def _gone(place: SkillPlace, rows: Rows) -> Iterator[SkillRecord]:
    """Records of files that are gone and that none goes on from, the latest first."""
    later = _later(rows)
    for file in dict.fromkeys(row.get("file") for row in reversed(rows)):
        if not isinstance(file, str) or file in later or file == place.key:
            continue
        if look_at(place.folder / file) is None and (record := SkillRecord.of(rows, file=file)).last is not None:
            yield record


def _later(rows: Rows) -> dict[str, str]:
    """The file that goes on from each one, if any does: its claim is later than all that was done under that name."""
    last = {row["file"]: at for at, row in enumerate(rows) if isinstance(row.get("file"), str)}
    found: dict[str, str] = {}
    for at, row in enumerate(rows):
        former = row.get("movedFrom") if row.get("type") == "first_seen" else None
        if isinstance(former, str) and at > last.get(former, at):
            found[former] = row["file"]
    return found


def _file(record: SkillRecord) -> str:
    return str(record.entries[-1]["file"])


def _bodies(place: SkillPlace, record: SkillRecord) -> set[str]:
    """Digests of the bodies it had, as far as their snapshots are there."""
    bodies = (place.kept_body(digest) for digest in dict.fromkeys(version.digest for version in record.versions))
    return {body_digest(body) for body in bodies if body is not None}


def _different(place: SkillPlace, record: SkillRecord, body: str) -> Fraction | None:
    """How much of the last body and `body` together differs; None where it is too much to be one skill."""
    last = place.kept_body(record.last.digest) if record.last else None
    if last is None or not last.strip():
        return None
    try:
        share = measure_change(last, body).edit_ratio
    except (TextTooLongError, TextsTooDifferentError):
        return None
    return share if share <= _DIFFERENT else None
