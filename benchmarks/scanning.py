"""How a whole folder is scanned by one and by two processes, and again when nothing or little changed.

    python benchmarks/scanning.py CORPUS [--runs 5]

Every run does each job once in turn; figures are medians. Ten files grow by a line, in a copy of the folder.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.bars import show_bar
from skilltune.scan import scan
from skilltune.scan.finding import find_tasks
from skilltune.stores import scan_cache

LINE = b'{"type":"user","uuid":"%d","sessionId":"x","message":{"role":"user","content":"go on"}}\n'
SCAN = """import sys
from pathlib import Path
from skilltune.scan import scan
scan([sys.argv[1]], cache=Path(sys.argv[2]))
"""


def timed(job):
    """(seconds by the clock, CPU seconds of this process and its children) of a job."""
    begun, before = time.perf_counter(), cpu_seconds()
    job()
    return time.perf_counter() - begun, cpu_seconds() - before


def cpu_seconds():
    """CPU seconds of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def copied(corpus, folder):
    """A copy of the corpus whose files are old enough to be remembered."""
    subprocess.run(["cp", "-r", "--preserve=timestamps", f"{corpus}/.", folder], check=True)
    time.sleep(2.1)


def grow(folder, number):
    """Ten files, a line longer."""
    for path in sorted(folder.rglob("*.jsonl"))[:10]:
        with path.open("ab") as file:
            file.write(LINE % number)


def told(found):
    """Everything that a scan tells."""
    return found.summary, list(found.files())


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder, cache = Path(temporary) / "corpus", Path(temporary) / "cache" / "scans.sqlite"
        folder.mkdir()
        copied(options.corpus, folder)
        alone = told(scan([folder]))
        same = told(scan([folder], workers=2)) == alone == told(scan([folder], cache=cache))
        jobs = {
            "one process": lambda: scan([folder]),
            "two processes": lambda: scan([folder], workers=2),
            "again, nothing changed": lambda: scan([folder], cache=cache),
            "finding the files alone": lambda: find_tasks([folder], []),
            "again in a new process": lambda: subprocess.run([sys.executable, "-c", SCAN, folder, cache], check=True),
        }
        times = {name: [] for name in jobs}
        for _ in range(options.runs):
            for name, job in jobs.items():
                times[name].append(timed(job))
        grown = []
        scan_cache._YOUNG_NS = -(2**62)  # noqa: SLF001 (what grew is to be remembered at once)
        for number in range(options.runs):
            grow(folder, number)
            grown.append(timed(jobs["again, nothing changed"]))
        times["again, ten files grew"] = grown
        same = same and told(scan([folder], cache=cache)) == told(scan([folder]))
        show(times, files=alone[0].files, size=alone[0].bytes, same=same)


def show(times, *, files, size, same):
    """The table at the end."""
    wall = {name: statistics.median(seconds for seconds, _ in runs) for name, runs in times.items()}
    cpu = {name: statistics.median(seconds for _, seconds in runs) for name, runs in times.items()}
    print(f"{files:,} files, {size / 1e6:,.0f} MB, medians of {len(next(iter(times.values())))} runs")
    for name in times:
        print(f"{name:26} {wall[name]:7.3f} s by the clock {cpu[name]:7.3f} s of CPU")
    one, two = "one process", "two processes"
    show_bar("two processes, their CPU is not in the table", wall[two] / wall[one], bar=0.7, unit="of one's")
    again = cpu["again, nothing changed"]
    show_bar("nothing changed", again / files * 1000, bar=0.02, unit="ms a file")
    show_bar("the same, a new process", cpu["again in a new process"], bar=0.15, unit="s of CPU")
    show_bar("ten files grew", cpu["again, ten files grew"], bar=0.03, unit="s of CPU")
    print(f"nothing changed: {again / cpu[one]:.1%} of reading all; all tell the same: {same}")


if __name__ == "__main__":
    main()
