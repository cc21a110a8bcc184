"""Makers of invented events and uses for the tests of the log."""

import json
import os
import signal
import warnings
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from skilltune.mining.ids import event_id
from skilltune.records import FeedbackEvent, Invocation

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def event(uuid: str = "A1", skill: str = "s1", **changes) -> FeedbackEvent:
    """An event of ten days before NOW, with `changes`."""
    values = {
        "event_id": event_id(uuid, skill),
        "timestamp": NOW - timedelta(days=10),
        "session_id": "S1",
        "skill_id": skill,
        "invocation_uuid": uuid,
        "outcome": "correction",
        "confidence": 0.9,
        "correction_type": "rejection",
        "user_message_snippet": "no, the totals are off",
        "turns_to_feedback": 1,
        "ai_tools_used": ("Edit", "Read"),
        "dimension_hint": "accuracy",
        "ruleset": "r1",
        "rule": "en.reject.off",
        "project": "/work/shop",
        "via": "tool",
    }
    return FeedbackEvent(**values | changes)


def use(uuid: str = "A1", skill: str = "s1", **changes) -> Invocation:
    """A use without an event, of ten days before NOW, with `changes`."""
    values = {
        "event_id": event_id(uuid, skill),
        "timestamp": NOW - timedelta(days=10),
        "session_id": "S1",
        "skill_id": skill,
        "invocation_uuid": uuid,
        "via": "tool",
        "reason": "no_turn",
        "turns_seen": 0,
        "project": "/work/shop",
    }
    return Invocation(**values | changes)


def rows(path: Path) -> list[dict]:
    """The objects in a log file, all lines whole."""
    content = path.read_bytes() if path.exists() else b""
    assert not content or content.endswith(b"\n")
    return [json.loads(line) for line in content.splitlines()]


def fork() -> int:
    """As ``os.fork``, without the warning about threads: none of ours holds a lock."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


SYSTEM_CALLS = ("write", "fsync", "replace", "ftruncate")


def run_killed(work: Callable[[], object], *, at: int) -> bool:
    """Run `work` in a process of its own that is killed just before its `at`-th change to the disk.

    Returns whether it was killed; False means that it ended before.
    """
    child = fork()
    if child == 0:
        failed = 1
        try:
            _count_down(at)
            work()
            failed = 0
        finally:  # never back into the test run
            os._exit(failed)
    _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    assert killed or status == 0
    return killed


def _count_down(at: int) -> None:
    left = [at]

    def killing(call):
        def counted(*args, **kwargs):
            left[0] -= 1
            if left[0] == 0:
                if call is real_write:  # half of a line reaches the disk
                    call(args[0], bytes(args[1])[: len(args[1]) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **kwargs)

        return counted

    real_write = os.write
    for name in SYSTEM_CALLS:
        setattr(os, name, killing(getattr(os, name)))
