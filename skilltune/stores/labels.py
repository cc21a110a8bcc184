"""The label log: what people and judges say of turns, and how the uses they were asked about were drawn.

One JSON object a line, only ever added: ``label``, ``retract`` (takes a label back), ``draw``, and ``asked`` (a turn
that stands on a sheet to be labelled elsewhere). It holds ids and words of a fixed vocabulary, never what was said. Of
the labels of one reader for one turn in one use's window the last that was not taken back counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from skilltune.errors import InputError
from skilltune.records import Draw, TurnLabel, TurnPointer
from skilltune.stores.jsonl import AppendOnlyLog, LogProblem, dump_row
from skilltune.stores.label_rows import (
    check_label,
    draw_row,
    label_row,
    pointer_row,
    read_draw,
    read_label,
    read_pointer,
    row_id,
    stamp,
)
from skilltune.stores.paths import look_at

__all__ = ["LabelContents", "LabelLog", "Written"]


@dataclass(frozen=True, slots=True)
class LabelContents:
    """What a label log says now."""

    labels: list[TurnLabel]
    """The labels that count, in the order in which their turns were first labelled."""
    draws: list[Draw]
    asked: dict[tuple[str, str], TurnPointer]
    """Event and turn id → the turn, of those on sheets."""
    problems: list[LogProblem]

    def of_reader(self, reader: str) -> list[TurnLabel]:
        """The labels of one reader."""
        return [label for label in self.labels if label.reader == reader]

    def draws_for(self, reader: str) -> list[Draw]:
        """The draws made for one reader."""
        return [draw for draw in self.draws if draw.reader == reader]


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a label: its id in the log, and of the one that stood for its turn before, if any."""

    label_id: str
    before: str | None


class LabelLog:
    """The label log at `path`; it and its folder are made by the first label.

    Parameters
    ----------
    path
        ``labels.jsonl`` of a workspace.
    """

    def __init__(self, path: str | Path) -> None:
        self._log = AppendOnlyLog(path)
        self.path = self._log.path

    @classmethod
    def beside(cls, feedback: Path) -> "LabelLog":
        """The label log that belongs to a feedback log: ``labels.jsonl`` beside ``feedback.jsonl``."""
        name = "labels.jsonl" if feedback.name == "feedback.jsonl" else f"{feedback.stem}.labels.jsonl"
        return cls(feedback.with_name(name))

    def exists(self) -> bool:
        """Whether anything was ever labelled here."""
        return look_at(self.path) is not None

    def read(self) -> LabelContents:
        """The labels and draws; lines that cannot be understood are passed over and counted.

        Raises
        ------
        LogError
            When the file cannot be read.
        """
        labels: dict[str, TurnLabel] = {}
        draws: dict[str, Draw] = {}
        asked: dict[tuple[str, str], TurnPointer] = {}
        problems: list[LogProblem] = []
        for line in self._log.read().lines:
            problem = line.problem
            if line.row is not None:
                try:
                    _take(line.row, labels=labels, draws=draws, asked=asked)
                except (ValueError, TypeError, KeyError, OverflowError):
                    problem = _what_is_odd(line.row)
            if problem:
                problems.append(LogProblem(str(self.path), line.number, problem))
        standing: dict[tuple[str, str, str], TurnLabel] = {}
        for label in labels.values():
            standing[_key_by_reader(label)] = label
        return LabelContents(list(standing.values()), list(draws.values()), asked, problems)

    def append(
        self,
        labels: Sequence[TurnLabel],
        *,
        draws: Sequence[Draw] = (),
        asked: Sequence[TurnPointer] = (),
        at: datetime | None = None,
    ) -> list[str]:
        """Add labels, and the draws that their uses come from, in one write; seen on disk before this returns.

        What the log says already is not added again.

        Parameters
        ----------
        labels
            Their ``label_id`` and ``labelled_at`` are set here.
        draws
            Draws to keep before them.
        asked
            Turns that are asked about elsewhere.
        at
            The time to write; default now.

        Returns
        -------
        list of str
            The id of each label, of the one that stands where nothing was added.

        Raises
        ------
        InputError
            A label has a word that is not in the vocabulary; nothing is written.
        LogError
            The log cannot be locked or written.
        """
        return [written.label_id for written in self.write(labels, draws=draws, asked=asked, at=at)]

    def write(
        self,
        labels: Sequence[TurnLabel],
        *,
        draws: Sequence[Draw] = (),
        asked: Sequence[TurnPointer] = (),
        at: datetime | None = None,
    ) -> list[Written]:
        """As ``append``; of each label also what stood before, as no other process could change it meanwhile."""
        checked = [check_label(label) for label in labels]
        moment = stamp(at or datetime.now(UTC))
        with self._log.locked():
            known = self.read()
            standing = {_key_by_reader(label): label for label in known.labels}
            kept = {draw.draw_id for draw in known.draws}
            rows = [draw_row(draw, moment) for draw in draws if draw.draw_id not in kept]
            rows += [pointer_row(turn, moment) for turn in asked if known.asked.get(_key(turn)) != turn]
            written: list[Written] = []
            for label in checked:
                before = standing.get(_key_by_reader(label))
                if before is not None and _says_same(before, label):
                    written.append(Written(before.label_id, before.label_id))
                    continue
                row = label_row(label, moment, supersedes=before.label_id if before else "")
                standing[_key_by_reader(label)] = replace(label, label_id=row["id"])
                rows.append(row)
                written.append(Written(row["id"], before.label_id if before else None))
            self._log.append([dump_row(row) for row in rows])
        return written

    def retract(self, label_ids: Iterable[str], *, at: datetime | None = None) -> int:
        """Take labels back, so that what was said of their turns before counts again; how many were taken back.

        Raises
        ------
        InputError
            The log has no such label that counts; nothing is written.
        """
        wanted = list(dict.fromkeys(label_ids))
        moment = stamp(at or datetime.now(UTC))
        with self._log.locked():
            standing = {label.label_id for label in self.read().labels}
            for label_id in wanted:
                if label_id not in standing:
                    raise InputError(
                        f"no label {label_id!r} counts in {self.path}; list them with: skilltune label export"
                    )
            rows = [
                {"type": "retract", "id": row_id("retract", label_id, moment), "at": moment, "target": label_id}
                for label_id in wanted
            ]
            self._log.append([dump_row(row) for row in rows])
        return len(wanted)


def _take(
    row: Mapping[str, Any],
    *,
    labels: dict[str, TurnLabel],
    draws: dict[str, Draw],
    asked: dict[tuple[str, str], TurnPointer],
) -> None:
    """Add what a line says; an error where it says nothing that is known."""
    kind = row["type"]
    if kind == "label":
        label = read_label(row)
        labels.pop(label.label_id, None)
        labels[label.label_id] = label
    elif kind == "retract":
        # a label of that id further down was given after it
        labels.pop(str(row["target"]), None)
    elif kind == "draw":
        draw = read_draw(row)
        draws.setdefault(draw.draw_id, draw)
    elif kind == "asked":
        pointer = read_pointer(row)
        asked[_key(pointer)] = pointer
    else:
        raise ValueError(kind)


def _what_is_odd(row: Mapping[str, Any]) -> str:
    kind = row.get("type")
    return f"odd_{kind}" if kind in ("label", "retract", "draw", "asked") else "unknown_type"


def _says_same(one: TurnLabel, other: TurnLabel) -> bool:
    """Whether two labels of one turn say the same, of the same window."""
    names = ("outcome", "correction_type", "about", "of", "turns_seen", "goes_on", "taken_back")
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _key(turn: TurnPointer | TurnLabel) -> tuple[str, str]:
    return turn.event_id, turn.turn_id


def _key_by_reader(label: TurnLabel) -> tuple[str, str, str]:
    return label.event_id, label.turn_id, label.reader
