"""HTML outputs as they may stand in a report."""

import pytest

from skilltune.page.weekly import WeeklyPage
from skilltune.reports.cleaning import clean_html
from tests.invented_weeks import PICTURE
from tests.page.summaries import ACCURACY, MADE, sections_of, summary_of


@pytest.mark.parametrize(
    "html",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '<svg onload="alert(1)"><script>alert(1)</script></svg>',
        '<a href="javascript:alert(1)">x</a>',
        '<a href="https://example.org/">x</a>',
        '<meta http-equiv="refresh" content="0;url=https://example.org/">',
        '<div style="background:url(https://example.org/)">x</div>',
        "<style>@import 'https://example.org/'</style>",
        '<svg><use href="https://example.org/#x"/><image href="https://example.org/"/></svg>',
        '<svg><a href="javascript:alert(1)"><text>x</text></a></svg>',
        '<iframe src="https://example.org/"></iframe><embed src="x">',
        '<object data="x"></object><base href="https://example.org/">',
        '<form action="https://example.org/"><input></form>',
        "<svg><foreignObject><iframe src=javascript:alert(1)></iframe></foreignObject></svg>",
        "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
    ],
)
def test_nothing_that_runs_loads_or_leads_away_is_left(html: str):
    """Known ways in, each without its effect."""
    cleaned = clean_html(html).lower()
    for word in (
        "script",
        "alert",
        "example.org",
        "onerror",
        "onload",
        "style",
        "iframe",
        "javascript",
        "<base",
        "<meta",
    ):
        assert word not in cleaned


def test_sections_pass_unchanged_but_for_the_style():
    """Tables, drawings, names for screen readers and links to files beside the page survive."""
    page = WeeklyPage(summary=summary_of(PICTURE), made=MADE, accuracy=ACCURACY)
    html = "".join(section.html for section in sections_of(page))
    cleaned = clean_html(html)
    for word in (
        'scope="row"',
        "<caption",
        "aria-label=",
        "viewBox=",
        "<polyline",
        "<circle",
        'href="../index.html"',
        "<summary",
    ):
        assert cleaned.count(word) == html.count(word) > 0
    assert "<style" not in cleaned
