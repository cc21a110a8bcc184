"""A feedback log as tables: labels beside it count, and only a person's."""

import pytest

from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.labels import LabelLog
from skilltune.stores.tables import as_text, labelled_tables, read_tables
from tests.exporting.logs import row, written
from tests.stores.makers import event, use
from tests.stores.test_labels import label


@pytest.fixture
def log(tmp_path) -> FeedbackLog:
    """A log with a judged use and one that is not."""
    log = FeedbackLog(tmp_path / "feedback.jsonl")
    log.update([event("A1", turns_seen=1)], [use("B1", reason="question", turns_seen=1)])
    return log


def labels_of(log: FeedbackLog, uuid: str, **changes: object) -> None:
    """Label the only turn of a use."""
    LabelLog.beside(log.path).append([label(event(uuid).event_id, turns_seen=1, **changes)])


def test_tables_without_labels_are_the_log(log):
    """Nothing labelled: what the log says, and no label file is made."""
    tables = read_tables(log)
    assert tables.events["outcome"].tolist() == ["correction"]
    assert tables.labelled == {}
    assert not LabelLog.beside(log.path).exists()


def test_tables_labels_beat_the_rules(log):
    """A labelled use has its label's outcome, in events and uses alike; the rules are there on demand."""
    labels_of(log, "A1", outcome="none")
    labels_of(log, "B1", outcome="acceptance")
    tables = read_tables(log)
    assert tables.events["invocation_uuid"].tolist() == ["B1"]
    assert dict(zip(tables.invocations["invocation_uuid"], tables.invocations["reason"], strict=True)) == {
        "A1": "label",
        "B1": "",
    }
    assert tables.labelled == {"s1": 2}
    rules = read_tables(log, use_labels=False)
    assert rules.events["invocation_uuid"].tolist() == ["A1"]
    assert rules.labelled == {}


def test_tables_a_judge_beats_no_rule(log):
    """A judge's answers are for estimates: they change no event."""
    labels_of(log, "A1", outcome="none", reader="judge:x")
    assert read_tables(log).events["outcome"].tolist() == ["correction"]


def test_tables_mask_what_complaints_say(tmp_path):
    """Of a log that somebody else wrote; also what only a label makes a complaint. All other words stay."""
    rows = [
        row(1, outcome="correction", correction_type="rejection", user_message_snippet="no, password: hunter2!"),
        row(2, user_message_snippet="fine, password: hunter3!", turns_seen=1),
        row(3, outcome="correction", correction_type="rejection", user_message_snippet="no, by name"),
    ]
    log = FeedbackLog(written(tmp_path, rows))
    said = {
        "0" * 15 + "1": "no, password: [secret]",
        "0" * 15 + "2": "fine, password: hunter3!",
        "0" * 15 + "3": "no, by name",
    }
    events = read_tables(log).events
    assert dict(zip(events["event_id"], events["user_message_snippet"], strict=True)) == said
    LabelLog.beside(log.path).append([label("0" * 15 + "2", turns_seen=1, outcome="partial")])
    relabelled = read_tables(log).events["user_message_snippet"]
    assert relabelled.tolist() == ["no, password: [secret]", "fine, password: [secret]", "no, by name"]
    assert relabelled.dtype == events["user_message_snippet"].dtype


def test_tables_labels_of_another_log_are_not_taken(log, tmp_path):
    """Two logs in one folder have labels of their own."""
    other = FeedbackLog(tmp_path / "other.jsonl")
    other.update([event("A1", turns_seen=1)], [])
    labels_of(log, "A1", outcome="none")
    assert read_tables(other).labelled == {}


def test_tables_of_a_log_are_never_made_in_the_label_log(log, tmp_path):
    """The label log is no feedback log: mining into it is refused."""
    from skilltune.errors import InputError

    labels_of(log, "A1")
    with pytest.raises(InputError):
        FeedbackLog(tmp_path / "labels.jsonl").update([event("A2")], [])


def test_tables_names_are_categories_and_text_on_demand(log):
    """With labels and without, names are categories; as text they are as in frames of what was mined."""
    plain = read_tables(log)
    labels_of(log, "B1", outcome="acceptance")
    for tables in (plain, read_tables(log), labelled_tables(plain, log)):
        for name in ("skill_id", "session_id", "rule", "project"):
            assert tables.events[name].dtype == "category"
            assert as_text(tables).events[name].dtype == "str"
        assert tables.invocations["reason"].dtype == "category"
        assert tables.events["rule"].cat.categories.is_monotonic_increasing
    assert as_text(labelled_tables(plain, log)).events["rule"].tolist() == ["en.reject.off", "label"]
