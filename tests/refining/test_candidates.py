"""From sessions to a queue, and from a person's decision to the ledger."""

import copy
import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltune.errors import CollectionDisabled, InputError
from skilltune.limits import CANDIDATE_CHARS
from skilltune.refining import candidates as queue_module
from skilltune.refining.candidates import decide_candidate, find_candidates
from skilltune.refining.suggesting import eligibility_of, suggest
from skilltune.sources import SOURCES
from skilltune.stores.candidates import find_candidate_log
from skilltune.stores.ledger import find_ledger
from skilltune.workflow import collect, read_sessions
from tests.refining.homes import FIX, NOW, SKILL
from tests.sources.claude_code.building import Transcript, write
from tests.sources.contract import CONVERSATION, find_fixtures

WRONG, RIGHT = FIX


def story(session="s1", *, wrong=WRONG, right=RIGHT, said="no, that is wrong", skill=SKILL, prefix=None, **more):
    """A session in which what the skill wrote was edited again after a complaint."""
    log = Transcript(session, prefix=prefix or session)
    log.user("run the linter").call("Skill", "s", skill=skill).result(f"Launching skill: {skill}", "s")
    log.call("Edit", "e1", file_path="/p/run.sh", old_string="true", new_string=wrong).result("ok", "e1")
    log.agent("Done.").user(said)
    return log.call("Edit", "e2", file_path="/p/run.sh", old_string=wrong, new_string=right).result("ok", "e2")


@pytest.fixture
def find(home):
    """Write sessions and look for candidates in the home's workspace."""

    def run(*logs, **more):
        for log in logs:
            write(home.claude / "projects" / "-p" / f"{log.session}.jsonl", log)
        return find_candidates(home.workspace(), **more)

    return run


def test_found_with_its_evidence(home, find):
    """A candidate names the skill before it with attribution, session, lines, date, both texts and the quote."""
    queue = find(story())
    (item,) = queue.candidates
    assert (item.kind, item.sign, item.original, item.corrected) == ("re_edit", "edit", WRONG, RIGHT)
    assert (item.skill_id, item.best.attribution, item.best.session_id) == (SKILL, "likely", "s1")
    assert item.best.lines == (4, 7, 8)
    assert item.best.timestamp == datetime(2026, 1, 5, 10, 0, 6, tzinfo=UTC)
    assert item.quote == "no, that is wrong"
    assert (queue.new, queue.decided, queue.counts()["re_edit"]) == (1, 0, 1)
    assert find().new == 0


def test_repeated_content_is_one_candidate(home, find):
    """Three sessions with the same correction are one candidate with three sightings."""
    (item,) = find(story("s1"), story("s2", right=f"{RIGHT}  "), story("s3")).candidates
    assert sorted(item.sessions) == ["s1", "s2", "s3"]


def test_resumed_session_is_no_second_sighting(home, find):
    """A copy of a session in another file, under another id, repeats nothing."""
    (item,) = find(story("s1"), story("s2", prefix="s1")).candidates
    assert len(item.sightings) == 1


def test_accepted_becomes_corrections_that_make_a_suggestion(home, find):
    """Accepted once, it counts for each session that shows it, and the loop can start from it."""
    (item,) = find(story("s1"), story("s2"), story("s3")).candidates
    events = decide_candidate(item.id, decision="accept", skill_id=SKILL, workspace=home.workspace())
    assert sorted(event.session_id for event in events) == ["s1", "s2", "s3"]
    assert {event.timestamp.date().isoformat() for event in events} == {"2026-01-05"}
    assert eligibility_of(SKILL, workspace=home.workspace(), as_of=NOW).eligible
    suggestion = suggest(SKILL, workspace=home.workspace(), as_of=NOW)
    assert [(change.original, change.suggested) for change in suggestion.changes] == [FIX]


def test_queue_has_the_most_evidence_first_then_the_newest(home, find):
    """What more sessions show comes first; of equals the later; a limit cuts the rest off and counts it."""
    logs = [
        story(f"a{n}", wrong=f"use {word} here", right="use oolong here") for n, word in enumerate(["tabs", "dots"])
    ]
    logs += [story("b1"), story("b2")]
    queue = find(*logs)
    assert [len(item.sessions) for item in queue.candidates] == [2, 1, 1]
    first = find(limit=1)
    assert ([item.id for item in first.candidates], first.more) == ([queue.candidates[0].id], 2)
    assert find(limit=0).more == 3
    with pytest.raises(InputError, match="limit is -1"):
        find(limit=-1)


def test_noise_is_counted_by_reason_and_can_be_decided_on(home, find):
    """A counter and a rewrite are not shown; each has its reason, and its id still works."""
    long = "\n".join(f"brew pot {number} slowly" for number in range(12))
    queue = find(
        story("s1", wrong="use tabs", right="use tabs (2)"),
        story("s3", wrong=long, right=long.replace("brew", "warm").replace("slowly", "well")),
        story("s4"),
    )
    assert ([item.original for item in queue.candidates], queue.new) == ([WRONG], 3)
    assert queue.noise == {"generated": 1, "rewritten": 1}
    contents = find_candidate_log(home.workspace()).read()
    (noisy,) = [item for item in contents.candidates.values() if item.noise == "generated"]
    decide_candidate(noisy.id, decision="accept", skill_id=SKILL, workspace=home.workspace())
    assert find().noise == {"rewritten": 1}


def test_decided_is_never_shown_again(home, find):
    """Accepted or dismissed, it stays away, whichever session repeats it, and cannot be decided twice."""
    first, second = find(story("s1"), story("s2", wrong="use tabs here", right="use spaces here")).candidates
    decide_candidate(first.id, decision="accept", skill_id=SKILL, workspace=home.workspace())
    decide_candidate(second.id, decision="dismiss", workspace=home.workspace())
    queue = find(story("s3"), story("s4", wrong="use tabs  here", right="use spaces here"))
    assert queue.candidates == ()
    assert queue.decided == 2
    for item in (first, second):
        with pytest.raises(InputError, match=r"was (accepted|dismissed)"):
            decide_candidate(item.id, decision="dismiss", workspace=home.workspace())
    assert find_ledger(home.workspace()).count() == 1


def test_accepted_as_edited_and_for_another_skill(home, find):
    """The person's own words and skill are what is recorded."""
    (item,) = find(story()).candidates
    (event,) = decide_candidate(
        item.id, decision="accept", skill_id="tidy", original="eslint", corrected="oxlint", workspace=home.workspace()
    )
    assert (event.skill_id, event.original, event.corrected) == ("tidy", "eslint", "oxlint")


def test_accept_needs_a_skill_and_a_known_id(home, find):
    """Without a skill, or with an id that nothing has, nothing is recorded or decided."""
    (item,) = find(story()).candidates
    with pytest.raises(InputError, match=f"--skill {SKILL}"):
        decide_candidate(item.id, decision="accept", workspace=home.workspace())
    with pytest.raises(InputError, match="no candidate"):
        decide_candidate("feedfeed", decision="dismiss", workspace=home.workspace())
    with pytest.raises(InputError, match="accept or dismiss"):
        decide_candidate(item.id, decision="maybe", workspace=home.workspace())
    with pytest.raises(InputError, match="identical"):
        decide_candidate(item.id, decision="accept", skill_id=SKILL, original=RIGHT, workspace=home.workspace())
    assert len(find().candidates) == 1
    assert not find_ledger(home.workspace()).exists()


def test_killed_between_ledger_and_decision_is_completed(home, find, monkeypatch):
    """What was recorded before a crash is not recorded again when the person decides anew."""
    (item,) = find(story("s1"), story("s2")).candidates
    find_ledger(home.workspace()).record_correction(SKILL, original=WRONG, corrected=RIGHT, session_id="s1")
    events = decide_candidate(item.id, decision="accept", skill_id=SKILL, workspace=home.workspace())
    assert len(events) == 2
    assert find_ledger(home.workspace()).count() == 2


def test_texts_are_masked(home, find):
    """Keys and passwords in texts and quote are masked; what differs in nothing else is no candidate."""
    words = "password: hunter2!"
    queue = find(
        story(wrong=f"log in with {words}", right="log in", said=f"no, that is wrong, {words}"),
        story("s2", wrong="token = ghp_0123456789abcdefghijABCDEFGHIJ012345", right="token = x"),
    )
    assert len(queue.candidates) == 2
    assert "hunter2" not in repr(queue)
    kept = queue.path.read_text()
    assert "hunter2" not in kept
    assert "ghp_0" not in kept
    assert "[secret]" in kept


def test_long_texts_are_cut_and_not_accepted_as_they_are(home, find):
    """A cut text says so, and is recorded only in the person's own words."""
    (item,) = find(story(wrong="long line " * 900, right="short line " * 900)).candidates
    assert item.cut
    assert len(item.original) == CANDIDATE_CHARS
    with pytest.raises(InputError, match="2,000 characters"):
        decide_candidate(item.id, decision="accept", skill_id=SKILL, original="long", workspace=home.workspace())
    decide_candidate(
        item.id, decision="accept", skill_id=SKILL, original="long", corrected="short", workspace=home.workspace()
    )


def test_without_snippets_no_text_is_kept(home, find):
    """``snippets = false``: shown from the transcript while that is there, never written; accepted all the same."""
    home.workspace().mkdir(parents=True)
    (home.workspace() / "config.toml").write_text("[privacy]\nsnippets = false\n")
    (item,) = find(story()).candidates
    assert item.original == WRONG
    assert WRONG not in (home.workspace() / "candidates.jsonl").read_text()
    (event,) = decide_candidate(item.id, decision="accept", skill_id=SKILL, workspace=home.workspace())
    assert event.original == WRONG


def test_without_snippets_and_transcript_the_texts_must_be_given(home, find):
    """Where no text is left, the evidence is, and accepting takes both texts."""
    home.workspace().mkdir(parents=True)
    (home.workspace() / "config.toml").write_text("[privacy]\nsnippets = false\n")
    find(story())
    (home.claude / "projects" / "-p" / "s1.jsonl").unlink()
    (item,) = find().candidates
    assert not item.has_texts
    with pytest.raises(InputError, match="not kept"):
        decide_candidate(item.id, decision="accept", skill_id=SKILL, workspace=home.workspace())
    decide_candidate(
        item.id, decision="accept", skill_id=SKILL, original="a", corrected="b", workspace=home.workspace()
    )


def test_queue_outlives_the_transcripts(home, find):
    """A candidate stays when its transcript is deleted."""
    find(story())
    (home.claude / "projects" / "-p" / "s1.jsonl").unlink()
    (item,) = find().candidates
    assert item.original == WRONG


def test_only_of_one_skill(home, find):
    """The filter selects what is shown, and finds all."""
    queue = find(story("s1"), story("s2", skill="tidy", wrong="use tabs here", right="use spaces"), skill_id="tidy")
    assert [item.skill_id for item in queue.candidates] == ["tidy"]
    assert queue.new == 2


def test_switched_off_finds_nothing(home, find):
    """The person's switch stops it before anything is read or written."""
    (home.claude / "feedback-config.json").write_text('{"enabled": false}')
    with pytest.raises(CollectionDisabled):
        find(story())
    with pytest.raises(CollectionDisabled):
        decide_candidate("x", decision="dismiss", workspace=home.workspace())
    assert not home.workspace().exists()


def test_only_transcripts_with_a_skill_are_read_twice(home, find, monkeypatch):
    """A transcript without a skill is not read a second time; one that is gone by then is named."""
    read = []
    original = queue_module.detect_candidates.__globals__["read_edits"]
    monkeypatch.setitem(
        queue_module.detect_candidates.__globals__, "read_edits", lambda path: read.append(path) or original(path)
    )
    plain = Transcript("s2", prefix="p").user("go").call("Edit", file_path="/p", old_string="a", new_string="b")
    find(story(), plain.result())
    assert [path.rpartition("/")[2] for path in read] == ["s1.jsonl"]
    scan = read_sessions(home.claude / "projects")
    (home.claude / "projects" / "-p" / "s1.jsonl").unlink()
    queue = find_candidates(home.workspace("two"), sessions=scan)
    assert len(queue.unreadable) == 1
    assert queue.candidates == ()


@pytest.mark.parametrize("name", sorted({*find_fixtures()} - {"claude-code"}))
def test_sessions_of_other_agents_are_left_out_and_told(home, tmp_path, name):
    """Only edits of Claude Code are read a second time; of another agent the sessions with a skill are counted."""
    fixture = find_fixtures()[name]
    fixture.write_conversation(tmp_path / "logs", CONVERSATION, session="s1", shape=fixture.shapes[0])
    queue = find_candidates(home.workspace(), sessions=tmp_path / "logs")
    assert queue.candidates == ()
    (told,) = queue.unreadable
    assert told.startswith(f"{SOURCES[name].name}: corrections are looked for in sessions of Claude Code only; 1 in")


def _complain(home):
    """Three sessions that complain about the same, mined."""
    for number in range(3):
        log = Transcript(f"c{number}", prefix=f"c{number}-").user("lint it").call("Skill", "s", skill=SKILL)
        log.result(f"Launching skill: {SKILL}", "s").agent("Done.").user("no, you forgot the stylesheets again")
        write(home.claude / "projects" / "-p" / f"c{number}.jsonl", log)
    collect(home.claude / "projects", workspace=home.workspace(), as_of=NOW)


def test_groups_of_complaints_stand_beside(home, find):
    """(d) Complaints that repeat are listed, and can be dismissed; accepting one takes a line in one's own words."""
    _complain(home)
    (group,) = find().complaints
    assert (group.skill_id, group.count) == (SKILL, 3)
    assert find().counts()["complaints"] == 1
    with pytest.raises(InputError, match="--word"):
        decide_candidate(group.id, decision="accept", skill_id=SKILL, workspace=home.workspace())
    decide_candidate(group.id, decision="dismiss", workspace=home.workspace())
    assert find().complaints == ()
    assert find().decided == 1
    with pytest.raises(InputError, match="was dismissed"):
        decide_candidate(group.id, decision="dismiss", workspace=home.workspace())


def test_groups_of_a_skill_that_is_not_installed_are_listed_too(home, find):
    """Logs come from other machines."""
    _complain(home)
    home.file.unlink()
    home.file.parent.rmdir()
    assert len(find().complaints) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=5,
)
RECORDS = [json.loads(line) for line in story().lines]


def _places(value, path=()):
    """Every place in a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from _places(inner, (*path, key))


PLACES = [(number, *path) for number, record in enumerate(RECORDS) for path in _places(record)]


@settings(max_examples=150)
@given(place=st.sampled_from(PLACES), odd=JSON)
def test_any_field_replaced_never_raises(home, place, odd):
    """Whatever stands in whichever field of a transcript, looking for candidates ends, and finds no more than one."""
    records = copy.deepcopy(RECORDS)
    target = records
    for key in place[:-1]:
        target = target[key]
    target[place[-1]] = odd
    write(home.claude / "projects" / "-p" / "s1.jsonl", "".join(json.dumps(record) + "\n" for record in records))
    home.workspace().mkdir(parents=True, exist_ok=True)
    (home.workspace() / "candidates.jsonl").unlink(missing_ok=True)
    assert len(find_candidates(home.workspace()).candidates) <= 2


def test_future_and_undated_acts_are_recorded_with_a_date(home, find):
    """A candidate without a readable time is recorded as of the decision."""
    log = story()
    log.lines = [json.dumps({**json.loads(line), "timestamp": "soon"}) for line in log.lines]
    (item,) = find(log).candidates
    assert item.best.timestamp is None
    (event,) = decide_candidate(
        item.id, decision="accept", skill_id=SKILL, workspace=home.workspace(), as_of=NOW - timedelta(days=1)
    )
    assert event.timestamp == NOW - timedelta(days=1)


def test_names_are_kept_without_secrets(home, find):
    """A key in the name of a skill, a session or a file is in neither the queue nor the ledger."""
    key = "ghp_" + "a1B2c3D4e5" * 4
    log = story(skill=f"{SKILL} {key}")
    text = log.text().replace('"sessionId": "s1"', f'"sessionId": "s {key}"').replace("/p/run.sh", f"/p/{key}.sh")
    assert f"s {key}" in text
    write(home.claude / "projects" / "-p" / "s1.jsonl", text)
    queue = find_candidates(home.workspace())
    (item,) = queue.candidates
    assert (item.skill_id, item.best.session_id) == (f"{SKILL} [secret]", "s [secret]")
    assert item.file.endswith("[secret].sh") or item.file.endswith("[secret]")
    decide_candidate(item.id, decision="accept", skill_id=SKILL, workspace=home.workspace())
    kept = [path for path in home.workspace().rglob("*.jsonl") if "cache" not in path.parts]
    assert kept
    for path in kept:
        assert key not in path.read_text(encoding="utf-8"), path
