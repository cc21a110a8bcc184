"""The agent's side of a session: what it said, called and spent, which skills it used, and what a person decided."""

from datetime import datetime
from typing import Any, Literal

from msgspec import UNSET

from skilltune import limits
from skilltune.facts import CommandFact, TurnFact, UseFact
from skilltune.mining.digests import skill_digest
from skilltune.sources.claude_code.words import clip
from skilltune.sources.opencode.records import Message, Part, State, object_of, state_of
from skilltune.sources.opencode.session import Session, time_of
from skilltune.sources.opencode.tools import (
    PLAN_TOOL,
    QUESTION_TOOL,
    SHELL_TOOL,
    SKILL_TOOL,
    Ending,
    answers_in,
    edited_paths,
    ending_of,
    input_of,
    read_skills,
    skill_body,
    touched_path,
)
from skilltune.sources.opencode.values import as_moment, as_text, as_usage
from skilltune.sources.session import Entry, Usage, microseconds
from skilltune.sources.skill_files import skill_of

__all__ = ["read_answer"]

_ABORTED = "MessageAbortedError"


def read_answer(session: Session, message: Message, parts: list[Part], *, number: int, at: datetime | None) -> str:
    """Take a message of the agent; the word for what became of it."""
    own, session.shell = bool(session.shell) and message.parent == session.shell, ""
    if own and _add_own_command(session, message, parts, number=number, at=at):
        return "command"
    if (usage := _spent(message, parts)) is not None:
        session.now.spent.append(usage)
    session.project = session.project or as_text(object_of(message.path).get("cwd"))
    if message.summary is True:
        return "compact_summary"
    if model := as_text(message.model_id) or as_text(object_of(message.model).get("modelID")):
        session.now.model = model
    session.now.last = at or session.now.last
    became = _Answer(session, message, number=number, at=at).read(parts)
    ended = as_moment(time_of(message).get("completed"))
    session.note_time(ended)
    session.now.last = ended or session.now.last
    if object_of(message.error).get("name") == _ABORTED:
        session.interrupted = True
    return became


def _spent(message: Message, parts: list[Part]) -> Usage | None:
    """The tokens of a message: of all its steps where it has several, for it tells only the last one's then."""
    steps = [usage for part in parts if part.type == "step-finish" and (usage := as_usage(object_of(part.tokens)))]
    if len(steps) > 1:
        return Usage(
            sum(step.input_tokens for step in steps),
            sum(step.cache_creation_input_tokens for step in steps),
            sum(step.cache_read_input_tokens for step in steps),
            sum(step.output_tokens for step in steps),
        )
    return as_usage(object_of(message.tokens)) or (steps[0] if steps else None)


def _add_own_command(
    session: Session, message: Message, parts: list[Part], *, number: int, at: datetime | None
) -> bool:
    """Take a shell command that the person typed themselves; whether there is one."""
    commands = [as_text(input_of(state_of(part)).command) for part in parts if part.tool == SHELL_TOOL]
    for command in filter(None, commands):
        uuid, _ = session.identify(message, at, about=f"command:{command}")
        session.add(CommandFact(number, uuid, microseconds(at), clip(command)))
    return any(commands)


class _Answer:
    """One message of the agent while it is read."""

    def __init__(self, session: Session, message: Message, *, number: int, at: datetime | None) -> None:
        self.session, self.message, self.number, self.at = session, message, number, at
        self.refusal: Entry | None = None
        """The person's refusal in this message: of several calls it is one act."""

    def read(self, parts: list[Part]) -> Literal["turn", "use", "agent"]:
        """Take the parts; what became of the message."""
        before = len(self.session.entries)
        for index, part in enumerate(parts):
            if part.type == "text":
                self._say(part)
            elif part.type == "tool" and (tool := as_text(part.tool)):
                self._call(tool, part, call_id=as_text(part.call_id) or f"{as_text(self.message.id)}#{index}")
        facts = [entry.fact for entry in self.session.entries[before:]]
        if any(isinstance(fact, TurnFact) for fact in facts):
            return "turn"
        return "use" if facts else "agent"

    def _say(self, part: Part) -> None:
        text = as_text(part.text)
        if text and not text.isspace() and part.synthetic in (UNSET, False):
            self.session.now.said = text[-limits.AGENT_TEXT_CHARS :]

    def _call(self, tool: str, part: Part, *, call_id: str) -> None:
        """Take a call and what became of it."""
        session, state = self.session, state_of(part)
        call, ending = input_of(state), ending_of(state, tool=tool)
        if tool == SKILL_TOOL and (skill := as_text(call.name).strip()):
            self._use(call_id, skill, ending, state=state)
        elif tool != SKILL_TOOL and (paths := read_skills(tool, call)):
            for path in paths:
                self._use(call_id, skill_of(path), ending, path=path)
        now = session.now
        if tool != SKILL_TOOL:
            now.tools[tool] = None
        edited = edited_paths(tool, call)
        for path in edited:
            now.add_path(path, edits=True)
        if (path := touched_path(call)) and path not in edited:
            now.add_path(path, edits=False)
        self._settle(tool, call.command, state, ending, call_id=call_id)

    def _settle(self, tool: str, command: Any, state: State, ending: Ending, *, call_id: str) -> None:
        """Take what became of a call."""
        if tool == SHELL_TOOL and isinstance(command, str) and "git" in command and ending.kind in ("open", "done"):
            self.session.now.add_command(command)
        if ending.kind == "open":
            return
        by_person = ending.kind == "refused" and not self.session.entrypoint
        failed = ending.kind in ("error", "forbidden", "unknown_skill") or (ending.kind == "refused" and not by_person)
        self.session.now.end_call(failed=failed)
        if ending.kind == "aborted":
            self.session.interrupted = True
        elif by_person:
            self._refuse(tool, ending.words, call_id=call_id)
        elif tool == QUESTION_TOOL and ending.kind == "done" and (said := answers_in(state)):
            self._decide("answer", tool, said, call_id=call_id)
        elif tool == PLAN_TOOL and ending.kind in ("done", "dismissed"):
            self._decide("plan", tool, "", call_id=call_id, rejected=ending.kind == "dismissed")

    def _refuse(self, tool: str, words: str, *, call_id: str) -> None:
        """Add the person's refusal once, with the words they gave for one of the calls."""
        if self.refusal is None or (words and self.refusal.fact.text):  # type: ignore[union-attr]  # it is a turn
            self.refusal = self._decide("denial", tool, words, call_id=call_id, rejected=True)
        elif words:
            self.refusal.changes |= {"text": clip(words), "tool": tool}

    def _decide(
        self,
        channel: Literal["answer", "denial", "plan"],
        tool: str,
        text: str,
        *,
        call_id: str,
        rejected: bool = False,
    ) -> Entry:
        uuid, part = self.session.identify(self.message, self.at, about=f"{channel}:{call_id}")
        decision: Literal["", "approved", "rejected"] = (
            "rejected" if rejected else "approved" if channel == "plan" else ""
        )
        turn = TurnFact(self.number, uuid, part, microseconds(self.at), channel, clip(text), decision, tool)
        return self.session.add_turn(turn)

    def _use(self, call_id: str, skill: str, ending: Ending, *, state: State | None = None, path: str = "") -> None:
        """Begin the work of a use that a call shows."""
        session, before = self.session, self.session.now
        body = skill_body(state) if state is not None and ending.kind == "done" else None
        uuid, _ = session.identify(self.message, self.at, about=f"use:{call_id}:{path}")
        entry = session.add(
            UseFact(
                line=self.number,
                uuid=uuid,
                call_id=call_id,
                at=microseconds(self.at),
                skill_id=skill.removeprefix("/"),
                via="read" if path else "tool",
                form="skill_file" if path else "skill_tool",
                path=path,
                failed=_FAILURES.get(ending.kind, ""),
                body=body is not None,
                digest=skill_digest(body.text) if body else "",
                base_dir=body.base_dir if body else "",
                body_chars=len(body.text) if body else 0,
            )
        )
        entry.segment.model, entry.segment.last = before.model, self.at


_FAILURES: dict[str, Literal["unknown_skill", "refused", "error"]] = {
    "aborted": "error",
    "error": "error",
    "forbidden": "refused",
    "refused": "refused",
    "unknown_skill": "unknown_skill",
}
