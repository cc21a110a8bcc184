"""Verdicts and facts to the records that are kept: events, invocations, turns."""

from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar

from skilltune.facts import SessionFacts, TurnFact
from skilltune.limits import SNIPPET_CHARS
from skilltune.mining.costs import UNKNOWN, Cost
from skilltune.mining.ids import event_id, id_in_world, turn_id
from skilltune.mining.invocations import Use
from skilltune.mining.outcomes import Verdict
from skilltune.mining.windows import TAKEN_BACK, Judgement, Window, WindowTurn
from skilltune.records import INSTALLED_OF, FeedbackEvent, Invocation, SessionCost, Turn

if TYPE_CHECKING:
    from skilltune.mining.labelled import AskedTurn

__all__ = [
    "event_row",
    "fold_snippet",
    "id_of_turn",
    "invocation_row",
    "time_of",
    "turn_row",
    "why_no_event",
    "with_names",
]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_REASONS = ("language", "own_mistake", "question")
_NAMES: Final = (
    "session_id",
    "skill_id",
    "invocation_uuid",
    "uuid",
    "agent_version",
    "model",
    "project",
    "base_directory",
    "forked_from",
    "tool",
    "did",
)
"""Fields with names out of transcripts: whatever stood there, a key too."""

_Record = TypeVar("_Record", "FeedbackEvent", "Invocation", "SessionCost", "Turn", "AskedTurn")


def fold_snippet(text: str) -> str:
    """The first 200 characters of `text` with white space folded."""
    return " ".join(text.split())[:SNIPPET_CHARS]


def event_row(
    session: SessionFacts,
    *,
    use: Use,
    window: Window,
    judgement: Judgement,
    ruleset: str,
    turns_seen: int = 0,
    cost: Cost = UNKNOWN,
    retried: bool = False,
    snippet: Callable[[str], str] = fold_snippet,
) -> FeedbackEvent:
    """The feedback event of a use whose window adds up to `judgement`; `snippet` cuts the person's words."""
    verdict, turn = judgement.verdict, judgement.turn
    return FeedbackEvent(
        event_id=event_id(use.invocation_uuid, use.fact.skill_id),
        timestamp=time_of(use.fact.at),
        session_id=session.session_id,
        skill_id=use.fact.skill_id,
        invocation_uuid=use.invocation_uuid,
        outcome=verdict.outcome,  # type: ignore[arg-type]  # a judgement is never none
        confidence=verdict.confidence,
        correction_type=verdict.correction_type,
        user_message_snippet=snippet(_words_of(judgement)),
        turns_to_feedback=max(turn.number, 1) if turn else 1,
        ai_tools_used=tuple(sorted(turn.before.tools if turn else use.work.tools)),
        dimension_hint=verdict.dimension,
        p_negative=verdict.p_negative,
        p_acceptance=verdict.p_acceptance,
        ruleset=ruleset,
        turns_seen=turns_seen,
        attribution=turn.attribution if turn else "direct",
        channel=turn.fact.channel if turn else None,
        rule=verdict.rule,
        language=verdict.language,
        agent=session.agent,
        model=use.work.model,
        project=session.project,
        skill_digest=use.fact.digest,
        interrupted=bool(turn and turn.fact.interrupted),
        self_reverted=window.self_reverted,
        rewound=bool(turn and turn.fact.rewound),
        weak_complaints=window.weak_complaints,
        base_directory=use.fact.base_dir,
        retried=retried,
        via=use.fact.via,
        agent_version=session.agent_version,
        loaded=use.loaded,
        **_cost_fields(cost),
    )


def _words_of(judgement: Judgement) -> str:
    """What the person said where that decided; beside a command that took the work back, only a complaint."""
    turn = judgement.turn
    if turn is None or (judgement.verdict.rule == TAKEN_BACK and not turn.verdict.complains):
        return ""
    return turn.fact.text


def invocation_row(
    session: SessionFacts,
    *,
    use: Use,
    window: Window | None,
    reason: str,
    turns_seen: int,
    installed: Collection[str] | None,
    cost: Cost = UNKNOWN,
    retried: bool = False,
) -> Invocation:
    """The row of a use, or of a call that failed and has no window."""
    fact = use.fact
    return Invocation(
        event_id=event_id(use.invocation_uuid, fact.skill_id),
        timestamp=time_of(fact.at),
        session_id=session.session_id,
        skill_id=fact.skill_id,
        invocation_uuid=use.invocation_uuid,
        via=fact.via,
        reason=reason,
        turns_seen=turns_seen,
        failed="" if window else fact.failed,
        installed=_is_installed(session, fact.skill_id, installed=installed),
        skill_digest=fact.digest,
        agent=session.agent,
        agent_version=session.agent_version,
        model=use.work.model,
        project=session.project,
        path=session.path,
        line=fact.line,
        weak_complaints=window.weak_complaints if window else 0,
        interrupted=bool(window and window.interrupted),
        rewound=bool(window and window.rewound),
        base_directory=fact.base_dir,
        retried=retried,
        loaded=use.loaded and window is not None,
        **_cost_fields(cost),
    )


def _is_installed(session: SessionFacts, skill_id: str, *, installed: Collection[str] | None) -> bool | None:
    """Whether the skill is installed here; None where nobody can tell: other agents have folders of their own."""
    if installed is None or (skill_id not in installed and session.agent != INSTALLED_OF):
        return None
    return skill_id in installed


def _cost_fields(cost: Cost) -> dict[str, Any]:
    """The fields of an event or a use that say what it cost."""
    tokens = cost.tokens
    return {
        "tokens_input": None if tokens is None else tokens.input,
        "tokens_output": None if tokens is None else tokens.output,
        "tokens_cache_read": None if tokens is None else tokens.cache_read,
        "tokens_cache_write": None if tokens is None else tokens.cache_creation,
        "subagent_tokens": cost.subagent_tokens,
        "wall_seconds": cost.wall_seconds,
        "idle_seconds": cost.idle_seconds,
    }


def turn_row(
    session: SessionFacts,
    *,
    item: TurnFact,
    said: str,
    model: str,
    verdict: Verdict,
    turn: WindowTurn | None,
    use: Use | None,
) -> Turn:
    """The row of a turn; `turn` and `use` are None outside of every window."""
    return Turn(
        path=session.path,
        line=item.line,
        session_id=session.session_id,
        uuid=item.uuid,
        timestamp=time_of(item.at),
        agent=session.agent,
        channel=item.channel,
        text=item.text,
        previous_agent=said,
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
        rewound=item.rewound,
        turn_id=id_of_turn(session, item),
        agent_version=session.agent_version,
        model=model,
    )


def with_names(record: _Record, name: Callable[[str], str]) -> _Record:
    """`record` with each name out of a transcript as `name` has it; the same record where that changes none."""
    found = ((field, getattr(record, field, None)) for field in _NAMES)
    changed: dict[str, Any] = {field: new for field, old in found if old and (new := name(old)) != old}
    tools: tuple[str, ...] = getattr(record, "ai_tools_used", ())
    if (named := tuple(map(name, tools))) != tools:
        changed["ai_tools_used"] = tuple(sorted(set(named)))
    return replace(record, **changed) if changed else record


def id_of_turn(session: SessionFacts, item: TurnFact) -> str:
    """The id of a turn of `session` (`skilltune.mining.ids.turn_id`)."""
    uuid = id_in_world(item.uuid, at=item.at, session_id=session.session_id)
    return turn_id(uuid, part=item.part, session_id=session.session_id, path=session.path, line=item.line)


def why_no_event(window: Window) -> str:
    """Why the turns of `window` judge nothing: no turn, a closed window, or what its turns were."""
    if not window.turns:
        return "ended" if window.ended else "no_turn"
    reasons = [turn.verdict.reason for turn in window.turns if turn.decides]
    if not reasons:
        return "weak"
    return next((reason for reason in _REASONS if reason in reasons), reasons[-1] or "no_signal")


def time_of(microseconds: int | None) -> datetime | None:
    """The time of a fact's stamp; None where it has none, or one that no calendar holds."""
    if microseconds is None:
        return None
    try:
        return _EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return None
