"""One chart as a page of its own."""

import re

from skilltune.charts.pages import chart_page
from skilltune.charts.rates import correction_rate_dots
from tests.charts.pictures import HOSTILE
from tests.charts.test_rates import rates
from tests.charts.test_showing import hostile


def test_still_page_runs_and_loads_nothing():
    """A picture, its words, and a policy that allows no script."""
    page = chart_page(correction_rate_dots(rates()))
    assert "<script" not in page
    assert "script-src &#39;none&#39;" in page
    assert "<svg " in page
    assert "<title>Correction rates of 3 skills" in page
    assert not re.findall(r"""(?:src|href)=["']?(?!data:)""", page)


def test_interactive_page_holds_its_data_as_data():
    """Three scripts: JSON that nothing ends early, the bundle, the starter; undrawn columns stay out."""
    page = chart_page(hostile(), interactive=True)
    assert page.count("<script") == 3
    assert page.count("</script") == 3
    assert "alert(1)" not in page
    named = chart_page(correction_rate_dots(rates(skill_id=HOSTILE)), interactive=True)
    assert named.count("<script") == named.count("</script") == 3
    assert re.search(r"script-src &#39;sha256-[\w+/=]+&#39; &#39;sha256-[\w+/=]+&#39;;", named)
