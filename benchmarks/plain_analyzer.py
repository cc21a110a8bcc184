"""The documented rules the plain way: whole files, ``json.loads``, dicts. A yardstick, not a reader."""

import json
from collections import Counter
from pathlib import Path

TOKENS = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
MACHINE = ("<local-command", "<bash-", "<task-notification", "<teammate-message", "Caveat:", "[Request interrupted")
NEGATIVE = ("no,", "wrong", "incorrect", "try again", "redo", "missing", "不对", "错了", "重新")
POSITIVE = ("looks good", "lgtm", "perfect", "thanks", "great", "好的", "没问题")


def token_totals(paths):
    """(tokens of sessions, tokens of their sub-agents) by kind: each API message once, its last usage."""
    totals = Counter(), Counter()
    for path in paths:
        usage, seen = {}, set()
        aside = "subagents" in Path(path).parts or Path(path).name.startswith("agent-")
        for number, record in enumerate(read_records(path)):
            uuid, message = record.get("uuid"), record.get("message")
            if uuid in seen or record.get("type") != "assistant":
                continue
            seen.add(uuid)
            if isinstance(message, dict) and isinstance(message.get("usage"), dict):
                which = bool(aside or record.get("isSidechain"))
                usage[record.get("sessionId"), message.get("id") or number] = which, message["usage"]
        for which, spent in usage.values():
            totals[which].update({name: spent.get(name, 0) for name in TOKENS})
    return tuple(dict(total) for total in totals)


def analyze(paths):
    """(uses, events) of files by the rules as documented."""
    uses = events = 0
    for path in paths:
        records = list(read_records(path))
        at = find_uses(records)
        uses += len(at)
        events += sum(judge(records, start) is not None for start in at)
    return uses, events


def read_records(path):
    """Every object of a file."""
    for line in Path(path).read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def find_uses(records):
    """Places of Skill calls and slash commands."""
    found = []
    for index, record in enumerate(records):
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else record.get("content")
        if isinstance(content, str):
            if "<command-name>" in content and record.get("type") in ("user", "system"):
                found.append(index)
        elif isinstance(content, list):
            blocks = [block for block in content if isinstance(block, dict)]
            found += [index for block in blocks if block.get("type") == "tool_use" and block.get("name") == "Skill"]
    return found


def judge(records, start):
    """The first verdict in the three human turns after a use, with the tools used before it."""
    turns, tools = 0, set()
    for record in records[start + 1 :]:
        message = record.get("message")
        if not isinstance(message, dict):
            continue
        content = message.get("content")
        if record.get("type") == "assistant" and isinstance(content, list):
            tools |= {
                block.get("name") for block in content if isinstance(block, dict) and block.get("type") == "tool_use"
            }
        text = human_text(record, content)
        if not text:
            continue
        turns += 1
        lower = text.lower()
        if any(word in lower for word in NEGATIVE):
            return "correction", turns, sorted(filter(None, tools))
        if any(word in lower for word in POSITIVE) or len(text) > 20:
            return "acceptance", turns, sorted(filter(None, tools))
        if turns == 3:
            return None
    return None


def human_text(record, content):
    """What a person typed in a record, or ''."""
    if (
        record.get("type") != "user"
        or record.get("isMeta")
        or record.get("isSidechain")
        or record.get("isCompactSummary")
    ):
        return ""
    if isinstance(content, list):
        texts = [block.get("text") for block in content if isinstance(block, dict) and block.get("type") == "text"]
        content = "\n".join(text for text in texts if isinstance(text, str))
    return "" if not isinstance(content, str) or content.lstrip().startswith(MACHINE) else content.strip()
