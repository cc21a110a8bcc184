"""The verbs over sessions that were read."""

from skilltune.workflow import mine, read_sessions
from tests.sources.claude_code.building import Transcript, write


def test_mine_links_a_fork_to_its_parent_by_what_both_hold(tmp_path):
    """Where no record names the parent the records that both hold do; a copy of the same session is no fork (C12)."""
    talk = Transcript("S1").user("make it").agent("done").user("that is wrong")
    write(tmp_path / "S1.jsonl", talk)
    (tmp_path / "kept").mkdir()
    write(tmp_path / "kept" / "S1.jsonl", Transcript("S1").user("make it"))
    write(tmp_path / "S2.jsonl", Transcript("S2").user("make it").agent("done").user("next, the docs", uuid="other"))
    sessions = mine(read_sessions(tmp_path), scripted=True).sessions
    assert dict(zip(sessions["session_id"], sessions["forked_from"], strict=True)) == {"S1": "", "S2": "S1"}
