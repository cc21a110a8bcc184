"""The bundled sample in a home, and what README says of the loop on it."""

import re
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from skilltune.sample import sample_root
from tests.conftest import ROOT

SKILL = "schema-migrator"
UP, BOTH = "Write the up step.", "Write the up and the down step."


@dataclass(frozen=True)
class Step:
    """A command of README's loop, and what it shows of what that prints."""

    words: tuple[str, ...]
    """Without the program's name."""
    shown: list[str] = field(default_factory=list)


def copy_sample(home: Path) -> Path:
    """The sample's sessions and skills as a person's own; the skills' folder."""
    for name in ("projects", "skills"):
        shutil.copytree(sample_root() / name, home / ".claude" / name)
    return home / ".claude" / "skills"


def read_loop() -> list[Step]:
    """The steps of README's section on the loop, in order."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition("### The loop, once through")[2].partition("\n#")[0]
    (block,) = re.findall(r"```console\n(.*?)```", section, flags=re.DOTALL)
    steps: list[Step] = []
    for line in block.splitlines():
        if line.startswith("$ skilltune "):
            steps.append(Step(tuple(shlex.split(line)[2:])))
        else:
            steps[-1].shown.append(line)
    return steps
