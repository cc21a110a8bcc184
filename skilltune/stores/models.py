"""A person's own model: trained on their labels, kept in the workspace, used there instead of the one that ships."""

from pathlib import Path
from typing import Final

from skilltune.errors import ConfigError
from skilltune.mining.model import Model, decode_model, read_model
from skilltune.stores.files import read_small, replace_file
from skilltune.stores.workspace import Workspace

__all__ = ["choose_model", "own_model_path", "read_own_model", "write_own_model"]

_NAME: Final = "model.json"


def own_model_path(place: Workspace) -> Path:
    """Where the workspace's own model is, or would be."""
    return place.folder / _NAME


def read_own_model(place: Workspace) -> Model | None:
    """The workspace's own model; None where there is none.

    Raises
    ------
    ConfigError
        The file is no model that this skilltune reads.
    """
    path = own_model_path(place)
    try:
        content = read_small(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror or error}); mend or delete it") from error
    return decode_model(content, source=str(path))


def choose_model(place: Workspace) -> Model | None:
    """The model to judge with: the workspace's own, else the one that ships."""
    if place.home_is_missing:
        return read_model()
    return read_own_model(place) or read_model()


def write_own_model(place: Workspace, content: bytes) -> Path:
    """Keep a model as the workspace's own."""
    path = own_model_path(place.create())
    replace_file(path, content)
    return path
