"""The agent's side of a session."""

import pytest

from skilltune.mining.digests import skill_digest
from tests.sources.opencode.building import BY_RULE, REJECTED, Talk, skill, tokens, tool, turns, uses

BODY = "# Tidy\n\nSort the imports."
OLD = f"## Skill: tidy\n\n**Base directory**: /s/tidy\n\n{BODY}\n"


def test_agent_used_a_skill(read):
    """A call of the skill tool is a use, with the version and folder of the skill that it gave."""
    facts = read(Talk().user("go").agent(skill("tidy")).agent(tool("read", "c2", filePath="/a.py"), "Done."))
    (use,) = uses(facts)
    assert (use.skill_id, use.via, use.form, use.failed, use.call_id) == ("tidy", "tool", "skill_tool", "", "c1")
    assert (use.body, use.digest, use.body_chars) == (True, skill_digest(BODY), len(BODY))
    assert use.base_dir == "/home/dev/.config/opencode/skills/tidy"
    assert (use.work.tools, use.work.touched, use.work.said) == (("read",), ("/a.py",), "Done.")
    assert turns(facts)[0].work.tools == ()


@pytest.mark.parametrize(
    ("output", "metadata", "digest", "folder"),
    [
        (OLD, {}, skill_digest(BODY), "/s/tidy"),
        (OLD, {"dir": "/other"}, skill_digest(BODY), "/other"),
        (
            f"# Skill: tidy\n\n{BODY}\n\nBase directory for this skill: file:///s/a%20b\nx",
            {},
            skill_digest(BODY),
            "/s/a b",
        ),
        (f"# Skill: tidy\n\n{BODY}", {}, skill_digest(BODY), ""),
        ("loaded", {}, "", ""),
        (["loaded"], [], "", ""),
    ],
)
def test_agent_was_given_a_skills_text(read, output, metadata, digest, folder):
    """The text is found in each form that the tool's answer had."""
    (use,) = uses(read(Talk().user("go").agent(tool("skill", name="tidy", output=output, metadata=metadata))))
    assert (use.digest, use.base_dir, use.body) == (digest, folder, bool(digest))


@pytest.mark.parametrize(
    ("error", "failed", "turned"),
    [
        ('Skill "tidy" not found. Available skills: none', "unknown_skill", 1),
        ('Error: Skill "tidy" not found.', "unknown_skill", 1),
        ("Unknown skill: tidy", "unknown_skill", 1),
        (REJECTED, "refused", 2),
        (BY_RULE, "refused", 1),
        ("Tool execution aborted", "error", 1),
        ("disk full", "error", 1),
    ],
)
def test_agent_failed_to_use_a_skill(read, error, failed, turned):
    """Why a call of a skill is no use: nobody has it, it was refused, or it failed."""
    facts = read(Talk().user("go").agent(tool("skill", name="tidy", error=error)))
    assert [use.failed for use in uses(facts)] == [failed]
    assert len(turns(facts)) == turned


def test_agent_used_a_skill_without_a_result(read):
    """A call whose result is missing is a use; one that names no skill is none."""
    facts = read(
        Talk().user("go").agent(skill("tidy", status="running"), tool("skill", "c2"), tool("skill", "c3", name=1))
    )
    assert [(use.skill_id, use.failed, use.body) for use in uses(facts)] == [("tidy", "", False)]


@pytest.mark.parametrize(
    ("call", "paths"),
    [
        (tool("read", filePath="/s/tidy/SKILL.md"), ["/s/tidy/SKILL.md"]),
        (tool("view", file_path="/s/tidy/SKILL.md"), ["/s/tidy/SKILL.md"]),
        (tool("bash", command="cat /s/tidy/SKILL.md /s/b/SKILL.md"), ["/s/tidy/SKILL.md", "/s/b/SKILL.md"]),
        (tool("bash", command="grep x /s/tidy/SKILL.md"), []),
        (tool("edit", filePath="/s/tidy/SKILL.md"), []),
        (tool("read", filePath="/s/tidy/NOTES.md"), []),
    ],
)
def test_agent_read_a_skills_file(read, call, paths):
    """A plain read of a SKILL.md is a sign of use."""
    facts = read(Talk().user("go").agent(call))
    assert [use.path for use in uses(facts)] == paths
    assert {(use.via, use.form) for use in uses(facts)} <= {("read", "skill_file")}


@pytest.mark.parametrize(
    ("call", "edited"),
    [
        (tool("edit", filePath="/a.py"), ("/a.py",)),
        (tool("write", filePath="/a.py", content="x"), ("/a.py",)),
        (tool("multiedit", filePath="/a.py", edits=[]), ("/a.py",)),
        (tool("patch", filePath="/a.py"), ("/a.py",)),
        (
            tool("apply_patch", patchText="*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n"),
            ("a.py", "b.py"),
        ),
        (tool("bash", command="cp x /s/tidy/SKILL.md"), ("/s/tidy/SKILL.md",)),
        (tool("read", filePath="/a.py"), ()),
        (tool("edit", filePath=["/a.py"]), ()),
    ],
)
def test_agent_edited_files(read, call, edited):
    """What the tools that write say they wrote."""
    (turn,) = turns(read(Talk().user("go").agent(call)))
    assert turn.work.edited == edited


@pytest.mark.parametrize(
    ("call", "errors", "commands"),
    [
        (tool("bash", command="git status", metadata={"exit": 0}), 0, ("git status",)),
        (tool("bash", command="git status", metadata={"exit": 1}), 1, ()),
        (tool("bash", command="git status", status="running"), 0, ("git status",)),
        (tool("bash", command="git status", error="timeout"), 1, ()),
        (tool("bash", command="git status", error=REJECTED), 0, ()),
        (tool("bash", command="git status", error=BY_RULE), 1, ()),
        (tool("bash", command="ls"), 0, ()),
        (tool("question", error="The user dismissed this question"), 0, ()),
    ],
)
def test_agent_ran_commands(read, call, errors, commands):
    """A command with git counts where it ran; an error is what failed, not what a person decided."""
    work = turns(read(Talk().user("go").agent(call)))[0].work
    assert (work.errors, work.ended_in_error, work.commands) == (errors, errors > 0, commands)


def test_agent_spent_tokens(read):
    """Thought counts as written; of a message in several steps all of them count; odd figures are none."""
    steps = [{"type": "step-finish", "tokens": tokens(10, 1)}, {"type": "step-finish", "tokens": tokens(20, 2)}]
    talk = Talk().user("go").agent("1", tokens=tokens(100, 20, reasoning=5, read=7, write=3))
    talk.agent(*steps, tokens=tokens(20, 2)).agent(steps[0]).agent(
        "x", tokens={"input": -1, "output": "9", "cache": []}
    )
    talk.agent("summary", summary=True, tokens=tokens(1000, 0))
    (turn,) = turns(read(talk))
    spent = turn.work.tokens
    assert (spent.input, spent.output, spent.cache_read, spent.cache_creation) == (1140, 29, 7, 3)
    assert (turn.work.said, turn.work.model) == ("x", "m1")


@pytest.mark.parametrize(
    ("calls", "found"),
    [
        ([tool("bash", error=REJECTED)], [("denial", "bash", "rejected", "")]),
        (
            [
                tool("bash", error=REJECTED),
                tool("edit", "c2", error=f"{REJECTED[:-1]} with the following feedback: not there"),
            ],
            [("denial", "edit", "rejected", "not there")],
        ),
        (
            [tool("bash", error=f"Error: {REJECTED} You may try again with different parameters.")],
            [("denial", "bash", "rejected", "")],
        ),
        ([tool("bash", error=BY_RULE)], []),
        (
            [tool("question", metadata={"answers": [["tabs"], ["a", "b"], []]})],
            [("answer", "question", "", "tabs\na\nb")],
        ),
        ([tool("question", metadata={"answers": "tabs"})], []),
        ([tool("question", error="Error: The user dismissed this question")], []),
        ([tool("plan_exit")], [("plan", "plan_exit", "approved", "")]),
        ([tool("plan_exit", error="The user dismissed this question")], [("plan", "plan_exit", "rejected", "")]),
    ],
)
def test_agent_was_told_what_the_person_decided(read, calls, found):
    """Refusals, answers and plans are turns with the person's words; a rule's refusal is nobody's."""
    decided = turns(read(Talk().user("go").agent(*calls)))[1:]
    assert [(turn.channel, turn.tool, turn.decision, turn.text) for turn in decided] == found
