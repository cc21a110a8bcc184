"""The loop from a first correction to a rollback, as a person goes through it in a terminal."""

import json

import pytest

from tests.cli.people import FIX, SKILL, Desk

pytest.importorskip("pty", reason="approvals need a terminal")


def test_refinement_from_first_correction_to_rollback(machine):
    """Three corrections make a change; it is approved, is in the log, is contradicted, and is rolled back exactly."""
    desk = Desk(machine)
    desk.write()
    before = desk.file().read_bytes()
    record = ("feedback", "record", "correction", SKILL)
    for session in ("monday", "tuesday", "wednesday"):
        told = desk.run("refine", "--check", SKILL, code=1).stdout
        assert "Status: INSUFFICIENT FEEDBACK" in told
        desk.run(*record, "--original", FIX[0], "--corrected", FIX[1], "--session", session)
    assert "Status: ELIGIBLE" in desk.run("refine", "--check", SKILL).stdout

    printed = desk.run("refine", SKILL).stdout
    assert "1 change of lint-on-save (version 1) can be applied; you decide." in printed
    assert f"+ {FIX[1]}" in printed
    assert "agreement 0.80 (3 of 3), 3 sessions" in printed
    digest = next(line for line in printed.splitlines() if line.startswith("Digest: ")).removeprefix("Digest: ")
    assert desk.file().read_bytes() == before

    desk.run("refine", SKILL, "--approve", digest, code=3)
    assert desk.file().read_bytes() == before
    out, _ = desk.at_terminal("refine", SKILL, "--approve", digest, "--note", "both kinds of file")
    assert "it is version 2 now." in out
    text = desk.file().read_text(encoding="utf-8")
    assert FIX[1] in text
    assert 'skilltune-version: "2"' in text

    entry = desk.entries()[-1]
    assert (entry["type"], entry["suggestionDigest"], entry["note"]) == ("refine", digest, "both kinds of file")
    assert len(entry["correctionIds"]) == 3
    assert "the chain holds" in desk.run("audit", "verify").stdout
    assert json.loads(desk.run("drift", SKILL, "--json").stdout)["drift_percent"] > 0
    assert "Status: IN COOLDOWN (7 days remaining)" in desk.run("refine", "--check", SKILL, code=1).stdout

    desk.run(*record, "--original", FIX[1], "--corrected", FIX[0], "--session", "thursday")
    told = desk.run("contradictions", SKILL).stdout
    assert "CONFLICT  Reversal detected" in told
    assert "Found 1 contradiction(s): 1 conflict(s), 0 warning(s)" in told
    desk.settings("[refinement]\ncooldown_days = 0\nmin_corrections = 2\n")
    desk.run(*record, "--original", FIX[1], "--corrected", FIX[0], "--session", "friday")
    held = desk.run("refine", "--check", SKILL, code=1).stdout
    assert "Status: HELD BY CONTRADICTIONS (1 conflict)" in held
    assert "Change 1 (held)" in desk.run("refine", SKILL, code=1).stdout

    out, _ = desk.at_terminal("rollback", SKILL, "--to", "1")
    assert "lint-on-save has the text of version 1 again; it is version 3 now." in out
    assert desk.file().read_bytes() == before
    assert [entry["type"] for entry in desk.entries()] == ["first_seen", "approve", "refine", "rollback"]
    history = json.loads(desk.run("history", SKILL, "--json").stdout)
    assert [version["type"] for version in history["versions"]] == ["first_seen", "refine", "rollback"]
