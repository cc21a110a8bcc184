"""Invented payloads of each event, with the fields that Claude Code documents for it."""

from typing import Any

__all__ = ["payload"]

_COMMON = {
    "session_id": "5f0c2a7e-1111-4222-8333-944455556666",
    "transcript_path": "/nowhere/5f0c2a7e.jsonl",
    "cwd": "/nowhere/project",
    "permission_mode": "default",
}
_EVENTS: dict[str, dict[str, Any]] = {
    "UserPromptSubmit": {"prompt": "make the tests of the parser faster"},
    "PostToolUse": {
        "tool_name": "Skill",
        "tool_input": {"skill": "tidy-tests", "args": "parser"},
        "tool_response": {"success": True, "commandName": "tidy-tests"},
        "tool_use_id": "toolu_01",
    },
    "PostToolUseFailure": {
        "tool_name": "Bash",
        "tool_input": {"command": "npm test", "description": "Run the tests"},
        "tool_use_id": "toolu_02",
        "error": "Command exited with non-zero status code 1",
        "is_interrupt": False,
    },
    "Stop": {"stop_hook_active": False},
    "SessionEnd": {"reason": "prompt_input_exit"},
}


def payload(event: str, **fields: Any) -> dict[str, Any]:
    """The payload of an event; `fields` come on top."""
    return {**_COMMON, "hook_event_name": event, **_EVENTS[event], **fields}
