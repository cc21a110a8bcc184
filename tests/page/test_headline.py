"""The sentence on top and what changed: every form of it."""

import pytest

from skilltune.page.headline import headline, headline_section, lede, week_line
from skilltune.page.html import plain_text
from skilltune.page.ranked import skills_section
from skilltune.page.words import of_judged, percent, points, points_interval
from tests.invented_weeks import PICTURE, Skill, records
from tests.page.summaries import judged, summarize, summary_of, together

NAME = "sql-migrations"


@pytest.fixture(scope="module")
def picture():
    """Fourteen skills: two got worse, one got better, some have too few data."""
    return summary_of(PICTURE)


def test_headline_counts_only_what_got_worse(picture):
    """Skills that only look worse are not counted, nor are those that were not used; rates are of judged uses."""
    worse = picture.ranking["verdict"] == "got_worse"
    seen = picture.ranking["n_invocations"] > 0
    often = of_judged(picture.ranking.loc[worse, "correction_rate"].iloc[0])
    assert headline(picture) == f"{worse.sum()} of {seen.sum()} skills got worse. {NAME} is now corrected in {often}."
    assert (picture.sufficient["verdict"] == "looks_worse").any()


def test_headline_keeps_names_whole(picture):
    """A skill's name is not broken at its hyphens while there is room."""
    assert f'<span class="st-one">{NAME}</span> is now corrected' in headline_section(picture).html


def test_lede_tells_the_rise_and_the_others(picture):
    """The rise of the headline's skill, a new text beside it and not as its cause, then how the others stand."""
    row = picture.ranking.set_index("skill_id").loc[NAME]
    verdicts = picture.sufficient["verdict"]
    unclear = verdicts.isin(["looks_worse", "no_change", "looks_better"]).sum()
    few = (picture.too_few["n_invocations"] > 0).sum()
    assert (verdicts == "no_baseline").sum() == 1
    new = "1 was judged too rarely before to compare"
    told = lede(picture)
    rise = f"It rose from {percent(row['prior_rate'])} to {percent(row['correction_rate'])}"
    assert told.startswith(f"{rise}; a new text (v3) was first used on 2 November. One skill got better, ")
    assert told.endswith(
        f"{unclear} show no clear change or no evidence yet, {new}, and {few} have too few data for a rate."
    )


def test_changes_say_since_when(picture):
    """Each verdict says whether it is new, with its evidence and another text beside it; new skills are named."""
    text = plain_text(headline_section(picture).html)
    for name, verdict in ((NAME, "got worse"), ("lint-on-save", "got better")):
        row = picture.ranking.set_index("skill_id").loc[name]
        rates = f"{percent(row['prior_rate'])} → {percent(row['correction_rate'])}"
        change = f"({points(row['trend'])}, {points_interval(row['trend_low'], row['trend_high'])})"
        assert f"{name} {verdict} (as it had a week ago): {rates} {change}" in text
    assert "; a new text (v2) from 29 October" in text[text.index("lint-on-save") :]
    assert "i18n-strings was used for the first time." in text


def test_headline_without_a_change_names_the_most_corrected():
    """No skill got worse: the most corrected one follows."""
    parts = [judged("calm", "caaaaaaaaa", days_ago=days) for days in (3, 40)]
    assert headline(together(*parts)) == "calm is corrected in 1 of 10 judged uses."
    assert "Nothing changed since last week." in headline_section(together(*parts)).html
    parts += [judged("fine", "aaaaaaaaaaaaa", days_ago=days) for days in (3, 40)]
    assert headline(together(*parts)) == "No skill got worse. calm is corrected most, in 1 of 10 judged uses."


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("ab", "Both skills are corrected in 1 of 10 judged uses."),
        ("abcd", "All four skills are corrected in 1 of 10 judged uses."),
    ],
)
def test_headline_of_ties_names_no_skill(names: str, told: str):
    """Skills that are corrected alike share the place."""
    parts = [judged(name, "caaaaaaaaa", days_ago=days) for name in names for days in (3, 40)]
    assert headline(together(*parts)) == f"No skill got worse. {told}"
    below = [judged("fine", "aaaaaaaaaa", days_ago=days) for days in (3, 40)]
    assert headline(together(*parts, *below)).endswith(" skills are corrected most, each in 1 of 10 judged uses.")


def test_headline_without_earlier_days_makes_no_claim_on_change():
    """A first report has nothing to compare with, and says so."""
    summary = together(judged("calm", "caaaaaaaaa", days_ago=1), judged("fine", "aaaaaaaaaa", days_ago=1))
    assert headline(summary) == ("No earlier 30 days to compare with. calm is corrected most, in 1 of 10 judged uses.")
    assert "There is no earlier week to compare with." in headline_section(summary).html


def test_headline_without_a_complaint_says_so():
    """Nothing corrected: no skill is called the worst."""
    assert headline(together(judged("fine", "aaaaaaa"), judged("fine", "aaaaaaa", days_ago=40))) == (
        "No judged use was corrected in the last 30 days."
    )


def test_lede_of_skills_without_earlier_days_says_that_none_can_be_compared():
    """Each has a rate, so none is called one with too few data; those without are counted apart."""
    fresh = [judged(name, "caaaaaaaaa", days_ago=1) for name in ("one", "two")]
    assert lede(together(*fresh)) == "No skill can be compared yet."
    told = lede(together(*fresh, judged("rare", "c", days_ago=1)))
    assert told == "No skill can be compared yet. 1 has too few data for a rate."
    mixed = lede(together(*fresh, *(judged("old", "caaaaaaaaa", days_ago=days) for days in (3, 40))))
    assert mixed == "1 shows no clear change or no evidence yet and 2 were judged too rarely before to compare."


def test_page_on_one_skill_speaks_of_it_alone():
    """No count of skills, no order and no line of all skills; the verdict is the one that it has among all."""
    events, uses = records(PICTURE, seed=3)
    alone = summarize(events, uses, skills=[NAME])
    row = alone.ranking.iloc[0]
    often, every = of_judged(row["correction_rate"]), summary_of(PICTURE)
    assert headline(alone) == f"{NAME} got worse: it is now corrected in {often}."
    assert row["q_value"] == every.ranking.set_index("skill_id").loc[NAME, "q_value"]
    assert alone.shift.equals(every.shift)
    html = skills_section(alone).html
    told = plain_text(html)
    for words in ("ll skills", "Skills", "first", "Dotted", "order", "small samples"):
        assert words not in told
    assert f"corrected ({percent(row['correction_rate'])})." in told
    two = summarize(events, uses, skills=[NAME, "lint-on-save"])
    assert headline(two).startswith("1 of these 2 skills got worse.")
    assert "Over these two skills, " in plain_text(skills_section(two).html)


def test_one_skill_that_did_not_get_worse_is_told_how_it_stands():
    """Its lede counts no skills either."""
    steady = [judged("x", "caaaaaaaaa", days_ago=days) for days in (3, 40)]
    assert lede(together(*steady)) == "There is no clear change against the days before."
    assert lede(together(steady[0])) == "It cannot be compared yet."


def test_headline_with_too_few_data_gives_no_rate():
    """Too few judged uses: no percent anywhere."""
    summary = together(judged("one", "ca"), judged("two", "p-"))
    assert headline(summary) == "Too few data for rates: none of 2 skills has 5 judged uses."
    assert lede(summary) == "4 uses, 3 judged, 2 complained about; here is what people said."
    assert "%" not in headline_section(summary).html


def test_headline_of_one_skill_with_too_few_data():
    """A single skill is named."""
    assert headline(together(judged("one", "c"))) == "Too few data for a rate: one has fewer than 5 judged uses."


def test_headline_without_any_use():
    """An empty log is said, with what a use is and where to look next."""
    summary = summarize([], [])
    assert headline(summary) == "No use of a skill in these 30 days."
    assert "reads its `SKILL.md`" in lede(summary)
    assert "skilltune sources" in lede(summary)


@pytest.mark.parametrize(("days_ago", "when", "week"), [(50, "11 October", "W41"), (-29.5, "29 December", "W53")])
def test_headline_of_uses_in_other_weeks_says_where_they_are(days_ago: int, when: str, week: str):
    """A log whose uses lie before or after these days says how many and when, and how to see them."""
    summary = together(judged("old", "ca", days_ago=days_ago))
    assert headline(summary) == "No use of a skill in these 30 days."
    assert lede(summary) == f"The log has 2 uses, {when}. `skilltune report --week 2026-{week}` shows the last of them."


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
