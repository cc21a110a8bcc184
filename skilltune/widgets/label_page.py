"""What the notebook ``04_label`` calls: parameters in, panel, quality of the rules and rates out."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from skilltune.analysis.corrected_summary import UsableAnswers
from skilltune.errors import InputError
from skilltune.judging.using import answers_to_use
from skilltune.labelling import Labelling, open_labelling
from skilltune.page.html import Section
from skilltune.sample import sample_end, sample_root
from skilltune.stores.injected import check_injected
from skilltune.widgets.label_tables import quality_view, rates_view
from skilltune.widgets.labelling import LabelPanel
from skilltune.widgets.rates_chart import rates_chart_view
from skilltune.workflow import default_roots, may_exist

__all__ = ["LabelPage", "read_label_page"]


@dataclass(frozen=True)
class LabelPage:
    """The parts of the notebook; what is shown is as the labels are when it is shown."""

    labelling: Labelling
    sample: bool = False
    """The questions are of the bundled sample sessions."""
    workspace: str = ""
    """As of ``read_label_page``."""
    kept: Any = None
    """The folder of the sample's labels, removed with this object."""

    @cached_property
    def panel(self) -> LabelPanel:
        """The labelling panel; a table where there is no front end."""
        return LabelPanel(self.labelling, sample=self.sample)

    def quality(self) -> Section:
        """How often the rules are right, and how much they find, measured on the labels."""
        return Section(quality_view(self.labelling))

    def rates(self) -> Section:
        """The rates corrected by the labels, of all skills together and of each, beside what the rules alone say."""
        return Section(rates_view(self.labelling, answers=self._answers()))

    def rates_chart(self) -> Section:
        """The same as a chart."""
        return Section(rates_chart_view(self.labelling, answers=self._answers()))

    def _answers(self) -> UsableAnswers | None:
        """The judge whose answers the settings ask for, scored on the labels there are now."""
        return answers_to_use(self.workspace or None) if not self.sample else None


def read_label_page(*, workspace: str = "", sample_size: int = 50, seed: int = 0) -> LabelPage:
    """The sample to label of a workspace; where there are no sessions at all, of the bundled ones.

    Parameters
    ----------
    workspace
        Folder of the logs; '' is the nearest ``.skilltune`` upwards, else the user's.
    sample_size
        Uses that the sample holds, those of earlier draws among them.
    seed
        Of the random draw.

    Raises
    ------
    InputError
        When a parameter has another type, or is out of its range.
    CollectionDisabled, ReadError
        As in ``labelling.open_labelling``.
    """
    check_injected()
    _check(workspace=(workspace, str), sample_size=(sample_size, int), seed=(seed, int))
    labelling = open_labelling(workspace or None, sample_size=sample_size, seed=seed)
    if labelling.total or labelling.unread or any(map(may_exist, default_roots())):
        return LabelPage(labelling, workspace=workspace)
    kept = TemporaryDirectory(prefix="skilltune-sample-")
    projects = sample_root() / "projects"
    own = open_labelling(Path(kept.name), sessions=projects, sample_size=sample_size, seed=seed, as_of=sample_end())
    return LabelPage(own, sample=True, kept=kept)


def _check(**given: tuple[Any, type]) -> None:
    """Parameters come from outside, as papermill took them."""
    for name, (value, expected) in given.items():
        if not isinstance(value, expected) or isinstance(value, bool):
            raise InputError(f"parameter {name!r} is {value!r}; it takes a {expected.__name__}")
