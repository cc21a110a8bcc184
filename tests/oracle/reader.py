"""One file to ``FileFacts``, slowly: whole file, ``json.loads``, dicts, one plain rule after another."""

import re
import shlex
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

from skilltune import limits
from skilltune.facts import CommandFact, FileFacts, Problem, SessionFacts, Tokens, TurnFact, UseFact, Work
from skilltune.mining.digests import skill_digest
from tests.oracle import results, texts
from tests.oracle.lines import decode_at, read_line

EDITORS = {"Edit", "MultiEdit", "Write", "NotebookEdit", "Update", "edit_file", "write_file"}
TYPES = set(
    "agent-name ai-title attachment bridge-session custom-title file-history-snapshot frame-link last-prompt mode "
    "permission-mode pr-link progress queue-operation relocated summary system tag tool_result tool_use "
    "worktree-state".split()
)
DAMAGES = {"not_json", "not_object", "too_long", "pending"}
MACHINES = ("task-notif", "notification", "teammate", "hook", "cron", "schedul", "channel", "coordinator")


def read(path):
    """The facts of a file."""
    return File(Path(path)).facts()


def string(holder, key):
    """The string under a key, or None."""
    value = holder.get(key) if isinstance(holder, dict) else None
    return value if isinstance(value, str) else None


def moment(value):
    """Microseconds of an ISO time, or None."""
    if not isinstance(value, str):
        return None
    found = re.fullmatch(
        r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:?\d\d)?", value, re.ASCII
    )
    try:
        if not found:
            stamp, extra = datetime.fromisoformat(value.strip()), 0
        else:
            zone = (found[8] or "Z").upper().replace("Z", "+00:00")
            stamp = datetime.fromisoformat("{}-{}-{}T{}:{}:{}".format(*found.groups()[:6]) + zone)
            digits = (found[7] or "")[:20]
            extra = int(digits) * 10**6 * 2 // 10 ** len(digits) if digits else 0
            extra = (extra + 1) // 2 if found[8] else extra // 2
    except ValueError:
        return None
    stamp = stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)
    return (stamp - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1) + extra


class Stretch:
    """Work between two items, as a list of what happened."""

    def __init__(self):
        self.happened = []

    def work(self):
        """The work fact."""
        tools, edited, touched, commands, last, errors, ended = {}, {}, {}, [], {}, 0, False
        tokens = [0, 0, 0, 0]
        for what, value in self.happened:
            if what == "tool":
                tools[value] = 1
            elif what == "edited" and (len(edited) < 200):
                edited[value] = 1
            elif what == "touched" and len(touched) < 50:
                touched[value] = 1
            elif what == "command" and len(commands) < 200:
                commands.append(value[:2000])
            elif what == "result":
                errors, ended = errors + value, value
            elif what in ("said", "attributed", "model"):
                last[what] = value
            elif what == "usage":
                tokens = [total + number for total, number in zip(tokens, value, strict=True)]
        return Work(
            tuple(tools),
            tuple(edited),
            tuple(touched),
            tuple(commands),
            errors,
            bool(ended),
            last.get("said", ""),
            last.get("attributed", ""),
            last.get("model", ""),
            Tokens(*tokens),
        )


class Session:
    """One session."""

    def __init__(self, name):
        self.name, self.items, self.stretches = name, [], [Stretch()]
        self.about, self.moments, self.counts, self.spoken = {}, [], Counter(), False
        self.calls, self.uses, self.bodies, self.awaiting = {}, {}, {}, None
        self.parents, self.queue, self.interrupted, self.usage = set(), [], False, {}

    @property
    def now(self):
        """What happens now."""
        return self.stretches[-1].happened

    def add(self, kind, **fields):
        """A new item."""
        item = {"kind": kind, **fields}
        self.items.append(item)
        self.stretches.append(Stretch())
        return item

    def turn(self, **fields):
        """A new turn; it takes the interrupt before it."""
        item = self.add(TurnFact, **fields, interrupted=self.interrupted)
        self.interrupted = False
        return item

    def drop(self, item):
        """Take an item out, its work goes to the one before."""
        at = next(i for i, other in enumerate(self.items) if other is item)
        del self.items[at]
        self.stretches[at].happened += self.stretches.pop(at + 1).happened

    def facts(self, path, pending):
        """The session fact."""
        made = []
        for item, stretch in zip(self.items, self.stretches[1:], strict=True):
            kind = item.pop("kind")
            made.append(kind(**item, work=stretch.work()))
        return SessionFacts(
            self.name,
            path,
            "claude-code",
            self.about.get("version", ""),
            self.about.get("entrypoint", ""),
            self.about.get("cwd", ""),
            min(self.moments, default=None),
            max(self.moments, default=None),
            sum(self.counts.values()),
            pending,
            self.stretches[0].work(),
            tuple(made),
        )


class File:
    """One file."""

    def __init__(self, path):
        self.path, self.counts, self.unknown, self.problems = path, Counter(), Counter(), []
        self.first = self.session = Session("")
        self.sessions, self.seen, self.pending, self.known = {}, set(), False, False
        self.subagent = True if "subagents" in path.parts or re.fullmatch(r"agent-.*\.jsonl", path.name) else None
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
        if self.subagent:
            self.session.counts["subagent"] += 1
            return
        uuid = string(record, "uuid")
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
        message = record.get("message") if isinstance(record.get("message"), dict) else None
        if kind in (None, "user", "assistant"):
            if message is None and isinstance(record.get("content"), str | list):
                message = {"role": record.get("role"), "content": record["content"]}
            speaker = kind or string(message, "role")
            if message is not None and speaker in ("user", "assistant"):
                return self.converse(number, record, message, speaker, at)
        if kind in ("user", "assistant"):
            self.problems.append(Problem(number, "malformed"))
            return "malformed"
        if kind not in TYPES:
            self.unknown[kind or ""] += 1
            return "unknown_type"
        self.known |= string(record, "sessionId") is not None or kind in ("file-history-snapshot", "summary")
        if record.get("isSidechain") is True:
            return kind
        rules = {"attachment": self.attachment, "queue-operation": self.queue, "system": self.system}
        return (rules[kind](number, record, at) if kind in rules else "") or kind

    def converse(self, number, record, message, speaker, at):
        """A record of the conversation."""
        self.session.spoken = True
        if self.subagent is None:
            self.subagent = record.get("isSidechain") is True
        if record.get("isSidechain") is True:
            return "sidechain"
        content = message.get("content")
        if isinstance(content, list):
            content = [block for block in content if isinstance(block, dict)]
        rule = self.agent if speaker == "assistant" else self.person
        return rule(number, record, message, content, at)

    def agent(self, number, record, message, content, at):
        """What the agent said and did."""
        session = self.session
        session.awaiting = None
        session.parents.add(string(record, "parentUuid") or None)
        self.spend(message)
        if string(message, "model") == "<synthetic>" or record.get("isApiErrorMessage") is True:
            return "agent"
        for what, value in (("model", string(message, "model")), ("attributed", string(record, "attributionSkill"))):
            session.now.extend([(what, value)] if value else [])
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        uses = 0
        for block in content if isinstance(content, list) else []:
            if string(block, "type") == "text" and (string(block, "text") or "").strip():
                session.now.append(("said", block["text"][-1000:]))
            elif string(block, "type") == "tool_use" and string(block, "name"):
                uses += self.call(number, record, block, at)
        return "use" if uses else "agent"

    def spend(self, message):
        """Tokens, each message once."""
        usage, name = message.get("usage"), string(message, "id")
        if not isinstance(usage, dict):
            return
        names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        numbers = [usage.get(key) for key in names]
        numbers = [n if type(n) is int and 0 <= n <= 2**53 else 0 for n in numbers]
        if name and name in self.session.usage:
            self.session.usage[name][:] = numbers
            return
        if name:
            self.session.usage[name] = numbers
        self.session.now.append(("usage", numbers))

    def call(self, number, record, block, at):
        """A tool call; how many uses it shows."""
        session, name, call_id = self.session, block["name"], string(block, "id")
        given = block.get("input") if isinstance(block.get("input"), dict) else None
        if call_id:
            session.calls[call_id] = name
        fields = {"line": number, "uuid": string(record, "uuid") or "", "at": at}
        if name == "Skill":
            names = [string(given, key) or "" for key in ("skill", "command", "name")]
            skill = next(filter(None, (re.sub(r"^/", "", text.strip()).strip() for text in names)), "")
            if skill:
                args = string(given, "args") or ""
                self.use(call_id, skill_id=skill, via="tool", form="skill_tool", args=args, **fields)
            return 1 if skill else 0
        paths = skill_files(name, given) if given is not None else []
        for path in paths:
            skill = path.replace("\\", "/").split("/")[-2]
            self.use(call_id, skill_id=skill, via="read", form="skill_file", path=path, **fields)
        if paths:
            return len(paths)
        session.now.append(("tool", name))
        if given is not None:
            path = next((given[key] for key in ("file_path", "notebook_path", "path") if given.get(key)), None)
            if isinstance(path, str):
                session.now.append(("edited" if name in EDITORS else "touched", path))
            if re.search(r"\bgit\b", string(given, "command") or ""):
                session.now.append(("command", given["command"]))
        return 0

    def use(self, call_id, **fields):
        """A use that a tool call shows."""
        session = self.session
        before = session.stretches[-1].work()
        item = session.add(UseFact, call_id=call_id or "", **fields)
        session.now.extend([("model", before.model), ("attributed", before.attributed)])
        if call_id:
            session.uses.setdefault(call_id, []).append(item)
        if fields["via"] == "tool":
            session.awaiting = item
            if call_id:
                session.bodies[call_id] = item

    def person(self, number, record, message, content, at):  # noqa: ARG002 (the same arguments as for the agent)
        """What a person did, or a program in their name."""
        if not content or not isinstance(content, str | list):
            return "empty"
        if isinstance(content, str):
            return self.prompt(number, record, [content], at, image=False)
        kinds = [string(block, "type") for block in content]
        said = [block["text"] for block in content if string(block, "type") == "text" and string(block, "text")]
        image = "image" in kinds
        if "tool_result" not in kinds:
            return self.prompt(number, record, said, at, image=image)
        turns = [self.result(number, record, block, at) for block in content if string(block, "type") == "tool_result"]
        turns = [turn for turn in turns if turn]
        if not turns and not said:
            return "tool_result"
        machine = record.get("isMeta") is True or is_machine(record.get("origin"))
        words = texts.read([] if machine else said)
        self.session.interrupted |= words["interrupted"]
        if words["kind"] == "person":
            silent = [turn for turn in turns if turn["decision"] == "rejected" and not turn["text"]]
            if silent:
                silent[0].update(text=words["text"], image=image)
            else:
                turns.append(self.fields(number, record, at, channel="steering", text=words["text"], image=image))
            self.settle(words["text"], delivered=True)
        for part, turn in enumerate(turns):
            self.session.awaiting = None
            self.session.turn(**turn | {"part": part})
        return "turn" if turns else "tool_result"

    def fields(self, number, record, at, **more):
        """The fields of a turn."""
        return {"line": number, "uuid": string(record, "uuid") or "", "part": 0, "at": at, "decision": ""} | more

    def result(self, number, record, block, at):
        """A tool result; the turn in it or None."""
        session, call_id = self.session, string(block, "tool_use_id")
        tool = session.calls.pop(call_id, "") if call_id else ""
        found = results.decide(block, record, tool)
        refused = found["decision"] == "rejected" or found["channel"] == "clarify"
        failed = block.get("is_error") is True and not refused and not found["interrupted"]
        session.now.append(("result", failed))
        text = results.text_of(block.get("content"))
        for use in session.uses.pop(call_id, []) if call_id else []:
            if refused:
                use["failed"] = "refused"
            elif use["via"] == "tool" and "Unknown skill" in text[:200]:
                use["failed"] = "unknown_skill"
            elif failed:
                use["failed"] = "error"
            elif use["via"] == "tool":
                use["repeat"] = "already loaded" in text
                session.awaiting = use
        session.interrupted |= found["interrupted"]
        if found["channel"] in ("", "clarify"):
            return None
        tool = tool or ("ExitPlanMode" if found["channel"] == "plan" else "")
        return self.fields(
            number, record, at, channel=found["channel"], text=found["text"], decision=found["decision"], tool=tool
        )

    def prompt(self, number, record, said, at, *, image):
        """A user record without tool results."""
        session = self.session
        if record.get("isCompactSummary") is True:
            return "compact_summary"
        words = texts.read(said)
        if record.get("isMeta") is True:
            return self.meta(record, said, words)
        if is_machine(record.get("origin")):
            return "notification"
        session.interrupted |= words["interrupted"]
        kind = "plan" if string(record, "planContent") else words["kind"]
        uuid, parent = string(record, "uuid") or "", string(record, "parentUuid")
        rewound = bool(parent) and parent in session.parents
        if kind == "slash":
            session.parents |= {parent} if parent else set()
            form = "message_first" if words["slash"]["first"] else "name_first"
            item = self.slash(number, record, at, words["slash"], form)
            if words["body"]:
                add_body(item, words["body"])
            return "use"
        if kind == "command":
            if words["text"]:
                session.add(CommandFact, line=number, uuid=uuid, at=at, command=words["text"])
            return "command"
        if kind == "person" or (image and kind in ("empty", "interrupt", "system_reminder")):
            text = words["text"]
            queued = bool(text) and self.settle(text, delivered=False)
            session.parents |= {parent} if parent else set()
            turn = {"channel": "queued" if queued else "message", "text": text, "rewound": rewound, "image": image}
        elif kind == "plan":
            turn = {"channel": "plan", "text": "", "decision": "approved", "tool": "ExitPlanMode"}
        elif kind == "edit":
            turn = {"channel": "edit", "text": ""}
        else:
            session.awaiting = None if kind == "local_command" else session.awaiting
            return kind
        session.awaiting = None
        session.turn(**self.fields(number, record, at, **turn))
        return "turn"

    def meta(self, record, said, words):
        """A record of the program: a skill's body or nothing."""
        session, source = self.session, string(record, "sourceToolUseID")
        item = session.bodies.pop(source, None) if source else None
        opening = ("[Image", "Continue from where you left off")
        if item is None and words["kind"] == "person" and not words["text"].startswith(opening):
            item = session.awaiting
        if item is not None:
            session.awaiting = None
            add_body(item, "\n".join(said))
            return "skill_body"
        return words["kind"] if words["kind"] in texts.MACHINE_ORDER[3:] else "meta"

    def slash(self, number, record, at, command, form):
        """A slash command."""
        self.session.awaiting = self.session.add(
            UseFact,
            line=number,
            uuid=string(record, "uuid") or "",
            call_id="",
            at=at,
            skill_id=command["name"],
            via="slash",
            form=form,
            args=command["args"],
        )
        return self.session.awaiting

    def system(self, number, record, at):
        """A local command in a system record."""
        if string(record, "subtype") != "local_command":
            return ""
        text = results.text_of(record.get("content"))
        if not text.lstrip().startswith("<command-"):
            self.session.awaiting = None
            return ""
        command = texts.slash(text)
        if command:
            self.slash(number, record, at, command, "system")
        return "use" if command else ""

    def attachment(self, number, record, at):
        """A queued prompt or an edit beside the conversation."""
        attached = record.get("attachment")
        kind = string(attached, "type")
        if kind == "edited_text_file":
            self.session.turn(**self.fields(number, record, at, channel="edit", text=""))
            return "turn"
        if kind != "queued_command":
            return ""
        machine = is_machine(attached.get("origin")) or attached.get("isMeta") is True
        if machine or string(attached, "commandMode") == "task-notification":
            return "notification"
        words, image = queued_words(attached.get("prompt"))
        if words["kind"] != "person" and not image:
            return "attachment" if words["kind"] in ("slash", "command", "plan", "edit") else words["kind"]
        self.settle(words["text"], delivered=True)
        self.session.turn(**self.fields(number, record, at, channel="queued", text=words["text"], image=image))
        return "turn"

    def queue(self, number, record, at):
        """An entry of the queue."""
        session, operation = self.session, string(record, "operation")
        words, image = queued_words(record.get("content"))
        waiting = [queued for queued in session.queue if queued["state"] == "waiting"]
        if operation == "enqueue" and words["kind"] == "person":
            turn = self.fields(number, record, at, channel="queued", text=words["text"], image=image)
            session.queue.append({"item": session.turn(**turn), "state": "waiting"})
            return "turn"
        if operation == "popAll":
            for queued in waiting:
                self.take_out(queued)
        elif operation in ("remove", "dequeue") and waiting:
            same = [queued for queued in waiting if queued["item"]["text"] == words["text"]]
            (same or waiting)[0]["state"] = "delivered" if operation == "remove" else "next"
        return ""

    def settle(self, text, *, delivered):
        """Take out the entry that announced a prompt."""
        for queued in self.session.queue:
            if queued["item"]["text"] == text and (delivered or queued["state"] != "delivered"):
                self.take_out(queued)
                return True
        return False

    def take_out(self, queued):
        """Take out an entry."""
        self.session.queue = [other for other in self.session.queue if other is not queued]
        self.session.drop(queued["item"])
        self.session.interrupted |= queued["item"]["interrupted"]

    def facts(self):
        """The file fact."""
        every = list(self.sessions.values()) or [self.first]
        found = [session for session in every if session.spoken or session.items]
        counts = sum((session.counts for session in every), self.counts)
        skipped = ""
        if self.subagent:
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
            {} if skipped else dict(self.unknown),
            tuple(self.problems[:100]),
            tuple(s.facts(str(self.path), self.pending and s is self.session) for s in sessions),
        )


def is_machine(origin):
    """Whether a program is the origin."""
    return (string(origin, "kind") or "").startswith(MACHINES)


def queued_words(value):
    """(what a prompt in the queue is, has it an image)."""
    if isinstance(value, str) and value.strip()[:1] in ("[", "{"):
        decoded = decode_at(value.strip(), 0)
        if decoded and decoded[1] == len(value.strip()):
            blocks = decoded[0] if isinstance(decoded[0], list) else [decoded[0]]
            if blocks and all(string(block, "type") is not None for block in blocks):
                value = blocks
    if isinstance(value, dict):
        value = [value]
    if isinstance(value, list):
        blocks = [block for block in value if isinstance(block, dict)]
        said = [block["text"] for block in blocks if block.get("type") == "text" and string(block, "text") is not None]
        return texts.read(said), any(block.get("type") == "image" for block in blocks)
    return texts.read([value] if isinstance(value, str) else []), False


def skill_files(tool, given):
    """SKILL.md files that a call plainly reads."""
    paths = []
    if tool in ("Read", "View", "ReadFile", "read_file"):
        paths = [given.get("path") if given.get("file_path") is None else given["file_path"]]
        paths = [path for path in paths if isinstance(path, str)]
    elif tool in ("Bash", "bash", "Shell", "shell"):
        paths = shell_reads(string(given, "command") or "")
    found = []
    for path in paths:
        parts = path.replace("\\", "/").split("/")
        if len(parts) > 1 and parts[-1] == "SKILL.md" and parts[-2] not in ("", ".", "..", "~") and path not in found:
            found.append(path)
    return found


def shell_reads(command):
    """Arguments of one plain reading command, perhaps through head, tail, cat or less."""
    command = re.sub(r"\s*2>\s*/dev/null\b|\s*2>&1\b", "", command.strip())
    if re.search(r"[;&<>`\n(){}]", command):
        return []
    try:
        parts = [shlex.split(part) for part in command.split("|")]
    except ValueError:
        return []
    if not parts[0] or any(not part or part[0] not in ("head", "tail", "cat", "less") for part in parts[1:]):
        return []
    if parts[0][0] in ("cat", "head", "tail") or parts[0][:2] == ["sed", "-n"]:
        return [word for word in parts[0][1:] if not word.startswith("-")]
    return []


def add_body(item, text):
    """Note the body of a skill on its use."""
    base = re.match(r"\s*Base directory for this skill:[ \t]*([^\r\n]*)(\r?\n|\Z)", text)
    body = text[base.end() :] if base else text
    end = body.rfind("\nARGUMENTS:")
    body = body if end < 0 else body[:end]
    item.update(body=True, digest=skill_digest(body), base_dir=base[1].strip() if base else "")
