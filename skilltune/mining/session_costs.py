"""What whole sessions cost, and how much of it no use of a skill is charged with."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from skilltune.facts import SessionFacts, SubagentFacts, Tokens, TurnFact
from skilltune.limits import MAX_TOKENS
from skilltune.mining.costs import add_tokens, idle_seconds, seconds_between, total, work_between
from skilltune.mining.rows import time_of
from skilltune.mining.subagents import LEAD
from skilltune.records import Invocation, SessionCost

__all__ = ["SessionCosts"]


@dataclass(frozen=True, slots=True)
class _Sums:
    """What the files of one session add up to."""

    session: SessionFacts
    """The first file's, for what names the session."""
    started: int | None
    ended: int | None
    turns: int
    tokens: Tokens | None
    subagent_tokens: int | None
    subagents: int
    idle: float
    available: int | None
    model: str


class SessionCosts:
    """The sessions taken in so far."""

    def __init__(self) -> None:
        self._sums: dict[str, _Sums] = {}

    def add(self, session: SessionFacts, *, aside: Mapping[int, Sequence[SubagentFacts]], counted: bool) -> None:
        """Take in what this file owns of a session.

        Parameters
        ----------
        aside
            Sub-agents in files of their own, by the item after which they began.
        counted
            Whether the transcript counts tokens.
        """
        first = next((at for at, item in enumerate(session.items) if not item.copied), None)
        if first is None and (session.items or session.session_id in self._sums):
            return
        sums = _sums(session, first=first or 0, aside=aside, counted=counted)
        known = self._sums.get(session.session_id)
        self._sums[session.session_id] = sums if known is None else _together(known, sums)

    def rows(self, uses: Iterable[Invocation]) -> list[SessionCost]:
        """One row per session; `uses` are all that count, each charged to the session it names."""
        charged: Counter[str] = Counter()
        aside: Counter[str] = Counter()
        number: Counter[str] = Counter()
        for use in uses:
            number[use.session_id] += not use.failed
            charged[use.session_id] += sum(filter(None, _own_tokens(use)))
            aside[use.session_id] += use.subagent_tokens or 0
        return [
            _row(sums, uses=number[name], charged=charged[name], aside=aside[name]) for name, sums in self._sums.items()
        ]


def _own_tokens(use: Invocation) -> tuple[int | None, ...]:
    return use.tokens_input, use.tokens_output, use.tokens_cache_read, use.tokens_cache_write


def _sums(session: SessionFacts, *, first: int, aside: Mapping[int, Sequence[SubagentFacts]], counted: bool) -> _Sums:
    """What a file owns of a session, from the item `first` on; what comes before that belongs to another file."""
    works = [*work_between(session, start=first, until=len(session.items))]
    works = works if first else [session.lead, *works]
    runs = [run for placed in aside.values() for run in placed]
    below = sum(total(work.aside) for work in works) + sum(total(run.tokens) for run in runs)
    return _Sums(
        session=session,
        started=session.items[first].at if first else session.first_at,
        ended=session.last_at,
        turns=sum(isinstance(item, TurnFact) and not item.copied for item in session.items),
        tokens=add_tokens(work.tokens for work in works) if counted else None,
        subagent_tokens=min(below, MAX_TOKENS) if counted or runs else None,
        subagents=len(runs),
        idle=idle_seconds(session, start=first or LEAD, until=len(session.items)),
        available=session.available,
        model=next((work.model for work in reversed(works) if work.model), ""),
    )


def _together(one: _Sums, other: _Sums) -> _Sums:
    """Two files of one session."""
    stamps = [moment for moment in (one.started, other.started) if moment is not None]
    ends = [moment for moment in (one.ended, other.ended) if moment is not None]
    tokens = [sums.tokens for sums in (one, other) if sums.tokens is not None]
    below = [sums.subagent_tokens for sums in (one, other) if sums.subagent_tokens is not None]
    lists = [sums.available for sums in (one, other) if sums.available is not None]
    return replace(
        one,
        started=min(stamps, default=None),
        ended=max(ends, default=None),
        turns=one.turns + other.turns,
        tokens=add_tokens(tokens) if tokens else None,
        subagent_tokens=min(sum(below), MAX_TOKENS) if below else None,
        subagents=one.subagents + other.subagents,
        idle=one.idle + other.idle,
        available=max(lists, default=None),
        model=other.model or one.model,
    )


def _row(sums: _Sums, *, uses: int, charged: int, aside: int) -> SessionCost:
    session, tokens, below = sums.session, sums.tokens, sums.subagent_tokens
    own = None if tokens is None else total(tokens)
    wall = seconds_between(sums.started, sums.ended)
    return SessionCost(
        session_id=session.session_id,
        agent=session.agent,
        project=session.project,
        model=sums.model,
        started=time_of(sums.started),
        ended=time_of(sums.ended),
        turns=sums.turns,
        uses=uses,
        tokens_input=None if tokens is None else tokens.input,
        tokens_output=None if tokens is None else tokens.output,
        tokens_cache_read=None if tokens is None else tokens.cache_read,
        tokens_cache_write=None if tokens is None else tokens.cache_creation,
        subagent_tokens=below,
        tokens=own,
        tokens_with_subagents=None if own is None and below is None else (own or 0) + (below or 0),
        unattributed_tokens=None if own is None else max(own - charged, 0),
        unattributed_subagent_tokens=None if below is None else max(below - aside, 0),
        subagents=sums.subagents,
        wall_seconds=wall,
        idle_seconds=None if wall is None else sums.idle,
        available=sums.available,
        agent_version=session.agent_version,
        forked_from=session.forked_from,
    )
