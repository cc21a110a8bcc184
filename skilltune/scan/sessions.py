"""The sessions of an agent's own places, or of files and folders that a person names."""

from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path

from skilltune.errors import ReadError
from skilltune.scan.remote import is_url
from skilltune.scan.scanning import Scan, scan
from skilltune.sources import SOURCES
from skilltune.stores.paths import expand_path
from skilltune.stores.scan_cache import usable_cache

__all__ = ["Paths", "default_roots", "may_exist", "read_sessions"]

Paths = str | Path | Sequence[str | Path]


def default_roots() -> list[Path]:
    """Folders where the agents keep their sessions, whether or not they exist."""
    return [root for source in SOURCES.values() for root in source.default_roots()]


def read_sessions(
    paths: Paths | None = None,
    *,
    strict: bool = False,
    progress: bool = False,
    workers: int | None = 1,
    executor: Executor | None = None,
    cache: bool = False,
) -> Scan:
    """The facts of all sessions in files and folders.

    Parameters
    ----------
    paths
        A file, a folder, a URL that fsspec reads, or several; None for the places where the agents keep their sessions.
    strict
        Raise at the first damaged line instead of counting it.
    progress
        Show a bar where standard error is a terminal.
    workers
        Processes that read; None for as many as the bytes to read are worth.
    executor
        An executor of ``concurrent.futures`` that reads instead of processes of our own; it sees the same files. For
        the workers of a Dask cluster: ``connected_cluster(address)``.
    cache
        Whether to remember, in the user's cache folder, what was read of files until they change or are gone. Not done
        where collection is switched off, or ``SKILLTUNE_CACHE`` is ``off``.

    Raises
    ------
    RecordError
        With `strict`, a line is damaged.
    ReadError
        None of `paths` can be read.
    InputError
        `workers` is no number of processes, or nothing here reads such a URL.
    """
    roots: list[Path | str]
    if paths is None:
        roots = [root for root in default_roots() if may_exist(root)]
    else:
        named = [paths] if isinstance(paths, str | Path) else paths
        roots = [path if is_url(path) else expand_path(path) for path in named]
    kept = usable_cache() if cache else None
    found = scan(roots, strict=strict, progress=progress, workers=workers, executor=executor, cache=kept)
    unreadable = found.summary.unreadable
    if unreadable and len(unreadable) >= found.summary.files and not found.summary.records:
        path, message = unreadable[0]
        raise ReadError(f"nothing could be read: {path}: {message}; name a folder of sessions that you may read")
    return found


def may_exist(path: Path) -> bool:
    """Whether something is at `path`, as far as one may look: what cannot be told apart is read, and so reported."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True
