"""Judge by the log alone what `procedure` leaves open: more time, disputes, changed rules and the end of a match.

more time   a deadline moves to a later time after the act that its cause names; extensions are those agreed on
disputes    are numbered in order, opened by players, decided once, and once more after an appeal
rules       change by an act of the game master, by a ruling, or while the match is halted
the end     follows what brings it about; parts open after it, when the match has agreed to that
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from eventstore import Event
from pbem.matches.audit.problems import Problem

CAUSES: dict[str, tuple[str, ...]] = {
    "extension": ("extension.granted", "master.acted"),
    "pause": ("master.acted", "dispute.settled"),
    "substitute": ("seat.taken",),
    "opened": (),
}
"""The event before that lets a deadline move to a later time; other causes concern the whole server."""

ENDS = (
    *("exchange.resolved", "exchange.recomputed", "seat.resigned", "seat.conceded", "seat.forfeited", "seat.left"),
    *("draw.offered", "match.adjudicated"),
)
"""After these a match can end."""

BOT = "bot-"


class Court:
    """The part of the log's history that these rules depend on."""

    def __init__(self, created: dict[str, Any]) -> None:
        self.created = created
        self.timing: dict[str, Any] = dict(created.get("timing", {}))
        self.occupants: dict[str, str] = {}
        self.deadlines: dict[int, int] = {}
        self.by_right: dict[str, int] = {}
        self.bank: dict[str, int] = {}
        self.asked: set[str] = set()
        self.disputes: dict[int, str] = {}
        self.appealed: set[int] = set()
        self.switches: list[str] | None = None
        self.season = 0
        self.halted = self.ended = False
        self.before: Event | None = None

    def follows(self, *types: str) -> bool:
        return self.before is not None and self.before.type in types


def problems(events: Sequence[Event]) -> Iterator[Problem]:
    """Name the steps of this log that no act allows."""
    court = Court(events[0].payload)
    for event in events:
        judge = _JUDGES.get(event.type)
        if judge is not None:
            yield from judge(court, event, event.payload)
        court.before = event


# More time ---------------------------------------------------------------------------------------------------


def _deadline(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    closes_at, cause = said["at"] + said.get("grace", 0), said.get("cause", "")
    later = closes_at > court.deadlines.get(said["exchange"], closes_at)
    if later and cause in CAUSES and not court.follows(*CAUSES[cause]):
        yield Problem(event.version, "it moves a deadline to a later time, and nothing allows that", "deadline-moved")
    court.deadlines[said["exchange"]] = closes_at


def _asked(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    court.asked.add(said["seat"])
    return iter(())


def _granted(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    """Check an extension: by right as agreed, from the bank within its hours, or asked for by all players."""
    seat, by = said["seat"], said["by"]
    if by == "right":
        court.by_right[seat] = court.by_right.get(seat, 0) + 1
        allowed = court.by_right[seat] <= court.timing.get("extensions", 1)
    elif by == "bank":
        court.bank[seat] = court.bank.get(seat, 0) + said["hours"]
        allowed = court.bank[seat] <= court.timing.get("bank", 0)
    else:
        people = {one for one, account in court.occupants.items() if not account.startswith(BOT)}
        allowed = people <= court.asked
    if not allowed:
        yield Problem(event.version, f"more time for {seat} than the match had agreed on", "deadline-moved")
    court.asked.clear()


def _acted(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said["act"] == "settings":
        court.timing = dict(said["timing"])
    elif said["act"] in ("extend", "pause"):
        court.asked.clear()
    elif said["act"] == "rules":
        court.switches = list(said.get("switches", []))
    return iter(())


def _taken(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    court.occupants[said["seat"]] = said["account"]
    court.by_right[said["seat"]] = 0
    return iter(())


def _left(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    court.occupants.pop(said["seat"], None)
    return iter(())


def _closed(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    court.asked.clear()
    return iter(())


# Disputes ----------------------------------------------------------------------------------------------------


def _opened_dispute(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said["number"] != len(court.disputes) + 1 or said["seat"] not in court.occupants:
        yield Problem(event.version, "a dispute out of turn, or of a seat that was empty", "dispute")
    court.disputes[said["number"]] = "open"


def _heard(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if court.disputes.get(said["number"]) != "open" or said["seat"] not in court.occupants:
        yield Problem(event.version, "a statement on a dispute that was not open, or of an empty seat", "dispute")


def _settled(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if court.disputes.get(said["number"]) != "open":
        yield Problem(event.version, f"dispute {said['number']} was not open", "dispute")
    court.disputes[said["number"]] = "decided"


def _appealed(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if court.disputes.get(said["number"]) != "decided" or said["number"] in court.appealed:
        yield Problem(event.version, f"dispute {said['number']} could not be appealed", "dispute")
    court.appealed.add(said["number"])
    court.disputes[said["number"]] = "open"


def _ruled(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if said.get("dispute", 0) and said["dispute"] not in court.disputes:
        yield Problem(event.version, f"a ruling on dispute {said['dispute']}, which was never opened", "dispute")
    if event.type != "ruling.corrected":
        court.ended = False


# Rules and ends ----------------------------------------------------------------------------------------------


def _rules_moved(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    """The game master's act may be followed by the result of a closed exchange, which the old rules still give."""
    by_act = court.switches is not None and court.switches == said["switches"]
    season = said.get("season", 0)
    if court.created.get("title") == "campaign" and season > court.season:
        court.season = season  # the campaign's file names its seasons: `pbem campaign verify` compares them
        return
    if not (by_act or court.halted or court.follows("ruling.recomputed")):
        yield Problem(event.version, "the rules were changed, and no act allows that", "by-nobody")
    court.switches = None


def _halted(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    court.halted = event.type == "match.halted"
    return iter(())


def _ended(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if not court.follows(*ENDS):
        yield Problem(event.version, "the match ends, and nothing before it brings that about", "end")
    court.ended = True


def _opened(court: Court, event: Event, said: dict[str, Any]) -> Iterator[Problem]:
    if not court.ended or court.created.get("opens", "match") not in ("round", "campaign"):
        yield Problem(event.version, "the parts were opened at a time that was not agreed on", "end")


_Judge = Callable[[Court, Event, dict[str, Any]], Iterator[Problem]]
_JUDGES: dict[str, _Judge] = {
    "deadline.set": _deadline,
    "extension.asked": _asked,
    "extension.granted": _granted,
    "master.acted": _acted,
    "seat.taken": _taken,
    "seat.left": _left,
    "exchange.closed": _closed,
    "dispute.opened": _opened_dispute,
    "dispute.heard": _heard,
    "dispute.settled": _settled,
    "dispute.appealed": _appealed,
    "ruling.reopened": _ruled,
    "ruling.recomputed": _ruled,
    "ruling.corrected": _ruled,
    "rules.moved": _rules_moved,
    "match.halted": _halted,
    "match.resumed": _halted,
    "match.ended": _ended,
    "match.opened": _opened,
}
