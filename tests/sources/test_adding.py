"""The guide to adding an agent (``skilltune/sources/ADDING.md``) does what it says."""

import os
import re
import shutil
import subprocess
import sys

from tests.conftest import ROOT

GUIDE = ROOT / "skilltune" / "sources" / "ADDING.md"
MAX_LINES = 150
SUITE = """
import sys
from pathlib import Path
import pytest
from skilltune.cli import main
from tests.sources.contract import CONVERSATION
from tests.sources.quill.contract import write_conversation
write_conversation(Path("sessions"), CONVERSATION, session="s1", shape="lines")
if pytest.main(["-q", "-k", "quill or share_a_folder", "tests/sources/test_contract.py"]):
    sys.exit("the contract does not hold")
sys.argv = ["skilltune", "mine", "--session-dir", "sessions"]
main()
"""


def blocks():
    """Path → code of every file that the guide gives."""
    return dict(re.findall(r"^## `([^`]+)`\n.*?^```python\n(.*?)^```$", GUIDE.read_text(), re.DOTALL | re.MULTILINE))


def overlay(folder, name):
    """The checkout's package `name` in `folder` by links, its ``sources`` by a copy that files can be added to."""
    (folder / name).mkdir(parents=True)
    for path in (ROOT / name).iterdir():
        if path.name not in ("sources", "__pycache__"):
            (folder / name / path.name).symlink_to(path)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / name / "sources", folder / name / "sources", ignore=ignored)


def test_guide_adds_an_agent_in_one_file(tmp_path):
    """The guide's module, put where it says, passes the contract suite, and ``skilltune mine`` counts its uses."""
    checkout = tmp_path / "checkout"
    overlay(checkout, "skilltune")
    overlay(checkout, "tests")
    (checkout / "pyproject.toml").symlink_to(ROOT / "pyproject.toml")
    (checkout / "tests" / "sources" / "quill").mkdir()
    (checkout / "tests" / "sources" / "quill" / "__init__.py").touch()
    given = blocks()
    assert list(given) == ["skilltune/sources/quill.py", "tests/sources/quill/contract.py"]
    assert len(given["skilltune/sources/quill.py"].splitlines()) <= MAX_LINES
    for path, code in given.items():
        (checkout / path).write_text(code)
    environment = os.environ | {"PYTHONPATH": str(checkout), "HOME": str(tmp_path), "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [sys.executable, "-c", SUITE], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 new" in done.stdout
    assert "tidy: 1 use" in done.stdout
