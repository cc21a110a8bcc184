"""Uses are told apart by their ids, however the tables hold them."""

import pandas as pd
import pytest

from skilltune.analysis.uses import is_among

IDS = {
    "text": pd.Series(["a", "b", "c", "b", None], dtype="str"),
    "objects": pd.Series(["a", 1, None, "b"], dtype="object"),
    "numbers": pd.Series([3, 1, 2, 2]),
    "categories": pd.Series(["b", "a", None], dtype="category"),
    "other categories": pd.Series(["x", "a", "b", "z"], dtype="category"),
    "none": pd.Series([], dtype="str"),
    "other order": pd.Series(["c", "b", "z"], dtype="str", index=[7, 7, 2]),
}


@pytest.mark.parametrize("one", IDS)
@pytest.mark.parametrize("other", IDS)
def test_is_among_is_isin(one, other):
    """Each kind of id among each other kind; a missing one is among none."""
    ids, others = IDS[one], IDS[other]
    assert is_among(ids, others).tolist() == (ids.isin(others) & ids.notna()).tolist()


def test_is_among_more_ids_than_others_in_the_same_order():
    """As in a log: the uses with an event first, then those without one, of which one has an event after all."""
    others = pd.Series(["a", "b", "c"], dtype="str")
    ids = pd.Series(["a", "b", "x", "c", "y"], dtype="str")
    assert is_among(ids, others).tolist() == [True, True, False, True, False]
