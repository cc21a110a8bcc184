"""Results as text, for a terminal of 80 columns or a log: values in, a str out."""

from skilltune.rendering.metrics import format_metrics_report, render_metrics, render_trends

__all__ = ["format_metrics_report", "render_metrics", "render_trends"]
