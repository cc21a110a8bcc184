"""Invented sessions in a home folder, to label: hundred turns after uses of two skills."""

from pathlib import Path

from tests.sources.claude_code.building import SKILL_BODY, Transcript, write

SAID = (
    "No, that is wrong: the down migration is missing.",
    "Looks good, thanks!",
    "Undo that, please.",
    "Great, but rename the column to external_ref.",
    "Is the new index used by the report, too?",
    "Hm. The report shows last month.",
)
"""What people say first, in turn."""
TRUTH = (
    ("correction", "rejection"),
    ("acceptance", None),
    ("correction", "revert"),
    ("partial", "partial"),
    ("none", None),
    ("correction", "rejection"),
)
"""What each of these is; of the last, nobody could tell by its words."""
THEN = "Thanks, perfect. Ship it."
KEY = "ghp_" + "a1B2c3D4e5" * 4
WROTE = "I wrote `0042_orders_ref.sql` and ran it."
HOSTILE = (
    "<script>window.__xss=1</script>",
    '"><img src=x onerror=window.__xss=1>',
    "</pre></style></details><svg onload=window.__xss=1>",
    "\u202egnp.exe \x1b[31m ${7*7} `<img src=x onerror=window.__xss=1>`",
    "/etc/passwd",
    "http://127.0.0.1:9/fetched",
    "W" * 3000,
    "数据库迁移不对" * 200,
)


def write_sessions(home: Path, *, uses: int = 50) -> Path:
    """Sessions of one use each, two turns after every one; the folder of projects."""
    projects = home / ".claude" / "projects"
    for number in range(uses):
        skill = ("sql-migrations", "api-docs")[number % 2]
        told = _use(f"s{number:03}", skill, number)
        told.user(SAID[number % len(SAID)]).agent("You are right, I change that.").user(THEN).agent("Shipped.")
        write(projects / "-home-dev-shop" / f"s{number:03}.jsonl", told)
    return projects


def write_secrets(home: Path) -> Path:
    """A session in which a key stands in the skill's name and in every text; it is ``KEY``."""
    told = Transcript("k", prefix="k-").user(f"Use {KEY} to deploy.").call("Skill", skill=f"de {KEY} ploy").result()
    told.call(f"mcp__{KEY}", "t2").result("ok", "t2").agent(f"Deployed with {KEY}.")
    told.user(f"No, that is wrong: {KEY} is the old key.").agent(f"I take back {KEY}.").user("Thanks, perfect.")
    return write(home / ".claude" / "projects" / "-home-dev-shop" / "k.jsonl", told).parent.parent


def write_hostile(home: Path) -> Path:
    """Sessions in which everything a person or an agent says would be code somewhere."""
    projects = home / ".claude" / "projects"
    for number, text in enumerate(HOSTILE):
        told = _use(
            f"h{number}", HOSTILE[0] if number == 0 else "tidy", number, words=HOSTILE[(number + 1) % len(HOSTILE)]
        )
        write(projects / "-home-dev-shop" / f"h{number}.jsonl", told.user(text).agent(HOSTILE[number - 1]))
    return projects


def _use(session: str, skill: str, number: int, *, words: str = WROTE) -> Transcript:
    told = Transcript(session, start=number * 20, prefix=f"{session}-")
    told.user("Add a unique index on orders(customer_id, external_ref).").call("Skill", skill=skill).result()
    told.meta(SKILL_BODY).call("Edit", "t2", file_path="0042_orders_ref.sql").result("ok", "t2")
    return told.agent(words)
