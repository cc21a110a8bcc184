"""One session as lines of JSON, in the shapes that the agent's versions write."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from .draws import hex_of, number, uuid_of
from .people import Project, is_late
from .skills import Skill
from .truth import Hazard, Use

__all__ = ["Transcript"]

_MODELS = ((datetime(2026, 10, 19, tzinfo=UTC), "claude-sonnet-5-20260901"), (None, "claude-opus-5-20261015"))
_LATE_LAYOUT = (2, 1, 80)
_ATTRIBUTION = (2, 1, 165)


class Transcript:
    """A session being written; each method adds records and moves the clock."""

    def __init__(self, *, key: str, project: Project, version: str, start: datetime, entrypoint: str = "cli"):
        self.key = key
        self.project = project
        self.version = version
        self.now = start
        self.entrypoint = entrypoint
        self.session_id = uuid_of(f"session {key}")
        self.lines: list[bytes] = []
        self.uses: list[Use] = []
        self.hazards: list[Hazard] = []
        self.parent: str | None = None
        self.attributed = ""
        self.window_turns = 0
        self._count = 0

    @property
    def late(self) -> bool:
        """Whether this version writes the later envelope."""
        return is_late(self.version, since=_LATE_LAYOUT)

    @property
    def line(self) -> int:
        """Number of the last line."""
        return len(self.lines)

    def hazard(self, name: str, *, line: int | None = None) -> None:
        """Note that the last record (or `line`) is such a hazard; once per session and name."""
        if all(hazard.name != name for hazard in self.hazards):
            self.hazards.append(Hazard(name=name, line=line or self.line))

    def token(self, what: str) -> str:
        """The next key for a draw of this session."""
        self._count += 1
        return f"{self.key} {what} {self._count}"

    def wait(self, seconds: float) -> str:
        """Move the clock and tell the time."""
        self.now += timedelta(seconds=seconds)
        return self.stamp()

    def stamp(self) -> str:
        """The time as the agent writes it."""
        return self.now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.now.microsecond // 1000:03d}Z"

    def write(self, record: Any, *, ascii_only: bool = False) -> None:
        """Add a value as a line of its own."""
        self.lines.append(json.dumps(record, ensure_ascii=ascii_only, separators=(",", ":")).encode())

    def record(
        self, kind: str, body: dict[str, Any], *, seconds: float, parent: str | None = None, **extra: Any
    ) -> dict[str, Any]:
        """Add an enveloped record after `seconds` and return it."""
        meta = {"userType": "external", "cwd": self.project.cwd, "sessionId": self.session_id}
        meta |= {"version": self.version, "gitBranch": "main"}
        if self.late:
            meta = {"userType": "external", "entrypoint": self.entrypoint} | meta
        elif self.entrypoint != "cli":
            meta["entrypoint"] = self.entrypoint
        own = {"type": kind, **body, **extra, "uuid": uuid_of(self.token("uuid")), "timestamp": self.wait(seconds)}
        head = {"parentUuid": parent or self.parent, "isSidechain": bool(extra.get("isSidechain"))}
        whole = head | own | meta if self.late else head | meta | own
        self.write(whole)
        self.parent = whole["uuid"]
        return whole

    # -- the agent
    def agent(self, *blocks: dict[str, Any], message: str = "", **extra: Any) -> dict[str, Any]:
        """One assistant record; records with the same `message` share id and usage, as split messages do."""
        key = message or self.token("message")
        usage = {
            "input_tokens": number(key + "i", below=12) + 1,
            "cache_creation_input_tokens": number(key + "c", below=4000),
            "cache_read_input_tokens": number(key + "r", below=60000),
            "output_tokens": number(key + "o", below=900) + 5,
        }
        body = {
            "message": {
                "model": next(name for until, name in _MODELS if until is None or self.now < until),
                "id": "msg_01" + hex_of(key, digits=22),
                "type": "message",
                "role": "assistant",
                "content": list(blocks),
                "stop_reason": None,
                "usage": usage,
            },
            "requestId": "req_011" + hex_of(key + "q", digits=20),
        }
        if self.attributed and is_late(self.version, since=_ATTRIBUTION):
            extra = {"attributionSkill": self.attributed} | extra
        record = self.record("assistant", body, seconds=4, **extra)
        if "attributionSkill" in record:
            self.hazard("attribution_skill")
        return record

    def says(self, text: str) -> dict[str, Any]:
        """The agent writes `text`."""
        return self.agent({"type": "text", "text": text})

    def call(self, tool: str, given: dict[str, Any], *, message: str = "") -> dict[str, Any]:
        """The agent calls `tool`; the block is in the record returned."""
        return self.agent(self.block(tool, given), message=message)

    def block(self, tool: str, given: dict[str, Any]) -> dict[str, Any]:
        """The block of a tool call."""
        return {"type": "tool_use", "id": self.call_id(), "name": tool, "input": given}

    def call_id(self) -> str:
        """A new id of a tool call."""
        return "toolu_01" + hex_of(self.token("call"), digits=22)

    def result(
        self,
        call: dict[str, Any],
        content: Any,
        value: Any = None,
        *,
        error: bool = False,
        beside: str = "",
        block: int = -1,
        **extra: Any,
    ) -> dict[str, Any]:
        """The result of a call; `beside` is text in the same record."""
        own = {"tool_use_id": call["message"]["content"][block]["id"], "type": "tool_result", "content": content}
        blocks: list[dict[str, Any]] = [own | ({"is_error": True} if error else {})]
        if beside:
            blocks.append({"type": "text", "text": beside})
        given = {"toolUseResult": content if value is None else value, "sourceToolAssistantUUID": call["uuid"]}
        return self.record("user", {"message": {"role": "user", "content": blocks}}, seconds=3, **given, **extra)

    # -- the person
    def person(self, content: Any, *, seconds: float = 90, parent: str | None = None, **extra: Any) -> dict[str, Any]:
        """A turn that the person typed."""
        self.window_turns += 1
        tail = {"permissionMode": "default"} if self.late else {"thinkingMetadata": {"level": "none"}, "todos": []}
        if self.line % 3 == 0 and isinstance(content, str):
            content = [{"type": "text", "text": content}]
        return self.injected(content, seconds=seconds, parent=parent, **tail, **extra)

    def injected(self, content: Any, *, seconds: float = 1, parent: str | None = None, **extra: Any) -> dict[str, Any]:
        """A user record that is no turn."""
        body = {"message": {"role": "user", "content": content}}
        return self.record("user", body, seconds=seconds, parent=parent, **extra)

    # -- skills
    def use(self, record: dict[str, Any], *, skill_id: str, via: str, digest: str = "", call_id: str = "") -> Use:
        """Note a use that stands in `record`; the window of the one before ends."""
        self.window_turns = 0
        self.attributed = skill_id
        use = Use(
            line=self.line,
            session=record["sessionId"],
            id=call_id or record["uuid"],
            skill_id=skill_id,
            via=via,
            timestamp=record["timestamp"],
            skill_digest=digest,
        )
        self.uses.append(use)
        return use

    def body(self, skill: Skill, *, version: int, args: str = "") -> dict[str, Any]:
        """The injected text of a skill."""
        text = f"Base directory for this skill: {self.project.skill_dir(skill.id)}\n\n{skill.bodies[version]}"
        text += f"\n\nARGUMENTS: {args}" if args else ""
        return self.injected([{"type": "text", "text": text}], seconds=0.004, isMeta=True)

    def skill_call(self, skill: Skill, *, version: int, given: dict[str, Any] | None = None, message: str = "") -> Use:
        """The Skill tool is called and the body comes."""
        given = given or {"skill": skill.id}
        call = self.call("Skill", given, message=message)
        if given.get("skill") != skill.id:
            self.hazard("skill_input_" + ("slash_prefix" if "skill" in given else next(iter(given))))
        use = self.use(call, skill_id=skill.id, via="tool", digest=skill.digest(version))
        self.result(call, f"Launching skill: {skill.id}", {"success": True, "commandName": skill.id})
        self.body(skill, version=version, args=str(given.get("args", "")))
        return use

    def slash(self, skill: Skill, *, version: int, args: str = "", body: bool = True) -> Use:
        """The person types the skill's slash command."""
        text = f"<command-message>{skill.id}</command-message>\n<command-name>/{skill.id}</command-name>"
        text += f"\n<command-args>{args}</command-args>" if args else ""
        record = self.injected(text, seconds=80)
        use = self.use(record, skill_id=skill.id, via="slash", digest=skill.digest(version) if body else "")
        if body:
            self.body(skill, version=version, args=args)
        return use
