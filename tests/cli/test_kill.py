"""A run that is killed at any moment leaves a log that reads back whole."""

import json
import random
import time

from skilltune.stores.feedback import FeedbackLog
from tests.cli.forking import run_command


def _many_sessions(machine, talk) -> None:
    for number in range(60):
        name = f"s{number:03}"
        answer = ("No, that is wrong.", "looks good, thanks!", "Please undo that.")[number % 3]
        day = f"2026-{6 + number // 20:02}-{1 + number % 20:02}"
        machine.session(name, talk(name, answer, day=day))


def test_mine_killed_at_random_moments_is_completed_by_a_rerun(machine, talk):
    """Twenty kills at moments spread over a run: no line is torn or lost, and one more run completes the log."""
    _many_sessions(machine, talk)
    machine.run("mine", "--output", machine.cwd / "whole" / "feedback.jsonl")
    whole = FeedbackLog(machine.cwd / "whole" / "feedback.jsonl").read()
    assert len(whole.events) == 60

    begun = time.monotonic()
    machine.run("mine", "--output", machine.cwd / "timed" / "feedback.jsonl")
    length = time.monotonic() - begun
    moments = random.Random(7)
    killed = machine.cwd / "killed" / "feedback.jsonl"
    ended = []
    for _ in range(20):
        moment = moments.uniform(0.05, 1.0) * length
        call = ("mine", "--output", str(killed))
        done = run_command(*call, cwd=machine.cwd, environment=machine.environment(), killed_after=moment)
        ended.append(done.returncode)
        found = FeedbackLog(killed).read()
        assert not found.problems
        assert len({event.event_id for event in found.events}) == len(found.events)

    assert min(ended) < 0
    machine.run("mine", "--output", killed)
    assert {event.event_id for event in FeedbackLog(killed).read().events} == {e.event_id for e in whole.events}
    for path in (killed, *killed.parent.glob("archive/*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert json.loads(line)["event_id"]
