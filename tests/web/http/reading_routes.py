"""The rows of the table in `test_roles` for films, proposals, primers and campaigns."""

from __future__ import annotations

from typing import Any

Row = tuple[str, int, dict[str, Any] | None]

READING: dict[str, Row] = {
    "api.film": ("/api/v1/matches/{match}/turns/1/film", 200, None),
    "api.formations": ("/api/v1/matches/{match}/formations", 401, None),
    "api.propose": ("/api/v1/matches/{match}/propose", 401, {}),
    "api.preview": ("/api/v1/matches/{match}/preview", 401, {}),
    "api.primer": ("/api/v1/titles/ambush/primer", 404, None),
    "api.first_game": ("/api/v1/titles/ambush/first-game", 401, {}),
    "api.campaigns": ("/api/v1/campaigns", 200, None),
    "api.campaign": ("/api/v1/campaigns/nosuch", 404, None),
    "api.roster": ("/api/v1/campaigns/nosuch/roster", 401, None),
    "api.unit_history": ("/api/v1/campaigns/nosuch/units/u1", 401, None),
    "api.campaign_bundle": ("/api/v1/campaigns/nosuch/bundle", 404, None),
}
"""Address, the answer that everybody gets without a token, and the form if one is sent."""
