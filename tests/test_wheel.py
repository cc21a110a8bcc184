"""The wheel, installed in a venv of its own, makes a report in an empty folder."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = [pytest.mark.wheel, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built from this checkout."""
    out = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (path,) = out.glob("*.whl")
    return path


def test_wheel_holds_notebooks_sample_and_data(wheel):
    """What runs from the checkout is in the wheel, and nothing of the tests is."""
    names = zipfile.ZipFile(wheel).namelist()
    assert "skilltune/notebooks/weekly.ipynb" in names
    assert "skilltune/sample/truth.jsonl" in names
    assert any(name.startswith("skilltune/sample/projects/") for name in names)
    tracked = subprocess.run(["git", "ls-files", "skilltune"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(tracked.stdout.splitlines()) <= set(names)
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]


def test_wheel_reports_in_an_empty_folder(wheel, tmp_path):
    """``pip install`` of the wheel, then ``skilltune report`` with an empty home: the sample's page is there."""
    venv, home, work = tmp_path / "venv", tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    scripts = venv / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", scripts / "python", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "--no-compile", wheel], check=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "CI": "true"}
    done = subprocess.run(
        [scripts / "skilltune", "report"], cwd=work, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "sample" in done.stdout
    page = work / "reports" / "sample" / "2026-W48" / "weekly.html"
    assert str(page) in done.stdout
    assert "bundled sample sessions" in page.read_text(encoding="utf-8")
    assert (work / "reports" / "sample" / "index.html").is_file()
