"""The one place where values become HTML."""

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.charts.theme import DARK, LIGHT
from skilltune.page.html import EMPTY, Section, plain_text, render, stylesheet, visible


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


def test_stylesheet_holds_every_colour_of_both_themes():
    """Light is the default, dark follows the reader's setting, print is light."""
    style = stylesheet()
    for name in LIGHT:
        assert f"--{name}:{LIGHT[name]};" in style
        assert f"--{name}:{DARK[name]};" in style
    assert "prefers-color-scheme:dark" in style
    assert "url(" not in style
