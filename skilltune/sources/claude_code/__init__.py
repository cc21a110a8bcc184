"""Claude Code: ``~/.claude/projects/<folder>/<session>.jsonl``."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from skilltune.facts import FileFacts
from skilltune.sources.base import OnError, Source, walk_files
from skilltune.sources.claude_code.lines import open_file
from skilltune.sources.claude_code.reader import find_speaker, read_file
from skilltune.sources.claude_code.record_types import KNOWN_TYPES
from skilltune.sources.claude_code.records import Record
from skilltune.sources.claude_code.repair import read_line

__all__ = ["SOURCE", "ClaudeCode"]

SNIFFED_LINES = 50
SNIFFED_BYTES = 4 << 20


class ClaudeCode:
    """The transcripts of Claude Code."""

    agent = "claude-code"
    name = "Claude Code"

    def default_roots(self) -> list[Path]:
        """``projects`` in the folder that ``CLAUDE_CONFIG_DIR`` names, else in ``~/.claude``; none without a home."""
        configured = os.environ.get("CLAUDE_CONFIG_DIR", "").strip()
        try:
            home = Path(configured).expanduser() if configured else Path.home() / ".claude"
        except RuntimeError:
            return []
        return [home / "projects"]

    def find_files(self, root: Path, *, on_error: OnError | None = None) -> Iterator[Path]:
        """Every ``.jsonl`` file under `root`, sub-agents' too; `root` itself where it is a file."""
        return walk_files(root, suffix=".jsonl", on_error=on_error)

    def sniff(self, path: Path) -> bool:
        """Whether one of the first records is a message or a known record of a session."""
        try:
            with open_file(path) as file:
                lines = islice(iter(lambda: file.readline(SNIFFED_BYTES), b""), SNIFFED_LINES)
                return any(_is_ours(part) for line in lines for part in read_line(line).parts)
        except OSError:
            return False

    def read_facts(self, path: Path, *, strict: bool = False) -> FileFacts:
        """Facts of all sessions in one transcript; see ``Source.read_facts``."""
        return read_file(path, strict=strict)


def _is_ours(part: object) -> bool:
    if not isinstance(part, Record):
        return False
    return find_speaker(part) is not None or (part.type in KNOWN_TYPES and part.session_id is not None)


SOURCE: Source = ClaudeCode()
