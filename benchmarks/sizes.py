"""Folders of growing size: time and memory of reading them, and of what else a user would take.

    python benchmarks/sizes.py GENERATOR [--sizes 250MB 500MB 1GB 4GB] [--runs 5] [--tools FOLDER]

GENERATOR is a program that writes a corpus of sessions: ``GENERATOR --out FOLDER --bytes SIZE --files NUMBER``, one
file for each MB. Every run reads each folder once in turn; times are CPU time of one process, figures are medians.
Where ``ccusage`` and ``claude-code-log`` are on the path (or in TOOLS), they are run on the folder of 1 GB as whole
processes, offline, in a home that holds only it.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.bars import show_bar
from benchmarks.reader import load_lines, peak_megabytes, read_bytes, read_facts

MEGABYTES = {"MB": 1, "GB": 1000}
LEVEL_PERCENT, GROWTH_MEGABYTES, PEAK_MEGABYTES = 10, 10, 64
MINE = "from skilltune.scan import scan; import sys; list(scan([sys.argv[1]]).files())"


def megabytes(size):
    """``4GB`` → 4000."""
    return int(size[:-2]) * MEGABYTES[size[-2:]]


def make_corpora(generator, sizes, folder):
    """Size → a folder of sessions."""
    for size in sizes:
        target = folder / size
        if not target.exists():
            command = [sys.executable, generator, "--out", target, "--bytes", size, "--jobs", str(os.cpu_count())]
            subprocess.run([*command, "--files", str(megabytes(size))], check=True, capture_output=True)
    return {size: folder / size for size in sizes}


def seconds_per_gigabyte(corpora, runs):
    """Size → (CPU seconds a GB of the facts reader, of ``json.loads``), medians of interleaved runs."""
    files = {size: sorted(folder.rglob("*.jsonl")) for size, folder in corpora.items()}
    bytes_of = {size: sum(path.stat().st_size for path in paths) for size, paths in files.items()}
    times = {size: ([], []) for size in corpora}
    for _ in range(runs):
        for size, paths in files.items():
            read_bytes(paths)
            for kept, job in zip(times[size], (read_facts, load_lines), strict=True):
                start = time.process_time()
                job(paths)
                kept.append((time.process_time() - start) / bytes_of[size] * 1e9)
    return {size: tuple(statistics.median(each) for each in pair) for size, pair in times.items()}


def commands(projects, output, tools):
    """Name → the command of each tool that is there; ours first."""
    found = {"skilltune": [sys.executable, "-c", MINE, projects]}
    if usage := shutil.which("ccusage", path=tools):
        found["ccusage (all processors)"] = [usage, "daily", "--offline", "--json"]
        found["ccusage, kept to one processor"] = ["taskset", "-c", "0", usage, "daily", "--offline", "--json"]
    if log := shutil.which("claude-code-log", path=tools):
        found["claude-code-log"] = [log, projects, "--all-projects", "--no-cache", "--combined", "only", "-o", output]
    return found


def timed(command, *, environment):
    """(seconds by the clock, CPU seconds) of a process and its children."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - begun, busy


def compare_tools(corpus, tools, runs):
    """Print what each tool takes for the same folder, in a home that holds nothing else."""
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    taken = {}
    with tempfile.TemporaryDirectory() as temporary:
        shutil.copytree(corpus / ".claude", Path(temporary, ".claude"), copy_function=os.link)
        for name, command in commands(Path(temporary, ".claude", "projects"), Path(temporary, "out"), tools).items():
            environment["HOME"] = temporary
            count = 1 if name == "claude-code-log" else runs
            taken[name] = [timed(command, environment=environment) for _ in range(count)]
    print(f"\n{'whole processes on the same folder':34} {'by the clock':>12} {'CPU':>8} {'skilltune is':>13}")
    ours = statistics.median(cpu for _, cpu in taken["skilltune"])
    for name, runs_of in taken.items():
        wall, cpu = (statistics.median(column) for column in zip(*runs_of, strict=True))
        print(f"{name:34} {wall:10.2f} s {cpu:6.2f} s {cpu / ours:8.2f} x as fast (CPU)")


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("generator", type=Path)
    parser.add_argument("--sizes", nargs="+", default=["250MB", "500MB", "1GB", "4GB"])
    parser.add_argument("--folder", type=Path, help="where the corpora are made, and left; else a temporary folder")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--tools", default=os.environ["PATH"], help="folders of other tools, joined by a colon")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        corpora = make_corpora(options.generator, options.sizes, options.folder or Path(temporary))
        taken = seconds_per_gigabyte(corpora, options.runs)
        peaks = {size: peak_megabytes(folder) for size, folder in corpora.items()}
        print(f"{'size':>8} {'facts reader, s/GB':>19} {'json.loads, s/GB':>17} {'ratio':>6} {'peak memory, MB':>16}")
        for size, (own, other) in taken.items():
            print(f"{size:>8} {own:19.3f} {other:17.3f} {other / own:6.2f} {peaks[size]:16.0f}")
        per_size = [own for own, _ in taken.values()]
        spread = 100 * (max(per_size) / min(per_size) - 1)
        show_bar("most by least seconds a GB, of all sizes", spread, bar=LEVEL_PERCENT, unit="% apart")
        show_bar("peak memory of a process", max(peaks.values()), bar=PEAK_MEGABYTES, unit="MB")
        middle = min(corpora, key=lambda size: abs(megabytes(size) - 1000))
        growth = peaks[middle] - peaks[options.sizes[0]]
        show_bar(f"growth of it from {options.sizes[0]} to {middle}", growth, bar=GROWTH_MEGABYTES, unit="MB")
        compare_tools(corpora[middle], options.tools, options.runs)


if __name__ == "__main__":
    main()
