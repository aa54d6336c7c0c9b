"""In every playable title, many units can be ordered at once, and a line can be previewed."""

from __future__ import annotations

import pytest

from pbem.engine.rules.title import Rules
from pbem.titles.registry import TITLES


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("means", ["formations", "propose", "preview", "stands", "markers", "ordered_units"])
def test_every_title_gives_the_means(title: str, means: str) -> None:
    rules = TITLES[title].rules(TITLES[title].freeze(TITLES[title].scenarios[0], {}))
    assert getattr(type(rules), means) is not getattr(Rules, means)


@pytest.mark.parametrize("title", TITLES)
def test_every_title_says_who_holds_its_places(title: str) -> None:
    """Titles with few places to hold list them as `objectives`, and their `holders` follow from these."""
    rules = TITLES[title].rules(TITLES[title].freeze(TITLES[title].scenarios[0], {}))
    assert any(getattr(type(rules), means) is not getattr(Rules, means) for means in ("objectives", "holders"))
