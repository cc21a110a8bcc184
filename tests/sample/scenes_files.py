"""Scenes of files: copies, several sessions in one, odd names, broken and awkward bytes, old shapes."""

import json
from collections.abc import Callable

from .draws import hex_of, uuid_of
from .placed import Placed, place
from .scenes import Scene, accepted, corrected, unanswered
from .truth import Hazard

__all__ = ["history_file", "scenes"]


def scenes() -> list[Placed]:
    """Files of all these scenes."""
    made: tuple[Callable[[], Placed], ...] = (
        _two_sessions, _name_differs, _glued, _crlf, _byte_order_mark, _cut, _no_final_newline, _invalid_utf8,
        _lone_surrogate, _naive_timestamp, _long_line, _odd_lines, _repeated_record, _backwards, _old_shapes,
    )  # fmt: skip
    return [*(make() for make in made), *_copies(), history_file()]


def _accepted_use(
    key: str, *, project: str, half_week: int, skill_id: str, asked: str, said: str, language: str = "en"
) -> Scene:
    """A short session with one use that is approved."""
    t = Scene(key, project=project, half_week=half_week)
    t.person(asked)
    use = t.uses_skill(skill_id)
    t.person(said)
    accepted(use, t, language=language)
    return t


def _copies() -> list[Placed]:
    """A session, its resumed copy under the old id and a fork under a new id; both go on with a use of their own."""
    asked, said = "write up Tuesday's outage from the channel export and the alerts", "thank you, that is thorough"
    old = _accepted_use("old", project="ledger", half_week=2, skill_id="ops:incident-notes", asked=asked, said=said)
    files = [place(old)]
    for key, rewritten, half_week in (("resumed copy", False, 4), ("forked copy", True, 5)):
        t = Scene(key, project="ledger", half_week=half_week)
        for line in old.lines:
            t.lines.append(line.replace(old.session_id.encode(), t.session_id.encode()) if rewritten else line)
        t.hazard(key.replace(" ", "_"), line=1)
        t.parent = old.parent
        use = t.types_slash("sql-explainer", args="the churn view")
        t.person("clear now, thanks a lot")
        accepted(use, t)
        files.append(place(t))
    return files


def _two_sessions() -> Placed:
    asked, said = "check the licences in the shared library before we publish it", "exactly what legal wanted, thanks"
    first = _accepted_use(
        "first of two", project="atlas", half_week=18, skill_id="license-audit", asked=asked, said=said
    )
    second = Scene("second of two", project="atlas", half_week=19)
    second.lines = list(first.lines)
    second.hazard("two_sessions_in_one_file", line=second.line + 1)
    second.person("prepare the release notes of 2.6.0 from the commits")
    use = second.uses_skill("changelog-writer")
    unanswered(use, "no_turn")
    first.lines = second.lines
    return Placed(
        path=place(first).path,
        content=b"\n".join(second.lines) + b"\n",
        uses=[*first.uses, *second.uses],
        hazards=[*first.hazards, *second.hazards],
    )


def _name_differs() -> Placed:
    asked, said = "cover the retry helper before I touch it", "good catch with the time-out, keep it"
    t = _accepted_use("name differs", project="ledger", half_week=9, skill_id="test-scaffold", asked=asked, said=said)
    t.hazard("file_name_is_not_session_id", line=1)
    return place(t, stem="export-" + hex_of("name differs", digits=8))


def _glued() -> Placed:
    asked, said = "write the changelog entry for 2.4.0", "great, that's the one. publish it"
    t = _accepted_use("glued", project="harbor", half_week=2, skill_id="changelog-writer", asked=asked, said=said)
    last = t.lines.pop()
    t.lines[-1] += last
    t.hazard("glued_records")
    return place(t)


def _crlf() -> Placed:
    t = Scene("crlf", project="monthly", half_week=9)
    t.person("put together the figures on returns, compared with last year")
    use = t.uses_skill("report-builder")
    t.person("No, not last year, the year before. It says so in the heading of the sheet.")
    corrected(use, t, "rejection", dimension="accuracy")
    t.hazard("crlf", line=1)
    return place(t, content=b"\r\n".join(t.lines) + b"\r\n")


def _byte_order_mark() -> Placed:
    asked, said = (
        "I need the board paper on week 41 by noon, the sheets are in the usual place",
        "much better than mine, thanks",
    )
    t = _accepted_use(
        "byte order mark", project="monthly", half_week=19, skill_id="report-builder", asked=asked, said=said
    )
    t.hazard("byte_order_mark", line=1)
    return place(t, content=b"\xef\xbb\xbf" + b"\n".join(t.lines) + b"\n")


def _cut() -> Placed:
    asked, said = "把华东区的销售情况整理成一页给老板看", "可以，发吧"
    t = _accepted_use(
        "cut", project="sales", half_week=21, skill_id="report-builder", asked=asked, said=said, language="zh"
    )
    t.says("已经发出去了，收件人和上个月一样。")
    t.hazard("cut_last_line")
    t.lines[-1] = t.lines[-1][:-140]
    return place(t, content=b"\n".join(t.lines))


def _no_final_newline() -> Placed:
    asked, said = "根据数据文件夹里的表格做一份十月份的报告", "不错，就用这一版"
    t = _accepted_use(
        "no newline", project="sales", half_week=20, skill_id="report-builder", asked=asked, said=said, language="zh"
    )
    t.hazard("no_final_newline")
    return place(t, content=b"\n".join(t.lines))


def _invalid_utf8() -> Placed:
    t = Scene("invalid utf-8", project="monthly", half_week=6)
    t.person("make the report for the Porto office from the files in the data folder")
    use = t.uses_skill("report-builder")
    t.runs("type data\\cafe.csv", output="cafe;12")
    t.lines[-1] = t.lines[-1].replace(b"cafe;12", b"caf\xe9;12")
    t.hazard("invalid_utf8")
    t.person("the total is wrong, the second sheet counts double")
    corrected(use, t, "rejection", dimension="accuracy")
    return place(t)


def _lone_surrogate() -> Placed:
    t = Scene("lone surrogate", project="sales", half_week=16)
    t.person("把门店的销售情况整理成一页给老板看")
    use = t.uses_skill("report-builder")
    record = t.person("太好了，谢谢！")
    t.lines.pop()
    text = json.dumps(record, ensure_ascii=True, separators=(",", ":"))
    t.lines.append(text.replace("\\uff01", "\\uff01\\ud83d").encode())
    t.hazard("lone_surrogate")
    accepted(use, t, language="zh")
    return place(t)


def _naive_timestamp() -> Placed:
    t = Scene("naive timestamp", project="harbor", half_week=4)
    t.person("prepare the release notes of 2.4.1 from the commits")
    use = t.uses_skill("changelog-writer")
    stamp = use.timestamp.encode()
    t.lines[use.line - 1] = t.lines[use.line - 1].replace(stamp, stamp.removesuffix(b"Z"))
    t.hazard("naive_timestamp", line=use.line)
    t.person("super, thanks")
    accepted(use, t)
    return place(t)


def _long_line() -> Placed:
    t = Scene("long line", project="shop", half_week=13)
    t.person("請把門市的數字整理成一份報告")
    use = t.uses_skill("report-builder")
    noise = "".join(hex_of(f"pixels {nth}", digits=64) for nth in range(16))
    picture = {"type": "base64", "media_type": "image/png", "data": (noise * 140)[:140_000]}
    blocks = [
        {"type": "image", "source": picture},
        {"type": "text", "text": "這個圖表不對，數字跟表格不一樣 [Image #1]"},
    ]
    t.person(blocks)
    t.hazard("long_line")
    corrected(use, t, "rejection", dimension="accuracy", language="zh-Hant")
    t.edits("reports/draft.md", said="圖表已經更新。")
    return place(t)


def _odd_lines() -> Placed:
    t = Scene("odd lines", project="atlas", half_week=11)
    t.person("write tests for the cart totals, there are none so far")
    use = t.uses_skill("test-scaffold")
    for hazard, line in (
        ("empty_line", b""),
        ("blank_line", b"   "),
        ("malformed_line", b'{"type":"user","message":{"role":"user","content":"no, wrong"'),
        ("json_string_line", b'"no, that is wrong"'),
        ("json_array_line", b"[1,2]"),
        ("json_null_line", b"null"),
        ("json_number_line", b"41"),
    ):
        t.lines.append(line)
        t.hazard(hazard)
    t.person("")
    t.window_turns -= 1
    t.hazard("empty_turn")
    t.write({"type": "user", "message": None, "uuid": None, "timestamp": 7, "sessionId": t.session_id})
    t.hazard("null_fields")
    for kind in ("ai-title", "custom-title", "mode", "last-prompt", "pr-link", "moon-phase"):
        t.write({"type": kind, "sessionId": t.session_id, "value": "no, wrong"})
    t.hazard("unknown_type")
    t.person("All nine pass here too, merge it")
    accepted(use, t)
    return place(t)


def _repeated_record() -> Placed:
    asked, said = "split the address table so that addresses.region has a place of its own", "that's right, thanks"
    t = _accepted_use(
        "repeated record", project="ledger", half_week=6, skill_id="schema-migrator", asked=asked, said=said
    )
    t.lines.append(t.lines[t.uses[0].line - 1])
    t.hazard("repeated_record_in_file")
    return place(t)


def _backwards() -> Placed:
    t = Scene("backwards", project="shop", half_week=15)
    t.person("幫我新增 stores.opening_hours 這個欄位，模型也一起更新")
    use = t.uses_skill("schema-migrator")
    t.wait(-95)
    t.person("很好，照這樣合併", seconds=1)
    t.hazard("time_runs_backwards")
    accepted(use, t, language="zh-Hant")
    return place(t)


def _old_shapes() -> Placed:
    t = Scene("old shapes", project="shop", half_week=1)
    t.write({"role": "user", "content": "把首頁的標題改短一點", "timestamp": t.wait(5), "sessionId": t.session_id})
    t.hazard("flat_record")
    message = {
        "role": "assistant",
        "id": "msg_old1",
        "model": "claude-haiku-4-5",
        "content": [{"type": "text", "text": "好"}],
    }
    t.write({"timestamp": t.wait(5), "sessionId": t.session_id, "message": message, "version": "1.0.0"})
    t.hazard("record_without_type")
    t.write({"type": "summary", "summary": "首頁標題", "leafUuid": uuid_of("old leaf")})
    t.hazard("summary_record")
    return place(t)


def history_file() -> Placed:
    """The prompt history that lies in the same tree and is no session."""
    rows = [
        {
            "display": "/changelog-writer 2.4.0",
            "pastedContents": {},
            "timestamp": 1789459200000 + nth,
            "project": "/home/mira",
        }
        for nth in range(3)
    ]
    content = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    path = "projects/-home-mira-work-atlas-web/history.jsonl"
    return Placed(path=path, content=content, hazards=[Hazard(name="history_file", line=1)])
