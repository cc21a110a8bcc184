"""Rolling back: exact bytes, a new number, what others staged or edited left alone."""

import pytest

from skilltune.errors import CooldownError, DamagedError, InputError, NoEffectError, OutsideEditError
from skilltune.refining import clock
from skilltune.refining.rolling import rollback
from skilltune.refining.telling import drift_of, history_of
from skilltune.stores.audit import AuditLog
from tests.refining.homes import BODY, FIX, HEAD, NOW, SKILL, TABS, days, tree
from tests.stores.test_snapshots import git


@pytest.mark.parametrize(
    "content",
    [
        (HEAD + BODY).encode(),
        (HEAD + BODY).replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + (HEAD + BODY.rstrip("\n")).encode(),
        (HEAD + BODY).encode() + b"\xff\xfe odd \x00 bytes",
        BODY.encode(),
    ],
    ids=["plain", "crlf", "bom, no final newline", "no UTF-8", "no head"],
)
def test_rollback_restores_exact_bytes(home, content):
    """Refined and rolled back without git, the file is byte for byte what it was, under a new version number."""
    home.write(content)
    home.correct(*FIX)
    home.apply()
    assert home.file.read_bytes() != content
    done = rollback(SKILL, reviewer="ada", note="worse", as_of=NOW)
    assert home.file.read_bytes() == content
    assert (done.version, done.entry["toVersion"], done.entry["undone"]) == (3, 1, [2])
    assert drift_of(SKILL).percent == 0
    assert drift_of(SKILL).measure.path_percent > 0


def test_rollback_to_any_version_forth_and_back(home):
    """Every version can be put back; the numbers go on."""
    home.correct(*FIX)
    home.apply()
    second = home.file.read_bytes()
    home.correct(*TABS, at=NOW + days(7))
    home.apply(at=NOW + days(7))
    third = home.file.read_bytes()
    for to, expected in ((1, (HEAD + BODY).encode()), (3, third), ("2", second)):
        rollback(SKILL, to=to, as_of=NOW + days(8))
        assert home.file.read_bytes() == expected
    numbers = [version.number for version in history_of(SKILL).versions]
    assert numbers == [1, 2, 3, 4, 5, 6]
    with pytest.raises(NoEffectError):
        rollback(SKILL, to=2, as_of=NOW)
    with pytest.raises(InputError, match="1, 2, 3, 4, 5, 6"):
        rollback(SKILL, to=9, as_of=NOW)


def test_rollback_of_nothing(home):
    """What was never refined cannot be rolled back."""
    with pytest.raises(NoEffectError, match="never refined"):
        rollback(SKILL, as_of=NOW)


def test_rollback_is_remembered(home):
    """What was rolled back is not proposed again until three new corrections say it; the cooldown stays."""
    home.correct(*FIX)
    home.apply()
    rollback(SKILL, as_of=NOW)
    assert not home.suggest(at=NOW + days(8)).chosen
    home.correct(*FIX, times=2, at=NOW + days(8))
    assert not home.suggest(at=NOW + days(8)).chosen
    home.correct(*FIX, times=1, at=NOW + days(8))
    with pytest.raises(CooldownError):
        home.apply(at=NOW + days(6))
    home.apply(at=NOW + days(8))


def test_rollback_never_overwrites_outside_edits_silently(home):
    """Edits made outside are told; only with an allowance are they replaced, and then kept as a version."""
    home.correct(*FIX)
    home.apply()
    edited = home.file.read_bytes() + b"By hand.\n"
    home.write(edited)
    before = tree(home.folder)
    assert drift_of(SKILL).outside_edit
    with pytest.raises(OutsideEditError):
        rollback(SKILL, as_of=NOW)
    assert tree(home.folder) == before
    done = rollback(SKILL, over_outside_edits=True, as_of=NOW)
    assert home.file.read_text() == HEAD + BODY
    assert done.version == 4
    assert [version.type for version in history_of(SKILL).versions][-2:] == ["outside_edit", "rollback"]
    rollback(SKILL, to=3, as_of=NOW)
    assert home.file.read_bytes() == edited


def test_rollback_damaged_snapshot(home):
    """A snapshot that was changed is not put in place."""
    home.correct(*FIX)
    home.apply()
    digest = history_of(SKILL).versions[0].digest
    (home.claude / ".skill-snapshots" / f"{digest}.md").write_text("forged")
    before = home.file.read_bytes()
    with pytest.raises(DamagedError):
        rollback(SKILL, as_of=NOW)
    assert home.file.read_bytes() == before
    assert drift_of(SKILL).status == "no_baseline"


@pytest.fixture
def repository(home):
    """The home's skills in a git repository, the first text committed."""
    git(home.claude, "init", "--quiet")
    git(home.claude, "config", "user.name", "ada")
    git(home.claude, "config", "user.email", "ada@example.org")
    git(home.claude, "add", "skills")
    git(home.claude, "commit", "--quiet", "--message", "first")
    return home.claude


def test_rollback_to_a_version_that_a_stamp_made(home):
    """A version as large as a date, from the stamp of a file, is a version and no commit."""
    home.write(HEAD.replace("description", "metadata:\n  version: 20250615\ndescription") + BODY)
    before = home.file.read_bytes()
    version = drift_of(SKILL, as_of=NOW).version
    home.correct(*FIX)
    assert home.apply().version == version + 1
    rollback(SKILL, to=str(version), as_of=NOW)
    assert home.file.read_bytes() == before


def test_acts_of_the_future_are_refused(home, monkeypatch):
    """Neither apply nor rollback takes a time that is to come, or a cooldown would be over before its time."""
    monkeypatch.setattr(clock, "read_clock", lambda: NOW)
    home.correct(*FIX)
    home.apply(at=NOW + days(0.9))
    text = home.file.read_bytes()
    home.correct(*TABS)
    for act in (home.apply, lambda at: rollback(SKILL, as_of=at)):
        with pytest.raises(InputError, match="as_of is 2026-12-10"):
            act(at=NOW + days(10))
    assert home.file.read_bytes() == text


def test_rollback_with_commits_leaves_what_is_staged(home, repository):
    """With ``commit`` one commit of that file is made, by apply and rollback; what else is staged stays so."""
    home.correct(*FIX)
    (repository / "other.txt").write_text("other")
    git(repository, "add", "other.txt")
    done = home.apply(commit=True)
    assert done.commit.commit == git(repository, "rev-parse", "HEAD")
    rollback(SKILL, to=git(repository, "rev-parse", "HEAD~1"), commit=True, as_of=NOW)
    assert home.file.read_text() == HEAD + BODY
    path = f"skills/{SKILL}/SKILL.md"
    assert git(repository, "log", "--format=", "--name-only", "-n2").split() == [path, path]
    assert git(repository, "diff", "--cached", "--name-only") == "other.txt"
    assert git(repository, "status", "--porcelain", path) == ""
    assert AuditLog(home.claude).read()[-1]["undone"] == [2]


def test_rollback_without_commit_touches_no_index(home, repository):
    """Without ``commit`` git is as it was, but for the file itself."""
    index = (repository / ".git" / "index").read_bytes()
    home.correct(*FIX)
    home.apply()
    rollback(SKILL, to="HEAD", as_of=NOW)
    assert home.file.read_text() == HEAD + BODY
    assert (repository / ".git" / "index").read_bytes() == index
    with pytest.raises(InputError, match="no version or commit"):
        rollback(SKILL, to="--help", as_of=NOW)


def test_rollback_commit_without_git_is_told(home):
    """Where there is no repository the act is done, and the missing commit told."""
    home.correct(*FIX)
    done = home.apply(commit=True)
    assert done.commit.problem in done.notes


def test_baseline_from_git(home, repository):
    """A skill with a history is measured against its first commit, from the first sight on."""
    home.write(HEAD + BODY + "Something new at the end of it all.\n")
    found = drift_of(SKILL, as_of=NOW)
    assert found.baseline.source == "git"
    assert found.baseline.commit == git(repository, "rev-parse", "HEAD")
    assert found.percent > 5
