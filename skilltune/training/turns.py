"""Labelled turns from JSON lines: what a person said, in what situation, and what readers called it.

A line needs ``text`` and ``label``; ``previous_agent``, ``previous_person``, ``channel``, ``interrupted``,
``preceded_by``, ``session``, ``source`` or ``repository``, ``agent``, ``language``, ``uuid`` or ``id``, and a second
reader's ``label_2`` are used where they are there.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, get_args

from skilltune.errors import InputError, ReadError
from skilltune.mining.situation import Situation
from skilltune.records import Channel

__all__ = ["LABELS", "LabelledTurn", "invented_turns", "outcome_of", "read_labelled_turns"]

LABELS: Final[Mapping[str, str]] = {
    "correction": "correction",
    "redo": "correction",
    "revert": "correction",
    "rejection": "correction",
    "failure_report": "correction",
    "partial": "partial",
    "acceptance": "acceptance",
    "next_step_acceptance": "acceptance",
    "none": "none",
    "neutral": "none",
    "challenge": "none",
    "change_request": "none",
    "relayed_review": "none",
}
"""Labels that are known, finer ones too, and the outcome that each is (strict: only what calls the work wrong)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledTurn:
    """One turn with its labels; `second` is a second reader's outcome, '' where there is none."""

    key: str
    source: str
    session: str
    agent: str
    language: str
    situation: Situation
    outcome: str
    second: str = ""
    invented: bool = False
    uuid: str = ""
    skill: str = ""
    turn_after_skill: int = 0
    about_skill: str = ""


def outcome_of(label: str, *, field: str = "label") -> str:
    """The outcome (correction, partial, acceptance, none) that a label stands for; `field` names it in the message.

    Raises
    ------
    InputError
        The label is unknown.
    """
    if label not in LABELS:
        raise InputError(f"{field} {label!r} is unknown; known are {', '.join(sorted(LABELS))}")
    return LABELS[label]


def read_labelled_turns(path: Path, *, invented: bool = False) -> list[LabelledTurn]:
    """The labelled turns in a file of JSON lines, or in all ``*.jsonl`` of a folder.

    Raises
    ------
    ReadError
        The file cannot be read.
    InputError
        A line is no labelled turn; the message names file, line and field.
    """
    try:
        places = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        texts = [(place, place.read_text(encoding="utf-8", errors="replace")) for place in places]
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror or error}; name a file of labelled turns") from error
    found = [turn for place, text in texts for turn in _parse(text, name=str(place), invented=invented)]
    if not found:
        raise InputError(f"{path} holds no labelled turn; a line is a JSON object with text and label")
    return found


def invented_turns() -> list[LabelledTurn]:
    """The invented labelled turns that ship with the package (open data)."""
    folder = files("skilltune.training").joinpath("turns")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".jsonl"))
    return [
        turn
        for name in names
        for turn in _parse(folder.joinpath(name).read_text(encoding="utf-8"), name=name, invented=True)
    ]


def _parse(text: str, *, name: str, invented: bool) -> Iterator[LabelledTurn]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{name}, line {number}: no JSON ({error})") from error
        if not isinstance(row, dict):
            raise InputError(f"{name}, line {number}: a labelled turn is a JSON object, not {type(row).__name__}")
        try:
            yield _labelled(row, name=name, number=number, invented=invented)
        except InputError as error:
            raise InputError(f"{name}, line {number}: {error}") from error


def _labelled(row: Mapping[str, Any], *, name: str, number: int, invented: bool) -> LabelledTurn:
    text = row.get("text")
    if not isinstance(text, str):
        raise InputError("a labelled turn needs text")
    source = _word(row, "repository") or _word(row, "source") or name
    after = row.get("turn_after_skill")
    second = _word(row, "label_2")
    return LabelledTurn(
        key=_word(row, "id") or _word(row, "uuid") or f"{name}:{number}",
        source=source,
        session=f"{source}#{_word(row, 'session') or number}",
        agent=_word(row, "agent"),
        language=_word(row, "language") or "en",
        situation=_situation(row, text),
        outcome=outcome_of(_word(row, "label")),
        second=outcome_of(second, field="label_2") if second else "",
        invented=invented,
        uuid=_word(row, "uuid"),
        skill=_word(row, "skill"),
        turn_after_skill=after if isinstance(after, int) else 0,
        about_skill=_word(row, "about_skill"),
    )


def _situation(row: Mapping[str, Any], text: str) -> Situation:
    before: Sequence[Any] = row.get("preceded_by") or ()
    if not isinstance(before, list | tuple):
        raise InputError(f'preceded_by is no list but {type(before).__name__}; name what came before, as in ["deny"]')
    channel = _word(row, "channel") or "message"
    if channel not in get_args(Channel):
        raise InputError(f"channel {channel!r} is none of {', '.join(get_args(Channel))}")
    return Situation.of(
        text,
        previous_agent=_word(row, "previous_agent"),
        channel=channel,  # type: ignore[arg-type]  # checked above
        interrupted=row.get("interrupted") is True or "interrupt" in before,
        ended_in_error=row.get("ended_in_error") is True,
        previous_prompt=_word(row, "previous_person"),
    )


def _word(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""
