"""What all tests share: the Hypothesis profile and the optional folder of shared cases."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # the cores are shared: threads that wait for each other take three times as long

os.environ["SKILLTUNE_CACHE"] = "off"  # tests of the cache turn it on, in a folder of their own

settings.register_profile(
    "fixed",
    deadline=None,
    derandomize=True,
    max_examples=60,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("fixed")

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
LONGEST = ("widgets", "reports", "cli", "charts")
"""Folders whose files take longest, with kernels and browsers: first, so that none is left to one worker at the end."""


def pytest_configure() -> None:
    """Let Ctrl-C reach what tests start where a shell without job control started the tests to ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first; the rest stays in its order."""
    folders = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: folders.get(item.path.parent.name, len(folders)))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared cases and real sessions beside the checkout; skips where it is not there."""
    if not (SHARED / "vectors").is_dir():
        pytest.skip("no folder ../shared beside this checkout: cases and real sessions are not tested")
    return SHARED


@pytest.fixture(scope="session")
def chromium() -> str:
    """The Chromium that browser tests drive; skips where there is none, fails under CI."""
    from tests.browser_setup import find_chromium

    found = find_chromium()
    if found is None and os.environ.get("CI"):
        pytest.fail("no Chromium under CI: .ci/run installs it")
    if found is None:
        pytest.skip("no Chromium: sudo apt install chromium")
    return found


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator:
    """A headless Chromium; no longer than a module, since its event loop is in the way of kernels."""
    from playwright.sync_api import sync_playwright

    from tests.lab import ARGUMENTS

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=chromium, headless=True, chromium_sandbox=False, args=ARGUMENTS
        )
        yield running
        running.close()


@pytest.fixture(scope="module")
def jupyterlab(tmp_path_factory: pytest.TempPathFactory) -> Iterator:
    """A real JupyterLab with a home of its own (``tests.lab.Lab``)."""
    from tests.lab import Lab

    lab = Lab(tmp_path_factory.mktemp("lab"), environment={"PYTHONPATH": str(ROOT)})
    try:
        yield lab
    finally:
        lab.stop()
