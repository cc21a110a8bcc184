"""``skilltune export`` as a person runs it."""

import csv
import io
import json
import stat

import pytest

from tests.exporting.logs import judged, written

AS_OF = ("--as-of", "2026-11-30")


@pytest.fixture
def log(machine):
    """A log with one correction, two partials and one acceptance."""
    return written(machine.cwd, judged("correction", "partial", "partial", "acceptance"))


def test_export_of_the_workspace(machine, talk):
    """After ``mine`` no path is needed; the file says what the log says, for its owner only."""
    machine.session("s1", talk("s1", "No, that is wrong. Sort them by length."))
    machine.run("mine")
    out = machine.run("export", "events", "--output", "events.csv").stdout
    assert out == "1 row of events written to events.csv\n"
    (row,) = csv.DictReader(io.StringIO((machine.cwd / "events.csv").read_text(encoding="utf-8")))
    assert (row["skill_id"], row["outcome"]) == ("tidy-imports", "correction")
    assert stat.S_IMODE((machine.cwd / "events.csv").stat().st_mode) == 0o600
    assert "1 row of uses" in machine.run("export", "uses", "--output", "uses.json").stdout


def test_hotspot_note_and_metrics_say_the_same_rate(machine, log):
    """One correction, two partials and one acceptance are 50 %."""
    name = "2026-11-30-session-feedback-hotspots.md"
    machine.run("export", "hotspots", "--input", log, "--output", name, *AS_OF)
    machine.run("export", "metrics", "--input", log, "--output", "m.json", *AS_OF)
    assert "Correction rate 50% (" in (machine.cwd / name).read_text(encoding="utf-8")
    told = json.loads((machine.cwd / "m.json").read_text(encoding="utf-8"))
    assert told["rows"][0]["correction_rate"] == 0.5
    told = json.loads(machine.run("metrics", "--log", log, *AS_OF, "--json").stdout)
    assert told[0]["correction_rate"] == 0.5


def test_json_tells_a_program_what_was_written(machine, log):
    """Path, format, rows and columns."""
    out = machine.run("export", "hotspots", "--log", log, "--output", "h.csv", *AS_OF, "--json").stdout
    told = json.loads(out)
    assert (told["output"], told["content"], told["format"], told["rows"]) == ("h.csv", "hotspots", "csv", 1)
    assert told["columns"][0] == "skill_id"


def test_a_file_is_replaced_or_grows_only_when_told(machine, log):
    """Exit code 2 and the way on; then replaced, or with new rows."""
    call = ("export", "metrics", "--log", log, "--output", "m.csv")
    machine.run(*call, "--as-of", "2026-11-12")
    assert "say --overwrite to replace it" in machine.run(*call, *AS_OF, code=2).stderr
    assert "added to m.csv" in machine.run(*call, *AS_OF, "--append").stdout
    assert (machine.cwd / "m.csv").read_bytes().count(b"\r\n") == 3
    machine.run(*call, *AS_OF, "--overwrite")
    assert (machine.cwd / "m.csv").read_bytes().count(b"\r\n") == 2


@pytest.mark.parametrize("how", [("other-skill",), ("--skill", "other-skill")])
def test_one_skill_alone(machine, how):
    """By argument or option; a skill without uses gives no rows."""
    rows = judged("correction", "acceptance")
    rows[1]["skill_id"] = "other-skill"
    log = written(machine.cwd, rows)
    out = machine.run("export", "events", *how, "--log", log, "--output", "e.csv", *AS_OF).stdout
    assert out.startswith("1 row of events")
    assert b"tidy-imports" not in (machine.cwd / "e.csv").read_bytes()


def test_privacy_and_no_snippets(machine):
    """Words and names are left out as asked."""
    log = written(machine.cwd, judged("correction", user_message_snippet="planted words", session_id="planted-one"))
    call = ("export", "events", "--log", log, *AS_OF)
    machine.run(*call, "--output", "p.csv", "--privacy")
    machine.run(*call, "--output", "n.csv", "--no-snippets")
    assert b"planted" not in (machine.cwd / "p.csv").read_bytes()
    text = (machine.cwd / "n.csv").read_bytes()
    assert b"planted words" not in text
    assert b"planted-one" in text


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["events", "--output", "e.xlsx"], 2, "is no format; name one with --format: csv, json, parquet, md"),
        (["events", "--output", "e.csv", "--skill", "nothing"], 2, "no use of the skill 'nothing' is in the log"),
        (["events", "--output", "e.csv", "--log", "none.jsonl"], 4, "make one with: skilltune mine"),
        (["metrics", "--output", "m.md", "--append"], 0, ""),
    ],
)
def test_export_says_what_is_wrong(machine, log, arguments, code, complaint):
    """One line on standard error, the exit code, nothing written."""
    before = {path.name for path in machine.cwd.iterdir()}
    given = arguments if "--log" in arguments else [*arguments, "--log", log]
    assert complaint in machine.run("export", *given, *AS_OF, code=code).stderr
    if code:
        assert {path.name for path in machine.cwd.iterdir()} == before


def test_help_says_what_becomes_of_formulas(machine):
    """Also which package Parquet needs."""
    out = " ".join(machine.run("export", "events", "--help", COLUMNS="200").stdout.split())
    assert "has an apostrophe (') before it" in out
    assert "pip install 'skilltune[parquet]'" in out
    listed = machine.run("export", "--help").stdout
    assert all(f"  {name}" in listed for name in ("events", "uses", "metrics", "hotspots"))


def test_without_a_name_the_file_has_the_usual_one(machine, log):
    """In the current folder or the one that is named; hotspots are a note."""
    machine.run("export", "hotspots", "--log", log, *AS_OF)
    machine.run("export", "events", "--log", log, *AS_OF)
    (machine.cwd / "kept").mkdir()
    machine.run("export", "uses", "--log", log, *AS_OF, "--output", "kept", "--format", "json")
    for name in ("hotspots.md", "events.csv"):
        assert (machine.cwd / f"2026-11-30-session-feedback-{name}").is_file()
    assert (machine.cwd / "kept" / "2026-11-30-session-feedback-uses.json").is_file()


@pytest.mark.parametrize("group", ["export", "feedback", "audit"])
def test_a_group_alone_shows_its_help(machine, group):
    """Each with the same exit code, 0."""
    assert "Commands:" in machine.run(group).stdout
