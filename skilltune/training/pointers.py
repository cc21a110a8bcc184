"""Pointers to labelled turns, with no text: held-out verdicts beside them, and the way back to the turns.

Who has the sessions can build the labelled set again from pointers alone, and train and measure again.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from skilltune.errors import InputError, ReadError
from skilltune.facts import FileFacts
from skilltune.mining.session_turns import SessionTurns
from skilltune.mining.situation import Situation
from skilltune.training.evaluating import Judged
from skilltune.training.turns import LabelledTurn, outcome_of

__all__ = ["find_pointed_turns", "pointer_lines", "read_pointed_turns", "read_pointers"]

_FIELDS = ("key", "uuid", "source", "session", "agent", "language", "outcome", "second", "skill")


def pointer_lines(by_session: Sequence[Judged], by_source: Sequence[Judged]) -> str:
    """One JSON line a turn: where it is, what readers called it, what was said of it with session or project unseen."""
    rows = (
        {
            **{name: getattr(one.turn, name) for name in _FIELDS},
            "turn_after_skill": one.turn.turn_after_skill,
            "about_skill": one.turn.about_skill,
            "by_rules": one.by_rules,
            "session_unseen": _said(one),
            "project_unseen": _said(two),
        }
        for one, two in zip(by_session, by_source, strict=True)
    )
    return "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows)


def read_pointers(path: Path) -> tuple[list[Judged], list[Judged]]:
    """The held-out verdicts in a file that ``pointer_lines`` made: by session, by project."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [_judged(row, "session_unseen") for row in rows], [_judged(row, "project_unseen") for row in rows]


def read_pointed_turns(path: Path, read: Iterable[FileFacts]) -> list[LabelledTurn]:
    """The labelled turns that a file of pointers names, found again in sessions.

    A line has ``uuid`` (of the record) and ``outcome``; ``second``, ``source`` and what else ``pointer_lines`` or
    ``skilltune label export`` write are used where they are there. Turns that no session holds, or whose record has no
    uuid, are left out.

    Raises
    ------
    ReadError
        The file cannot be read.
    InputError
        A line is no pointer, or none of the turns is found.
    """
    try:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror or error}; name a file of pointers") from error
    wanted: dict[str, LabelledTurn] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            turn = _pointed(row) if isinstance(row, dict) else None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {number}: {error}") from error
        if turn is None:
            raise InputError(f"{path}, line {number}: a pointer needs uuid and outcome")
        if turn.uuid:
            wanted[turn.uuid] = turn
    found = find_pointed_turns(wanted.values(), read)
    if not found:
        raise InputError(f"none of the {len(wanted)} turns of {path} is in these sessions; name their folder")
    return found


def find_pointed_turns(pointed: Iterable[LabelledTurn], read: Iterable[FileFacts]) -> list[LabelledTurn]:
    """`pointed` turns with the situation that the sessions hold, each once, in the order of the pointers."""
    wanted = {turn.uuid: turn for turn in pointed if turn.uuid}
    found: dict[str, LabelledTurn] = {}
    for file in read:
        for session in file.sessions:
            turns = SessionTurns(session, model=None)
            for at, item in turns.turns():
                if item.uuid in wanted and item.uuid not in found and not item.part:
                    found[item.uuid] = replace(wanted[item.uuid], situation=turns.situation(at), agent=session.agent)
    return [found[uuid] for uuid in wanted if uuid in found]


def _pointed(row: dict[str, Any]) -> LabelledTurn | None:
    uuid, outcome, second = row.get("uuid"), row.get("outcome"), row.get("second")
    if not isinstance(uuid, str) or not isinstance(outcome, str):
        return None
    source = str(row.get("source") or "own")
    return LabelledTurn(
        key=str(row.get("key") or row.get("turn_id") or uuid),
        source=source,
        session=f"{source}#{row.get('session') or row.get('session_id') or uuid}",
        agent=str(row.get("agent") or ""),
        language=str(row.get("language") or "en"),
        situation=Situation.of(""),
        outcome=outcome_of(outcome),
        second=outcome_of(second) if isinstance(second, str) and second else "",
        uuid=uuid,
    )


def _said(judged: Judged) -> list[Any]:
    return [judged.outcome, judged.p_negative, judged.p_acceptance]


def _judged(row: dict[str, Any], which: str) -> Judged:
    outcome, negative, acceptance = row[which]
    turn = LabelledTurn(
        **{name: row[name] for name in (*_FIELDS, "turn_after_skill", "about_skill")}, situation=Situation.of("")
    )
    return Judged(turn, outcome, row["by_rules"], negative, acceptance)
