"""``refine --check``: in every state it names the command that moves on, and that command runs as it is printed."""

import json
import shlex

import pytest

from tests.cli.people import FIX, HEAD, SKILL, Desk
from tests.cli.states import STATES, damaged

pytest.importorskip("pty", reason="approvals need a terminal")


@pytest.fixture
def desk(machine) -> Desk:
    """A machine with one skill."""
    found = Desk(machine)
    found.write()
    return found


def _next(printed):
    """The words of the command that the text names last."""
    (line,) = [line for line in printed.splitlines() if line.startswith(("Next: ", "Next, "))]
    return tuple(shlex.split(line.partition(": ")[2]))[1:]


@pytest.mark.parametrize("name", STATES)
def test_check_names_the_command_that_moves_on(desk, talk, name):
    """Status, exit code, next command, and what that command ends with."""
    state = STATES[name]
    state.make(desk, talk)
    printed = desk.run("refine", "--check", SKILL, code=state.code).stdout
    assert _next(printed) == state.step
    done = desk.run(*state.step, code=state.step_code)
    assert done.stdout.strip()


@pytest.mark.parametrize("name", [name for name in STATES if name != "nothing recorded"])
def test_check_of_all_skills_has_the_same_status_and_a_command_that_runs(desk, talk, name):
    """The list agrees with the report on one skill."""
    state = STATES[name]
    state.make(desk, talk)
    (row,) = json.loads(desk.run("refine", "--check", "--json").stdout)
    assert row["status"] == state.status
    step = _next(desk.run("refine", "--check").stdout)
    assert step == (("refine", "--check", SKILL) if name == "cooldown" else state.step)


def test_check_of_a_damaged_log_leads_to_the_line(desk, talk):
    """The list names the skill as damaged, and its next command names file and line."""
    damaged(desk, talk)
    printed = desk.run("refine", "--check", code=4).stdout
    assert _next(printed) == ("audit", "verify", SKILL)
    assert f"{desk.log}:" in desk.run("audit", "verify", SKILL, code=4).stdout


def test_check_of_a_skill_that_is_not_installed_leads_to_what_is_known(desk):
    """Recorded, but not installed: what was recorded; not even recorded: the list."""
    desk.lines(FIX, skill="gone-by-now")
    printed = desk.run("refine", "--check").stdout
    assert _next(printed) == ("feedback", "gone-by-now")
    desk.run("feedback", "gone-by-now")
    assert _next(desk.run("refine", "--check", "gone-by-now", code=2).stdout) == ("feedback", "gone-by-now")
    assert _next(desk.run("refine", "--check", "never-heard", code=2).stdout) == ("refine", "--check")


def test_check_lists_skills_used_from_another_folder(desk, talk):
    """A skill of another project, by the folder that its transcripts name; the next command says that folder."""
    folder = desk.machine.home / "elsewhere" / ".claude" / "skills" / "their-skill"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(HEAD.replace(SKILL, "their-skill") + "# Theirs\n\nUse tabs, and say so.\n")
    records = talk("s1", "No, that is wrong.", skill="their-skill")
    body = {"type": "text", "text": f"Base directory for this skill: {folder}\n\n# Theirs\n"}
    call = f"{records[1]['sessionId']}-call"
    records.insert(
        3,
        records[2]
        | {
            "uuid": "s1-body",
            "isMeta": True,
            "sourceToolUseID": call,
            "message": {"role": "user", "content": [body]},
        },
    )
    desk.machine.session("s1", records)
    desk.run("mine")
    (row,) = json.loads(desk.run("refine", "--check", "--json").stdout)
    assert (row["skill_id"], row["folder"]) == ("their-skill", str(folder))
    printed = desk.run("refine", "--check").stdout
    assert str(folder) in printed
    step = _next(printed)
    assert "--skill-folder" in (*step, "--skill-folder" if step[0] == "feedback" else "")
    desk.run("refine", "--check", "their-skill", "--skill-folder", folder, code=1)
    plain = desk.run("refine", "--check", "their-skill", code=2)
    told = plain.stdout
    assert "Status: USED FROM ANOTHER FOLDER" in told
    assert "there is" not in plain.stderr
    assert _next(told) == ("refine", "--check", "their-skill", "--skill-folder", str(folder))
