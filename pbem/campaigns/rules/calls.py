"""C3 Calls: until a match has reported its result, a battle is only data in the campaign's state."""

from __future__ import annotations

from pbem.campaigns.rules.state import Call, CampaignState
from pbem.engine.rules.table import Table


def call(table: Table[CampaignState], wanted: Call) -> str:
    """C3.1 Call a battle, whose units take part in nothing else until it is reported."""
    state, book = table.state, table.data
    state.called += 1
    number = str(state.called)
    state.battles[number] = wanted
    for side, ids in wanted.units.items():
        for id in ids:
            state.sides[side].units[id].status = "battle"
            state.sides[side].units[id].battle = number
        inputs = {"battle": number, "place": wanted.name, "units": ids, "commander": wanted.commanders[side]}
        table.find("C3.1", to=book.seats_of(side), inputs=inputs, result=len(ids))
    table.find("C3.3", inputs={"battle": number, "place": wanted.name}, result=wanted.stage)
    return number
