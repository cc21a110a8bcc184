"""The one place where values become HTML: each is made visible and escaped, whatever it holds."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

__all__ = ["EMPTY", "Section", "plain_text", "readable_text", "render", "stylesheet", "unbroken", "visible"]

LONG_NAME: Final = 40
"""Characters from which on a skill's name may be broken."""

_DIFF: Final = {
    "light": {"del": "#FBE3D6", "ins": "#D7EAF7"},
    "dark": {"del": "#4B2714", "ins": "#123A54"},
}
"""Grounds of what a change takes out and puts in, by theme."""
_BIDI: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
_SPACE: Final = re.compile(r"\s+")
_CODE: Final = re.compile(r"`([^`]+)`")
_TORN: Final = re.compile(r" ([,.;:])")
_TAG: Final = re.compile(r"<(style|svg)\b.*?</\1>|<[^>]*>", re.DOTALL)
_SEEN_ELSEWHERE: Final = re.compile(
    r'<style>.*?</style>|<p class="st-key">.*?</p>|<div class="st-chart-narrow">.*?</div>'
    r'|<svg [^>]*aria-hidden="true".*?</svg>',
    re.DOTALL,
)
"""What repeats another part of the page, or only has a look."""
_DRAWING: Final = re.compile(r'<svg [^>]*aria-label="([^"]*)".*?</svg>', re.DOTALL)
_CELL: Final = re.compile(r"(?:</t[hd]>\s*)?<t[hd]\b[^>]*>\s*</t[hd]>|</t[hd]>(?=\s*<t[hd]\b)")
_BLOCK: Final = re.compile(r"</(?:p|h[1-6]|li|tr|caption|summary|div|header)>|<(?:ul|table|p)\b[^>]*>")
_BREAKS: Final = re.compile(r"(?<=[-:_./])")


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a page, shown by Jupyter as HTML; ``headline`` is the page's sentence where it holds that."""

    html: Markup
    headline: str = ""
    bare: bool = False
    """It only says that there is nothing of it yet."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """What the index of reports says of the page, by part (weeks, skills) and name."""

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        every = {"headline": self.headline, "figures": dict(self.figures)}
        told = {name: value for name, value in every.items() if value}
        metadata = {"skilltune": told} if told else {}
        return {"text/html": str(self.html), "text/plain": readable_text(self.html)}, metadata


EMPTY: Final = Section(Markup(""))
"""A part that this page does not have."""


def render(template: str, **view: Any) -> Markup:
    """`template` filled with `view`; every text in it is made visible and escaped."""
    return Markup(_environment().get_template(template).render(**view))  # noqa: S704  # autoescape is on


def visible(text: str) -> str:
    """`text` on one line, with control, direction and surrogate characters written out."""
    folded = _SPACE.sub(" ", text)
    return "".join(_written(char) if _is_hidden(char) else char for char in folded)


def plain_text(html: str) -> str:
    """What a reader sees of `html`, without tags."""
    return _TORN.sub(r"\1", _SPACE.sub(" ", Markup(_TAG.sub(" ", html)).unescape())).strip()  # noqa: S704  # text comes out, no HTML


def readable_text(html: str) -> str:
    """`html` as text with a line for each paragraph and table row; drawings are what they say to a screen reader."""
    seen = _DRAWING.sub(r" \1 ", _SEEN_ELSEWHERE.sub(" ", _SPACE.sub(" ", html)))
    blocks = _BLOCK.sub("\n", _CELL.sub("; ", seen)).split("\n")
    return "\n".join(filter(None, map(plain_text, blocks)))


def unbroken(text: str, *names: str) -> Markup:
    """`text` escaped, with each of `names`, and a stop after it, kept on one line where that fits on one."""
    shown = visible(text)
    known = "|".join(re.escape(visible(name)) for name in sorted(names, key=len, reverse=True) if name)
    if not known:
        return Markup.escape(shown)
    parts = re.split(rf"((?<![\w-])(?:{known})(?![\w-])[.,;:]?)", shown)
    span = Markup('<span class="st-one">{}</span>')
    return Markup("").join(span.format(part) if place % 2 else part for place, part in enumerate(parts))


@cache
def stylesheet() -> str:
    """The style of all pages."""
    return _environment().get_template("style.css.j2").render(**_colours())


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("skilltune.page", encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["with_code"] = _with_code
    environment.filters["breakable"] = _breakable
    return environment


def _finalize(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _with_code(text: str) -> Markup:
    """Escaped `text` with what stands between backticks set as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(Markup.escape(visible(text)))))  # noqa: S704  # escaped just before


def _breakable(name: str) -> Markup:
    """A skill's name, escaped; a very long one may be broken after its hyphens, colons and the like."""
    pieces = _BREAKS.split(visible(name)) if len(name) > LONG_NAME else [visible(name)]
    return Markup("<wbr>").join(pieces)


def _colours() -> dict[str, Markup]:
    from skilltune.charts.theme import DARK, FONT, LAB, LIGHT, MONOSPACE

    themes = {"light": LIGHT | _DIFF["light"], "dark": DARK | _DIFF["dark"]}
    themes |= {f"lab_{name}": _in_lab(theme, LAB) for name, theme in themes.items()}
    values = {
        name: Markup("").join(Markup("--{}:{};").format(*pair) for pair in theme.items())
        for name, theme in themes.items()
    }
    return values | {"font": Markup(FONT), "monospace": Markup(MONOSPACE)}  # noqa: S704  # constants of ours


def _in_lab(theme: Mapping[str, str], names: Mapping[str, str]) -> dict[str, str]:
    """JupyterLab's colours under the page's names, with the page's own as what they fall back to."""
    return {ours: f"var(--jp-{theirs},{theme[ours]})" for ours, theirs in names.items()}


def _is_hidden(char: str) -> bool:
    return char in _BIDI or unicodedata.category(char) in ("Cc", "Cs")


def _written(char: str) -> str:
    return f"\\u{ord(char):04x}"
