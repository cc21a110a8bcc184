"""Sheets: out, filled in by a person in some spreadsheet, and back in."""

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import InputError, ReadError
from skilltune.labelling.cells import shown, unguarded
from skilltune.labelling.pointers import export_labels
from skilltune.labelling.questions import Question
from skilltune.labelling.sheets import COLUMNS, RULE_COLUMNS, import_sheet, sheet_text, write_sheet
from skilltune.labelling.status import read_status
from skilltune.labelling.tables import last_labels, read_labels
from skilltune.stores.labels import LabelLog

QUESTION = Question(
    event_id="12345678e9012345",
    turn_id="0000000000000001",
    skill_id="tidy",
    session_id="S1",
    project="/home/me/shop",
    agent="claude-code",
    timestamp=None,
    number=1,
    of=1,
    channel="message",
    decision="",
    tool="",
    interrupted=False,
    text="No, sort them.",
    previous_prompt="",
    previous_agent="Done.",
    did="",
    next_agent="",
    rule_outcome="correction",
    rule_type="rejection",
    rule="en.refusal",
    line=4,
    uuid="U1",
)


def rows_of(text: str) -> list[dict[str, str]]:
    """The rows of a sheet, as a spreadsheet reads them."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def text_of(rows: list[dict[str, str]], *, delimiter: str = ",") -> str:
    """The rows as a spreadsheet writes them."""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


@pytest.fixture
def asked(opened):
    """A labelling whose questions stand on a sheet."""
    labelling = opened(sample_size=15)
    labelling.ask_elsewhere()
    return labelling


@pytest.fixture
def log(workspace) -> LabelLog:
    """The label log of the workspace."""
    return LabelLog(workspace / "labels.jsonl")


@pytest.fixture
def filled(asked, tmp_path):
    """Writes the sheet with `answers` in its first rows; gives the path."""

    def fill(*answers: dict[str, str], delimiter: str = ",", encoding: str = "utf-8-sig"):
        rows = rows_of(sheet_text(asked.questions))
        for row, answer in zip(rows, answers, strict=False):
            row.update(answer)
        path = tmp_path / "filled.csv"
        path.write_bytes(text_of(rows, delimiter=delimiter).encode(encoding))
        return path

    return fill


def test_sheet_has_the_documented_columns(asked):
    """One row a turn, the columns to fill in first; the rules' verdict only where it is wanted."""
    rows = rows_of(sheet_text(asked.questions))
    assert list(rows[0]) == list(COLUMNS)
    assert len(rows) == asked.total
    assert list(rows_of(sheet_text(asked.questions, with_rules=True))[0]) == [*COLUMNS, *RULE_COLUMNS]


def test_sheet_shows_labels_that_are_there(asked):
    """A turn labelled before is filled in."""
    asked.answer(asked.questions[0], outcome="correction", correction_type="redo", about="other")
    first = rows_of(sheet_text(asked.questions, labelling=asked))[0]
    assert (first["outcome"], first["correction_type"], first["about"]) == ("correction", "redo", "other")


def test_sheet_ids_are_no_numbers():
    """A spreadsheet that takes 12345678e9012345 for a number destroys it; behind a word it stays."""
    (row,) = rows_of(sheet_text([QUESTION]))
    assert (row["event_id"], row["turn_id"]) == ("use-12345678e9012345", "turn-0000000000000001")


@given(text=st.text(), skill=st.text(), said=st.text(alphabet="=+-@'\",;\r\n\t\x00\u202e\ud800ab"))
def test_sheet_hostile_texts_stay_in_their_cells(text, skill, said):
    """Whatever is said, the row has its cells, none of them is a formula, and each comes back as it is shown."""
    question = replace(QUESTION, text=text, skill_id=skill, previous_agent=said)
    (row,) = rows_of(sheet_text([question]).encode("utf-8-sig").decode("utf-8-sig"))
    assert set(row) == set(COLUMNS)
    assert not [cell for cell in row.values() if cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert unguarded(row["text"]) == shown(text)
    assert unguarded(row["skill"]) == shown(skill)
    assert unguarded(row["previous_agent"]) == shown(said)


def test_sheet_masks_secrets():
    """A key that the person pasted is not on the sheet."""
    assert "hunter2" not in sheet_text([replace(QUESTION, text="use the password: hunter2!")])


def test_sheet_file_is_private_and_for_spreadsheets(tmp_path):
    """Only the owner can read it, Excel knows its encoding, and a file that is there is not lost."""
    path = write_sheet(tmp_path / "new" / "a.csv", "outcome\r\n")
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_bytes() == b"\xef\xbb\xbfoutcome\r\n"
    with pytest.raises(InputError, match="is there already"):
        write_sheet(path, "x")
    path.chmod(0o644)
    write_sheet(path, "x", overwrite=True)
    assert path.stat().st_mode & 0o777 == 0o600


def test_import_takes_what_is_filled_in(asked, filled, log, workspace):
    """Labels come in with draw and window; rows left empty stay open; again, nothing is new."""
    path = filled(
        {"outcome": "acceptance"},
        {"outcome": " Correction ", "correction_type": "Redo", "about": "OTHER"},
        {"outcome": "partial", "about": "skill"},
    )
    counts = import_sheet(log, path)
    assert (counts.new, counts.changed, counts.unchanged, counts.blank) == (3, 0, 0, asked.total - 3)
    labels = read_labels(workspace)
    assert labels["outcome"].tolist() == ["acceptance", "correction", "partial"]
    assert labels["correction_type"].astype("object").tolist()[1:] == ["redo", "partial"]
    assert labels["about"].tolist() == ["skill", "other", "skill"]
    assert labels["draw_id"].nunique() == 1
    assert labels["of"].tolist() == [question.of for question in asked.questions[:3]]
    size = log.path.stat().st_size
    again = import_sheet(log, path)
    assert (again.new, again.changed, again.unchanged) == (0, 0, 3)
    assert log.path.stat().st_size == size
    changed = import_sheet(log, filled({"outcome": "none"}))
    assert (changed.new, changed.changed, changed.unchanged) == (0, 1, 0)


def test_import_labels_are_those_of_a_panel(asked, filled, log, opened, workspace):
    """A sheet and a panel that say the same write the same, ids and times apart."""
    answers = [
        {"outcome": q.rule_outcome, "correction_type": q.rule_type or "", "about": "skill"} for q in asked.questions
    ]
    import_sheet(log, filled(*answers))
    from_sheet = read_labels(workspace).drop(columns=["labelled_at", "label_id"])
    log.path.unlink()
    panel = opened(sample_size=15)
    for question in panel.questions:
        panel.answer(question, outcome=question.rule_outcome, correction_type=question.rule_type)
    assert read_labels(workspace).drop(columns=["labelled_at", "label_id"]).equals(from_sheet)


@pytest.mark.parametrize(("delimiter", "encoding"), [(";", "utf-8-sig"), ("\t", "utf-16"), (",", "utf-8")])
def test_import_reads_what_spreadsheets_write(filled, log, delimiter, encoding):
    """Semicolons of other countries, tabs, and other encodings are understood."""
    path = filled({"outcome": "none"}, delimiter=delimiter, encoding=encoding)
    assert import_sheet(log, path).new == 1


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"outcome": "good"}, "line 2: outcome is a word that is not known; write one of correction"),
        ({"outcome": "correction"}, "line 2: about is missing"),
        (
            {"outcome": "correction", "about": "me"},
            "line 2: about is a word that is not known; write one of skill, other",
        ),
        ({"outcome": "none", "correction_type": "redo"}, "line 2: correction_type is 'redo'"),
        ({"outcome": "none", "turn_id": "turn-x"}, "line 2: nobody was asked about turn 'x'"),
        ({"outcome": "none", "event_id": "1.2E+15"}, "line 2: nobody was asked"),
    ],
)
def test_import_wrong_rows_are_named_and_nothing_is_taken(filled, log, workspace, answer, message):
    """One wrong row, and no label of the sheet is taken; the message says which line and what to do."""
    path = filled(answer, {"outcome": "none"})
    with pytest.raises(InputError, match=message):
        import_sheet(log, path)
    assert read_labels(workspace).empty


def test_import_lists_all_wrong_lines(filled, log, asked):
    """Every wrong line is named, up to ten; cells of several lines do not confuse the count."""
    path = filled(*({"outcome": "bad", "text": "one\ntwo"} for _ in range(asked.total)))
    with pytest.raises(InputError) as failure:
        import_sheet(log, path)
    assert "line 2: " in str(failure.value)
    assert "line 4: " in str(failure.value)
    assert "line 20: " in str(failure.value)
    assert f"and {asked.total - 10} more" in str(failure.value)


def test_import_same_turn_twice_must_agree(filled, log):
    """Two labels for one turn in a sheet are a mistake, the same twice is not."""
    path = filled({"outcome": "none"})
    lines = path.read_text(encoding="utf-8-sig").splitlines(keepends=True)
    path.write_text("".join([*lines, lines[1]]), encoding="utf-8")
    assert import_sheet(log, path).new == 1
    path.write_text("".join([*lines, lines[1].replace("none", "acceptance", 1)]), encoding="utf-8")
    with pytest.raises(InputError, match="another label further up"):
        import_sheet(log, path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"a,b\n1,2\n", "no column 'event_id'"),
        (b'a,b\n"1,2\n', "no CSV file"),
        (b"\xff\xfe\x00", "no column"),
    ],
)
def test_import_of_another_file_is_an_error(log, tmp_path, content, message):
    """A file that is no sheet is named, with what it lacks."""
    path = tmp_path / "odd.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        import_sheet(log, path)
    with pytest.raises(ReadError, match="nowhere"):
        import_sheet(log, tmp_path / "nowhere.csv")


@given(content=st.binary(max_size=400))
def test_import_of_any_file_ends_well(tmp_path_factory, content):
    """Whatever a file holds, the answer is an error that a person can read."""
    folder = tmp_path_factory.mktemp("sheets")
    (folder / "odd.csv").write_bytes(content)
    with pytest.raises(InputError):
        import_sheet(LabelLog(folder / "labels.jsonl"), folder / "odd.csv")


def test_export_has_pointers_and_no_text(asked, log, tmp_path):
    """Both forms have one label a row, and not a word that was said."""
    for question in asked.questions:
        asked.answer(question, outcome="none")
    texts = [question.text for question in asked.questions if len(question.text) > 10]
    for name in ("labels.csv", "labels.jsonl"):
        path, count = export_labels(log, tmp_path / name)
        content = path.read_text(encoding="utf-8-sig")
        assert count == asked.total
        assert path.stat().st_mode & 0o777 == 0o600
        assert all(question.uuid in content and question.turn_id in content for question in asked.questions)
        assert not [text for text in texts if text in content]
    with pytest.raises(InputError, match=r"\.csv or \.jsonl"):
        export_labels(log, tmp_path / "labels.txt")


def test_status_counts_by_skill(asked, log, workspace):
    """Uses and turns labelled, drawn and open add up, and judges are apart."""
    first = asked.questions[0]
    for question in asked.questions:
        if question.event_id == first.event_id:
            asked.answer(question, outcome="none")
    status = read_status(workspace)
    assert (status.total("uses"), status.total("turns")) == (1, first.of)
    assert (status.total("drawn"), status.total("open")) == (15, 14)
    assert {skill.skill_id for skill in status.skills} == {question.skill_id for question in asked.questions}
    assert last_labels(log, count=1) == [log.read().labels[-1].label_id]
    assert last_labels(log, count=0) == []


def test_import_understands_the_line_that_names_the_separator(filled, log):
    """A spreadsheet's first line ``sep=;`` is no row, and lines are counted with it."""
    path = filled({"outcome": "none"}, delimiter=";")
    text = path.read_text(encoding="utf-8-sig")
    path.write_text("sep=;\n" + text, encoding="utf-8-sig")
    assert import_sheet(log, path).new == 1
    path.write_text("sep=;\n" + text.replace("none", "nothing", 1), encoding="utf-8-sig")
    with pytest.raises(InputError, match="line 3: outcome"):
        import_sheet(log, path)


def test_import_of_a_column_twice_is_an_error(filled, log):
    """Nobody knows which of two columns ``outcome`` counts: it is named, and nothing is taken."""
    path = filled({"outcome": "none"})
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    path.write_text("\n".join(["Outcome," + lines[0], *("partial," + line for line in lines[1:])]), encoding="utf-8")
    with pytest.raises(InputError, match="has 2 columns 'outcome'"):
        import_sheet(log, path)


def test_import_errors_repeat_nothing_that_was_said(filled, log):
    """Columns that were moved have texts where words and ids belong: no error repeats them."""
    path = filled(
        {"outcome": "my password is hunter2"},
        {"outcome": "none", "turn_id": "my password is hunter2"},
        {"outcome": "correction", "about": "hunter2"},
        {"outcome": "correction", "about": "skill", "correction_type": "hunter2"},
    )
    with pytest.raises(InputError) as failure:
        import_sheet(log, path)
    assert "hunter2" not in str(failure.value)
