"""The packaged files of NATO."""

from __future__ import annotations

from typing import Final

from pbem.titles import data_files
from pbem.titles.data_files import DataFiles


class Mistake(data_files.Mistake, frozen=True):
    """A mistake in a data file, reported under rule 35.9 unless another rule is given."""

    rule: str = "35.9"


FILES: Final = DataFiles("pbem.titles.nato", Mistake)
packaged = FILES.packaged
packaged_names = FILES.packaged_names
read_toml = FILES.read_toml
convert = FILES.convert
read_csv = FILES.read_csv
