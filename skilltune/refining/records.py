"""What the audit log tells of one skill's file: versions, baseline, limit, what was used up, rejected and released."""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import Any, Final

from skilltune.evolution.corrections import Correction, content_key
from skilltune.evolution.outlook import Rejection
from skilltune.refining.notes import clean_note
from skilltune.stores.audit import is_chained
from skilltune.stores.ledger_rows import parse_moment

__all__ = ["DRIFT_LIMITS", "Baseline", "Refusal", "SkillRecord", "Version", "change_key", "undone_by"]

_STATES: Final = ("first_seen", "outside_edit", "refine", "rollback")
"""Types of entry after which the file has a version."""
_CARRIED: Final = (
    *("version", "type", "id", "timestamp", "by", "note", "afterDigest", "changePercent", "driftAfter", "healed"),
    *("suggestionDigest", "correctionIds", "changes", "undone", "toVersion"),
)
"""What is carried of an entry after which the file has a version."""
DRIFT_LIMITS: Final = (1.0, 100.0)
"""Between which a person may set the drift limit of a skill, in percent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One text that a skill's file had."""

    number: int
    type: str
    """``first_seen``, ``outside_edit``, ``refine`` or ``rollback``: how it came to be."""
    digest: str
    """SHA-256 of the file's bytes, by which its snapshot is found."""
    at: datetime | None
    by: str
    note: str
    change_percent: float | None
    drift_percent: float | None
    healed: bool
    """The entry was completed after a crash."""
    undone_at: datetime | None = None
    """When a rollback took this refinement back; None where none did, or it was put in place again."""
    undone_by: int | None = None
    """The version that did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What drift is measured against."""

    digest: str
    """SHA-256 of the bytes of the file at the baseline."""
    source: str
    """``git``: the oldest commit of the file; ``file``: as skilltune first saw it; ``reset``: a person took it anew."""
    at: datetime | None
    commit: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Changes that a person does not want."""

    id: str
    """Of the entry."""
    type: str
    """``reject``, or ``refine`` of one that was rolled back."""
    digest: str
    """Of the suggestion."""
    changes: tuple[Mapping[str, Any], ...]
    """As the entry holds them."""

    def row(self) -> dict[str, Any]:
        """As another log's first entry carries it."""
        return {"id": self.id, "type": self.type, "suggestionDigest": self.digest, "changes": list(self.changes)}


@dataclass(frozen=True)
class SkillRecord:
    """The entries of one file, oldest first."""

    entries: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]], *, file: str) -> "SkillRecord":
        """The record of the file at `file`, relative to the audit log's folder."""
        return cls(tuple(row for row in rows if row.get("file") == file and is_chained(row)))

    @cached_property
    def versions(self) -> tuple[Version, ...]:
        """Every text that is known, oldest first, in a log before this one or under a former name of the file too."""
        return tuple(_undoing(_version(row), self._undoings) for row in self._states)

    @property
    def next_seq(self) -> int:
        """A number after that of its last entry."""
        return max((row["seq"] for row in self.entries), default=0) + 1

    @property
    def last(self) -> Version | None:
        """The text that the file should have."""
        return self.versions[-1] if self.versions else None

    @cached_property
    def baseline(self) -> Baseline | None:
        """The baseline in force; None where there is none."""
        marks = [row for row in self._of("first_seen", "reset_baseline") if _text(row, "baselineDigest")]
        return _baseline(marks[-1]) if marks else None

    @cached_property
    def since_baseline(self) -> tuple[Version, ...]:
        """The versions from the baseline on: of a baseline that was taken anew, those after it."""
        last_reset = max((row["seq"] for row in self._of("reset_baseline")), default=0)
        rows = (row for row in self._states if row["seq"] > last_reset and not row.get("beforeBaseline"))
        return tuple(_undoing(_version(row), self._undoings) for row in rows)

    def carried_versions(self) -> list[dict[str, Any]]:
        """What the first entry of another log, or under another path, says of the versions."""
        old = len(self._states) - len(self.since_baseline)
        return [
            {name: row[name] for name in _CARRIED if row.get(name) not in (None, "")}
            | ({"beforeBaseline": True} if place < old else {})
            for place, row in enumerate(self._states)
        ]

    @property
    def last_refined(self) -> datetime | None:
        """When a refinement was last applied, rolled back or not, to this file or to the one that it goes on from."""
        said = [row.get("timestamp") for row in self._of("refine")]
        said += [row.get("lastRefined") for row in self._of("first_seen")]
        return max((at for moment in said if (at := parse_moment(moment))), default=None)

    @property
    def refinements(self) -> int:
        """How many were applied, under a former name of the file too."""
        seen = self._of("first_seen")[-1:]
        since = seen[0]["seq"] if seen else 0
        carried = [int(_number(row.get("refinements")) or 0) for row in seen]
        return sum(carried) + len([row for row in self._of("refine") if row["seq"] > since])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the skill, now and formerly."""
        said = [_text(row, "skillName") for row in self.entries]
        said += [name for row in self._of("first_seen") for name in _texts(row.get("formerNames"))]
        return tuple(dict.fromkeys(name for name in said if name))

    @cached_property
    def consumed(self) -> frozenset[str]:
        """Ids of corrections and complaints that refinements used up, under a former name of the file too."""
        return frozenset(id_ for row in self._of("first_seen", "refine") for id_ in _texts(row.get("correctionIds")))

    @property
    def limit_percent(self) -> float | None:
        """The drift limit that a person set for this skill; None where nobody did. One out of its range is none."""
        low, high = DRIFT_LIMITS
        limits = [_number(row.get("limit")) for row in self._of("first_seen", "set_limit")]
        return next((value for value in reversed(limits) if value is not None and low <= value <= high), None)

    @cached_property
    def released(self) -> frozenset[str]:
        """Ids of contradictions of which a person keeps all sides."""
        found: set[str] = set()
        for row in self._of("first_seen", "release", "hold", "reopen"):
            found.update(_texts(row.get("released")))
            (found.add if row["type"] == "release" else found.discard)(_text(row, "contradiction"))
        return frozenset(found)

    @cached_property
    def refusals(self) -> tuple[Refusal, ...]:
        """What a person rejected, or rolled back, and did not open again; under a former name of the file too."""
        found: dict[str, Refusal] = {}
        for row in self._rows:
            match row.get("type"):
                case "first_seen":
                    found |= {item.id: item for item in map(_refusal, _maps(row.get("rejections")))}
                case "reject":
                    found[_text(row, "id")] = _refusal(row)
                case "refine" if row.get("version") in self.undone:
                    found[_text(row, "id")] = _refusal(row)
                case "reopen":
                    for id_ in _texts(row.get("reopened")):
                        found.pop(id_, None)
        return tuple(found.values())

    @cached_property
    def deferrals(self) -> tuple[Refusal, ...]:
        """What a person put off, and did not open again; it is proposed all the same."""
        gone = {id_ for row in self._of("reopen") for id_ in _texts(row.get("reopened"))}
        return tuple(_refusal(row) for row in self._of("defer") if row.get("id") not in gone)

    @cached_property
    def decided(self) -> frozenset[str]:
        """Ids of complaints whose open suggestion was rejected, or used up."""
        refused = (change for refusal in self.refusals for change in refusal.changes if not change.get("key"))
        rejected = {id_ for change in refused for id_ in _texts(change.get("ids"))}
        return self.consumed | rejected

    @property
    def undone(self) -> frozenset[int]:
        """Versions of refinements that a rollback took back, and none put in place again."""
        return frozenset(self._undoings)

    @cached_property
    def _undoings(self) -> Mapping[int, Mapping[str, Any]]:
        """The entry of the rollback that took back a refinement, by that one's version."""
        found: dict[int, Mapping[str, Any]] = {}
        for row in self._of("rollback"):
            found |= {number: row for number in row.get("undone") or () if isinstance(number, int)}
            if isinstance(row.get("toVersion"), int):
                found.pop(row["toVersion"], None)
        return found

    def version_of(self, digest: str) -> int | None:
        """The version that the suggestion whose digest begins with `digest` made; None where it was not applied."""
        made = (row for row in self._of("refine") if digest and _text(row, "suggestionDigest").startswith(digest))
        return next((row["version"] for row in made if isinstance(row.get("version"), int)), None)

    def rejections(self, corrections: Iterable[Correction], *, skill_id: str) -> list[Rejection]:
        """The changes that a person rejected or rolled back, as far as a correction still says them.

        The log holds digests of their texts only, so the texts are those of `corrections`.
        """
        known: dict[str, list[frozenset[str]]] = {}
        for change in (change for refusal in self.refusals for change in refusal.changes):
            known.setdefault(str(change.get("key")), []).append(frozenset(_texts(change.get("ids"))))
        found: dict[str, Correction] = {}
        names = dict.fromkeys([skill_id, *self.names])
        for item in corrections if known else ():
            for name in names:
                found.setdefault(change_key(name, item.original or "", item.corrected or ""), item)
        return [
            Rejection(found[key].original or "", found[key].corrected or "", ids)
            for key, sets in known.items()
            if key in found
            for ids in sets
        ]

    def _of(self, *types: str) -> list[Mapping[str, Any]]:
        return [row for row in self._rows if row.get("type") in types]

    @cached_property
    def _rows(self) -> tuple[Mapping[str, Any], ...]:
        """The entries; before each one that carries versions, those in their order."""
        rows: list[Mapping[str, Any]] = []
        for row in self.entries:
            carried = _carried(row)
            known = {item.get("id") for item in carried}
            rows = [*(item for item in rows if item.get("id") not in known), *carried, row] if carried else [*rows, row]
        return tuple(rows)

    @cached_property
    def _states(self) -> tuple[Mapping[str, Any], ...]:
        """The rows after which the file has a version; a first entry that goes on with the same text makes none."""
        found: list[Mapping[str, Any]] = []
        for row in self._of(*_STATES):
            if not (found and _carried(row) and _same_version(row, found[-1])):
                found.append(row)
        return tuple(found)


def change_key(skill_id: str, original: str, suggested: str) -> str:
    """SHA-256, in hex, of a change's folded texts: what the log knows it by without holding them."""
    parts = (skill_id, content_key(original), content_key(suggested))
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def undone_by(versions: Collection[Version], *, digest: str) -> list[int]:
    """Numbers of the refinements that going back to the text of `digest` undoes."""
    ordered = list(versions)
    at = max((place for place, version in enumerate(ordered) if version.digest == digest), default=-1)
    return [version.number for version in ordered[at + 1 :] if version.type == "refine"]


def _carried(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The versions that a first entry carries, as rows of its own place in the log."""
    if row.get("type") != "first_seen":
        return []
    return [{**item, "seq": row["seq"]} for item in _maps(row.get("versions")) if item.get("type") in _STATES]


def _same_version(row: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(row.get(name) == other.get(name) for name in ("version", "afterDigest"))


def _version(row: Mapping[str, Any]) -> Version:
    return Version(
        number=row["version"] if isinstance(row.get("version"), int) else 1,
        type=str(row["type"]),
        digest=_text(row, "afterDigest"),
        at=parse_moment(row.get("timestamp")),
        by=_text(row, "by"),
        note=clean_note(_text(row, "note")),
        change_percent=_number(row.get("changePercent")),
        drift_percent=_number(row.get("driftAfter")),
        healed=bool(row.get("healed")),
    )


def _undoing(version: Version, undoings: Mapping[int, Mapping[str, Any]]) -> Version:
    """`version`, with what took it back if it is a refinement."""
    row = undoings.get(version.number) if version.type == "refine" else None
    if row is None:
        return version
    return replace(version, undone_at=parse_moment(row.get("timestamp")), undone_by=_version(row).number)


def _refusal(row: Mapping[str, Any]) -> Refusal:
    return Refusal(
        id=_text(row, "id"),
        type=_text(row, "type"),
        digest=_text(row, "suggestionDigest"),
        changes=tuple(_changes(row)),
    )


def _changes(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The changes of an entry with their ids: where it says only how many, the next of its ``correctionIds``."""
    rest = iter(_texts(row.get("correctionIds")))
    return [
        {**change, "ids": list(islice(rest, count))} if isinstance(count := change.get("count"), int) else change
        for change in _maps(row.get("changes"))
    ]


def _baseline(row: Mapping[str, Any]) -> Baseline:
    return Baseline(
        digest=_text(row, "baselineDigest"),
        source=_text(row, "source"),
        at=parse_moment(row.get("baselineTime") or row.get("timestamp")),
        commit=_text(row, "commit"),
        note=_text(row, "baselineNote"),
    )


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _maps(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
