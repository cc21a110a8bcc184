"""Report definitions."""

import pytest
import yaml

from skilltune.errors import InputError
from skilltune.reports.definition import CHECKOUT, read_definition


def test_weekly_report_is_defined():
    """Its notebook and title are there."""
    definition = read_definition("weekly")
    assert definition.title == "skilltune weekly report"
    assert '"parameters"' in definition.notebook


def test_every_definition_of_the_checkout_can_be_read():
    """No definition names a notebook that is not there."""
    for path in sorted((CHECKOUT / "reports").glob("*.yaml")):
        told = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert read_definition(path.stem).title == told["title"]


def test_unknown_report_is_refused():
    """The missing file is named."""
    with pytest.raises(InputError, match=r"no report called 'monthly'.*monthly\.yaml"):
        read_definition("monthly")
