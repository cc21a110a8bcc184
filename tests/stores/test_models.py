"""A workspace's own model: read, written, preferred to the one that ships."""

import os
import stat

import pytest

from skilltune.errors import ConfigError
from skilltune.mining.features import FEATURES_VERSION
from skilltune.mining.model import read_model
from skilltune.stores.models import choose_model, own_model_path, read_own_model, write_own_model
from skilltune.stores.workspace import find_workspace
from skilltune.training.publishing import encode_model
from tests.mining.models import make_file


@pytest.fixture
def place(tmp_path):
    """A workspace that is not there yet."""
    return find_workspace(explicit=tmp_path / "ws")


def test_own_model_is_none_where_there_is_none(place):
    """Without a file there is no own model, nothing is made, and the one that ships is chosen."""
    assert read_own_model(place) is None
    assert choose_model(place) is read_model()
    assert not place.folder.exists()


def test_own_model_is_chosen_and_deleting_it_goes_back(place):
    """Once written it is used in its workspace; deleted, the one that ships is again."""
    file = make_file(version="model-0000abcd", weights={"word=é": (1.0, -1.0)})
    path = write_own_model(place, encode_model(file))
    assert path == own_model_path(place) == place.folder / "model.json"
    assert choose_model(place).file == file
    path.unlink()
    assert choose_model(place) is read_model()


def test_own_model_is_of_one_workspace(place, tmp_path):
    """Another workspace does not see it."""
    write_own_model(place, encode_model(make_file()))
    assert read_own_model(find_workspace(explicit=tmp_path / "other")) is None


def test_own_model_is_private_and_kept_out_of_git(place):
    """It names words of the person's: only they can read it, and the workspace keeps it out of git."""
    path = write_own_model(place, encode_model(make_file()))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (place.folder / ".gitignore").read_text(encoding="utf-8").startswith(("*", "#"))
    assert "!model.json" not in (place.folder / ".gitignore").read_text(encoding="utf-8")


def test_own_model_is_replaced_whole(place):
    """A second one takes the place of the first, and nothing is left beside."""
    write_own_model(place, encode_model(make_file(version="model-00000001")))
    write_own_model(place, encode_model(make_file(version="model-00000002")))
    assert read_own_model(place).version == "model-00000002"
    assert sorted(entry.name for entry in place.folder.iterdir()) == [".gitignore", "model.json"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "is no model"),
        (b"{", "is no model"),
        (b"\x00" * 100, "is no model"),
        (encode_model(make_file(features=FEATURES_VERSION + 1)), "trained on features of version"),
        (encode_model(make_file(calibration={})), "has no acceptance, negative"),
    ],
)
def test_own_model_that_is_damaged_is_named(place, content, complaint):
    """A damaged file is an error with its path and what to do, never a silent step back."""
    path = write_own_model(place, content)
    for read in (read_own_model, choose_model):
        with pytest.raises(ConfigError) as caught:
            read(place)
        assert str(path) in str(caught.value)
        assert complaint in str(caught.value)


def test_own_model_that_cannot_be_read_is_named(place):
    """A folder in its place, or a pipe, is an error with its path and what to do; it is not waited for."""
    path = own_model_path(place.create())
    path.mkdir()
    with pytest.raises(ConfigError, match=r"model\.json cannot be read \(.*\); mend or delete it"):
        choose_model(place)
    path.rmdir()
    os.mkfifo(path)
    with pytest.raises(ConfigError, match=r"model\.json cannot be read \(.*\); mend or delete it"):
        choose_model(place)


def test_own_model_that_is_too_large_is_named(place):
    """A file of many megabytes is no model, and is not read whole."""
    path = own_model_path(place.create())
    with path.open("wb") as file:
        file.truncate(2**31)
    with pytest.raises(ConfigError, match=r"model\.json cannot be read"):
        choose_model(place)


def test_own_model_where_there_is_no_home(monkeypatch, tmp_path):
    """Without a home folder there is no own model: the one that ships is chosen."""
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("skilltune.stores.workspace.find_home", lambda: None)
    assert choose_model(find_workspace(tmp_path)) is read_model()
