"""What a run could see, as the page's data health."""

from skilltune.page.quotes import agent_name
from skilltune.reports.health import reading_health
from skilltune.sources import SOURCES
from skilltune.workflow import mine, read_sessions
from tests.mining.stories import AS_OF
from tests.sources.contract import CONVERSATION, find_fixtures


def test_sessions_are_told_by_the_agents_own_names(tmp_path):
    """Sessions of every agent in one folder are counted under the name that people know it by, as in quotes."""
    fixtures = find_fixtures()
    for name, fixture in fixtures.items():
        fixture.write_conversation(tmp_path / name, CONVERSATION, session="s1", shape=fixture.shapes[0])
    (tmp_path / "old.jsonl.zst").write_bytes(b"\x28\xb5\x2f\xfd")
    mined = mine(read_sessions(tmp_path), as_of=AS_OF)
    told = reading_health(mined, logged_sessions={"gone": 2}, as_of=AS_OF)
    assert told["sessions"] == {SOURCES[name].name: 1 for name in fixtures}
    assert told["transcript_gone"] == 2
    assert told["skipped"] == {"compressed": 1}
    assert {agent_name(name) for name in SOURCES} == {source.name for source in SOURCES.values()}
