"""Reports: a notebook run by papermill, written as one self-contained HTML file a week, with an index of all weeks."""

from skilltune.reports.publishing import render_weekly

__all__ = ["render_weekly"]
