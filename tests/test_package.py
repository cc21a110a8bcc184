"""The package as a whole: public names, light import, layout."""

import subprocess
import sys

import pytest

import skilltune
from tests.conftest import ROOT


@pytest.mark.parametrize("name", skilltune.__all__)
def test_package_public_name_exists_and_is_documented(name):
    """Every public name can be had from the package, and says what it is."""
    assert getattr(skilltune, name).__doc__


def test_package_unknown_name_is_an_attribute_error():
    """A misspelt name fails as in any module."""
    with pytest.raises(AttributeError, match="corection_rate"):
        skilltune.corection_rate  # noqa: B018


def test_package_import_is_light():
    """Importing the package, and starting the command line, loads none of the heavy libraries."""
    code = (
        "import sys, skilltune, skilltune.cli; "
        "print([m for m in ('pandas', 'altair', 'papermill', 'ipywidgets', 'scipy', 'nbconvert') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert out.strip() == "[]"


def test_package_modules_stay_small():
    """No module has more than 400 lines."""
    long = {
        str(path.relative_to(ROOT)): n
        for path in (ROOT / "skilltune").rglob("*.py")
        if (n := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}


def test_package_version_is_the_declared_one():
    """``skilltune.__version__`` is the version of pyproject.toml."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert skilltune.__version__ == project["version"]


def test_package_mined_shows_counts_and_no_words():
    """What a notebook prints of a result is short, and quotes nobody."""
    mined = skilltune.mine(skilltune.read_sessions(skilltune.sample_root() / "projects"), as_of=skilltune.sample_end())
    assert repr(mined).startswith("Mined(")
    assert len(repr(mined)) < 100
    assert len(mined.sessions) >= mined.invocations["session_id"].nunique() > 100
    records = mined.dropped[mined.dropped["level"] == "record"]
    assert records["count"].sum() == sum(mined.scan.summary.records.values())
    assert set(records.loc[records["kept"], "reason"]) <= {"agent", "command", "tool_result", "turn", "use"}
