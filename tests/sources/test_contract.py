"""What holds for every source: each agent's ``contract.py`` writes the sessions, see ``tests/sources/contract.py``."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltune.errors import ReadError, RecordError
from skilltune.facts import TurnFact, UseFact
from skilltune.mining.sessions import mine_sessions
from skilltune.scan import scan
from skilltune.sources import SOURCES
from tests.sources.contract import CONVERSATION, Answer, Deny, Edit, Inject, Say, Use, find_fixtures

FIXTURES = find_fixtures()
AS_OF = datetime(2026, 1, 10, tzinfo=UTC)
START = datetime(2026, 1, 5, 10, tzinfo=UTC)
SAID = [step.text if isinstance(step, Say) else "" for step in CONVERSATION if isinstance(step, Say | Deny)]
CHANNELS = ["message" if isinstance(step, Say) else "denial" for step in CONVERSATION if isinstance(step, Say | Deny)]
INJECTED = {step.text for step in CONVERSATION if isinstance(step, Inject)}
SHAPES = [(agent, shape) for agent, fixture in FIXTURES.items() for shape in fixture.shapes]

each_agent = pytest.mark.parametrize("agent", SOURCES)
each_fixture = pytest.mark.parametrize("fixture", FIXTURES.values(), ids=FIXTURES)
each_shape = pytest.mark.parametrize(("agent", "shape"), SHAPES)


@pytest.fixture
def conversation(tmp_path):
    """Writes the conversation of the suite in one shape of one agent; gives the path."""

    def written(agent, shape, *, folder=tmp_path, session="s1"):
        fixture = FIXTURES[agent]
        return fixture.write_conversation(folder, CONVERSATION, session=session, shape=shape or fixture.shapes[0])

    return written


def items_of(files, kind):
    """Items of a kind of all sessions of some facts that no other file owns."""
    items = [item for facts in files for session in facts.sessions for item in session.items]
    return [item for item in items if isinstance(item, kind) and not item.copied]


def said_in(files):
    """The words of all own turns."""
    return [turn.text for turn in items_of(files, TurnFact)]


def files_of(folder):
    """Path → bytes and time of every file."""
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def test_every_agent_gives_a_fixture():
    """No source is left out of this suite."""
    assert set(FIXTURES) == set(SOURCES)


@each_agent
def test_source_is_found_by_being_there(agent):
    """Each module with a SOURCE is listed under its agent, with a name and roots."""
    source = SOURCES[agent]
    assert source.agent == agent
    assert source.name
    assert all(isinstance(root, Path) for root in source.default_roots())


@each_fixture
def test_source_looks_where_the_agent_keeps_its_sessions(fixture, tmp_path, monkeypatch):
    """Below the roots that the environment names, each of which lies in the home, a session is found."""
    for name, value in {"HOME": str(tmp_path), **fixture.environment(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    roots = SOURCES[fixture.agent].default_roots()
    assert roots
    assert all(root.is_relative_to(tmp_path) for root in roots)
    path = fixture.write_conversation(roots[0], CONVERSATION, session="s1", shape=fixture.shapes[0])
    assert path in list(SOURCES[fixture.agent].find_files(roots[0]))


@each_shape
def test_source_tells_its_sessions_by_their_content(agent, shape, conversation):
    """Each shape is known to its own source and to no other."""
    path = conversation(agent, shape)
    assert [name for name, source in SOURCES.items() if source.sniff(path)] == [agent]


@each_shape
def test_source_makes_nothing_of_the_sessions_of_others(agent, shape, conversation):
    """A reader that is given another agent's file finds no session, and says so in the same words."""
    path = conversation(agent, shape)
    for name, source in SOURCES.items():
        if name != agent:
            with suppress(ReadError):
                facts = source.read_facts(path)
                assert (facts.skipped, facts.sessions, facts.subagents) == ("not_a_session", (), ())


@each_shape
def test_source_gives_what_the_conversation_was(agent, shape, conversation):
    """Turns in order with their words, the use, the work, the tokens, the interrupt: the same of every agent."""
    facts = SOURCES[agent].read_facts(conversation(agent, shape))
    (session,) = facts.sessions
    assert (session.agent, session.session_id, facts.skipped) == (agent, FIXTURES[agent].session_id("s1"), "")
    turns, works = items_of([facts], TurnFact), [session.lead, *(item.work for item in session.items)]
    assert [turn.text for turn in turns] == SAID
    assert [turn.channel for turn in turns] == CHANNELS
    assert [turn.decision for turn in turns] == ["rejected" if channel == "denial" else "" for channel in CHANNELS]
    assert [turn.interrupted for turn in turns] == [False, False, True, False, False]
    (use,) = items_of([facts], UseFact)
    assert (use.skill_id, use.failed) == ("tidy", "")
    assert use.via in ("tool", "read")
    assert (session.project, bool(session.agent_version)) == ("/home/dev/shop", True)
    stamps = [item.at for item in session.items]
    assert stamps == sorted(stamps)
    assert 0 <= session.first_at / 1e6 - START.timestamp() < 1
    assert session.first_at <= stamps[0] <= stamps[-1] <= session.last_at < session.first_at + 60 * 10**6
    assert all(item.line > 0 for item in session.items)
    assert {path for work in works for path in work.edited} == {"/home/dev/shop/cart.py"}
    assert sum(work.errors for work in works) == 1
    assert sum(work.tokens.input for work in works) == 150
    assert sum(work.tokens.output for work in works) == 24
    assert "I sorted the imports." in {work.said for work in works}
    assert session.records > 0


@each_shape
def test_source_counts_every_record(agent, shape, conversation):
    """The counts add up to what was written; a record of a kind that nobody knows is counted, and named."""
    fixture, path = FIXTURES[agent], conversation(agent, shape)
    records = fixture.read_records(path)
    if len(records) == 1:
        pytest.skip("this shape is one document")
    assert sum(SOURCES[agent].read_facts(path).records.values()) == len(records)
    if path.suffix != ".jsonl" or shape != fixture.shapes[0]:
        return
    odd = {key: "brand-new-kind" if isinstance(value, str) else value for key, value in records[0].items()}
    odd = {key: records[0][key] if key in ("timestamp", "at") else value for key, value in odd.items()}
    fixture.write_records(path, [*records, odd])
    facts = SOURCES[agent].read_facts(path)
    assert sum(facts.records.values()) == len(records) + 1
    assert sum(facts.unknown_types.values()) >= 1


@each_shape
def test_source_strict_names_the_damaged_line(agent, shape, conversation):
    """A damaged line is counted, or with strict named."""
    path = conversation(agent, shape)
    if path.suffix != ".jsonl":
        pytest.skip("no lines in this shape")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:-1], "{torn", lines[-1], ""]))
    facts = SOURCES[agent].read_facts(path)
    assert [problem.line for problem in facts.problems] == [len(lines)]
    assert sum(facts.records.values()) == len(lines) + 1
    with pytest.raises(RecordError, match=f":{len(lines)}: "):
        SOURCES[agent].read_facts(path, strict=True)


@each_fixture
def test_source_every_shape_gives_the_same_events(fixture, tmp_path):
    """The same conversation has the same events, whatever its shape on disk (K20)."""
    tables = {}
    for shape in fixture.shapes:
        fixture.write_conversation(tmp_path / shape, CONVERSATION, session="s1", shape=shape)
        mined = mine_sessions(scan([tmp_path / shape]).files, as_of=AS_OF)
        tables[shape] = [
            (event.skill_id, event.outcome, event.correction_type, event.rule, event.user_message_snippet)
            for event in mined.events
        ]
    assert [row[:2] for row in tables[fixture.shapes[0]]] == [("tidy", "correction")]
    assert all(table == tables[fixture.shapes[0]] for table in tables.values())


@each_shape
def test_source_leaves_files_as_they_are(agent, shape, conversation, tmp_path):
    """Reading changes no byte and no time, and leaves nothing behind."""
    conversation(agent, shape)
    before = files_of(tmp_path)
    assert scan([tmp_path]).summary.sessions == 1
    assert files_of(tmp_path) == before


@each_agent
def test_source_reads_an_empty_file_as_no_session(agent, tmp_path):
    """An empty file is no session for anybody."""
    (path := tmp_path / "empty.jsonl").touch()
    assert not SOURCES[agent].sniff(path)
    facts = SOURCES[agent].read_facts(path)
    assert (facts.skipped, facts.sessions, facts.records) == ("empty", (), {})


@each_agent
def test_source_never_waits_for_a_pipe(agent, tmp_path):
    """What is no regular file cannot be read, and nobody waits for its other end."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert not SOURCES[agent].sniff(tmp_path / "pipe.jsonl")
    for path in (tmp_path / "pipe.jsonl", tmp_path):
        with pytest.raises(ReadError, match=r"regular file|directory"):
            SOURCES[agent].read_facts(path)


@each_shape
def test_source_reads_what_is_left_of_a_damaged_file(agent, shape, conversation):
    """Cut off anywhere, or with bytes overwritten, a file gives some of its turns or a clear error, never others."""
    path = conversation(agent, shape)
    whole = path.read_bytes()
    middle = len(whole) // 2
    cuts = [whole[: len(whole) * part // 7] for part in range(7)]
    for damaged in (*cuts, whole[:middle] + b"\0\xff\x80{" * 5 + whole[middle + 20 :], b"\xff" * 100):
        path.write_bytes(damaged)
        SOURCES[agent].sniff(path)
        with suppress(ReadError):
            said = said_in([SOURCES[agent].read_facts(path)])
            assert len(said) <= len(SAID)
            assert set(filter(None, said)) <= set(SAID) or len(damaged) == len(whole)


json_values = st.recursive(
    st.sampled_from([None, True, False, 0, -1, 1, 2**70, 1.5, 1e300, ""]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["type", "text", "id"]), inner),
    max_leaves=4,
)


def places_in(value, place=()):
    """Every place in a JSON value, itself too."""
    yield place
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places_in(part, (*place, key))


def replaced(value, place, new):
    """A JSON value with another one at a place."""
    if not place:
        return new
    copy = value.copy()
    copy[place[0]] = replaced(value[place[0]], place[1:], new)
    return copy


@each_shape
@settings(max_examples=50)
@given(drawn=st.data())
def test_source_any_field_may_hold_anything(agent, shape, drawn, tmp_path_factory):
    """Any field with any wordless JSON value in its place: nothing is raised, and nobody said anything else."""
    fixture, folder = FIXTURES[agent], tmp_path_factory.mktemp("odd")
    path = fixture.write_conversation(folder, CONVERSATION, session="s1", shape=shape)
    records = fixture.read_records(path)
    number = drawn.draw(st.integers(0, len(records) - 1), label="record")
    place = drawn.draw(st.sampled_from(list(places_in(records[number]))), label="place")
    value = drawn.draw(json_values, label="value")
    records[number] = replaced(records[number], place, value)
    fixture.write_records(path, records)
    said = said_in(scan([folder]).files())
    # without the flag that says so nobody could tell that a program wrote it
    unmarked = INJECTED if value is None or value is False else set()
    assert len(said) <= len(SAID) + len(unmarked)
    assert set(filter(None, said)) <= {*SAID, *unmarked}


@each_fixture
def test_source_copies_count_once(fixture, conversation, tmp_path):
    """A second copy of a session adds no session, turn or use; what it is a copy of is told."""
    for folder in ("a", "b"):
        conversation(fixture.agent, None, folder=tmp_path / folder)
    conversation(fixture.agent, None, folder=tmp_path / "c", session="s2")
    found = scan([tmp_path])
    assert found.summary.sessions == 2
    assert said_in(found.files()) == SAID * 2
    assert len(items_of(found.files(), UseFact)) == 2
    (copy,) = found.summary.copies
    assert (copy.session_id, copy.owner_id) == (fixture.session_id("s1"),) * 2
    assert copy.copied == copy.items == found.summary.copied


SUBAGENTS = {agent: fixture for agent, fixture in FIXTURES.items() if fixture.write_subagent}


@pytest.mark.parametrize("agent", SUBAGENTS)
@pytest.mark.parametrize("there", [True, False])
def test_source_sub_agents_belong_to_their_session(agent, there, conversation, tmp_path):
    """A sub-agent's prompt is no turn of a person; without its session it is an orphan, no session (K11, K32)."""
    fixture = SUBAGENTS[agent]
    words, shape = "Review the diff; the earlier attempt was wrong.", fixture.shapes[0]
    if there:
        conversation(agent, shape)
    fixture.write_subagent(tmp_path, words, session="x1", parent="s1", shape=shape)
    found = scan([tmp_path])
    (run,) = [run for facts in found.files() for run in facts.subagents]
    assert (run.session_id, run.tokens.input, run.tokens.output) == (fixture.session_id("s1"), 7, 3)
    assert said_in(found.files()) == (SAID if there else [])
    assert (found.summary.sessions, len(found.summary.orphans)) == ((1, 0) if there else (0, 1))


def test_sources_share_a_folder(tmp_path):
    """Sessions of all agents in one folder are each read by their own source, and beside them nothing is lost."""
    for agent, fixture in FIXTURES.items():
        steps = (Say(f"Tidy up for {agent}."), Use("tidy"), Edit("/home/dev/a.py"), Answer("Done."))
        fixture.write_conversation(tmp_path, steps, session="s1", shape=fixture.shapes[0])
    (tmp_path / "history.jsonl").write_text('{"display":"wrong","timestamp":1,"project":"/w"}\n')
    (tmp_path / "old.jsonl.zst").write_bytes(b"packed")
    found = scan([tmp_path])
    said = {session.agent: said_in([facts]) for facts in found.files() for session in facts.sessions}
    assert said == {agent: [f"Tidy up for {agent}."] for agent in FIXTURES}
    assert {"not_a_session": 1, "compressed": 1}.items() <= found.summary.skipped.items()
    assert (found.summary.sessions, found.summary.unreadable) == (len(FIXTURES), ())


def test_claude_code_roots_follow_the_configured_folder(monkeypatch, tmp_path):
    """``CLAUDE_CONFIG_DIR`` moves the sessions; empty it means the home."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    assert SOURCES["claude-code"].default_roots() == [tmp_path / "projects"]
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert SOURCES["claude-code"].default_roots() == [tmp_path / "home" / ".claude" / "projects"]
