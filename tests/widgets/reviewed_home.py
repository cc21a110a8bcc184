"""An invented home with four skills: two with corrections that repeat, one with a conflict, one with complaints."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from skilltune.stores.ledger import find_ledger
from skilltune.workflow import collect
from tests.sources.claude_code.building import SKILL_BODY, Transcript, write

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
MIGRATIONS = """# SQL migrations

Write one migration a change, and name it after what it does.

## Writing

Add a down migration where possible. Create indexes with CREATE INDEX.
Drop unused columns at once. Keep data changes and schema changes in files of their own, so that either can be run
again by itself. Give every constraint a name, and say in a comment why a column may be empty.

## Before it is merged

Run the whole set on an empty database, and on a copy with real amounts of rows. Note how long each one took, and
which tables were locked in the meantime. Ask the owner of a table before its type is changed.
"""
CHANGES = (
    (
        "Add a down migration where possible.",
        "Always add a down migration, and run it once on test data.",
        ("7f3a", "c02e", "91bd", "44e1", "7f3a"),
    ),
    ("with CREATE INDEX.", "with CREATE INDEX CONCURRENTLY, outside a transaction.", ("c02e", "44e1", "91bd")),
    ("Drop unused columns at once.", "Drop unused columns one release later.", ("91bd", "7f3a")),
)
LINT = (
    "# Lint on save\n\nRun npx eslint --fix . after every save and read what it says before going on. Leave the\n"
    "generated files alone, and report what could not be mended at the end, with the file and the line of each.\n"
)
FIX = ("npx eslint --fix .", "npx eslint --fix --ext .ts .")
DESCRIBE = (
    "# Pull requests\n\nWrite a short summary. List the files that changed, and say how the change was tested. Link\n"
    "the issue it belongs to, and name the people who should look at it first.\n"
)
SHORT, LONG = "Write a short summary.", "Write a long summary."
ENDPOINTS = (
    "# API docs\n\nDescribe every endpoint with its parameters, what it answers, and who may call it. Say since which\n"
    "version it is there. Name the limits of each parameter.\n\n## Examples\n\nGive an example of each call, with its "
    "answer.\n"
)
COMPLAINTS = (
    "No, that is wrong: the example for the expired token is missing.",
    "That's wrong. You left out the example of the expired token again.",
    "不对，过期令牌的示例又漏了，example for expired token 在哪里？",
    "No, the expired token still has no example.",
)


def write_skill(home: Path, name: str, body: str) -> Path:
    """A user's skill; its file."""
    path = home / ".claude" / "skills" / name / "SKILL.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\nname: {name}\ndescription: Use for {name}.\n---\n{body}", encoding="utf-8")
    return path


def correct(home: Path, skill: str, original: str, corrected: str, *sessions: str, at: datetime = NOW) -> None:
    """Record a correction once in each session, a day apart, the last one an hour ago."""
    ledger = find_ledger(home / ".skilltune")
    for number, session in enumerate(reversed(sessions)):
        when = at - timedelta(days=3 * number, hours=1)
        ledger.record_correction(skill, original=original, corrected=corrected, session_id=session, at=when)


def write_lint(home: Path, *, times: int = 3, at: datetime = NOW) -> Path:
    """One skill with a correction in so many sessions; its file."""
    path = write_skill(home, "lint-on-save", LINT)
    correct(home, "lint-on-save", *FIX, *(f"s{number}" for number in range(times)), at=at)
    return path


def write_review(home: Path, *, at: datetime = NOW) -> None:
    """All four skills."""
    write_skill(home, "sql-migrations", MIGRATIONS)
    for original, corrected, sessions in CHANGES:
        correct(home, "sql-migrations", original, corrected, *sessions, at=at)
    write_lint(home, at=at)
    write_skill(home, "pr-description", DESCRIBE)
    correct(home, "pr-description", SHORT, LONG, "p1", "p2", "p3", at=at - timedelta(days=5))
    correct(home, "pr-description", LONG, SHORT, "p4", "p5", at=at)
    write_complaints(home)


def write_complaints(home: Path, *, texts: tuple[str, ...] = COMPLAINTS, skill: str = "api-docs") -> None:
    """A skill about whose uses people complain, mined into the workspace's log."""
    write_skill(home, skill, ENDPOINTS)
    projects = home / ".claude" / "projects"
    for number, text in enumerate(texts):
        told = Transcript(f"a{number}", start=number * 20, prefix=f"a{number}-")
        told.user("Describe the orders endpoint.").call("Skill", skill=skill).result()
        told.meta(SKILL_BODY).call("Edit", "t2", file_path="orders.md").result("ok", "t2").agent("I described it.")
        told.user(text).agent("You are right, I change that.").user("Thanks.").agent("Done.")
        write(projects / "-home-dev-shop" / f"a{number}.jsonl", told)
    collect(projects, workspace=home / ".skilltune")
