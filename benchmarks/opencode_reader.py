"""How fast OpenCode's storage trees are read, beside a loop that only opens and decodes the same files.

    python benchmarks/opencode_reader.py [--messages 4000] [--runs 5]

An invented tree is made in a temporary folder. Times are CPU time of one process, every run does each job once in
turn, and the ratio is the median over the runs; the disk cache is warm. The bar is a ratio of 2.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))

from skilltune.sources.opencode import SOURCE
from tests.sources.opencode.building import Talk, skill, tokens, tool, write_database, write_tree

BAR = 2.0
OUTPUT = "a line of output of some tool, as long as lines are\n" * 40


def invent(messages):
    """Sessions of twenty prompts, each with an answer of two steps and four calls."""
    talks = []
    for number in range(max(messages // 40, 1)):
        talk = Talk(f"ses_{number:06d}", start=1767607200000 + number * 1_000_000)
        for turn in range(20):
            calls = [tool("bash", f"b{turn}", command="ls -la src", output=OUTPUT, metadata={"exit": 0})]
            calls += [tool("read", f"r{turn}", filePath="/home/dev/shop/cart.py", output=OUTPUT * 4)]
            calls += [
                tool("edit", f"e{turn}", filePath="/home/dev/shop/cart.py", oldString="a" * 200, newString="b" * 200)
            ]
            calls += [skill("tidy", call_id=f"s{turn}")] if turn % 7 == 0 else []
            talk.user(f"Please go on with step {turn}, and keep the tests green.")
            talk.agent({"type": "step-start"}, *calls, "I changed the cart.", tokens=tokens(1200, 300, read=9000))
        talks.append(talk)
    return talks


def files_in(folder):
    """The paths of all files, as fast as they can be had."""
    return (f"{above}/{name}" for above, _, names in os.walk(folder) for name in names)


def decode_files(folder):
    """Open and decode every file of the tree."""
    decode = msgspec.json.decode
    for path in files_in(folder):
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 (the yardstick shall not pay for a Path)
            decode(file.read())


def load_files(folder):
    """The same with the standard library's decoder."""
    for path in files_in(folder):
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123
            json.loads(file.read())


def read_facts(folder):
    """The facts of every session."""
    for path in SOURCE.find_files(folder):
        SOURCE.read_facts(path)


def measure(jobs, folders, runs):
    """Job → seconds of each run, the jobs interleaved."""
    seconds = {name: [] for name in jobs}
    for run in range(runs + 1):
        for name, job in jobs.items():
            start = time.process_time()
            job(folders[name])
            if run:
                seconds[name].append(time.process_time() - start)
    return seconds


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=4000)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    jobs = {"open and decode": decode_files, "json.loads": load_files, "tree": read_facts, "database": read_facts}
    with tempfile.TemporaryDirectory() as name:
        tree, database = Path(name, "tree"), Path(name, "database")
        talks = invent(options.messages)
        write_tree(tree / "storage", *talks)
        write_database(database / "opencode.db", *talks)
        files = sum(1 for _ in files_in(tree))
        seconds = measure(jobs, dict(zip(jobs, (tree, tree, tree, database), strict=True)), options.runs)
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    print(f"{files:,} files, {options.runs} runs")
    for name, taken in medians.items():
        print(f"{name:16} {taken * 1000:8.0f} ms {taken / medians['open and decode']:6.2f} ×")
    ratio = medians["tree"] / medians["open and decode"]
    print(f"tree / open and decode: {ratio:.2f} (bar {BAR:g}) {'ok' if ratio <= BAR else 'MISSED'}")


if __name__ == "__main__":
    main()
