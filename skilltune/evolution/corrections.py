"""Recorded corrections of a skill → the patterns that repeat, and how far the corrections agree on each.

A correction counts where both texts are there and differ by more than white space, it was not taken back, and no
applied refinement used it up. What says the same is one pattern: composed signs, line ends and white space are folded,
case is kept.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from skilltune.errors import FrameError
from skilltune.evolution.settings import ConfidenceKind
from skilltune.limits import MIN_REPEATS

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Correction",
    "Pattern",
    "SameCorrections",
    "content_key",
    "coverage",
    "find_patterns",
    "in_time_order",
    "read_corrections",
    "usable_corrections",
]

_COLUMNS = ("id", "skill_id", "session_id", "timestamp", "original", "corrected")


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One thing a person changed in what a skill said or made; None is a text that was not kept."""

    id: str
    skill_id: str
    session_id: str
    timestamp: datetime | None
    original: str | None
    corrected: str | None
    skill_folder: str = ""
    """The folder of the skill that it is about; '' where nobody named one."""

    @property
    def usable(self) -> bool:
        """Whether it can become a change: both texts are there and say something different."""
        original, corrected = content_key(self.original or ""), content_key(self.corrected or "")
        return bool(original and corrected) and original != corrected

    @property
    def formatting_only(self) -> bool:
        """Whether both texts are there and differ in white space, line ends or composition only."""
        return (
            self.original is not None
            and self.corrected is not None
            and self.original != self.corrected
            and content_key(self.original) == content_key(self.corrected)
        )


class SameCorrections:
    """What corrections that say the same have in common: how many, from where and when."""

    corrections: tuple[Correction, ...]
    """In time order."""

    @property
    def count(self) -> int:
        """k: corrections that say this."""
        return len(self.corrections)

    @cached_property
    def sessions(self) -> tuple[str, ...]:
        """Their sessions, each once, in time order."""
        return tuple(dict.fromkeys(item.session_id for item in self.corrections))

    @property
    def first_seen(self) -> datetime | None:
        """Time of the earliest with a time."""
        return min((item.timestamp for item in self.corrections if item.timestamp), default=None)

    @property
    def last_seen(self) -> datetime | None:
        """Time of the latest with a time."""
        return max((item.timestamp for item in self.corrections if item.timestamp), default=None)


@dataclass(frozen=True, kw_only=True)
class Pattern(SameCorrections):
    """Corrections that say the same."""

    original: str
    """The commonest raw pair's text, the earliest of equals."""
    suggested: str
    corrections: tuple[Correction, ...]
    """In time order."""
    rivals: int
    """m: usable corrections of the same original, whatever their target, and exact reversals; its own among them."""
    usable: int
    """Usable corrections of the skill."""

    @property
    def key(self) -> tuple[str, str]:
        """The folded pair that its corrections share."""
        return content_key(self.original), content_key(self.suggested)

    @property
    def agreement(self) -> Fraction:
        """(k + 1) / (m + 2), exact."""
        return Fraction(self.count + 1, self.rivals + 2)

    @property
    def documented_confidence(self) -> Fraction:
        """Frequency ÷ (2 × usable corrections), exact; at most 1/2."""
        return Fraction(self.count, 2 * self.usable)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its corrections, in time order."""
        return tuple(item.id for item in self.corrections)

    def confidence(self, kind: ConfidenceKind = "agreement") -> Fraction:
        """Its confidence of that kind, exact."""
        return self.documented_confidence if kind == "documented" else self.agreement


def content_key(text: str) -> str:
    r"""`text` with composed signs, and every run of white space as one blank; none at the ends. Case is kept.

    Examples
    --------
    >>> content_key("use  tabs\r\n") == content_key("use tabs")
    True
    """
    folded = text if text.isascii() else unicodedata.normalize("NFC", text)
    return " ".join(folded.split())


def read_corrections(frame: "pd.DataFrame", *, skill_id: str | None = None) -> list[Correction]:
    """The rows of `frame` as corrections, in the order given.

    Parameters
    ----------
    frame
        One row per correction: id, skill_id, session_id, timestamp (missing allowed), original and corrected (missing:
        not kept; empty: nothing there).
    skill_id
        Only of this skill; by default of all.

    Raises
    ------
    FrameError
        When a column is missing.
    """
    import pandas as pd

    missing = [name for name in _COLUMNS if name not in frame.columns]
    if missing:
        raise FrameError(f"the table of corrections lacks the column {missing[0]!r}; it needs {', '.join(_COLUMNS)}")
    rows = frame if skill_id is None else frame[frame["skill_id"] == skill_id]
    columns = [
        [None if pd.isna(value) else value for value in rows[name].astype("object")]
        for name in ("original", "corrected")
    ]
    times = [None if pd.isna(value) else value.to_pydatetime() for value in pd.to_datetime(rows["timestamp"], utc=True)]
    names = [rows[name].astype("object").tolist() for name in ("id", "skill_id", "session_id")]
    return [
        Correction(id=id_, skill_id=skill, session_id=session, timestamp=at, original=original, corrected=corrected)
        for id_, skill, session, at, original, corrected in zip(*names, times, *columns, strict=True)
    ]


def usable_corrections(
    corrections: Iterable[Correction], *, consumed: Collection[str] = (), retracted: Collection[str] = ()
) -> list[Correction]:
    """The corrections that can become changes, in time order; each id once.

    Parameters
    ----------
    corrections
        Of one skill.
    consumed
        Ids of corrections that an applied refinement used.
    retracted
        Ids of corrections that were taken back.
    """
    left_out = {*consumed, *retracted}
    kept = {item.id: item for item in corrections if item.id not in left_out and item.usable}
    return in_time_order(kept.values())


def in_time_order(corrections: Iterable[Correction]) -> list[Correction]:
    """By time, those of one moment and those without a time (last) in the order given."""
    return sorted(corrections, key=lambda item: (item.timestamp is None, _instant(item.timestamp)))


def find_patterns(usable: Sequence[Correction]) -> list[Pattern]:
    """All patterns of usable corrections in time order, the most frequent first, ties by first appearance."""
    groups: defaultdict[tuple[str, str], list[Correction]] = defaultdict(list)
    for item in usable:
        groups[content_key(item.original or ""), content_key(item.corrected or "")].append(item)
    of_original: Counter[str] = Counter()
    for (original, _), members in groups.items():
        of_original[original] += len(members)
    found = [
        _pattern(
            members,
            rivals=of_original[original] + len(groups.get((target, original), ())),
            usable=len(usable),
        )
        for (original, target), members in groups.items()
    ]
    return sorted(found, key=lambda pattern: -pattern.count)


def coverage(patterns: Sequence[Pattern]) -> Fraction:
    """The share of usable corrections that stand in patterns which repeat; 0 without corrections."""
    total = sum(pattern.count for pattern in patterns)
    return Fraction(sum(pattern.count for pattern in patterns if pattern.count >= MIN_REPEATS), max(1, total))


def _pattern(members: list[Correction], *, rivals: int, usable: int) -> Pattern:
    pairs = Counter((item.original or "", item.corrected or "") for item in members)
    original, suggested = pairs.most_common(1)[0][0]
    return Pattern(original=original, suggested=suggested, corrections=tuple(members), rivals=rivals, usable=usable)


def _instant(at: datetime | None) -> datetime:
    if at is None:
        return datetime.max.replace(tzinfo=UTC)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
