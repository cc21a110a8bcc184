"""What all tests share: the Hypothesis profile and the optional folder of shared cases."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

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
