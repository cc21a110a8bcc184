"""Panels for notebooks: where a person labels and decides."""
