"""An invented home with skills, and people who correct them, for the tests of refinement."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from skilltune.evolution.approvals import Approval, decide
from skilltune.evolution.suggestions import Suggestion
from skilltune.refining import clock
from skilltune.refining.applying import Applied, apply_refinement
from skilltune.refining.suggesting import suggest
from skilltune.stores.ledger import find_ledger

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
CLOCK = datetime(2099, 1, 1, tzinfo=UTC)
"""What the machine's clock says, so that tests may go on in time."""
SKILL = "lint-on-save"
HEAD = "---\nname: lint-on-save\ndescription: Use when files are saved.\n---\n"
BODY = (
    "# Lint on save\n\nRun npx eslint --fix . after every save and read what it says before going on.\n\n"
    "## Rules\n\nUse tabs in the source files. Keep the lines short, name things in full, and leave the generated\n"
    "files alone. Report what could not be mended at the end, in a list, with the file and the line of each.\n"
    "Ask before a rule is switched off. Never commit on behalf of the person, whatever the linter says about it.\n"
)
FIX = ("npx eslint --fix .", "npx eslint --fix --ext .ts .")
TABS = ("Use tabs", "Use spaces")


@dataclass
class Home:
    """A person's folders: Claude Code's, and one or two workspaces."""

    folder: Path
    skill: str = SKILL
    """What its skill is called now."""

    @property
    def claude(self) -> Path:
        """Claude Code's folder."""
        return self.folder / "claude"

    @property
    def file(self) -> Path:
        """The skill's file."""
        return self.claude / "skills" / self.skill / "SKILL.md"

    @property
    def log(self) -> Path:
        """The audit log."""
        return self.claude / ".audit-log.jsonl"

    @property
    def head(self) -> Path:
        """The audit log's head."""
        return self.claude / ".skill-snapshots" / "head.json"

    def lose_history(self) -> None:
        """Take log and head away, so that nothing tells that there was any."""
        self.log.unlink()
        self.head.unlink()

    def workspace(self, name: str = "one") -> Path:
        """A workspace's folder."""
        return self.folder / name / ".skilltune"

    def write(self, content: bytes | str) -> None:
        """Put the skill's file there, as an editor does."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(content.encode() if isinstance(content, str) else content)

    def correct(
        self, original: str, corrected: str, *, times: int = 3, workspace: str = "one", at: datetime = NOW
    ) -> None:
        """Record a correction in so many sessions."""
        ledger = find_ledger(self.workspace(workspace))
        for number in range(times):
            ledger.record_correction(
                self.skill, original=original, corrected=corrected, session_id=f"s{number}", at=at - timedelta(hours=1)
            )

    def suggest(self, *, workspace: str = "one", at: datetime = NOW, **more) -> Suggestion:
        """The suggestion now."""
        return suggest(self.skill, workspace=self.workspace(workspace), as_of=at, **more)

    def apply(
        self,
        suggestion: Suggestion | None = None,
        *,
        approval: Approval | None = None,
        workspace: str = "one",
        at: datetime = NOW,
        **more,
    ) -> Applied:
        """Approve a suggestion, the one of now by default, and apply it."""
        suggestion = suggestion or self.suggest(workspace=workspace, at=at)
        approval = approval or approve(suggestion, at=at)
        return apply_refinement(suggestion, approval=approval, workspace=self.workspace(workspace), as_of=at, **more)


def approve(
    suggestion: Suggestion, *, at: datetime = NOW, decision="approve", how="terminal", note: str = ""
) -> Approval:
    """A person's decision."""
    return decide(suggestion, decision=decision, reviewer="ada", at=at, how=how, note=note)


def make_home(folder: Path, monkeypatch: pytest.MonkeyPatch, *, content: bytes | str = HEAD + BODY) -> Home:
    """A home with one skill, its folders those that skilltune finds."""
    home = Home(folder)
    home.write(content)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home.claude))
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.chdir(folder)
    monkeypatch.setattr(clock, "read_clock", lambda: CLOCK)
    return home


def days(count: float) -> timedelta:
    """So many days."""
    return timedelta(days=count)


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder but locks, by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".lock" and ".git" not in path.parts
    }
