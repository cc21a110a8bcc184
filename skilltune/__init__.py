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
    from skilltune.analysis.before_after import before_after
    from skilltune.analysis.changepoints import change_points
    from skilltune.analysis.convergence import correction_convergence
    from skilltune.analysis.corrected import corrected_rate
    from skilltune.analysis.cost import skill_cost
    from skilltune.analysis.label_quality import outcome_quality
    from skilltune.analysis.labels import apply_labels
    from skilltune.analysis.metrics import correction_rate, hotspot_dimensions, turns_to_feedback
    from skilltune.analysis.mix import outcome_mix
    from skilltune.analysis.ranking import ranked_skills
    from skilltune.analysis.ratings import override_reasons, skill_ratings
    from skilltune.analysis.summary import skill_metrics
    from skilltune.analysis.tiers import usage_tiers
    from skilltune.analysis.trends import correction_trend, rate_over_time
    from skilltune.analysis.usage import skill_usage, skill_versions
    from skilltune.charts.costs import skill_cost_dots
    from skilltune.charts.courses import rate_over_time_line
    from skilltune.charts.drift import drift_steps
    from skilltune.charts.effects import before_after_dots
    from skilltune.charts.hotspots import hotspot_heatmap
    from skilltune.charts.outcomes import outcome_mix_bars, turns_to_feedback_bars
    from skilltune.charts.rates import correction_rate_dots
    from skilltune.charts.showing import use_charts
    from skilltune.evolution.drift_course import drift_course
    from skilltune.evolution.textdiff import validate_change
    from skilltune.judging.scoring import score_judge
    from skilltune.judging.turns import judge_turns
    from skilltune.labelling.opening import open_labelling
    from skilltune.labelling.tables import read_labels
    from skilltune.mining.classifier import classify_outcome
    from skilltune.refining.applying import apply_refinement
    from skilltune.refining.candidates import decide_candidate, find_candidates
    from skilltune.refining.recorded import contradictions, read_ledger
    from skilltune.refining.rolling import rollback
    from skilltune.refining.suggesting import check_eligibility, suggest_refinement
    from skilltune.refining.telling import drift
    from skilltune.rendering import format_metrics_report
    from skilltune.reports.command import weekly_report
    from skilltune.sample import sample_end, sample_root
    from skilltune.workflow import Mined, collect, mine, read_events, read_invocations, read_sessions

__version__ = "0.1.0"

__all__ = [
    "ApprovalPanel",
    "LabelPanel",
    "Mined",
    "TurnBrowser",
    "apply_labels",
    "apply_refinement",
    "before_after",
    "before_after_dots",
    "change_points",
    "check_eligibility",
    "classify_outcome",
    "collect",
    "contradictions",
    "corrected_rate",
    "correction_convergence",
    "correction_rate",
    "correction_rate_dots",
    "correction_trend",
    "decide_candidate",
    "drift",
    "drift_course",
    "drift_steps",
    "export_table",
    "find_candidates",
    "format_metrics_report",
    "hotspot_dimensions",
    "hotspot_heatmap",
    "judge_turns",
    "mine",
    "open_labelling",
    "outcome_mix",
    "outcome_mix_bars",
    "outcome_quality",
    "override_reasons",
    "ranked_skills",
    "rate_over_time",
    "rate_over_time_line",
    "read_events",
    "read_invocations",
    "read_labels",
    "read_ledger",
    "read_sessions",
    "rollback",
    "sample_end",
    "sample_root",
    "score_judge",
    "skill_cost",
    "skill_cost_dots",
    "skill_metrics",
    "skill_ratings",
    "skill_usage",
    "skill_versions",
    "suggest_refinement",
    "turns_to_feedback",
    "turns_to_feedback_bars",
    "usage_tiers",
    "use_charts",
    "validate_change",
    "weekly_report",
]

_HOMES = {
    "skilltune.analysis.before_after": ("before_after",),
    "skilltune.analysis.changepoints": ("change_points",),
    "skilltune.analysis.convergence": ("correction_convergence",),
    "skilltune.analysis.corrected": ("corrected_rate",),
    "skilltune.analysis.cost": ("skill_cost",),
    "skilltune.analysis.label_quality": ("outcome_quality",),
    "skilltune.analysis.labels": ("apply_labels",),
    "skilltune.analysis.metrics": ("correction_rate", "hotspot_dimensions", "turns_to_feedback"),
    "skilltune.analysis.mix": ("outcome_mix",),
    "skilltune.analysis.ranking": ("ranked_skills",),
    "skilltune.analysis.ratings": ("skill_ratings", "override_reasons"),
    "skilltune.analysis.summary": ("skill_metrics",),
    "skilltune.analysis.tiers": ("usage_tiers",),
    "skilltune.analysis.trends": ("correction_trend", "rate_over_time"),
    "skilltune.analysis.usage": ("skill_usage", "skill_versions"),
    "skilltune.charts.costs": ("skill_cost_dots",),
    "skilltune.charts.courses": ("rate_over_time_line",),
    "skilltune.charts.drift": ("drift_steps",),
    "skilltune.charts.effects": ("before_after_dots",),
    "skilltune.charts.hotspots": ("hotspot_heatmap",),
    "skilltune.charts.outcomes": ("outcome_mix_bars", "turns_to_feedback_bars"),
    "skilltune.charts.rates": ("correction_rate_dots",),
    "skilltune.charts.showing": ("use_charts",),
    "skilltune.evolution.drift_course": ("drift_course",),
    "skilltune.evolution.textdiff": ("validate_change",),
    "skilltune.exporting.command": ("export_table",),
    "skilltune.judging.scoring": ("score_judge",),
    "skilltune.judging.turns": ("judge_turns",),
    "skilltune.labelling.opening": ("open_labelling",),
    "skilltune.labelling.tables": ("read_labels",),
    "skilltune.mining.classifier": ("classify_outcome",),
    "skilltune.refining.applying": ("apply_refinement",),
    "skilltune.refining.candidates": ("find_candidates", "decide_candidate"),
    "skilltune.refining.recorded": ("contradictions", "read_ledger"),
    "skilltune.refining.rolling": ("rollback",),
    "skilltune.refining.suggesting": ("check_eligibility", "suggest_refinement"),
    "skilltune.refining.telling": ("drift",),
    "skilltune.rendering": ("format_metrics_report",),
    "skilltune.reports.command": ("weekly_report",),
    "skilltune.sample": ("sample_end", "sample_root"),
    "skilltune.widgets.approval": ("ApprovalPanel",),
    "skilltune.widgets.browser": ("TurnBrowser",),
    "skilltune.widgets.labelling": ("LabelPanel",),
    "skilltune.workflow": ("Mined", "collect", "mine", "read_events", "read_invocations", "read_sessions"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'skilltune' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
