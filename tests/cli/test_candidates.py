"""``feedback candidates``, ``accept`` and ``dismiss`` as a person runs them."""

import json

import pytest

SKILL = "tidy-imports"
ESCAPES = "\u001b]0;owned\u0007\u202eevil"


@pytest.fixture
def edited(machine, talk):
    """Write a session in which the skill's edit was edited again after a complaint."""

    def make(session, before="sort by length", after="sort by name", said="No, that is wrong.", **more):
        records = talk(session, said, **more)
        for at, (old, new) in ((3, ("unsorted", before)), (len(records) + 2, (before, after))):
            call_id, record = f"{session}-e{at}", records[3]
            call = {"type": "tool_use", "id": call_id, "name": "Edit"}
            call["input"] = {"file_path": "/home/me/shop/a.py", "old_string": old, "new_string": new}
            result = {"type": "tool_result", "tool_use_id": call_id, "content": "ok"}
            records[at:at] = [
                record | {"uuid": f"{call_id}-c", "message": {"role": "assistant", "content": [call]}},
                record | {"uuid": f"{call_id}-r", "type": "user", "message": {"role": "user", "content": [result]}},
            ]
        return machine.session(session, records)

    return make


def _queue(machine, *more):
    return json.loads(machine.run("feedback", "candidates", "--json", *more).stdout)


def test_candidates_accept_dismiss(machine, edited):
    """A candidate is listed with its evidence, accepted into the ledger, and gone; another one is dismissed."""
    edited("s1")
    edited("s2", "use tabs here", "use spaces here")
    shown = machine.run("feedback", "candidates").stdout
    for part in ("2 candidates", SKILL, "sort by length", "+ sort by name", '"No, that is wrong."', "session s1"):
        assert part in shown
    found = _queue(machine)
    assert found["counts"] == {"modified": 0, "re_edit": 2, "revert": 0, "complaints": 0}
    one, other = sorted(found["candidates"], key=lambda item: item["original"])
    assert (one["original"], one["corrected"], one["attribution"]) == ("sort by length", "sort by name", "likely")
    assert one["sessions"][0]["session_id"] == "s1"
    done = machine.run("feedback", "accept", one["id"], "--skill", SKILL).stdout
    assert "Recorded 1 correction of tidy-imports" in done
    assert "is dismissed" in machine.run("feedback", "dismiss", other["id"]).stdout
    assert "No candidates" in machine.run("feedback", "candidates").stdout
    assert "sort by name" in machine.run("feedback", SKILL).stdout
    assert "decided once" in machine.run("feedback", "dismiss", one["id"], code=2).stderr


def test_accept_in_own_words(machine, edited):
    """The person's texts are recorded in place of the detected ones."""
    edited("s1")
    (item,) = _queue(machine)["candidates"]
    words = ("--original", "by length", "--corrected", "by name")
    row = json.loads(machine.run("feedback", "accept", item["id"], "--skill", SKILL, *words, "--json").stdout)
    assert row["skill_id"] == SKILL
    assert len(row["ledger"]) == 1
    (event,) = json.loads(machine.run("feedback", "list", SKILL, "--json").stdout)
    assert (event["original"], event["corrected"]) == ("by length", "by name")


def test_accept_takes_the_skill_that_the_candidate_names(machine, edited):
    """Without a name it is the skill that was used; another one may be named as argument or option."""
    edited("s1")
    edited("s2", "use tabs here", "use spaces here")
    edited("s3", "use x here", "use y here")
    one, two, three = (item["id"] for item in _queue(machine)["candidates"])
    assert "Recorded 1 correction of tidy-imports" in machine.run("feedback", "accept", one[:6]).stdout
    assert "Recorded 1 correction of brew" in machine.run("feedback", "accept", two, "brew").stdout
    assert "Recorded 1 correction of brew" in machine.run("feedback", "accept", three, "--skill", "brew").stdout


def test_candidate_followed_by_several_skills_is_named_by_the_person(machine, edited):
    """One text after two skills: which of them is meant has to be said, and how is told."""
    edited("s1")
    edited("s2", skill="brew")
    (item,) = _queue(machine)["candidates"]
    told = machine.run("feedback", "accept", item["id"], code=2).stderr
    assert "several skills: brew, tidy-imports" in told
    assert f"skilltune feedback accept {item['id']} --skill " in told


def test_reopen_brings_a_decided_candidate_back(machine, edited):
    """A dismissal is undone, and an acceptance with the corrections it recorded."""
    edited("s1")
    (item,) = _queue(machine)["candidates"]
    for decision in ("dismiss", "accept"):
        undo = machine.run("feedback", decision, item["id"]).stdout
        assert f"Undo: skilltune feedback reopen {item['id']}" in undo
        assert _queue(machine)["candidates"] == []
        machine.run("feedback", "reopen", item["id"][:8])
        assert [found["id"] for found in _queue(machine)["candidates"]] == [item["id"]]
    assert json.loads(machine.run("feedback", "list", SKILL, "--json").stdout) == []
    assert "was decided on" in machine.run("feedback", "reopen", item["id"], code=2).stderr


def test_accept_with_a_wrong_id(machine, edited):
    """Refused with exit code 2 and where the ids are."""
    edited("s1")
    assert "feedback candidates" in machine.run("feedback", "accept", "x", "--skill", SKILL, code=2).stderr
    assert "feedback candidates" in machine.run("feedback", "dismiss", "x", code=2).stderr


def test_candidates_of_one_skill(machine, edited):
    """The argument and ``--skill`` select what is shown."""
    edited("s1")
    edited("s2", "use tabs here", "use spaces here", skill="brew")
    for named in (("--skill", "brew"), ("brew",)):
        assert [item["skill_id"] for item in _queue(machine, *named)["candidates"]] == ["brew"]
    assert "name one" in machine.run("feedback", "candidates", "brew", "--skill", "tea", code=2).stderr


def test_candidates_do_not_reach_the_terminal_as_commands(machine, edited):
    """Escape sequences in texts, names and words are shown, not sent."""
    edited("s1", f"sort {ESCAPES}", "sort by name", f"No, that is wrong {ESCAPES}", skill=f"x{ESCAPES}")
    shown = machine.run("feedback", "candidates").stdout
    assert "1 candidate" in shown
    assert not {"\u001b", "\u202e", "\u0007"} & set(shown)
    assert "\u001b" not in machine.run("feedback", "candidates", "--json").stdout
    assert "\u001b" not in machine.run("feedback", "dismiss", ESCAPES, code=2).stderr


def test_scrub_empties_the_queue_of_texts(machine, edited):
    """``feedback scrub`` removes texts of candidates with those of the log."""
    edited("s1")
    machine.run("mine")
    machine.run("feedback", "candidates")
    machine.run("feedback", "scrub", "--yes")
    kept = [path.read_text() for path in machine.home.rglob("candidates.jsonl")]
    assert kept
    assert "sort by" not in "".join(kept)


def test_scrub_without_a_feedback_log_does_queue_and_ledger(machine, edited):
    """Nothing was mined: the queue loses its texts all the same, and what was recorded on demand."""
    edited("s1")
    machine.run("feedback", "record", "correction", SKILL, "--original", "by length", "--corrected", "by name")
    machine.run("feedback", "candidates")
    done = json.loads(machine.run("feedback", "scrub", "--yes", "--json").stdout)
    assert (done["log"], done["texts"], done["recorded_kept"]) == (None, 1, 1)
    assert "by length" in machine.run("feedback", SKILL).stdout
    told = machine.run("feedback", "scrub", "--recorded", "--yes").stdout
    assert "1 text and 0 unreadable lines removed from" in told
    kept = "".join(path.read_text() for path in machine.home.rglob("*.jsonl") if path.parent.name == ".skilltune")
    assert "by length" not in kept
    assert "sort by" not in kept
    assert "Total events: 1 (1 correction" in machine.run("feedback", SKILL).stdout


def test_complaints_are_listed_beside(machine, talk):
    """Groups of complaints stand in the same list, with the command that words a line for them."""
    for number in range(3):
        machine.session(f"c{number}", talk(f"c{number}", "No, you forgot the stylesheets again."))
    machine.run("mine")
    shown = machine.run("feedback", "candidates").stdout
    assert "1 group of complaints" in shown
    assert f"skilltune refine {SKILL} --open" in shown
    (group,) = _queue(machine)["complaints"]
    machine.run("feedback", "dismiss", group["id"])
    assert _queue(machine)["complaints"] == []
