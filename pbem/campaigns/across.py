"""Judge a campaign and its battles together, by their logs alone: heads, calls, fates and commands.

Each log may be sound by itself and still contradict the others: a report that rests on another match, a battle that
nobody called or that was left out, a unit in two places, a battle led by a player who was never given the command.
This module needs neither a title nor its rules. `guide/format.md` states the same in words, under "Bundles".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from eventstore import Event
from pbem.campaigns import commands
from pbem.campaigns.called import Calls
from pbem.engine.rules.findings import MASTER
from pbem.matches.audit.problems import Problem
from pbem.matches.history import moves
from pbem.matches.history.export import Export
from pbem.matches.history.receipts import SignedHead
from pbem.matches.history.record import Entry, Record, fold
from pbem.matches.history.replay import SERVER

REPORTS = ("battle.reported", "battle.changed")
OVERRULED = ("ruling.reopened", "ruling.recomputed")
GONE = ("lost", "captured")


class Located(msgspec.Struct, frozen=True):
    """A problem in one of the logs of a bundle; `where` is the id of the log, or empty for the whole file."""

    where: str
    problem: Problem

    def __str__(self) -> str:
        return f"{self.where}: {self.problem}" if self.where else str(self.problem)


class Logs(msgspec.Struct):
    """The log of a campaign, and the logs of its battles by match."""

    campaign: Export
    record: Record
    battles: Mapping[str, Export]
    trusted: str = ""

    def here(self, event: Event | None, what: str, code: str) -> Located:
        """Return a problem located in the campaign's log."""
        return Located(self.campaign.match, Problem(event.version if event else 0, what, code))

    def calls(self) -> Calls:
        """An empty tracker for the campaign's calls, to be fed from its first event on."""
        return Calls(self.campaign.match)


def problems(campaign: Export, battles: Mapping[str, Export], trusted: str = "") -> Iterator[Located]:
    """Compare the logs of a bundle with each other; each log has already been checked by itself."""
    logs = Logs(campaign, fold(campaign.events), battles, trusted)
    if logs.record.created.title != "campaign":
        yield logs.here(None, "this is not a campaign", "bundle")
        return
    if battles and logs.record.opened is None:
        yield logs.here(None, "the campaign is not over, but the file contains its battles", "bundle")
    yield from _check_reports(logs)
    if logs.record.opened is not None:
        yield from _check_matches(logs)
        yield from _left_out(logs)
        yield from _unit_problems(logs)
        yield from _seat_problems(logs)


# Reports and the matches that they rest on -------------------------------------------------------------------


def _check_reports(logs: Logs) -> Iterator[Located]:
    """Check that each report has the signed end of one match, and that no end or match serves two calls."""
    heads: dict[str, str] = {}
    matches: dict[str, str] = {}
    of_call: dict[str, str] = {}
    calls = logs.calls()
    for event in logs.record.events:
        calls.take(event)
        if event.type not in REPORTS:
            continue
        said, head = event.payload, event.payload["head"]
        signed = SignedHead(
            server=moves.server_at(logs.record.events, event.version),
            match=said["match"],
            exchange=head["exchange"],
            event=head["event"],
            signature=head["signature"],
        )
        if not signed.genuine(logs.trusted):
            yield logs.here(event, f"the head of match {said['match']} is not signed by this server", "battle-head")
        if heads.setdefault(head["event"], said["seat"]) != said["seat"]:
            yield logs.here(event, f"the head of match {said['match']} was used for another battle", "battle-head")
        call = f"{said['seat']}/{calls.standing.get(said['seat'], 0)}"
        one_match = of_call.setdefault(call, said["match"]) == said["match"]
        if event.type == "battle.reported" and (not one_match or matches.setdefault(said["match"], call) != call):
            yield logs.here(event, "a battle has two matches, or a match serves two battles", "battle-doubled")
        if event.type == "battle.reported":
            yield from parts_agree(logs, event)
        if logs.record.opened is not None:
            yield from _rests_on(logs, event, calls.origin(said["seat"]))


def _rests_on(logs: Logs, event: Event, origin: dict[str, str]) -> Iterator[Located]:
    """Check that the match of a report was made for this battle and ended as the report says."""
    said, head = event.payload, event.payload["head"]
    own = logs.battles.get(said["match"])
    if own is None:
        yield logs.here(event, f"match {said['match']} of the report is not in the file", "battle-missing")
        return
    made_for: dict[str, str] = own.events[0].payload.get("origin", {})
    if made_for != origin and not (event.type == "battle.changed" and made_for.get("battle") == origin["battle"]):
        yield logs.here(event, f"match {said['match']} was made for another battle", "battle-origin")
    ended = next((one for one in own.events if one.hash == head["event"] and one.type == "match.ended"), None)
    if ended is None or ended.payload["exchange"] != head["exchange"]:
        yield logs.here(event, f"the head is not an end of match {said['match']}", "battle-head")
        return
    if any(one.type in OVERRULED and one.recorded_at < event.recorded_at for one in own.events[ended.version :]):
        yield logs.here(event, f"a ruling had voided that end of match {said['match']}", "battle-head")
    if event.type == "battle.reported" and said["outcome"] != ended.payload["outcome"]:
        yield logs.here(event, f"match {said['match']} ended differently", "battle-outcome")
    if event.type == "battle.reported" and _disputed_at(own, event.recorded_at):
        yield logs.here(
            event, f"the report counts although a dispute in match {said['match']} was open", "battle-early"
        )


def _disputed_at(own: Export, at: int) -> bool:
    """Whether a dispute had been open for a minute at this time, which allows for differences between two clocks."""
    disputes = set()
    for event in own.events:
        if event.type in ("dispute.opened", "dispute.appealed") and event.recorded_at < at - commands.MINUTE:
            disputes.add(event.payload["number"])
        elif event.type == "dispute.settled" and event.recorded_at <= at:
            disputes.discard(event.payload["number"])
    return bool(disputes)


def parts_agree(logs: Logs, event: Event) -> Iterator[Located]:
    """Check that the whole report names the winner of the match, and that each side received its own part of it."""
    report = _report(logs, event)
    if report is None:
        return
    outcome = event.payload["outcome"]
    if report.get("winner") != outcome["winner"]:
        yield logs.here(event, "the report names a different winner from the match", "battle-report")
    if "score" in outcome and report.get("score", {}) != outcome["score"]:
        yield logs.here(event, "the report names a different score from the match", "battle-report")
    fates, kills = report.get("fates", {}), report.get("kills", {})
    told = {
        ref.audience.removeprefix("side/"): _content(logs, ref.commitment)
        for ref in event.parts
        if ref.name == "fates"
    }
    shares = {
        side: {"fates": units, "kills": {unit: count for unit, count in kills.items() if unit in units}}
        for side, units in fates.items()
    }
    if told != shares:
        yield logs.here(event, "a side was told different fates from those in the report", "battle-report")


def _content(logs: Logs, commitment: str) -> Any:
    return msgspec.json.decode(logs.campaign.parts[commitment].content)


def _report(logs: Logs, event: Event) -> dict[str, Any] | None:
    """The whole report, if the reader may see it."""
    ref = event.part("report", SERVER)
    if ref is None or ref.commitment not in logs.campaign.parts:
        return None
    found: dict[str, Any] = _content(logs, ref.commitment)["answer"]
    return found


# Battles that were called ------------------------------------------------------------------------------------


def _check_matches(logs: Logs) -> Iterator[Located]:
    """Check that every match was made for one called battle of this campaign, and opens with the campaign."""
    called, seen = Calls(logs.campaign.match, logs.record.events).origins(), list[dict[str, str]]()
    for match, own in logs.battles.items():
        created = own.events[0].payload
        origin = created.get("origin", {})
        if origin.get("stream") != logs.campaign.stream or created.get("opens") != "campaign":
            what = "the match was not made for a battle of this campaign, or does not open with it"
            yield Located(match, Problem(1, what, "battle-origin"))
        elif origin not in called:
            yield Located(match, Problem(1, f"battle {origin.get('battle')} was never called", "battle-uncalled"))
        elif origin in seen:
            yield Located(match, Problem(1, f"battle {origin['battle']} has two matches", "battle-doubled"))
        seen.append(origin)


def _left_out(logs: Logs) -> Iterator[Located]:
    """Check that every awaited battle is in the file, and that any later end of its match is on record."""
    there = [own.events[0].payload.get("origin") for own in logs.battles.values()]
    missing, calls = list[dict[str, str]](), logs.calls()
    for event in logs.record.events:
        calls.take(event)
        for seat in event.payload["asked"] if event.type == "exchange.closed" else ():
            wanted = calls.origin(seat)
            if seat not in logs.record.seats and wanted not in there and wanted not in missing:
                missing.append(wanted)
                yield logs.here(
                    event, f"the exchange waited for the match of {seat}, which is not in the file", "battle-missing"
                )
    reports = [event for event in logs.record.events if event.type in REPORTS]
    over = logs.record.ended.recorded_at if logs.record.ended else 0
    for match, own in logs.battles.items():
        ends = [event for event in own.events if event.type == "match.ended"]
        told = {event.payload["head"]["event"] for event in reports if event.payload["match"] == match}
        if told and ends and ends[-1].hash not in told and ends[-1].recorded_at < over - commands.MINUTE:
            what = "after its report the match got a different end, which the campaign does not record"
            yield Located(match, Problem(ends[-1].version, what, "battle-head"))


# Units -------------------------------------------------------------------------------------------------------


class Muster(msgspec.Struct):
    """Where units are, according to the campaign's findings."""

    fighting: dict[str, str] = {}
    gone: set[str] = set()
    called: dict[str, list[list[str]]] = {}
    fates: dict[str, dict[str, str]] = {}


def _unit_problems(logs: Logs) -> Iterator[Located]:
    """Check that a unit is in one battle at a time, never returns after being lost, and has one fate in each."""
    if any(entry.kind == "corrected" for entry in logs.record.history):
        return  # a correction may have changed the rosters
    muster = Muster()
    for entry in logs.record.resolved:
        for seat, version in entry.event.payload["counts"].items():
            if seat not in logs.record.seats:
                yield from _compare_units(logs, muster, logs.record.events[version - 1], seat)
        for finding in _findings(logs, entry):
            if wrong := _follow_unit(muster, finding):
                yield logs.here(entry.resolved, wrong, "battle-units")


def _findings(logs: Logs, entry: Entry) -> list[dict[str, Any]]:
    """The findings of an exchange as plain data, except those that everybody sees."""
    assert entry.resolved is not None
    ref = entry.resolved.part("findings", MASTER)
    rows = _content(logs, ref.commitment) if ref else []
    return [row[1] if isinstance(row, list) else row for row in rows]


def _compare_units(logs: Logs, muster: Muster, event: Event, seat: str) -> Iterator[Located]:
    """Check that the units of a report are those that were sent, each once."""
    report = _report(logs, event)
    if report is None:
        return
    battle, fates = seat.removeprefix("battle "), report.get("fates", {})
    muster.fates[battle] = {unit: row["fate"] for units in fates.values() for unit, row in units.items()}
    if sorted(sorted(units) for units in fates.values()) != sorted(muster.called.get(battle, [])):
        yield logs.here(
            event, f"the units of the report are not those that were sent to battle {battle}", "battle-units"
        )


def _follow_unit(muster: Muster, finding: dict[str, Any]) -> str:
    """Follow a unit; return what is wrong with its movement, or an empty string."""
    rule, inputs, result = finding["rule"], finding.get("inputs", {}), finding.get("result")
    unit = inputs.get("unit", "")
    if rule == "C3.1" and "units" in inputs:
        battle, units = inputs["battle"], sorted(inputs["units"])
        wrong = [one for one in units if one in muster.gone or one in muster.fighting]
        muster.called.setdefault(battle, []).append(units)
        muster.fighting.update(dict.fromkeys(units, battle))
        return f"{', '.join(wrong)} cannot be sent to battle {battle}" if wrong else ""
    if rule == "C4.1" and unit:
        told = muster.fates.get(inputs["battle"], {}).get(unit)
        wrong_place = muster.fighting.pop(unit, "") != inputs["battle"]
        if result in GONE:
            muster.gone.add(unit)
        return f"{unit} has a different fate from the one in the report" if wrong_place or told != result else ""
    if rule == "C4.5" and result == "lost":
        muster.gone.add(unit)
    elif rule == "C5.3" and unit and (unit in muster.gone or unit in muster.fighting):
        return f"{unit} arrives although there was a unit with that id before"
    return ""


# Commands ----------------------------------------------------------------------------------------------------


def _seat_problems(logs: Logs) -> Iterator[Located]:
    """Check that the players of a battle serve on its side in the campaign."""
    staff = commands.staff_of(logs.campaign.events)
    for match, own in logs.battles.items():
        for version, what in commands.problems(staff, own.events):
            yield Located(match, Problem(version, what, "battle-seat"))
