"""Lexicons: what people say, as data; one TOML file a language, found by being there.

A file gives the language's code and name, how its words are matched, letters and frequent words to recognise it by,
and rules: each an ``id``, a ``kind``, patterns (see ``phrases``) and where in a message they count.
"""

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, get_args

from skilltune.errors import ConfigError, InputError
from skilltune.mining.phrases import Matching, Phrase, compile_phrase
from skilltune.records import Dimension

__all__ = ["KINDS", "PLACES", "Lexicon", "Rule", "find_lexicons", "parse_lexicon", "rules_by_head"]

KINDS = {
    "revert": "wants the work taken back",
    "redo": "wants the work done over",
    "rejection": "says that the work is wrong, missing, broken or unwanted",
    "harm": "names damage done; praise beside it is meant bitterly",
    "objection": "argues with the work; counts early in a short message only",
    "wish": "says what should be: an objection to the work, or the answer to a question of the agent",
    "refusal": "a bare no: what it means depends on what the agent asked",
    "approval": "praises or accepts the work",
    "ack": "yes: acceptance unless something speaks against it",
    "okay": "heard: acceptance where a short message asks for nothing else",
    "thanks": "polite; acceptance where it stands alone",
    "go_on": "has the work continued, committed, pushed, merged or shipped",
    "pick": "takes what the agent offered; acceptance after a question of the agent",
    "take": "does what the agent offered, or where nothing was offered asks for a piece of work",
    "contrast": "but, except: what follows limits what came before",
    "question": "opens a question or a request",
    "forward": "opens a condition about what may come",
    "condition": "a condition about what may fail: what hangs on it has not happened",
    "own_mistake": "the person corrects themselves",
    "relayed": "passes on what somebody else wrote",
    "task": "asks for a piece of work",
    "making": "asks for something new; what it is for is its topic",
    "topic": "asks for a text or entry; what it is to say follows",
    "change": "asks for a change of what was just done",
    "next": "moves on to other work",
    "aside": "tells something without asking for work",
    "filler": "carries no meaning and does not move the start of a sentence",
    "nothing": "looks like a signal and is none",
    "offer": "in the agent's text: proposes to do something",
    "check": "in the agent's text: asks whether the work is right",
    "open": "in the agent's text: asks what to do next, whatever it may be",
}
"""What a rule can mean."""

PLACES = ("anywhere", "clause", "sentence", "message", "whole", "end")
"""Where patterns count: anywhere, where a clause, sentence or the message opens, as a whole clause, or as its end."""

_KEYS = {"language", "name", "matching", "script", "letters", "common", "spellings", "variants", "rules", "dimensions"}
_RULE_KEYS = {"id", "kind", "where", "patterns"}
_DIMENSION_KEYS = {"id", "dimension", "where", "patterns"}


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a lexicon; `kind` is a word of ``KINDS``, or a dimension."""

    id: str
    kind: str
    where: str
    phrases: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of one language."""

    language: str
    name: str
    script: str
    letters: frozenset[str]
    vocabulary: frozenset[str]
    spellings: Mapping[str, str]
    variants: Mapping[int, str]
    rules: tuple[Rule, ...]
    dimensions: tuple[Rule, ...]
    digest: str = field(default="", compare=False)


@cache
def find_lexicons() -> Mapping[str, Lexicon]:
    """Every lexicon of the package by language, in order of their names."""
    folder = files(__package__) / "lexicons"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {lexicon.language: lexicon for lexicon in map(_read_lexicon, found)}


def parse_lexicon(text: str, *, source: str) -> Lexicon:
    """The lexicon in `text`.

    Parameters
    ----------
    text
        The TOML text.
    source
        The name that errors give for it, usually the file's.

    Raises
    ------
    ConfigError
        The text is no TOML, or a key, rule or pattern is not understood; the message names source and rule.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{source}: not TOML: {error}") from error
    _check_keys(table, _KEYS, needs={"language", "name", "matching", "rules"}, source=source)
    if table["matching"] not in get_args(Matching):
        raise ConfigError(f"{source}: matching {table['matching']!r} is none of {', '.join(get_args(Matching))}")
    rules = [_parse_rule(rule, table, source) for rule in table["rules"]]
    dimensions = [_parse_dimension(rule, table, source) for rule in table.get("dimensions", [])]
    _check_unique([rule.id for rule in (*rules, *dimensions)], source)
    return Lexicon(
        language=table["language"],
        name=table["name"],
        script=table.get("script", "latin"),
        letters=frozenset(table.get("letters", "")),
        vocabulary=frozenset(table.get("common", "").split()) | _pattern_words(rules),
        spellings=_parse_spellings(table.get("spellings", ""), source),
        variants=_parse_variants(table.get("variants", ""), source),
        rules=tuple(rules),
        dimensions=tuple(dimensions),
        digest=hashlib.sha256(text.encode()).hexdigest(),
    )


def rules_by_head(rules: Iterable[Rule]) -> dict[str, tuple[tuple[Phrase, Rule], ...]]:
    """Phrases with their rule by the first word or sign they can begin with."""
    table: dict[str, list[tuple[Phrase, Rule]]] = {}
    for rule in rules:
        for phrase in rule.phrases:
            for head in phrase.heads:
                table.setdefault(head, []).append((phrase, rule))
    return {head: tuple(found) for head, found in table.items()}


def _read_lexicon(file: Traversable) -> Lexicon:
    return parse_lexicon(file.read_text(encoding="utf-8"), source=file.name)


def _parse_rule(rule: Mapping[str, Any], table: Mapping[str, Any], source: str) -> Rule:
    name = f"{source}: rule {rule.get('id', '(without id)')!r}"
    _check_keys(rule, _RULE_KEYS, needs={"id", "kind", "patterns"}, source=name)
    if rule["kind"] not in KINDS:
        raise ConfigError(f"{name}: kind {rule['kind']!r} is none of {', '.join(KINDS)}")
    return _compile_rule(rule, rule["kind"], table, name)


def _parse_dimension(rule: Mapping[str, Any], table: Mapping[str, Any], source: str) -> Rule:
    name = f"{source}: rule {rule.get('id', '(without id)')!r}"
    _check_keys(rule, _DIMENSION_KEYS, needs={"id", "dimension", "patterns"}, source=name)
    if rule["dimension"] not in get_args(Dimension):
        raise ConfigError(f"{name}: dimension {rule['dimension']!r} is none of {', '.join(get_args(Dimension))}")
    return _compile_rule(rule, rule["dimension"], table, name)


def _compile_rule(rule: Mapping[str, Any], kind: str, table: Mapping[str, Any], name: str) -> Rule:
    where = rule.get("where", "anywhere")
    if where not in PLACES:
        raise ConfigError(f"{name}: where {where!r} is none of {', '.join(PLACES)}")
    if not isinstance(rule["patterns"], list) or not rule["patterns"]:
        raise ConfigError(f"{name}: patterns must be a list with at least one pattern")
    script = table.get("script", "latin")
    try:
        phrases = tuple(
            compile_phrase(str(source), matching=table["matching"], script=script) for source in rule["patterns"]
        )
    except InputError as error:
        raise ConfigError(f"{name}: {error}") from error
    return Rule(f"{table['language']}.{rule['id']}", kind, where, phrases)


def _parse_variants(pairs: str, source: str) -> Mapping[int, str]:
    """Traditional → simplified signs from blank-separated pairs such as ``對对``."""
    odd = [pair for pair in pairs.split() if len(pair) != 2]
    if odd:
        raise ConfigError(f"{source}: variants are pairs of two signs, not {odd[0]!r}")
    return {ord(pair[0]): pair[1] for pair in pairs.split()}


def _parse_spellings(pairs: str, source: str) -> Mapping[str, str]:
    """Loose → usual spellings from blank-separated pairs such as ``dont=don't``."""
    odd = [pair for pair in pairs.split() if not all(pair.partition("="))]
    if odd:
        raise ConfigError(f"{source}: spellings are pairs such as dont=don't, not {odd[0]!r}")
    return dict(pair.split("=", 1) for pair in pairs.split())


def _pattern_words(rules: Iterable[Rule]) -> frozenset[str]:
    return frozenset(head for rule in rules for phrase in rule.phrases for head in phrase.heads if len(head) > 1)


def _check_keys(table: Mapping[str, Any], known: set[str], *, needs: set[str], source: str) -> None:
    unknown, missing = sorted(set(table) - known), sorted(needs - set(table))
    if unknown:
        raise ConfigError(f"{source}: unknown key {unknown[0]!r}; known are {', '.join(sorted(known))}")
    if missing:
        raise ConfigError(f"{source}: {missing[0]!r} is missing")


def _check_unique(ids: list[str], source: str) -> None:
    twice = sorted({rule_id for rule_id in ids if ids.count(rule_id) > 1})
    if twice:
        raise ConfigError(f"{source}: rule {twice[0]!r} is there twice")
