"""A notebook that was run → one HTML page without scripts and outside references."""

import base64
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import nbformat
from nbconvert.exporters import TemplateExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from skilltune.page.html import stylesheet, visible
from skilltune.reports.cleaning import clean_html

__all__ = ["TEMPLATES", "PageHead", "export_html", "headline_of", "page_head"]

TEMPLATES: Final = Path(__file__).parent / "templates"
OWN_STYLE: Final = """
.st.st>h1{font-size:24px;line-height:32px;font-weight:600;margin:24px 0 8px}
.st.st-prose>h2,.st.st-prose>h3{font-size:20px;line-height:28px;font-weight:600;margin-bottom:6px}
.st-page .st-prose{max-width:42em;margin-top:28px}
.st-page .st img{max-width:100%;height:auto}
.st-page .st>pre{white-space:pre-wrap}
.st-page .st-shown{overflow-x:auto;margin-top:8px}
.st-page .st-shown table{border-collapse:collapse;font-variant-numeric:tabular-nums}
.st-page .st-shown th,.st-page .st-shown td{padding:5px 14px 5px 0;text-align:left;vertical-align:top;font-weight:400}
.st-page .st-shown thead tr{border-bottom:1px solid var(--rule2)}
.st-page .st-shown tbody tr{border-bottom:1px solid var(--rule)}
.st-page .st-readable th,.st-page .st-readable td{white-space:nowrap}
"""
"""Of pages whose outputs are no sections: tables of a notebook."""
_HEADING: Final = re.compile(r"(</?h)([1-6])\b")


@dataclass(frozen=True, slots=True)
class PageHead:
    """What stands in a page's head."""

    title: str
    headline: str
    style: str
    policy: str
    own_title: bool = False
    """The page needs a title: no output has one."""


def page_head(*, title: str, headline: str = "", own_title: bool = False) -> PageHead:
    """A head whose policy allows this page's own style and pictures inside it, and nothing else."""
    style = f"{stylesheet()}{OWN_STYLE if own_title else ''}"
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    return PageHead(title=visible(title), headline=visible(headline), style=style, policy=policy, own_title=own_title)


def export_html(notebook: nbformat.NotebookNode, *, title: str) -> str:
    """The page of all outputs of `notebook`, in order, without its code.

    Where no output has a heading of the first level the notebook was not made for a page: `title` is the heading then,
    the prose stands between the outputs, and what is too wide scrolls in a frame of its own.
    """
    exporter = TemplateExporter(  # type: ignore[no-untyped-call]  # nbconvert has no types
        template_name="skilltune",
        template_file="index.html.j2",
        extra_template_basedirs=[str(TEMPLATES)],
        filters={"clean_html": clean_html, "base64": _base64, "prose": _prose},
    )
    head = page_head(title=title, headline=headline_of(notebook), own_title=not _has_title(notebook))
    page, _ = exporter.from_notebook_node(notebook, resources={"page": head})
    return str(page)


def headline_of(notebook: nbformat.NotebookNode) -> str:
    """The sentence that a section of `notebook` gave as the page's headline, or ''."""
    told = (
        output.get("metadata", {}).get("skilltune", {}).get("headline", "")
        for cell in notebook.cells
        for output in cell.get("outputs", [])
    )
    return next(filter(None, told), "")


def _has_title(notebook: nbformat.NotebookNode) -> bool:
    shown = (output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))
    return any("<h1" in str(data.get("text/html", "")) for data in shown)


def _prose(source: str) -> str:
    """Markdown as HTML whose headings stand below the page's own."""
    renderer = IPythonRenderer(escape=False, exclude_anchor_links=True)
    html = MarkdownWithMath(renderer=renderer).render(source)
    return _HEADING.sub(lambda found: f"{found[1]}{min(int(found[2]) + 1, 3)}", html)


def _base64(text: str) -> str:
    return base64.b64encode(text.encode("utf-8")).decode("ascii")
