"""Situations of a move, step after step, for its tests."""

import pytest

from pbem.titles.panzer.cards.basic_rows import EDITIONS

both_editions = pytest.mark.parametrize("edition", EDITIONS)

ROAD = {"road": ["C12-C11-C10-C9-C8-C7-C6-C5-C4-C3-C2"]}
