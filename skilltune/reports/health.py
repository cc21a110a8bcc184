"""What one run could and could not see, as the page's data health."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from skilltune.page.health import SKIPPED
from skilltune.sources import SOURCES
from skilltune.stores.names import mask_name
from skilltune.stores.transcripts import find_expiring
from skilltune.workflow import Mined

__all__ = ["reading_health"]

DAMAGED: Final = ("not_json", "not_object", "malformed", "too_long")
"""Kinds of record that nobody can read; what stands in ``ScanSummary.records``."""
_SOON_DAYS: Final = 7


def reading_health(mined: Mined, *, logged_sessions: Mapping[str, int], as_of: datetime) -> dict[str, Any]:
    """The counts of ``page.health.HEALTH_KEYS`` for one run.

    Parameters
    ----------
    logged_sessions
        Session id → events of it in the feedback log.
    """
    summary = mined.scan.summary
    agents, paths, seen = _sessions(mined)
    expiring = find_expiring(paths, as_of=as_of, within_days=_SOON_DAYS)
    return {
        "sessions": agents,
        "unreadable_lines": sum(summary.records.get(kind, 0) for kind in DAMAGED),
        "unreadable_files": len(summary.problems),
        "unreadable_paths": len(summary.unreadable),
        "skipped": {reason: count for reason, count in summary.skipped.items() if reason in SKIPPED},
        "languages": _languages(mined),
        "scripted": mined.records.dropped.get("session_scripted", 0),
        "duplicates": summary.copied,
        "expiring": len(expiring),
        "expiring_before": (as_of + timedelta(days=_SOON_DAYS)).date().isoformat(),
        "transcript_gone": sum(count for session, count in logged_sessions.items() if session not in seen),
    }


def _sessions(mined: Mined) -> tuple[dict[str, int], list[Path], set[str]]:
    """Sessions by agent's name, the files that hold them, and their ids; one in several files counts once."""
    agents: dict[str, set[str]] = {}
    paths: list[Path] = []
    for facts in mined.scan.files():
        for session in facts.sessions:
            agents.setdefault(_name(session.agent), set()).add(mask_name(session.session_id))
        if facts.sessions:
            paths.append(Path(facts.path))
    return {agent: len(ids) for agent, ids in agents.items()}, paths, set().union(*agents.values())


def _name(agent: str) -> str:
    """What an agent calls itself; one without a source is called as its sessions say."""
    return SOURCES[agent].name if agent in SOURCES else agent


def _languages(mined: Mined) -> dict[str, int]:
    """Turns in a language that no lexicon knows, by language."""
    unknown = (turn.language or "?" for turn in mined.records.turns if turn.rule == "language")
    return dict(Counter(unknown))
