"""How fast sessions are read, beside ``json.loads`` and a plain analyzer, and how much memory that takes.

    python benchmarks/reader.py CORPUS [--runs 5]

CORPUS is a folder of transcripts, for example one that a corpus generator made. Times are CPU time of one process,
every run does each job once in turn, and the ratios are medians over the runs; warm the disk cache by a first look.
"""

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.bars import show_bar
from benchmarks.plain_analyzer import TOKENS, analyze, token_totals
from skilltune.scan import scan
from skilltune.sources import SOURCES

BAR = {"json.loads": 2.5, "plain analyzer": 3.5}
PEAK_MEGABYTES = 64


def read_bytes(paths):
    """Read every byte."""
    buffer = bytearray(1 << 20)
    for path in paths:
        with path.open("rb", buffering=0) as file:
            while file.readinto(buffer):
                pass


def load_lines(paths):
    """``json.loads`` on every line."""
    for path in paths:
        with path.open("rb", buffering=1 << 20) as file:
            for line in file:
                try:  # noqa: SIM105 (the yardstick shall not pay for a context manager)
                    json.loads(line)
                except ValueError:
                    pass


def read_facts(paths):
    """The facts of every file."""
    source = SOURCES["claude-code"]
    for path in paths:
        source.read_facts(path)


def fact_totals(folder):
    """(tokens of sessions, tokens of their sub-agents) of all facts."""
    sessions, subagents = Counter(), Counter()
    for facts in scan([folder]).files():
        for session in facts.sessions:
            for work in (session.lead, *(item.work for item in session.items)):
                sessions.update(by_kind(work.tokens))
                subagents.update(by_kind(work.aside))
        for agent in facts.subagents:
            subagents.update(by_kind(agent.tokens))
    return dict(+sessions), dict(+subagents)


def by_kind(tokens):
    """The four kinds under the names that transcripts have for them."""
    return dict(zip(TOKENS, (tokens.input, tokens.output, tokens.cache_read, tokens.cache_creation), strict=True))


def measure(jobs, paths, runs):
    """Job → CPU seconds of each run, the jobs interleaved."""
    seconds = {name: [] for name in jobs}
    for _ in range(runs):
        for name, job in jobs.items():
            start = time.process_time()
            job(paths)
            seconds[name].append(time.process_time() - start)
    return seconds


def peak_megabytes(folder):
    """Peak resident memory of a fresh process that scans a folder and goes through its facts."""
    done = subprocess.run(
        [sys.executable, __file__, str(folder), "--memory"], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def own_peak_megabytes():
    """Peak resident memory of this process; ``getrusage`` would hand on the parent's peak."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def report(folder, runs):
    """Print the table."""
    paths = sorted(Path(folder).rglob("*.jsonl"))
    size = sum(path.stat().st_size for path in paths)
    read_bytes(paths)
    jobs = {
        "read the bytes": read_bytes,
        "facts reader": read_facts,
        "json.loads": load_lines,
        "plain analyzer": analyze,
    }
    seconds = measure(jobs, paths, runs)
    print(f"{len(paths)} files, {size / 1e6:.0f} MB, medians of {runs} runs, CPU time of one process")
    ratios = {}
    for name, times in seconds.items():
        median = statistics.median(times)
        ratio = statistics.median(other / own for other, own in zip(times, seconds["facts reader"], strict=True))
        print(f"{name:16} {median:7.2f} s {size / 1e6 / median:7.0f} MB/s   facts reader is {ratio:5.2f} x as fast")
        ratios[name] = ratio
    for name, bar in BAR.items():
        show_bar(f"facts reader against {name}", ratios[name], bar=bar, unit="x as fast", least=True)
    same = fact_totals(folder) == token_totals(paths)
    print(f"token totals equal to json.loads, with and without sub-agents: {same}")
    show_bar("peak memory of a process", peak_megabytes(folder), bar=PEAK_MEGABYTES, unit="MB")


def main():
    """Parse the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--memory", action="store_true", help="only scan, print the peak memory in MB")
    options = parser.parse_args()
    if options.memory:
        for _ in scan([options.corpus]).files():
            pass
        print(own_peak_megabytes())
        return
    report(options.corpus, options.runs)


if __name__ == "__main__":
    main()
