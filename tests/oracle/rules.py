"""What becomes of a record, one plain rule after another."""

import re

from skilltune.facts import CommandFact, UseFact
from tests.oracle import results, texts
from tests.oracle.lines import decode_at
from tests.oracle.skills import add_body, listed, skill_files, written_files
from tests.oracle.values import marked, string

EDITORS = {"Edit", "MultiEdit", "Write", "NotebookEdit", "Update", "edit_file", "write_file"}
NO_SKILL = ("Unknown skill", "is not a prompt-based skill", "cannot be used with Skill tool")
PERSONS = ("human", "cli", "user")


class Rules:
    """The rules for the records of one file; ``session`` is the one at hand."""

    def agent(self, number, record, message, content, at):
        """What the agent said and did."""
        session = self.session
        session.awaiting = None
        session.parents.add(string(record, "parentUuid") or None)
        session.now.extend([("wrote", at)] if at is not None else [])
        self.spend(message, "usage")
        if string(message, "model") == "<synthetic>" or marked(record, "isApiErrorMessage"):
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

    def spend(self, message, kind):
        """Tokens, each message once."""
        name, numbers = string(message, "id"), spent(message)
        if numbers is None:
            return
        if name and name in self.session.usage:
            self.session.usage[name][:] = numbers
            return
        if name:
            self.session.usage[name] = numbers
        self.session.now.append((kind, numbers))

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
            session.now.extend(("edited", path) for path in written_files(name, given))
            path = next((given[key] for key in ("file_path", "notebook_path", "path") if given.get(key)), None)
            if isinstance(path, str):
                session.now.append(("edited" if name in EDITORS else "touched", path))
            if re.search(r"\bgit\b", string(given, "command") or ""):
                command = {"text": given["command"], "ran": True}
                kept = [value for what, value in session.now if what == "command"]
                if len(kept) < 200:
                    session.now.append(("command", command))
                    session.commands |= {call_id: command} if call_id else {}
        return 0

    def use(self, call_id, **fields):
        """A use that a tool call shows."""
        session = self.session
        before = session.stretches[-1].work()
        item = session.add(UseFact, call_id=call_id or "", **fields)
        session.now.extend([("model", before.model), ("attributed", before.attributed)])
        session.now.extend([("wrote", fields["at"])] if fields["at"] is not None else [])
        if call_id:
            session.uses.setdefault(call_id, []).append(item)
        if fields["via"] == "tool":
            session.awaiting = item
            if call_id:
                session.bodies[call_id] = item

    def person(self, number, record, message, content, at):
        """What a person did, or a program in their name."""
        if string(message, "role") == "assistant":
            return "malformed"
        if not content or not isinstance(content, str | list):
            return "empty"
        if isinstance(content, str):
            return self.prompt(number, record, [content], at, image=False)
        kinds = [string(block, "type") for block in content]
        said = [block["text"] for block in content if string(block, "type") == "text" and string(block, "text")]
        image = "image" in kinds or "document" in kinds
        if "tool_result" not in kinds:
            return self.prompt(number, record, said, at, image=image)
        answers = [block for block in content if string(block, "type") == "tool_result"]
        lost = not any(string(block, "tool_use_id") in self.session.calls for block in answers)
        turns = [self.result(number, record, block, at) for block in answers]
        turns = one_refusal([turn for turn in turns if turn])
        if not turns and not said:
            return "orphan_result" if lost else "tool_result"
        machine = marked(record, "isMeta") or is_program(record)
        words = texts.read([] if machine else said)
        self.session.interrupted |= words["interrupted"]
        self.session.tags += words["tags"]
        if words["kind"] == "person":
            refused = {turn["text"]: turn for turn in turns if turn["decision"] == "rejected"}
            if "" in refused:
                refused[""].update(text=words["text"], image=image)
            elif words["text"] not in refused:
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
        failed = marked(block, "is_error") and not refused and not found["interrupted"]
        session.now.append(("result", failed))
        if (refused or marked(block, "is_error")) and call_id in session.commands:
            session.commands.pop(call_id)["ran"] = False
        text = results.text_of(block.get("content"))
        for use in session.uses.pop(call_id, []) if call_id else []:
            if refused:
                use["failed"] = "refused"
            elif use["via"] == "tool" and any(sign in text[:200] for sign in NO_SKILL):
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

    def prompt(self, number, record, said, at, *, image):  # noqa: C901, PLR0911 (one plain rule after another)
        """A user record without tool results."""
        session = self.session
        if marked(record, "isCompactSummary"):
            return "compact_summary"
        if is_program(record):
            return "notification"
        words = texts.read(said)
        body = session.awaiting and re.match(r"\s*Base directory for this skill:", next(iter(said), ""))
        if marked(record, "isMeta") or body:
            return self.meta(record, said, words)
        session.interrupted |= words["interrupted"]
        session.tags += words["tags"]
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
        session.tags += words["tags"]
        return words["kind"] if words["kind"] in texts.MACHINE_ORDER[3:] else "meta"

    def slash(self, number, record, at, command, form):
        """A slash command in a record of its own."""
        for queued in self.session.queue:
            if queued["slash"] and plain_name(queued["slash"]) == plain_name(command["name"]):
                self.take_out(queued)
                break
        self.session.awaiting = self.slash_item(number, record, at, command, form)
        return self.session.awaiting

    def slash_item(self, number, record, at, command, form):
        """The item of a slash command."""
        return self.session.add(
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
        if kind in ("skill_listing", "dynamic_skill"):
            self.session.listed.append(listed(attached))
        if kind != "queued_command":
            return ""
        machine = is_machine(attached.get("origin")) or marked(attached, "isMeta")
        if machine or string(attached, "commandMode") == "task-notification":
            return "notification"
        words, image = queued_words(attached.get("prompt"))
        self.session.tags += words["tags"]
        if words["kind"] != "person" and not image:
            return "attachment" if words["kind"] in ("slash", "command", "plan", "edit") else words["kind"]
        self.settle(words["text"], delivered=True)
        if texts.typed(words["text"]):
            self.session.awaiting = self.slash_queued(number, record, at, words["text"], "next")
            return "use"
        self.session.turn(**self.fields(number, record, at, channel="queued", text=words["text"], image=image))
        return "turn"

    def queue(self, number, record, at):
        """An entry of the queue."""
        session, operation = self.session, string(record, "operation")
        words, image = queued_words(record.get("content"))
        waiting = [queued for queued in session.queue if queued["state"] == "waiting"]
        if operation == "enqueue" and words["kind"] == "person" and texts.typed(words["text"]):
            self.slash_queued(number, record, at, words["text"], "waiting")
            return "use"
        if operation == "enqueue" and words["kind"] == "person":
            turn = self.fields(number, record, at, channel="queued", text=words["text"], image=image)
            item = session.turn(**turn)
            was = {"text": item["text"], "interrupted": item["interrupted"]}
            session.queue.append({"item": item, "state": "waiting", "slash": "", **was})
            return "turn"
        if operation == "popAll":
            for queued in waiting:
                self.take_out(queued)
        elif operation in ("remove", "dequeue") and waiting:
            same = [queued for queued in waiting if queued["text"] == words["text"]]
            leaving = (same or waiting)[0]
            leaving["state"] = "delivered" if operation == "remove" else "next"
            if leaving["slash"]:
                session.awaiting = leaving["item"]
        return ""

    def slash_queued(self, number, record, at, text, state):
        """A slash command in the queue."""
        command = texts.typed(text)
        item = self.slash_item(number, record, at, command, "system")
        entry = {"item": item, "state": state, "slash": command["name"], "text": text, "interrupted": False}
        self.session.queue.append(entry)
        return item

    def settle(self, text, *, delivered):
        """Take out the entry that announced a prompt."""
        eligible = [queued for queued in self.session.queue if delivered or queued["state"] != "delivered"]
        found = [queued for queued in eligible if queued["text"] == text][:1] or put_together(eligible, text)
        for queued in found:
            self.take_out(queued)
        if not delivered:
            over = [queued for queued in self.session.queue if queued["slash"] and queued["state"] != "waiting"]
            self.session.queue = [queued for queued in self.session.queue if queued not in over]
        return bool(found)

    def take_out(self, queued):
        """Take out an entry."""
        self.session.queue = [other for other in self.session.queue if other is not queued]
        self.session.drop(queued["item"])
        self.session.interrupted |= queued["interrupted"]


def spent(message):
    """The four kinds of tokens of a message, or None where it counts none."""
    usage = message.get("usage")
    if not isinstance(usage, dict):
        return None
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    numbers = [usage.get(key) for key in names]
    return [n if type(n) is int and 0 <= n <= 2**53 else 0 for n in numbers]


def plain_name(name):
    """The name of a skill without its plugin."""
    return name.split(":")[-1].lower()


def put_together(queue, text):
    """Prompts in a row of the queue that make up a text, each on lines of its own."""
    prompts = [queued for queued in queue if queued["text"] and not queued["slash"]][-200:]
    for first in range(len(prompts)):
        for last in range(first + 1, len(prompts) + 1):
            parts = [re.escape(queued["text"]) for queued in prompts[first:last]]
            if re.fullmatch(r"\n\s*".join(parts), text):
                return prompts[first:last]
    return []


def one_refusal(turns):
    """Turns of one record with refusals of the same words, or of none beside some, as one."""
    refused = [turn["text"] for turn in turns if turn["decision"] == "rejected"]
    kept = []
    for turn in turns:
        if turn["decision"] == "rejected":
            before = [other["text"] for other in kept if other["decision"] == "rejected"]
            if turn["text"] in before or (not turn["text"] and any(refused)):
                continue
        kept.append(turn)
    return kept


def is_machine(origin):
    """Whether a program is the origin."""
    kind = string(origin, "kind")
    return kind is not None and kind not in PERSONS


def is_program(record):
    """Whether a record says that a program wrote it."""
    return record.get("promptSource") == "system" or is_machine(record.get("origin"))


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
