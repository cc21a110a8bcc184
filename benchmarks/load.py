"""Loads that are larger than anybody's: seconds, the most memory of the process, and whether all of it was told.

    python benchmarks/load.py [--gigabytes 5] [--files 100000] [--processes 200]

Everything is made in a temporary folder, 6 GB at a time at most, and removed. A process of its own reads each case.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.bars import show_bar

PEAK_MEGABYTES = 64
READ = """
import json, sys
from pathlib import Path
from skilltune.scan import scan
found = scan([sys.argv[1]])
turns = sum(len(session.items) for facts in found.files() for session in facts.sessions)
peak = int(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0]) / 1024
print(json.dumps({'files': found.summary.files, 'records': sum(found.summary.records.values()), 'items': turns,
                  'too_long': found.summary.records.get('too_long', 0), 'MB': peak}))
"""
APPEND = """
import json, sys
from skilltune.stores.jsonl import AppendOnlyLog
log = AppendOnlyLog(sys.argv[1])
for number in range(20):
    log.append([json.dumps({'writer': int(sys.argv[2]), 'number': number, 'text': 'x' * 500}).encode()])
"""


def record(number, text="go on"):
    """A line of a person or of the agent."""
    kind = ("user", "assistant")[number % 2]
    message = (
        {"role": kind, "content": text}
        if kind == "user"
        else {
            "role": kind,
            "id": f"m{number}",
            "model": "invented-1",
            "content": [{"type": "text", "text": text}],
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
    )
    line = {"type": kind, "uuid": f"u{number}", "sessionId": "s1", "timestamp": "2026-11-20T10:00:00Z"}
    return json.dumps(line | {"message": message}).encode() + b"\n"


def one_large_file(folder, size):
    """One session of so many bytes; the number of its records."""
    block = b"".join(record(number, "word " * 800) for number in range(250))
    path, times = folder / "large.jsonl", size // len(block)
    with path.open("wb") as file:
        for _ in range(times):
            file.write(block)
    return times * 250


def many_small_files(folder, count):
    """So many sessions of two lines."""
    for number in range(count):
        place = folder / f"p{number // 1000:03}"
        if number % 1000 == 0:
            place.mkdir()
        (place / f"s{number}.jsonl").write_bytes(record(2 * number) + record(2 * number + 1))
    return 2 * count


def long_line(folder):
    """A line of 200 MB between two others."""
    with (folder / "long.jsonl").open("wb") as file:
        file.write(record(0))
        file.write(b'{"type":"user","message":{"role":"user","content":"')
        for _ in range(200):
            file.write(b"x" * 1_000_000)
        file.write(b'"}}\n' + record(2))
    return 3


def read(name, make, *arguments):
    """Make a case, read it, print what came of it."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        made = make(folder, *arguments)
        begun = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", READ, folder], capture_output=True, text=True, check=True)
        seconds = time.perf_counter() - begun
    told = json.loads(done.stdout)
    print(
        f"{name:24} {seconds:8.1f} s {told['MB']:7.0f} MB {told['files']:>9,} files {told['records']:>11,} records"
        f" of {made:,}, {told['items']:,} items, {told['too_long']} too long",
        flush=True,
    )
    show_bar(f"{name}: records that are not accounted for", abs(made - told["records"]), bar=0)
    show_bar(f"{name}: memory", told["MB"], bar=PEAK_MEGABYTES, unit="MB")


def append(processes):
    """So many processes that append to one log at the same time; every line is to be whole and there once."""
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "log.jsonl"
        begun = time.perf_counter()
        running = [
            subprocess.Popen([sys.executable, "-c", APPEND, path, str(number)], stderr=subprocess.DEVNULL)
            for number in range(processes)
        ]
        failed = sum(process.wait() != 0 for process in running)
        seconds = time.perf_counter() - begun
        rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    there = {(row["writer"], row["number"]) for row in rows}
    print(f"{processes} processes append{seconds:14.1f} s, {len(rows):,} lines, {failed} processes failed", flush=True)
    show_bar("lines that are lost or doubled", abs(20 * processes - len(there)) + len(rows) - len(there), bar=0)


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gigabytes", type=float, default=5)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--processes", type=int, default=200)
    options = parser.parse_args()
    append(options.processes)
    read("a line of 200 MB", long_line)
    read(f"{options.files:,} small files", many_small_files, options.files)
    read(f"a file of {options.gigabytes:g} GB", one_large_file, int(options.gigabytes * 1e9))


if __name__ == "__main__":
    main()
