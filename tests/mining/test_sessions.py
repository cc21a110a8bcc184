"""The whole step: copies, flags, rows, and what was left out."""

import re
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import pytest
from msgspec import structs

from skilltune.errors import InputError
from skilltune.facts import FileFacts
from skilltune.frames import check_frame, to_frame
from skilltune.mining import mine_sessions, ruleset_version
from skilltune.records import FeedbackEvent, Invocation, Turn
from tests.mining.models import make_model, sure_of
from tests.mining.stories import AS_OF, START, agent, mine, says, session, skill, tools


def test_mining_copies_count_once():
    """A resumed copy of a session adds only what is new in it."""
    owner = session(skill(), says("wrong"), session_id="one")
    copy = session(skill(), says("wrong"), skill("s2"), says("perfect"), session_id="two", copied_until=2)
    for order in ([owner, copy], [copy, owner]):
        found = mine(*order)
        assert sorted((event.skill_id, event.session_id) for event in found.events) == [("s1", "one"), ("s2", "two")]
        assert len(found.turns) == 2
        assert found.dropped == {"use_copied": 1}


def test_mining_continuation_in_a_copy_decides_an_open_window():
    """A use whose window was still open is decided by what the copy went on with, under the owner's name."""
    owner = session(skill(), says("what is this?"), session_id="one", project="/home/me/app")
    copy = session(skill(), says("what is this?"), says("undo it"), session_id="two", copied_until=2)
    for order in ([owner, copy], [copy, owner]):
        (event,) = mine(*order).events
        assert (event.session_id, event.correction_type, event.turns_to_feedback) == ("one", "revert", 2)
        assert event.project == "/home/me/app"


def test_mining_closed_window_is_not_reopened_by_a_copy():
    """A window that ended in its own file stays as it is."""
    owner = session(skill(), says("what?"), says("why?"), says("perfect"), session_id="one")
    copy = session(skill(), says("what?"), says("undo it"), session_id="two", copied_until=2)
    (event,) = mine(owner, copy).events
    assert event.outcome == "acceptance"


def test_mining_copy_without_its_owner_is_left_out():
    """Where the owner's session is skipped its copy does not bring the use back."""
    owner = session(skill(), says("wrong"), session_id="one", entrypoint="sdk-cli")
    copy = session(skill(), says("wrong"), session_id="two", copied_until=2)
    found = mine(owner, copy)
    assert (found.events, found.invocations, found.turns) == ([], [], [])
    assert found.dropped == {"session_scripted": 1, "use_owner_left_out": 1}


def test_mining_leaves_out_future_uses():
    """A use stamped after the run is flagged, counted, and gives no event; half a day ahead is a time zone."""
    late = session(skill(at=int((AS_OF + timedelta(days=3)).timestamp() * 1e6)), says("wrong"))
    found = mine(late)
    assert (found.events, found.invocations[0].reason, found.dropped) == ([], "future", {"use_future": 1})
    near = session(skill(at=int((AS_OF + timedelta(hours=12)).timestamp() * 1e6)), says("wrong"))
    assert len(mine(near).events) == 1


@pytest.mark.parametrize("at", [None, 10**30, -(10**30)])
def test_mining_keeps_uses_without_a_time(at):
    """A stamp that is missing or that no calendar holds is missing, never 1970."""
    (event,) = mine(session(skill(at=at), says("wrong"))).events
    assert event.timestamp is None


def test_mining_event_has_all_it_can_know():
    """Every field of an event comes from the facts."""
    told = session(
        skill("tidy", uuid="A1", digest="0123456789ab"),
        tools("Edit", "Bash"),
        agent("Done."),
        says("No,\n  that   is wrong" + "!" * 300, interrupted=True),
        agent_version="2.1.0",
        project="/home/me/app",
    )
    model = structs.replace(told.items[0].work, model="model-1")
    told = structs.replace(told, items=(structs.replace(told.items[0], work=model), told.items[1]))
    (event,) = mine(told).events
    assert event.timestamp == datetime.fromtimestamp((START / 1_000_000) + 60, tz=UTC)
    assert event.user_message_snippet.startswith("No, that is wrong!")
    assert len(event.user_message_snippet) == 200
    assert (event.ai_tools_used, event.model, event.skill_digest) == (("Bash", "Edit"), "model-1", "0123456789ab")
    assert (event.channel, event.attribution, event.language) == ("message", "likely", "en")
    assert (event.ruleset, event.agent, event.project) == (ruleset_version(), "claude-code", "/home/me/app")
    assert event.interrupted
    assert event.rule.startswith("en.reject")


def test_mining_turn_rows_follow_the_choice_and_change_no_event():
    """Turns outside of every window get a row only when all are asked for; events stay the same."""
    told = session(says("hi"), skill(), agent("Done."), says("wrong"), says("what?"), says("why?"), says("how?"))
    found = {which: mine(told, turns=which) for which in ("window", "all", "none")}
    assert [turn.turn_in_window for turn in found["window"].turns] == [1, 2, 3]
    assert [turn.turn_in_window for turn in found["all"].turns] == [0, 1, 2, 3, 0]
    assert found["none"].turns == []
    assert found["window"].events == found["all"].events == found["none"].events
    assert found["window"].turns[0].previous_agent == "Done."
    assert found["window"].turns[0].event_id == found["window"].events[0].event_id


def test_mining_records_fit_their_tables():
    """What was mined goes into the tables of the records."""
    found = mine(
        session(skill(), says("wrong"), says("what?"), skill("s2", failed="refused"), skill("s3"), says("perfect")),
        turns="all",
    )
    for rows, record in ((found.events, FeedbackEvent), (found.invocations, Invocation), (found.turns, Turn)):
        frame = to_frame(rows, record)
        check_frame(frame, record, needs=list(frame.columns))
        assert len(frame) == len(rows) > 0


def test_mining_of_nothing_is_empty():
    """No files, a file without sessions and an empty session give nothing and no error."""
    empty = [FileFacts("/a"), FileFacts("/b", sessions=(session(),))]
    for files in ([], empty):
        found = mine_sessions(lambda files=files: files, as_of=AS_OF)
        assert (found.events, found.invocations, found.turns, found.dropped) == ([], [], [], {})


@pytest.mark.parametrize(
    ("options", "complaint"),
    [({"window_turns": 0}, "at least 1 turn"), ({"as_of": datetime(2026, 1, 1)}, "no time zone")],  # noqa: DTZ001
)
def test_mining_refuses_bad_arguments(options, complaint):
    """A window without turns and a naive time are refused."""
    with pytest.raises(InputError, match=complaint):
        mine(session(skill()), **options)


def test_ruleset_is_short_and_stable():
    """The version of rules and model is two short hashes that a second look does not change."""
    assert ruleset_version() == ruleset_version()
    assert re.fullmatch(r"rules-[0-9a-f]{8}\+model-[0-9a-f]{8}", ruleset_version())


def test_ruleset_without_a_model_is_that_of_the_rules():
    """Without a model only the rules are named, and another model changes only its own part."""
    rules = ruleset_version(model=None)
    assert ruleset_version().startswith(f"{rules}+")
    assert ruleset_version(model=make_model(version="model-0000abcd")) == f"{rules}+model-0000abcd"


def test_mining_asks_the_model_it_is_given():
    """Events follow the model that mining is given, and their ruleset names it; None is the rules alone."""
    told = session(skill(), says("The lamp hums in the hall."))
    (event,) = mine(told, model=sure_of("negative", version="model-0000abcd")).events
    assert (event.outcome, event.correction_type, event.rule) == ("correction", "rejection", "model.sum")
    assert event.ruleset.endswith("+model-0000abcd")
    assert event.p_negative > 0.99
    assert mine(told, model=None).events == []
    (event,) = mine(session(skill(), says("wrong")), model=None).events
    assert "+" not in event.ruleset
    assert (event.p_negative, event.p_acceptance) == (None, None)


def test_names_are_kept_as_name_has_them_and_ids_stay():
    """What a name becomes shows in every record; no id and no verdict depends on it."""
    told = session(
        skill("s-KEY", uuid="u-KEY", call_id="c-KEY"),
        tools("mcp__KEY", "Bash"),
        says("no, that is wrong", uuid="t-KEY"),
        session_id="one-KEY",
        project="/work/KEY",
        agent_version="KEY",
    )
    plain = mine(told, asked=True, turns="all")
    masked = mine(told, asked=True, turns="all", name=lambda name: name.replace("KEY", "[x]"))
    (event,), (use,), (turn,) = masked.events, masked.invocations, masked.turns
    (asked,) = masked.asked.values()
    for record in (event, use, turn, *asked.turns):
        kept = {key: value for key, value in asdict(record).items() if key != "path"}
        assert "KEY" not in repr(kept)
    assert (event.skill_id, event.session_id, event.invocation_uuid) == ("s-[x]", "one-[x]", "u-[x]")
    assert event.ai_tools_used == ("Bash", "mcp__[x]")
    assert "u-[x]" in masked.read
    assert "u-KEY" in masked.read
    (before,) = plain.events
    assert (event.event_id, event.outcome, event.p_negative) == (before.event_id, before.outcome, before.p_negative)
    assert turn.turn_id == plain.turns[0].turn_id
    assert masked.asked.keys() == plain.asked.keys()


def test_names_that_stay_leave_records_as_they_are():
    """Where no name changes, everything mined is equal."""
    told = session(skill(), tools("Bash"), says("no, that is wrong"))
    assert mine(told, asked=True).events == mine(told, asked=True, name=lambda name: name).events
