"""Words for why sessions and signs of use were left out, where people read it."""

from collections.abc import Mapping
from typing import Final

from skilltune.cli.output import safe
from skilltune.rendering.terminal import count_words

__all__ = ["left_out_lines", "left_out_words"]

_REASONS: Final = {
    "session_temporary": ("session", "in a temporary folder: nobody's work"),
    "session_pytest": ("session", "in a test's temporary folder: nobody's work"),
    "session_observer": ("session", "of a program that watches others"),
    "session_scripted": ("session", "run by a program (claude -p, codex exec …); --scripted takes them in"),
    "session_own_run": ("session", "of skilltune's own judge"),
    "use_builtin_command": ("command", "of the agent itself, no skill"),
    "use_ambiguous": ("$name", "in a prompt, without the skill's text: perhaps no skill"),
    "use_mention": ("skill", "named in a sentence, not used"),
    "use_part_of_use": ("further sign", "of a use that is counted"),
    "use_read_failed": ("reading", "of a skill that failed"),
    "use_authoring": ("reading", "of a skill that the session itself writes"),
    "use_copied": ("use", "copied from another session, counted there"),
    "use_future": ("use", "dated in the future"),
    "use_owner_left_out": ("use", "of a session that is left out"),
}
"""Reason → what is left out, and why."""


def left_out_words(reason: str, count: int) -> str:
    """``74 sessions in a temporary folder: nobody's work``; a reason without words as it is called."""
    noun, why = _REASONS.get(reason, ("", ""))
    return f"{count_words(count, noun)} {why}" if noun else f"{count:,} {safe(reason.replace('_', ' '))}"


def left_out_lines(counts: Mapping[str, int]) -> list[str]:
    """A line for each reason, the most frequent first, numbers below each other."""
    lines = []
    for reason, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        number, _, words = left_out_words(reason, count).partition(" ")
        lines.append(f"  {number:>9}  {words}")
    return lines
