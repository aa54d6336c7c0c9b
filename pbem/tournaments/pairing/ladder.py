"""A ladder: challenge up to n places above; answer in time or swap places; rest between challenges.

Every challenge is a round of its own with one pairing. The order of the ladder follows from the results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say

RULE = "tournament/ladder"


class Rung(msgspec.Struct, frozen=True):
    """The state of one entrant's challenges."""

    entrant: int
    busy: bool = False
    """Whether a challenge of this entrant is being played or awaits an answer."""
    rests_until: int = 0


def objections(
    order: Sequence[int], rungs: dict[int, Rung], challenger: int, target: int, reach: int, now: int
) -> Iterator[Objection]:
    """Yield every objection to a challenge."""
    if challenger not in order:
        yield Objection(RULE, say("the challenger is not on the ladder"))
        return
    if target not in order:
        yield Objection(RULE, say("the challenged entrant is not on the ladder"))
        return
    places = order.index(challenger) - order.index(target)
    if places <= 0:
        yield Objection(RULE, say("you can only challenge an entrant above you on the ladder"))
    elif places > reach:
        yield Objection(
            RULE, say("you can challenge up to {reach} places above you, not {places}", reach=reach, places=places)
        )
    for who in (challenger, target):
        rung = rungs.get(who, Rung(who))
        if rung.busy:
            yield Objection(RULE, say("entrant {who} already has an open challenge", who=who))
        elif now < rung.rests_until:
            yield Objection(RULE, say("entrant {who} is resting after the last challenge", who=who))


def swap_places(order: Sequence[int], challenger: int, target: int) -> tuple[int, ...]:
    """Return the order after a challenge that the challenger has won, or that was not answered in time."""
    exchange = {challenger: target, target: challenger}
    if order.index(challenger) < order.index(target):
        return tuple(order)
    return tuple(exchange.get(entrant, entrant) for entrant in order)
