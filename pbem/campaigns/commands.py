"""Compare the accounts that served on each side of a campaign with those that played its battles.

A battle is played by the commander whom the campaign names, or by the chief. When a command changes hands, the battle
follows. The campaign and its battles have separate logs, so times are compared, with a tolerance of a minute.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from eventstore import Event
from pbem.matches.audit.procedure import HANDED_OVER

MINUTE = 60_000


class Staff(msgspec.Struct, frozen=True):
    """The accounts in the seats of each side during a period."""

    since: int
    until: int
    accounts: Mapping[str, frozenset[str]]


def staff_of(events: Sequence[Event]) -> list[Staff]:
    """The accounts of each side in a campaign, one entry for each period between changes."""
    sides: dict[str, str] = events[0].payload.get("sides", {})
    seats, found, since = dict[str, str](), list[Staff](), 0
    for event in events:
        before = dict(seats)
        _sit(seats, event)
        if seats != before:
            found.append(Staff(since, event.recorded_at, _by_side(before, sides)))
            since = event.recorded_at
    return [*found, Staff(since, 2**53, _by_side(seats, sides))]


def _sit(seats: dict[str, str], event: Event) -> None:
    """Update the seats with an event."""
    said = event.payload
    if event.type == "seat.taken":
        seats[said["seat"]] = said["account"]
    elif event.type == "seat.left":
        seats.pop(said["seat"], None)
    elif event.type == "match.arrived":
        seats.update({seat: said["accounts"].get(account, account) for seat, account in seats.items()})


def _by_side(seats: Mapping[str, str], sides: Mapping[str, str]) -> dict[str, frozenset[str]]:
    named = {sides.get(seat, seat) for seat in seats}
    return {
        side: frozenset(account for seat, account in seats.items() if sides.get(seat, seat) == side) for side in named
    }


def problems(staff: Sequence[Staff], events: Sequence[Event]) -> Iterator[tuple[int, str]]:
    """Yield the events of a battle in which a player takes or loses a command without a reason in the campaign."""
    sides: dict[str, str] = events[0].payload.get("sides", {})
    seats, ready, freed = dict[str, str](), set[str](), set[str]()
    for index, event in enumerate(events):
        said, before = event.payload, events[index - 1].payload
        if event.type == "substitute.named":
            ready.add(said["account"])
        elif event.type == "seat.taken":
            side = sides.get(said["seat"], said["seat"])
            is_free = said["account"] in ready or said["seat"] in freed
            if not is_free and not any(said["account"] in now for now in _around(staff, side, event.recorded_at)):
                yield event.version, f"{said['account']} had no command on this side of the campaign"
            freed.discard(said["seat"])
        elif event.type == "seat.left":
            side, account = sides.get(said["seat"], said["seat"]), seats.get(said["seat"], "")
            if before.get("act") == "replace":
                freed.add(said["seat"])
            elif said["why"] == HANDED_OVER and all(
                account in now for now in _around(staff, side, event.recorded_at)
            ):
                yield event.version, f"{account} still had a command on this side of the campaign"
        _sit(seats, event)


def _around(staff: Sequence[Staff], side: str, at: int) -> list[frozenset[str]]:
    """The accounts of a side around this time, one set for each period between changes."""
    near = [one for one in staff if one.since <= at + MINUTE and one.until >= at - MINUTE]
    return [one.accounts.get(side, frozenset()) for one in near]
