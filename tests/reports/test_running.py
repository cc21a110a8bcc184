"""How a kernel is reached."""

from pathlib import Path

import nbformat

from skilltune.reports.running import SOCKET_CHARS, OwnKernelManager, _connection, run_notebook


def test_kernel_is_reached_without_network(tmp_path: Path):
    """Sockets in the run's folder; TCP, encrypted, only where their path would be too long."""
    file = "/run/x/kernel.json"
    assert _connection(Path("/run/x")) == {"connection_file": file, "transport": "ipc", "ip": "/run/x/k"}
    far = tmp_path / ("x" * SOCKET_CHARS)
    tcp = {"transport": "tcp", "transport_encryption": "auto"}
    assert _connection(far) == {"connection_file": str(far / "kernel.json"), **tcp}


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
