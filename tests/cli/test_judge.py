"""``skilltune judge`` as a person runs it, with programs that stand in for agents."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.forking import run_command
from tests.judging.standin import StandIn, stand_in

pty = pytest.importorskip("pty", reason="a terminal that a test can type on")
KEY = "sk-" + "ant-api03-" + "Zq8vT1" * 8


@pytest.fixture
def shop(machine, talk):
    """A machine with six sessions, in each of which a person answered a skill."""
    said = [
        "No, that is wrong.",
        "thanks!",
        f"No, wrong: the key {KEY} is mine, see /home/ana/shop",
        "这不对，错了",
        "And what of the tests?",
        "thanks, that is it",
    ]
    for number, text in enumerate(said):
        machine.session(f"s{number}", talk(f"s{number}", text))
    return machine


def _config(machine, text):
    folder = machine.home / ".skilltune"
    folder.mkdir(exist_ok=True)
    (folder / "config.toml").write_text(text, encoding="utf-8")


def _labels(machine):
    path = machine.home / ".skilltune" / "labels.jsonl"
    if not path.exists():
        return []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["type"] == "label"]


def _path(machine, program: StandIn):
    return {"PATH": f"{program.path.parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture
def claude(machine):
    """A stand-in for claude on this machine's PATH."""
    return stand_in(machine.home)


def test_judge_without_send_only_says_what_it_would(shop, claude):
    """How many turns, how much text, to which program, an example, masked; no process, no file."""
    printed = shop.run("judge", "--agent", "claude", **_path(shop, claude)).stdout
    assert "Nothing was sent." in printed
    assert "6 turns of 6 uses in 1 prompt," in printed
    assert "of these 0 to score it, of uses that you labelled, and 6 of its random sample; no more is sent" in printed
    assert str(claude.path) in printed
    assert "THE_TURN:" in printed
    assert KEY not in printed
    assert "/home/ana" not in printed
    assert claude.calls == []
    assert not (shop.home / ".skilltune").exists()


def test_judge_plan_as_json(shop, claude):
    """The same for programs."""
    plan = json.loads(
        shop.run("judge", "--agent", "claude", "--json", "--max-turns", "4", **_path(shop, claude)).stdout
    )
    assert (plan["sent"], plan["judge"], plan["turns"], plan["over_budget"]) == (False, "claude", 4, 2)
    assert plan["program"][:2] == [str(claude.path), "-p"]
    assert plan["example"]["skill"] == "tidy-imports"
    assert claude.calls == []


@pytest.mark.parametrize("settings", ['agent = "claude"', 'agent = "claude"\nenabled = false'])
def test_judge_send_without_terminal_needs_the_config(shop, claude, settings):
    """``--send`` alone is no consent where nobody can be asked: nothing is started."""
    _config(shop, f"[judge]\n{settings}\n")
    assert "write enabled = true under [judge]" in shop.run("judge", "--send", code=1, **_path(shop, claude)).stderr
    assert claude.calls == []
    assert _labels(shop) == []


def test_judge_enabled_alone_sends_nothing(shop, claude):
    """The config alone is no consent either."""
    _config(shop, '[judge]\nagent = "claude"\nenabled = true\n')
    shop.run("judge", **_path(shop, claude))
    assert claude.calls == []


def test_judge_sends_and_keeps_labels_of_its_own(shop, claude):
    """With both, its answers are labels signed by it; what it was sent is masked, and no text is kept."""
    _config(shop, '[judge]\nagent = "claude"\nenabled = true\nbatch_size = 4\n')
    printed = shop.run("judge", "--send", **_path(shop, claude)).stdout
    assert "6 turns labelled" in printed
    assert "kept but not used" in printed
    labels = _labels(shop)
    assert sorted(label["outcome"] for label in labels) == ["acceptance"] * 2 + ["correction"] * 3 + ["none"]
    assert {label["reader"] for label in labels} == {"judge:claude"}
    sent = "".join(call["prompt"] for call in claude.calls)
    assert len(claude.calls) == 2
    assert "[secret]" in sent
    assert not any(word in sent for word in (KEY, "/home/ana", "/home/me", "s1-4", str(shop.home)))
    for path in (shop.home / ".skilltune").rglob("*"):
        if path.is_file() and path.name != "config.toml":
            assert b"wrong" not in path.read_bytes()


def test_judge_says_how_many_turns_are_there_to_score_it(shop, claude):
    """What a person labelled comes before the sample of one use: both are counted, sent as told, capped together."""
    code = (
        "from skilltune.labelling import open_labelling\n"
        "labelling = open_labelling(sample_size=4)\n"
        "for question in labelling.questions:\n"
        "    labelling.answer(question, outcome='none')\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=shop.cwd, env=shop.environment(), check=True)
    options = ("judge", "--agent", "claude", "--sample", "1", "--seed", "1", "--json")
    plan = json.loads(shop.run(*options, **_path(shop, claude)).stdout)
    assert plan["turns_for_scoring"] == 4
    assert plan["turns"] == 4 + plan["turns_of_sample"] <= 5
    capped = json.loads(shop.run(*options, "--max-turns", "3", **_path(shop, claude)).stdout)
    assert (capped["turns"], capped["turns_for_scoring"], capped["turns_of_sample"]) == (3, 3, 0)
    _config(shop, "[judge]\nenabled = true\n")
    sent = json.loads(shop.run(*options, "--max-turns", "3", "--send", **_path(shop, claude)).stdout)
    assert sent["sent"] == 3


def test_judge_twice_sends_nothing_again(shop, claude):
    """What it labelled is not sent a second time."""
    _config(shop, '[judge]\nagent = "claude"\nenabled = true\n')
    shop.run("judge", "--send", **_path(shop, claude))
    before = _labels(shop)
    printed = shop.run("judge", "--send", **_path(shop, claude)).stdout
    assert "0 sent" in printed
    assert len(claude.calls) == 1
    assert _labels(shop) == before


def test_judge_changes_no_figure_by_itself(shop, claude):
    """The rules' figures are the same before and after a judge answered."""
    _config(shop, '[judge]\nagent = "claude"\nenabled = true\n')
    shop.run("mine")
    before = shop.run("metrics", "--json", "--as-of", "2026-11-29").stdout
    shop.run("judge", "--send", **_path(shop, claude))
    assert shop.run("metrics", "--json", "--as-of", "2026-11-29").stdout == before


def test_judge_failure_is_told_and_counted(shop, machine):
    """A program that fails leaves no label; the reason is printed with the program's words."""
    program = stand_in(machine.home, behaviour="error")
    _config(shop, '[judge]\nagent = "claude"\nenabled = true\nbatch_size = 2\n')
    printed = shop.run("judge", "--send", **_path(shop, program)).stdout
    assert "4 the program reported an error (exit 1: Not logged in)" in printed
    assert "2 not sent after two failures in a row" in printed
    assert len(program.calls) == 2
    assert _labels(shop) == []


@pytest.mark.parametrize("private", ["snippets", "collection"])
def test_judge_private_mode_sends_nothing(shop, claude, private):
    """Without texts, or with collection off, it refuses with exit code 3 even where all is agreed."""
    if private == "snippets":
        _config(shop, '[judge]\nagent = "claude"\nenabled = true\n[privacy]\nsnippets = false\n')
    else:
        _config(shop, '[judge]\nagent = "claude"\nenabled = true\n')
        (shop.home / ".claude" / "feedback-config.json").write_text('{"enabled": false}')
    for options in ([], ["--send"]):
        shop.run("judge", *options, code=3, **_path(shop, claude))
    assert claude.calls == []


def test_judge_that_nobody_named(shop):
    """Off by default: without a judge it says how to name one."""
    assert "no judge is named" in shop.run("judge", code=2).stderr


def test_judge_with_a_command_of_ones_own(shop, machine):
    """Any program that prints JSON will do."""
    program = stand_in(machine.home, name="my-judge.py", behaviour="prose")
    _config(shop, f"[judge]\ncommand = ['{program.path}', '--json']\nenabled = true\n")
    shop.run("judge", "--send")
    assert {label["reader"] for label in _labels(shop)} == {"judge:my-judge"}
    assert program.calls[0]["argv"] == ["--json"]


def _at_terminal(machine, typed, *arguments, **environment):
    """Run skilltune with a terminal as standard input, and type."""
    ours, theirs = pty.openpty()
    os.write(ours, typed.encode())
    try:
        done = run_command(
            *arguments, cwd=machine.cwd, environment=machine.environment(**environment), stdin=os.ttyname(theirs)
        )
    finally:
        os.close(theirs)
        os.close(ours)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("typed", ["no\n", "\n", "y\n", "yess\n"])
def test_judge_at_a_terminal_takes_only_yes(shop, claude, typed):
    """Whatever else is typed, nothing is sent, even where the config is enabled."""
    _config(shop, '[judge]\nagent = "claude"\nenabled = true\n')
    code, _, errors = _at_terminal(shop, typed, "judge", "--send", **_path(shop, claude))
    assert (code, claude.calls) == (1, [])
    assert "6 turns of 6 uses" in errors
    assert "nothing was sent" in errors


def test_judge_at_a_terminal_sends_after_yes(shop, claude):
    """A typed yes is consent, and no config is needed for it."""
    code, out, errors = _at_terminal(shop, "yes\n", "judge", "--agent", "claude", "--send", **_path(shop, claude))
    assert code == 0, errors
    assert "6 turns labelled" in out
    assert len(claude.calls) == 1


def test_judge_interrupted_ends_the_program_too(shop, machine):
    """Ctrl-C ends the program and what it started; the exit code is that of an interrupt."""
    program = stand_in(machine.home, behaviour="hang")
    _config(shop, '[judge]\nagent = "claude"\nenabled = true\n')
    process = subprocess.Popen(
        [sys.executable, "-m", "skilltune", "judge", "--send"],
        cwd=machine.cwd,
        env=machine.environment(**_path(shop, program)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    end = time.monotonic() + 60
    while not program.beat.exists() and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    size = program.beat.stat().st_size
    time.sleep(0.4)
    assert program.beat.stat().st_size == size
    assert _labels(shop) == []


def test_judge_own_sessions_are_never_mined(machine, talk):
    """A session that such a run left behind is passed over by folder, or by how it begins, with ``--scripted``, too."""
    from skilltune.judging.prompt import build_prompt
    from tests.judging.standin import question

    prompt = build_prompt([question()]).text
    folder = str(machine.home / ".skilltune" / "judge")
    records = talk("own", "No, that is wrong.")
    by_folder = [record | {"cwd": folder, "entrypoint": "sdk-cli"} for record in records]
    by_mark = [record | {"entrypoint": "sdk-cli"} for record in talk("lost", "No, that is wrong.")]
    by_mark[0] = by_mark[0] | {"message": {"role": "user", "content": prompt}}
    machine.session("own", by_folder)
    machine.session("lost", by_mark)
    machine.session("mine", talk("mine", "No, that is wrong."))
    printed = machine.run("mine", "--scripted").stdout
    log = (machine.home / ".skilltune" / "feedback.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line)["session_id"] for line in log.splitlines()] == ["mine"]
    assert "of skilltune's own judge" in " ".join(printed.split())


def test_judge_is_scored_on_the_persons_labels_and_used_when_told(machine, talk, claude):
    """After 30 labels of the person's the score is printed; the rate only with ``--use``."""
    for number in range(36):
        text = ["No, that is wrong.", "thanks!", "Which of them is the wrong one?"][number % 3]
        machine.session(f"s{number}", talk(f"s{number}", text))
    _config(machine, '[judge]\nagent = "claude"\nenabled = true\nbatch_size = 50\n')
    code = (
        "from skilltune.labelling import open_labelling\n"
        "labelling = open_labelling(sample_size=32)\n"
        "for question in labelling.questions:\n"
        "    outcome = 'correction' if 'No,' in question.text else 'acceptance' if 'tha' in question.text else 'none'\n"
        "    labelling.answer(question, outcome=outcome)\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=machine.cwd, env=machine.environment(), check=True)
    printed = machine.run("judge", "--all", "--send", **_path(machine, claude)).stdout
    assert "On 32 turns you labelled it agrees in" in printed
    assert "it finds 100%" in printed
    told = " ".join(printed.split())
    assert "not used: say --judge claude with skilltune metrics --corrected; for the report, and metrics from" in told
    assert "write use = true under [judge] in config.toml" in told
    assert "Correction rate by the rules" not in printed
    printed = machine.run("judge", "--all", "--use", **_path(machine, claude)).stdout
    assert "There is nothing to send to claude" in printed
    assert "Correction rate by the rules" in printed
    found = json.loads(machine.run("judge", "--all", "--use", "--json", **_path(machine, claude)).stdout)
    assert found["score"]["n_labels"] == 32
    assert found["rate"]["low"] <= 0.5 <= found["rate"]["high"]
    assert len(claude.calls) == 1
