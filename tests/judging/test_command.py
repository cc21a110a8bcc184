"""Programs as judges: real processes that print what the agents print, and fail as they fail."""

import json
import os
import time

import pytest

from skilltune.errors import InputError, JudgeFailed
from skilltune.judging.agents import AGENTS
from skilltune.judging.command import command_judge, judge_folder
from skilltune.mining.origins import OWN_RUN_MARK, why_skipped
from skilltune.stores.config import JUDGE_AGENTS, JudgeConfig
from tests.judging.standin import judge_of, question, stand_in
from tests.mining.stories import says, session

PROGRAMS = ["claude", "codex", "opencode", "own-judge"]
TURNS = [
    question(1, "No, that is wrong."),
    question(2, "thanks!"),
    question(3, "这不对，错了"),
    question(4, "And now?"),
]


def _outcomes(answers):
    return {answer.turn_id: answer.outcome for answer in answers}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("behaviour", ["good", "prose", "list", "echo_and_good"])
def test_command_reads_answers(tmp_path, name, behaviour):
    """The labels are found in each program's format, whatever prose stands around them."""
    judge = judge_of(stand_in(tmp_path, name=name, behaviour=behaviour), tmp_path)
    answers = judge(list(TURNS))
    assert _outcomes(answers) == {"t1": "correction", "t2": "acceptance", "t3": "correction", "t4": "none"}
    assert {answer.event_id for answer in answers} == {"e1", "e2", "e3", "e4"}
    assert [answer.correction_type for answer in answers] == ["rejection", None, "rejection", None]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(
    ("behaviour", "faults", "unknown"),
    [
        ("half", {"t3": "missing", "t4": "missing"}, 0),
        ("twice", {"t1": "twice"}, 0),
        ("vocabulary", {"t1": "vocabulary", "t2": "vocabulary"}, 0),
        ("odd", {"t1": "vocabulary"}, 0),
        ("alien", {}, 1),
    ],
)
def test_command_leaves_out_what_is_no_answer(tmp_path, name, behaviour, faults, unknown):
    """Turns left out, answered twice or with unknown words have no answer, each with its reason; the rest holds."""
    said = judge_of(stand_in(tmp_path, name=name, behaviour=behaviour), tmp_path).ask(TURNS)
    assert {turn: why for (_, turn), why in said.faults.items()} == faults
    assert len(said.answers) == len(TURNS) - len(faults)
    assert said.unknown_ids == unknown


FAILURES = [
    ("refusal", {"refused"}),
    ("cut", {"no_json", "format"}),
    ("echo", {"no_json"}),
    ("garbage", {"format", "no_json"}),
    ("silent", {"empty", "format"}),
    ("exit", {"exit", "failed"}),
    ("good_and_exit", {"exit"}),
    ("huge", {"too_much_output"}),
]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize(("behaviour", "reasons"), FAILURES, ids=[name for name, _ in FAILURES])
def test_command_fails_with_reason(tmp_path, name, behaviour, reasons):
    """What is no answer at all is a failure with a reason, never a label."""
    judge = judge_of(stand_in(tmp_path, name=name, behaviour=behaviour), tmp_path)
    with pytest.raises(JudgeFailed) as caught:
        judge(list(TURNS))
    assert caught.value.reason in reasons


@pytest.mark.parametrize("name", list(AGENTS))
def test_command_tells_the_programs_own_error(tmp_path, name):
    """An error in the program's own format is told in its words."""
    judge = judge_of(stand_in(tmp_path, name=name, behaviour="error"), tmp_path)
    with pytest.raises(JudgeFailed, match="Not logged in") as caught:
        judge(list(TURNS))
    assert caught.value.reason == "failed"


def test_command_masks_secrets_in_what_a_program_says(tmp_path):
    """A key in a program's error message is not shown."""
    judge = judge_of(stand_in(tmp_path, name="own-judge", behaviour="exit"), tmp_path)
    with pytest.raises(JudgeFailed, match=r"exit 1: your key \[secret\] was turned down"):
        judge(list(TURNS))


@pytest.mark.skipif(os.name == "nt", reason="process groups")
def test_command_ends_a_program_and_its_children_in_time(tmp_path):
    """After the time limit the program and what it started are gone."""
    program = stand_in(tmp_path, behaviour="hang")
    judge = judge_of(program, tmp_path, timeout_seconds=2)
    with pytest.raises(JudgeFailed) as caught:
        judge(list(TURNS))
    assert caught.value.reason == "timeout"
    assert program.beat.exists(), "the child never ran: the test shows nothing"
    size = program.beat.stat().st_size
    time.sleep(0.4)
    assert program.beat.stat().st_size == size


def test_command_does_not_wait_for_children_left_behind(tmp_path):
    """A child that keeps the pipes open for longer than a test may take does not keep the answer."""
    judge = judge_of(stand_in(tmp_path, behaviour="leaves_child"), tmp_path, timeout_seconds=600)
    assert len(judge(list(TURNS))) == len(TURNS)


@pytest.mark.parametrize("name", list(AGENTS))
def test_command_runs_without_tools_in_its_own_folder(tmp_path, monkeypatch, name):
    """The text goes in by standard input alone, tools are off, and the folder is one that mining passes over."""
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("SOME_VARIABLE", "the person's")
    monkeypatch.setenv("PWD", "/home/me/shop")
    program = stand_in(tmp_path, name=name)
    judge_of(program, tmp_path / ".skilltune", model="small-1")(list(TURNS))
    (call,) = program.calls
    argv = call["argv"]
    expected = {
        "claude": [["--tools", ""], ["--safe-mode"], ["--no-session-persistence"], ["--output-format", "json"]],
        "codex": [["--sandbox", "read-only"], ["--ephemeral"], ["-c", "features.shell_tool=false"], ["--json"], ["-"]],
        "opencode": [["--agent", "skilltune-judge"], ["--format", "json"], ["--pure"]],
    }
    for words in [*expected[name], ["--model", "small-1"]]:
        assert any(argv[at : at + len(words)] == words for at in range(len(argv))), words
    assert not any("wrong" in word for word in argv)
    assert "No, that is wrong." in call["prompt"]
    for folder in (call["cwd"], call["env"]["PWD"]):
        assert why_skipped(session(project=folder)) == "own_run"
    assert why_skipped(session(says(call["prompt"]), project="/elsewhere"), scripted=True) == "own_run"
    assert call["prompt"].startswith(OWN_RUN_MARK)
    assert call["env"]["SOME_VARIABLE"] == "the person's"
    if name == "claude":
        assert "CLAUDECODE" not in call["env"]
    if name == "opencode":
        agent = json.loads(call["env"]["OPENCODE_CONFIG_CONTENT"])["agent"]["skilltune-judge"]
        assert agent["permission"] == {"*": "deny"}


def test_command_of_the_person_is_called_as_given(tmp_path):
    """A program of one's own gets its own arguments and nothing else."""
    program = stand_in(tmp_path, name="own-judge")
    judge = judge_of(program, tmp_path)
    judge(list(TURNS))
    assert judge.name == "own-judge"
    assert program.calls[0]["argv"] == ["--json"]


@pytest.mark.parametrize(
    ("workspace", "ends"),
    [(".skilltune", ".skilltune/judge"), ("logs", "logs/.skilltune/judge")],
)
def test_judge_folder_is_known_to_mining(tmp_path, workspace, ends):
    """Whatever a workspace is called, the folder to run in ends as mining looks for."""
    folder = judge_folder(tmp_path / workspace)
    assert folder.as_posix().endswith(ends)
    assert why_skipped(session(project=str(folder))) == "own_run"


def test_judge_folder_of_a_linked_workspace(tmp_path):
    """A program sees the folder behind a link: that one ends as mining looks for."""
    (tmp_path / "real").mkdir()
    (tmp_path / ".skilltune").symlink_to(tmp_path / "real")
    assert judge_folder(tmp_path / ".skilltune") == tmp_path / "real" / ".skilltune" / "judge"


def test_command_agents_are_those_of_the_config():
    """The config knows every agent there is, and no other."""
    assert tuple(AGENTS) == JUDGE_AGENTS


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "no judge is named"),
        ({"command": ("no-such-program-here",)}, "'no-such-program-here' was not found"),
        ({"agent": "claude", "model": "a b"}, "'a b' is no name of a model"),
        ({"agent": "claude", "model": "--tools=Bash"}, "is no name of a model"),
        ({"agent": "claude", "model": "x&calc"}, "is no name of a model"),
        ({"command": ("ls",), "model": "x"}, "model goes with an agent"),
    ],
)
def test_command_judge_that_cannot_be(tmp_path, monkeypatch, settings, message):
    """A judge that is not there or not right is refused before anything is started."""
    program = stand_in(tmp_path)
    monkeypatch.setenv("PATH", str(program.path.parent), prepend=os.pathsep)
    with pytest.raises(InputError, match=message):
        command_judge(JudgeConfig(**settings), workspace=tmp_path)
    assert program.calls == []


def test_command_that_cannot_be_started(tmp_path):
    """A file that is no program is a failure with a reason."""
    program = stand_in(tmp_path, name="own-judge")
    judge = judge_of(program, tmp_path)
    program.path.write_text("#!/no/such/interpreter\n")
    with pytest.raises(JudgeFailed) as caught:
        judge(list(TURNS))
    assert caught.value.reason == "not_started"
