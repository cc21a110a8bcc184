"""The sample shows what uses cost, and adds up as a plain count of its lines does."""

import json
from pathlib import Path

from benchmarks.plain_analyzer import TOKENS, token_totals
from skilltune import mine, read_sessions, sample_end, sample_root
from skilltune.mining.origins import why_skipped

KINDS = ("tokens_input", "tokens_output", "tokens_cache_read", "tokens_cache_write")


def test_sample_shows_cost():
    """Nearly every use has tokens, a time and a folder; the sub-agent's tokens are those of the use that began it."""
    mined = mine(read_sessions(sample_root() / "projects"), as_of=sample_end())
    uses = mined.invocations.query("failed == ''")
    assert uses[[*KINDS, "wall_seconds"]].notna().all(axis=1).mean() > 0.95
    assert (uses["base_directory"] != "").mean() > 0.95
    (below,) = uses.loc[uses["subagent_tokens"] > 0, ["skill_id", "subagent_tokens"]].itertuples(index=False)
    (row,) = mined.sessions.loc[mined.sessions["subagents"] > 0].itertuples(index=False)
    assert (below.skill_id, below.subagent_tokens) == ("test-scaffold", row.subagent_tokens)
    assert row.tokens_with_subagents == row.tokens + row.subagent_tokens


def test_sample_tokens_add_up():
    """What all sessions cost is what ``json.loads`` finds in whole files that no other file shares records with."""
    files = [
        file for file in read_sessions(sample_root() / "projects").files() if _is_whole(file) and not _is_shared(file)
    ]
    paths = [file.path for file in files if not any(map(why_skipped, file.sessions))]
    own, below = token_totals(paths)
    mined = mine(read_sessions(paths), as_of=sample_end()).sessions
    assert len(mined) > 150
    assert [int(mined[name].sum()) for name in KINDS] == [own[name] for name in TOKENS]
    assert int(mined["subagent_tokens"].sum()) == sum(below.values())
    assert mined["tokens_with_subagents"].sum() == sum(own.values()) + sum(below.values())


def _is_whole(file):
    """Whether every line is one record."""
    lines = Path(file.path).read_bytes().split(b"\n")
    try:
        return all(isinstance(json.loads(line), dict) for line in lines if line)
    except ValueError:
        return False


def _is_shared(file):
    return any(item.copied for session in file.sessions for item in session.items)
