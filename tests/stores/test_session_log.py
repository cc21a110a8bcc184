"""What whole sessions cost, as the feedback log keeps it."""

import json
from datetime import timedelta
from pathlib import Path

import pandas as pd
import pytest

from skilltune.analysis.cost import skill_cost
from skilltune.errors import CollectionDisabled
from skilltune.records import SessionCost
from skilltune.sample import sample_end, sample_root
from skilltune.stores.feedback import FeedbackLog, Scope
from skilltune.stores.tables import read_tables
from skilltune.workflow import collect
from tests.stores.makers import NOW, event, rows, run_killed, use

SCOPE = Scope(frozenset({"A1", "U1"}))


def session(name: str = "S1", *, tokens: int = 900, below: int | None = 40, **changes) -> SessionCost:
    """A session of an hour, with so many tokens of its own and of its sub-agents, no use charged yet."""
    values = {
        "session_id": name,
        "agent": "claude-code",
        "project": "/work/shop",
        "model": "m",
        "started": NOW - timedelta(days=10),
        "ended": NOW - timedelta(days=10) + timedelta(hours=1),
        "turns": 4,
        "uses": 0,
        "tokens_input": tokens,
        "tokens_output": 0,
        "tokens_cache_read": 0,
        "tokens_cache_write": 0,
        "subagent_tokens": below,
        "tokens": tokens,
        "tokens_with_subagents": tokens + (below or 0),
        "unattributed_tokens": tokens,
        "unattributed_subagent_tokens": below,
        "subagents": 1,
        "wall_seconds": 3600.5,
        "idle_seconds": 0.0,
        "available": 12,
    }
    return SessionCost(**values | changes)


def grown(**changes) -> SessionCost:
    """The same session an hour later."""
    return session(**{"tokens": 1_500, "ended": NOW - timedelta(days=10) + timedelta(hours=2), "turns": 7} | changes)


@pytest.fixture
def log(tmp_path) -> FeedbackLog:
    """A log with a judged use of 100 tokens and a session."""
    log = FeedbackLog(tmp_path / "feedback.jsonl")
    cost = dict.fromkeys(("tokens_output", "tokens_cache_read", "tokens_cache_write"), 0)
    log.update([event("A1", tokens_input=100, subagent_tokens=10, **cost)], [use("U1")], sessions=[session()])
    return log


def kept(log: FeedbackLog) -> list[SessionCost]:
    """What the log says of sessions."""
    found = log.read_sessions()
    assert found is not None
    return found.sessions


def test_sessions_come_back_and_are_written_once(log):
    """What was written is read; a second run with the same adds nothing."""
    before = log.sessions_path.read_bytes()
    log.update([event("A1")], [], sessions=[session()])
    assert log.sessions_path.read_bytes() == before
    assert kept(log) == [session()]
    assert log.sessions_path.name == "sessions.jsonl"


def test_sessions_are_charged_with_the_uses_of_the_log(log):
    """The table says what no use is charged with, and how many uses there were."""
    table = read_tables(log).sessions
    assert table is not None
    [row] = table.to_dict("records")
    assert (row["tokens"], row["unattributed_tokens"], row["unattributed_subagent_tokens"]) == (900, 800, 30)
    assert row["uses"] == 2


def test_session_that_went_on_replaces_its_row_on_reading(log):
    """The older line stays in the file."""
    log.update([], [], sessions=[grown(), session("S2")])
    assert kept(log) == [grown(), session("S2")]
    assert [row["tokens_input"] for row in rows(log.sessions_path)] == [900, 1_500, 900]


@pytest.mark.parametrize(
    "less",
    [
        {"tokens": 1_499},
        {"ended": NOW - timedelta(days=11), "tokens": 2_000},
        {"started": NOW - timedelta(days=9), "tokens": 2_000},
        {"subagents": 0, "below": None},
        {"subagents": 0, "below": 3},
    ],
)
def test_run_that_saw_less_takes_nothing_back(log, less):
    """Files of the session, or of its sub-agents, are gone: what was known stays."""
    log.update([], [], sessions=[grown()])
    before = log.sessions_path.read_bytes()
    log.update([], [], sessions=[grown(**less)])
    assert log.sessions_path.read_bytes() == before
    assert kept(log) == [grown()]


def test_rebuild_counts_anew_and_keeps_what_it_could_not_find(log):
    """One line a session: the same session may cost less by better rules; one whose transcript is gone stays."""
    log.update([], [], sessions=[grown(), session("S2")])
    log.overwrite([event("A1")], [use("U1")], scope=SCOPE, sessions=[grown(tokens=1_400)])
    assert kept(log) == [grown(tokens=1_400), session("S2")]
    assert len(rows(log.sessions_path)) == 2


def test_log_of_an_older_version_does_not_know_sessions(tmp_path):
    """It is read as before; the next run adds the file."""
    log = FeedbackLog(tmp_path / "feedback.jsonl")
    log.update([event("A1")], [])
    assert log.read_sessions() is None
    assert read_tables(log).sessions is None
    log.update([event("A1")], [], sessions=[session()])
    assert kept(log) == [session()]


def test_sessions_alone_make_no_log(tmp_path):
    """Where no use was ever found nothing is kept."""
    log = FeedbackLog(tmp_path / "feedback.jsonl")
    log.update([], [], sessions=[session()])
    log.overwrite([], [], scope=SCOPE, sessions=[session()])
    assert list(tmp_path.glob("*.jsonl")) == []
    assert not log.exists()


def test_row_holds_no_text(log):
    """Names, times and numbers only; characters that tear lines are cleaned."""
    log.update([], [], sessions=[session("odd\ud800", project="a\nb")])
    *_, row = rows(log.sessions_path)
    assert set(row) == {
        *("session_id", "agent", "project", "model", "started", "ended", "turns", "subagents", "available"),
        *("tokens_input", "tokens_output", "tokens_cache_read", "tokens_cache_write", "subagent_tokens"),
        *("wall_seconds", "idle_seconds", "agent_version", "forked_from"),
    }
    assert row["started"].endswith("Z")


def test_damaged_lines_are_counted_and_scrubbed(log):
    """A line that nobody can read stays until a scrub; odd values are missing, and said."""
    odd = json.dumps({"session_id": "S3", "tokens_input": -1, "agent": "claude-code", "later": 1})
    with log.sessions_path.open("a", encoding="utf-8") as file:
        file.write(f'no json\n{{"session_id": 7}}\n{odd}\n')
    problems = read_tables(log).problems
    assert problems["odd_session_id"] == 1
    assert problems["odd_tokens_input"] == 1
    assert sum(problems.values()) == 3
    assert [found.session_id for found in kept(log)] == ["S1", "S3"]
    assert kept(log)[1].tokens is None
    assert log.scrub().damaged == 1
    assert b"no json" not in log.sessions_path.read_bytes()
    assert [found.session_id for found in kept(log)] == ["S1", "S3"]


def test_fields_of_a_later_version_stay(log):
    """What nobody here knows is written again with the row."""
    row = rows(log.sessions_path)[0] | {"later": [1]}
    log.sessions_path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    log.update([], [], sessions=[grown()])
    assert [row["later"] for row in rows(log.sessions_path)] == [[1], [1]]


@pytest.mark.parametrize("damage", [True, False])
def test_rebuild_without_snippets_takes_out_damaged_lines(log, damage):
    """They may hold text."""
    with log.sessions_path.open("ab") as file:
        file.write(b"no json\n")
    log.overwrite([event("A1")], [], scope=SCOPE, sessions=[session()], snippets=damage)
    assert (b"no json" in log.sessions_path.read_bytes()) is damage
    assert kept(log) == [session()]


def test_names_of_another_log_are_its_own(tmp_path):
    """Logs in one folder share nothing, and the name is none for a log."""
    other = FeedbackLog(tmp_path / "team.jsonl")
    other.update([event("A1")], [], sessions=[session()])
    assert other.sessions_path.name == "team.sessions.jsonl"
    with pytest.raises(ValueError, match="is a name for what stands beside"):
        FeedbackLog(tmp_path / "sessions.jsonl").update([event("A1")], [])


def test_killed_run_leaves_whole_lines(log):
    """Whenever a run is killed the session is as before or as after, and the next run ends it."""
    before, after = session(), grown()
    for at in range(1, 30):
        if not run_killed(lambda: log.overwrite([event("A1")], [], scope=SCOPE, sessions=[after]), at=at):
            break
        assert kept(log) in ([before], [after])
    assert kept(log) == [after]


@pytest.fixture
def project() -> Path:
    """Sessions of one bundled project."""
    return next(path for path in sorted((sample_root() / "projects").iterdir()) if path.name.endswith("sales-desk"))


def test_mining_keeps_what_sessions_cost(tmp_path, project):
    """As the mined table has it; what no use is charged with adds up to the sessions, from the log alone."""
    made = collect(project, output=tmp_path / "feedback.jsonl", as_of=sample_end())
    table = read_tables(made.log).sessions
    pd.testing.assert_frame_equal(table, made.mined.sessions, check_dtype=False)
    tables = read_tables(made.log)
    rows = skill_cost(tables.events, invocations=tables.invocations, sessions=table)
    assert rows["with_subagents"].sum() == made.mined.sessions["tokens_with_subagents"].sum()
    assert rows["share"].sum() == pytest.approx(1)


def test_mining_one_skill_or_nothing_keeps_no_sessions(tmp_path, project, monkeypatch):
    """Of one skill's uses the rest of a session cannot be told; a person who switched collection off is not read."""
    skill = collect(project, output=tmp_path / "all.jsonl", as_of=sample_end()).mined.events["skill_id"].iloc[0]
    one = collect(project, output=tmp_path / "one.jsonl", as_of=sample_end(), skill_id=skill)
    assert one.log.read_sessions() is None
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "feedback-config.json").write_text('{"enabled": false}', encoding="utf-8")
    with pytest.raises(CollectionDisabled):
        collect(project, output=tmp_path / "off" / "feedback.jsonl", as_of=sample_end())
    assert not (tmp_path / "off").exists()
