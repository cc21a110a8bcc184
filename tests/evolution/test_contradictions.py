"""Contradictions: every kind, once, in near-linear time."""

import json
from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.evolution.containment import Contained
from skilltune.evolution.contradictions import ADVICE, find_contradictions
from skilltune.evolution.cycles import find_cycles
from skilltune.evolution.opposed import find_groups, find_hunk_reversals
from skilltune.evolution.tokens import tokenize
from tests.evolution.invented import correction, corrections, repeated

TEXTS = st.sampled_from(
    ["", "a", "b", "A", "a b", "pour tea", "pour  tea", "pour tea now", "pour tea now please", None]
)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), max_size=9)


def rows(pairs):
    """Kind, severity, numbers of each side's first correction, and counts."""
    found = find_contradictions(corrections(*pairs))
    return [
        (
            item.kind,
            item.severity,
            [int(side.corrections[0].id[1:]) for side in item.sides],
            [s.count for s in item.sides],
        )
        for item in found.findings
    ]


def kinds(*pairs):
    """Kind and numbers of each side's first correction."""
    return [(kind, numbers) for kind, _, numbers, _ in rows(pairs)]


def test_contradictions_shared_cases(shared):
    """Every shared case gives its findings."""
    for case in json.loads((shared / "vectors" / "refinement_instincts.json").read_text("utf-8"))["contradictions"]:
        found = [[*numbers, kind, severity, counts] for kind, severity, numbers, counts in rows(case["corrections"])]
        assert found == case["findings"], case["id"]


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("tin", "jar"), ("jar", "tin")], [("reversal", "conflict", [1, 2], [1, 1])]),
        ([("tin", "jar"), ("jar", "tin"), ("tin", "jar")], [("reversal", "conflict", [1, 2], [2, 1])]),
        ([("Tin", "jar"), ("jar", "tin")], [("reversal", "conflict", [1, 2], [1, 1])]),
        ([("Tin", "tin"), ("tin", "Tin")], [("reversal", "conflict", [1, 2], [1, 1])]),
        ([("Tin", "tin"), ("TIN", "tin")], []),
        ([("", "stir"), ("stir", "")], [("reversal", "conflict", [1, 2], [1, 1])]),
        ([("a", "b"), ("b", "c"), ("c", "a")], [("cycle", "conflict", [1, 2, 3], [1, 1, 1])]),
        ([("c", "a"), ("a", "b"), ("b", "c")], [("cycle", "conflict", [1, 2, 3], [1, 1, 1])]),
        ([("b", "c"), ("a", "b"), ("c", "a")], [("cycle", "conflict", [1, 3, 2], [1, 1, 1])]),
        ([("tin", "jar"), ("tin", "box"), ("tin", "cup")], [("divergence", "warning", [1, 2, 3], [1, 1, 1])]),
        ([("tin", "jar"), ("tin", "")], [("divergence", "warning", [1, 2], [1, 1])]),
        ([("pour tea", "pour tea gently"), ("wait gently", "wait")], [("hunk_reversal", "warning", [1, 2], [1, 1])]),
        ([("a b", "a"), ("c", "c b")], [("hunk_reversal", "warning", [1, 2], [1, 1])]),
        (
            [("pour the tea", "pour the tea twice"), ("pour the tea twice", "pour the tea once")],
            [("partial", "warning", [1, 2], [1, 1])],
        ),
        ([("tin", "jar"), ("tin", "jar")], []),
        ([("tin", "tin"), ("tin", " tin ")], []),
        ([(None, "jar"), ("jar", None)], []),
        ([("tin", "jar"), ("jar", "box")], [("hunk_reversal", "warning", [1, 2], [1, 1])]),
        ([], []),
    ],
)
def test_contradictions_case(pairs, expected):
    """Each kind is found with its sides in time order, and told once."""
    assert rows(pairs) == expected


def test_contradictions_a_long_cycle_with_a_reversal_is_two_findings():
    """The arrow that only turns another one round is no part of the cycle."""
    found = kinds(("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("b", "a"))
    assert found == [("reversal", [1, 5]), ("cycle", [1, 2, 3, 4]), ("divergence", [2, 5])]


def test_contradictions_two_reversals_that_share_a_text_are_no_cycle():
    """a↔b and b↔c make two reversals."""
    found = kinds(("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"))
    assert found[:3] == [("reversal", [1, 2]), ("reversal", [3, 4]), ("divergence", [2, 3])]
    assert "cycle" not in [kind for kind, _ in found]


def test_contradictions_summary_and_flags():
    """The line counts conflicts and warnings; only conflicts make a conflict."""
    found = find_contradictions(corrections(("tin", "jar"), ("jar", "tin"), ("jar", "jar and tin")))
    assert found.summary == "Found 2 contradiction(s): 1 conflict(s), 1 warning(s)"
    assert found.has_conflicts
    assert found.analyzed == 3
    warned = find_contradictions(corrections(("tin", "jar"), ("tin", "box")))
    assert (warned.summary, warned.has_conflicts) == ("Found 1 contradiction(s): 0 conflict(s), 1 warning(s)", False)
    assert find_contradictions([]).summary == "No contradictions detected"


def test_contradictions_touching_a_change_and_released_ones():
    """A change knows the findings it is a side of; one that a person released holds nothing and is still shown."""
    given = corrections(("Tin", "jar"), ("jar", "tin"), ("cup", "mug"))
    found = find_contradictions(given)
    (conflict,) = found.touching("tin", "jar")
    assert conflict.holds
    assert found.touching("cup", "mug") == ()
    assert found.touching("tin", "tin") == ()
    released = find_contradictions(given, released=[conflict.id])
    assert not released.has_conflicts
    assert released.touching("tin", "jar")[0].released
    grown = find_contradictions([*given, correction("tin", "jar", number=9)], released=[conflict.id])
    assert not grown.has_conflicts


def test_contradictions_leave_out_what_was_taken_back():
    """A retracted side is no side."""
    assert not find_contradictions(corrections(("tin", "jar"), ("jar", "tin")), retracted={"c2"}).findings


def test_contradictions_are_in_time_order_whatever_the_rows():
    """Sides stand in order of their time, not of their rows."""
    given = [correction("tin", "jar", number=1, days_ago=1), correction("jar", "tin", number=2, days_ago=5)]
    (found,) = find_contradictions(given).findings
    assert [side.original for side in found.sides] == ["jar", "tin"]
    assert found.sides[0].first_seen == found.sides[0].last_seen == given[1].timestamp
    assert found.sides[0].sessions == ("s2",)


def test_contradictions_every_kind_has_advice():
    """Advice comes with each finding."""
    for pairs in [(("a", "b"), ("b", "a")), (("a", "b"), ("a", "c"))]:
        (found,) = find_contradictions(corrections(*pairs)).findings
        assert found.advice == ADVICE[found.kind]


def test_contradictions_many_that_share_their_words_are_one_finding():
    """Where one text is added fifty times and removed fifty times there is one row, not 2,500."""
    pairs = [(f"step {n}", f"step {n} gently") if n % 2 else (f"wait {n} gently", f"wait {n}") for n in range(100)]
    ((kind, numbers),) = kinds(*pairs)
    assert (kind, len(numbers)) == ("hunk_reversal", 100)


def test_contradictions_of_one_original_with_all_targets_are_one_finding():
    """A divergence is one row an original, whatever the number of targets."""
    ((kind, numbers),) = kinds(*(("tin", f"jar {n}") for n in range(2_000)))
    assert (kind, len(numbers)) == ("divergence", 2_000)


@given(PAIRS)
def test_contradictions_a_pair_is_told_once(pairs):
    """No two findings of two sides have the same pair of groups; every finding has at least two sides."""
    found = [tuple(sorted(numbers)) for _, numbers in kinds(*pairs) if len(numbers) == 2]
    assert len(found) == len(set(found))
    assert all(len(numbers) > 1 for _, numbers in kinds(*pairs))


@given(PAIRS)
def test_contradictions_reversals_match_a_comparison_of_all_pairs(pairs):
    """The hash join finds exactly the reversals that comparing all pairs finds."""

    def key(text):
        return " ".join(text.split()).casefold()

    whole = [(old, new) for old, new in pairs if old is not None and new is not None]
    folded = {(key(old), key(new)) for old, new in whole if key(old) != key(new)}
    cased = {
        (" ".join(old.split()), " ".join(new.split()))
        for old, new in whole
        if key(old) == key(new) and " ".join(old.split()) != " ".join(new.split())
    }
    expected = sum((new, old) in some for some in (folded, cased) for old, new in some) // 2
    assert sum(kind == "reversal" for kind, _ in kinds(*pairs)) == expected


@given(PAIRS, st.randoms(use_true_random=False))
def test_contradictions_do_not_depend_on_the_order_of_rows(pairs, chance):
    """The findings of shuffled rows are the same."""
    given = corrections(*pairs)
    shuffled = chance.sample(given, len(given))
    assert find_contradictions(shuffled) == find_contradictions(given)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda a: a[0] != a[1]), unique=True, max_size=12)
)
def test_cycles_match_a_search_of_all_simple_ones(arrows):
    """The arrows in cycles of three or more texts are exactly those that a search through all ways finds."""
    known = set(arrows)
    expected = set()
    for size in range(3, 7):
        for way in permutations({text for arrow in arrows for text in arrow}, size):
            steps = list(zip(way, (*way[1:], way[0]), strict=True))
            if known.issuperset(steps):
                expected |= set(steps)
    found = [{arrows[at] for at in cycle} for cycle in find_cycles(arrows)]
    assert set().union(*found) == expected
    assert sum(map(len, found)) == len(expected)


def test_cycles_of_any_length_without_recursion():
    """A cycle of 30,000 texts is one row, walked in order."""
    size = 30_000
    (cycle,) = find_cycles([(at, (at + 1) % size) for at in range(size)])
    assert cycle == list(range(size))


@given(st.lists(st.text("ab", min_size=10, max_size=14), max_size=12), st.text("ab", max_size=60))
def test_contained_finds_exactly_the_texts_inside(texts, whole):
    """The index finds what ``in`` finds."""
    index = Contained(texts)
    assert index.find(whole) == {number for text, number in index.numbers.items() if text in whole}


def test_contradictions_count_corrections_that_a_refinement_used():
    """Nothing but a retraction takes a correction out of the comparison."""
    assert find_contradictions(repeated(("tin", "jar", 3), ("jar", "tin", 1))).has_conflicts


@given(PAIRS)
def test_hunk_reversals_match_bags_of_words(pairs):
    """One adds exactly the words that the other removes, each as often; white space is no word."""

    def bags(original, target):
        before, after = (Counter(word for word in tokenize(text) if not word.isspace()) for text in (original, target))
        return after - before, before - after

    groups = find_groups(corrections(*pairs))
    found = {tuple(item.place for item in row) for row in find_hunk_reversals(groups, taken=lambda *_: False)}
    added = {item.place: bags(item.original, item.target) for item in groups}
    expected = {
        tuple(sorted((one, other)))
        for one in added
        for other in added
        if one != other and added[one][0] and added[one][0] == added[other][1]
    }
    assert {pair for row in found for pair in combinations(row, 2)} >= expected
    assert all(len(row) > 2 or row in expected for row in found)
