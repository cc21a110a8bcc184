"""Did a change help: worked numbers, versions by digest or time, and looks that may be repeated."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd
import pytest

from skilltune.analysis.before_after import before_after, repeated_looks
from skilltune.analysis.intervals import Counts, difference_interval
from skilltune.errors import FrameError, InputError
from tests.analysis.invented import AS_OF, event, judged, table, use, uses

AT = datetime(2026, 11, 1, tzinfo=UTC)
EARLY, LATE = AT - timedelta(days=5), AT + timedelta(days=5)
OLD, NEW = "aaaaaaaaaaaa", "bbbbbbbbbbbb"


def changes(*rows: dict) -> pd.DataFrame:
    """A table of changes, of skill "a" unless told otherwise."""
    return pd.DataFrame([{"skill_id": "a", "at": AT, "skill_digest": ""} | row for row in rows])


def both(before: tuple[int, int, int], after: tuple[int, int, int]) -> pd.DataFrame:
    """So many corrections, partials and acceptances on either side of ``AT``."""
    return table(judged(*before, at=EARLY), judged(*after, at=LATE))


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ((18, 2, 20), (3, 1, 36), "helped"),
        ((3, 1, 36), (18, 2, 20), "made_worse"),
        ((12, 2, 26), (11, 1, 28), "no_evidence"),
        ((18, 2, 20), (0, 0, 4), "too_early"),
        ((2, 0, 2), (0, 0, 30), "no_evidence"),
        ((0, 0, 0), (3, 0, 10), "no_evidence"),
    ],
)
def test_verdict_of_worked_numbers(before, after, verdict):
    """A clear fall, a clear rise, neither, too few since, too few before."""
    row = before_after(both(before, after), as_of=AS_OF, at=AT).iloc[0]
    assert row["verdict"] == verdict
    assert (row["n_before"], row["n_after"]) == (sum(before), sum(after))


def test_numbers_are_exact_and_told_missing():
    """Rates and their difference; what is missing for a verdict; nothing in place of a rate without a judged use."""
    row = before_after(both((18, 4, 18), (4, 4, 32)), as_of=AS_OF, at=AT).iloc[0]
    assert (row["rate_before"], row["rate_after"], row["difference"]) == (0.5, 0.15, -0.35)
    assert row["low"] < -0.35 < row["high"] < 0
    few = before_after(both((18, 4, 18), (1, 0, 1)), as_of=AS_OF, at=AT).iloc[0]
    assert (few["needed"], few["reason"]) == (3, "")
    none = before_after(both((0, 0, 4), (3, 0, 10)), as_of=AS_OF, at=AT, min_invocations=5).iloc[0]
    assert none["reason"] == "4 judged uses before; 5 needed"
    empty = before_after(both((0, 0, 0), (3, 0, 10)), as_of=AS_OF, at=AT).iloc[0]
    assert empty[["rate_before", "difference", "low", "high"]].isna().all()


def test_interval_is_wider_than_that_of_one_look():
    """It is the difference's interval at the critical value of all looks."""
    row = before_after(both((18, 2, 20), (9, 1, 30)), as_of=AS_OF, at=AT).iloc[0]
    one = difference_interval(Counts.of([9], [1], [30]), Counts.of([18], [2], [20]))
    assert row["critical"] == pytest.approx(repeated_looks(5 / 45))
    assert row["low"] < one.low[0] < one.high[0] < row["high"]
    assert one.high[0] < 0 < row["high"]


@pytest.mark.parametrize(("judged_uses", "known"), [(5, 2.53), (40, 2.83), (400, 3.05)])
def test_critical_value_of_all_looks(judged_uses: int, known: float):
    """The more uses before, the longer the first look's lead, and the greater the value; never that of one look."""
    assert repeated_looks(5 / (5 + judged_uses)) == pytest.approx(known, abs=0.01)
    assert repeated_looks(1.0) > 1.96


def test_critical_value_holds_for_a_brownian_motion():
    """Of 4,000 paths watched all along, about one in twenty passes the bound."""
    chance, first = np.random.default_rng(2), 5 / 45
    times = np.geomspace(first, 1, 1500)
    steps = chance.standard_normal((4000, len(times))) * np.sqrt(np.diff(times, prepend=0))
    passed = (np.abs(steps.cumsum(axis=1)) / np.sqrt(times) >= repeated_looks(first)).any(axis=1)
    assert 0.035 < passed.mean() < 0.056


@pytest.mark.parametrize(
    ("rate", "partly", "before", "a_week"), [(0.3, 0.1, 40, 8), (0.1, 0.05, 10, 3), (0.5, 0, 6, 2)]
)
def test_weekly_looks_over_half_a_year_err_seldom(rate: float, partly: float, before: int, a_week: int):
    """Nothing changed: in at most 5 % of refinements do 26 weekly looks say that it did; plain intervals in more."""
    chance, size, looks = np.random.default_rng(4), 1000, 26
    shares = [rate - partly / 2, partly, 1 - rate - partly / 2]
    earlier = Counts(*chance.multinomial(before, shares, size=size).T)
    weeks = chance.multinomial(chance.poisson(a_week, size=(size, looks)), shares).cumsum(axis=1)
    level = float(1 - 2 * (1 - _normal(repeated_looks(5 / (5 + before)))))
    wrong, plain = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
    for week in range(looks):
        later = Counts(*weeks[:, week].T)
        ripe = later.judged >= 5
        wrong |= ripe & _excludes(later, earlier, level=level)
        plain |= ripe & _excludes(later, earlier, level=0.95)
    assert wrong.mean() <= 0.05 < plain.mean()


def test_weekly_looks_find_a_change_that_is_there():
    """From 40 % to 10 %, ten judged uses a week: most are told within half a year, and rightly."""
    chance = np.random.default_rng(5)
    told = []
    for _ in range(60):
        before = chance.random(40) < 0.4
        after = chance.random(120) < 0.1
        frame = both((int(before.sum()), 0, int((~before).sum())), (int(after.sum()), 0, int((~after).sum())))
        told.append(before_after(frame, as_of=AS_OF, at=AT)["verdict"].iloc[0])
    assert "made_worse" not in told
    assert told.count("helped") > 45


def _normal(z: float) -> float:
    from statistics import NormalDist

    return NormalDist().cdf(z)


def _excludes(later: Counts, earlier: Counts, *, level: float) -> np.ndarray:
    low, high = difference_interval(later, earlier, level=level)
    return (low > 0) | (high < 0)


def test_text_tells_the_side_where_it_is_known():
    """After: uses of the new text or of an unknown one. A use of the old text, late, is on no side, and counted."""
    events = table(
        judged(6, 0, 4, at=EARLY, skill_digest=OLD),
        judged(1, 0, 1, at=EARLY, skill_digest=NEW),
        judged(1, 0, 7, at=LATE, skill_digest=NEW),
        judged(1, 0, 1, at=LATE),
        judged(3, 0, 0, at=LATE, skill_digest=OLD),
    )
    row = before_after(events, as_of=AS_OF, changes=changes({"skill_digest": NEW})).iloc[0]
    assert row[["n_before", "n_after", "n_other"]].tolist() == [10, 10, 3]
    by_time = before_after(events, as_of=AS_OF, changes=changes({})).iloc[0]
    assert by_time[["n_before", "n_after", "n_other"]].tolist() == [12, 13, 0]


def test_change_ends_where_the_next_begins():
    """Each change is compared with the text before it only, and not with more than the days before."""
    week = timedelta(days=7)
    events = table(*(judged(0, 0, number, at=AT + week * (number - 3) + timedelta(days=1)) for number in range(1, 6)))
    told = before_after(events, as_of=AS_OF, changes=changes({"at": AT}, {"at": AT - week}, {"at": AT + week}))
    assert told["at"].is_monotonic_decreasing
    assert told[["n_before", "n_after"]].to_numpy().tolist() == [[3, 9], [2, 3], [1, 2]]
    short = before_after(events, as_of=AS_OF, at=AT, days=8)
    assert short[["n_before", "n_after"]].to_numpy().tolist() == [[2, 12]]


def test_new_texts_are_changes_from_their_first_use_on():
    """Without changes each text but the first is one; uses nobody judged tell its first use."""
    events = table(judged(6, 0, 4, at=EARLY, skill_digest=OLD), judged(1, 0, 9, at=LATE, skill_digest=NEW))
    told = before_after(events, as_of=AS_OF)
    assert told[["skill_digest", "n_before", "n_after"]].to_numpy().tolist() == [[NEW, 10, 10]]
    assert told["at"].iloc[0] == LATE
    first = use(at=AT, skill_digest=NEW)
    assert before_after(events, as_of=AS_OF, invocations=uses(first))["at"].iloc[0] == AT
    assert before_after(events, as_of=AS_OF, skill_id="b").empty


def test_what_comes_later_does_not_exist():
    """Neither events nor changes after `as_of`, nor the end that a later change would make."""
    events = both((6, 0, 4), (1, 0, 9))
    known = before_after(events, as_of=LATE + timedelta(days=1), changes=changes({}))
    later = pd.concat([events, table([event(at=LATE + timedelta(days=2))])])
    told = before_after(later, as_of=LATE + timedelta(days=1), changes=changes({}, {"at": LATE + timedelta(days=3)}))
    pd.testing.assert_frame_equal(told, known)


def test_missing_column_and_odd_numbers_are_refused():
    """The column, the number, the two that exclude each other are named."""
    events = both((6, 0, 4), (1, 0, 9))
    with pytest.raises(FrameError, match="'at'"):
        before_after(events, as_of=AS_OF, changes=pd.DataFrame({"skill_id": ["a"]}))
    for options in ({"days": 0, "at": AT}, {"min_invocations": 0, "at": AT}, {"at": AT, "changes": changes({})}):
        with pytest.raises(InputError):
            before_after(events, as_of=AS_OF, **options)
    for odd in ({"level": 1.0}, {"first_share": 0.0}):
        with pytest.raises(InputError):
            repeated_looks(**({"first_share": 0.1} | odd))


def test_new_texts_by_model() -> None:
    """A new text is looked at in each group of its skill, with the uses of that group only."""
    day = AS_OF - timedelta(days=10)
    events = table(
        *(
            judged(*counts, at=day + timedelta(days=late), skill_digest=digest, model=model)
            for model, before, after in (("m1", (20, 0, 0), (0, 0, 20)), ("m2", (3, 0, 9), (2, 0, 4)))
            for late, digest, counts in ((-5, "3c", before), (5, "9f", after))
        )
    )
    found = before_after(events, as_of=AS_OF, by=("skill_id", "model"))
    assert found[["skill_id", "model", "skill_digest"]].to_numpy().tolist() == [["a", "m1", "9f"], ["a", "m2", "9f"]]
    assert found[["n_before", "n_after"]].to_numpy().tolist() == [[20, 20], [12, 6]]
    assert found["verdict"].tolist() == ["helped", "no_evidence"]
    whole = before_after(events, as_of=AS_OF)
    assert whole[["n_before", "n_after"]].to_numpy().tolist() == [found[["n_before", "n_after"]].sum().tolist()]


def test_changes_of_skills_need_the_skill() -> None:
    """A change is of a skill; a date is not, so that agents can be compared over it."""
    events = table(judged(1, 0, 1, at=AS_OF - timedelta(days=3), agent="codex"))
    with pytest.raises(InputError, match="put skill_id into by, or give a date with at"):
        before_after(events, as_of=AS_OF, by=("agent",))
    found = before_after(events, as_of=AS_OF, by=("agent",), at=AS_OF - timedelta(days=5))
    assert found[["agent", "n_after"]].to_numpy().tolist() == [["codex", 2]]


def test_tie_is_no_improvement() -> None:
    """Two of ten corrected before and after a new text: it did not help, however often that is counted (K50)."""
    day = AS_OF - timedelta(days=10)
    for times in (1, 20):
        counts = (2 * times, 0, 8 * times)
        sides = [
            judged(*counts, at=day + timedelta(days=late), skill_digest=digest)
            for late, digest in ((-5, "3c"), (5, "9f"))
        ]
        [row] = before_after(table(*sides), as_of=AS_OF).to_dict("records")
        assert (row["verdict"], row["difference"]) == ("no_evidence", 0)
        assert row["low"] < 0 < row["high"]
