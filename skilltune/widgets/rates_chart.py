"""Corrected rates as full dots on their intervals, with a hollow dot where the rules alone would put them."""

from collections.abc import Mapping
from typing import Any, Final

from markupsafe import Markup

from skilltune.analysis.corrected_summary import UsableAnswers
from skilltune.charts.quality import corrected_row
from skilltune.charts.rows import interval_axis
from skilltune.labelling import Labelling
from skilltune.page.corrected_words import bounds_of
from skilltune.page.words import count_of, percent
from skilltune.widgets.label_tables import corrected_rows, framed, left_out_words
from skilltune.widgets.safe_text import readable_lines

__all__ = ["rates_chart_view"]

ALL: Final = "all skills"
CAPTION: Final = (
    "Over all time. Full dot: corrected rate with its 95% interval, dashed where it is borrowed from the labels of all "
    "skills. Hollow dot: what the rules alone say. Skills whose labels carry no rate are left out: the table says why."
)


def rates_chart_view(labelling: Labelling, *, answers: UsableAnswers | None = None) -> Markup:
    """One row for all skills and one for each skill that has a corrected rate; a sentence where there is none.

    Parameters
    ----------
    answers
        Of a judge; they count where they may be used.
    """
    whole, each = corrected_rows(labelling, answers=answers)
    rows = [*(row | {"skill_id": ALL} for row in whole), *each]
    drawn = [row for row in rows if row["corrected_rate"] is not None]
    if not drawn:
        return framed(Markup('<p class="stw-finding">There is no corrected rate to draw yet.</p>'))
    known = whole[0]["corrected_rate"] is not None
    caption = " ".join([CAPTION, *(left_out_words(labelling, whole[0]) if known else ())])
    axis = Markup('<div class="stw-dots-row stw-dots-axis"><span></span>{}<span></span></div>').format(interval_axis())
    lines = Markup("").join(_row(row) for row in drawn)
    return framed(
        Markup('<figure class="stw-dots"><figcaption>{}</figcaption>{}{}</figure>').format(caption, axis, lines)
    )


def _row(row: Mapping[str, Any]) -> Markup:
    name, rate = readable_lines(str(row["skill_id"])), percent(row["corrected_rate"])
    bounds = bounds_of(row)
    raw = row["raw_rate"]
    beside = f"; the rules alone say {percent(raw)}" if raw is not None else ""
    text = f"{rate} ({bounds}), {count_of(row['n_labels'], 'labelled use')}{beside}"
    drawing = corrected_row(
        raw, rate=row["corrected_rate"], low=row["low"], high=row["high"], text=text, borrowed=row["method"] != "sample"
    )
    words = Markup('<div class="stw-dots-row"><b>{}</b>{}<span aria-hidden="true">{} <small>{}</small></span></div>')
    return words.format(name, drawing, rate, bounds)
