"""The programs that can be a judge: how each is called without tools, and where in its output the answer stands.

Flags are those of the programs' own ``--help`` (claude 2.1.197, codex-cli 0.171.0, opencode 1.18.33). The prompt goes
in by standard input. Each is told to use no tools, and as far as it can not to run the person's hooks, plugins and
servers, nor to keep the session.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from skilltune.errors import JudgeFailed

__all__ = ["AGENTS", "Agent", "check_model"]

_MODEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+\[\]-]{0,199}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """A program that can be a judge."""

    name: str
    program: str
    arguments: tuple[str, ...]
    read: Callable[[str], str]
    """What it printed → the model's words; raises `JudgeFailed` (failed, format) where there are none."""
    model_flag: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables to set."""
    cleared: tuple[str, ...] = ()
    """Variables to take away."""
    adds: str = ""
    """What the program sends besides the prompt, in words."""

    def command(self, model: str) -> tuple[str, ...]:
        """Program and arguments, with `model` unless it is ''."""
        chosen = (self.model_flag, model) if model and self.model_flag else ()
        return (self.program, *self.arguments[:1], *chosen, *self.arguments[1:])


def check_model(model: str) -> bool:
    """Whether `model` can be a model's name: what any program, and a Windows command file, takes as one word."""
    return _MODEL.fullmatch(model) is not None


def read_claude(output: str) -> str:
    """The words in the envelope of ``claude -p --output-format json``."""
    try:
        envelope = json.loads(output)
    except (ValueError, RecursionError) as error:
        raise JudgeFailed("format", detail=output) from error
    if not isinstance(envelope, dict) or not isinstance(envelope.get("result", ""), str):
        raise JudgeFailed("format", detail=output)
    words = str(envelope.get("result", ""))
    if envelope.get("is_error") or envelope.get("subtype", "success") != "success":
        raise JudgeFailed("failed", detail=words or str(envelope.get("subtype", "")))
    return words


def read_codex(output: str) -> str:
    """The last message of the agent in the events of ``codex exec --json``."""
    words, fault = "", ""
    for event in _events(output):
        item = _inside(event, "item")
        if event.get("type") == "item.completed" and item.get("type") == "agent_message":
            words = str(item.get("text", ""))
        elif event.get("type") == "turn.failed":
            fault = _message(event.get("error")) or "turn failed"
        elif event.get("type") == "error":
            fault = _message(event)
    return _words_or_fault(words, fault, output)


def read_opencode(output: str) -> str:
    """The words in the text events of ``opencode run --format json``."""
    words, fault = [], ""
    for event in _events(output):
        part = _inside(event, "part")
        if event.get("type") == "text":
            words.append(str(part.get("text", "")))
        elif event.get("type") == "error":
            fault = _message(event.get("error"))
    return _words_or_fault("".join(words), fault, output)


def read_plain(output: str) -> str:
    """What a program of the person's own printed."""
    return output


AGENTS: Final[Mapping[str, Agent]] = {
    agent.name: agent
    for agent in (
        Agent(
            name="claude",
            program="claude",
            arguments=("-p", "--output-format", "json", "--tools", "", "--safe-mode", "--no-session-persistence"),
            model_flag="--model",
            read=read_claude,
            # a claude that finds these takes itself for a part of the session it was started from
            cleared=("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT"),
            adds="its own instructions; no tools, hooks, servers, CLAUDE.md",
        ),
        Agent(
            name="codex",
            program="codex",
            # features by -c, for --disable fails on a version that does not know one
            arguments=(
                *("exec", "--json", "--sandbox", "read-only", "--skip-git-repo-check", "--ephemeral"),
                *("--color", "never", "--ignore-user-config", "--ignore-rules", "-c", "web_search=disabled"),
                *("-c", "project_doc_max_bytes=0"),
                *(
                    word
                    for feature in (
                        *("shell_tool", "unified_exec", "multi_agent", "goals", "apps"),
                        *("view_image", "plugins", "hooks", "image_generation"),
                    )
                    for word in ("-c", f"features.{feature}=false")
                ),
                "-",
            ),
            model_flag="--model",
            read=read_codex,
            adds="its own instructions and your own AGENTS.md; no shell, web, servers, settings of yours",
        ),
        Agent(
            name="opencode",
            program="opencode",
            arguments=(
                *("run", "--format", "json", "--pure", "--title", "skilltune-judge"),
                *("--agent", "skilltune-judge"),
            ),
            model_flag="--model",
            read=read_opencode,
            environment={
                "OPENCODE_CONFIG_CONTENT": json.dumps(
                    {
                        "share": "disabled",
                        "agent": {
                            "skilltune-judge": {
                                "mode": "primary",
                                "prompt": "You label turns as the message says. You have no tools.",
                                "permission": {"*": "deny"},
                            }
                        },
                    }
                )
            },
            adds="a line of instruction, AGENTS.md (yours, the project's); no tools, no sharing; it keeps the session",
        ),
    )
}
"""By name; any other program is called as the person gives it, and prints JSON."""


def _events(output: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects in a stream of lines; others (warnings) are passed over."""
    for line in output.splitlines():
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict):
            yield event


def _message(error: Any) -> str:
    """The message somewhere in an error."""
    if not isinstance(error, dict):
        return str(error or "")
    return str(_inside(error, "data").get("message") or error.get("message") or error.get("name") or "")


def _inside(event: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The object at `name`, an empty one where there is none."""
    found = event.get(name)
    return found if isinstance(found, dict) else {}


def _words_or_fault(words: str, fault: str, output: str) -> str:
    if words.strip():
        return words
    if fault:
        raise JudgeFailed("failed", detail=fault)
    if output.strip() and not any(True for _ in _events(output)):
        raise JudgeFailed("format", detail=output)
    return words
