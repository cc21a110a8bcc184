"""No secret gets into a skill: not from a correction, not from a line that a person words."""

import json

import pytest

from skilltune.errors import EvidenceError, InputError
from skilltune.evolution.hidden import say_secret
from skilltune.evolution.suggestions import choose_changes
from skilltune.stores.ledger import find_ledger
from skilltune.stores.secrets import mask_secrets
from tests.refining.homes import BODY, HEAD, NOW, SKILL, approve
from tests.stores.test_secrets import PLANTED


def record_raw(home, original, corrected, *, times=3):
    """Corrections as another tool writes them: whatever they hold."""
    path = find_ledger(home.workspace()).path
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "type": "correction",
            "skillName": SKILL,
            "sessionId": f"s{number}",
            "original": original,
            "corrected": corrected,
            "id": f"c{number}",
            "timestamp": f"{NOW:%Y-%m-%d}",
        }
        for number in range(times)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize(("sentence", "secret"), PLANTED)
def test_change_with_a_secret_is_blocked_by_name(home, sentence, secret):
    """Live in another tool's ledger or masked in ours: the change cannot be chosen, and does not show the secret."""
    said = sentence.format(secret)
    home.write(HEAD + "Use tabs here.\n\n" + BODY)
    record_raw(home, "Use tabs here.", said)
    (change,) = home.suggest().changes
    assert (change.chosen, len(change.blocked)) == (False, 1)
    assert change.blocked[0].startswith("the change holds what looks like a secret: ")
    assert change.blocked[0].endswith("word it anew")
    assert secret not in change.blocked[0]
    with pytest.raises(InputError, match=r"looks like a secret.*word it anew"):
        choose_changes(home.suggest(), numbers=[1])


def test_masked_correction_is_blocked_and_its_line_is_not_drafted(home):
    """The mask of a secret is no rule for a skill, in a replacement or in a line to add."""
    home.correct("Use tabs", "log in with password: hunter2!")
    (change,) = home.suggest().changes
    assert '"log in with password: [secret]"' in change.blocked[0]
    home.correct("output it", "send it to ops@example.org")
    (_, line) = home.suggest().changes
    assert (line.kind, line.line, line.blocked) == ("append", "", ())
    assert "[email]" in line.notes[0]
    with pytest.raises(InputError, match="looks like a secret"):
        choose_changes(home.suggest(), numbers=[2], lines={2: "Log in with password: hunter2!"})
    assert choose_changes(home.suggest(), numbers=[2], lines={2: "Send it by mail."}).changes[1].chosen


def test_apply_refuses_a_change_that_came_to_hold_a_secret(home):
    """What was approved before its corrections were edited is refused, and nothing is written."""
    record_raw(home, "Use tabs", "Use spaces")
    suggestion = home.suggest()
    approval = approve(suggestion)
    record_raw(home, "Use tabs", "token = ghp_0123456789abcdefghijABCDEFGHIJ012345")
    before = home.file.read_bytes()
    with pytest.raises(EvidenceError):
        home.apply(suggestion, approval=approval)
    assert home.file.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "before", "refused"),
    [
        ("Write [secret] for what is hidden", "Write *** for what is hidden", True),
        ("Write [secret] for what is hidden", "Put [secret] for what is hidden", False),
        ("write to [email]", "", True),
        ("write to ops@example.org", "", False),
        ("Use spaces", "Use tabs", False),
    ],
)
def test_marks_that_a_text_had_already_are_no_reason(text, before, refused):
    """A skill about masking may be changed; an address is no secret, its mask is."""
    assert bool(say_secret(text, before=before, mask=mask_secrets)) is refused
