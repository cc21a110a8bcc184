"""What the agent did between a person's turns."""

import pytest

from skilltune.facts import Tokens
from tests.sources.claude_code.building import NO, Transcript, tool, turns, uses


def usage(number, **more):
    """Tokens of an API message."""
    return {
        "input_tokens": number,
        "output_tokens": 2,
        "cache_read_input_tokens": 3,
        "cache_creation_input_tokens": 4,
        **more,
    }


def test_work_lists_tools_once_and_not_the_skill_tool(read):
    """Tools used after a use, in order of the first call (T37)."""
    log = Transcript().call("Skill", skill="s")
    for number, name in enumerate(["Read", "Edit", "Read"]):
        log.call(name, f"c{number}", file_path=f"{name}.py")
    log.user("wrong").call("WebFetch", "c8").call("Task", "c9")
    facts = read(log)
    work = uses(facts)[0].work
    assert (work.tools, work.edited, work.touched) == (("Read", "Edit"), ("Edit.py",), ("Read.py",))
    assert turns(facts)[0].work.tools == ("WebFetch", "Task")


def test_work_keeps_git_commands_only(read):
    """Commands with the word git are kept, cut at 2,000 characters."""
    log = (
        Transcript()
        .user("go")
        .agent(
            tool("Bash", "a", command="git checkout -- a.py"),
            tool("Bash", "b", command="echo legitimate"),
            tool("Bash", "c", command="cd x && git " + "y" * 3000),
            tool("Bash", "d", command=["git"]),
        )
    )
    first, second = turns(read(log))[0].work.commands
    assert first == "git checkout -- a.py"
    assert len(second) == 2000


def test_work_bounds_paths(read):
    """At most 200 edited and 50 other paths are kept."""
    blocks = [tool(name, f"{name}{i}", file_path=f"{i}.py") for i in range(300) for name in ("Edit", "Read")]
    work = turns(read(Transcript().user("go").agent(*blocks)))[0].work
    assert (len(work.edited), len(work.touched)) == (200, 50)


def test_work_counts_errors_and_how_it_ended(read):
    """Errors are counted; whether the last result was one is kept apart."""
    log = Transcript().user("a").call("Bash").result("1", error=True).call("Bash", "t2").result("ok", "t2")
    log.user("b").call("Bash", "t3").result("2", "t3", error=True).user("c")
    assert [(turn.work.errors, turn.work.ended_in_error) for turn in turns(read(log))] == [
        (1, False),
        (1, True),
        (0, False),
    ]


def test_work_keeps_the_end_of_what_was_said_last(read):
    """The last words, at most 1,000 characters; blank texts and messages of the program do not count."""
    log = Transcript().user("go").agent("first").agent("x" * 2000 + "end?").agent("\n\n")
    log.agent("No response requested.", model="<synthetic>").agent("API Error", isApiErrorMessage=True)
    work = turns(read(log))[0].work
    assert (len(work.said), work.said[-4:], work.model) == (1000, "end?", "m1")


def test_work_names_the_skill_that_the_record_attributes(read):
    """``attributionSkill`` of the last record that carries one."""
    log = Transcript().user("go").agent("a", attributionSkill="docs:tidy").agent("b")
    assert turns(read(log))[0].work.attributed == "docs:tidy"


def test_tokens_of_one_message_count_once(read):
    """Lines of one message, not contiguous: the last usage counts, where the first line stands (K38)."""
    log = Transcript().user("a").agent("1", message_id="m", usage=usage(1)).agent("x", message_id="n", usage=usage(10))
    log.agent("2", message_id="m", usage=usage(5)).user("b").agent("3", message_id="m", usage=usage(7))
    first, second = turns(read(log))
    assert first.work.tokens == Tokens(input=17, output=4, cache_read=6, cache_creation=8)
    assert second.work.tokens == Tokens()


def test_tokens_without_a_message_id_count_each(read):
    """Where no id says that lines belong together, each counts."""
    log = Transcript().user("a").agent("1", usage=usage(1)).agent("2", usage=usage(1))
    assert turns(read(log))[0].work.tokens.input == 2


def test_tokens_of_odd_types_count_nothing(read):
    """Null, text, negative and endless numbers of tokens are 0; the rest of the record counts."""
    log = Transcript().user("a")
    for odd in (None, "5", -1, 1.5, True, 2**70):
        log.agent("said", message_id=str(odd), usage=usage(1, output_tokens=odd))
    work = turns(read(log))[0].work
    assert (work.tokens.input, work.tokens.output, work.said) == (6, 0, "said")


def test_lead_is_the_work_before_the_first_item(read):
    """A session that begins with the agent keeps that work apart."""
    facts = read(Transcript().call("Bash", command="ls").user("go"))
    assert facts.sessions[0].lead.tools == ("Bash",)


def test_nested_records_of_sub_agents_count_nothing(read):
    """A progress record that holds a sub-agent's messages is a progress record."""
    nested = {"message": {"type": "user", "message": {"role": "user", "content": "wrong"}, "uuid": "n1"}}
    facts = read(Transcript().user("go").add({"type": "progress", "data": nested}))
    assert facts.records == {"turn": 1, "progress": 1}


@pytest.mark.parametrize(
    ("fields", "kept"),
    [
        ({"content": "done"}, True),
        ({"content": NO, "error": True}, False),
        ({"content": NO}, False),
        ({"content": "Exit code 1", "error": True}, False),
        ({"content": "no", "error": True, "noted": "User rejected tool use"}, False),
        ({"content": "done", "call_id": "other", "error": True}, True),
        (None, True),
    ],
)
@pytest.mark.parametrize("queued", [False, True])
def test_work_keeps_commands_that_ran(read, fields, kept, queued):
    """A command that was refused or failed changed nothing; without a result it may have."""
    log = Transcript().user("go").call("Bash", command="git checkout -- a.py")
    log = log.queue("enqueue", "wrong") if queued else log
    log = log.result(**fields) if fields else log
    first = turns(read(log.user("thanks")))[0]
    assert first.work.commands == (("git checkout -- a.py",) if kept else ())


def test_work_keeps_the_command_of_the_other_call(read):
    """Of two calls only the refused one's command goes."""
    log = Transcript().user("go").agent(tool("Bash", "a", command="git stash"), tool("Bash", "b", command="git status"))
    facts = read(log.result(NO, "a", error=True).result("clean", "b"))
    assert turns(facts)[0].work.commands == ("git status",)


def test_work_lists_the_tool_of_a_call_that_is_a_record_of_its_own(read):
    """Old records name a tool beside the messages: it is among the tools, whatever else the record holds."""
    log = Transcript().user("go").add({"type": "tool_use", "name": "bash", "input": {"command": "ls"}})
    log.add({"type": "tool_use", "name": ["odd"]}).add({"type": "tool_use"}).agent("Done.")
    facts = read(log)
    assert turns(facts)[0].work.tools == ("bash",)
    assert facts.records == {"turn": 1, "tool_use": 3, "agent": 1}
