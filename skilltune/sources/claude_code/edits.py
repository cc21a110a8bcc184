"""The edits in a transcript, with their texts: a second, slower reading, for the few sessions in which they matter.

Facts hold no texts of files. Here each line that may hold an edit's call or result is decoded whole; what is damaged
or of an odd type is passed over.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from skilltune.mining.edits import Change, Edit, changed_parts
from skilltune.sources.base import naming, readable
from skilltune.sources.claude_code.documents import iterate_records
from skilltune.sources.claude_code.repair import read_objects
from skilltune.sources.claude_code.session import EDIT_TOOLS
from skilltune.sources.lines import open_file
from skilltune.sources.session import microseconds

__all__ = ["EDIT_CHARS", "FILE_CHARS", "read_edits"]

EDIT_CHARS: Final = 50_000
"""Characters of one text of an edit that are kept."""
FILE_CHARS: Final = 100_000_000
"""Characters of all edits of one transcript that are kept; later ones are passed over."""
_MAX_CHANGES: Final = 200
_MARKS: Final = (b'"tool_use"', b'"tool_result"')
_MODIFIED: Final = "user modified your proposed changes"


def read_edits(path: Path | str) -> list[Edit]:
    """The edits of the main agent in one transcript, in the order of their calls.

    Texts are cut at ``EDIT_CHARS``; a copy of a record in the same file counts once; notebooks are left out, for
    their results do not say what stood there before.

    Raises
    ------
    ReadError
        The file cannot be read.
    """
    found = _Edits(Path(path))
    with naming(found.path), open_file(found.path) as file:
        for number, line in enumerate(iterate_records(file), 1):
            if line is not None and any(mark in line for mark in _MARKS):
                for record in _decode(line):
                    found.take(record, number)
    return found.finish()


def _decode(line: bytes) -> Iterator[Mapping[str, Any]]:
    """The records of a line."""
    try:
        value = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        yield from read_objects(line)
        return
    if isinstance(value, dict):
        yield value


@dataclass(slots=True)
class _Edits:
    """The edits of a file as far as it is read."""

    path: Path
    edits: list[Edit] = field(default_factory=list)
    calls: dict[str, int] = field(default_factory=dict)
    """Id of a call whose result may follow → place of its edit."""
    seen: set[str] = field(default_factory=set)
    session_id: str = ""
    chars: int = 0

    def take(self, record: Mapping[str, Any], number: int) -> None:
        """Take a record: calls of the agent, and results."""
        uuid = _text(record.get("uuid"))
        if record.get("isSidechain") is True or uuid in self.seen:
            return
        if uuid:
            self.seen.add(uuid)
        self.session_id = _text(record.get("sessionId")) or self.session_id
        message = record.get("message")
        content = (message if isinstance(message, dict) else record).get("content")
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") == "tool_use":
                self._call(record, block, number=number)
            elif isinstance(block, dict) and block.get("type") == "tool_result":
                self._settle(record, block, number=number)

    def finish(self) -> list[Edit]:
        """The edits; those before the first session id belong to the first session named."""
        first = next((edit.session_id for edit in self.edits if edit.session_id), readable(self.path.stem))
        return [edit if edit.session_id else replace(edit, session_id=first) for edit in self.edits]

    def _call(self, record: Mapping[str, Any], block: Mapping[str, Any], *, number: int) -> None:
        given = block.get("input")
        if _text(block.get("name")) not in EDIT_TOOLS or not isinstance(given, dict) or self.chars > FILE_CHARS:
            return
        path = _text(given.get("file_path")) or _text(given.get("path"))
        changes = _proposed(given)
        if not path or not changes:
            return
        self.chars += sum(len(change.before) + len(change.after) for change in changes)
        call_id = _text(block.get("id"))
        if call_id:
            self.calls[call_id] = len(self.edits)
        self.edits.append(
            Edit(
                session_id=self.session_id,
                line=number,
                uuid=_text(record.get("uuid")),
                at=microseconds(_moment(record.get("timestamp"))),
                path=path,
                changes=changes,
                attributed=_text(record.get("attributionSkill")),
            )
        )

    def _settle(self, record: Mapping[str, Any], block: Mapping[str, Any], *, number: int) -> None:
        """Note on an edit what its result says of it."""
        place = self.calls.pop(_text(block.get("tool_use_id")), None)
        if place is None:
            return
        noted = record.get("toolUseResult")
        edit = replace(self.edits[place], failed=block.get("is_error") is True, result_line=number)
        if not edit.failed and isinstance(noted, dict):
            modified = noted.get("userModified") is True or _MODIFIED in _told(block.get("content"))
            edit = _with_result(edit, noted, modified=modified)
        self.chars += sum(len(change.before) + len(change.after) for change in (*edit.written, *edit.corrections))
        self.edits[place] = edit


def _proposed(given: Mapping[str, Any]) -> tuple[Change, ...]:
    """The changes that a call asks for."""
    edits = given.get("edits")
    if isinstance(edits, list):
        changes = [_replacement(edit, "old_string", "new_string") for edit in edits[:_MAX_CHANGES]]
        return tuple(change for change in changes if change is not None)
    change = _replacement(given, "old_string", "new_string")
    if change is None and isinstance(given.get("content"), str):
        change = Change("", _cut(given["content"]))
    return (change,) if change is not None else ()


def _replacement(given: Any, old: str, new: str) -> Change | None:
    if not isinstance(given, dict):
        return None
    before, after = given.get(old), given.get(new)
    if not isinstance(before, str) or not isinstance(after, str):
        return None
    return Change(_cut(before), _cut(after))


def _with_result(edit: Edit, noted: Mapping[str, Any], *, modified: bool) -> Edit:
    """`edit` with what was written, and what the person changed in it."""
    own = _replacement(noted, "oldString", "newString")
    written: tuple[Change, ...] = (own,) if own is not None else ()
    if own is None and (modified or not edit.changes[0].before):
        written = _patched(noted.get("structuredPatch"))
    if not written and modified and isinstance(noted.get("content"), str):
        written = (Change("", _cut(noted["content"])),)
    written = () if written == edit.changes else written
    if not modified:
        return replace(edit, written=written)
    parts = changed_parts(*_both_texts(edit, noted))[:_MAX_CHANGES]
    corrections = tuple(Change(_cut(part.before), _cut(part.after)) for part in parts)
    return replace(edit, modified=True, written=written, corrections=corrections)


def _both_texts(edit: Edit, noted: Mapping[str, Any]) -> tuple[str, str]:
    """What the agent proposed and what was written in its place, of the same stretch; twice the same if not known."""
    own = _replacement(noted, "oldString", "newString")
    only = edit.changes[0]
    if own is not None and len(edit.changes) == 1 and own.before == only.before:
        return only.after, own.after
    if not only.before and isinstance(noted.get("content"), str):
        return only.after, _cut(noted["content"])
    original = noted.get("originalFile", noted.get("originalFileContents"))
    theirs = _patched(noted.get("structuredPatch")) if own is None else (own,)
    if not isinstance(original, str) or not theirs:
        return "", ""
    proposal, outcome = _apply(original, edit.changes), _apply(original, theirs)
    return (proposal, outcome) if proposal is not None and outcome is not None else ("", "")


def _apply(text: str, changes: tuple[Change, ...]) -> str | None:
    """`text` with each change made once; None where one cannot be."""
    for change in changes:
        if not change.before or change.before not in text:
            return None
        text = text.replace(change.before, change.after, 1)
    return text


def _patched(patch: Any) -> tuple[Change, ...]:
    """The hunks of a patch as texts before and after."""
    hunks = patch[:_MAX_CHANGES] if isinstance(patch, list) else []
    return tuple(
        _hunk([line for line in hunk["lines"] if isinstance(line, str)])
        for hunk in hunks
        if isinstance(hunk, dict) and isinstance(hunk.get("lines"), list)
    )


def _hunk(lines: list[str]) -> Change:
    before = [line[1:] for line in lines if line[:1] in (" ", "-")]
    after = [line[1:] for line in lines if line[:1] in (" ", "+")]
    return Change(_cut("\n".join(before)), _cut("\n".join(after)))


def _told(content: Any) -> str:
    """The beginning of the text of a tool result."""
    parts = [part.get("text") for part in content if isinstance(part, dict)] if isinstance(content, list) else [content]
    return next((part[:1000] for part in parts if isinstance(part, str)), "")


def _moment(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _cut(text: str) -> str:
    return text[:EDIT_CHARS]
