"""The person's switch: off means off, and so does a file that nobody understands."""

import os
import re

import pytest

from skilltune.errors import CollectionDisabled
from skilltune.stores.privacy import check_collection, collection_config_path


@pytest.fixture
def config(tmp_path, monkeypatch):
    """The place of the config file in a moved Claude folder; no file is there yet."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    return tmp_path / "feedback-config.json"


def test_collection_without_file(config):
    """No file, no objection."""
    assert collection_config_path() == config
    check_collection()


@pytest.mark.parametrize("text", ['{"enabled": true}', "{}", '{"other": 1}', '\ufeff{"enabled": true}\r\n'])
def test_collection_allowed(config, text):
    """A file that says yes, or nothing of it."""
    config.write_text(text, encoding="utf-8")
    check_collection()


def test_collection_switched_off(config):
    """The switch stops everything; the message names the file and how to switch on again."""
    config.write_text('{"enabled": false}')
    with pytest.raises(CollectionDisabled, match=rf"switched off by {re.escape(str(config))}.*set \"enabled\": true"):
        check_collection()


@pytest.mark.parametrize(
    "content",
    [
        b'{"enabled": "false"}',
        b'{"enabled": "true"}',
        b'{"enabled": 0}',
        b'{"enabled": 1}',
        b'{"enabled": null}',
        b'{"enabled": [true]}',
        b'{"enabled": true, "enabled": false}',
        b'{"enabled": false, "enabled": true}',
        b'{"enabled": true',
        b"{enabled: true}",
        b"",
        b"true",
        b"[]",
        b"null",
        b'{"enabled": true}\xff',
        b"[" * 100_000,
    ],
)
def test_collection_refused_in_doubt(config, content):
    """P09: what cannot be understood stops collection, with a message that says what to write."""
    config.write_bytes(content)
    with pytest.raises(CollectionDisabled, match=r"nothing was collected.*Write \{\"enabled\": true\}") as caught:
        check_collection()
    assert str(config) in str(caught.value)
    assert config.read_bytes() == content


def test_collection_refused_where_file_is_a_folder(config):
    """A file that cannot be read stops collection, too."""
    config.mkdir()
    with pytest.raises(CollectionDisabled, match="cannot be read"):
        check_collection()


def test_collection_config_in_home(tmp_path, monkeypatch):
    """Unless moved, the file is in ~/.claude."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert collection_config_path() == tmp_path / ".claude" / "feedback-config.json"


@pytest.mark.parametrize("name", ["Enabled", "ENABLED", " enabled", "enabled:", "ｅｎａｂｌｅｄ", "en-abled"])
@pytest.mark.parametrize("value", ["true", "false"])
def test_collection_refused_for_another_spelling(config, name, value):
    """A key that was meant to be "enabled" is not passed over."""
    config.write_text(f'{{"{name}": {value}, "other": 1}}', encoding="utf-8")
    with pytest.raises(CollectionDisabled, match='which must be written "enabled"'):
        check_collection()


def test_collection_refused_for_a_link_that_leads_nowhere(config, tmp_path, monkeypatch):
    """A link to a file, or a folder, that is not there may have led to a no."""
    config.symlink_to("nowhere")
    with pytest.raises(CollectionDisabled, match="is a link that leads nowhere"):
        check_collection()
    (tmp_path / "claude").symlink_to("nowhere")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    with pytest.raises(CollectionDisabled, match=r"is below .*claude, a link that leads nowhere"):
        check_collection()


def test_collection_refused_for_a_pipe_or_an_endless_file(config):
    """Nobody waits for a pipe or a device."""
    os.mkfifo(config)
    with pytest.raises(CollectionDisabled, match=r"cannot be read .*no regular file"):
        check_collection()
    config.unlink()
    config.symlink_to("/dev/zero")
    with pytest.raises(CollectionDisabled, match=r"cannot be read .*no regular file"):
        check_collection()


def test_collection_refused_where_the_folder_is_none(tmp_path, monkeypatch):
    """Where nobody can look for the file, the message does not say to write it there."""
    (tmp_path / "claude").touch()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    with pytest.raises(CollectionDisabled, match=r"claude cannot be looked into \(Not a directory\)") as caught:
        check_collection()
    assert "Write" not in str(caught.value)
