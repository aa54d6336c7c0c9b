"""The powers of a game master: hidden information, clock, seats, rulings.

Every look and every act is recorded as an event that everyone may read.

    looks       everything, report, why_halted, whole_export
    the clock   pause, go_on, extend, hold, release, settings, process
    seats       replace
    disputes    open_disputes, settle
    rules       resume, move_rules

Rulings are in `previews`, which shows what each would change. A game master who also plays in the match may only
give everyone more time: no player may see hidden states or judge their own game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from pbem.engine.play.resolve import Diverged
from pbem.engine.rules.findings import MASTER
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.messages import Message, say
from pbem.matches import unit_of_work, views
from pbem.matches.accounts import accounts
from pbem.matches.clock import deadlines
from pbem.matches.clock.causes import Cause
from pbem.matches.clock.deadline_rules import read_timing
from pbem.matches.clock.deadlines import HOUR, Deadline, now
from pbem.matches.events import MasterActed, MasterLooked, StoredEvent, each
from pbem.matches.exchange import advancing, closing, rules_versions
from pbem.matches.exchange.checks import LOOKED, NotOpen
from pbem.matches.history.export import export
from pbem.matches.history.record import Record
from pbem.matches.history.replay import Position, load, record_of
from pbem.matches.players import invitations
from pbem.matches.players.substitutes import change_hands, standing_by
from pbem.matches.post import inbox
from pbem.matches.post.notifications import catch_up
from pbem.matches.rulings import auditors, disputes, panels, precedents
from pbem.matches.server import Server
from pbem.matches.views import Report

DAY = 24 * HOUR
LOOKED, ACTED = LOOKED, "master.acted"


# Permissions -------------------------------------------------------------------------------------------------


def is_master(record: Record, account: str) -> bool:
    return bool(account) and record.created.master == account


def check_master(record: Record, by: str) -> None:
    if not is_master(record, by):
        raise refuse("master", say("only the game master of this match can do that"))


def is_seated(record: Record, account: str) -> bool:
    return any(taken["account"] == account for taken in record.occupants.values())


def check_impartial(record: Record, by: str) -> None:
    """Refuse anyone but a game master who does not play; nobody else may look, rule and decide against others."""
    check_master(record, by)
    if is_seated(record, by):
        raise refuse("master", say("you have a seat in this match; a game master who plays can only grant more time"))


def may_look(record: Record, account: str) -> bool:
    """Whether an auditor or a member of a panel may look at everything, like the game master."""
    appointed = auditors.is_auditor(record, account) or panels.is_member(record, account)
    return appointed and not is_seated(record, account)


def check_judge(record: Record, by: str, dispute: int) -> None:
    """Refuse a ruling by anyone but the game master or a member of the panel that has upheld the dispute."""
    if is_seated(record, by) or not panels.may_rule(record, by, dispute):
        check_impartial(record, by)


# Looks -------------------------------------------------------------------------------------------------------


def note_look(server: Server, match: str, what: str, *, by: str) -> Record:
    """Record that an account looked at something hidden, if it may; return the record after that."""

    def act() -> None:
        record = record_of(server, match)
        if not may_look(record, by):
            check_impartial(record, by)
        unit_of_work.append(server, record, [MasterLooked(by, what)], "look")

    unit_of_work.retry(act)
    return record_of(server, match)


def everything(server: Server, match: str, *, by: str) -> Position:
    """The current position, including everything hidden."""
    note_look(server, match, "everything", by=by)
    return load(server, match)


def report(server: Server, match: str, exchange: int, *, by: str) -> Report:
    """The report of an exchange, including everything hidden."""
    note_look(server, match, f"report of exchange {exchange}", by=by)
    return views.report(server, match, MASTER, exchange)


def why_halted(server: Server, match: str, *, by: str) -> dict[str, str]:
    """Return where and how the rules failed."""
    record = note_look(server, match, "why it is halted", by=by)
    if record.halted is None:
        raise refuse("halted", say("the match is not halted"))
    detail: dict[str, str] = msgspec.json.decode(server.content(record.halted.parts[0].commitment))
    return detail


def whole_export(server: Server, match: str, *, by: str) -> bytes:
    note_look(server, match, "export", by=by)
    return export(server, match, MASTER)


# The clock ---------------------------------------------------------------------------------------------------


class Paused(msgspec.Struct, frozen=True):
    since: int
    until: int
    why: str


def current_pause(record: Record, at: int) -> Paused | None:
    """The pause of the open exchange, if there is one. It ends when all orders are final."""
    for event, said in each(record.events, MasterActed, newest_first=True):
        if said.act in ("pause", "go on"):
            stands = said.act == "pause" and said.exchange == record.open_exchange and at < said.until
            return Paused(event.recorded_at, said.until, said.why) if stands and not record.ended else None
    return None


def pause(server: Server, match: str, *, days: int, why: str, by: str) -> None:
    """Stop the clock of the open exchange for this many days, or until `go_on`."""

    def act() -> None:
        record = record_of(server, match)
        deadline, at = _running_deadline(record, by), now(server)
        if current_pause(record, at):
            raise refuse("pause", say("the clock is already stopped"))
        later = deadlines.postpone(deadline, days * DAY, Cause("paused", said=why), "pause")
        _act(server, record, "pause", by, why, later, exchange=deadline.exchange, until=at + days * DAY)

    unit_of_work.retry(act)
    catch_up(server)


def go_on(server: Server, match: str, *, why: str = "", by: str) -> None:
    """Restart the clock; the deadline becomes earlier by the unused part of the pause."""

    def act() -> None:
        record = record_of(server, match)
        deadline, at = _running_deadline(record, by), now(server)
        pause = current_pause(record, at)
        if pause is None:
            raise refuse("go on", say("the clock is running"))
        causes = (*deadline.causes, Cause("resumed", at=at))
        sooner = msgspec.structs.replace(deadline, at=deadline.at - (pause.until - at), causes=causes)
        _act(server, record, "go on", by, why, sooner, exchange=deadline.exchange)

    unit_of_work.retry(act)
    catch_up(server)


def extend(server: Server, match: str, *, hours: int, why: str, by: str) -> None:
    """Give all players more time for the open exchange."""

    def act() -> None:
        record = record_of(server, match)
        deadline = _running_deadline(record, by)
        later = deadlines.postpone(deadline, hours * HOUR, Cause("granted", said=why), "extension")
        _act(server, record, "extend", by, why, later, exchange=deadline.exchange, hours=hours)

    unit_of_work.retry(act)
    catch_up(server)


def _running_deadline(record: Record, by: str) -> Deadline:
    check_master(record, by)
    deadline = deadlines.deadline_of(record)
    if deadline is None or record.closing:
        raise refuse("deadline", say("these orders have no deadline"))
    return deadline


def hold(server: Server, match: str, *, why: str, by: str) -> None:
    """Stop closing exchanges in this match, even if all orders are final; orders are still accepted."""

    def act() -> None:
        record = record_of(server, match)
        check_impartial(record, by)
        if record.ended or deadlines.on_hold(record):
            raise refuse("hold", say("the match is over") if record.ended else say("the match is already on hold"))
        _act(server, record, "hold", by, why, exchange=record.open_exchange)

    unit_of_work.retry(act)


def release(server: Server, match: str, *, why: str = "", by: str) -> None:
    """Allow closing again; the deadline moves by the duration of the hold."""

    def act() -> None:
        record = record_of(server, match)
        check_impartial(record, by)
        held, deadline = deadlines.on_hold(record), deadlines.deadline_of(record)
        if held is None:
            raise refuse("release", say("the match is not on hold"))
        if deadline is not None:
            span = now(server) - max(held.recorded_at, deadlines.opened_at(record))
            deadline = deadlines.postpone(deadline, span, Cause("hold"), "pause")
        _act(server, record, "release", by, why, deadline, exchange=record.open_exchange)

    unit_of_work.retry(act)
    advancing.go_on(server, match)


def settings(server: Server, match: str, *, timing: Mapping[str, Any], why: str, by: str) -> None:
    """Change the deadline settings from the next exchange on; a deadline already announced is kept."""
    wanted = msgspec.to_builtins(read_timing(timing))

    def act() -> None:
        record = record_of(server, match)
        check_impartial(record, by)
        if record.ended:
            raise refuse("settings", say("the match is over"))
        _act(server, record, "settings", by, why, timing=wanted)

    unit_of_work.retry(act)


def process(server: Server, match: str, *, exchange: int, why: str, by: str) -> None:
    """Close the open exchange now: sealed orders count, and seats without orders are answered automatically."""

    def act() -> None:
        here = load(server, match)
        check_impartial(here.record, by)
        if not here.asked or here.record.open_exchange != exchange:
            raise NotOpen(say("exchange {exchange} is not open", exchange=exchange))
        if deadlines.held_since(server) is not None:
            raise refuse("process", say("the server is on hold"))
        if deadlines.on_hold(here.record):
            raise refuse("process", say("the match is on hold; release it first"))
        if inbox.is_awaited(server, match):
            raise refuse(
                "process", say("an email that may contain orders is waiting to be read; try again in a minute")
            )
        _act(server, here.record, "process", by, why, exchange=exchange)

    unit_of_work.retry(act)
    closing.close(server, match, exchange=exchange, why="master")
    advancing.go_on(server, match)


def _act(
    server: Server, record: Record, name: str, by: str, why: str, deadline: Deadline | None = None, **more: Any
) -> None:
    """Record an act of the game master, together with any new deadline it causes."""
    events: list[StoredEvent] = [MasterActed(by, name, why, **more)]
    if deadline is not None:
        events.append(deadlines.set_event(deadline))
    unit_of_work.append(server, record, events, "master")


# Seats -------------------------------------------------------------------------------------------------------


def replace(
    server: Server, match: str, *, seat: str, address: str = "", substitute: str = "", why: str, by: str
) -> None:
    """Free a seat and offer it to an address, give it to a substitute, or otherwise give it to the title's bot."""
    wanted = accounts.clean_address(address) if address else ""
    if wanted and substitute:
        raise refuse(seat, say("name a substitute or a player to invite, not both"))

    def act() -> None:
        record = record_of(server, match)
        check_impartial(record, by)
        if record.ended:
            raise refuse(seat, say("the match is over"))
        if substitute and substitute not in standing_by(record):
            raise Unreadable(
                substitute, [objection(say("this account is not on the list of substitutes"))], standing_by(record)
            )
        taker = substitute or accounts.open_bot(server, record.created.title).id
        changes = change_hands(record, seat, taker, why)
        if wanted:
            changes.pop()  # the invited player takes the seat by accepting
        acted = MasterActed(by, "replace", why, seat=seat)
        unit_of_work.append(server, record, [acted, *changes], "master")

    unit_of_work.retry(act)
    if wanted:
        invitations.invite(server, match, seat, wanted)
    advancing.go_on(server, match)


# Disputes ----------------------------------------------------------------------------------------------------


class Disputed(msgspec.Struct, frozen=True):
    """A dispute that awaits a decision, in its author's words."""

    number: int
    seat: str
    exchange: int
    at: int
    text: str
    place: Message
    """The disputed place, in words."""
    rule: str = ""
    precedents: tuple[precedents.Precedent, ...] = ()


def open_disputes(server: Server, match: str, *, by: str) -> list[Disputed]:
    """The players' open disputes, for the game master; reading them is not recorded."""
    record = record_of(server, match)
    check_impartial(record, by)
    title = record.created.title
    return [
        Disputed(
            one.number,
            one.seat,
            one.exchange,
            one.at,
            disputes.text_of(server, record, one.number, MASTER),
            one.named,
            one.rule,
            tuple(precedents.search(server, title=title, rule=one.rule)) if one.rule else (),
        )
        for one in disputes.disputes(record)
        if not one.answer
    ]


def settle(
    server: Server,
    match: str,
    *,
    number: int,
    answer: str,
    by: str,
    verdict: str = "",
    rule: str = "",
    follows: str = "",
    departs: str = "",
    grounds: str = "",
) -> None:
    """Decide a dispute, publicly; the precedents that the decision follows or departs from are named by their ids."""
    check_impartial(record_of(server, match), by)
    cited = {"follows": _precedents(server, follows), "departs": _precedents(server, departs)}
    disputes.settle(
        server, match, number, answer, by=by, verdict=verdict, rule=rule.strip(), grounds=grounds, **cited
    )
    catch_up(server)


def _precedents(server: Server, ids: str) -> list[str]:
    wanted = ids.replace(",", " ").split()
    known = {found.id for found in precedents.search(server)}
    if unknown := [one for one in wanted if one not in known]:
        raise Unreadable(unknown[0], [objection(say("no precedent has that id"))], sorted(known)[:5])
    return wanted


# Rules -------------------------------------------------------------------------------------------------------


def resume(server: Server, match: str, *, why: str = "", by: str) -> None:
    """Resume a halted match once its rules are fixed."""
    record = record_of(server, match)
    check_master(record, by)
    if record.halted is None:
        raise refuse("resume", say("the match is not halted"))
    unit_of_work.retry(lambda: _act(server, record_of(server, match), "resume", by, why))
    try:
        advancing.resume_halted(server, match)
    except Diverged as problem:
        raise refuse(
            "resume", say("replaying the match still gives a different result; the rules must be fixed first")
        ) from problem
    advancing.go_on(server, match)


def move_rules(server: Server, match: str, *, switches: Sequence[str], why: str, by: str) -> None:
    """Apply these corrections of the rules to the match, from its next step on."""
    check_impartial(record_of(server, match), by)
    rules_versions.check_switches(server, record_of(server, match), switches)
    unit_of_work.retry(lambda: _act(server, record_of(server, match), "rules", by, why, switches=sorted(switches)))
    rules_versions.move_rules(server, match, switches)


def refuse(part: str, why: Message | str) -> Illegal:
    return Illegal(part, [objection(why)])


def objection(why: Message | str) -> Objection:
    return Objection("pbem/master", why)
