"""Judge the procedure of a match by its log alone: deadlines, finals, seats, rulings and the powers behind them.

A sound chain shows that nothing was changed afterwards. It does not show that the server kept to the rules of the
correspondence while it wrote the log. This module walks the events once and names every step that nothing on record
permits. It reads public payloads only, and needs neither a title nor a secret. `guide/format.md` states the
same rules in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from eventstore import Event
from pbem.matches.audit.conduct.course import Announced
from pbem.matches.audit.problems import Problem
from pbem.matches.history import beacons

BY_RULE = "rule"

GIVEN_UP = {"seat.resigned": "resigned", "seat.conceded": "conceded", "seat.forfeited": "forfeited"}
RULINGS = ("ruling.reopened", "ruling.recomputed", "ruling.corrected")
WAITING = "wait"
CLOCK_ACTS = ("pause", "go on", "extend", "resume")
"""The acts that a game master who plays is still allowed."""
ACTS = (*CLOCK_ACTS, "hold", "release", "settings", "process", "replace", "silence", "unsilence", "rules")
HANDED_OVER = "the command has changed hands"
"""The reason recorded when a player leaves a battle of a campaign because another account now has the command."""


class Clerk:
    """The part of the log's history that procedure depends on."""

    def __init__(self, created: dict[str, Any]) -> None:
        self.created = created
        self.seats: list[str] = list(created["seats"])
        self.timing: dict[str, Any] = {**created.get("timing", {}), "hours": created.get("cadence", 0)}
        self.occupants: dict[str, str] = {}
        self.ready: list[str] = []
        self.looked: set[str] = set()
        self.last = 0
        self.void = 0
        self.pending = False
        self.asked: list[str] | None = []
        self.sealed: dict[str, Event] = {}
        self.final: set[str] = set()
        self.missed: dict[str, int] = {}
        self.deadlines: dict[int, Announced] = {}
        self.held = False
        self.open_disputes: set[int] = set()
        self.panels: dict[int, list[str]] = {}
        self.votes: dict[int, dict[str, str]] = {}
        self.upheld: set[int] = set()
        self.auditors: set[str] = set()
        self.proposed: dict[str, str] = {}
        self.ended = False
        self.processed = 0
        self.ladder = 1
        self.before: Event | None = None
        self.gave_up: dict[str, str] = {}
        self.to_substitute = ""
        self.asks: dict[int, list[str]] = {}
        self.beacon = beacons.terms_of(created.get("beacon", {}))
        self.closed: Event | None = None
        self.beacon_taken = False

    @property
    def open(self) -> int:
        return max(self.last, self.void) + 1

    @property
    def master(self) -> str:
        return str(self.created.get("master", ""))

    @property
    def running(self) -> Announced | None:
        """The deadline of the open exchange."""
        return self.deadlines.get(self.open)

    @property
    def vacant(self) -> set[str]:
        """The empty seats that may stay empty."""
        return set(self.created.get("optional", ())) - set(self.occupants)

    def people(self, asked: Iterable[str]) -> set[str]:
        """Return the asked seats that must send orders: neither battles nor seats that may stay empty."""
        return {seat for seat in asked if seat in self.seats} - self.vacant

    def ask_anew(self) -> None:
        self.void = self.open
        self.sealed, self.final, self.pending = {}, set(), False

    def drop_order(self, seat: str) -> None:
        self.sealed.pop(seat, None)
        self.final.discard(seat)


def problems(events: Sequence[Event]) -> Iterator[Problem]:
    """Name every step of this log that nothing on record permits."""
    if events[0].type != "match.created":
        yield Problem(1, "the log does not begin with match.created", "sequence")
        return
    clerk = Clerk(events[0].payload)
    for index, event in enumerate(events):
        if clerk.before is not None and event.recorded_at < clerk.before.recorded_at:
            yield Problem(event.version, "it is dated earlier than the event before it", "dated")
        if index and event.type == "match.created":
            yield Problem(event.version, "the match is created a second time", "sequence")
        following = events[index + 1] if index + 1 < len(events) else None
        judge = _JUDGES.get(event.type)
        if judge is not None:
            yield from judge(clerk, event, following)
        clerk.before = event


# Orders ------------------------------------------------------------------------------------------------------


def _check_sealed(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    seat = event.payload["seat"]
    yield from _order_place(clerk, event)
    if clerk.asked is not None and seat not in clerk.asked:
        yield Problem(event.version, f"{seat} was not asked for orders", "order-place")
    accepted = event.payload.get("accepted", event.recorded_at)
    if accepted > event.recorded_at:
        yield Problem(event.version, "it was accepted after it was recorded", "dated")
    clerk.sealed[seat] = event
    clerk.final.discard(seat)


def _order_place(clerk: Clerk, event: Event) -> Iterator[Problem]:
    seat, exchange = event.payload["seat"], event.payload["exchange"]
    if seat not in clerk.occupants:
        yield Problem(event.version, f"the seat {seat} was empty", "order-place")
    elif exchange != clerk.open or clerk.pending or clerk.ended:
        yield Problem(event.version, f"exchange {exchange} was not open", "order-place")


def _check_final(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    seat = event.payload["seat"]
    yield from _order_place(clerk, event)
    if seat not in clerk.sealed:
        yield Problem(event.version, f"{seat} had sealed nothing that could be made final", "order-place")
    clerk.final.add(seat)


def _check_reported(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    """Check that a reported battle was awaited by the open exchange; its report is its seat's answer."""
    seat, exchange = event.payload["seat"], event.payload["exchange"]
    if seat in clerk.seats or (clerk.asked is not None and seat not in clerk.asked):
        yield Problem(event.version, f"{seat} was not awaited", "order-place")
    elif exchange != clerk.open or clerk.pending or clerk.ended:
        yield Problem(event.version, f"exchange {exchange} was not open", "order-place")
    clerk.sealed[seat] = event
    clerk.final.add(seat)


def _check_withdrawn(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    seat = event.payload["seat"]
    yield from _order_place(clerk, event)
    if seat not in clerk.sealed:
        yield Problem(event.version, f"{seat} had sealed nothing that could be withdrawn", "order-place")
    clerk.drop_order(seat)


# Closing -----------------------------------------------------------------------------------------------------


def _check_closed(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    exchange, why = event.payload["exchange"], event.payload["why"]
    if exchange != clerk.open or clerk.ended:
        yield Problem(event.version, f"exchange {exchange} was not open", "closed-other")
    yield from _CLOSINGS.get(why, _closed_otherwise)(clerk, event)
    if clerk.held:
        yield Problem(event.version, "it was closed while the match was on hold", "closed-held")
    elif clerk.open_disputes and clerk.timing.get("disputes") == WAITING:
        yield Problem(event.version, "it was closed although a dispute was open", "closed-held")
    yield from _check_counted(clerk, event)
    for seat in event.payload["asked"]:
        clerk.missed[seat] = 0 if seat in event.payload["counts"] else clerk.missed.get(seat, 0) + 1
    clerk.last, clerk.pending = exchange, True
    clerk.closed, clerk.beacon_taken = event, False
    clerk.sealed, clerk.final = {}, set()


def _check_counted(clerk: Clerk, event: Event) -> Iterator[Problem]:
    """Check that every counted order was accepted in time, and sealed after the ladder for its dice was published."""
    deadline = clerk.running
    for seat in sorted(event.payload["counts"]):
        order = clerk.sealed.get(seat)
        if order is None or order.version != event.payload["counts"][seat]:
            continue  # reported elsewhere, as an order that is not in force
        accepted = order.payload.get("accepted", order.recorded_at)
        late = deadline is not None and accepted > deadline.closes_at
        if late and clerk.timing.get("missed") != WAITING:
            yield Problem(event.version, f"the order of {seat} counts although it came after the deadline", "late")
        if order.version < clerk.ladder:
            what = f"the order of {seat} was sealed before the dice ladder was drawn"
            yield Problem(event.version, what, "sealed-before-ladder")


def _check_closed_at_start(clerk: Clerk, event: Event) -> Iterator[Problem]:
    first = event.payload["exchange"] == 1 and not event.payload["asked"]
    if not first or set(clerk.seats) - set(clerk.occupants) - clerk.vacant:
        yield Problem(event.version, "the match starts although not every seat was taken", "closed-start")


def _check_closed_final(clerk: Clerk, event: Event) -> Iterator[Problem]:
    waited_for = sorted(set(event.payload["asked"]) - clerk.final - clerk.vacant)
    if waited_for or not event.payload["asked"]:
        who = ", ".join(waited_for) or "any seat that was asked"
        yield Problem(
            event.version, f"it was closed as final, although the orders of {who} were not final", "closed-not-final"
        )


def _check_closed_at_deadline(clerk: Clerk, event: Event) -> Iterator[Problem]:
    deadline = clerk.running
    missing = sorted(clerk.people(event.payload["asked"]) - set(clerk.sealed))
    if deadline is None:
        yield Problem(event.version, "it was closed at a deadline that was never announced", "closed-no-deadline")
    elif event.recorded_at < (deadline.closes_at if missing else deadline.at):
        yield Problem(event.version, "it was closed before its announced deadline", "closed-early")
    elif missing and clerk.timing.get("missed") == WAITING:
        what = f"it was closed without {', '.join(missing)}, although the match had agreed to wait for them"
        yield Problem(event.version, what, "closed-early")
    yield from _check_spared(clerk, event)


def _check_spared(clerk: Clerk, event: Event) -> Iterator[Problem]:
    """Check that a player who missed too many deadlines forfeited, or was replaced if a substitute was available."""
    policy, ready = clerk.timing.get("missed"), [one for one in clerk.ready if one not in clerk.looked]
    if policy != "forfeit" and not (policy == "substitute" and ready):
        return
    for seat in sorted(clerk.people(event.payload["asked"]) - set(clerk.sealed)):
        too_often = clerk.missed.get(seat, 0) + 1 >= clerk.timing.get("patience", 1)
        if too_often and seat in clerk.occupants and seat not in clerk.gave_up:
            yield Problem(event.version, f"{seat} missed too many deadlines, and this had no consequence", "missed")


def _check_closed_by_master(clerk: Clerk, event: Event) -> Iterator[Problem]:
    if clerk.processed != event.payload["exchange"]:
        yield Problem(event.version, "no game master had ordered it to be closed", "closed-by-nobody")


def _closed_otherwise(clerk: Clerk, event: Event) -> Iterator[Problem]:
    yield Problem(event.version, f"'{event.payload['why']}' is not a reason to close an exchange", "closed-why")


_CLOSINGS: dict[str, Callable[[Clerk, Event], Iterator[Problem]]] = {
    "start": _check_closed_at_start,
    "final": _check_closed_final,
    "deadline": _check_closed_at_deadline,
    "master": _check_closed_by_master,
}


def _check_resolved(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    if event.type == "exchange.resolved" and clerk.beacon is not None and not clerk.beacon_taken:
        yield Problem(event.version, "it was resolved without the value of its public beacon", "beacon")
    clerk.pending = False
    clerk.asked = sorted(ask["seat"] for ask in event.payload["asks"])
    clerk.asks[event.payload["exchange"]] = clerk.asked


def _check_beacon(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    """Check that a closed exchange takes one value of its beacon: that of the round fixed when it closed."""
    said, terms, closed = event.payload, clerk.beacon, clerk.closed
    if terms is None:
        yield Problem(event.version, "the match had not agreed on a beacon", "beacon")
    elif closed is None or not clerk.pending or clerk.beacon_taken or said["exchange"] != clerk.last:
        yield Problem(event.version, f"exchange {said['exchange']} did not wait for a beacon", "beacon")
    elif said["round"] != (due := terms.round_after(closed.recorded_at)):
        yield Problem(event.version, f"its closing had fixed round {due}, not round {said['round']}", "beacon")
    elif event.recorded_at < terms.published_at(due):
        yield Problem(event.version, f"round {due} had not been published yet", "beacon")
    elif flaw := beacons.Value(said["round"], said["value"], said.get("signature", "")).flaw():
        yield Problem(event.version, flaw, "beacon")
    clerk.beacon_taken = True


# Deadlines ---------------------------------------------------------------------------------------------------


def _check_deadline_set(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    """Do nothing: the module about the clock judges whether this deadline may be announced."""
    said = event.payload
    clerk.deadlines[said["exchange"]] = Announced(said["at"], said.get("grace", 0))
    return iter(())


# Seats -------------------------------------------------------------------------------------------------------


def _check_taken(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    seat, account = event.payload["seat"], event.payload["account"]
    if seat in clerk.occupants or seat not in clerk.seats:
        yield Problem(event.version, f"the seat {seat} was not free", "seat")
    if account in clerk.looked:
        yield Problem(event.version, f"{account} had looked at hidden things as game master", "seat")
    if clerk.to_substitute == seat and account not in clerk.ready:
        yield Problem(event.version, f"{account} was not a substitute of this match", "seat")
    clerk.occupants[seat], clerk.missed[seat], clerk.to_substitute = account, 0, ""
    clerk.gave_up.pop(seat, None)
    clerk.ready = [one for one in clerk.ready if one != account]


def _check_left(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    """Check that a seat was given up by its occupant, or taken from them by a game master or for missed deadlines."""
    seat, why = event.payload["seat"], event.payload["why"]
    occupant = clerk.occupants.get(seat)
    taken = following is not None and following.type == "seat.taken" and following.payload["seat"] == seat
    if occupant is None:
        yield Problem(event.version, f"the seat {seat} was empty", "seat")
    elif clerk.gave_up.get(seat) == why or _by_master(clerk, seat):
        pass
    elif why == "missed deadlines":
        yield from _replaced_for_missing(clerk, event, seat)
        clerk.to_substitute = seat
    elif why == HANDED_OVER and "battle" in clerk.created.get("origin", {}):
        pass  # whether the command changed hands is judged with the campaign
    elif event.payload.get("by") == occupant:
        clerk.to_substitute = seat if taken else ""
    else:
        yield Problem(event.version, f"{seat} was taken from {occupant}, and no act allowed that", "seat")
    clerk.occupants.pop(seat, None)
    clerk.proposed.pop(seat, None)
    clerk.drop_order(seat)


def _by_master(clerk: Clerk, seat: str) -> bool:
    before = clerk.before
    if before is None or before.type != "master.acted":
        return False
    said = before.payload
    return said["act"] == "replace" and said.get("seat") == seat and said["by"] == clerk.master != ""


def _replaced_for_missing(clerk: Clerk, event: Event, seat: str) -> Iterator[Problem]:
    deadline, patience = clerk.running, clerk.timing.get("patience", 1)
    if clerk.timing.get("missed") != "substitute":
        yield Problem(event.version, "the match had not agreed to replace a seat that misses deadlines", "seat")
    elif deadline is None or event.recorded_at < deadline.closes_at or seat in clerk.sealed:
        yield Problem(event.version, f"{seat} had not missed its deadline", "seat")
    elif clerk.missed.get(seat, 0) + 1 < patience:
        yield Problem(event.version, f"{seat} had not missed {patience} deadlines in a row", "seat")


def _check_given_up(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    """Note that the seat gave up; `players.endings` judges whether that was the occupant's own act."""
    clerk.gave_up[event.payload["seat"]] = GIVEN_UP[event.type]
    return iter(())


def _check_substitute(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    account = event.payload["account"]
    if event.type == "substitute.gone" and account not in clerk.ready:
        yield Problem(event.version, f"{account} was not a substitute of this match", "seat")
    clerk.ready = [one for one in clerk.ready if one != account]
    if event.type == "substitute.named":
        if account in clerk.occupants.values() or account in clerk.looked:
            yield Problem(
                event.version,
                f"{account} plays here or has looked at hidden things, and so cannot be a substitute",
                "seat",
            )
        clerk.ready.append(account)


# Powers ------------------------------------------------------------------------------------------------------


def _masters(clerk: Clerk, event: Event, what: str) -> Iterator[Problem]:
    by = event.payload["by"]
    if not clerk.master:
        yield Problem(event.version, f"{what} in a match without a game master", "by-nobody")
    elif by != clerk.master:
        yield Problem(event.version, f"{what} by {by}, who is not the game master", "by-nobody")


def _check_impartial(clerk: Clerk, event: Event, what: str) -> Iterator[Problem]:
    """Check that the game master who acts here does not play in the match."""
    yield from _masters(clerk, event, what)
    if event.payload["by"] in clerk.occupants.values():
        yield Problem(event.version, f"{what} by {event.payload['by']}, who has a seat", "by-nobody")


def _check_acted(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    said = event.payload
    yield from _masters(clerk, event, f"an act ({said['act']})")
    if said["act"] not in ACTS or (said["act"] == "process" and said.get("exchange", 0) != clerk.open):
        yield Problem(
            event.version, f"'{said['act']}' is not an act of a game master, or was not possible", "by-nobody"
        )
    if said["act"] not in CLOCK_ACTS and said["by"] in clerk.occupants.values():
        yield Problem(event.version, f"{said['by']} has a seat, and may only give more time", "by-nobody")
    if said["act"] == "settings":
        clerk.timing = dict(said["timing"])
    elif said["act"] in ("hold", "release"):
        clerk.held = said["act"] == "hold"
    elif said["act"] == "process":
        clerk.processed = said.get("exchange", 0)


def _check_looked(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    by = event.payload["by"]
    entitled = by in clerk.auditors or any(by in members for members in clerk.panels.values())
    if not entitled or by in clerk.occupants.values():
        yield from _check_impartial(clerk, event, "a look at hidden things")
    clerk.looked.add(by)


def _check_disputed(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    """Note that a dispute was opened, or reopened by an appeal, which voids the votes of its panel."""
    number = event.payload["number"]
    clerk.open_disputes.add(number)
    clerk.votes.pop(number, None)
    clerk.upheld.discard(number)
    return iter(())


def _check_panel_named(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    """Check that a panel has an odd number of members who do not play, and was named by a person who may do so."""
    number, members = event.payload["number"], list(event.payload["members"])
    if "origin" not in clerk.created:
        yield from _check_impartial(clerk, event, "a panel was named")
    elif event.payload["by"] in clerk.occupants.values():
        yield Problem(event.version, f"a panel was named by {event.payload['by']}, who has a seat", "by-nobody")
    if (
        len(set(members)) % 2 == 0
        or len(set(members)) != len(members)
        or set(members) & set(clerk.occupants.values())
    ):
        yield Problem(event.version, "its members are not an odd number of accounts that do not play", "panel")
    if number not in clerk.open_disputes or clerk.votes.get(number):
        yield Problem(event.version, "its dispute is not open, or the vote had begun", "panel")
    clerk.panels[number] = members


def _check_voted(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    said = event.payload
    votes = clerk.votes.setdefault(said["number"], {})
    plays = said["by"] in clerk.occupants.values()
    if said["by"] not in clerk.panels.get(said["number"], ()) or said["by"] in votes or plays:
        yield Problem(event.version, f"a vote by {said['by']}, who had no vote", "panel")
    if said["number"] not in clerk.open_disputes:
        yield Problem(event.version, "a vote on a dispute that was not open", "panel")
    votes[said["by"]] = said["verdict"]


def _check_settled(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    number, verdict = event.payload["number"], event.payload.get("verdict", "")
    members = clerk.panels.get(number)
    if members is None:
        yield from _check_impartial(clerk, event, "an answer to a dispute")
    else:
        same = [one for one in clerk.votes.get(number, {}).values() if one == verdict]
        if event.payload["by"] != "panel" or 2 * len(same) <= len(members):
            yield Problem(event.version, "no majority of its panel decided this dispute", "panel")
    clerk.open_disputes.discard(number)
    if verdict == "upheld":
        clerk.upheld.add(number)


def _check_auditor(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    """Check that an auditor was appointed by all sides, or by the director of the match's tournament."""
    said, kind = event.payload, event.type.partition(".")[2]
    if kind == "proposed":
        if said["seat"] not in clerk.occupants:
            yield Problem(event.version, f"the seat {said['seat']} was empty", "auditor")
        clerk.proposed[said["seat"]] = said["account"]
    elif kind == "dismissed":
        may = said["by"] in (*clerk.occupants.values(), said["account"])
        if not may or said["account"] not in clerk.auditors:
            yield Problem(event.version, f"an auditor was dismissed by {said['by']}, who may not do that", "auditor")
        clerk.auditors.discard(said["account"])
    else:
        sides = clerk.created.get("sides", {})
        wanted = {sides.get(seat, seat) for seat in clerk.seats if seat not in clerk.vacant}
        agreed = {sides.get(seat, seat) for seat, account in clerk.proposed.items() if account == said["account"]}
        by_director = "origin" in clerk.created and said["by"] not in ("", "sides", *clerk.occupants.values())
        if said["account"] in clerk.occupants.values() or not (by_director or wanted <= agreed):
            yield Problem(event.version, "an auditor not appointed by all sides or by a director", "auditor")
        clerk.auditors.add(said["account"])
        clerk.proposed = {seat: one for seat, one in clerk.proposed.items() if one != said["account"]}


def _check_ruled(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    dispute = event.payload.get("dispute", 0)
    members = clerk.panels.get(dispute, [])
    if event.payload["by"] not in members or not (len(members) == 1 or dispute in clerk.upheld):
        yield from _masters(clerk, event, "a ruling")
    if event.payload["by"] in clerk.occupants.values():
        yield Problem(event.version, f"{event.payload['by']} ruled on a match they play in", "by-nobody")
    if event.type == "ruling.corrected":
        clerk.asked = None  # the corrected state may ask other seats
    else:
        clerk.ended = False
        clerk.gave_up.clear()
        clerk.asked = clerk.asks.get(event.payload["after"])
    clerk.ask_anew()


def _check_adjudicated(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    """Check that an adjudication has an author who may decide: a rule, the game master or a director."""
    by = event.payload["by"]
    if by not in (BY_RULE, clerk.master) and "origin" not in clerk.created:
        yield Problem(event.version, f"an adjudication by {by or 'nobody'}, who may not decide", "by-nobody")
    elif not by or (by == BY_RULE and "origin" not in clerk.created):
        yield Problem(event.version, "an adjudication without an author", "by-nobody")


# Ladders and ends --------------------------------------------------------------------------------------------


def _check_ladder(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    clerk.ladder = event.version
    return iter(())


def _check_arrived(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    """Note the players' accounts on the new server after a move, as the same people have other accounts there."""
    known = event.payload["accounts"]
    clerk.created = {**clerk.created, "master": known.get(clerk.master, clerk.master)}
    clerk.occupants = {seat: known.get(account, account) for seat, account in clerk.occupants.items()}
    clerk.looked = {known.get(account, account) for account in clerk.looked}
    return iter(())


def _check_voided(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    if following is None or following.type != "ladder.started":
        yield Problem(event.version, "an exchange was made void without a new dice ladder", "voided")
    if event.payload["exchange"] != clerk.open or clerk.pending or clerk.ended:
        yield Problem(event.version, f"exchange {event.payload['exchange']} was not open", "voided")
    clerk.ask_anew()


def _check_ended(clerk: Clerk, event: Event, following: Event | None) -> Iterator[Problem]:
    if clerk.ended:
        yield Problem(event.version, "the match had ended before", "sequence")
    clerk.ended = True


_Judge = Callable[[Clerk, Event, Event | None], Iterator[Problem]]
_JUDGES: dict[str, _Judge] = {
    "order.sealed": _check_sealed,
    "order.final": _check_final,
    "order.withdrawn": _check_withdrawn,
    "battle.reported": _check_reported,
    "exchange.closed": _check_closed,
    "exchange.resolved": _check_resolved,
    "exchange.recomputed": _check_resolved,
    "beacon.taken": _check_beacon,
    "exchange.voided": _check_voided,
    "deadline.set": _check_deadline_set,
    "seat.taken": _check_taken,
    "seat.left": _check_left,
    "substitute.named": _check_substitute,
    "substitute.gone": _check_substitute,
    "master.acted": _check_acted,
    "master.looked": _check_looked,
    "dispute.opened": _check_disputed,
    "dispute.appealed": _check_disputed,
    "dispute.settled": _check_settled,
    "dispute.voted": _check_voted,
    "panel.named": _check_panel_named,
    **dict.fromkeys(("auditor.proposed", "auditor.named", "auditor.dismissed"), _check_auditor),
    "match.adjudicated": _check_adjudicated,
    "match.arrived": _check_arrived,
    "ladder.started": _check_ladder,
    "match.ended": _check_ended,
    **dict.fromkeys(GIVEN_UP, _check_given_up),
    **dict.fromkeys(RULINGS, _check_ruled),
}
