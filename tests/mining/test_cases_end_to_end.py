"""The cases of transcripts and detection, written as files and read by the real reader."""

import json

import pytest

from skilltune.mining import mine_sessions
from skilltune.scan import scan
from tests.mining.stories import AS_OF
from tests.sources.claude_code.building import SKILL_BODY, Transcript, tool, write

BASE = "/home/dev/shop/"


class Case(Transcript):
    """A transcript in the notation of the cases; every record has a tool call id of its own."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.called = 0

    def S(self, *skills):  # noqa: N802  # the cases' own letters
        """Skill calls, all in one record."""
        return self._calls(*(("Skill", {"skill": name}) for name in skills or ("s1",)))

    def T(self, name, /, **given):  # noqa: N802
        """A tool call of the agent."""
        return self._calls((name, given))

    def B(self, command):  # noqa: N802
        """A shell command of the agent."""
        return self._calls(("Bash", {"command": command}))

    def R(self, content="ok", **more):  # noqa: N802
        """The result of the last call."""
        return self.result(content, f"c{self.called}", **more)

    def M(self, text=SKILL_BODY):  # noqa: N802
        """A body the program injects."""
        return self.meta(text)

    def A(self, text="Done."):  # noqa: N802
        """A text of the agent."""
        return self.agent(text)

    def U(self, text):  # noqa: N802
        """What the person types."""
        return self.user(text)

    def _calls(self, *calls):
        blocks = []
        for name, given in calls:
            self.called += 1
            blocks.append(tool(name, f"c{self.called}", **given))
        return self.agent(*blocks)


def mined(folder, case, name="s1.jsonl", **options):
    """What is mined of one written case."""
    write(folder / name, case)
    return mine_sessions(scan([folder]).files, as_of=AS_OF, **options)


def outcomes(found):
    """Skill → ``outcome/kind@turn`` or ``none`` of every use."""
    events = {event.event_id: event for event in found.events}
    told = {}
    for use in found.invocations:
        event = events.get(use.event_id)
        if event is None:
            told[use.skill_id] = "none"
            continue
        kind = event.correction_type or ("implicit" if event.rule.startswith("implicit") else "explicit")
        told[use.skill_id] = f"{event.outcome}/{kind}@{event.turns_to_feedback}"
    return told


INTERRUPT = "[Request interrupted by user]"
REMINDER = "<system-reminder>The last run was wrong and incomplete.</system-reminder>"
TRANSCRIPTS = {
    "T01": (Case().S().U("looks good, thanks!"), "acceptance/explicit@1"),
    "T03": (Case().S().R().M().A().U("No, that is wrong"), "correction/rejection@1"),
    "T05": (
        Case().S().R().M().T("Read").R().T("Edit").R().A().U("No, that is wrong"),
        "correction/rejection@1",
    ),
    "T07": (Case().S().R().M().A().U("Next please add the pagination to the orders page"), "acceptance/implicit@1"),
    "T09": (Case().S().U("what does that do?").U("perfect"), "acceptance/explicit@2"),
    "T11": (Case().S().R().T("AskUserQuestion").R("The user answered: No, wrong file"), "correction/rejection@1"),
    "T13": (Case().S().U(INTERRUPT), "none"),
    "T15": (
        Case()
        .S()
        .R()
        .user(
            [
                {"type": "text", "text": "[Request interrupted by user for tool use]"},
                {"type": "text", "text": "use the other repo please"},
            ]
        ),
        "correction/rejection@1",
    ),
    "T17": (Case().S().U("<local-command-stdout>all wrong, no output</local-command-stdout>"), "none"),
    "T19": (
        Case().S().user([{"type": "text", "text": REMINDER}, {"type": "text", "text": "thanks, ship it"}]),
        "acceptance/explicit@1",
    ),
    "T21": (
        Case().S().R().M().A().M("hook feedback: tests are incomplete and wrong").U("looks good"),
        "acceptance/explicit@1",
    ),
    "T23": (Case().S().U("SKILL.md is wrong, the output ignores step 3"), "correction/rejection@1"),
    "T25": (Case().S().B("git checkout main").R().U("perfect, thank you"), "acceptance/explicit@1"),
    "T27": (
        Case().S().B("git commit -m 'docs: explain git reset'").R().U("perfect, thank you"),
        "acceptance/explicit@1",
    ),
    "T29": (Case().S().B("git checkout -- a.py").R().U("perfect, thank you"), "acceptance/explicit@1"),
    "T31": (
        Case().S().U("that broke prod, back it out").B("git revert --no-edit HEAD").R(),
        "correction/revert@1",
    ),
    "T39": (
        Case().S().U("great but the naming is off").U("actually no, this is wrong, redo it all"),
        "correction/redo@2",
    ),
    "T41": (Case().S().U("is it thread safe?").U("ok great, merge"), "acceptance/explicit@2"),
}


@pytest.mark.parametrize("case", TRANSCRIPTS, ids=str)
def test_transcript_has_the_right_outcome(tmp_path, case):
    """A written transcript gives its outcome, kind and turn."""
    told, expected = TRANSCRIPTS[case]
    assert outcomes(mined(tmp_path, told)) == {"s1": expected}


def test_transcript_t11_came_by_answer(tmp_path):
    """A complaint in the answer to a question tool keeps the channel."""
    (event,) = mined(tmp_path, TRANSCRIPTS["T11"][0]).events
    assert event.channel == "answer"


def test_transcript_t15_came_after_an_interrupt(tmp_path):
    """The interrupt is a flag of the event and of the use."""
    found = mined(tmp_path, TRANSCRIPTS["T15"][0])
    assert [event.interrupted for event in found.events] == [True]
    assert [use.interrupted for use in found.invocations] == [True]


def test_transcript_t29_cleaned_up_by_itself(tmp_path):
    """What the agent takes back by its own idea is a flag, a branch or a message is nothing."""
    flags = {}
    for case in ("T25", "T27", "T29"):
        (event,) = mined(tmp_path / case, TRANSCRIPTS[case][0]).events
        flags[case] = event.self_reverted
    assert flags == {"T25": False, "T27": False, "T29": True}


def test_transcript_t31_is_about_reliability(tmp_path):
    """What broke production is reliability."""
    (event,) = mined(tmp_path, TRANSCRIPTS["T31"][0]).events
    assert event.dimension_hint == "reliability"


@pytest.mark.parametrize(
    "told",
    [Case().S("s1").R().S("s2").R().U("wrong"), Case().U("hi").S("s1", "s2").U("wrong")],
    ids=["T33", "T35"],
)
def test_transcript_reaction_belongs_to_the_last_skill(tmp_path, told):
    """Of two skills, in two records or one, the last gets the reaction."""
    assert outcomes(mined(tmp_path, told)) == {"s1": "none", "s2": "correction/rejection@1"}


def test_transcript_t37_counts_tools_up_to_the_turn(tmp_path):
    """Tools used after the deciding turn do not count."""
    told = Case().S().T("Read", file_path="a.py").R().T("Edit", file_path="a.py").R().U("wrong")
    (event,) = mined(tmp_path, told.T("WebFetch").R().T("Task").R()).events
    assert event.ai_tools_used == ("Edit", "Read")


COMMAND = "<command-message>{0} is running…</command-message>\n<command-name>/{0}</command-name>"


def slash(case, name):
    """The record of a prompt command that the person typed."""
    return case.user(COMMAND.format(name))


@pytest.mark.parametrize(("installed", "column"), [(None, None), ({"deslop": "0123"}, True)], ids=["N01", "N03"])
def test_detection_of_a_prompt_command(tmp_path, installed, column):
    """A command whose message comes first is one use by slash; whether it is installed here is a column."""
    (use,) = mined(tmp_path, slash(Case(), "deslop"), installed=installed).invocations
    assert (use.skill_id, use.via, use.installed) == ("deslop", "slash", column)


def local_command(name):
    """A system record of a command."""
    content = f"<command-name>/{name}</command-name>\n<command-message>{name}</command-message>"
    return Case().U("hi").add({"type": "system", "subtype": "local_command", "content": content})


def test_detection_n05_of_a_system_command_with_a_body(tmp_path):
    """A command of the agent's own list is a use where its body follows, and none without it."""
    assert len(mined(tmp_path / "with", local_command("review").M()).invocations) == 1
    assert mined(tmp_path / "without", local_command("review")).invocations == []


@pytest.mark.parametrize("field", ["skill", "command", "name"])
def test_detection_n07_of_the_field_that_names_the_skill(tmp_path, field):
    """Older calls name the skill in other fields."""
    (use,) = mined(tmp_path, Case().T("Skill", **{field: "pdf"}).R()).invocations
    assert use.skill_id == "pdf"


@pytest.mark.parametrize(
    ("name", "uses"),
    [
        ("subagents/agent-1.jsonl", 0),
        ("-home-me-pytest-plugin/b.jsonl", 1),
        ("tmp/x/b.jsonl", 1),
    ],
    ids=["N09", "N11", "N13"],
)
def test_detection_by_the_files_path(tmp_path, name, uses):
    """Files of sub-agents are skipped; a word in the path, or a store below a temporary folder, skips nothing."""
    assert len(mined(tmp_path, Case().S().R().U("wrong"), name).invocations) == uses


@pytest.mark.parametrize("line", [b"[1,2]", b'{"type": "summary", "summary": "caf\xe9"}'], ids=["N15", "N17"])
def test_detection_goes_on_after_a_bad_line(tmp_path, line):
    """A line that is no object, or is no UTF-8, is counted, and the rest of the file counts."""
    told = Case().S().R().U("wrong")
    write(tmp_path / "s1.jsonl", line + b"\n" + told.text().encode())
    files = scan([tmp_path])
    assert sum(files.summary.problems[str(tmp_path / "s1.jsonl")].values()) == 1
    assert len(mine_sessions(files.files, as_of=AS_OF).events) == 1


def test_detection_of_one_intent_under_two_names(tmp_path):
    """A command whose body calls a skill at once is one use: the skill's name, the id of the command's record."""
    told = slash(Case(), "go").M("Use the tidy skill.").S("plugin:tidy").R().M().U("wrong")
    found = mined(tmp_path, told)
    assert [(use.skill_id, use.via, use.invocation_uuid) for use in found.invocations] == [
        ("plugin:tidy", "slash", json.loads(told.lines[0])["uuid"])
    ]
    assert len(found.events) == 1


@pytest.mark.parametrize("command", ["sed -i 's/a/b/' {0}", "printf hello | tee {0}", "cat > {0} <<'EOF'\n# Tidy\nEOF"])
def test_detection_of_an_author_who_writes_by_shell(tmp_path, command):
    """A skill's file that the same session writes by a shell command was read by its author."""
    path = f"{BASE}.claude/skills/tidy/SKILL.md"
    told = Case().U("make the first step shorter").T("Read", file_path=path).R().B(command.format(path)).R()
    found = mined(tmp_path, told.U("wrong"))
    assert (found.invocations, found.dropped) == ([], {"use_authoring": 1})


@pytest.mark.parametrize(
    ("last", "outcome"),
    [
        ("cat > notes.md <<'EOF'\ngit reset --hard\nEOF", "acceptance/explicit@1"),
        ("git stash", "correction/revert@1"),
        ("git stash && git stash pop", "acceptance/explicit@1"),
        ("bash -c 'git checkout -- a.py'", "correction/revert@1"),
    ],
)
def test_transcript_of_work_taken_back_by_command(tmp_path, last, outcome):
    """Only a command that runs and takes the work back for good is a revert."""
    told = Case().S().R().T("Edit", file_path=f"{BASE}a.py").R().U("perfect, thank you").B(last).R()
    assert outcomes(mined(tmp_path, told)) == {"s1": outcome}


def test_transcript_of_a_call_that_failed_otherwise(tmp_path):
    """A lost connection is no trigger problem, a name that no skill has is one."""
    told = Case().S("s1").R("Error: connection reset", error=True).U("wrong").S("nosuch")
    found = mined(tmp_path, told.R("Unknown skill: nosuch", error=True))
    assert {use.skill_id: use.failed for use in found.invocations} == {"s1": "", "nosuch": "unknown_skill"}
    assert [event.skill_id for event in found.events] == ["s1"]
