"""The errors skilltune raises; each is also the builtin a caller would expect.

SkilltuneError
├── InputError (ValueError)          an argument, option or config value is out of its range
│   ├── FrameError                   a table lacks a column, or holds an unknown word
│   └── ConfigError                  config.toml or feedback-config.json cannot be understood
├── ReadError (OSError)              a file or folder cannot be read
│   └── RecordError                  strict=True met a damaged line; has .path and .line
├── CollectionDisabled (RuntimeError)  the person switched collection off
├── LogError (OSError)               a log cannot be locked or written
└── ReportError (RuntimeError)       a notebook run failed; has .notebook and .cell
"""

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
]


class SkilltuneError(Exception):
    """Anything skilltune refuses to do, with the reason in its message."""


class InputError(SkilltuneError, ValueError):
    """An argument, option or config value is out of its range."""


class FrameError(InputError):
    """A table lacks a needed column, or a column holds an unknown word."""


class ConfigError(InputError):
    """A config file cannot be understood."""


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
