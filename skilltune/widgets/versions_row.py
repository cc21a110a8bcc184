"""The earlier versions of a skill to choose from, and the button that puts one back."""

from typing import Any

import ipywidgets as W  # noqa: N812  # as in its own documentation

from skilltune.page.words import short_date
from skilltune.refining.state import SkillState
from skilltune.widgets.approval_rows import button_of, look_box
from skilltune.widgets.approval_words import version_words

__all__ = ["VersionsRow"]


class VersionsRow:
    """Chooses a version; hidden where there is no other one than the file is."""

    def __init__(self) -> None:
        self.choice = W.Dropdown(description="earlier version", options=[])
        self.button = button_of("Roll back", "stw-decide", "stw-rollback")
        self.replace = W.Checkbox(
            value=False, description="replace the edits made outside; they are kept as a version", indent=False
        )
        self.box = look_box("stw-versions", self.choice, self.button, self.replace)
        self.choice.observe(self._name, names="value")
        self.offer(None)

    @property
    def chosen(self) -> int:
        """The version chosen."""
        return int(self.choice.value)

    @property
    def over(self) -> bool:
        """Whether edits made outside may be replaced."""
        return bool(self.replace.value)

    def offer(self, state: SkillState | None) -> None:
        """Offer the versions of a skill; hide for None."""
        options = _options(state) if state else []
        self.choice.options = options
        if options:
            self.choice.value = options[0][1]
        self.replace.value = False
        self.replace.layout.display = "" if state and state.outside_edit else "none"
        self.box.layout.display = "" if options else "none"
        self._name(None)

    def _name(self, _: Any) -> None:
        self.button.description = f"Roll back to v{self.choice.value}" if self.choice.value else "Roll back"


def _options(state: SkillState) -> list[tuple[str, int]]:
    """The versions whose text is another one than the file's, the last first; of one text the last."""
    seen: set[str] = {state.digest}
    found = []
    for version in reversed(state.record.versions):
        if version.digest in seen:
            continue
        seen.add(version.digest)
        day = f", {short_date(version.at.date())}" if version.at else ""
        found.append((f"v{version.number}: {version_words(version.type)}{day}", version.number))
    return found
