"""The person's switch: ``feedback-config.json`` in Claude Code's folder stops all collection."""

import json
from pathlib import Path
from typing import Any

from skilltune.errors import CollectionDisabled
from skilltune.stores.homes import claude_home

__all__ = ["check_collection", "collection_config_path"]


def collection_config_path() -> Path:
    """``~/.claude/feedback-config.json``; ``CLAUDE_CONFIG_DIR`` moves it."""
    return claude_home() / "feedback-config.json"


def check_collection(path: Path | None = None) -> None:
    """Return if feedback may be collected: the file is not there, or does not say otherwise.

    Parameters
    ----------
    path
        The file; default ``collection_config_path()``.

    Raises
    ------
    CollectionDisabled
        When the file says ``{"enabled": false}``, or cannot be understood: in doubt nothing is collected.
    """
    path = path or collection_config_path()
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return
    except (OSError, UnicodeDecodeError) as error:
        raise _refused(path, f"cannot be read ({error})") from error
    enabled = _read_enabled(path, text)
    if enabled is False:
        raise CollectionDisabled(
            f'collection is switched off by {path} ("enabled": false); nothing was read or written. '
            'To switch it on, set "enabled": true there or remove the file'
        )
    if enabled is not True:
        raise _refused(path, f'holds "enabled": {json.dumps(enabled)}, which is neither true nor false')


def _read_enabled(path: Path, text: str) -> Any:
    """The value of "enabled", true where it is not named."""
    try:
        config = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise _refused(path, f"is no JSON that can be understood ({error})") from error
    if not isinstance(config, dict):
        raise _refused(path, "holds no JSON object")
    return config.get("enabled", True)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if sum(name == "enabled" for name, _ in pairs) > 1:
        raise ValueError('"enabled" stands there twice')
    return dict(pairs)


def _refused(path: Path, reason: str) -> CollectionDisabled:
    return CollectionDisabled(
        f'{path} {reason}; nothing was collected, to be on the safe side. Write {{"enabled": true}} or '
        '{"enabled": false} there, or remove the file'
    )
