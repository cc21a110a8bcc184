"""``skilltune`` and ``python -m skilltune``: hooks at once, everything else by the command line."""

import sys

__all__ = ["main"]


def main() -> None:
    """Run a hook, which must not cost the agent the time that the command line takes to load, or the command line."""
    if sys.argv[1:2] == ["hook"] and len(sys.argv) == 3 and not sys.argv[2].startswith("-"):
        from skilltune.hooks.command import run_hook

        run_hook(sys.argv[2])
        return
    from skilltune.cli import main as run_command_line

    run_command_line()


if __name__ == "__main__":
    main()
