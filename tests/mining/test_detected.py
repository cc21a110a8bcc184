"""Corrections that a session shows, through the real reader: invented transcripts in, candidates out."""

import pytest

from skilltune.limits import CANDIDATES_OF_ONE_ACT
from skilltune.mining.detected import detect_corrections
from skilltune.mining.invocations import find_skill_names
from skilltune.sources import SOURCES
from skilltune.sources.claude_code.edits import read_edits
from tests.sources.claude_code.building import NO, Transcript, write

TEA = "/t/tea.md"


class Story(Transcript):
    """A transcript in which the skill ``brew`` was used."""

    def __init__(self, **more):
        super().__init__(**more)
        self.user("make tea").call("Skill", "s", skill="brew").result("Launching skill: brew", "s")
        self.number = 0

    def edit(self, old, new, *, path=TEA, answer="ok", **more):
        """An edit and its result."""
        self.number += 1
        call_id = f"e{self.number}"
        self.call("Edit", call_id, file_path=path, old_string=old, new_string=new)
        return self.result(answer, call_id, **more)

    def ran(self, command, name="Bash"):
        """A shell command of the agent."""
        self.number += 1
        return self.call(name, f"c{self.number}", command=command).result("done", f"c{self.number}")


@pytest.fixture
def detect(tmp_path):
    """Write a transcript and give what it shows."""

    def run(log, **more):
        path = write(tmp_path / "s1.jsonl", log)
        facts = SOURCES["claude-code"].read_facts(path)
        edits, skills = read_edits(path), find_skill_names([facts])
        return [item for one in facts.sessions for item in detect_corrections(one, edits=edits, skills=skills, **more)]

    return run


def test_modified_proposal(detect):
    """(a) The person changed the proposed edit: what was proposed, and theirs."""
    noted = {"oldString": "cold water", "newString": "hot water", "originalFile": "cold water", "userModified": True}
    (found,) = detect(Story().edit("cold water", "warm water", noted=noted))
    assert (found.kind, found.sign, found.skill_id) == ("modified", "proposal", "brew")
    assert (found.original, found.corrected) == ("warm water", "hot water")
    assert (found.attribution, found.lines, found.session_id) == ("likely", (4, 5), "s1")
    assert found.event_id
    assert found.file == TEA


def test_edited_again_after_a_complaint(detect):
    """(b) The agent's edit, a complaint, the agent's edit of the same lines."""
    log = Story().edit("a cup", "a cup of black tea\nserve at once").agent("Done.")
    log.user("no, that is wrong: it should be green tea").edit("a cup of black tea", "a cup of green tea")
    (found,) = detect(log)
    assert (found.kind, found.sign, found.attribution) == ("re_edit", "edit", "likely")
    assert (found.original, found.corrected) == ("a cup of black tea", "a cup of green tea")
    assert found.quote == "no, that is wrong: it should be green tea"
    assert found.lines == (4, 7, 8)
    assert found.at == 1_767_607_200_000_000 + 6_000_000


def test_edited_again_names_the_skill_directly(detect):
    """A complaint that names the file which the run touched is about the use for certain."""
    log = Story().edit("a cup", "a cup of black tea")
    log.user("tea.md is wrong, it should be green tea").edit("a cup of black tea", "a cup of green tea")
    assert [item.attribution for item in detect(log)] == ["direct"]


@pytest.mark.parametrize(
    ("said", "second"),
    [
        ("thanks, perfect. Now the biscuits, please, on a plate of their own", ("a cup of black tea", "green tea")),
        ("no, that is wrong", ("a plate of biscuits", "no biscuits at all")),
        ("no, that is wrong", ("a cup of black tea", "a cup of black tea")),
    ],
)
def test_no_complaint_or_other_lines_or_no_change_are_none(detect, said, second):
    """Without a complaint, or where other lines or none are changed, nothing is detected."""
    log = Story().edit("a cup", "a cup of black tea").agent("Done.")
    assert detect(log.user(said).edit(*second)) == []


def test_other_file_or_before_the_skill_is_none(detect):
    """The same words in another file, and what was written before the skill was used, are not its work."""
    log = Story().edit("a cup", "a cup of black tea")
    log.user("no, that is wrong").edit("a cup of black tea", "a cup of green tea", path="/t/other.md")
    assert detect(log) == []
    early = Transcript().user("go").call("Edit", "e0", file_path=TEA, old_string="a", new_string="a cup of black tea")
    early.result("ok", "e0").call("Skill", "s", skill="brew").result("ok", "s").user("no, that is wrong")
    early.call("Edit", "e1", file_path=TEA, old_string="a cup of black tea", new_string="a cup of green tea")
    assert detect(early.result("ok", "e1")) == []


def test_no_skill_no_candidate(detect):
    """A session without a skill shows nothing."""
    log = Transcript().user("go").call("Edit", "e0", file_path=TEA, old_string="a", new_string="a cup of black tea")
    log.result("ok", "e0").user("no, that is wrong")
    log.call("Edit", "e1", file_path=TEA, old_string="a cup of black tea", new_string="tea").result("ok", "e1")
    assert detect(log) == []


def test_several_edits_after_a_complaint_are_one_step(detect):
    """What the agent tries on the way is passed over: the last text is what it became."""
    log = Story().edit("a cup", "a cup of black tea").user("no, that is wrong")
    log.edit("a cup of black tea", "a cup of green tea").edit("green tea", "white tea")
    (found,) = detect(log)
    assert (found.original, found.corrected) == ("a cup of black tea", "a cup of white tea")


def test_part_of_a_line_is_of_the_same_line(detect):
    """An edit that names only a part of the line that was written changes that line."""
    log = Story().edit("a cup", "a cup of black tea, served at once").user("no, that is wrong")
    (found,) = detect(log.edit("black tea", "green tea"))
    assert (found.original, found.corrected) == ("black tea", "green tea")


def test_lines_put_in_beside_written_ones(detect):
    """What is only added stands with the line beside it, so that both texts are there."""
    log = Story().edit("a cup", "warm the pot\nserve the tea").user("no, you forgot the milk")
    log.edit("warm the pot\nserve the tea", "warm the pot\nadd the milk\nserve the tea")
    (found,) = detect(log)
    assert (found.original, found.corrected) == ("warm the pot", "warm the pot\nadd the milk")


def test_refused_edit_and_what_was_made_instead(detect):
    """A proposal that the person refused, and the edit of the same place: proposed, and made."""
    told = f"{NO} the user said: use green tea"
    log = Story().edit("a cup", "a cup of black tea", answer=told, error=True, noted="User rejected tool use")
    (found,) = detect(log.edit("a cup", "a cup of green tea"))
    assert (found.kind, found.sign, found.quote) == ("re_edit", "denial", "use green tea")
    assert (found.original, found.corrected) == ("a cup of black tea", "a cup of green tea")


def test_failed_edit_is_no_work(detect):
    """An edit that ended in an error wrote nothing that could be edited again."""
    log = Story().edit("a cup", "a cup of black tea", answer="String to replace not found in file.", error=True)
    assert detect(log.user("no, that is wrong").edit("a cup of black tea", "a cup of green tea")) == []


def test_taken_back_by_an_edit(detect):
    """(c) The earlier lines put back after a complaint are a revert, not an edit anew."""
    log = Story().edit("a cup", "a cup of black tea").user("no, that is wrong")
    (found,) = detect(log.edit("a cup of black tea", "a cup"))
    assert (found.kind, found.sign) == ("revert", "edit")
    assert (found.original, found.corrected) == ("a cup of black tea", "a cup")


def test_taken_back_in_words(detect):
    """(c) "Undo that" means what was written since the person last spoke."""
    log = Story().edit("a cup", "a cup of black tea").user("fine, go on with the biscuits please, on a plate")
    log.edit("a plate", "a plate of biscuits").user("undo that")
    (found,) = detect(log)
    assert (found.kind, found.sign, found.quote) == ("revert", "words", "undo that")
    assert (found.original, found.corrected) == ("a plate of biscuits", "a plate")


def test_taken_back_in_words_by_file(detect):
    """A file that the words name is what is meant, whenever it was written."""
    log = Story().edit("a cup", "a cup of black tea").edit("salt", "sugar", path="/t/cake.md")
    (found,) = detect(log.user("please revert the changes to cake.md"))
    assert (found.original, found.corrected) == ("sugar", "salt")


def test_taken_back_by_command(detect):
    """(c) A command after the person's turn that discards the file."""
    log = Story().edit("a cup", "a cup of black tea").edit("salt", "sugar", path="/t/cake.md")
    (found,) = detect(log.user("drop the tea, that was wrong").ran("git checkout -- tea.md"))
    assert (found.kind, found.sign, found.file) == ("revert", "command", TEA)
    assert (found.original, found.corrected) == ("a cup of black tea", "a cup")


def test_taken_back_by_the_persons_own_command(detect):
    """(c) A command that the person typed, without a word."""
    log = Story().edit("a cup", "a cup of black tea").user("<bash-input>git restore .</bash-input>")
    (found,) = detect(log)
    assert (found.kind, found.sign, found.quote) == ("revert", "command", "git restore .")


def test_discarding_the_tree_leaves_what_was_committed(detect):
    """A command for the whole tree takes back what no commit holds, and nothing after a mere question."""
    log = Story().edit("a cup", "a cup of black tea").ran("git commit -am tea").user("good, and the cake recipe?")
    log.edit("salt", "sugar", path="/t/cake.md").user("no, that is wrong").ran("git reset --hard")
    assert [item.file for item in detect(log)] == ["/t/cake.md"]
    asked = Story().edit("a cup", "a cup of black tea").user("which branch is this?").ran("git reset --hard origin/x")
    assert detect(asked) == []


def test_one_act_gives_a_few_candidates(detect):
    """Who has a hundred edits undone says nothing of each."""
    log = Story()
    for number in range(100):
        log.edit(f"old {number}", f"new line {number}")
    assert len(detect(log.user("undo that"))) == CANDIDATES_OF_ONE_ACT


def test_next_skill_ends_the_first(detect):
    """A correction belongs to the skill used last before the edit."""
    log = Story().edit("a cup", "a cup of black tea").user("now the cake, please: flour, eggs and sugar")
    log.call("Skill", "s2", skill="bake").result("Launching skill: bake", "s2").edit("salt", "salt and pepper")
    (found,) = detect(log.user("no, that is wrong").edit("salt and pepper", "sugar"))
    assert found.skill_id == "bake"


HOSTILE = [
    "<script>alert(1)</script>",
    "\u001b]0;x\u0007\u202eevil",
    "=cmd|' /C calc'!A1",
    "../../etc/passwd",
    "$(rm -rf ~)",
    "a\u2028b\u0085c\x0cd",
    "\ufffd\u0000\ufeff",
    "x" * 60_000,
    "\n" * 3_000,
    "{}\n" * 5_000,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_told_as_they_are(detect, text):
    """Whatever stands in the texts is neither obeyed nor lost before its limit, and nothing raises."""
    log = Story().edit(text, f"{text} with milk", path=f"/t/{text[:40]}").user(f"no, that is wrong {text}")
    found = detect(log.edit(f"{text} with milk", f"{text} with lemon", path=f"/t/{text[:40]}"))
    assert all(item.original != item.corrected for item in found)
    if len(text) < 100:
        assert found
