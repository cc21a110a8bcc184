"""Long hostile texts through the whole reader: each takes time as it is long, or the run's timeout ends the test."""

import pytest

from skilltune import limits
from skilltune.sources.claude_code.decisions import ASK_TOOL
from tests.sources.claude_code.building import NO, Transcript, tool, turns, uses

LENGTH = 50_000
HEADS = {
    "plain": "",
    "answer": "User has answered your questions: ",
    "denial": f"{NO} the user said:",
    "skill": "Base directory for this skill:",
    "command": "<command-name>",
    "tag": "<odd-",
    "closed tag": f"<odd-{'a' * LENGTH}>",
    "report": "<task-notification>",
    "beside": "<system-reminder>",
    "here-document": "cat > a/SKILL.md <<'E",
    "read": "cat a/SKILL.md ",
}
PIECES = [
    *" a\n\t\r<>'\"`=&.-/([{\\\u0130\u00e9",
    '"="a',
    '"=""',
    ". You can now",
    " 2>",
    "\n ",
    "<a",
    "</a",
    "<<a",
    "<<a\n",
    ">'",
    "a-b ",
    "<a-b>\n",
    "<task-notification>",
    "<system-reminder",
    "<command-args>",
    '{"uuid"',
    "\nNote",
]


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("head", HEADS)
def test_hostile_text_leaves_the_rest_of_the_session_as_it_is(read, head, piece):
    """Wherever the text stands, the turns, uses and counts around it are found."""
    text = HEADS[head] + piece * (LENGTH // len(piece)) + "\rx"
    log = Transcript().user("tidy up").call("Skill", "t0", skill="tidy", args=text[:LENGTH])
    log.result("ok", "t0").meta(f"{text}\n{text}")
    for number, name in enumerate(("Bash", ASK_TOOL, "ExitPlanMode", "Read"), 1):
        log.agent(text, tool(name, f"t{number}", command=f"git cat a/SKILL.md {text}", file_path=text))
        log.result(text, f"t{number}", beside=[text]).result([{"type": "text", "text": text}], "t9", noted=text)
    log.user(text).user([{"type": "text", "text": text}] * 2).queue("enqueue", text).queue("remove", text)
    log.attachment("queued_command", prompt=text)
    log.add({"type": "system", "subtype": "local_command", "content": text})
    log.raw(f'{{"type":"user","message":{text}').user("no, that is wrong")
    facts = read(log)
    said = [turn.text for turn in turns(facts)]
    assert (said[0], said[-1]) == ("tidy up", "no, that is wrong")
    assert max(map(len, said)) <= limits.TURN_TEXT_CHARS
    assert [use.skill_id for use in uses(facts) if use.via == "tool"] == ["tidy"]
    assert all(use.path == "a/SKILL.md" for use in uses(facts) if use.via == "read")
    assert sum(facts.records.values()) >= len(log.lines)


def test_hostile_spaces_in_a_command(read):
    """A reading command that goes on after many spaces is no plain reading; its beginning is kept where it is git's."""
    blanks = " " * LENGTH
    log = Transcript().user("go").call("Bash", command=f"cat a/SKILL.md{blanks}x").result()
    facts = read(log.call("Bash", command=f"git status{blanks}x").result())
    assert uses(facts) == []
    assert turns(facts)[0].work.commands == ("git status" + blanks[: 2000 - len("git status")],)


@pytest.mark.parametrize(
    ("told", "answer"),
    [
        ('"="a' * (LENGTH // 4), ('"="a' * (LENGTH // 4))[: limits.TURN_TEXT_CHARS]),
        ('"Which?"="both" ' + '"="a' * (LENGTH // 4) + '". You can now', None),
        (f"both.{' ' * LENGTH}You can now continue with the user's answers in mind.", "both"),
        (f"both{' ' * LENGTH}x", "both" + " " * (limits.TURN_TEXT_CHARS - 4)),
        ('"Which?"="one", "Where?"="here". You can now continue with the user\'s answers in mind.', "one\nhere"),
        ('"Which?"="say "="x" selected, "Where?"="here".. ', 'say "="x\nhere'),
    ],
)
def test_hostile_answers(read, told, answer):
    """Answers are found in any text; one without an end is the text itself."""
    log = Transcript().user("go").call(ASK_TOOL, questions=[]).result(f"User has answered your questions: {told}")
    found = turns(read(log))[1]
    assert found.channel == "answer"
    assert answer is None or found.text == answer


def test_hostile_arguments_of_a_skill(read):
    """Arguments that nearly stand everywhere in a body are looked for only so often."""
    log = Transcript().user("go").call("Skill", skill="tidy", args="-aa" * 20_000 + "-a").result("Launching skill")
    (use,) = uses(read(log.meta("-aa" * 60_000)))
    assert (use.body, use.failed) == (True, "")


def test_hostile_queue(read):
    """Many equal prompts in the queue, and one that begins like many of them together."""
    log = Transcript().user("go")
    for _ in range(3000):
        log.queue("enqueue", "a")
    said = [turn.text for turn in turns(read(log.user("a\n" * 3000 + "b").user("a\na")))]
    assert said == ["go", *["a"] * 2998, ("a\n" * 3000 + "b"), "a\na"]
