"""C8.1 What a viewer of a campaign may know.

A side knows its own units, points and plans. Of the enemy it knows the campaign points, the provinces, and where
battles are fought; battlegroups next to its own are seen, not what is in them. Everybody else knows what both know.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.campaigns.rules.book import Book
from pbem.campaigns.rules.state import Call, CampaignState, GroupState, SideState
from pbem.engine.rules.findings import MASTER


def view_of(book: Book, state: CampaignState, viewer: str) -> CampaignState:
    """C8.1 The state as a viewer may know it; the game master and a battle itself know all of it."""
    if viewer == MASTER or viewer.startswith("battle "):
        return state
    own = book.seats.get(viewer, "")
    return msgspec.structs.replace(
        state,
        sides={side: has if side == own else _known(has) for side, has in state.sides.items()},
        battles={number: _battle(call, own) for number, call in state.battles.items()},
        groups=dict(_groups(book, state, own)),
    )


def _known(has: SideState) -> SideState:
    """What everybody knows of a side."""
    return SideState(score=has.score, won=has.won, ground=has.ground)


def _battle(call: Call, own: str) -> Call:
    """Where a battle is fought, everybody knows; who fights in it, each side for itself."""
    return msgspec.structs.replace(
        call,
        units={side: units for side, units in call.units.items() if side == own},
        commanders={side: seat for side, seat in call.commanders.items() if side == own},
        attacker="",
    )


def _groups(book: Book, state: CampaignState, own: str) -> Iterator[tuple[str, GroupState]]:
    near = {group.province for group in state.groups.values() if group.side == own}
    near |= {other for province in book.campaign.province if province.id in near for other in province.to}
    for id, group in state.groups.items():
        if group.side == own:
            yield id, group
        elif group.province in near and own:
            yield id, GroupState(group.side, group.province, "", battle=group.battle)
