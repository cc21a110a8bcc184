"""The git history of a skill's file: which text it had at what time. The one place that runs git."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from skilltune.mining.digests import skill_digest

__all__ = ["SkillText", "digest_at", "read_history"]

COMMITS: Final = 200
"""Commits of one file that are looked at, the newest."""
_SECONDS: Final = 20
_QUIET: Final = ("-c", "log.showSignature=false", "-c", "core.fsmonitor=false")
"""Nothing that a repository's own settings name is run."""


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


def _git(folder: Path, *arguments: str) -> bytes:
    """What git prints in `folder`; b"" where it fails."""
    environment = os.environ | {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(  # noqa: S603  # an argument list, no shell
            ["git", "-C", str(folder), *_QUIET, *arguments],  # noqa: S607  # the person's own git
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return b""
    return done.stdout if done.returncode == 0 else b""
