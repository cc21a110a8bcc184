"""How near a limit something is, and a rate before and after: small drawings for a row. Text comes in escaped.

What a drawing says is its name and its title too: the title is left where a viewer takes drawings out of a page.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from markupsafe import Markup

__all__ = ["Span", "effect_axis", "effect_row", "meter"]

METER_WIDTH: Final = 112
_LIMIT_AT: Final = 0.8
"""Where the limit stands on a meter, as a share of its width."""
_COLOUR: Final = {"worse": "worse", "better": "better"}


class Span(NamedTuple):
    """A rate with its interval, all shares 0–1."""

    rate: float
    low: float
    high: float


def meter(now: float, *, limit: float, text: str, projected: float | None = None) -> Markup:
    """A bar with an upright tick at the limit; what would be added is lighter.

    Parameters
    ----------
    now, limit, projected
        In one unit.
    text
        What a screen reader says.
    """
    whole = limit / _LIMIT_AT
    at, then = (_place(value, whole) for value in (now, now if projected is None else projected))
    parts = [
        _bar(0, METER_WIDTH, colour="rule", opacity=1),
        *([_bar(0, then, colour="mark", opacity=0.5)] if then > at else []),
        _bar(0, min(at, then), colour="mark", opacity=1),
        *([_bar(then, at, colour="mark", opacity=0.5)] if then < at else []),
        Markup('<line x1="{0:.1f}" x2="{0:.1f}" y1="1" y2="15" stroke="var(--ink)" stroke-width="1.5"/>').format(
            METER_WIDTH * _LIMIT_AT
        ),
    ]
    return Markup(
        '<svg class="st-meter" viewBox="0 0 {width} 16" width="{width}" height="16" role="img" aria-label="{text}">'
        "<title>{text}</title>{parts}</svg>"
    ).format(width=METER_WIDTH, text=text, parts=Markup("").join(parts))


def effect_axis(*, top: float, ticks: Sequence[float]) -> Markup:
    """The numbers over a column of ``effect_row``: percent, the sign on the last one only."""
    labels = Markup("").join(
        Markup('<text x="{x}" y="12" text-anchor="middle" fill="var(--ink3)">{label}</text> ').format(
            x=_x(tick, top), label=f"{tick * 100:.0f}{'%' if tick == ticks[-1] else ''}"
        )
        for tick in ticks
    )
    return Markup('<svg class="st-axis" width="100%" height="16" aria-hidden="true">{}</svg>').format(labels)


def effect_row(
    before: Span,
    after: Span,
    *,
    text: str,
    top: float,
    ticks: Sequence[float],
    tone: Literal["worse", "better", "plain", "quiet"] = "plain",
) -> Markup:
    """A hollow dot before and, below it, a full one after, each on its interval, as wide as its place allows.

    Parameters
    ----------
    text
        What a screen reader says.
    top
        The rate at the right edge.
    """
    colour = _COLOUR.get(tone, "mark")
    upright = Markup('<line x1="{0}" x2="{0}" y1="2" y2="34" stroke="var(--rule)" stroke-width="1"/>')
    line = Markup(
        '<line x1="{}" x2="{}" y1="{y}" y2="{y}" stroke="var(--{colour})" stroke-width="2" stroke-opacity="0.6"/>'
    )
    dot = Markup('<circle cx="{}" cy="{}" r="{}" fill="var(--{})" stroke="var(--{})" stroke-width="1.5"/>')
    parts = [
        *(upright.format(_x(tick, top)) for tick in ticks),
        line.format(_x(before.low, top), _x(before.high, top), y=11, colour="mark"),
        dot.format(_x(before.rate, top), 11, 4.75, "bg", "mark"),
        line.format(_x(after.low, top), _x(after.high, top), y=25, colour=colour),
        dot.format(_x(after.rate, top), 25, 5.25, colour, "bg"),
    ]
    return Markup(
        '<svg class="st-effect" width="100%" height="36" role="img" aria-label="{text}"><title>{text}</title>'
        "{parts}</svg>"
    ).format(text=text, parts=Markup("").join(parts))


def _bar(start: float, end: float, *, colour: str, opacity: float) -> Markup:
    return Markup(
        '<rect x="{:.1f}" y="5.5" width="{:.1f}" height="5" rx="1.5" fill="var(--{})" fill-opacity="{:g}"/>'
    ).format(start, max(end - start, 0), colour, opacity)


def _place(value: float, whole: float) -> float:
    return METER_WIDTH * min(max(value / whole, 0.0), 1.0)


def _x(share: float, top: float) -> str:
    return f"{min(share / top, 1.0) * 100:.2f}%"
