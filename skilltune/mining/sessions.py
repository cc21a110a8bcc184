"""All facts to invocations, turns and feedback events: the top of the step, and the one function others call."""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from typing import Literal

from skilltune.errors import InputError
from skilltune.facts import FileFacts, SessionFacts, TurnFact, Work
from skilltune.limits import SNIPPET_CHARS, WINDOW_TURNS
from skilltune.mining.invocations import Use, event_id, find_invocations, find_skill_names
from skilltune.mining.lexicon import find_lexicons
from skilltune.mining.origins import why_skipped
from skilltune.mining.outcomes import RULES_VERSION, Verdict, classify_outcome
from skilltune.mining.windows import Judgement, Window, WindowTurn, judge_window, read_window
from skilltune.records import FeedbackEvent, Invocation, Turn

__all__ = ["MinedRecords", "mine_sessions", "ruleset_version"]

FUTURE_TOLERANCE = timedelta(days=1)
"""A use this much later than now has a wrong stamp; naive stamps count as UTC and may be half a day off."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


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


@cache
def ruleset_version() -> str:
    """A short hash of the lexicons and the version of the rules: the same words and rules give the same version."""
    content = "\n".join([str(RULES_VERSION), *(lexicon.digest for lexicon in find_lexicons().values())])
    return f"rules-{hashlib.sha256(content.encode()).hexdigest()[:8]}"


def mine_sessions(
    read: Callable[[], Iterable[FileFacts]],
    *,
    as_of: datetime,
    window_turns: int = WINDOW_TURNS,
    scripted: bool = False,
    installed: Mapping[str, str] | None = None,
    turns: Literal["window", "all", "none"] = "window",
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
    miner = _Miner(find_skill_names(read()), as_of, window_turns, scripted, installed, turns)
    for file in read():
        for session in file.sessions:
            miner.add(session)
    return miner.records()


@dataclass(slots=True)
class _Case:
    """One use with its window; `copied`: the use's record belongs to another file."""

    session: SessionFacts
    use: Use
    window: Window
    copied: bool


class _Miner:
    """Collects the cases of all sessions, then settles those that stand in several files."""

    def __init__(
        self,
        skills: Collection[str],
        as_of: datetime,
        window_turns: int,
        scripted: bool,  # noqa: FBT001  # handed on from a keyword
        installed: Mapping[str, str] | None,
        turns: str,
    ) -> None:
        self.skills, self.window_turns, self.scripted, self.turns = skills, window_turns, scripted, turns
        self.installed = installed
        self.latest = as_of + FUTURE_TOLERANCE
        self.ruleset = ruleset_version()
        self.cases: dict[str, _Case] = {}
        self.mined = MinedRecords()
        self.dropped: Counter[str] = Counter()

    def add(self, session: SessionFacts) -> None:
        """Take in one session."""
        reason = why_skipped(session, scripted=self.scripted)
        if reason:
            self.dropped[f"session_{reason}"] += 1
            return
        mined = _MinedSession(session)
        uses = find_invocations(session, skills=self.skills, installed=self.installed or ())
        self.dropped.update({f"use_{name}": count for name, count in uses.dropped.items()})
        in_window: dict[int, tuple[WindowTurn, Use]] = {}
        for use, end in zip(uses.uses, [*(later.at for later in uses.uses[1:]), None], strict=False):
            window = read_window(session, use=use, end=end, turns=self.window_turns, classify=mined.classify)
            self._keep(_Case(session, use, window, use.fact.copied))
            in_window.update({turn.at: (turn, use) for turn in window.turns})
        for failed in uses.failed:
            if not failed.fact.copied:
                self.mined.invocations.append(self._invocation(session, failed, reason="failed", turns_seen=0))
        if self.turns != "none":
            self._add_turns(mined, in_window)

    def _keep(self, case: _Case) -> None:
        """Keep the case of the file that owns the use, or of a copy that went on while its window was open."""
        key = event_id(case.use.invocation_uuid, case.use.fact.skill_id)
        known = self.cases.get(key)
        if known is None:
            self.cases[key] = case
            return
        self.dropped["use_copied"] += 1
        owner, copy = (case, known) if known.copied and not case.copied else (known, case)
        goes_on = owner.window.open and len(copy.window.turns) > len(owner.window.turns)
        self.cases[key] = _Case(owner.session, owner.use, copy.window if goes_on else owner.window, owner.copied)

    def records(self) -> MinedRecords:
        """Everything mined."""
        for key, case in self.cases.items():
            self._settle(key, case)
        self.mined.dropped = dict(sorted(self.dropped.items()))
        return self.mined

    def _settle(self, key: str, case: _Case) -> None:
        """Add the use, and the event where its window judges it."""
        stamp = _time(case.use.fact.at)
        judgement = judge_window(case.window)
        seen = max((turn.number for turn in case.window.turns), default=0)
        if stamp is not None and stamp > self.latest:
            self.dropped["use_future"] += 1
            reason = "future"
        elif judgement is not None:
            reason = ""
            self.mined.events.append(self._event(key, case, judgement, stamp))
        else:
            reason = _why_no_event(case.window)
        self.mined.invocations.append(self._invocation(case.session, case.use, reason=reason, turns_seen=seen))

    def _event(self, key: str, case: _Case, judgement: Judgement, stamp: datetime | None) -> FeedbackEvent:
        verdict, turn, use = judgement.verdict, judgement.turn, case.use
        return FeedbackEvent(
            event_id=key,
            timestamp=stamp,
            session_id=case.session.session_id,
            skill_id=use.fact.skill_id,
            invocation_uuid=use.invocation_uuid,
            outcome=verdict.outcome,  # type: ignore[arg-type]  # a judgement is never none
            confidence=verdict.confidence,
            correction_type=verdict.correction_type,
            user_message_snippet=" ".join(turn.fact.text.split())[:SNIPPET_CHARS] if turn else "",
            turns_to_feedback=max(turn.number, 1) if turn else 1,
            ai_tools_used=tuple(sorted(turn.before.tools if turn else use.work.tools)),
            dimension_hint=verdict.dimension,
            p_negative=verdict.p_negative,
            p_acceptance=verdict.p_acceptance,
            ruleset=self.ruleset,
            attribution=turn.attribution if turn else "direct",
            channel=turn.fact.channel if turn else None,
            rule=verdict.rule,
            language=verdict.language,
            agent=case.session.agent,
            model=use.work.model,
            project=case.session.project,
            skill_digest=use.fact.digest,
            interrupted=bool(turn and turn.fact.interrupted),
            self_reverted=case.window.self_reverted,
        )

    def _invocation(self, session: SessionFacts, use: Use, *, reason: str, turns_seen: int) -> Invocation:
        fact = use.fact
        return Invocation(
            event_id=event_id(use.invocation_uuid, fact.skill_id),
            timestamp=_time(fact.at),
            session_id=session.session_id,
            skill_id=fact.skill_id,
            invocation_uuid=use.invocation_uuid,
            via=fact.via,
            reason=reason,
            turns_seen=turns_seen,
            failed=fact.failed,
            installed=None if self.installed is None else fact.skill_id in self.installed,
            skill_digest=fact.digest,
            agent=session.agent,
            agent_version=session.agent_version,
            model=use.work.model,
            project=session.project,
            path=session.path,
            line=fact.line,
        )

    def _add_turns(self, mined: "_MinedSession", in_window: Mapping[int, tuple[WindowTurn, Use]]) -> None:
        for at, item in mined.turn_items():
            if not item.copied and (self.turns == "all" or at in in_window):
                turn, use = in_window.get(at, (None, None))
                self.mined.turns.append(mined.row(at, item, turn=turn, use=use))


class _MinedSession:
    """A session whose turns are classified when they are asked for, each once."""

    def __init__(self, session: SessionFacts) -> None:
        self.session = session
        self.verdicts: dict[int, Verdict] = {}

    def turn_items(self) -> Iterator[tuple[int, TurnFact]]:
        """The turns with their places among the items."""
        return ((at, item) for at, item in enumerate(self.session.items) if isinstance(item, TurnFact))

    @cached_property
    def _previous_prompts(self) -> dict[int, str]:
        """The person's message before each turn."""
        found: dict[int, str] = {}
        last = ""
        for at, item in self.turn_items():
            found[at] = last
            if item.text and item.channel in ("message", "queued"):
                last = item.text
        return found

    def work_before(self, at: int) -> Work:
        """What the agent did just before the item at `at`."""
        return self.session.items[at - 1].work if at else self.session.lead

    def classify(self, at: int) -> Verdict:
        """The verdict on the turn at `at`."""
        if at not in self.verdicts:
            item, work = self.session.items[at], self.work_before(at)
            assert isinstance(item, TurnFact)  # noqa: S101  # only turns are asked for
            self.verdicts[at] = classify_outcome(
                item.text,
                previous_agent=work.said,
                channel=item.channel,
                decision=item.decision,
                tool=item.tool,
                interrupted=item.interrupted,
                ended_in_error=work.ended_in_error,
                previous_prompt=self._previous_prompts[at],
            )
        return self.verdicts[at]

    def row(self, at: int, item: TurnFact, *, turn: WindowTurn | None, use: Use | None) -> Turn:
        """The row of one turn."""
        verdict, session = self.classify(at), self.session
        return Turn(
            path=session.path,
            line=item.line,
            session_id=session.session_id,
            uuid=item.uuid,
            timestamp=_time(item.at),
            agent=session.agent,
            channel=item.channel,
            text=item.text,
            previous_agent=self.work_before(at).said,
            skill_id=use.fact.skill_id if use else None,
            event_id=event_id(use.invocation_uuid, use.fact.skill_id) if use else None,
            turn_in_window=max(turn.number, 1) if turn else 0,
            attribution=turn.attribution if turn else None,
            outcome=verdict.outcome,
            correction_type=verdict.correction_type,
            dimension=verdict.dimension,
            p_negative=verdict.p_negative,
            p_acceptance=verdict.p_acceptance,
            rule=verdict.rule,
            language=verdict.language,
            interrupted=item.interrupted,
            project=session.project,
        )


def _why_no_event(window: Window) -> str:
    """Why the turns of `window` judge nothing."""
    if not window.turns:
        return "ended" if window.ended else "no_turn"
    reasons = [turn.verdict.reason for turn in window.turns if turn.decides]
    for reason in ("language", "own_mistake", "question"):
        if reason in reasons:
            return reason
    return reasons[-1] if reasons and reasons[-1] else ("weak" if not reasons else "no_signal")


def _time(microseconds: int | None) -> datetime | None:
    """The time of a fact's stamp; None where it has none, or one that no calendar holds."""
    if microseconds is None:
        return None
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return None
