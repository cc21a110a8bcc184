"""``metrics``, ``trend``, ``events``, ``sources`` and ``turns`` as a person runs them."""

import json

import pytest

from skilltune.sample import sample_root


@pytest.fixture
def sample(machine):
    """A machine whose log holds the bundled sample."""
    machine.run("mine", "--session-dir", sample_root() / "projects", "--workspace", machine.cwd / ".skilltune")
    return machine


AS_OF = ("--as-of", "2026-11-30")


def test_metrics_table_begins_with_a_sentence(sample):
    """The sentence comes first, then what the order is; the worst skill leads, lines fit, the log is named last."""
    lines = sample.run("metrics", *AS_OF).stdout.splitlines()
    assert "got worse" in lines[0]
    assert lines[2].startswith("Order: most corrected first")
    assert lines[5].startswith("schema-migrator")
    *table, place = lines
    assert max(map(len, table)) <= 80
    assert place.startswith("Read from ")


def test_metrics_json_and_text_agree(sample):
    """Programs get the same rows."""
    rows = json.loads(sample.run("metrics", *AS_OF, "--json").stdout)
    assert rows[0]["skill_id"] == "schema-migrator"
    assert rows[0]["correction_rate"] == pytest.approx(
        (2 * rows[0]["corrections"] + rows[0]["partials"]) / (2 * rows[0]["sample_size"])
    )
    [one] = json.loads(sample.run("metrics", "report-builder", *AS_OF, "--json").stdout)
    assert one == next(row for row in rows if row["skill_id"] == "report-builder")


def test_metrics_plain_has_the_well_known_lines(sample):
    """``--plain`` prints the documented report text."""
    lines = sample.run("metrics", "--plain").stdout.splitlines()
    assert lines[:2] == ["Skill Feedback Metrics", "=" * 40]
    assert any(line.startswith("  schema-migrator: correction_rate=0.") for line in lines)


def test_metrics_min_invocations_moves_a_skill(sample):
    """More judged uses asked for: fewer skills have enough."""
    rows = json.loads(sample.run("metrics", *AS_OF, "--min-invocations", "20", "--json").stdout)
    assert {row["skill_id"] for row in rows if row["sufficient_data"]} == {
        row["skill_id"] for row in rows if row["sample_size"] >= 20
    }


def test_figures_without_implicit_acceptances(sample):
    """Acceptances by going on are left out of the counts, of rates and trends, and the head of each table says so."""
    every, words = (
        {row["skill_id"]: row for row in json.loads(sample.run("metrics", *AS_OF, *options, "--json").stdout)}
        for options in ((), ("--no-implicit",))
    )
    assert sum(row["implicit_acceptances"] for row in every.values()) > 0
    for skill, row in words.items():
        left_out = every[skill]["implicit_acceptances"]
        assert row["sample_size"] == every[skill]["sample_size"] - left_out
    trends = json.loads(sample.run("trend", *AS_OF, "--no-implicit", "--json").stdout)
    assert {row["skill_id"]: row["recent_sample"] for row in trends} == {
        skill: row["sample_size"] for skill, row in words.items()
    }
    for command in ("metrics", "trend"):
        text = " ".join(sample.run(command, *AS_OF, "--no-implicit").stdout.split())
        assert "2026, acceptances by going on left out, against" in text
        assert "left out" not in sample.run(command, *AS_OF).stdout


@pytest.mark.parametrize("command", ["metrics", "trend", "events"])
def test_figures_unknown_skill_names_the_known_ones(sample, command):
    """A misspelt skill is an error that lists what the log knows."""
    assert "schema-migrator" in sample.run(command, "schema-migrater", code=2).stderr


@pytest.mark.parametrize("command", ["metrics", "trend", "events"])
def test_figures_without_a_log_name_the_next_step(machine, command):
    """Without a log the command says how to make one."""
    assert "skilltune mine" in machine.run(command, code=4).stderr


def test_figures_as_of_that_is_no_date(sample):
    """The value and the form to use are named."""
    assert "'soon'" in sample.run("metrics", "--as-of", "soon", code=2).stderr


def test_trend_worse_and_better(sample):
    """The skill that got worse and the one that improved are told apart."""
    rows = {row["skill_id"]: row for row in json.loads(sample.run("trend", *AS_OF, "--json").stdout)}
    assert rows["schema-migrator"]["direction"] == "worsening"
    assert rows["schema-migrator"]["discovered"]
    assert rows["report-builder"]["direction"] == "improving"
    assert rows["report-builder"]["discovered"]


def test_trend_without_history_has_no_baseline(machine, talk):
    """All sessions in the last 30 days: no verdict, and the start of the history is named."""
    for number in range(8):
        machine.session(f"s{number}", talk(f"s{number}", "No, that is wrong.", day="2026-11-20"))
    machine.run("mine")
    [row] = json.loads(machine.run("trend", *AS_OF, "--json").stdout)
    assert (row["direction"], row["trend"]) == ("no_baseline", None)
    assert "2026-11-20" in row["reason"]


def test_events_newest_first_with_their_rule(sample):
    """Each event names the rule that decided it."""
    rows = json.loads(sample.run("events", "--last", "7", "--json").stdout)
    assert len(rows) == 7
    assert [row["timestamp"] for row in rows] == sorted((row["timestamp"] for row in rows), reverse=True)
    assert all(row["rule"] for row in rows)


def test_events_say_how_many_there_are_besides(sample):
    """The number of all, and the option that shows them; nothing where all are shown."""
    total = len(json.loads(sample.run("events", "--last", "100000", "--json").stdout))
    assert f"7 of {total:,}; all of them: --last {total}" in sample.run("events", "--last", "7").stdout
    assert "all of them" not in sample.run("events", "--last", str(total)).stdout


def test_events_text_shows_control_characters(machine, talk):
    """What a terminal would obey is made visible."""
    machine.session("s1", talk("s1", "No, that is wrong\u001b[2J\u202e."))
    machine.run("mine")
    printed = machine.run("events").stdout
    assert "\u001b" not in printed
    assert "\u202e" not in printed
    assert "\\u001b[2J" in printed


def test_sources_names_places_and_counts(machine, talk):
    """Every place is listed, those that are not there too."""
    assert "Not there: " in machine.run("sources").stdout
    machine.session("s1", talk("s1", "thanks"))
    [place] = [place for place in json.loads(machine.run("sources", "--json").stdout) if place["exists"]]
    assert (place["sessions"], place["turns"], place["uses"]) == (1, 2, 1)
    assert sum(place["records"].values()) == 6


def test_sources_warns_of_transcripts_about_to_go(machine, talk):
    """A transcript that Claude Code deletes within a week is counted."""
    import os
    import time

    path = machine.session("s1", talk("s1", "thanks"))
    for days, expiring in ((10, 0), (25, 1)):
        os.utime(path, (time.time() - days * 86400,) * 2)
        assert json.loads(machine.run("sources", "--json").stdout)[0]["expiring"] == expiring


def test_turns_json_has_the_documented_keys(machine, talk):
    """One object a line for each human turn, 1-based line of its record, verdict on the turn."""
    path = machine.session("s1", talk("s1", "No, that is wrong."))
    first, second = map(json.loads, machine.run("turns", path, "--json").stdout.splitlines())
    assert list(first) == [
        "path",
        "line",
        "session",
        "uuid",
        "agent",
        "channel",
        "text",
        "previous_agent",
        "skill_id",
        "attribution",
        "outcome",
        "correction_type",
        "p_negative",
        "p_acceptance",
        "rule",
        *("agent_version", "model", "project"),
    ]
    assert (first["line"], first["outcome"]) == (1, "none")
    assert (second["line"], second["outcome"], second["correction_type"]) == (5, "correction", "rejection")
    assert (second["skill_id"], second["previous_agent"]) == ("tidy-imports", "The imports are sorted.")


def test_turns_private_leaves_the_texts_out(machine, talk):
    """``--private`` prints no words of anybody."""
    path = machine.session("s1", talk("s1", "No, that is wrong."))
    printed = machine.run("turns", path, "--json", "--private").stdout
    assert "wrong" not in printed
    assert "sorted" not in printed


def test_turns_mask_secrets_unless_asked(machine, talk):
    """What is printed of a turn and of the agent before it has its keys masked; ``--raw`` shows all."""
    key = "ghp_" + "a8Kd03LmQ2" * 4
    path = machine.session("s1", talk("s1", f"No, that is wrong, the token is {key}"))
    for options in ([], ["--json"]):
        assert key[4:] not in machine.run("turns", path, *options).stdout
    assert key in machine.run("turns", path, "--json", "--raw").stdout


def test_figures_warn_of_log_lines_nobody_can_read(machine, talk):
    """A damaged line in the log is told on standard error, and the rest counts."""
    machine.session("s1", talk("s1", "No, that is wrong."))
    machine.run("mine")
    log = machine.home / ".skilltune" / "feedback.jsonl"
    log.write_bytes(b"garbage\n" + log.read_bytes())
    for command in ("metrics", "trend", "events", "mine"):
        assert "1 not json" in machine.run(command).stderr
    assert "garbage" in log.read_text(encoding="utf-8")


def test_feedback_scrub_removes_the_words_and_keeps_the_verdicts(machine, talk):
    """After a scrub no text is in the log; asked without an answer it changes nothing."""
    machine.session("s1", talk("s1", "No, that is wrong."))
    machine.run("mine")
    log = machine.home / ".skilltune" / "feedback.jsonl"
    machine.run("feedback", "scrub", code=1)
    assert "that is wrong" in log.read_text(encoding="utf-8")
    assert "1 text and" in machine.run("feedback", "scrub", "--yes").stdout
    assert "that is wrong" not in log.read_text(encoding="utf-8")
    assert json.loads(machine.run("events", "--json").stdout)[0]["correction_type"] == "rejection"


def test_what_is_remembered_of_sessions_is_private_and_scrubbed(machine, talk):
    """Only the person may read it; it is gone after a scrub, and not made where no words are to be stored."""
    machine.session("s1", talk("s1", "No, that is wrong."))
    cache = machine.home / ".cache" / "skilltune" / "scans.sqlite"
    for options in (["--no-cache"], ["--no-snippets"]):
        machine.run("mine", *options)
        assert not cache.exists()
    machine.run("mine", SKILLTUNE_CACHE="off")
    assert not cache.exists()
    machine.run("mine")
    assert cache.stat().st_mode & 0o777 == 0o600
    assert json.loads(machine.run("feedback", "scrub", "--yes", "--json").stdout)["cache_removed"]
    assert not cache.exists()


def test_sources_named_place_that_is_missing(machine):
    """A folder that was named and is not there is an error, unlike a default place."""
    assert "nowhere" in machine.run("sources", "--session-dir", machine.cwd / "nowhere", code=4).stderr


def test_cli_without_a_command_shows_the_help(machine):
    """Nothing asked for: the list of commands, and no error."""
    assert "report" in machine.run().stdout


def test_cli_help_has_an_example_for_every_command(machine):
    """Every command's help shows how it is called."""
    listed = machine.run("--help").stdout.split("Commands:\n")[1]
    commands = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]
    assert {"report", "mine", "metrics", "trend", "turns", "sources", "events"} <= set(commands)
    for command in commands:
        group = {"feedback": ["scrub"], "export": ["events"]}.get(command, [])
        assert f"Example: skilltune {command}" in machine.run(command, *group, "--help").stdout
