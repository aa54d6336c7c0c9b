"""Older shapes of a match's events, upgraded to the newest when they are read. The stored events do not change."""

from __future__ import annotations

from typing import Any, Final

from eventstore import Upcasters

UPCASTERS: Final = Upcasters()

RESOLVED_SCHEMA: Final = 2
"""`exchange.resolved` and `exchange.recomputed`: schema 1 stored a copy of the findings for each viewer; 2 stores
public findings once, and names the period of the plans.
"""


@UPCASTERS.register("exchange.resolved", from_schema=1)
@UPCASTERS.register("exchange.recomputed", from_schema=1)
def _findings_for_each_viewer(payload: dict[str, Any]) -> dict[str, Any]:
    return {**payload, "findings": "each", "period": str(payload.get("turn", ""))}
