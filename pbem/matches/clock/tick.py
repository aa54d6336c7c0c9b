"""The server's scheduled work, in rounds of bounded size: close due exchanges, advance matches, remind, check.

A running server has a loop for each (see `pbem.schedule`), so that a long turn does not delay deadlines, nor a slow
mail host the turns. `tick` does one round of everything in a row, for tests and for programs without threads.

    close_round     close exchanges that are due, earliest deadline first
    beacon_round    take the public values that closed exchanges wait for
    work_round      resolve what is closed, let bots answer, start what is complete
    check_round     replay matches under changed rules; until then they are not closed
    keep_round      store the pages of matches that have ended
    remind, wake    emails that are due
    recover         after a start
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from eventstore import StoreTrouble
from pbem.matches import summaries
from pbem.matches.clock import deadlines, outages
from pbem.matches.clock.beacon_round import beacon_round
from pbem.matches.clock.deadlines import HOUR
from pbem.matches.exchange import advancing, closing, draft_sealing, halting, ladder_starts
from pbem.matches.exchange.advancing import safely
from pbem.matches.history import final_views
from pbem.matches.history.replay import load, record_of
from pbem.matches.post import inbox, notifications
from pbem.matches.post.notifications import catch_up, owe
from pbem.matches.server import Server, fingerprint

log = logging.getLogger("pbem.tick")

MOST_CLOSED = 100
"""How many matches one round handles; the rest come in the next, after all other work had its turn."""

MOST_KEPT = 4
ENDLESS = 2**62

Ready: TypeAlias = Callable[[int], bool]
"""Whether a deadline may close an exchange: the clock is watched, and all earlier email has been taken in."""

Act: TypeAlias = Callable[[str], None]
"""The work to do for a match."""

Each: TypeAlias = Callable[[Act, Sequence[str]], None]
"""Does something with each of these matches."""


def nothing(now: int) -> None:
    """Do nothing: no email is taken in or sent."""


def always(deadline: int) -> bool:
    return True


def tick(
    server: Server,
    now: int,
    *,
    drain: Callable[[int], bool | None] = nothing,
    send: Callable[[int], None] = nothing,
    closing: bool = True,
) -> list[str]:
    """Take in email, close due exchanges, resolve, remind, send. Return the matches touched.

    Nothing closes if email could not be taken in, because it may contain orders that arrived in time.
    """
    drained = drain_safely(now, drain)
    catch_up(server)
    touched = set[str]()
    while closing and drained:
        done = close_round(server, now)
        touched.update(done.closed)
        if not done.more:
            break
    beacon_round(server, now)
    touched.update(work_round(server))
    remind(server, now)
    wake(server, now)
    check_round(server)
    keep_round(server)
    send(max(now, deadlines.now(server)))  # including emails queued by this tick
    return sorted(touched)


def drain_safely(now: int, drain: Callable[[int], bool | None]) -> bool:
    """Take in all mail; return whether that succeeded."""
    try:
        return drain(now) is not False
    except Exception:
        log.exception("email could not be read; no exchange is closed")
        return False


# Closing -----------------------------------------------------------------------------------------------------


class Round(msgspec.Struct, frozen=True):
    """The exchanges closed in a round, and whether more were due."""

    closed: list[str]
    more: bool


def close_round(server: Server, now: int, ready: Ready = always, most: int = MOST_CLOSED) -> Round:
    """Close the exchanges that are due, oldest deadline first, after moving deadlines by the outages."""
    if settle_round(server, most):
        return Round([], True)
    if deadlines.held_since(server) is not None:
        return Round([], False)
    found = due(server, now, most)
    closed = [match for match in found if close_due(server, match, now, ready)]
    catch_up(server)
    return Round(closed, len(found) == most and due(server, now, most) != found)


def settle_round(server: Server, most: int = MOST_CLOSED) -> bool:
    """Move deadlines by the time that did not count, next deadline first; return whether some are left to move."""
    catch_up(server)
    found = outages.matches_to_extend(server, most)
    for match in found:
        with safely(match, "its deadline could not be moved"):
            outages.settle(server, match)
    if found:
        catch_up(server)
    return len(found) == most


def due(server: Server, now: int, most: int = MOST_CLOSED) -> list[str]:
    """Return the matches that are due and not yet handled, earliest deadline first."""
    rows = server.database.execute(
        "SELECT match FROM desk WHERE deadline <= ? AND (look_at IS NULL OR look_at <= ?) AND unchecked = 0 "
        "ORDER BY deadline, match LIMIT ?",
        (now, now, most),
    ).fetchall()
    return [match for (match,) in rows]


def close_due(server: Server, match: str, now: int, ready: Ready = always) -> bool:
    """Act on a passed deadline; return whether the match must be advanced."""
    done, look_at = False, now + HOUR
    with safely(match, "it could not be closed"):
        deadline = deadlines.deadline_of(record_of(server, match))
        if deadline is not None:
            if not ready(deadline.at) or inbox.is_awaited(server, match, deadline.closes_at):
                return False
            draft_sealing.seal_drafts(server, match, now)
            done = closing.close_due(server, match, now)
            look_at = deadline.closes_at if deadline.closes_at > now else look_at
    if not done:
        server.database.execute("UPDATE desk SET look_at = ? WHERE match = ?", (look_at, match))
    return done


# Going on ----------------------------------------------------------------------------------------------------


def one_by_one(act: Act, matches: Sequence[str]) -> None:
    for match in matches:
        act(match)


def work_round(
    server: Server, most: int | None = None, advance: Act | None = None, each: Each = one_by_one
) -> list[str]:
    """Advance the matches that have new events, in the order of those events; return them.

    `advance` advances one match, in this process by default; `each` may run several at a time.
    """
    catch_up(server)
    rows = server.database.execute(
        "SELECT match, touched FROM desk WHERE touched > 0 AND unchecked = 0 ORDER BY touched LIMIT ?",
        (ENDLESS if most is None else most,),
    ).fetchall()
    seen: dict[str, int] = dict(rows)

    def go_on(match: str) -> None:
        if needs_work(server, match):
            advance_safely(server, match) if advance is None else advance(match)
        # Last, so that a crash repeats the work; a match with newer events stays marked.
        query = "UPDATE desk SET touched = 0 WHERE match = ? AND touched = ?"
        server.database.execute(query, (match, seen[match]))

    each(go_on, list(seen))
    return list(seen)


def needs_work(server: Server, match: str) -> bool:
    """Whether a match has anything to advance; one that cannot be read is left to `advance`, which reports it."""
    try:
        return advancing.may_go_on(server, match)
    except (StoreTrouble, OSError):
        raise
    except Exception:
        return True


def advance_safely(server: Server, match: str, exchanges: int = advancing.MOST_EXCHANGES) -> None:
    """Advance a match by at most this many exchanges."""
    with safely(match, "it could not be advanced"):
        advancing.advance(server, match, exchanges)


def keep_round(server: Server, most: int = MOST_KEPT, keep: Act | None = None) -> int:
    """Store the pages of matches that have ended; return how many."""
    found = final_views.due(server, most)
    for match in found:
        keep_match(server, match) if keep is None else keep(match)
    return len(found)


def keep_match(server: Server, match: str) -> None:
    """Store the pages of a match that has ended."""
    with safely(match, "its pages could not be kept"):
        final_views.keep(server, match)


# Reminding ---------------------------------------------------------------------------------------------------


def remind(server: Server, now: int) -> None:
    """Queue a reminder, once, for each seat without orders as the deadline approaches."""
    rows = server.database.execute("SELECT match FROM desk WHERE remind <= ? ORDER BY match", (now,)).fetchall()
    for (match,) in rows:
        with safely(match, "the reminders could not be queued"):
            remind_seats(server, match, now)
        # Do this last: after a crash in between, the same reminders are queued again under the same id, so each is
        # sent once.
        server.database.execute("UPDATE desk SET remind = NULL WHERE match = ?", (match,))


def remind_seats(server: Server, match: str, now: int) -> None:
    position = load(server, match)
    record = position.record
    missing = [seat for seat in position.asked if seat not in record.sealed and seat in record.occupants]
    mail = {"match": match, "exchange": record.open_exchange, "at": now, "key": str(record.open_exchange)}
    with server.store.transaction("remind") as transaction:
        for seat in missing:
            owe(transaction, "reminder", account=record.occupants[seat]["account"], seat=seat, **mail)


def wake(server: Server, now: int) -> None:
    """Queue the story so far for every player after a pause has ended."""
    query = "SELECT match, resumes FROM desk WHERE resumes <= ? ORDER BY match"
    for match, resumes in server.database.execute(query, (now,)).fetchall():
        with safely(match, "the notices that it continues could not be queued"):
            record = record_of(server, match)
            mail = {"match": match, "exchange": record.open_exchange, "at": now, "key": f"resumed/{resumes}"}
            with server.store.transaction("resume") as transaction:
                for seat, taken in sorted(record.occupants.items()):
                    owe(transaction, "resumed", account=taken["account"], seat=seat, about={"reason": ""}, **mail)
        server.database.execute("UPDATE desk SET resumes = NULL WHERE match = ?", (match,))


# After a start -----------------------------------------------------------------------------------------------


def recover(server: Server, *, at_once: bool = True) -> None:
    """Mark the matches whose rules have changed, and continue interrupted work, after a start.

    With `at_once` all of it is done before this returns; a server that opens its site first leaves the work to its
    loops.
    """
    ladder_starts.after_restore(server)
    notifications.try_again(server)
    mark_changed(server)
    server.database.execute(
        "UPDATE desk SET touched = 1 WHERE touched = 0 AND ended = 0 AND match IN "
        "(SELECT match FROM match_summary WHERE state = 'closing' OR (state = 'seats' AND shelf = 'running'))"
    )
    if at_once:
        while check_round(server, 1):
            pass
        while summaries.catch_up(server):
            pass
        work_round(server)


def mark_changed(server: Server) -> None:
    """Mark the matches that must be replayed before they continue: those whose title has changed."""
    found = {name: fingerprint(type(title).__module__) for name, title in server.titles.items()}
    rows = server.database.execute("SELECT name, value FROM house WHERE name LIKE 'fingerprint/%'").fetchall()
    known = {name.removeprefix("fingerprint/"): value for name, value in rows}
    changed = [name for name in {*found, *known} if found.get(name) != known.get(name)]
    with server.store.transaction("fingerprints") as transaction:
        database = transaction.database
        for title in changed:
            database.execute(
                "UPDATE desk SET unchecked = 1 WHERE ended = 0 AND (match NOT IN (SELECT match FROM match_summary) "
                "OR match IN (SELECT match FROM match_summary WHERE title = ?))",
                (title,),
            )
            database.execute("DELETE FROM house WHERE name = ?", (f"fingerprint/{title}",))
            if title in found:
                row = (f"fingerprint/{title}", found[title])
                database.execute("INSERT INTO house (name, value) VALUES (?, ?)", row)


def unchecked_matches(server: Server, most: int = ENDLESS) -> list[str]:
    """Matches that wait for their check, the next deadline first."""
    rows = server.database.execute(
        "SELECT match FROM desk WHERE unchecked = 1 AND ended = 0 ORDER BY deadline IS NULL, deadline, match LIMIT ?",
        (most,),
    ).fetchall()
    return [match for (match,) in rows]


def check_round(server: Server, most: int = 1, check: Act | None = None) -> int:
    """Replay matches whose rules have changed; return how many were checked."""
    found = unchecked_matches(server, most)
    for match in found:
        check_match(server, match) if check is None else check(match)
    return len(found)


def check_match(server: Server, match: str) -> None:
    """Replay a match whose rules' code has changed. If that fails the match is not closed."""
    result = 2
    with safely(match, "its past could not be replayed; it is not closed"):
        look_again(server, match)
        result = 0
    server.database.execute(
        "UPDATE desk SET unchecked = ?, touched = CASE WHEN touched > 1 THEN touched ELSE 1 END WHERE match = ?",
        (result, match),
    )


def look_again(server: Server, match: str) -> None:
    """Check that a match replays to the same results; halt it if not, and resume a halted match that now does."""
    if halting.shadow_replay(server, match) is None and record_of(server, match).halted:
        advancing.resume_halted(server, match)
