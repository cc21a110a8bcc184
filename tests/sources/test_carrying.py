"""A file that has grown is read from where reading it ended, and tells what a fresh reading tells."""

import random
from collections import deque
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune import limits
from skilltune.facts import Tokens, Work
from skilltune.sources import SOURCES, carrying
from skilltune.sources.base import readable
from skilltune.sources.carrying import pack_values, unpack_values
from skilltune.sources.claude_code.reader import CARRIED
from skilltune.sources.session import EARLIEST, Command, Entry, Segment
from tests.oracle.fuzz import hostile_file
from tests.sources.claude_code.building import Transcript
from tests.sources.codex.building import ABORTED, AGENTS_FILE, ENVIRONMENT, SKILL, Flat, Rollout

CODEX = SOURCES["codex"]
CLAUDE = SOURCES["claude-code"]
PIECES = [
    lambda log, n: log.prompt(f"wörk on {n} €"),
    lambda log, n: log.given(f"only once {n}"),
    lambda log, n: log.agent(f"fine {n}").tokens((100 + n, 10, 7 + n)),
    lambda log, n: log.shell(f"git commit -m {n}", f"call_{n}").output(call_id=f"call_{n}", code=n % 2),
    lambda log, n: log.shell("cat /home/dev/.agents/skills/tidy/SKILL.md", f"call_{n}"),
    lambda log, n: log.output(call_id=f"call_{n - 1}"),
    lambda log, _: log.given(SKILL),
    lambda log, _: log.given(ENVIRONMENT, AGENTS_FILE),
    lambda log, _: log.given(ABORTED).event("turn_aborted", reason="interrupted"),
    lambda log, n: log.turn(f"turn-{n}"),
    lambda log, n: log.patch(f"*** Add File: f{n}.py", "+x", call_id=f"call_{n}"),
    lambda log, n: log.event("thread_rolled_back", num_turns=1) if n % 2 else log.prompt("tidy $tidy up"),
    lambda log, _: log.raw('{"torn'),
    lambda log, n: log.meta(f"01a00000-0000-7000-8000-00000000000{n % 10}"),
    lambda log, n: log.add("odd", type=f"kind{n}"),
    lambda log, n: log.prompt(f"now $tidy {n}").agent("ok"),
]


def follow(source, path, content, cuts, *, start=b""):
    """Let a file grow from cut to cut; the bytes read behind a state, and the last state."""
    state, gone_on = start, 0
    for cut in [*cuts, len(content)]:
        path.write_bytes(content[:cut])
        before, (facts, state) = state, source.read_on(path, carried=state)
        assert facts == source.read_facts(path), f"{path.name} at {cut}"
        gone_on += bool(before and state)
    return gone_on, state


@pytest.mark.parametrize("tenth", range(4))
def test_hostile_file_that_grows_tells_what_it_tells_at_once(tmp_path, tenth):
    """Cut anywhere, in lines and in characters, each time from what was carried before."""
    paths = [tmp_path / "s1.jsonl", tmp_path / "s9" / "subagents" / "agent-a1.jsonl"]
    paths[1].parent.mkdir(parents=True)
    gone_on = 0
    for seed in range(tenth, 160, 4):
        content, chance = hostile_file(seed, records=30), random.Random(seed)
        cuts = sorted(chance.randrange(len(content) + 1) for _ in range(4))
        gone_on += sum(follow(CLAUDE, path, content, cuts)[0] for path in paths)
    assert gone_on > 40


@given(
    order=st.lists(st.integers(0, len(PIECES) - 1), min_size=1, max_size=25),
    shares=st.lists(st.integers(0, 100), min_size=1, max_size=4),
    kind=st.sampled_from([Rollout, Flat, lambda: Rollout(thread="", start=3), lambda: Rollout(source="exec")]),
)
def test_codex_session_that_grows_tells_what_it_tells_at_once(tmp_path, order, shares, kind):
    """Uses that wait for their text, calls for their outputs, sums of tokens, taken back prompts: all are carried."""
    log = kind()
    for number, piece in enumerate(order):
        PIECES[piece](log, number)
    content = log.text().encode()
    follow(CODEX, tmp_path / "rollout.jsonl", content, [len(content) * share // 100 for share in sorted(shares)])


@pytest.mark.parametrize(("source", "log"), [(CLAUDE, Transcript), (CODEX, Rollout)], ids=["claude-code", "codex"])
def test_only_the_new_bytes_are_read(tmp_path, monkeypatch, source, log):
    """All whole lines but the new ones are left alone, and an unfinished line is read again when it is whole."""
    begin = log().user("make it") if log is Transcript else log().prompt("make it")
    for number in range(300):
        begin.agent(f"done {number}")
    content = begin.text().encode()
    path = tmp_path / "s1.jsonl"
    follow(source, path, content, [len(content) - 30])
    spans, read = [], carrying._lines
    monkeypatch.setattr(carrying, "_lines", lambda file, *span: spans.append(span) or read(file, *span))
    path.write_bytes(content)
    _, state = source.read_on(path)
    path.write_bytes(content + b'{"type": ')
    source.read_on(path, carried=state)
    assert spans == [(0, len(content)), (len(content), None), (len(content), len(content)), (len(content), None)]


def test_another_file_is_read_from_its_start(tmp_path):
    """One whose first bytes, or those before the place, are others; one that is shorter; a state that is damaged."""
    log = Transcript().user("make it")
    for number in range(60):
        log.agent(f"done {number}", usage={"output_tokens": 1})
    content, path = log.text().encode(), tmp_path / "s1.jsonl"
    path.write_bytes(content)
    _, state = CLAUDE.read_on(path)
    others = [
        content.replace(b"make", b"bake") + log.agent("more").lines[-1].encode() + b"\n",
        content[: len(content) - 20] + b"x" * 40,
        content[: len(content) // 2],
        b"",
    ]
    for other in others:
        path.write_bytes(other)
        assert CLAUDE.read_on(path, carried=state)[0] == CLAUDE.read_facts(path)
    path.write_bytes(content)
    for damaged in (state[:-1], b"x" + state[1:], state[:9], b"junk"):
        assert CLAUDE.read_on(path, carried=damaged)[0] == CLAUDE.read_facts(path)


def test_state_of_another_agent_is_not_used(tmp_path):
    """The bytes say whose reader they are."""
    path = tmp_path / "s1.jsonl"
    path.write_bytes(Transcript().user("make it").text().encode())
    _, state = CLAUDE.read_on(path)
    assert state
    assert CODEX.read_on(path, carried=state)[0] == CODEX.read_facts(path)


def test_document_is_always_read_whole(tmp_path):
    """A list of records, whole or not yet, and lines that turn out to begin one."""
    log = Transcript().user("make it").agent("done").user("that is wrong")
    document = b"[\n" + b",\n".join(line.encode() for line in log.lines) + b"\n]\n"
    gone_on, state = follow(CLAUDE, tmp_path / "s1.jsonl", document, [2, len(document) // 2, len(document) - 2])
    assert (gone_on, state) == (0, b"")


def test_long_lines_are_told_alike(tmp_path, monkeypatch):
    """A line that is too long counts once, also where it is not finished yet; others are longer than the buffer."""
    monkeypatch.setattr(limits, "LINE_BYTES", 300)
    monkeypatch.setattr(carrying, "BUFFER_BYTES", 64)
    monkeypatch.setattr("skilltune.sources.lines.BUFFER_BYTES", 50)
    lines = [Transcript(prefix=f"p{n}-").user("x" * (40 + 130 * (n % 3))).text() for n in range(9)]
    content = "".join(lines).encode()
    gone_on, _ = follow(CLAUDE, tmp_path / "s1.jsonl", content, range(50, len(content), 211))
    assert gone_on > 3


def test_path_that_is_no_text_is_told_as_ever(tmp_path):
    """What is carried does not hold the path."""
    path = tmp_path / "s\udcff.jsonl"
    content = Transcript().user("make it").agent("done").text().encode()
    gone_on, _ = follow(CLAUDE, path, content, [len(content) // 2])
    assert gone_on
    assert CLAUDE.read_on(path)[0].path == readable(path)


def test_what_is_one_object_is_one_object_again():
    """A command that a later result takes back stands in the work, too; kinds of containers and moments are kept."""
    segment, command = Segment(), Command("git push")
    segment.commands.append(command)
    segment.last = datetime(1, 1, 1, 3, tzinfo=timezone(timedelta(hours=14)))
    fact = Work(tools=("Bash",), tokens=Tokens(1, 2))
    values = (segment, {"k": command}, {None, "u"}, deque([1, 2], maxlen=2), EARLIEST, fact, fact, ("a", None))
    back = unpack_values(pack_values(values, classes=(*CARRIED, Entry)), classes=(*CARRIED, Entry))
    assert back[1]["k"] is back[0].commands[0]
    assert (back[1]["k"].text, back[1]["k"].ran) == ("git push", True)
    assert back[0].last == segment.last
    assert back[2:4] == (values[2], values[3])
    assert back[3].maxlen == 2
    assert back[4] is EARLIEST
    assert back[5:] == (fact, fact, ("a", None))


@pytest.mark.parametrize("odd", [object(), "\ud800", 2**70, datetime], ids=["object", "surrogate", "number", "class"])
def test_what_cannot_be_packed_is_not(odd):
    """No state then: the file is read whole next time."""
    assert pack_values((datetime(2026, 1, 1, tzinfo=UTC), [odd]), classes=CARRIED) == b""


def test_cycle_is_not_packed():
    """No reader has one."""
    entry = Segment()
    entry.commands.append(entry)
    assert pack_values((entry,), classes=CARRIED) == b""


def test_every_step_of_growth_is_from_a_state(tmp_path):
    """Line by line, each state is that of the reading before."""
    log = Transcript().user("make it").call("Bash", "t1", command="git push").result("x", "t1", error=True).agent("hm")
    ends = [at + 1 for at, char in enumerate(log.text().encode()) if char == 10]
    assert len(list(pairwise(ends))) == 3
    assert follow(CLAUDE, tmp_path / "s1.jsonl", log.text().encode(), ends)[0] == 4
