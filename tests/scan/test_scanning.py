"""Many files to one result."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from skilltune.errors import LogError, RecordError
from skilltune.facts import FACTS_VERSION
from skilltune.scan import scan
from skilltune.sources import SOURCES
from tests.sources.claude_code.building import Transcript, tool, write


def owned(result):
    """File name → texts of the turns it owns."""
    return {
        facts.path.rsplit("/", 1)[-1]: [item.text for s in facts.sessions for item in s.items if not item.copied]
        for facts in result.files()
    }


def conversation(session="s1", **more):
    """Four records with two turns."""
    return Transcript(session, **more).user("make it").agent("done").user("that is wrong").agent("mended")


def test_scan_sums_up_what_it_read(tmp_path):
    """Files, sessions, bytes, records by category, damages per file, skipped files by reason."""
    log = write(tmp_path / "a" / "s1.jsonl", conversation().add({"type": "brand-new"}).raw("torn {"))
    write(tmp_path / "a" / "s1" / "subagents" / "agent-1.jsonl", Transcript().user("look"))
    write(tmp_path / "history.jsonl", '{"display":"x","timestamp":1,"project":"p"}\n')
    summary = scan([tmp_path]).summary
    assert (summary.files, summary.sessions, summary.copied) == (3, 1, 0)
    assert summary.bytes == sum(path.stat().st_size for path in tmp_path.rglob("*.jsonl"))
    assert summary.records == {
        "agent": 2, "not_a_session": 1, "not_json": 1, "subagent": 1, "turn": 2, "unknown_type": 1,
    }  # fmt: skip
    assert summary.skipped == {"not_a_session": 1, "subagent": 1}
    assert summary.unknown_types == {"brand-new": 1}
    assert summary.problems == {str(log): {"not_json": 1}}
    assert (summary.unreadable, summary.orphans) == ((), ())


def test_scan_gives_the_same_files_as_often_as_asked(tmp_path):
    """The files can be gone through again, in sorted order."""
    for name in ("s2", "s1", "s3"):
        write(tmp_path / f"{name}.jsonl", conversation(name, prefix=name))
    result = scan([tmp_path])
    first = list(result.files())
    assert [facts.path[-8:] for facts in first] == ["s1.jsonl", "s2.jsonl", "s3.jsonl"]
    assert list(result.files()) == first


def test_scan_two_iterations_do_not_disturb_each_other(tmp_path):
    """Two loops over the files at once each see every file."""
    for name in ("s1", "s2", "s3"):
        write(tmp_path / f"{name}.jsonl", conversation(name, prefix=name))
    result = scan([tmp_path])
    pairs = list(zip(result.files(), result.files(), strict=True))
    assert all(one == other for one, other in pairs)
    assert len(pairs) == 3


def test_scan_fork_counts_the_shared_part_once(tmp_path):
    """A fork that rewrote the session id: the file whose last record is oldest owns what both hold (K02)."""
    shared = conversation("S1")
    write(tmp_path / "S1.jsonl", shared)
    fork = conversation("S2").user("next, the docs").agent("ok")
    write(tmp_path / "S2.jsonl", fork)
    result = scan([tmp_path])
    assert owned(result) == {"S1.jsonl": ["make it", "that is wrong"], "S2.jsonl": ["next, the docs"]}
    assert (result.summary.sessions, result.summary.copied) == (2, 2)


def test_scan_resumed_copy_belongs_to_the_session_it_names(tmp_path):
    """Records that still name the first session belong to its file, though the other one sorts first (P03)."""
    write(tmp_path / "S9.jsonl", conversation("S9").user("later"))
    resumed = conversation("S9").user("in the copy", sessionId="S1", uuid="v4")
    write(tmp_path / "S1.jsonl", resumed)
    assert owned(scan([tmp_path])) == {"S1.jsonl": ["in the copy"], "S9.jsonl": ["make it", "that is wrong", "later"]}


def test_scan_fork_of_a_session_that_went_on_owns_only_what_is_its_own(tmp_path):
    """The session that a fork comes from owns what both hold, though it was written to for longer (K02)."""
    write(tmp_path / "S1.jsonl", conversation("S1").user("much later", timestamp="2026-02-01T10:00:00Z"))
    fork = conversation("S2").user("next, the docs")
    lines = [json.dumps(json.loads(line) | {"forkedFrom": {"sessionId": "S1"}}) for line in fork.lines]
    write(tmp_path / "S2.jsonl", "\n".join(lines))
    result = scan([tmp_path])
    assert owned(result) == {"S1.jsonl": ["make it", "that is wrong", "much later"], "S2.jsonl": ["next, the docs"]}
    assert [session.forked_from for facts in result.files() for session in facts.sessions] == ["", "S1"]


def test_scan_earliest_file_owns(tmp_path):
    """Of two sessions that share records the one that began first owns them, though it ended later."""
    early = Transcript("S2").user("before").user("shared").user("after", timestamp="2026-02-01T10:00:00Z")
    late = Transcript("S1").add({"type": "mode"}, uuid="m").user("shared").user("mine")
    write(tmp_path / "S2.jsonl", early)
    write(tmp_path / "S1.jsonl", late)
    late.lines[0] = late.lines[0].replace("T10:00:00", "T10:00:01")
    write(tmp_path / "S1.jsonl", late)
    assert owned(scan([tmp_path])) == {"S1.jsonl": ["mine"], "S2.jsonl": ["before", "shared", "after"]}


@pytest.mark.parametrize(("uuid", "owned_twice"), [("item_0", True), ("1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", False)])
def test_scan_short_ids_are_no_copies_by_themselves(tmp_path, uuid, owned_twice):
    """A number that each session gives anew makes no copies of other words; an id of the world does."""
    for name in ("S1", "S2"):
        write(tmp_path / f"{name}.jsonl", Transcript(name).user(f"make {name}", uuid=uuid))
    assert (sum(map(len, owned(scan([tmp_path])).values())) == 2) is owned_twice


def test_scan_offers_a_file_to_whoever_knows_it(tmp_path):
    """Compressed files are counted, not opened; what nobody knows is passed over with its records."""
    write(tmp_path / "rollout-1.jsonl.zst", b"\x28\xb5\x2f\xfd")
    write(tmp_path / "old.jsonl.gz", b"\x1f\x8b")
    write(tmp_path / "chat.jsonl", '{"speaker":"me","words":"wrong"}\n' * 3)
    write(tmp_path / "package.json", '{"name":"shop"}')
    summary = scan([tmp_path]).summary
    assert (summary.files, summary.sessions, summary.bytes) == (3, 0, 6 + 33 * 3)
    assert summary.skipped == {"compressed": 2, "not_a_session": 1}
    assert summary.records == {"not_a_session": 3}


@pytest.mark.parametrize("strict", [False, True])
def test_scan_another_agents_file_in_an_agents_home_is_read_by_its_own(tmp_path, monkeypatch, strict):
    """Where a file lies settles nothing: what an agent's own reader does not know is offered to the others."""
    from tests.sources.contract import CONVERSATION, find_fixtures

    fixtures = find_fixtures()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    for fixture in fixtures.values():
        folder = tmp_path / "projects" / "p"
        fixture.write_conversation(folder, CONVERSATION, session=f"{fixture.agent}-1", shape=fixture.shapes[0])
    write(tmp_path / "projects" / "history.jsonl", '{"display":"x","timestamp":1,"project":"p"}\n')
    result = scan([tmp_path / "projects"], strict=strict)
    agents = [session.agent for facts in result.files() for session in facts.sessions]
    assert sorted(agents) == sorted(fixtures)
    assert result.summary.skipped["not_a_session"] == 1


def test_scan_debug_copy_is_no_second_session(tmp_path):
    """A copy of the file under another name owns nothing (K53)."""
    write(tmp_path / "x" / "S1.jsonl", conversation("S1"))
    write(tmp_path / "x" / "debug" / "S1-copy.jsonl", conversation("S1"))
    result = scan([tmp_path])
    assert result.summary.sessions == 1
    assert owned(result) == {"S1.jsonl": ["make it", "that is wrong"], "S1-copy.jsonl": []}


def test_scan_equal_claims_go_to_the_first_path(tmp_path):
    """Two files of foreign names that end at one moment: the first in sorted order owns."""
    write(tmp_path / "b.jsonl", conversation("S1"))
    write(tmp_path / "a.jsonl", conversation("S1"))
    assert owned(scan([tmp_path / "b.jsonl", tmp_path / "a.jsonl"])) == {
        "a.jsonl": ["make it", "that is wrong"],
        "b.jsonl": [],
    }


def test_scan_queued_prompts_are_copies_where_the_record_before_is_one(tmp_path):
    """Queued prompts have no uuid: after a copied record, at the same moment with the same words, they are copies."""
    for name, start in (("S1", 0), ("S1-copy", 0), ("S2", 7)):
        log = Transcript(name.removesuffix("-copy"), start=start, prefix=name[:2]).user("go").queue("enqueue", "wrong")
        write(tmp_path / f"{name}.jsonl", log)
    assert owned(scan([tmp_path])) == {"S1-copy.jsonl": [], "S1.jsonl": ["go", "wrong"], "S2.jsonl": ["go", "wrong"]}


@pytest.mark.parametrize("session", [None, "same"])
@pytest.mark.parametrize(("stamp", "at"), [(None, None), ("2026-01-05T10:00:00Z", 1_767_607_200_000_000)])
def test_scan_records_without_uuid_are_never_copies(tmp_path, stamp, at, session):
    """Records that nothing identifies are not taken for copies, whatever else of them is equal (P05)."""
    for name in ("a", "b"):
        log = Transcript("").user("no, wrong", uuid=None, timestamp=stamp, sessionId=session)
        log.user("<bash-input>git status</bash-input>", uuid=None, timestamp=stamp, sessionId=session)
        write(tmp_path / f"{name}.jsonl", log.queue("enqueue", "use b"))
    result = scan([tmp_path])
    assert [facts.sessions[0].items[0].at for facts in result.files()] == [at, at]
    assert [sum(item.copied for item in facts.sessions[0].items) for facts in result.files()] == [0, 0]
    assert (result.summary.sessions, result.summary.copied) == (1 if session else 2, 0)


def test_scan_uses_without_uuid_are_copies_by_their_call(tmp_path):
    """A tool call's own id tells a copy where the record has no uuid; a slash command without one has nothing."""
    tags = "<command-message>tidy</command-message>\n<command-name>/tidy</command-name>"
    for name, call_id in (("a", "t1"), ("b", "t1"), ("c", "t2")):
        log = Transcript("").user(tags, uuid=None).agent(tool("Skill", call_id, skill="tidy"), uuid=None)
        write(tmp_path / f"{name}.jsonl", log)
    copied = [[item.copied for item in facts.sessions[0].items] for facts in scan([tmp_path]).files()]
    assert copied == [[False, False], [False, True], [False, False]]


def test_scan_same_file_given_twice_is_read_once(tmp_path):
    """A folder and a file in it."""
    path = write(tmp_path / "s1.jsonl", conversation())
    assert scan([tmp_path, path, str(path)]).summary.files == 1


def test_scan_orphaned_sub_agents_are_listed(tmp_path):
    """Sub-agents whose main transcript is gone are listed, no session is invented (K32)."""
    write(tmp_path / "p" / "S1" / "subagents" / "agent-x1.jsonl", Transcript("S1").user("look"))
    summary = scan([tmp_path]).summary
    assert (summary.sessions, summary.orphans) == (0, (str(tmp_path / "p" / "S1" / "subagents"),))


def test_scan_sub_agents_beside_their_transcript_are_no_orphans(tmp_path):
    """With the main transcript there nothing is orphaned, and one session counts (K11)."""
    write(tmp_path / "p" / "S1.jsonl", conversation("S1"))
    write(tmp_path / "p" / "S1" / "subagents" / "workflows" / "w" / "agent-x1.jsonl", Transcript("S1").user("look"))
    summary = scan([tmp_path]).summary
    assert (summary.sessions, summary.orphans) == (1, ())


def test_scan_lone_sub_agents_beside_other_sessions_are_listed(tmp_path):
    """A sub-agent's file in the project's own folder is an orphan where the session it names is not there."""
    write(tmp_path / "p" / "S1.jsonl", conversation("S1"))
    write(tmp_path / "p" / "agent-a1.jsonl", Transcript("S1").user("look"))
    write(tmp_path / "p" / "agent-a2.jsonl", Transcript("S2").user("look"))
    summary = scan([tmp_path]).summary
    assert (summary.sessions, summary.orphans) == (1, (str(tmp_path / "p" / "agent-a2.jsonl"),))


def test_scan_unreadable_paths_are_named_and_the_rest_read(tmp_path):
    """What cannot be read has a message; the rest goes on."""
    write(tmp_path / "ok.jsonl", conversation())
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    summary = scan([tmp_path, tmp_path / "missing"]).summary
    assert summary.sessions == 1
    assert {path.rsplit("/", 1)[-1] for path, _ in summary.unreadable} == {"gone.jsonl", "missing"}
    assert all(message for _, message in summary.unreadable)


def test_scan_strict_raises(tmp_path):
    """With strict the first damaged line ends the run, with its place."""
    path = write(tmp_path / "s1.jsonl", conversation().raw("torn {"))
    with pytest.raises(RecordError, match=r"s1\.jsonl:5: not_json"):
        scan([tmp_path], strict=True)
    assert path.exists()


def test_scan_of_nothing_is_empty(tmp_path):
    """An empty folder is no error."""
    result = scan([tmp_path])
    assert list(result.files()) == []
    assert result.summary.files == 0


def test_scan_shows_no_bar_where_nobody_looks(tmp_path, capsys):
    """Progress is quiet when standard error is no terminal."""
    write(tmp_path / "s1.jsonl", conversation())
    scan([tmp_path], progress=True)
    assert capsys.readouterr() == ("", "")


def test_scan_loads_no_tables(tmp_path):
    """Reading sessions needs no pandas."""
    write(tmp_path / "s1.jsonl", conversation())
    read = f"list(scan([{str(tmp_path)!r}]).files())"
    code = f"import sys; from skilltune.scan import scan; {read}; print('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_scan_names_that_are_no_text_are_read(tmp_path):
    """A file name of odd bytes is shown with a mark in their place; the session in it counts."""
    path = tmp_path / os.fsdecode(b"s\xff.jsonl")
    write(path, Transcript("").user("go", sessionId=None).raw("torn {"))
    (tmp_path / os.fsdecode(b"\xfe.jsonl")).symlink_to(tmp_path / "nowhere")
    result = scan([tmp_path])
    [facts] = result.files()
    assert (facts.sessions[0].session_id, facts.path) == ("s\ufffd", str(tmp_path / "s\ufffd.jsonl"))
    assert [name for name, _ in result.summary.unreadable] == [str(tmp_path / "\ufffd.jsonl")]
    with pytest.raises(RecordError, match="not_json"):
        scan([tmp_path], strict=True)
    assert path.exists()


def test_scan_lists_unknown_tags(tmp_path):
    """Unknown tags of all files are summed up beside unknown types."""
    for name in ("a", "b"):
        log = Transcript(name, prefix=name).user("<odd-event>x</odd-event>").add({"type": "brand-new"})
        write(tmp_path / f"{name}.jsonl", log)
    assert scan([tmp_path]).summary.unknown_types == {"<odd-event>": 2, "brand-new": 2}


def test_scan_facts_carry_the_version_of_the_reader(tmp_path):
    """Facts say which version of the reader they come from."""
    write(tmp_path / "s1.jsonl", conversation())
    assert [facts.version for facts in scan([tmp_path]).files()] == [FACTS_VERSION]


FULL = """
import resource, signal, sys
from skilltune.errors import LogError
from skilltune.scan import scan
from skilltune.sources import SOURCES
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    scan(sys.argv[1:])
except LogError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are POSIX")
@pytest.mark.parametrize("length", [10, 15_000])
def test_scan_a_full_folder_for_temporary_files_is_named(tmp_path, length):
    """Facts that cannot be kept, when they are written or when they are flushed, end in words that help."""
    for number in range(120):
        write(tmp_path / "p" / f"{number}.jsonl", Transcript(f"s{number}").user("x" * length))
    (tmp_path / "tmp").mkdir()
    environment = os.environ | {"TMPDIR": str(tmp_path / "tmp")}
    command = [sys.executable, "-c", FULL, str(tmp_path / "p")]
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert run.stdout.startswith(f"{tmp_path / 'tmp'}: ")
    assert run.stdout.endswith("; set TMPDIR to a folder with more room\n")
    assert run.stderr == ""


def test_scan_no_folder_for_temporary_files(tmp_path, monkeypatch):
    """Without any folder to keep facts in, the error says what to set."""

    def none():
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr("tempfile.gettempdir", none)
    monkeypatch.setattr("tempfile.TemporaryFile", none)
    with pytest.raises(LogError, match="No usable temporary directory found; set TMPDIR"):
        scan([tmp_path])


def test_scan_reads_a_file_once_however_it_is_reached(tmp_path):
    """A link to a transcript, hard or symbolic, is no second session; it is counted."""
    path = write(tmp_path / "b.jsonl", '{"role":"user","content":"flat, without ids"}\n')
    (tmp_path / "a.jsonl").symlink_to(path)
    os.link(path, tmp_path / "c.jsonl")
    found = scan([tmp_path])
    assert found.summary.skipped == {"same_file": 2}
    assert sum(len(session.items) for facts in found.files() for session in facts.sessions) == 1


def test_scan_goes_on_behind_a_file_that_no_reader_can_take(tmp_path, monkeypatch):
    """Whatever one file's reader raises, the file is named and the others are read."""
    write(tmp_path / "a.jsonl", Transcript().user("go"))
    write(tmp_path / "b.jsonl", Transcript("s2", prefix="v").user("go on"))
    source = SOURCES["claude-code"]
    read = type(source).read_facts

    def odd(self, path, *, strict=False):
        return b"\xff".decode() if path.name == "a.jsonl" else read(self, path, strict=strict)

    monkeypatch.setattr(type(source), "read_facts", odd)
    found = scan([tmp_path])
    assert found.summary.sessions == 1
    assert [Path(path).name for path, _ in found.summary.unreadable] == ["a.jsonl"]
