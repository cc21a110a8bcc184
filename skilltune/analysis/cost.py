"""What uses of skills cost: tokens and time from a use to the turn that decided on it."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skilltune.analysis.counts import Groups, group_rows
from skilltune.analysis.uses import every_use, uses_only
from skilltune.analysis.windows import Moment, Window, microseconds, window_of
from skilltune.errors import FrameError

__all__ = ["UNATTRIBUTED", "charge_sessions", "skill_cost"]

UNATTRIBUTED: Final = "(unattributed)"
"""The row of what no use of a skill is charged with; no skill can be called so."""

_TOKENS: Final = ("tokens_input", "tokens_output", "tokens_cache_read", "tokens_cache_write")
_SUBAGENTS: Final = "subagent_tokens"
_SECONDS: Final = "wall_seconds"
_COSTS: Final = (*_TOKENS, _SUBAGENTS, _SECONDS)
_SESSION_NEEDS: Final = ("session_id", "started")
_NINE_IN_TEN: Final = 0.9


def skill_cost(
    events: pd.DataFrame,
    *,
    by: Sequence[str] = ("skill_id",),
    skill_id: str | None = None,
    invocations: pd.DataFrame | None = None,
    sessions: pd.DataFrame | None = None,
    as_of: Moment | None = None,
    since: Moment | None = None,
    time_zone: str = "UTC",
) -> pd.DataFrame:
    """What uses cost: tokens, with and without sub-agents, and time, typical and in all.

    Parameters
    ----------
    events : DataFrame
        Feedback events; needs event_id, skill_id and timestamp, and for the figures tokens_input, tokens_output,
        tokens_cache_read, tokens_cache_write, subagent_tokens and wall_seconds: without them all are missing.
    by : sequence of str, default ("skill_id",)
        Columns to group by, in any crossing (skill_digest, agent, model, project, …), and ``week``: the ISO week in
        `time_zone`.
    skill_id : str, optional
        Only this skill.
    invocations : DataFrame, optional
        All uses; without it only those that gave an event are known.
    sessions : DataFrame, optional
        All sessions, as mined (``mined.sessions``) or as a feedback log kept them: session_id, started, and tokens
        like those of uses, of the whole session.
        With it, and grouped by skill_id alone, what no use is charged with is a row of its own, and `share` is known.
    as_of, since : time, optional
        Only uses (and sessions that started) in [since, as_of). Without `since`, undated ones count too.
    time_zone : str, default "UTC"
        Where weeks begin on Monday at midnight.

    Returns
    -------
    DataFrame
        One row per group, the greatest sum with sub-agents first, then by name: the columns of `by`; attributed (False
        in the row ``(unattributed)``); uses; measured (uses whose tokens are known); tokens (their sum: input, output,
        cache read and cache write, without sub-agents), tokens_median, tokens_p90 (of one use); with_subagents,
        with_subagents_median, with_subagents_p90 (the same with those of the sub-agents a use started); timed (uses
        whose time is known), seconds, seconds_median, seconds_p90; share (of the tokens with sub-agents of all rows,
        `(unattributed)` too; 0 to 1, missing without `sessions`). What is not known is missing, never 0.

    Raises
    ------
    FrameError
        A needed column is missing.
    InputError
        A time or time zone is not understood.

    Notes
    -----
    A use is charged from its call to the turn that decided on it, else to the end of its window, the next use or the
    end of the session, so each token belongs to one use at most. What `(unattributed)` has is the tokens of the
    sessions that are in `sessions` less those of every use in them before `as_of`; so no sum over skills exceeds its
    sessions. Rows with one event_id, or one session_id, count once: the one that cost most, since a session goes on.
    Time includes the person's own; median and 90th percentile are interpolated between uses. A cost beside a skill
    says where it arose, not that the skill caused it.

    Examples
    --------
    >>> import pandas as pd
    >>> events = pd.DataFrame({"event_id": ["1", "2"], "skill_id": "a", "outcome": "acceptance",
    ...                        "timestamp": pd.Timestamp("2026-11-20", tz="UTC"), "session_id": "s",
    ...                        "tokens_input": [100, 300], "tokens_output": [20, 80], "subagent_tokens": [900, 0]})
    >>> skill_cost(events)[["uses", "tokens", "tokens_median", "with_subagents"]].to_numpy().tolist()
    [[2, 500, 250.0, 1400]]
    """
    names = tuple(by)
    window = window_of(since=since, as_of=as_of)
    keep = (*names, "event_id", "skill_id", "session_id", *_COSTS)
    known = _each_once(_costed(every_use(events, invocations, keep=keep)), name="event_id")
    uses = known[window.holds(microseconds(known["timestamp"]))]
    if skill_id is not None:
        uses = uses[uses["skill_id"] == skill_id]
    groups = group_rows(uses, by=names, stamps=microseconds(uses["timestamp"]), time_zone=time_zone)
    table = groups.names.assign(attributed=True, **_figures(uses, groups), share=np.nan)
    if sessions is not None and names == ("skill_id",) and skill_id is None:
        so_far = known[Window(None, window.until).holds(microseconds(known["timestamp"]))]
        table = _with_rest(table, _rest(sessions, so_far, window=window))
    return table.sort_values(
        ["attributed", "with_subagents", *names], ascending=[False, False, *[True] * len(names)],
        na_position="last", ignore_index=True,
    )  # fmt: skip


def charge_sessions(sessions: pd.DataFrame, *, invocations: pd.DataFrame) -> pd.DataFrame:
    """The sessions with the uses in them, and what of their tokens no use is charged with.

    Parameters
    ----------
    sessions : DataFrame
        One row per session: session_id, tokens, subagent_tokens.
    invocations : DataFrame
        All uses: session_id, tokens like those of `skill_cost`, and failed where calls failed.

    Returns
    -------
    DataFrame
        `sessions` in their order, with uses, unattributed_tokens and unattributed_subagent_tokens (at least 0; missing
        where the session's own are).

    Examples
    --------
    >>> import pandas as pd
    >>> sessions = pd.DataFrame({"session_id": ["s"], "tokens": [500], "subagent_tokens": [0]})
    >>> uses = pd.DataFrame({"session_id": ["s", "s"], "tokens_input": [100, 50], "subagent_tokens": [0, 0]})
    >>> charge_sessions(sessions, invocations=uses)[["uses", "unattributed_tokens"]].to_numpy().tolist()
    [[2, 350]]
    """
    uses = _costed(uses_only(invocations))
    ids = sessions["session_id"].astype("str")
    by_session = uses.groupby(uses["session_id"].astype("str"))
    left = {
        f"unattributed_{name}": (sessions[name].astype("Int64") - _sums_of(by_session[name], ids)).clip(lower=0)
        for name in ("tokens", _SUBAGENTS)
    }
    return sessions.assign(uses=by_session.size().reindex(ids, fill_value=0).to_numpy(dtype="int64"), **left)


def _sums_of(by_session: Any, ids: "pd.Series[str]") -> "pd.Series[Any]":
    """The sum of each of `ids`, 0 where nothing is known, beside them."""
    sums = by_session.sum().reindex(ids, fill_value=0)
    return pd.Series(sums.to_numpy(), index=ids.index, dtype="Int64")


def _each_once(frame: pd.DataFrame, *, name: str) -> pd.DataFrame:
    """`frame` with each id in the column `name` once, in the row that cost most; missing ids are no ids."""
    known = frame.reset_index(drop=True)
    again = known[name].duplicated(keep=False) & known[name].notna()
    if not again.any():
        return known
    dearest = known[again].sort_values(["with_subagents", "seconds"], kind="stable", na_position="first")
    kept = dearest.drop_duplicates(name, keep="last").index
    return known[~again.to_numpy(dtype=bool) | known.index.isin(kept)]


def _costed(frame: pd.DataFrame) -> pd.DataFrame:
    """`frame` with the sums that cost is told in: missing where no part is known."""
    parts = [frame[name].astype("Int64") for name in _TOKENS if name in frame.columns]
    none = pd.Series(pd.array([pd.NA] * len(frame), dtype="Int64"), index=frame.index)
    tokens = pd.concat(parts, axis=1).sum(axis=1, min_count=1).astype("Int64") if parts else none
    below = frame[_SUBAGENTS].astype("Int64") if _SUBAGENTS in frame.columns else none
    seconds = frame[_SECONDS].astype("float64") if _SECONDS in frame.columns else np.nan
    both = pd.concat([tokens, below], axis=1).sum(axis=1, min_count=1).astype("Int64")
    return frame.assign(tokens=tokens, with_subagents=both, seconds=seconds)


def _figures(uses: pd.DataFrame, groups: Groups) -> dict[str, Any]:
    """The columns of each group, in their order."""
    columns: dict[str, Any] = {"uses": groups.all_rows(), "measured": groups.count(_there(uses["with_subagents"]))}
    for name in ("tokens", "with_subagents", "seconds"):
        if name == "seconds":
            columns["timed"] = groups.count(_there(uses[name]))
        whole = name != "seconds"
        spread = uses[name].astype("float64").groupby(groups.codes)
        sums = uses[name].groupby(groups.codes).sum(min_count=1)
        columns[name] = sums.astype("Int64").array if whole else sums.to_numpy(dtype="float64")
        columns[f"{name}_median"] = spread.median().to_numpy(dtype="float64")
        columns[f"{name}_p90"] = spread.quantile(_NINE_IN_TEN).to_numpy(dtype="float64")
    return columns


def _there(column: "pd.Series[Any]") -> NDArray[np.bool_]:
    return column.notna().to_numpy(dtype=bool)


def _rest(sessions: pd.DataFrame, uses: pd.DataFrame, *, window: Window) -> dict[str, int] | None:
    """Tokens of the sessions of `window` that no use is charged with; None where nothing is known of them."""
    missing = [name for name in _SESSION_NEEDS if name not in sessions.columns]
    if missing:
        raise FrameError(f"the table of sessions lacks the column {missing[0]!r}; take the one that mine gives")
    own = _each_once(_costed(sessions[window.holds(microseconds(sessions["started"]))]), name="session_id")
    own = own[own["tokens"].notna()]
    if not len(own):
        return None
    ids = own["session_id"].astype("str")
    charged = uses.groupby(uses["session_id"].astype("str"))[["tokens", "with_subagents"]].sum().reindex(ids)
    left = own[["tokens", "with_subagents"]].to_numpy(dtype="int64") - charged.fillna(0).to_numpy(dtype="int64")
    tokens, both = left.clip(min=0).sum(axis=0).tolist()
    return {"tokens": tokens, "with_subagents": both}


def _with_rest(table: pd.DataFrame, rest: dict[str, int] | None) -> pd.DataFrame:
    """`table` with the row of what is left, and each row's share of all."""
    if rest is None:
        return table
    row = {"skill_id": UNATTRIBUTED, "attributed": False, "uses": 0, "measured": 0, "timed": 0, **rest}
    both = pd.concat([table, pd.DataFrame([row], columns=table.columns).astype(table.dtypes.to_dict())])
    whole = int(both["with_subagents"].sum())
    share = both["with_subagents"].astype("float64") / whole if whole else np.nan
    return both.assign(share=share).reset_index(drop=True)
