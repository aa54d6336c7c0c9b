"""C8.1 The part of a campaign that a viewer may see.

A side sees its own units, points and plans. It sees the enemy's campaign points and provinces, the places of battles,
and enemy battlegroups next to its own, but not the units in them. Everybody else sees what both sides see.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from pbem.campaigns.rules.book import Book
from pbem.campaigns.rules.state import Call, CampaignState, GroupState, SideState
from pbem.engine.rules.findings import MASTER


def view_of(book: Book, state: CampaignState, viewer: str) -> CampaignState:
    """C8.1 The state that a viewer may see; the game master and the report of a battle see everything."""
    if viewer == MASTER or viewer.startswith("battle "):
        return state
    own = book.seats.get(viewer, "")
    return msgspec.structs.replace(
        state,
        sides={side: has if side == own else _public_side(has) for side, has in state.sides.items()},
        battles={number: _battle(call, own) for number, call in state.battles.items()},
        groups=dict(_groups(book, state, own)),
    )


def _public_side(has: SideState) -> SideState:
    """The public part of a side's state."""
    return SideState(score=has.score, won=has.won, ground=has.ground)


def _battle(call: Call, own: str) -> Call:
    """A battle as a viewer may see it; its place is public, but its units are known only to their own side."""
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
