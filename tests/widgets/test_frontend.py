"""Who is there."""

from skilltune.widgets.frontend import click_origin, has_frontend


def test_nobody_is_there_without_a_kernel():
    """Plain Python has no front end, and no press has an origin."""
    assert not has_frontend()
    assert click_origin() == ""
