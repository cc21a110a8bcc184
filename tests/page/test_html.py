"""The one place where values become HTML."""

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.charts.theme import DARK, LAB, LIGHT
from skilltune.page.html import EMPTY, Section, plain_text, readable_text, render, stylesheet, unbroken, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines\tand more", "two lines and more"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\x1b[31mred", "\\u001b[31mred"),
        ("lone \ud800", "lone \\ud800"),
        ("不对 👩‍💻", "不对 👩‍💻"),
    ],
)
def test_hidden_characters_are_written_out(text: str, shown: str):
    """Control, direction and surrogate characters can be seen; writing systems and emoji stay."""
    assert visible(text) == shown


@given(st.text(min_size=1))
def test_no_text_becomes_a_tag(text: str):
    """Whatever a quote holds, the only tags around it are the template's."""
    html = render(
        "complaints.html.j2",
        note="",
        finding=text,
        quotes=[{"text": text, "source": text, "lang": "", "skill": text}],
        foot="",
    )
    empty = render(
        "complaints.html.j2",
        note="",
        finding="",
        quotes=[{"text": "x", "source": "", "lang": "", "skill": "x"}],
        foot="",
    )
    assert html.count("<") - 2 * html.count("<code>") == empty.count("<")


def test_backticks_become_code_after_escaping():
    """What stands between backticks is code, and still only text."""
    html = render(
        "complaints.html.j2",
        note="",
        finding="",
        quotes=[{"text": "use `<b>x</b>`", "source": "", "lang": "", "skill": ""}],
        foot="",
    )
    assert "use <code>&lt;b&gt;x&lt;/b&gt;</code>" in html


def test_section_gives_notebooks_valid_html_and_plain_text():
    """A section is an output that nbformat takes, with its words as text."""
    section = Section(render("complaints.html.j2", note="", finding="A & B", quotes=[], foot=""), headline="A & B")
    bundle, metadata = section._repr_mimebundle_()
    output = nbformat.v4.new_output("display_data", data=bundle, metadata=metadata)
    nbformat.validate(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=[output])]))
    assert "A & B" in bundle["text/plain"]
    assert metadata == {"skilltune": {"headline": "A & B"}}
    assert EMPTY._repr_mimebundle_() == ({"text/html": "", "text/plain": ""}, {})


def test_plain_text_has_neither_style_nor_drawings():
    """The text form leaves out what only a picture says."""
    assert plain_text("<style>a{b}</style><p>one</p><svg><title>x</title></svg>&amp; two") == "one & two"


def test_readable_text_has_a_line_for_each_row_and_says_what_drawings_show():
    """What stands in a terminal, or in a notebook without HTML: rows, and drawings in words."""
    html = (
        '<style>a{b}</style><h2>A finding</h2><p class="st-key">once more</p><table><tr><th>x</th> <th>y</th></tr>\n'
        '<tr><td>1</td><td></td><td><svg aria-label="from 2 &amp; up"><text>2</text></svg></td></tr></table>'
        '<svg aria-hidden="true"><text>0</text></svg><ul><li>one</li><li>two</li></ul>'
    )
    assert readable_text(html).splitlines() == ["A finding", "x; y", "1; from 2 & up", "one", "two"]


def test_names_are_kept_whole_only_where_they_are_names():
    """A name inside another word is no name; what is no name is escaped all the same."""
    assert unbroken("x-a & a", "a") == 'x-a &amp; <span class="st-one">a</span>'


def test_stop_stays_with_the_name_before_it():
    """No line begins with the colon after a name."""
    assert unbroken("of a: 1", "a") == 'of <span class="st-one">a:</span> 1'
    assert unbroken("<b>", "") == "&lt;b&gt;"
    assert unbroken("<b> is", "<b>") == '<span class="st-one">&lt;b&gt;</span> is'


def test_lab_takes_its_own_colours():
    """In JupyterLab neutral colours follow its theme, with the page's as what they fall back to."""
    style = stylesheet()
    for ours, theirs in LAB.items():
        assert f"--{ours}:var(--jp-{theirs},{LIGHT[ours]});" in style
        assert f"--{ours}:var(--jp-{theirs},{DARK[ours]});" in style


def test_stylesheet_holds_every_colour_of_both_themes():
    """Light is the default, dark follows the reader's setting, print is light."""
    style = stylesheet()
    for name in LIGHT:
        assert f"--{name}:{LIGHT[name]};" in style
        assert f"--{name}:{DARK[name]};" in style
    assert "prefers-color-scheme:dark" in style
    assert "url(" not in style
