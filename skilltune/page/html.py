"""The one place where values become HTML: each is made visible and escaped, whatever it holds."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

__all__ = ["EMPTY", "Section", "plain_text", "render", "stylesheet", "visible"]

_BIDI: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff")
_SPACE: Final = re.compile(r"\s+")
_CODE: Final = re.compile(r"`([^`]+)`")
_TORN: Final = re.compile(r" ([,.;:])")
_TAG: Final = re.compile(r"<(style|svg)\b.*?</\1>|<[^>]*>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a page, shown by Jupyter as HTML; ``headline`` is the page's sentence where it holds that."""

    html: Markup
    headline: str = ""

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        metadata = {"skilltune": {"headline": self.headline}} if self.headline else {}
        return {"text/html": str(self.html), "text/plain": plain_text(self.html)}, metadata


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
    return environment


def _finalize(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _with_code(text: str) -> Markup:
    """Escaped `text` with what stands between backticks set as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(Markup.escape(visible(text)))))  # noqa: S704  # escaped just before


def _colours() -> dict[str, Markup]:
    from skilltune.charts.theme import DARK, FONT, LIGHT, MONOSPACE

    values = {
        name: Markup("").join(Markup("--{}:{};").format(*pair) for pair in theme.items())
        for name, theme in (("light", LIGHT), ("dark", DARK))
    }
    return values | {"font": Markup(FONT), "monospace": Markup(MONOSPACE)}  # noqa: S704  # constants of ours


def _is_hidden(char: str) -> bool:
    return char in _BIDI or unicodedata.category(char) in ("Cc", "Cs")


def _written(char: str) -> str:
    return f"\\u{ord(char):04x}"
