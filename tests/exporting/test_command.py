"""Exports as files: what they hold, what they leave out, and what becomes of a file that is there."""

import csv
import io
import json
import os
import stat
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pandas as pd
import pytest

from skilltune.errors import InputError, LogError, ReadError
from skilltune.exporting.command import export_table
from skilltune.exporting.redacting import OPEN_COLUMNS, TEXT_COLUMNS
from skilltune.frames import columns
from skilltune.records import FeedbackEvent, Invocation
from tests.exporting.logs import judged, row, written
from tests.stores.test_secrets import PLANTED

CONTENTS = ["events", "uses", "metrics", "hotspots"]
FORMATS = ["csv", "json", "parquet", "md"]
AS_OF = "2026-11-30"
PRIVATE = {
    "session_id": "planted-session",
    "project": "/srv/planted-project",
    "base_directory": "/srv/planted-folder",
    "invocation_uuid": "planted-uuid",
}


def read_csv(path) -> list[dict[str, str]]:
    """The rows of a CSV file as texts."""
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8"), newline="")))


def read_any(path) -> str:
    """What a reader finds in a file of any format, with numbers as texts."""
    if path.suffix == ".parquet":
        pytest.importorskip("pyarrow")
        return pd.read_parquet(path).astype("object").map(str).to_csv() + path.read_bytes().decode("latin-1")
    return path.read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Locks go into a home of the test's own."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)


@pytest.fixture
def log(tmp_path):
    """A log of four uses of one skill: one correction, two partials, one acceptance."""
    return written(tmp_path, judged("correction", "partial", "partial", "acceptance"))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("content", CONTENTS)
def test_export_writes_a_file_for_its_owner_only(log, tmp_path, content, form):
    """Each table in each format, mode 0600, with its columns and as many rows as it says."""
    if form == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"{content}.{form}"
    done = export_table(content, path, log=log, as_of=AS_OF)
    assert (done.path, done.content, done.format) == (path, content, form)
    assert done.rows == {"events": 4, "uses": 4, "metrics": 1, "hotspots": 1}[content]
    assert "skill_id" in done.columns
    if os.name != "nt":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir() if each.name.endswith(".tmp")] == []


def test_metrics_rows_say_window_rate_n_interval_and_rules(tmp_path):
    """A metrics row is enough to know what was counted, and over what time."""
    log = written(tmp_path, judged("correction", "partial", "acceptance", "acceptance", ruleset="rules-1"))
    export_table("metrics", tmp_path / "m.csv", log=log, as_of=AS_OF, min_invocations=5)
    (found,) = read_csv(tmp_path / "m.csv")
    assert found["as_of"] == "2026-11-30T00:00:00+00:00"
    assert found["since"] == "2026-10-31T00:00:00+00:00"
    assert (found["days"], found["sample_size"], found["sufficient_data"]) == ("30", "4", "false")
    assert found["correction_rate"] == "0.375"
    assert 0 < float(found["low"]) < 0.375 < float(found["high"]) < 1
    assert found["ruleset"] == "rules-1"


def test_metrics_end_where_as_of_says(log, tmp_path):
    """Later events do not exist."""
    export_table("metrics", tmp_path / "m.csv", log=log, as_of="2026-11-12")
    (found,) = read_csv(tmp_path / "m.csv")
    assert found["sample_size"] == "2"


def test_metrics_have_no_row_of_a_skill_without_a_use_in_the_window(tmp_path):
    """Undated rows and old ones say nothing of it; a moment that nobody can mean is refused with the years."""
    undated = [row(7, timestamp=None, skill_id="undated"), row(8, timestamp="0001-01-01T00:00:00Z", skill_id="first")]
    log = written(tmp_path, [*judged("correction"), *undated])
    assert export_table("metrics", tmp_path / "m.csv", log=log, as_of=AS_OF).rows == 1
    assert export_table("metrics", tmp_path / "later.csv", log=log, as_of="2027-06-01").rows == 0
    with pytest.raises(InputError, match=r"'0001-01-01' .*1970-01-01 to 9990-12-31"):
        export_table("metrics", tmp_path / "early.csv", log=log, as_of="0001-01-01")


def test_skill_whose_name_holds_a_secret(tmp_path):
    """It is found by its name as it is, or as it is shown; an error shows no secret."""
    key = "ghp_" + "a1B2c3D4e5" * 4
    log = written(tmp_path, judged("correction", "partial", skill_id=f"skill {key}"))
    for number, name in enumerate((f"skill {key}", "skill [secret]")):
        assert export_table("events", tmp_path / f"{number}.csv", log=log, as_of=AS_OF, skill_id=name).rows == 2
    with pytest.raises(InputError) as refused:
        export_table("events", tmp_path / "e.csv", log=log, as_of=AS_OF, skill_id=f"no {key}")
    assert key not in str(refused.value)


def test_hotspot_note_has_the_rate_that_metrics_has(log, tmp_path):
    """One correction, two partials, one acceptance: 50 % in the note as in the metrics."""
    export_table("hotspots", tmp_path / "n.md", log=log, as_of=AS_OF)
    export_table("metrics", tmp_path / "m.csv", log=log, as_of=AS_OF)
    note = (tmp_path / "n.md").read_text(encoding="utf-8")
    assert "correction_rate: 0.5\n" in note
    assert "Correction rate 50% (" in note
    assert "| tidy-imports | 50% (few data) |" in note
    assert read_csv(tmp_path / "m.csv")[0]["correction_rate"] == "0.5"


def test_hotspot_note_has_its_parts(log, tmp_path):
    """Front matter, counts, dimensions, skills, corrections newest first."""
    export_table("hotspots", tmp_path / "n.md", log=log, as_of=AS_OF)
    note = (tmp_path / "n.md").read_text(encoding="utf-8")
    head, _, body = note.removeprefix("---\n").partition("\n---\n")
    assert "schema: skilltune.hotspots" in head
    assert "version: 1" in head
    assert "4 judged uses over all time: 1 correction, 2 partials, 1 acceptance." in body
    assert "| accuracy | 3 | 100% |" in body
    dates = [line[2:12] for line in body.splitlines() if line.startswith("- 2026")]
    assert dates == ["2026-11-12", "2026-11-11", "2026-11-10"]


def test_hotspot_note_without_events_says_so(tmp_path):
    """Words in place of tables."""
    log = written(tmp_path, judged("acceptance"))
    export_table("hotspots", tmp_path / "n.md", log=log, as_of="2020-01-01")
    note = (tmp_path / "n.md").read_text(encoding="utf-8")
    for words in ("No use was judged over all time.", "Nobody complained.", "None."):
        assert words in note


def test_hostile_texts_stay_texts_in_markdown(tmp_path):
    """No markup, HTML, link, table cell or heading comes out of what a session says."""
    hostile = "# no | <img src=x onerror=alert(1)> [a](javascript:x) **b** `c`\n\n---\nhttp://evil.test \u202eabc"
    log = written(tmp_path, judged("correction", skill_id="a|b<script>", user_message_snippet=hostile))
    for content in ("hotspots", "events"):
        export_table(content, tmp_path / f"{content}.md", log=log, as_of=AS_OF)
        note = (tmp_path / f"{content}.md").read_text(encoding="utf-8")
        assert "<img" not in note
        assert "<script" not in note
        assert "[a](" not in note
        assert "**b**" not in note
        assert "http://" not in note
        assert "\u202e" not in note
        assert r"a\|b" in note


def test_csv_is_rfc_4180_and_computes_nothing(tmp_path):
    """Lines end with CR LF; what a spreadsheet would take for a formula has an apostrophe before it."""
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", 'say "no", please', "第一"]
    log = written(
        tmp_path, [row(number, user_message_snippet=text, skill_id="=cmd") for number, text in enumerate(texts)]
    )
    export_table("events", tmp_path / "e.csv", log=log, as_of=AS_OF)
    raw = (tmp_path / "e.csv").read_bytes()
    assert raw.count(b"\r\n") == len(texts) + 1
    found = {line["event_id"]: line for line in read_csv(tmp_path / "e.csv")}
    cells = [found[f"{number:016x}"]["user_message_snippet"] for number in range(len(texts))]
    assert cells[:4] == ["'=1+1", "'+1", "'-1", "'@SUM(A1)"]
    assert all(cell.startswith("'") for cell in cells[:6])
    assert cells[6:] == ['say "no", please', "第一"]
    assert {line["skill_id"] for line in found.values()} == {"'=cmd"}


def test_json_names_its_schema_and_version(log, tmp_path):
    """A program can tell what it reads, and finds plain values."""
    export_table("events", tmp_path / "e.json", log=log, as_of=AS_OF, privacy=True)
    told = json.loads((tmp_path / "e.json").read_text(encoding="ascii"))
    assert (told["schema"], told["version"], told["privacy"]) == ("skilltune.events", 1, True)
    assert told["columns"] == list(told["rows"][0])
    assert told["rows"][0]["outcome"] == "correction"
    assert told["rows"][0]["ai_tools_used"] == ["Edit", "Bash"]


def test_parquet_keeps_types(log, tmp_path):
    """Times are times, counts are counts, lists are lists, and the schema is named."""
    parquet = pytest.importorskip("pyarrow.parquet")
    export_table("events", tmp_path / "e.parquet", log=log, as_of=AS_OF)
    table = parquet.read_table(tmp_path / "e.parquet")
    assert str(table.schema.field("timestamp").type) == "timestamp[us, tz=UTC]"
    assert str(table.schema.field("turns_to_feedback").type) == "int64"
    assert str(table.schema.field("ai_tools_used").type).startswith("list<")
    assert json.loads(table.schema.metadata[b"skilltune"])["schema"] == "skilltune.events"


def test_parquet_without_pyarrow_names_the_command(log, tmp_path, monkeypatch):
    """What to install is said, and nothing is written."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'skilltune\[parquet\]'"):
        export_table("events", tmp_path / "e.parquet", log=log, as_of=AS_OF)
    assert not (tmp_path / "e.parquet").exists()


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_append_adds_rows_and_replaces_those_of_the_same_key(log, tmp_path, form):
    """Two days make two rows; the same day again makes no third one, whatever the format."""
    if form == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"m.{form}"
    for day in ("2026-11-12", AS_OF, AS_OF):
        export_table("metrics", path, log=log, as_of=day, append=True)
    if form == "parquet":
        found = pd.read_parquet(path)["sample_size"].tolist()
    elif form == "json":
        found = [line["sample_size"] for line in json.loads(path.read_text(encoding="utf-8"))["rows"]]
    else:
        found = [int(line["sample_size"]) for line in read_csv(path)]
    assert found == [2, 4]


def test_append_takes_older_files_with_fewer_columns(log, tmp_path):
    """A column that came since is empty in the rows that were there."""
    path = tmp_path / "m.csv"
    path.write_text("skill_id,as_of,days\r\nolder,2026-01-01T00:00:00+00:00,30\r\n", encoding="utf-8", newline="")
    export_table("metrics", path, log=log, as_of=AS_OF, append=True)
    first, second = read_csv(path)
    assert (first["skill_id"], first["correction_rate"]) == ("older", "")
    assert second["correction_rate"] == "0.5"


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_append_to_a_file_without_bytes_writes_it(log, tmp_path, form):
    """What ``touch`` makes is as good as no file; nothing is left beside it."""
    if form == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / "out" / f"m.{form}"
    path.parent.mkdir()
    path.touch()
    export_table("metrics", path, log=log, as_of=AS_OF, append=True)
    export_table("metrics", tmp_path / f"new.{form}", log=log, as_of=AS_OF)
    assert path.read_bytes() == (tmp_path / f"new.{form}").read_bytes()
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("skill_id,as_of\n", "lacks the column days;"),
        ("skill_id\n", "lacks the columns as_of, days;"),
        ("skill_id,as_of,days,mine,b,c,d,e,f\n", r"has other columns \(b, c, d, e, f, 1 more\)"),
        ("skill_id,as_of,days,days\n", r"has columns twice \(days\)"),
        (f"skill_id,as_of,days,{'x' * 90}\n", f"{'x' * 60}…"),
    ],
)
def test_append_says_what_is_wrong_with_the_columns(log, tmp_path, content, told):
    """Those that lack, those that are too many, and how many more; no name is cut in its midst without a sign."""
    path = tmp_path / "m.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        export_table("metrics", path, log=log, as_of=AS_OF, append=True)


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_append_in_the_private_form_to_a_file_that_is_not(log, tmp_path, form):
    """The error names the cause: the columns that --privacy leaves out."""
    if form == "parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"e.{form}"
    export_table("events", path, log=log, as_of=AS_OF)
    with pytest.raises(InputError, match=r"was made without --privacy: it has .*project"):
        export_table("events", path, log=log, as_of=AS_OF, append=True, privacy=True)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("m.csv", b"a,b\r\n1,2\r\n"),
        ("m.csv", b"\n"),
        ("m.csv", b'skill_id,as_of,days\r\n"never closed'),
        ("m.csv", b"skill_id,as_of,days\r\n1\r\n"),
        ("m.csv", b"\xff\xfe"),
        ("m.json", b"{}"),
        ("m.json", b"[1]"),
        ("m.json", b'{"schema": "skilltune.metrics", "version": 2, "columns": [], "rows": []}'),
        ("m.parquet", b"PAR1"),
        ("m.md", b"# mine"),
    ],
)
def test_append_leaves_a_file_that_is_something_else(log, tmp_path, name, content):
    """It is named as wrong and stays as it was."""
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"name another one|choose csv, json or parquet"):
        export_table("metrics", path, log=log, as_of=AS_OF, append=True)
    assert path.read_bytes() == content


def test_a_file_that_is_there_is_replaced_only_when_told(log, tmp_path):
    """It is as it was, or new, and then its owner's only."""
    path = tmp_path / "e.csv"
    path.write_text("mine", encoding="utf-8")
    path.chmod(0o644)
    with pytest.raises(InputError, match="is there already; name another file, or say --overwrite"):
        export_table("events", path, log=log, as_of=AS_OF)
    assert path.read_text(encoding="utf-8") == "mine"
    export_table("events", path, log=log, as_of=AS_OF, overwrite=True)
    assert len(read_csv(path)) == 4
    if os.name != "nt":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"output": "e.txt"}, "ends in '.txt', which is no format"),
        ({"output": "e"}, "ends in 'nothing'"),
        ({"output": "e.csv", "format": "xlsx"}, "'xlsx' is no format"),
        ({"output": ".", "format": "xlsx"}, "is no format"),
        ({"output": "e.csv", "overwrite": True, "append": True}, "exclude each other"),
        ({"output": "e.csv", "content": "turns"}, "'turns' cannot be exported"),
        ({"output": "e.csv", "as_of": "soon"}, "no date or time"),
    ],
)
def test_wrong_options_are_named(log, tmp_path, monkeypatch, options, complaint):
    """One error that says what is wrong; nothing is written."""
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    given = {"content": "events", "log": log, "as_of": AS_OF} | options
    with pytest.raises(InputError, match=complaint):
        export_table(given.pop("content"), given.pop("output"), **given)
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_gets_a_file_of_the_usual_name(log, tmp_path):
    """The day, and what it holds; it is replaced only when told, like any other."""
    (tmp_path / "kept").mkdir()
    done = export_table("events", tmp_path / "kept", log=log, as_of=AS_OF)
    assert done.path == tmp_path / "kept" / "2026-11-30-session-feedback-events.csv"
    with pytest.raises(InputError, match="is there already"):
        export_table("events", tmp_path / "kept", log=log, as_of=AS_OF)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
@pytest.mark.parametrize("how", [{"overwrite": True}, {"append": True}, {}])
@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_is_never_replaced(log, tmp_path, how, linked):
    """Also behind a link, and whatever is asked: only a regular file gives way."""
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    target = tmp_path / "link.csv" if linked else pipe
    if linked:
        target.symlink_to(pipe)
    with pytest.raises((InputError, LogError), match="regular file"):
        export_table("events", target, log=log, as_of=AS_OF, **how)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert target.is_symlink() == linked


def _append(arguments: tuple[str, str, str]) -> None:
    log, path, day = arguments
    export_table("metrics", path, log=log, as_of=day, append=True)


def test_rows_that_are_added_at_once_all_stay(log, tmp_path):
    """Two processes at a time, six days: none of the rows is lost."""
    path, days = tmp_path / "m.csv", [f"2026-11-{day}" for day in range(20, 26)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(_append, [(str(log), str(path), day) for day in days]))
    assert sorted(row["as_of"][:10] for row in read_csv(path)) == days
    assert {each.name for each in tmp_path.iterdir()} == {"home", "m.csv", "feedback.jsonl"}


def test_append_without_a_cache_locks_among_temporary_files(log, tmp_path, monkeypatch):
    """A cache that cannot be made is no reason to add nothing; a folder there that is not one's own is named."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(log))
    monkeypatch.setattr("skilltune.exporting.writing.gettempdir", lambda: str(tmp_path / "spare"))
    (tmp_path / "spare").mkdir()
    export_table("metrics", tmp_path / "m.csv", log=log, as_of=AS_OF, append=True)
    (folder,) = (tmp_path / "spare").iterdir()
    assert [each.suffix for each in folder.iterdir()] == [".lock"]
    folder.rename(tmp_path / "another")
    folder.symlink_to(tmp_path / "another")
    with pytest.raises(LogError, match="is not yours; set HOME or TMPDIR"):
        export_table("metrics", tmp_path / "m.csv", log=log, as_of=AS_OF, append=True)


def test_no_log_is_an_error(tmp_path):
    """With what to do next."""
    with pytest.raises(ReadError, match="make one with: skilltune mine"):
        export_table("events", tmp_path / "e.csv", log=tmp_path / "none.jsonl", as_of=AS_OF)


def test_what_cannot_be_written_leaves_nothing(log, tmp_path):
    """A folder that is a file: the error names the place."""
    with pytest.raises(LogError, match="cannot be made"):
        export_table("events", log / "e.csv", log=log, as_of=AS_OF)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("content", CONTENTS)
def test_planted_secrets_are_in_no_export(tmp_path, content, form):
    """Secrets in texts and names of a log of any origin are masked, in every table and format."""
    if form == "parquet":
        pytest.importorskip("pyarrow")
    rows = [
        row(
            number,
            outcome="correction",
            correction_type="rejection",
            user_message_snippet=sentence.format(secret),
            skill_id=f"skill {sentence.format(secret)}",
            session_id=f"session {sentence.format(secret)}",
            project=f"/srv/{sentence.format(secret)}",
            ai_tools_used=[sentence.format(secret)],
        )
        for number, (sentence, secret) in enumerate(PLANTED)
    ]
    path = tmp_path / f"x.{form}"
    export_table(content, path, log=written(tmp_path, rows), as_of=AS_OF)
    told = read_any(path)
    assert [secret for _, secret in PLANTED if secret in told] == []


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("content", CONTENTS)
def test_names_of_120_characters_are_whole(tmp_path, content, form):
    """Two skills whose names differ at their very end stay two, in every table and format."""
    if form == "parquet":
        pytest.importorskip("pyarrow")
    names = ["n" * 119 + end for end in "ab"]
    rows = [
        row(number, skill_id=name, outcome="correction", dimension_hint="accuracy") for number, name in enumerate(names)
    ]
    path = tmp_path / f"x.{form}"
    done = export_table(content, path, log=written(tmp_path, rows), as_of=AS_OF)
    assert done.rows == 2
    assert all(name in read_any(path) for name in names)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("content", CONTENTS)
def test_privacy_leaves_out_texts_and_names(tmp_path, content, form):
    """No words, project, path or session, nor an id of another tool that holds one; the skill stays."""
    if form == "parquet":
        pytest.importorskip("pyarrow")
    log = written(
        tmp_path,
        [
            *judged("correction", "partial", user_message_snippet="planted-words", **PRIVATE),
            row(7, event_id="planted-session:7", session_id="planted-session"),
        ],
    )
    path = tmp_path / f"x.{form}"
    done = export_table(content, path, log=log, as_of=AS_OF, privacy=True)
    assert "planted" not in read_any(path)
    assert set(done.columns) <= OPEN_COLUMNS
    assert "tidy-imports" in read_any(path)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("content", ["events", "hotspots"])
def test_no_snippets_leaves_out_texts_only(tmp_path, content, form):
    """The words are gone, the rest is there; a setting says the same as the option."""
    if form == "parquet":
        pytest.importorskip("pyarrow")
    log = written(tmp_path, judged("correction", user_message_snippet="planted-words", session_id="the-session"))
    path = tmp_path / f"x.{form}"
    export_table(content, path, log=log, as_of=AS_OF, snippets=False)
    assert "planted-words" not in read_any(path)
    if content == "events":
        assert "the-session" in read_any(path)
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "config.toml").write_text("[privacy]\nsnippets = false\n", encoding="utf-8")
    export_table(content, path, log=log, workspace=tmp_path / "w", as_of=AS_OF, overwrite=True)
    assert "planted-words" not in read_any(path)


def test_every_field_is_open_or_named_private():
    """A new field of a record stays out of private exports until somebody says that it names nobody."""
    private = {"base_directory", "invocation_uuid", "line", "path", "project", "session_id", *TEXT_COLUMNS}
    fields = {*columns(FeedbackEvent), *columns(Invocation)}
    assert not private & OPEN_COLUMNS
    assert fields - private - OPEN_COLUMNS == set()
