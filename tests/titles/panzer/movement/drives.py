"""Helpers for tests that play a move step by step."""

import pytest

from pbem.titles.panzer.cards.basic_rows import EDITIONS

both_editions = pytest.mark.parametrize("edition", EDITIONS)

ROAD = {"road": ["C12-C11-C10-C9-C8-C7-C6-C5-C4-C3-C2"]}
