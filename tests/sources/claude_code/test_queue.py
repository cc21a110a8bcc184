"""Prompts typed while the agent works, each once."""

import pytest

from tests.sources.claude_code.building import Transcript, turns


def channels(facts):
    """Channel and text of each turn."""
    return [(turn.channel, turn.text) for turn in turns(facts)]


def test_queue_attachment_is_a_turn(read):
    """A queued prompt beside the conversation."""
    log = Transcript().user("go").attachment("queued_command", prompt="and the tests", commandMode="prompt")
    assert channels(read(log)) == [("message", "go"), ("queued", "and the tests")]


@pytest.mark.parametrize(
    "fields",
    [
        {"prompt": "<task-notification>wrong</task-notification>", "commandMode": "prompt"},
        {"prompt": "that is wrong", "commandMode": "task-notification"},
        {"prompt": "that is wrong", "commandMode": "prompt", "origin": {"kind": "task-notification"}},
        {"prompt": "that is wrong", "commandMode": "prompt", "isMeta": True},
    ],
)
def test_queue_notification_is_no_turn(read, fields):
    """What a task reports through the queue is nobody's prompt."""
    facts = read(Transcript().user("go").attachment("queued_command", **fields))
    assert channels(facts) == [("message", "go")]
    assert facts.records["notification"] == 1


def test_queue_entry_alone_is_a_turn(read):
    """An entry that was given to the working agent is the only trace of the prompt."""
    log = Transcript().user("go").queue("enqueue", "also the docs").agent("working").queue("remove").agent("done")
    assert channels(read(log)) == [("message", "go"), ("queued", "also the docs")]


def test_queue_entry_left_at_the_end_is_a_turn(read):
    """A prompt still in the queue was typed."""
    assert channels(read(Transcript().user("go").queue("enqueue", "wrong file")))[1] == ("queued", "wrong file")


def test_queue_entry_then_prompt_counts_once(read):
    """The prompt that an entry becomes is one turn, with the record's uuid."""
    log = Transcript().user("go").queue("enqueue", "wrong file").agent("done").queue("dequeue").user("wrong file")
    facts = read(log)
    assert channels(facts) == [("message", "go"), ("queued", "wrong file")]
    assert turns(facts)[1].uuid == "u4"


def test_queue_entry_then_attachment_counts_once(read):
    """The attachment that an entry becomes is one turn, and the work between goes to the turn before."""
    log = Transcript().user("go").queue("enqueue", "wrong file").call("Bash", command="ls").queue("remove")
    facts = read(log.attachment("queued_command", prompt="wrong file", commandMode="prompt"))
    assert channels(facts) == [("message", "go"), ("queued", "wrong file")]
    assert turns(facts)[0].work.tools == ("Bash",)


def test_queue_entry_then_steering_counts_once(read):
    """Text beside tool results that was queued before is one turn."""
    log = Transcript().user("go").call("Bash", command="ls").queue("enqueue", "stop").queue("remove")
    assert channels(read(log.result("ok", beside=["stop"]))) == [("message", "go"), ("steering", "stop")]


def test_queue_same_words_later_are_said_again(read):
    """What was given to the working agent and is typed again later are two turns."""
    log = Transcript().user("go").queue("enqueue", "continue").queue("remove").agent("done").user("continue")
    assert channels(read(log))[1:] == [("queued", "continue"), ("message", "continue")]


def test_queue_taken_back_is_no_turn(read):
    """``popAll`` takes the waiting prompts back, not those given to the agent before."""
    log = (
        Transcript()
        .user("go")
        .queue("enqueue", "one")
        .queue("remove")
        .queue("enqueue", "two")
        .queue("enqueue", "three")
    )
    assert channels(read(log.queue("popAll").user("other"))) == [
        ("message", "go"),
        ("queued", "one"),
        ("message", "other"),
    ]


def test_queue_taken_back_returns_the_interrupt(read):
    """The interrupt that a prompt carried marks the next turn once the prompt is taken back."""
    log = Transcript().user("go").user("[Request interrupted by user]").queue("enqueue", "x").queue("popAll").user("y")
    assert [(turn.text, turn.interrupted) for turn in turns(read(log))] == [("go", False), ("y", True)]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"type": "text", "text": "wrong"}, {"type": "image", "source": {}}], "wrong"),
        ('[{"type": "text", "text": "wrong"}]', "wrong"),
        ('{"type": "text", "text": "wrong"}', "wrong"),
        ('{"retries": 3}', '{"retries": 3}'),
        ("[todo] wrong", "[todo] wrong"),
    ],
)
def test_queue_content_may_be_blocks_or_json(read, content, text):
    """Blocks, blocks written as JSON, or JSON that a person pasted."""
    assert channels(read(Transcript().user("go").queue("enqueue", content)))[1:] == [("queued", text)]


@pytest.mark.parametrize(
    "content",
    ["<task-notification>wrong</task-notification>", '[{"type": "tool_result", "content": "wrong"}]', None, 7, "", {}],
)
def test_queue_content_of_a_program_is_no_turn(read, content):
    """Notifications, results and nothing at all in the queue are no prompts."""
    facts = read(Transcript().user("go").queue("enqueue", content))
    assert channels(facts) == [("message", "go")]
