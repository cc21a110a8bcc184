"""What was read, in words for people."""

import ast
import re
from pathlib import Path
from typing import get_args

import skilltune
from skilltune.cli.read_text import named_files, named_records
from skilltune.mining import user_texts as claude_code
from skilltune.sources.claude_code.record_types import KNOWN_TYPES
from skilltune.sources.codex import words as codex

PLAIN = frozenset(
    re.findall(
        r"\S+",
        """
aborted compact_summary denied hook interrupt item_completed local_command notification reasoning session
session_meta system_reminder task_started turn_aborted
        """,
    )
)
"""Reasons that may be shown as they are."""
NO_REASONS = frozenset(
    re.findall(
        r"\S+",
        """
content data edit failed flat foreign init ok ours parts person plan skill slash
        """,
    )
)
"""What functions of the readers give that becomes of no record."""


def test_every_reason_of_a_reader_has_words():
    """Whatever a reader may call a record or a file, a person can read it."""
    root = Path(skilltune.__file__).parent
    paths = [*(root / "sources").rglob("*.py"), *(root / "scan").rglob("*.py")]
    reasons = {reason for path in paths for reason in _reasons(ast.parse(path.read_text()))}
    reasons |= {*get_args(claude_code.Kind), *get_args(codex.Kind)}
    assert {"orphan_part", "headless", "automation", "pending", "compressed"} <= reasons
    unsaid = {reason for reason in reasons if _is_bare(reason)} - {*PLAIN, *NO_REASONS, *KNOWN_TYPES}
    assert unsaid == set()


def test_files_are_passed_over_in_whole_words():
    """A file whose speakers nobody knows says so; reasons with the same words are added up."""
    assert named_records({"harness": 1, "meta": 2}) == {"put in by the program": 3}
    told = named_files({"headless": 2, "without_parent_column": 1, "orphan_messages": 1})
    assert not any("_" in words for words in told)
    assert told["whose first record is damaged: nobody knows who speaks in them"] == 2
    assert sum(named_records({"pending": 2, "brand_new": 3}).values()) == 5


def _is_bare(reason):
    """Whether a reason is shown as it is, or with blanks."""
    shown = reason.replace("_", " ")
    return named_records({reason: 1}) == {shown: 1} and named_files({reason: 1}) == {shown: 1}


def _reasons(tree):
    """The words that functions return, count or note."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and node.value is not None:
            yield from _texts(node.value)
        elif isinstance(node, ast.Call) and _name(node.func) in ("count", "damaged", "complain", "Reading", "facts"):
            for value in [*node.args, *(word.value for word in node.keywords)]:
                yield from _texts(value)
        elif isinstance(node, ast.Subscript) and _name(node.value) == "counts":
            yield from _texts(node.slice)
        elif isinstance(node, ast.keyword) and node.arg == "skipped":
            yield from _texts(node.value)


def _texts(node):
    """A text, or those of both branches."""
    if isinstance(node, ast.IfExp):
        yield from (*_texts(node.body), *_texts(node.orelse))
    elif isinstance(node, ast.BoolOp):
        yield from (text for value in node.values for text in _texts(value))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
        yield node.value


def _name(node):
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
