"""Cues: single words and short runs of words, each with its first place."""

import tomllib
from importlib.resources import files

import pytest

from skilltune.mining.cues import find_cues
from skilltune.mining.features import read_features
from skilltune.mining.situation import Situation

CLASSES = tomllib.loads(files("skilltune.mining").joinpath("cues.toml").read_text(encoding="utf-8"))["cues"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", {}),
        ("the lamp hums", {}),
        ("should", {"norm": 0}),
        ("it should have a title", {"norm_past": 1, "norm": 1}),
        ("i said tabs", {"mine": 0, "reminds": 0}),
        ("the list is still sorted wrong again", {"persists": 3, "bad": 5}),
        ("the same", {}),
        ("the same error", {"persists": 1, "bad": 2}),
    ],
)
def test_cues_of_words(words, expected):
    """Words and runs of words give their classes, each at the place where it first begins."""
    assert find_cues(words.split()) == expected


def test_cues_take_no_half_of_a_run():
    """A run of words whose end is missing, or that something stands inside of, is no cue."""
    assert "finishes" not in find_cues(["open", "a"])
    assert "finishes" not in find_cues(["open", "a", "green", "pr"])
    assert find_cues(["open", "a", "pr"])["finishes"] == 0


@pytest.mark.parametrize("cue", sorted(CLASSES))
def test_cues_can_all_be_met(cue):
    """Every phrase of a class is found when a person writes it: it is cut into words as messages are."""
    unmet = [phrase for phrase in CLASSES[cue].split(",") if f"cue={cue}" not in _features(phrase)]
    assert unmet == []


@pytest.mark.parametrize("cue", sorted(CLASSES))
def test_cues_stand_once_in_a_class(cue):
    """No phrase stands twice in its class, empty, in capitals, or with spaces around it."""
    phrases = CLASSES[cue].split(",")
    assert len(set(phrases)) == len(phrases)
    assert [phrase for phrase in phrases if not phrase or phrase != " ".join(phrase.lower().split())] == []


def _features(phrase):
    return read_features(Situation.of(f"well {phrase} lamp"), said="none.no_signal")
