"""Pages belong to their titles: nothing in the site, in mail or in the templates names a title."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.titles.registry import TITLES

ROOT = Path(__file__).parents[2]
FOLDERS = ("pbem/web", "pbem/mail", "templates")
TEXT = {".py", ".html", ".txt", ".js", ".css", ".svg", ".toml", ".md", ".j2"}


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_here_names_a_title(folder):
    names = re.compile(r"(?<![\w.])(" + "|".join(sorted(TITLES)) + r")(?![\w-])", re.IGNORECASE)
    named = []
    for file in sorted((ROOT / folder).rglob("*")):
        if file.suffix in TEXT:
            lines = file.read_text().splitlines()
            named += [
                f"{file.relative_to(ROOT)}:{number}" for number, line in enumerate(lines, 1) if names.search(line)
            ]
    assert named == []


@pytest.mark.parametrize("title", TITLES.values(), ids=list(TITLES))
def test_a_first_game_is_a_scenario_of_its_title(title):
    assert title.first_game in ("", *title.scenarios)
