"""A log whose writers are killed at any moment, or come in any order, loses nothing and counts nothing twice."""

import os
import random
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltune.stores.feedback import FeedbackLog, Scope
from tests.stores.makers import NOW, event, run_killed, use

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

ACCEPTED = {"outcome": "acceptance", "confidence": 0.8, "correction_type": None, "dimension_hint": None}
OLD = {"timestamp": NOW - timedelta(days=120)}
SCOPE = Scope(frozenset({("S1", "")}))
EVENTS = [event("A1"), event("A2", **OLD), event("A3", **OLD), event("G1", session_id="S9", **OLD), event("A4")]
USES = [use("U1"), use("U2", session_id="S9")]
CHANGED = [event("A1", **ACCEPTED), event("A2", **OLD, **ACCEPTED), event("A5"), event("U1")]
"""A1 and A2 changed, A3 became a use, A4 is not found any more, A5 is new, U1 got a verdict."""
CHANGED_USES = [use("A3", **OLD), use("U3")]


def _state(log: FeedbackLog) -> dict[str, str]:
    """Event id → outcome or reason of each use that readers see; each is seen once."""
    contents = log.read()
    seen = [(e.event_id, e.outcome) for e in contents.events] + [(u.event_id, u.reason) for u in contents.uses]
    assert len(dict(seen)) == len(seen)
    return dict(seen)


def _filled(folder: Path, *, archived: bool) -> FeedbackLog:
    log = FeedbackLog(folder / "feedback.jsonl")
    log.update(EVENTS, USES)
    if archived:
        log.archive(NOW)
    return log


WORK: dict[str, Callable[[FeedbackLog], object]] = {
    "update": lambda log: log.update(CHANGED, CHANGED_USES),
    "overwrite": lambda log: log.overwrite(CHANGED, CHANGED_USES, scope=SCOPE),
    "overwrite without text": lambda log: log.overwrite(CHANGED, CHANGED_USES, scope=SCOPE, snippets=False),
    "archive": lambda log: log.archive(NOW),
    "scrub": lambda log: log.scrub(),
}


@pytest.mark.parametrize("archived", [False, True], ids=["live", "archived"])
@pytest.mark.parametrize("name", WORK)
def test_kill_at_each_step(tmp_path, name, archived):
    """Killed before any change to the disk, readers see each use once, old or new; a second run completes it."""
    work = WORK[name]
    wanted = _filled(tmp_path / "wanted", archived=archived)
    before = _state(wanted)
    work(wanted)
    after = _state(wanted)
    for at in range(1, 60):
        log = _filled(tmp_path / str(at), archived=archived)
        killed = run_killed(lambda log=log: work(log), at=at)
        between = _state(log)
        assert before.keys() & after.keys() <= between.keys() <= before.keys() | after.keys()
        assert all(between[i] in {before.get(i), after.get(i)} for i in between)
        work(log)
        assert _state(log) == after
        if not killed:
            break
    assert not killed
    assert at > 3 or (name == "archive" and archived)


def test_kill_archive_then_archive_again_moves_each_line_once(tmp_path):
    """After a kill between the archive's copy and the log's, the second run leaves one copy of each line."""
    for at in range(1, 20):
        log = _filled(tmp_path / str(at), archived=False)
        killed = run_killed(lambda log=log: log.archive(NOW), at=at)
        log.archive(NOW)
        lines = [line for path in log.path.parent.rglob("feedback*.jsonl") for line in path.read_bytes().splitlines()]
        assert len(lines) == len(set(lines)) == len(EVENTS)
        if not killed:
            break
    assert not killed


def test_readers_during_archive_see_every_event(tmp_path):
    """While another process archives and mines, a reader finds every event every time."""
    log = FeedbackLog(tmp_path / "feedback.jsonl")
    events = [event(f"A{i}", timestamp=NOW - timedelta(days=91 + i % 9)) for i in range(40)]
    log.update(events, [])
    child = os.fork()
    if child == 0:
        for day in range(12):
            log.archive(NOW - timedelta(days=10 - day))
        os._exit(0)
    counts = {len(log.read().events)}
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        counts.add(len(log.read().events))
    assert counts == {40}
    assert len(list(log.archive_folder.iterdir())) == 9


# any sequence --------------------------------------------------------------------------------------------------------

_IDS = ["A", "B", "C", "D", "E"]
_STATES = st.dictionaries(st.sampled_from(_IDS), st.sampled_from(["correction", "acceptance", "none"]))
_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["update", "overwrite", "archive", "scrub", "mangle"]),
        _STATES,
        st.booleans(),
        st.integers(0, 12),
        st.randoms(use_true_random=False),
    ),
    max_size=7,
)


def _records(found: dict[str, str], shuffle: random.Random):
    """What a run hands over for id → outcome, in any order; A and B are old, E's transcript is gone."""
    place = {"A": OLD, "B": OLD, "E": {"session_id": "S9"}}
    events, uses = [], []
    for uuid, outcome in found.items():
        if outcome == "none":
            uses.append(use(uuid, reason="none", **place.get(uuid, {})))
        else:
            events.append(event(uuid, **place.get(uuid, {}), **({} if outcome == "correction" else ACCEPTED)))
    shuffle.shuffle(events)
    shuffle.shuffle(uses)
    return events, uses


def _model(expected: dict[str, str], name: str, found: dict[str, str]) -> dict[str, str]:
    """What readers should see after a step."""
    if name == "update":
        return expected | found
    if name == "overwrite":
        return {uuid: outcome for uuid, outcome in expected.items() if uuid == "E"} | found
    return expected


def _apply(log: FeedbackLog, name: str, found, *, snippets: bool, shuffle: random.Random) -> None:
    if name == "update":
        log.update(*_records(found, shuffle), snippets=snippets)
    elif name == "overwrite":
        log.overwrite(*_records(found, shuffle), scope=SCOPE, snippets=snippets)
    elif name == "archive":
        log.archive(NOW)
    elif name == "scrub":
        log.scrub()
    else:
        _mangle(log, shuffle)


def _mangle(log: FeedbackLog, shuffle: random.Random) -> None:
    """What other tools and old kills do: lines in another order, twice, a cut one at the end."""
    for path in (log.path, log.uses_path):
        if path.exists():
            whole = [line for line in path.read_bytes().splitlines() if line.endswith(b"}")]
            chained = [line for line in whole if b'"supersedes": ""' not in line] or whole
            lines = whole + shuffle.sample(chained, min(1, len(chained)))
            if len(chained) == len(whole) or not chained:
                shuffle.shuffle(lines)
            path.write_bytes(b"".join(line + b"\n" for line in lines) + b'{"event_id": "cut')


@settings(max_examples=60)
@given(steps=_STEPS)
def test_any_sequence_keeps_every_use_once(steps):
    """After any steps, with kills between: each use once, with its last outcome; each step again changes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        log = FeedbackLog(Path(folder) / "feedback.jsonl")
        expected: dict[str, str] = {}
        for name, found, snippets, kill_at, shuffle in steps:
            work = lambda: _apply(log, name, found, snippets=snippets, shuffle=shuffle)  # noqa: B023, E731
            if kill_at and name != "mangle":
                run_killed(work, at=kill_at)
            work()
            expected = _model(expected, name, found)
            seen = {
                **{e.invocation_uuid: e.outcome for e in log.read().events},
                **{u.invocation_uuid: u.reason for u in log.read().uses},
            }
            assert seen == expected
            _state(log)
            if name != "mangle":
                files = {path: path.read_bytes() for path in Path(folder).rglob("*.jsonl")}
                work()
                assert {path: path.read_bytes() for path in Path(folder).rglob("*.jsonl")} == files
