"""The gates of a suggestion: their names, and what would make each pass."""

from typing import get_args

from skilltune.evolution.gates import GATES, Gate
from tests.evolution.invented import BODY, correction
from tests.evolution.test_suggestions import TABS, suggested


def test_effect_remedy_says_what_would_help():
    """Held by a conflict, by too few, made already: each has its own next step."""
    both = [correction("tabs", "spaces", number=n) for n in (1, 2)]
    both += [correction("spaces", "tabs", number=n) for n in (3, 4)]
    assert "keep one side of what contradicts" in _remedy(suggested(given=both))
    assert "lift what holds the changes (1: 3 of 5 agree" in _remedy(suggested(TABS, ("tabs", "blanks", 2)))
    made = BODY.replace("npm test", "npm test -- --ci")
    found = suggested(("npm test", "npm test -- --ci", 3), body=made)
    assert _remedy(found) == "nothing is left to do: the body says so already"
    assert _remedy(suggested(("a", "b", 1), ("c", "d", 1), ("e", "f", 1))) == "record corrections that repeat"


def _remedy(suggestion):
    return next(verdict.remedy for verdict in suggestion.verdicts if verdict.gate == "effect")


def test_remedies_of_gates_have_their_numbers():
    """How many corrections more, above which limit, how many fields."""
    found = suggested(TABS, ("tabs", "blanks", 2), metadata_changes=5)
    remedies = {verdict.gate: verdict.remedy for verdict in found.failing}
    assert remedies["agreement"] == "3 more corrections that say the same, or leave the change out"
    assert remedies["metadata"] == "leave 2 fields as they are"
    drifted = {verdict.gate: verdict for verdict in suggested(TABS, baseline="x" * len(BODY)).failing}
    assert drifted["drift"].remedy.startswith(f"raise the limit for this skill above {drifted['drift'].value}, ")


def test_gates_are_named_in_one_place():
    """Every gate has a short name and a sentence; every verdict is one of them."""
    assert set(GATES) == set(get_args(Gate))
    for words in GATES.values():
        assert len(words.name) <= 12
        assert words.asks.endswith(".")
    assert GATES["drift_after"].title == "Drift after"
    assert {verdict.gate for verdict in suggested(TABS).verdicts} <= set(GATES)
