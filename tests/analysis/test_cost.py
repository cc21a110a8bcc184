"""What uses cost."""

import dataclasses
from datetime import timedelta
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltune.analysis.cost import UNATTRIBUTED, charge_sessions, skill_cost
from skilltune.errors import FrameError
from tests.analysis.invented import AS_OF, event, table, use, uses

BEFORE = AS_OF - timedelta(days=2)


def charged(tokens: int, *, subagents: int | None = 0, seconds: float | None = 60.0, **fields: Any) -> dict[str, Any]:
    """The fields of a use that took so many tokens, in four unequal parts."""
    parts = {"tokens_output": tokens // 10, "tokens_cache_read": tokens // 2, "tokens_cache_write": tokens // 5}
    whole = {"tokens_input": tokens - sum(parts.values()), **parts}
    return {**whole, "subagent_tokens": subagents, "wall_seconds": seconds, "at": BEFORE, **fields}


def sessions(*rows: dict[str, Any]) -> pd.DataFrame:
    """A table of sessions: session_id, input tokens, those of sub-agents."""
    known = {"started": pd.Timestamp(BEFORE), "tokens_output": 0, "tokens_cache_read": 0, "tokens_cache_write": 0}
    return pd.DataFrame([{**known, "subagent_tokens": 0, **row} for row in rows])


def test_cost_typical_and_in_all() -> None:
    """Sums are exact; median and 90th percentile are those of numpy."""
    tokens = [100, 300, 1_000, 5_000]
    rows = skill_cost(table(event(**charged(count, seconds=count / 10)) for count in tokens))
    [row] = rows.to_dict("records")
    assert (row["uses"], row["measured"], row["tokens"]) == (4, 4, 6_400)
    assert (row["tokens_median"], row["tokens_p90"]) == (650, pytest.approx(np.percentile(tokens, 90)))
    assert (row["seconds"], row["seconds_median"]) == (640, 65)


def test_cost_with_and_without_subagents() -> None:
    """A use of 100 tokens whose sub-agent took 900 costs 100 and 1,000."""
    [row] = skill_cost(table([event(**charged(100, subagents=900))])).to_dict("records")
    assert (row["tokens"], row["with_subagents"]) == (100, 1_000)


def test_cost_not_known_is_missing() -> None:
    """Uses of which nothing is known count as uses, never as free ones."""
    unknown = {"at": BEFORE}
    rows = skill_cost(table([event(**charged(100)), event(**unknown), event(skill="b", **unknown)])).set_index(
        "skill_id"
    )
    assert rows["uses"].to_dict() == {"a": 2, "b": 1}
    assert rows["measured"].to_dict() == {"a": 1, "b": 0}
    assert rows.loc["a", "tokens_median"] == 100
    assert rows.loc["b", ["tokens", "tokens_median", "with_subagents", "seconds", "share"]].isna().all()


def test_cost_of_a_log_without_cost() -> None:
    """An older table has uses and no figures."""
    events = table([event(at=BEFORE)])[["event_id", "skill_id", "session_id", "outcome", "timestamp"]]
    [row] = skill_cost(events).to_dict("records")
    assert (row["uses"], row["measured"]) == (1, 0)
    assert pd.isna(row["tokens"])


def test_cost_with_uses_that_nobody_judged() -> None:
    """A use with an event is charged once."""
    first = event(**charged(100))
    both = uses(use(of=first, **{k: v for k, v in charged(100).items() if k != "at"}), use(**charged(50)))
    assert skill_cost(table([first]), invocations=both)[["uses", "tokens"]].to_numpy().tolist() == [[2, 150]]


def test_cost_never_exceeds_its_sessions() -> None:
    """What no use is charged with is a row of its own, and all rows together are the sessions."""
    events = table(
        [
            event(session_id="s", skill="a", **charged(100)),
            event(session_id="s", skill="b", **charged(50, subagents=25)),
        ]
    )
    both = sessions(
        {"session_id": "s", "tokens_input": 400, "subagent_tokens": 25}, {"session_id": "t", "tokens_input": 200}
    )
    rows = skill_cost(events, sessions=both, as_of=AS_OF).set_index("skill_id")
    assert rows["with_subagents"].to_dict() == {"a": 100, "b": 75, UNATTRIBUTED: 450}
    assert rows["tokens"].sum() == 600
    assert rows["share"].sum() == 1
    assert rows["attributed"].to_dict() == {"a": True, "b": True, UNATTRIBUTED: False}


def test_cost_of_sessions_in_the_window_only() -> None:
    """A session that started earlier is not charged to the window, nor are its uses taken from others."""
    events = table([event(session_id="old", **charged(100, at=AS_OF - timedelta(days=50)))])
    old = sessions({"session_id": "old", "tokens_input": 900, "started": pd.Timestamp(AS_OF - timedelta(days=50))})
    new = sessions({"session_id": "new", "tokens_input": 70})
    rows = skill_cost(events, sessions=pd.concat([old, new]), as_of=AS_OF, since=AS_OF - timedelta(days=30))
    assert rows[["skill_id", "tokens"]].to_numpy().tolist() == [[UNATTRIBUTED, 70]]


def test_cost_of_sessions_without_their_id() -> None:
    """A table of sessions that lacks a column is named."""
    with pytest.raises(FrameError, match="session_id"):
        skill_cost(table([event(**charged(1))]), sessions=pd.DataFrame({"started": []}))


def test_cost_by_any_crossing() -> None:
    """Costs can be told by model and week."""
    events = table(event(model=model, **charged(count)) for model, count in (("m1", 10), ("m2", 20), ("m1", 30)))
    rows = skill_cost(events, by=("model", "week"))
    assert rows[["model", "tokens"]].to_numpy().tolist() == [["m1", 40], ["m2", 20]]


@pytest.mark.parametrize("doubled", ["events", "invocations", "both"])
def test_cost_counts_a_use_once(doubled: str) -> None:
    """A frame that has a use twice, be it with the cost of an earlier moment, charges it once, at the later cost."""
    first, other = event(**charged(100)), use(**charged(50))
    early = dataclasses.replace(first, tokens_input=1), dataclasses.replace(other, tokens_input=1)
    events, others = [first], [other]
    if doubled in ("events", "both"):
        events = [first, early[0], first]
    if doubled in ("invocations", "both"):
        others = [other, early[1], other]
    [row] = skill_cost(table(events), invocations=uses(*others)).to_dict("records")
    assert (row["uses"], row["measured"], row["tokens"], row["tokens_median"]) == (2, 2, 150, 75)


def test_cost_counts_a_session_once() -> None:
    """A session that is there twice is taken as it was later."""
    both = sessions({"session_id": "s", "tokens_input": 400}, {"session_id": "s", "tokens_input": 90})
    rows = skill_cost(table([event(session_id="s", **charged(100))]), sessions=both).set_index("skill_id")
    assert rows["tokens"].to_dict() == {"a": 100, UNATTRIBUTED: 300}


def test_cost_of_one_session_is_not_charged_to_another() -> None:
    """Uses that cost more than is known of their session take nothing off what other sessions cost."""
    both = sessions({"session_id": "s", "tokens_input": 40}, {"session_id": "t", "tokens_input": 90})
    rows = skill_cost(table([event(session_id="s", **charged(100))]), sessions=both).set_index("skill_id")
    assert rows.loc[UNATTRIBUTED, "tokens"] == 90


USES = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("stu"), st.integers(0, 99), st.integers(0, 9)), max_size=8
)
MORE = st.fixed_dictionaries({name: st.integers(0, 50) for name in "stu"})


@given(USES, MORE, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_cost_over_skills_never_exceeds_the_sessions(found: Any, more: Any, chance: Any) -> None:
    """Whatever is there twice and in whatever order: all rows together are the sessions, no skill more than its own."""
    events = [
        event(skill=skill, session_id=session, **charged(tokens, subagents=below))
        for skill, session, tokens, below in found
    ]
    whole = [
        {
            "session_id": name,
            "tokens_input": rest + sum(tokens for _, session, tokens, _ in found if session == name),
            "subagent_tokens": sum(below for _, session, _, below in found if session == name),
        }
        for name, rest in more.items()
    ]
    shown, told = events + events[::2], [*whole, *whole[:1]]
    chance.shuffle(shown)
    chance.shuffle(told)
    rows = skill_cost(table(shown), sessions=sessions(*told), as_of=AS_OF)
    every = sum(row["tokens_input"] + row["subagent_tokens"] for row in whole)
    assert rows["with_subagents"].sum() == every
    assert rows.loc[rows["attributed"], "tokens"].sum() == sum(tokens for _, _, tokens, _ in found)
    assert not every or rows["share"].sum() == pytest.approx(1)


def test_sessions_are_charged_with_their_uses() -> None:
    """What is left of each session is told beside it; failed calls are no uses, unknown tokens stay unknown."""
    whole = sessions({"session_id": "s"}, {"session_id": "t"}).assign(tokens=[400, None], subagent_tokens=[30, None])
    found = uses(
        use(session_id="s", **charged(100, subagents=10)),
        use(session_id="s", **charged(50, subagents=5)),
        use(session_id="s", failed="denied"),
        use(session_id="elsewhere", **charged(70)),
    )
    rows = charge_sessions(whole, invocations=found).set_index("session_id")
    assert rows["uses"].to_dict() == {"s": 2, "t": 0}
    assert rows.loc["s", ["unattributed_tokens", "unattributed_subagent_tokens"]].tolist() == [250, 15]
    assert rows.loc["t", ["unattributed_tokens", "unattributed_subagent_tokens"]].isna().all()
