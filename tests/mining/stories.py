"""Facts of invented sessions, told step by step: a use, what the agent did, what the person typed."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from msgspec import structs

from skilltune.facts import CommandFact, FileFacts, Item, SessionFacts, Tokens, TurnFact, UseFact, Work
from skilltune.mining import MinedRecords, mine_sessions

AS_OF = datetime(2026, 11, 30, tzinfo=UTC)
START = int(datetime(2026, 11, 20, tzinfo=UTC).timestamp() * 1_000_000)
MINUTE = 60_000_000


@dataclass
class Step:
    """One step of a story; `item` makes an item of it, else it is work of the item before."""

    item: str = ""
    fields: dict[str, Any] = field(default_factory=dict)


def skill(skill_id: str = "s1", **fields: Any) -> Step:
    """The Skill tool is called."""
    return Step("use", {"skill_id": skill_id, "via": "tool", "form": "skill_tool"} | fields)


def slash(skill_id: str, *, form: str = "message_first", **fields: Any) -> Step:
    """A slash command is typed."""
    return Step("use", {"skill_id": skill_id, "via": "slash", "form": form} | fields)


def dollar(skill_id: str, **fields: Any) -> Step:
    """A prompt names a skill as ``$name``; the prompt itself is a turn before it."""
    return Step("use", {"skill_id": skill_id, "via": "slash", "form": "dollar", "call_id": ""} | fields)


def subtask(skill_id: str, **fields: Any) -> Step:
    """The person has a command run by a sub-agent; its prompt is always there."""
    return Step("use", {"skill_id": skill_id, "via": "slash", "form": "subtask", "body": True} | fields)


def reads(path: str, **fields: Any) -> Step:
    """The agent reads a skill's file."""
    parts = path.replace("\\", "/").split("/")
    return Step("use", {"skill_id": parts[-2], "via": "read", "form": "skill_file", "path": path} | fields)


def says(text: str, **fields: Any) -> Step:
    """The person types."""
    return Step("turn", {"text": text, "channel": "message"} | fields)


def tools(*tools: str, edited: tuple[str, ...] = (), touched: tuple[str, ...] = (), failed: bool = False) -> Step:
    """The agent calls tools."""
    return Step("", {"tools": tools, "edited": edited, "touched": touched, "ended_in_error": failed})


def shell(command: str) -> Step:
    """The agent runs a shell command."""
    return Step("", {"tools": ("Bash",), "commands": (command,)})


def agent(said: str, *, attributed: str = "") -> Step:
    """The agent writes."""
    return Step("", {"said": said, "attributed": attributed})


def spends(number: int = 0, *, aside: int = 0, ended: float | None = None) -> Step:
    """The agent spends tokens, sub-agents in the same file others; `ended`: its last record, in minutes from START."""
    at = None if ended is None else START + int(ended * MINUTE)
    return Step("", {"tokens": Tokens(input=number), "aside": Tokens(output=aside), "ended": at})


def typed(command: str) -> Step:
    """The person runs a shell command themselves."""
    return Step("command", {"command": command})


def session(*steps: Step, session_id: str = "s", copied_until: int = 0, **fields: Any) -> SessionFacts:
    """The facts of a story; the first `copied_until` items belong to another file."""
    items: list[Item] = []
    lead = Work()
    for number, step in enumerate(steps, 1):
        if step.item:
            items.append(_item(step, number, copied=len(items) < copied_until))
        elif items:
            items[-1] = structs.replace(items[-1], work=_more(items[-1].work, step))
        else:
            lead = _more(lead, step)
    return SessionFacts(
        session_id=session_id,
        path=fields.pop("path", f"/logs/{session_id}.jsonl"),
        agent=fields.pop("agent", "claude-code"),
        lead=lead,
        items=tuple(items),
        **fields,
    )


def mine(*sessions: SessionFacts, **options: Any) -> MinedRecords:
    """What is mined of sessions that stand in a file each."""
    files = [FileFacts(one.path, sessions=(one,)) for one in sessions]
    return mine_sessions(lambda: files, as_of=options.pop("as_of", AS_OF), **options)


def verdict_of(*steps: Step, skill_id: str = "s1") -> str:
    """The event of the use of a skill as ``outcome/kind@turn``, or ``none``."""
    events = [event for event in mine(session(*steps)).events if event.skill_id == skill_id]
    if not events:
        return "none"
    (event,) = events
    kind = event.correction_type or ("implicit" if event.rule.startswith("implicit") else "explicit")
    return f"{event.outcome}/{kind}@{event.turns_to_feedback}"


def _item(step: Step, number: int, *, copied: bool) -> Item:
    common = {"line": number, "uuid": f"u{number}", "at": START + number * MINUTE, "copied": copied}
    fields = common | step.fields
    if step.item == "use":
        return UseFact(**({"call_id": f"c{number}"} | fields))
    return TurnFact(**({"part": 0} | fields)) if step.item == "turn" else CommandFact(**fields)


def _more(work: Work, step: Step) -> Work:
    new = step.fields
    return Work(
        tools=(*work.tools, *(tool for tool in new.get("tools", ()) if tool not in work.tools)),
        edited=(*work.edited, *new.get("edited", ())),
        touched=(*work.touched, *new.get("touched", ())),
        commands=(*work.commands, *new.get("commands", ())),
        ended_in_error=new.get("ended_in_error", work.ended_in_error),
        said=new.get("said", work.said),
        attributed=new.get("attributed", "") or work.attributed,
        model=new.get("model") or work.model,
        tokens=_sum(work.tokens, new.get("tokens")),
        ended=new.get("ended") or work.ended,
        aside=_sum(work.aside, new.get("aside")),
    )


def _sum(one: Tokens, other: Tokens | None) -> Tokens:
    return Tokens(one.input + other.input, one.output + other.output) if other else one
