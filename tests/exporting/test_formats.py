"""Tables as bytes: whatever the texts, the shape holds and nothing in them is computed or obeyed."""

import csv
import io
import json
import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltune.errors import InputError
from skilltune.exporting.formats import FORMATS, format_of, markdown_text, records, write_rows
from skilltune.exporting.redacting import redacted
from tests.stores.test_secrets import PLANTED

HEAD = {"schema": "skilltune.events", "version": 1}
TEXTS = st.lists(st.text(max_size=30), max_size=5)


def table(texts: list[str]) -> pd.DataFrame:
    """A table with these texts, as an export writes it."""
    frame = pd.DataFrame({"rule": pd.Series(texts, dtype="object"), "n": range(len(texts))})
    return redacted(frame)


@given(TEXTS)
def test_csv_has_its_shape_and_no_formula(texts):
    """As many rows and cells as the table; no cell begins with what a spreadsheet computes."""
    raw = write_rows(table(texts), "csv", head=HEAD)
    rows = list(csv.reader(io.StringIO(raw.decode("utf-8"), newline=""), strict=True))
    assert rows[0] == ["rule", "n"]
    assert [row[1] for row in rows[1:]] == [str(number) for number in range(len(texts))]
    assert not [row[0] for row in rows[1:] if row[0][:1] in set("=+-@\t\r")]


@given(TEXTS)
def test_json_gives_the_texts_back(texts):
    """One document in ASCII, a line a row."""
    made = table(texts)
    told = json.loads(write_rows(made, "json", head=HEAD).decode("ascii"))
    assert told["rows"] == [{"rule": rule, "n": n} for rule, n in zip(made["rule"], made["n"], strict=True)]


@given(st.text(max_size=60))
def test_markdown_text_is_one_line_without_markup(text):
    """No HTML, no cell, no line of its own; only escaped marks."""
    line = markdown_text(text)
    assert len(line.splitlines()) <= 1
    assert not set("<>") & set(line)
    assert not re.search(r"(?<!\\)(?:\\\\)*[|`*_\[\]]", line)
    assert "\u202e" not in line


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("- no", "\\- no"),
        ("1. no", "1\\. no"),
        ("2) no", "2\\) no"),
        ("# no", "\\# no"),
        ("see http://x.test", "see http\\://x.test"),
        ("WWW.x.test", "WWW\\.x.test"),
        ("fine, 1.5 times", "fine, 1.5 times"),
    ],
)
def test_markdown_text_begins_nothing(text, shown):
    """A list, a heading, a link."""
    assert markdown_text(text) == shown


@pytest.mark.parametrize(
    ("name", "suffix", "form"),
    [
        (None, ".csv", "csv"),
        (None, ".MD", "md"),
        ("markdown", ".txt", "md"),
        ("JSON", ".csv", "json"),
        ("pq", "", "parquet"),
    ],
)
def test_format_is_named_or_told_by_the_ending(name, suffix, form):
    """The name wins."""
    assert format_of(name, suffix=suffix) == form


def test_format_of_nothing_is_an_error():
    """With those there are."""
    with pytest.raises(InputError, match="csv, json, parquet, md"):
        format_of(None, suffix="")


def test_records_are_whole_whatever_their_number():
    """Parts are put together without a gap."""
    frame = pd.DataFrame({"n": range(25_001)})
    assert [row["n"] for row in records(frame)] == list(range(25_001))
    assert list(records(frame.head(0))) == []


@pytest.mark.parametrize("text", ["category", "str", "string[python]", "object"])
@pytest.mark.parametrize("form", FORMATS)
def test_planted_secrets_are_in_no_file_whatever_the_column(form, text):
    """Texts are masked however pandas keeps them: names that many rows share are categories."""
    if form == "parquet":
        pytest.importorskip("pyarrow")
    said = [sentence.format(secret) for sentence, secret in PLANTED]
    frame = pd.DataFrame({"rule": said, "skill_id": said, "n": range(len(said))})
    made = redacted(frame.astype({"rule": text, "skill_id": text}))
    raw = write_rows(made, form, head=HEAD)
    told = pd.read_parquet(io.BytesIO(raw)).to_csv() if form == "parquet" else raw.decode("utf-8")
    assert [secret for _, secret in PLANTED if secret in told] == []
    assert made["n"].tolist() == list(range(len(said)))
