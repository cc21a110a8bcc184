"""Prompts typed while the agent works, each once."""

import pytest

from tests.sources.claude_code.building import Transcript, turns, uses


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


def test_queue_prompts_delivered_together_count_once(read):
    """Two waiting prompts that become one record are its one turn, with the interrupt either carried."""
    log = Transcript().user("go").user("[Request interrupted by user]").queue("enqueue", "wrong file")
    log.queue("enqueue", "use b").queue("dequeue").queue("dequeue").user("wrong file\nuse b")
    [_, turn] = turns(read(log))
    assert (turn.channel, turn.text, turn.uuid, turn.interrupted) == ("queued", "wrong file\nuse b", "u6", True)


@pytest.mark.parametrize(
    ("prompts", "content", "left"),
    [
        (["a", "b", "c"], "a\n\nb", ["c"]),
        (["a", "b", "c"], "b\nc", ["a"]),
        (["a", "b"], [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], []),
        (["one", "two"], "one two", ["one", "two"]),
        (["a", "b"], "a\nb\nmore", ["a", "b"]),
        (["a", "a\nb"], "a\na\nb", []),
    ],
)
def test_queue_parts_of_a_delivered_prompt(read, prompts, content, left):
    """Entries in a row make up a prompt only if they are the whole of it, each on lines of its own."""
    log = Transcript().user("go")
    for prompt in prompts:
        log.queue("enqueue", prompt)
    assert [turn.text for turn in turns(read(log.user(content)))[1:-1]] == left


@pytest.mark.parametrize(
    ("typed", "skill", "args"), [("/help", "help", ""), ("/docs:tidy  src\nand more", "docs:tidy", "src\nand more")]
)
@pytest.mark.parametrize("attached", [True, False])
def test_queue_command_is_a_sign_and_no_turn(read, typed, skill, args, attached):
    """A slash command typed while the agent works is no turn; whether it is a skill's is not known yet."""
    log = Transcript().user("go")
    log = log.attachment("queued_command", prompt=typed) if attached else log.queue("enqueue", typed)
    facts = read(log.agent("done"))
    assert channels(facts) == [("message", "go")]
    [use] = uses(facts)
    assert (use.skill_id, use.args, use.via, use.form, use.body) == (skill, args, "slash", "system", False)
    assert facts.records["use"] == 1


@pytest.mark.parametrize("text", ["/home/dev/a.py is wrong", "/ help", "//", "use /help", "/不对"])
def test_queue_path_or_mention_is_a_turn(read, text):
    """What begins with a slash and names no command is the person's prompt."""
    facts = read(Transcript().user("go").queue("enqueue", text))
    assert channels(facts)[1:] == [("queued", text)]
    assert uses(facts) == []


@pytest.mark.parametrize("attached", [True, False])
@pytest.mark.parametrize("system", [True, False])
def test_queue_command_counts_once_with_its_record(read, attached, system):
    """The record with the command's tags takes the place of what was queued, plugin or not."""
    log = Transcript().user("go").queue("enqueue", "/tidy src").call("Bash", command="ls")
    log = log.attachment("queued_command", prompt="/tidy src") if attached else log.queue("dequeue")
    tags = "<command-message>docs:tidy</command-message>\n<command-name>/docs:tidy</command-name>"
    log = log.add({"type": "system", "subtype": "local_command", "content": tags}) if system else log.user(tags)
    facts = read(log.meta("# Tidy"))
    [use] = uses(facts)
    assert (use.skill_id, use.form, use.body) == ("docs:tidy", "system" if system else "message_first", True)
    assert turns(facts)[0].work.tools == ("Bash",)


@pytest.mark.parametrize("attached", [True, False])
def test_queue_command_with_its_body_shows_both(read, attached):
    """The body that follows once the command left the queue is its own."""
    log = Transcript().user("go").queue("enqueue", "/tidy")
    log = log.attachment("queued_command", prompt="/tidy") if attached else log.queue("dequeue")
    assert [use.body for use in uses(read(log.meta("# Tidy")))] == [True]


def test_queue_command_given_again_later_is_another(read):
    """After the next prompt the same command is a new one."""
    log = Transcript().user("go").queue("enqueue", "/tidy").queue("dequeue").user("thanks")
    log.user("<command-message>tidy</command-message>\n<command-name>/tidy</command-name>")
    assert [use.form for use in uses(read(log))] == ["system", "message_first"]


def test_queue_command_taken_back_is_none(read):
    """``popAll`` takes waiting commands back too; a body after it belongs to no one."""
    facts = read(Transcript().user("go").queue("enqueue", "/tidy").queue("popAll").meta("# Tidy"))
    assert uses(facts) == []
