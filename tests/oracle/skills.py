"""Reads of skill files and bodies of skills, by the plainest means."""

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
