"""A log whose writers are killed at any moment, or come in any order, loses nothing and counts nothing twice."""

import os
import random
import tempfile
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.stores.feedback import FeedbackLog, Scope
from tests.stores.makers import NOW, event, fork, rows, run_killed, use

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

ACCEPTED = {"outcome": "acceptance", "confidence": 0.8, "correction_type": None, "dimension_hint": None}
OLD = {"timestamp": NOW - timedelta(days=120)}
SCOPE = Scope(frozenset({*"ABCD", "A1", "A2", "A3", "A4", "A5", "U1", "U3"}))
"""All but E, G1 and U2, whose transcript is gone."""
EVENTS = [event("A1"), event("A2", **OLD), event("A3", **OLD), event("G1", session_id="S9", **OLD), event("A4")]
USES = [use("U1"), use("U2", session_id="S9")]
CHANGED = [event("A1", **ACCEPTED), event("A2", **OLD, **ACCEPTED), event("A5"), event("U1")]
"""A1 and A2 changed, A3 became a use, A4 is not found any more, A5 is new, U1 got a verdict."""
CHANGED_USES = [use("A3", **OLD), use("U3")]


def _outcomes(log: FeedbackLog) -> dict[str, str]:
    """Uuid → outcome or reason, as readers see them; each use is seen once."""
    contents = log.read()
    seen = [(e.invocation_uuid, e.outcome) for e in contents.events]
    seen += [(u.invocation_uuid, u.reason) for u in contents.uses]
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
    before = _outcomes(wanted)
    work(wanted)
    after = _outcomes(wanted)
    for at in range(1, 60):
        log = _filled(tmp_path / str(at), archived=archived)
        killed = run_killed(lambda log=log: work(log), at=at)
        between = _outcomes(log)
        assert before.keys() & after.keys() <= between.keys() <= before.keys() | after.keys()
        assert all(between[i] in {before.get(i), after.get(i)} for i in between)
        work(log)
        assert _outcomes(log) == after
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
    child = fork()
    if child == 0:
        for day in range(12):
            log.archive(NOW - timedelta(days=10 - day))
        os._exit(0)
    counts = {len(log.read().events)}
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        counts.add(len(log.read().events))
    assert counts == {40}
    assert len(list(log.archive_folder.iterdir())) == 9


def test_update_from_many_processes_at_once(tmp_path):
    """Runs that find the same at the same time write each event once."""
    path, events = tmp_path / "feedback.jsonl", [event(f"A{i}") for i in range(30)]
    children = []
    for n in range(8):
        child = fork()
        if child == 0:
            try:
                FeedbackLog(path).update(events[n * 2 :], [use(f"U{i}") for i in range(n, 10)])
            finally:
                os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 8
    assert len(rows(path)) == 30
    assert len(rows(path.with_name("uses.jsonl"))) == 10


# any sequence --------------------------------------------------------------------------------------------------------

_IDS = ["A", "B", "C", "D", "E"]
_STATES = st.dictionaries(st.sampled_from(_IDS), st.sampled_from(["correction", "acceptance", "none"]))
_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["update", "overwrite", "archive", "scrub", "mangle"]),
        _STATES,
        st.booleans(),
        st.integers(0, 12),
        st.integers(0, 99),
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


def _apply(log: FeedbackLog, name: str, found, *, snippets: bool, seed: int) -> None:
    shuffle = random.Random(seed)
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
    """What careless copying and old kills do: lines in another order, one of them twice, a cut one at the end."""
    for path in (log.path, log.uses_path):
        if path.exists():
            lines = [line for line in path.read_bytes().splitlines() if line.endswith(b"}")]
            lines += shuffle.sample(lines, min(1, len(lines)))
            shuffle.shuffle(lines)
            path.write_bytes(b"".join(line + b"\n" for line in lines) + b'{"event_id": "cut')


@given(steps=_STEPS)
def test_any_sequence_keeps_every_use_once(steps):
    """After any steps, with kills between: each use once, with its last outcome; each step again changes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        log = FeedbackLog(Path(folder) / "feedback.jsonl")
        expected: dict[str, str] = {}
        for name, found, snippets, kill_at, seed in steps:
            work = partial(_apply, log, name, found, snippets=snippets)
            if kill_at and name != "mangle":
                run_killed(partial(work, seed=seed), at=kill_at)
            work(seed=seed + 1)
            expected = _model(expected, name, found)
            assert _outcomes(log) == expected
            if name != "mangle":
                files = {path: path.read_bytes() for path in Path(folder).rglob("*.jsonl")}
                work(seed=seed + 2)
                assert {path: path.read_bytes() for path in Path(folder).rglob("*.jsonl")} == files
