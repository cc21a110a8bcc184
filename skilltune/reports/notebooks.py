"""The notebooks that come with skilltune: which there are, and copies of them to open in JupyterLab."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from skilltune.errors import InputError
from skilltune.reports.definition import CHECKOUT
from skilltune.stores.files import make_folder, replace_file
from skilltune.stores.paths import expand_path, look_at

__all__ = ["Copies", "copy_notebook", "copy_notebooks", "shipped_notebooks"]

_END: Final = ".ipynb"
_WORKSPACE: Final = 'workspace: str = ""'
"""The parameter of every notebook that says which workspace it is about."""


@dataclass(frozen=True, slots=True)
class Copies:
    """What became of the shipped notebooks in a folder, by file name."""

    folder: Path
    copied: tuple[str, ...]
    """New ones."""
    same: tuple[str, ...]
    """Those that were there as they are shipped."""
    kept: tuple[str, ...]
    """Those that were there and are other than the shipped ones: run, edited, or of another version."""


def shipped_notebooks() -> dict[str, bytes]:
    """Name (without ``.ipynb``) → content of each notebook, of the installed package or of the checkout."""
    packaged = files("skilltune") / "notebooks"
    folder = packaged if packaged.is_dir() else CHECKOUT / "notebooks"
    found = (entry for entry in folder.iterdir() if entry.name.endswith(_END))
    return {entry.name.removesuffix(_END): entry.read_bytes() for entry in sorted(found, key=lambda entry: entry.name)}


def copy_notebook(name: str, output: str | Path | None = None) -> Path:
    """Put a copy of a shipped notebook in a place where it can be run and edited; its path.

    Parameters
    ----------
    name
        As in ``shipped_notebooks``; ``.ipynb`` behind it and the number before it may be missing or not.
    output
        The file; default its name in the current folder. One that is there already with other content is left as it
        is: it was run or edited.

    Raises
    ------
    InputError
        There is no such notebook, `output` is no ``.ipynb``, or another file is there.
    LogError
        It cannot be written.
    """
    known = shipped_notebooks()
    wanted = name.removesuffix(_END)
    full = next((each for each in known if wanted in (each, each.partition("_")[2])), None)
    if full is None:
        raise InputError(f"there is no notebook {name!r}; those there are: {', '.join(known)}")
    target = expand_path(output if output is not None else f"{full}{_END}")
    if target.suffix != _END:
        raise InputError(f"{target} is no name of a notebook; give one that ends in {_END}")
    if _is_there(target):
        if _holds(target, known[full]):
            return target
        raise InputError(
            f"{target} is there already, and was run or edited: open it as it is, or name another file with --output"
        )
    make_folder(target.parent)
    replace_file(target, known[full])
    return target


def copy_notebooks(folder: str | Path, *, workspace: str | Path | None = None) -> Copies:
    """Put a copy of every shipped notebook into `folder`, and leave those that are there; what became of each.

    Parameters
    ----------
    workspace
        What the notebooks' parameter of that name says; None leaves it empty, so that they find it themselves.

    Raises
    ------
    LogError
        They cannot be written.
    """
    place = expand_path(folder)
    make_folder(place)
    shipped = {f"{name}{_END}": content for name, content in shipped_notebooks().items()}
    if workspace is not None:
        shipped = {name: _about(content, str(workspace)) for name, content in shipped.items()}
    there = {name for name in shipped if _is_there(place / name)}
    for name in shipped.keys() - there:
        replace_file(place / name, shipped[name])
    return _told(place, shipped, there=there)


def _told(place: Path, shipped: Mapping[str, bytes], *, there: set[str]) -> Copies:
    same = {name for name in there if _holds(place / name, shipped[name])}
    return Copies(
        place,
        copied=tuple(sorted(shipped.keys() - there)),
        same=tuple(sorted(same)),
        kept=tuple(sorted(there - same)),
    )


def _about(content: bytes, workspace: str) -> bytes:
    """A notebook whose parameter ``workspace`` names that folder; one without it is left as it is."""
    notebook = json.loads(content)
    for cell in notebook["cells"]:
        if "parameters" in cell.get("metadata", {}).get("tags", []):
            value = f"workspace: str = {json.dumps(workspace)}"
            cell["source"] = [line.replace(_WORKSPACE, value) for line in cell["source"]]
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _holds(path: Path, content: bytes) -> bool:
    return look_at(path) is not None and path.is_file() and path.read_bytes() == content
