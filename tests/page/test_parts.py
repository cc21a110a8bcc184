"""The page's other parts: table, heat map, closeup, quotes, health, accuracy."""

import re
from dataclasses import replace
from datetime import date, timedelta

import pandas as pd
import pytest

import skilltune
from skilltune.analysis.weekly import weekly_summary
from skilltune.frames import to_frame
from skilltune.page.accuracy import accuracy_section, share_of
from skilltune.page.closeup import closeup_section, complaints_section
from skilltune.page.health import HEALTH_KEYS, health_section
from skilltune.page.hotspots import hotspots_section
from skilltune.page.html import plain_text
from skilltune.page.quotes import quotes_of
from skilltune.page.ranked import skills_section
from skilltune.page.weekly import WeeklyPage
from skilltune.page.words import date_range, interval, percent, points, points_interval
from skilltune.records import FeedbackEvent, Invocation
from tests.invented_weeks import PICTURE, Skill
from tests.page.summaries import ACCURACY, MADE, WEEK, judged, sections_of, summarize, summary_of, together


@pytest.fixture(scope="module")
def picture():
    """Fourteen skills: two got worse, one got better, some have too few data."""
    return summary_of(PICTURE)


def test_ranked_table_has_a_row_for_each_skill_with_its_evidence(picture):
    """Rate, n, coverage, verdict and change stand in each row, in the order of the shrunk rate."""
    html = skills_section(picture).html
    rows = re.findall(r'<tr>\s*<th scope="row" class="c-name">.*?</tr>', html, re.DOTALL)
    assert len(rows) == len(picture.sufficient)
    row, overall = picture.sufficient.iloc[0], picture.overall.iloc[0]
    change = f"{points(row['trend'])} ({points_interval(row['trend_low'], row['trend_high'])})"
    counts = f"{row['sample_size']} judged of {row['n_invocations']} · {percent(row['coverage'])}"
    assert plain_text(rows[0]) == f"sql-migrations v3 {percent(row['correction_rate'])} {counts} ▲ got worse {change}"
    assert f"are corrected ({percent(overall['correction_rate'])})." in html


def test_colour_is_earned(picture):
    """Only rows with evidence have the colours of worse and better."""
    html = skills_section(picture).html
    rows = re.findall(r'<tr>\s*<th scope="row" class="c-name">.*?</tr>', html, re.DOTALL)
    coloured = {row for row in rows if "var(--worse)" in row or "var(--better)" in row}
    assert {plain_text(row).split()[0] for row in coloured} == {"sql-migrations", "cpp-expert", "lint-on-save"}


def test_too_few_data_has_words_in_place_of_a_rate():
    """Counts in words and what is missing; no percent, no dot."""
    html = skills_section(together(judged("rare", "cca-"), judged("much", "caaaaaaa"))).html
    few = html[html.index("Too few data.") :]
    assert "2 corrected, 1 accepted" in few
    assert "3 judged of 4 · 75%" in plain_text(few)
    assert "2 more judged uses needed" in few
    assert "st-interval" not in few[: few.index("</table>")]


def test_every_judged_use_corrected_has_its_own_words():
    """All of them is no fraction."""
    html = skills_section(together(judged("x", "cccccc"))).html
    assert "Every judged use is corrected (100%)." in html
    html = skills_section(together(judged("x", "cccccc"), judged("y", "cccccc"))).html
    assert "Over all skills, every judged use is corrected (100%)." in html


def test_skills_long_unused_are_named():
    """Those whose last use is more than 12 weeks ago have no row: the page says so, with their names."""
    old = [judged(name, "ca", days_ago=90) for name in ("b", "a")]
    told = plain_text(skills_section(together(judged("x", "cccccc"), *old)).html)
    assert "2 skills not used in 12 weeks are left out: a and b." in told
    many = [judged(f"old-{at:02}", "c", days_ago=90) for at in range(14)]
    told = plain_text(skills_section(together(judged("x", "c"), *many)).html)
    assert "14 skills not used in 12 weeks are left out: old-00, " in told
    assert "old-11 and 2 more." in told
    assert "left out" not in skills_section(together(judged("x", "cccccc"))).html


def test_table_explains_its_terms(picture):
    """Intervals, false discoveries, rounding, versions and plugins are said in plain words; plugins only if there."""
    text = plain_text(skills_section(picture).html)
    for words in ("19 of 20 ranges", "of ten coloured verdicts about one may be chance", "before rounding", "v2: "):
        assert words.casefold() in text.casefold()
    assert "Grey under a name" not in text
    assert "Grey under a name" in skills_section(together(judged("ops:x", "cccccc"))).html


def test_names_break_only_if_very_long():
    """Up to 40 characters a name is one piece; a longer one may be broken after its hyphens."""
    html = skills_section(together(judged("ab-" * 13 + "c", "caaaaa"), judged("ab-" * 14, "caaaaa"))).html
    assert "ab-" * 13 + "c</span>" in html
    assert "<wbr>".join(["ab-"] * 14) in html


def test_skill_without_baseline_says_how_few():
    """A rate without a rate before has no change, but the reason."""
    html = skills_section(together(judged("new", "caaaaaa"), judged("new", "c", days_ago=40))).html
    assert "too few data before" in html
    assert "1 judged use then" in html


def test_long_and_plugin_names_stay_on_one_line():
    """The plugin stands under the name; the whole name can be had."""
    html = skills_section(together(judged("some-plugin:a-skill", "caaaaaa"))).html
    assert 'title="some-plugin:a-skill"' in html
    assert '<span class="st-second st-plugin">some-plugin</span>' in html


def test_twelve_weeks_are_a_table_too(picture):
    """The sparklines' numbers can be read."""
    html = skills_section(picture).html
    weeks = html[html.index("The 12 weeks as a table") :]
    assert len(re.findall("<td data-week", weeks)) == 12 * len(picture.sufficient)
    last = picture.shown_courses.query("skill_id == 'sql-migrations'").iloc[-1]
    assert f"<span>{interval(last['low'], last['high'])}</span><br><span>n {last['sample_size']}</span>" in weeks


def test_hotspots_print_every_count_and_sum(picture):
    """The heat map's numbers add up to all complaints, with unknown apart."""
    html = hotspots_section(picture).html
    total = int(picture.hotspots["complaints"].sum())
    unknown = int(picture.hotspots.loc[picture.hotspots["dimension"] == "unknown", "complaints"].sum())
    foot = plain_text(html[html.index("<tfoot>") :]).split()
    assert foot[-2:] == [str(unknown), str(total)]
    assert sum(map(int, foot[2:-1])) == total
    assert f"; for {percent(unknown / total)} the rules cannot tell." in html


def test_hotspots_of_many_skills_fold_the_rest_into_one_row():
    """From 21 skills on the rest is one uncoloured row, and the sums stay right."""
    summary = summary_of([Skill(f"skill-{n}", 6, 0.4, 0.4) for n in range(30)])
    html = hotspots_section(summary).html
    assert len(re.findall('<tr><th scope="row" class="c-skill"><span', html)) == 20
    assert "11 other skills" in html
    assert f'<td class="c-all">{int(summary.hotspots["complaints"].sum())}</td></tr></tfoot>' in html


@pytest.mark.parametrize(
    ("outcomes", "hint", "finding"),
    [
        ("aaaaaa", None, "Nobody complained in the last 30 days."),
        ("caaaaa", None, "For the one complaint the rules cannot tell what was wrong."),
        ("ccaaaa", "unknown", "For all 2 complaints the rules cannot tell what was wrong."),
        ("ccaaaa", "accuracy", "Wrong content (accuracy) makes up 2 of 2 complaints."),
        ("ccaaaa", "coverage", "Missing parts (coverage) make up 2 of 2 complaints."),
    ],
)
def test_hotspots_have_a_finding_for_every_case(outcomes: str, hint: str | None, finding: str):
    """Nothing, nothing known, and one kind of complaint."""
    assert finding in plain_text(hotspots_section(together(judged("x", outcomes, dimension_hint=hint))).html)


def test_closeup_dates_the_shift_and_claims_no_cause(picture):
    """The shift has its range, and the version beside it is no proof."""
    text = plain_text(closeup_section(picture, privacy=False).html)
    row = picture.ranking.set_index("skill_id").loc["sql-migrations"]
    rates = f"from {percent(row['prior_rate'])} to {percent(row['correction_rate'])}"
    assert f"Corrections rose {rates}; v3 began on 2 November." in text
    shift = picture.shift.iloc[0]
    first, last = (shift[name].tz_convert("Europe/Berlin").date() for name in ("first", "last"))
    span = date_range(first, last + timedelta(days=6))
    assert f"A shift is dated to the week of 2 November; its most likely range (90%) is {span}." in text
    assert "That is when v3 began; it does not prove that v3 is the cause." in text
    said = picture.complaints.query("skill_id == 'sql-migrations'")
    assert f"of {len(said)}" in text


@pytest.mark.parametrize(
    ("began", "words"),
    [
        ("2026-11-02T08:00Z", "That is when v3 began;"),
        ("2026-11-08T20:00Z", "That is when v3 began;"),
        ("2026-10-27T08:00Z", "Near it, on 27 October, v3 began;"),
        ("2026-11-23T08:00Z", "No new text of the skill began then."),
    ],
)
def test_version_began_then_only_within_the_week_of_the_shift(picture, began: str, words: str):
    """A text that was used a week before or after is near it, not then."""
    moved = picture.versions.copy()
    moved.loc[(moved["skill_id"] == "sql-migrations") & (moved["number"] == 3), "since"] = pd.Timestamp(began)
    assert words in plain_text(closeup_section(replace(picture, versions=moved), privacy=False).html)


def test_closeup_has_the_gaps_of_the_sparkline():
    """A window with too few judged uses has no rate, in the chart's table neither."""
    few = [judged("thin", "ca", days_ago=days) for days in (38, 45)]
    html = closeup_section(together(*few, judged("thin", "ccaaaa", days_ago=1)), privacy=False).html
    rates = re.findall(r'<th scope="row">[^<]+</th><td class="st-num">([^<]+)</td>', html)
    assert rates == ["too few"] * 11 + ["33%"]


def test_closeup_of_a_skill_without_shift_says_so():
    """No week stands out: said, not hidden."""
    summary = together(judged("calm", "cca" * 4), judged("calm", "cca" * 4, days_ago=40))
    text = plain_text(closeup_section(summary, privacy=False).html)
    assert "No week stands out as the moment of a shift." in text
    assert "67% of its judged uses are corrected; no clear change against the days before." in text


def test_complaints_are_the_page_where_data_are_few():
    """All of them, newest first, each with its skill; the other parts keep their names and say what there is."""
    summary = together(judged("one", "ca", days_ago=9), judged("two", "p", days_ago=2))
    text = plain_text(complaints_section(summary, privacy=False).html)
    assert "2 complaints in the last 30 days." in text
    assert text.index("two · coverage") < text.index("one · coverage")
    assert "Missing parts (coverage) make up 2 of 2 complaints." in plain_text(hotspots_section(summary).html)
    closeup = plain_text(closeup_section(summary, privacy=False).html)
    assert closeup == "Worst skill No skill has enough judged uses to be looked at closely."
    fine = closeup_section(together(judged("x", "aaaaaa")), privacy=False).html
    assert "No judged use was corrected in the last 30 days" in plain_text(fine)


def test_uses_of_which_none_was_judged_are_no_praise():
    """Not "nobody complained": nobody could tell. Said once; parts with nothing in them are one line."""
    page = WeeklyPage(summary=together(judged("one", "------"), judged("two", "-----")), made=MADE)
    told = [plain_text(section.html) for section in sections_of(page)]
    assert "11 uses; none of them could be judged." in told[1]
    assert not any("Nobody complained" in text for text in told)
    assert [bool(text) for text in told[2:10]] == [False, True, True, False, False, False, False, False]
    nothing = "worst skill, contradictions, waiting for approval, refinements applied, ratings and overrides"
    assert f"Nothing yet in {nothing}, corrected rates" in told[10]
    assert all(plain_text(section.html) for section in sections_of(replace(page, every_part=True))[5:10])


def test_complaints_are_no_part_where_data_suffice(picture):
    """With rates, quotes stand beside the worst skill only."""
    assert complaints_section(picture, privacy=False).html == ""


def test_quote_has_kind_dimension_date_agent_project_and_language():
    """All that the words rest on, in one line."""
    events, uses = judged("x", "c", user_message_snippet="不对", language="zh", dimension_hint="trigger_quality")
    summary = summarize([replace(event, project="C:\\work\\shop") for event in events], uses)
    (quote,) = quotes_of(summary.complaints, time_zone="UTC", privacy=False)
    assert (quote.text, quote.lang) == ("不对", "zh")
    assert quote.source == "trigger quality · rejection · 26 Nov · Claude Code · shop"


def test_cut_quote_ends_after_a_whole_word():
    """A snippet of full length was cut: its last, torn word goes."""
    events, uses = judged("x", "c", user_message_snippet=("word " * 40)[:197] + "tor")
    (quote,) = quotes_of(summarize(events, uses).complaints, time_zone="UTC", privacy=False)
    assert quote.text.endswith("word…")


def test_same_words_are_shown_once():
    """Repeated words stand where they were said last, with how often; another skill's stay apart."""
    parts = [judged("x", "cc", days_ago=2), judged("x", "c", days_ago=5), judged("y", "c", days_ago=9)]
    first, second = quotes_of(together(*parts).complaints, time_zone="UTC", privacy=False, with_skill=True)
    assert (first.skill, first.times, second.skill, second.times) == ("x", 3, "y", 1)
    assert "× 3, last on 27 Nov" in first.source
    private = quotes_of(together(*parts).complaints, time_zone="UTC", privacy=True)
    assert [quote.times for quote in private] == [1, 1, 1, 1]


def test_complaint_without_words_says_so():
    """A click without words is shown as that."""
    events, uses = judged("x", "c", user_message_snippet="")
    (quote,) = quotes_of(summarize(events, uses).complaints, time_zone="UTC", privacy=False)
    assert quote.source.startswith("no words · coverage")


def test_health_shows_what_is_known_and_nothing_else():
    """Every key has its line; a missing key has none."""
    summary = together(judged("x", "ca---"))
    told = {
        "sessions": {"claude-code": 241, "codex": 52},
        "unreadable_lines": 7,
        "unreadable_files": 3,
        "unreadable_paths": 2,
        "skipped": {"compressed": 2, "not_a_session": 1},
        "languages": {"it": 8, "und": 3},
        "scripted": 12,
        "duplicates": 40,
        "expiring": 18,
        "expiring_before": "2026-12-07",
        "transcript_gone": 204,
        "labelled": 12,
    }
    assert {*told, "no_uses"} == set(HEALTH_KEYS)
    text = plain_text(health_section(summary, health=told).html)
    for words in (
        "18 transcripts will be deleted by Claude Code before 7 December.",
        "Sessions read 293: Claude Code 241, Codex 52",
        "Scripted sessions 12 left out",
        "Lines not readable 7 in 3 files, passed over",
        "Files not opened 2",
        "Files passed over 3 2: compressed: unpack them",
        "1: no agent’s session that skilltune knows",
        "Copied records 40 counted once",
        "Uses judged 2 of 5 (40%) in the last 30 days",
        "Labelled by you 12 uses; there the label counts, not the rules",
        "Uses not judged 3: nothing was said after it",
        "Language without lexicon 11 turns (Italian 8, other 3), not judged",
        "Events kept, transcript gone 204",
    ):
        assert words in text
    assert "Sessions read" not in health_section(summary, health={}).html


def test_health_says_that_a_compressed_file_was_not_read():
    """It may hold sessions: not everything was read, and the page says so first."""
    summary = together(judged("x", "ca---"))
    whole, packed = ({"sessions": {"codex": 2}, "skipped": {"compressed": number}} for number in (0, 1))
    assert "Everything that was found could be read." in health_section(summary, health=whole).html
    told = plain_text(health_section(summary, health=packed).html)
    assert "1 compressed file was not read." in told
    assert "Everything that was found" not in told


def test_health_lists_trigger_problems():
    """Asked for but not run: named with skill and reason, and no use."""
    events, uses = judged("x", "caaaaa-")
    failed = replace(uses[-1], event_id="failed", skill_id="missing", failed="unknown_skill")
    text = plain_text(health_section(summarize(events, [*uses, failed]), health={}).html)
    assert "Trigger problems 1: missing, no such skill" in text
    assert "6 of 7" in text


def test_health_gives_each_reason_a_line():
    """Uses not judged: the number first, then why in words."""
    events, uses = judged("x", "ca---")
    uses[-1] = replace(uses[-1], reason="ended")
    html = health_section(summarize(events, uses), health={}).html
    assert "<li>2: nothing was said after it</li><li>1: the next skill was used at once</li>" in html


def test_health_counts_weak_complaints_once():
    """A use and its event may both tell them; none is no line."""
    events, uses = judged("x", "ca-")
    frames = (to_frame(events, FeedbackEvent), to_frame(uses, Invocation))
    assert "Weak complaints" not in health_section(weekly_summary(*frames, week=WEEK), health={}).html
    told = [frame.assign(weak_complaints=[2, *[0] * (len(frame) - 2), 1]) for frame in frames]
    text = plain_text(health_section(weekly_summary(*told, week=WEEK), health={}).html)
    assert "Weak complaints 4, about something else perhaps, not counted" in text
    bare = [frame.drop(columns="weak_complaints", errors="ignore") for frame in frames]
    assert weekly_summary(*bare, week=WEEK).weak_complaints == 0


def test_accuracy_says_what_the_rates_miss():
    """Precision with its count, recall with the number labelled, and from which rate on it errs which way."""
    summary = together(judged("x", "caaaaa"))
    text = plain_text(accuracy_section(summary, accuracy=ACCURACY).html)
    assert "When skilltune says “correction”, it is right about 6 times in 7; it misses about 3 in 10 of all" in text
    assert "86% 38 of 44" in text
    assert "72% 53 labelled" in text
    wrongly = (44 - 38) / (137 - 53)
    low = percent(wrongly / (1 - 0.72 + wrongly))
    assert f"High rates are too low by what is missed; rates under about {low} may be too high" in text
    few = accuracy_section(together(judged("x", "ca")), accuracy=ACCURACY).html
    assert "rates under" not in few


def test_accuracy_counts_uses_in_languages_that_were_not_measured():
    """Words in another language than the measured ones are said to be unmeasured; a click has no language."""
    parts = [judged("x", "caa", language=language, days_ago=days) for days, language in ((3, "en"), (4, "zh"), (5, ""))]
    told = {**ACCURACY, "languages": ["en"]}
    text = plain_text(accuracy_section(together(*parts), accuracy=told).html)
    assert "3 of the judged uses on this page are in other languages; for those nothing was measured." in text
    english = accuracy_section(together(parts[0], parts[2]), accuracy=told).html
    assert "other languages" not in english


def test_accuracy_tells_the_smaller_projects_apart():
    """Languages and the figures of other projects are said where they were measured; half is called half."""
    recall = {"rate": 0.36, "n": 25, "low": 0.17, "high": 0.56}
    told = {
        "turns": 732,
        "projects": 5,
        "languages": ["en"],
        "outcomes": {"correction": {"precision": {"rate": 0.8, "k": 8, "n": 10}, "recall": {"rate": 0.52, "n": 50}}},
        "other_projects": {"turns": 94, "projects": 4, "outcomes": {"negative": {"recall": recall}}},
    }
    text = plain_text(accuracy_section(together(judged("x", "caaaaa")), accuracy=told).html)
    assert "Measured on 732 turns in English from 5 public projects" in text
    assert "it misses about half of all corrections, in smaller projects about two thirds." in text
    told_apart = "In 4 smaller projects (94 turns) of which nothing had been learned, 36% of the complaints were found"
    assert f"{told_apart} (17–56%, 25 labelled)" in text


def test_accuracy_without_measurement_makes_no_claim():
    """No figures: the page says how far it can be trusted."""
    text = plain_text(accuracy_section(together(judged("x", "ca")), accuracy={}).html)
    assert "Nobody has measured these verdicts yet" in text
    assert "%" not in text.replace("95%", "").replace("9–17%", "")


def test_method_says_what_a_sessions_likeness_does(picture):
    """How often intervals hold where uses of one session are alike is said in numbers."""
    text = plain_text(accuracy_section(picture, accuracy=ACCURACY).html)
    assert "trend intervals are widened by how alike they are" in text
    assert "Intervals of single rates are not widened: they hold in about 91 to 94 of 100 cases" in text
    assert "treat uses as independent" not in text


def test_every_metric_is_listed_unasked(picture, monkeypatch):
    """A metric that is added to the package stands on the page, with its meaning, escaped."""

    def longest_week(events: pd.DataFrame, *, as_of: str) -> pd.DataFrame:
        """How long <b>weeks</b> are."""
        return events

    before = accuracy_section(picture, accuracy=ACCURACY).html
    assert "correction_rate" in before
    monkeypatch.setattr(skilltune, "__all__", [*skilltune.__all__, "longest_week"])
    monkeypatch.setattr(skilltune, "longest_week", longest_week, raising=False)
    monkeypatch.setitem(skilltune._HOME, "longest_week", "skilltune.analysis.invented")
    html = accuracy_section(picture, accuracy=ACCURACY).html
    assert "longest_week" not in before
    assert "longest_week How long <b>weeks</b> are." in plain_text(html)
    assert "&lt;b&gt;weeks" in html


def test_share_without_interval_gets_one():
    """A missing interval is computed, given bounds are kept."""
    made = share_of({"recall": {"rate": 0.5, "n": 20}}, "recall")
    assert made is not None
    assert 0.25 < made.low < 0.5 < made.high < 0.75
    given = share_of({"recall": {"rate": 0.5, "n": 20, "low": 0.1, "high": 0.9}}, "recall")
    assert given is not None
    assert (given.low, given.high) == (0.1, 0.9)
    assert share_of({}, "recall") is None


@pytest.mark.parametrize("skills", [PICTURE, [Skill("rare", 0.4, 0.9, 0.9)]])
def test_private_page_has_no_quote_path_project_or_session(skills):
    """The private form names skills only, and its foot says which form it is."""
    quoted = [replace(skill, sayings=[("SECRETWORDS", "en")], project="/home/SOMEBODY/PROJECT") for skill in skills]
    summary = summary_of(quoted)
    assert len(summary.complaints)
    page = WeeklyPage(summary=summary, made=MADE, privacy=True)
    html = "".join(section.html for section in sections_of(page))
    for word in ("SECRETWORDS", "SOMEBODY", "PROJECT", "session-"):
        assert word not in html
    assert "Private form" in html
    assert "SECRETWORDS" in "".join(s.html for s in sections_of(WeeklyPage(summary=summary, made=MADE)))


def test_sample_page_says_so():
    """One clear line that none of it is the reader's."""
    page = WeeklyPage(summary=together(judged("x", "ca")), made=MADE, version="0.1.0", sample=True)
    assert "These are the bundled sample sessions" in page.masthead().html
    assert "Made on 30 November 2026 by skilltune 0.1" in page.foot().html


def test_foot_says_what_was_sent_to_judges():
    """Making the page sends nothing; what a judge labelled had been sent to it before, and that is said."""
    summary = together(judged("x", "ca"))
    alone = WeeklyPage(summary=summary, made=MADE).foot().html
    assert "Making it sent nothing anywhere." in alone
    assert "judge" not in alone
    judges = {"claude": (12, date(2026, 11, 29)), "<b>": (1, None)}
    told = WeeklyPage(summary=summary, made=MADE, judges=judges).foot().html
    assert "12 turns were sent to the judge claude earlier, last on 29 November 2026." in told
    assert "1 turn was sent to the judge &lt;b&gt; earlier." in told


def test_foot_says_whether_it_quotes():
    """The line on quotes stands only where words are quoted."""
    quoting = WeeklyPage(summary=together(judged("x", "ca")), made=MADE).foot().html
    assert "It quotes sessions and names projects; <code>skilltune report --privacy</code>" in quoting
    for outcomes, words in (("aa", "x"), ("ca", ""), ("caaaaa", "")):
        summary = together(judged("x", outcomes, user_message_snippet=words))
        assert "It quotes nobody." in WeeklyPage(summary=summary, made=MADE).foot().html


def test_health_counts_uses_whose_version_nobody_can_tell():
    """Uses that brought no text along are counted; where all have one there is no such line."""
    events, uses = judged("x", "caaaa")
    blank = [replace(use, skill_digest="") if place < 2 else use for place, use in enumerate(uses)]
    assert "Version not known 2 uses" in plain_text(health_section(summarize(events, blank), health={}).html)
    assert "Version not known" not in plain_text(health_section(summarize(events, uses), health={}).html)
