"""What is asked about a use, and what the labels of its turns add up to."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.mining.ids import turn_id
from skilltune.mining.labelled import true_outcome
from skilltune.records import TurnLabel
from skilltune.sample import sample_end, sample_root
from skilltune.workflow import read_sessions
from tests.mining.stories import agent, mine, says, session, skill, tools, typed


def asked(*steps, skill_id="s1", **fields):
    """What is asked about the use of a skill in a story."""
    found = mine(session(*steps, **fields), asked=True)
    (use,) = [use for use in found.invocations if use.skill_id == skill_id]
    return found.asked[use.event_id]


def label(outcome: str, kind: str | None = None, *, about: str = "skill", number: int = 1, **more: object) -> TurnLabel:
    """A label of a turn in a window."""
    return TurnLabel(
        event_id="e",
        turn_id=f"t{number}",
        skill_id="s",
        session_id="S",
        uuid="",
        outcome=outcome,
        correction_type=kind,
        about=about,
        reader="person",
        draw_id="",
        labelled_at=datetime(2026, 11, 30, tzinfo=UTC),
        number=number,
        **more,
    )


def outcome_of(*labels: TurnLabel) -> str:
    """The true outcome in short: outcome/kind@number of the deciding turn."""
    found = true_outcome(labels)
    kind = found.correction_type or ("explicit" if found.explicit else "implicit")
    return found.outcome if found.outcome == "none" else f"{found.outcome}/{kind}@{found.number}"


def test_asked_turn_stands_in_its_context():
    """A question has what the person asked before, what the agent said before, did, and said after."""
    found = asked(
        says("Tidy the imports of the shop."),
        skill(),
        tools("Edit", "Bash", edited=("a.py", "b.py")),
        agent("Done, all sorted."),
        says("No, the order is wrong."),
        agent("Sorry, now it is right."),
    )
    (turn,) = found.turns
    assert turn.text == "No, the order is wrong."
    assert turn.previous_prompt == "Tidy the imports of the shop."
    assert turn.previous_agent == "Done, all sorted."
    assert turn.did == "2 files edited, Bash"
    assert turn.next_agent == "Sorry, now it is right."
    assert (turn.outcome, turn.correction_type) == ("correction", "rejection")
    assert turn.turn_id == turn_id("u5", part=0, session_id="s", path="", line=0)


def test_asked_work_that_failed_is_named():
    """That the last step failed is said; so is that nothing was done since the turn before."""
    found = asked(skill(), tools("Edit", edited=("a.py",), failed=True), says("what is this?"), says("perfect"))
    assert [turn.did for turn in found.turns] == [
        "1 file edited (the last step failed)",
        "nothing since the turn before",
    ]


def test_asked_uses_without_a_turn_have_no_question():
    """A use about which nobody spoke is there, with nothing to ask."""
    assert asked(skill(), agent("Done.")).turns == ()


def test_asked_only_when_wanted():
    """Mining keeps no questions unless it is told to."""
    assert mine(session(skill(), says("no"))).asked == {}


def test_asked_use_of_a_continued_copy_has_the_turns_that_decide():
    """Where a copy went on with an open window, its turns are asked about, once."""
    owner = session(skill(), says("what is this?"), session_id="one")
    copy = session(skill(), says("what is this?"), says("undo it"), session_id="two", copied_until=2)
    for order in ([owner, copy], [copy, owner]):
        found = mine(*order, asked=True)
        (use,) = found.asked.values()
        assert [turn.text for turn in use.turns] == ["what is this?", "undo it"]


def test_asked_turn_ids_are_those_of_the_turn_rows():
    """Labels and turn rows agree on the id of a turn, in every session of the sample, and no two share one."""
    found = mine_sample()
    rows = {row.turn_id for row in found.turns}
    ids = [turn.turn_id for use in found.asked.values() for turn in use.turns]
    assert ids
    assert set(ids) <= rows
    assert len(set(ids)) == len(ids)


def test_asked_labels_that_say_what_the_rules_say_change_no_verdict():
    """Each use of the sample, labelled as its turns are judged by the rules, has the outcome that the rules give it."""
    found = mine_sample()
    verdicts = {event.event_id: (event.outcome, event.correction_type, event.rule) for event in found.events}
    compared = 0
    for event_id, use in found.asked.items():
        if not use.turns:
            continue
        labels = [
            label(
                turn.outcome,
                turn.correction_type,
                about="other" if turn.attribution == "weak" else "skill",
                number=turn.full,
                goes_on=turn.goes_on,
                taken_back=use.taken_back,
            )
            for turn in use.turns
        ]
        truth = true_outcome(labels)
        outcome, kind, rule = verdicts.get(event_id, ("none", None, ""))
        assert (truth.outcome, truth.correction_type) == (outcome, kind)
        assert truth.explicit == (outcome == "acceptance" and not rule.startswith("implicit"))
        compared += 1
    assert compared > 200


def mine_sample():
    """The sample, with questions and all turns."""
    from skilltune.mining import mine_sessions

    return mine_sessions(read_sessions(sample_root() / "projects").files, as_of=sample_end(), asked=True, turns="all")


@pytest.mark.parametrize(
    ("labels", "outcome"),
    [
        ([label("none")], "none"),
        ([label("acceptance"), label("correction", "redo", number=2)], "correction/redo@2"),
        ([label("correction", "rejection"), label("partial", "partial", number=2)], "partial/partial@2"),
        ([label("correction", "redo"), label("correction", "revert", number=3)], "correction/revert@3"),
        ([label("correction", "redo"), label("correction", "redo", number=2)], "correction/redo@1"),
        ([label("correction", "redo", about="other"), label("acceptance", number=2)], "acceptance/explicit@2"),
        ([label("acceptance", about="other")], "none"),
        ([label("none", goes_on=True)], "acceptance/implicit@1"),
        ([label("none", goes_on=True), label("acceptance", number=2)], "acceptance/explicit@2"),
        ([label("correction", "redo", about="other", goes_on=True)], "none"),
        ([label("none", taken_back=True)], "correction/revert@1"),
        ([label("correction", "redo", taken_back=True)], "correction/revert@1"),
        ([label("acceptance", taken_back=True)], "acceptance/explicit@1"),
    ],
)
def test_true_outcome_of_labels(labels, outcome):
    """The strongest complaint about this skill, else acceptance, else going on, else nothing; in any order."""
    assert outcome_of(*labels) == outcome
    assert outcome_of(*reversed(labels)) == outcome


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["correction:redo", "correction:revert", "partial:partial", "acceptance:", "none:"]),
            st.sampled_from(["skill", "other"]),
            st.booleans(),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_true_outcome_complaints_about_other_things_never_count(turns):
    """Without a complaint about the skill the use is never a correction; with one it always is a complaint."""
    labels = [
        label(word.split(":")[0], word.split(":")[1] or None, about=about, number=n, goes_on=on)
        for n, (word, about, on) in enumerate(turns, 1)
    ]
    complained = any(found.about == "skill" and found.outcome in ("correction", "partial") for found in labels)
    assert (true_outcome(labels).outcome in ("correction", "partial")) == complained


def test_asked_work_taken_back_by_command_is_known():
    """A use whose edits the person discarded by a command is marked, for no turn says so."""
    found = asked(
        skill(),
        tools("Edit", edited=("a.py",)),
        says("hm, let me see"),
        typed("git checkout -- a.py"),
        says("what now?"),
    )
    assert found.taken_back


def test_asked_request_about_other_work_is_no_going_on():
    """A request that may be about something else than the skill is no acceptance of it, however it is labelled."""
    steps = [agent("Done.", attributed="other-skill"), says("Now write the quarterly report for the sales team.")]
    (turn,) = asked(skill(), *steps).turns
    assert (turn.attribution, turn.goes_on) == ("weak", False)
    (turn,) = asked(skill(), steps[1]).turns
    assert turn.goes_on
