"""Whatever happens to files, a scan that remembers tells what a fresh one tells."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from skilltune.errors import LogError
from skilltune.scan import cached, executors, scan
from skilltune.stores import scan_cache
from tests.oracle.fuzz import hostile_file
from tests.sources.claude_code.building import Transcript, write
from tests.sources.codex.building import SKILL, Rollout

FOREVER = 2**62
NUMBERS = st.integers(0, 40)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """The cache's file; what changed just now is kept, however small."""
    monkeypatch.setattr(scan_cache, "_YOUNG_NS", -FOREVER)
    monkeypatch.setattr(cached, "_WORTH_BYTES", 0)
    return tmp_path / "cache" / "scans.sqlite"


def told(found):
    """Everything that a scan tells."""
    return found.summary, list(found.files())


def claude(number):
    """A session of Claude Code."""
    log = Transcript(f"c{number}", prefix=f"c{number}-").user(f"make it {number}")
    for step in range(6):
        log.agent(f"done {step} \u20ac", message_id="m1", usage={"output_tokens": step})
        log.call("Skill", f"t{step}", skill="tidy").result("loaded", f"t{step}").meta("# Tidy")
        log.queue("enqueue", f"then {step}").user(f"n\u00e4, {step}: that is wrong")
    return log.text().encode()


def codex(number):
    """A session of Codex."""
    log = Rollout(f"01a00000-0000-7000-8000-0000000000{number:02d}").prompt("tidy $tidy up").given(SKILL)
    for step in range(6):
        log.shell("git push", f"call_{step}").output(call_id=f"call_{step}", code=step % 2)
        log.agent(f"done {step} \u20ac").tokens((10 * step, 0, step)).prompt(f"again {step}")
    return log.text().encode()


MAKERS = (claude, codex, lambda number: hostile_file(number, records=25))


class Files(RuleBasedStateMachine):
    """A folder of sessions, some of which go on."""

    @initialize()
    def begin(self):
        """An empty folder."""
        self.root = self.factory.mktemp("p")
        self.folder, self.cache = self.root / "logs", self.root / "cache" / "scans.sqlite"
        self.folder.mkdir()
        self.coming = {}
        self.names = 0
        self.held = []

    def any(self, number):
        """One of the files, None where there is none."""
        files = sorted(self.folder.iterdir())
        return files[number % len(files)] if files else None

    @rule(number=NUMBERS, maker=st.sampled_from(MAKERS), share=st.integers(0, 100))
    def create(self, number, maker, share):
        """A new session, of which a part is there."""
        content, path = maker(number), self.folder / f"s{self.names}.jsonl"
        self.names += 1
        size = len(content) * share // 100
        path.write_bytes(content[:size])
        self.coming[path.name] = content[size:]

    @rule(number=NUMBERS, size=st.integers(1, 900))
    def grow(self, number, size):
        """Some more bytes: a line, a part of one, a part of a character."""
        if path := self.any(number):
            more = self.coming.get(path.name, b"")
            with path.open("ab") as file:
                file.write(more[:size])
            self.coming[path.name] = more[size:]

    @rule(number=NUMBERS)
    def finish_line(self, number):
        """Up to the end of the line."""
        path = self.any(number)
        self.grow(number, self.coming.get(path.name, b"").find(b"\n") + 1 if path else 0)

    @rule(number=NUMBERS, share=st.integers(0, 99))
    def truncate(self, number, share):
        """Cut, and going on with what comes next: a part is lost."""
        if path := self.any(number):
            os.truncate(path, path.stat().st_size * share // 100)

    @rule(number=NUMBERS, maker=st.sampled_from(MAKERS))
    def rotate(self, number, maker):
        """Another session under the old name."""
        if path := self.any(number):
            path.rename(path.with_name(f"{path.name}.old"))
            path.write_bytes(maker(number))
            self.coming[path.name] = b""

    @rule(number=NUMBERS, share=st.integers(0, 99), maker=st.sampled_from(MAKERS))
    def rewrite(self, number, share, maker):
        """Cut, and in the same file longer than before with something else."""
        if path := self.any(number):
            content, size = path.read_bytes(), path.stat().st_size
            with path.open("r+b") as file:
                file.truncate(size * share // 100)
                file.seek(0, os.SEEK_END)
                file.write((maker(number) + content + content)[: size + 300])

    @rule(number=NUMBERS)
    def rename(self, number):
        """The same under another name."""
        if path := self.any(number):
            new = path.with_name(f"r{self.names}.jsonl")
            self.names += 1
            self.coming[new.name] = self.coming.pop(path.name, b"")
            path.rename(new)

    @rule(number=NUMBERS)
    def fork(self, number):
        """A copy that goes on by itself."""
        if path := self.any(number):
            new = path.with_name(f"f{self.names}.jsonl")
            self.names += 1
            self.coming[new.name] = self.coming.get(path.name, b"")[:400]
            shutil.copy2(path, new)

    @rule(number=NUMBERS)
    def touch(self, number):
        """A new stamp."""
        if path := self.any(number):
            path.touch()

    @rule(number=NUMBERS)
    def replace(self, number):
        """As many bytes, others, with the old stamp."""
        if path := self.any(number):
            time.sleep(0.012)  # what a person does within one tick of the clock nobody can tell
            stamp = path.stat().st_mtime_ns
            path.write_bytes(path.read_bytes().replace(b"o", b"a"))
            os.utime(path, ns=(stamp, stamp))

    @rule(number=NUMBERS)
    def delete(self, number):
        """Gone."""
        if path := self.any(number):
            path.unlink()

    @rule()
    def hold(self):
        """Somebody holds a scan, whose facts they will ask for later."""
        found = scan([self.folder], cache=self.cache)
        self.held.append((found, told(scan([self.folder]))))

    @invariant()
    def tells_the_same(self):
        """The summary and all facts are those of a fresh scan, also where nothing has changed since the last one."""
        fresh = told(scan([self.folder]))
        for _ in range(3):
            assert told(scan([self.folder], cache=self.cache)) == fresh

    def teardown(self):
        """Scans that were held tell what was so when they were made."""
        for found, fresh in self.held:
            assert told(found) == fresh


def test_whatever_happens_to_files_a_scan_tells_what_a_fresh_one_tells(tmp_path_factory, kept):
    """Growth to any byte, cuts, rotations, rewriting, renames, forks, touches, equal sizes; scans held meanwhile."""
    Files.factory = tmp_path_factory
    Files.TestCase.settings = settings(max_examples=80, stateful_step_count=15)
    Files.TestCase().runTest()


@pytest.fixture
def carried(monkeypatch):
    """The tasks that were read from a place behind their start."""
    tasks, read_all = [], executors.read_all

    def noted(given, **options):
        tasks.extend(task for task in given if task.carried)
        return read_all(given, **options)

    monkeypatch.setattr(cached, "read_all", noted)
    return tasks


@pytest.mark.parametrize("workers", [1, 2])
def test_grown_file_is_read_from_its_last_whole_line(tmp_path, kept, carried, workers):
    """Also by other processes: what they carry comes back and is kept."""
    folder, logs = tmp_path / "p", (claude(1), claude(2), codex(3))
    for share in (3, 2, 1):
        for number, content in enumerate(logs):
            write(folder / f"s{number}.jsonl", content[: len(content) // share])
        carried.clear()
        assert told(scan([folder], cache=kept, workers=workers)) == told(scan([folder]))
    assert [(len(task.carried) > 0, task.known) for task in carried] == [(True, len(log) // 2) for log in logs]


def test_old_file_is_carried_on_once_it_has_grown(tmp_path, kept, carried, monkeypatch):
    """Files that rest are kept without what nobody will need."""
    monkeypatch.setattr(cached, "_ACTIVE_NS", 0)
    log, path = Transcript().user("make it"), tmp_path / "p" / "s1.jsonl"
    for number in range(3):
        write(path, log.agent(f"done {number}"))
        scan([path.parent], cache=kept)
        assert len(carried) == max(number - 1, 0)
    assert told(scan([path.parent], cache=kept)) == told(scan([path.parent]))


def test_facts_that_somebody_holds_stay_until_they_are_let_go(tmp_path, kept):
    """A scan tells what it told, though the file is another; then nothing of the old text is left."""
    folder = tmp_path / "p"
    write(folder / "s1.jsonl", Transcript().user("the old words"))
    scan([folder], cache=kept)
    held = scan([folder], cache=kept)
    before = told(scan([folder]))
    write(folder / "s1.jsonl", Transcript().user("new"))
    scan([folder], cache=kept)
    assert told(held) == before
    assert b"the old words" in kept.read_bytes()
    del held
    scan([folder], cache=kept)
    assert b"the old words" not in kept.read_bytes()


@pytest.mark.parametrize("change", ["DELETE FROM facts", "UPDATE facts SET packed = x'c1'", "DROP TABLE facts"])
def test_cache_that_is_damaged_meanwhile_is_done_without(tmp_path, kept, change):
    """A scan that somebody holds tells the same, from the files where need be; gone as well, they are named."""
    folder = tmp_path / "p"
    write(folder / "s1.jsonl", claude(1))
    scan([folder], cache=kept)
    held = scan([folder], cache=kept)
    with sqlite3.connect(kept) as database:
        database.execute(change)
    database.close()
    assert told(held) == told(scan([folder]))
    (folder / "s1.jsonl").unlink()
    with pytest.raises(LogError, match=r"s1\.jsonl.*scan again"):
        told(held)


def runs(kept):
    """How many runs are remembered as a whole."""
    with sqlite3.connect(kept) as database:
        number = database.execute("SELECT count(*) FROM runs").fetchone()[0]
    database.close()
    return number


def test_run_over_the_same_files_is_told_again_as_a_whole(tmp_path, kept, monkeypatch):
    """Neither are files looked up one by one, nor is what they tell added up; a change ends that."""
    folder = tmp_path / "p"
    for number in range(3):
        write(folder / f"s{number}.jsonl", claude(number))
    for remembered in (0, 1):
        scan([folder], cache=kept)
        assert runs(kept) == remembered
    looked_up, find = [], scan_cache.ScanCache.find
    monkeypatch.setattr(scan_cache.ScanCache, "find", lambda self, paths: looked_up.append(paths) or find(self, paths))
    assert told(scan([folder], cache=kept)) == told(scan([folder]))
    assert looked_up == []
    write(folder / "s1.jsonl", claude(9))
    assert told(scan([folder], cache=kept)) == told(scan([folder]))
    assert (len(looked_up), runs(kept)) == (1, 0)


def test_runs_of_several_folders_are_told_apart(tmp_path, kept):
    """Each has its own; those of the last folders are remembered."""
    folders = [tmp_path / f"p{number}" for number in range(10)]
    for number, folder in enumerate(folders):
        write(folder / "s1.jsonl", claude(number))
        scan([folder], cache=kept)
    for _ in range(2):
        for folder in folders:
            assert told(scan([folder], cache=kept)) == told(scan([folder]))
    assert runs(kept) == 8


def test_copies_are_told_anew(tmp_path, kept):
    """Whose records are whose is found out each time."""
    for name in ("s1", "s2"):
        write(tmp_path / "p" / f"{name}.jsonl", claude(1))
    for _ in range(3):
        found = scan([tmp_path / "p"], cache=kept)
        assert told(found) == told(scan([tmp_path / "p"]))
        assert found.summary.copied > 0
    assert runs(kept) == 0


def test_orphans_are_told_as_they_are_now(tmp_path, kept):
    """A sub-agent's session may turn up outside of what is scanned."""
    folder = tmp_path / "p" / "s9" / "subagents"
    write(folder / "agent-a1.jsonl", Transcript("s9").agent("done", isSidechain=True))
    for _ in range(3):
        assert len(scan([folder], cache=kept).summary.orphans) == 1
    write(tmp_path / "p" / "s9.jsonl", claude(9))
    assert scan([folder], cache=kept).summary == scan([folder]).summary
    assert scan([folder], cache=kept).summary.orphans == ()


def test_cache_of_an_older_layout_is_emptied(tmp_path, kept):
    """Its texts are gone, and it is used again."""
    folder = tmp_path / "p"
    write(folder / "s1.jsonl", claude(1))
    kept.parent.mkdir()
    kept.touch(0o600)
    with sqlite3.connect(kept) as old:
        old.execute("CREATE TABLE facts (path BLOB PRIMARY KEY, packed BLOB NOT NULL) WITHOUT ROWID")
        old.execute("INSERT INTO facts VALUES ('x', 'words of long ago')")
    old.close()
    assert told(scan([folder], cache=kept)) == told(scan([folder]))
    assert b"words of long ago" not in kept.read_bytes()
    with sqlite3.connect(kept) as new:
        assert new.execute("SELECT count(*) FROM files").fetchone() == (1,)
    new.close()


def test_two_processes_share_a_cache_while_files_grow(tmp_path, kept):
    """Whoever keeps a file's facts and state last, both go on from what is true of it."""
    folder = tmp_path / "p"
    logs = {folder / f"s{number}.jsonl": maker(number) for number, maker in enumerate((claude, claude, codex))}
    for path, content in logs.items():
        write(path, content[:200])
    code = (
        "import sys; from pathlib import Path; from skilltune.scan import cached, scan\n"
        "from skilltune.stores import scan_cache; scan_cache._YOUNG_NS = -2**62; cached._WORTH_BYTES = 0\n"
        "print('ready', flush=True)\n"
        "while not Path(sys.argv[3]).exists(): list(scan([sys.argv[1]], cache=Path(sys.argv[2])).files())\n"
        "print(scan([sys.argv[1]], cache=Path(sys.argv[2])).summary)"
    )
    done = tmp_path / "done"
    with subprocess.Popen(
        [sys.executable, "-c", code, folder, kept, done], stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as other:
        try:
            assert other.stdout.readline() == "ready\n"
            for step in range(1, 25):
                for path, content in logs.items():
                    with path.open("ab") as file:
                        file.write(content[200 + 97 * (step - 1) : 200 + 97 * step])
                assert told(scan([folder], cache=kept)) == told(scan([folder]))
        finally:
            done.touch()
        assert other.communicate(timeout=60)[0].strip() == str(scan([folder]).summary)
    assert other.returncode == 0
    with sqlite3.connect(kept) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM files").fetchone() == (3,)
    database.close()
