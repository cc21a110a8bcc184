"""Ids of events and turns."""

from skilltune.mining.ids import event_id, turn_id


def test_event_id_documented_example():
    """P11: the id of A1 and s1 is the documented one."""
    assert event_id("A1", "s1") == "2115856688a70813"


def test_event_id_differs_by_use_and_skill():
    """Another record, or another skill in the same record, has another id; half characters do no harm."""
    ids = {event_id(uuid, skill) for uuid in ("A1", "A2", "\ud83d") for skill in ("s1", "s2", "plugin:s1")}
    assert len(ids) == 9
    assert all(len(i) == 16 for i in ids)


def test_turn_id_is_the_same_in_every_copy():
    """A record's uuid alone tells its turns, so that another file or session name changes nothing."""
    one = turn_id("U1", part=0, session_id="S1", path="/a/S1.jsonl", line=3)
    assert turn_id("U1", part=0, session_id="S2", path="/b/S2.jsonl", line=9) == one
    assert turn_id("U1", part=1, session_id="S1", path="/a/S1.jsonl", line=3) != one


def test_turn_id_without_a_uuid_goes_by_the_place():
    """Session, file name, line and part tell a turn of an agent that writes no uuids; the folder may move."""
    one = turn_id("", part=0, session_id="S1", path="/a/roll.jsonl", line=3)
    assert turn_id("", part=0, session_id="S1", path="C:\\logs\\roll.jsonl", line=3) == one
    others = {
        turn_id("", part=part, session_id=session, path=path, line=line)
        for part, session, path, line in [
            (1, "S1", "roll", 3),
            (0, "S2", "roll", 3),
            (0, "S1", "x", 3),
            (0, "\ud83d", "roll", 4),
        ]
    }
    assert len(others | {one}) == 5
