"""The truth beside the sample: it points at what is there, and the proportions are the designed ones."""

import json
import re
from collections import Counter
from datetime import datetime

import pytest

from skilltune.sample import sample_end, sample_root

from .reading import counted_uses, line_of, records, sessions, truth
from .skills import SKILLS

RECENT, PRIOR = "2026-10-31", "2026-10-01"
MAIL = re.compile(rb"[\w.+-]{1,64}@[\w-]+\.[\w.]+")
SECRET = re.compile(
    rb"AKIA[0-9A-Z]{16}|gh[pousr]_\w{30,}|sk-[\w-]{16,}|xox[abp]-\w+|eyJ[\w-]{10,}\.|-----BEGIN|(?i:password)\s*[=:]\s*\S"
)


def rate(rows: list[dict]) -> float:
    """Correction rate of rows: corrections and half the partials over what was judged."""
    weights = {"correction": 1.0, "partial": 0.5, "acceptance": 0.0}
    judged = [weights[row["outcome"]] for row in rows if row["outcome"] in weights]
    return sum(judged) / len(judged)


def of(skill_id: str, *, since: str = "", until: str = "9") -> list[dict]:
    """Counted uses of a skill between two dates."""
    return [row for row in counted_uses() if row["skill_id"] == skill_id and since <= row["timestamp"] < until]


def test_truth_points_at_the_uses():
    """Each line named holds the id, the session, the skill's name and the time of its use."""
    for row in truth():
        line = line_of(row).decode(errors="replace")
        said = (row["id"], row["session"], row["skill_id"].rpartition(":")[2], row["timestamp"].removesuffix("Z"))
        assert [part for part in said if part not in line] == [], row


def test_truth_has_unique_ids():
    """No two uses share id and skill."""
    assert max(Counter((row["id"], row["skill_id"]) for row in truth()).values()) == 1


def test_truth_words_are_known():
    """Outcomes, kinds, reasons and dimensions fit together."""
    for row in counted_uses():
        outcome = row["outcome"]
        assert (outcome == "none") == ("reason" in row and "turn" not in row), row
        assert ("acceptance" in row) == (outcome == "acceptance")
        assert ("correction_type" in row) == ("dimension" in row) == (outcome in ("correction", "partial"))
        assert row.get("turn", 1) in (1, 2, 3)


def test_truth_digests_are_those_of_the_bodies():
    """Each digest is that of a version of the skill, and both versions of the edited ones occur."""
    seen = {(row["skill_id"], row["skill_digest"]) for row in truth() if "skill_digest" in row}
    assert seen == {
        (skill.id, skill.digest(version)) for skill in SKILLS.values() for version in range(len(skill.bodies))
    }


def test_sample_covers_twelve_whole_weeks():
    """Every ISO week from 37 to 48 has uses, and none lies outside."""
    stamps = [datetime.fromisoformat(row["timestamp"]) for row in truth()]
    assert {stamp.isocalendar().week for stamp in stamps} == set(range(37, 49))
    assert max(stamps) < sample_end()


def test_sample_has_the_designed_size():
    """About 300 uses of eight skills in about 150 sessions of six projects."""
    uses = counted_uses()
    assert 290 <= len(uses) <= 340
    assert 140 <= len({row["session"] for row in uses}) <= 170
    assert {row["skill_id"] for row in uses} == set(SKILLS)
    assert len({row["file"].split("/")[1] for row in uses}) == 6


def test_sample_has_believable_proportions():
    """Two thirds of the uses are judged at most; all kinds of outcome occur in believable numbers."""
    uses = counted_uses()
    counts = Counter(row["outcome"] for row in uses)
    assert 0.55 <= 1 - counts["none"] / len(uses) <= 0.67
    assert 0.25 <= rate(uses) <= 0.45
    kinds = Counter(row["correction_type"] for row in uses if "correction_type" in row)
    assert kinds["rejection"] > 3 * kinds["redo"]
    assert min(kinds["redo"], kinds["revert"], kinds["partial"]) >= 5
    acceptances = Counter(row["acceptance"] for row in uses if "acceptance" in row)
    assert min(acceptances.values()) >= 40
    turns = Counter(row["turn"] for row in uses if "turn" in row)
    assert turns[1] > 2 * turns[2] > 4 * turns[3] > 0


def test_one_skill_got_worse_and_one_better():
    """The edits of 26 October and 2 November move the rates the way the design says."""
    worse = [rate(of("schema-migrator", until="2026-10-26")), rate(of("schema-migrator", since="2026-10-26"))]
    assert worse[0] < 0.25
    assert worse[1] > 0.5
    better = [rate(of("report-builder", until="2026-11-02")), rate(of("report-builder", since="2026-11-02"))]
    assert better[0] > 0.5
    assert better[1] < 0.27


@pytest.mark.parametrize(("skill_id", "sign"), [("schema-migrator", 1), ("report-builder", -1)])
def test_change_of_thirty_days_is_clear(skill_id, sign):
    """The last 30 days differ from the 30 before by more than 2.5 standard errors."""
    windows = [of(skill_id, since=RECENT), of(skill_id, since=PRIOR, until=RECENT)]
    judged = [sum(row["outcome"] != "none" for row in rows) for rows in windows]
    recent, prior = (rate(rows) for rows in windows)
    error = (recent * (1 - recent) / judged[0] + prior * (1 - prior) / judged[1]) ** 0.5
    assert sign * (recent - prior) > 2.5 * error


@pytest.mark.parametrize("skill_id", ["test-scaffold", "ops:incident-notes", "changelog-writer"])
def test_steady_skills_stay_near_their_rate(skill_id):
    """The other skills do not move by more than 15 points."""
    assert abs(rate(of(skill_id, since=RECENT)) - rate(of(skill_id, since=PRIOR, until=RECENT))) < 0.15


def test_seldom_stale_and_new_skills():
    """One skill is seldom used, one not for six weeks, one first in the last week."""
    assert sum(row["outcome"] != "none" for row in of("license-audit")) < 5
    assert max(row["timestamp"] for row in of("sql-explainer")) < "2026-10-19"
    assert min(row["timestamp"] for row in of("pr-splitter")) >= "2026-11-23"


def test_skills_are_faulted_for_different_things():
    """The dimension named most often differs between the two skills with most complaints."""
    top = [
        Counter(row["dimension"] for row in of(skill_id) if row.get("dimension", "unknown") != "unknown").most_common(1)
        for skill_id in ("schema-migrator", "report-builder")
    ]
    assert top[0][0][0] == "coverage"
    assert top[1][0][0] in ("efficiency", "accuracy")
    dimensions = {row.get("dimension") for row in counted_uses()}
    assert dimensions >= {"accuracy", "coverage", "reliability", "efficiency", "security", "trigger_quality", "unknown"}


def test_some_uses_are_hard():
    """Of the judged uses, 8 to 15 in a hundred are beyond rules."""
    judged = [row for row in counted_uses() if row["outcome"] != "none"]
    assert 0.08 <= sum(row.get("hard", False) for row in judged) / len(judged) <= 0.15


def test_people_write_several_languages():
    """Simplified and traditional Chinese, mixed text, and two languages that no lexicon knows."""
    languages = Counter(row["language"] for row in counted_uses() if "language" in row)
    assert languages["zh"] >= 15
    assert min(languages[language] for language in ("zh-Hant", "mixed", "pl", "it")) >= 1
    unread = [row for row in counted_uses() if row.get("reason") == "language"]
    assert {row["language"] for row in unread} == {"pl", "it"}


def test_people_say_many_different_things():
    """At least 120 different texts were typed."""
    typed = set()
    for path in sessions():
        for record in records(path):
            if record.get("type") == "user" and {"permissionMode", "thinkingMetadata"} & set(record):
                typed.add(json.dumps(record["message"]["content"], sort_keys=True))
    assert len(typed) >= 250


def test_nothing_looks_like_a_real_secret():
    """The only mail address and key are the invented ones in one complaint."""
    content = b"".join(path.read_bytes() for path in sample_root().rglob("*") if path.suffix in (".jsonl", ".md"))
    assert set(MAIL.findall(content)) == {b"dana.reyes@example.org"}
    assert set(SECRET.findall(content)) == {b"AKIAZQ3EXAMPLE7RLK2V"}
