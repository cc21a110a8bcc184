"""No text can make an expression slow: proven on the expressions, not by the clock."""

import importlib
import pkgutil
import re
from itertools import pairwise
from re import _constants as codes
from re import _parser as parser

import pytest

import skilltune.mining
from skilltune.mining.lexicon import find_lexicons

UNBOUNDED = codes.MAXREPEAT
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)
SIGNS = [chr(code) for code in (*range(32, 127), 9, 10, 0xE9, 0x4E0D, 0x3042, 0xAC00, 0x0436, 0x2014)]


def expressions():
    """Every compiled expression of the package's modules, by name."""
    for info in pkgutil.iter_modules(skilltune.mining.__path__, "skilltune.mining."):
        for name, value in vars(importlib.import_module(info.name)).items():
            table = value if isinstance(value, dict) else {"": value}
            for key, held in table.items():
                pattern = getattr(held, "__self__", held)
                if isinstance(pattern, re.Pattern):
                    yield f"{info.name}.{name}{f'.{key}' if key else ''}", pattern


def parts(tree):
    """The sequences of items in a parsed expression, each with what is nested in it."""
    yield list(tree)
    for code, value in tree:
        for inner in children(code, value):
            yield from parts(inner)


def children(code, value):
    """The parsed expressions inside one item."""
    if code in REPEATS:
        return [value[2]]
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.BRANCH:
        return value[1]
    return [value[1]] if code in (codes.ASSERT, codes.ASSERT_NOT) else []


def is_unbounded(item):
    """Whether an item repeats without bound."""
    return item[0] in REPEATS and item[1][1] == UNBOUNDED


def holds_unbounded(tree):
    """Whether something inside repeats without bound."""
    return any(is_unbounded(item) for sequence in parts(tree) for item in sequence)


def signs_of(item):
    """The signs a repeated class can match, of a sample of all."""
    (inner,) = item[1][2]
    if inner[0] is codes.ANY:
        return set(SIGNS) - {"\n"}
    return {sign for sign in SIGNS if matches(inner, sign)}


def matches(item, sign):
    """Whether an item of one sign matches a sign."""
    code, value = item
    if code is codes.LITERAL:
        return ord(sign) == value
    if code is codes.NOT_LITERAL:
        return ord(sign) != value
    if code is codes.CATEGORY:
        return bool(re.match(CATEGORIES[value], sign))
    if code is codes.RANGE:
        return value[0] <= ord(sign) <= value[1]
    assert code is codes.IN, code
    negated = value[0][0] is codes.NEGATE
    return any(matches(inner, sign) for inner in value[negated:]) != negated


CATEGORIES = {
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
}


def troubles(expression, flags=0):
    """What could make an expression take more than time in proportion to the text."""
    tree = parser.parse(expression, flags)
    for sequence in parts(tree):
        for item in sequence:
            if is_unbounded(item) and holds_unbounded(item[1][2]):
                yield "a repetition without bound inside another"
        for first, second in pairwise(sequence):
            if is_unbounded(first) and is_unbounded(second) and signs_of(first) & signs_of(second):
                yield "two repetitions without bound that share signs, side by side"


@pytest.mark.parametrize(("expression", "count"), [(r"(?:a+b?)+", 1), (r"\w+\d+", 1), (r"\w+-\d+", 0), (r"\w+\s*", 0)])
def test_troubles_are_seen(expression, count):
    """The check finds the two forms that run away, and lets others pass."""
    assert len(list(troubles(expression))) == count


@pytest.mark.parametrize("language", sorted(find_lexicons()))
def test_patterns_repeat_nothing_without_bound(language):
    """The expressions made of a lexicon's patterns hold no repetition without bound at all."""
    lexicon = find_lexicons()[language]
    phrases = [phrase for rule in (*lexicon.rules, *lexicon.dimensions) for phrase in rule.phrases]
    assert [phrase.source for phrase in phrases if holds_unbounded(parser.parse(phrase.expression))] == []


@pytest.mark.parametrize("name", sorted(dict(expressions())))
def test_expressions_of_the_modules_are_linear(name):
    """No expression of the modules nests repetitions without bound, or has two that share signs side by side."""
    pattern = dict(expressions())[name]
    assert list(troubles(pattern.pattern, pattern.flags & ~re.UNICODE)) == []
