"""Refinement of a skill on disk: ledger, audit log and the skill's file in; suggestions, approved changes, rollback.

Everything that is written to a skill goes through ``skilltune.refining.writing``, under the lock of its audit log.
"""
