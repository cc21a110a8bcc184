"""Invented transcripts for the tests, one record a line."""

import itertools
import json

SKILL_BODY = "Base directory for this skill: /home/dev/.claude/skills/tidy\n\n# Tidy\n\nSort the imports.\n"
NO = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit)."


class Transcript:
    """Records of one session, in order."""

    def __init__(self, session="s1", *, start=0, prefix="u"):
        self.session, self.prefix, self.lines = session, prefix, []
        self.clock, self.parent = itertools.count(start), None

    def add(self, record, **more):
        """A record as it is given, less what is None."""
        number = next(self.clock)
        whole = {
            "parentUuid": self.parent,
            "isSidechain": False,
            "cwd": "/home/dev/shop",
            "sessionId": self.session,
            "version": "2.1.96",
            "entrypoint": "cli",
            **record,
            "uuid": f"{self.prefix}{number}",
            "timestamp": f"2026-01-05T10:{number // 60:02d}:{number % 60:02d}.000Z",
            **more,
        }
        whole = {key: value for key, value in whole.items() if value is not None or key == "parentUuid"}
        self.parent = whole.get("uuid", self.parent)
        self.lines.append(json.dumps(whole, ensure_ascii=False))
        return self

    def user(self, content, **more):
        """A user record."""
        return self.add({"type": "user", "message": {"role": "user", "content": content}}, **more)

    def meta(self, text, **more):
        """A user record the program marks as its own."""
        return self.user([{"type": "text", "text": text}], isMeta=True, **more)

    def agent(self, *blocks, model="m1", message_id=None, usage=None, **more):
        """An agent record; a string is a text block."""
        content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
        message = {"role": "assistant", "model": model, "id": message_id, "content": content, "usage": usage}
        return self.add({"type": "assistant", "message": message}, **more)

    def call(self, name, call_id="t1", /, **given):
        """An agent record with one tool call."""
        return self.agent(tool(name, call_id, **given))

    def result(self, content="ok", call_id="t1", *, error=None, noted=None, beside=(), **more):
        """A user record with one tool result, perhaps with texts beside."""
        block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
        if error is not None:
            block["is_error"] = error
        blocks = [block, *({"type": "text", "text": text} for text in beside)]
        return self.user(blocks, **{"toolUseResult": noted, **more})

    def queue(self, operation, content=None):
        """An entry of the queue."""
        return self.add({"type": "queue-operation", "operation": operation, "content": content}, uuid=None)

    def attachment(self, kind, **fields):
        """An attachment."""
        return self.add({"type": "attachment", "attachment": {"type": kind, **fields}})

    def raw(self, line):
        """A line as it is."""
        self.lines.append(line)
        return self

    def text(self):
        """The file's text."""
        return "".join(line + "\n" for line in self.lines)


def tool(name, call_id="t1", /, **given):
    """A tool_use block."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def write(path, content):
    """Write a transcript, text or bytes to a path; return the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Transcript):
        content = content.text()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def turns(facts):
    """All turns of a file."""
    return [item for session in facts.sessions for item in session.items if type(item).__name__ == "TurnFact"]


def uses(facts):
    """All uses of a file."""
    return [item for session in facts.sessions for item in session.items if type(item).__name__ == "UseFact"]
