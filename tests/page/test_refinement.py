"""The page's sections on refinement: contradictions, what waits, what was applied, ratings."""

import re
from dataclasses import replace
from datetime import timedelta

import pandas as pd
import pytest

from skilltune.page.contradictions import contradictions_section
from skilltune.page.diffs import gone, marked_change, shorten
from skilltune.page.health import health_section
from skilltune.page.html import plain_text
from skilltune.page.ratings import ratings_section
from skilltune.page.refined import refined_section
from skilltune.page.refinement_summary import RefinementSummary, SkillProblem
from skilltune.page.texts import named_texts
from skilltune.page.waiting import waiting_section, waiting_sentence, waiting_state
from skilltune.page.weekly import WeeklyPage
from skilltune.page.words import command_for, short_range
from tests.invented_weeks import PICTURE
from tests.page.refinements import (
    INDEX,
    LIST,
    NOW,
    complaints,
    corrections,
    effects,
    marks,
    much,
    rated,
    waiting,
)
from tests.page.summaries import ACCURACY, MADE, judged, sections_of, summary_of, together

SHORT = "Use CREATE INDEX now"
LONGER = "Use CREATE INDEX now, and say which one."
HOSTILE = "<script>alert(1)</script>\u202e\x1b[31m`</code>` ${x}"


def shown(section, summary, **options) -> str:
    """What a reader sees of a section."""
    return plain_text(section(summary, **({"time_zone": "UTC", "privacy": False} | options)).html)


def rows_of(html: str) -> list[str]:
    """What a reader sees of each row of a table's body."""
    return [plain_text(row) for row in re.findall(r"<tr>.*?</tr>", html[html.index("<tbody>") :], re.DOTALL)]


def refined(*refinements, **fields) -> str:
    """The section of refinements, as HTML."""
    summary = RefinementSummary(effects=effects(*refinements).assign(**fields))
    return refined_section(summary, time_zone="UTC", min_invocations=5).html


@pytest.mark.parametrize("summary", [None, RefinementSummary(), RefinementSummary(corrections=4)])
def test_sections_with_nothing_keep_their_name_and_say_so(summary: RefinementSummary | None):
    """One sentence each, and no link in the lede."""
    told = shown(contradictions_section, summary)
    assert told.startswith("Contradictions")
    assert told.endswith(("contradict each other.", "4 recorded corrections."))
    assert shown(waiting_section, summary).endswith("Nothing waits for approval.")
    page = WeeklyPage(summary=together(judged("x", "caaaaa")), made=MADE, refinement=summary)
    assert plain_text(page.refinements().html).endswith("No refinement was applied in the last 12 weeks.")
    assert plain_text(page.ratings().html).endswith("overrode its result in the last 30 days.")
    assert "<a " not in page.headline().html


def test_conflict_has_both_sides_and_the_command():
    """Who asks what, how often, last when; held; the command that shows it."""
    html = contradictions_section(much(), time_zone="UTC", privacy=False).html
    told = plain_text(html)
    assert "1 conflict and 1 warning." in told
    assert "pr-description · conflict, reversal 5 corrections, 3 sessions, 19–27 Nov" in told
    assert f'<del class="st-del">{LIST[0]}</del></p> <p dir="auto"><ins class="st-ins">{LIST[1]}</ins>' in html
    assert "3 times, last on 25 Nov" in told
    assert "Held. Retract the side that no longer holds; or " in told
    assert '<code class="st-command">skilltune contradictions pr-description</code>' in html
    assert "“past tense” was corrected to “imperative” 3 times and “present” 3 times." in told
    assert "Reversals in other words are not seen" in told


def test_released_conflict_is_not_said_to_hold():
    """Both sides kept by a person."""
    summary = much()
    skills = [skill for skill in summary.skills if skill.skill_id == "pr-description"]
    found = skills[0].contradictions
    kept = replace(found, findings=tuple(replace(item, released=True) for item in found.findings))
    skill = replace(skills[0], eligibility=replace(skills[0].eligibility, contradictions=kept))
    told = shown(contradictions_section, replace(summary, skills=(skill,)))
    assert "A person keeps all sides: it holds nothing." in told
    assert "Held." not in told


def test_many_contradictions_name_the_rest():
    """Eight are shown, conflicts first; the command for the rest."""
    skills = tuple(
        waiting(f"skill-{n:02}", corrections(f"skill-{n:02}", ("past tense", "imperative"), ("past tense", "present")))
        for n in range(12)
    )
    told = shown(contradictions_section, RefinementSummary(skills=skills))
    assert told.count("warning, divergence") == 8
    assert "4 more: skilltune contradictions skill-08" in told


def test_what_waits_is_counted_and_shown_in_order():
    """Ready, to choose, held, to word; each with its reason and its command."""
    html = waiting_section(much(), time_zone="UTC", privacy=False).html
    told = plain_text(html)
    assert "1 suggestion is ready, 1 needs a choice of yours, 4 are held." in told
    assert "1 group of complaints waits for a line in your words." in told
    names = re.findall(r'st-item-name">([\w<>-]+)</b>', html)
    assert names == [
        *("sql-migrations", "test-writer", "commit-style", "gone-away", "lint-on-save", "pr-description"),
        "api-client-gen",
    ]
    assert "sql-migrations v7 → v8 · 2 changes from 6 corrections in 3 sessions" in told
    for reason in ("3 of 6 agree", "not on this machine", "in cooldown, 5 days remaining", "see the conflict above"):
        assert reason in told
    assert "api-client-gen v4 · 3 complaints about missing parts: “budget” and “retry” in 3 sessions, 24–26 Nov" in told
    assert "“no, the retry budget is missing”" in told
    assert "skilltune refine sql-migrations" in told
    assert "As of 30 November." in told


def test_ready_suggestion_shows_how_near_its_limits_are():
    """Change and drift as meters with their numbers; the least agreement."""
    html = waiting_section(much(), time_zone="UTC", privacy=False).html
    made = next(skill.suggestion for skill in much().skills if skill.skill_id == "sql-migrations")
    told = plain_text(html)
    assert f"changes {made.change_percent}%, limit 20%" in told
    assert f"drift 0.0% → {made.drift.projected_percent}%, limit 60%" in told
    assert "least agreement 0.80, needs 0.70" in told
    assert len(re.findall('class="st-meter"', html)) == 2
    assert 'CREATE INDEX <ins class="st-ins">CONCURRENTLY</ins>' in html
    assert "and 1 more change" in told


@pytest.mark.parametrize(
    ("skill", "reason"),
    [
        (waiting("x", corrections("x", INDEX), body=SHORT, baseline=SHORT), "would drift 65.0%, limit 60%"),
        (waiting("x", corrections("x", INDEX), body=LONGER, baseline=LONGER), "would change 33%, limit 20%"),
        (waiting("x", corrections("x", INDEX), baseline=None), "its first text is not known"),
        (waiting("x", corrections("x", INDEX), baseline="Something else."), "has drifted"),
    ],
)
def test_held_suggestion_says_why(skill, reason: str):
    """The number and the limit of the gate that it fails."""
    assert waiting_state(skill) == "held"
    assert reason in shown(waiting_section, RefinementSummary(skills=(skill,)))


def test_nothing_to_decide_is_not_waiting():
    """What is in the text already, or repeats nowhere, is no suggestion."""
    done = waiting("x", corrections("x", INDEX), body="Use CREATE INDEX CONCURRENTLY.", baseline="Use CREATE INDEX.")
    once = waiting("x", corrections("x", INDEX, times=1))
    twice = waiting("x", corrections("x", INDEX, times=2))
    assert [waiting_state(skill) for skill in (done, once, twice)] == ["", "", ""]
    assert shown(waiting_section, RefinementSummary(skills=(done, once, twice))).endswith("Nothing waits for approval.")


def test_sample_offers_no_command():
    """What cannot be done is not offered."""
    told = shown(waiting_section, replace(much(), own=False))
    assert "skilltune refine api" not in told
    assert "These are the sample’s skills" in told


def test_lede_leads_to_what_waits():
    """A sentence with a link to the section; one for what was made worse."""
    page = WeeklyPage(summary=summary_of(PICTURE), made=MADE, refinement=much())
    html = page.headline().html
    assert 'href="#waiting">2 suggestions wait for approval and 1 group of complaints waits for' in html
    assert 'href="#refinements">A refinement of cpp-expert made it worse</a>.' in html
    assert 'id="waiting"' in page.waiting().html
    assert 'id="refinements"' in page.refinements().html
    assert waiting_sentence(None) == ""


def test_refinements_have_their_verdicts_and_evidence():
    """Rates, n, difference and interval in points; too early and too few before in words."""
    html = refined_section(much(), time_zone="UTC", min_invocations=5).html
    assert "Of 5 refinements, 1 made it worse, 1 helped, 2 show no evidence yet and 1 is too recent." in html
    early, few, *others = rows_of(html)
    assert early.startswith("frontend-forms v7 applied 17 Nov 64% before n = 7 2 judged uses since: too few to compare")
    assert early.endswith("· too early to say 3 more judged uses needed")
    assert few.startswith("release-notes v8 applied 9 Nov 50% before n = 2 too few before to compare")
    assert few.endswith("＝ no evidence yet 2 judged uses before; 5 needed")
    assert others == [
        "test-writer v6 applied 2 Nov 32% → 32% n = 71 → 56 ＝ no evidence yet 0 points (−23 to 23)",
        "cpp-expert v5 applied 30 Oct 11% → 52% n = 46 → 44 ▲ made it worse +41 points (14 to 62)",
        "lint-on-save v4 applied 26 Oct 45% → 9% n = 56 → 47 ▼ helped −36 points (−55 to −12)",
    ]
    assert html.count('class="st-effect"') == 3
    assert "widened for repeated looks" in html


@pytest.mark.parametrize(
    ("before", "after", "finding"),
    [
        ((24, 2, 30), (3, 2, 42), "The refinement of x helped."),
        ((4, 2, 40), (22, 2, 20), "The refinement of x made it worse."),
        ((9, 0, 9), (9, 0, 9), "There is no evidence yet that the refinement of x changed anything."),
        ((9, 0, 9), (1, 0, 1), "It is too early to say whether the refinement of x helped."),
    ],
)
def test_one_refinement_has_a_sentence_of_its_own(before, after, finding: str):
    """Each verdict in words."""
    assert finding in refined(("x", before, after, 20))


def test_worse_offers_the_way_back_unless_it_was_taken():
    """The command to roll back, with the version before; nothing once it is rolled back."""
    html = refined(("x", (4, 2, 40), (22, 2, 20), 20))
    assert '<code class="st-command">skilltune rollback x --to 3</code>' in html
    when = pd.Series([pd.Timestamp("2026-11-20", tz="UTC")])
    back = refined(("x", (4, 2, 40), (22, 2, 20), 20), rolled_back=when)
    assert "skilltune rollback" not in back
    assert "applied 9 Nov, rolled back 20 Nov" in plain_text(back)


@pytest.mark.parametrize(
    ("ended", "words", "finding"),
    [
        ("rolled_back", "rolled back on 20 Nov", "was taken back before it could be judged"),
        ("replaced", "replaced on 20 Nov", "Another text came before the refinement of x could be judged"),
    ],
)
def test_what_ended_too_early_says_so(ended: str, words: str, finding: str):
    """No verdict is to come: the date stands in its place, and nobody is told to wait for more uses."""
    html = refined(("x", (9, 0, 9), (1, 0, 1), 12), **{ended: pd.Series([pd.Timestamp("2026-11-20", tz="UTC")])})
    told = plain_text(html)
    assert words in told
    assert finding in told
    assert "too early" not in told
    assert "needed" not in told
    assert "2 judged uses of it: too few to compare" in told


def test_refinement_after_the_week_is_marked():
    """What waits is of now, so is what was applied: later ones say that they came after the week."""
    told = plain_text(refined(("x", (9, 0, 9), (1, 0, 1), 3), later=True))
    assert "applied 26 Nov, after this week" in told
    assert "after this week" not in plain_text(refined(("x", (9, 0, 9), (1, 0, 1), 3)))


def test_ratings_after_the_week_are_marked():
    """How many of them came later, beside the reasons; the note says since when."""
    summary = replace(much(), ratings=much().ratings.assign(later=[1, 0]))
    told = plain_text(ratings_section(summary, days=30, privacy=False).html)
    assert "in the last 30 days and since" in told
    assert told.count("1 after this week") == 1


def test_texts_have_the_numbers_of_the_audit_log():
    """One number for a text on the whole page; what the log does not know was edited outside, or came earlier."""
    texts = pd.DataFrame(
        {
            "skill_id": "sql-migrations",
            "skill_digest": ["b2" * 6, "ff" * 6],
            "version": [5, 6],
            "at": pd.to_datetime(["2026-10-05", "2026-11-20"], utc=True),
        }
    )
    page = WeeklyPage(summary=summary_of(PICTURE), made=MADE, refinement=replace(much(), texts=texts))
    names = page.summary.versions.set_index("skill_digest")["name"]
    assert names[["a1" * 6, "b2" * 6, "c3" * 6]].tolist() == ["earlier text", "v5", "edited outside"]
    assert names[["d4" * 6, "e5" * 6]].tolist() == ["v1", "v2"]
    assert "a new text (edited outside) was first used on 2 November" in plain_text(page.headline().html)
    assert "; a text edited outside skilltune began on 2 November." in plain_text(page.closeup().html)
    told = plain_text(page.skills().html)
    assert "sql-migrations edited outside" in told
    assert "the second version in the audit log" in told
    assert "v5" in page.closeup().html


def test_look_at_a_skill_renames_none_of_its_texts():
    """A log with the text it began with says nothing of the order; from its second version on its numbers count."""
    summary = summary_of(PICTURE)
    last = summary.versions.query("skill_id == 'sql-migrations'")["skill_digest"].iloc[-1]
    first_seen = {"skill_id": "sql-migrations", "version": 1, "at": pd.Timestamp("2026-11-29", tz="UTC")}
    texts = pd.DataFrame([first_seen | {"skill_digest": last}])
    assert named_texts(summary.versions, texts).equals(summary.versions)
    changed = pd.concat([texts, texts.assign(version=2, skill_digest="ff" * 6)])
    page = WeeklyPage(summary=summary, made=MADE, refinement=replace(much(), texts=changed))
    told = plain_text(page.headline().html)
    assert "; the first text in its log (v1) was first used on 2 November" in told
    assert "; v1 began on 2 November." in plain_text(page.closeup().html)


def test_waiting_number_is_no_other_than_the_texts():
    """What the page calls v1 may be another text than the one its log began with, so no number stands there."""
    said = complaints("x", "no retry budget", "the retry budget again", "retry budget, please", dimension="unknown")
    first, second = (replace(waiting("x", complained=said), version=number, numbered=True) for number in (1, 2))
    assert "v1" not in shown(waiting_section, RefinementSummary(skills=(first,)))
    assert "v2 · 3 complaints" in shown(waiting_section, RefinementSummary(skills=(second,)))


def test_no_evidence_with_few_uses_says_what_is_missed():
    """How often a fall by half is found; nothing of it where uses are many, or there is a verdict."""
    missed = "in about one case of four"
    assert missed in plain_text(refined(("x", (9, 0, 9), (9, 0, 9), 20)))
    assert missed not in plain_text(refined(("x", (24, 2, 30), (3, 2, 42), 20)))
    assert missed not in plain_text(refined(("x", (100, 0, 100), (100, 0, 100), 25)))


def test_group_of_complaints_is_named_by_its_words():
    """What all share is quoted beside the kind; in the private form the kind stands alone, or the same."""
    said = complaints("x", "no retry budget", "the retry budget again", "retry budget, please", dimension="unknown")
    summary = RefinementSummary(skills=(waiting("x", complained=said),))
    assert "3 complaints about “budget” and “retry”" in shown(waiting_section, summary)
    assert "3 complaints about the same" in shown(waiting_section, summary, privacy=True)


def test_colour_is_earned_by_a_verdict():
    """Only what helped or made it worse is coloured."""
    coloured = re.compile(r"var\(--(?:worse|better)\)")
    assert not coloured.search(refined(("x", (9, 0, 9), (9, 0, 9), 20)))
    assert coloured.search(refined(("x", (24, 2, 30), (3, 2, 42), 20)))


def test_uses_with_another_text_are_told():
    """Uses of the old text after the change are counted in words."""
    told = plain_text(refined(("x", (9, 0, 9), (9, 0, 9), 20), n_other=3))
    assert "3 judged uses after a refinement still had another text; no rate here counts them." in told


def test_ratings_have_n_and_reasons():
    """Mean with n, overrides of uses with the interval, reasons counted; none in the private form."""
    html = ratings_section(much(), days=30, privacy=False).html
    assert "2 skills were rated and results of 1 skill were not taken as they were." in html
    assert rows_of(html)[0] == (
        "sql-migrations mean score 2.5 of 5, n = 2 not taken 2 of 40 uses 5% (1–17%) “dropped the wrong column” (2 "
        "times)"
    )
    assert rows_of(html)[1] == "lint-on-save mean score 5.0 of 5, n = 1 not taken 0 of 10 uses"
    assert "dropped" not in ratings_section(much(), days=30, privacy=True).html


def test_more_overrides_than_uses_have_no_rate():
    """Recorded by hand, without sessions: the number alone."""
    summary = RefinementSummary(**rated(*[("override", "x", "no")] * 3))
    summary = replace(summary, ratings=summary.ratings.assign(n_invocations=0, override_rate=float("nan")))
    assert "not rated not taken 3 overrides “no” (3 times)" in plain_text(
        ratings_section(summary, days=30, privacy=False).html
    )


def test_problems_are_told_with_the_data_health():
    """What could not be looked at and why; nothing claims that all could be read."""
    told = plain_text(health_section(summary_of(PICTURE), health={}, problems=much().problems).html)
    assert "Refinement not seen old-skill: cannot be read" in told
    many = [SkillProblem(what=f"skill-{n}", why="cannot be read") for n in range(9)]
    told = plain_text(health_section(summary_of(PICTURE), health={"sessions": {}}, problems=many).html)
    assert "4 more" in told
    assert "Everything that was found could be read" not in told


def test_closeup_marks_how_a_text_came_to_be():
    """A refinement's text says so at its mark; a change that no use showed has a mark of its own."""
    page = WeeklyPage(summary=summary_of(PICTURE), made=MADE, accuracy=ACCURACY, refinement=much())
    html = page.closeup().html
    for words in ("refined, from 5 Oct", "from 2 Nov", "rolled back", "18 Nov"):
        assert f">{words}</text>" in html
    near = (("sql-migrations", 57, "refine", "b2" * 6), ("sql-migrations", 46, "outside_edit", ""))
    cramped = replace(page, refinement=replace(much(), marks=marks(*near))).closeup().html
    assert ">from 5 Oct</text>" in cramped[: cramped.index("st-chart-narrow")]
    other = replace(page, refinement=replace(much(), marks=marks(("cpp-expert", 20, "refine", ""))))
    assert "refined" not in other.closeup().html


def test_private_page_quotes_nobody():
    """Neither words of corrections, complaints and skills, nor sessions; counts and names of skills stay."""
    page = WeeklyPage(summary=summary_of(PICTURE), made=MADE, refinement=much(), privacy=True)
    html = "".join(part.html for part in (page.contradictions(), page.waiting(), page.refinements(), page.ratings()))
    for words in (*INDEX, *LIST, "past tense", "retry", "secret", "dropped", "Learned", "Writing"):
        assert words not in html
    assert "sql-migrations" in html
    assert "changes 19%, limit 20%" in plain_text(html)


def hostile() -> RefinementSummary:
    """Names, texts, complaints and reasons that would be code, or are very long."""
    long = "word " * 2_000
    said = [*corrections(HOSTILE, (HOSTILE, long)), *corrections(HOSTILE, (long, HOSTILE), days_ago=3)]
    one = waiting(HOSTILE, said, body=f"# {HOSTILE}\n\n{HOSTILE} and more of it.\n")
    other = waiting(
        "W" * 120, corrections("W" * 120, (HOSTILE, "x" * 500)), body=f"{HOSTILE}\n" + "so many words " * 400
    )
    spoken = complaints("数据库" * 30, *[f"retry budget {HOSTILE} {long}"] * 3)
    third = waiting("数据库" * 30, complained=spoken, body=f"# {HOSTILE}\n\nretry budget {HOSTILE}\n")
    return RefinementSummary(
        skills=(one, other, third),
        effects=effects((HOSTILE, (4, 2, 40), (22, 2, 20), 20), ("W" * 120, (9, 0, 9), (1, 0, 1), 10)),
        problems=(SkillProblem(what=HOSTILE, why="cannot be read"),),
        corrections=9,
        made=NOW,
        **rated(("override", HOSTILE, f"{HOSTILE} {long}"), ("rating", "W" * 120, 1)),
    )


@pytest.mark.parametrize("privacy", [False, True])
def test_hostile_texts_are_texts(privacy: bool):
    """No tag, no direction sign, no control sign; short however long they are."""
    page = WeeklyPage(summary=summary_of(PICTURE), made=MADE, refinement=hostile(), privacy=privacy)
    html = "".join(section.html for section in sections_of(page)[1:])
    for sign in ("<script", "\u202e", "\x1b"):
        assert sign not in html
    parts = (page.contradictions(), page.waiting(), page.refinements(), page.ratings())
    assert max(len(part.html) for part in parts) < 30_000
    assert "&lt;script&gt;" in html


def test_texts_are_shortened_to_whole_words():
    """Never in a word, unless it is a very long one."""
    assert shorten("one two three", most=9) == "one two…"
    assert shorten("one  two\n three") == "one two three"
    assert shorten("汉" * 300, most=20) == f"{'汉' * 20}…"
    assert plain_text(gone("  ")) == "nothing"


def test_change_of_spaces_only_is_seen():
    """White space is drawn."""
    assert plain_text(marked_change("a b", "a  b")) == "a␣b a␣␣b"
    far = "x " * 100
    assert plain_text(marked_change(f"{far}old {far}", f"{far}new {far}")).count("…") == 2


def test_commands_quote_odd_names():
    """What a person copies does one thing only."""
    assert command_for("refine", "plugin:skill") == "skilltune refine plugin:skill"
    assert command_for("rollback", "a; rm -rf ~", "--to", "3") == "skilltune rollback 'a; rm -rf ~' --to 3"


def test_ranges_of_days_are_short():
    """One day, one month, two months."""
    day = NOW.date()
    told = [short_range(day - timedelta(days=ago), day) for ago in (0, 3, 40)]
    assert told == ["30 Nov", "27–30 Nov", "21 Oct–30 Nov"]
