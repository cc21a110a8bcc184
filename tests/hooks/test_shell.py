"""Hooks as an agent runs them: by a real shell, a payload on standard input, many at once."""

import json
import subprocess
import sys

import pytest

from tests.hooks.payloads import payload

QUERIES, USAGE, TELEMETRY = "all_queries_log.jsonl", "skill_usage_log.jsonl", "session_telemetry_log.jsonl"
SESSION = "5f0c2a7e-1111-4222-8333-944455556666"


def record(kind, content, **fields):
    """A line of an invented transcript."""
    message = {"role": kind, "content": content, **fields.pop("message", {})}
    return json.dumps({"type": kind, "sessionId": SESSION, "message": message, **fields}) + "\n"


def call(number, name, **given):
    """A tool call of the agent."""
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given}


def result(number, text, *, error=False):
    """The result of that call."""
    return {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": text, "is_error": error}


@pytest.fixture
def transcript(home):
    """A session of two prompts: a skill, a failing and a refused command, an edit."""
    usage = {"input_tokens": 10, "output_tokens": 5}
    path = home.root / "session.jsonl"
    path.write_text(
        record("user", "make the slides, password: hunter2!")
        + record("assistant", [call(1, "Skill", skill="pptx")], message={"id": "m1", "usage": usage})
        + record("user", [result(1, "Launching skill: pptx")])
        + record("assistant", [call(2, "Bash", command="npm test")], message={"id": "m2", "usage": usage})
        + record("user", [result(2, "1 failed", error=True)])
        + record("assistant", [call(3, "Bash", command="rm -r x")], message={"id": "m3", "usage": usage})
        + record("user", [result(3, "The user doesn't want to proceed with this tool use.", error=True)])
        + "not json\n"
        + record("user", "<task-notification><task-id>7</task-id></task-notification>")
        + record("user", "好的"),
        encoding="utf-8",
    )
    return path


def test_each_event_gives_its_line(home, transcript):
    """A prompt, a use and an end give one line each, with text masked and only the owner allowed to read it."""
    home.run("prompt", payload("UserPromptSubmit", prompt="fix it, password: hunter2!"))
    home.run("skill-use", payload("PostToolUse"))
    home.run("session-end", payload("SessionEnd", transcript_path=str(transcript)))
    (query,), (use,), (told,) = home.rows(QUERIES), home.rows(USAGE), home.rows(TELEMETRY)
    assert (query["session_id"], query["query"]) == (SESSION, "fix it, password: [secret]")
    assert (use["skill_name"], use["query"], use["triggered"]) == ("tidy-tests", query["query"], True)
    assert told["tool_calls"] == {"Skill": 1, "Bash": 2}
    assert (told["total_tool_calls"], told["assistant_turns"], told["errors_encountered"]) == (3, 3, 1)
    assert (told["last_user_query"], told["skills_triggered"]) == ("好的", ["pptx"])
    assert told["bash_commands"] == ["npm test", "rm -r x"]
    assert (told["input_tokens"], told["output_tokens"]) == (30, 15)
    assert told["transcript_chars"] == len(transcript.read_text(encoding="utf-8"))
    assert {row["source"] for row in (query, use, told)} == {"claude_code"}
    assert {path.stat().st_mode & 0o777 for path in home.claude.glob("*.jsonl")} == {0o600}
    assert home.notes == []


def test_fifty_at_once_write_whole_lines(home):
    """Of fifty hooks at a time every line is whole, and none is lost."""
    shells = [
        home.start("prompt", payload("UserPromptSubmit", session_id=f"s{n}", prompt=f"prompt {n} " + "字" * 3_000))
        for n in range(50)
    ]
    for shell in shells:
        home.end(shell)
    rows = home.rows(QUERIES)
    assert sorted(row["session_id"] for row in rows) == sorted(f"s{n}" for n in range(50))
    assert all(row["query"].endswith("字" * 3_000) for row in rows)
    assert home.notes == []


@pytest.mark.parametrize(
    ("name", "event", "fields"),
    [
        ("prompt", "UserPromptSubmit", {"prompt": "<task-notification>\n<task-id>1</task-id>\n</task-notification>"}),
        ("prompt", "UserPromptSubmit", {"prompt": "   "}),
        ("skill-use", "PostToolUse", {"tool_name": "Write", "tool_input": {"file_path": "/p/notes/SKILL.md"}}),
        ("skill-use", "PostToolUse", {"tool_name": "Read", "tool_input": {"file_path": "/p/notes/README.md"}}),
        ("skill-use", "PostToolUse", {"tool_response": {"success": False}}),
        ("skill-use", "PostToolUseFailure", {"tool_name": "Skill", "tool_input": {"skill": "pdf"}}),
        ("skill-use", "PostToolUse", {"tool_input": None}),
    ],
)
def test_what_says_nothing_writes_nothing(home, capture, name, event, fields):
    """Injected text, a write of a SKILL.md, a read of another file and a failed call leave no line."""
    capture(name, payload(event, **fields))
    assert not home.claude.exists()
    assert home.notes == []


@pytest.mark.parametrize("prompt", ["fix", "好的", "y", "/deploy now"])
def test_short_prompts_are_kept(home, capture, prompt):
    """Short prompts are prompts."""
    capture("prompt", payload("UserPromptSubmit", prompt=prompt))
    assert [row["query"] for row in home.rows(QUERIES)] == [prompt]


def test_other_name_of_the_prompt_is_read(home, capture):
    """Older payloads call the prompt ``user_prompt``."""
    given = payload("UserPromptSubmit", user_prompt="tidy up")
    del given["prompt"]
    capture("prompt", given)
    assert [row["query"] for row in home.rows(QUERIES)] == ["tidy up"]


def test_read_of_a_skill_is_a_use(home, capture):
    """A read of a SKILL.md is a use, but for a person who has just asked for work on that file."""
    read = payload("PostToolUse", tool_name="Read", tool_input={"file_path": "/p/skills/pdf-forms/SKILL.md"})
    capture("skill-use", read)
    capture("prompt", payload("UserPromptSubmit", prompt="shorten skills/pdf-forms/SKILL.md"))
    capture("skill-use", read)
    assert [(row["skill_name"], row["skill_path"]) for row in home.rows(USAGE)] == [
        ("pdf-forms", "/p/skills/pdf-forms/SKILL.md")
    ]


def test_stops_soon_after_each_other_add_no_line(home, capture, transcript):
    """Twenty stops within ten minutes give one row, and the end of the session one more."""
    for _ in range(20):
        capture("session-end", payload("Stop", transcript_path=str(transcript)))
    assert len(home.rows(TELEMETRY)) == 1
    capture("session-end", payload("SessionEnd", transcript_path=str(transcript)))
    assert len(home.rows(TELEMETRY)) == 2


@pytest.mark.parametrize(
    ("name", "given", "reason"),
    [
        ("prompt", b"{", "the payload is no JSON object (1 bytes: "),
        ("prompt", b"[1]", "the payload is no JSON object (3 bytes: "),
        ("prompt", b"\xff\xfe", "the payload is no JSON object (2 bytes: "),
        ("prompt", {"prompt": "hello"}, "the payload names no session"),
        ("session-end", payload("SessionEnd"), "/nowhere/5f0c2a7e.jsonl: No such file or directory"),
        ("no-such", {}, "there is no hook 'no-such'; known are prompt, skill-use, session-end, observe, ping"),
    ],
)
def test_broken_payload_is_told_in_our_own_log(home, name, given, reason):
    """The agent sees nothing; ``hooks.log`` says why nothing was written."""
    home.run(name, given)
    (note,) = home.notes
    assert note.startswith(reason)
    assert not home.claude.exists()


def test_no_home_full_disk_and_no_folder(home):
    """Without a home, with a log that cannot be written and with a file in the folder's place hooks end well."""
    home.run("prompt", payload("UserPromptSubmit"), HOME="")
    (home.root / ".claude").write_text("no folder", encoding="utf-8")
    home.run("prompt", payload("UserPromptSubmit"))
    (home.root / ".claude").unlink()
    home.claude.mkdir()
    (home.claude / QUERIES).symlink_to("/dev/full")
    home.run("prompt", payload("UserPromptSubmit"))
    assert len(home.notes) == 2


def test_switched_off_collection_writes_nothing(home, capture):
    """With the person's switch off nothing is written anywhere, not even a note."""
    home.claude.mkdir()
    (home.claude / "feedback-config.json").write_text('{"enabled": false}', encoding="utf-8")
    for name, event in (("prompt", "UserPromptSubmit"), ("skill-use", "PostToolUse"), ("observe", "PostToolUse")):
        capture(name, payload(event))
    assert sorted(path.name for path in home.claude.iterdir()) == ["feedback-config.json"]
    assert home.notes == []


def test_settings_without_snippets_keep_no_text(home, capture, transcript):
    """Where the workspace's settings keep no text, neither do hooks."""
    (home.project / ".skilltune").mkdir()
    (home.project / ".skilltune" / "config.toml").write_text("[privacy]\nsnippets = false\n", encoding="utf-8")
    cwd = str(home.project)
    capture("prompt", payload("UserPromptSubmit", cwd=cwd))
    capture("skill-use", payload("PostToolUse", cwd=cwd))
    capture("session-end", payload("SessionEnd", cwd=cwd, transcript_path=str(transcript)))
    (told,) = home.rows(TELEMETRY)
    assert home.rows(QUERIES) == []
    assert (told["last_user_query"], told["bash_commands"], home.rows(USAGE)[0]["query"]) == ("", [], "")


def test_own_log_stays_small(home, capture):
    """A log of what went wrong that has grown too large begins anew; the one before is kept."""
    log = home.root / ".skilltune" / "hooks.log"
    log.parent.mkdir()
    log.write_bytes(b"{}\n" * 100_000)
    capture("prompt", {"prompt": "hello"})
    assert (log.with_name("hooks.log.1").stat().st_size, len(home.notes)) == (300_000, 1)


def test_hooks_load_nothing_heavy():
    """No table, chart, command line or HTTP client is loaded for a hook, whatever it is."""
    code = (
        "import sys, skilltune.__main__, skilltune.hooks.command, skilltune.hooks.capture, skilltune.hooks.telemetry\n"
        "import skilltune.hooks.own_log\n"
        "from skilltune.stores.secrets import mask_secrets\n"
        "mask_secrets('look at https://example.org/a/long/address and at 0a1b2c3d4e5f, password: hunter2!')\n"
        "heavy = ('pandas', 'numpy', 'altair', 'typer', 'scipy', 'detect_secrets', 'requests', 'filelock', 'asyncio')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
