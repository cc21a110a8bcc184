"""From signs of use to invocations."""

import pytest

from skilltune.facts import FileFacts
from skilltune.mining.ids import event_id
from skilltune.mining.invocations import builtin_commands, find_skill_names
from tests.mining.stories import agent, dollar, mine, reads, says, session, skill, slash, subtask, tools, typed

SKILL_FILE = "/home/me/.claude/skills/tidy/SKILL.md"
OTHER_FILE = "/home/me/.claude/skills/other/SKILL.md"


def names(*steps, **options):
    """Skill and way of every use of a story, in order."""
    return [(use.skill_id, use.via) for use in mine(session(*steps), **options).invocations]


@pytest.mark.parametrize(
    ("steps", "uses"),
    [
        ([slash("tidy", body=True), skill("tidy")], [("tidy", "slash")]),
        ([slash("tidy", body=True), tools("Read"), skill("plugin:tidy")], [("plugin:tidy", "slash")]),
        ([slash("write-plan", body=True), skill("plugin:writing-plans")], [("plugin:writing-plans", "slash")]),
        ([slash("tidy-it", body=True), tools("Read"), skill("tidy")], [("tidy-it", "slash"), ("tidy", "tool")]),
        ([slash("go", body=True), skill("plugin:tidy")], [("plugin:tidy", "slash")]),
        ([slash("go", body=True), tools("Read"), skill("tidy")], [("go", "slash"), ("tidy", "tool")]),
        ([slash("go", body=True), says("hm"), skill("tidy")], [("go", "slash"), ("tidy", "tool")]),
        ([slash("go"), skill("tidy")], [("go", "slash"), ("tidy", "tool")]),
        ([slash("go", body=True), skill("tidy"), skill("other")], [("tidy", "slash"), ("other", "tool")]),
        ([slash("tidy", body=True), says("thanks"), skill("tidy")], [("tidy", "slash"), ("tidy", "tool")]),
        ([skill("tidy"), reads(SKILL_FILE)], [("tidy", "tool")]),
        ([skill("plugin:tidy"), reads(SKILL_FILE), reads(SKILL_FILE)], [("plugin:tidy", "tool")]),
        ([skill("other"), reads(SKILL_FILE)], [("other", "tool"), ("tidy", "read")]),
        ([reads(SKILL_FILE), reads(SKILL_FILE)], [("tidy", "read")]),
        ([reads(SKILL_FILE), says("thanks"), reads(SKILL_FILE)], [("tidy", "read"), ("tidy", "read")]),
        ([reads(SKILL_FILE), reads(OTHER_FILE), reads(SKILL_FILE)], [("tidy", "read"), ("other", "read")]),
        (
            [skill("tidy"), says("thanks"), skill("other"), reads(SKILL_FILE)],
            [("tidy", "tool"), ("other", "tool"), ("tidy", "read")],
        ),
        ([skill("tidy"), skill("tidy")], [("tidy", "tool"), ("tidy", "tool")]),
        ([skill("tidy"), says("ok"), skill("tidy", repeat=True)], [("tidy", "tool"), ("tidy", "tool")]),
    ],
)
def test_invocations_join_the_signs_of_one_use(steps, uses):
    """What one intent led to, with no turn between, is one use; two calls are two."""
    assert names(*steps) == uses


@pytest.mark.parametrize(
    ("step", "count"),
    [
        (slash("model"), 0),
        (slash("model", body=True), 1),
        (slash("model", form="name_first"), 0),
        (slash("mine", form="name_first"), 0),
        (slash("mine", form="name_first", body=True), 1),
        (slash("mine", form="system"), 0),
        (skill("model"), 1),
    ],
)
def test_invocations_leave_out_the_agents_own_commands(step, count):
    """A body makes any name a skill; else the element that came first and the list decide."""
    assert len(names(step)) == count


def test_invocations_of_a_bare_command_need_a_skill_elsewhere():
    """A bare command counts where another session proves it a skill, or where it is installed."""
    bare, proof = session(slash("tidy", form="system")), session(skill("tidy", uuid="t1"), session_id="t")
    assert len(mine(bare, proof).invocations) == 2
    assert names(slash("tidy", form="system"), installed={"tidy": ""}) == [("tidy", "slash")]
    assert names(slash("review", form="system"), installed={"review": ""}) == []


@pytest.mark.parametrize(
    "steps",
    [
        [reads(SKILL_FILE), tools("Edit", edited=(SKILL_FILE,))],
        [tools("Write", edited=(SKILL_FILE,)), says("and now?"), reads(SKILL_FILE)],
        [reads(SKILL_FILE), says("yes"), tools("Edit", edited=("/home/me/.claude/skills/tidy/scripts/run.sh",))],
        [reads(SKILL_FILE), tools("apply_patch", edited=("skills/tidy/run.sh",))],
        [says("please look at the SKILL.md of tidy"), reads(SKILL_FILE)],
        [says("what does tidy/SKILL.md say?"), reads(SKILL_FILE)],
    ],
)
def test_invocations_leave_out_authors_at_work(steps):
    """A read of a skill's file that the session writes, or the turn before names, is no use."""
    assert mine(session(*steps)).dropped == {"use_authoring": 1}


def test_invocations_keep_a_read_beside_other_writing():
    """Writing another skill's file does not hide the read."""
    for path in ("/home/me/.claude/skills/other/SKILL.md", "/home/me/tidy/run.sh", "tidy/SKILL.txt", "skills/tidy"):
        assert names(reads(SKILL_FILE), tools("Write", edited=(path,))) == [("tidy", "read")]
    assert names(reads("tidy/SKILL.md"), tools("Write", edited=("tidy/run.sh",))) == [("tidy", "read")]


def test_invocations_list_failed_calls_apart():
    """A call that failed is a trigger problem with its kind; it judges nothing and ends no window."""
    found = mine(session(skill("s1"), skill("nosuch", failed="unknown_skill"), says("perfect")))
    assert {use.skill_id: use.failed for use in found.invocations} == {"s1": "", "nosuch": "unknown_skill"}
    assert [event.skill_id for event in found.events] == ["s1"]


def test_invocations_of_a_stub_keep_the_commands_id():
    """A command whose body only calls a skill is one use: the skill's name, the id of the command's record."""
    (use,) = mine(session(slash("go", body=True, uuid="r1"), skill("plugin:tidy", uuid="r2"))).invocations
    assert (use.skill_id, use.via, use.invocation_uuid) == ("plugin:tidy", "slash", "r1")


def test_invocations_count_a_call_that_ended_in_another_error():
    """Only a name that is no skill and a refusal are trigger problems; what failed otherwise was used."""
    found = mine(session(skill("s1", failed="error"), says("perfect"), skill("s2", failed="refused")))
    assert {use.skill_id: use.failed for use in found.invocations} == {"s1": "", "s2": "refused"}
    assert [event.skill_id for event in found.events] == ["s1"]
    assert find_skill_names([FileFacts("/x", sessions=(session(skill("s1", failed="error")),))]) == {"s1"}


def test_invocations_drop_a_read_that_failed():
    """A skill's file that could not be read is neither a use nor a trigger problem, and proves no skill."""
    told = session(reads(SKILL_FILE, failed="error"), says("perfect"))
    found = mine(told)
    assert (found.invocations, found.events, found.dropped) == ([], [], {"use_read_failed": 1})
    assert find_skill_names([FileFacts("/x", sessions=(told,))]) == frozenset()


@pytest.mark.parametrize(
    ("steps", "uses"),
    [
        ([says("$tidy the docs"), dollar("tidy", body=True)], [("tidy", "slash")]),
        ([says("$tidy the docs"), dollar("tidy", body=True), reads(SKILL_FILE)], [("tidy", "slash")]),
        ([says("$tidy the docs"), dollar("tidy"), reads(SKILL_FILE), reads(SKILL_FILE)], [("tidy", "slash")]),
        ([says(f"[$tidy]({SKILL_FILE}) the docs"), dollar("tidy"), reads(SKILL_FILE)], [("tidy", "slash")]),
        (
            [says("$tidy and $other"), dollar("tidy"), dollar("other"), reads(SKILL_FILE), reads(OTHER_FILE)],
            [("tidy", "slash"), ("other", "slash")],
        ),
        ([says("$plan it"), dollar("plan", body=True)], [("plan", "slash")]),
    ],
)
def test_invocations_count_a_name_after_a_dollar_sign_with_its_text(steps, uses):
    """``$name`` is one use, by the person, where the skill's text was given or its file was read for it."""
    story = session(*steps, agent="codex")
    assert [(use.skill_id, use.via) for use in mine(story).invocations] == uses


def test_invocations_drop_a_bare_name_after_a_dollar_sign():
    """``$name`` alone is ambiguous: it is no use, ends no window, and makes no skill of a word elsewhere."""
    bare = session(
        skill("s1"),
        says("please write $home into the docs as well"),
        dollar("home"),
        says("perfect, thanks"),
        agent="codex",
    )
    found = mine(bare, session(slash("home", form="system"), session_id="u"))
    assert [use.skill_id for use in found.invocations] == ["s1"]
    assert found.dropped == {"use_ambiguous": 1, "use_builtin_command": 1}
    assert [(event.skill_id, event.outcome) for event in found.events] == [("s1", "acceptance")]


def test_invocations_tell_what_is_installed_where_it_is_known():
    """A name that is not installed is not installed for Claude Code; of other agents nobody looked."""
    told = [session(skill("here"), skill("gone"), agent=agent, session_id=agent) for agent in ("claude-code", "codex")]
    found = [mine(one, installed={"here": ""}).invocations for one in told]
    assert [[use.installed for use in uses] for uses in found] == [[True, False], [True, None]]
    assert [use.installed for use in mine(told[1]).invocations] == [None, None]


def test_events_tell_how_the_use_began():
    """The event of a use has the use's own way, so that rates can be told apart by it."""
    found = mine(session(skill(), says("perfect"), slash("s2", body=True), says("wrong")))
    assert {event.skill_id: event.via for event in found.events} == {"s1": "tool", "s2": "slash"}
    assert {use.event_id: use.via for use in found.invocations} == {e.event_id: e.via for e in found.events}


def test_invocations_keep_a_read_after_a_turn_apart_from_a_bare_name():
    """A file that is read for a later prompt makes no use of the name before it."""
    found = mine(session(says("$tidy"), dollar("tidy"), says("go on"), reads(SKILL_FILE), agent="codex"))
    assert [(use.via, use.line) for use in found.invocations] == [("read", 4)]
    assert found.dropped == {"use_ambiguous": 1}


def test_invocations_tell_a_subtask_from_the_agents_own():
    """A sub-task counts unless it is the agent's own command, whose name may be a skill's that is known."""
    story = session(subtask("release-notes"), subtask("review"), agent="opencode")
    found = mine(story)
    assert ([use.skill_id for use in found.invocations], found.dropped) == (
        ["release-notes"],
        {"use_builtin_command": 1},
    )
    assert len(mine(story, installed={"review": ""}).invocations) == 2


def test_invocations_leave_out_an_author_with_a_patch():
    """A skill's file that is read and then patched is being written, in any agent's sessions."""
    steps = [reads(SKILL_FILE), tools("apply_patch", edited=(".claude/skills/tidy/SKILL.md",))]
    assert mine(session(*steps, agent="codex")).dropped == {"use_authoring": 1}


def test_invocations_leave_out_a_mention():
    """A command, a call after a turn, and a mention in a sentence are two uses."""
    assert names(
        slash("docs:tidy", body=True), says("thanks"), skill("docs:tidy"), says("later we could use /docs:tidy here")
    ) == [("docs:tidy", "slash"), ("docs:tidy", "tool")]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("later we could use /docs:tidy here", 1),
        ("$tidy and /docs:tidy, then /docs:tidy.", 2),
        ("/docs:tidy/SKILL.md and a/docs:tidy are paths, /other is unknown", 0),
        ("tidy the docs", 0),
    ],
)
def test_invocations_count_skills_that_are_only_mentioned(text, count):
    """A known skill's name in a sentence is no use, and is counted (K05)."""
    found = mine(session(skill("docs:tidy"), says("ok"), skill("tidy"), says(text)))
    assert len(found.invocations) == 2
    assert found.dropped == ({"use_mention": count} if count else {})


def test_invocations_of_a_called_name_are_no_mention():
    """What a prompt calls by name counts as the use that it is."""
    told = session(says("$tidy the shop"), dollar("tidy", body=True))
    assert mine(told).dropped == {}


def test_invocation_ids_are_never_shared():
    """The record's uuid, else the call's id, else session, file, line and time; a second call takes its own id."""
    second, third = "toolu_8fKc2hTq7LmWz", "toolu_5dPq1vRn3XsJy"
    found = mine(
        session(
            skill("a", uuid="r1", call_id="x"),
            skill("a", uuid="r1", call_id=second),
            skill("a", uuid="", call_id=third),
            skill("a", uuid="", call_id=""),
            skill("b", uuid="r1", call_id="w"),
        )
    )
    ids = [use.invocation_uuid for use in found.invocations]
    assert (ids[:3], ids[4:]) == (["r1", second, third], ["r1"])
    assert ids[3].startswith("s:s.jsonl:4:")
    assert len({use.event_id for use in found.invocations}) == 5


@pytest.mark.parametrize(
    "ids",
    [
        {"uuid": "", "call_id": "call_1"},
        {"uuid": "", "call_id": "functions.exec_command:0"},
        {"uuid": "1", "call_id": "call_1"},
        {"uuid": "msg_1", "call_id": ""},
        {"uuid": "", "call_id": "call_1", "at": None},
    ],
)
def test_ids_that_are_numbers_in_their_session_do_not_merge_sessions(ids):
    """Two sessions whose calls have the same number are two uses, of which a rebuild of the log knows (N3)."""
    one = session(reads(SKILL_FILE, **ids), says("wrong", uuid="2"), session_id="one")
    other = session(agent("hi"), says("hello"), reads(SKILL_FILE, **ids), says("wrong", uuid="2"), session_id="two")
    found = mine(one, other)
    assert len({use.event_id for use in found.invocations}) == 2
    assert len({turn.turn_id for turn in found.turns if turn.text == "wrong"}) == 2
    assert {use.invocation_uuid for use in found.invocations} <= found.read


def test_invocation_ids_without_uuid_differ_by_session():
    """Sessions of records without uuid have ids of their own."""
    one, two = (session(skill("a", uuid="", call_id=""), session_id=name) for name in ("one", "two"))
    assert len({use.event_id for use in mine(one, two).invocations}) == 2


def test_event_id_is_the_documented_hash():
    """The documented id of the documented use."""
    assert event_id("A1", "s1") == "2115856688a70813"


def test_builtin_commands_come_from_a_list():
    """The list holds each agent's own commands; an agent without one has none."""
    assert {"clear", "review", "pr_comments"} <= builtin_commands("claude-code")
    assert "approvals" in builtin_commands("codex") - builtin_commands("claude-code")
    assert "themes" in builtin_commands("opencode") - builtin_commands("codex")
    assert builtin_commands("unheard-of") == frozenset()


def test_skill_names_are_proven_by_use():
    """Calls, bodies and the person's own commands prove names; bare and failed ones do not."""
    told = session(
        skill("called"), slash("own"), slash("bodied", form="system", body=True), slash("bare", form="system"),
        slash("clear"), skill("broken", failed="unknown_skill"), typed("ls"), agent("done"),
    )  # fmt: skip
    assert find_skill_names([FileFacts("/x", sessions=(told,))]) == {"called", "own", "bodied"}


def test_invocation_takes_digest_of_the_injected_body():
    """The version of the skill comes from whichever sign brought its body."""
    (use,) = mine(session(slash("tidy", body=True, digest=""), skill("tidy", digest="abc"))).invocations
    assert use.skill_digest == "abc"


@pytest.mark.parametrize(
    ("steps", "loaded"),
    [
        ([skill("tidy")], False),
        ([skill("tidy", body=True)], True),
        ([skill("tidy", repeat=True)], True),
        ([skill("tidy"), reads(SKILL_FILE)], True),
        ([slash("tidy"), skill("tidy", body=True)], True),
        ([reads(SKILL_FILE)], True),
    ],
)
def test_invocation_says_whether_the_text_was_loaded(steps, loaded):
    """Called is not loaded: a body, a read or the text above shows that it was (K26)."""
    found = mine(session(*steps, says("no, wrong")))
    assert [record.loaded for record in (*found.invocations, *found.events)] == [loaded, loaded]


INSTALLED, OTHER = "/home/dev/.claude/skills/tidy", "/work/shop/.claude/skills/tidy"


@pytest.mark.parametrize(
    ("steps", "folders"),
    [
        ([skill("tidy", base_dir=OTHER)], [OTHER]),
        ([skill("tidy")], [""]),
        ([slash("tidy", body=True), skill("tidy", base_dir=OTHER)], [OTHER]),
        ([slash("tidy", body=True, base_dir=INSTALLED), reads(f"{OTHER}/SKILL.md")], [INSTALLED]),
        ([skill("tidy"), reads(f"{INSTALLED}/SKILL.md")], [INSTALLED]),
        ([reads(f"{INSTALLED}/SKILL.md")], [INSTALLED]),
        ([reads("skills/tidy/SKILL.md")], [""]),
        ([reads("~/.claude/skills/tidy/SKILL.md")], [""]),
        ([reads("C:\\Users\\dev\\tidy\\SKILL.md")], ["C:\\Users\\dev\\tidy"]),
        ([skill("tidy", base_dir=OTHER), says("go on"), skill("tidy", repeat=True)], [OTHER, OTHER]),
        ([skill("tidy", base_dir=OTHER), says("go on"), skill("tidy")], [OTHER, ""]),
        ([skill("sort", base_dir=OTHER), says("go on"), skill("tidy", repeat=True)], [OTHER, ""]),
    ],
)
def test_invocation_names_the_folder_of_the_skill(steps, folders):
    """As its body, a read of its file, or the loaded text above names it; else not at all (K31)."""
    found = mine(session(*steps, says("no, wrong")))
    assert [use.base_directory for use in found.invocations] == folders
    assert {event.base_directory for event in found.events} <= set(folders)


def test_invocation_folder_is_masked_like_other_names():
    """A key in a path is as little kept as one in a name."""
    found = mine(
        session(skill("tidy", base_dir="/home/KEY/tidy"), says("wrong")), name=lambda text: text.replace("KEY", "x")
    )
    assert [record.base_directory for record in (*found.invocations, *found.events)] == ["/home/x/tidy"] * 2
