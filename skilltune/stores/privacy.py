"""The person's switch: ``feedback-config.json`` in Claude Code's folder stops all collection."""

import json
import unicodedata
from pathlib import Path
from typing import Any

from skilltune.errors import CollectionDisabled
from skilltune.stores.files import read_small
from skilltune.stores.homes import claude_home, find_claude_home
from skilltune.stores.paths import look_at

__all__ = ["check_collection", "collection_config_path"]


def collection_config_path() -> Path:
    """``~/.claude/feedback-config.json``; ``CLAUDE_CONFIG_DIR`` moves it."""
    return claude_home() / "feedback-config.json"


def check_collection(path: Path | None = None) -> None:
    """Return if feedback may be collected: the file is not there, or does not say otherwise.

    Without a home folder there is no such file.

    Parameters
    ----------
    path
        The file; default ``collection_config_path()``.

    Raises
    ------
    CollectionDisabled
        When the file says ``{"enabled": false}``, or cannot be looked at or understood: in doubt nothing is collected.
    """
    if path is None:
        home = find_claude_home()
        if home is None:
            return
        path = home / "feedback-config.json"
    text = _read_text(path)
    if text is None:
        return
    enabled = _read_enabled(path, text)
    if enabled is False:
        raise CollectionDisabled(
            f'collection is switched off by {path} ("enabled": false); nothing was read or written. '
            'To switch it on, set "enabled": true there or remove the file'
        )
    if enabled is not True:
        raise _refused(path, f'holds "enabled": {json.dumps(enabled)}, which is neither true nor false')


def _read_text(path: Path) -> str | None:
    """What the file holds, None where there is none."""
    try:
        return read_small(path).decode("utf-8-sig")
    except FileNotFoundError as error:
        link = next((place for place in (path, *path.parents) if _leads_nowhere(place)), None)
        if link is None:
            return None
        where = "a link that leads nowhere" if link == path else f"below {link}, a link that leads nowhere"
        raise _refused(path, f"is {where}") from error
    except (OSError, UnicodeDecodeError) as error:
        if _is_hidden(path):
            raise _refused_folder(path.parent, error) from error
        raise _refused(path, f"cannot be read ({error})") from error


def _leads_nowhere(path: Path) -> bool:
    return path.is_symlink() and look_at(path) is None


def _is_hidden(path: Path) -> bool:
    """Whether the folder does not even tell if the file is there."""
    try:
        path.lstat()
    except OSError:
        return True
    return False


def _read_enabled(path: Path, text: str) -> Any:
    """The value of "enabled", true where it is not named."""
    try:
        config = json.loads(text, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise _refused(path, f"is no JSON that can be understood ({error})") from error
    if not isinstance(config, dict):
        raise _refused(path, "holds no JSON object")
    other = next((name for name in config if name != "enabled" and _folded(name) == "enabled"), None)
    if other is not None:
        raise _refused(path, f'holds {json.dumps(other)}, which must be written "enabled"')
    return config.get("enabled", True)


def _folded(name: str) -> str:
    """A name without what is easily mistaken: case, width, and all but letters."""
    return "".join(char for char in unicodedata.normalize("NFKC", name).casefold() if char.isalpha())


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if sum(name == "enabled" for name, _ in pairs) > 1:
        raise ValueError('"enabled" stands there twice')
    return dict(pairs)


def _refused(path: Path, reason: str) -> CollectionDisabled:
    return CollectionDisabled(
        f'{path} {reason}; nothing was collected, to be on the safe side. Write {{"enabled": true}} or '
        '{"enabled": false} there, or remove the file'
    )


def _refused_folder(folder: Path, error: Exception) -> CollectionDisabled:
    reason = getattr(error, "strerror", None) or error
    return CollectionDisabled(
        f"{folder} cannot be looked into ({reason}), so nobody knows whether feedback may be collected; nothing was "
        "collected, to be on the safe side. Make it a folder that you may enter, or set CLAUDE_CONFIG_DIR to the one "
        "that Claude Code uses"
    )
