"""All that is known of one skill at a time: its file, its record in the audit log, its baseline, its settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from skilltune.errors import LogError, SkillNotFoundError
from skilltune.evolution.drift import Drift, measure_drift
from skilltune.evolution.settings import RefinementSettings
from skilltune.evolution.skilldoc import REFINED_KEY, VERSION_KEY, SkillDoc
from skilltune.refining.carrying import BaselineInForce, baseline_in_force
from skilltune.refining.folders import used_folders
from skilltune.refining.moving import find_former, has_returned
from skilltune.refining.places import SkillPlace, find_place, user_name
from skilltune.refining.records import Baseline, SkillRecord, Version
from skilltune.refining.writing import heal, stray_note
from skilltune.stores.history import find_origin
from skilltune.stores.skill_files import locate_skill
from skilltune.stores.skill_writing import hard_link_note, read_skill_bytes
from skilltune.stores.snapshots import content_digest
from skilltune.stores.workspace import Workspace, find_workspace

__all__ = ["SkillState", "read_state", "see_skill"]


@dataclass(frozen=True)
class SkillState:
    """One skill as it is on disk, and what the audit log says of it."""

    place: SkillPlace
    workspace: Workspace
    content: bytes
    record: SkillRecord
    settings: RefinementSettings
    """The workspace's, with the drift limit that the audit log sets."""
    notes: tuple[str, ...] = ()
    opening: tuple[dict[str, Any], ...] = ()
    """Entries that go before the next act, and are not in the log yet."""
    unsaved: Mapping[str, bytes] = field(default_factory=dict)
    """Bytes by digest that they name, and that are not kept yet."""
    returned: bool = False
    """The skill has a former name again: what was done under another one since is not in `record` yet."""

    @property
    def skill_id(self) -> str:
        """The skill."""
        return self.place.skill_id

    @cached_property
    def doc(self) -> SkillDoc:
        """The file as head and body."""
        return SkillDoc.of(self.content)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file's bytes."""
        return content_digest(self.content)

    @property
    def seen(self) -> bool:
        """Whether the record is of this file, up to now."""
        return self.record.last is not None and not self.returned

    @property
    def outside_edit(self) -> bool:
        """Whether the file is another one than the audit log's last entry left."""
        return self.record.last is not None and self.record.last.digest != self.digest

    @property
    def version(self) -> int:
        """The file's version: by the audit log, and not less than the file's own stamp after an edit from outside."""
        last = self.record.last
        if last is None:
            return self.doc.version
        return max(last.number + 1, self.doc.version) if self.outside_edit else last.number

    @property
    def refined_at(self) -> list[datetime | None]:
        """When it was last refined, by the audit log and by the file's own stamps."""
        return [self.record.last_refined, self.doc.last_refined]

    @property
    def baseline(self) -> Baseline | None:
        """The baseline in force: where the first text is empty, the first that is not."""
        return self._in_force.baseline

    @property
    def since_baseline(self) -> tuple[Version, ...]:
        """The versions from the baseline in force on."""
        return self._in_force.since

    @cached_property
    def _in_force(self) -> BaselineInForce:
        return baseline_in_force(self.record, body_of=self.body_of, now=self.digest)

    @cached_property
    def baseline_body(self) -> str | None:
        """The body drift is measured against; None where there is none, or its snapshot is damaged."""
        return None if self.baseline is None else self.body_of(self.baseline.digest)

    @cached_property
    def version_bodies(self) -> list[str]:
        """The bodies between the baseline and now, oldest first, as far as their snapshots are there."""
        found = (self.body_of(version.digest) for version in self.since_baseline)
        return [body for body in found if body is not None]

    def body_of(self, digest: str) -> str | None:
        """The body of a snapshot; None where it is missing or damaged."""
        if digest == self.digest:
            return self.doc.body
        content = self.kept(digest)
        return None if content is None else SkillDoc.of(content).body

    def kept(self, digest: str) -> bytes | None:
        """The bytes of a version, as far as they are there."""
        return self.unsaved[digest] if digest in self.unsaved else self.place.snapshots.find(digest)

    @property
    def edited_since_moved(self) -> bool:
        """Whether the first entry, which is not in the log yet, goes on from a last text that the file has no more."""
        first = next((row for row in self.opening if row["type"] == "first_seen"), {})
        carried = first.get("versions") or []
        return bool(carried) and carried[-1].get("afterDigest") != self.digest

    @property
    def is_stamped(self) -> bool:
        """Whether the file itself says that it was refined."""
        return _is_stamped(self.doc)

    def measure(self, *, projected: str | None = None) -> Drift:
        """The drift of the body now, and as it would be."""
        return measure_drift(
            self.doc.body,
            baseline=self.baseline_body,
            versions=self.version_bodies,
            projected=projected,
            limit_percent=self.settings.drift_limit,
        )

    def opened(self, *, at: datetime, by: str) -> "SkillState":
        """The state with what has to be in the log before anything is done to the file: that it was seen, or that it
        was edited from outside. These entries are in ``opening``; nothing is written here.
        """
        if not self.seen:
            found = _first_seen(self.place, self.content, at=at, by=by)
        elif self.outside_edit:
            found = self._outside_edit(at=at, by=by)
        else:
            return self
        entry = found.entry | {"seq": self.record.next_seq}
        record = SkillRecord((*self.record.entries, entry))
        return replace(
            self,
            record=record,
            settings=_limited(self.settings, record),
            opening=(*self.opening, found.entry),
            unsaved={content_digest(content): content for content in found.contents},
            returned=False,
        )

    def _outside_edit(self, *, at: datetime, by: str) -> "_Noted":
        before = self.record.last.digest if self.record.last else ""
        entry = self.place.entry(
            "outside_edit",
            at=at,
            by=by,
            note="edited outside of skilltune",
            version=self.version,
            beforeDigest=before,
            afterDigest=self.digest,
        )
        return _Noted(entry, (self.content,))


@dataclass(frozen=True)
class _Noted:
    """An entry to write, and the bytes that have to be kept before it is."""

    entry: dict[str, Any]
    contents: tuple[bytes, ...]


def read_state(
    skill_id: str, *, workspace: str | Path | None = None, base_directory: str | Path | None = None
) -> SkillState:
    """The state of a skill, what a crash left completed.

    Parameters
    ----------
    skill_id
        The skill.
    workspace
        Whose settings count; default the nearest ``.skilltune`` upwards, else the user's.
    base_directory
        The skill's folder as a transcript names it, for one of several of its name.

    Raises
    ------
    SkillNotFoundError
        There is no such skill.
    SkillFileError
        Its file cannot be read.
    DamagedError
        The audit log is not as it was written.
    """
    home = find_workspace(explicit=workspace)
    place = _place(skill_id, workspace=home, base_directory=base_directory)
    heal(place)
    rows = place.log.read()
    record = SkillRecord.of(rows, file=place.key)
    settings = _limited(RefinementSettings.of(home.config.refinement_for(skill_id)), record)
    notes = tuple(note for note in (place.file.note, hard_link_note(place.target), stray_note(place)) if note)
    content = read_skill_bytes(place.target)
    return SkillState(place, home, content, record, settings, notes, returned=has_returned(place, rows))


def see_skill(state: SkillState, *, at: datetime) -> SkillState:
    """`state`, with a baseline taken and kept where skilltune sees the skill for the first time.

    Where nothing can be kept, as in a folder that is read-only, the state says so and measures against what would
    have been kept.
    """
    if state.seen:
        return state
    opened = state.opened(at=at, by=user_name())
    try:
        with state.place.log.locked():
            rows = state.place.log.read()
            known = SkillRecord.of(rows, file=state.place.key)
            if known.last is not None and not has_returned(state.place, rows):
                return replace(state, record=known, settings=_limited(state.settings, known), returned=False)
            for content in opened.unsaved.values():
                state.place.snapshots.put(content)
            entries = state.place.log.append(*opened.opening)
        record = SkillRecord((*known.entries, *entries))
        return replace(state, record=record, settings=opened.settings, returned=False)
    except LogError as error:
        return replace(opened, notes=(*state.notes, f"its baseline cannot be kept: {error}"))


def _place(skill_id: str, *, workspace: Workspace, base_directory: str | Path | None) -> SkillPlace:
    """The place of a skill; where it is not installed, the error says from which folders it was used."""
    try:
        return find_place(skill_id, base_directory=base_directory)
    except SkillNotFoundError:
        locate_skill(skill_id, known_folders=used_folders(workspace).get(skill_id, ()))
        raise


def _limited(settings: RefinementSettings, record: SkillRecord) -> RefinementSettings:
    """The settings with the drift limit that the audit log sets, if it does."""
    limit = record.limit_percent
    return settings if limit is None else replace(settings, drift_limit=limit)


def _first_seen(place: SkillPlace, content: bytes, *, at: datetime, by: str) -> _Noted:
    """The entry of a skill's first sight, with its baseline: that of its former path, else from git, else as it is.

    A file that says that we refined it has lost its log: taking it as it is would start the bounds afresh.
    """
    doc, contents = SkillDoc.of(content), [content]
    version = doc.version
    former = find_former(place, content)
    origin = find_origin(place.target) if former is None else None
    if former is not None:
        base = former.carried(place)
        last = former.record.last
        version = max(version, last.number + (last.digest != content_digest(content)) if last else 0)
    elif origin is not None:
        contents.append(origin.content)
        shallow = "the clone is shallow: there may be older commits that it does not have"
        base = {
            "source": "git",
            "baselineDigest": content_digest(origin.content),
            "baselineTime": origin.at.isoformat(),
            "commit": origin.commit,
            "baselineNote": shallow if origin.shallow else "",
        }
    elif _is_stamped(doc):
        base = {"source": "none", "baselineNote": "the file was refined before, and its audit log is gone"}
    else:
        base = {"source": "file", "baselineDigest": content_digest(content)}
    entry = place.entry("first_seen", at=at, by=by, version=version, afterDigest=content_digest(content), **base)
    return _Noted(entry, tuple(contents))


def _is_stamped(doc: SkillDoc) -> bool:
    return any(doc.front_matter.text("metadata", key) for key in (VERSION_KEY, REFINED_KEY))
