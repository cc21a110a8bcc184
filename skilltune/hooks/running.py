"""Whether the hooks in the settings can run: each program is asked once."""

import shlex
import subprocess
from typing import Final

from skilltune.hooks.installing import HookState

__all__ = ["hook_faults"]

_SECONDS: Final = 10


def hook_faults(states: tuple[HookState, ...]) -> list[str]:
    """What is wrong with the programs that hooks of ours run, one line each; none where all end well."""
    commands = dict.fromkeys(hook.command for state in states for hook in state.hooks)
    programs = dict.fromkeys(tuple(shlex.split(command)[:-1]) for command in commands)
    found = ((shlex.join(words), _fault(words)) for words in programs)
    return [f"{program}: {fault}; skilltune hooks install points it at this one" for program, fault in found if fault]


def _fault(words: tuple[str, ...]) -> str:
    """Why a program cannot run hooks, or ''."""
    try:
        done = subprocess.run(  # noqa: S603  # an argument list, no shell
            [*words, "ping"], stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"took longer than {_SECONDS} s"
    except OSError as error:
        return error.strerror or type(error).__name__
    return f"ended with {done.returncode}" if done.returncode or done.stdout or done.stderr else ""
