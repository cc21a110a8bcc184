"""A SKILL.md byte for byte: reading leniently, editing the body, stamping the front matter."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.evolution.frontmatter import load_yaml, read_front_matter
from skilltune.evolution.skilldoc import SkillDoc, body_digest, read_stamp_time
from skilltune.evolution.stamping import stamp_skill

AT = datetime(2026, 11, 30, 12, 30, 5, 250_000, tzinfo=UTC)
OTHER_TOOL = (
    "version: 3\nupdatedAt: '2025-01-01'\n"
    "learning:\n  lastRefined: 2025-01-01T00:00:00.000Z\n  applicationCount: 7 # n\n"
)
FRONTS = [
    "name: tea\ndescription: Warm the pot.\n",
    "name: tea\ndescription: >-\n  Warm the pot,\n  then: pour.\n\n# a remark\nlicense: MIT\n",
    "name: tea\ndescription: |+\n  Warm the pot.\n\n",
    "metadata:\n  author: jun\n  tags:\n  - a\n  - b\n\n# odd\nname: tea\n",
    "metadata:\n    note: |\n        one\n\n        two\n\nname: tea\n",
    "metadata: {author: jun}\nname: tea\n",
    "metadata: {}\nname: tea\n",
    "metadata:\nname: tea\n",
    "metadata: # ours\nname: tea\n",
    'metadata:\n  "quoted key": "x\n    y"\nname: tea\n',
    OTHER_TOOL,
    "version: 1.2.0\nname: tea\n",
    'metadata:\n  skilltune-version: "4"\n  skilltune-refinements: 3\n',
    "metadata:\n  extensions:\n    other-tool:\n      version: 2\n      learning:\n        lastRefined: '2025-03-01'\n",
    "",
    "# nothing but a remark\n",
    "a: &x 1\nb: &x 2\n",
]
REFUSED = {
    "description: Use when: the pot is cold\n": "no valid YAML",
    "name: tea\nname: pot\n": "no valid YAML",
    "version: &v 4\nother: *v\n": "refer to each other",
    "metadata: &m\n  a: b\nother: *m\n": "refer to each other",
    "metadata: a text\n": "no map",
    "metadata: [a]\n": "no map",
    "{name: tea}\n": "cannot be added to",
    "- name\n- tea\n": "no list of keys",
    "name: tea\n\ttab: x\n": "no valid YAML",
    "name: \x1b[31m\n": "no valid YAML",
    "metadata:\n  skilltune-version: [1]\n": "no plain value",
    "metadata:\n  note: |+\n    kept line ends\n\n\n": "other values would change",
}


def text_of(front: str, *, newline: str = "\n", bom: str = "", body: str = "# Tea\n\nWarm the pot.\n") -> str:
    """A whole file with these line ends."""
    return bom + f"---\n{front}---\n{body}".replace("\n", newline)


def stamped(text: str, *, stamp: bool = True):
    """The file after one more refinement."""
    doc = SkillDoc.parse(text)
    return stamp_skill(doc, version=doc.version + 1, at=AT, count=doc.refinements + 1, stamp=stamp)


@pytest.mark.parametrize("bom", ["", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("front", [*FRONTS, *REFUSED])
def test_skilldoc_body_edit_leaves_the_head_byte_for_byte(front, newline, bom):
    """Whatever the front matter is, another body leaves its bytes as they are, also without a final line end."""
    content = text_of(front, newline=newline, bom=bom).encode()
    doc = SkillDoc.of(content)
    assert doc.to_bytes() == content
    assert doc.body.startswith("# Tea")
    edited = doc.with_body("Rinse the cup.").to_bytes()
    assert edited == content.replace("# Tea\n\nWarm the pot.\n".replace("\n", newline).encode(), b"Rinse the cup.")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("front", FRONTS)
def test_stamp_adds_only_the_stamp(front, newline):
    """After a stamp the fields are the old ones and the stamp, all old lines stand in order, the body is the same."""
    text = text_of(front, newline=newline)
    before, result = SkillDoc.parse(text), stamped(text)
    assert result.note == ""
    after = result.doc
    assert (after.version, after.refinements) == (before.version + 1, before.refinements + 1)
    assert after.last_refined == AT.replace(microsecond=250_000 if ".000Z" in front else 0)
    assert after.body == before.body
    assert ("\n" in after.head.replace("\r\n", "")) == (newline == "\n")
    added = {"skilltune-version", "skilltune-refined", "skilltune-refinements"}
    values = load_yaml(after.head.split("---")[1])
    metadata = values.pop("metadata")
    assert added <= metadata.keys()
    assert all(isinstance(metadata[name], str) for name in added)
    old = load_yaml(text.split("---")[1])
    rest = {key: value for key, value in metadata.items() if key not in added}
    if "version" not in front:
        assert values == {key: value for key, value in old.items() if key != "metadata"}
        assert rest == (old.get("metadata") or {})
        lines = iter(after.head.splitlines())
        kept = [line for line in before.head.splitlines() if not line.startswith("metadata: {")]
        assert all(line in lines for line in kept)


@pytest.mark.parametrize("front", FRONTS)
def test_stamp_twice_renews_and_adds_nothing(front):
    """A second stamp changes values in place: no line more, one stamp."""
    once = stamped(text_of(front)).doc
    twice = stamped(once.head + once.body).doc
    assert len(twice.head.splitlines()) == len(once.head.splitlines())
    assert twice.version == once.version + 1
    assert twice.head.count("skilltune-version") == 1


@pytest.mark.parametrize(("front", "reason"), REFUSED.items())
def test_stamp_refused_leaves_every_byte(front, reason):
    """A front matter that cannot be added to safely stays as it is, with a note that says why."""
    result = stamped(text_of(front))
    assert reason in result.note
    assert result.doc.head + result.doc.body == text_of(front)


@pytest.mark.parametrize(
    "text", ["# Tea\n", "", "---\nname: tea\n", "\ufeff# Tea", "----\nname: tea\n----\n", " ---\na: b\n---\n"]
)
def test_skilldoc_without_front_matter_is_all_body(text):
    """Without two fences there is no front matter, nothing is stamped, nothing lost."""
    doc = SkillDoc.parse(text)
    assert doc.head in ("", "\ufeff")
    assert doc.head + doc.body == text
    assert "no front matter" in stamped(text).note


def test_stamp_can_be_switched_off():
    """With the stamp off the front matter is not touched, and there is nothing to note."""
    result = stamped(text_of(FRONTS[0]), stamp=False)
    assert (result.note, result.doc.head + result.doc.body) == ("", text_of(FRONTS[0]))


def test_stamp_renews_other_tools_keys_in_their_form():
    """Dates keep their form, numbers grow, comments and quotes stay; a version that is no number stays too."""
    head = stamped(text_of(OTHER_TOOL)).doc.head
    assert "version: 4\nupdatedAt: '2026-11-30'\nlearning:\n  lastRefined: 2026-11-30T12:30:05.250Z\n" in head
    assert "  applicationCount: 8 # n\n" in head
    assert "version: 1.2.0\nname: tea\n" in stamped(text_of(FRONTS[11])).doc.head
    assert (
        "      version: 3\n      learning:\n        lastRefined: '2026-11-30'\n"
        in stamped(text_of(FRONTS[13])).doc.head
    )


def test_skilldoc_reads_the_later_of_all_stamps():
    """Version, count and date are the greatest that any tool wrote."""
    doc = SkillDoc.parse(
        text_of(
            'version: 9\nmetadata:\n  skilltune-version: "4"\n  skilltune-refined: "2026-01-02T03:04:05Z"\n'
            "learning:\n  lastRefined: 2026-02-01\n  applicationCount: 2\nupdatedAt: 2026-03-01T00:00:00\n"
        )
    )
    assert (doc.version, doc.refinements) == (9, 2)
    assert doc.last_refined == datetime(2026, 2, 1, tzinfo=UTC)
    assert doc.updated_at == datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("front", "description"),
    [
        ("description: Use when: x\n", "Use when: x"),
        ("description: 'Use when: x'\n", "Use when: x"),
        ("description: >-\n  Warm\n  the pot\n", "Warm the pot"),
        ("a: b: c\ndescription: >-\n  Warm\n  the pot\nname: q\n", "Warm the pot"),
        ("a: b: c\ndescription: Warm\n  the pot\n", "Warm the pot"),
        ("a: b: c\ndescription:\n", ""),
        ("description: 1.10\n", "1.10"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_skilldoc_reads_fields_leniently(front, description, newline):
    """Block scalars, odd colons, quotes and numbers are read as the text a person meant."""
    assert SkillDoc.parse(text_of(front, newline=newline)).description == description


def test_front_matter_maps_are_read_line_by_line_where_it_is_no_yaml():
    """One level of a map is read beside a line that is no YAML."""
    fields = read_front_matter("bad: a: b\nmetadata:\n  author: jun\n  skilltune-version: '3'\n")
    assert fields.text("metadata", "skilltune-version") == "3"
    assert fields.problem
    assert SkillDoc.parse(text_of("bad: a: b\nmetadata:\n  skilltune-version: '3'\n")).version == 3


def test_front_matter_of_any_size_is_answered():
    """A huge or deeply nested front matter has a problem, and no exception."""
    assert "limit 65,536" in read_front_matter("name: tea\n" + "a: b\n" * 20_000).problem
    assert read_front_matter("a: " + "[" * 5_000).problem
    assert read_front_matter("a: &a [" + "*a, " * 3 + "]\n") is not None


def test_skilldoc_keeps_bytes_that_are_no_text():
    """Bytes that are no UTF-8 come out as they went in, also beside an edit."""
    content = b"---\nname: tea\n---\nWarm \xff\xfe the pot"
    doc = SkillDoc.of(content)
    assert doc.to_bytes() == content
    assert doc.with_body(doc.body.replace("pot", "cup")).to_bytes() == b"---\nname: tea\n---\nWarm \xff\xfe the cup"
    assert len(body_digest(doc.body)) == 64


@given(st.binary(max_size=80))
def test_skilldoc_any_bytes_round_trip(content):
    """Any bytes behind a fence, and any bytes at all, are kept."""
    for whole in (content, b"---\n" + content, b"---\n" + content + b"\n---\n" + content):
        assert SkillDoc.of(whole).to_bytes() == whole


@given(st.text(alphabet="ab:-#{}[]&*!|>'\"%@ \n\t\ud800é", max_size=60))
def test_stamp_of_any_front_matter_is_whole_or_none(front):
    """Hostile front matter is stamped so that its old values stay, or left alone; it never raises."""
    text = text_of(front + "\n")
    result = stamped(text)
    assert result.doc.body == SkillDoc.parse(text).body
    if result.note:
        assert result.doc.head + result.doc.body == text
    else:
        assert result.doc.version == SkillDoc.parse(text).version + 1


@pytest.mark.parametrize("text", [None, "", "soon", "2026-13-01", ["2026-01-01"], "2026-01-01T00:00:00+99:00"])
def test_stamp_time_that_is_none_is_none(text):
    """What is no date is no refinement."""
    assert read_stamp_time(text) is None


ODD = {
    "one fence": ("---", "---", "no front matter"),
    "one fence and a line end": ("---\n", "---\n", "no front matter"),
    "two fences": ("---\n---", "", "stamped"),
    "rules in the body": ("---\nname: x\n---\nB\n\n---\n\nname: y\n---\n", "B\n\n---\n\nname: y\n---\n", "stamped"),
    "fence in a block": ("---\nd: |\n  a\n  ---\n  b\n---\nB\n", "B\n", "stamped"),
    "fence in quotes": ('---\nd: "a\n---\n b"\n---\nB\n', ' b"\n---\nB\n', "no valid YAML"),
    "tab as value's blank": ("---\nname:\tx\n---\nB\n", "B\n", "no valid YAML"),
    "tab before a key": ("---\nmetadata:\n\ta: b\n---\nB\n", "B\n", "no valid YAML"),
    "a map twice": ("---\nmetadata:\n  a: b\nmetadata:\n  c: d\n---\nB\n", "B\n", "no valid YAML"),
    "a stamp twice": ("---\nmetadata:\n  skilltune-version: 2\n  skilltune-version: 3\n---\nB", "B", "no valid YAML"),
    "merged anchor": ("---\nb: &b\n  a: c\nmetadata:\n  <<: *b\n---\nB\n", "B\n", "refer to each other"),
    "indented": ("---\n  name: x\n---\nB\n", "B\n", "cannot be added to"),
    "directive": ("---\n%YAML 1.1\n---\nname: x\n---\nB\n", "name: x\n---\nB\n", "no valid YAML"),
    "a megabyte": ("---\nd: >\n" + "  word\n" * 150_000 + "---\nB\n", "B\n", "characters, limit 65,536"),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("text", "body", "told"), ODD.values(), ids=ODD)
def test_odd_front_matter_keeps_its_bytes_or_says_why(text, body, told, newline):
    """Every byte outside the stamp stays, the body is the same one after a stamp, and what is refused is named."""
    content = text.replace("\n", newline).encode()
    doc = SkillDoc.of(content)
    assert (doc.to_bytes(), doc.body) == (content, body.replace("\n", newline))
    result = stamp_skill(doc, version=4, at=AT, count=3)
    again = SkillDoc.of(result.doc.to_bytes())
    assert again.body == doc.body
    if told == "stamped":
        assert (result.note, again.version, again.refinements) == ("", 4, 3)
        lines = again.to_bytes().splitlines(keepends=True)
        assert b"".join(line for line in lines if b"skilltune-" not in line and b"metadata:" not in line) == content
    else:
        assert told in result.note
        assert again.to_bytes() == content
