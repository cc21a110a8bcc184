"""Every reader of files and texts on mutated input, for as long as it is let: what raises, loses or doubles is told.

    python benchmarks/fuzz.py [--minutes 30] [--first 0] [--target NAME ...]

Minutes are CPU time. A finding is the target, the seed and the error: the same seed gives the same input. What was
found becomes a test where it was found.
"""

import argparse
import json
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from skilltune.errors import SkilltuneError
from skilltune.evolution.skilldoc import SkillDoc
from skilltune.mining import classify_outcome, mine_sessions
from skilltune.rendering.terminal import safe
from skilltune.scan import scan
from skilltune.sources import SOURCES
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.ledger import FeedbackLedger
from skilltune.stores.secrets import mask_secrets
from tests.hostile import OBEYED, TEXTS, VALUES
from tests.sources.contract import CONVERSATION, find_fixtures

AS_OF = datetime(2026, 1, 10, tzinfo=UTC)
SPLICES = (b"\n", b"\r\n", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b'"', b"{", b"}", b"[", b"\\", b"\\u00", b"\xe4\xb8")


class Random(random.Random):
    """Chance with a taste for trouble."""

    def text(self) -> str:
        """A nasty text, a piece of one, or two together."""
        text = self.choice(list(TEXTS.values()))
        if self.random() < 0.3:
            text = text[self.randrange(len(text)) :][: self.randint(1, 400)]
        return text + self.text() if self.random() < 0.2 else text

    def value(self) -> object:
        """A value of any kind."""
        return self.text() if self.random() < 0.5 else self.choice(VALUES)

    def bytes_of(self, content: bytes) -> bytes:
        """Content that was cut, spliced, doubled or changed in a few places."""
        for _ in range(self.randint(1, 4)):
            at, to = sorted(self.randrange(len(content) + 1) for _ in range(2))
            match self.randrange(5):
                case 0:
                    content = content[:at] + self.choice(SPLICES) + content[at:]
                case 1:
                    content = content[:at] + content[min(to, at + self.randint(1, 40)) :]
                case 2:
                    content = content[:at] + content[at:to][:4_000] + content[at:]
                case 3:
                    content = content[:at] + bytes([self.randrange(256)]) + content[at + 1 :]
                case 4:
                    content = content[:to] if self.random() < 0.3 else content
        return content

    def mutated(self, value: object) -> object:
        """A JSON value with one place changed, taken out or renamed."""
        places = list(_places(value))
        holder, key = self.choice(places) if places else (None, None)
        if holder is None:
            return self.value()
        match self.randrange(4):
            case 0 if isinstance(holder, dict):
                holder[self.text()] = holder.pop(key)
            case 1:
                del holder[key]
            case _:
                holder[key] = self.value()
        return value


def _places(value: object) -> Iterator[tuple[object, object]]:
    if isinstance(value, dict | list):
        for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield value, key
            yield from _places(inner)


def sessions(chance: Random, folder: Path) -> None:
    """A conversation of any agent in any shape, damaged: facts, counts, mined events."""
    fixture = chance.choice(list(FIXTURES.values()))
    path = fixture.write_conversation(folder, CONVERSATION, session="s1", shape=chance.choice(fixture.shapes))
    if chance.random() < 0.7:
        records = fixture.read_records(path)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(records))
            records[at] = chance.mutated(records[at])
        try:
            fixture.write_records(path, records)
        except (ValueError, TypeError, OverflowError, UnicodeEncodeError):
            return  # the fixture cannot write such a value
    else:
        victim = chance.choice([each for each in folder.rglob("*") if each.is_file()])
        victim.write_bytes(chance.bytes_of(victim.read_bytes()))
    found = scan([folder])
    facts = list(found.files())
    assert sum(map(sum, (each.records.values() for each in facts))) == sum(found.summary.records.values())
    mined = mine_sessions(found.files, as_of=AS_OF, turns="all")
    uses = {use.event_id for use in mined.invocations}
    assert {event.event_id for event in mined.events} <= uses, "an event without its use"
    for source in SOURCES.values():
        source.sniff(path)


def grown(chance: Random, folder: Path) -> None:
    """A session of lines that grows by pieces of any length: what is read on is what is read at once."""
    fixture = chance.choice([FIXTURES["claude-code"], FIXTURES["codex"]])
    path = fixture.write_conversation(folder, CONVERSATION, session="s1", shape=fixture.shapes[0])
    content = chance.bytes_of(path.read_bytes()) if chance.random() < 0.7 else path.read_bytes()
    source, state = SOURCES[fixture.agent], b""
    ends = sorted(chance.randrange(len(content) + 1) for _ in range(4))
    for end in (*ends, len(content)):
        path.write_bytes(content[:end])
        facts, state = source.read_on(path, carried=state)
        assert facts == source.read_facts(path), f"read on to {end} is another thing"


def words(chance: Random, _folder: Path) -> None:
    """A person's words and the agent's before them: a verdict, and what is shown of them."""
    text, before = chance.text(), chance.text()
    begun = time.process_time()
    classify_outcome(text, previous_agent=before)
    mask_secrets(text)
    assert not OBEYED & set(safe(text))
    taken = time.process_time() - begun
    assert taken < 2, f"{len(text) + len(before)} characters took {taken:.1f} s"


def skill_files(chance: Random, _folder: Path) -> None:
    """A SKILL.md that anybody may have written: its parts, and its bytes again."""
    head = f"---\nname: tea\ndescription: {chance.text()}\nversion: 3\nmetadata:\n  a: [1, 2]\n---\n"
    content = chance.bytes_of((head + chance.text()).encode("utf-8", "surrogatepass"))
    document = SkillDoc.of(content)
    assert document.to_bytes() == content, "not the bytes that were read"
    for name in ("name", "description", "version", "refinements", "last_refined", "updated_at"):
        getattr(document, name)


def logs(chance: Random, folder: Path) -> None:
    """The logs that a person may have edited: every line is told or counted."""
    row = {"skillName": "tea", "sessionId": "s1", "timestamp": "2026-01-05T10:00:00Z", "id": "x"}
    rows = [
        row | {"type": "correction", "original": chance.text(), "corrected": chance.text()},
        row | {"type": "override", "rejected": chance.text(), "reason": chance.text()},
        row | {"type": "rating", "score": 3},
        {"event_id": "e", "skill_id": "tea", "outcome": "correction", "timestamp": "2026-01-05T10:00:00Z"},
    ]
    lines = [json.dumps(chance.mutated(each) if chance.random() < 0.6 else each).encode() for each in rows]
    content = chance.bytes_of(b"\n".join(lines) + b"\n")
    for name, read in (("ledger.jsonl", FeedbackLedger), ("feedback.jsonl", FeedbackLog)):
        path = folder / name
        path.write_bytes(content)
        contents = read(path).read()
        told = {problem.line for problem in contents.problems}
        lines = [line for line in content.split(b"\n") if line.strip(b" \t\r")]
        if read is FeedbackLedger:
            assert len(contents.events) + len(told) >= len(lines), "a line is not told"
        assert path.read_bytes() == content, "reading changed it"


FIXTURES = find_fixtures()
TARGETS: dict[str, Callable[[Random, Path], None]] = {
    each.__name__: each for each in (sessions, grown, words, skill_files, logs)
}


def run(name: str, seed: int) -> str:
    """Try one input; what went wrong, or ''."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            TARGETS[name](Random(f"{name} {seed}"), Path(folder))
        except SkilltuneError:
            return ""
        except Exception:  # noqa: BLE001  # that is what is looked for
            return traceback.format_exc(limit=-3)
    return ""


def main() -> int:
    """Try until the time is over; exit 1 where something was found."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--target", nargs="+", choices=sorted(TARGETS), default=sorted(TARGETS))
    options = parser.parse_args()
    tried = dict.fromkeys(options.target, 0)
    found: dict[tuple[str, str], int] = {}
    seed = options.first
    while time.process_time() < options.minutes * 60:
        for name in options.target:
            wrong = run(name, seed)
            tried[name] += 1
            if wrong and (name, wrong.splitlines()[-1][:60]) not in found:
                found[name, wrong.splitlines()[-1][:60]] = seed
                print(f"-- {name}, seed {seed}\n{wrong}", flush=True)
        seed += 1
    print(f"{time.process_time() / 60:.1f} minutes of CPU; inputs: {tried}; findings: {len(found)}", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
