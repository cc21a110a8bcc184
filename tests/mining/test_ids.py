"""Ids of events."""

from skilltune.mining.ids import event_id


def test_event_id_documented_example():
    """P11: the id of A1 and s1 is the documented one."""
    assert event_id("A1", "s1") == "2115856688a70813"


def test_event_id_differs_by_use_and_skill():
    """Another record, or another skill in the same record, has another id; half characters do no harm."""
    ids = {event_id(uuid, skill) for uuid in ("A1", "A2", "\ud83d") for skill in ("s1", "s2", "plugin:s1")}
    assert len(ids) == 9
    assert all(len(i) == 16 for i in ids)
