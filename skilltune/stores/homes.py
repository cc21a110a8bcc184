"""Where a person keeps things: Claude Code's folder and our own."""

import os
from pathlib import Path

__all__ = ["claude_home", "user_workspace"]


def claude_home() -> Path:
    """``~/.claude``, or where ``CLAUDE_CONFIG_DIR`` says."""
    moved = os.environ.get("CLAUDE_CONFIG_DIR", "").strip()
    return Path(moved).expanduser() if moved else Path.home() / ".claude"


def user_workspace() -> Path:
    """``~/.skilltune``; on Windows, where folders with a dot are no custom, the user's data folder."""
    dotted = Path.home() / ".skilltune"
    if os.name != "nt" or dotted.is_dir():
        return dotted
    from platformdirs import user_data_path

    return user_data_path("skilltune", appauthor=False)
