"""The precision of the rules' word over the labels given: line, interval band, last point; drawn in a moment."""

import math
from typing import Final

import pandas as pd
from markupsafe import Markup

from skilltune.charts.theme import FONT

__all__ = ["FIRST_DRAWN", "precision_course"]

FIRST_DRAWN: Final = 4
"""Such labels from which on the line is drawn: before, it only jumps between 0 and 1."""
WIDTH: Final = 360
LEFT, RIGHT, TOP, BOTTOM = 44, 56, 10, 26
PLOT: Final = 100
"""Height of the plot."""


def precision_course(course: pd.DataFrame, *, expected: int, label: str, text: str, width: int = WIDTH) -> Markup:
    """An SVG in the page's named colours.

    Parameters
    ----------
    course
        Rows of ``running_precision``: ``said``, ``precision``, ``low``, ``high``; the last row counts for each
        ``said``.
    expected
        Such turns among all that are asked about: where the axis ends, at least.
    label
        The last precision in words.
    text
        What the drawing says to a screen reader.
    width
        Of the drawing, in pixels.
    """
    known = course[course["said"] > 0].drop_duplicates("said", keep="last")
    most = max(expected, len(known), 10)
    step = _step(most)
    end = step * math.ceil(most / step)
    drawn = known[known["said"] >= min(FIRST_DRAWN, len(known))]
    points = [
        (_x(said, end=end, width=width), _y(rate), _y(low), _y(high))
        for said, rate, low, high in drawn[["said", "precision", "low", "high"]].itertuples(index=False)
    ]
    axes = _y_axis(width) + _x_axis(end=end, step=step, width=width)
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" class="st-precision" role="img" aria-label="{text}" width="{width}" '
        'height="{height}" viewBox="0 0 {width} {height}" font-family="{font}" font-size="12"><title>{text}</title> '
        "{inner}</svg>"
    ).format(
        text=text,
        width=width,
        height=TOP + PLOT + BOTTOM,
        font=FONT,
        inner=axes + _band(points) + _line(points) + _last(points, label),
    )


def _x(labelled: float, *, end: int, width: int) -> float:
    return LEFT + (width - LEFT - RIGHT) * labelled / end


def _y(share: float) -> float:
    return TOP + PLOT * (1 - share)


def _step(most: int) -> int:
    """A round distance of ticks that gives three to six of them."""
    rough = most / 5
    power = 10.0 ** math.floor(math.log10(rough))
    return round(next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough))


def _y_axis(width: int) -> Markup:
    row = Markup(
        '<line x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="var(--{colour})"/>'
        '<text x="{at}" y="{base:.1f}" text-anchor="end" fill="var(--ink3)">{words}</text> '
    )
    ticks = ((1, "100%", "rule"), (0.5, "50", "rule"), (0, "0", "rule2"))
    return Markup("").join(
        row.format(
            left=LEFT, right=width - RIGHT, at=LEFT - 8, y=_y(share), base=_y(share) + 4, words=words, colour=colour
        )
        for share, words, colour in ticks
    )


def _x_axis(*, end: int, step: int, width: int) -> Markup:
    tick = Markup('<text x="{:.1f}" y="{}" text-anchor="middle" fill="var(--ink3)">{}</text> ')
    ticks = range(0, end + 1, step)
    return Markup("").join(tick.format(_x(n, end=end, width=width), TOP + PLOT + 18, n) for n in ticks)


def _band(points: list[tuple[float, float, float, float]]) -> Markup:
    edge = [(x, high) for x, _, _, high in points] + [(x, low) for x, _, low, _ in reversed(points)]
    return Markup('<polygon points="{}" fill="var(--band)"/>').format(_joined(edge)) if len(points) > 1 else Markup("")


def _line(points: list[tuple[float, float, float, float]]) -> Markup:
    line = Markup('<polyline points="{}" fill="none" stroke="var(--mark)" stroke-width="2" stroke-linejoin="round"/>')
    return line.format(_joined([(x, share) for x, share, _, _ in points]))


def _last(points: list[tuple[float, float, float, float]], label: str) -> Markup:
    x, share, low, high = points[-1]
    alone = Markup('<line x1="{0:.1f}" x2="{0:.1f}" y1="{1:.1f}" y2="{2:.1f}" stroke="var(--band)" stroke-width="6"/>')
    dot = Markup(
        '<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="var(--mark)"/><text x="{at:.1f}" y="{base:.1f}" '
        'font-size="14" font-weight="600" fill="var(--ink)" stroke="var(--bg)" stroke-width="4" '
        'stroke-linejoin="round" paint-order="stroke">{label}</text> '
    ).format(x=x, y=share, at=x + 11, base=share + 5, label=label)
    return (alone.format(x, low, high) if len(points) == 1 else Markup("")) + dot


def _joined(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
