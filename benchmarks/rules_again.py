"""How long new rules or another window take, once the facts are read: python benchmarks/rules_again.py CORPUS."""

import statistics
import sys
import time
from datetime import UTC, datetime

from skilltune.mining import mine_sessions
from skilltune.scan import scan

RUNS = 5


def main(corpus: str) -> None:
    """Print the median CPU time of mining all facts again, and what reading them took."""
    begun = time.process_time()
    facts = scan([corpus])
    read = time.process_time() - begun
    times = []
    for window_turns in range(1, RUNS + 1):
        begun = time.process_time()
        mined = mine_sessions(facts.files, as_of=datetime.now(UTC), window_turns=window_turns, turns="none")
        times.append(time.process_time() - begun)
    again = statistics.median(times)
    print(
        f"{len(mined.invocations):,} uses; reading {read:.2f} s, rules again {again:.2f} s ({again / read:.0%} of it)"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
