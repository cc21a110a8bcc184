"""Claude Code: ``~/.claude/projects/<folder>/<session>.jsonl``."""

import os
from collections.abc import Iterator
from itertools import islice, takewhile
from pathlib import Path

from skilltune.facts import FileFacts
from skilltune.sources.base import COMPRESSED, OnError, Source, walk_files
from skilltune.sources.claude_code.documents import HEAD_BYTES, iterate_records, may_be_transcript
from skilltune.sources.claude_code.reader import find_speaker, read_file, read_grown_file
from skilltune.sources.claude_code.record_types import KNOWN_TYPES
from skilltune.sources.claude_code.records import Record, decode_record
from skilltune.sources.claude_code.repair import read_line
from skilltune.sources.lines import open_file

__all__ = ["SOURCE", "ClaudeCode"]

SNIFFED_LINES = 50
SNIFFED_BYTES = 4 << 20
SNIFFED_BUFFER = 1 << 16
OTHERS = ("prt_", "msg_", "ses_")
"""How the names of OpenCode's files begin, of which there may be a hundred thousand."""


class ClaudeCode:
    """The transcripts of Claude Code."""

    agent = "claude-code"
    name = "Claude Code"
    alone = True

    def default_roots(self) -> list[Path]:
        """``projects`` in the folder that ``CLAUDE_CONFIG_DIR`` names, else in ``~/.claude``; none without a home."""
        configured = os.environ.get("CLAUDE_CONFIG_DIR", "").strip()
        try:
            home = Path(configured).expanduser() if configured else Path.home() / ".claude"
        except RuntimeError:
            return []
        return [home / "projects"]

    def find_files(self, root: Path, *, on_error: OnError | None = None) -> Iterator[Path]:
        """Every ``.jsonl`` file under `root`, compressed and sub-agents' too, and JSON documents that hold records.

        `root` itself where it is a file.
        """
        for path in walk_files(root, suffix=(".jsonl", ".json", *COMPRESSED), on_error=on_error):
            if not path.name.endswith(".json") or path == root or _holds_records(path):
                yield path

    def sniff(self, path: Path) -> bool:
        """Whether one of the first records is a message or a known record of a session.

        A message without a type has the oldest shape, which others have, too: it counts only among its like.
        """
        seen: set[str] = set()
        try:
            with open_file(path, buffer_bytes=SNIFFED_BUFFER) as file:
                lines = takewhile(lambda _: file.tell() < SNIFFED_BYTES, islice(iterate_records(file), SNIFFED_LINES))
                for line in lines:
                    seen.update(() if line is None else _kinds(line))
                    if "ours" in seen:
                        return True
        except OSError:
            return False
        return "flat" in seen and "foreign" not in seen

    def read_facts(self, path: Path, *, strict: bool = False) -> FileFacts:
        """Facts of all sessions in one transcript; see ``Source.read_facts``."""
        return read_file(path, strict=strict)

    def read_on(self, path: Path, *, carried: bytes = b"") -> tuple[FileFacts, bytes]:
        """The same, from where `carried` ends; see ``ReadOn``."""
        return read_grown_file(path, carried=carried)


def _holds_records(path: Path) -> bool:
    """Whether a JSON document begins as a transcript does; what lies in another agent's tree of files is not opened."""
    if path.name.startswith(OTHERS):
        return False
    try:
        with open_file(path, buffer_bytes=HEAD_BYTES) as file:
            return may_be_transcript(file.read(HEAD_BYTES))
    except OSError:
        return True


def _kinds(line: bytes) -> Iterator[str]:
    """What the records of a line are: ``ours``, ``flat`` (messages without a type), ``foreign`` or ''."""
    try:
        parts: tuple[object, ...] = (decode_record(line),)
    except (ValueError, RecursionError):
        parts = read_line(line).parts
    return (_kind(part) for part in parts if isinstance(part, Record))


def _kind(record: Record) -> str:
    if find_speaker(record) is not None:
        return "flat" if record.type is None else "ours"
    if record.type in KNOWN_TYPES and record.session_id is not None:
        return "ours"
    return "foreign" if record.type is not None and record.type not in KNOWN_TYPES else ""


SOURCE: Source = ClaudeCode()
