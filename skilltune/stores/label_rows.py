"""Labels and draws as rows of the label log, and back; words of a fixed vocabulary, in which no text can hide."""

import hashlib
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any, Final, get_args

from skilltune.errors import InputError
from skilltune.records import About, CorrectionType, Draw, Outcome, Stratum, TurnLabel, TurnPointer

__all__ = [
    "PERSON",
    "check_label",
    "draw_row",
    "label_row",
    "pointer_row",
    "read_draw",
    "read_label",
    "read_pointer",
    "row_id",
    "stamp",
]

PERSON: Final = "person"
"""The reader that is the person themselves."""
_JUDGE: Final = "judge:"
_KINDS: Final[Mapping[str, tuple[str | None, ...]]] = {
    "correction": ("rejection", "revert", "redo"),
    "partial": ("partial",),
    "acceptance": (None,),
    "none": (None,),
}
"""Correction types by outcome; the first is meant where none is named."""
_TEXTS: Final = ("event_id", "turn_id", "skill_id", "session_id", "uuid", "ruleset")
_COUNTS: Final = ("line", "number", "of", "turns_seen")
_FLAGS: Final = ("goes_on", "taken_back")
_WINDOW: Final = ("number", "of", "turns_seen", "goes_on", "taken_back")
_LARGEST: Final = 10**9
_LEAST: Final = 1 / _LARGEST


def check_label(label: TurnLabel) -> TurnLabel:
    """`label` as it may be written: a correction without a type is a rejection.

    Raises
    ------
    InputError
        A word is not in the vocabulary, or an id is missing.
    """
    if label.outcome not in get_args(Outcome):
        raise InputError(f"outcome is {label.outcome!r}; write one of {', '.join(get_args(Outcome))}")
    allowed = _KINDS[label.outcome]
    kind = label.correction_type or allowed[0]
    if kind not in allowed:
        known = " or ".join(str(word) for word in allowed if word) or "nothing"
        raise InputError(f"correction_type is {kind!r}; for the outcome {label.outcome} write {known}")
    if label.about not in get_args(About):
        raise InputError(f"about is {label.about!r}; write one of {', '.join(get_args(About))}")
    if label.reader != PERSON and not (label.reader.startswith(_JUDGE) and len(label.reader) > len(_JUDGE)):
        raise InputError(f"reader is {label.reader!r}; write {PERSON} or {_JUDGE}NAME")
    for name in ("event_id", "turn_id"):
        if not getattr(label, name):
            raise InputError(f"a label needs its {name}; it is missing")
    return replace(label, correction_type=kind)  # type: ignore[arg-type]  # one of the words allowed


def label_row(label: TurnLabel, moment: str, *, supersedes: str) -> dict[str, Any]:
    """The row of a label; `supersedes` is the id of the label it replaces, or ''."""
    said = {
        "event_id": label.event_id,
        "skill_id": label.skill_id,
        "session_id": label.session_id,
        "turn_id": label.turn_id,
        "uuid": label.uuid,
        "line": label.line,
        "outcome": label.outcome,
        "correction_type": label.correction_type,
        "about": label.about,
        "reader": label.reader,
        "draw_id": label.draw_id,
        "ruleset": label.ruleset,
        "supersedes": supersedes,
        **{name: getattr(label, name) for name in _WINDOW},
    }
    return {"type": "label", "id": row_id("label", moment, *map(str, said.values())), "at": moment, **said}


def pointer_row(pointer: TurnPointer, moment: str) -> dict[str, Any]:
    """The row of a turn that somebody is asked about."""
    said = {field.name: getattr(pointer, field.name) for field in fields(TurnPointer)}
    return {"type": "asked", "id": row_id("asked", moment, *map(str, said.values())), "at": moment, **said}


def draw_row(draw: Draw, moment: str) -> dict[str, Any]:
    """The row of a draw."""
    return {
        "type": "draw",
        "id": draw.draw_id,
        "at": moment,
        "seed": draw.seed,
        "size": draw.size,
        "reader": draw.reader,
        "ruleset": draw.ruleset,
        "strata": [{field.name: getattr(stratum, field.name) for field in fields(Stratum)} for stratum in draw.strata],
        "sampled": [list(pair) for pair in draw.sampled],
        "frame": {key: list(ids) for key, ids in draw.frame.items()},
    }


def read_label(row: Mapping[str, Any]) -> TurnLabel:
    """The label that a row holds.

    Raises
    ------
    ValueError, TypeError, KeyError, OverflowError
        When it holds none: a field is missing, or of another kind.
    """
    label = TurnLabel(
        outcome=_text(row["outcome"]),  # type: ignore[arg-type]  # checked below
        correction_type=_word(row.get("correction_type")),
        about=_text(row["about"]),  # type: ignore[arg-type]
        reader=_text(row["reader"]),
        label_id=_text(row["id"]),
        labelled_at=_time(row.get("at")),
        draw_id=_text(row.get("draw_id", "")),
        **_pointed_at(row),
    )
    if not label.label_id:
        raise ValueError("id")
    return check_label(label)


def read_pointer(row: Mapping[str, Any]) -> TurnPointer:
    """The turn that a row points at; the same errors as of ``read_label``."""
    pointer = TurnPointer(**_pointed_at(row))
    if not pointer.event_id or not pointer.turn_id:
        raise ValueError("turn_id")
    return pointer


def read_draw(row: Mapping[str, Any]) -> Draw:
    """The draw that a row holds.

    Raises
    ------
    ValueError, TypeError, KeyError, OverflowError
        When it holds none: a field is missing, or of another kind.
    """
    draw = Draw(
        draw_id=_text(row["id"]),
        seed=int(row["seed"]),
        size=_count(row["size"]),
        ruleset=_text(row.get("ruleset", "")),
        strata=tuple(
            Stratum(
                key=_text(item["key"]),
                population=_count(item["population"]),
                sampled=_count(item["sampled"]),
                probability=_probability(item["probability"], sampled=bool(item["sampled"])),
            )
            for item in row["strata"]
        ),
        sampled=tuple((_text(event_id), _probability(chance)) for event_id, chance in row["sampled"]),
        frame={_text(key): tuple(_text(event_id) for event_id in ids) for key, ids in dict(row["frame"]).items()},
        reader=_text(row.get("reader", PERSON)),
        drawn_at=_time(row.get("at")),
    )
    framed = {event_id for ids in draw.frame.values() for event_id in ids}
    if not draw.draw_id or any(event_id not in framed for event_id, _ in draw.sampled):
        raise ValueError("sampled")
    return draw


def _pointed_at(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that labels and pointers share."""
    values: dict[str, Any] = {name: _text(row.get(name, "")) for name in _TEXTS}
    values |= {name: _count(row.get(name, 1 if name == "of" else 0)) for name in _COUNTS}
    return values | {name: _flag(row.get(name, False)) for name in _FLAGS}


def row_id(*parts: str) -> str:
    """First 16 hex digits of the SHA-256 of the parts, one a line."""
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _word(value: Any) -> CorrectionType | None:
    if value is not None and value not in get_args(CorrectionType):
        raise ValueError(value)
    return value  # type: ignore[no-any-return]  # one of the words


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _LARGEST:
        raise ValueError(value)
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _probability(value: Any, *, sampled: bool = True) -> float:
    """A chance in [10⁻⁹, 1], or 0 where nothing was sampled: no draw has a smaller one."""
    if isinstance(value, bool) or not (_LEAST <= value <= 1 or (value == 0 and not sampled)):
        raise ValueError(value)
    return float(value)


def _time(value: Any) -> datetime | None:
    """An ISO 8601 time in UTC, None where there is none that can be read."""
    try:
        parsed = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)


def stamp(moment: datetime) -> str:
    """`moment` as ISO 8601 in UTC, with ``Z``."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
