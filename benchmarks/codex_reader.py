"""How fast sessions of Codex are read, beside those of Claude Code that hold the same conversations.

    python benchmarks/codex_reader.py [--megabytes 100] [--runs 5]

Both corpora are invented and written to a temporary folder: the same prompts, commands, outputs and answers, in the
records that each agent writes around them. Times are CPU time of one process, every run reads each corpus once in turn,
and the ratio is the median over the runs.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from skilltune.sources import SOURCES

BAR = 2.0
SESSIONS_PER_FILE_TURNS = 12
WORDS = (
    "build",
    "test",
    "import",
    "module",
    "report",
    "table",
    "column",
    "parser",
    "window",
    "session",
    "reader",
    "cache",
)
FILES = [f"src/{name}/{other}.py" for name in WORDS[:6] for other in WORDS[6:]]


class Codex:
    """Lines as Codex writes them today."""

    agent = "codex"

    def __init__(self, path, name):
        self.path, self.lines, self.clock, self.total = path / f"rollout-2026-01-05T10-00-00-{name}.jsonl", [], 0, 0
        self.add(
            "session_meta", id=name, cwd="/home/dev/shop", originator="codex-tui", cli_version="0.142.4", source="cli"
        )
        listed = "".join(f"- skill-{number}: {text(40)}\n" for number in range(30))
        self.message(
            "developer", "input_text", f"<skills_instructions>\n### Available skills\n{listed}</skills_instructions>"
        )

    def add(self, kind, **payload):
        self.clock += 1
        stamp = f"2026-01-05T{self.clock // 3600 % 24:02d}:{self.clock // 60 % 60:02d}:{self.clock % 60:02d}.000Z"
        self.lines.append(json.dumps({"timestamp": stamp, "type": kind, "payload": payload}))

    def message(self, role, part, words):
        self.add("response_item", type="message", role=role, content=[{"type": part, "text": words}])

    def prompt(self, words):
        turn = str(uuid.UUID(int=random.getrandbits(128)))
        self.add("event_msg", type="task_started", turn_id=turn, model_context_window=258400)
        self.add("turn_context", turn_id=turn, cwd="/home/dev/shop", model="gpt-5.5", effort="high", summary=text(60))
        self.message("user", "input_text", words)
        self.add("event_msg", type="user_message", message=words, images=[], local_images=[], text_elements=[])

    def step(self, said, command, output, number):
        call = f"call_{number}"
        self.add("response_item", type="reasoning", id=f"rs_{number}", summary=[], encrypted_content="x" * 600)
        self.add("event_msg", type="agent_message", message=said, phase="commentary")
        self.message("assistant", "output_text", said)
        arguments = json.dumps({"cmd": command, "workdir": "/home/dev/shop", "yield_time_ms": 10000})
        self.add("response_item", type="function_call", name="exec_command", arguments=arguments, call_id=call)
        head = "Chunk ID: 0a1b2c\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n"
        self.add("response_item", type="function_call_output", call_id=call, output=head + output)
        self.total += 1000
        usage = {"input_tokens": self.total, "cached_input_tokens": self.total // 2, "output_tokens": self.total // 20}
        self.add("event_msg", type="token_count", info={"total_token_usage": usage, "last_token_usage": usage})


class ClaudeCode:
    """Lines as Claude Code writes them."""

    agent = "claude-code"

    def __init__(self, path, name):
        self.path, self.name, self.lines, self.clock = path / f"{name}.jsonl", name, [], 0

    def add(self, kind, content, **message):
        self.clock += 1
        role = {"role": kind, "content": content, **message}
        stamp = f"2026-01-05T{self.clock // 3600 % 24:02d}:{self.clock // 60 % 60:02d}:{self.clock % 60:02d}.000Z"
        about = {"isSidechain": False, "cwd": "/home/dev/shop", "sessionId": self.name, "version": "2.1.96"}
        record = {"parentUuid": f"{self.name}-{self.clock - 1}", **about, "type": kind, "message": role}
        self.lines.append(json.dumps({**record, "uuid": f"{self.name}-{self.clock}", "timestamp": stamp}))

    def prompt(self, words):
        self.add("user", words)

    def step(self, said, command, output, number):
        about = {"model": "m1", "id": f"msg_{number}", "usage": {"input_tokens": 900, "output_tokens": 90}}
        self.add("assistant", [{"type": "thinking", "thinking": "", "signature": "x" * 600}], **about)
        self.add("assistant", [{"type": "text", "text": said}], **about)
        call = {"type": "tool_use", "id": f"toolu_{number}", "name": "Bash", "input": {"command": command}}
        self.add("assistant", [call], **about)
        self.add("user", [{"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": output}])


def text(length):
    """Invented words, about `length` characters."""
    return " ".join(random.choices(WORDS, k=max(length // 7, 1)))


def converse(log, seed):
    """One invented conversation."""
    random.seed(seed)
    for turn in range(SESSIONS_PER_FILE_TURNS):
        log.prompt(text(random.randint(20, 400)))
        for step in range(random.randint(3, 15)):
            path = random.choice(FILES)
            command = random.choice(
                [f"sed -n '1,200p' {path}", f"rg -n {text(12)!r} src", "git status --short", "make test"]
            )
            output = "\n".join(text(80) for _ in range(int(random.expovariate(1 / 40)) + 1))
            log.step(text(random.randint(40, 500)), command, output, f"{seed}_{turn}_{step}")
    log.path.write_text("\n".join(log.lines) + "\n", encoding="utf-8")
    return log.path


def write_corpus(kind, folder, megabytes):
    """Files of one agent, `megabytes` or a little more."""
    folder.mkdir()
    paths, size = [], 0
    while size < megabytes * 1e6:
        name = str(uuid.UUID(int=len(paths) + 1))
        paths.append(converse(kind(folder, name), len(paths)))
        size += paths[-1].stat().st_size
    return paths


def read_all(agent, paths):
    """CPU seconds to read the facts of all files."""
    start = time.process_time()
    for path in paths:
        SOURCES[agent].read_facts(path)
    return time.process_time() - start


def report(megabytes, runs):
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        corpora = {kind.agent: write_corpus(kind, Path(folder) / kind.agent, megabytes) for kind in (ClaudeCode, Codex)}
        sizes = {agent: sum(path.stat().st_size for path in paths) for agent, paths in corpora.items()}
        lines = {agent: sum(path.read_bytes().count(b"\n") for path in paths) for agent, paths in corpora.items()}
        seconds = {agent: [] for agent in corpora}
        for run in range(runs + 1):
            for agent, paths in corpora.items():
                took = read_all(agent, paths)
                if run:
                    seconds[agent].append(took)
    rates = {agent: [sizes[agent] / 1e6 / took for took in seconds[agent]] for agent in corpora}
    for agent, found in rates.items():
        size, length = sizes[agent] / 1e6, sizes[agent] / lines[agent]
        print(f"{agent:12}{size:6.0f} MB, lines of {length:.0f} bytes: {statistics.median(found):.0f} MB/s")
    ratio = statistics.median(one / other for one, other in zip(rates["claude-code"], rates["codex"], strict=True))
    print(f"Claude Code's are read {ratio:.2f} times as fast as Codex's, by the MB (bar: at most {BAR})")
    return ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    sys.exit(report(given.megabytes, given.runs) > BAR)


if __name__ == "__main__":
    main()
