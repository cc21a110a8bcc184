"""What a shell command plainly reads, and what it writes."""

import posixpath
import re
from collections.abc import Callable, Iterator

from skilltune.mining.shell import read_calls

__all__ = ["read_paths", "written_paths"]

_HARMLESS = re.compile(r"(?:2|&)?>\s*+/dev/null\b|2>&1\b")
_NOT_PLAIN = re.compile(r"[<>`(){}]|\|\||(?<!&)&(?!&)")
_MAX_CHARS = 20_000
_LOOKS = frozenset({"cd", "echo", "ls", "printf", "pwd", "wc"})
_READS = frozenset({"cat", "head", "less", "tail"})
_HERE_DOCUMENT = re.compile(
    r"(?<!<)<<-?[ \t]*+(?P<quote>['\"]?+)(?P<end>[A-Za-z_]\w*+)(?P=quote)(?P<rest>[^\n]*+)"
    r"(?:\Z|\n(?:(?:.*?\n)??[ \t]*+(?P=end)[ \t]*+(?=\n|\Z)|.*\Z))",
    re.DOTALL,
)
_REDIRECTION = re.compile(r""">{1,2}\|?[ \t]*+(?:'([^'\n]+)'|"([^"\n]+)"|([^\s'"<>|;&()]+))""")
_IN_PLACE = re.compile(r"-[a-zA-Z]*i|--in-place")


def read_paths(command: str) -> list[str]:
    """Files that `command` shows with ``cat``, ``head``, ``tail``, ``less`` or ``sed -n`` while it changes nothing."""
    if len(command) > _MAX_CHARS:
        return []
    plain = _HARMLESS.sub("", command)
    if _NOT_PLAIN.search(plain):
        return []
    paths: list[str] = []
    for folder, (program, *arguments) in _calls_in_folders(plain):
        if program in _READS or (program == "sed" and arguments[:1] == ["-n"]):
            paths += [posixpath.join(folder, word) for word in arguments if not word.startswith("-")]
        elif program not in _LOOKS:
            return []
    return paths


def written_paths(command: str) -> list[str]:
    """Files that `command` writes: redirected output, ``tee``, ``sed -i``, targets of ``cp``, ``mv``, ``install``."""
    command = _HERE_DOCUMENT.sub(r"\g<rest>", command[:_MAX_CHARS])
    paths: list[str] = []
    entered = ""
    for folder, (program, *arguments) in _calls_in_folders(command):
        entered = entered or folder
        writes = _WRITERS.get(posixpath.basename(program))
        paths += [posixpath.join(folder, path) for path in writes(arguments)] if writes else []
    return paths + [posixpath.join(entered, "".join(found)) for found in _REDIRECTION.findall(command)]


def _calls_in_folders(command: str) -> Iterator[tuple[str, list[str]]]:
    """Each call with the folder that the last ``cd`` before it names, '' before any."""
    folder = ""
    for words in read_calls(command):
        if words[0] == "cd":
            target = words[-1] if len(words) > 1 else ""
            folder = posixpath.join(folder, target) if not target.startswith(("-", "$")) else ""
        yield folder, words


def _names(arguments: list[str]) -> list[str]:
    return [word for word in arguments if not word.startswith("-")]


def _edited_in_place(arguments: list[str]) -> list[str]:
    return _names(arguments) if any(_IN_PLACE.match(word) for word in arguments) else []


def _copied_to(arguments: list[str]) -> list[str]:
    """The target, or the files in it where it is written as a folder."""
    *sources, target = _names(arguments) or [""]
    if not target.endswith("/"):
        return [target] if sources else []
    return [posixpath.join(target, posixpath.basename(source)) for source in sources]


_WRITERS: dict[str, Callable[[list[str]], list[str]]] = {
    "cp": _copied_to,
    "install": _copied_to,
    "mv": _copied_to,
    "perl": _edited_in_place,
    "sed": _edited_in_place,
    "tee": _names,
}
