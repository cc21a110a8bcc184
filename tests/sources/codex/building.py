"""Invented files of Codex for the tests, one record a line."""

import itertools
import json

THREAD = "01a00000-0000-7000-8000-000000000001"
ENVIRONMENT = "<environment_context>\n  <cwd>/home/dev/shop</cwd>\n  <shell>zsh</shell>\n</environment_context>"
AGENTS_FILE = "# AGENTS.md instructions for /home/dev/shop\n\n<INSTRUCTIONS>\nNever push.\n</INSTRUCTIONS>"
ABORTED = "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>"
BODY = "---\nname: tidy\ndescription: Sorts.\n---\n\n# Tidy\n\nSort the imports.\n"
SKILL = f"<skill>\n<name>tidy</name>\n<path>/home/dev/.agents/skills/tidy/SKILL.md</path>\n{BODY}\n</skill>"


class Rollout:
    """Records of one session as Codex writes them today, in order."""

    def __init__(self, thread=THREAD, *, start=0, **meta):
        self.lines, self.clock, self.thread = [], itertools.count(start), thread
        if thread:
            self.meta(thread, **meta)

    def add(self, kind, /, **payload):
        """A record around a payload, less what is None."""
        given = {key: value for key, value in payload.items() if value is not None}
        self.lines.append(json.dumps({"timestamp": self.stamp(), "type": kind, "payload": given}, ensure_ascii=False))
        return self

    def stamp(self):
        """The next moment."""
        number = next(self.clock)
        return f"2026-01-05T10:{number // 60:02d}:{number % 60:02d}.000Z"

    def meta(self, thread=THREAD, **more):
        """What a file says of its session."""
        told = {"cwd": "/home/dev/shop", "originator": "codex-tui", "cli_version": "0.142.4", "source": "cli"}
        return self.add("session_meta", **{"id": thread, **told, **more})

    def turn(self, turn_id=None, *, model="gpt-5.5"):
        """The context of a turn."""
        return self.add("turn_context", turn_id=turn_id, cwd="/home/dev/shop", model=model)

    def item(self, kind, /, **payload):
        """An item of the conversation with the model."""
        return self.add("response_item", type=kind, **payload)

    def event(self, kind, /, **payload):
        """What the program notes beside."""
        return self.add("event_msg", type=kind, **payload)

    def given(self, *texts, role="user", image=False):
        """A message to the model."""
        parts = [{"type": "input_text", "text": text} for text in texts]
        return self.item("message", role=role, content=parts + [{"type": "input_image", "image_url": "x"}] * image)

    def told(self, text, **more):
        """The program's own record of a prompt."""
        return self.event("user_message", message=text, images=[], **more)

    def prompt(self, text):
        """A prompt as it is kept: twice."""
        return self.given(text).told(text)

    def agent(self, text):
        """What the agent says, kept twice."""
        return self.event("agent_message", message=text).item(
            "message", role="assistant", content=[{"type": "output_text", "text": text}]
        )

    def shell(self, command, call_id="call_1", **more):
        """A shell command of today."""
        arguments = json.dumps({"cmd": command, "workdir": "/home/dev/shop", **more})
        return self.item("function_call", name="exec_command", arguments=arguments, call_id=call_id)

    def patch(self, *lines, call_id="call_1"):
        """A patch."""
        text = "\n".join(["*** Begin Patch", *lines, "*** End Patch"])
        return self.item("custom_tool_call", name="apply_patch", input=text, call_id=call_id)

    def output(self, output="fine", call_id="call_1", *, code=None):
        """The output of a call, with a header where it has an exit code."""
        head = f"Chunk ID: 0a1b2c\nWall time: 0.1 seconds\nProcess exited with code {code}\nOutput:\n"
        return self.item("function_call_output", call_id=call_id, output=output if code is None else head + output)

    def tokens(self, total, last=None):
        """A count of tokens: (input, cached, output)."""
        names = ("input_tokens", "cached_input_tokens", "output_tokens")
        sums = dict(zip(names, total, strict=True)) if total else None
        lasts = dict(zip(names, last or total, strict=True))
        return self.event("token_count", info={"total_token_usage": sums, "last_token_usage": lasts})

    def raw(self, line):
        """A line as it is."""
        self.lines.append(line)
        return self

    def text(self):
        """The file's text."""
        return "".join(line + "\n" for line in self.lines)


class Flat(Rollout):
    """The same as Codex wrote it in early 2025: records without a payload around them."""

    def add(self, kind, /, **payload):
        """A record without an envelope; what only the program notes is not there."""
        if kind == "session_meta":
            self.lines.append(json.dumps({"id": payload["id"], "timestamp": self.stamp(), "instructions": None}))
        elif kind == "response_item":
            self.lines.append(json.dumps(payload))
        return self


def write(path, content):
    """Write a file, text or bytes; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Rollout):
        content = content.text()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def items(facts, kind):
    """All items of one kind in a file."""
    return [item for session in facts.sessions for item in session.items if type(item).__name__ == kind]


def turns(facts):
    """All turns of a file."""
    return items(facts, "TurnFact")


def uses(facts):
    """All uses of a file."""
    return items(facts, "UseFact")


def works(facts):
    """All work of a file."""
    return [work for session in facts.sessions for work in (session.lead, *(item.work for item in session.items))]
