"""The git history of a skill's file: which text it had at what time, and one commit of it. The one place that runs git.

Every call is a list of arguments, none goes through a shell. ``GIT_*`` variables are not handed on, so none leads to
another repository. No hook, filter, signing program or transport that a repository's settings name is run: reading
takes blobs as they are stored, a commit is made of plumbing, and a file that a filter belongs to is not committed.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Mapping
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
_QUIET: Final = (
    *("--literal-pathspecs", "-c", "log.showSignature=false", "-c", "core.fsmonitor=false"),
    *("-c", f"core.hooksPath={os.devnull}"),
)
"""Nothing that a repository's own settings name is run."""
_OURS: Final[Mapping[str, str]] = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}
"""The environment of every call beside the person's own without ``GIT_*``; objects a clone lacks are not fetched."""

_COMMIT: Final = re.compile(r"\x01(?P<commit>[0-9a-f]{40,64}) (?P<stamp>\d+)\0(?P<rest>[^\x01]*)")
_REVISION: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./~^@{}-]{0,199}")
_NO_FILTER: Final = ("unspecified", "unset", "set")
"""Values of the attribute ``filter`` that name no filter."""


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
    top = _git(path.parent, "rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape").removesuffix("\n")
    if not top:
        return CommitResult("", "there is no git repository here")
    prefix = _git(path.parent, "rev-parse", "--show-prefix").decode("utf-8", "surrogateescape").removesuffix("\n")
    try:
        return CommitResult(_commit(Path(top), prefix + path.name, message))
    except _CommitError as error:
        return CommitResult("", str(error))


class _CommitError(Exception):
    """Why there is no commit, in one line."""


def _commit(top: Path, file: str, message: str) -> str:
    """The id of a commit of `file`, relative to the repository's `top`."""
    attribute = _ask(top, "check-attr", "-z", "filter", "--", file).split("\0")[2]
    if attribute not in _NO_FILTER:
        raise _CommitError(f"a filter of the repository ({attribute[:60]}) belongs to the file; commit it yourself")
    if _git(top, "rev-parse", "--verify", "--quiet", "MERGE_HEAD"):
        raise _CommitError("a merge is not finished in the repository; commit the file yourself")
    head = _git(top, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").decode("ascii", "replace").strip()
    blob = _ask(top, "hash-object", "-w", "--", file).strip()
    if blob.encode() == _git(top, "rev-parse", "--verify", "--quiet", f"HEAD:{file}").strip():
        raise _CommitError("nothing to commit: the repository has that text already")
    entry = ("update-index", "--add", "--cacheinfo", f"{_mode(top, file)},{blob},{file}")
    unfiltered = _no_filters(top)
    with tempfile.TemporaryDirectory(prefix="skilltune-") as folder:
        index = unfiltered | {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        _ask(top, "read-tree", *([head] if head else ["--empty"]), more=index)
        _ask(top, *entry, more=index)
        tree = _ask(top, "write-tree", more=index).strip()
    commit = _ask(top, "commit-tree", *(["-p", head] if head else []), "-m", message, tree).strip()
    _ask(top, *entry, more=unfiltered)
    _ask(top, "update-ref", "-m", f"commit: {message}", "HEAD", commit, head or "0" * len(commit))
    return commit


def _mode(top: Path, file: str) -> str:
    """The mode of a file as the repository has it, else as the disk has it."""
    known = _git(top, "ls-files", "--stage", "--", file)[:6].decode("ascii", "replace")
    if known in ("100644", "100755"):
        return known
    return "100755" if os.access(top / file, os.X_OK) else "100644"


def _no_filters(top: Path) -> dict[str, str]:
    """Settings that switch every filter off: writing an index looks at files that were staged a moment ago."""
    listed = _git(top, "config", "--name-only", "-z", "--get-regexp", r"^filter\.").decode("utf-8", "surrogateescape")
    names = sorted({name.rpartition(".")[0] for name in listed.split("\0") if name})
    off = {"clean": "", "smudge": "", "process": "", "required": "false"}
    pairs = [(f"{name}.{key}", value) for name in names for key, value in off.items()]
    found = {"GIT_CONFIG_COUNT": str(len(pairs))}
    for number, (key, value) in enumerate(pairs):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found


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


def _ask(folder: Path, *arguments: str, more: Mapping[str, str] | None = None) -> str:
    """What git prints in `folder`."""
    done = _run(folder, *arguments, more=more)
    if done is None or done.returncode:
        raise _CommitError(_said(done))
    return done.stdout.decode("utf-8", "surrogateescape")


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


def _run(
    folder: Path, *arguments: str, more: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[bytes] | None":
    """How a run of git in `folder` ended; None where it could not be run. `more` goes into its environment."""
    own = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    try:
        return subprocess.run(  # noqa: S603  # an argument list, no shell
            ["git", "-C", str(folder), *_QUIET, *arguments],  # noqa: S607  # the person's own git
            env={**own, **_OURS, **(more or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
