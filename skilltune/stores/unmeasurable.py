"""Skills whose use leaves no trace in sessions, as a person says in the config."""

from pathlib import Path
from typing import Final

from skilltune.stores.workspace import find_workspace

__all__ = ["unmeasurable_of"]

_REASON: Final = "its text is pasted as a plain prompt, says the config"


def unmeasurable_of(workspace: str | Path | None = None) -> dict[str, str]:
    """Skill → why no use of it can be seen, from ``[mining] unmeasurable``; for ``usage_tiers(unmeasurable=…)``.

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
    return dict.fromkeys(find_workspace(explicit=named).config.mining.unmeasurable, _REASON)
