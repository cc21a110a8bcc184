"""The queue of candidates: kept once, decided once, readable whatever it holds."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.evolution.candidates import Candidate, Sighting, candidate_id, in_queue_order, merge_candidates
from skilltune.stores.candidates import CandidateLog, Decision, find_candidate_log
from tests.conftest import ROOT

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


def seen(number=1, **more):
    """A sighting."""
    values = {
        "skill_id": "brew",
        "event_id": f"e{number}",
        "attribution": "likely",
        "session_id": f"s{number}",
        "project": "/home/me/shop",
        "transcript": f"/logs/s{number}.jsonl",
        "lines": (4, 7, 8),
        "timestamp": AT.replace(day=number),
    }
    return Sighting(**values | more)


def candidate(original="black tea", corrected="green tea", *sightings, **more):
    """A candidate."""
    return Candidate(
        id=candidate_id("re_edit", original, corrected),
        **{
            "kind": "re_edit",
            "sign": "edit",
            "file": "/t/tea.md",
            "original": original,
            "corrected": corrected,
            "quote": "no, green tea",
            "cut": False,
            "sightings": sightings or (seen(),),
        }
        | more,
    )


@pytest.fixture
def log(tmp_path):
    """A queue that holds nothing yet."""
    return CandidateLog(tmp_path / "candidates.jsonl")


def test_candidates_are_read_as_they_were_written(log):
    """All fields come back, sightings in order; the same again adds nothing."""
    item = candidate("a 🍵", "b", seen(1), seen(2, attribution="direct"))
    assert log.add([item]) == 1
    before = log.path.read_bytes()
    assert log.add([item]) == 0
    assert log.path.read_bytes() == before
    (read,) = log.read().candidates.values()
    assert read == merge_candidates([item])[0]
    assert read.best.attribution == "direct"


def test_further_sighting_is_one_line_without_text(log):
    """The same content in another session is the same candidate, its texts written once."""
    log.add([candidate()])
    assert log.add([candidate("black  tea\n", "green tea", seen(2))]) == 0
    rows = [json.loads(line) for line in log.path.read_text().splitlines()]
    assert [row["original"] for row in rows] == ["black tea", None]
    (read,) = log.read().candidates.values()
    assert read.sessions == ("s1", "s2")


def test_copy_of_a_session_is_no_second_sighting(log):
    """The same use in a resumed session's file shows it once."""
    log.add([candidate()])
    log.add([candidate("black tea", "green tea", seen(1, session_id="resumed"))])
    (read,) = log.read().candidates.values()
    assert read.sessions == ("s1",)


def test_no_texts_where_none_are_wanted(log):
    """Without texts the evidence stays: kind, skill, session, lines, date."""
    log.add([candidate()], texts=False)
    assert "tea" not in log.path.read_text().replace("/t/tea.md", "")
    (read,) = log.read().candidates.values()
    assert not read.has_texts
    assert (read.skill_id, read.best.lines) == ("brew", (4, 7, 8))


def test_decision_counts_once_and_holds_no_text(log):
    """What was decided is not added to again; the first decision counts."""
    item = candidate()
    log.add([item])
    log.decide(Decision(candidate=item.id, decision="dismiss", by="ada", at=AT))
    log.decide(Decision(candidate=item.id, decision="accept", by="bob", at=AT, skill_id="brew"))
    assert log.add([candidate("black tea", "green tea", seen(5))]) == 0
    contents = log.read()
    assert contents.decisions[item.id].decision == "dismiss"
    assert contents.candidates[item.id].sessions == ("s1",)
    assert "tea" not in log.path.read_text().splitlines()[-1]


def test_scrub_removes_texts_and_damaged_lines(log):
    """Texts go for good, and do not come back with the next run; candidates and decisions stay."""
    item = candidate()
    log.add([item])
    log.decide(Decision(candidate=item.id, decision="dismiss", by="ada", at=AT))
    with log.path.open("ab") as file:
        file.write(b'{"type":"candidate","quote":"no, green te')
    log.add([candidate("sugar", "salt")])
    assert log.scrub() == 2
    text = log.path.read_text()
    assert not any(word in text for word in ("green te", "sugar", "salt"))
    assert not list(log.path.parent.glob("*.torn"))
    log.add([candidate("sugar", "salt")])
    assert "sugar" not in log.path.read_text()
    assert item.id in log.read().decisions
    assert CandidateLog(log.path.with_name("none.jsonl")).scrub() == 0


ODD = st.none() | st.booleans() | st.integers() | st.text(max_size=10) | st.lists(st.integers(), max_size=2)


@given(name=st.sampled_from([*"abc", "id", "kind", "sign", "lines", "skillName", "timestamp", "type", "cut"]), odd=ODD)
def test_odd_lines_are_counted_and_passed_over(tmp_path, name, odd):
    """A line with whatever in a field is read or counted, and never raises; the good one stands."""
    log = CandidateLog(tmp_path / "candidates.jsonl")
    log.path.unlink(missing_ok=True)
    log.add([candidate(), candidate("sugar", "salt")])
    first, second = log.path.read_text().splitlines()
    log.path.write_text(json.dumps(json.loads(first) | {name: odd}) + f"\n{second}\n")
    contents = log.read()
    assert candidate("sugar", "salt").id in contents.candidates
    assert len(contents.candidates) + len(contents.problems) >= 1 + bool(contents.problems)


def test_queue_order_has_the_repeated_then_the_late_first():
    """What several sessions show comes first, of the rest the latest; of one moment what is surely about the skill."""
    twice = candidate("a", "b", seen(1, attribution="weak"), seen(2, attribution="weak"))
    direct = candidate("c", "d", seen(3, attribution="direct"))
    late, early = candidate("e", "f", seen(5)), candidate("g", "h", seen(4))
    undated = candidate("i", "j", seen(6, timestamp=None))
    same = candidate("k", "l", seen(3))
    assert in_queue_order([early, undated, same, late, direct, twice]) == [twice, late, early, direct, same, undated]


@given(st.text(max_size=20), st.text(max_size=20))
def test_candidate_id_tells_different_changes_apart(one, other):
    """Both directions of a change, and its kinds, have ids of their own."""
    if one.split() != other.split():
        assert candidate_id("re_edit", one, other) != candidate_id("re_edit", other, one)
    assert candidate_id("re_edit", one, other) != candidate_id("revert", one, other)


def test_indentation_alone_is_a_change_of_its_own():
    """Where only white space differs, it is what tells two candidates apart."""
    assert candidate_id("re_edit", "  a", "a") != candidate_id("re_edit", "    a", "a")


def test_two_processes_add_each_line_whole(log):
    """Writers at once leave every line readable, each candidate once."""
    code = (
        "import sys\nfrom tests.stores.test_candidates import candidate, seen\n"
        "from skilltune.stores.candidates import CandidateLog\n"
        "for n in range(20): CandidateLog(sys.argv[1]).add([candidate(f'a{n}', 'b', seen(int(sys.argv[2])))])\n"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", code, str(log.path), number], cwd=ROOT, env=dict(os.environ))
        for number in ("1", "2")
    ]
    assert [run.wait() for run in runs] == [0, 0]
    contents = log.read()
    assert not contents.problems
    assert len(contents.candidates) == 20
    assert all(item.sessions == ("s1", "s2") for item in contents.candidates.values())


def test_queue_lies_in_the_workspace_and_out_of_git(tmp_path):
    """The workspace is made with the queue, and its ``.gitignore``."""
    log = find_candidate_log(tmp_path / ".skilltune")
    assert not log.exists()
    log.add([replace(candidate(), quote="")])
    assert log.path == tmp_path / ".skilltune" / "candidates.jsonl"
    assert (tmp_path / ".skilltune" / ".gitignore").exists()
