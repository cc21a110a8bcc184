"""Notebooks as pages."""

import re

import nbformat

from skilltune.reports.export import export_html, page_head

PNG = "iVBORw0KGgo="


TITLE = "<h1>Week 48</h1>"


def notebook(*outputs: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """A notebook with prose and one cell that gave `outputs`."""
    cells = [
        nbformat.v4.new_markdown_cell("# Prose"),
        nbformat.v4.new_code_cell("secret_code()", outputs=list(outputs)),
    ]
    return nbformat.v4.new_notebook(cells=cells)


def shown(**data: str) -> nbformat.NotebookNode:
    """One displayed output."""
    return nbformat.v4.new_output("display_data", data={name.replace("_", "/"): value for name, value in data.items()})


def test_page_holds_outputs_only():
    """Code, prose and streams stay in the notebook that was made for a page."""
    stream = nbformat.v4.new_output("stream", name="stderr", text="a warning")
    html = export_html(notebook(stream, shown(text_html=f"{TITLE}<p>seen</p>", text_plain="seen")), title="T")
    assert "<p>seen</p>" in html
    for word in ("secret_code", "Prose", "a warning"):
        assert word not in html
    assert html.count("<h1") == 1


def test_notebook_without_a_title_gets_that_of_its_definition():
    """Its prose stands below, less what only JupyterLab needs; tables scroll in a frame that a keyboard reaches."""
    made = notebook(shown(text_html="<table><tr><td>1</td></tr></table>"))
    lab_only = nbformat.v4.new_markdown_cell("choose Run All", metadata={"tags": ["lab-only"]})
    hostile = nbformat.v4.new_markdown_cell("**bold** <script>1</script><img src=x onerror=1>")
    made.cells = [lab_only, *made.cells, hostile]
    html = export_html(made, title="Mine <b>")
    assert re.findall("<h[1-6].*?</h[1-6]>", html) == ["<h1>Mine &lt;b&gt;</h1>", "<h2>Prose</h2>"]
    assert re.search(r'<div class="st st-shown" role="group" tabindex="0"[^>]*><table>', html)
    assert "<strong>bold</strong>" in html
    for word in ("secret_code", "Run All", "<script", "<img", "¶"):
        assert word not in html


def test_other_outputs_are_shown_as_text_and_pictures():
    """A cell somebody added shows its text escaped and its picture inside the page."""
    html = export_html(notebook(shown(text_plain="<b>&"), shown(image_png=PNG, text_plain='a "dot"')), title="T")
    assert "<pre>&lt;b&gt;&amp;</pre>" in html
    assert f'<img alt="a &#34;dot&#34;" src="data:image/png;base64,{PNG}">' in html


def test_title_and_headline_are_escaped():
    """A skill's name in the headline is text in the head, too."""
    output = shown(text_html="x")
    output.metadata = {"skilltune": {"headline": '"><script>1</script>'}}
    html = export_html(notebook(output), title="</title><script>1</script>")
    assert "<script" not in html
    assert '<meta name="description" content="&#34;&gt;&lt;script&gt;1&lt;/script&gt;">' in html


def test_policy_allows_this_style_alone():
    """The hash is that of the style in the page; changing it would show."""
    head = page_head(title="T")
    html = export_html(notebook(shown(text_html=TITLE)), title="T")
    assert re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1] == head.style
    assert "style-src 'sha256-" in head.policy
    assert "script" not in head.policy
