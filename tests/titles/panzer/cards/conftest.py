"""Charts shared by the tests of this folder."""

import pytest

from pbem.titles.panzer.cards.advanced_charts import AdvancedCharts, advanced_charts
from pbem.titles.panzer.cards.basic_rows import EDITIONS


@pytest.fixture(params=EDITIONS)
def both(request: pytest.FixtureRequest) -> AdvancedCharts:
    """Return the charts of each edition."""
    return advanced_charts(request.param)
