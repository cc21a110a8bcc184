"""config.toml: defaults, what is set, and mistakes named by file, key, value and limit."""

import os
import re
from dataclasses import fields

import pytest

from skilltune.errors import ConfigError
from skilltune.stores.config import Config, MiningConfig, PrivacyConfig, RefinementConfig, ReportConfig, read_config


@pytest.fixture
def write(tmp_path):
    """Writes config.toml and returns its path."""

    def write(text: str | bytes):
        path = tmp_path / "config.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_config_defaults(tmp_path, write):
    """Without a file, and with an empty one, the documented defaults hold."""
    for path in (tmp_path / "none.toml", write("")):
        assert read_config(path) == Config()
    assert read_config(write("")).refinement == RefinementConfig(
        min_corrections=3,
        min_confidence=0.7,
        min_sessions=1,
        cooldown_days=7,
        max_change_percent=20,
        max_metadata_changes=3,
        drift_limit=60,
        rejected_memory=3,
    )
    assert (MiningConfig().window_turns, ReportConfig().min_invocations, PrivacyConfig().snippets) == (3, 5, True)


FLIPS = [
    ("refinement", "min_corrections", "5", 5),
    ("refinement", "min_confidence", "1", 1),
    ("refinement", "min_sessions", "2", 2),
    ("refinement", "cooldown_days", "0", 0),
    ("refinement", "max_change_percent", "12.5", 12.5),
    ("refinement", "max_metadata_changes", "0", 0),
    ("refinement", "drift_limit", "100", 100),
    ("refinement", "rejected_memory", "0", 0),
    ("refinement", "confidence", '"documented"', "documented"),
    ("refinement", "on_conflict", '"block"', "block"),
    ("refinement", "stamp", "false", False),
    ("refinement", "commit", "true", True),
    ("mining", "window_turns", "5", 5),
    ("mining", "scripted", "true", True),
    ("mining", "folders", '["~/a", "b"]', ("~/a", "b")),
    ("mining", "unmeasurable", '["a", "b", "a"]', ("a", "b")),
    ("privacy", "snippets", "false", False),
    ("report", "time_zone", '"Asia/Tokyo"', "Asia/Tokyo"),
    ("report", "min_invocations", "1", 1),
    ("report", "output", '"out"', "out"),
    ("judge", "enabled", "true", True),
    ("judge", "agent", '"codex"', "codex"),
    ("judge", "command", '["ask", "--json"]', ("ask", "--json")),
    ("judge", "model", '"small"', "small"),
    ("judge", "use", "true", True),
    ("judge", "max_turns", "50", 50),
    ("judge", "max_chars", "500", 500),
    ("judge", "batch_size", "1", 1),
    ("judge", "timeout_seconds", "30", 30),
]


@pytest.mark.parametrize(("section", "key", "text", "value"), FLIPS)
def test_config_sets_key(write, section, key, text, value):
    """Each key changes its value and no other (the kind of confidence brings a threshold of its own)."""
    config = read_config(write(f"[{section}]\n{key} = {text}\n"))
    changed = getattr(config, section)
    assert getattr(changed, key) == value != getattr(getattr(Config(), section), key)
    own = {"confidence": {"confidence", "min_confidence"}}.get(key, {key})
    rest = [item.name for item in fields(changed) if item.name not in own]
    assert [getattr(changed, name) for name in rest] == [getattr(getattr(Config(), section), name) for name in rest]


def test_config_every_key_is_tested():
    """No key lacks a test that changes it (K43)."""
    known = {
        (name, f.name)
        for name in ("refinement", "mining", "privacy", "report", "judge")
        for f in fields(getattr(Config(), name))
    }
    assert {(section, key) for section, key, _, _ in FLIPS} == known


def test_config_of_one_skill(write):
    """A skill's section changes what it names and takes the rest from [refinement]."""
    text = (
        '[refinement]\ncooldown_days = 14\n[skill.tidy]\nmin_corrections = 2\n[skill."docs:tidy"]\ndrift_limit = 10\n'
    )
    config = read_config(write(text))
    assert config.refinement_for("tidy") == RefinementConfig(cooldown_days=14, min_corrections=2)
    assert config.refinement_for("docs:tidy") == RefinementConfig(cooldown_days=14, drift_limit=10)
    assert config.refinement_for("other") == RefinementConfig(cooldown_days=14)


MISTAKES = [
    (
        "[refinement]\nmin_corrections = 0",
        "[refinement] min_corrections is 0; it must be a whole number from 1 to 1000",
    ),
    ("[refinement]\nmin_corrections = 2.5", "[refinement] min_corrections is 2.5; it must be a whole number from 1"),
    ("[refinement]\nmin_corrections = true", "[refinement] min_corrections is True; it must be a whole number"),
    ("[refinement]\nmin_confidence = 1.01", "[refinement] min_confidence is 1.01; it must be a number from 0 to 1"),
    ("[refinement]\nmin_confidence = nan", "[refinement] min_confidence is nan; it must be a number from 0 to 1"),
    ('[refinement]\ncooldown_days = "7"', "[refinement] cooldown_days is '7'; it must be a whole number from 0"),
    ("[refinement]\nmax_change_percent = 101", "max_change_percent is 101; it must be a number from 1 to 100"),
    ("[refinement]\ndrift_limit = 0", "drift_limit is 0; it must be a number from 1 to 100"),
    ("[refinement]\nrejected_memory = -1", "rejected_memory is -1"),
    ("[refinement]\nmax_metadata_changes = -1", "max_metadata_changes is -1"),
    ("[refinement]\nmin_sessions = 0", "min_sessions is 0"),
    ("[skill.tidy]\ndrift_limit = 500", "[skill.tidy] drift_limit is 500; it must be a number from 1 to 100"),
    ("[skill]\ntidy = 3", "skill.tidy is 3; it must be a section: [skill.tidy]"),
    ("skill = 3", "skill is 3; it must be sections: [skill.NAME]"),
    ("mining = 3", "mining is 3; it must be a section: [mining]"),
    ("[mining]\nwindow_turns = 21", "[mining] window_turns is 21; it must be a whole number from 1 to 20"),
    ('[mining]\nscripted = "yes"', "[mining] scripted is 'yes'; it must be true or false"),
    ('[mining]\nfolders = "~/a"', "[mining] folders is '~/a'; it must be a list of folders"),
    ('[mining]\nunmeasurable = "a"', "[mining] unmeasurable is 'a'; it must be a list of names of skills"),
    ('[mining]\nunmeasurable = [" "]', "[mining] unmeasurable is [' ']; it must be a list of names"),
    ("[mining]\nfolders = [1]", "[mining] folders is [1]; it must be a list of folders"),
    ("[privacy]\nsnippets = 0", "[privacy] snippets is 0; it must be true or false"),
    ('[report]\ntime_zone = "Mars/Olympus"', "[report] time_zone is 'Mars/Olympus'; it must be a time zone such as"),
    ('[report]\ntime_zone = "../x"', "[report] time_zone is '../x'; it must be a time zone"),
    ("[report]\ntime_zone = 9", "[report] time_zone is 9; it must be a text in quotes"),
    ('[report]\noutput = ""', "[report] output is ''; it must be a text in quotes"),
    ("[report]\nmin_invocations = 0", "[report] min_invocations is 0"),
    ("[refinement]\nmin_correction = 3", "[refinement] has no key 'min_correction'; did you mean 'min_corrections'?"),
    ("[privacy]\nxyz = 3", "[privacy] has no key 'xyz'; known are snippets"),
    ("[minning]\n", "there is no section [minning]; did you mean 'mining'?"),
    ("[zzz]\n", "there is no section [zzz]; known are refinement, mining, privacy, report, judge, skill"),
    ("[refinement]\nauto_apply = false", "'auto_apply' is no key: a change is applied by a person"),
    ("approval = false", "'approval' is no key: a change is applied by a person"),
    ('[judge]\nagent = "gpt"', "[judge] agent is 'gpt'; it must be claude, codex, opencode, or \"\" for none"),
    ('[judge]\nuse = "yes"', "[judge] use is 'yes'; it must be true or false"),
    ("[judge]\nagent = [1]", "[judge] agent is [1]; it must be claude, codex"),
    ('[judge]\ncommand = "ask --json"', "[judge] command is 'ask --json'; it must be a list of the program and its"),
    ('[judge]\ncommand = ["ask", 1]', "[judge] command is ['ask', 1]; it must be a list of the program"),
    ('[judge]\ncommand = [""]', "[judge] command is ['']; it must be a list of the program"),
    ('[judge]\ncommand = ["a\\u0000"]', "it must be a list of the program"),
    ('[judge]\nagent = "codex"\ncommand = ["ask"]', "[judge] names both agent and command"),
    ('[judge]\nenabled = "yes"', "[judge] enabled is 'yes'; it must be true or false"),
    ("[judge]\nmodel = 3", "[judge] model is 3; it must be a text in quotes"),
    ("[judge]\nmax_turns = 0", "[judge] max_turns is 0; it must be a whole number from 1 to 100000"),
    ("[judge]\nmax_chars = 199", "[judge] max_chars is 199; it must be a whole number from 200 to 16000"),
    ("[judge]\nbatch_size = 51", "[judge] batch_size is 51; it must be a whole number from 1 to 50"),
    ("[judge]\ntimeout_seconds = 4", "[judge] timeout_seconds is 4; it must be a whole number from 5 to 3600"),
    ("[judge]\nsend = true", "[judge] has no key 'send'; did you mean"),
    ("[refinement\n", "is no valid TOML"),
    (b"[report]\noutput = '\xff'", "is no valid TOML"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES, ids=[message[:40] for _, message in MISTAKES])
def test_config_mistake(write, text, message):
    """A mistake is refused with the file, key, value and limit, and the file is left as it is."""
    path = write(text)
    before = path.read_bytes()
    with pytest.raises(ConfigError, match=re.escape(message)) as caught:
        read_config(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_config_that_cannot_be_read(tmp_path):
    """A folder in the place of the file: the error names it."""
    with pytest.raises(ConfigError, match=r"cannot be read .*make it readable"):
        read_config(tmp_path)


def test_config_with_byte_order_mark_and_crlf(write):
    """A file written by a Windows editor is read."""
    assert read_config(write(b"\xef\xbb\xbf[mining]\r\nwindow_turns = 4\r\n")).mining.window_turns == 4


def test_config_warns_of_low_confidence(write):
    """A confidence below 0.5 is allowed, with a warning that names section and value; 0.5 is not warned of."""
    config = read_config(write("[refinement]\nmin_confidence = 0.5\n[skill.x]\nmin_confidence = 0.4\n"))
    assert len(config.warnings) == 1
    assert "[skill.x] min_confidence is 0.4, below 0.5" in config.warnings[0]


def test_config_nested_without_end(tmp_path):
    """A list in a list in a list … is no valid TOML for us, and no crash."""
    (tmp_path / "config.toml").write_text("a=" + "[" * 100_000)
    with pytest.raises(ConfigError, match="is no valid TOML"):
        read_config(tmp_path / "config.toml")


def test_config_that_is_a_pipe(tmp_path):
    """A pipe is not waited for."""
    os.mkfifo(tmp_path / "config.toml")
    with pytest.raises(ConfigError, match=r"cannot be read .*no regular file"):
        read_config(tmp_path / "config.toml")


@pytest.mark.parametrize("text", ["~nobody-of-that-name", "x" * 300, "a\\u0000b"])
@pytest.mark.parametrize("line", ['[report]\noutput = "{}"', '[mining]\nfolders = ["{}"]'])
def test_config_folder_that_is_no_path(tmp_path, line, text):
    """A folder that cannot be is named with its key."""
    (tmp_path / "config.toml").write_text(line.format(text))
    with pytest.raises(ConfigError, match=r"config\.toml: \[(report|mining)\] (output|folders): .*is no path"):
        read_config(tmp_path / "config.toml")


def test_config_documented_confidence_has_a_threshold_it_can_reach(write):
    """The documented confidence cannot exceed 0.5, so its threshold is 0.35 where none is set."""
    assert read_config(write('[refinement]\nconfidence = "documented"\n')).refinement.min_confidence == 0.35
    set_too = '[refinement]\nconfidence = "documented"\nmin_confidence = 0.4\n'
    assert read_config(write(set_too)).refinement.min_confidence == 0.4
    with pytest.raises(ConfigError, match="agreement or documented"):
        read_config(write('[refinement]\nconfidence = "sure"\n'))
