"""People over years: a pause of the whole campaign.

Who commands, who plays which battle and what becomes of a command that changes hands is in `battles.seat_commanders`;
letters that take their time are delivered by `tick.deliver_letters`.
"""

from __future__ import annotations

from contextlib import suppress

from pbem.engine.rules.refusals import Refusal
from pbem.matches.clock import deadlines
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.rulings import powers
from pbem.matches.server import Server

WITH_THE_CAMPAIGN = "the campaign is on hold: "


def follow_hold(server: Server, campaign: Record, match: str) -> None:
    """C8.5 While the game master holds the campaign, its battles stand still too; afterwards they go on."""
    held, battle = deadlines.on_hold(campaign), record_of(server, match)
    theirs = deadlines.on_hold(battle)
    with suppress(Refusal):  # the match may have ended meanwhile
        if held is not None and theirs is None and battle.ended is None:
            why = WITH_THE_CAMPAIGN + str(held.payload["why"])
            powers.hold(server, match, why=why, by=held.payload["by"])
        elif held is None and theirs is not None and theirs.payload["why"].startswith(WITH_THE_CAMPAIGN):
            powers.release(server, match, why="the campaign goes on", by=theirs.payload["by"])
