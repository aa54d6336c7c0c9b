"""Register campaigns together with the titles that a server has."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.campaigns.rules.title import NAME, CampaignTitle
from pbem.engine.rules.title import Title


def with_campaigns(titles: Mapping[str, Title]) -> dict[str, Title]:
    """The given titles plus campaigns as another title."""
    own = {name: title for name, title in titles.items() if name != NAME}
    return {**own, NAME: CampaignTitle(own)}
