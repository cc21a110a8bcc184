"""The browser that tests of charts share."""

from collections.abc import Iterator

import pytest

from tests.lab import ARGUMENTS


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator:
    """A headless Chromium; no longer than a module, since its event loop is in the way of kernels."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=chromium, headless=True, chromium_sandbox=False, args=ARGUMENTS
        )
        yield running
        running.close()
