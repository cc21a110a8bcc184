"""A line of the ledger ↔ an event: the documented checks when writing, leniency when reading."""

import hashlib
import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final, Literal, get_args

from skilltune.errors import InputError
from skilltune.evolution.corrections import Correction
from skilltune.evolution.refusals import TextsTooDifferentError, TextTooLongError
from skilltune.evolution.textdiff import segments
from skilltune.stores.names import mask_name
from skilltune.stores.secrets import mask_secrets

__all__ = [
    "LedgerEvent",
    "LedgerKind",
    "event_row",
    "new_event",
    "parse_moment",
    "read_event",
    "without_texts",
    "word_diff",
]

LedgerKind = Literal["correction", "override", "rating", "retract"]
KINDS: Final = get_args(LedgerKind)
_SCORES: Final = (1, 5)
_OWN_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "correction": ("original", "corrected"),
    "override": ("rejected", "reason"),
    "rating": ("score",),
    "retract": ("target", "reason", "by"),
}
"""Attributes that an event of each kind has besides the common ones; they are the keys of its row, too."""
_MASKED: Final = ("original", "corrected", "rejected", "reason")
"""Attributes that hold a person's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEvent:
    """One thing a person recorded about a skill."""

    id: str
    type: LedgerKind
    skill_id: str
    session_id: str
    timestamp: datetime
    """Aware."""
    original: str | None = None
    """Of a correction: the text before; '' for none, None where it was not kept."""
    corrected: str | None = None
    """Of a correction: the text after."""
    rejected: str = ""
    """Of an override: what the person did not take."""
    reason: str = ""
    """Of an override or a retraction."""
    score: float | None = None
    """Of a rating: 1 to 5."""
    target: str = ""
    """Of a retraction: the id of the event that it takes back."""
    by: str = ""
    """Of a retraction: who."""
    masked: tuple[str, ...] = field(default=(), compare=False)
    """When recorded: the texts in which a secret or an e-mail address was masked before they were kept."""
    skill_folder: str = ""
    """Of a correction: the folder of the skill, for one of several of its name; '' where nobody named one."""

    @property
    def formatting_only(self) -> bool:
        """Whether a correction changes white space, line ends or the composition of signs only."""
        return self.type == "correction" and self.as_correction().formatting_only

    def as_correction(self) -> Correction:
        """A correction as what patterns and contradictions are found in."""
        return Correction(
            id=self.id,
            skill_id=self.skill_id,
            session_id=self.session_id,
            timestamp=self.timestamp,
            original=self.original,
            corrected=self.corrected,
            skill_folder=self.skill_folder,
        )


def new_event(kind: str, *, skill_id: str, session_id: str, at: datetime, **values: Any) -> LedgerEvent:
    """An event to record, checked, with an id of its own; secrets in its texts are masked.

    Raises
    ------
    InputError
        A field is missing, of another kind or out of its range; the message names it.
    """
    if kind not in KINDS:
        raise InputError(f"type is {kind!r}; it is one of {', '.join(KINDS)}")
    for name, value in (("skillName", skill_id), ("sessionId", session_id)):
        _check_text(name, value, needed=True)
        _check_name(name, value)
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    _CHECKS[kind](values)
    kept: dict[str, Any] = {
        name: mask_secrets(value) if name in _MASKED and value else value for name, value in values.items()
    }
    if kind == "correction" and kept["original"] == kept["corrected"]:
        raise InputError(
            "original and corrected differ in what looks like a secret only, and secrets are not kept; "
            "give the part that matters without it"
        )
    return LedgerEvent(
        id=str(uuid.uuid4()),
        type=kind,  # type: ignore[arg-type]  # checked above
        skill_id=skill_id,
        session_id=session_id,
        timestamp=at,
        masked=tuple(name for name in values if kept[name] != values[name]),
        **kept,
    )


def event_row(event: LedgerEvent) -> dict[str, Any]:
    """The row of an event, with the keys that other tools write."""
    row: dict[str, Any] = {"type": event.type, "skillName": event.skill_id, "sessionId": event.session_id}
    row |= {name: getattr(event, name) for name in _OWN_FIELDS[event.type]}
    if event.type == "correction":
        row["diff"] = word_diff(event.original or "", event.corrected or "")
        if event.formatting_only:
            row["formattingOnly"] = True
        if event.skill_folder:
            row["skillFolder"] = event.skill_folder
    at = event.timestamp.astimezone(UTC)
    return row | {"id": event.id, "timestamp": f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"}


def read_event(row: Mapping[str, Any], *, raw: bytes = b"", occurrence: int = 0) -> LedgerEvent:
    """The event in a row of any tool.

    Parameters
    ----------
    row
        The object of a line.
    raw, occurrence
        The line, and how many like it came before: what an event without an id is named by.

    Raises
    ------
    ValueError
        The row cannot be used; its text is the reason, one word: unknown_type, no_skill, no_session, no_time,
        odd_score, no_target, odd_text.
    """
    kind: Any = row.get("type")
    if kind not in KINDS:
        raise ValueError("unknown_type")
    values: dict[str, Any] = {name: _text(row.get(name), name) for name in _OWN_FIELDS[kind] if name != "score"}
    if kind == "rating":
        values["score"] = _score(row.get("score"))
    if kind == "correction":
        values["skill_folder"] = _text(row.get("skillFolder"), "skillFolder")
    if kind == "retract" and not values["target"]:
        raise ValueError("no_target")
    at = parse_moment(row.get("timestamp"))
    if at is None:
        raise ValueError("no_time")
    return LedgerEvent(
        id=_id(row.get("id"), raw=raw, occurrence=occurrence),
        type=kind,
        skill_id=_name(row.get("skillName"), "no_skill"),
        session_id=_name(row.get("sessionId"), "no_session"),
        timestamp=at,
        **values,
    )


def without_texts(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row of any tool without a person's words: texts that a correction may lack are null, others empty."""
    emptied: dict[str, Any] = {name: None for name in ("original", "corrected") if name in row}
    emptied |= {name: "" for name in ("rejected", "reason") if name in row}
    return {**row, **emptied, **({"diff": []} if "diff" in row else {})}


def parse_moment(value: Any) -> datetime | None:
    """An ISO date or time, aware; a date is its midnight, no zone is UTC; None for anything else."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value.strip())
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
        return at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def word_diff(original: str, corrected: str) -> list[dict[str, Any]]:
    """What a word diff adds, removes and keeps, in order, as other tools write it.

    Returns
    -------
    list of dict
        ``value`` (text), ``added``, ``removed`` (both False for what is kept) and ``count`` (tokens). Texts that are
        too long to be compared are one part removed and one added.

    Examples
    --------
    >>> [(part["value"], part["added"]) for part in word_diff("use tabs", "use spaces")]
    [('use ', False), ('tabs', False), ('spaces', True)]
    """
    parts: list[dict[str, Any]] = []
    try:
        for same, run in groupby(segments(original, corrected), key=lambda segment: segment.same):
            stretch = list(run)
            before = tuple(token for segment in stretch for token in segment.before)
            after = tuple(token for segment in stretch for token in segment.after)
            if same:
                parts.append(_part(after))
                continue
            parts += [_part(before, removed=True)] if before else []
            parts += [_part(after, added=True)] if after else []
    except (TextTooLongError, TextsTooDifferentError):
        return [_part((original,), removed=True), _part((corrected,), added=True)]
    return parts


def _part(tokens: tuple[str, ...], *, added: bool = False, removed: bool = False) -> dict[str, Any]:
    return {"value": "".join(tokens), "added": added, "removed": removed, "count": len(tokens)}


def _check_text(name: str, value: Any, *, needed: bool = False) -> None:
    if not isinstance(value, str):
        raise InputError(f"{name} is {value!r}; it is a text")
    if needed and not value.strip():
        raise InputError(f"{name} is empty; name it")


def _check_name(name: str, value: str) -> None:
    """Refuse a secret: a masked name would name something else, so it is not masked as texts are."""
    if value.strip() and mask_name(value) != value:
        raise InputError(
            f"{name} holds what looks like a secret or an e-mail address; nothing was recorded: leave it out"
        )


def _check_correction(values: Mapping[str, Any]) -> None:
    original, corrected = values.get("original"), values.get("corrected")
    for name, value in (("original", original), ("corrected", corrected)):
        if value is not None:
            _check_text(name, value)
    _check_text("skillFolder", values.get("skill_folder", ""))
    if not original and not corrected:
        raise InputError("original and corrected are both empty; a correction has at least one text")
    if original == corrected:
        raise InputError("original and corrected are identical; a correction changes something")


def _check_override(values: Mapping[str, Any]) -> None:
    _check_text("rejected", values.get("rejected", ""))
    _check_text("reason", values.get("reason", ""))
    if not values.get("rejected", "").strip() and not values.get("reason", "").strip():
        raise InputError("rejected and reason are both empty; an override says what was not taken, or why")


def _check_rating(values: Mapping[str, Any]) -> None:
    try:
        _score(values.get("score"))
    except ValueError as error:
        low, high = _SCORES
        raise InputError(f"score is {values.get('score')!r}; it is a number from {low} to {high}") from error


def _check_retract(values: Mapping[str, Any]) -> None:
    for name in ("target", "reason", "by"):
        _check_text(name, values.get(name, ""), needed=name in ("target", "by"))


_CHECKS: Final = {
    "correction": _check_correction,
    "override": _check_override,
    "rating": _check_rating,
    "retract": _check_retract,
}


def _score(value: Any) -> float:
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not number or not _SCORES[0] <= value <= _SCORES[1]:
        raise ValueError("odd_score")
    return value  # type: ignore[no-any-return]  # a number, checked above


def _text(value: Any, name: str) -> str | None:
    """A text; of the two texts of a correction a missing one stays missing."""
    if value is None:
        return None if name in ("original", "corrected") else ""
    if not isinstance(value, str):
        raise ValueError("odd_text")  # noqa: TRY004  # one kind of error for a row
    return value


def _name(value: Any, reason: str) -> str:
    """A name; what another tool kept of a secret in it is masked."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(reason)
    return mask_name(value)


def _id(value: Any, *, raw: bytes, occurrence: int) -> str:
    if isinstance(value, str) and value:
        return value
    return f"line-{hashlib.sha256(raw + str(occurrence).encode()).hexdigest()[:32]}"
