"""Small drawings for a table row: a dot with its interval, and the course over some weeks. Text comes in escaped.

What a drawing says is its name and its title too: the title is left where a viewer takes drawings out of a page.
"""

import math
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from markupsafe import Markup

__all__ = ["RowPoint", "interval_axis", "interval_row", "sparkline", "spread_row"]

Tone = Literal["worse", "better", "plain", "quiet"]

SPARK_WIDTH: Final = 108
SPARK_HEIGHT: Final = 34
_INSET: Final = 4
_COLOUR: Final = {"worse": "worse", "better": "better"}


class RowPoint(NamedTuple):
    """One week of a course; missing values are NaN."""

    rate: float
    low: float
    high: float


def interval_axis(*, ticks: Sequence[float] = (0, 0.25, 0.5, 0.75, 1), top: float = 1) -> Markup:
    """The numbers over a column of ``interval_row``: percent, the sign on the last one only."""
    labels = Markup("").join(
        Markup('<text x="{x}" y="12" text-anchor="middle" fill="var(--ink3)">{label}</text> ').format(
            x=_x(tick, top=top),
            label=f"{tick * 100:.0f}{'%' if tick == ticks[-1] else ''}",
        )
        for tick in ticks
    )
    return Markup('<svg class="st-axis" width="100%" height="16" aria-hidden="true">{}</svg>').format(labels)


def interval_row(
    rate: float,
    *,
    low: float,
    high: float,
    text: str,
    tone: Tone = "plain",
    tick: float | None = None,
    reference: float | None = None,
    ticks: Sequence[float] = (0, 0.25, 0.5, 0.75, 1),
) -> Markup:
    """A dot at `rate` on its interval, as wide as its place allows; all shares 0–1.

    Parameters
    ----------
    text
        What a screen reader says.
    tick
        Where the small upright tick stands (the shrunk rate).
    reference
        Where the dotted line stands (all skills).
    """
    colour = _COLOUR.get(tone, "mark")
    parts = [_upright(place, 2, 30, colour="rule") for place in ticks]
    if reference is not None:
        parts.append(_upright(reference, 2, 30, colour="ink3", dashes="1.5 2.5"))
    parts.append(
        Markup(
            '<line x1="{}" x2="{}" y1="16" y2="16" stroke="var(--{})" stroke-width="2" stroke-opacity="0.6"/>'
        ).format(_x(low), _x(high), colour)
    )
    if tick is not None:
        parts.append(_upright(tick, 9, 23, colour=colour, width=1.5))
    parts.append(
        Markup('<circle cx="{}" cy="16" r="5.5" fill="var(--{})" stroke="var(--bg)" stroke-width="1.5"/>').format(
            _x(rate), colour
        )
    )
    return Markup(
        '<svg class="st-interval" width="100%" height="32" role="img" aria-label="{text}">'
        "<title>{text}</title>{parts}</svg>"
    ).format(text=text, parts=Markup("").join(parts))


def spread_row(typical: float, *, high: float, top: float, text: str) -> Markup:
    """A dot at what half of something reaches, and a line to what nine in ten do, on a scale from 0 to `top`.

    Parameters
    ----------
    text
        What a screen reader says.
    """
    parts = [
        _upright(0, 2, 30, colour="rule2"),
        Markup('<line x1="{}" x2="{}" y1="16" y2="16" stroke="var(--mark)" stroke-width="2"/>').format(
            _x(typical, top=top), _x(max(high, typical), top=top)
        ),
        Markup('<circle cx="{}" cy="16" r="5.5" fill="var(--mark)" stroke="var(--bg)" stroke-width="1.5"/>').format(
            _x(typical, top=top)
        ),
    ]
    return Markup(
        '<svg class="st-spread" width="100%" height="32" role="img" aria-label="{text}">'
        "<title>{text}</title>{parts}</svg>"
    ).format(text=text, parts=Markup("").join(parts))


def sparkline(course: Sequence[RowPoint], *, top: float, text: str, tone: Tone = "plain") -> Markup:
    """The course of a rate with its interval band and a dot on the last week; gaps stay gaps.

    Parameters
    ----------
    top
        The rate at the upper edge, the same for all rows of a table.
    text
        What a screen reader says.
    """
    colour = _COLOUR.get(tone, "mark")
    step = (SPARK_WIDTH - 2 * _INSET) / max(len(course) - 1, 1)
    places = [_INSET + step * place for place in range(len(course))]
    runs = _runs(course)
    parts = [
        Markup('<line x1="0" x2="{0}" y1="{1}" y2="{1}" stroke="var(--rule)"/>').format(SPARK_WIDTH, SPARK_HEIGHT - 0.5)
    ]
    parts += [_band(course, places, run, top=top) for run in runs]
    parts += [_line(course, places, run, top=top, colour=colour) for run in runs]
    if course and math.isfinite(course[-1].rate):
        parts.append(
            Markup('<circle cx="{:.1f}" cy="{:.1f}" r="2.75" fill="var(--{})"/>').format(
                places[-1], _y(course[-1].rate, top=top), colour
            )
        )
    return Markup(
        '<svg class="st-spark" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" aria-label="{text}">'
        "<title>{text}</title>{parts}</svg>"
    ).format(w=SPARK_WIDTH, h=SPARK_HEIGHT, text=text, parts=Markup("").join(parts))


def _runs(course: Sequence[RowPoint]) -> list[range]:
    """Stretches of weeks without a gap."""
    runs: list[range] = []
    for place, point in enumerate(course):
        if not math.isfinite(point.rate):
            continue
        if runs and runs[-1].stop == place:
            runs[-1] = range(runs[-1].start, place + 1)
        else:
            runs.append(range(place, place + 1))
    return runs


def _band(course: Sequence[RowPoint], places: Sequence[float], run: range, *, top: float) -> Markup:
    """The interval band of one stretch; a single week has a short upright stroke's width."""
    edge = [(places[at] + shift, course[at]) for at in run for shift in ((-1.5, 1.5) if len(run) == 1 else (0,))]
    upper = [f"{x:.1f},{_y(point.high, top=top):.1f}" for x, point in edge]
    lower = [f"{x:.1f},{_y(point.low, top=top):.1f}" for x, point in reversed(edge)]
    return Markup('<polygon points="{}" fill="var(--band)"/>').format(" ".join(upper + lower))


def _line(course: Sequence[RowPoint], places: Sequence[float], run: range, *, top: float, colour: str) -> Markup:
    path = " ".join(f"{places[at]:.1f},{_y(course[at].rate, top=top):.1f}" for at in run)
    return Markup(
        '<polyline points="{}" fill="none" stroke="var(--{})" stroke-width="1.75" stroke-linejoin="round"/>'
    ).format(path, colour)


def _upright(at: float, y1: int, y2: int, *, colour: str, width: float = 1, dashes: str = "") -> Markup:
    return Markup('<line x1="{0}" x2="{0}" y1="{1}" y2="{2}" stroke="var(--{3})" stroke-width="{4:g}"{5}/>').format(
        _x(at), y1, y2, colour, width, Markup(' stroke-dasharray="{}"').format(dashes) if dashes else ""
    )


def _x(share: float, *, top: float = 1) -> str:
    return f"{share / top * 100:.2f}%"


def _y(share: float, *, top: float) -> float:
    """Height of a rate in the sparkline, kept inside its frame."""
    usable = SPARK_HEIGHT - _INSET
    return SPARK_HEIGHT - 0.5 - min(share / top, 1) * usable
