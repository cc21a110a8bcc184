"""Files that skilltune keeps: logs, config, workspace."""
