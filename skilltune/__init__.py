"""Find out which of your coding-agent skills get corrected, how often, and why.

>>> import skilltune as st
>>> sessions = st.read_sessions(st.sample_root() / "projects")
>>> mined = st.mine(sessions)
>>> rates = st.correction_rate(mined.events, invocations=mined.invocations)
>>> rates.columns[:2].tolist()
['skill_id', 'correction_rate']

Importing this package is light: each name is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skilltune.analysis.metrics import correction_rate, hotspot_dimensions, turns_to_feedback
    from skilltune.analysis.ranking import ranked_skills
    from skilltune.analysis.summary import skill_metrics
    from skilltune.analysis.trends import correction_trend, rate_over_time
    from skilltune.mining.outcomes import classify_outcome
    from skilltune.rendering import format_metrics_report
    from skilltune.reports.command import weekly_report
    from skilltune.sample import sample_end, sample_root
    from skilltune.workflow import Mined, collect, mine, read_events, read_invocations, read_sessions

__version__ = "0.1.0"

__all__ = [
    "Mined",
    "classify_outcome",
    "collect",
    "correction_rate",
    "correction_trend",
    "format_metrics_report",
    "hotspot_dimensions",
    "mine",
    "ranked_skills",
    "rate_over_time",
    "read_events",
    "read_invocations",
    "read_sessions",
    "sample_end",
    "sample_root",
    "skill_metrics",
    "turns_to_feedback",
    "weekly_report",
]

_HOMES = {
    "skilltune.analysis.metrics": ("correction_rate", "hotspot_dimensions", "turns_to_feedback"),
    "skilltune.analysis.ranking": ("ranked_skills",),
    "skilltune.analysis.summary": ("skill_metrics",),
    "skilltune.analysis.trends": ("correction_trend", "rate_over_time"),
    "skilltune.mining.outcomes": ("classify_outcome",),
    "skilltune.rendering": ("format_metrics_report",),
    "skilltune.reports.command": ("weekly_report",),
    "skilltune.sample": ("sample_end", "sample_root"),
    "skilltune.workflow": ("Mined", "collect", "mine", "read_events", "read_invocations", "read_sessions"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'skilltune' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
