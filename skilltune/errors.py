"""The errors skilltune raises; each is also the builtin a caller would expect.

SkilltuneError
├── InputError (ValueError)          an argument, option or config value is out of its range
│   ├── FrameError                   a table lacks a column, or holds an unknown word
│   ├── UnknownSkillError        a skill that the log knows no use of
│   └── ConfigError                  config.toml or feedback-config.json cannot be understood
├── ReadError (OSError)              a file or folder cannot be read
│   └── RecordError                  strict=True met a damaged line; has .path and .line
├── CollectionDisabled (RuntimeError)  the person switched collection off
├── LogError (OSError)               a log cannot be locked or written
└── ReportError (RuntimeError)       a notebook run failed; has .notebook and .cell
"""

import difflib
from collections.abc import Iterable
from pathlib import Path

__all__ = [
    "CollectionDisabled",
    "ConfigError",
    "FrameError",
    "InputError",
    "LogError",
    "ReadError",
    "RecordError",
    "ReportError",
    "SkilltuneError",
    "UnknownSkillError",
]

_SHOWN = 10
"""Names that a message lists."""


class SkilltuneError(Exception):
    """Anything skilltune refuses to do, with the reason in its message."""


class InputError(SkilltuneError, ValueError):
    """An argument, option or config value is out of its range."""


class FrameError(InputError):
    """A table lacks a needed column, or a column holds an unknown word."""


class ConfigError(InputError):
    """A config file cannot be understood."""


class UnknownSkillError(InputError):
    """A skill was named that the log knows no use of; the message names what it knows, the most alike first."""

    def __init__(self, skill: str, known: Iterable[str]) -> None:
        names = sorted(known)
        alike = difflib.get_close_matches(skill, names, n=_SHOWN, cutoff=0)
        more = f" and {len(names) - len(alike)} more" if len(names) > len(alike) else ""
        super().__init__(f"no use of the skill {skill!r} is in the log; it knows {', '.join(alike) or 'none'}{more}")
        self.skill, self.known = skill, tuple(names)


class ReadError(SkilltuneError, OSError):
    """A file or folder cannot be read."""


class RecordError(ReadError):
    """A damaged line, met with ``strict=True``."""

    def __init__(self, path: str | Path, line: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: {reason}; run without strict to skip and count such lines")
        self.path, self.line, self.reason = str(path), line, reason


class CollectionDisabled(SkilltuneError, RuntimeError):
    """The person switched the collection of feedback off."""


class LogError(SkilltuneError, OSError):
    """A log cannot be locked, written or replaced."""


class ReportError(SkilltuneError, RuntimeError):
    """A notebook run failed; what it made up to there is kept at ``notebook``."""

    def __init__(self, message: str, *, notebook: str | Path | None = None, cell: int | None = None) -> None:
        super().__init__(message)
        self.notebook, self.cell = notebook, cell
