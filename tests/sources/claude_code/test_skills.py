"""How uses of skills are found."""

import pytest

from skilltune.mining.digests import skill_digest
from tests.sources.claude_code.building import NO, SKILL_BODY, Transcript, tool, turns, uses

SLASH = "<command-message>deslop</command-message>\n<command-name>/deslop</command-name>"


@pytest.mark.parametrize(
    ("given", "skill"),
    [
        ({"skill": "pdf"}, "pdf"),
        ({"command": "pdf"}, "pdf"),
        ({"name": "pdf"}, "pdf"),
        ({"skill": "/docs:tidy", "command": "x"}, "docs:tidy"),
        ({"skill": None, "command": 5, "name": "a:b:c"}, "a:b:c"),
    ],
)
def test_skill_call_names_its_skill(read, given, skill):
    """A Skill call is a use of what its input names (N07)."""
    [use] = uses(read(Transcript().call("Skill", **given, args="all")))
    assert (use.skill_id, use.via, use.form, use.call_id, use.args) == (skill, "tool", "skill_tool", "t1", "all")


@pytest.mark.parametrize("given", [{}, {"skill": ""}, {"skill": 7}, {"skill": " / "}])
def test_skill_call_without_a_name_is_none(read, given):
    """A Skill call that names nothing is no use."""
    facts = read(Transcript().call("Skill", **given))
    assert uses(facts) == []
    assert facts.records == {"agent": 1}


def test_skill_call_as_text_field_of_odd_type_never_raises(read):
    """An input that is no object gives no use."""
    block = {"type": "tool_use", "id": "t1", "name": "Skill", "input": "pdf"}
    assert uses(read(Transcript().agent(block))) == []


@pytest.mark.parametrize(
    ("content", "error", "failed"),
    [
        ("Launching skill: pdf", None, ""),
        ("<tool_use_error>Unknown skill: pdf</tool_use_error>", True, "unknown_skill"),
        ("Unknown skill: pdf", None, "unknown_skill"),
        ("<tool_use_error>Skill pdf is not a prompt-based skill</tool_use_error>", True, "unknown_skill"),
        (NO, True, "refused"),
        ("<tool_use_error>Skill greet needs a prompt of its own</tool_use_error>", True, "error"),
    ],
)
def test_skill_call_result_says_whether_it_failed(read, content, error, failed):
    """An unknown skill, a refusal and an error are no uses; a missing result is one."""
    [use] = uses(read(Transcript().call("Skill", skill="pdf").result(content, error=error)))
    assert use.failed == failed


def test_skill_call_without_a_result_is_a_use(read):
    """A missing result leaves the use standing."""
    [use] = uses(read(Transcript().call("Skill", skill="pdf").user("thanks")))
    assert (use.failed, use.repeat, use.body) == ("", False, False)


def test_skill_call_already_loaded_is_a_repeat(read):
    """The text "Already loaded above" marks a repeat."""
    [use] = uses(read(Transcript().call("Skill", skill="pdf").result("Skill /pdf is already loaded above")))
    assert use.repeat


@pytest.mark.parametrize("source", ["t1", None])
def test_skill_body_gives_digest_and_folder(read, source):
    """The injected body is known by its source or by its place; arguments and base directory are not part of it."""
    log = Transcript().call("Skill", skill="tidy").result("Launching skill: tidy")
    log.meta(f"{SKILL_BODY}\n\nARGUMENTS: all", sourceToolUseID=source).agent("done")
    facts = read(log)
    [use] = uses(facts)
    assert (use.body, use.base_dir) == (True, "/home/dev/.claude/skills/tidy")
    assert use.digest == skill_digest("---\nname: tidy\n---\n\n# Tidy\n\nSort the imports.\n")
    assert facts.records["skill_body"] == 1


def test_skill_bodies_of_two_calls_go_to_their_own_use(read):
    """With two calls in one record each body finds its call."""
    log = Transcript().agent(tool("Skill", "a", skill="one"), tool("Skill", "b", skill="two"))
    log.result("ok", "a").result("ok", "b").meta("# Two", sourceToolUseID="b").meta("# One", sourceToolUseID="a")
    assert [(use.skill_id, use.digest) for use in uses(read(log))] == [
        ("one", skill_digest("# One")),
        ("two", skill_digest("# Two")),
    ]


def test_skill_body_is_not_hook_feedback(read):
    """Feedback of a hook after a use is not its body and no turn (T21)."""
    log = Transcript().call("Skill", skill="tidy").result().meta("Stop hook feedback: tests are incomplete and wrong")
    facts = read(log.user("looks good"))
    assert not uses(facts)[0].body
    assert facts.records["hook"] == 1
    assert [turn.text for turn in turns(facts)] == ["looks good"]


@pytest.mark.parametrize(
    ("text", "skill", "form", "args"),
    [
        (SLASH, "deslop", "message_first", ""),
        (
            "<command-message>deslop is running…</command-message>\n<command-name>deslop</command-name>",
            "deslop",
            "message_first",
            "",
        ),
        (f"{SLASH}\n<command-args>src and tests</command-args>", "deslop", "message_first", "src and tests"),
        ("<command-name>/clear</command-name>\n   <command-message>clear</command-message>", "clear", "name_first", ""),
        ("<command-name>/docs:v1.2:tidy_up</command-name>", "docs:v1.2:tidy_up", "name_first", ""),
    ],
)
def test_slash_command_in_a_user_record(read, text, skill, form, args):
    """A slash command is a use with the element that came first (N01)."""
    facts = read(Transcript().user(text))
    [use] = uses(facts)
    assert (use.skill_id, use.via, use.form, use.args) == (skill, "slash", form, args)
    assert turns(facts) == []


def test_slash_command_in_a_system_record_with_its_body(read):
    """A local command whose body follows shows both (N05)."""
    log = Transcript().add(
        {"type": "system", "subtype": "local_command", "content": "<command-name>/review</command-name>"}
    )
    [use] = uses(read(log.meta("# Review the change").agent("ok")))
    assert (use.skill_id, use.form, use.body) == ("review", "system", True)


def test_slash_command_with_output_has_no_body(read):
    """What a program says after the output of a local command is not its body."""
    log = (
        Transcript()
        .user("<command-name>/model</command-name>")
        .user("<local-command-stdout>set</local-command-stdout>")
    )
    assert not uses(read(log.meta("remember the model").agent("ok")))[0].body


def test_slash_command_and_body_in_one_record(read):
    """Versions that kept the body beside the command."""
    blocks = [{"type": "text", "text": SLASH}, {"type": "text", "text": "# Remove slop"}]
    facts = read(Transcript().user(blocks))
    assert uses(facts)[0].digest == skill_digest("# Remove slop")
    assert turns(facts) == []


def test_slash_name_in_a_sentence_is_a_mention(read):
    """Slash, tool and mention in one session: two uses (K05)."""
    log = Transcript().user("<command-message>tidy</command-message>\n<command-name>/docs:tidy</command-name>")
    log.meta(SKILL_BODY).agent("done").user("once more").call("Skill", skill="docs:tidy").result()
    facts = read(log.user("later we could use /docs:tidy here"))
    assert [use.via for use in uses(facts)] == ["slash", "tool"]
    assert turns(facts)[-1].text == "later we could use /docs:tidy here"


@pytest.mark.parametrize("given", [None, "7", {"a": 1}, ["x"]])
def test_available_skills_are_not_used(read, given):
    """Listings and re-injected skills are no uses (K26)."""
    log = Transcript().attachment("skill_listing", content=given).attachment("invoked_skills", skills=[{"name": "pdf"}])
    assert uses(read(log.attachment("dynamic_skill", names=["pdf"]).user("hello"))) == []


@pytest.mark.parametrize(
    ("name", "given", "skills"),
    [
        ("Read", {"file_path": "/home/dev/.claude/skills/tidy/SKILL.md"}, ["tidy"]),
        ("Read", {"file_path": "C:\\skills\\tidy\\SKILL.md"}, ["tidy"]),
        ("Read", {"file_path": "SKILL.md"}, []),
        ("Read", {"file_path": "/skills/tidy/notes.md"}, []),
        ("Write", {"file_path": "/skills/tidy/SKILL.md"}, []),
        ("Edit", {"file_path": "/skills/tidy/SKILL.md"}, []),
        ("Grep", {"path": "/skills/tidy/SKILL.md"}, []),
        ("Bash", {"command": "cat ~/.claude/skills/tidy/SKILL.md"}, ["tidy"]),
        ("Bash", {"command": "sed -n '1,200p' skills/tidy/SKILL.md"}, ["tidy"]),
        ("Bash", {"command": "head -50 'my skills/tidy/SKILL.md' 2>/dev/null"}, ["tidy"]),
        ("Bash", {"command": "cat a/one/SKILL.md b/two/SKILL.md | head -100"}, ["one", "two"]),
        ("Bash", {"command": "sed -i s/a/b/ skills/tidy/SKILL.md"}, []),
        ("Bash", {"command": "cat > skills/tidy/SKILL.md <<'E'\nx\nE"}, []),
        ("Bash", {"command": "rm skills/tidy/SKILL.md"}, []),
        ("Bash", {"command": "cat skills/tidy/SKILL.md && rm -r skills"}, []),
        ("Bash", {"command": "git add skills/tidy/SKILL.md"}, []),
        ("Bash", {"command": "cat 'skills/tidy/SKILL.md"}, []),
        ("Bash", {"command": "cd ~/.claude && cat skills/tidy/SKILL.md"}, ["tidy"]),
        ("Bash", {"command": "cd skills/tidy; ls -la; sed -n '1,9p;20p' SKILL.md"}, ["tidy"]),
        ("Bash", {"command": "# look first\ncat a/one/SKILL.md\ncat b/two/SKILL.md"}, ["one", "two"]),
        ("Bash", {"command": "cat a/one/SKILL.md || cat b/two/SKILL.md"}, []),
        ("Bash", {"command": "cd skills && rm -r old && cat tidy/SKILL.md"}, []),
        ("Bash", {"command": "cat tidy/SKILL.md & sleep 1"}, []),
    ],
)
def test_skill_file_read_is_a_use(read, name, given, skills):
    """A plain read of SKILL.md is a use; writing, editing or deleting it is none."""
    assert [(use.skill_id, use.via) for use in uses(read(Transcript().call(name, **given)))] == [
        (s, "read") for s in skills
    ]


def test_skill_file_read_that_failed(read):
    """A read that ended in an error is no use."""
    [use] = uses(
        read(Transcript().call("Read", file_path="/s/tidy/SKILL.md").result("File does not exist.", error=True))
    )
    assert (use.failed, use.path) == ("error", "/s/tidy/SKILL.md")


def test_uses_of_one_record_are_apart(read):
    """Each use of a record has its own call and the work after it (T35)."""
    log = (
        Transcript().user("hi").agent(tool("Skill", "a", skill="s1"), tool("Bash", "b"), tool("Skill", "c", skill="s2"))
    )
    first, second = uses(read(log.user("wrong")))
    assert (first.call_id, first.work.tools, second.call_id) == ("a", ("Bash",), "c")


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("sed -i s/a/b/ skills/tidy/SKILL.md", ("skills/tidy/SKILL.md",)),
        ("cat > skills/tidy/SKILL.md <<'E'\ndon't\n> x/y/SKILL.md\nE", ("skills/tidy/SKILL.md",)),
        ("mkdir -p skills/tidy && echo more >> 'skills/tidy/SKILL.md'", ("skills/tidy/SKILL.md",)),
        ("echo more | sudo tee -a skills/tidy/SKILL.md", ("skills/tidy/SKILL.md",)),
        ("cp draft.md skills/tidy/SKILL.md", ("skills/tidy/SKILL.md",)),
        ("mv SKILL.md skills/tidy/", ("skills/tidy/SKILL.md",)),
        ("cd ~/.claude && sed -i s/a/b/ skills/tidy/SKILL.md", ("~/.claude/skills/tidy/SKILL.md",)),
        ("cd skills/tidy && cat ../x.md > SKILL.md", ("skills/tidy/SKILL.md",)),
        ("cp skills/tidy/SKILL.md /tmp/kept.md", ()),
        ("sed s/a/b/ skills/tidy/SKILL.md > out.md", ()),
        ("echo 'tee skills/tidy/SKILL.md'", ()),
        ("git add skills/tidy/SKILL.md", ()),
    ],
)
def test_skill_file_written_by_a_shell_command_is_edited(read, command, written):
    """A shell command that writes a SKILL.md edits it, one that only names it does not."""
    facts = read(Transcript().user("go").call("Bash", command=command))
    assert turns(facts)[0].work.edited == written
    assert uses(facts) == []


SKILL_FILE = "---\nname: mend\n---\n# Mend\n\nMend $ARGUMENTS first, then look at $ARGUMENTS again.\n"


@pytest.mark.parametrize("arguments", ["the header", "a.*(b", "größer 不对", "  src  ", ""])
@pytest.mark.parametrize("slash", [True, False])
def test_skill_with_a_place_for_arguments_has_one_digest(read, arguments, slash):
    """Whatever stands where the skill's file has ``$ARGUMENTS``, the digest is that of the file."""
    body = SKILL_FILE.split("---\n")[2].replace("$ARGUMENTS", arguments.strip())
    command = f"<command-message>mend</command-message>\n<command-name>/mend</command-name>\n<command-args>{arguments}"
    log = Transcript()
    log = log.user(f"{command}</command-args>") if slash else log.call("Skill", skill="mend", args=arguments).result()
    [use] = uses(read(log.meta(body).agent("done")))
    assert use.digest == skill_digest(SKILL_FILE)


@pytest.mark.parametrize(
    ("file", "body", "arguments"),
    [
        ("Call all.", "Call all.\n\nARGUMENTS: all", "all"),
        ("Call $ARGUMENTS, calling back.", "Call all, calling back.", "all"),
        ("Fix 5 things in 5.", "Fix 5 things in 5.", "5"),
        ("Do it.\nARGUMENTS: $ARGUMENTS\nThen stop.", "Do it.\nARGUMENTS: src\nThen stop.", "src"),
        ("Do it.\n\nARGUMENTS: $ARGUMENTS", "Do it.\n\nARGUMENTS: src", "src"),
    ],
)
def test_skill_arguments_are_told_from_the_text(read, file, body, arguments):
    """Arguments at the end go, in their places they are no text; words of the skill that are like them stay."""
    log = Transcript().call("Skill", skill="mend", args=arguments).result().meta(body)
    assert uses(read(log))[0].digest == skill_digest(file)


@pytest.mark.parametrize("mark", [None, False])
def test_body_that_is_not_marked_is_no_turn(read, mark):
    """A skill's body that follows its call without the program's mark is the body; the same words later are a turn."""
    log = Transcript().user("go").call("Skill", skill="tidy").result("Launching skill: tidy")
    facts = read(log.user(SKILL_BODY, isMeta=mark).user(SKILL_BODY))
    assert [turn.text for turn in turns(facts)] == ["go", SKILL_BODY.strip()]
    assert [use.body for use in uses(facts)] == [True]
