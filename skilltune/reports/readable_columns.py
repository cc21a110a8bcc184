"""Which columns of a metric's table a person reads, what they are called, and what stands where a rate says nothing."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import pandas as pd

from skilltune.analysis.weekly import verdict_of
from skilltune.page.words import VERDICTS, count_of, judged_words

__all__ = ["by_outcome", "few_words", "head_of", "left_out", "words_for"]

_HEADS: Final = {
    "skill_id": "skill",
    "skill_digest": "text",
    "agent_version": "agent’s version",
    "correction_rate": "correction rate",
    "sample_size": "judged",
    "n_invocations": "uses",
    "interval": "95% interval",
    "shrunk_rate": "shrunk rate",
    "trend": "change",
    "trend_interval": "interval of the change",
    "direction": "verdict",
    "reason": "because",
    "recent_rate": "lately",
    "prior_rate": "before",
    "recent_sample": "judged lately",
    "prior_sample": "judged before",
    "converged": "settled",
    "rate_now": "lately",
    "rate_before": "before",
    "rate_earlier": "earlier",
    "rate_after": "after",
    "sample_now": "judged lately",
    "sample_before": "judged before",
    "sample_earlier": "judged earlier",
    "sample_after": "judged after",
    "n_before": "judged before",
    "n_after": "judged after",
    "before_interval": "interval before",
    "after_interval": "interval after",
    "at": "began",
    "first": "from week",
    "last": "to week",
    "n": "uses",
    "tier": "state",
    "uses_in_window": "uses lately",
    "uses_in_week": "uses this week",
    "tokens_median": "tokens of a use",
    "with_subagents": "with sub-agents",
    "seconds_median": "seconds of a use",
}
"""What a person calls a column; others keep their name, with spaces."""
_LEFT_OUT: Final = """
    implicit_acceptances interval_method sufficient_data weak undated coverage overall_rate needed excludes_zero p_value
    q_value discovered critical attributed measured tokens_p90 with_subagents_median with_subagents_p90 timed
    seconds_p90 days_unused first_in_week retry_rate rank
"""
"""What a calculation needs, what another column says as well, and what only an expert asks for."""
_OF_SHIFTS: Final = "at", "week"
"""Times of a shift that are more exact than its weeks are."""
_COUNTS: Final = ("corrections", "partials", "acceptances")
_OUTCOMES: Final = ("outcome", "n", "share")
_JUDGED: Final = {
    "correction_rate": ("sample_size",),
    "rate": ("sample_size",),
    "week_rate": ("week_sample",),
    "recent_rate": ("recent_sample",),
    "prior_rate": ("prior_sample",),
    "rate_now": ("sample_now",),
    "rate_before": ("sample_before", "n_before"),
    "rate_earlier": ("sample_earlier",),
    "rate_after": ("sample_after", "n_after"),
}
"""Rates, and where the judged uses are counted that they rest on."""
_RATE_OF: Final = {"interval": ("correction_rate", "rate"), "before_interval": ("rate_before",)} | {
    "after_interval": ("rate_after",)
}
_EFFECTS: Final = {
    "helped": "helped",
    "made_worse": "made it worse",
    "no_evidence": "no evidence yet",
    "too_early": "too early to say",
}
_UNTOLD: Final = frozenset({"skill_digest", "agent", "agent_version", "model", "project", "mode", "language"})
"""Columns in which an empty text means that the sessions do not say."""


def by_outcome(table: pd.DataFrame) -> pd.DataFrame:
    """A table with a row per group and outcome as one with a row per group and a column per outcome; others as is."""
    if not set(_OUTCOMES) <= set(table.columns) or table.empty:
        return table
    keys = [name for name in table.columns if name not in (*_OUTCOMES, "sample_size")]
    of = table.groupby(keys or (lambda _: 0), sort=False, dropna=False, observed=True).ngroup()
    outcomes = table["outcome"].astype(str).str.replace("_", " ")
    counts = pd.crosstab(of.to_numpy(), outcomes.to_numpy(), values=table["n"].fillna(0).to_numpy(), aggfunc="sum")
    counts = counts.fillna(0).astype("int64")[list(dict.fromkeys(outcomes))].rename_axis(columns=None)
    groups = table.loc[~of.duplicated(), keys].reset_index(drop=True)
    apart = {name: f"{name} (outcome)" for name in groups.columns}
    return groups.join(counts.assign(uses=counts.sum(axis="columns")).rename(columns=apart))


def left_out(table: pd.DataFrame) -> set[str]:
    """Names of columns that are not shown; the frame has them."""
    columns, found = set(table.columns), set(_LEFT_OUT.split())
    if "direction" in columns and "reason" in columns and "shrunk_rate" in columns:
        found |= {*_COUNTS, "reason", "prior_sample", "prior_rate"}
    if {"verdict", "n_other"} <= columns:
        found |= {"reason", "skill_digest", "n_other"}
    if {"first", "last"} <= columns:
        found |= set(_OF_SHIFTS)
    if "few_sessions" in columns and not table["few_sessions"].fillna(False).any():  # noqa: FBT003  # pandas' own
        found |= {"few_sessions", "sessions"}
    return found


def head_of(name: str) -> str:
    """What a column is called."""
    return _HEADS.get(name, name.replace("_", " "))


def few_words(table: pd.DataFrame, name: str, *, needed: int) -> list[str]:
    """For each row what stands in the place of a rate that rests on too few judged uses; '' where it is shown."""
    rate = next((each for each in _RATE_OF.get(name, (name,)) if each in table.columns), "")
    judged = next((each for each in _JUDGED.get(rate, ()) if each in table.columns), None)
    if judged is None:
        return [""] * len(table)
    told = rate == "correction_rate" and set(_COUNTS) <= set(table.columns)
    rows = table[[judged, *(_COUNTS if told else ())]].fillna(0).astype("int64").to_dict("records")
    few = [_few({str(key): value for key, value in row.items()}, row[judged], needed=needed) for row in rows]
    return few if rate == name else ["–" if words else "" for words in few]


def words_for(table: pd.DataFrame, name: str) -> list[str] | None:
    """The cells of a column whose values stand for words; None for all other columns."""
    say: Callable[[Mapping[Any, Any]], str] | None = {
        "direction": _trend_words,
        "verdict": _effect_words,
        "converged": _settled_words,
        "dimension": lambda row: str(row["dimension"]).replace("_", " "),
        "skill_id": _skill_words if "attributed" in table.columns else None,
    }.get(name, _untold_words(name) if name in _UNTOLD else None)
    return None if say is None else [say(row) for row in table.to_dict("records")]


def _few(row: Mapping[str, Any], judged: int, *, needed: int) -> str:
    if judged >= needed:
        return ""
    if judged == 0:
        return "no judged use"
    return f"too few: {judged_words(row) if _COUNTS[0] in row else count_of(judged, 'judged use')}"


def _trend_words(row: Mapping[Any, Any]) -> str:
    direction, discovered = str(row["direction"]), row.get("discovered")
    sure = not pd.isna(discovered) and bool(discovered)
    known = verdict_of(sufficient=direction != "insufficient_data", direction=direction, discovered=sure)
    return VERDICTS[known].words


def _effect_words(row: Mapping[Any, Any]) -> str:
    words, needed = _EFFECTS.get(str(row["verdict"]), str(row["verdict"])), row.get("needed", 0)
    if row["verdict"] != "too_early" or pd.isna(needed) or not needed:
        return words
    return f"{words} ({count_of(int(needed), 'more judged use')} needed)"


def _settled_words(row: Mapping[Any, Any]) -> str:
    if not row.get("sufficient_data", True):
        return VERDICTS["too_few"].words
    return "yes" if row["converged"] else "no"


def _skill_words(row: Mapping[Any, Any]) -> str:
    return str(row["skill_id"]) if row["attributed"] else "no skill"


def _untold_words(name: str) -> Callable[[Mapping[Any, Any]], str]:
    return lambda row: "not told" if pd.isna(row[name]) or row[name] == "" else str(row[name])
