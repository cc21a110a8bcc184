"""Uses of skills: ``$name`` in a prompt, its text put into the conversation, reads of SKILL.md; what lists are."""

import json

import pytest

from skilltune.facts import TurnFact
from skilltune.mining.digests import skill_digest
from skilltune.mining.invocations import find_invocations
from skilltune.sources.codex.words import find_mentions, listed_skills, read_skill
from tests.sources.codex.building import BODY, SKILL, Rollout, turns, uses, works

FOLDER = "/home/dev/.agents/skills/tidy"
READ = f"sed -n '1,240p' {FOLDER}/SKILL.md"


def test_named_skill_with_its_text_is_one_use(read):
    """``$name`` with the skill's text behind it is a use with body, digest and folder, after the prompt's turn."""
    facts = read(Rollout().prompt("sort it, $tidy please").given(SKILL).agent("Sorted.").prompt("thanks"))
    (use,) = uses(facts)
    assert [item.line for item in facts.sessions[0].items] == [2, 2, 7]
    assert (use.skill_id, use.via, use.form, use.body) == ("tidy", "slash", "dollar", True)
    assert (use.digest, use.base_dir) == (skill_digest(BODY), FOLDER)
    assert (use.uuid, use.work.said) == (turns(facts)[0].uuid, "Sorted.")
    assert facts.records["skill_body"] == 1


@pytest.mark.parametrize(("length", "whole"), [(3_990, True), (4_000, False), (9_000, True)])
def test_text_that_may_be_cut_has_no_digest(read, length, whole):
    """A text of just the length to which Codex cuts tells no version; marks inside a text are the skill's own."""
    body = f"# Tidy\n\n<environment_context>x</environment_context> <image>\n{'x' * length}"
    head, end = "<skill>\n<name>tidy</name>\n<path>/a/SKILL.md</path>\n", "\n</skill>"
    body = body[: length - len(head) - len(end)]
    (use,) = uses(read(Rollout().prompt("$tidy").given(head + body + end)))
    assert (use.digest, use.body_chars) == (skill_digest(body) if whole else "", len(body))


@pytest.mark.parametrize("name", ["tidy", "plugin:tidy"])
def test_text_of_a_named_skill_may_say_its_plugin(read, name):
    """The text belongs to the skill that was named, with or without its plugin."""
    log = Rollout().prompt(f"${name} now").given(SKILL.replace("<name>tidy", "<name>plugin:tidy"))
    assert [(use.skill_id, use.body) for use in uses(read(log))] == [(name, True)]


@pytest.mark.parametrize("early", [True, False])
def test_text_of_a_skill_that_nobody_named(read, early):
    """A skill picked from a menu is a use of the prompt beside which its text stands, after the prompt's turn."""
    log = Rollout().prompt("hello").agent("Hi.")
    log = log.given(SKILL).prompt("sort it") if early else log.prompt("sort it").given(SKILL)
    kinds = [(type(item).__name__, getattr(item, "text", "")) for item in read(log).sessions[0].items]
    assert kinds == [("TurnFact", "hello"), ("TurnFact", "sort it"), ("UseFact", "")]


@pytest.mark.parametrize("early", [True, False])
def test_many_texts_of_skills_are_each_a_use(read, early):
    """However many texts stand beside a prompt, each is a use, once, in order, and the prompt's turn is first."""
    log = Rollout() if early else Rollout().prompt("sort it")
    names = [f"tidy{number}" for number in range(30)]
    for name in [*names, *names]:
        log.given(SKILL.replace("<name>tidy", f"<name>{name}"))
    facts = read(log.prompt("sort it") if early else log)
    assert [use.skill_id for use in uses(facts)] == names
    assert isinstance(facts.sessions[0].items[0], TurnFact)


def test_skill_that_is_gone_is_no_use(read):
    """A notice that a skill is there no more puts nothing into the conversation."""
    gone = "<skill>\n<name>tidy</name>\n<unavailable_notice>no longer</unavailable_notice>\n\n</skill>"
    assert uses(read(Rollout().prompt("go").given(gone))) == []


def test_name_without_text_says_so(read):
    """``$name`` alone is a sign without a body; the name in prose is none."""
    facts = read(Rollout().prompt("use $tidy").prompt("now use the tidy skill").agent("I will not use the tidy skill."))
    assert [(use.skill_id, use.form, use.body) for use in uses(facts)] == [("tidy", "dollar", False)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("$tidy", ["tidy"]),
        ("please ($tidy), then $plugin:write-plan.", ["tidy", "plugin:write-plan"]),
        ("$tidy and $tidy again", ["tidy"]),
        ("[$tidy](/home/dev/.agents/skills/tidy/SKILL.md)", ["tidy"]),
        ("[$tidy](skill:///home/dev/tidy/SKILL.md) [$mail](app://connector_1) [$x](mcp://x)", ["tidy"]),
        ("echo $HOME $PATH $API_KEY $home $1 $5.00 cost$ $", []),
        ("$foo.bar $foo(1) $foo=1 a$foo \\$foo ${foo} $$foo --x=$foo /$foo $foo[0]", []),
        ("`echo $foo` and\n```sh\necho $bar\n```\n", []),
        ("用$tidy整理", ["tidy"]),
        ("不对，$tidy", ["tidy"]),
        ("US$dollars", []),
    ],
)
def test_mentions_are_words_outside_code(text, names):
    """A name behind ``$`` counts where it stands as a word, in no code, and is no variable of a shell."""
    assert [mention.name for mention in find_mentions(text)] == names


def test_mentions_are_bounded():
    """A prompt full of names gives some."""
    assert len(find_mentions(" ".join(f"$skill{number}" for number in range(1000)))) == 20


def test_slices_of_a_file_are_one_use(read):
    """Reads of a SKILL.md in slices, and one after ``$name``, are one use once they are mined."""
    log = Rollout().prompt("sort it").shell(READ, "c1").output(BODY, "c1", code=0).agent("Reading on.")
    log.shell(READ.replace("1,240", "241,500"), "c2").output("", "c2", code=0)
    log.prompt("$tidy").given(SKILL).shell(READ, "c3").output(BODY, "c3", code=0)
    facts = read(log)
    assert [(use.via, use.path) for use in uses(facts)[:2]] == [("read", f"{FOLDER}/SKILL.md")] * 2
    found = find_invocations(facts.sessions[0])
    assert [(use.fact.skill_id, use.fact.via) for use in found.uses] == [("tidy", "read"), ("tidy", "slash")]


@pytest.mark.parametrize(
    ("name", "arguments", "paths"),
    [
        ("exec_command", {"cmd": READ}, [f"{FOLDER}/SKILL.md"]),
        ("exec_command", {"cmd": "cat tidy/SKILL.md", "workdir": "/home/dev"}, ["/home/dev/tidy/SKILL.md"]),
        ("shell", {"command": ["bash", "-lc", READ]}, [f"{FOLDER}/SKILL.md"]),
        ("shell", {"command": ["cat", f"{FOLDER}/SKILL.md"]}, [f"{FOLDER}/SKILL.md"]),
        ("shell_command", {"command": f"cat {FOLDER}/SKILL.md a/b/SKILL.md"}, [f"{FOLDER}/SKILL.md", "a/b/SKILL.md"]),
        ("exec_command", {"cmd": f"rg -n sort {FOLDER}/SKILL.md"}, []),
        ("exec_command", {"cmd": f"cat {FOLDER}/SKILL.md > copy"}, []),
        ("exec_command", {"cmd": "cat SKILL.md"}, []),
    ],
)
def test_reads_of_a_skill_file(read, name, arguments, paths):
    """A command that plainly shows a SKILL.md is a use, in each way a command is given."""
    call = {"name": name, "arguments": json.dumps(arguments), "call_id": "c1"}
    facts = read(Rollout().prompt("go").item("function_call", **call).output("x", "c1", code=0))
    assert [(use.path, use.call_id, use.failed) for use in uses(facts)] == [(path, "c1", "") for path in paths]


def test_read_by_other_kinds_of_calls(read):
    """The older call of a local shell, and a script of calls, read a SKILL.md as well."""
    script = f'const r = await tools.exec_command({{ cmd: "{READ}", workdir: "/home/dev" }});\ntext(r)'
    log = Rollout().prompt("go").item("local_shell_call", call_id="c1", action={"command": ["cat", "a/tidy/SKILL.md"]})
    facts = read(log.item("custom_tool_call", name="exec", input=script, call_id="c2"))
    assert [(use.path, use.call_id) for use in uses(facts)] == [
        ("a/tidy/SKILL.md", "c1"),
        (f"{FOLDER}/SKILL.md", "c2"),
    ]


@pytest.mark.parametrize(
    ("output", "code", "failed"),
    [("x", 0, ""), ("No such file", 1, "error"), ("exec command rejected by user", None, "refused")],
)
def test_read_that_failed(read, output, code, failed):
    """A read stands or falls with its output."""
    facts = read(Rollout().prompt("go").shell(READ).output(output, code=code))
    assert [use.failed for use in uses(facts)] == [failed]


@pytest.mark.parametrize(
    "log",
    [
        Rollout().prompt("go").patch(f"*** Update File: {FOLDER}/SKILL.md", "@@", "-a", "+b"),
        Rollout().prompt("go").shell(f"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: {FOLDER}/SKILL.md\n+a\nEOF"),
        Rollout().prompt("go").shell(f"cat > {FOLDER}/SKILL.md <<'EOF'\na\nEOF"),
    ],
)
def test_writing_a_skill_is_an_edit(read, log):
    """A SKILL.md that is written is an edited path, no use."""
    facts = read(log)
    assert uses(facts) == []
    assert works(facts)[-1].edited == (f"{FOLDER}/SKILL.md",)


def test_listed_skills_are_available(read):
    """Skills that the instructions list are available, each once, and none is used."""
    text = "<skills_instructions>\n### Available skills\n- tidy: Sorts: all. (file: /t/SKILL.md)\n- `a:b-c`: x\n"
    text += "### How to use skills\n- Discovery: The list above.\n</skills_instructions>"
    facts = read(Rollout().given(text, role="developer").given(text, role="developer").prompt("go"))
    assert (facts.sessions[0].available, uses(facts)) == (2, [])
    assert read(Rollout().prompt("go")).sessions[0].available is None
    assert read(Rollout().prompt(f"why is this so?\n{text}")).sessions[0].available is None
    assert listed_skills("### Available skills\n\nnone") == set()


@pytest.mark.parametrize("text", ["<skill>\n<name></name>\n</skill>", "<skill>\nbody\n</skill>"])
def test_text_without_a_name_is_no_skill(read, text):
    """What looks like a skill's text and has no name is a program's text, and nobody's use."""
    assert read_skill(text) is None
    facts = read(Rollout().prompt("go").given(text))
    assert (facts.records["meta"], uses(facts)) == (1, [])
