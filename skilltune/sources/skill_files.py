"""Paths of SKILL.md files: which are, and which skill each is the file of."""

from collections.abc import Iterable
from typing import Any

__all__ = ["SKILL_FILE", "skill_files", "skill_of"]

SKILL_FILE = "SKILL.md"


def skill_of(path: str) -> str:
    """The folder that holds a SKILL.md."""
    return path.replace("\\", "/").rstrip("/").split("/")[-2]


def skill_files(paths: Iterable[Any]) -> list[str]:
    """Those of `paths` that are a skill's file in a named folder, each once, in order."""
    return [path for path in dict.fromkeys(p for p in paths if isinstance(p, str)) if _is_skill_file(path)]


def _is_skill_file(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    return len(parts) > 1 and parts[-1] == SKILL_FILE and parts[-2] not in ("", ".", "..", "~")
