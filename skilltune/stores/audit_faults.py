"""What the system refuses about an audit log, its head and its snapshots, in words of their own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skilltune.errors import AuditError, LogError

__all__ = ["audit_faults"]


@contextmanager
def audit_faults(what: str, *, folder: Path, verb: str) -> Iterator[None]:
    """Tell what fails in the block as a fault of the audit log in `folder`.

    Parameters
    ----------
    what
        What the block acts on, in words.
    folder
        Where the audit log lies.
    verb
        What is done to it: ``locked``, ``read`` or ``written``.

    Raises
    ------
    AuditError
        In the place of any other ``LogError``.
    """
    try:
        yield
    except AuditError:
        raise
    except LogError as error:
        cause = error.__cause__
        if isinstance(cause, TimeoutError):
            raise AuditError(
                f"{what} is in use by another run of skilltune",
                remedy="wait until that run has ended, then run this again",
            ) from error
        reason = getattr(cause, "strerror", None) or cause or error
        raise AuditError(
            f"{what} cannot be {verb} ({reason})",
            remedy=f"free some space, or see that {folder} can be read and written by you, then run this again; it "
            "lies with the skills, and no option moves it",
        ) from error
