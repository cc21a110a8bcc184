"""Sessions that are nobody's work: temporary folders, test runs, observers, scripts."""

import re

from skilltune.facts import SessionFacts

__all__ = ["why_skipped"]

_TEMPORARY = re.compile(
    r"/(?:private/)?tmp(?:/|\Z)|/(?:private/)?var/(?:tmp|folders)(?:/|\Z)|/dev/shm(?:/|\Z)"
    r"|[a-z]:/(?:windows/)?te?mp(?:/|\Z)|[a-z]:/users/[^/]{1,200}/appdata/local/temp(?:/|\Z)",
    re.IGNORECASE,
)
_PYTEST = re.compile(r"/pytest-of-[^/]{1,200}(?:/|\Z)")
_OBSERVER = re.compile(r"/\.?observer-sessions(?:/|\Z)")


def why_skipped(session: SessionFacts, *, scripted: bool = False) -> str:
    """Why a session is left out: ``pytest``, ``temporary``, ``observer`` or ``scripted``; '' where it counts.

    Only the folder the session worked in decides, never a word in the transcript's own path.

    Parameters
    ----------
    scripted
        Take in sessions that a program started.
    """
    folder = session.project.replace("\\", "/")
    if _PYTEST.search(folder):
        return "pytest"
    if _TEMPORARY.match(folder):
        return "temporary"
    if _OBSERVER.search(folder):
        return "observer"
    return "scripted" if session.entrypoint == "sdk-cli" and not scripted else ""
