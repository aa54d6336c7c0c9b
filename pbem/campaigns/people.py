"""The people of a campaign: pause the whole campaign, and give newcomers time.

`battles.seat_commanders` seats the leaders of battles, even when a command changes hands. `tick.deliver_letters`
delivers staff letters.
"""

from __future__ import annotations

from contextlib import suppress

from pbem.engine.rules.refusals import Refusal
from pbem.matches import unit_of_work
from pbem.matches.accounts.names import BOT
from pbem.matches.clock import deadlines
from pbem.matches.clock.causes import Cause
from pbem.matches.clock.deadlines import DAY
from pbem.matches.events import MasterActed, SeatTaken, content_as, last
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.rulings import powers
from pbem.matches.server import Server

WITH_THE_CAMPAIGN = "the campaign is on hold: "
PAUSED = "the campaign is paused: "
WEEK = 7 * DAY


def follow_hold(server: Server, campaign: Record, match: str) -> None:
    """C8.5 Hold the battles while the game master holds the campaign, and release them afterwards."""
    held, battle = deadlines.on_hold(campaign), record_of(server, match)
    theirs = deadlines.on_hold(battle)
    with suppress(Refusal):  # the match may have ended in the meantime
        if held is not None and theirs is None and battle.ended is None:
            hold = content_as(held, MasterActed)
            powers.hold(server, match, why=WITH_THE_CAMPAIGN + hold.why, by=hold.by)
        elif held is None and theirs is not None:
            hold = content_as(theirs, MasterActed)
            if hold.why.startswith(WITH_THE_CAMPAIGN):
                powers.release(server, match, why="the campaign continues", by=hold.by)


def follow_pause(server: Server, campaign: Record, match: str) -> None:
    """C8.5 Stop the clocks of the battles while the game master pauses the campaign for some days."""
    at, battle = deadlines.now(server), record_of(server, match)
    wanted, theirs = powers.current_pause(campaign, at), powers.current_pause(battle, at)
    with suppress(Refusal):  # the match may have ended, or have no deadline
        if wanted is not None and theirs is None and battle.ended is None:
            days = -(-(wanted.until - at) // DAY)
            powers.pause(server, match, days=days, why=PAUSED + wanted.why, by=campaign.created.master)
        elif wanted is None and theirs is not None and theirs.why.startswith(PAUSED):
            powers.go_on(server, match, why="the campaign continues", by=campaign.created.master)


def give_a_week(server: Server, match: str) -> None:
    """C8.4 Move the deadline so that a newcomer has a week for the first decision."""

    def act() -> None:
        record, at = record_of(server, match), deadlines.now(server)
        deadline = deadlines.deadline_of(record)
        if deadline is None or record.ended or record.closing or deadline.at >= at + WEEK:
            return
        later = deadlines.postpone(deadline, at + WEEK - deadline.at, Cause("newcomer"), "newcomer")
        with server.change(record, "newcomer") as change:
            change.append(deadlines.set_event(later))

    unit_of_work.retry(act)


def welcome(server: Server, campaign: Record) -> None:
    """C8.4 Give a week to a player who has taken a command in a running campaign since the latest announcement."""
    opened, found = deadlines.first_announcement(campaign), last(campaign.events, SeatTaken)
    if opened is None or found is None or not campaign.started:
        return
    event, taken = found
    is_new = event.version > opened.version and not deadlines.announced_since(campaign, event)
    if is_new and not taken.account.startswith(BOT):
        give_a_week(server, campaign.stream.removeprefix("match/"))
