"""The facts reader against the slow one on many hostile files, each read as a session's and as a sub-agent's.

python benchmarks/fuzz_reader.py [--files 10000] [--first 0]
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from msgspec import structs

from skilltune.sources.claude_code.reader import read_file
from tests.oracle.fuzz import hostile_file
from tests.oracle.reader import read as read_slowly


def differing(first, files):
    """Seeds whose files the two readers read differently."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / "s1.jsonl", Path(folder) / "s9" / "subagents" / "agent-a1.jsonl"]
        paths[1].parent.mkdir(parents=True)
        for seed in range(first, first + files):
            for path in paths:
                path.write_bytes(hostile_file(seed))
            if any(told(path) != read_slowly(path) for path in paths):
                yield seed


def told(path):
    """The facts without the names of unknown fields: what is looked at there is a choice, not a rule of reading."""
    return structs.replace(read_file(path), unknown_fields={})


def main():
    """Print what differs; exit 1 if anything does."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    seeds = list(differing(options.first, options.files))
    print(f"{options.files} files, {len(seeds)} differences{': seeds ' + str(seeds[:20]) if seeds else ''}")
    return 1 if seeds else 0


if __name__ == "__main__":
    raise SystemExit(main())
