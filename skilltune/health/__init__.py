"""How skilltune itself fares on this machine, how each skill does, and how the latest session went; only looks on."""
