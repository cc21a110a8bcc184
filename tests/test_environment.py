"""environment.yml and pyproject.toml name the same packages with the same ranges."""

import tomllib

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT


def _conda() -> list[str | dict[str, list[str]]]:
    return yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]


def _declared() -> tuple[dict[str, str], str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [Requirement(line) for line in project["dependencies"]]
    return {canonicalize_name(r.name): str(r.specifier) for r in wanted if r.marker is None}, project["requires-python"]


def test_environment_same_packages_and_ranges():
    """Every runtime dependency stands in environment.yml with the same range, and nothing else does."""
    lines = [Requirement(line) for line in _conda() if isinstance(line, str)]
    conda = {canonicalize_name(r.name): str(r.specifier) for r in lines}
    assert len(conda) == len(lines), "a package is named twice"
    declared, python = _declared()
    assert str(Requirement("python" + python).specifier) == conda.pop("python")
    assert conda.pop("pip") == ""
    assert conda == declared


def test_environment_installs_this_checkout():
    """The pip part installs the checkout itself and nothing else."""
    assert [line for line in _conda() if isinstance(line, dict)] == [{"pip": ["-e ."]}]


def test_environment_channels():
    """Packages come from conda-forge alone."""
    document = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert document["channels"] == ["conda-forge", "nodefaults"]
