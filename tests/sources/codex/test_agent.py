"""The agent's work: what it said and called, errors, tokens, models; whose session it is."""

import json

import pytest

from skilltune.facts import Tokens
from skilltune.sources.codex.results import read_ending
from tests.sources.codex.building import THREAD, Flat, Rollout, turns, works


def test_work_between_prompts(read):
    """Tools, files, commands of git, the last words, the model and the moment of the last record."""
    log = (
        Rollout()
        .turn()
        .prompt("go")
        .agent("Looking.")
        .shell("sed -n '1,9p' src/a.py && cat 'b c.py'\n  cat src/d.py", "c1")
    )
    log.output("x", "c1", code=0).shell("cd app && git status", "c2").output("x", "c2", code=0)
    log.patch("*** Add File: new.py", "+a", "*** Update File: old.py ", "*** Move to: moved.py", call_id="c3")
    log.item("web_search_call", action={"query": "x"}).agent("Done.").event("task_complete", turn_id="t")
    (turn,) = turns(read(log))
    work = turn.work
    assert work.tools == ("exec_command", "apply_patch", "web_search")
    assert (work.edited, work.touched) == (("new.py", "old.py", "moved.py"), ("src/a.py", "src/d.py"))
    assert (work.commands, work.said, work.model) == (("cd app && git status",), "Done.", "gpt-5.5")
    assert work.ended == turn.at + 11_000_000


def test_script_of_calls(read):
    """Of a script that calls tools, its commands and the files it patches are the work."""
    patch = 'await tools.apply_patch("*** Begin Patch\\n*** Update File: src/a.py\\n@@\\n*** End Patch")'
    script = f"await tools.exec_command({{cmd: 'git status'}});\n{patch}"
    (turn,) = turns(read(Rollout().prompt("go").item("custom_tool_call", name="exec", input=script, call_id="c1")))
    assert (turn.work.tools, turn.work.edited, turn.work.commands) == (("exec",), ("src/a.py",), ("git status",))


@pytest.mark.parametrize(
    ("output", "ending"),
    [
        ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nExit code: 1", "ok"),
        ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\n", "failed"),
        ("Chunk ID: 1\nWall time: 1 seconds\nProcess running with session ID 7\nOutput:\n", "ok"),
        ("Exit code: 1\nWall time: 0 seconds\nOutput:\n", "failed"),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.", "ok"),
        ('{"output":"Exit code: 0","metadata":{"exit_code":1,"duration_seconds":0.1}}', "failed"),
        ('{"output":"\\"exit_code\\": 3","metadata":{"exit_code":0}}', "ok"),
        (json.dumps({"output": "x" * 5000, "metadata": {"exit_code": 1}}), "failed"),
        ("apply_patch verification failed: no such lines", "failed"),
        ("execution error: Timeout", "failed"),
        ("Plan updated", "ok"),
        ("the test failed to run", "ok"),
        ({"content": "no", "success": False}, "failed"),
        ({"content": "patch rejected by user", "success": False}, "denied"),
        ({"stdout": "", "exitCode": 1}, "failed"),
        ({"stdout": "", "exitCode": 0}, "ok"),
        ([{"type": "input_text", "text": "Exit code: 1"}], "failed"),
        ({"type": "input_text", "text": "Exit code: 1"}, "failed"),
        ([{"text": 5}, "x", None], "ok"),
        (None, "ok"),
        (17, "ok"),
    ],
)
def test_ending_of_a_call(output, ending):
    """An exit code decides, wherever this generation writes it, else the words with which an error begins."""
    assert read_ending(output) == ending


@pytest.mark.parametrize(
    ("kind", "more", "errors"),
    [
        ("patch_apply_end", {"success": False}, 1),
        ("patch_apply_end", {"success": True}, 0),
        ("mcp_tool_call_end", {"result": {"Err": "timeout"}}, 1),
        ("mcp_tool_call_end", {"result": {"Ok": {"content": [], "isError": True}}}, 1),
        ("mcp_tool_call_end", {"result": {"Ok": {"content": [], "isError": False}}}, 0),
    ],
)
def test_failure_that_only_the_program_tells(read, kind, more, errors):
    """A patch or tool that failed counts once, though its output does not say so."""
    log = Rollout().prompt("go").patch("*** Update File: a.py").event(kind, call_id="call_1", **more)
    (turn,) = turns(read(log.item("custom_tool_call_output", call_id="call_1", output="see above")))
    assert (turn.work.errors, turn.work.ended_in_error) == (errors, bool(errors))


def test_failed_command_did_not_run(read):
    """A command of git that failed discarded nothing."""
    log = Rollout().prompt("go").shell("git reset --hard", "c1").output("fatal", "c1", code=128)
    assert turns(read(log.shell("git stash", "c2").output("", "c2", code=0)))[0].work.commands == ("git stash",)


def test_tokens_add_up_to_the_last_total(read):
    """Each stretch has what the sums grew by, the cached part apart; told twice counts once, a fresh sum whole."""
    log = Rollout().prompt("go").tokens((100, 60, 10)).tokens((100, 60, 10)).prompt("on")
    log.tokens((400, 200, 30), (200, 100, 10)).event("token_count", info=None).tokens((50, 0, 5))
    first, second = turns(read(log))
    assert first.work.tokens == Tokens(input=40, output=10, cache_read=60)
    assert second.work.tokens == Tokens(input=160 + 50, output=20 + 5, cache_read=140)


def test_tokens_without_sums(read):
    """Where only the last message is counted, messages add up; written cache is no input of its own."""
    spent = {"input_tokens": 10, "cached_input_tokens": 4, "cache_write_input_tokens": 1, "output_tokens": 2}
    log = Rollout().prompt("go")
    for _ in range(2):
        log.event("token_count", info={"last_token_usage": spent})
    assert turns(read(log))[0].work.tokens == Tokens(input=10, output=4, cache_read=8, cache_creation=2)


def test_fork_does_not_count_its_parents_tokens(read):
    """The first sum of a fork goes on from its parent's: only its own message counts."""
    facts = read(
        Rollout(forked_from_id="01a00000-0000-7000-8000-000000000000").prompt("go").tokens((900, 0, 90), (9, 0, 1))
    )
    assert turns(facts)[0].work.tokens == Tokens(input=9, output=1)


@pytest.mark.parametrize(
    ("meta", "entrypoint"),
    [
        ({}, "codex-tui"),
        ({"source": "exec", "originator": "codex_exec"}, "codex_exec"),
        ({"source": "exec", "originator": "my_sdk"}, "codex_exec"),
        ({"source": "mcp", "originator": "other"}, "codex_mcp"),
        ({"source": "vscode", "originator": "codex_vscode"}, "codex_vscode"),
        ({"source": "vscode", "thread_source": "automation"}, "codex_automation"),
        ({"source": ["odd"], "originator": 5, "thread_source": {}}, ""),
    ],
)
def test_session_says_who_it_is(read, meta, entrypoint):
    """Id, version, folder and way of starting come from the first record that has them."""
    log = Rollout(**meta).prompt("go").meta("01a00000-0000-7000-8000-00000000000f", cwd="/other", cli_version="9")
    (session,) = read(log).sessions
    assert (session.session_id, session.agent, session.agent_version) == (THREAD, "codex", "0.142.4")
    assert (session.project, session.entrypoint) == ("/home/dev/shop", entrypoint)
    assert session.forked_from == ""


def test_early_file_has_an_id_and_times_where_it_tells_them(read):
    """A file of early 2025 has its id and one stamp in its first line; a call's output holds its exit code."""
    log = Flat().prompt("go").item("function_call", name="shell", arguments='{"command":["ls"]}', call_id="c1")
    log.item("function_call_output", call_id="c1", output=json.dumps({"output": "", "metadata": {"exit_code": 2}}))
    facts = read(log.raw('{"record_type":"state"}').agent("Failed."), name="odd.jsonl")
    (session,) = facts.sessions
    assert (session.session_id, session.first_at, session.last_at) == (THREAD, 1767607200000000, 1767607200000000)
    assert session.items[0].work.errors == 1
    assert session.items[0].work.said == "Failed."
    assert facts.records["state"] == 1


def test_wrappers_of_other_projects(read):
    """Calls and results that wrappers write, and messages with a flat text, are read as well."""
    lines = [
        {"created_at": "2026-01-05T10:00:00Z", "role": "user", "message": "go", "model": "m1"},
        {"type": "function_call", "function": {"name": "lookup"}, "arguments": {"text": "a"}},
        {"type": "function_result", "name": "lookup", "result": {"exitCode": 1}},
        {"role": "assistant", "content": "Done."},
        {"timestamp": "2026-01-05T10:00:03Z", "type": "world_state", "payload": {"full": True}},
    ]
    facts = read("".join(json.dumps(line) + "\n" for line in lines), name="drift.jsonl")
    (turn,) = turns(facts)
    assert (turn.text, turn.at, turn.work.tools, turn.work.errors) == ("go", 1767607200000000, ("lookup",), 1)
    assert (turn.work.said, turn.work.model, facts.sessions[0].session_id) == ("Done.", "m1", "drift")


@pytest.mark.parametrize(
    ("log", "tokens"),
    [
        (Rollout().tokens((5, 0, 1)), Tokens(input=5, output=1)),
        (Rollout().event("token_count", info={"prompt": 5}), Tokens()),
        (Rollout().event("turn.completed", message="ok"), Tokens()),
        (Rollout(None).raw('{"type":"turn.completed"}'), Tokens()),
    ],
)
def test_session_without_prompts_still_costs(read, log, tokens):
    """Where the agent was at work there is a session, whether or not it is said in a known way what that cost."""
    facts = read(log)
    assert (facts.skipped, works(facts)[0].tokens) == ("", tokens)


def test_counts_of_no_work_are_no_session(read):
    """A count without figures is made before any work; what ends a turn counts under its own name."""
    facts = read(Rollout().event("token_count", info=None))
    assert (facts.skipped, facts.records) == ("no_messages", {"session_meta": 1, "token_count": 1})
    facts = read(Rollout().event("turn.completed", message="ok").event("token_count", info=None))
    assert facts.records == {"session_meta": 1, "turn.completed": 1, "token_count": 1}
