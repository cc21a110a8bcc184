"""How long new rules or another window take, once the facts are read: python benchmarks/rules_again.py CORPUS."""

import statistics
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.bars import show_bar
from skilltune.mining import mine_sessions
from skilltune.scan import scan

RUNS = 5


def main(corpus: str) -> None:
    """Print the median CPU time of mining all facts again, what of it is unpacking them, and what reading took."""
    begun = time.process_time()
    facts = scan([corpus])
    read = time.process_time() - begun
    begun = time.process_time()
    turns = sum(item.__class__.__name__ == "TurnFact" for file in facts.files() for item in items_of(file))
    unpacked = time.process_time() - begun
    times = []
    for window_turns in range(1, RUNS + 1):
        begun = time.process_time()
        mined = mine_sessions(facts.files, as_of=datetime.now(UTC), window_turns=window_turns, turns="none")
        times.append(time.process_time() - begun)
    again = statistics.median(times)
    print(f"{len(mined.invocations):,} uses, {turns:,} turns; reading {read:.2f} s, unpacking facts {unpacked:.2f} s")
    show_bar("rules again", again, bar=0.1, unit="s of CPU")


def items_of(file):
    """All items of a file."""
    return (item for session in file.sessions for item in session.items)


if __name__ == "__main__":
    main(*sys.argv[1:])
