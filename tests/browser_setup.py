"""Find a Chromium for the browser tests, or fetch Playwright's; say clearly where neither works."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    """The path of a Chromium: named by SKILLTUNE_CHROMIUM, on the PATH, or Playwright's own."""
    named = os.environ.get("SKILLTUNE_CHROMIUM")
    if named:
        return named if Path(named).exists() else None
    return next((found for name in NAMES if (found := shutil.which(name))), None) or _playwright_chromium()


def _playwright_chromium() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def main() -> int:
    """Return 0 unless CI lacks a browser."""
    if find_chromium():
        return 0
    fetch = [sys.executable, "-m", "playwright", "install", "chromium"]
    fetched = subprocess.run(fetch, capture_output=True, check=False)
    if fetched.returncode == 0 and find_chromium():
        return 0
    sys.stderr.write(
        "No Chromium found and none could be downloaded: the browser tests are skipped. "
        "To run them: sudo apt install chromium, or name one with SKILLTUNE_CHROMIUM=/path/to/chromium\n"
    )
    return 1 if os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main())
