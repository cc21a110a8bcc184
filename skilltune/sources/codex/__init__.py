"""Codex: ``$CODEX_HOME/sessions/YYYY/MM/DD/rollout-*.jsonl``, ``archived_sessions``, what ``codex exec`` printed."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from skilltune.facts import FileFacts
from skilltune.sources.base import COMPRESSED, OnError, Source, walk_files
from skilltune.sources.codex.reader import is_ours, read_file, read_grown_file
from skilltune.sources.lines import open_file

__all__ = ["SOURCE", "Codex"]

SNIFFED_LINES = 50
SNIFFED_BYTES = 4 << 20


class Codex:
    """The sessions of Codex."""

    agent = "codex"
    name = "Codex"
    alone = True

    def default_roots(self) -> list[Path]:
        """Both folders of sessions in what ``CODEX_HOME`` names, else in ``~/.codex``; none without a home."""
        configured = os.environ.get("CODEX_HOME", "").strip()
        try:
            home = Path(configured).expanduser() if configured else Path.home() / ".codex"
        except RuntimeError:
            return []
        return [home / "sessions", home / "archived_sessions"]

    def find_files(self, root: Path, *, on_error: OnError | None = None) -> Iterator[Path]:
        """Every ``.jsonl`` file under `root`, compressed ones too; `root` itself where it is a file."""
        return walk_files(root, suffix=(".jsonl", *COMPRESSED), on_error=on_error)

    def sniff(self, path: Path) -> bool:
        """Whether one of the first records is of a kind that only Codex writes."""
        try:
            with open_file(path) as file:
                lines = islice(iter(lambda: file.readline(SNIFFED_BYTES), b""), SNIFFED_LINES)
                return any(map(is_ours, lines))
        except OSError:
            return False

    def read_facts(self, path: Path, *, strict: bool = False) -> FileFacts:
        """Facts of the session in one file; see ``Source.read_facts``."""
        return read_file(path, strict=strict)

    def read_on(self, path: Path, *, carried: bytes = b"") -> tuple[FileFacts, bytes]:
        """The same, from where `carried` ends; see ``ReadOn``."""
        return read_grown_file(path, carried=carried)


SOURCE: Source = Codex()
