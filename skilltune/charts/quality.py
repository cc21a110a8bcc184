"""A rate as the rules have it beside the corrected one, drawn on one line."""

from typing import Final

from markupsafe import Markup

__all__ = ["corrected_row"]

SHARES: Final = (0, 0.25, 0.5, 0.75, 1)


def corrected_row(
    raw: float | None,
    *,
    rate: float,
    low: float,
    high: float,
    text: str,
    borrowed: bool = False,
) -> Markup:
    """A full dot on its interval and a hollow one for the raw rate, as wide as its place allows; all shares 0–1.

    Parameters
    ----------
    text
        What a screen reader says.
    borrowed
        The figure rests on others' labels: its interval is dashed.
    """
    dashes = Markup(' stroke-dasharray="4 3"') if borrowed else ""
    parts = [
        Markup('<line x1="{0}" x2="{0}" y1="2" y2="30" stroke="var(--rule)" stroke-width="1"/>').format(_at(place))
        for place in SHARES
    ]
    parts.append(
        Markup('<line x1="{}" x2="{}" y1="16" y2="16" stroke="var(--mark)" stroke-width="2"{}/>').format(
            _at(low), _at(high), dashes
        )
    )
    if raw is not None:
        parts.append(
            Markup(
                '<circle cx="{}" cy="16" r="4.75" fill="var(--bg)" stroke="var(--mark)" stroke-width="1.5"/>'
            ).format(_at(raw))
        )
    parts.append(
        Markup('<circle cx="{}" cy="16" r="5.5" fill="var(--mark)" stroke="var(--bg)" stroke-width="1.5"/>').format(
            _at(rate)
        )
    )
    return Markup(
        '<svg class="st-interval" width="100%" height="32" role="img" aria-label="{text}">'
        "<title>{text}</title>{parts}</svg>"
    ).format(text=text, parts=Markup("").join(parts))


def _at(share: float) -> str:
    return f"{share * 100:.2f}%"
