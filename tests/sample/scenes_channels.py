"""Scenes of how people decide: refusals, interrupts, queues, edits, commands of their own, rewinds, long windows."""

from . import channels
from .placed import Placed, place
from .scenes import Scene, accepted, corrected, unanswered
from .transcript import Transcript

__all__ = ["scenes"]

_POLICY = "Permission to use Bash with command {} has been denied because Claude Code is running in don't ask mode."
_CLARIFY = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
    "the new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
    "The user wants to clarify these questions.\n    Start by asking them what they would like to clarify."
)


def scenes() -> list[Placed]:
    """Files of all these scenes."""
    made = (
        _reworded, _stopped_with_words, _denied_by_policy, _denied_silently, _clarified, _taken_back, _queued_blocks,
        _edited_outside, _rewound, _reverted_by_hand, _cleaned_up_alone, _partial_then_redo, _praise_then_revert,
        _complaint_too_late, _weak_complaint,
    )  # fmt: skip
    return [place(make()) for make in made]


def _reworded() -> Transcript:
    t = Scene("reworded", project="harbor", half_week=8)
    t.person("write tests for slugify, there are none so far")
    use = t.uses_skill("test-scaffold")
    t.person("put the fixtures for slugify into tests/data please")
    t.call("Bash", {"command": "sleep 3"})
    channels.interrupts(t)
    t.hazard("interrupt_reworded")
    t.person("put the fixtures for slugify into tests/data/slugs please")
    accepted(use, t, acceptance="implicit")
    use.turn = 1
    t.edits("tests/data/slugs/plain.txt")
    return t


def _stopped_with_words() -> Transcript:
    t = Scene("stopped with words", project="atlas", half_week=15)
    t.person("collect what happened during the double mails, timeline first")
    use = t.uses_skill("ops:incident-notes")
    t.call("Bash", {"command": "mail-log --since yesterday"})
    blocks = [{"type": "text", "text": "[Request interrupted by user for tool use]"}]
    t.person([*blocks, {"type": "text", "text": "not that log, use the one from the mail relay please"}])
    t.hazard("interrupt_for_tool_use")
    corrected(use, t, "rejection", dimension="accuracy")
    use.interrupted = True
    return t


def _denied_by_policy() -> Transcript:
    t = Scene("denied by policy", project="ledger", half_week=7)
    t.person("We need notes on last night's failover for tomorrow's review")
    use = t.uses_skill("ops:incident-notes")
    call = t.call("Bash", {"command": "journalctl -u relay"})
    t.result(call, _POLICY.format("journalctl -u relay"), error=True)
    t.hazard("denial_by_policy")
    call = t.call("Bash", {"command": "ssh relay uptime"})
    text = "The automatic permission check is unavailable, the call was not run."
    t.result(call, text, error=True, toolDenialKind="automode-unavailable")
    t.hazard("denial_automode")
    call = t.call("Read", {"file_path": "/etc/relay/keys"})
    t.result(call, "File is in a directory that is denied by your permission settings.", error=True)
    t.hazard("denial_by_path")
    t.says("I worked from the alerts, the logs are out of reach.")
    t.person("that's good enough, thanks. publish it")
    accepted(use, t)
    return t


def _denied_silently() -> Transcript:
    t = Scene("denied silently", project="atlas", half_week=18, turn=1)
    t.person("cover TariffTable before I touch it")
    use = t.uses_skill("test-scaffold")
    channels.denies(t, path=t.project.path("src/tariff.ts"))
    corrected(use, t, "rejection", channel="denial")
    channels.interrupts(t, tool=True)
    t.person("leave src/tariff.ts alone, only the tests")
    t.edits("tests/test_tariff.py", said="Only the tests now.")
    return t


def _clarified() -> Transcript:
    t = Scene("clarified", project="ledger", half_week=5)
    t.person("explain the duplicate finder to me step by step")
    use = t.uses_skill("sql-explainer")
    asked = {"question": "Which engine?", "header": "Engine", "options": [{"label": "Postgres"}, {"label": "SQLite"}]}
    call = t.call("AskUserQuestion", {"questions": [asked]})
    t.result(call, _CLARIFY, f"Error: {_CLARIFY}", error=True)
    t.hazard("denial_clarify_boilerplate")
    t.says("What should I make clearer?")
    channels.answers(t, question="Which engine?", options=("Postgres", "SQLite"), reply="Postgres")
    t.says("Then the second join is the one that costs.")
    t.person("Aha! Makes sense, thanks")
    accepted(use, t)
    return t


def _taken_back() -> Transcript:
    t = Scene("taken back", project="harbor", half_week=16)
    t.person("prepare the release notes of 2.6.0 from the commits")
    use = t.uses_skill("changelog-writer")
    _queue(t, "enqueue", content="no wait, that's the wrong tag")
    _queue(t, "popAll", content="no wait, that's the wrong tag")
    t.hazard("queued_pop_all")
    note = {"type": "queued_command", "prompt": "<task-notification>wrong exit</task-notification>"}
    t.record("attachment", {"attachment": note | {"commandMode": "task-notification"}}, seconds=3)
    t.hazard("queued_task_notification")
    _queue(t, "enqueue", content="<task-notification>\n<status>failed</status>\n</task-notification>")
    t.hazard("queued_xml_notification")
    _queue(t, "dequeue")
    t.says("2.6.0 is written.")
    t.person("lovely, push it with the tag")
    accepted(use, t)
    return t


def _queued_blocks() -> Transcript:
    t = Scene("queued blocks", project="harbor", half_week=18)
    t.person("we need a safety net around the retry helper, start with the odd inputs")
    use = t.uses_skill("test-scaffold")
    t.runs("pytest -q", output="9 passed")
    words = "you missed the case where the server answers twice"
    _queue(t, "enqueue", content=f'[{{"type":"text","text":"{words}"}}]')
    t.hazard("queued_json")
    t.window_turns += 1
    _queue(t, "remove")
    corrected(use, t, "rejection", dimension="coverage", channel="queued")
    t.edits("tests/test_retry.py", said="That case is in now.")
    return t


def _queue(t: Transcript, operation: str, **content: str) -> None:
    t.wait(4)
    head = {"type": "queue-operation", "operation": operation, "timestamp": t.stamp(), "sessionId": t.session_id}
    t.write(head | content)


def _edited_outside() -> Transcript:
    t = Scene("edited outside", project="atlas", half_week=20)
    t.person("write the changelog entry for 2.7.0")
    use = t.uses_skill("changelog-writer")
    changed = {"type": "edited_text_file", "filename": t.project.path("CHANGELOG.md"), "snippet": "1\t## 2.7.0"}
    t.record("attachment", {"attachment": changed}, seconds=30)
    t.hazard("edited_text_file")
    reminder = (
        "<system-reminder>\nNote: CHANGELOG.md was modified, either by the user or by a linter.\n</system-reminder>"
    )
    t.notes(reminder, "modified_by_user_or_linter", isMeta=True)
    t.person("ok good, commit")
    accepted(use, t)
    use.turn = None
    return t


def _rewound() -> Transcript:
    t = Scene("rewound", project="ledger", half_week=11)
    t.person("please make stores.opening_hours unique and required")
    use = t.uses_skill("schema-migrator")
    fork = t.parent
    t.person("is the constraint checked at once or at commit?", parent=fork)
    t.says("At commit.")
    t.person("Not quite: the hours have to stay optional, only the pair is unique", parent=fork)
    t.hazard("rewind")
    corrected(use, t, "rejection", dimension="accuracy")
    t.edits("db/migrate/140_draft.sql", said="Only the pair now.")
    return t


def _reverted_by_hand() -> Transcript:
    t = Scene("reverted by hand", project="ledger", half_week=20)
    t.person("rename the old field to accounts.parent_id everywhere, migration included")
    use = t.uses_skill("schema-migrator")
    t.notes("<bash-input>git checkout -- db/migrate/140_draft.sql</bash-input>", "bash_input_revert", seconds=70)
    t.notes("<bash-stdout></bash-stdout><bash-stderr></bash-stderr>")
    corrected(use, t, "revert")
    use.turn, use.channel = None, None
    return t


def _cleaned_up_alone() -> Transcript:
    t = Scene("cleaned up alone", project="ledger", half_week=19)
    t.person("add vouchers.expires_on as a nullable column and index it")
    use = t.uses_skill("schema-migrator")
    t.runs("git checkout -- db/migrate/140_draft.sql")
    t.hazard("self_reverted", line=t.line - 1)
    t.edits("db/migrate/141_draft.sql", said="The first draft is gone, the second one is in place.")
    t.person("perfect, thanks")
    accepted(use, t)
    use.self_reverted = True
    return t


def _partial_then_redo() -> Transcript:
    t = Scene("partial then redo", project="monthly", half_week=8)
    t.person("Summarise online sales for the branch managers please")
    use = t.uses_skill("report-builder")
    t.person("nice, but the second table has the wrong heading")
    t.hazard("stronger_complaint_later")
    t.edits("reports/draft.md", said="The heading is changed.")
    t.person("hmm no, please do the whole thing over, this is not readable")
    corrected(use, t, "redo")
    t.edits("reports/draft.md", said="Here is a new version.")
    return t


def _praise_then_revert() -> Transcript:
    t = Scene("praise then revert", project="ledger", half_week=22)
    t.person("move suppliers.rating out of the json blob into a real column")
    use = t.uses_skill("schema-migrator")
    t.person("good, push it")
    t.runs("git push", output="main -> main")
    t.says("Pushed.")
    t.person("Undo that last push, it breaks the importer")
    t.hazard("acceptance_taken_back")
    corrected(use, t, "revert", dimension="reliability")
    t.runs("git revert --no-edit HEAD")
    t.says("Reverted and pushed.")
    return t


def _complaint_too_late() -> Transcript:
    t = Scene("complaint too late", project="atlas", half_week=10)
    t.person("walk me through the revenue query, I inherited it")
    use = t.uses_skill("sql-explainer")
    for asked in ("which of the joins is the slow one?", "is there an index for it?", "and how big is that table?"):
        t.person(asked)
        t.says("See the third step of the notes.")
    t.person("no, that's wrong, there are two indexes")
    t.hazard("complaint_after_the_window")
    unanswered(use, "question")
    return t


def _weak_complaint() -> Transcript:
    t = Scene("weak complaint", project="atlas", half_week=21)
    t.person("write the changelog entry for the October release")
    use = t.uses_skill("changelog-writer")
    t.person("Next, replace the hero picture on the landing page with the winter one.")
    accepted(use, t, acceptance="implicit")
    t.attributed = ""
    t.edits("public/hero.html", said="The winter picture is in.")
    t.person("no, that's the wrong picture, it should be the one with the boats")
    t.hazard("complaint_about_other_work")
    return t
