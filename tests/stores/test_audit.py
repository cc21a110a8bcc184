"""The audit log: its chain, its place, and what breaks it."""

import hashlib
import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import DamagedError
from skilltune.stores.audit import AuditLog, audit_folder
from skilltune.stores.compact import dump_compact
from skilltune.stores.heads import read_head_file
from tests.conftest import ROOT
from tests.stores.makers import run_killed


@pytest.fixture
def log(tmp_path):
    """A log with three entries."""
    log = AuditLog(tmp_path)
    log.append({"type": "first_seen", "note": "größer"})
    log.append({"type": "approve"}, {"type": "refine", "n": 1.5})
    return log


def test_audit_entries_are_chained_and_compact(log):
    """Each entry has a number, the hash of the one before and its own, as compact JSON."""
    rows = [json.loads(line) for line in log.path.read_text().splitlines()]
    assert [row["seq"] for row in rows] == [1, 2, 3]
    assert [row["prev_hash"] for row in rows] == ["0" * 64, rows[0]["hash"], rows[1]["hash"]]
    assert '": ' not in log.path.read_text()
    assert "größer" in log.path.read_text()
    assert log.read() == rows
    assert log.verify().whole
    assert log.verify().entries == 3


EDITS = {
    "change": lambda one, two, three: [one, two.replace(b"approve", b"approv3"), three],
    "take out": lambda one, _two, three: [one, three],
    "swap": lambda one, two, three: [two, one, three],
    "blanks": lambda one, two, three: [one, two.replace(b'":"', b'": "', 1), three],
    "unchain": lambda one, _two, three: [one, b'{"type": "approve"}', three],
    "twice": lambda one, two, three: [one, two, two, three],
    "garbage": lambda one, _two, three: [one, b"\x00 not json", three],
}


@pytest.mark.parametrize(
    ("how", "line"),
    [("change", 2), ("take out", 2), ("swap", 1), ("blanks", 2), ("unchain", 3), ("twice", 3), ("garbage", 2)],
)
def test_audit_verify_names_the_first_bad_line(log, how, line):
    """A line that was changed, moved, doubled or taken out is found; nothing is read or added then."""
    lines = log.path.read_bytes().splitlines()
    log.path.write_bytes(b"".join(part + b"\n" for part in EDITS[how](*lines)))
    before = log.path.read_bytes()
    checked = log.verify()
    assert not checked.whole
    assert checked.problem.line == line
    with pytest.raises(DamagedError, match=f":{line}:") as caught:
        log.read()
    assert caught.value.line == line
    with pytest.raises(DamagedError):
        log.append({"type": "refine"})
    assert log.path.read_bytes() == before


def _rehashed(line: bytes, **values) -> bytes:
    """The entry with other values, hashed anew, as somebody would who knows the form."""
    row = {**json.loads(line), **values}
    row["hash"] = hashlib.sha256(dump_compact({name: row[name] for name in row if name != "hash"})).hexdigest()
    return dump_compact(row)


UNSURE = {
    "seq alone": (lambda one, two, three: [one, two.replace(b'"seq":2', b'"seq":9'), three], 2, 0),
    "rehashed": (lambda one, two, three: [one, _rehashed(two, by="x"), three], 3, 1),
    "rehashed first": (lambda one, two, three: [_rehashed(one, by="x"), two, three], 2, 1),
    "another tool's": (lambda one, two, three: [one, two.replace(b"skilltune", b"sk1lltune"), three], 3, 2),
    "put in": (lambda one, two, three: [one, two, b'{"type":"learn"}', b'{"type":"learn"}', three], 5, 3),
}


@pytest.mark.parametrize(("edit", "line", "before"), UNSURE.values(), ids=UNSURE)
def test_audit_verify_says_where_the_chain_cannot_tell(log, edit, line, before):
    """An entry that does not fit its own hash is named itself; else the range in which the bad line lies."""
    lines = log.path.read_bytes().splitlines()
    log.path.write_bytes(b"".join(part + b"\n" for part in edit(*lines)))
    checked = log.verify()
    assert (checked.problem.line, checked.unsure) == (line, before)
    told = {0: "", 1: "this line or the one before it"}.get(before, f"this line or one of the {before} before it")
    assert told in checked.problem.reason
    assert ("before it" in checked.problem.reason) == bool(before)


@given(place=st.integers(0, 10_000), byte=st.integers(0, 255))
def test_audit_any_changed_byte_is_found(tmp_path_factory, place, byte):
    """Whatever byte of the log is changed, and to what, it is no longer whole, or says the same."""
    log = AuditLog(tmp_path_factory.mktemp("log"))
    log.append({"type": "first_seen"}, {"type": "refine", "note": "x"}, {"type": "rollback"})
    rows, content = log.read(), bytearray(log.path.read_bytes())
    content[place % (len(content) - 1)] = byte
    log.path.write_bytes(bytes(content))
    checked = log.verify()
    assert not checked.whole or checked.foreign or log.read() == rows


def test_audit_lines_of_other_tools(log):
    """Another tool's lines are no entries of ours, and stay covered by the chain."""
    with log.path.open("a") as file:
        file.write('{"type": "learn", "timestamp": "2026-01-01"}\n')
    assert log.verify().foreign == 1
    log.append({"type": "rollback"})
    assert log.verify().whole
    log.path.write_text(log.path.read_text().replace("learn", "earn"))
    assert log.verify().problem.line == 5


def test_audit_killed_while_appending(tmp_path):
    """Killed at any step, the log is whole without or with the entry, and the next one follows."""
    for at in range(1, 20):
        (tmp_path / str(at)).mkdir()
        log = AuditLog(tmp_path / str(at))
        log.append({"type": "first_seen"})
        killed = run_killed(lambda log=log: log.append({"type": "refine"}), at=at)
        assert len(log.read()) in (1, 2)
        log.append({"type": "rollback"})
        assert log.verify().whole
        if not killed:
            break
    assert not killed


def test_audit_many_writers(tmp_path):
    """Processes that append at once leave one chain."""
    code = (
        "import sys\nfrom pathlib import Path\nfrom skilltune.stores.audit import AuditLog\n"
        "for n in range(40):\n    AuditLog(Path(sys.argv[1])).append({'type': 'approve', 'n': n})\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT) for _ in range(3)]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    assert AuditLog(tmp_path).verify().entries == 120


def test_audit_log_with_a_head_many_writers(tmp_path):
    """Head and log agree after processes that appended at once; a reader meets no half state."""
    code = (
        "import sys\nfrom pathlib import Path\nfrom skilltune.refining.places import find_log\n"
        "for n in range(15):\n    find_log(Path(sys.argv[1])).append({'type': 'approve', 'n': n})\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT) for _ in range(2)]
    log = AuditLog(tmp_path)
    while any(process.poll() is None for process in running):
        assert log.verify().whole
    assert [process.returncode for process in running] == [0, 0]
    assert read_head_file(log.head_path).seq == log.verify().entries == 30


def test_audit_place(tmp_path, monkeypatch):
    """The ``.claude`` folder that holds the skill, the moved home of the user, else beside the folder of skills."""
    root = tmp_path.resolve()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(root / "moved"))
    cases = {
        "shop/.claude/skills/tidy/SKILL.md": "shop/.claude",
        "home/.claude/plugins/cache/m/docs/1.0/skills/tidy/SKILL.md": "home/.claude",
        "moved/skills/tidy/SKILL.md": "moved",
        "moved/plugins/cache/m/docs/1.0/skills/tidy/SKILL.md": "moved",
        "kit/skills/tidy/SKILL.md": "kit",
        "dotfiles/tidy/SKILL.md": "dotfiles",
        "shop/.claude/commands/ship.md": "shop/.claude",
    }
    for path, folder in cases.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
        assert audit_folder(root / path) == root / folder
    link = root / "shop" / ".claude" / "skills" / "linked"
    link.symlink_to(root / "kit" / "skills" / "tidy")
    assert audit_folder(link / "SKILL.md") == root / "kit"
