"""Names of skills, sessions and records without the secrets in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.stores import names as names_module
from skilltune.stores.names import mask_name

KEY = "ghp_" + "a1B2c3D4e5" * 4
SK = "sk-" + "ant-api03-" + "AbCd1234" * 6


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        (KEY, "[secret]"),
        (f"al {SK} pha", "al [secret] pha"),
        (f"session-{KEY}", "[secret]"),
        (f"call_{KEY}", "[secret]"),
        (f"mcp__{KEY}", "[secret]"),
        ("x" * 300 + f" {KEY}", "x" * 300 + " [secret]"),
        (" ", '" "'),
        ("\u3164\u200b", '"\u3164\u200b"'),
    ],
)
def test_secret_in_a_name_is_masked(name, kept):
    """A name that is a key, or holds one, is kept without it, one that nobody sees in quotes; again changes nothing."""
    assert mask_name(name) == kept
    assert mask_name(kept) == kept


@pytest.mark.parametrize(
    "name",
    [
        "",
        "deslop",
        "superpowers:writing-plans",
        "plugin:sql_migrations.v2",
        "a" * 128,
        "0f8b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d",
        "ses_4f2a9b7c1ffeAbC1dE2fGh3jKl",
        "toolu_01A09q90qw90lq917835lq9aB",
        "call_AbC12dE3fGhIj4Kl5MnOpQrS",
        "rollout-2025-11-03T10-11-12-019a4b3c-aaaa-7bbb-8ccc-123456789abc",
        "A1:session.jsonl:17:1764000000000000",
        "claude-opus-4-5-20251101",
        "mcp__github__create_issue",
        "技能 名",
    ],
)
def test_usual_name_is_kept(name):
    """Names as skills, tools and agents have them pass untouched, ids of agents too."""
    assert mask_name(name) == name


@given(st.from_regex(r"[a-z][a-z0-9]{0,10}(?:[-_.:][a-z][a-z0-9]{0,10}){0,8}", fullmatch=True))
def test_plain_name_is_kept(name):
    """Words of small letters and digits, joined as names are, are never taken for a secret."""
    assert mask_name(name) == name


def test_known_name_is_not_looked_at_again():
    """A name that was seen before is remembered, however often it comes."""
    names = [f"skill-{number}" for number in range(50)]
    for name in names:
        mask_name(name)
    before = names_module._mask_once.cache_info()
    for name in names * 20:
        mask_name(name)
    after = names_module._mask_once.cache_info()
    assert (after.hits - before.hits, after.misses - before.misses) == (1_000, 0)
