"""The loop as a person goes through it in a terminal, on the sample: as README tells it, and from complaints."""

import json
import re

import pytest

from tests.cli.people import Desk
from tests.widgets.sample_story import BOTH, SKILL, copy_sample, read_loop

pytest.importorskip("pty", reason="approvals need a terminal")


def test_readme_loop_is_what_the_commands_print(machine):
    """Each command of README works as it is printed, and prints the lines below it; at the end, the exact bytes."""
    desk = Desk(machine)
    copy_sample(machine.home)
    before = desk.file(SKILL).read_bytes()
    printed, digest, seen = "", "", set()
    for step in read_loop():
        words = [digest if word == "DIGEST" else word for word in step.words]
        decides = {"--approve", "rollback"} & set(words)
        printed = desk.at_terminal(*words)[0] if decides else desk.run(*words).stdout
        lines = iter(printed.splitlines())
        for line in step.shown:
            assert any(line in each for each in lines), f"{' '.join(words)} does not print {line!r}:\n{printed}"
        if found := re.search(r"^Digest: (\w+)$", printed, flags=re.MULTILINE):
            digest = found[1]
            assert desk.file(SKILL).read_bytes() == before, "showing writes nothing"
        if "--approve" in words:
            assert BOTH in desk.file(SKILL).read_text(encoding="utf-8")
            assert desk.entries()[-1]["suggestionDigest"] == digest
        seen.add(words[0])
    assert seen == {"feedback", "refine", "drift", "contradictions", "rollback"}
    assert desk.file(SKILL).read_bytes() == before
    assert [entry["type"] for entry in desk.entries()] == ["first_seen", "approve", "refine", "rollback"]
    assert "the chain holds" in desk.run("audit", "verify").stdout


def test_complaints_of_the_sample_become_a_line_and_are_taken_back(machine):
    """Mined → open suggestion with the room there is → worded → refused without a terminal → approved → rolled back."""
    desk = Desk(machine)
    copy_sample(machine.home)
    name = "report-builder"
    before = desk.file(name).read_bytes()
    desk.run("mine")
    (opened,) = json.loads(desk.run("refine", name, "--json").stdout)["open_suggestions"]
    assert opened["complaints"] >= 3
    shown = " ".join(desk.run("refine", name).stdout.split())
    assert f"--open {opened['id']}" in shown
    room = re.search(r"room for (\d+) characters \(20% of the body\); (\d+) under a heading that is there", shown)
    assert room
    line = "Keep the text under 300 words."
    assert int(room[1]) < len(line) <= int(room[2])
    worded = ("refine", name, "--open", opened["id"], "--word", line)
    assert "change is 21%, needed at most 20%" in " ".join(desk.run(*worded, code=3).stdout.split())
    worded = (*worded, "--section", "Report builder")
    suggested = json.loads(desk.run(*worded, "--json").stdout)
    desk.run(*worded, "--approve", suggested["digest"], code=3)
    assert desk.file(name).read_bytes() == before
    desk.at_terminal(*worded, "--approve", suggested["digest"])
    assert f"5. {line}" in desk.file(name).read_text(encoding="utf-8")
    desk.at_terminal("rollback", name, "--to", "1")
    assert desk.file(name).read_bytes() == before
    again = json.loads(desk.run("refine", name, "--json", code=1).stdout)
    assert again["open_suggestions"] == []
