"""What a hook costs an agent: CPU time and memory of a whole process for each event, beside one that does nothing.

    python benchmarks/hooks.py [--runs 15]

Each run calls every hook once in turn, by the installed program, in a home of its own with a transcript of 8 MB.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.bars import show_bar

PROGRAM = Path(sys.executable).with_name("skilltune")
CPU_MILLISECONDS, MEGABYTES = 100, 60


def transcript(path):
    """A session of 8 MB."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(2_000):
            content = "word " * 800 if number % 2 else [{"type": "text", "text": "word " * 800}]
            kind = "user" if number % 2 else "assistant"
            record = {
                "type": kind,
                "uuid": f"u{number}",
                "message": {"role": kind, "id": f"m{number}", "content": content},
            }
            file.write(json.dumps(record) + "\n")
    return path


def payloads(folder):
    """Name of a hook → what an agent gives it."""
    common = {"session_id": "s1", "cwd": str(folder), "transcript_path": str(transcript(folder / "s1.jsonl"))}
    use = {"tool_name": "Skill", "tool_input": {"skill": "tea"}, "hook_event_name": "PostToolUse"}
    call = {"tool_name": "Bash", "tool_input": {"command": "cd app && npm test"}, "hook_event_name": "PostToolUse"}
    return {
        "prompt": common | {"prompt": "make the tea", "hook_event_name": "UserPromptSubmit"},
        "skill-use": common | use,
        "observe": common | call,
        "session-end": common | {"hook_event_name": "SessionEnd"},
    }


def cost(command, content, environment):
    """(milliseconds of CPU, MB) of one process."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)
    process.stdin.write(content)
    process.stdin.close()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return 1000 * (used.ru_utime + used.ru_stime), used.ru_maxrss / 1024


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        environment = {"HOME": temporary, "PATH": os.environ["PATH"]}
        jobs = {"a process that does nothing": ([sys.executable, "-c", "pass"], b"")}
        for name, payload in payloads(Path(temporary)).items():
            jobs[f"hook {name}"] = ([PROGRAM, "hook", name], json.dumps(payload).encode())
        taken = {name: [] for name in jobs}
        for _ in range(options.runs):
            for name, (command, content) in jobs.items():
                taken[name].append(cost(command, content, environment))
    nothing = statistics.median(cpu for cpu, _ in taken["a process that does nothing"])
    for name, runs in taken.items():
        cpu, memory = (statistics.median(column) for column in zip(*runs, strict=True))
        print(f"{name:28} {cpu:6.0f} ms of CPU {cpu / nothing:5.1f} x nothing {memory:6.1f} MB", flush=True)
        if name.startswith("hook"):
            show_bar(f"{name}: CPU", cpu, bar=CPU_MILLISECONDS, unit="ms")
            show_bar(f"{name}: memory", memory, bar=MEGABYTES, unit="MB")


if __name__ == "__main__":
    main()
