"""The approval panel without a kernel: presses as the browser sends them, and what they write."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from skilltune.errors import SkillNotFoundError
from skilltune.evolution.candidates import Candidate, Sighting, candidate_id
from skilltune.page.html import plain_text
from skilltune.refining.state import read_state
from skilltune.stores.candidates import find_candidate_log
from skilltune.stores.ledger import find_ledger
from skilltune.widgets.approval import ApprovalPanel
from skilltune.widgets.approval_acts import BY_PROGRAM
from skilltune.widgets.approval_views import _fares
from skilltune.widgets.frontend import CLICK
from skilltune.workflow import collect
from tests.sources.claude_code.building import Transcript, write
from tests.widgets.conftest import Clock
from tests.widgets.labelled_home import HOSTILE
from tests.widgets.reviewed_home import (
    FIX,
    LONG,
    NOW,
    SHORT,
    correct,
    write_complaints,
    write_lint,
    write_review,
    write_skill,
)

OURS = {
    "style", "div", "h2", "h3", "h4", "p", "span", "pre", "b", "i", "del", "ins", "code", "blockquote",
    "table", "caption", "thead", "tbody", "tr", "th", "td",
}  # fmt: skip
TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
"""Tags that a panel puts around texts; how they begin."""


@pytest.fixture
def review(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home with all four skills."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    write_review(home)
    return home


@pytest.fixture
def lint(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home with one skill that is ready; the skill's file."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    return write_lint(home)


def panel_of(home: Path, clock: Clock, *, origin: str = CLICK, skill: str | None = None, at=NOW) -> ApprovalPanel:
    """A panel whose first item has been on the screen for a second."""
    panel = ApprovalPanel(home / ".skilltune", skill, as_of=at, origin=lambda: origin, clock=clock)
    clock.now += 1
    return panel


def press(button, clock: Clock | None = None) -> None:
    """What the browser sends when a person clicks; then a second passes."""
    button._handle_custom_msg({"event": "click"}, [])
    if clock:
        clock.now += 1


def choose(panel: ApprovalPanel, name: str, clock: Clock) -> None:
    """Choose an item of the queue by its skill."""
    press(next(button for key, button in panel.queue.buttons.items() if key.skill_id == name), clock)


def button(panel: ApprovalPanel, words: str):
    """A button of the contradictions."""
    boxes = [child for box in panel.findings.children for child in box.children[1].children]
    return next(each for each in boxes if each.description == words)


def said(panel: ApprovalPanel) -> str:
    """The result line as a person reads it."""
    return plain_text(panel.status.value)


def seen(part) -> str:
    """A part as a person reads it."""
    return plain_text(part.value)


def acts(home: Path, skill: str = "lint-on-save") -> list[str]:
    """The types of the audit entries on a skill."""
    return [row["type"] for row in read_state(skill, workspace=home / ".skilltune").record.entries]


def test_queue_has_what_is_ready_first_and_says_why_others_are_held(review: Path, clock: Clock):
    """Ready, to be worded, held with its reason; nothing is written by opening it but the first text."""
    panel = panel_of(review, clock)
    assert [each.description.replace("\n", " | ") for each in panel.queue.buttons.values()] == [
        "sql-migrations | 3 changes · 18% · drift 18.4%",
        "lint-on-save | 1 change · 5% · drift 4.7%",
        "api-docs | 3 complaints, 3 sessions",
        "pr-description | ✕ 1 conflict",
    ]
    assert "2 suggestions wait for a decision 1 held · 1 to be worded" in seen(panel.head)
    assert acts(review) == ["first_seen"]


def test_unticking_a_change_reckons_everything_anew(review: Path, clock: Clock):
    """The button, the percentages, the digest follow what is ticked; nothing ticked can be approved."""
    panel = panel_of(review, clock)
    assert panel.approve.description == "Approve 3 changes"
    digest, boxes = panel.suggestion.digest, panel.changes.children
    panel.rows[0].tick.value = False
    assert panel.approve.description == "Approve 2 changes"
    assert panel.suggestion.digest != digest
    assert panel.changes.children is boxes, "what a person types into keeps the focus"
    assert f"Would change {panel.suggestion.change_percent}% of the skill." in seen(panel.heading)
    assert "2 changes" in next(iter(panel.queue.buttons.values())).description
    for row in panel.rows:
        row.tick.value = False
    assert panel.approve.disabled
    clock.now += 1
    press(panel.approve)
    assert "this cannot be applied" in said(panel)
    assert acts(review, "sql-migrations") == ["first_seen"]


def test_approval_writes_the_ticked_changes_only_and_says_where(review: Path, clock: Clock):
    """The file, the audit entry, the result line; the same item stays, decided."""
    file = review / ".claude" / "skills" / "sql-migrations" / "SKILL.md"
    panel = panel_of(review, clock)
    panel.rows[1].tick.value = False
    clock.now += 1
    panel.reason.value = "agreed in the review"
    press(panel.approve, clock)
    text = file.read_text(encoding="utf-8")
    assert "Always add a down migration" in text
    assert "CONCURRENTLY" not in text
    told = said(panel)
    assert re.search(r"Approved and written at \d\d:\d\d\. sql-migrations is now v2: 2 changes in ~/\.claude/", told)
    assert "audit entry" in seen(panel.aside)
    assert "Next refinement possible from 7 December" in seen(panel.then)
    entry = read_state("sql-migrations", workspace=review / ".skilltune").record.entries[-1]
    assert entry["type"] == "refine"
    assert entry["note"] == f"agreed in the review ({BY_PROGRAM})", "the test pressed it"
    assert entry["how"] == "panel"
    assert panel.approve.disabled
    assert panel.item.skill_id == "sql-migrations"
    assert "approved" in next(iter(panel.queue.buttons.values())).description


def test_second_press_does_nothing(lint: Path, home: Path, clock: Clock):
    """By the same button, however it is disabled in the browser."""
    panel = panel_of(home, clock)
    press(panel.approve, clock)
    once = lint.read_bytes(), acts(home)
    press(panel.approve, clock)
    press(panel.reject, clock)
    assert (lint.read_bytes(), acts(home)) == once


def test_undo_puts_the_exact_bytes_back_and_is_recorded(lint: Path, home: Path, clock: Clock):
    """One press; the version goes on; what was rolled back is not proposed again."""
    before = lint.read_bytes()
    panel = panel_of(home, clock)
    press(panel.approve, clock)
    assert panel.undo.description == "Undo: back to v1"
    press(panel.undo, clock)
    assert lint.read_bytes() == before
    assert acts(home) == ["first_seen", "approve", "refine", "rollback"]
    assert "lint-on-save is now v3, with the exact text of v1" in said(panel)
    assert panel.undo.layout.display == "none"
    assert panel.approve.disabled


def test_undo_of_a_panel_made_anew(lint: Path, home: Path, clock: Clock):
    """Decisions are read from the disk: an approval by another panel can be taken back in this one."""
    before = lint.read_bytes()
    press(panel_of(home, clock).approve)
    again = panel_of(home, clock)
    assert "Last: approved" in seen(again.heading)
    press(again.undo, clock)
    assert lint.read_bytes() == before


def test_undo_of_what_was_edited_since_is_refused(lint: Path, home: Path, clock: Clock):
    """Edits made outside are never overwritten silently."""
    panel = panel_of(home, clock)
    press(panel.approve, clock)
    lint.write_text(lint.read_text(encoding="utf-8") + "\nMine.\n", encoding="utf-8")
    press(panel.undo, clock)
    assert "look at the drift and earlier versions" in said(panel)
    assert lint.read_text(encoding="utf-8").endswith("Mine.\n")


@pytest.mark.parametrize("origin", ["execute_request", ""])
def test_code_decides_nothing(lint: Path, home: Path, clock: Clock, origin: str):
    """Only what comes as a person's press."""
    panel = panel_of(home, clock, origin=origin)
    for each in (panel.approve, panel.reject, panel.defer, panel.undo):
        each.click()
    assert "only a person’s press in the browser decides" in said(panel)
    assert acts(home) == ["first_seen"]


def test_press_before_the_text_could_be_read_is_refused(review: Path, clock: Clock):
    """Chosen and approved while the kernel was busy: it was never on the screen."""
    panel = panel_of(review, clock)
    press(list(panel.queue.buttons.values())[1])
    press(panel.approve)
    assert "before this text could be read" in said(panel)
    assert acts(review) == ["first_seen"]


def test_tick_and_press_at_once_is_refused(review: Path, clock: Clock):
    """The numbers of the new choice were not seen."""
    panel = panel_of(review, clock)
    panel.rows[0].tick.set_state({"value": False})
    press(panel.approve)
    assert "before this text could be read" in said(panel)


def test_rate_of_a_skill_says_its_time():
    """The report's is of 30 days: two numbers of one skill may differ, and say why."""
    rate = {"sufficient_data": True, "correction_rate": 0.4, "sample_size": 72}
    assert _fares(rate) == "Corrected in 40% of 72 judged uses, over all time."
    assert _fares(rate | {"sufficient_data": False}) == ""


def test_reject_needs_a_reason_and_is_not_proposed_again(lint: Path, home: Path, clock: Clock):
    """The reason stands in the audit log."""
    panel = panel_of(home, clock)
    assert panel.reject.disabled, "not the one thing to press while its reason is missing"
    press(panel.reject, clock)
    assert "a reason is needed to reject" in said(panel)
    panel.reason.value = "we left eslint"
    assert not panel.reject.disabled
    press(panel.reject, clock)
    assert re.search(r"Rejected at \d\d:\d\d\. lint-on-save is as it was\. Not proposed again", said(panel))
    assert acts(home) == ["first_seen", "reject"]
    again = panel_of(home, clock)
    assert again.found.count("ready") == 0
    assert "rejected before" in next(iter(again.queue.buttons.values())).description


@pytest.mark.parametrize("act", ["reject", "defer"])
def test_rejection_and_deferral_are_taken_back(lint: Path, home: Path, clock: Clock, act: str):
    """One Tab away as for an approval; recorded itself; then it waits as before, and can be approved."""
    panel = panel_of(home, clock)
    panel.reason.value = "not now"
    press(getattr(panel, act), clock)
    assert panel.undo.layout.display == ""
    assert panel.undo.description == "Undo: let it wait again"
    press(panel.undo, clock)
    assert "Taken back. The suggestion for lint-on-save waits again." in said(panel)
    assert acts(home) == ["first_seen", act, "reopen"]
    assert panel.undo.layout.display == "none"
    press(panel.approve, clock)
    assert "Approved and written" in said(panel)


def test_rejection_of_another_panel_is_taken_back(lint: Path, home: Path, clock: Clock):
    """What the audit log knows, by a panel made anew; once."""
    panel = panel_of(home, clock)
    panel.reason.value = "no"
    press(panel.reject, clock)
    again = panel_of(home, clock)
    assert again.undo.description == "Undo: let it wait again"
    press(again.undo, clock)
    assert panel_of(home, clock).found.count("ready") == 1
    assert panel_of(home, clock).undo.layout.display == "none"


def test_rejected_complaints_are_taken_back(review: Path, clock: Clock):
    """In the same panel, and in one made anew by the skill's own item, which stays in the queue for that."""
    panel = panel_of(review, clock)
    choose(panel, "api-docs", clock)
    panel.reason.value = "elsewhere"
    press(panel.reject, clock)
    press(panel.undo, clock)
    assert any(key.opening for key in panel_of(review, clock).queue.buttons)
    panel = panel_of(review, clock)
    choose(panel, "api-docs", clock)
    panel.reason.value = "elsewhere"
    press(panel.reject, clock)
    again = panel_of(review, clock)
    assert not any(key.opening for key in again.queue.buttons)
    choose(again, "api-docs", clock)
    press(again.undo, clock)
    assert "Taken back." in said(again)
    assert any(key.opening for key in panel_of(review, clock).queue.buttons)


@pytest.fixture
def without_baseline(lint: Path, home: Path) -> Path:
    """The ready skill, its first text gone; the skill's file."""
    read_state("lint-on-save", workspace=home / ".skilltune")
    ApprovalPanel(home / ".skilltune", as_of=NOW)
    snapshots = home / ".claude" / ".skill-snapshots"
    digest = read_state("lint-on-save", workspace=home / ".skilltune").baseline.digest
    lint.write_text(lint.read_text(encoding="utf-8") + "\nOne line of my own that came later.\n", encoding="utf-8")
    for path in [each for each in snapshots.rglob("*") if each.is_file() and digest[:12] in each.name]:
        path.unlink()
    assert read_state("lint-on-save", workspace=home / ".skilltune").baseline_body is None
    return lint


def test_missing_first_text_holds_until_a_person_allows_it(without_baseline: Path, home: Path, clock: Clock):
    """A tick with its sentence, never set by itself; with it the same press applies, and the log says so."""
    before = without_baseline.read_bytes()
    panel = panel_of(home, clock)
    assert panel.allowance.box.layout.display == ""
    assert not panel.allowance.tick.value
    assert panel.approve.disabled
    press(panel.approve, clock)
    assert without_baseline.read_bytes() == before
    panel.allowance.tick.value = True
    assert not panel.approve.disabled, seen(panel.lower)
    press(panel.approve)
    assert "before this text could be read" in said(panel)
    clock.now += 1
    press(panel.approve, clock)
    assert "Approved and written" in said(panel), said(panel)
    assert FIX[1] in without_baseline.read_text(encoding="utf-8")


def test_allowance_is_for_the_item_it_was_given_for(without_baseline: Path, home: Path, clock: Clock):
    """Read again, it is not ticked; unticked, it holds again; a skill with its first text has none."""
    panel = panel_of(home, clock)
    panel.allowance.tick.value = True
    press(panel.again, clock)
    assert not panel.allowance.tick.value
    assert panel.approve.disabled
    panel.allowance.tick.value = True
    panel.allowance.tick.value = False
    assert panel.approve.disabled
    write_skill(home, "whole", "# Whole\n\n" + "Say what was tested, and by whom. " * 20)
    correct(home, "whole", "what was tested", "what was not tested", "s1", "s2", "s3")
    again = panel_of(home, clock, skill="whole")
    assert again.allowance.box.layout.display == "none"


def test_panel_whose_presses_a_program_tells_says_so(lint: Path, home: Path, clock: Clock):
    """Every entry and note that it writes; a panel of a notebook does not say it."""
    panel = panel_of(home, clock)
    press(panel.approve, clock)
    press(panel.undo, clock)
    entries = read_state("lint-on-save", workspace=home / ".skilltune").record.entries
    assert all(BY_PROGRAM in row["note"] for row in entries if row["type"] in ("approve", "refine", "rollback"))
    assert not ApprovalPanel(home / ".skilltune", as_of=NOW).acts.by_program


def test_hidden_characters_are_marked_and_named(lint: Path, home: Path, clock: Clock):
    """A direction mark and look-alikes in what is suggested: beside the change, before it can be approved."""
    correct(home, "lint-on-save", "after every save", "\u0430fter \u200bevery\u202e save", "t1", "t2", "t3")
    panel = panel_of(home, clock)
    told = " ".join(seen(row.new) for row in panel.rows)
    assert "1 zero width space, 1 right-to-left override and 1 Cyrillic letter inside a Latin word" in told
    assert "U+202E" in told


def test_extreme_texts_make_a_small_page(home: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch):
    """One line of 200,000 characters, and as many in a correction: the panel opens, and says what it leaves out."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    write_skill(home, "long", "# Long\n\n" + "a" * 190_000 + " end of it.\n")
    correct(home, "long", "a" * 190_000, "b" * 190_000, "s1", "s2", "s3")
    panel = panel_of(home, clock, skill="long")
    press(panel.show, clock)
    parts = [panel.heading, panel.lower, panel.drift, panel.words, *(row.new for row in panel.rows)]
    assert sum(len(part.value) for part in parts) < 300_000


def test_defer_leaves_it_in_the_queue(lint: Path, home: Path, clock: Clock):
    """Recorded, and shown as such later."""
    panel = panel_of(home, clock)
    press(panel.defer, clock)
    assert "It stays in the queue." in said(panel)
    assert acts(home) == ["first_seen", "defer"]
    again = panel_of(home, clock)
    assert next(iter(again.queue.buttons.values())).description.endswith("deferred")
    assert not again.approve.disabled


def test_body_changed_since_is_refused_and_shown_as_it_is_now(lint: Path, home: Path, clock: Clock):
    """Stale: nothing is written; the item is read again and says so."""
    panel = panel_of(home, clock)
    edited = lint.read_text(encoding="utf-8") + "\nA line of my own, longer than a word.\n"
    lint.write_text(edited, encoding="utf-8")
    press(panel.approve, clock)
    assert "changed since" in said(panel)
    assert "It changed since it was shown: this is how it is now." in seen(panel.heading)
    assert "edited outside" in seen(panel.lower)
    assert lint.read_text(encoding="utf-8") == edited
    press(panel.approve, clock)
    assert "Approved and written" in said(panel)


def test_evidence_changed_since_is_refused_for_every_decision(lint: Path, home: Path, clock: Clock):
    """Another correction makes another suggestion, also for a rejection."""
    panel = panel_of(home, clock)
    panel.reason.value = "no"
    correct(home, "lint-on-save", *FIX, "s9")
    press(panel.reject, clock)
    assert "look at it again" in said(panel)
    assert acts(home) == ["first_seen"]
    assert panel.suggestion.based_on_corrections == 4


def test_two_panels_one_wins(lint: Path, home: Path, clock: Clock):
    """The other is told, and shows what is on the disk."""
    one, other = panel_of(home, clock), panel_of(home, clock)
    press(one.approve, clock)
    press(other.approve, clock)
    assert "Nothing was saved" in said(other)
    assert acts(home).count("refine") == 1
    assert other.approve.disabled


def test_conflict_holds_and_keeping_a_side_releases(review: Path, clock: Clock):
    """The failing gate first; Keep A takes back the corrections of B, with a reason; Undo brings them back."""
    panel = panel_of(review, clock, skill="pr-description")
    assert panel.approve.disabled
    rows = re.findall(r'<th scope="row">(.*?)</th>', panel.lower.value)
    assert rows[0] == "Conflicts"
    assert "one undoes the other" in seen(panel.findings.children[0].children[0])
    panel.reason.value = "we agreed on long ones"
    press(button(panel, "Keep A"), clock)
    ledger = find_ledger(review / ".skilltune").read()
    gone = [event for event in ledger.events if event.id in ledger.retracted]
    assert {(event.original, event.corrected) for event in gone} == {(LONG, SHORT)}
    assert [event.reason for event in ledger.events if event.type == "retract"] == [
        f"we agreed on long ones ({BY_PROGRAM})"
    ] * 2
    assert "Kept A. 2 corrections that said otherwise: taken back." in said(panel)
    assert not panel.approve.disabled
    press(panel.undo, clock)
    assert len(find_ledger(review / ".skilltune").corrections("pr-description")) == 5
    assert panel.approve.disabled
    press(button(panel, "Keep B"), clock)
    assert "3 corrections that said otherwise" in said(panel)


def test_keeping_both_is_recorded_shown_and_undone(review: Path, clock: Clock):
    """Released in the audit log; the agreement still counts both."""
    panel = panel_of(review, clock, skill="pr-description")
    press(button(panel, "Keep both"), clock)
    assert acts(review, "pr-description")[-1] == "release"
    assert "kept by a person" in seen(panel.findings.children[0].children[0])
    press(panel.undo, clock)
    assert acts(review, "pr-description")[-1] == "reopen"
    assert "✕ 1 conflict" in next(iter(panel.queue.buttons.values())).description


def test_many_contradictions_are_shown_by_the_dozen(home: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch):
    """Those that hold come first; how many more there are is said."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    lines = [f"Sort list {number} by its first name." for number in range(15)]
    write_skill(home, "many", "# Many\n\n" + "\n".join(lines) + "\n")
    for number, line in enumerate(lines):
        other = line.replace("first", "last")
        correct(home, "many", line, other, f"a{number}", f"b{number}")
        correct(home, "many", other, line, f"c{number}", f"d{number}")
    panel = panel_of(home, clock, skill="many")
    more = len(panel.item.findings) - 12
    assert more > 0
    assert len(panel.findings.children) == 13
    assert f"and {more:,} more, shown when these are settled" in seen(panel.findings.children[-1])


def test_skill_of_another_agent_is_decided_in_its_own_folder(home: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch):
    """Its name alone leads nowhere; the folder that its uses name does, for the decision and for taking it back."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    folder = home / ".codex" / "skills" / "lint-on-save"
    write_lint(home).parent.rename(folder.parent.mkdir(parents=True) or folder)
    told = Transcript("t").user("Lint it.").call("Skill", skill="lint-on-save").result()
    told.meta(f"Base directory for this skill: {folder}\n\n# Lint\n").agent("Done.").user("No, that is wrong.")
    write(home / ".claude" / "projects" / "-p" / "t.jsonl", told)
    collect(home / ".claude" / "projects", workspace=home / ".skilltune")
    before = (folder / "SKILL.md").read_bytes()
    panel = panel_of(home, clock)
    assert panel.found.problems == ()
    assert panel.item.notes == (f"its file is in {folder}",)
    press(panel.approve, clock)
    assert FIX[1] in (folder / "SKILL.md").read_text()
    assert (home / ".codex" / ".audit-log.jsonl").is_file()
    press(panel.undo, clock)
    assert (folder / "SKILL.md").read_bytes() == before


def test_what_is_about_another_skill_of_the_name_is_said(home: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch):
    """It is no evidence for this one, and does not vanish."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    write_lint(home)
    other = home / "elsewhere" / "lint-on-save"
    other.mkdir(parents=True)
    (other / "SKILL.md").write_text("---\nname: lint-on-save\n---\n# Another\n", encoding="utf-8")
    find_ledger(home / ".skilltune").record_correction(
        "lint-on-save",
        original="a",
        corrected="b",
        session_id="x",
        at=NOW - timedelta(hours=2),
        skill_folder=str(other),
    )
    panel = panel_of(home, clock)
    assert f"1 correction is about another lint-on-save, in {other}" in seen(panel.heading)
    assert panel.suggestion.based_on_corrections == 3


def test_contradiction_that_changed_since_is_refused(review: Path, clock: Clock):
    """Somebody took one of its corrections back in the meantime."""
    panel = panel_of(review, clock, skill="pr-description")
    ledger = find_ledger(review / ".skilltune")
    ledger.retract(ledger.corrections("pr-description")[0].id, by="ada")
    press(button(panel, "Keep B"), clock)
    assert "changed since" in said(panel)
    assert len(ledger.read().retracted) == 1


def test_open_suggestion_is_worded_by_the_person(review: Path, clock: Clock):
    """Quotes; no approval without words; with them the same table and bounds; written under the section chosen."""
    panel = panel_of(review, clock)
    choose(panel, "api-docs", clock)
    assert "the example for the expired token is missing" in seen(panel.words)
    assert panel.approve.disabled
    panel.wording.line.value = "Show an expired token for every call."
    assert panel.approve.description == "Approve this line"
    assert "Drift after" in panel.lower.value
    clock.now += 1
    panel.wording.section.value = "Examples"
    clock.now += 1
    press(panel.approve, clock)
    assert "Approved and written" in said(panel), said(panel)
    text = (review / ".claude" / "skills" / "api-docs" / "SKILL.md").read_text(encoding="utf-8")
    assert text.rstrip().endswith("- Show an expired token for every call.")
    again = panel_of(review, clock, at=NOW + timedelta(days=8))
    assert not any(key.opening for key in again.queue.buttons)


@pytest.mark.parametrize(("line", "told"), [("# Heading", "begins with"), ("x" * 600, "limit 500")])
def test_line_that_cannot_be_taken_says_why(review: Path, clock: Clock, line: str, told: str):
    """While it is typed."""
    panel = panel_of(review, clock)
    choose(panel, "api-docs", clock)
    panel.wording.line.value = line
    assert told in seen(panel.heading)
    assert panel.approve.disabled


def test_open_suggestion_can_be_dismissed(review: Path, clock: Clock):
    """With a reason and no words; never proposed again."""
    panel = panel_of(review, clock)
    choose(panel, "api-docs", clock)
    panel.reason.value = "the examples are elsewhere"
    press(panel.reject, clock)
    assert "These complaints are not proposed again." in said(panel)
    assert not any(key.opening for key in panel_of(review, clock).queue.buttons)


def test_correction_of_output_becomes_a_line_only_by_choice(home: Path, clock: Clock, monkeypatch):
    """It stands nowhere in the skill: not ticked; ticked, it adds its line."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    path = write_skill(home, "lint-on-save", "# Lint\n\n## Reports\n\n" + "Name the file and the line of each. " * 9)
    correct(home, "lint-on-save", "the report is long", "the report is short", "s1", "s2", "s3")
    panel = panel_of(home, clock)
    assert panel.item.group == "open"
    assert panel.approve.disabled
    row = panel.rows[0]
    assert "a line under “Learned corrections”" in seen(row.new)
    row.text.value = "Keep the report short."
    row.tick.value = True
    clock.now += 1
    press(panel.approve, clock)
    assert "Approved and written" in said(panel), seen(panel.lower)
    text = path.read_text(encoding="utf-8")
    assert "- Keep the report short." in text


def test_section_of_a_line_can_be_chosen(home: Path, clock: Clock):
    """It goes there, and no heading is made that nobody chose."""
    path = write_skill(home, "lint-on-save", "# Lint\n\n## Reports\n\n" + "Name the file and the line of each. " * 9)
    correct(home, "lint-on-save", "the report is long", "the report is short", "s1", "s2", "s3")
    panel = panel_of(home, clock)
    panel.rows[0].text.value = "Keep the report short."
    panel.rows[0].tick.value = True
    panel.rows[0].section.value = "Reports"
    assert "a line under “Reports”" in seen(panel.rows[0].new)
    clock.now += 1
    press(panel.approve, clock)
    assert "Approved and written" in said(panel), said(panel)
    assert path.read_text(encoding="utf-8").rstrip().endswith("- Keep the report short.")
    assert "Learned corrections" not in path.read_text(encoding="utf-8")


def seen_in(session: str, *, skill: str = "api-docs", original: str = "GET /orders") -> Candidate:
    """A correction that a session shows."""
    corrected = "GET /v2/orders"
    sighting = Sighting(
        skill_id=skill,
        event_id=f"e-{session}",
        attribution="direct",
        session_id=session,
        project="shop",
        transcript=f"/home/dev/{session}.jsonl",
        lines=(3, 5, 7),
        timestamp=NOW - timedelta(days=1),
    )
    return Candidate(
        id=candidate_id("re_edit", original, corrected),
        kind="re_edit",
        sign="edit",
        file="orders.md",
        original=original,
        corrected=corrected,
        quote="<b>No</b>, the second version.",
        cut=False,
        sightings=(sighting,),
    )


def test_detected_corrections_are_accepted_or_dismissed_by_the_person(review: Path, clock: Clock):
    """None counts before; accepted, it is a correction; Undo takes that back, and it waits; dismissed, it is gone."""
    find_candidate_log(review / ".skilltune").add([seen_in("a7"), seen_in("a8", original="GET /users")])
    panel = panel_of(review, clock)
    key = next(key for key in panel.queue.buttons if key.detected)
    assert panel.queue.buttons[key].description == "api-docs\n2 corrections from edits"
    press(panel.queue.buttons[key], clock)
    assert panel.approve.disabled
    first = panel.findings.children[0]
    assert "No, the second version." in seen(first.children[0]).replace("<b>", "").replace("</b>", "")
    assert "<b>No" not in first.children[0].value
    press(first.children[1].children[0], clock)
    ledger = find_ledger(review / ".skilltune")
    assert [event.corrected for event in ledger.corrections("api-docs")] == ["GET /v2/orders"]
    assert "Accepted. 1 correction of api-docs recorded." in said(panel)
    press(panel.undo, clock)
    assert ledger.corrections("api-docs") == []
    press(panel.findings.children[0].children[1].children[1], clock)
    assert "Dismissed. It does not come back by itself." in said(panel)
    press(panel.findings.children[0].children[1].children[1], clock)
    assert not any(key.detected for key in panel_of(review, clock).queue.buttons)
    press(panel.undo, clock)
    assert "Taken back. It waits again." in said(panel)
    again = panel_of(review, clock)
    assert len(next(item for item in again.found.items if item.key.detected).candidates) == 1


def test_dismissal_of_another_panel_is_taken_back(home: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch):
    """The skill's own item keeps what was dismissed; one press, and it waits again."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    write_skill(home, "api-docs", "# API docs\n\nDescribe every endpoint.\n")
    find_candidate_log(home / ".skilltune").add([seen_in("a7")])
    panel = panel_of(home, clock)
    choose(panel, "api-docs", clock)
    press(panel.findings.children[0].children[1].children[1], clock)
    again = panel_of(home, clock)
    assert [key.detected for key in again.queue.buttons] == [False]
    shown = seen(again.findings.children[0].children[0])
    assert "Dismissed on 30 Nov" in shown
    assert "the second version." in shown
    press(again.findings.children[0].children[1].children[0], clock)
    assert "Taken back. It waits again." in said(again)
    assert any(key.detected for key in panel_of(home, clock).queue.buttons)


def test_words_of_a_session_stand_beside_its_corrections(review: Path, clock: Clock):
    """Where the log has what people said in the session of a correction."""
    correct(review, "api-docs", "every endpoint", "each endpoint", "a0", "a1")
    panel = panel_of(review, clock, skill="api-docs")
    press(next(each for key, each in panel.queue.buttons.items() if not key.opening))
    assert "the example for the expired token is missing" in plain_text(panel.lower.value)
    assert "change 1 · 30 Nov · session a1" in plain_text(panel.lower.value)


def test_drift_and_earlier_versions_on_call(lint: Path, home: Path, clock: Clock):
    """Chart, words, numbers; any version can be put back, and the one after it again."""
    panel = panel_of(home, clock)
    press(panel.show, clock)
    assert "lint-on-save has moved 0.0% from its first text. The next change would make it 4.7%" in seen(panel.drift)
    press(panel.approve, clock)
    refined = lint.read_bytes()
    press(panel.undo, clock)
    press(panel.show, clock)
    assert "stw-drift-wide" in panel.drift.value
    assert panel.versions.button.description == "Roll back to v2"
    press(panel.versions.button, clock)
    assert lint.read_bytes() == refined
    assert "lint-on-save is now v4, with the exact text of v2" in said(panel)


def test_outside_edits_are_replaced_only_when_told(lint: Path, home: Path, clock: Clock):
    """Rolling back over them needs a tick; they are kept as a version."""
    press(panel_of(home, clock).approve)
    lint.write_text(lint.read_text(encoding="utf-8") + "\nMine.\n", encoding="utf-8")
    panel = panel_of(home, clock)
    press(panel.show, clock)
    panel.versions.choice.value = 1
    clock.now += 1
    press(panel.versions.button, clock)
    assert "nothing was written" in said(panel)
    press(panel.show, clock)
    panel.versions.choice.value = 1
    panel.versions.replace.value = True
    clock.now += 1
    press(panel.versions.button, clock)
    assert "Mine." not in lint.read_text(encoding="utf-8")
    assert acts(home)[-2:] == ["outside_edit", "rollback"]


def test_cooldown_is_said_with_its_days(lint: Path, home: Path, clock: Clock):
    """What would pass otherwise waits, and says how long."""
    press(panel_of(home, clock).approve)
    correct(home, "lint-on-save", "after every save", "after each save", "t1", "t2", "t3", at=NOW)
    panel = panel_of(home, clock, at=NOW + timedelta(days=2))
    assert "refined 2 days ago, wait 5 days" in next(iter(panel.queue.buttons.values())).description
    assert panel.approve.disabled


def test_hostile_words_stay_words_everywhere(home: Path, clock: Clock, monkeypatch):
    """In the skill, the corrections, the complaints, the names of sessions."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    text = HOSTILE[0] + HOSTILE[1] + HOSTILE[2]
    write_skill(home, "tidy", f"# Tidy\n\n{'Sort the imports of every file. ' * 20}\n\nWrite {text} here.\n")
    correct(home, "tidy", f"Write {text} here.", f"Write {HOSTILE[3]} here.", *(f"{HOSTILE[4]}{n}" for n in range(3)))
    write_complaints(home, texts=tuple(f"No, that is wrong: the expired token {each}" for each in HOSTILE[:4]))
    panel = panel_of(home, clock)
    shown = []
    for each in list(panel.queue.buttons.values()):
        press(each, clock)
        shown += [panel.head.value, panel.heading.value, panel.words.value, panel.lower.value, panel.status.value]
        shown += [part.value for row in panel.rows for part in (row.new, row.agree, row.box.children[1])]
    shown.append(str(panel.still()))
    for html in map(str, shown):
        plain = re.sub("<style>.*?</style>", "", html, flags=re.DOTALL)
        tags = {tag.lower() for tag in TAG.findall(plain)}
        assert tags <= OURS, tags - OURS
        assert "\x1b" not in html
        assert "\u202e" not in html


def test_damaged_and_missing_skills_are_named_and_the_rest_is_shown(review: Path, clock: Clock):
    """One that cannot be read hides no other."""
    correct(review, "gone-away", "a b", "c d", "s1")
    (review / ".claude" / "skills" / "pr-description" / "SKILL.md").unlink()
    (review / ".claude" / "skills" / "pr-description" / "SKILL.md").mkdir()
    panel = panel_of(review, clock)
    assert "gone-away is not installed here" in seen(panel.head)
    assert "sql-migrations" in {key.skill_id for key in panel.queue.buttons}


def test_unknown_skill_is_an_error(review: Path, clock: Clock):
    """Named by the person: it says what there is."""
    with pytest.raises(SkillNotFoundError, match="no skill 'sql-migration' is installed; there is sql-migrations"):
        panel_of(review, clock, skill="sql-migration")


def test_nothing_recorded_is_an_empty_panel(home: Path, clock: Clock):
    """It says so, decides nothing and writes nothing."""
    panel = ApprovalPanel(home / ".skilltune", origin=lambda: CLICK, clock=clock)
    assert panel.still_text() == "Nothing waits for a decision."
    assert "Nothing waits for a decision" in seen(panel.head)
    clock.now += 1
    press(panel.reject)
    assert list(home.iterdir()) == []


def test_without_a_front_end_it_is_a_table(review: Path, clock: Clock):
    """The sentence, what waits and why; nothing to press."""
    shown = panel_of(review, clock)._repr_mimebundle_()
    assert set(shown) == {"text/html", "text/plain"}
    assert "2 suggestions wait for a decision (1 to be worded · 1 held)." in shown["text/plain"]
    assert "Nothing can be decided in this table" in shown["text/html"]
    assert "<button" not in shown["text/html"]


def test_open_suggestion_says_how_long_its_line_may_be(home: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch):
    """In the empty line; a heading that has to be made takes of it."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    write_complaints(home)
    panel = panel_of(home, clock)
    choose(panel, "api-docs", clock)
    line, section = panel.wording.line, panel.wording.section
    rooms = {}
    for title in section.options:
        section.value = title
        rooms[title] = int(re.search(r"room for (\d+) characters", line.placeholder)[1])
    assert rooms["Learned corrections"] < rooms["Examples"]
    section.value = "Examples"
    line.value = "q" * rooms["Examples"]
    assert panel.suggestion.change_percent == 20
    line.value = "q" * (rooms["Examples"] + 1)
    assert panel.suggestion.change_percent == 21


def test_sessions_of_a_gate_and_of_the_evidence_say_what_they_count(review: Path, clock: Clock):
    """The gate counts those of one change, the list those of all."""
    panel = panel_of(review, clock)
    choose(panel, "sql-migrations", clock)
    shown = plain_text(panel.lower.value)
    assert "(fewest for one change)" in shown
    assert re.search(r"Who corrected it · \d sessions in all", shown)


def test_what_is_held_is_marked_in_the_queue_and_what_was_rolled_back_says_to_what(review: Path, clock: Clock):
    """The class that gives the cross its colour; the line of a file whose earlier text was put back."""
    panel = panel_of(review, clock)
    held = {key.skill_id for key, each in panel.queue.buttons.items() if "stw-held" in each._dom_classes}
    assert held == {"pr-description"}
    choose(panel, "lint-on-save", clock)
    press(panel.approve, clock)
    press(panel.undo, clock)
    line = next(each for key, each in panel.queue.buttons.items() if key.skill_id == "lint-on-save")
    assert re.fullmatch(r"lint-on-save\nnow v3 · rolled back to v1 30 Nov, \d\d:\d\d", line.description)


def test_two_panels_on_one_workspace_and_only_one_of_them_decides(lint: Path, home: Path, clock: Clock):
    """Whatever the other says afterwards is refused, and it shows what there is."""
    one, other = panel_of(home, clock), panel_of(home, clock)
    late = panel_of(home, clock)
    late.reason.value = "no"
    press(one.approve, clock)
    written, log = lint.read_bytes(), (home / ".claude" / ".audit-log.jsonl").read_bytes()
    press(other.approve, clock)
    press(late.reject, clock)
    assert lint.read_bytes() == written
    assert (home / ".claude" / ".audit-log.jsonl").read_bytes() == log
    for panel in (other, late):
        assert "It changed since it was shown" in plain_text(panel.heading.value)
        assert panel.approve.disabled
