"""A notebook that was run → one HTML page without scripts and outside references."""

import base64
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import nbformat
from nbconvert.exporters import TemplateExporter

from skilltune.page.html import stylesheet, visible
from skilltune.reports.cleaning import clean_html

__all__ = ["TEMPLATES", "PageHead", "export_html", "headline_of", "page_head"]

TEMPLATES: Final = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class PageHead:
    """What stands in a page's head."""

    title: str
    headline: str
    style: str
    policy: str


def page_head(*, title: str, headline: str = "") -> PageHead:
    """A head whose policy allows this page's own style and pictures inside it, and nothing else."""
    style = stylesheet()
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    return PageHead(title=visible(title), headline=visible(headline), style=style, policy=policy)


def export_html(notebook: nbformat.NotebookNode, *, title: str) -> str:
    """The page of all outputs of `notebook`, in order; its code and prose are left out."""
    exporter = TemplateExporter(  # type: ignore[no-untyped-call]  # nbconvert has no types
        template_name="skilltune",
        template_file="index.html.j2",
        extra_template_basedirs=[str(TEMPLATES)],
        filters={"clean_html": clean_html, "base64": _base64},
    )
    head = page_head(title=title, headline=headline_of(notebook))
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


def _base64(text: str) -> str:
    return base64.b64encode(text.encode("utf-8")).decode("ascii")
