"""Refinement of a skill on disk: the ledger, suggestions, approval, apply and rollback."""
