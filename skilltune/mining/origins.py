"""Sessions that are nobody's work: our own runs of an agent, temporary folders, test runs, observers, scripts."""

import re
from typing import Final

from skilltune.facts import SessionFacts, TurnFact

__all__ = ["OWN_RUN_FOLDER", "OWN_RUN_MARK", "SCRIPTED", "why_skipped"]

OWN_RUN_FOLDER: Final = (".skilltune", "judge")
"""The last two names of the folder in which skilltune runs an agent as a judge."""
OWN_RUN_MARK: Final = "[skilltune judge: a program's question, no person wrote this]"
"""How such a run's prompt begins, for transcripts that lost their folder."""

SCRIPTED: Final = frozenset({"sdk-cli", "codex_automation", "codex_exec", "codex_mcp", "opencode_run", "scripted"})
"""Ways to start an agent with nobody there: ``claude -p``; Codex at a set time, ``codex exec``, as a server;
``opencode run``; and the word of a source whose program has none of its own."""
_TEMPORARY = re.compile(
    r"/(?:private/)?tmp(?:/|\Z)|/(?:private/)?var/(?:tmp|folders)(?:/|\Z)|/dev/shm(?:/|\Z)"
    r"|[a-z]:/(?:windows/)?te?mp(?:/|\Z)|[a-z]:/users/[^/]{1,200}/appdata/local/temp(?:/|\Z)",
    re.IGNORECASE,
)
_PYTEST = re.compile(r"/pytest-of-[^/]{1,200}(?:/|\Z)")
_OWN_RUN = re.compile("/" + "/".join(map(re.escape, OWN_RUN_FOLDER)) + r"(?:/|\Z)", re.IGNORECASE)
_OBSERVER = re.compile(r"/\.?observer-sessions(?:/|\Z)")


def why_skipped(session: SessionFacts, *, scripted: bool = False) -> str:
    """Why a session is left out: ``own_run``, ``pytest``, ``temporary``, ``observer`` or ``scripted``; '' where it
    counts.

    Only the folder the session worked in decides, never a word in the transcript's own path; a run of our own is
    also known by how its first prompt begins.

    Parameters
    ----------
    scripted
        Take in sessions that a program started; our own runs are never taken in.
    """
    folder = session.project.replace("\\", "/")
    if _OWN_RUN.search(folder) or _begins_with_mark(session):
        return "own_run"
    if _PYTEST.search(folder):
        return "pytest"
    if _TEMPORARY.match(folder):
        return "temporary"
    if _OBSERVER.search(folder):
        return "observer"
    return "scripted" if session.entrypoint in SCRIPTED and not scripted else ""


def _begins_with_mark(session: SessionFacts) -> bool:
    first = next((item for item in session.items if isinstance(item, TurnFact)), None)
    return first is not None and first.text.lstrip().startswith(OWN_RUN_MARK)
