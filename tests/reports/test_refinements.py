"""What a report reads of refinement: real files, ledgers and audit logs; nothing written beside them."""

import re
from datetime import datetime, timedelta
from pathlib import Path

import pandas as pd
import pytest

from skilltune.analysis.isoweeks import iso_week
from skilltune.frames import to_frame
from skilltune.mining.digests import skill_digest
from skilltune.page.html import plain_text
from skilltune.page.refinement_summary import RefinementSummary
from skilltune.page.waiting import waiting_section, waiting_state
from skilltune.records import FeedbackEvent, Invocation
from skilltune.refining.candidates import find_candidates
from skilltune.refining.rolling import rollback
from skilltune.reports.refinements import logged_refinements, sample_refinements
from skilltune.reports.skill_drift import logged_drift
from skilltune.reports.weekly import read_weekly
from skilltune.sample import sample_end, sample_root
from skilltune.stores.candidates import Decision, find_candidate_log
from skilltune.stores.feedback import FeedbackLog
from skilltune.stores.ledger import find_ledger
from skilltune.stores.workspace import find_workspace
from skilltune.workflow import mine, read_sessions
from tests.analysis.invented import judged, use
from tests.refining.homes import BODY, FIX, HEAD, NOW, SKILL, TABS, Home, days, make_home, tree
from tests.stores.test_candidates import candidate, seen

WEEK = iso_week("2026-W48", time_zone="UTC")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home with one skill and nothing recorded."""
    return make_home(tmp_path, monkeypatch)


def looked_at(home: Home, *groups: list[FeedbackEvent], now: datetime = NOW, **options) -> RefinementSummary:
    """What a report of the home's first workspace sees."""
    events = [event for group in groups for event in group]
    options = {"week": WEEK, "min_invocations": 5, "now": now} | options
    return logged_refinements(
        home.workspace() / "feedback.jsonl",
        events=to_frame(events, FeedbackEvent),
        invocations=to_frame([use(of=event, project=str(home.folder)) for event in events], Invocation),
        **options,
    )


def spoken(outcomes: tuple[int, int, int], at: datetime, **fields) -> list[FeedbackEvent]:
    """Judged uses of the skill."""
    return judged(*outcomes, skill=SKILL, at=at, **fields)


def test_nothing_recorded_is_nothing(home: Home):
    """No ledger, no audit log: an empty summary, and nothing made."""
    before = tree(home.folder)
    found = looked_at(home)
    assert (found.skills, found.corrections, found.problems) == ((), 0, ())
    assert found.effects.empty
    assert found.ratings.empty
    assert tree(home.folder) == before


def test_suggestion_is_the_one_that_refine_makes(home: Home):
    """Same digest as asked for by hand; and looking at it takes no baseline, heals nothing, writes nothing."""
    home.correct(*FIX)
    before = tree(home.folder)
    skill = looked_at(home).skills[0]
    assert tree(home.folder) == before
    assert waiting_state(skill) == "ready"
    assert skill.suggestion.digest == home.suggest().digest
    assert skill.version == 1


def test_refinement_is_told_by_the_texts_of_uses(home: Home):
    """Uses with the old text after the change are on no side; the verdict; then the roll-back ends it."""
    home.correct(*FIX, at=NOW - days(20))
    home.apply(at=NOW - days(20))
    old, new = skill_digest(HEAD + BODY), skill_digest(home.file.read_text())
    events = [
        spoken((16, 0, 14), NOW - days(25), skill_digest=old),
        spoken((1, 0, 29), NOW - days(10), skill_digest=new),
        spoken((4, 0, 0), NOW - days(9), skill_digest=old),
    ]
    row = looked_at(home, *events).effects.iloc[0]
    assert row[["verdict", "n_before", "n_after", "n_other"]].tolist() == ["helped", 30, 30, 4]
    assert row[["version", "former", "kind", "skill_digest"]].tolist() == [2, 1, "refine", new]
    assert pd.isna(row["rolled_back"])
    rollback(SKILL, workspace=home.workspace(), as_of=NOW - days(10.5))
    found = looked_at(home, *events)
    assert found.effects.iloc[0][["verdict", "n_after"]].tolist() == ["too_early", 0]
    assert found.effects["rolled_back"].iloc[0] == NOW - days(10.5)
    assert found.marks["kind"].tolist() == ["refine", "rollback"]


def test_refinement_after_the_week_is_there_and_marked(home: Home):
    """A page of an earlier week shows it as later; one that is long past is in no table."""
    home.correct(*FIX, at=NOW - days(5))
    home.apply(at=NOW - days(5))
    early = looked_at(home, week=iso_week("2026-W45", time_zone="UTC"))
    assert early.effects["later"].tolist() == [True]
    assert looked_at(home).effects["later"].tolist() == [False]
    assert looked_at(home, now=NOW - days(6)).effects.empty
    assert looked_at(home, now=NOW - days(6)).marks.empty
    late = NOW + days(180)
    assert looked_at(home, week=iso_week("2027-W20", time_zone="UTC"), now=late).effects.empty


def test_texts_are_numbered_as_the_audit_log_has_them(home: Home):
    """The first seen text and each change, by the digest that uses know them by."""
    home.correct(*FIX, at=NOW - days(20))
    home.apply(at=NOW - days(20))
    texts = looked_at(home).texts
    assert texts["version"].tolist() == [1, 2]
    assert texts["skill_digest"].tolist() == [skill_digest(HEAD + BODY), skill_digest(home.file.read_text())]


def test_refinement_that_was_followed_by_another_text_ended(home: Home):
    """An edit from outside ends it, as a roll-back does, and is no roll-back."""
    home.correct(*FIX, at=NOW - days(20))
    home.apply(at=NOW - days(20))
    home.write(home.file.read_text() + "One more line.\n")
    home.correct(*TABS, at=NOW - days(9))
    home.apply(at=NOW - days(9))
    effects = looked_at(home).effects
    assert effects["replaced"].notna().tolist() == [False, True]
    assert effects["rolled_back"].isna().all()


def test_worse_refinement_goes_back_by_the_command_on_the_page(home: Home):
    """What the page proposes for a refinement that made it worse undoes it byte for byte."""
    before = home.file.read_bytes()
    home.correct(*FIX, at=NOW - days(25))
    home.apply(at=NOW - days(25))
    new = skill_digest(home.file.read_text())
    events = [
        *spoken((2, 0, 38), NOW - days(28), skill_digest=skill_digest(HEAD + BODY)),
        *spoken((24, 0, 16), NOW - days(10), skill_digest=new),
    ]
    uses = [use(of=event, project=str(home.folder)) for event in events]
    FeedbackLog(home.workspace() / "feedback.jsonl").update(events, uses)
    page = read_weekly(workspace=str(home.workspace()), week="2026-W48")
    told = page.refinements().html
    assert "made it worse" in told
    command = re.search(r'<code class="st-command">(skilltune rollback [^<]*)</code>', told)[1].split()
    assert command == ["skilltune", "rollback", SKILL, "--to", "1"]
    assert ">refined, from" in page.closeup().html
    assert ">v2</text>" in page.closeup().html
    rollback(command[2], to=int(command[4]), workspace=home.workspace(), as_of=NOW)
    assert home.file.read_bytes() == before


def test_project_skill_is_found_by_its_uses(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The report runs in a folder of its own: the skills of the projects of uses are found all the same."""
    project = home.folder / "shop"
    path = project / ".claude" / "skills" / "tidy" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(HEAD + BODY)
    for number in range(3):
        find_ledger(home.workspace()).record_correction(
            "tidy", original=FIX[0], corrected=FIX[1], session_id=f"s{number}", at=NOW - days(1)
        )
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    used = to_frame([use(skill="tidy", at=NOW - days(1), project=str(project))], Invocation)
    found = logged_refinements(
        home.workspace() / "feedback.jsonl",
        events=to_frame([], FeedbackEvent),
        invocations=used,
        week=WEEK,
        min_invocations=5,
        now=NOW,
    )
    assert [waiting_state(skill) for skill in found.skills] == ["ready"]


def test_skill_of_another_agent_is_found_by_the_folder_its_uses_name(home: Home, monkeypatch: pytest.MonkeyPatch):
    """It lies where Claude Code looks for none: looked at, not written, and its command names the folder."""
    monkeypatch.setenv("HOME", str(home.folder))
    folder = home.folder / ".codex" / "skills" / "tidy"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(HEAD.replace(SKILL, "tidy") + BODY)
    home.skill = "tidy"
    home.correct(*FIX)
    before = tree(home.folder)
    found = looked_at(home, judged(0, 0, 1, skill="tidy", at=NOW - days(1), base_directory=str(folder)))
    assert [(waiting_state(skill), skill.folder) for skill in found.skills] == [("ready", "~/.codex/skills/tidy")]
    log = home.workspace() / "feedback.jsonl"
    assert logged_drift("tidy", log, projects=[]) is None
    assert logged_drift("tidy", log, projects=[], used={"tidy": [str(folder)]}) is not None
    assert tree(home.folder) == before
    shown, private = (plain_text(waiting_section(found, time_zone="UTC", privacy=each).html) for each in (False, True))
    assert "skilltune refine tidy --skill-folder ~/.codex/skills/tidy" in shown
    assert "skilltune refine --check" in private
    assert ".codex" not in private


def test_complaints_wait_for_words_until_decided(home: Home):
    """Groups of mined complaints; not those that a refinement used up."""
    words = ("no, the retry budget is missing", "the retry budget is gone again", "wrong, no retry budget")
    events = [
        spoken((1, 0, 0), NOW - days(2 + place), user_message_snippet=text, event_id=f"e{place}")
        for place, text in enumerate(words)
    ]
    skill = looked_at(home, *events).skills[0]
    assert [item.group.count for item in skill.openings] == [3]
    assert skill.eligibility is None


def test_detected_corrections_wait_as_the_command_lists_them(home: Home):
    """One number everywhere: not those that are decided, nor those that no list shows; of the chosen skills alone."""
    other = seen(skill_id="other")
    items = [
        candidate("black tea", "green tea"),
        candidate("white tea", "green tea"),
        candidate("orders.channel", "orders.channel (2)"),
        candidate("use tabs", "use spaces", other),
    ]
    log = find_candidate_log(find_workspace(explicit=home.workspace()))
    log.add(items)
    log.decide(Decision(candidate=items[1].id, decision="dismiss", by="ada", at=NOW))
    empty = home.folder / "no sessions"
    empty.mkdir()
    for skill in (None, "other"):
        listed = find_candidates(home.workspace(), sessions=empty, skill_id=skill)
        assert looked_at(home, skills=[skill] if skill else []).candidates == len(listed.candidates)
    assert looked_at(home).candidates == 2
    assert find_candidates(home.workspace(), sessions=empty).noise == {"generated": 1}


def _unreadable(home: Home) -> None:
    home.file.unlink()
    home.file.mkdir()


def _damaged_audit(home: Home) -> None:
    home.correct(*TABS, at=NOW - days(9))
    home.apply(at=NOW - days(9))
    home.log.write_bytes(home.log.read_bytes().replace(b"refine", b"rEfine", 1))


def _too_long(home: Home) -> None:
    home.write(HEAD + FIX[0] + " word" * 60_000)


def _damaged_ledger(home: Home) -> None:
    path = find_ledger(home.workspace()).path
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("harm", "what", "why"),
    [
        (_damaged_audit, "an audit log", "not as it was written"),
        (_too_long, SKILL, "cannot be compared"),
        (_damaged_ledger, "the ledger", "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_told_and_stops_nothing(home: Home, harm, what: str, why: str):
    """A problem names what and why, no path; the rest of the page is made."""
    home.correct(*FIX)
    harm(home)
    FeedbackLog(home.workspace() / "feedback.jsonl").update(spoken((2, 0, 4), NOW - days(3)), [])
    page = read_weekly(workspace=str(home.workspace()), week="2026-W48")
    assert (what, why) in [(problem.what, problem.why[: len(why)]) for problem in page.refinement.problems]
    told = plain_text(page.data_health().html)
    assert f"Refinement not seen {what}: {why}" in told or f"{what}: {why}" in told
    assert str(home.folder) not in told
    for part in (page.headline, page.contradictions, page.waiting, page.refinements, page.ratings):
        assert part().html


def test_skill_that_is_a_folder_is_not_there(home: Home):
    """What is no file is found nowhere, and said so."""
    home.correct(*FIX)
    _unreadable(home)
    found = looked_at(home)
    assert [waiting_state(skill) for skill in found.skills] == ["held"]
    assert [skill.suggestion for skill in found.skills] == [None]


def test_odd_names_lead_nowhere(home: Home):
    """A name in the ledger that would lead out of the folder of skills reads no file."""
    for name in ("../../secret", "a\x00b", "-rf", "x" * 5000):
        for number in range(3):
            find_ledger(home.workspace()).record_correction(
                name, original=FIX[0], corrected=FIX[1], session_id=f"s{number}", at=NOW - days(1)
            )
    found = looked_at(home)
    assert {skill.version for skill in found.skills} == {None}


def test_ratings_are_of_the_last_days_and_taken_back_ones_none(home: Home):
    """Scores and overrides until the week's end, with the uses that were seen."""
    ledger = find_ledger(home.workspace())
    rating = ledger.record_rating(SKILL, score=2, session_id="s", at=NOW - days(5))
    ledger.record_rating(SKILL, score=4, session_id="s", at=NOW - days(4))
    ledger.record_override(SKILL, rejected="x", reason="too long", session_id="s", at=NOW - days(3))
    events = spoken((1, 0, 9), NOW - days(6))
    row = looked_at(home, events).ratings.iloc[0]
    assert row[["mean_score", "n_ratings", "overrides", "n_invocations"]].tolist() == [3, 2, 1, 10]
    ledger.retract(rating.id, by="ada")
    found = looked_at(home, events)
    assert found.ratings["mean_score"].tolist() == [4]
    assert found.reasons["reason"].tolist() == ["too long"]


def test_ratings_after_the_week_are_counted_as_later(home: Home):
    """The window begins as the week's does and ends now."""
    ledger = find_ledger(home.workspace())
    ledger.record_rating(SKILL, score=2, session_id="s", at=NOW - days(20))
    ledger.record_rating(SKILL, score=4, session_id="s", at=NOW - days(1))
    row = looked_at(home, week=iso_week("2026-W46", time_zone="UTC")).ratings.iloc[0]
    assert row[["mean_score", "n_ratings", "later"]].tolist() == [3, 2, 1]


def test_only_the_chosen_skills(home: Home):
    """A page of some skills shows nothing of others."""
    home.correct(*FIX, at=NOW - days(20))
    home.apply(at=NOW - days(20))
    home.correct(*TABS)
    found = looked_at(home, skills=["other"])
    assert (found.skills, len(found.effects), len(found.marks)) == ((), 0, 0)
    assert len(looked_at(home, skills=[SKILL]).skills) == 1


def test_conflict_of_the_ledger_is_on_the_page(home: Home):
    """A reversal holds the suggestion; the page says both."""
    home.correct(*FIX)
    home.correct(FIX[1], FIX[0], times=2)
    FeedbackLog(home.workspace() / "feedback.jsonl").update(spoken((2, 0, 4), NOW - days(3)), [])
    page = read_weekly(workspace=str(home.workspace()), week="2026-W48")
    assert "1 conflict." in plain_text(page.contradictions().html)
    assert "see the conflict above" in plain_text(page.waiting().html)


def test_sample_asks_of_its_own_skills_only(home: Home):
    """The sample's complaints wait for words in its skills; the person's ledger and skills are not looked at."""
    home.correct(*FIX)
    mined = mine(read_sessions(sample_root() / "projects"), turns="window", as_of=sample_end())
    found = sample_refinements(sample_root(), events=mined.events, now=sample_end())
    assert SKILL not in [skill.skill_id for skill in found.skills]
    assert sum(len(skill.openings) for skill in found.skills) >= 1
    assert {skill.version for skill in found.skills} == {1}
    assert not found.own
    assert timedelta(0) == sample_end() - found.made
