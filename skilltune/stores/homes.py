"""Where a person keeps things: Claude Code's folder and our own."""

import os
from pathlib import Path

from skilltune.errors import InputError
from skilltune.stores.paths import expand_path, is_folder

__all__ = ["claude_home", "find_claude_home", "find_home", "other_homes", "unread_homes", "user_workspace"]

_NO_HOME = "no home folder: set HOME, or name --workspace and --session-dir"


def find_home() -> Path | None:
    """The person's home folder; None where neither the environment nor the system knows one."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def find_claude_home() -> Path | None:
    """``~/.claude``, or where ``CLAUDE_CONFIG_DIR`` says; None without a home folder.

    Raises
    ------
    InputError
        When ``CLAUDE_CONFIG_DIR`` is no path.
    """
    moved = os.environ.get("CLAUDE_CONFIG_DIR", "").strip()
    if moved:
        try:
            return expand_path(moved)
        except InputError as error:
            raise InputError(f"CLAUDE_CONFIG_DIR: {error}") from error
    home = find_home()
    return home / ".claude" if home else None


def other_homes() -> list[Path]:
    """Where the other agents whose sessions are read keep a person's skills: the folders they share, Codex, OpenCode.

    Codex's is moved by ``CODEX_HOME``, OpenCode's by ``XDG_CONFIG_HOME``. Empty without a home folder.
    """
    home = find_home()
    if home is None:
        return []
    moved, config = (os.environ.get(name, "").strip() for name in ("CODEX_HOME", "XDG_CONFIG_HOME"))
    codex = Path(moved).expanduser() if moved else home / ".codex"
    return [home / ".agents", codex, (Path(config).expanduser() if config else home / ".config") / "opencode"]


def unread_homes() -> dict[str, Path]:
    """Agents whose sessions are not read → where they keep a person's skills; empty without a home folder."""
    home = find_home()
    return {name: home / f".{name.lower()}" for name in ("Copilot", "Cursor", "Gemini")} if home else {}


def claude_home() -> Path:
    """As `find_claude_home`, for those who cannot do without.

    Raises
    ------
    InputError
        When there is no home folder, or ``CLAUDE_CONFIG_DIR`` is no path.
    """
    found = find_claude_home()
    if found is None:
        raise InputError(_NO_HOME)
    return found


def user_workspace() -> Path:
    """``~/.skilltune``; on Windows, where folders with a dot are no custom, the user's data folder.

    Raises
    ------
    InputError
        When there is no home folder.
    """
    home = find_home()
    if home is None:
        raise InputError(_NO_HOME)
    dotted = home / ".skilltune"
    if os.name != "nt" or is_folder(dotted):
        return dotted
    from platformdirs import user_data_path

    return user_data_path("skilltune", appauthor=False)
