"""What only a person may do: it needs a terminal on standard input, and nothing replaces that."""

import sys

from skilltune.errors import RefusedError

__all__ = ["check_person"]


def check_person(act: str, *, skill_id: str) -> None:
    """Return if somebody sits at a terminal.

    Raises
    ------
    RefusedError
        Standard input is no terminal; nothing was read or written.
    """
    if sys.stdin is None or sys.stdin.closed or not sys.stdin.isatty():
        raise RefusedError(
            f"to {act} is for a person: there is no terminal on standard input, so nothing was written; run this in a "
            "terminal yourself",
            skill_id=skill_id,
        )
