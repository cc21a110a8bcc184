"""A folder of sessions scanned by one process, by two, and by two workers of a Dask cluster on this machine.

    python benchmarks/cluster.py CORPUS [--runs 5]

Every run does each job once in turn; figures are medians by the clock. Connecting counts and is told, too; starting the
cluster does not.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from distributed import Client

from skilltune.scan import scan
from skilltune.scan.cluster import connected_cluster


def main():
    """Print the medians, their ratio, and whether both tell the same."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    scan([options.corpus])
    with tempfile.TemporaryDirectory() as folder:
        processes = []
        try:
            address = started(Path(folder), processes)
            jobs = {
                "one process": lambda: scan([options.corpus]),
                "two processes": lambda: scan([options.corpus], workers=2),
                "two workers": lambda: scanned_there(options.corpus, address),
                "connecting": lambda: scanned_there(folder, address),
            }
            times, found = {name: [] for name in jobs}, {}
            for _ in range(options.runs):
                for name, job in jobs.items():
                    found[name], taken = timed(job)
                    times[name].append(taken)
            alone, there = found["one process"], found["two workers"]
            same = alone.summary == there.summary and list(alone.files()) == list(there.files())
        finally:
            for process in processes:
                process.kill()
                process.wait()
    wall = {name: statistics.median(taken) for name, taken in times.items()}
    for name, seconds in wall.items():
        print(f"{name:16} {seconds:6.2f} s {seconds / wall['one process']:6.2f} of one's time")
    print(f"tell the same: {same}")


def started(folder, processes):
    """The address of a scheduler that two workers have joined; all of them go into `processes`."""
    told = folder / "scheduler.json"
    processes.append(dask(folder, "scheduler", "--port", "0", "--scheduler-file", str(told)))
    while not told.exists() or not told.read_text().strip().endswith("}"):
        time.sleep(0.05)
    address = told.read_text().split('"address": "')[1].split('"')[0]
    processes += [dask(folder, "worker", address, "--nthreads", "1", "--no-nanny") for _ in range(2)]
    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    return address


def dask(folder, kind, *arguments):
    """A process of ``dask scheduler`` or ``dask worker``."""
    command = [sys.executable, "-m", "dask", kind, "--host", "127.0.0.1", "--no-dashboard", *arguments]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def scanned_there(corpus, address):
    """What the workers tell."""
    with connected_cluster(address) as executor:
        return scan([corpus], executor=executor)


def timed(job):
    """(what a job gives, seconds by the clock)."""
    begun = time.perf_counter()
    found = job()
    return found, time.perf_counter() - begun


if __name__ == "__main__":
    main()
