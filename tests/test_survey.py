"""What lies where, of which agent, how fresh, and what is a copy of what."""

import json
import os
from datetime import UTC, datetime, timedelta

import pytest

from skilltune.cli.sources_text import sources_text
from skilltune.survey import survey
from tests.sources.claude_code.building import Transcript, tool, write

DAY = datetime(2026, 1, 5, 12, tzinfo=UTC)


def used(session, *, day=5, **more):
    """A session with a use on a day of January and a turn about it."""
    stamp = {"timestamp": f"2026-01-{day:02d}T10:00:00Z"}
    log = Transcript(session, prefix=f"{session}-{'x' * 16}", **more).user("make it", **stamp)
    return log.agent(tool("Skill", f"{session}-t1", skill="tidy"), **stamp).user("thanks", **stamp)


def told(folder, *, as_of=DAY):
    """What is printed about a folder, without its line breaks."""
    return " ".join(sources_text(survey([folder], as_of=as_of)).split())


def test_survey_tells_each_agent_apart(tmp_path):
    """Sessions, turns, uses, versions and times are told for each agent in a place."""
    write(tmp_path / "a.jsonl", used("a").user("on", version="2.1.100").agent("ok"))
    write(tmp_path / "b.jsonl", used("b", day=4).add({"type": "mode"}))
    (place,) = survey([tmp_path], as_of=DAY).places
    (share,) = place.agents
    assert (share.name, share.files, share.sessions, share.turns, share.uses) == ("Claude Code", 2, 2, 5, 2)
    assert (place.turns, place.uses) == (5, 2)
    assert share.versions == ("2.1.96",)
    assert (share.oldest, share.newest_use) == (DAY.replace(day=4, hour=10), DAY.replace(hour=10))
    assert share.newest == place.newest >= share.newest_use
    assert not share.silent
    shown = told(tmp_path)
    assert "Claude Code: 2 sessions, 5 human turns, 2 signs of skill use, version 2.1.96, newest record" in shown


def test_survey_sorts_versions_by_their_numbers(tmp_path):
    """Version 2.1.9 is older than 2.1.10, whatever else a version may hold."""
    for number, version in enumerate(("2.1.10", "2.1.9", "beta", "2.1.9-rc", "9" * 5000, "²")):
        write(tmp_path / f"{number}.jsonl", Transcript(f"s{number}", prefix=f"{number}-").user("go", version=version))
    ((share,),) = [place.agents for place in survey([tmp_path], as_of=DAY).places]
    assert [version for version in share.versions if version in ("2.1.9", "2.1.10")] == ["2.1.9", "2.1.10"]
    assert len(share.versions) == 6


@pytest.mark.parametrize(
    ("use", "last", "now", "silent"),
    [(1, 9, 9, True), (2, 8, 8, False), (3, 9, 9, False), (1, 9, 20, False), (None, 9, 9, True), (None, 4, 4, False)],
)
def test_survey_warns_where_sessions_go_on_without_uses(tmp_path, use, last, now, silent):
    """Seven days of new sessions without a use are worth a word; a place that nobody writes to is not (K29)."""
    first = used("a", day=use) if use else Transcript("a").user("hi", timestamp="2026-01-01T10:00:00Z")
    write(tmp_path / "a.jsonl", first)
    write(tmp_path / "b.jsonl", Transcript("b", prefix="b").user("go", timestamp=f"2026-01-{last:02d}T10:00:00Z"))
    as_of = datetime(2026, 1, now, 11, tzinfo=UTC)
    ((share,),) = [place.agents for place in survey([tmp_path], as_of=as_of).places]
    assert share.silent is silent
    assert ("warning: Claude Code has new sessions, but no use of a skill" in told(tmp_path, as_of=as_of)) is silent


def test_survey_tells_copies_and_of_what(tmp_path):
    """Copies and forks are counted once, and each names the file that counts them."""
    write(tmp_path / "S1.jsonl", used("S1"))
    write(tmp_path / "debug" / "S1-copy.jsonl", used("S1"))
    fork = [json.loads(line) for line in used("S1").user("next").lines]
    lines = (json.dumps(record | {"sessionId": "S2", "forkedFrom": {"sessionId": "S1"}}) for record in fork)
    write(tmp_path / "S2.jsonl", "\n".join(lines))
    (place,) = survey([tmp_path], as_of=DAY).places
    assert (place.sessions, place.turns, place.uses) == (2, 3, 1)
    assert [(copy.session_id, copy.owner_id, copy.copied, copy.items) for copy in place.copies] == [
        ("S2", "S1", 3, 4),
        ("S1", "S1", 3, 3),
    ]
    printed = told(tmp_path)
    assert "copies: 2 sessions repeat others (1 wholly); 6 turns and uses in them" in printed
    assert "S2.jsonl, a fork of S1: 3 of 4 counted in S1.jsonl" in printed


def test_survey_says_nothing_false_of_what_is_deleted(tmp_path, monkeypatch):
    """Only transcripts in Claude Code's own folder expire, as its settings say."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    kept = write(tmp_path / "claude" / "projects" / "p" / "a.jsonl", used("a"))
    other = write(tmp_path / "elsewhere" / "b.jsonl", used("b"))
    for path in (kept, other):
        os.utime(path, ((DAY - timedelta(days=25)).timestamp(),) * 2)
    assert "1 transcript will be deleted by Claude Code within a week: it keeps them 30 days" in told(tmp_path)
    (tmp_path / "claude" / "settings.json").write_text('{"cleanupPeriodDays": 365}')
    assert "deleted" not in told(tmp_path)


def test_survey_fits_the_terminal_and_is_json(tmp_path):
    """Every line fits, whatever names there are; the rows are plain values."""
    long = tmp_path / ("deep" * 20) / ("x" * 90 + "\u202e")
    write(long / "S1.jsonl", used("S1").add({"type": "brand-new"}).add({"type": ""}))
    write(long / "other" / "S1.jsonl", used("S1"))
    write(long / "s9" / "subagents" / "agent-1.jsonl", Transcript("s9").user("look"))
    write(long / "packed.jsonl.gz", b"packed")
    (long / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    found = survey([tmp_path, tmp_path / "nothing"], as_of=DAY)
    lines = sources_text(found).splitlines()
    assert max(map(len, lines)) <= 80 or str(tmp_path) in max(lines, key=len)
    assert "\u202e" not in "".join(lines)
    assert "Not there: Sessions" in "".join(lines)
    assert any(line.strip().startswith("passed over: 1 file compressed") for line in lines)
    rows = json.loads(json.dumps(found.as_rows(), allow_nan=False))
    assert [row["exists"] for row in rows] == [True, False]
    assert rows[0]["skipped"] == {"compressed": 1, "subagent": 1}
    assert rows[0]["agents"][0]["newest_use"] == "2026-01-05T10:00:00+00:00"
