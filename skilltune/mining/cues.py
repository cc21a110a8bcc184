"""Cues: classes of English words that lean one way, found by looking up single words and runs of up to four."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

__all__ = ["find_cues"]


def find_cues(words: Sequence[str]) -> dict[str, int]:
    """The cues in `words` (lower case, in order), each with the place of its first word."""
    table = _table()
    found: dict[str, int] = {}
    for at, word in enumerate(words):
        entry = table.get(word)
        if entry is None:
            continue
        for rest, cue in entry:
            if cue not in found and (not rest or tuple(words[at + 1 : at + 1 + len(rest)]) == rest):
                found[cue] = at
    return found


@cache
def _table() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """What may follow each first word, and the cue it then is."""
    text = files("skilltune.mining").joinpath("cues.toml").read_text(encoding="utf-8")
    table: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for cue, phrases in tomllib.loads(text)["cues"].items():
        for phrase in phrases.split(","):
            head, *rest = phrase.split()
            table.setdefault(head, []).append((tuple(rest), cue))
    return {head: tuple(entries) for head, entries in table.items()}
