"""The feedback log as files for other tools: events, uses, metrics and hotspots as CSV, Parquet, JSON and Markdown."""
