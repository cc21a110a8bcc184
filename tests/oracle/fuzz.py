"""Hostile transcripts from a seed: every kind of record, in every state a file may be in."""

import copy
import json
import random

from tests.oracle.vocabulary import INPUTS, NO, NOTED, ODD, OTHERS, RESULTS, TEXTS, TIMES, TOOLS, WORDS


class Fuzz:
    """One hostile file."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.pick, self.chance = self.random.choice, lambda share: self.random.random() < share
        self.count, self.calls, self.parents, self.queued = 0, ["lost"], [None], WORDS[:2]
        self.calm = self.pick([0.0, 0.02, 0.1])
        self.aside = self.pick([0.02] * 8 + [0.5, 1.0])

    def data(self, records):
        """Bytes of a file of about so many records."""
        written, wanted = [], self.random.randint(0, records)
        while len(written) < wanted:
            written += self.story() if self.chance(0.15) else [self.record()]
        lines = [self.state(self.written(record)) for record in written]
        end = self.pick([b"\n", b"\n", b"\r\n"])
        data = b"".join(line + (b"" if self.chance(self.calm / 2) else end) for line in lines)
        if self.chance(0.1):
            data = self.pick([b"\xef\xbb\xbf", b"\0\0", b"\n\n", b" "]) + data
        if self.chance(0.3):
            data = data[: -self.random.randint(1, 60)]
        return data

    def story(self):
        """Records that belong together: a use and its body, a prompt on its way through the queue."""
        call, text = f"k{self.count}", self.pick(TEXTS)
        prompt = {"type": "user", "message": {"role": "user", "content": text}}
        body = {
            "type": "user",
            "message": {"role": "user", "content": [{"type": "text", "text": text}]},
            "isMeta": True,
        }
        queued = {"type": "queue-operation", "operation": "enqueue", "content": text}
        other = self.pick(WORDS)
        joined = text + self.pick(["\n", "\n\n", " "]) + other
        both = {"type": "user", "message": {"role": "user", "content": joined}}
        attached = {"type": "queued_command", "prompt": text, "commandMode": "prompt"}
        use = {
            "type": "tool_use",
            "id": call,
            "name": self.pick(["Skill", "Skill", "Read"]),
            "input": self.pick(INPUTS),
        }
        about_skills = [text for text in RESULTS if isinstance(text, str) and "kill" in text]
        said = self.pick(RESULTS if self.chance(0.5) else about_skills)
        result = {"tool_use_id": call, "type": "tool_result", "content": said, "is_error": self.chance(0.3)}
        slash = {"type": "user", "message": {"role": "user", "content": self.pick([t for t in TEXTS if "<comm" in t])}}
        stories = [
            [
                {"type": "assistant", "message": {"content": [use]}},
                {"type": "user", "message": {"content": [result]}, "toolUseResult": self.pick(NOTED)},
                {**body, "sourceToolUseID": call} if self.chance(0.5) else body,
            ],
            [{"type": "assistant", "message": {"content": [use, use]}}, body],
            [slash, body, body],
            [{"type": "system", "subtype": "local_command", "content": slash["message"]["content"]}, body],
            [queued, {"type": "queue-operation", "operation": "dequeue"}, prompt],
            [
                queued,
                {"type": "queue-operation", "operation": "remove"},
                {"type": "attachment", "attachment": attached},
            ],
            [queued, {"type": "queue-operation", "operation": "remove"}, prompt],
            [queued, queued, {"type": "queue-operation", "operation": "popAll"}, prompt],
            [queued, {**queued, "content": other}, {"type": "queue-operation", "operation": "dequeue"}, both],
            [queued, self.agent(), self.results(), self.results(), {"type": "attachment", "attachment": attached}],
            *self.commands(body),
            [prompt, self.agent(), {**prompt, "parentUuid": "again"}, {**prompt, "parentUuid": "again"}],
        ]
        told = [self.envelope(record) for record in self.pick(stories) if self.chance(0.95)]
        return [self.spoil(record) for record in told]

    def commands(self, body):
        """Stories of slash commands in the queue, and of a refusal with words inside and beside it."""
        typed, tags = self.pick(["/tidy all", "/docs:tidy", "/deslop"]), self.pick([t for t in TEXTS if "<comm" in t])
        steps = {name: {"type": "queue-operation", "operation": name} for name in ("enqueue", "dequeue", "popAll")}
        steps["enqueue"]["content"] = typed
        attached = {"type": "attachment", "attachment": {"type": "queued_command", "prompt": typed}}
        prompt, slash = ({"type": "user", "message": {"role": "user", "content": text}} for text in (WORDS[0], tags))
        refusal = {"type": "tool_result", "content": f"{NO} the user said: {WORDS[0]}", "is_error": True}
        beside = {"type": "text", "text": self.pick(WORDS[:2])}
        return [
            [steps["enqueue"], steps["dequeue"], slash, body],
            [steps["enqueue"], steps["dequeue"], prompt, slash],
            [steps["enqueue"], steps["dequeue"], body],
            [steps["enqueue"], attached, slash, body],
            [attached, body],
            [attached, steps["enqueue"], steps["popAll"], body],
            [steps["enqueue"], steps["dequeue"], {**prompt, "message": {"content": typed}}, body],
            [steps["enqueue"], steps["dequeue"], slash, steps["enqueue"], steps["popAll"], slash],
            [{"type": "user", "message": {"content": [refusal, beside]}}],
        ]

    def record(self):
        """A record of any kind."""
        kind = self.random.random()
        if kind < 0.3:
            record = self.agent()
        elif kind < 0.55:
            record = self.results()
        elif kind < 0.8:
            record = self.prompt()
        elif kind < 0.88:
            record = self.queue()
        elif kind < 0.92:
            record = {"type": "system", "subtype": "local_command", "content": self.pick(TEXTS)}
        else:
            record = dict(self.pick(OTHERS))
        return self.spoil(self.envelope(record))

    def envelope(self, record):
        """The record with what surrounds it."""
        self.count += 1
        around = {
            "parentUuid": self.pick(self.parents),
            "isSidechain": self.chance(self.aside),
            "cwd": self.pick(["/w", "/w", "/v"]),
            "sessionId": self.pick(["s1"] * 12 + ["s2"]),
            "version": "2.1.96",
            "uuid": f"u{self.count if self.chance(0.95) else self.count // 2}",
            "timestamp": self.pick(TIMES[:4] if self.chance(0.8) else TIMES),
        }
        if self.chance(0.3):
            around["entrypoint"] = "cli"
        self.parents = [*self.parents[-3:], around["uuid"]]
        if self.chance(0.1):
            around = {key: value for key, value in around.items() if self.chance(0.5)}
        return {**around, **record} if self.chance(0.5) else {**record, **around}

    def agent(self):
        """The agent's record."""
        blocks = []
        for _ in range(self.pick([1, 1, 1, 2, 3])):
            kind = self.random.random()
            if kind < 0.3:
                blocks.append({"type": "text", "text": self.pick(TEXTS)})
            elif kind < 0.4:
                blocks.append({"type": "thinking", "thinking": "hm", "signature": "QUJD"})
            else:
                self.calls.append(f"t{self.count}{len(blocks)}")
                name = self.pick(TOOLS)
                blocks.append({"type": "tool_use", "id": self.calls[-1], "name": name, "input": self.pick(INPUTS)})
        message = {"role": "assistant", "model": self.pick(["m1", "m2", "<synthetic>", ""]), "content": blocks}
        message["id"] = self.pick([f"msg{self.count // 3}", f"msg{self.count}", None])
        usage = {"input_tokens": self.random.randint(0, 99), "output_tokens": 5, "cache_read_input_tokens": 7}
        message["usage"] = self.pick([usage, usage, usage, None, {**usage, "output_tokens": self.pick(ODD)}])
        if self.chance(0.05):
            message["content"] = self.pick([*TEXTS, None])
        record = {"type": "assistant", "message": message}
        if self.chance(0.1):
            record |= self.pick([{"attributionSkill": "tidy"}, {"isApiErrorMessage": True}, {"attributionSkill": ""}])
        return record

    def results(self):
        """A record with tool results, perhaps with text beside."""
        blocks = []
        for _ in range(self.pick([1, 1, 1, 2])):
            block = {"tool_use_id": self.pick(self.calls[-3:]), "type": "tool_result", "content": self.pick(RESULTS)}
            if self.chance(0.3):
                block["is_error"] = self.chance(0.7)
            blocks.append(block)
        if self.chance(0.15):
            blocks.append({"type": "text", "text": self.pick(TEXTS)})
        if self.chance(0.05):
            blocks.append({"type": "image", "source": {"data": "QUJD"}})
        record = {"type": "user", "message": {"role": "user", "content": blocks}, "toolUseResult": self.pick(NOTED)}
        if self.chance(0.05):
            record["toolDenialKind"] = self.pick(["user-rejected", "automode-unavailable"])
        return record

    def prompt(self):
        """A user record without tool results."""
        texts = [self.pick(TEXTS if self.chance(0.8) else self.queued) for _ in range(self.pick([1, 1, 1, 2, 3]))]
        content = texts[0] if self.chance(0.5) else [{"type": "text", "text": text} for text in texts]
        if isinstance(content, list) and self.chance(0.2):
            content.append({"type": "image", "source": {"type": "base64", "data": "QUJD"}})
        record = {"type": "user", "message": {"role": "user", "content": content}}
        more = {
            "isMeta": True,
            "isCompactSummary": True,
            "planContent": "# Plan",
            "origin": {"kind": self.pick(["human", "task-notification", 5])},
            "sourceToolUseID": self.pick(self.calls[-3:]),
        }
        record |= {key: value for key, value in more.items() if self.chance(0.12)}
        if self.chance(0.05):
            return self.pick([record["message"], {"message": record["message"]}, {"type": "user", "content": content}])
        return record

    def queue(self):
        """An entry of the queue or a queued prompt beside the conversation."""
        text = self.pick(TEXTS)
        self.queued = [*self.queued[-4:], text]
        given = self.pick([text, text, [{"type": "text", "text": text}], {"type": "text", "text": text}, None, 5])
        if self.chance(0.3):
            kind = self.pick(["queued_command"] * 4 + ["edited_text_file", "hook_success"])
            attached = {
                "type": kind,
                "prompt": given,
                "commandMode": self.pick(["prompt", "prompt", "task-notification"]),
            }
            return {"type": "attachment", "attachment": attached}
        record = {"type": "queue-operation", "operation": self.pick(["enqueue"] * 3 + ["dequeue", "remove", "popAll"])}
        if record["operation"] == "enqueue" or self.chance(0.2):
            record["content"] = given
        return record

    def spoil(self, record):
        """The record with odd values in places."""
        if not self.chance(self.calm):
            return record
        holder = record = copy.deepcopy(record)
        while True:
            key = self.pick(list(holder)) if isinstance(holder, dict) and holder else None
            inner = holder.get(key) if key is not None else None
            if isinstance(inner, list) and inner and isinstance(inner[0], dict) and self.chance(0.7):
                inner = inner[0]
            if not isinstance(inner, dict) or not inner or self.chance(0.3):
                break
            holder = inner
        if key is not None:
            holder[key] = copy.deepcopy(self.pick(ODD))
        return record

    def written(self, record):
        """The record as one of many writers puts it."""
        style = self.random.randrange(6)
        if style == 0:
            return json.dumps(self.shuffled(record), ensure_ascii=False).encode()
        if style == 1:
            return json.dumps(record, separators=(",", ":")).encode()
        if style == 2:
            return json.dumps(record, separators=(" ,\t", " : "), ensure_ascii=False).encode()
        text = json.dumps(record, separators=(",", ":"), ensure_ascii=False)
        if style == 3:
            old = self.pick(["type", "uuid", "content", "Skill", "user", "command", "The", "The", "message"])
            text = text.replace(old, f"\\u{ord(old[0]):04x}" + old[1:])
        if style == 4 and self.chance(0.3):
            text = text.replace("that", self.pick(["\\ud83d", "\\udc00\\ud800", "\\ud83d\\ude00"]))
        return text.encode()

    def shuffled(self, value):
        """The value with its keys in another order."""
        if isinstance(value, dict):
            items = list(value.items())
            self.random.shuffle(items)
            return {key: self.shuffled(item) for key, item in items}
        return [self.shuffled(item) for item in value] if isinstance(value, list) else value

    def state(self, line):
        """The line as a crash, an editor or another tool left it."""
        if not self.chance(self.calm):
            return line
        at = self.random.randint(0, len(line))
        return self.pick(
            [
                line[:at],
                line[:at] + b'{"type":"user","uuid":"g","message":{"role":"user","content":"glued"}}',
                line + b'{"parentUuid":null,"sessionId":"s1","type":"user","message":{"role":"user","content":"two"}}',
                line + line,
                line + b" trailing",
                line[:at] + b"\0" + line[at:],
                line[:at] + b"\xff\xfe" + line[at:],
                line[:at] + b"\xc3" + line[at:],
                line[:at] + b"\x01" + line[at:],
                line[:at] + b"\r\n" + line[at:],
                b"",
                b"   ",
                b"\0\0\0",
                b"[1,2]",
                b'"a string"',
                b"12 {}",
                b"12",
                b"null",
                b"NaN",
                b'{"type":"user","n":NaN,"message":{"role":"user","content":"nan"}}',
                b'{"type":"user","type":"assistant","message":{"role":"user","content":"twice"}}',
                b'{"n":' + b"9" * 500 + b',"uuid":"big","type":"user","message":{"role":"user","content":"big"}}',
                b'{"n":' + b"[" * 30 + b"]" * 30 + b"}",
                b"<!DOCTYPE html>",
                b"\xef\xbb\xbf" + line,
                b"x" * 5000,
            ]
        )


def hostile_file(seed, records=14):
    """Bytes of a hostile transcript, the same for the same seed."""
    return Fuzz(seed).data(records)
