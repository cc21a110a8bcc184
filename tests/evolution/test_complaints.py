"""Groups of complaints and the open suggestions they make."""

import tomllib
from fractions import Fraction
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import FrameError, InputError
from skilltune.evolution.complaints import group_complaints, read_complaints
from skilltune.evolution.copied import find_copied, find_particulars
from skilltune.evolution.eligibility import check_cooldown
from skilltune.evolution.openings import open_suggestions, word_suggestion
from skilltune.evolution.settings import RefinementSettings
from skilltune.evolution.topics import content_words, generic_words
from skilltune.mining.classifier import classify_outcome
from tests.evolution.invented import AS_OF, BODY, SKILL, complaint
from tests.evolution.threes import AGENT, MIXED, TRUE

SAID = [
    complaint("the timer of the kettle is missing again", number=1, dimension="coverage"),
    complaint("no timer for the second kettle", number=2),
    complaint("you forgot the timers", number=3, dimension="coverage"),
    complaint("far too hot, I burned my tongue", number=4, dimension="reliability"),
    complaint("the cups are wrong", number=5, dimension="accuracy"),
]
RESTED = check_cooldown((), as_of=AS_OF, cooldown_days=7)


def worded(line, *, groups=None, body=BODY, baseline=BODY, cooldown=RESTED, **more):
    """The suggestion that a person's line makes of the first group."""
    (opened,) = open_suggestions(groups or group_complaints(SAID), body=body)
    return word_suggestion(opened, line=line, body=body, version=2, baseline=baseline, cooldown=cooldown, **more)


def test_complaints_about_the_same_thing_are_a_group():
    """Three of a dimension share a word, or of none that is known a second one; singular and plural are one."""
    (group,) = group_complaints(SAID)
    assert (group.dimension, group.words, group.event_ids) == ("coverage", ("timer",), ("e1", "e2", "e3"))
    assert (group.agreement, group.sessions) == (Fraction(4, 5), ("s1", "s2", "s3"))
    assert (group.about, group.heading) == ('"timer"', '3 complaints about "timer"')


def test_complaint_group_is_headed_by_the_words_of_all():
    """Words that only some of them have are no heading."""
    texts = ["kettle lid loose, shelf", "the lid of the kettle, shelf", "kettle and lid, shelf", "kettle lid"]
    (group,) = group_complaints([complaint(text, number=n) for n, text in enumerate(texts)])
    assert (group.words, group.shared) == (("kettle", "lid", "shelf"), ("kettle", "lid"))
    assert group.heading == '4 complaints about "kettle", "lid"'


@pytest.mark.parametrize(
    ("texts", "dimensions"),
    [
        # a generic word is no topic, whatever the dimension
        (["the file is empty", "wrong file for the leaves", "that file again"], ["coverage"] * 3),
        (["name the pots", "the name of the cup is odd", "no such name"], ["accuracy"] * 3),
        (["the test is slow", "which test", "a test for the lid"], ["efficiency"] * 3),
        # nor are the words of the skill's own name
        (["tea too weak", "no tea for guests", "green tea please"], ["accuracy"] * 3),
        # one word among many others does not join complaints of unknown dimension, alone or to one that is known
        (
            [
                "pour it slowly into a real cup of porcelain",
                "carry the cup carefully by hand over the carpet",
                "both guests still need one cup and a silver spoon",
            ],
            ["unknown"] * 3,
        ),
        (
            [
                "the cup with the golden handle is cracked",
                "wash the cup and dry it near the stove",
                "pour boiling water slowly into my cup, not hers",
            ],
            ["reliability", "reliability", "unknown"],
        ),
        # two words among many others are none either
        (
            [
                "the file of the guests has the name of a tea that nobody brews",
                "rinse the strainer, then give every file of leaves some readable name",
                "my aunt's name stands in another file than the shopping basket",
            ],
            ["unknown"] * 3,
        ),
    ],
)
def test_complaints_of_mixed_causes_are_no_group(texts, dimensions):
    """What shares a common word, or one that is little of what they say, is not about the same."""
    said = [
        complaint(text, number=n, dimension=kind) for n, (text, kind) in enumerate(zip(texts, dimensions, strict=True))
    ]
    assert group_complaints(said) == []


def test_complaints_of_unknown_dimension_are_a_group_by_a_telling_word():
    """Among 24 complaints 11 ask for no emojis, most of them of unknown dimension; 11 that share nothing do not hide
    them, and what fills the texts of a skill is its topic.
    """
    texts = ["no emojis!! redo"] * 5 + ["not one emoji, please"] + ["no, I told you: no emojis"] * 3
    texts += ["that's wrong, no emojis in the headings please"] * 2
    kinds = ["unknown"] * 9 + ["accuracy"] * 2
    said = [complaint(text, number=n, dimension=kinds[n]) for n, text in enumerate(texts)]
    rest = [complaint(f"pot{chr(97 + n)} spilled{chr(97 + n)}", number=20 + n) for n in range(13)]
    (group,) = group_complaints([*said, *rest])
    assert (group.count, group.about, len(said + rest)) == (11, '"emojis"', 24)
    (alone,) = group_complaints(said)
    assert alone.event_ids == group.event_ids


@pytest.mark.parametrize("table", [TRUE, MIXED])
def test_invented_groups_are_of_three_complaints(table):
    """What is measured below: groups of three different complaints each."""
    assert all(len(set(texts)) == len(texts) == 3 for texts in table.values())


def test_groups_about_the_same_are_found_and_few_others():
    """Of invented groups that are about one thing most are found, of those that only share a word few; the rest is
    named, so that a change of the rule shows what it gains and loses.
    """
    lost = {name for name, texts in TRUE.items() if not _grouped(texts)}
    assert lost == {
        *("totals (csv)", "commit too big", "too many comments", "table not wanted", "type hints"),
        *("error handling", "file location", "variable names", "sorting", "logging"),
    }
    assert (len(TRUE) - len(lost), len(TRUE)) == (17, 27)
    merged = {name for name, texts in MIXED.items() if _grouped(texts)}
    assert merged == {"kettle", "button", "server"}
    assert (len(merged), len(MIXED)) == (3, 18)


def _grouped(texts):
    """Whether the three complaints are a group, of the dimensions that mining finds."""
    kinds = [classify_outcome(text, previous_agent=AGENT).dimension or "unknown" for text in texts]
    said = [
        complaint(text, number=n, skill="zz", dimension=kind)
        for n, (text, kind) in enumerate(zip(texts, kinds, strict=True))
    ]
    return [group.count for group in group_complaints(said)] == [3]


def test_word_of_all_kinds_of_complaints_is_no_topic_of_many():
    """In more than half of many complaints of all dimensions it says what the skill does; of one dimension, what is
    wrong with it.
    """
    kinds = ("coverage", "accuracy", "reliability")
    texts = [f"kettle {word}" for word in ("", "burnt", "old", "wet", "gone", "cheap", "loud", "odd")]
    said = [complaint(text, number=n, dimension=kinds[n % 3]) for n, text in enumerate(texts)]
    assert group_complaints([*said, complaint("kettle", number=9, dimension="accuracy")]) == []
    (group,) = group_complaints([complaint(text, number=n, dimension="coverage") for n, text in enumerate(texts)])
    assert (group.count, group.about) == (8, '"kettle"')


def test_generic_words_are_content_words_with_a_reason():
    """Each list says why; none is a function word already, and each word is as content words are."""
    table = tomllib.loads((files("skilltune.evolution") / "generic_words.toml").read_text(encoding="utf-8"))
    for entry in table["words"]:
        assert len(entry["reason"]) > 20
        for word in entry["en"].split():
            assert content_words(word) <= generic_words(), word
    assert {"file", "name", "test"} <= generic_words()


def test_complaints_of_one_session_or_too_few_are_none():
    """Two complaints, or three of one session, ask for nothing."""
    assert group_complaints(SAID[:2]) == []
    assert group_complaints([complaint("no timer", number=n, session="s") for n in range(5)]) == []
    assert group_complaints([complaint("no timer", number=1)] * 5) == []


def test_complaints_of_different_dimensions_stay_apart():
    """One shared word does not join two known dimensions, two words do; nothing joins two skills."""
    kinds = ["coverage", "accuracy", "accuracy"]
    mixed = [complaint("the timer", number=n, dimension=d) for n, d in enumerate(kinds)]
    assert group_complaints(mixed) == []
    two = [complaint("the timer of the kettle", number=n, dimension=d) for n, d in enumerate(kinds)]
    assert [(group.dimension, group.words) for group in group_complaints(two)] == [("accuracy", ("kettle", "timer"))]
    apart = [complaint("the timer of the kettle", number=n, skill=f"skill-{n % 2}") for n in range(5)]
    assert [group.skill_id for group in group_complaints(apart)] == ["skill-0"]


def test_complaints_once_decided_are_left_out():
    """A group that a person decided on does not come back with fewer than three new complaints."""
    decided = {"e1", "e2", "e3"}
    more = [complaint("a timer please", number=n, dimension="coverage") for n in (10, 11)]
    assert group_complaints([*SAID, *more], decided=decided) == []
    third = complaint("where is the timer", number=12, dimension="coverage")
    (group,) = group_complaints([*SAID, *more, third], decided=decided)
    assert group.event_ids == ("e10", "e11", "e12")


def test_complaints_stand_in_one_group_only():
    """The larger group takes a complaint that would fit in two."""
    said = [complaint("timer and kettle", number=n, dimension="coverage") for n in range(3)]
    said += [complaint("kettle", number=n, dimension="coverage") for n in (3, 4)]
    (group,) = group_complaints(said)
    assert (group.words, group.count) == (("kettle", "timer"), 5)


@given(st.permutations(range(7)))
def test_complaints_equal_groups_go_to_the_rarer_word_whatever_the_rows(order):
    """Of groups of one size the known dimension, then the word with fewer complaints, then the alphabet decides."""
    said = [complaint("lid kettle timer", number=n, dimension="coverage") for n in range(3)]
    said += [complaint("timer", number=3, dimension="accuracy"), complaint("tin jar", number=4)]
    said += [complaint("jar tin", number=n) for n in (5, 6)]
    groups = group_complaints([said[at] for at in order])
    assert [(group.dimension, group.words) for group in groups] == [
        ("coverage", ("kettle", "lid", "timer")),
        ("unknown", ("jar", "tin")),
    ]


@given(st.permutations(range(12)))
def test_complaint_groups_do_not_depend_on_the_order_of_rows(order):
    """Rows in any order give the same groups."""
    texts = ["timer kettle", "kettle", "timer", "kettle lid", "lid", "lid timer"]
    said = [
        complaint(texts[n % 6], number=n, dimension=("coverage", "unknown", "accuracy")[n % 3], session=f"s{n % 4}")
        for n in range(12)
    ]
    assert group_complaints([said[at] for at in order]) == group_complaints(said)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The totals don't match the sheet", {"match", "sheet", "total"}),
        ("still missing, again!", set()),
        ("缺少了索引，還是沒有索引", {"索引"}),
        ("タイトルが違う", {"タイトル"}),
        ("날짜가 틀렸어요", {"날짜", "틀렸"}),
        ("Die Überschrift fehlt noch", {"überschrift"}),
        ("see `config.toml` at https://example.org/timer", set()),
        ("the password [secret] of [email] is wrong", {"password"}),
        ("", set()),
        ("\ud800 \x1b[31m <script>alert(1)</script>", {"script", "alert"}),
    ],
)
def test_content_words_say_what_a_text_is_about(text, words):
    """Function words, words of complaining, code, addresses and marks of secrets are none."""
    assert content_words(text) == words


def test_complaints_are_read_from_events():
    """Corrections and partials that are about the skill; an acceptance, a weak one and another skill are not."""
    import skilltune

    sessions = skilltune.read_sessions(skilltune.sample_root() / "projects")
    events = skilltune.mine(sessions, as_of=skilltune.sample_end()).events
    chosen = events[
        events["outcome"].isin(["correction", "partial"]) & events["attribution"].isin(["direct", "likely"])
    ]
    assert len(read_complaints(events)) == len(chosen)
    own = read_complaints(events, skill_id="pr-splitter")
    assert len(own) == (chosen["skill_id"] == "pr-splitter").sum()
    assert read_complaints(events.iloc[:0]) == []
    with pytest.raises(FrameError, match="attribution"):
        read_complaints(events.drop(columns="attribution"))


def test_complaints_of_the_sample_make_open_suggestions():
    """The bundled sample has groups to start from, without anybody recording a correction."""
    import skilltune

    sessions = skilltune.read_sessions(skilltune.sample_root() / "projects")
    groups = group_complaints(read_complaints(skilltune.mine(sessions, as_of=skilltune.sample_end()).events))
    assert ("schema-migrator", "coverage", "down") in [(g.skill_id, g.dimension, g.words[0]) for g in groups]


def test_open_suggestion_names_the_section_it_touches():
    """The section whose line shares the most words, with that line; none where nothing is shared."""
    (opened,) = open_suggestions(
        group_complaints(SAID), body="# Tea\n\nWarm it.\n\n## Wait\n\nSet a timer of 3 minutes.\n"
    )
    assert (opened.section, opened.touches, opened.skill_id) == ("Wait", "Set a timer of 3 minutes.", SKILL)
    assert opened.quotes == tuple(item.text for item in SAID[:3])
    (elsewhere,) = open_suggestions(group_complaints(SAID), body=BODY)
    assert (elsewhere.section, elsewhere.touches) == ("", "")


def test_worded_suggestion_adds_one_line_with_all_gates():
    """A person's line goes below the learned corrections and passes every gate; its evidence are the complaints."""
    found = worded("Set a timer for each pot.")
    assert found.ready, found.failing
    assert found.body_after == BODY + "\n## Learned corrections\n\n- Set a timer for each pot.\n"
    assert (found.confidence, found.correction_ids) == (Fraction(4, 5), ("e1", "e2", "e3"))
    assert [verdict.gate for verdict in found.verdicts].count("sessions") == 1
    other = worded("Set a timer for each pot.", section="Pouring")
    assert other.changes[0].section == "Pouring"
    assert other.body_after == BODY + "- Set a timer for each pot.\n"
    assert other.digest != found.digest


def test_worded_suggestion_goes_to_the_section_that_the_complaints_touch():
    """Where a section speaks of the same, the line goes to its end; another one can be named."""
    body = BODY.replace("wait for the time", "wait for the timer") + "\n## Ending\n\nWash the pot.\n"
    assert (
        "ones.\n- Set a timer for each pot.\n\n## Ending" in worded("Set a timer for each pot.", body=body).body_after
    )
    assert "Learned" in worded("Set a timer for each pot.", body=body, section="").body_after


def test_worded_suggestion_keeps_the_bounds():
    """A line that is too long for the body, a cooldown, a conflict and drift are refused like any change."""
    assert [v.gate for v in worded("Set a timer.", body="Warm the pot.", baseline="Warm the pot.").failing] == [
        "change",
        "drift_after",
    ]
    resting = check_cooldown((AS_OF,), as_of=AS_OF, cooldown_days=7)
    found = worded(
        "Set a timer.", cooldown=resting, conflicts=["a reversal"], settings=RefinementSettings(min_sessions=4)
    )
    assert [verdict.gate for verdict in found.failing] == ["cooldown", "sessions", "conflicts"]
    with pytest.raises(InputError, match="empty"):
        worded("  ")


def test_worded_line_says_what_it_has_from_one_session_only():
    """A person's line is never refused for a name or number; what only one session has is said, the skill's own not."""
    said = [complaint("for ACME-7 write 14 timer rows", number=1, dimension="coverage")]
    said += [complaint("the timer is missing, 14 of them", number=n, dimension="coverage") for n in (2, 3)]
    groups = group_complaints(said)
    found = worded("Set 14 timers, as for ACME-7.", groups=groups)
    assert found.ready, found.failing
    assert found.changes[0].notes == ('look at: "ACME-7" is in no other session',)
    known = worded("Set a timer for ACME-7.", groups=groups, body=BODY + "Mind ACME-7.\n", baseline=BODY)
    assert known.changes[0].notes == ()
    long = [
        complaint(f"set the timer before you pour hot water {n}", number=n, dimension="coverage") for n in (1, 1, 1)
    ]
    long += [complaint("no timer", number=n, dimension="coverage") for n in (2, 3)]
    copied = worded("Set the timer before you pour hot milk.", groups=group_complaints(long))
    assert copied.changes[0].notes == ('look at: "set the timer before you pour" is in no other session',)


@pytest.mark.parametrize(
    ("line", "evidence", "known", "copied"),
    [
        ("Use 14 rows.", "14 rows", "Write 14 rows.", ()),
        ("Use 15 rows.", "14 rows", "", ()),
        ("Ask Petra first.", "ask Petra", "", ("Petra",)),
        ("Petra asks.", "ask Petra", "", ()),
        ("Never touch src/app.py here.", "not src/app.py", "", ("src/app.py",)),
        ("Call readFile once.", "readFile was called", "", ("readFile",)),
        (
            "Please put the totals of every month into the footer.",
            "you must put the totals of every month into it",
            "",
            ("put the totals of every month",),
        ),
        ("Put the totals of every month there.", "put the totals of every month", "put the totals of every month", ()),
        ("先把每个月的合计放进页脚里面", "请先把每个月的合计放进页脚", "", ("先 把 每 个 月 的 合 计 放 进 页 脚",)),
        ("", "14", "", ()),
    ],
)
def test_copied_parts_are_found(line, evidence, known, copied):
    """Numbers, names, paths, codes and six words in a row, unless the skill's own text has them."""
    assert find_copied(line, evidence=[evidence], known=known) == copied


@given(st.text(max_size=40), st.text(max_size=40))
def test_particulars_are_words_of_the_line(line, evidence):
    """What is told stands in the line, whatever the texts hold."""
    assert all(word in line for word in find_particulars(line, evidence=[evidence], known=""))
