"""Blocks of a program in a text: what counts as one, where it ends, and what of a person's words stays."""

import pytest

from skilltune.sources.codex.words import folder_told, read_words
from tests.sources.codex.building import ABORTED, AGENTS_FILE, ENVIRONMENT, Flat, Rollout, turns

AUTOMATION = "Automation: Nightly\nAutomation ID: nightly\nAutomation memory: $CODEX_HOME/a/memory.md\n\nThat is wrong."
HEARTBEAT = "<heartbeat>\n<automation_id>a1</automation_id>\n<instructions>That is wrong.</instructions>\n</heartbeat>"
PLUGINS = "<recommended_plugins>\nNo, wrong.\n</recommended_plugins>"
BROWSER = '<in-app-browser-context source="ui">\n# In app browser:\n- URL: x\n</in-app-browser-context>'
STRANGE = "<news_context>\nwrong\n</news_context>"
INIT = "Generate a file named AGENTS.md that serves as a contributor guide for this repository.\nBe wrong."


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (AUTOMATION, "automation"),
        (HEARTBEAT, "automation"),
        ("<pulse>\n<pulse_id>1</pulse_id>\nwrong\n</pulse>", "harness"),
        (PLUGINS, "meta"),
        (BROWSER, "meta"),
        (f"{PLUGINS}\n{AGENTS_FILE}", "meta"),
        (f"{AGENTS_FILE}\n{ENVIRONMENT}", "meta"),
        (f"{PLUGINS}\n{AGENTS_FILE}\n{ENVIRONMENT}\n{STRANGE}", "meta"),
        (f"{STRANGE}\n{PLUGINS}", "meta"),
        (f"{STRANGE}\n{STRANGE}", "harness"),
        (f"{STRANGE}\n# In app browser:\n- URL: x", "meta"),
        (f"{PLUGINS}\n{ABORTED}", "interrupt"),
        (f"<news_context>a{STRANGE}b</news_context>", "harness"),
        (AGENTS_FILE.replace("Never", "No </INSTRUCTIONS> wrong, never"), "meta"),
        (AGENTS_FILE.replace("Never", "No </INSTRUCTIONS> wrong, never") + f"\n{PLUGINS}", "meta"),
        ("<environment_context>\nno, wrong", "meta"),
        ("<user_instructions>\r\nno, wrong", "meta"),
        ("<turn_aborted> by the user", "interrupt"),
        ("The following is the Codex agent history whose request you are assessing. wrong", "meta"),
        ("You are performing a CONTEXT CHECKPOINT COMPACTION. wrong", "compact_summary"),
        ("<skill>\n<name>tidy</name>\ncut", "skill"),
    ],
)
def test_text_of_programs(text, kind):
    """Blocks of a program, one or glued together, closed or cut off, are nobody's words."""
    assert read_words([text]).kind == kind


@pytest.mark.parametrize(
    "text",
    [
        "Remove `<system-reminder>` from the prompt, that is wrong",
        "Why does <environment_context>\nstand at the top? Remove it",
        "<system-reminder> is shown to users: revert that",
        "<environment_context> is wrong",
        "<skill> tag is broken, revert that",
        "<skill>",
        "<INSTRUCTIONS> is ignored by you, fix it",
        "<permissions> block must go, undo",
        "<user_action> is handled wrongly; revert",
        "<hook_prompt>\nhas no end",
        "<my-component>\n<p>x</p>\n</my-component>\n\ndoes not render",
        "<div>\n<p>x</p>\n</div>",
        "<config>\n<max_size>5</max_size>\n</config>",
        "<permissions></permissionsx> is wrong",
        "Automation: make it nightly",
        "# My heading\n\nplease add the text\n## My request for Codex:\nto the docs",
        "## Words: of mine\n\n## My request for Codex: is shown",
    ],
)
def test_words_that_name_tags_are_a_persons(text):
    """A person who writes about tags and headings of the program is heard, to the last word."""
    words = read_words([text])
    assert (words.kind, words.text) == ("person", text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{PLUGINS}\n\nfix it", "fix it"),
        (f"{AGENTS_FILE}\n\nfix it", "fix it"),
        (f"{PLUGINS}\n{STRANGE}\n\nfix this block", f"{STRANGE}\n\nfix this block"),
        (f"{BROWSER}\n\n## My request for Codex:\nfix it", "fix it"),
        (f"{STRANGE}\n\n## My request for Codex:\nfix it", "fix it"),
        ("fix <system-reminder>wrong</system-reminder>it", "fix it"),
        ("fix it <environment_context>x</environment_context><environment_context>", "fix it <environment_context>"),
        ("# In app browser:\n- URL: x\n\n## My request for Codex:\nfix it", "fix it"),
        ("# Selected text:\n\n# Notes\n## My request for Codex:\nwrong\n\n## My request for Codex:\nfix it", "fix it"),
    ],
)
def test_words_beside_blocks_are_kept(text, said):
    """Of a text that begins with blocks of a program, what follows them is a person's."""
    words = read_words([text])
    assert (words.kind, words.text) == ("person", said)


@pytest.mark.parametrize("kind", [Rollout, Flat])
def test_text_that_a_command_wrote_is_a_turn_without_words(read, kind):
    """Who asked for an AGENTS.md by the command for it said none of its words, once."""
    facts = read(kind().prompt(INIT).agent("Written.").prompt("thanks"))
    assert [(turn.text, turn.channel) for turn in turns(facts)] == [("", "message"), ("thanks", "message")]


@pytest.mark.parametrize(
    ("log", "entrypoint"),
    [
        (Rollout().prompt(AUTOMATION).prompt("thanks"), "codex_automation"),
        (Rollout().prompt("go").prompt(HEARTBEAT).prompt("thanks"), "codex-tui"),
    ],
)
def test_session_that_an_automation_began_is_scripted(read, log, entrypoint):
    """What an automation asks is no turn; a session that begins with it is a program's, whoever answers later."""
    facts = read(log)
    assert turns(facts)[-1].text == "thanks"
    assert facts.records["automation"] == 2
    assert facts.sessions[0].entrypoint == entrypoint


@pytest.mark.parametrize("kind", ["input_file", "input_image"])
def test_file_alone_is_a_turn_without_words(read, kind):
    """A prompt that is only a file is a turn, as one that is only an image."""
    (turn,) = turns(read(Rollout().item("message", role="user", content=[{"type": kind, "filename": "a.pdf"}])))
    assert (turn.text, turn.image) == ("", kind == "input_image")


@pytest.mark.parametrize(
    ("text", "folder"),
    [
        (ENVIRONMENT, "/home/dev/shop"),
        (f"{AGENTS_FILE}\n{ENVIRONMENT}", "/home/dev/shop"),
        (
            "<environment_context>\nCurrent working directory: /home/dev/a b\nShell: zsh\n</environment_context>",
            "/home/dev/a b",
        ),
        ("<environment_context>\n<os>linux</os>\n<cwd>/w</cwd>\n</environment_context>", "/w"),
        ("<environment_context>\n</environment_context>\n<cwd>/w</cwd>", ""),
        ("<environment_context>\n<cwd>/w</cwd>", ""),
        ("what is <environment_context>\n<cwd>/w</cwd></environment_context>?", ""),
    ],
)
def test_folder_that_the_program_tells(text, folder):
    """The folder of a session stands in what the program tells of the surroundings, in either generation's words."""
    assert folder_told(["first", text]) == folder


def test_folder_of_an_early_file(read):
    """Where no record of the session names its folder, the surroundings do."""
    assert read(Flat().given(ENVIRONMENT).prompt("go")).sessions[0].project == "/home/dev/shop"
    told = ENVIRONMENT.replace("/home/dev/shop", "/other")
    assert read(Rollout().given(told).prompt("go")).sessions[0].project == "/home/dev/shop"
