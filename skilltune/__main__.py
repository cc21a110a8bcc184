"""``python -m skilltune`` is the command line."""

from skilltune.cli import main

main()
