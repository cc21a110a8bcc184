"""All figures that have a bar, measured anew, with a table at the end.

    python benchmarks/everything.py GENERATOR [--folder FOLDER] [--tools FOLDERS]

GENERATOR writes corpora of sessions, see ``sizes.py``; they are made in FOLDER, where they stay, or in a temporary one:
6 GB. A quarter of an hour or more; nothing else should run beside it. Exit code 1 where a bar is missed or a benchmark
fails.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.bars import MARKS

HERE = Path(__file__).parent


def commands(generator, folder, tools):
    """Each benchmark with its arguments, in order; the first makes the corpora of the others."""
    corpus = folder / "1GB"
    yield ["sizes.py", generator, "--folder", folder, "--tools", tools]
    yield ["reader.py", corpus]
    yield ["scanning.py", corpus]
    yield ["rules_again.py", corpus]
    yield ["fuzz_reader.py"]
    yield ["metrics.py", "1000000"]
    yield ["metrics.py", "10000000"]
    yield ["contradictions.py"]
    yield ["hooks.py"]
    yield ["load.py"]
    yield ["cluster.py", corpus]
    yield ["report.py"]


def run(command):
    """(the lines with a bar, the exit code) of a benchmark, whose output is shown as it comes."""
    name, *arguments = [str(word) for word in command]
    print(f"\n== {name} {' '.join(arguments)}", flush=True)
    environment = os.environ | {"PYTHONPATH": str(HERE.parent), "PYTHONUNBUFFERED": "1"}
    lines = []
    with subprocess.Popen(
        [sys.executable, HERE / name, *arguments], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            if line.rstrip().endswith(MARKS):
                lines.append(line.rstrip())
    return lines, process.returncode


def main():
    """Run all, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("generator", type=Path)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--tools", default=os.environ["PATH"])
    options = parser.parse_args()
    table, failed = [], []
    with tempfile.TemporaryDirectory() as temporary:
        for command in commands(options.generator, options.folder or Path(temporary), options.tools):
            lines, code = run(command)
            table += [f"{command[0]:18} {line}" for line in lines]
            if code:
                failed.append(f"{command[0]}: exit code {code}")
    print("\n== all figures with a bar", *table, *failed, sep="\n")
    missed = sum(line.endswith(MARKS[1]) for line in table)
    print(f"{len(table) - missed} met, {missed} missed, {len(failed)} failed")
    return 1 if missed or failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
