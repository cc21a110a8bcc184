"""The lock for development: everything that is declared, with hashes, and no address."""

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT

LOCK = (ROOT / "dev.lock.txt").read_text(encoding="utf-8")


def test_lock_holds_all_that_is_declared_within_its_range():
    """Each direct dependency, extra and group is locked to a version that its range allows."""
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project, groups = document["project"], document["dependency-groups"].values()
    lists = [project["dependencies"], *project["optional-dependencies"].values(), *groups]
    locked = {}
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)", LOCK, re.MULTILINE):
        locked.setdefault(canonicalize_name(name), []).append(version)
    for wanted in map(Requirement, {line for lines in lists for line in lines}):
        versions = locked.get(canonicalize_name(wanted.name), [])
        assert versions, f"{wanted.name} is not in dev.lock.txt: make lock"
        assert all(wanted.specifier.contains(version, prereleases=True) for version in versions), wanted


def test_lock_has_hashes_and_no_address():
    """Nothing is installed that was not there when it was locked, and no host is named."""
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    assert len(entries) > 100
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    assert not re.search(r"://|--(extra-)?index|--find-links", LOCK)
