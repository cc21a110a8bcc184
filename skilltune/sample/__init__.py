"""The bundled sample: invented sessions of a small team over twelve weeks, with the right answers beside them."""

from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

__all__ = ["sample_end", "sample_root"]


def sample_root() -> Path:
    """The sample's folder, shaped like ``~/.claude``: ``projects``, ``skills``, ``plugins``; truth beside them."""
    return Path(str(files(__name__)))


def sample_end() -> datetime:
    """The instant at which the sample's last week (23 to 29 November 2026) is over."""
    return datetime(2026, 11, 30, tzinfo=UTC)
