"""The errors skilltune raises; each is also the builtin a caller would expect.

SkilltuneError
├── InputError (ValueError)          an argument, option or config value is out of its range
│   ├── FrameError                   a table lacks a column, or holds an unknown word
│   ├── UnknownSkillError        a skill that the log knows no use of
│   ├── SkillNotFoundError           no installed skill has that name
│   └── ConfigError                  config.toml or feedback-config.json cannot be understood
├── ReadError (OSError)              a file or folder cannot be read
│   ├── RecordError                  strict=True met a damaged line; has .path and .line
│   └── DamagedError                 an audit log or snapshot is not as it was written; has .path and .line
├── RefusedError (RuntimeError)      a bound of refinement; nothing was written; has .skill_id, .value and .limit
│   ├── StaleError                   the body is another one than was approved
│   ├── CooldownError                refined too short a time ago
│   ├── ConflictError                corrections contradict each other
│   ├── EvidenceError                too few corrections or sessions, or too little agreement
│   ├── ChangeBoundError             too much of the body at once
│   ├── DriftBoundError              too far from the baseline
│   ├── MetadataBoundError           too many changes of the front matter
│   ├── BaselineError                no baseline, so drift is not known
│   ├── NoEffectError                nothing would change
│   └── OutsideEditError             the file was edited since, which would be overwritten
├── SkillFileError (OSError)         a skill's file may not be written, or is none
├── CollectionDisabled (RuntimeError)  the person switched collection off
├── LogError (OSError)               a log cannot be locked or written
│   └── AuditError                   an audit log or a snapshot cannot be locked, read or written; has .reason
├── JudgeFailed (RuntimeError)       a judge answered nothing of a batch; has .reason and .detail
└── ReportError (RuntimeError)       a notebook run failed; has .notebook and .cell
"""

import difflib
from collections.abc import Iterable
from pathlib import Path

__all__ = [
    "AuditError",
    "BaselineError",
    "ChangeBoundError",
    "CollectionDisabled",
    "ConfigError",
    "ConflictError",
    "CooldownError",
    "DamagedError",
    "DriftBoundError",
    "EvidenceError",
    "FrameError",
    "InputError",
    "JudgeFailed",
    "LogError",
    "MetadataBoundError",
    "NoEffectError",
    "OutsideEditError",
    "ReadError",
    "RecordError",
    "RefusedError",
    "ReportError",
    "SkillFileError",
    "SkillNotFoundError",
    "SkilltuneError",
    "StaleError",
    "UnknownSkillError",
]

_SHOWN = 10
"""Names that a message lists."""
_SHOWN_CHARS = 100
"""Characters of a name that a message shows."""


class SkilltuneError(Exception):
    """Anything skilltune refuses to do, with the reason in its message."""


class InputError(SkilltuneError, ValueError):
    """An argument, option or config value is out of its range."""


class FrameError(InputError):
    """A table lacks a needed column, or a column holds an unknown word."""


class ConfigError(InputError):
    """A config file cannot be understood."""


def _listed(names: Iterable[str]) -> str:
    """Names in a message, each as it can be told from the others: a line end in one is written as one."""
    return ", ".join(name if name.isprintable() else repr(name)[1:-1] for name in names) or "none"


class UnknownSkillError(InputError):
    """A skill was named that the log knows no use of; the message names what it knows, the most alike first."""

    def __init__(self, skill: str, known: Iterable[str]) -> None:
        names = sorted(known)
        alike = difflib.get_close_matches(skill, names, n=_SHOWN, cutoff=0)
        more = f" and {len(names) - len(alike)} more" if len(names) > len(alike) else ""
        super().__init__(f"no use of the skill {skill!r} is in the log; it knows {_listed(alike)}{more}")
        self.skill, self.known = skill, tuple(names)


class ReadError(SkilltuneError, OSError):
    """A file or folder cannot be read."""


class RecordError(ReadError):
    """A damaged line, met with ``strict=True``."""

    def __init__(self, path: str | Path, line: int, reason: str) -> None:
        super().__init__(f"{path}:{line}: {reason}; run without strict to skip and count such lines")
        self.path, self.line, self.reason = str(path), line, reason


class SkillNotFoundError(InputError):
    """No skill of that name is installed; the message names the most alike."""

    def __init__(self, skill: str, known: Iterable[str]) -> None:
        names = sorted(known)
        alike = difflib.get_close_matches(skill, names, n=_SHOWN, cutoff=0)
        super().__init__(f"no skill {skill[:_SHOWN_CHARS]!r} is installed; there is {_listed(alike)}")
        self.skill, self.known = skill, tuple(names)


class DamagedError(ReadError):
    """An audit log or a snapshot is not as it was written; line 0 where it is no log."""

    def __init__(self, path: str | Path, line: int, reason: str, *, remedy: str) -> None:
        super().__init__(f"{path}{f':{line}' if line else ''}: {reason}; {remedy}")
        self.path, self.line, self.reason = str(path), line, reason


class RefusedError(SkilltuneError, RuntimeError):
    """A bound of refinement refuses; nothing was written.

    Parameters
    ----------
    skill_id
        The skill.
    value, limit
        The numbers of the bound, where it has any.
    """

    def __init__(
        self, message: str, *, skill_id: str, value: float | str | None = None, limit: float | str | None = None
    ) -> None:
        super().__init__(message)
        self.skill_id, self.value, self.limit = skill_id, value, limit


class StaleError(RefusedError):
    """The body on disk is another one than was approved; value and limit are the digests of both."""


class CooldownError(RefusedError):
    """The skill was refined too short a time ago; value is the days that remain, limit the cooldown's."""


class ConflictError(RefusedError):
    """Corrections that contradict each other hold the skill; value is how many conflicts."""


class EvidenceError(RefusedError):
    """Too few corrections or sessions, or they agree too little."""


class ChangeBoundError(RefusedError):
    """Too much of the body would change at once, in percent."""


class DriftBoundError(RefusedError):
    """The body is, or would be, too far from its baseline, in percent."""


class MetadataBoundError(RefusedError):
    """Too many fields of the front matter would change."""


class BaselineError(RefusedError):
    """There is no baseline, so drift is not known, and nobody allowed to go on without."""


class NoEffectError(RefusedError):
    """Nothing would change."""


class OutsideEditError(RefusedError):
    """The file was edited since the last entry of the audit log; value and limit are the digests of both."""


class SkillFileError(SkilltuneError, OSError):
    """A skill's file or folder may not be written, or is none."""


class CollectionDisabled(SkilltuneError, RuntimeError):
    """The person switched the collection of feedback off."""


class LogError(SkilltuneError, OSError):
    """A log cannot be locked, written or replaced."""


class AuditError(LogError):
    """An audit log, its head or a snapshot cannot be locked, read or written; no skill was changed, or it says so."""

    def __init__(self, reason: str, *, remedy: str, unchanged: bool = True) -> None:
        told = "; nothing was written, and no skill is changed" if unchanged else ""
        super().__init__(f"{reason}{told}: {remedy}")
        self.reason, self.remedy = reason, remedy


class JudgeFailed(SkilltuneError, RuntimeError):
    """A judge could not answer a batch of turns at all; `reason` is one word for counting."""

    def __init__(self, reason: str, *, detail: str = "") -> None:
        super().__init__(f"the judge gave no answers: {reason}{': ' if detail else ''}{detail}")
        self.reason, self.detail = reason, detail


class ReportError(SkilltuneError, RuntimeError):
    """A notebook run failed; what it made up to there is kept at ``notebook``."""

    def __init__(self, message: str, *, notebook: str | Path | None = None, cell: int | None = None) -> None:
        super().__init__(message)
        self.notebook, self.cell = notebook, cell
