"""How a kernel is reached."""

import math
from pathlib import Path

import nbformat
import pytest

from skilltune.errors import ReportError
from skilltune.reports.running import (
    SOCKET_CHARS,
    OwnKernelManager,
    SharedKernel,
    _connection,
    _line_teller,
    run_notebook,
)


def test_kernel_is_reached_without_network(tmp_path: Path):
    """Sockets in the run's folder; TCP, encrypted, only where their path would be too long."""
    file = "/run/x/kernel.json"
    assert _connection(Path("/run/x")) == {"connection_file": file, "transport": "ipc", "ip": "/run/x/k"}
    far = tmp_path / ("x" * SOCKET_CHARS)
    tcp = {"transport": "tcp", "transport_encryption": "auto"}
    assert _connection(far) == {"connection_file": str(far / "kernel.json"), **tcp}


@pytest.mark.parametrize(("seconds", "parts"), [(0, [1, 2, 3]), (math.inf, [1])])
def test_log_gets_a_line_and_more_where_it_takes_long(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seconds: float, parts: list[int]
):
    """The first part has its line, a later one only some time after the last line; injected cells have none."""
    injected = nbformat.v4.new_code_cell("x = 1", metadata={"tags": ["injected-parameters"]})
    cells = [nbformat.v4.new_code_cell(f"{n}") for n in range(3)]
    source = tmp_path / "source.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), source)
    tell = _line_teller(source, seconds=seconds)
    for place, cell in enumerate([cells[0], injected, *cells[1:]]):
        tell(cell=cell, cell_index=place)
    assert capsys.readouterr().err.splitlines() == [f"report: part {part} of 3" for part in parts]


def test_kernel_is_not_interrupted_when_it_shuts_down(tmp_path: Path):
    """A finished kernel gets no signal, which it would print as an error while it handles a message."""
    watch = (
        "import pathlib, signal\n"
        "kernel = get_ipython().kernel\n"
        "kernel.pre_handler_hook = kernel.post_handler_hook = lambda: None\n"
        "signal.signal(signal.SIGINT, lambda *_: pathlib.Path('interrupted').touch())"
    )
    source = tmp_path / "source.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(watch)]), source)
    run_notebook(source, folder=tmp_path, parameters={}, progress=False)
    assert not (tmp_path / "interrupted").exists()


def test_kernel_is_this_python_only():
    """No folder of kernels is looked at: python3 is the interpreter that runs the report."""
    manager = OwnKernelManager(kernel_name="python3")
    assert manager.kernel_spec_manager.kernel_dirs == []
    assert manager.format_kernel_cmd()[0].endswith(("python", "python3", "python.exe"))
    assert (
        manager.kernel_spec.argv[1:3] == ["-Xfrozen_modules=off", "-m"]
        or "ipykernel_launcher" in manager.kernel_spec.argv
    )


def written(folder: Path, *cells: str) -> Path:
    """A notebook of these cells in a folder of its own."""
    folder.mkdir()
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(made, folder / "source.ipynb")
    return folder / "source.ipynb"


def told(notebook: Path) -> list[str]:
    """What the cells of a finished notebook gave."""
    cells = nbformat.read(notebook, as_version=4).cells
    return [output["data"]["text/plain"] for cell in cells for output in cell.get("outputs", []) if "data" in output]


def test_shared_kernel_keeps_modules_and_forgets_names(tmp_path: Path):
    """Two notebooks run in one process; the second sees no name of the first."""
    first = written(tmp_path / "a", "import os\nmine = 1\nos.getpid()")
    second = written(tmp_path / "b", "'mine' in globals(), 'os' in globals()", "import os\nos.getpid()")
    with SharedKernel() as kernel:
        one, two = (
            told(run_notebook(source, folder=source.parent, parameters={}, progress=False, kernel=kernel))
            for source in (first, second)
        )
    assert two == ["(False, False)", *one]


@pytest.mark.parametrize(("cell", "words"), [("1 / 0", "ZeroDivisionError"), ("import os\nos._exit(3)", "stopped")])
def test_shared_kernel_is_a_new_one_after_a_failure(tmp_path: Path, cell: str, words: str):
    """A cell that fails, or a kernel that dies, is told, and the next notebook runs in another process."""
    sources = [written(tmp_path / name, *cells) for name, *cells in (
        ("a", "import os\nos.getpid()"), ("b", cell), ("c", "import os\nos.getpid()"),
    )]  # fmt: skip
    with SharedKernel() as kernel:
        options = {"parameters": {}, "progress": False, "kernel": kernel}
        before = told(run_notebook(sources[0], folder=sources[0].parent, **options))
        with pytest.raises(ReportError, match=words):
            run_notebook(sources[1], folder=sources[1].parent, **options)
        after = told(run_notebook(sources[2], folder=sources[2].parent, **options))
    assert len(after) == 1
    assert after != before


def test_shared_kernel_that_does_not_forget_is_replaced(tmp_path: Path):
    """A notebook that leaves the kernel unable to start anew does not reach the next one."""
    first = written(tmp_path / "a", "get_ipython().reset = None\nmine = 1")
    second = written(tmp_path / "b", "'mine' in globals()")
    with SharedKernel() as kernel:
        options = {"parameters": {}, "progress": False, "kernel": kernel}
        run_notebook(first, folder=first.parent, **options)
        assert told(run_notebook(second, folder=second.parent, **options)) == ["False"]
