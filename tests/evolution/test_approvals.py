"""An approval fits one suggestion with one choice, and nothing else."""

from dataclasses import replace
from datetime import datetime

import pytest

from skilltune.errors import InputError
from skilltune.evolution.approvals import check_approval, decide
from skilltune.evolution.refusals import ApprovalError
from skilltune.evolution.suggestions import choose_changes
from tests.evolution.invented import AS_OF, BODY
from tests.evolution.test_suggestions import NPM, TABS, suggested

FOUND = suggested(TABS, NPM)


def decided(decision="approve", **more):
    """A decision on the suggestion."""
    return decide(more.pop("suggestion", FOUND), decision=decision, reviewer="mira", at=AS_OF, how="terminal", **more)


def test_approval_fits_its_suggestion():
    """The digest and the choice are the same."""
    approval = decided(note="as agreed")
    check_approval(approval, suggestion=FOUND)
    assert (approval.changes, approval.suggestion_digest, approval.note) == ((1, 2), FOUND.digest, "as agreed")


def test_approval_says_where_a_person_decided():
    """A decision without a place where a person took it cannot be made."""
    with pytest.raises(TypeError, match="how"):
        decide(FOUND, decision="approve", reviewer="mira", at=AS_OF)
    assert decided().how == "terminal"


def test_approval_does_not_fit_another_body_or_choice():
    """A body that changed since, or another choice, needs another look."""
    for other in (suggested(TABS, NPM, body=BODY + " "), choose_changes(FOUND, numbers=[1])):
        with pytest.raises(ApprovalError, match="look at it again"):
            check_approval(decided(), suggestion=other)
    some = choose_changes(FOUND, numbers=[2])
    check_approval(decided(suggestion=some), suggestion=some)
    with pytest.raises(ApprovalError, match="changes 1, the suggestion makes 1, 2"):
        check_approval(replace(decided(), changes=(1,)), suggestion=FOUND)


@pytest.mark.parametrize("decision", ["reject", "defer"])
def test_decision_that_is_no_approval_applies_nothing(decision):
    """A rejection or deferral is recorded as one, and never passes as an approval."""
    with pytest.raises(ApprovalError, match=f"the decision is {decision}, not approve"):
        check_approval(decided(decision), suggestion=FOUND)
    check_approval(decided(decision), suggestion=FOUND, decisions=("reject", "defer"))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"decision": "yes"}, "decision is 'yes'"),
        ({"reviewer": " "}, "reviewer is empty"),
        ({"how": "script"}, "how is 'script'"),
        ({"at": datetime(2026, 11, 30)}, "without a zone"),  # noqa: DTZ001 - what is refused
    ],
)
def test_approval_names_who_decided_what_and_when(wrong, message):
    """An approval without one of them cannot be made."""
    with pytest.raises(InputError, match=message):
        replace(decided(), **wrong)
