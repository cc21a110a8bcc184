"""Scenes of how a skill is called, or seems to be: failed calls, repeats, stubs, readings, mentions, two at once."""

from typing import Any

from . import channels
from .placed import Placed, place
from .scenes import Scene, accepted, corrected, unanswered
from .skills import SKILLS
from .transcript import Transcript

__all__ = ["scenes"]


def scenes() -> list[Placed]:
    """Files of all these scenes."""
    made = (
        _failed_calls, _called_again, _stub, _system_with_body, _system_known_elsewhere, _file_read, _file_printed,
        _file_read_after_use, _author_at_work, _mentioned, _two_in_one_record, _twice_in_one_record, _listed,
        _one_after_the_other,
    )  # fmt: skip
    return [place(make()) for make in made]


def _failed_calls() -> Transcript:
    t = Scene("failed calls", project="atlas", half_week=14)
    t.person("make a chart of the branch sizes")
    call = t.call("Skill", {"skill": "chart-maker"})
    unknown = t.use(call, skill_id="chart-maker", via="tool")
    unknown.failed = "unknown_skill"
    text = "<tool_use_error>Unknown skill: chart-maker</tool_use_error>"
    t.result(call, text, "Error: Unknown skill: chart-maker", error=True)
    t.hazard("skill_unknown", line=unknown.line)
    t.attributed = ""
    t.says("There is no such skill; I drew it by hand.")
    t.person("fine. now the licences of the web app")
    call = t.call("Skill", {"skill": "license-audit"})
    refused = t.use(call, skill_id="license-audit", via="tool")
    refused.failed = "refused"
    t.hazard("skill_refused", line=refused.line)
    text = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
    text += (
        "the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how "
    )
    t.result(call, text + "to proceed.", "User rejected tool use", error=True, toolDenialKind="user-rejected")
    t.attributed = ""
    channels.interrupts(t, tool=True)
    t.person("by hand please, it's three packages")
    t.edits("docs/licences.md")
    return t


def _called_again() -> Transcript:
    t = Scene("called again", project="harbor", half_week=19)
    t.person("write tests for format_address, there are none so far")
    first = t.uses_skill("test-scaffold")
    t.person("Very good. Do the same for date_range in the same file.")
    accepted(first, t)
    call = t.call("Skill", {"skill": "test-scaffold", "args": "date_range"})
    again = t.use(call, skill_id="test-scaffold", via="tool")
    t.result(call, "Skill /test-scaffold is already loaded above; follow its instructions.", {"success": True})
    t.hazard("already_loaded", line=again.line)
    t.edits("tests/test_date_range.py")
    t.person("good, commit both")
    accepted(again, t)
    return t


def _stub() -> Transcript:
    t = Scene("stub", project="sales", half_week=11)
    text = "<command-message>report-builder</command-message>\n<command-name>/report-builder</command-name>"
    record = t.injected(text + "\n<command-args>八月份</command-args>", seconds=60)
    use = t.use(record, skill_id="report-builder", via="slash")
    t.hazard("slash_stub_calls_skill")
    t.injected([{"type": "text", "text": 'Call Skill{"skill": "report-builder"} and follow it.'}], isMeta=True)
    call = t.call("Skill", {"skill": "report-builder", "args": "八月份"})
    t.result(call, "Launching skill: report-builder", {"success": True, "commandName": "report-builder"})
    t.body(SKILLS["report-builder"], version=0, args="八月份")
    t.edits("reports/draft.md", said="八月份的报告写好了。")
    t.person("很好，直接发给老板吧")
    accepted(use, t, language="zh")
    return t


def _system_slash(t: Scene, name: str) -> dict[str, Any]:
    content = f"<command-name>/{name}</command-name>\n            <command-message>{name}</command-message>"
    content += "\n            <command-args></command-args>"
    body = {"subtype": "local_command", "content": content, "level": "info", "isMeta": False}
    return t.record("system", body, seconds=60)


def _system_with_body() -> Transcript:
    t = Scene("system with body", project="harbor", half_week=19, turn=1)
    skill = SKILLS["license-audit"]
    record = _system_slash(t, skill.id)
    use = t.use(record, skill_id=skill.id, via="slash", digest=skill.digest(0))
    t.hazard("system_local_command_body")
    t.body(skill, version=0)
    t.edits("docs/licences-cli.md", said="The list is written.")
    unanswered(use, "no_turn")
    return t


def _system_known_elsewhere() -> Transcript:
    t = Scene("system known elsewhere", project="harbor", half_week=20)
    record = _system_slash(t, "changelog-writer")
    use = t.use(record, skill_id="changelog-writer", via="slash")
    t.hazard("system_local_command_known_elsewhere")
    t.edits("CHANGELOG.md")
    unanswered(use, "no_turn")
    return t


def _file_read() -> Transcript:
    t = Scene("file read", project="atlas", half_week=6)
    t.person("there must be a recipe for tests in this house, find it and cover the cart totals")
    path = t.project.skill_dir("test-scaffold") + "/SKILL.md"
    call = t.call("Read", {"file_path": path})
    use = t.use(call, skill_id="test-scaffold", via="read")
    t.hazard("read_skill_file")
    t.result(call, "1\t# Test scaffold", {"type": "text", "file": {"filePath": path, "numLines": 1}})
    t.attributed = ""
    t.edits("tests/test_cart.py")
    t.person("I'm happy with these, thank you")
    accepted(use, t)
    return t


def _file_printed() -> Transcript:
    t = Scene("file printed", project="harbor", half_week=12)
    t.person("do the entry for 2.5.0 the way we always do it")
    path = t.project.skill_dir("changelog-writer") + "/SKILL.md"
    call = t.call("Bash", {"command": f"sed -n 1,40p {path}"})
    use = t.use(call, skill_id="changelog-writer", via="read")
    t.hazard("printed_skill_file")
    t.result(call, "# Changelog writer", {"stdout": "# Changelog writer", "stderr": "", "interrupted": False})
    t.attributed = ""
    t.edits("CHANGELOG.md")
    unanswered(use, "no_turn")
    return t


def _file_read_after_use() -> Transcript:
    t = Scene("file read after use", project="ledger", half_week=14, turn=2)
    t.person("write up last night's failover from the channel export and the alerts")
    skill = SKILLS["ops:incident-notes"]
    use = t.skill_call(skill, version=0)
    path = t.project.skill_dir(skill.id) + "/SKILL.md"
    call = t.call("Read", {"file_path": path})
    t.hazard("read_right_after_use")
    t.result(call, "1\t# Incident notes", {"type": "text", "file": {"filePath": path, "numLines": 1}})
    t.edits("incidents/failover.md")
    t.person("looks complete to me, thanks")
    accepted(use, t)
    return t


def _author_at_work() -> Transcript:
    t = Scene("author at work", project="atlas", half_week=16)
    path = t.project.skill_dir("changelog-writer") + "/SKILL.md"
    t.person(f"open {path} and tell me whether the third step is clear")
    call = t.call("Read", {"file_path": path})
    t.hazard("author_reads_skill_file")
    t.result(call, "1\t# Changelog writer", {"type": "text", "file": {"filePath": path, "numLines": 1}})
    call = t.call("Edit", {"file_path": path, "old_string": "leave refactorings", "new_string": "leave chores"})
    t.result(call, f"The file {path} has been updated.", {"filePath": path, "userModified": False})
    t.says("It is clearer now.")
    t.person("good, that's better")
    return t


def _mentioned() -> Transcript:
    t = Scene("mentioned", project="ledger", half_week=12, turn=1)
    t.person("later we could use /schema-migrator for this, for now just list the columns of carts")
    t.hazard("mention_only")
    t.runs("psql -c '\\d carts'", output="id, token_hash")
    t.says("Two columns.")
    t.person("ok thanks")
    return t


def _two_in_one_record() -> Transcript:
    t = Scene("two in one record", project="ledger", half_week=21, turn=1)
    t.person("bring the branch for the price history home: tests first, then the changelog")
    names = ("test-scaffold", "changelog-writer")
    record = t.agent(*(t.block("Skill", {"skill": name}) for name in names))
    uses = [t.use(record, skill_id=name, via="tool", digest=SKILLS[name].digest(0)) for name in names]
    t.hazard("two_skills_in_one_record")
    for nth, name in enumerate(names):
        t.result(record, f"Launching skill: {name}", {"success": True, "commandName": name}, block=nth)
        t.body(SKILLS[name], version=0)
    t.edits("CHANGELOG.md")
    unanswered(uses[0], "ended")
    t.person("the entry is in the wrong section, it belongs under changed")
    corrected(uses[1], t, "rejection", dimension="accuracy")
    t.edits("CHANGELOG.md", said="Moved.")
    return t


def _twice_in_one_record() -> Transcript:
    t = Scene("twice in one record", project="monthly", half_week=21, turn=1)
    t.person("I need two papers by noon, one on returns and one on week 41")
    skill = SKILLS["report-builder"]
    record = t.agent(*(t.block("Skill", {"skill": skill.id, "args": args}) for args in ("returns", "week 41")))
    first = t.use(record, skill_id=skill.id, via="tool", digest=skill.digest(1))
    second_id = record["message"]["content"][1]["id"]
    second = t.use(record, skill_id=skill.id, via="tool", digest=skill.digest(1), call_id=second_id)
    t.hazard("same_skill_twice_in_one_record")
    for nth in range(2):
        t.result(record, f"Launching skill: {skill.id}", {"success": True, "commandName": skill.id}, block=nth)
        t.body(skill, version=1)
    t.edits("reports/draft.md")
    unanswered(first, "ended")
    t.person("Both are just right, thank you so much!")
    accepted(second, t)
    return t


def _listed() -> Transcript:
    t = Scene("listed", project="monthly", half_week=20, turn=1)
    names = sorted(SKILLS)
    for attachment, hazard in (
        ({"type": "skill_listing", "isInitial": True, "names": names, "skillCount": 8, "content": ""}, "skill_listing"),
        ({"type": "dynamic_skill", "skillDir": ".claude/skills", "skillNames": names[:2]}, "dynamic_skill"),
        ({"type": "invoked_skills", "skills": [{"name": names[0], "path": "", "content": ""}]}, "invoked_skills"),
    ):
        t.record("attachment", {"attachment": attachment}, seconds=1)
        t.hazard(hazard)
    t.person("put the address list in alphabetical order")
    t.edits("data/addresses.csv")
    return t


def _one_after_the_other() -> Transcript:
    t = Scene("one after the other", project="ledger", half_week=17, turn=1)
    t.person("add returns.reason as a nullable column and index it, with tests")
    first = t.uses_skill("schema-migrator")
    second = t.uses_skill("test-scaffold")
    t.hazard("second_skill_without_turn", line=second.line)
    unanswered(first, "ended")
    t.person("Tests look great. Merge it.")
    accepted(second, t)
    return t
