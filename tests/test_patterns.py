"""No pattern that the package ships takes more than linear time: not on 100 KB made of its own words."""

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]  # where the parts of a pattern have their names
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType

import pytest

import skilltune
from skilltune.mining.lexicon import find_lexicons
from skilltune.stores.secret_patterns import library_hint, library_patterns

SIZES = (1_000, 5_000, 20_000, 100_000)
END = "\x01"
"""Ends every text, so that what has matched all of it still fails."""
SECONDS = 0.03
"""A linear pattern takes a hundredth of that on the longest text."""
USES = ("match", "search", "fullmatch", "finditer", "findall", "sub", "split")
FILLERS = (" ", "a", "\n", "0", "-", "不", "/", "<", '"', "\\")


def modules() -> Iterator[ModuleType]:
    """Every module of the package."""
    for found in pkgutil.walk_packages(skilltune.__path__, "skilltune."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


OUR_OWN = {
    "skilltune.page.html._TAG",
    "skilltune.page.html._SEEN_ELSEWHERE",
    "skilltune.page.html._DRAWING",
    "skilltune.reports.links._INDEX",
}
"""They read pages that skilltune itself wrote, where every tag that begins ends soon."""


@cache
def uses_by_name(folder: Path) -> dict[str, set[str]]:
    """Name of a pattern → how the code of a folder or file uses it."""
    found: dict[str, set[str]] = {}
    for path in [folder] if folder.is_file() else folder.rglob("*.py"):
        for name, use in re.findall(rf"\b(\w+)(?:\[\w+\])?\.({'|'.join(USES)})\b", path.read_text(encoding="utf-8")):
            found.setdefault(name, set()).add(use)
    return found


def uses_of(module: ModuleType, name: str) -> tuple[str, ...]:
    """How a pattern is used: where it is made, else wherever its name stands."""
    for where in (Path(str(module.__file__)), Path(skilltune.__path__[0])):
        if used := uses_by_name(where).get(name):
            return tuple(sorted(used))
    return USES[:1]


def patterns_in(value: object, name: str, module: ModuleType) -> Iterator[tuple[str, re.Pattern, tuple[str, ...]]]:
    """(name, pattern, how it is used) of what a module holds under a name."""
    if isinstance(value, re.Pattern):
        yield name, value, uses_of(module, name)
    elif isinstance(owner := getattr(value, "__self__", None), re.Pattern):
        yield name, owner, (value.__name__,)
    elif isinstance(value, dict | tuple | list | frozenset | set):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from patterns_in(inner, name, module)


def inline() -> Iterator[tuple[str, re.Pattern, str]]:
    """Patterns that stand as a text in a call of the module ``re``."""
    for path in Path(skilltune.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
                continue
            first, use = node.args[0], node.func.attr
            if use in USES and ast.unparse(node.func.value) == "re" and isinstance(first, ast.Constant):
                yield f"{path.name}:{node.lineno}", re.compile(first.value), use


def late() -> Iterator[tuple[str, re.Pattern, str]]:
    """Patterns that are made when they are first needed."""
    for pattern in (library_hint(), *library_patterns()):
        yield "skilltune.stores.secret_patterns, of the library", pattern, "search"
        yield "skilltune.stores.secret_patterns, of the library", pattern, "finditer"


def shipped() -> dict[tuple[str, str], tuple[str, re.Pattern]]:
    """(pattern, use) → its name; each once."""
    found = {}
    for module in modules():
        for name, value in vars(module).items():
            for where, pattern, uses in patterns_in(value, name, module):
                for use in uses:
                    found.setdefault((str(pattern.pattern), use), (f"{module.__name__}.{where}", pattern))
    for name, pattern, use in [*inline(), *late()]:
        found.setdefault((str(pattern.pattern), use), (name, pattern))
    for language, lexicon in find_lexicons().items():
        for rule in (*lexicon.rules, *lexicon.dimensions):
            for phrase in rule.phrases:
                found.setdefault((phrase.expression, "match"), (f"lexicon {language}", re.compile(phrase.expression)))
    return found


def words_of(tree: Iterable) -> Iterator[str]:
    """Runs of letters that a pattern asks for, and a letter of each set it allows."""
    run = ""
    for code, value in tree:
        if code is codes.LITERAL:
            run += chr(value)
            continue
        if run:
            yield run
            run = ""
        if code is codes.IN:
            yield from (chr(part[1] if part[0] is codes.LITERAL else part[1][0]) for part in value if _is_letter(part))
        else:
            for inner in _trees(value):
                yield from words_of(inner)
    if run:
        yield run


def _is_letter(part: tuple) -> bool:
    return part[0] is codes.LITERAL or part[0] is codes.RANGE


def _trees(value: object) -> Iterator[Iterable]:
    if isinstance(value, parser.SubPattern):
        yield value
    elif isinstance(value, tuple | list):
        for inner in value:
            yield from _trees(inner)


def texts_for(pattern: re.Pattern, most: int | None = None) -> list[str]:
    """What to repeat so that the pattern begins again and again and never ends."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    words = list(dict.fromkeys(words_of(parser.parse(source, pattern.flags & ~re.UNICODE))))
    longest = sorted(words, key=len)[-3:]
    last = longest[-1] if longest else ""
    pieces = [*longest, "".join(words)[:200], f"{last} ", f"{last}\n", f"{last}0", *FILLERS]
    return [piece for piece in dict.fromkeys(pieces) if piece][:most]


def seconds(act: Callable[[], object]) -> float:
    """CPU time of one run."""
    begun = time.process_time()
    act()
    return time.process_time() - begun


def used(pattern: re.Pattern, use: str, text: str | bytes) -> Callable[[], object]:
    """One use of a pattern on a text; a match that goes on from place to place counts as one."""
    match use:
        case "sub":
            return lambda: pattern.sub("" if isinstance(text, str) else b"", text)
        case "finditer":
            return lambda: sum(1 for _ in pattern.finditer(text))
        case _:
            return lambda: getattr(pattern, use)(text)


def too_slow(pattern: re.Pattern, use: str, most: int | None = None) -> list[str]:
    """The pieces (at most so many) on which longer text takes far more than its length longer, each seen twice."""
    return [f"{piece[:40]!r}" for piece in texts_for(pattern, most) if _grows(pattern, use, piece)]


def _grows(pattern: re.Pattern, use: str, piece: str) -> bool:
    whole = piece * (SIZES[-1] // len(piece) + 1)
    before = 0.0
    for size, smaller in zip(SIZES, (1, *SIZES), strict=False):
        text = whole[:size] + END
        act = used(pattern, use, text.encode("utf-8") if isinstance(pattern.pattern, bytes) else text)
        limit = max(SECONDS, 2.5 * before * size / smaller)
        taken = seconds(act)
        if taken > limit and (taken := min(taken, seconds(act))) > limit:
            return True
        before = taken
    return False


def test_pattern_takes_linear_time():
    """Each, in the way in which it is used, on text made of its own letters."""
    found = shipped()
    assert len(found) > 300
    slow = {}
    for (_, use), (name, pattern) in found.items():
        most = 4 if name.startswith("lexicon") else None  # their notation repeats nothing without bound
        if name not in OUR_OWN and (words := too_slow(pattern, use, most)):
            slow[name, use] = words
    assert not slow


@pytest.mark.parametrize(("pattern", "use"), [(r"a+b", "search"), (r"\s+$", "search")])
def test_slow_pattern_would_be_found(pattern, use):
    """The test can fail: patterns that are known to be slow are."""
    assert too_slow(re.compile(pattern), use)
