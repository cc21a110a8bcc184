"""The person's side of a session."""

import pytest

from skilltune.facts import CommandFact
from skilltune.mining.digests import skill_digest
from tests.sources.opencode.building import REJECTED, RUN_RULES, Talk, as_part, items, tool, turns, uses

SHELL = {**as_part("The following tool was executed by the user"), "synthetic": True}


@pytest.mark.parametrize(
    ("parts", "became"),
    [
        ([{**as_part("tidy up"), "synthetic": True}], "synthetic"),
        ([{**as_part("tidy up"), "synthetic": None}], "synthetic"),
        ([{**as_part("tidy up"), "ignored": True}], "synthetic"),
        ([as_part("   ")], "empty"),
        ([], "empty"),
        ([{"type": "compaction", "auto": True}], "compaction"),
        ([as_part("<system-reminder>\nwrong\n</system-reminder>")], "system_reminder"),
        ([as_part("<task-notification>wrong</task-notification>")], "notification"),
        ([{"type": "text", "text": ["tidy up"]}], "empty"),
    ],
)
def test_person_said_nothing(read, parts, became):
    """What a program put into a message of role user is no turn, and is counted under what it is."""
    facts = read(Talk().user(*parts).agent("Done."))
    assert turns(facts) == []
    assert facts.records[became] == 1


def test_person_said_what_they_typed(read):
    """The words are the text parts less those of a program; an image is told; the number is the message's."""
    said = Talk().user("tidy ", {**as_part("file text"), "synthetic": True}, {**as_part("up"), "synthetic": False})
    picture = {"type": "file", "mime": "image/png", "url": "data:image/png;base64,AA=="}
    facts = read(said.agent("Done.").user(picture).user("<system-reminder>x</system-reminder>no", picture))
    assert [(turn.line, turn.text, turn.image) for turn in turns(facts)] == [
        (1, "tidy\n\nup", False),
        (3, "", True),
        (4, "no", True),
    ]
    assert facts.records == {"session": 1, "part": 7, "turn": 3, "agent": 1}


@pytest.mark.parametrize("mime", ["application/pdf", "text/plain", "application/x-directory", None])
def test_person_sent_a_file_without_a_word(read, mime):
    """A file alone is a turn without words, as an image is; beside a command it is the command's."""
    file = {"type": "file", "mime": mime, "filename": "order", "url": "data:,x"}
    read_for_agent = {**as_part("Called the Read tool"), "synthetic": True}
    command = {"type": "subtask", "command": "look", "prompt": "Look."}
    facts = read(Talk().user(file).user(read_for_agent, file).user("no", file).user(command, file))
    assert [(turn.line, turn.text, turn.image) for turn in turns(facts)] == [
        (1, "", False),
        (2, "", False),
        (3, "no", False),
    ]
    assert [use.line for use in uses(facts)] == [4]
    assert facts.records == {"session": 1, "part": 7, "turn": 3, "use": 1}


@pytest.mark.parametrize("tag", ["system-reminder", "ide_selection"])
def test_person_wrote_about_a_tag(read, tag):
    """A tag that the person names in a sentence eats none of it; one without an end that begins the text does."""
    words = f"Remove `<{tag}>` from the prompt, that is wrong."
    facts = read(Talk().user(words).agent("Done.").user(f"<{tag}>\nwrong\n"))
    assert [turn.text for turn in turns(facts)] == [words]


def test_person_is_no_message_with_what_only_the_agent_has(read):
    """A message that calls itself the user's and yet cost something is malformed."""
    facts = read(Talk().user("go").user("wrong", cost=0))
    assert [turn.text for turn in turns(facts)] == ["go"]
    assert [(problem.line, problem.reason) for problem in facts.problems] == [(2, "malformed")]


def test_person_used_a_command(read):
    """A subtask names the command that was typed with a slash, and holds its text; without a name it is none."""
    body = "# Review\n\nLook at the diff."
    part = {"type": "subtask", "agent": "general", "description": "", "prompt": body}
    facts = read(Talk().user({**part, "command": "look"}).agent("Fine.").user(part).user({**part, "command": 3}))
    (use,) = uses(facts)
    assert (use.skill_id, use.via, use.form, use.body, use.digest) == (
        "look",
        "slash",
        "subtask",
        True,
        skill_digest(body),
    )
    assert use.work.said == "Fine."
    assert turns(facts) == []


def test_person_typed_a_shell_command(read):
    """A command of the person's own is an act of theirs, not work of the agent."""
    talk = Talk().user("go").agent("Done.").user(SHELL)
    talk.agent(tool("bash", command="git checkout -- a.py"))
    talk.messages[-1][0]["parentID"] = talk.messages[-2][0]["id"]
    facts = read(talk.user("no").agent(tool("bash", command="git status")))
    assert [type(item).__name__ for item in items(facts)] == ["TurnFact", "CommandFact", "TurnFact"]
    assert items(facts)[1].command == "git checkout -- a.py"
    assert items(facts)[0].work.commands == ()
    assert items(facts)[2].work.commands == ("git status",)


@pytest.mark.parametrize(
    ("behind", "command"), [(0, "/undo 3"), (1, "/undo 3"), (2, "/undo 2"), (3, "/undo 2"), (4, "/undo"), (5, "/undo")]
)
def test_person_went_back(read, behind, command):
    """Going back behind a message takes back its prompt and the later ones; behind an answer, what it answers, too."""
    talk = Talk().user("one").agent("1").user("two").agent("2").user("three").user(SHELL)
    talk.info["revert"] = {"messageID": talk.messages[behind][0]["id"], "snapshot": "x"}
    last = items(read(talk))[-1]
    assert isinstance(last, CommandFact)
    assert (last.command, last.line) == (command, 6)


@pytest.mark.parametrize("revert", [None, {"messageID": "msg_other"}, {"messageID": 3}, [], "x"])
def test_person_went_back_to_nothing_that_is_there(read, revert):
    """A message that is not there was not gone back behind."""
    assert len(items(read(Talk(revert=revert).user("one").agent("1")))) == 1


def test_person_stopped_the_agent(read):
    """An aborted message, and an aborted call, are a flag on the next turn."""
    aborted = {"name": "MessageAbortedError", "data": {}}
    talk = Talk().user("one").agent("1", error=aborted).user("two").agent(tool("bash", error="Tool execution aborted"))
    facts = read(talk.user("three").agent("3", error={"name": "APIError"}).user("four"))
    assert [turn.interrupted for turn in turns(facts)] == [False, True, True, False]
    assert [turn.work.errors for turn in turns(facts)] == [0, 0, 0, 0]


def test_person_is_nobody_where_a_program_runs_the_agent(read):
    """A session that may ask nothing was started by a program: what it is refused, nobody refused."""
    facts = read(Talk(permission=RUN_RULES).user("go").agent(tool("bash", error=REJECTED)))
    assert facts.sessions[0].entrypoint == "opencode_run"
    assert [turn.channel for turn in turns(facts)] == ["message"]
    assert turns(facts)[0].work.errors == 1
