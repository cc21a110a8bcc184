"""All facts to invocations, turns and feedback events: the top of the step, and the one function others call."""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from typing import Literal

from skilltune.errors import InputError
from skilltune.facts import FileFacts, SessionFacts, UseFact
from skilltune.limits import WINDOW_TURNS
from skilltune.mining.costs import cost_of_use
from skilltune.mining.ids import is_unique
from skilltune.mining.invocations import Use, find_invocations, find_skill_names, id_of_sign
from skilltune.mining.labelled import AskedUse
from skilltune.mining.language import foreign_digest
from skilltune.mining.lexicon import find_lexicons
from skilltune.mining.model import Model, read_model
from skilltune.mining.origins import why_skipped
from skilltune.mining.outcomes import RULES_VERSION
from skilltune.mining.pasted import name_pasted
from skilltune.mining.retries import was_retried
from skilltune.mining.rows import (
    event_row,
    fold_snippet,
    invocation_row,
    time_of,
    why_no_event,
    with_names,
)
from skilltune.mining.session_costs import SessionCosts
from skilltune.mining.session_turns import SessionTurns
from skilltune.mining.subagents import SubagentRuns
from skilltune.mining.windows import WindowTurn, judge_window, read_window
from skilltune.records import COST_FIELDS, FeedbackEvent, Invocation, SessionCost, Turn

__all__ = ["MinedRecords", "mine_sessions", "ruleset_version"]

FUTURE_TOLERANCE = timedelta(days=1)
"""A use stamped this much after the run has a wrong clock; naive stamps count as UTC and may be half a day off."""


@dataclass(slots=True)
class MinedRecords:
    """What was mined, in the order of the files.

    `invocations` holds uses and, with `failed` set, trigger problems; `dropped` counts what was left out, by reason:
    whole sessions (``session_scripted`` …), signs of use (``use_builtin_command`` …), copies, and future stamps.
    """

    events: list[FeedbackEvent] = field(default_factory=list)
    invocations: list[Invocation] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    dropped: dict[str, int] = field(default_factory=dict)
    read: frozenset[str] = frozenset()
    """Ids of every sign of use in the sessions that were taken in, whether or not it counts."""
    sessions: list[SessionCost] = field(default_factory=list)
    """What each session cost."""
    asked: dict[str, AskedUse] = field(default_factory=dict)
    """What can be asked about each use, by event id; empty unless it was wanted."""


@cache
def _rules_version() -> str:
    """A short hash of the lexicons and the version of the rules: the same words and rules give the same version."""
    parts = [str(RULES_VERSION), foreign_digest(), *(lexicon.digest for lexicon in find_lexicons().values())]
    content = "\n".join(parts)
    return f"rules-{hashlib.sha256(content.encode()).hexdigest()[:8]}"


def ruleset_version(*, model: Model | Literal["default"] | None = "default") -> str:
    """The version of the rules and of the model beside them: what is equal gives equal verdicts."""
    asked = read_model() if model == "default" else model
    return f"{_rules_version()}+{asked.version}" if asked else _rules_version()


def mine_sessions(
    read: Callable[[], Iterable[FileFacts]],
    *,
    as_of: datetime,
    window_turns: int = WINDOW_TURNS,
    scripted: bool = False,
    installed: Mapping[str, str] | None = None,
    turns: Literal["window", "all", "none"] = "window",
    snippet: Callable[[str], str] = fold_snippet,
    name: Callable[[str], str] = str,
    model: Model | Literal["default"] | None = "default",
    asked: bool = False,
) -> MinedRecords:
    """Invocations, turns and feedback events of all sessions.

    Parameters
    ----------
    read
        Gives the facts of all files, the same each time it is called (it is called twice).
    as_of
        The time of the run; uses stamped later are flagged and give no event.
    window_turns
        Human turns after a use that can judge it, at least 1.
    scripted
        Take in sessions that a program started.
    installed
        Digests by name of the skills installed here; None where that is not known.
    turns
        Which turns get a row: those in some window, all of them, or none. It changes no event.
    snippet
        Makes an event's ``user_message_snippet`` of the person's whole words.
    name
        Makes what is kept of a name out of a transcript (skill, session, record, tool …); default the name itself. It
        changes no id and no verdict.
    model
        The classifier beside the rules; default the one that ships with the package, None for the rules alone.
    asked
        Keep the turns of every window in their context, to ask a person about them.

    Returns
    -------
    MinedRecords
        Each use once, in the file that owns it, with what a copy of its session added while its window was open.

    Raises
    ------
    InputError
        `window_turns` is below 1, or `as_of` has no time zone.
    """
    if window_turns < 1:
        raise InputError(f"window_turns is {window_turns}; a window holds at least 1 turn")
    if as_of.tzinfo is None:
        raise InputError(f"as_of {as_of.isoformat()} has no time zone; give an aware time")
    chosen = read_model() if model == "default" else model
    runs = SubagentRuns()
    miner = _Miner(
        skills=find_skill_names(runs.noting(read())),
        runs=runs,
        latest=as_of + FUTURE_TOLERANCE,
        window_turns=window_turns,
        scripted=scripted,
        installed=installed,
        turns=turns,
        snippet=snippet,
        name=name,
        asked=asked,
        model=chosen,
        ruleset=_ruleset(window_turns, model=chosen),
    )
    for file in read():
        for session in file.sessions:
            miner.add(session)
    return miner.records()


@dataclass(frozen=True, slots=True)
class _Case:
    """What one file knows of one use: its rows, and whether its window could still go on."""

    event: FeedbackEvent | None
    invocation: Invocation
    turns: int
    open: bool
    copied: bool
    own_words: bool = True
    """The turn that decided belongs to this file, too."""
    asked: AskedUse | None = None

    @property
    def counts(self) -> bool:
        """Whether this file may speak for the use: it owns it, or a person went on here with what was left out."""
        return not self.copied or (self.event is not None and self.own_words)


@dataclass(slots=True)
class _Miner:
    """Collects the cases of all sessions and settles those that stand in several files."""

    skills: Collection[str]
    runs: SubagentRuns
    latest: datetime
    window_turns: int
    scripted: bool
    installed: Mapping[str, str] | None
    turns: str
    snippet: Callable[[str], str]
    name: Callable[[str], str]
    asked: bool
    model: Model | None
    ruleset: str
    read: set[str] = field(default_factory=set)
    cases: dict[str, _Case] = field(default_factory=dict)
    failed: list[Invocation] = field(default_factory=list)
    rows: list[Turn] = field(default_factory=list)
    costs: SessionCosts = field(default_factory=SessionCosts)
    dropped: Counter[str] = field(default_factory=Counter)

    def add(self, session: SessionFacts) -> None:
        """Take in one session."""
        reason = why_skipped(session, scripted=self.scripted)
        if reason:
            self.dropped[f"session_{reason}"] += 1
            return
        session = name_pasted(session, installed=self.installed or {})
        mined = SessionTurns(session, model=self.model, aside=self.runs.place(session))
        self.costs.add(session, aside=mined.aside, counted=mined.counts_tokens)
        found = find_invocations(session, skills=self.skills, installed=self.installed or ())
        self.read.update(_ids(session), (use.invocation_uuid for use in (*found.uses, *found.failed)))
        self.dropped.update({f"use_{name}": count for name, count in found.dropped.items()})
        in_window: dict[int, tuple[WindowTurn, Use]] = {}
        for use, end in zip(found.uses, [*(later.at for later in found.uses[1:]), None], strict=False):
            self._keep(self._read_case(mined, use=use, end=end, in_window=in_window))
        self.failed += [
            invocation_row(session, use=use, window=None, reason="failed", turns_seen=0, installed=self.installed)
            for use in found.failed
            if not use.fact.copied
        ]
        self.rows += mined.rows(in_window, which=self.turns)

    def records(self) -> MinedRecords:
        """Everything mined; a use whose owner was left out belongs to the copy in which a person went on."""
        cases = [case for case in self.cases.values() if case.counts]
        self.dropped["use_owner_left_out"] = len(self.cases) - len(cases)
        uses = [*(case.invocation for case in cases), *self.failed]
        return MinedRecords(
            events=[with_names(case.event, self.name) for case in cases if case.event is not None],
            invocations=[with_names(use, self.name) for use in uses],
            turns=[with_names(turn, self.name) for turn in self.rows],
            dropped={reason: count for reason, count in sorted(self.dropped.items()) if count},
            sessions=[with_names(row, self.name) for row in self.costs.rows(uses)],
            read=frozenset(self.read | set(map(self.name, self.read))),
            asked={case.invocation.event_id: self._named(case.asked) for case in cases if case.asked is not None},
        )

    def _named(self, use: AskedUse) -> AskedUse:
        return replace(use, turns=tuple(with_names(turn, self.name) for turn in use.turns))

    def _read_case(
        self, mined: SessionTurns, *, use: Use, end: int | None, in_window: dict[int, tuple[WindowTurn, Use]]
    ) -> _Case:
        """Judge one use; its turns are noted in `in_window`."""
        session = mined.session
        window = read_window(
            session,
            use=use,
            end=end,
            turns=self.window_turns,
            classify=mined.classify,
            discarded=mined.discarded,
        )
        in_window.update({turn.at: (turn, use) for turn in window.turns})
        judgement, stamp = judge_window(window), time_of(use.fact.at)
        seen = max((turn.number for turn in window.turns), default=0)
        future = stamp is not None and stamp > self.latest
        if future and not use.fact.copied:
            self.dropped["use_future"] += 1
        until = judgement.turn.at if judgement is not None and judgement.turn is not None else window.until
        cost = cost_of_use(session, use=use, until=until, counted=mined.counts_tokens, aside=mined.aside)
        retried = was_retried(session, use=use, requests=mined.requests)
        event = None
        if judgement is not None and not future:
            event = event_row(
                session,
                use=use,
                window=window,
                judgement=judgement,
                ruleset=self.ruleset,
                turns_seen=seen,
                cost=cost,
                retried=retried,
                snippet=self.snippet,
            )
        reason = "future" if future else "" if event else why_no_event(window)
        row = invocation_row(
            session,
            use=use,
            window=window,
            reason=reason,
            turns_seen=seen,
            installed=self.installed,
            cost=cost,
            retried=retried,
        )
        own_words = judgement is None or judgement.turn is None or not judgement.turn.fact.copied
        asked = mined.asked(window) if self.asked and not future else None
        return _Case(event, row, len(window.turns), window.open, use.fact.copied, own_words, asked)

    def _keep(self, case: _Case) -> None:
        """Keep the case of the file that owns the use, or of a copy that went on while its window was open."""
        key = case.invocation.event_id
        known = self.cases.get(key)
        if known is None:
            self.cases[key] = case
            return
        self.dropped["use_copied"] += 1
        owner, copy = (case, known) if known.copied and not case.copied else (known, case)
        self.cases[key] = _continued(owner, copy) if owner.open and copy.turns > owner.turns else owner


def _ids(session: SessionFacts) -> Iterator[str]:
    """The ids of every sign of use in a session."""
    for item in session.items:
        if isinstance(item, UseFact):
            yield from filter(is_unique, (item.uuid, item.call_id))
            yield id_of_sign(item, session=session)


def _ruleset(window_turns: int, *, model: Model | None) -> str:
    """The version of rules and model, and of the window where it is not the usual one."""
    version = ruleset_version(model=model)
    return version if window_turns == WINDOW_TURNS else f"{version}/w{window_turns}"


def _continued(owner: _Case, copy: _Case) -> _Case:
    """The owner's use as the copy's longer window decides it, at the cost that the owner's session had."""
    home = owner.invocation
    cost = {name: getattr(home, name) for name in COST_FIELDS}
    event = copy.event and replace(copy.event, session_id=home.session_id, project=home.project, **cost)
    later = copy.invocation
    row = replace(
        home,
        reason=later.reason,
        turns_seen=later.turns_seen,
        weak_complaints=later.weak_complaints,
        interrupted=later.interrupted,
        rewound=later.rewound,
        retried=later.retried,
    )
    return _Case(event, row, copy.turns, copy.open, owner.copied, copy.own_words, copy.asked)
