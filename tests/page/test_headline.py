"""The sentence on top and what changed: every form of it."""

import pytest

from skilltune.page.headline import headline, headline_section, lede, week_line
from skilltune.page.html import plain_text
from tests.invented_weeks import PICTURE, Skill
from tests.page.summaries import judged, summarize, summary_of, together


@pytest.fixture(scope="module")
def picture():
    """Fourteen skills: two got worse, one got better, some have too few data."""
    return summary_of(PICTURE)


def test_headline_counts_only_what_got_worse(picture):
    """Skills that only look worse are not counted."""
    assert headline(picture) == "2 of 13 skills got worse. sql-migrations is now corrected about every second time."
    assert (picture.sufficient["verdict"] == "looks_worse").any()


def test_lede_tells_the_rise_and_the_others(picture):
    """The rise of the headline's skill, then how the others stand."""
    told = lede(picture)
    assert told.startswith("It rose from 18% to 53% after an edit first used on 2 November.")
    assert told.endswith(
        "One skill got better, 7 show no clear change or no evidence yet, and 3 have too few data to say."
    )


def test_changes_say_since_when(picture):
    """Each verdict says whether it is new, with its evidence; new skills are named."""
    text = plain_text(headline_section(picture).html)
    assert "sql-migrations got worse, as last week: 18% → 53% (+35 points, 18 to 49)" in text
    assert "lint-on-save got better, as last week: 40% → 15% (−25 points, −39 to −9)" in text
    assert "i18n-strings was used for the first time." in text


def test_headline_without_a_change_names_the_most_corrected():
    """No skill got worse: the most corrected one follows."""
    summary = together(judged("calm", "caaaaaaaaa"), judged("calm", "caaaaaaaaa", days_ago=40))
    assert headline(summary) == "No skill got worse. calm is corrected most, once in 10."
    assert "Nothing changed since last week." in headline_section(summary).html


def test_headline_without_a_complaint_says_so():
    """Nothing corrected: no skill is called the worst."""
    assert headline(together(judged("fine", "aaaaaaa"))) == (
        "No skill got worse. No judged use was corrected in the last 30 days."
    )


def test_headline_with_too_few_data_gives_no_rate():
    """Too few judged uses: no percent anywhere."""
    summary = together(judged("one", "ca"), judged("two", "p-"))
    assert headline(summary) == "Too few data for rates: none of 2 skills has 5 judged uses."
    assert lede(summary) == "4 uses, 3 judged. Two were complained about; here is what people said."
    assert "%" not in headline_section(summary).html


def test_headline_of_one_skill_with_too_few_data():
    """A single skill is named."""
    assert headline(together(judged("one", "c"))) == "Too few data for a rate: one has fewer than 5 judged uses."


def test_headline_without_any_use():
    """An empty log is said, with where to look next."""
    summary = summarize([], [])
    assert headline(summary) == "No skill was used in the last 30 days."
    assert "skilltune sources" in lede(summary)


def test_headline_of_uses_long_ago_names_the_last():
    """A log without recent uses says when the last was."""
    summary = together(judged("old", "ca", days_ago=50))
    assert headline(summary) == "No skill was used in the last 30 days."
    assert lede(summary) == "The last use was on 11 October."


def test_skill_that_fell_silent_is_named_once_it_does():
    """The week in which the last use leaves the 30 days says so."""
    summary = together(judged("live", "caaaaaa"), judged("gone", "aaaaaa", days_ago=33))
    assert "gone has not been used for 30 days." in plain_text(headline_section(summary).html)


def test_verdict_that_no_longer_holds_is_said():
    """Last week's verdict without evidence now is no silent loss."""
    summary = together(
        judged("x", "aaaaaaaaaaaaaaaaaaaa", days_ago=50),
        judged("x", "cccccccccccc", days_ago=31),
        judged("x", "aaaaaaaaaaaaacc", days_ago=2),
    )
    row = summary.ranking.iloc[0]
    assert (row["verdict_before"], row["verdict"]) == ("got_worse", "looks_better")
    text = plain_text(headline_section(summary).html)
    assert "x got worse as of last week; now there is no evidence for it." in text


def test_many_new_skills_are_not_all_listed():
    """A long list ends with its rest."""
    old = judged("old", "aaaaaaa", days_ago=20)
    text = plain_text(headline_section(together(old, *(judged(f"new-{n}", "a", days_ago=1) for n in range(8)))).html)
    assert "new-0, new-1, new-2, new-3, new-4 and 3 more were used for the first time." in text


def test_week_line_names_the_zone_once(picture):
    """The page's head holds week, dates and zone."""
    assert week_line(picture) == "Week 48, 2026 · 23–29 November · Europe/Berlin"


def test_sixty_skills_have_a_headline():
    """Many skills do not change the form."""
    many = summary_of([Skill(f"skill-{n}", 5, 0.2, 0.2) for n in range(60)])
    assert headline(many).startswith("No skill got worse. skill-")
