"""Each awkward thing is in the sample, where the list says."""

import json

import pytest

from skilltune.sample import sample_root

from .reading import hazards, line_of, records, sessions

MARKS: dict[str, bytes] = {
    "already_loaded": b'"name":"Skill"',
    "answer_in_text": b"The user answered:",
    "answer_structured": b'"answers":{',
    "attribution_skill": b'"attributionSkill":',
    "author_reads_skill_file": b"SKILL.md",
    "bare_system_reminder": b'"origin":{"kind":"human"}',
    "bash_input": b"<bash-input>",
    "bash_input_revert": b"<bash-input>git checkout -- ",
    "bash_notification": b"<bash-notification>",
    "bash_stdout": b"<bash-stdout>",
    "blank_line": b"   ",
    "builtin_name_first": b'"content":"<command-name>/model',
    "byte_order_mark": b"\xef\xbb\xbf{",
    "caveat": b"Caveat: The messages below",
    "caveat_in_tag": b"<local-command-caveat>",
    "ci_monitor_event": b"<ci-monitor-event>",
    "compaction_summary": b'"isCompactSummary":true',
    "cut_last_line": b'{"parentUuid"',
    "denial_automode": b"automode-unavailable",
    "denial_by_path": b"denied by your permission settings",
    "denial_by_policy": b"don't ask mode",
    "denial_clarify_boilerplate": b"The user wants to clarify these questions",
    "denial_with_words": b"the user said:",
    "denial_without_words": b"User rejected tool use",
    "dynamic_skill": b'"dynamic_skill"',
    "edit_user_modified": b'"userModified":true',
    "edited_text_file": b'"edited_text_file"',
    "empty_line": b"",
    "empty_turn": b'"role":"user","content":""',
    "flat_record": b'{"role":"user","content":',
    "forked_copy": b'{"parentUuid":null',
    "glued_records": b'}{"parentUuid"',
    "history_file": b'{"display":',
    "hook_attachment": b'"hook_success"',
    "ide_opened_file": b"<ide_opened_file>",
    "ide_selection": b"<ide_selection>",
    "image_only": b'"content":[{"type":"image"',
    "interrupt_for_tool_use": b"[Request interrupted by user for tool use]",
    "interrupt_new_direction": b"[Request interrupted by user]",
    "interrupt_reworded": b"[Request interrupted by user]",
    "invalid_utf8": b"caf\xe9",
    "invented_secret_and_mail": b"AKIA",
    "invoked_skills": b'"invoked_skills"',
    "json_array_line": b"[1,2]",
    "json_null_line": b"null",
    "json_number_line": b"41",
    "json_string_line": b'"no, that is wrong"',
    "language_it": b'"sessionId":',
    "language_mixed": b'"sessionId":',
    "language_pl": b'"sessionId":',
    "language_zh": b'"sessionId":',
    "language_zh-Hant": b'"sessionId":',
    "local_command_stdout": b"<local-command-stdout>",
    "lone_surrogate": rb"\ud83d",
    "long_line": b'"type":"base64"',
    "malformed_line": b'{"type":"user","message":{',
    "mention_only": b"/schema-migrator",
    "meta_body": b"Base directory for this skill",
    "modified_by_user_or_linter": b"was modified, either by the user or by a linter",
    "null_fields": b'"message":null',
    "plan_approved": b"User has approved your plan",
    "plan_implement": b'"planContent":',
    "plan_rejected": b"the user said:",
    "printed_skill_file": b"sed -n 1,40p",
    "queued_attachment": b'"queued_command"',
    "queued_enqueue_only": b'"operation":"enqueue"',
    "queued_in_both_places": b'"operation":"enqueue"',
    "queued_json": rb'"content":"[{\"type\"',
    "queued_pop_all": b'"operation":"popAll"',
    "queued_task_notification": b'"commandMode":"task-notification"',
    "queued_xml_notification": b'"content":"<task-notification>',
    "read_right_after_use": b"SKILL.md",
    "read_skill_file": b'"name":"Read"',
    "record_without_type": b'{"timestamp":',
    "repeated_record_in_file": b'"name":"Skill"',
    "resumed_copy": b'{"parentUuid":null',
    "revert_by_command": b"git checkout -- ",
    "rewind": b'"role":"user"',
    "same_skill_twice_in_one_record": b'"name":"Skill"',
    "scripted_session": b'"entrypoint":"sdk-cli"',
    "second_skill_without_turn": b'"name":"Skill"',
    "self_reverted": b"git checkout -- ",
    "sidechain_prompt": b'"isSidechain":true',
    "skill_input_command": b'"input":{"command":',
    "skill_input_name": b'"input":{"name":',
    "skill_input_slash_prefix": b'"input":{"skill":"/',
    "skill_listing": b'"skill_listing"',
    "skill_refused": b'"skill":"license-audit"',
    "skill_unknown": b'"skill":"chart-maker"',
    "slash_message_first": b'"<command-message>',
    "slash_stub_calls_skill": b"<command-message>report-builder",
    "split_message": b'"type":"text"',
    "steering": b'"type":"tool_result"',
    "stop_hook_feedback": b"Stop hook feedback:",
    "subagent_file": b'"isSidechain":true',
    "summary_record": b'"type":"summary"',
    "system_local_command_body": b'"local_command"',
    "system_local_command_builtin": b"/mcp",
    "system_local_command_known_elsewhere": b"/changelog-writer",
    "system_local_command_unknown": b"/standup",
    "system_reminder_beside_text": b"<system-reminder>",
    "task_notification": b"<task-notification>",
    "teammate_message": b"</teammate-message>",
    "time_runs_backwards": b'"timestamp":',
    "tool_result_only": b'"type":"tool_result"',
    "two_sessions_in_one_file": b'"parentUuid":null',
    "two_skills_in_one_record": b'"name":"Skill"',
    "unknown_type": b'"moon-phase"',
    "warmup": b"Warmup",
    "workflow_journal": b'"type":"started"',
    "temporary_session": b'"cwd":"/tmp/',
    "observer_session": b"observer-sessions",
    "pytest_session": b"/pytest-of-mira/",
    "naive_timestamp": b'"name":"Skill"',
    "crlf": b"\r",
    "no_final_newline": b'"role":"user"',
    "file_name_is_not_session_id": b'"sessionId":',
    "acceptance_taken_back": b"Undo that last push",
    "complaint_about_other_work": b"wrong picture",
    "complaint_after_the_window": b"that's wrong",
    "stronger_complaint_later": b"wrong heading",
    "verdict_on_other_work": b'"role":"user"',
}
"""What the line of each hazard holds."""


def test_hazards_are_all_named():
    """The list and the marks name the same things."""
    assert {row["name"] for row in hazards()} == set(MARKS)


def test_hazards_stand_where_the_list_says():
    """Each line named holds the mark of its hazard."""
    assert [row for row in hazards() if MARKS[row["name"]] not in line_of(row)] == []


def _only(name: str) -> dict:
    (row,) = [row for row in hazards() if row["name"] == name]
    return row


def test_copies_share_uuids_with_their_original():
    """The resumed copy keeps uuids and session id, the fork keeps uuids under a new id."""
    for name, own_id in (("resumed_copy", False), ("forked_copy", True)):
        path = sample_root() / _only(name)["file"]
        first = records(path)[0]
        assert (first["sessionId"] == path.stem) is own_id
        others = [other for other in sessions() if other != path and first["uuid"].encode() in other.read_bytes()]
        assert len(others) == 2


def test_file_endings_are_cut_and_open():
    """One file ends in the middle of a record, one in a whole record without a line end."""
    for name, whole in (("cut_last_line", False), ("no_final_newline", True)):
        content = (sample_root() / _only(name)["file"]).read_bytes()
        assert not content.endswith(b"\n")
        try:
            json.loads(content.splitlines()[-1])
        except ValueError:
            assert not whole
        else:
            assert whole


def test_bytes_are_awkward_where_said():
    """CRLF throughout, an undecodable byte, a stamp without a zone, a line of more than 128 KB."""
    content = (sample_root() / _only("crlf")["file"]).read_bytes()
    assert content.count(b"\r\n") == content.count(b"\n") > 5
    with pytest.raises(UnicodeDecodeError):
        line_of(_only("invalid_utf8")).decode()
    assert not json.loads(line_of(_only("naive_timestamp")))["timestamp"].endswith("Z")
    assert len(line_of(_only("long_line"))) > 131_072


def test_rewound_turns_share_a_parent():
    """The turn after the rewind has an elder sibling."""
    row = _only("rewind")
    parent = json.loads(line_of(row))["parentUuid"]
    assert sum(record.get("parentUuid") == parent for record in records(sample_root() / row["file"])) == 2


def test_split_messages_repeat_their_usage():
    """Records with one message id carry the same usage."""
    row = next(row for row in hazards() if row["name"] == "split_message")
    given = [record["message"] for record in records(sample_root() / row["file"]) if record.get("type") == "assistant"]
    split = [message for message in given if message["id"] == json.loads(line_of(row))["message"]["id"]]
    assert len(split) >= 2
    assert all(message["usage"] == split[0]["usage"] for message in split)


def test_versions_differ_in_their_envelope():
    """Early versions put the session before the message, late ones after it, with an entrypoint."""
    seen = {}
    for path in sessions():
        for record in records(path)[:1]:
            keys = list(record)
            if "version" in record and "uuid" in record:
                seen[record["version"]] = keys.index("sessionId") > keys.index("uuid"), "entrypoint" in record
    assert len(seen) >= 10
    assert seen["2.0.76"] == (False, False)
    assert seen["2.1.220"] == (True, True)
