"""One file to ``FileFacts``, slowly: whole file, ``json.loads``, dicts, one plain rule after another."""

import re
from collections import Counter
from pathlib import Path

from skilltune import limits
from skilltune.facts import FileFacts, Problem, SubagentFacts, Tokens
from skilltune.sources.claude_code.record_types import KNOWN_TYPES
from tests.oracle.lines import read_line
from tests.oracle.rules import Rules, spent
from tests.oracle.sessions import Session
from tests.oracle.values import marked, moment, string

DAMAGES = {"not_json", "not_object", "too_long", "pending"}


def read(path):
    """The facts of a file."""
    return File(Path(path)).facts()


class File(Rules):
    """One file."""

    def __init__(self, path):
        self.path, self.counts, self.unknown, self.problems = path, Counter(), Counter(), []
        self.first = self.session = Session("")
        self.sessions, self.seen, self.pending, self.known = {}, set(), False, False
        self.subagent = "subagents" in path.parts or bool(re.fullmatch(r"agent-.*\.jsonl", path.name))
        self.chains, self.runs, self.run = set(), {}, ""
        data = path.read_bytes()
        self.size = len(data)
        lines = data.split(b"\n")
        for number, line in enumerate(lines, 1):
            self.line(number, line, last=number == len(lines))

    def line(self, number, line, *, last):
        """Take a line."""
        if len(line) > limits.LINE_BYTES:
            self.damage(number, "too_long")
            return
        parts, flaw = read_line(line)
        if flaw:
            self.problems.append(Problem(number, flaw))
        for index, part in enumerate(parts):
            if part == "not_json" and last and index == len(parts) - 1:
                self.pending = True
                self.damage(number, "pending")
            elif isinstance(part, str):
                self.damage(number, part)
            else:
                self.record(number, part)

    def damage(self, number, reason):
        """Count a damage."""
        self.counts[reason] += 1
        self.problems.append(Problem(number, reason))

    def record(self, number, record):
        """Take a record."""
        uuid = string(record, "uuid")
        if self.subagent:
            self.session.counts["subagent"] += 1
            message, speaker = self.speech(record)
            if message is not None and not (uuid and uuid in self.seen):
                self.aside(record, message, speaker, moment(record.get("timestamp")))
            self.seen.add(uuid)
            return
        if uuid and uuid in self.seen:
            self.counts["duplicate"] += 1
            return
        self.seen.add(uuid)
        name = string(record, "sessionId")
        if name:
            if not self.session.name:
                self.session.name = name
                self.sessions[name] = self.session
            self.session = self.sessions.setdefault(name, Session(name))
        session = self.session
        at = moment(record.get("timestamp"))
        session.moments += [at] if at is not None else []
        for key in ("cwd", "version", "entrypoint"):
            if string(record, key):
                session.about.setdefault(key, record[key])
        session.counts[self.place(number, record, at)] += 1

    def place(self, number, record, at):
        """The word for what becomes of a record."""
        kind = string(record, "type")
        message, speaker = self.speech(record)
        if message is not None:
            return self.converse(number, record, message, speaker, at)
        if kind in ("user", "assistant"):
            self.problems.append(Problem(number, "malformed"))
            self.seen.discard(string(record, "uuid"))
            return "malformed"
        if kind not in KNOWN_TYPES:
            self.unknown[kind or ""] += 1
            return "unknown_type"
        self.known |= string(record, "sessionId") is not None or kind in ("file-history-snapshot", "summary")
        if marked(record, "isSidechain"):
            return kind
        beside = {"attachment": self.attachment, "queue-operation": self.queue}
        rules = beside | {"system": self.system, "tool_use": self.tool_use}
        return (rules[kind](number, record, at) if kind in rules else "") or kind

    def tool_use(self, _number, record, _at):
        """A tool call that is a record of its own."""
        name = string(record, "name")
        self.session.now.extend([("tool", name)] if name else [])
        return ""

    def speech(self, record):
        """(message, whose it is), twice None for a record of another kind."""
        kind = string(record, "type")
        message = record.get("message") if isinstance(record.get("message"), dict) else None
        if message is None and isinstance(record.get("content"), str | list):
            message = {"role": record.get("role"), "content": record["content"]}
        speaker = string(message, "role") if kind is None else kind
        return (message, speaker) if message is not None and speaker in ("user", "assistant") else (None, None)

    def aside(self, record, message, speaker, at):
        """A message of a sub-agent, by the session that it names."""
        self.run = string(record, "sessionId") or self.run
        new = {"uuid": string(record, "uuid") or "", "moments": [], "usage": {}}
        run = self.runs.setdefault(self.run, new)
        run["moments"] += [at] if at is not None else []
        numbers = spent(message) if speaker == "assistant" else None
        if numbers is not None:
            name = string(message, "id") or object()
            holder = next((other for other in self.runs.values() if name in other["usage"]), run)
            holder["usage"][name] = numbers

    def subagents(self):
        """The sub-agent facts."""
        made, parts = [], self.path.parts[:-1]
        for name, run in self.runs.items():
            folder = parts[parts.index("subagents") - 1] if "subagents" in parts[1:] else ""
            parent = folder if name in ("", self.path.stem) else name
            sums = [min(sum(column), 10**12) for column in zip(*run["usage"].values(), strict=True)] or [0] * 4
            started = run["moments"][0] if run["moments"] else None
            made.append(SubagentFacts(parent, str(self.path), run["uuid"], started, Tokens(*sums)))
        return tuple(made)

    def converse(self, number, record, message, speaker, at):
        """A record of the conversation."""
        aside = marked(record, "isSidechain")
        self.chains.add(aside)
        if aside:
            self.aside(record, message, speaker, at)
            if speaker == "assistant":
                self.spend(message, "aside")
            return "sidechain"
        self.session.spoken = True
        content = message.get("content")
        if isinstance(content, list):
            content = [block for block in content if isinstance(block, dict)]
        rule = self.agent if speaker == "assistant" else self.person
        return rule(number, record, message, content, at)

    def facts(self):
        """The file fact."""
        every = list(self.sessions.values()) or [self.first]
        found = [session for session in every if session.spoken or session.items]
        counts = sum((session.counts for session in every), self.counts)
        skipped = ""
        if self.subagent and not self.runs:
            skipped = "not_a_session" if counts else "empty"
        elif self.subagent or self.chains == {True}:
            skipped = "subagent"
        elif not found:
            skipped = "empty" if not counts else "no_messages" if self.known else "not_a_session"
        if skipped in ("subagent", "not_a_session"):
            damaged = {reason: count for reason, count in counts.items() if reason in DAMAGES}
            other = sum(counts.values()) - sum(damaged.values())
            counts = damaged | ({skipped: other} if other else {})
        for session in found:
            session.name = session.name or self.path.stem
        sessions = () if skipped else found
        return FileFacts(
            str(self.path),
            self.size,
            skipped,
            dict(counts),
            {} if skipped else dict(sum((Counter(session.tags) for session in every), self.unknown)),
            tuple(self.problems[:100]),
            tuple(s.facts(str(self.path), self.pending and s is self.session) for s in sessions),
            self.subagents() if skipped == "subagent" else (),
        )
