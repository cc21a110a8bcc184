"""What a source makes of each file of a folder, as a table to be checked by hand against the files.

    python benchmarks/reading_table.py FOLDER [--agent claude-code]

A row for each file that the source finds: sessions, turns, uses, tools, sub-agents, why it is no session, and every
count of records. Nothing is written. The last lines add up, and count other files: those that are read with the file
of their session, as OpenCode's messages and parts are, and those that are not looked at.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from skilltune.errors import ReadError
from skilltune.facts import FileFacts, TurnFact, UseFact
from skilltune.rendering.terminal import safe
from skilltune.sources import SOURCES

COLUMNS = ("sessions", "turns", "uses", "tools", "sub-agents")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--agent", choices=sorted(SOURCES), default="claude-code")
    given = parser.parse_args()
    total: Counter[str] = Counter()
    print(*COLUMNS, "skipped", "file", "records", sep="\t")
    found = sorted(SOURCES[given.agent].find_files(given.folder))
    others = {path for path in given.folder.rglob("*") if path.is_file()} - set(found)
    for path in found:
        try:
            facts = SOURCES[given.agent].read_facts(path)
        except ReadError as error:
            print(*[""] * len(COLUMNS), "unreadable", safe(str(path)), safe(str(error)), sep="\t")
            continue
        counts = counts_of(facts)
        total.update(counts)
        told = " ".join(f"{name}={count}" for name, count in sorted(facts.records.items()))
        name = safe(str(path.relative_to(given.folder) if path != given.folder else path))
        print(*(counts[column] for column in COLUMNS), facts.skipped or "-", name, safe(told), sep="\t")
    print(*(total[column] for column in COLUMNS), "", "all", "", sep="\t")
    print(*[""] * len(COLUMNS), "", f"{len(others)} others, read with their session or not looked at", "", sep="\t")


def counts_of(facts: FileFacts) -> Counter[str]:
    """Column → number in one file."""
    items = [item for session in facts.sessions for item in session.items]
    works = [item.work for item in items] + [session.lead for session in facts.sessions]
    return Counter(
        {
            "sessions": len(facts.sessions),
            "turns": sum(isinstance(item, TurnFact) for item in items),
            "uses": sum(isinstance(item, UseFact) for item in items),
            "tools": len({tool for work in works for tool in work.tools}),
            "sub-agents": len(facts.subagents),
        }
    )


if __name__ == "__main__":
    main()
