"""The record types of a transcript that hold no message and are known."""

__all__ = ["KNOWN_TYPES"]

KNOWN_TYPES = frozenset(
    {
        "agent-name",
        "ai-title",
        "attachment",
        "bridge-session",
        "custom-title",
        "file-history-snapshot",
        "frame-link",
        "last-prompt",
        "mode",
        "permission-mode",
        "pr-link",
        "progress",
        "queue-operation",
        "relocated",
        "summary",
        "system",
        "tag",
        "tool_result",
        "tool_use",
        "worktree-state",
    }
)
"""By the name under which they are counted."""
