"""``skilltune status`` and ``skilltune last``: each skill on a line, and the latest session with one thing to do."""

import json
import os

import pytest

SKILL = "---\nname: tidy-imports\ndescription: Sorts imports.\n---\n\nSort them by name.\n"


@pytest.fixture
def mined(machine, talk):
    """A machine whose log knows a skill that was corrected once, and one that is installed and was never used."""
    machine.session("a", talk("a", "No, that is wrong, the order is broken."))
    machine.session("b", talk("b", "Thanks, that is perfect."))
    for name in ("tidy-imports", "unused"):
        path = machine.home / ".claude" / "skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(SKILL.replace("tidy-imports", name), encoding="utf-8")
    machine.run("mine")
    return machine


def test_status_has_a_line_for_each_skill(mined):
    """Used and unused skills: health, trend, missed and the last change; nobody measured what was missed."""
    head, corrected, unused, *note = mined.run("status", "--as-of", "2026-11-30").stdout.splitlines()
    assert head.split() == ["skill", "health", "trend", "missed", "last", "change"]
    assert corrected.split("  ")[0] == "tidy-imports"
    for told in ("1 of 2 corrected ?", "too few", "not measured", "none by skilltune"):
        assert told in corrected
    assert unused.startswith("unused ")
    assert "not used" in unused
    assert note == ["", "?: too few judged uses to speak of a rate"]


def test_status_as_json_says_the_same(mined):
    """The rows for programs carry the counts, and null where nothing was measured."""
    first, second = json.loads(mined.run("status", "--json", "--as-of", "2026-11-30").stdout)
    assert (first["skill_id"], first["judged"], first["complaints"], first["missed"]) == ("tidy-imports", 2, 1, None)
    assert (second["skill_id"], second["uses"], second["installed"], second["change"]) == ("unused", 0, True, "")


def test_status_of_an_empty_machine(machine):
    """Without skills and without a log there is one sentence."""
    assert machine.run("status").stdout.startswith("No skill is installed, and the log knows no use of one.")
    assert json.loads(machine.run("status", "--json").stdout) == []


def test_last_tells_of_the_session_that_was_written_last(machine, talk):
    """The latest session with a person in it: skills, outcomes, errors, and what to do."""
    for seconds, (name, answer) in enumerate((("old", "Thanks, that is perfect."), ("new", "No, that is wrong."))):
        os.utime(machine.session(name, talk(name, answer)), (2_000_000_000 + seconds,) * 2)
    scripted = [record | {"entrypoint": "sdk-cli"} for record in talk("robot", "Go on.")]
    os.utime(machine.session("robot", scripted), (2_000_000_009,) * 2)
    told = machine.run("last", "--as-of", "2026-11-30").stdout
    assert told.startswith("claude-code session new, until 20 Nov 2026 10:05 UTC\n")
    assert "2 human turns, 0 tool errors\n  tidy-imports: corrected\nMissed triggers: not measured\n" in told
    assert "Next: tidy-imports was corrected" in told
    row = json.loads(machine.run("last", "--json", "--as-of", "2026-11-30").stdout)
    assert (row["session_id"], row["skills"]) == ("new", [{"skill_id": "tidy-imports", "outcome": "correction"}])


def test_last_counts_errors_of_tools(machine, talk):
    """A session whose tools failed often, with nothing else amiss, is told so."""
    records = talk("s", "Thanks, that is perfect.")
    for number in range(6):
        call = {"type": "tool_use", "id": f"c{number}", "name": "Bash", "input": {"command": "make"}}
        result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": "failed", "is_error": True}
        for kind, content in (("assistant", [call]), ("user", [result])):
            records.append(
                records[-1] | {"type": kind, "uuid": f"{kind}{number}", "message": {"content": content, "role": kind}}
            )
    machine.session("s", records)
    told = machine.run("last", "--as-of", "2026-11-30").stdout
    assert "6 tool errors" in told
    assert "Next: 6 tool calls failed" in told


def test_last_without_sessions_says_where_to_look(machine):
    """No session of a person: exit code 4, and the command that tells more."""
    assert "skilltune sources says what lies where" in machine.run("last", code=4).stderr
