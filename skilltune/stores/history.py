"""The git history of a skill's file: which text it had at what time, and one commit of it. The one place that runs git.

Every call is a list of arguments, none goes through a shell; what a repository's settings name is not run.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from skilltune.mining.digests import skill_digest

__all__ = [
    "CommitResult",
    "Origin",
    "SkillText",
    "commit_file",
    "digest_at",
    "file_at_commit",
    "find_origin",
    "read_history",
]

COMMITS: Final = 200
"""Commits of one file that are looked at, the newest."""
_SECONDS: Final = 20
_QUIET: Final = ("--literal-pathspecs", "-c", "log.showSignature=false", "-c", "core.fsmonitor=false")
"""Nothing that a repository's own settings name is run."""


_COMMIT: Final = re.compile(r"\x01(?P<commit>[0-9a-f]{40,64}) (?P<stamp>\d+)\0(?P<rest>[^\x01]*)")
_REVISION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./~^@{}-]{0,199}")
_UNUSED: Final = ("-c", f"core.hooksPath={os.devnull}", "-c", "commit.gpgSign=false")
"""For a commit: no hooks, which could change the file or never end, and no program that signs."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The oldest commit that added a skill's file, and the bytes it had there."""

    commit: str
    at: datetime
    content: bytes
    path: str
    """Its path then, from the top of the repository."""
    shallow: bool
    """The clone is shallow: there may be older commits that it does not have."""


@dataclass(frozen=True, slots=True)
class CommitResult:
    """What came of a commit: its id, or '' and the reason."""

    commit: str
    problem: str = ""


class _Step(NamedTuple):
    """One commit of a file, and the path it had there."""

    commit: str
    at: datetime
    path: str
    status: str
    """``A`` added, ``C`` copied from another file, ``R`` renamed, ``M`` changed, ``D`` deleted."""


class SkillText(NamedTuple):
    """A text that a skill's file had from one commit to the next."""

    since: datetime
    digest: str
    """As ``skill_digest`` gives it."""


def read_history(path: Path) -> list[SkillText]:
    """The committed texts of the file at `path`, oldest first; none where git, a repository or a commit is missing."""
    name = path.name
    log = _git(path.parent, "log", f"-n{COMMITS}", "--format=%H %ct", "--", name)
    commits = [line.split() for line in log.decode("ascii", "replace").splitlines()]
    texts = [
        SkillText(datetime.fromtimestamp(int(stamp), UTC), skill_digest(blob.decode("utf-8", "replace")))
        for commit, stamp in reversed(commits)
        if (blob := _git(path.parent, "cat-file", "blob", f"{commit}:./{name}"))
    ]
    return sorted(texts, key=lambda text: text.since)


def digest_at(history: list[SkillText], at: datetime) -> str:
    """The digest of the text that was in force at `at`; '' before the first."""
    return next((text.digest for text in reversed(history) if text.since <= at), "")


def find_origin(path: Path) -> Origin | None:
    """The oldest commit that added the file at `path` (no link); None where git, a repository or a commit is missing.

    Renames are followed back; where the file began as a copy of another one, that copy is where it began.
    """
    steps = _steps(path)
    if not steps:
        return None
    first = next((step for step in reversed(steps) if step.status != "D"), None)
    content = _blob(path.parent, first) if first else None
    if first is None or content is None:
        return None
    shallow = _git(path.parent, "rev-parse", "--is-shallow-repository").strip() == b"true"
    return Origin(first.commit, first.at, content, first.path, shallow)


def file_at_commit(path: Path, revision: str) -> tuple[str, bytes] | None:
    """The whole id of a commit and the bytes that the file at `path` (no link) had in it, under its name of then.

    None where there is no such commit, or the file is not in it.
    """
    if not _REVISION.fullmatch(revision):
        return None
    folder = path.parent
    commit = (
        _git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode("ascii", "replace").strip()
    )
    if not commit:
        return None
    step = next((step for step in _steps(path) if step.commit == commit and step.status != "D"), None)
    if step is not None:
        content = _blob(folder, step)
        return None if content is None else (commit, content)
    found = _run(folder, "cat-file", "blob", f"{commit}:./{path.name}")
    return (commit, found.stdout) if found is not None and found.returncode == 0 else None


def commit_file(path: Path, message: str) -> CommitResult:
    """Commit the file at `path` (no link) as it is on disk, and nothing else; what else is staged stays staged."""
    folder, name = path.parent, path.name
    if _git(folder, "rev-parse", "--is-inside-work-tree").strip() != b"true":
        return CommitResult("", "there is no git repository here")
    if not _git(folder, "ls-files", "--", name):
        added = _run(folder, "add", "--", name)
        if added is None or added.returncode:
            return CommitResult("", _said(added))
    done = _run(folder, *_UNUSED, "commit", "--quiet", "--only", "--message", message, "--", name)
    if done is None or done.returncode:
        return CommitResult("", _said(done))
    return CommitResult(_git(folder, "rev-parse", "HEAD").decode("ascii", "replace").strip())


def _steps(path: Path) -> list[_Step]:
    """The commits of a file, the newest first, renames followed, no further than where it began as a copy."""
    listed = _git(path.parent, "log", "--follow", "-z", "--name-status", "--format=%x01%H %ct", "--", path.name)
    steps: list[_Step] = []
    for match in _COMMIT.finditer(listed.decode("utf-8", "surrogateescape")):
        parts = match["rest"].strip("\n").split("\0")
        if len(parts) < 2 or not parts[0]:
            continue
        status = parts[0].lstrip("\n")[:1]
        file = parts[2] if status in ("C", "R") and len(parts) > 2 else parts[1]
        steps.append(_Step(match["commit"], datetime.fromtimestamp(int(match["stamp"]), UTC), file, status))
        if status == "C":
            break
    return steps


def _blob(folder: Path, step: _Step) -> bytes | None:
    found = _run(folder, "cat-file", "blob", f"{step.commit}:{step.path}")
    return found.stdout if found is not None and found.returncode == 0 else None


def _said(done: "subprocess.CompletedProcess[bytes] | None") -> str:
    """What git said of a failure, in one line."""
    if done is None:
        return "git could not be run"
    lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
    return lines[0][:200] if lines else f"git ended with {done.returncode}"


def _git(folder: Path, *arguments: str) -> bytes:
    """What git prints in `folder`; b"" where it fails."""
    done = _run(folder, *arguments)
    return done.stdout if done is not None and done.returncode == 0 else b""


def _run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[bytes] | None":
    """How a run of git in `folder` ended; None where it could not be run."""
    environment = os.environ | {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        return subprocess.run(  # noqa: S603  # an argument list, no shell
            ["git", "-C", str(folder), *_QUIET, *arguments],  # noqa: S607  # the person's own git
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
