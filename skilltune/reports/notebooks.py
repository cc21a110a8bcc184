"""The notebooks that come with skilltune: which there are, and a copy of one to open in JupyterLab."""

from importlib.resources import files
from pathlib import Path
from typing import Final

from skilltune.errors import InputError
from skilltune.reports.definition import CHECKOUT
from skilltune.stores.files import make_folder, replace_file
from skilltune.stores.paths import expand_path

__all__ = ["copy_notebook", "shipped_notebooks"]

_END: Final = ".ipynb"


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
    if target.exists() or target.is_symlink():
        if target.is_file() and target.read_bytes() == known[full]:
            return target
        raise InputError(
            f"{target} is there already, and was run or edited: open it as it is, or name another file with --output"
        )
    make_folder(target.parent)
    replace_file(target, known[full])
    return target
