"""Names, paths, ids and texts that want to steer a terminal or flood it, through every command that prints them."""

import json

import pytest

from tests.cli.forking import run_command
from tests.cli.people import BODY, HEAD, SKILL, Desk

EVIL = "\x1b]0;owned\x07\x1b[2J\u202egnp\u2066\u200b\u200f\ufeff\u3164\r\nnext\u2028line"
LONG = "l" * 10_000
OBEYED = set("\x1b\x07\r\u202e\u2066\u200b\u200f\ufeff\u3164\u2028")
LINE_CHARS, ALL_CHARS = 1_500, 30_000
"""A command with a text of 1,000 characters in it may be as long as that; no listing floods the screen."""


def _rows(skill, session, original, corrected, *, number):
    common = {"skillName": skill, "sessionId": session, "timestamp": "2026-11-20T10:00:00Z"}
    yield common | {"type": "correction", "original": original, "corrected": corrected, "id": f"{number}c{session}"}
    yield common | {"type": "correction", "original": corrected, "corrected": original, "id": f"{number}d{session}"}
    yield common | {"type": "override", "rejected": original, "reason": corrected, "id": f"{number}o{session}"}


@pytest.fixture(scope="module")
def desk(tmp_path_factory) -> Desk:
    """A machine whose ledger, sessions and skill are full of it."""
    from tests.cli.conftest import Machine

    home, cwd = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("work")
    found = Desk(Machine(home, cwd))
    found.write(HEAD + BODY + f"\nUse {EVIL.replace(chr(13), '')} tabs\n")
    found.ledger.parent.mkdir()
    rows = [
        row
        for number, (skill, session, text) in enumerate(
            [(SKILL, EVIL, EVIL), (SKILL, LONG, LONG), (EVIL, EVIL, LONG), (LONG, LONG, EVIL)] * 2
        )
        for row in _rows(skill, session, text, text + "x", number=number)
    ]
    found.ledger.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return found


CALLS = [
    ("refine", "--check"),
    ("refine", "--check", SKILL),
    ("refine", SKILL),
    ("drift", SKILL, "--diff"),
    ("history", SKILL),
    ("contradictions", SKILL),
    ("contradictions", "--skill", EVIL),
    ("contradictions", "--skill", LONG),
    ("feedback", "list"),
    ("feedback", SKILL, "--ids", "--retracted"),
    ("feedback", "list", "--skill", EVIL, "--ids"),
    ("feedback", "list", "--skill", LONG, "--ids"),
    ("feedback", "replay"),
    ("feedback", "replay", LONG),
    ("feedback", "replay", EVIL),
    ("feedback", "verify"),
    ("feedback", "retract", EVIL),
    ("feedback", "retract", LONG),
    ("feedback", "dismiss", LONG),
    ("feedback", "reopen", EVIL),
    ("refine", SKILL, "--open", LONG),
    ("refine", "--skill", EVIL),
    ("refine", LONG),
    ("refine", "--check", LONG),
    ("refine", "--check", "--skill", EVIL),
    ("drift", "--skill", LONG),
    ("history", "--skill", EVIL),
    ("audit", "verify", "--skill", EVIL),
    ("audit", "verify", LONG),
    ("metrics", LONG),
    ("metrics", EVIL),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: " ".join(call)[:40].encode("ascii", "replace").decode())
def test_hostile_texts_are_harmless_cut_and_marked(desk, call):
    """Nothing that a terminal obeys is sent, no line and no listing floods it, and what is cut says so."""
    done = run_command(*call, cwd=desk.machine.cwd, environment=desk.machine.environment())
    printed = done.stdout + done.stderr
    assert done.returncode in (0, 1, 2, 3, 4), printed[-500:]
    assert not OBEYED & set(printed)
    assert "Traceback" not in printed
    assert max(map(len, printed.splitlines())) <= LINE_CHARS, max(printed.splitlines(), key=len)[:300]
    assert len(printed) <= ALL_CHARS
    if LONG[:300] in printed:
        assert "…" in printed or "'..." in printed
