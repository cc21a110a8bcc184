"""Facts to invocations, turns and feedback events; pure.

Importing this package is light: each name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skilltune.mining.classifier import classify_outcome
    from skilltune.mining.outcomes import Verdict
    from skilltune.mining.sessions import MinedRecords, mine_sessions, ruleset_version

__all__ = ["MinedRecords", "Verdict", "classify_outcome", "mine_sessions", "ruleset_version"]

_HOME = {
    "MinedRecords": "sessions",
    "Verdict": "outcomes",
    "classify_outcome": "classifier",
    "mine_sessions": "sessions",
    "ruleset_version": "sessions",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
