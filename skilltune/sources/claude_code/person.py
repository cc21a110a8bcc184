"""The person's side of a session: what in a ``user`` record they typed or decided, and what a program put there."""

from typing import Any

import msgspec

from skilltune.facts import CommandFact, TurnFact, UseFact
from skilltune.mining.digests import skill_digest
from skilltune.sources.claude_code import queue
from skilltune.sources.claude_code.decisions import MAY_BE_MARKED, Decision, read_decision, result_text
from skilltune.sources.claude_code.records import Block, Record, ToolUseResult
from skilltune.sources.claude_code.session import Session
from skilltune.sources.claude_code.skills import names_base, slash_use, split_body
from skilltune.sources.claude_code.words import NOT_A_PERSON, Slash, Words, find_slash, read_words
from skilltune.sources.session import Entry, microseconds

__all__ = ["read_person_record", "read_system_record"]

PLAN_TOOL = "ExitPlanMode"
_NO_SKILL = ("Unknown skill", "is not a prompt-based skill", "cannot be used with Skill tool")
"""What a ``Skill`` call's result says where no skill ran."""
_LOADED = "already loaded"
_ORPHAN = "orphan_result"
"""What became of results whose calls the file does not hold."""
_ATTACHED = frozenset({"image", "document"})
_NO_BODY = ("[Image", "Continue from where you left off")


def read_person_record(session: Session, record: Record, line: int) -> str:
    """Take a ``user`` record; the word for what became of it."""
    message = record.message
    if message is not None and message.role == "assistant":
        return "malformed"  # it says that it is the person's and the agent's
    content = message.content if message is not None else None
    if not content:
        return "empty"
    if isinstance(content, str):
        return _read_prompt(session, record, line, texts=[content], image=False)
    block = content[0]
    if block.type == "tool_result" and len(content) == 1 and block.tool_use_id not in session.uses:
        noted = record.tool_use_result
        if (
            (noted.__class__ is not ToolUseResult or (noted.answers is None and noted.user_modified is not True))
            and noted.__class__ is not str
            and record.tool_denial_kind is None
            and not MAY_BE_MARKED(block.content)
        ):
            known = session.calls.pop(block.tool_use_id or "", None)
            session.now.ended = block.is_error is True
            if block.is_error:
                session.now.errors += 1
                session.forget_command(block.tool_use_id)
            return _ORPHAN if known is None else "tool_result"
    return _read_blocks(session, record, line, content)


def _read_blocks(session: Session, record: Record, line: int, content: list[Block]) -> str:
    results = [block for block in content if block.type == "tool_result"]
    texts = [block.text for block in content if block.type == "text" and block.text]
    image = any(block.type in _ATTACHED for block in content)
    if not results:
        return _read_prompt(session, record, line, texts=texts, image=image)
    orphan = not any(block.tool_use_id in session.calls for block in results)
    turns = [_read_result(session, block, record=record, line=line) for block in results]
    decisions = [turn for turn in turns if turn is not None]
    if len(decisions) > 1:
        decisions = _join_refusals(decisions)
    if not decisions and not texts:
        return _ORPHAN if orphan else "tool_result"
    return _read_beside(session, record, line, decisions=decisions, texts=texts, image=image)


def _join_refusals(turns: list[TurnFact]) -> list[TurnFact]:
    """The decisions of one record: a refusal of several calls is one act, with the words it came with."""
    said = {""} if any(turn.text for turn in turns if turn.decision == "rejected") else set()
    joined = []
    for turn in turns:
        if turn.decision != "rejected" or turn.text not in said:
            joined.append(turn)
        if turn.decision == "rejected":
            said.add(turn.text)
    return joined


def read_system_record(session: Session, record: Record, line: int) -> str:
    """Take a ``system`` record: '' unless it is a slash command."""
    if record.subtype != "local_command":
        return ""
    text = result_text(record.content)
    if not text.lstrip().startswith("<command-"):
        session.awaiting = None
        return ""
    slash = find_slash(text)
    if slash is None:
        return ""
    _add_slash(session, record, line, slash)
    return "use"


def _read_result(session: Session, block: Block, *, record: Record, line: int) -> TurnFact | None:
    """Take a tool result; the turn in it, if a person decided something."""
    call_id = block.tool_use_id
    tool = session.calls.pop(call_id, "") if call_id else ""
    decision = read_decision(block, record=record, tool=tool)
    refused = decision.decision == "rejected" or decision.channel == "clarify"
    failed = block.is_error is True and not refused and not decision.interrupted
    session.now.end_call(failed=failed)
    if refused or block.is_error:
        session.forget_command(call_id)
    if call_id and (uses := session.uses.pop(call_id, None)):
        _settle(session, uses, block, refused=refused, failed=failed)
    if decision.interrupted:
        session.interrupted = True
    return _decided(record, line, decision, tool) if decision.channel not in ("", "clarify") else None


def _settle(session: Session, uses: list[Entry], block: Block, *, refused: bool, failed: bool) -> None:
    """Note on the uses of a tool call what its result says about them."""
    text = result_text(block.content)
    for use in uses:
        if refused:
            use.changes["failed"] = "refused"
        elif use.fact.via == "tool" and any(sign in text[:200] for sign in _NO_SKILL):  # type: ignore[union-attr]  # only uses are here
            use.changes["failed"] = "unknown_skill"
        elif failed:
            use.changes["failed"] = "error"
        elif use.fact.via == "tool":  # type: ignore[union-attr]
            use.changes["repeat"] = _LOADED in text
            session.awaiting = use


def _decided(record: Record, line: int, decision: Decision, tool: str) -> TurnFact:
    return TurnFact(
        line=line,
        uuid=record.uuid or "",
        part=0,
        at=microseconds(record.timestamp),
        channel=decision.channel,  # type: ignore[arg-type]  # the other two words are no turn
        text=decision.text,
        decision=decision.decision,
        tool=tool or (PLAN_TOOL if decision.channel == "plan" else ""),
    )


def _read_beside(
    session: Session, record: Record, line: int, *, decisions: list[TurnFact], texts: list[str], image: bool
) -> str:
    """Take what stands in a record with tool results: decisions, and text beside them."""
    words = (
        Words("empty")
        if record.is_meta or queue.is_machine(record.origin, source=record.prompt_source)
        else read_words(texts)
    )
    session.interrupted = session.interrupted or words.interrupted
    session.note_tags(words.tags)
    turns = decisions
    if words.kind == "person":
        turn = TurnFact(line, record.uuid or "", 0, microseconds(record.timestamp), "steering", words.text, image=image)
        repeated = any(made.decision == "rejected" and made.text == words.text for made in decisions)
        silent = next((i for i, made in enumerate(decisions) if made.decision == "rejected" and not made.text), None)
        if silent is None:
            turns = decisions if repeated else [*decisions, turn]
        else:
            spoken = msgspec.structs.replace(decisions[silent], text=words.text, image=image)
            turns = [*decisions[:silent], spoken, *decisions[silent + 1 :]]
        queue.settle(session, words.text, steering=True)
    for part, turn in enumerate(turns):
        _add_turn(session, msgspec.structs.replace(turn, part=part))
    return "turn" if turns else "tool_result"


def _read_prompt(session: Session, record: Record, line: int, *, texts: list[str], image: bool) -> str:
    """Take a record without tool results."""
    if record.is_compact_summary:
        return "compact_summary"
    if queue.is_machine(record.origin, source=record.prompt_source):
        return "notification"
    if record.is_meta or (session.awaiting is not None and texts and names_base(texts[0])):
        return _read_meta(session, record, texts)
    words = read_words(texts)
    session.interrupted = session.interrupted or words.interrupted
    if words.tags:
        session.note_tags(words.tags)
    if isinstance(record.plan_content, str) and record.plan_content:
        words = Words("plan")
    if words.kind == "slash" and words.slash is not None:
        _follow(session, record)
        entry = _add_slash(session, record, line, words.slash)
        if words.body:
            _add_body(entry, words.body)
        return "use"
    if words.kind == "command":
        if words.text:
            session.add(CommandFact(line, record.uuid or "", microseconds(record.timestamp), words.text))
        return "command"
    return _read_turn(session, record, line, words=words, image=image)


def _read_turn(session: Session, record: Record, line: int, *, words: Words, image: bool) -> str:
    at, uuid = microseconds(record.timestamp), record.uuid or ""
    if words.kind == "person" or (image and words.kind in ("empty", "interrupt", "system_reminder")):
        queued = bool(words.text) and queue.settle(session, words.text, steering=False)
        rewound = _follow(session, record)
        channel: Any = "queued" if queued else "message"
        turn = TurnFact(line, uuid, 0, at, channel, words.text, rewound=rewound, image=image)
    elif words.kind == "plan":
        turn = TurnFact(line, uuid, 0, at, "plan", "", "approved", PLAN_TOOL)
    elif words.kind == "edit":
        turn = TurnFact(line, uuid, 0, at, "edit", "")
    else:
        if words.kind == "local_command":
            session.awaiting = None
        return words.kind
    _add_turn(session, turn)
    return "turn"


def _read_meta(session: Session, record: Record, texts: list[str]) -> str:
    """Take a record the program marked as its own: the body of a skill, or nothing."""
    text = "\n".join(texts)
    entry = session.bodies.pop(record.source_tool_use_i_d, None) if record.source_tool_use_i_d else None
    words = read_words(texts)
    if entry is None and words.kind == "person" and not words.text.startswith(_NO_BODY):
        entry = session.awaiting
    if entry is not None:
        session.awaiting = None
        _add_body(entry, text)
        return "skill_body"
    session.note_tags(words.tags)
    return words.kind if words.kind in NOT_A_PERSON else "meta"


def _add_body(entry: Entry, text: str) -> None:
    arguments = entry.fact.args if isinstance(entry.fact, UseFact) else ""
    body = split_body(text, arguments=arguments)
    entry.changes |= {
        "body": True,
        "digest": skill_digest(body.text),
        "base_dir": body.base_dir,
        "body_chars": len(body.text),
    }


def _add_slash(session: Session, record: Record, line: int, slash: Slash) -> Entry:
    queue.settle_slash(session, slash.skill_id)
    entry = session.add(slash_use(record, line, slash))
    session.awaiting = entry
    return entry


def _add_turn(session: Session, turn: TurnFact) -> None:
    session.awaiting = None
    session.add(msgspec.structs.replace(turn, interrupted=session.interrupted))
    session.interrupted = False


def _follow(session: Session, record: Record) -> bool:
    """Whether a prompt's parent already has an older child: the person went back."""
    parent = record.parent_uuid
    if not parent:
        return False
    rewound = parent in session.parents
    session.parents.add(parent)
    return rewound
