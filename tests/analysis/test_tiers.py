"""Which skills are at work and which are not."""

from datetime import timedelta
from typing import Any

import pandas as pd
import pytest

from skilltune.analysis.tiers import usage_tiers
from skilltune.errors import InputError
from tests.analysis.invented import AS_OF, event, judged, table, use, uses

LATELY = AS_OF - timedelta(days=3)
LONG_AGO = AS_OF - timedelta(days=80)


def tiers(events: pd.DataFrame, **options: Any) -> dict[str, str]:
    """Skill → tier."""
    rows = usage_tiers(events, as_of=AS_OF, **options)
    return dict(zip(rows["skill_id"], rows["tier"], strict=True))


def test_tiers_used_unused_and_by_slash_command() -> None:
    """Asked again after one of three uses: a third; installed, unused: dead; by a slash command only: used (K28)."""
    invocations = uses(
        use(skill="a", at=LATELY, retried=True),
        use(skill="a", at=LATELY),
        use(skill="a", at=LATELY),
        use(skill="c", at=LATELY, via="slash"),
    )
    rows = usage_tiers(table(), as_of=AS_OF, invocations=invocations, installed=["a", "b", "c"]).set_index("skill_id")
    assert rows["tier"].to_dict() == {"a": "active", "b": "dead", "c": "active"}
    assert rows.loc["a", ["retried", "uses_in_window"]].tolist() == [1, 3]
    assert rows.loc["a", "retry_rate"] == pytest.approx(1 / 3)
    assert rows.loc["b", "reason"] == "installed, never used"


def test_tiers_installed_is_not_used() -> None:
    """Twelve skills at hand and one call: one is used."""
    rows = usage_tiers(
        table(), as_of=AS_OF, invocations=uses(use(skill="s0", at=LATELY)), installed=[f"s{n}" for n in range(12)]
    )
    assert rows["installed"].sum() == 12
    assert (rows["uses"] > 0).sum() == 1


def test_tiers_plain_prompt_text_cannot_be_measured() -> None:
    """A skill that leaves no trace is neither unused nor at 0 %, and says why (K35)."""
    rows = usage_tiers(table(), as_of=AS_OF, installed=["x"], unmeasurable={"x": "its text is in a system prompt"})
    [row] = rows.to_dict("records")
    assert (row["tier"], row["reason"]) == ("unmeasurable", "its text is in a system prompt")
    assert pd.isna(row["correction_rate"])


def test_tiers_seen_uses_decide() -> None:
    """Where uses are seen the skill is measurable."""
    assert tiers(table([event(at=LATELY)]), unmeasurable={"a": "prompt"}) == {"a": "active"}


def test_tiers_missing_skill() -> None:
    """A skill that was asked for and is not there is missing; a refused call, an old one, or a later use is not."""
    invocations = uses(
        use(skill="gone", at=LATELY, failed="unknown_skill"),
        use(skill="gone", at=LATELY, failed="unknown_skill"),
        use(skill="refused", at=LATELY, failed="refused"),
        use(skill="long-ago", at=LONG_AGO, failed="unknown_skill"),
        use(skill="made-since", at=LATELY, failed="unknown_skill"),
        use(skill="made-since", at=LATELY),
    )
    rows = usage_tiers(table(), as_of=AS_OF, invocations=invocations).set_index("skill_id")
    assert rows["tier"].to_dict() == {"gone": "missing", "made-since": "active"}
    assert rows.loc["gone", ["asked_for", "reason"]].tolist() == [2, "asked for 2 times, not installed"]


def test_tiers_silent_and_dead() -> None:
    """Used long ago: dead where it is installed, silent where that is not known."""
    events = table([event(at=LONG_AGO)])
    assert tiers(events) == {"a": "silent"}
    assert tiers(events, installed=["a"]) == {"a": "dead"}
    assert tiers(events, installed=[]) == {"a": "silent"}


def test_tiers_failing_exactly() -> None:
    """Half corrected is failing, a little less or too few judged uses are not."""
    assert tiers(table(judged(5, 0, 5, at=LATELY))) == {"a": "failing"}
    assert tiers(table(judged(4, 1, 5, at=LATELY))) == {"a": "active"}
    assert tiers(table(judged(4, 0, 0, at=LATELY))) == {"a": "active"}
    assert tiers(table(judged(3, 0, 7, at=LATELY)), failing_rate=0.3) == {"a": "failing"}


def test_tiers_without_the_retry_column() -> None:
    """A table that does not tell who asked again says so."""
    rows = usage_tiers(table([event(at=LATELY)]).drop(columns="retried"), as_of=AS_OF)
    assert rows[["retried", "retry_rate"]].isna().all(axis=None)


def test_tiers_limit_out_of_range() -> None:
    """A rate above 1 is refused with its value."""
    with pytest.raises(InputError, match="failing_rate is 50"):
        usage_tiers(table(), as_of=AS_OF, failing_rate=50)


def test_tiers_know_nothing_of_what_another_agent_has_installed() -> None:
    """Not found is not there only of Claude Code's skills; of others it is missing, not no (N13)."""
    invocations = uses(
        use(skill="theirs", at=LATELY, agent="codex"),
        use(skill="both", at=LATELY, agent="codex"),
        use(skill="both", at=LATELY, agent="claude-code"),
        use(skill="found", at=LATELY, agent="opencode"),
    )
    rows = usage_tiers(table(), as_of=AS_OF, invocations=invocations, installed=["found"]).set_index("skill_id")
    assert pd.isna(rows.loc["theirs", "installed"])
    assert rows.loc[["both", "found"], "installed"].tolist() == [False, True]


def test_tiers_tell_installed_loaded_and_used_apart() -> None:
    """Three skills at hand, two called, the text of one given: three columns (K26)."""
    invocations = uses(
        use(skill="a", at=LATELY, loaded=True),
        use(skill="a", at=LATELY, loaded=False),
        use(skill="b", at=LATELY, loaded=False),
        use(skill="old", at=LATELY),
    )
    rows = usage_tiers(table(), as_of=AS_OF, invocations=invocations, installed=["a", "b", "c"]).set_index("skill_id")
    told = rows.loc[["a", "b", "c"], ["installed", "loaded", "uses_in_window"]].fillna(0).to_numpy().tolist()
    assert told == [[True, 1, 2], [True, 0, 1], [True, 0, 0]]
    assert pd.isna(rows.loc["old", "loaded"])
    unknown = usage_tiers(table(), as_of=AS_OF, invocations=invocations.drop(columns="loaded"))
    assert unknown["loaded"].isna().all()
