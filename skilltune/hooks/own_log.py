"""``hooks.log``: what went wrong in hooks, which say nothing on the agent's screen. It holds no text of a session."""

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from skilltune.errors import InputError, LogError
from skilltune.hooks.locking import HookLock
from skilltune.limits import HOOK_LOG_BYTES
from skilltune.stores.homes import user_workspace
from skilltune.stores.jsonl import AppendOnlyLog, dump_row
from skilltune.stores.paths import look_at
from skilltune.stores.quality_logs import time_text

__all__ = ["hook_log_path", "note_failure"]

_REASON_CHARS: Final = 400


def hook_log_path() -> Path:
    """``hooks.log`` in the user's own workspace.

    Raises
    ------
    InputError
        When there is no home folder.
    """
    return user_workspace() / "hooks.log"


def note_failure(hook: str, reason: str, *, as_of: datetime) -> None:
    """Add a line that says why a hook wrote nothing; where that cannot be written either, nothing happens.

    A log of ``HOOK_LOG_BYTES`` becomes ``hooks.log.1``, in the place of the one before.
    """
    with suppress(LogError, InputError, OSError):
        path = hook_log_path()
        found = look_at(path)
        if found is not None and found.st_size >= HOOK_LOG_BYTES:
            path.replace(path.with_name(path.name + ".1"))
        row = {"timestamp": time_text(as_of), "hook": hook[:40], "reason": " ".join(reason.split())[:_REASON_CHARS]}
        AppendOnlyLog(path, lock=HookLock(path)).append([dump_row(row)])
