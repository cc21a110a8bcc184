"""A finished notebook signed as this person's own, so that Jupyter shows its outputs as they are."""

import sqlite3
from pathlib import Path
from typing import Final

import nbformat
from jupyter_core.paths import jupyter_data_dir
from nbformat.sign import NotebookNotary

__all__ = ["trust_notebook"]

_OWN: Final = 0o700


def trust_notebook(text: str) -> bool:
    """Sign a notebook whose file holds `text` with this person's Jupyter key, made if need be; whether that was done.

    Where nothing can be written, as with a read-only home, the notebook stays untrusted: Jupyter then shows its
    outputs without their style, and its first cell says what to do.
    """
    folder = Path(jupyter_data_dir())
    try:
        if not folder.is_dir():
            if not Path.home().is_dir():
                return False
            folder.mkdir(mode=_OWN, parents=True, exist_ok=True)
        notary = NotebookNotary(data_dir=str(folder))  # type: ignore[no-untyped-call]  # nbformat has no types
    except (OSError, RuntimeError, sqlite3.Error):
        return False
    try:
        notary.sign(nbformat.reads(text, as_version=4))  # type: ignore[no-untyped-call]
    except (OSError, sqlite3.Error):
        return False
    finally:
        notary.store.close()
    return True
