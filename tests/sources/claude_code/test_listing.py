"""Skills that the program lists as available: counted, and no use of any."""

import pytest

from tests.sources.claude_code.building import Transcript, uses

NAMES = [f"skill-{number}" for number in range(12)]


def available(read, *lists):
    """How many skills a session with these lists has."""
    log = Transcript().user("go").agent("ok")
    for kind, fields in lists:
        log.attachment(kind, **fields)
    facts = read(log)
    assert uses(facts) == []
    assert facts.records.get("attachment", 0) == len(lists)
    return facts.sessions[0].available


@pytest.mark.parametrize(
    ("lists", "count"),
    [
        ([], None),
        ([("skill_listing", {"names": NAMES, "skillCount": 12, "content": "- other: x"})], 12),
        ([("skill_listing", {"names": [], "skillCount": 0, "content": ""})], 0),
        (
            [("skill_listing", {"content": "- tidy: Sort: imports\n  - no\n- docs:write: x\n- bare\n-none\ntext"})],
            3,
        ),
        ([("skill_listing", {"names": NAMES}), ("skill_listing", {"names": ["skill-1", "new"]})], 13),
        ([("skill_listing", {"names": NAMES}), ("dynamic_skill", {"skillNames": ["late", "skill-2"]})], 13),
        ([("skill_listing", {"names": ["a"], "skillCount": 40})], 40),
        ([("skill_listing", {"names": 5, "content": 7, "skillCount": "many"})], 0),
        ([("invoked_skills", {"skills": [{"name": "tidy"}]})], None),
    ],
)
def test_available_counts_what_is_listed(read, lists, count):
    """Names once over all lists, else the lines of the text; a list's own number where that is larger (K26)."""
    assert available(read, *lists) == count


def test_available_is_not_used(read):
    """A list of twelve, one call: twelve available, one used (K26)."""
    log = Transcript().user("go").attachment("skill_listing", names=NAMES).call("Skill", skill="skill-3")
    facts = read(log)
    assert (facts.sessions[0].available, [use.skill_id for use in uses(facts)]) == (12, ["skill-3"])
