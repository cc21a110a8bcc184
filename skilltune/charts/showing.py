"""Charts in notebooks: drawn here, without a network, as an SVG in both themes, a PNG and words.

The renderer ``skilltune`` takes the place of altair's default one, which loads scripts from elsewhere and lets text in
the data become code. It is turned on by ``use_charts``, and by making a chart of ours in a notebook that still has the
default one.
"""

import base64
import copy
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import altair as alt
from markupsafe import Markup

from skilltune.charts.cleaning import visible_spec, visible_text
from skilltune.charts.drawing import chart_png, standalone_svg

__all__ = ["RENDERER", "chart_bundle", "drawn_columns", "use_charts", "use_charts_in_notebook"]

RENDERER: Final = "skilltune"
SPEC_TYPE: Final = "application/vnd.vegalite.v6+json"
"""Only types that end in ``+json`` may hold an object in a notebook; altair's own one does not, and is refused."""
LAB_TYPE: Final = "application/vnd.vegalite.v5+json"
"""What JupyterLab 4 draws itself; our charts read the same in both versions."""
_LAB: Final = {
    "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
    "usermeta": {"embedOptions": {"actions": False}},
}
"""Of which version the specification is, and that no menu over the chart leads to an editor on the internet."""
NAMELESS: Final = "A chart without a description; give it one with .properties(description=…)."
_DEFAULTS: Final = frozenset({"default", "html", ""})
_SCALE: Final = 2
_SIZE: Final = re.compile(r'\b(width|height)="([\d.]+)"')


def use_charts(*, interactive: bool = False) -> None:
    """Show all altair charts of this notebook as pictures that need no network and obey no text in their data.

    Parameters
    ----------
    interactive : bool, default False
        Also put the Vega-Lite specification into the notebook, for front ends that draw it themselves, with what is
        shown under the pointer: JupyterLab does, without a network. Of the data only columns that are drawn go in.

    Examples
    --------
    >>> import altair
    >>> use_charts()
    >>> altair.renderers.active
    'skilltune'
    """
    alt.renderers.register(RENDERER, chart_bundle)
    alt.renderers.enable(RENDERER, interactive=interactive)


def use_charts_in_notebook() -> None:
    """Turn the renderer on where a kernel runs this and nobody chose another one."""
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if getattr(shell, "kernel", None) is not None and alt.renderers.active in _DEFAULTS:
        use_charts()


def chart_bundle(
    spec: Mapping[str, Any], *, interactive: bool = False, **_: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a notebook keeps of a chart, by type: ``image/svg+xml``, ``image/png`` and its description as text; and
    what a front end should know of them: alternative text and size. Hidden characters are written out everywhere.

    Parameters
    ----------
    spec
        A Vega-Lite specification in the light colours of ``charts.theme``.
    interactive
        Put the specification itself in, too.
    """
    words = spec.get("usermeta", {}).get("sentence")
    if words:
        words = visible_text(words)
        return {"text/html": str(Markup("<p>{}</p>").format(words)), "text/plain": words}, {}
    lean = visible_spec(drawn_columns(spec))
    description = visible_text(str(spec.get("description") or NAMELESS))
    svg = standalone_svg(lean, name=_name(lean), description=description)
    bundle: dict[str, Any] = {
        "image/svg+xml": str(svg),
        "image/png": base64.b64encode(chart_png(lean, scale=_SCALE)).decode(),
        "text/plain": description,
    }
    size = {side: round(float(value)) for side, value in _SIZE.findall(svg.partition(">")[0])}
    told = {"image/svg+xml": {"alt": description}, "image/png": {"alt": description, **size}}
    return bundle | ({SPEC_TYPE: lean, LAB_TYPE: lean | _LAB} if interactive else {}), told


def drawn_columns(spec: Mapping[str, Any]) -> dict[str, Any]:
    """`spec` with only those columns of its data that some channel, transform or expression may name."""
    lean = copy.deepcopy({name: value for name, value in spec.items() if name != "usermeta"})
    named = "\n".join(_texts({name: value for name, value in lean.items() if name not in ("datasets", "description")}))
    for rows in _tables(lean):
        rows[:] = [{name: value for name, value in row.items() if name in named} for row in rows]
    return lean


def _tables(spec: Any) -> Iterator[list[dict[str, Any]]]:
    """Every list of rows in a specification: named data sets, and those that stand where they are drawn."""
    if isinstance(spec, dict):
        for name, value in spec.items():
            if name == "datasets":
                yield from (rows for rows in value.values() if _is_table(rows))
            elif name == "values" and _is_table(value):
                yield value
            else:
                yield from _tables(value)
    elif isinstance(spec, list):
        for part in spec:
            yield from _tables(part)


def _is_table(rows: Any) -> bool:
    return isinstance(rows, list) and all(isinstance(row, dict) for row in rows)


def _texts(spec: Any) -> Iterator[str]:
    """Every text of a specification outside its data."""
    if isinstance(spec, str):
        yield spec
    elif isinstance(spec, dict):
        for name, value in spec.items():
            if not (name == "values" and _is_table(value)):
                yield from _texts(value)
    elif isinstance(spec, list):
        for part in spec:
            yield from _texts(part)


def _name(spec: Mapping[str, Any]) -> str:
    """A name that no other chart has, the same each time: ids inside its drawing begin with it."""
    whole = json.dumps(spec, sort_keys=True, default=str)
    return f"c{hashlib.sha256(whole.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"
