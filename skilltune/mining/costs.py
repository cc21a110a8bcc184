"""What a use cost: tokens and time from the use to the turn that decided; no stretch of work counts for two uses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from skilltune.facts import Item, SessionFacts, SubagentFacts, Tokens, TurnFact, Work
from skilltune.limits import IDLE_SECONDS, MAX_TOKENS
from skilltune.mining.invocations import Use

__all__ = ["UNKNOWN", "Cost", "add_tokens", "cost_of_use", "idle_seconds", "seconds_between", "total", "work_between"]

_SECOND: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens without those of sub-agents, all of theirs, and time; None for what the transcript does not tell."""

    tokens: Tokens | None = None
    subagent_tokens: int | None = None
    wall_seconds: float | None = None
    idle_seconds: float | None = None


UNKNOWN: Final = Cost()


def cost_of_use(
    session: SessionFacts,
    *,
    use: Use,
    until: int,
    counted: bool,
    aside: Mapping[int, Sequence[SubagentFacts]] = MappingProxyType({}),
) -> Cost:
    """The cost of `use`.

    Parameters
    ----------
    session
        The facts.
    use
        The use.
    until
        Index of the item that ends the stretch: the turn that decided, else the first that is outside of the window;
        the number of items for the session's end.
    counted
        Whether the session's transcript counts tokens.
    aside
        Sub-agents in files of their own, by the item after which they began (``SubagentRuns``).

    Notes
    -----
    Work that another file owns (``copied``) is counted there. Time is that between the records' own stamps: to the
    item at `until`, else to the agent's last record; a clock that went back makes it 0.
    """
    works = [*work_between(session, start=use.at, until=until)]
    runs = [run for at in range(use.at, until) for run in aside.get(at, ())] if aside else []
    below = sum(total(work.aside) for work in works) + sum(total(run.tokens) for run in runs)
    end = session.items[until].at if until < len(session.items) else _end_of(session, use)
    return Cost(
        tokens=add_tokens(work.tokens for work in works) if counted else None,
        subagent_tokens=min(below, MAX_TOKENS) if counted or runs else None,
        wall_seconds=seconds_between(use.fact.at, end),
        idle_seconds=None if use.fact.at is None or end is None else idle_seconds(session, start=use.at, until=until),
    )


def add_tokens(parts: Iterable[Tokens]) -> Tokens:
    """The sum of `parts`, no figure above ``MAX_TOKENS``."""
    known = list(parts)
    return Tokens(
        input=min(sum(part.input for part in known), MAX_TOKENS),
        output=min(sum(part.output for part in known), MAX_TOKENS),
        cache_read=min(sum(part.cache_read for part in known), MAX_TOKENS),
        cache_creation=min(sum(part.cache_creation for part in known), MAX_TOKENS),
    )


def total(tokens: Tokens) -> int:
    """All four kinds together."""
    return tokens.input + tokens.output + tokens.cache_read + tokens.cache_creation


def seconds_between(start: int | None, end: int | None) -> float | None:
    """Seconds from one stamp to another, at least 0; None where one is missing."""
    return None if start is None or end is None else max(end - start, 0) / _SECOND


def idle_seconds(session: SessionFacts, *, start: int, until: int) -> float:
    """Pauses over 10 minutes between the agent's last record and a turn after item `start`, up to that at `until`.

    A `start` of -1 is the stretch before the first item.
    """
    items = session.items
    after = range(start + 1, min(until + 1, len(items)))
    pauses = (_pause(items[at - 1].work if at else session.lead, items[at]) for at in after)
    return sum((pause for pause in pauses if pause > IDLE_SECONDS), 0.0)


def work_between(session: SessionFacts, *, start: int, until: int) -> Iterator[Work]:
    """The stretches of work from item `start` up to that at `until` that this file owns."""
    return (item.work for item in session.items[start:until] if not item.copied)


def _pause(before: Work, item: Item) -> float:
    """Seconds that the agent waited for a turn."""
    return (seconds_between(before.ended, item.at) or 0.0) if isinstance(item, TurnFact) else 0.0


def _end_of(session: SessionFacts, use: Use) -> int | None:
    """When the agent last wrote in the session after the use began."""
    works = (session.items[at].work for at in range(len(session.items) - 1, use.at - 1, -1))
    return next((work.ended for work in works if work.ended is not None), None)
