"""A shell command line as the calls it makes: words as a shell reads them, without what is only data.

Quotes, escapes, comments, here-documents and redirections are read as a shell reads them; what stands in subshells,
substitutions and scripts given to a shell (``bash -c``, ``sh <<EOF``, ``eval``) are calls as well. One pass, no
expression that could run away, and a command that was cut off loses only the call that is not whole.
"""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

__all__ = ["read_calls"]

_MAX_DEPTH = 12
_UNKNOWN = "$()"
"""Stands for what only a running shell could tell."""
_OPERATORS = frozenset(";&|()\n")
_BLANKS = frozenset(" \t\r")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_KEYWORDS = frozenset({"if", "then", "elif", "else", "while", "until", "do", "!", "{", "}", "time"})
_WRAPPERS = frozenset({"sudo", "doas", "command", "builtin", "exec", "env", "nohup", "nice", "timeout", "stdbuf"})
_WRAPPER_VALUES = frozenset({"-u", "-g", "-n", "-s", "-k", "-C", "--user", "--group", "--chdir", "--signal"})


class _CutError(Exception):
    """The text ends inside a quotation or substitution."""


@dataclass(slots=True)
class _Call:
    """The words of one simple command and what is fed to it."""

    words: list[str] = field(default_factory=list)
    fed: str = ""


def read_calls(command: str) -> list[list[str]]:
    r"""The words of every call in `command`, in order, each without assignments and words that only run another.

    Examples
    --------
    >>> read_calls("cd app && sudo git reset --hard  # start over")
    [['cd', 'app'], ['git', 'reset', '--hard']]
    >>> read_calls("cat > notes.md <<'EOF'\ngit reset --hard\nEOF")
    [['cat']]
    """
    return _read_calls(command, 0)


def _read_calls(command: str, depth: int) -> list[list[str]]:
    if depth > _MAX_DEPTH:
        return []
    reader = _Reader(command, depth)
    try:
        reader.read_list("")
    except _CutError:
        reader.drop_unfinished()
    return [words for call in reader.calls for words in _expand(call, depth)]


def _expand(call: _Call, depth: int) -> list[list[str]]:
    """The call itself, or the calls of the script that it runs."""
    words = _unwrapped(call.words)
    if not words:
        return []
    program, arguments = PurePosixPath(words[0]).name, words[1:]
    if program == "eval":
        return _read_calls(" ".join(arguments), depth + 1)
    if program not in _SHELLS:
        return [words]
    script = _script_of(arguments)
    if script is None:
        script = call.fed if all(word.startswith("-") for word in arguments) else ""
    return _read_calls(script, depth + 1)


def _script_of(arguments: list[str]) -> str | None:
    """What follows ``-c`` among the arguments of a shell, None without it."""
    for place, word in enumerate(arguments):
        if not word.startswith(("-", "+")):
            return None
        if not word.startswith("--") and "c" in word:
            return next((later for later in arguments[place + 1 :] if not later.startswith("-")), "")
    return None


def _unwrapped(words: list[str]) -> list[str]:
    """`words` without keywords, assignments and programs that only run what follows them."""
    at, wrapped = 0, ""
    while at < len(words):
        word = words[at]
        if wrapped and word.startswith("-"):
            at += 2 if word in _WRAPPER_VALUES else 1
        elif word in _KEYWORDS or _is_assignment(word) or (wrapped == "timeout" and word[:1].isdigit()):
            at += 1
        elif PurePosixPath(word).name in _WRAPPERS:
            at, wrapped = at + 1, PurePosixPath(word).name
        else:
            break
    return words[at:]


def _is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.rstrip("+").isidentifier()


class _Reader:
    """Reads a command line sign by sign; `calls` grows with every call that is whole."""

    def __init__(self, text: str, depth: int) -> None:
        self.text, self.depth, self.at = text, depth, 0
        self.calls: list[_Call] = []
        self.open: list[_Call] = []
        self.waiting: list[tuple[_Call, str, bool]] = []
        """Here-documents whose body begins on the next line: call, last line, whether tabs are stripped."""

    def drop_unfinished(self) -> None:
        """Forget the calls that were being read when the text ended."""
        self.calls = [call for call in self.calls if not any(call is other for other in self.open)]

    def read_list(self, closer: str) -> None:
        """Read calls up to `closer`, which is passed; the end of the text closes only the outermost list."""
        call = self._begin()
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign in _BLANKS:
                self.at += 1
            elif self.text.startswith("\\\n", self.at):
                self.at += 2
            elif sign == "#":
                self._skip_line()
            elif sign in "<>" or self.text.startswith("&>", self.at):
                self._redirect(call)
            elif sign in _OPERATORS:
                self.at += 1
                call = self._next(call)
                if sign == "\n":
                    self._read_bodies()
                elif sign == closer:
                    self.open.pop()
                    return
            else:
                self._add_word(call)
        if closer:
            raise _CutError
        self.open.pop()

    def _begin(self) -> _Call:
        call = _Call()
        self.calls.append(call)
        self.open.append(call)
        return call

    def _next(self, call: _Call) -> _Call:
        """`call` is whole: the one after it."""
        if not call.words:
            return call
        self.open.pop()
        return self._begin()

    def _add_word(self, call: _Call) -> None:
        word = self._read_word()
        follows = self.text[self.at : self.at + 1]
        if not (word.isdigit() and follows in ("<", ">") and follows):
            call.words.append(word)

    def _read_word(self) -> str:
        """The word that begins here, unquoted."""
        parts: list[str] = []
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign in _BLANKS or sign in _OPERATORS or sign in "<>":
                break
            parts.append(self._read_piece(sign))
        return "".join(parts)

    def _read_piece(self, sign: str) -> str:
        if sign == "'":
            return self._up_to("'", self.at + 1)
        if sign == '"':
            return self._double_quoted()
        if sign == "\\":
            self.at += 2
            return self.text[self.at - 1 : self.at].replace("\n", "")
        if sign in "$`":
            return self._expansion()
        self.at += 1
        return sign

    def _up_to(self, closer: str, start: int) -> str:
        end = self.text.find(closer, start)
        if end < 0:
            raise _CutError
        self.at = end + len(closer)
        return self.text[start:end]

    def _double_quoted(self) -> str:
        parts: list[str] = []
        self.at += 1
        while self.at < len(self.text):
            sign = self.text[self.at]
            if sign == '"':
                self.at += 1
                return "".join(parts)
            parts.append(self._read_piece(sign) if sign in "\\$`" else sign)
            self.at += sign not in "\\$`"
        raise _CutError

    def _expansion(self) -> str:
        """A ``$`` or a backquote: what it runs is read, what it gives is unknown."""
        if self.text[self.at] == "`":
            self._read_script(self._up_to("`", self.at + 1))
        elif self.text.startswith("$((", self.at):
            self._up_to("))", self.at + 3)
        elif self.text.startswith("$(", self.at):
            self._substitute(2)
        elif self.text.startswith("${", self.at):
            self._up_to("}", self.at + 2)
        elif self.text.startswith("$'", self.at):
            return self._up_to("'", self.at + 2)
        else:
            self.at += 1
            return "$"
        return _UNKNOWN

    def _substitute(self, opener: int) -> None:
        """Read the list in brackets whose `opener` signs stand here."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _CutError
        self.at += opener
        self.read_list(")")
        self.depth -= 1

    def _read_script(self, script: str) -> None:
        self.calls += [_Call(words) for words in _read_calls(script, self.depth + 1)]

    def _redirect(self, call: _Call) -> None:
        """A redirection: its target is no word of the call, a here-document or here-string feeds it."""
        start = self.at
        if self.text[start : start + 2] in ("<(", ">("):
            self._substitute(2)
            call.words.append(_UNKNOWN)
            return
        while self.at < len(self.text) and self.text[self.at] in "<>&|":
            self.at += 1
        operator = self.text[start : self.at]
        strips = operator == "<<" and self.text.startswith("-", self.at)
        self.at += strips
        while self.at < len(self.text) and self.text[self.at] in _BLANKS:
            self.at += 1
        target = self._read_word()
        if operator == "<<":
            self.waiting.append((call, target, strips))
        elif operator == "<<<":
            call.fed = target

    def _read_bodies(self) -> None:
        """The bodies of the here-documents that the line before announced."""
        for call, last, strips in self.waiting:
            lines: list[str] = []
            while self.at < len(self.text):
                line = self._take_line()
                if (line.lstrip("\t") if strips else line) == last:
                    break
                lines.append(line)
            call.fed = "\n".join(lines)
        self.waiting.clear()

    def _take_line(self) -> str:
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        line = self.text[self.at : end].rstrip("\r")
        self.at = end + 1
        return line

    def _skip_line(self) -> None:
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end
