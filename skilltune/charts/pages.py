"""One chart as a page of its own that opens from disk without a network: still, or with the tooltips of Vega-Lite.

Nothing on the page can run but the bundled Vega and its starter, which the policy names by their digests; expressions
are interpreted, not compiled, and data are read as JSON, so that text in them cannot become code.
"""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import altair as alt
import vl_convert
from markupsafe import Markup

from skilltune.charts.cleaning import visible_spec, visible_text
from skilltune.charts.drawing import VEGA_LITE, standalone_svg
from skilltune.charts.showing import drawn_columns

__all__ = ["chart_page"]

_STARTER: Final = """
const spec = JSON.parse(document.getElementById("spec").textContent);
const still = document.getElementById("still");
vegaEmbed("#chart", spec, {ast: true, actions: false, renderer: "svg"}).then(() => still.remove());
"""
_PAGE: Final = Markup("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
</head>
<body>
<div id="chart" role="img" aria-label="{title}"></div>
<div id="still">{svg}</div>
{scripts}</body>
</html>
""")
_BREAKS_OUT: Final = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def chart_page(chart: alt.LayerChart | alt.Chart | Mapping[str, Any], *, interactive: bool = False) -> str:
    """The HTML of a page that shows `chart`, with nothing loaded from elsewhere.

    Parameters
    ----------
    chart
        A chart or its Vega-Lite specification. Only columns that are drawn go in.
    interactive
        Bring Vega along (0.9 MB), for tooltips and selections; in the light colours only.
    """
    spec = visible_spec(drawn_columns(chart if isinstance(chart, Mapping) else chart.to_dict()))
    title = visible_text(str(spec.get("description") or "Chart"))
    svg = standalone_svg(spec, name="still", description=title)
    scripts = Markup("")
    allowed = "'none'"
    if interactive:
        bundle = _bundle()
        allowed = f"{_digest(bundle)} {_digest(_STARTER)}"
        scripts = _script(spec, bundle=bundle)
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )
    return str(_PAGE.format(policy=policy, title=title, svg=svg, scripts=scripts))


def _script(spec: Mapping[str, Any], *, bundle: str) -> Markup:
    """The specification as JSON that no parser of HTML takes for an end, the bundle, the starter."""
    data = json.dumps(spec).translate(_BREAKS_OUT)
    parts = (
        f'<script type="application/json" id="spec">{data}</script>',
        *(f"<script>{each}</script>" for each in (bundle, _STARTER)),
    )
    return Markup("\n").join(Markup(part) for part in parts) + Markup("\n")  # noqa: S704  # ours, and JSON without < and &


@cache
def _bundle() -> str:
    """Vega, Vega-Lite, vega-embed and the interpreter as one script that sets ``vegaEmbed``."""
    made = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=VEGA_LITE)
    return re.sub(r"</(script)", r"<\\/\1", made, flags=re.IGNORECASE)


def _digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode('utf-8')).digest()).decode('ascii')}'"
