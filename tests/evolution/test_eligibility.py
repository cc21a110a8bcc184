"""Whether a skill may be refined: the order of reasons, days, needs, and what later gates would answer."""

import json
from datetime import timedelta

import pytest

from skilltune.evolution.eligibility import check_cooldown, check_eligibility
from skilltune.evolution.outlook import Rejection
from skilltune.evolution.settings import RefinementSettings
from tests.evolution.invented import AS_OF, SKILL, answer, correction, repeated

BLOCKING = RefinementSettings(on_conflict="block")
ENOUGH = repeated(("tin", "jar", 9))


def ago(days: float):
    """A refinement so many days ago."""
    return (AS_OF - timedelta(days=days),)


def test_eligibility_shared_cases(shared):
    """Every shared case: reason, days remaining, counts."""
    for case in json.loads((shared / "vectors" / "refinement_instincts.json").read_text("utf-8"))["eligibility"]:
        days, expected = case["last_refined_days_ago"], case["expected"]
        cooldown = case["config"].get("cooldownDays", 7)
        found = answer(
            repeated(("tin", "jar", case["usable_corrections"])),
            refined_at=ago(days) if days is not None else (),
            settings=RefinementSettings(cooldown_days=cooldown),
        )
        assert (found.eligible, found.reason) == (expected["eligible"], expected.get("reason", "eligible")), case["id"]
        shown = {
            "daysRemaining": found.days_remaining,
            "correctionCount": found.correction_count,
            "correctionsNeeded": found.corrections_needed,
        }
        assert all(shown[key] == expected[key] for key in shown if key in expected), case["id"]


@pytest.mark.parametrize(
    ("more", "given", "reason"),
    [
        ({"found": False, "refined_at": ago(1)}, [], "skill_not_found"),
        ({"refined_at": ago(6.5)}, [], "cooldown"),
        ({"refined_at": ago(7)}, [], "insufficient_feedback"),
        ({}, repeated(("tin", "jar", 2), ("jar", "tin", 0)), "insufficient_feedback"),
        ({}, repeated(("tin", "jar", 2), ("jar", "tin", 2)), "contradictions"),
        ({}, repeated(("tin", "jar", 3), ("jar", "tin", 1), ("cup", "mug", 2)), "eligible"),
        ({"settings": BLOCKING}, repeated(("tin", "jar", 3), ("jar", "tin", 1), ("cup", "mug", 2)), "contradictions"),
        ({}, repeated(("a", "b", 1), ("c", "d", 1), ("e", "f", 1)), "eligible"),
        ({}, ENOUGH, "eligible"),
    ],
)
def test_eligibility_first_reason_counts(more, given, reason):
    """Not found, cooldown, too little feedback, held, eligible: in this order."""
    assert answer(given, **more).reason == reason


@pytest.mark.parametrize(
    ("days", "remaining"),
    [(7, 0), (7.0001, 0), (6.9999, 1), (6.0001, 1), (6, 1), (5.9999, 2), (0, 7), (100, 0), (-0.5, 8)],
)
def test_cooldown_days_are_rounded_up(days, remaining):
    """Exactly seven days is over; any part of a day is a day."""
    assert check_cooldown(ago(days), as_of=AS_OF, cooldown_days=7).days_remaining == remaining


def test_cooldown_counts_from_the_latest_of_log_and_stamp():
    """A file that was rolled back does not shorten it."""
    cooldown = check_cooldown((*ago(20), None, *ago(2)), as_of=AS_OF, cooldown_days=7)
    assert (cooldown.days_remaining, cooldown.days_since) == (5, 2)
    assert cooldown.next_eligible == AS_OF + timedelta(days=5)


def test_cooldown_stamp_in_the_future_counts_as_now_with_a_warning():
    """A stamp over a day ahead cannot lock a skill for longer than a cooldown; a zoneless one is UTC."""
    found = answer(ENOUGH, refined_at=ago(-400))
    assert found.days_remaining == 7
    assert "in the future" in found.warnings[0]
    assert answer(ENOUGH, refined_at=((AS_OF - timedelta(days=8)).replace(tzinfo=None),)).eligible
    assert answer(ENOUGH, refined_at=ago(-400), settings=RefinementSettings(cooldown_days=0)).eligible


@pytest.mark.parametrize(
    ("given", "outlook"),
    [
        (repeated(("tin", "jar", 3)), "would suggest 1 change"),
        (repeated(("tin", "jar", 3), ("cup", "mug", 2)), "would suggest 2 changes"),
        (
            repeated(("a", "b", 1), ("c", "d", 1)),
            "none: no correction repeats yet, one more matching correction would do",
        ),
        ([], "none: no usable correction is there, 3 more corrections, 2 of them matching, would do"),
        (
            repeated(("tin", "jar", 2), ("tin", "box", 1)),
            "none: 2 of 3 agree (0.60, needs 0.70), 2 more matching corrections would do",
        ),
        (repeated(("tin", "jar", 2), ("jar", "tin", 2)), "none: held by a reversal"),
    ],
)
def test_eligibility_tells_what_later_gates_would_answer(given, outlook):
    """The outlook counts the changes, or says what is missing."""
    assert answer(given).outlook == outlook


def test_eligibility_outlook_in_cooldown_says_so():
    """What more corrections would do, they do after the cooldown only."""
    found = answer(repeated(("tin", "jar", 1)), refined_at=ago(2))
    assert found.outlook == (
        "after the cooldown: none: no correction repeats yet, 2 more corrections, 1 of them matching, would do"
    )
    assert answer(ENOUGH, refined_at=ago(2)).outlook.startswith("after the cooldown: would suggest")


def test_eligibility_what_would_do_does():
    """The number of matching corrections it asks for is the least that helps."""
    given = repeated(("tin", "jar", 3), ("tin", "box", 4))
    asked = answer(given).candidates[1].missing
    for extra in range(1, asked + 1):
        more = [correction("tin", "jar", number=100 + n) for n in range(extra)]
        free = any(not c.blocked and c.pattern.suggested == "jar" for c in answer([*given, *more]).candidates)
        assert free == (extra == asked)


def test_eligibility_only_looks_at_its_own_skill():
    """Corrections of other skills are passed over."""
    assert check_eligibility("other", corrections=ENOUGH, as_of=AS_OF).correction_count == 0
    assert check_eligibility(SKILL, corrections=ENOUGH, as_of=AS_OF).correction_count == 9


def test_eligibility_consumed_corrections_need_three_new_ones():
    """After a refinement its corrections are used up."""
    used = {item.id for item in ENOUGH[:7]}
    found = answer(ENOUGH, consumed=used)
    assert (found.reason, found.correction_count, found.corrections_needed) == ("insufficient_feedback", 2, 1)
    assert answer(ENOUGH, consumed=list(used)[:6]).eligible


def test_eligibility_rejected_change_waits_for_new_corrections():
    """A rejected change comes back after three corrections that the rejection did not know."""
    known = frozenset(item.id for item in ENOUGH[:6])
    rejection = Rejection("tin", "jar", known)
    (free,) = answer(ENOUGH, rejections=[rejection]).candidates
    assert free.blocked == ()
    (held,) = answer(ENOUGH[:8], rejections=[rejection]).candidates
    assert held.blocked == ("rejected before, 2 of 3 new corrections since",)
    assert answer(ENOUGH[:8], rejections=[rejection]).outlook.endswith("one more matching correction would do")


def test_eligibility_held_candidates_are_named():
    """Others go on where one is held."""
    found = answer(repeated(("tin", "jar", 3), ("jar", "tin", 1), ("cup", "mug", 2)))
    assert [candidate.pattern.original for candidate in found.held] == ["tin"]
    assert found.told == "eligible"
    assert answer([]).told == "0 of 3 usable corrections"
    assert answer(ENOUGH, refined_at=ago(6.5)).told == "in cooldown, 1 day remaining"
