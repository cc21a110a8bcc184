"""Evidence goes to the skill whose folder the transcript names."""

import pytest

from skilltune.refining.candidates import decide_candidate, find_candidates, reopen_candidate
from skilltune.refining.evidence import (
    find_openings,
    judge_eligibility,
    read_evidence,
    say_complaints_elsewhere,
)
from skilltune.refining.folders import other_folder, placed_folder, used_folders
from skilltune.refining.state import read_state
from skilltune.stores.ledger import find_ledger
from skilltune.stores.workspace import find_workspace
from skilltune.workflow import collect
from tests.refining.homes import FIX, HEAD, NOW, SKILL
from tests.sources.claude_code.building import Transcript, write


def used(session, *, said, folder=""):
    """A session in which the skill was used from a folder, and what the person said of it."""
    log = Transcript(session, prefix=session)
    log.user("run the linter").call("Skill", "s", skill=SKILL).result(f"Launching skill: {SKILL}", "s")
    if folder:
        text = f"Base directory for this skill: {folder}\n\n# Lint on save\n\nRun it."
        log.user(text, isMeta=True, sourceToolUseID="s")
    log.call("Edit", "e1", file_path="/p/run.sh", old_string="true", new_string=FIX[0]).result("ok", "e1")
    log.agent("Done.").user(said)
    return log.call("Edit", "e2", file_path="/p/run.sh", old_string=FIX[0], new_string=FIX[1]).result("ok", "e2")


def complain(home, count=3, *, folder="", first=0):
    """So many sessions that complain about the same, mined into the workspace."""
    said = "no, the summary table is missing again"
    for number in range(first, first + count):
        log = used(f"s{number}", said=said, folder=folder)
        write(home.claude / "projects" / "-p" / f"s{number}.jsonl", log)
    collect(home.claude / "projects", workspace=home.workspace(), as_of=NOW)


@pytest.fixture
def project(home):
    """A second skill of the same name, in the project."""
    folder = home.folder / "work" / ".claude" / "skills" / SKILL
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(HEAD + "# Lint\n\nUse the project's own linter.\n")
    return folder


def state(home, folder=None):
    """The state of one of the two skills."""
    return read_state(SKILL, workspace=home.workspace(), base_directory=folder)


def test_complaints_go_to_the_skill_that_the_transcript_names(home, project, monkeypatch):
    """Those of the project's folder are none of the user's skill, which says how many there are and where."""
    complain(home, folder=str(project))
    assert find_openings(state(home)) == []
    assert say_complaints_elsewhere(state(home)) == (f"3 complaints are about another {SKILL}, in {project}",)
    monkeypatch.chdir(home.folder / "work")
    (opened,) = find_openings(state(home, project))
    assert opened.heading == '3 complaints about "summary", "table"'
    assert say_complaints_elsewhere(state(home, project)) == ()


def test_complaints_without_a_folder_go_to_the_skill_that_counts(home, project, monkeypatch):
    """No folder, or one that is gone: the user's skill, not the project's of the same name."""
    complain(home, 2)
    complain(home, 2, folder=str(home.folder / "gone" / SKILL), first=2)
    assert [opened.group.count for opened in find_openings(state(home))] == [4]
    monkeypatch.chdir(home.folder / "work")
    assert find_openings(state(home, project)) == []
    told = f"4 complaints are about another {SKILL}, in {home.file.parent}"
    assert say_complaints_elsewhere(state(home, project)) == (told,)


def test_corrections_go_to_the_skill_whose_folder_they_name(home, project, monkeypatch):
    """A correction that names the project's folder does not make the user's skill eligible, and is told of."""
    ledger = find_ledger(home.workspace())
    for number in range(3):
        ledger.record_correction(
            SKILL, original=FIX[0], corrected=FIX[1], session_id=f"s{number}", skill_folder=str(project), at=NOW
        )
    assert '"skillFolder":' in ledger.path.read_text()
    evidence = read_evidence(SKILL, workspace=find_workspace(explicit=home.workspace()), as_of=NOW)
    other = judge_eligibility(state(home), evidence=evidence, as_of=NOW)
    assert (other.correction_count, other.reason) == (0, "insufficient_feedback")
    assert f"3 corrections are about another {SKILL}, in {project}" in other.warnings
    monkeypatch.chdir(home.folder / "work")
    assert judge_eligibility(state(home, project), evidence=evidence, as_of=NOW).correction_count == 3


def test_accepted_candidate_keeps_the_folder_it_is_about(home, project):
    """The correction that a candidate becomes names the folder of the skill that was used, where it is another one."""
    complain(home, 1, folder=str(project))
    complain(home, 1, folder=str(home.file.parent), first=1)
    (item,) = find_candidates(home.workspace()).candidates
    events = decide_candidate(item.id, decision="accept", skill_id=SKILL, workspace=home.workspace())
    assert {event.session_id: event.skill_folder for event in events} == {"s0": str(project), "s1": ""}


def test_groups_of_the_queue_are_of_one_skill(home, project):
    """Two and two complaints about two skills of a name are no group of four."""
    complain(home, 2, folder=str(project))
    complain(home, 2, first=2)
    assert find_candidates(home.workspace()).complaints == ()
    complain(home, 1, folder=str(project), first=4)
    (group,) = find_candidates(home.workspace()).complaints
    assert group.base_directory == str(project)


def test_used_folders_are_those_that_the_name_does_not_lead_to(home, project):
    """The latest first; the installed one, one without a skill file and one that is gone are left out."""
    workspace = find_workspace(explicit=home.workspace())
    assert used_folders(workspace) == {}
    empty = home.folder / "empty"
    empty.mkdir()
    for number, folder in enumerate([project, home.file.parent, empty, home.folder / "gone"]):
        complain(home, 1, folder=str(folder), first=number)
    assert used_folders(workspace) == {SKILL: [str(project)]}


def test_folder_reached_by_a_link_is_the_same(home, project):
    """Links are followed before folders are compared; what is no folder on this machine is none."""
    link = home.folder / "link"
    link.symlink_to(home.file.parent)
    assert other_folder(SKILL, named=str(link)) == ""
    assert other_folder(SKILL, named=str(project)) == str(project)
    assert [placed_folder(text) for text in ("", "a\0b", "relative", r"C:\skills\lint", "/nowhere")] == [""] * 5


def test_dismissal_is_undone(home):
    """A dismissed candidate and a dismissed group come back; the act and its undoing stay in the queue."""
    complain(home)
    queue = find_candidates(home.workspace())
    (item,), (group,) = queue.candidates, queue.complaints
    for id_ in (item.id, group.id):
        decide_candidate(id_, decision="dismiss", workspace=home.workspace())
    assert find_openings(state(home)) == []
    done = [reopen_candidate(id_, workspace=home.workspace(), note="too soon") for id_ in (item.id, group.id)]
    assert [undone.decision.decision for undone in done] == ["dismiss", "dismiss"]
    again = find_candidates(home.workspace())
    assert ([each.id for each in again.candidates], again.complaints) == ([item.id], (group,))
    assert len(find_openings(state(home))) == 1
    decide_candidate(item.id, decision="dismiss", workspace=home.workspace())
    assert find_candidates(home.workspace()).candidates == ()


def test_acceptance_is_undone_with_its_corrections(home):
    """What was recorded no longer counts, and accepting again records it anew."""
    complain(home)
    (item,) = find_candidates(home.workspace()).candidates
    events = decide_candidate(item.id, decision="accept", skill_id=SKILL, workspace=home.workspace())
    undone = reopen_candidate(item.id, workspace=home.workspace())
    assert undone.retracted == tuple(event.id for event in events)
    assert find_ledger(home.workspace()).count() == 0
    decide_candidate(item.id, decision="accept", skill_id=SKILL, workspace=home.workspace())
    assert find_ledger(home.workspace()).count() == 3


def test_reopening_needs_a_decision(home):
    """What nobody decided on cannot be opened again, nor twice."""
    with pytest.raises(ValueError, match="nothing was decided on 'feed'"):
        reopen_candidate("feed", workspace=home.workspace())
    complain(home)
    (item,) = find_candidates(home.workspace()).candidates
    decide_candidate(item.id, decision="dismiss", workspace=home.workspace())
    reopen_candidate(item.id, workspace=home.workspace())
    with pytest.raises(ValueError, match="nothing was decided on"):
        reopen_candidate(item.id, workspace=home.workspace())
