"""``skilltune hook NAME``: run by an agent, so it always ends well and says nothing."""

import sys
from datetime import UTC, datetime
from typing import BinaryIO

from skilltune.errors import CollectionDisabled, SkilltuneError
from skilltune.stores.jsonl import clean_text

__all__ = ["run_hook"]


def run_hook(name: str, *, stream: BinaryIO | None = None, as_of: datetime | None = None) -> None:
    """Do what the hook `name` does with the payload on standard input; what goes wrong is told in ``hooks.log``.

    Nothing is read or written where the person switched the collection off.

    Parameters
    ----------
    stream
        Where the payload is; default standard input.
    as_of
        Time of the line that is written; default now.
    """
    now = as_of or datetime.now(UTC)
    try:
        _run(name, stream=stream or sys.stdin.buffer, as_of=now)
    except CollectionDisabled as error:
        if '"enabled": false' not in str(error):
            _note(name, str(error), as_of=now)
    except SkilltuneError as error:
        _note(name, str(error), as_of=now)
    except OSError as error:
        _note(name, f"{error.filename or 'a file'}: {error.strerror or type(error).__name__}", as_of=now)
    except Exception as error:  # noqa: BLE001  # the edge of the program: the agent must not notice
        # Messages of other errors may quote a payload: the kind alone is told.
        _note(name, f"a fault of skilltune: {type(error).__name__}", as_of=now)


def _run(name: str, *, stream: BinaryIO, as_of: datetime) -> None:
    from skilltune.hooks.capture import HOOKS
    from skilltune.hooks.payloads import read_payload
    from skilltune.stores.privacy import check_collection

    if name == "ping":
        return
    check_collection()
    hook = HOOKS.get(name)
    if hook is None:
        from skilltune.errors import InputError

        raise InputError(f"there is no hook {name!r}; known are {', '.join(HOOKS)}")
    hook(read_payload(stream), as_of=as_of)


def _note(name: str, reason: str, *, as_of: datetime) -> None:
    from skilltune.hooks.own_log import note_failure

    note_failure(clean_text(name), clean_text(reason), as_of=as_of)
