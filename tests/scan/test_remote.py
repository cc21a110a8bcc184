"""Sessions under URLs: on no disk of this machine."""

import builtins
import tempfile
from pathlib import Path

import fsspec
import pytest

from skilltune.errors import InputError, ReadError, RecordError
from skilltune.scan import remote
from skilltune.scan.sessions import read_sessions
from tests.sources.claude_code.building import Transcript, write


@pytest.fixture
def both(tmp_path):
    """(a folder on disk, the URL of the same in memory): a session, a sub-agent's, a packed and a foreign one."""
    folder, files = tmp_path / "sessions", fsspec.filesystem("memory")
    session = Transcript("s1").user("make it").call("Skill", "t1", skill="tea").result().user("that is wrong")
    write(folder / "p" / "s1.jsonl", session.raw("torn {"))
    write(folder / "p" / "s1" / "subagents" / "agent-a1.jsonl", Transcript("s1").agent("done", isSidechain=True))
    (folder / "p" / "old.jsonl.gz").write_bytes(b"packed")
    (folder / "p" / "foreign.jsonl").write_text('{"a": 1}\n')
    (folder / "p" / "notes.txt").write_text("no session")
    for path in folder.rglob("*.*"):
        files.pipe_file(f"/bucket/{path.relative_to(folder)}", path.read_bytes())
    yield folder, "memory://bucket"
    files.rm("/bucket", recursive=True)


def without_paths(scan):
    """What a scan tells, each file by its name."""
    for facts in scan.files():
        sessions = [session.items for session in facts.sessions]
        yield Path(facts.path).name, facts.size, facts.skipped, facts.records, sessions, len(facts.subagents)


def test_url_tells_what_the_folder_tells(both):
    """The same facts and counts; each file is named by its URL, no copy is left."""
    folder, url = both
    far, near = read_sessions(url), read_sessions(folder)
    assert sorted(without_paths(far), key=str) == sorted(without_paths(near), key=str)
    assert far.summary.records == near.summary.records
    assert {facts.path.rsplit("/p/", 1)[0] for facts in far.files()} == {"memory:///bucket"}
    assert not list(Path(tempfile.gettempdir()).glob("skilltune-url-*"))


def test_one_file_and_a_folder_beside_a_url(both):
    """URLs and paths can be named together, one file of a URL alone."""
    folder, url = both
    assert read_sessions(f"{url}/p/s1.jsonl").summary.files == 1
    found = read_sessions([folder, url, url])
    assert found.summary.files == 2 * read_sessions(url).summary.files
    assert found.summary.copied


def test_damaged_line_of_a_url_ends_a_strict_run(both):
    """As that of a file on disk does."""
    with pytest.raises(RecordError):
        read_sessions(both[1], strict=True)


@pytest.mark.parametrize(
    ("url", "error", "words"),
    [
        ("nope://x", InputError, "nope://x: Protocol not known: nope"),
        ("memory://nobody", ReadError, "memory://nobody: no .jsonl file is there"),
    ],
)
def test_url_that_cannot_be_read(url, error, words):
    """The error names it and the reason."""
    with pytest.raises(error, match=words):
        read_sessions(url)


def test_driver_errors_are_named_by_file(both, monkeypatch):
    """What one file's driver raises is that file's reason; the others are read."""
    files, read = type(fsspec.filesystem("memory")), remote.copied_here

    def get_file(self, name, path, **_more):
        if name.endswith("s1.jsonl"):
            raise RuntimeError("token expired")
        Path(path).write_bytes(self.cat_file(name))

    monkeypatch.setattr(files, "get_file", get_file)
    found = read_sessions(both[1])
    assert found.summary.unreadable == (("memory:///bucket/p/s1.jsonl", "token expired"),)
    assert found.summary.files == 4
    with pytest.raises(ReadError, match="token expired"), read("memory:///bucket/p/s1.jsonl"):
        pass


def test_database_under_a_url_is_named_with_the_reason(both):
    """An OpenCode database is not passed over in silence, and the files beside it are read."""
    fsspec.filesystem("memory").pipe_file("/bucket/opencode.db", b"SQLite format 3")
    found = read_sessions(both[1])
    [(url, why)] = found.summary.unreadable
    assert url == "memory:///bucket/opencode.db"
    assert why == "a database is not read from a URL; copy it to this machine"
    assert found.summary.files == 4


def test_names_of_a_url_stay_in_the_folder_of_the_copy(both):
    """Names that would lead elsewhere, or that no disk takes, are replaced."""
    files = fsspec.filesystem("memory")
    for name in ("/bucket/../../../s.jsonl", f"/bucket/{'n' * 400}.jsonl", "/bucket/a\0b.jsonl"):
        files.store[name] = files.store["/bucket/p/s1.jsonl"]
        with remote.copied_here(f"memory://{name}") as path:
            assert path.is_file()
            assert Path(tempfile.gettempdir()).resolve() in path.resolve().parents
            assert ".." not in path.parts
        del files.store[name]


def test_extra_that_is_missing_is_named(monkeypatch):
    """The error says what to install."""
    whole = builtins.__import__

    def without(name, *rest):
        if name.startswith("fsspec"):
            raise ImportError(name)
        return whole(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"pip install 'skilltune\[remote\]'"):
        read_sessions("s3://bucket/sessions")


def test_path_that_looks_like_a_url_is_a_path(tmp_path, monkeypatch):
    """Only what has a protocol is a URL."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a:b" / "s1.jsonl", Transcript("s1").user("make it"))
    assert read_sessions("a:b").summary.files == 1
