"""1.2 The packaged files of the Starter Kit, and errors for values that break a rule."""

from __future__ import annotations

from typing import Final

from pbem.titles import data_files
from pbem.titles.data_files import DataFiles


class Mistake(data_files.Mistake, frozen=True):
    """A mistake in a data file, reported under rule 1.2 unless another rule is given."""

    rule: str = "1.2"


class Unfit(ValueError):
    """The error for a value that breaks a specific rule, not just the general rule for its row."""

    def __init__(self, rule: str, what: str) -> None:
        super().__init__(what)
        self.rule = rule


FILES: Final = DataFiles("pbem.titles.aslsk", Mistake)
packaged = FILES.packaged
packaged_names = FILES.packaged_names
read_toml = FILES.read_toml
convert = FILES.convert
