"""Invented OpenCode sessions, and how each shape keeps them on disk."""

import json
import sqlite3
from contextlib import closing

START = 1767607200000
"""2026-01-05T10:00:00Z in milliseconds."""
REJECTED = "The user rejected permission to use this specific tool call."
BY_RULE = "The user has specified a rule which prevents you from using this specific tool call. Here are some rules []"
RUN_RULES = [{"permission": name, "action": "deny", "pattern": "*"} for name in ("question", "plan_enter", "plan_exit")]


class Talk:
    """A session's record and its messages, in order, two seconds apart."""

    def __init__(self, session="ses_1", *, start=START, prefix=None, **info):
        self.id, self.clock, self.prefix = session, start, session if prefix is None else prefix
        self.info = {
            "id": session,
            "version": "1.3.17",
            "projectID": "p1",
            "directory": "/home/dev/shop",
            "title": "Shop",
            "time": {"created": start, "updated": start},
            **info,
        }
        self.messages = []

    def message(self, role, *parts, **more):
        """A message with its parts; fields that are None are left out."""
        self.clock += 2000
        number = len(self.messages)
        name = f"msg_{self.prefix}_{number:04d}"
        whole = {"id": name, "sessionID": self.id, "role": role, "time": {"created": self.clock}, **more}
        parts = [
            {"id": f"prt_{self.prefix}_{number:04d}_{at:03d}", "sessionID": self.id, "messageID": name, **part}
            for at, part in enumerate(parts)
        ]
        self.messages.append(({key: value for key, value in whole.items() if value is not None}, parts))
        return self

    def user(self, *parts, **more):
        """A message of role user; a string is a text part."""
        return self.message("user", *map(as_part, parts), agent="build", **more)

    def agent(self, *parts, tokens=None, **more):
        """A message of the agent."""
        model = {"modelID": "m1", "providerID": "p", "path": {"cwd": "/home/dev/shop"}, "cost": 0}
        return self.message("assistant", *map(as_part, parts), parentID="msg", tokens=tokens, **model, **more)

    def document(self):
        """The session as it is exported."""
        return {"info": self.info, "messages": [{"info": info, "parts": parts} for info, parts in self.messages]}


def as_part(part):
    """A string as a text part."""
    return {"type": "text", "text": part} if isinstance(part, str) else part


def tool(name, call_id="c1", /, *, output="ok", error=None, status=None, metadata=None, **given):
    """A tool part; with `error` it failed."""
    state = {"status": status or ("error" if error else "completed"), "input": given, "metadata": metadata or {}}
    state |= {"error": error} if error else {"output": output}
    return {"type": "tool", "tool": name, "callID": call_id, "state": state}


def skill(name, *, body="# Tidy\n\nSort the imports.", call_id="c1", **more):
    """A call of the skill tool, as it ends today."""
    folder = f"/home/dev/.config/opencode/skills/{name}"
    output = f'<skill_content name="{name}">\n# Skill: {name}\n\n{body}\n\nBase directory for this skill: file://{folder}\nNote'
    return tool("skill", call_id, output=output, name=name, **more)


def tokens(given, written, *, reasoning=0, read=0, write=0):
    """Tokens of a message."""
    return {"input": given, "output": written, "reasoning": reasoning, "cache": {"read": read, "write": write}}


def write_json(path, value):
    """Write one JSON value to a file; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


def write_tree(storage, *talks, flat=False):
    """Write sessions as a storage tree; return the path of the first one's file."""
    paths = []
    for talk in talks:
        paths.append(write_json(storage / "session" / "p1" / f"{talk.id}.json", talk.info))
        (storage / "message").mkdir(exist_ok=True)
        for info, parts in talk.messages:
            write_json(storage / "message" / talk.id / f"{info['id']}.json", info)
            for part in parts:
                write_json(storage / "part" / ("" if flat else info["id"]) / f"{part['id']}.json", part)
    return paths[0]


def write_export(path, talk):
    """Write a session as an export."""
    write_json(path, {})
    path.write_text(json.dumps(talk.document(), indent=2) + "\n")
    return path


SCHEMA = """
CREATE TABLE IF NOT EXISTS `session` (`id` text PRIMARY KEY, `project_id` text NOT NULL, `parent_id` text,
  `directory` text NOT NULL, `title` text, `version` text, `revert` text, `permission` text,
  `time_created` integer NOT NULL, `time_updated` integer NOT NULL);
CREATE TABLE IF NOT EXISTS `message` (`id` text PRIMARY KEY, `session_id` text NOT NULL, `time_created` integer,
  `time_updated` integer, `data` text NOT NULL);
CREATE TABLE IF NOT EXISTS `part` (`id` text PRIMARY KEY, `message_id` text NOT NULL, `session_id` text NOT NULL,
  `time_created` integer, `time_updated` integer, `data` text NOT NULL);
"""


def write_database(path, *talks):
    """Add sessions to a database; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        fill_database(connection, *talks)
    return path


def fill_database(connection, *talks):
    """Add sessions to an open database."""
    connection.execute("PRAGMA synchronous = OFF")
    connection.executescript(SCHEMA)
    for talk in talks:
        connection.execute("INSERT INTO session VALUES (?,?,?,?,?,?,?,?,?,?)", session_row(talk))
        for info, parts in talk.messages:
            data = {key: value for key, value in info.items() if key not in ("id", "sessionID")}
            row = (info["id"], talk.id, talk.clock, talk.clock, json.dumps(data))
            connection.execute("INSERT INTO message VALUES (?,?,?,?,?)", row)
            for part in parts:
                data = {key: value for key, value in part.items() if key not in ("id", "sessionID", "messageID")}
                row = (part["id"], info["id"], talk.id, talk.clock, talk.clock, json.dumps(data))
                connection.execute("INSERT INTO part VALUES (?,?,?,?,?,?)", row)


def session_row(talk):
    """A session's record as a row."""
    info = talk.info
    kept = [json.dumps(info[name]) if name in info else None for name in ("revert", "permission")]
    time = (info["time"]["created"], info["time"]["updated"])
    return (talk.id, "p1", info.get("parentID"), info["directory"], info["title"], info["version"], *kept, *time)


GO_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL,
  message_count INTEGER NOT NULL DEFAULT 0, prompt_tokens INTEGER NOT NULL DEFAULT 0,
  updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL,
  parts TEXT NOT NULL DEFAULT '[]', model TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  finished_at INTEGER);
"""


def block(kind, **data):
    """A block of a message of the Go era."""
    return {"type": kind, "data": data}


def write_go(path, messages, *, session="g1", parent=None, column="parts"):
    """Write (role, blocks) as messages that hold their content themselves, a second apart; return the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    start = START // 1000
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(GO_SCHEMA.replace(" parts TEXT", f" {column} TEXT"))
        row = (session, parent, "Shop", len(messages), 0, start, start)
        connection.execute("INSERT INTO sessions VALUES (?,?,?,?,?,?,?)", row)
        for number, (role, blocks) in enumerate(messages):
            at = start + number
            row = (f"{session}-{number}", session, role, json.dumps(blocks), "m1", at, at, at)
            connection.execute("INSERT INTO messages VALUES (?,?,?,?,?,?,?,?)", row)
    return path


def items(facts):
    """All items of a file."""
    return [item for session in facts.sessions for item in session.items]


def turns(facts):
    """All turns of a file."""
    return [item for item in items(facts) if type(item).__name__ == "TurnFact"]


def uses(facts):
    """All uses of a file."""
    return [item for item in items(facts) if type(item).__name__ == "UseFact"]
