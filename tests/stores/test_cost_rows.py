"""What the log keeps of cost and of the skill's folder: once, for good, and older logs are read."""

import json
from dataclasses import replace

import pytest

from skilltune.records import COST_FIELDS
from skilltune.stores.feedback import FeedbackLog, Scope, UpdateCounts
from skilltune.stores.rows import row_digest
from tests.stores.makers import event, rows, use

COST = {
    "tokens_input": 12,
    "tokens_output": 3_400,
    "tokens_cache_read": 56_000_000,
    "tokens_cache_write": 0,
    "subagent_tokens": 900,
    "wall_seconds": 95.25,
    "idle_seconds": 0.0,
}
FOLDER = "/home/dev/.claude/skills/tidy"
NEW = ("base_directory", "retried", *COST_FIELDS)
SCOPE = Scope(frozenset({"A1", "U1"}))


@pytest.fixture
def log(tmp_path):
    """An empty log."""
    return FeedbackLog(tmp_path / "feedback.jsonl")


@pytest.fixture
def old_log(log):
    """The log of a version that knew of neither: an event and a use."""
    log.update([event("A1")], [use("U1")])
    for path in (log.path, log.uses_path):
        old = [{name: value for name, value in row.items() if name not in NEW} for row in rows(path)]
        path.write_text("".join(json.dumps(row) + "\n" for row in old), encoding="utf-8")
    return log


def told(**changes):
    """An event and a use with all that there is to say."""
    fields = {"base_directory": FOLDER, "retried": True} | COST | changes
    return [event("A1", **fields)], [use("U1", **fields)]


def costs(record):
    """What a record says of its cost."""
    return {name: getattr(record, name) for name in COST_FIELDS}


def test_cost_and_folder_come_back(log):
    """What is written is read back, for events and uses, also for the uses behind events."""
    events, uses = told()
    log.update(events, uses)
    contents = log.read()
    assert (contents.events, contents.uses, contents.problems) == (events, uses, [])
    for record in (*contents.events, *contents.invocations):
        assert (costs(record), record.base_directory, record.retried) == (COST, FOLDER, True)


def test_older_log_is_read_as_unknown(old_log):
    """A row without the fields has no cost and no folder, and nothing is odd about it."""
    contents = old_log.read()
    assert contents.problems == []
    for record in (*contents.events, *contents.uses):
        assert (set(costs(record).values()), record.base_directory, record.retried) == ({None}, "", False)


def test_older_log_takes_the_fields_once(old_log):
    """The first run adds them in new lines, the next run nothing; no use is lost or counted twice."""
    before = rows(old_log.path)
    events, uses = told()
    assert old_log.update(events, uses) == UpdateCounts(unchanged=1, completed=2)
    assert old_log.update(events, uses) == UpdateCounts(unchanged=1)
    contents = old_log.read()
    assert ([replace(record, supersedes="") for record in contents.events], contents.uses) == (events, uses)
    after = rows(old_log.path)
    assert after[:1] == before
    assert [row["supersedes"] for row in after[1:]] == [row_digest(before[0])]


def test_older_log_is_left_alone_where_nothing_is_known(old_log):
    """A run that knows no cost either writes no line for the sake of an empty field."""
    before = old_log.path.read_bytes(), old_log.uses_path.read_bytes()
    assert old_log.update([event("A1")], [use("U1")]) == UpdateCounts(unchanged=1)
    assert (old_log.path.read_bytes(), old_log.uses_path.read_bytes()) == before


@pytest.mark.parametrize(
    "less", [{}, {"subagent_tokens": 0} | {name: COST[name] for name in COST_FIELDS if name != "subagent_tokens"}]
)
def test_cost_survives_files_that_are_gone(log, less):
    """Where tokens, folder or the sub-agents' files can no longer be told, the log's figures stay."""
    log.update(*told())
    assert log.update([event("A1", **less)], [use("U1", **less)]) == UpdateCounts(unchanged=1)
    changed = [event("A1", ruleset="r2", **less)], [use("U1", turns_seen=1, **less)]
    assert log.update(*changed) == UpdateCounts(updated=1, uses=1)
    for record in (*log.read().events, *log.read().uses):
        assert (costs(record), record.base_directory) == (COST, FOLDER)


def test_cost_survives_a_rebuild(log):
    """An overwrite from transcripts that say less keeps it, too."""
    log.update(*told())
    log.overwrite([event("A1", ruleset="r2")], [use("U1")], scope=SCOPE)
    for record in (*log.read().events, *log.read().uses):
        assert (costs(record), record.base_directory) == (COST, FOLDER)


def test_more_sub_agents_than_the_log_knew_are_written(log):
    """A sub-agent that was still at work at the last run counts with the next."""
    log.update(*told())
    assert log.update(*told(subagent_tokens=901)) == UpdateCounts(unchanged=1, completed=2)
    assert [record.subagent_tokens for record in log.read().events] == [901]


def test_a_use_decided_earlier_costs_less(log):
    """Other rules may end the stretch earlier: then the new figures count, those of sub-agents too."""
    log.update(*told())
    log.update(*told(tokens_output=3, subagent_tokens=10))
    assert [(record.tokens_output, record.subagent_tokens) for record in log.read().uses] == [(3, 10)]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tokens_input", -1),
        ("tokens_output", 1.5),
        ("tokens_cache_read", 10**13),
        ("tokens_cache_write", True),
        ("subagent_tokens", "many"),
        ("wall_seconds", float("nan")),
        ("wall_seconds", float("inf")),
        ("idle_seconds", -0.5),
        ("base_directory", 7),
        ("retried", "yes"),
    ],
)
def test_odd_values_count_as_missing(log, field, value):
    """A number that is none is reported, the event counts, and the next run mends it."""
    events, _ = told()
    log.update(events, [])
    (row,) = rows(log.path)
    log.path.write_text(json.dumps(row | {field: value}) + "\n", encoding="utf-8")
    contents = log.read()
    assert getattr(contents.events[0], field) in (None, "", False)
    assert contents.problem_counts == {f"odd_{field}": 1}
    assert log.update(events, []) == UpdateCounts(unchanged=1, completed=1)
    assert [replace(record, supersedes="") for record in log.read().events] == events
