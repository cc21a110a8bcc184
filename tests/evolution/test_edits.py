"""Where changes stand in a body, and lines added to its sections."""

import json
import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skilltune.evolution.edits import _Plain, locate_changes, replace_spans
from skilltune.evolution.learned import add_lines, find_learned_lines, find_sections, learned_line, section_at
from skilltune.evolution.tokens import splits_token, tokenize

TOKENS = st.sampled_from(["pot", "tea", "pour", "茶", "-", "$1", "\\n"])
WORDS = st.lists(TOKENS, min_size=1, max_size=4).map(" ".join)
BODIES = st.lists(st.sampled_from(["pot", "tea", "pour", "茶", "-", "$1", "\\n", "teapot", "."]), max_size=20).map(
    " ".join
)


def made(body, *changes):
    """The new body and each change's status."""
    found = locate_changes(body, changes=changes)
    return replace_spans(body, spans=[span for item in found for span in item.spans]), [item.told for item in found]


def test_edits_shared_cases(shared):
    """Every shared case gives its body, statuses, and whether anything changed."""
    for case in json.loads((shared / "vectors" / "refinement_instincts.json").read_text("utf-8"))["apply"]:
        body, status = made(case["body"], *map(tuple, case["changes"]))
        assert (body, status) == (case["new_body"], case["status"]), case["id"]
        assert (body == case["body"]) == case["refused_no_effect"], case["id"]


@pytest.mark.parametrize(
    ("body", "changes", "expected", "status"),
    [
        ("Pour tea. Pour milk.", [("Pour", "Stir")], "Stir tea. Stir milk.", ["2 hits"]),
        ("Pour tea.", [("pour", "stir")], "Pour tea.", ["not_in_body"]),
        ("The teapot, a tea.", [("tea", "milk")], "The teapot, a milk.", ["1 hit"]),
        ("max_tea max-tea", [("max", "min")], "max_tea min-tea", ["1 hit"]),
        ("泡茶三分钟", [("三分", "五分")], "泡茶五分钟", ["1 hit"]),
        ("cafe\u0301 cafe", [("cafe", "bar")], "cafe\u0301 bar", ["1 hit"]),
        ("Run npm test now.", [("npm test", "npm test --ci")], "Run npm test --ci now.", ["1 hit"]),
        ("Run npm test --ci now.", [("npm test", "npm test --ci")], "Run npm test --ci now.", ["already_applied"]),
        (
            "Run npm test --ci, npm test.",
            [("npm test", "npm test --ci")],
            "Run npm test --ci, npm test --ci.",
            ["1 hit"],
        ),
        ("a b a b a", [("b", "a b a")], "a b a b a", ["already_applied"]),
        ("Use tabs.", [("tabs", "tabs")], "Use tabs.", ["no_op"]),
        ("Use tabs\r\nhere.", [("tabs\nhere", "tabs\r\nhere")], "Use tabs\r\nhere.", ["no_op"]),
        ("Use tabs\r\nhere.", [("tabs\nhere", "spaces\nthere")], "Use spaces\r\nthere.", ["1 hit"]),
        ("Use tabs.\r\nNow.", [("tabs", "one\ntwo")], "Use one\r\ntwo.\r\nNow.", ["1 hit"]),
        ("Use tabs", [("tabs", r"\1 $& \g<0>")], r"Use \1 $& \g<0>", ["1 hit"]),
        ("a+b aab", [("a+b", "c")], "c aab", ["1 hit"]),
        ("warm the pot", [("the", "a"), ("warm the pot", "wait")], "wait", ["overlaps", "1 hit"]),
        ("a b c", [("a b", "x"), ("b c", "y")], "x c", ["1 hit", "overlaps"]),
        ("a b c d", [("a b", "x"), ("b c d", "y")], "a y", ["overlaps", "1 hit"]),
        ("a a a a", [("a a", "b")], "b b", ["2 hits"]),
        ("tea pot", [("tea", "pot"), ("pot", "tea")], "pot tea", ["1 hit", "1 hit"]),
        ("", [("tea", "pot")], "", ["not_in_body"]),
    ],
)
def test_edits_case(body, changes, expected, status):
    """Literal, whole words, all places, line ends either way, the longer first; all on the body as it is."""
    assert made(body, *changes) == (expected, status)


@given(BODIES, TOKENS, WORDS, WORDS)
def test_edits_never_compound(body, original, before, after):
    """A change whose text holds its original is made once: a second time there is nothing left to do."""
    change = (original, f"{before} {original} {after}")
    once, _ = made(body, change)
    twice, status = made(once, change)
    assert twice == once
    assert status[0] in ("already_applied", "not_in_body")


@given(BODIES, st.lists(st.tuples(WORDS, WORDS), max_size=4))
def test_edits_replace_only_what_was_asked_for(body, changes):
    """Places hold their original, do not overlap, and split no word; the rest of the body is the same."""
    found = locate_changes(body, changes=changes)
    spans = sorted(span for item in found for span in item.spans)
    starts = {0}
    for token in tokenize(body):
        starts.add(max(starts) + len(token))
    for (original, suggested), item in zip(changes, found, strict=True):
        assert all(body[span.start : span.end] == original and span.text == suggested for span in item.spans)
    assert all({span.start, span.end} <= starts for span in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))


@given(BODIES, TOKENS, TOKENS)
def test_edits_agree_with_a_plain_replacement_of_words(body, original, suggested):
    """For one word the new body is that of replacing the word wherever it stands alone."""
    expected = body
    if original != suggested:
        expected = re.sub(rf"(?<!\w){re.escape(original)}(?!\w)", lambda _: suggested, body)
        if not original[0].isalnum() or not original[-1].isalnum() or original == "茶":
            expected = body.replace(original, suggested)
    assert made(body, (original, suggested))[0] == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("", "## Learned corrections\n\n- one\n"),
        ("Tea.", "Tea.\n\n## Learned corrections\n\n- one"),
        ("Tea.\n", "Tea.\n\n## Learned corrections\n\n- one\n"),
        ("Tea.\r\n\r\n", "Tea.\r\n\r\n## Learned corrections\r\n\r\n- one\r\n"),
        ("# learned corrections\n", "# learned corrections\n\n- one\n"),
        ("## Learned corrections\n\n- old\n\n## End\nTea", "## Learned corrections\n\n- old\n- one\n\n## End\nTea"),
        ("```\n## Learned corrections\n```\n", "```\n## Learned corrections\n```\n\n## Learned corrections\n\n- one\n"),
    ],
)
def test_learned_lines_go_to_their_section(body, expected):
    """The section is made once at the end; lines go to its end; line ends and the missing last one are kept."""
    assert add_lines(body, lines=["- one"]) == expected


def test_learned_lines_can_go_to_another_section():
    """A title of the body is used where there is one."""
    assert add_lines("# A\nx\n# B\ny\n", lines=["- one"], title="a") == "# A\nx\n- one\n# B\ny\n"


def test_learned_line_is_one_line_and_never_changed_again():
    """The text of a learned line is no place for its own change or another one."""
    line = learned_line("utilise\nit", "use it")
    assert line == '- Instead of "utilise it", use "use it".'
    body = add_lines("Write plainly.\n", lines=[learned_line("utilise", "use")])
    assert made(body, ("utilise", "use"), ("use", "apply")) == (body, ["already_applied", "not_in_body"])


def test_sections_know_their_headings():
    """Headings in fenced code are none; what stands before the first has no title."""
    body = "intro\n# One #\na\n~~~\n# no\n~~~\n## Two\nb"
    assert [(section.title, section.level) for section in find_sections(body)] == [("", 0), ("One", 1), ("Two", 2)]
    assert [section_at(find_sections(body), at=body.index(text)) for text in ("intro", "no", "b")] == ["", "One", "Two"]
    assert "".join(body[section.start : section.end] for section in find_sections(body)) == body


@given(
    st.text("ab-\r\n", max_size=60),
    st.text("ab-\r\n", min_size=1, max_size=6),
    st.integers(1, 8),
)
@example("-" * 40, "-", 5)
@example("ab" * 20, "ab", 6)
@example("a\r\na\r\na\r\na", "a\n", 2)
def test_edits_stand_where_a_plain_search_finds_them(body, piece, times):
    """Every whole-word occurrence is found, overlapping ones and any line ends too, as by a search sign by sign."""
    text = piece * times
    ends = r"(?:\r\n|\n|\r)"
    pattern = re.compile(ends.join(map(re.escape, re.split(ends, text))))
    places = [match.span() for at in range(len(body)) if (match := pattern.match(body, at))]
    whole = [place for place in places if not any(splits_token(body, at) for at in place)]
    assert list(_Plain(body).find(text)) == whole


@pytest.mark.parametrize("text", ["-", "-" * 99, "-" * 100_000, "- " * 60_000, "a\n" * 50_000, "春" * 90_000])
def test_edits_of_a_body_that_repeats_itself_are_found(text):
    """A body of 199,000 equal signs, searched for any length of itself, is answered."""
    body = (text[:2] * 199_000)[:199_000]
    (found,) = locate_changes(body, changes=[(text, "x")])
    kept = replace_spans(body, spans=found.spans)
    assert (found.status, kept.count("x")) == ("hits", len(found.spans))


def test_learned_lines_are_told_from_any_line():
    """As many quotation marks as a line may hold do not matter; what is no whole learned line is none."""
    many = '- Instead of "' + '", use "' * 20_000
    lines = [many, many + '".', '- Instead of "a", use "b".  ', '- Instead of "a".', '- Instead of ", use ".']
    body = "## Learned corrections\n\n" + "\n".join(lines) + "\n"
    assert [body[start:end].strip() for start, end in find_learned_lines(body)] == [lines[1], lines[2].strip()]


@pytest.mark.parametrize(
    ("section", "added"),
    [
        ("- Warm it.", "- New."),
        ("* Warm it.", "* New."),
        ("+ Warm it.\n+ Pour it.", "+ New."),
        ("  * Warm it.\n  * Pour it.", "  * New."),
        ("1. Warm it.\n2. Pour it.", "3. New."),
        ("1) Warm it.\n9) Pour it.", "10) New."),
        ("1. Warm it.\n1. Pour it.", "1. New."),
        ("0. Warm it.", "1. New."),
        ("1. Warm it.\n   - gently\n   - slowly", "2. New."),
        ("1. Warm it,\n   and well.", "2. New."),
        ("* Warm it,\nand well.", "* New."),
        ("- [x] Warm it.\n- [ ] Pour it.", "- [ ] New."),
        ("*  Warm it.", "*  New."),
        ("1. Warm it.\n\n   ```sh\n   - no item\n   ```", "2. New."),
        ("Pour it.", "- New."),
        ("1. Warm it.\n\nThen pour it.", "- New."),
        ("1. Warm it.\n\n```\n2. no item\n```", "- New."),
        ("**Never** pour it.", "- New."),
        ("2026. was a year", "2027. New."),
        ("-no item", "- New."),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_new_line_goes_on_with_the_list_of_its_section(section, added, newline):
    """The next number, the same bullet, the same indentation and line ends; ``- `` where the section ends otherwise."""
    body = f"# Tea\n\n{section}\n\n## After\n\n- other\n".replace("\n", newline)
    new = add_lines(body, lines=["- New."], title="Tea")
    assert new == body.replace(f"{newline}{newline}## After", f"{newline}{added}{newline}{newline}## After")


def test_new_lines_are_numbered_one_after_the_other():
    """Several lines count on, and a learned line is known again whatever marker it has."""
    line = learned_line("the pot", "a pot")
    body = add_lines("## Learned corrections\n\n1. Say please.\n", lines=["- One.", line])
    assert body.endswith('2. One.\n3. Instead of "the pot", use "a pot".\n')
    assert made(body, ("the pot", "a pot")) == (body, ["already_applied"])


@given(st.text("-*1. a\n\t`", max_size=60))
def test_new_line_leaves_every_other_line_as_it_was(section):
    """Whatever a section looks like, one line comes to it."""
    body = f"# Tea\n\n{section}\n"
    new = add_lines(body, lines=["- New."], title="Tea")
    kept = body.rstrip()
    assert new.startswith(kept)
    assert new.endswith(f"New.{body[len(kept) :]}")
    assert new[len(kept) :].count("\n") <= body[len(kept) :].count("\n") + 2
