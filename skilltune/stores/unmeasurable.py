"""Skills whose use leaves no trace in sessions: a person says so in the config, or their agent's are not read."""

from pathlib import Path
from typing import Final

from skilltune.stores.homes import unread_homes
from skilltune.stores.skills import find_other_skill_files, find_skill_files, skills_in
from skilltune.stores.workspace import find_workspace

__all__ = ["unmeasurable_of"]

_REASON: Final = "its text is pasted as a plain prompt, says the config"


def unmeasurable_of(workspace: str | Path | None = None) -> dict[str, str]:
    """Skill → why no use of it can be seen; for ``usage_tiers(unmeasurable=…)``.

    Those that ``[mining] unmeasurable`` names, and those installed only for an agent whose sessions are not read.

    Parameters
    ----------
    workspace
        The folder of a workspace, or the ``feedback.jsonl`` in it; default the one that is found. A log of another
        name has no config.

    Raises
    ------
    ConfigError
        The config holds a mistake.
    """
    named = Path(workspace) if workspace else None
    if named is not None and named.suffix == ".jsonl":
        if named.name != "feedback.jsonl":
            return {}
        named = named.parent
    said = dict.fromkeys(find_workspace(explicit=named).config.mining.unmeasurable, _REASON)
    return _unread() | said


def _unread() -> dict[str, str]:
    """The skills of agents whose sessions are not read, less those that are installed for one whose are."""
    found = {
        name: f"installed for {agent}, whose sessions are not read"
        for agent, folder in unread_homes().items()
        for name, _ in skills_in(folder)
    }
    seen = find_skill_files() | find_other_skill_files() if found else {}
    return {name: reason for name, reason in found.items() if name not in seen}
