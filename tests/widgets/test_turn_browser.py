"""The turn browser without a kernel: filters, jumps, what it says of a turn."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from skilltune.errors import InputError
from skilltune.mining.sessions import MinedRecords
from skilltune.page.html import plain_text
from skilltune.widgets.browser import ROWS, TurnBrowser
from skilltune.widgets.browser_turns import TurnFilter, TurnTable
from skilltune.workflow import Mined, mine, read_sessions
from tests.widgets.labelled_home import KEY, write_hostile, write_secrets, write_sessions

OURS = {
    "style", "div", "h2", "h3", "h4", "p", "span", "pre", "b", "code", "details", "summary", "ol", "li",
    "table", "caption", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")


def press(button) -> None:
    """What the browser sends when a person clicks."""
    button._handle_custom_msg({"event": "click"}, [])


def seen(part) -> str:
    """A part as a person reads it."""
    return plain_text(part.value)


def rows(browser: TurnBrowser) -> list[str]:
    """The list, as far as it is shown."""
    return [row.description for row in browser.rows if row.layout.display != "none"]


@pytest.fixture
def projects(home: Path) -> Path:
    """Six uses of two skills, a first prompt and two turns after each."""
    return write_sessions(home, uses=6)


@pytest.fixture
def browser(projects: Path) -> TurnBrowser:
    """A browser of them."""
    return TurnBrowser(projects)


def test_turns_are_listed_with_their_counts(browser: TurnBrowser):
    """A page of them, the newest session first; what one says, and what it was judged."""
    assert "18 turns" in seen(browser.head)
    assert len(rows(browser)) == ROWS
    assert "1–12 of 18" in seen(browser.pages)
    assert rows(browser)[0].startswith("no skill\nnone · Add a unique index")
    assert rows(browser)[2].startswith("api-docs\nacceptance · Thanks, perfect.")


def test_a_turn_stands_in_its_context_with_the_verdict_and_why(browser: TurnBrowser):
    """What was asked, what the agent did and said, what came after; what decided and why; the use; the place."""
    browser.text.value = "the down migration is missing"
    assert "1 of 18 turns" in seen(browser.head)
    turn, why = seen(browser.turn), seen(browser.why)
    for words in ("Add a unique index", "1 file edited", "0042_orders_ref.sql", "You are right, I change that."):
        assert words in turn
    assert "Verdict: correction (rejection)" in why
    assert "words that say that the work is wrong, missing or unwanted" in why
    assert re.search(r"complaint \d+%, acceptance \d+%", why)
    assert "for a complaint" in why
    assert "turn 1 of 2 after the use" in why
    assert "correction, decided by turn 1" in why
    assert re.search(r"~/\.claude/projects/.*s000\.jsonl:\d+", why)
    assert "Thanks, perfect. Ship it." in seen(browser.window)


@pytest.mark.parametrize(
    ("control", "value", "count"),
    [
        ("skill", "api-docs", 6),
        ("outcome", "complaint", 3),
        ("outcome", "acceptance", 7),
        ("agent", "claude-code", 18),
        ("channel", "message", 18),
        ("text", "UNDO THAT", 1),
        ("session", "s00", 18),
        ("session", "s003", 3),
    ],
)
def test_filters_let_through_what_they_say(browser: TurnBrowser, control: str, value: str, count: int):
    """Each by itself; the head counts what is left."""
    getattr(browser, control).value = value
    assert len(browser.found) == count, seen(browser.head)


def test_filters_go_together_and_nothing_may_be_left(browser: TurnBrowser):
    """No turn fits: it says so, and every jump still answers."""
    browser.skill.value, browser.text.value = "api-docs", "down migration"
    assert "No turn fits these filters." in seen(browser.pages)
    assert seen(browser.turn) == ""
    for act in browser.acts.values():
        press(act)
    assert "18 turns" in seen(browser.head), "all turns brings them back"


def test_keys_go_from_turn_to_turn_and_say_where_it_ends(browser: TurnBrowser):
    """On over the end of the page; the first has none before it."""
    press(browser.acts["k"])
    assert "This is the first turn" in seen(browser.status)
    for _ in range(ROWS):
        press(browser.acts["j"])
    assert "13–18 of 18" in seen(browser.pages)
    assert "turn 13 of 18" in seen(browser.heading)
    press(browser.rows[5])
    assert "turn 18 of 18" in seen(browser.heading)
    press(browser.acts["j"])
    assert "This is the last turn" in seen(browser.status)


def test_complaints_are_one_key_apart(browser: TurnBrowser):
    """All of them in order, and back."""
    found = []
    for _ in range(3):
        press(browser.acts["n"])
        found.append(seen(browser.heading))
    assert len(set(found)) == 3
    assert browser.table.turns[browser.found[browser.at]].outcome in ("correction", "partial")
    press(browser.acts["n"])
    assert "No complaint after this turn." in seen(browser.status)
    press(browser.acts["p"])
    assert seen(browser.heading) == found[1]


def test_the_use_is_a_jump_away_whatever_is_filtered(browser: TurnBrowser):
    """From the second turn of a window to its first, filters emptied where they hid it."""
    browser.text.value = "Ship it"
    press(browser.acts["u"])
    assert "The use: " in seen(browser.status)
    assert "decided by turn" in seen(browser.status)
    assert "turn 1 of 2 after the use" in seen(browser.why)
    browser.text.value = "unique index"
    press(browser.acts["u"])
    assert "no use of a skill" in seen(browser.status)


def test_the_session_is_read_whole(browser: TurnBrowser):
    """Only its turns, the one shown still shown; then all again."""
    browser.text.value = "Undo that"
    press(browser.acts["s"])
    assert "3 of 18 turns" in seen(browser.head)
    assert "Undo that, please." in seen(browser.turn)
    press(browser.acts["a"])
    assert "18 turns" in seen(browser.head)
    assert "Undo that, please." in seen(browser.turn)


def test_transcript_that_is_gone_is_said(browser: TurnBrowser, projects: Path):
    """What the turn's own row tells is shown."""
    browser.text.value = "Undo that"
    for path in projects.rglob("*.jsonl"):
        path.unlink()
    browser.text.value = "down migration"
    assert "the transcript cannot be read any more" in seen(browser.why)
    assert "the down migration is missing" in seen(browser.turn)


def test_begins_with_the_filters_asked_for(projects: Path):
    """By the call; a wrong one is an error, an unknown skill shows nothing."""
    assert len(TurnBrowser(projects, outcome="complaint", skill_id="api-docs").found) == 1
    assert TurnBrowser(projects, skill_id="nowhere").found == []
    assert TurnBrowser(projects, since="2099-01-01").found == []
    with pytest.raises(InputError, match="outcome is 'wrong'; it is one of complaint, correction"):
        TurnBrowser(projects, outcome="wrong")


def test_without_a_front_end_it_is_a_table(browser: TurnBrowser):
    """The sentence, the first turns; nothing to press."""
    shown = browser._repr_mimebundle_()
    assert set(shown) == {"text/html", "text/plain"}
    assert "18 turns:" in shown["text/plain"]
    assert "The first 15 of them; browse the rest in JupyterLab." in shown["text/plain"]
    assert "<button" not in shown["text/html"]


def test_no_sessions_are_an_empty_browser(home: Path):
    """It says so; no key fails."""
    (home / "none").mkdir()
    browser = TurnBrowser(home / "none")
    for act in browser.acts.values():
        press(act)
    assert "0 turns" in seen(browser.head)
    assert "No turns: nothing was read" in browser.still_text()


def test_hostile_words_stay_words(home: Path):
    """In skills, prompts, answers; on every turn."""
    browser = TurnBrowser(write_hostile(home))
    shown = [str(browser.still())]
    for at in range(len(browser.found)):
        browser._show(at)
        shown += [part.value for part in (browser.head, browser.heading, browser.turn, browser.window, browser.why)]
    for html in shown:
        plain = re.sub("<style>.*?</style>", "", html, flags=re.DOTALL)
        assert {tag.lower() for tag in TAG.findall(plain)} <= OURS
        assert "\x1b" not in html
        assert "\u202e" not in html


def test_secrets_are_masked(home: Path):
    """In names, words and context, in the list and in the table."""
    browser = TurnBrowser(write_secrets(home))
    shown = [str(browser.still()), *rows(browser)]
    for at in range(len(browser.found)):
        browser._show(at)
        shown += [part.value for part in (browser.heading, browser.turn, browser.window, browser.why)]
    assert KEY not in "".join(shown)


def test_fifty_thousand_turns_are_shown_by_the_page(projects: Path):
    """What is drawn does not grow with what there is."""
    mined = mine(read_sessions(projects))
    turn = mined.records.turns[0]
    start = datetime(2026, 1, 1, tzinfo=UTC)
    many = [
        replace(turn, session_id=f"x{n // 10}", turn_id=f"t{n}", timestamp=start + timedelta(seconds=n), text=f"no {n}")
        for n in range(50_000)
    ]
    browser = TurnBrowser(Mined(MinedRecords(turns=many), mined.scan))
    assert "50,000 turns" in seen(browser.head)
    assert len(browser.rows) == ROWS
    browser.text.value = "no 4999"
    assert "11 of 50,000 turns" in seen(browser.head)
    assert len(str(browser.still())) < 60_000


def test_sessions_come_newest_first_and_turns_as_they_were_said(projects: Path):
    """Also where a turn has no time."""
    table = TurnTable.of(mine(read_sessions(projects)))
    names = [turn.session_id for turn in table.turns]
    assert names == sorted(names, reverse=True)
    first = [turn.line for turn in table.turns if turn.session_id == names[0]]
    assert first == sorted(first)
    assert table.find(TurnFilter()) == list(range(18))
