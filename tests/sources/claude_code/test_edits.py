"""The second reading of a transcript: edits with their texts."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune import limits
from skilltune.errors import ReadError
from skilltune.mining.edits import Change
from skilltune.sources.claude_code import edits as reader
from skilltune.sources.claude_code.edits import read_edits
from tests.sources.claude_code.building import NO, Transcript, tool, write

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture
def edits(tmp_path):
    """Write a transcript and give its edits."""
    return lambda content: read_edits(write(tmp_path / "s1.jsonl", content))


def edited(old="cold water", new="warm water", *, theirs=None, original="a jug of cold water\n", **more):
    """What a result notes about an edit."""
    return {
        "filePath": "/t/tea.md",
        "oldString": old,
        "newString": theirs if theirs is not None else new,
        "originalFile": original,
        "structuredPatch": [],
        "userModified": theirs is not None,
        "replaceAll": False,
    } | more


def edit_call(log, old="cold water", new="warm water", call_id="t1", path="/t/tea.md"):
    """A call of the edit tool."""
    return log.call("Edit", call_id, file_path=path, old_string=old, new_string=new)


def test_edit_has_its_texts_and_place(edits):
    """A plain edit: path, both texts, line of call and result, time, nothing modified."""
    (edit,) = edits(edit_call(Transcript()).result("updated", noted=edited()))
    assert (edit.session_id, edit.path, edit.line, edit.result_line) == ("s1", "/t/tea.md", 1, 2)
    assert edit.changes == edit.effect == (Change("cold water", "warm water"),)
    assert (edit.modified, edit.failed, edit.corrections) == (False, False, ())
    assert edit.at == 1_767_607_200_000_000


def test_edit_changed_by_the_person_has_both_texts(edits):
    """Where the person modified the proposal, the proposed lines and theirs are told apart."""
    log = edit_call(Transcript(), new="warm water\nblack tea")
    (edit,) = edits(log.result("ok", noted=edited(theirs="warm water\ngreen tea")))
    assert edit.modified
    assert edit.corrections == (Change("black tea", "green tea"),)
    assert edit.effect == (Change("cold water", "warm water\ngreen tea"),)


def test_edit_changed_by_the_person_beside_the_proposal(edits):
    """Their change may replace another stretch than the proposal: both are applied to the file and compared."""
    noted = edited("jug of cold water", theirs="pot of warm water", original="a jug of cold water\nsugar\n")
    (edit,) = edits(edit_call(Transcript()).result("ok", noted=noted))
    assert edit.corrections == (Change("a jug of warm water", "a pot of warm water"),)


def test_edit_changed_by_the_person_as_the_result_tells_it(edits):
    """The sentence that the agent is told counts where the flag is missing."""
    noted = edited(theirs="hot water") | {"userModified": None}
    told = "The file has been updated. The user modified your proposed changes before accepting them."
    (edit,) = edits(edit_call(Transcript()).result(told, noted=noted))
    assert edit.corrections == (Change("warm water", "hot water"),)


def test_written_file_changed_by_the_person(edits):
    """A whole file that the person changed before it was written."""
    log = Transcript().call("Write", file_path="/t/new.md", content="one cup\nsugar\nserve\n")
    noted = {"type": "create", "content": "one cup\nserve\n", "structuredPatch": [], "userModified": True}
    (edit,) = edits(log.result("ok", noted=noted))
    assert edit.corrections == (Change("one cup\nsugar", "one cup"),)
    assert edit.effect == (Change("", "one cup\nserve\n"),)


def test_written_file_that_was_there_is_its_patch(edits):
    """What a whole file replaced stands in the patch."""
    log = Transcript().call("Write", file_path="/t/tea.md", content="a\nB\nc\n")
    patch = [{"oldStart": 1, "lines": [" a", "-b", "+B", " c", "\\ No newline at end of file"]}]
    (edit,) = edits(log.result("ok", noted={"type": "update", "content": "a\nB\nc\n", "structuredPatch": patch}))
    assert edit.effect == (Change("a\nb\nc", "a\nB\nc"),)


def test_several_edits_of_one_call(edits):
    """Each of them is a change; one without texts is left out."""
    parts = [{"old_string": "a", "new_string": "b"}, {"old_string": "x"}, "odd", {"old_string": "c", "new_string": "d"}]
    (edit,) = edits(Transcript().call("MultiEdit", file_path="/t/tea.md", edits=parts).result())
    assert edit.effect == (Change("a", "b"), Change("c", "d"))


def test_failed_edit_wrote_nothing(edits):
    """A refused edit and one that ended in an error have a proposal, and no effect."""
    log = edit_call(Transcript()).result(NO, error=True, noted="Error: " + NO)
    edit_call(log, call_id="t2").result("String to replace not found", "t2", error=True)
    found = edits(log)
    assert [edit.failed for edit in found] == [True, True]
    assert [edit.effect for edit in found] == [(), ()]
    assert found[0].changes == (Change("cold water", "warm water"),)


def test_copies_and_sub_agents_do_not_count(edits):
    """A record that stands twice in the file counts once, one of a sub-agent not at all."""
    log = edit_call(Transcript())
    log.raw(log.lines[0])
    log.agent(tool("Edit", "t3", file_path="/x", old_string="a", new_string="b"), isSidechain=True)
    assert len(edits(log)) == 1


def test_sessions_of_one_file_are_told_apart(edits):
    """An edit belongs to the session of its record; one before the first id to the first session named."""
    log = Transcript()
    edit_call(log)
    log.agent(tool("Edit", "t2", file_path="/t/tea.md", old_string="a", new_string="b"), sessionId="s2")
    lines = [json.loads(line) for line in log.lines]
    del lines[0]["sessionId"]
    found = edits("".join(json.dumps(line) + "\n" for line in lines))
    assert [edit.session_id for edit in found] == ["s2", "s2"]


def test_damaged_lines_are_passed_over(edits):
    """Torn, glued, odd and overlong lines leave the others as they are."""
    log = edit_call(Transcript())
    whole = log.lines[0]
    second = whole.replace('"u0"', '"u9"').replace('"t1"', '"t9"').replace("cold", "c\\ud83dold")
    text = f'{whole[:80]}\n{whole}{second}\n["tool_use"]\n"tool_use"\n{{"tool_use": \n\n'
    found = edits(text.encode() + b'\xff\xfe "tool_use"\n\xef\xbb\xbf' + whole.replace('"u0"', '"u5"').encode())
    assert [edit.line for edit in found] == [2, 2, 8]
    assert "\ud83d" not in found[1].changes[0].before


def test_texts_are_cut_and_long_lines_passed_by(edits, monkeypatch):
    """A text is kept up to the limit; a line over the reader's limit is not read; nor is what exceeds a file's."""
    monkeypatch.setattr(limits, "LINE_BYTES", 2_000)
    monkeypatch.setattr(reader, "EDIT_CHARS", 100)
    monkeypatch.setattr(reader, "FILE_CHARS", 300)
    log = edit_call(Transcript(), new="x" * 900)
    edit_call(log, new="y" * 3_000, call_id="t2")
    edit_call(log, new="z" * 900, call_id="t3")
    edit_call(log, new="z" * 900, call_id="t4")
    edit_call(log, new="late", call_id="t5")
    assert [len(edit.changes[0].after) for edit in edits(log)] == [100, 100, 100]


def test_unreadable_file_is_an_error(tmp_path):
    """A folder, or nothing, is named in the error."""
    with pytest.raises(ReadError, match="gone"):
        read_edits(tmp_path / "gone.jsonl")
    with pytest.raises(ReadError):
        read_edits(tmp_path)


RECORDS = [
    json.loads(line)
    for log in [
        edit_call(Transcript()).result("ok", noted=edited(theirs="hot water")),
        Transcript(prefix="w")
        .call("Write", "w1", file_path="/t/new.md", content="one\ntwo\n")
        .result("ok", "w1", noted={"type": "create", "content": "one\n", "userModified": True, "structuredPatch": []}),
        Transcript(prefix="m")
        .call("MultiEdit", "m1", file_path="/t/a.md", edits=[{"old_string": "a", "new_string": "b"}])
        .result(
            [{"type": "text", "text": "ok"}],
            "m1",
            noted={
                "userModified": True,
                "originalFileContents": "a\n",
                "structuredPatch": [{"lines": ["-a", "+c"]}],
            },
        ),
    ]
    for line in log.lines
]


def _places(value, path=()):
    """Every place in a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from _places(inner, (*path, key))


PLACES = [(number, path) for number, record in enumerate(RECORDS) for path in _places(record)]


@given(place=st.sampled_from(PLACES), odd=JSON)
def test_any_field_replaced_never_raises(tmp_path, place, odd):
    """Whatever stands in whichever field, the reading ends, and what it gives are texts and numbers."""
    records = copy.deepcopy(RECORDS)
    number, path = place
    target = records
    for key in (number, *path)[:-1]:
        target = target[key]
    target[(number, *path)[-1]] = odd
    found = read_edits(write(tmp_path / "s1.jsonl", "".join(json.dumps(record) + "\n" for record in records)))
    for edit in found:
        assert isinstance(edit.path, str)
        assert edit.path
        for change in (*edit.changes, *edit.written, *edit.corrections):
            assert isinstance(change.before, str)
            assert isinstance(change.after, str)
            (change.before + change.after).encode()
