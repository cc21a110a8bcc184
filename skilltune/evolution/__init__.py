"""Corrections and a skill's text → a bounded suggestion; pure."""
