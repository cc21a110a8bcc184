"""How long transcripts stay: Claude Code deletes old ones by itself."""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from skilltune.limits import TRANSCRIPT_DAYS
from skilltune.stores.files import read_small
from skilltune.stores.homes import find_claude_home

__all__ = ["find_expiring", "transcript_days"]

_LONGEST: Final = 36_500


def transcript_days(home: Path | None = None) -> int:
    """Days after which Claude Code deletes a transcript: ``cleanupPeriodDays`` of its settings, else 30."""
    home = home or find_claude_home()
    if home is None:
        return TRANSCRIPT_DAYS
    try:
        settings = json.loads(read_small(home / "settings.json").decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return TRANSCRIPT_DAYS
    days = settings.get("cleanupPeriodDays") if isinstance(settings, dict) else None
    return (
        min(days, _LONGEST) if isinstance(days, int) and not isinstance(days, bool) and days >= 0 else TRANSCRIPT_DAYS
    )


def find_expiring(
    paths: Iterable[Path], *, as_of: datetime, within_days: int = 7, home: Path | None = None
) -> list[Path]:
    """Those of `paths` below Claude Code's folder that it will delete within `within_days` of `as_of`, in their order.

    Claude Code goes by the time a file was last written; a file that cannot be looked at is left out.
    """
    home = home or find_claude_home()
    if home is None:
        return []
    root = _resolved(home)
    limit = (as_of - timedelta(days=transcript_days(home)) + timedelta(days=within_days)).timestamp()
    return [path for path in paths if _resolved(path).is_relative_to(root) and _written(path) < limit]


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):
        return path


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except (OSError, ValueError):
        return float("inf")
