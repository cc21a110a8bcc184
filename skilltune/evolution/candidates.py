"""Candidates: corrections that sessions show, each once however many sessions repeat it, for a person to decide on."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from skilltune.evolution.corrections import content_key
from skilltune.evolution.noise import Noise, why_noise
from skilltune.mining.detected import DetectedKind, Sign
from skilltune.records import Attribution

__all__ = ["Candidate", "Sighting", "candidate_id", "in_queue_order", "merge_candidates"]

_STRENGTH: Final[Mapping[Attribution, int]] = {"direct": 0, "likely": 1, "weak": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """Where a candidate was seen."""

    skill_id: str
    """The skill that was used before."""
    event_id: str
    """The use; one use shows a candidate once, whatever copies of its session there are."""
    attribution: Attribution
    """How sure it is that the correction is about that use."""
    session_id: str
    project: str
    transcript: str
    """The path of the transcript."""
    lines: tuple[int, ...]
    """1-based lines there: of the agent's edit, of the person's act, of the later edit."""
    timestamp: datetime | None
    """Of the person's act."""
    base_directory: str = ""
    """The skill's folder, as the transcript names it; '' where it names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A correction that somebody may have meant for a skill."""

    id: str
    kind: DetectedKind
    sign: Sign
    file: str
    """The file that was edited."""
    original: str | None
    """What the agent wrote, secrets masked; '' for nothing, None where texts are not kept."""
    corrected: str | None
    """What it became."""
    quote: str | None
    """What the person said; '' where they said nothing."""
    cut: bool
    """A text is only the beginning of what stood there."""
    sightings: tuple[Sighting, ...]
    """The surest first, then the earliest."""

    @property
    def best(self) -> Sighting:
        """The sighting to show."""
        return self.sightings[0]

    @property
    def skill_id(self) -> str:
        """The skill that was used before."""
        return self.best.skill_id

    @property
    def skills(self) -> tuple[str, ...]:
        """All skills that were used before it somewhere, the surest first."""
        return tuple(dict.fromkeys(seen.skill_id for seen in self.sightings))

    @property
    def sessions(self) -> tuple[str, ...]:
        """The sessions that show it."""
        return tuple(dict.fromkeys(seen.session_id for seen in self.sightings))

    @property
    def noise(self) -> Noise | None:
        """Why it is not shown; None where it is."""
        return why_noise(self.original, self.corrected)

    @property
    def has_texts(self) -> bool:
        """Whether its texts are there."""
        return self.original is not None and self.corrected is not None


def candidate_id(kind: str, original: str, corrected: str) -> str:
    r"""First 16 hex digits of a hash of what it says, white space and composition folded: equal wherever it is seen.

    Examples
    --------
    >>> candidate_id("re_edit", "use  tabs", "use spaces") == candidate_id("re_edit", "use tabs", "use spaces\n")
    True
    """
    parts = (kind, *_folded(original, corrected))
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def merge_candidates(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Each content once, in order of first appearance, with all its sightings, and texts if any has them."""
    found: dict[str, Candidate] = {}
    for item in candidates:
        known = found.get(item.id)
        found[item.id] = item if known is None else _joined(known, item)
    return [replace(item, sightings=_in_order(item.sightings)) for item in found.values()]


def in_queue_order(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Those in the most sessions first, then the latest."""
    return sorted(candidates, key=_rank)


def _folded(original: str, corrected: str) -> tuple[str, str]:
    """Both texts folded; as they are where only white space tells them apart."""
    folded = content_key(original), content_key(corrected)
    return folded if folded[0] != folded[1] else (original, corrected)


def _joined(known: Candidate, other: Candidate) -> Candidate:
    seen = {sighting.event_id: sighting for sighting in (*other.sightings, *known.sightings)}
    texts = known if known.has_texts or not other.has_texts else other
    return replace(texts, sightings=tuple(seen.values()))


def _in_order(sightings: Iterable[Sighting]) -> tuple[Sighting, ...]:
    return tuple(sorted(sightings, key=lambda seen: (_STRENGTH[seen.attribution], _seconds(seen), seen.session_id)))


def _rank(item: Candidate) -> tuple[int, float, int, str]:
    latest = max(_seconds(seen) if seen.timestamp else 0.0 for seen in item.sightings)
    return -len(item.sessions), -latest, _STRENGTH[item.best.attribution], item.id


def _seconds(seen: Sighting) -> float:
    return seen.timestamp.timestamp() if seen.timestamp else float("inf")
