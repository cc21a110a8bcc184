"""Snapshots of skills, byte for byte, and where a skill's file began by a real git history."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import DamagedError, LogError
from skilltune.stores.history import commit_file, file_at_commit, find_origin
from skilltune.stores.snapshots import Snapshots, content_digest
from tests.stores.makers import run_killed

TEXT = "---\nname: tidy\n---\nSort the imports, ours last, and say which file was changed and why.\n"


@given(st.binary(max_size=300))
def test_snapshot_holds_exact_bytes(tmp_path_factory, content):
    """Whatever bytes are kept come back, by their digest; keeping them twice changes nothing."""
    snapshots = Snapshots(tmp_path_factory.mktemp("kept"))
    digest = snapshots.put(content)
    assert snapshots.put(content) == digest == content_digest(content)
    assert snapshots.get(digest) == content
    assert [path.name for path in snapshots.folder.iterdir()] == [f"{digest}.md"]


def test_snapshot_damaged_missing_or_no_digest(tmp_path):
    """A snapshot that is gone or was changed is refused, and kept again when it is put; a path is no digest."""
    snapshots = Snapshots(tmp_path)
    digest = snapshots.put(b"text")
    (snapshots.folder / f"{digest}.md").write_bytes(b"other")
    with pytest.raises(DamagedError, match="changed"):
        snapshots.get(digest)
    assert snapshots.find(digest) is None
    snapshots.put(b"text")
    assert snapshots.get(digest) == b"text"
    for odd in ("f" * 64, "../../etc/passwd", "", digest.upper()):
        with pytest.raises(DamagedError):
            snapshots.get(odd)


def test_snapshot_that_cannot_be_kept(tmp_path):
    """Where no snapshot can be kept that is an error of its own."""
    (tmp_path / ".skill-snapshots").write_text("in the way")
    with pytest.raises(LogError):
        Snapshots(tmp_path).put(b"text")


def test_snapshot_killed_at_each_step(tmp_path):
    """Killed at any step, a snapshot is there whole or not at all."""
    for at in range(1, 20):
        snapshots = Snapshots(tmp_path / str(at))
        killed = run_killed(lambda snapshots=snapshots: snapshots.put(b"text" * 1000), at=at)
        assert snapshots.find(content_digest(b"text" * 1000)) in (None, b"text" * 1000)
        if not killed:
            break
    assert not killed
    assert at > 2


# git ----------------------------------------------------------------------------------------------------------------


def git(folder: Path, *arguments: str, day: int = 1) -> str:
    """Run git in a folder on a day of October."""
    who = {f"GIT_{role}_{part}": "x@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    when = {f"GIT_{role}_DATE": f"2026-10-{day:02d}T12:00:00+00:00" for role in ("AUTHOR", "COMMITTER")}
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(folder), **who, **when}
    done = subprocess.run(["git", "-C", str(folder), *arguments], check=True, env=environment, capture_output=True)
    return done.stdout.decode().strip()


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """An empty repository, its person known."""
    monkeypatch.setenv("HOME", str(tmp_path))
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    git(tmp_path, "config", "user.name", "ada")
    git(tmp_path, "config", "user.email", "ada@example.org")
    return tmp_path.resolve()


def _commit(root: Path, path: str, text: str, *, day: int) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", f"day {day}", day=day)
    return file


def test_origin_is_the_oldest_commit_of_the_file(repository):
    """The oldest commit that added the file, from its own folder, with its exact bytes and time."""
    _commit(repository, "README.md", "hello", day=1)
    _commit(repository, "skills/tidy/SKILL.md", TEXT.replace("\n", "\r\n"), day=2)
    file = _commit(repository, "skills/tidy/SKILL.md", TEXT + "More.\n", day=3)
    origin = find_origin(file)
    assert origin.content == TEXT.replace("\n", "\r\n").encode()
    assert origin.at == datetime(2026, 10, 2, 12, tzinfo=UTC)
    assert origin.commit == git(repository, "rev-parse", "HEAD~1")
    assert (origin.path, origin.shallow) == ("skills/tidy/SKILL.md", False)


def test_origin_follows_renames(repository):
    """A skill that was renamed began under its old name; odd signs in a name are no matter."""
    _commit(repository, 'skills/ti "dy" 茶/SKILL.md', TEXT, day=1)
    git(repository, "mv", 'skills/ti "dy" 茶', "skills/tidy")
    git(repository, "commit", "--quiet", "--message", "rename", day=2)
    file = _commit(repository, "skills/tidy/SKILL.md", TEXT + "More.\n", day=3)
    origin = find_origin(file)
    assert origin.content == TEXT.encode()
    assert origin.path == 'skills/ti "dy" 茶/SKILL.md'
    assert file_at_commit(file, origin.commit) == (origin.commit, TEXT.encode())
    assert file_at_commit(file, "HEAD~1")[1] == TEXT.encode()


def test_origin_stops_at_copies(repository):
    """A skill that began as a copy of another one began with that copy."""
    _commit(repository, "skills/tidy/SKILL.md", TEXT, day=1)
    _commit(repository, "skills/tidy/SKILL.md", TEXT + "Old.\n", day=2)
    file = _commit(repository, "skills/neat/SKILL.md", TEXT + "Old.\n", day=3)
    file = _commit(repository, "skills/neat/SKILL.md", TEXT + "Newer.\n", day=4)
    origin = find_origin(file)
    assert origin.content == (TEXT + "Old.\n").encode()
    assert origin.at.day == 3


def test_origin_deleted_and_added_again(repository):
    """A file that was deleted for a while began when it was added first."""
    file = _commit(repository, "skills/tidy/SKILL.md", TEXT, day=1)
    git(repository, "rm", "--quiet", "skills/tidy/SKILL.md")
    git(repository, "commit", "--quiet", "--message", "gone", day=2)
    file = _commit(repository, "skills/tidy/SKILL.md", "quite another text\n", day=3)
    assert find_origin(file).content == TEXT.encode()


def test_origin_in_a_shallow_clone_says_so(repository, tmp_path_factory):
    """A shallow clone has an origin, and says that there may be an older one."""
    _commit(repository, "skills/tidy/SKILL.md", TEXT, day=1)
    _commit(repository, "skills/tidy/SKILL.md", TEXT + "More.\n", day=2)
    clone = tmp_path_factory.mktemp("clone") / "kit"
    git(repository, "clone", "--quiet", "--depth", "1", f"file://{repository}", str(clone))
    origin = find_origin(clone / "skills" / "tidy" / "SKILL.md")
    assert origin.shallow
    assert origin.content == (TEXT + "More.\n").encode()


def test_origin_without_history(tmp_path, repository):
    """No repository, or a file that was never committed: none."""
    (repository / "SKILL.md").write_text(TEXT)
    assert find_origin(repository / "SKILL.md") is None
    assert find_origin(tmp_path / "nowhere" / "SKILL.md") is None


def test_file_at_no_commit(repository):
    """What is no commit, or an option, or a commit without the file, gives nothing."""
    _commit(repository, "README.md", "hello", day=1)
    file = _commit(repository, "skills/tidy/SKILL.md", TEXT, day=2)
    for revision in ("--output=x", "-p", "nope", "HEAD~1", "HEAD:README.md", "$(touch x)", "a" * 300, ""):
        assert file_at_commit(file, revision) is None
    assert not (file.parent / "x").exists()


def test_commit_file_leaves_all_else_staged(repository):
    """One commit of that file only; other staged files stay staged, and no hook runs."""
    file = _commit(repository, "skills/tidy/SKILL.md", TEXT, day=1)
    hook = repository / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    (repository / "other.txt").write_text("other")
    git(repository, "add", "other.txt")
    file.write_text(TEXT + "More.\n")
    result = commit_file(file, "Refine the skill tidy")
    assert result.commit == git(repository, "rev-parse", "HEAD")
    assert git(repository, "show", "--name-only", "--format=%s", "HEAD").split("\n\n") == [
        "Refine the skill tidy",
        "skills/tidy/SKILL.md",
    ]
    assert git(repository, "diff", "--cached", "--name-only") == "other.txt"


def test_commit_file_new_or_nowhere(repository, tmp_path_factory):
    """A file that git does not know yet is added; without a repository, or a change, the reason is told."""
    _commit(repository, "README.md", "hello", day=1)
    file = repository / "SKILL.md"
    file.write_text(TEXT)
    assert commit_file(file, "new").commit
    assert commit_file(file, "again").problem.startswith("nothing to commit")
    alone = tmp_path_factory.mktemp("alone") / "SKILL.md"
    alone.write_text(TEXT)
    assert commit_file(alone, "x").problem == "there is no git repository here"


def test_commit_file_in_an_empty_repository(repository):
    """The first commit of a repository may be that of a skill."""
    (repository / "SKILL.md").write_text(TEXT)
    assert commit_file(repository / "SKILL.md", "first").commit == git(repository, "rev-parse", "HEAD")
    assert git(repository, "status", "--porcelain", "SKILL.md") == ""


def test_commit_file_is_not_led_elsewhere_by_the_environment(repository, tmp_path_factory, monkeypatch, capfd):
    """``GIT_DIR`` and its like, as they stand while a hook runs, do not lead to another repository."""
    other = tmp_path_factory.mktemp("other")
    git(other, "init", "--quiet")
    file = _commit(repository, "skills/tidy/SKILL.md", TEXT, day=1)
    for name, value in {"DIR": ".git", "WORK_TREE": ".", "INDEX_FILE": ".git/index"}.items():
        monkeypatch.setenv(f"GIT_{name}", str(other / value))
    file.write_text(TEXT + "More.\n")
    assert commit_file(file, "Refine").commit == git(repository, "rev-parse", "HEAD")
    assert find_origin(file).content == TEXT.encode()
    assert not (other / ".git" / "index").exists()
    assert commit_file(file, "Refine").problem.startswith("nothing to commit")
    assert capfd.readouterr() == ("", "")


def test_commit_file_runs_no_filter_or_hook(repository):
    """No filter of any file and no hook is run; a file that a filter belongs to is not committed."""
    marker, trap = repository / "ran", repository / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n")
    trap.chmod(0o755)
    file = _commit(repository, "skills/tidy/SKILL.md", TEXT, day=1)
    (repository / "other.txt").write_text("one")
    git(repository, "add", "other.txt")
    git(repository, "config", "filter.x=y.z.clean", str(trap))
    git(repository, "config", "filter.x=y.z.required", "true")
    for name in ("pre-commit", "post-commit", "reference-transaction", "post-index-change", "commit-msg"):
        hook = repository / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(trap.read_text())
        hook.chmod(0o755)
    (repository / ".gitattributes").write_text("other.txt filter=x=y.z\n")
    (repository / "other.txt").write_text("two")
    file.write_text(TEXT + "More.\n")
    assert commit_file(file, "Refine").commit
    (repository / ".gitattributes").write_text("* filter=x=y.z\n")
    file.write_text(TEXT + "Even more.\n")
    assert "filter" in commit_file(file, "Refine").problem
    assert not marker.exists()
