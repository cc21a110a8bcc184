"""Every shared message and transcript case that facts can express."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.mining.stories import agent, mine, reads, says, session, shell, skill, slash, tools, verdict_of

MESSAGES = Path(__file__).parents[3] / "shared" / "vectors" / "messages.jsonl"

NOT_BY_RULES: dict[str, str] = {}
"""Messages the rules get wrong, with the reason; a case that begins to pass must leave this list."""


def read_messages() -> list[dict[str, Any]]:
    """The shared messages; none where the folder is not there."""
    if not MESSAGES.is_file():
        return []
    return [json.loads(line) for line in MESSAGES.read_text(encoding="utf-8").splitlines()]


def is_right(case: dict[str, Any]) -> bool:
    """Whether the event of a use with this message as the first reply has the outcome, kind and dimension asked for."""
    events = mine(session(skill(), says(case["message"]))).events
    if case["outcome"] == "none":
        return events == []
    (event,) = events
    implicit = event.rule.startswith("implicit")
    kind = event.correction_type or ("implicit" if implicit else "explicit")
    dimension = None if event.outcome == "acceptance" else case["dimension"] or "unknown"
    return (event.outcome, kind, event.dimension_hint) == (case["outcome"], case["kind"], dimension)


@pytest.mark.parametrize("case", read_messages(), ids=lambda case: case["id"])
def test_message_has_the_right_event(shared, case):
    """A shared message as the first reply after a skill gives its outcome, kind and dimension."""
    assert is_right(case) == (case["id"] not in NOT_BY_RULES), NOT_BY_RULES.get(case["id"], case["message"])


def test_message_exceptions_exist(shared):
    """The list of messages given up names cases that are there."""
    assert set(NOT_BY_RULES) <= {case["id"] for case in read_messages()}


TRANSCRIPTS = {
    "T01": ([skill(), says("looks good, thanks!")], "acceptance/explicit@1"),
    "T03": ([skill(), agent("Done."), says("No, that is wrong")], "correction/rejection@1"),
    "T05": (
        [skill(), tools("Read"), tools("Edit"), agent("Done."), says("No, that is wrong")],
        "correction/rejection@1",
    ),
    "T07": (
        [skill(), agent("Done."), says("Next please add the pagination to the orders page")],
        "acceptance/implicit@1",
    ),
    "T09": ([skill(), says("what does that do?"), says("perfect")], "acceptance/explicit@2"),
    "T11": ([skill(), says("No, wrong file", channel="answer", tool="AskUserQuestion")], "correction/rejection@1"),
    "T13": ([skill()], "none"),
    "T15": (
        [skill(), says("use the other repo please", interrupted=True, channel="steering")],
        "correction/rejection@1",
    ),
    "T17": ([skill()], "none"),
    "T19": ([skill(), says("thanks, ship it")], "acceptance/explicit@1"),
    "T21": ([skill(), says("looks good")], "acceptance/explicit@1"),
    "T23": ([skill(), says("SKILL.md is wrong, the output ignores step 3")], "correction/rejection@1"),
    "T25": ([skill(), shell("git checkout main"), says("perfect, thank you")], "acceptance/explicit@1"),
    "T27": (
        [skill(), shell("git commit -m 'docs: explain git reset'"), says("perfect, thank you")],
        "acceptance/explicit@1",
    ),
    "T29": ([skill(), shell("git checkout -- a.py"), says("perfect, thank you")], "acceptance/explicit@1"),
    "T31": ([skill(), says("that broke prod, back it out"), shell("git revert --no-edit HEAD")], "correction/revert@1"),
    "T39": (
        [skill(), says("great but the naming is off"), says("actually no, this is wrong, redo it all")],
        "correction/redo@2",
    ),
    "T41": ([skill(), says("is it thread safe?"), says("ok great, merge")], "acceptance/explicit@2"),
}


@pytest.mark.parametrize("case", TRANSCRIPTS, ids=str)
def test_transcript_has_the_right_event(case):
    """A told transcript gives its outcome, kind and turn."""
    steps, expected = TRANSCRIPTS[case]
    assert verdict_of(*steps) == expected


def test_transcript_t11_keeps_the_channel():
    """A complaint by answer says that it came by answer."""
    (event,) = mine(session(*TRANSCRIPTS["T11"][0])).events
    assert event.channel == "answer"


def test_transcript_t15_is_flagged_interrupted():
    """A new direction after an interrupt keeps the flag."""
    (event,) = mine(session(*TRANSCRIPTS["T15"][0])).events
    assert event.interrupted


def test_transcript_t29_is_flagged_self_reverted():
    """The agent's own cleaning up is a flag and no revert."""
    flags = {case: mine(session(*TRANSCRIPTS[case][0])).events[0].self_reverted for case in ("T25", "T27", "T29")}
    assert flags == {"T25": False, "T27": False, "T29": True}


def test_transcript_t31_is_about_reliability():
    """What broke is reliability."""
    (event,) = mine(session(*TRANSCRIPTS["T31"][0])).events
    assert event.dimension_hint == "reliability"


@pytest.mark.parametrize("before", [[], [says("hi")]], ids=["T33", "T35"])
def test_transcript_reaction_belongs_to_the_last_skill(before):
    """Of two skills with no turn between them the last one gets the reaction."""
    steps = [*before, skill("s1", uuid="same"), skill("s2", uuid="same"), says("wrong")]
    assert (verdict_of(*steps, skill_id="s1"), verdict_of(*steps, skill_id="s2")) == (
        "none",
        "correction/rejection@1",
    )


def test_transcript_t37_counts_tools_up_to_the_deciding_turn():
    """Tools used after the deciding turn do not count; the others are sorted."""
    (event,) = mine(
        session(skill(), tools("Read"), tools("Edit"), says("wrong"), tools("WebFetch"), tools("Task"))
    ).events
    assert event.ai_tools_used == ("Edit", "Read")


def test_detection_n01_slash_command_is_a_use():
    """A command of the person's own is a use by slash, installed or not."""
    (use,) = mine(session(slash("deslop"))).invocations
    assert (use.skill_id, use.via, use.installed) == ("deslop", "slash", None)


def test_detection_n03_installed_is_a_column():
    """Where the installed skills are known, the row says whether this one is among them."""
    uses = mine(session(slash("deslop"), slash("other")), installed={"deslop": "0123"}).invocations
    assert {use.skill_id: use.installed for use in uses} == {"deslop": True, "other": False}


def test_detection_n05_injected_body_makes_a_builtin_a_skill():
    """A command in the agent's own list is a skill where its body is injected next."""
    assert len(mine(session(slash("review", form="system", body=True))).invocations) == 1
    assert mine(session(slash("review", form="system"))).dropped == {"use_builtin_command": 1}


def test_detection_n11_word_in_the_path_is_no_test_run():
    """Only the folder a session worked in makes it a test run, not a word in its path."""
    found = mine(session(skill(), path="/logs/-home-me-pytest-plugin/b.jsonl", project="/home/me/pytest-plugin"))
    assert len(found.invocations) == 1


def test_detection_k05_mention_is_no_use():
    """A slash command, a call after a turn, and a mention in a sentence are two uses."""
    told = session(
        slash("docs:tidy", body=True), says("thanks"), skill("docs:tidy"), says("later we could use /docs:tidy here"),
    )  # fmt: skip
    assert [use.via for use in mine(told).invocations] == ["slash", "tool"]


def test_detection_read_of_a_skill_file_names_its_folder():
    """A read of a skill's file is a use of the skill named by the folder."""
    (use,) = mine(session(reads("/home/me/.claude/skills/tidy/SKILL.md"))).invocations
    assert (use.skill_id, use.via) == ("tidy", "read")
