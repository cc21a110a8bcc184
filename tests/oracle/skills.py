"""Reads of skill files and bodies of skills, by the plainest means."""

import itertools
import posixpath
import re
import shlex

from skilltune.mining.digests import skill_digest
from tests.oracle.values import string


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


def simple_calls(command):
    """Words of each call of a command line, after a ``cd`` with the words for its folder put before."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars=";&|<>\n")
    lexer.whitespace, lexer.commenters = " \t\r", "#"
    calls, folder = [[]], ""
    try:
        for word in lexer:
            calls += [[]] if set(word) <= set(";&|\n") else []
            calls[-1] += [] if set(word) <= set(";&|\n") else [word]
    except ValueError:
        return []
    for words in filter(None, calls):
        if words[0] == "cd":
            folder = posixpath.join(folder, words[1])
        yield folder, words


def shell_reads(command):
    """Files that plain reading commands show, where nothing but such commands is there."""
    command = re.sub(r"[2&]?>\s*/dev/null\b|2>&1\b", "", command)
    if re.search(r"[<>`(){}]|\|\|", command) or re.search(r"&", command.replace("&&", "")):
        return []
    found = []
    for folder, words in simple_calls(command):
        if words[0] in ("cat", "head", "tail", "less") or words[:2] == ["sed", "-n"]:
            found += [posixpath.join(folder, word) for word in words[1:] if word[:1] != "-"]
        elif words[0] not in ("cd", "echo", "ls", "printf", "pwd", "wc"):
            return []
    return found


def written_files(tool, given):
    """SKILL.md files that a shell command writes."""
    command = string(given, "command") or ""
    if tool not in ("Bash", "bash", "Shell", "shell") or "SKILL.md" not in command:
        return []
    command = re.sub(r"(?s)(<<'?(\w+)'?[^\n]*\n).*?\n?\2\Z", r"\1", command)
    called, redirected = [], []
    for folder, words in simple_calls(command):
        names = [word for word in words[1:] if word[:1] not in "-<>"]
        names = names[: words.index(">") - 1] if ">" in words else names
        if words[0] == "tee" or (words[0] == "sed" and "-i" in words):
            called += [posixpath.join(folder, name) for name in names]
        elif words[0] in ("cp", "mv") and len(names) > 1:
            ends = [names[-1] + posixpath.basename(name) for name in names[:-1]] if names[-1][-1] == "/" else names[-1:]
            called += [posixpath.join(folder, end) for end in ends]
        for operator, target in itertools.pairwise(words):
            redirected += [posixpath.join(folder, target)] if operator in (">", ">>") else []
    return [path for path in called + redirected if skill_files("Read", {"path": path})]


def add_body(item, text):
    """Note the body of a skill on its use."""
    base = re.match(r"\s*Base directory for this skill:[ \t]*([^\r\n]*)(\r?\n|\Z)", text)
    body, args = text[base.end() :] if base else text, item.get("args", "").strip()
    front, mark, behind = body.rpartition("\nARGUMENTS:")
    inside = bool(args) and behind.strip().startswith(args) and behind.strip() != args
    if mark and not inside:
        body = front
    elif len(args) >= 3:
        places = [found.start() for found in re.finditer(f"(?={re.escape(args)})", body)]
        pieces, at = [], 0
        for place in places:
            around = (body[place - 1 : place] + args[0], args[-1] + body[place + len(args) :][:1])
            if place >= at and not any(re.fullmatch(r"(?a)\w\w", pair) for pair in around):
                pieces += [body[at:place], "$ARGUMENTS"]
                at = place + len(args)
        body = "".join(pieces) + body[at:]
    folder = base[1].strip() if base else ""
    item.update(body=True, digest=skill_digest(body), base_dir=folder, body_chars=len(body))


def listed(attached):
    """{names, count} of a list of skills."""
    lists = [attached.get(key) for key in ("names", "skillNames") if isinstance(attached.get(key), list)]
    names = [name for names in lists for name in names if isinstance(name, str)]
    if not names:
        lines = (string(attached, "content") or "").split("\n")
        found = [re.fullmatch(r"- ([A-Za-z0-9_.:-]*[A-Za-z0-9_.-])(:\s.*|:|\s*)", line, re.DOTALL) for line in lines]
        names = [match[1] for match in found if match]
    count = attached.get("skillCount")
    return {"names": names, "count": count if type(count) is int and 0 <= count <= 10**6 else 0}
