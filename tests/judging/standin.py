"""Programs that stand in for agents: real executables that print what claude, codex and opencode print.

They note what they were given, and answer as they are told to: ``good``, or one of the ways in which a model or a
program fails. No model is asked.
"""

import json
import stat
import sys
from dataclasses import dataclass, fields
from pathlib import Path

from skilltune.judging.agents import AGENTS
from skilltune.judging.command import CommandJudge, command_judge
from skilltune.labelling.questions import Question
from skilltune.stores.config import JudgeConfig

SCRIPT = """#!{python}
import json, os, subprocess, sys, time
NAME, BEHAVIOUR, NOTES = {name!r}, {behaviour!r}, {notes!r}
prompt = sys.stdin.buffer.read().decode("utf-8")
number = len(os.listdir(NOTES))
with open(os.path.join(NOTES, f"{{number:03}}.json"), "w", encoding="utf-8") as file:
    json.dump({{"argv": sys.argv[1:], "cwd": os.getcwd(), "prompt": prompt, "env": dict(os.environ)}}, file)

def turns():
    lines = prompt.split("\\n")
    marks = [n for n, line in enumerate(lines) if line.startswith("DATA ")]
    return [json.loads(line) for line in lines[marks[0] + 1 : marks[1]]]

def label(turn):
    said = turn["THE_TURN"].lower()
    if "wrong" in said or "错" in said:
        return {{"id": turn["id"], "outcome": "correction", "correction_type": "rejection", "about": "skill"}}
    if "thanks" in said:
        return {{"id": turn["id"], "outcome": "acceptance", "correction_type": None, "about": "skill"}}
    return {{"id": turn["id"], "outcome": "none", "correction_type": None, "about": "skill"}}

def answers(labels):
    return json.dumps({{"answers": labels}}, ensure_ascii=False)

def show(words):
    if NAME == "claude":
        print(json.dumps({{"type": "result", "subtype": "success", "is_error": False, "result": words}}))
    elif NAME == "codex":
        print(json.dumps({{"type": "thread.started", "thread_id": "x"}}))
        print(json.dumps({{"type": "item.completed", "item": {{"id": "i0", "type": "error", "message": "a warning"}}}}))
        print(json.dumps({{"type": "item.completed", "item": {{"id": "i1", "type": "reasoning", "text": "hm"}}}}))
        print(json.dumps({{"type": "item.completed", "item": {{"id": "i2", "type": "agent_message", "text": words}}}}))
        print(json.dumps({{"type": "turn.completed", "usage": {{}}}}))
    elif NAME == "opencode":
        print(json.dumps({{"type": "step_start", "part": {{"type": "step-start"}}}}))
        for start in range(0, len(words), 40):
            print(json.dumps({{"type": "text", "part": {{"type": "text", "text": words[start : start + 40]}}}}))
        print(json.dumps({{"type": "step_finish", "part": {{"type": "step-finish"}}}}))
    else:
        sys.stdout.buffer.write(words.encode("utf-8"))

good = [label(turn) for turn in turns()]
if BEHAVIOUR == "good":
    show(answers(good))
elif BEHAVIOUR == "prose":
    show("Here is what I think {{of it}}:\\n```json\\n" + answers(good) + "\\n```\\nTell me [if] you need more.")
elif BEHAVIOUR == "list":
    show(json.dumps(good))
elif BEHAVIOUR == "refusal":
    show("I'm sorry, but I can't help with labelling people.")
elif BEHAVIOUR == "half":
    show(answers(good[: len(good) // 2]))
elif BEHAVIOUR == "cut":
    show(answers(good)[:-30])
elif BEHAVIOUR == "twice":
    show(answers(good + [good[0] | {{"outcome": "acceptance", "correction_type": None}}]))
elif BEHAVIOUR == "alien":
    show(answers(good + [good[0] | {{"id": "t-00000000-1"}}]))
elif BEHAVIOUR == "vocabulary":
    odd = [good[0] | {{"outcome": "angry"}}, good[1] | {{"outcome": "none", "correction_type": "redo"}}]
    show(answers(odd + good[2:]))
elif BEHAVIOUR == "odd":
    show(answers([good[0] | {{"outcome": ["none"]}}, 7, None, {{"id": 3}}, *good[1:]]))
elif BEHAVIOUR == "echo":
    show("The turns were:\\n" + prompt[prompt.index("DATA ") :] + "\\nI was told to answer acceptance.")
elif BEHAVIOUR == "echo_and_good":
    show("The turns were:\\n" + prompt[prompt.index("DATA ") :] + "\\n" + answers(good))
elif BEHAVIOUR == "garbage":
    sys.stdout.buffer.write(b"\\xff\\xfe\\x00{{{{[[" * 50)
elif BEHAVIOUR == "silent":
    pass
elif BEHAVIOUR == "exit":
    print("your key " + "sk-" + "ant-api03-" + "Zq8vT1" * 8 + " was turned down", file=sys.stderr)
    sys.exit(1)
elif BEHAVIOUR == "good_and_exit":
    show(answers(good))
    sys.exit(3)
elif BEHAVIOUR == "error":
    errors = {{
        "claude": {{"type": "result", "subtype": "success", "is_error": True, "result": "Not logged in"}},
        "codex": {{"type": "turn.failed", "error": {{"message": "Not logged in"}}}},
        "opencode": {{"type": "error", "error": {{"name": "UnknownError", "data": {{"message": "Not logged in"}}}}}},
    }}
    print(json.dumps(errors[NAME]))
    sys.exit(1)
elif BEHAVIOUR == "huge":
    block = b"x" * (1 << 20)
    while True:
        sys.stdout.buffer.write(block)
elif BEHAVIOUR == "hang":
    beat = "import time\\nwhile True:\\n open({beat!r}, 'a').write('.')\\n time.sleep(0.05)"
    subprocess.Popen([sys.executable, "-c", beat])
    time.sleep(600)
elif BEHAVIOUR == "leaves_child":
    show(answers(good))
    sys.stdout.flush()
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
"""


@dataclass(frozen=True)
class StandIn:
    """A program in a folder of its own, and what it noted."""

    path: Path
    notes: Path
    beat: Path

    @property
    def calls(self) -> list[dict[str, object]]:
        """What each call was given: argv, cwd, prompt, env."""
        return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(self.notes.iterdir())]


def stand_in(folder: Path, *, name: str = "claude", behaviour: str = "good") -> StandIn:
    """Write a program called `name` into ``folder/bin``."""
    made = StandIn(folder / "bin" / name, folder / f"notes-{name}", folder / f"beat-{name}")
    made.path.parent.mkdir(parents=True, exist_ok=True)
    made.notes.mkdir(exist_ok=True)
    text = SCRIPT.format(
        python=sys.executable, name=name, behaviour=behaviour, notes=str(made.notes), beat=str(made.beat)
    )
    made.path.write_text(text, encoding="utf-8")
    made.path.chmod(made.path.stat().st_mode | stat.S_IXUSR)
    return made


def judge_of(program: StandIn, folder: Path, **settings: object) -> CommandJudge:
    """The judge that runs a stand-in, as an agent where it is called like one."""
    name = program.path.name
    if name not in AGENTS:
        return command_judge(JudgeConfig(command=(str(program.path), "--json"), **settings), workspace=folder)
    judge = command_judge(
        JudgeConfig(command=(str(program.path),), timeout_seconds=settings.pop("timeout_seconds", 60)), workspace=folder
    )
    agent = AGENTS[name]
    values = {field.name: getattr(judge, field.name) for field in fields(judge)}
    argv = (str(program.path), *agent.command(str(settings.get("model", "")))[1:])
    return CommandJudge(**values | {"name": name, "agent": agent, "argv": argv})


def question(number: int = 1, text: str = "that is wrong", **more: object) -> Question:
    """An invented turn."""
    given: dict[str, object] = {
        "event_id": f"e{number}",
        "turn_id": f"t{number}",
        "skill_id": "tidy-imports",
        "session_id": f"session-{number % 5}",
        "project": "/home/ana/shop",
        "agent": "claude-code",
        "timestamp": None,
        "number": 1,
        "of": 1,
        "channel": "message",
        "decision": "",
        "tool": "",
        "interrupted": False,
        "text": text,
        "previous_prompt": "Sort the imports of the shop.",
        "previous_agent": "The imports are sorted.",
        "did": "2 edits",
        "next_agent": "",
        "rule_outcome": "acceptance",
        "rule_type": None,
        "rule": "rule-of-thumb",
        "line": 7,
        "uuid": "uuid-of-the-record",
    }
    return Question(**given | more)
