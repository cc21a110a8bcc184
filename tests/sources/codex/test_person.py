"""Prompts: each once whatever tells it; what a program puts there; interruptions, refusals, taking back."""

import pytest

from skilltune.facts import CommandFact
from tests.sources.codex.building import ABORTED, AGENTS_FILE, ENVIRONMENT, Flat, Rollout, items, turns, uses


@pytest.mark.parametrize("kind", [Rollout, Flat])
def test_prompt_is_one_turn_in_either_shape(read, kind):
    """The same conversation in either generation has the same one turn (K20)."""
    log = kind().given(AGENTS_FILE, ENVIRONMENT).given(f"<user_instructions>\n{AGENTS_FILE}\n</user_instructions>")
    log.given("<permissions instructions>\nnever\n</permissions instructions>", role="developer")
    facts = read(log.prompt("no, the other file").agent("Right."))
    (turn,) = turns(facts)
    assert (turn.text, turn.channel, turn.work.said) == ("no, the other file", "message", "Right.")
    assert facts.records["turn"] == 1
    assert facts.records["meta"] == 3
    assert facts.records.get("duplicate", 0) == (kind is Rollout)
    assert sum(facts.records.values()) == len(log.lines)


def test_prompt_order_and_repetition(read):
    """Whichever record comes first tells a prompt, and the same words typed twice are two."""
    log = Rollout().prompt("go on").agent("Done.").told("go on").turn().given("go on").agent("Done.").given("yes")
    assert [turn.text for turn in turns(read(log.given("yes")))] == ["go on", "go on", "yes", "yes"]


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (Rollout().given("go").told("go").agent("Done.").told("go"), ["go", "go"]),
        (Rollout().given("Beside it: x\n\ngo on").told("go on"), ["Beside it: x\n\ngo on"]),
        (Rollout().given("go on now").agent("Done.").told("go on"), ["go on now", "go on"]),
        (Rollout().given("go on").told("stop"), ["go on", "stop"]),
    ],
)
def test_prompt_told_twice_in_other_words(read, log, said):
    """A record tells a prompt that another kind told: with the same words, or with more or fewer right beside it."""
    assert [turn.text for turn in turns(read(log))] == said


def test_prompt_told_by_a_completed_item(read):
    """Files without ``user_message`` tell a prompt by the item that was completed."""
    words = {"type": "UserMessage", "id": "i", "content": [{"type": "text", "text": "tidy up"}]}
    said = {"type": "AgentMessage", "content": [{"type": "Text", "text": "Tidied."}]}
    log = Rollout().given("tidy up").event("item_completed", item=words).event("item_completed", item=said)
    facts = read(log.event("item_completed", item={"type": "Plan", "text": "plan"}))
    (turn,) = turns(facts)
    assert (turn.text, turn.work.said, facts.records["duplicate"]) == ("tidy up", "Tidied.", 1)


@pytest.mark.parametrize(
    ("text", "became"),
    [
        (AGENTS_FILE, "meta"),
        (ENVIRONMENT, "meta"),
        ("<user_instructions>no, wrong</user_instructions>", "meta"),
        (ABORTED, "interrupt"),
        ("<subagent_notification>\n{}\n</subagent_notification>", "notification"),
        ("<permissions instructions>never</permissions instructions>", "meta"),
        ("<user_action>\n<action>review</action>\n</user_action>", "meta"),
        ("<hook_prompt hook_run_id='1'>tests are wrong</hook_prompt>", "meta"),
        ("<other_context>wrong</other_context>", "harness"),
        ("# Files mentioned by the user:\n\n## a.py: /home/dev/a.py\n", "meta"),
        ("Another language model started to solve this problem and produced a summary.", "compact_summary"),
        ("  \n", "empty"),
        ("# Context from my IDE setup:\n\n## My request for Codex:\n", "empty"),
    ],
)
def test_machine_text_is_no_turn(read, text, became):
    """What a program says with the role of a user is counted by what it is, alone and between a person's prompts."""
    facts = read(Rollout().prompt("first").given(text).prompt("second"))
    assert [turn.text for turn in turns(facts)] == ["first", "second"]
    assert facts.records[became] == 1
    assert facts.unknown_types == ({"<other_context>": 1} if became == "harness" else {})


def test_marked_machine_text_is_no_turn(read):
    """The older record of a prompt says itself that it is none."""
    log = Rollout().told("<odd>", kind="environment_context").told("real", kind="plain")
    assert [turn.text for turn in turns(read(log))] == ["real"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nfix it\n", "fix it"),
        ("# Files mentioned by the user:\n\n## a.png: /a.png\n\n## My request for Codex:\nlike this", "like this"),
        (f"{ENVIRONMENT}\n\nfix it", "fix it"),
        ("why is <b> not closed?", "why is <b> not closed?"),
        ("what does '## My request for Codex:' mean?", "what does '## My request for Codex:' mean?"),
    ],
)
def test_words_of_the_person_are_kept(read, text, words):
    """Of what an editor sends only the request is a person's; a question about such marks is whole."""
    assert [turn.text for turn in turns(read(Rollout().prompt(text)))] == [words]


def test_image_alone_is_a_turn_without_words(read):
    """An image is a turn, told once; marks around it are no words."""
    mark = '<image name=[Image #1] path="a.png">'
    log = Rollout().given(mark, "</image>", image=True).told("", local_images=["/home/dev/a.png"])
    log.agent("I see.").given(mark, "</image>", "like this [Image #1]", image=True).told("like this [Image #1]")
    facts = read(log)
    assert [(turn.text, turn.image) for turn in turns(facts)] == [("", True), ("like this [Image #1]", True)]


def test_image_that_only_one_record_tells(read):
    """An image beside a prompt is the prompt's, whichever record has it."""
    assert [turn.image for turn in turns(read(Rollout().given("look").told("look", local_images=["a.png"])))] == [True]


@pytest.mark.parametrize(
    ("reason", "flagged"), [("interrupted", True), ("replaced", False), ("review_ended", False), (None, False)]
)
def test_interruption_is_a_flag_on_the_next_turn(read, reason, flagged):
    """Only a person's interruption counts, and it is no turn."""
    log = Rollout().prompt("build it").agent("Building.").event("turn_aborted", reason=reason)
    facts = read(log.prompt("wait").agent("Yes?").prompt("go"))
    assert [turn.interrupted for turn in turns(facts)] == [False, flagged, False]


def test_plan_that_is_accepted(read):
    """The words with which the program starts on a plan are a person's approval, no words of theirs."""
    log = Rollout().prompt("plan it").agent("A plan.").prompt("Implement the plan.").agent("Done.")
    facts = read(log.prompt("PLEASE IMPLEMENT THIS PLAN:\n# Sort\nno, wrong"))
    assert [(turn.channel, turn.decision, turn.text) for turn in turns(facts)[1:]] == [("plan", "approved", "")] * 2


@pytest.mark.parametrize(
    ("kind", "more", "command", "rewound"),
    [
        ("thread_rolled_back", {"num_turns": 2}, "/undo 2", True),
        ("thread_rolled_back", {"num_turns": -5}, "/undo 1", True),
        ("thread_rolled_back", {"num_turns": "odd"}, "/undo 1", True),
        ("undo_completed", {"success": True, "message": "Undo restored snapshot"}, "/undo", False),
    ],
)
def test_taking_back_is_an_act_of_the_person(read, kind, more, command, rewound):
    """Prompts that are rolled back, and changes that are undone, are a command; the next prompt says it was rewound."""
    facts = read(Rollout().prompt("build it").agent("Built.").event(kind, **more).prompt("again"))
    assert [(fact.command, bool(fact.uuid)) for fact in items(facts, "CommandFact")] == [(command, True)]
    assert [turn.rewound for turn in turns(facts)] == [False, rewound]


def test_failed_undo_is_nothing(read):
    """Where nothing could be undone, nothing was."""
    facts = read(Rollout().prompt("build it").event("undo_completed", success=False, message="no snapshot"))
    assert items(facts, "CommandFact") == []
    assert facts.records["undo_completed"] == 1


def test_command_of_the_person(read):
    """A shell command that the person typed is an act, no turn."""
    text = "<command>\ngit checkout -- a.py\n</command>\n<result>\nno\n</result>"
    text = f"<user_shell_command>\n{text}\n</user_shell_command>"
    facts = read(Rollout().prompt("go").given(text))
    assert isinstance(facts.sessions[0].items[-1], CommandFact)
    assert facts.sessions[0].items[-1].command == "git checkout -- a.py"
    assert len(turns(facts)) == 1


@pytest.mark.parametrize(
    ("output", "denied", "errors"),
    [
        ("exec command rejected by user", True, 0),
        ("patch rejected by user", True, 0),
        ('exec_command failed for `zsh`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }', True, 0),
        ("user rejected MCP tool call", True, 0),
        ("rejected by user.\n", True, 0),
        ("rejected by user\n\nis what the log says", False, 0),
        ("user rejected MCP tool call: a constant of the server", False, 0),
        ('exec_command failed for `sed`: see Rejected("rejected by user") in errors.rs', False, 1),
        ("rejected: approval policy is never", False, 1),
        ("This action was rejected due to unacceptable risk.", False, 1),
        ("failed in sandbox: denied", False, 1),
        ("the words exec command rejected by user stand in a file", False, 0),
    ],
)
def test_refusal_by_a_person_is_a_turn(read, output, denied, errors):
    """A refusal by the person is a denial without words; one by policy, sandbox or reviewer is an error."""
    facts = read(Rollout().prompt("go").shell("git push").output(output).prompt("later"))
    found = [(turn.channel, turn.decision, turn.tool, turn.text) for turn in turns(facts)[1:-1]]
    assert found == [("denial", "rejected", "exec_command", "")] * denied
    assert sum(turn.work.errors for turn in turns(facts)) == errors
    assert bool(turns(facts)[0].work.commands) is (not denied and not errors)


def test_refusal_of_several_calls_is_one_act(read):
    """Calls that are refused together are refused once."""
    log = Rollout().prompt("go").shell("rm a", "call_1").shell("rm b", "call_2")
    log.output("exec command rejected by user", "call_1").output("exec command rejected by user", "call_2")
    log.agent("Again.").shell("rm a", "call_3").output("exec command rejected by user", "call_3")
    assert [turn.channel for turn in turns(read(log))] == ["message", "denial", "denial"]


@pytest.mark.parametrize("output", ["aborted by user after 29.7s", "Wall time: 4.0 seconds\naborted by user"])
def test_aborted_call_is_an_interruption(read, output):
    """A call that the person stopped is no error and no turn: the next turn says that they interrupted."""
    facts = read(Rollout().prompt("go").shell("git push").output(output).prompt("stop that"))
    first, second = turns(facts)
    assert (first.work.errors, first.work.commands, second.interrupted) == (0, (), True)


def test_answers_of_the_person(read):
    """Answers to the agent's questions are a turn with their words; cancelled questions are none."""
    log = Rollout().prompt("go").item("function_call", name="request_user_input", arguments="{}", call_id="c1")
    log.output('{"answers":{"q":{"answers":["blue","user_note: not green"]}}}', "c1")
    log.item("function_call", name="request_user_input", arguments="{}", call_id="c2")
    facts = read(log.output("request_user_input was cancelled before receiving a response", "c2"))
    assert [(turn.channel, turn.tool, turn.text) for turn in turns(facts)[1:]] == [
        ("answer", "request_user_input", "blue\nnot green")
    ]


def test_plans_and_other_roles_are_no_person(read):
    """A plan that the agent updates, a system message and a message of nobody known are no turns."""
    log = Rollout().prompt("go").item("function_call", name="update_plan", arguments='{"plan":[]}', call_id="c1")
    log.output("Plan updated", "c1").given("no, wrong", role="system").given("no, wrong", role="critic")
    facts = read(log)
    assert len(turns(facts)) == 1
    assert uses(facts) == []
    assert facts.records["malformed"] == 1


def test_completed_prompt_whose_content_is_a_text(read):
    """Its words are the turn, as those of a list of parts are."""
    said = {"type": "UserMessage", "content": "tidy up"}
    facts = read(Rollout().event("item_completed", item=said))
    assert [(turn.text, turn.image) for turn in turns(facts)] == [("tidy up", False)]
