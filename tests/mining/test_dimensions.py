"""What a complaint is about."""

import pytest

from skilltune.mining.dimensions import classify_dimension
from skilltune.mining.reading import read_message


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("The total is wrong", "accuracy"),
        ("There is a typo in the title", "accuracy"),
        ("You forgot the second file", "coverage"),
        ("It crashes on start", "reliability"),
        ("The app behaves inconsistently", "reliability"),
        ("the naming is inconsistent", "accuracy"),
        ("far too verbose", "efficiency"),
        ("You committed the password in plain text", "security"),
        ("This skill should not have fired", "trigger_quality"),
        ("wrong skill, and it crashed", "trigger_quality"),
        ("the token is exposed and the format is wrong", "security"),
        ("No.", "unknown"),
        ("The Tokenizer class", "unknown"),
        ("more information", "unknown"),
        ("do the same again for orders", "unknown"),
        ("漏了边界情况", "coverage"),
        ("太慢了", "efficiency"),
        ("密钥写死在代码里", "security"),
        ("格式错了", "accuracy"),
        ("還是不穩定", "reliability"),
        ("不该触发这个技能", "trigger_quality"),
    ],
)
def test_dimension_is_the_strongest_named(text, dimension):
    """Words name a dimension; security and trigger quality beat the rest; nothing named is unknown."""
    assert classify_dimension(read_message(text)) == dimension


def test_dimension_of_a_pasted_failure_is_reliability():
    """A failure pasted without words is about reliability."""
    assert classify_dimension(read_message("panic: runtime failure\n")) == "reliability"
