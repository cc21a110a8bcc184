"""What it costs to tell whose each of many small files is, beside reading them.

    python benchmarks/many_files.py [--files 20000]

The files are invented sessions of Claude Code with three records each, in a temporary folder, once as its home (where a
file is read by its own reader first) and once as any folder (where the content is looked at first). CPU time of one
process.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from skilltune.scan import scan
from skilltune.sources import SOURCES

PER_FOLDER = 200


def main() -> None:
    """Write the files, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=20_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        write_sessions(home / "projects", count=given.files)
        os.environ["CLAUDE_CONFIG_DIR"] = str(home)
        at_home = seconds(lambda: scan([home / "projects"]))
        os.environ["CLAUDE_CONFIG_DIR"] = str(home / "elsewhere")
        anywhere = seconds(lambda: scan([home / "projects"]))
        paths = list(SOURCES["claude-code"].find_files(home / "projects"))
        reading = seconds(lambda: [SOURCES["claude-code"].read_facts(path) for path in paths])
        for name, took in {"reading alone": reading, "scan, home": at_home, "scan, any folder": anywhere}.items():
            print(f"{name:<18}{took:6.2f} s {took / given.files * 1e6:7.1f} µs a file {took / reading:6.2f} x")


def write_sessions(folder: Path, *, count: int) -> None:
    """So many sessions of three records."""
    for number in range(count):
        path = folder / f"p{number // PER_FOLDER}" / f"s{number}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        said = (("user", "make it"), ("assistant", [{"type": "text", "text": "done"}]), ("user", "thanks"))
        path.write_text("".join(json.dumps(record(number, at, *words)) + "\n" for at, words in enumerate(said)))


def record(number: int, at: int, role: str, content: object) -> dict[str, object]:
    """One record of a session."""
    return {
        "parentUuid": None,
        "isSidechain": False,
        "cwd": "/home/dev/shop",
        "sessionId": f"s{number}",
        "version": "2.1.96",
        "type": role,
        "uuid": f"{number:08x}-{at:04x}-4000-8000-000000000000",
        "timestamp": f"2026-01-05T10:00:0{at}Z",
        "message": {"role": role, "content": content},
    }


def seconds(act: Callable[[], object]) -> float:
    """CPU time of this process for an act."""
    start = time.process_time()
    act()
    return time.process_time() - start


if __name__ == "__main__":
    main()
