"""Search the reports, disputes and rulings of a match as a viewer may read them: by unit, rule, word and turn."""

from __future__ import annotations

import msgspec

from pbem.engine.rules.refusals import Refusal
from pbem.matches import views
from pbem.matches.history.record import Record
from pbem.matches.history.replay import record_of
from pbem.matches.rulings import disputes
from pbem.matches.server import Server

MOST = 200


class Hit(msgspec.Struct, frozen=True):
    """A sentence that fits. `number` is its place in the report (0: it is not in a report)."""

    exchange: int
    turn: int
    number: int
    rule: str
    text: str


def search(
    server: Server, match: str, viewer: str, *, words: str = "", rule: str = "", turn: int | None = None
) -> list[Hit]:
    """Return the sentences that have all these words, belong to the rule or its sub-rules, and to the turn."""
    record = record_of(server, match)
    wanted = words.lower().split()
    found: list[Hit] = []
    for hit in [*_reports(server, record, match, viewer, turn), *_decisions(record, turn)]:
        of_rule = not rule or hit.rule == rule or hit.rule.startswith((f"{rule}.", f"{rule}/"))
        if of_rule and all(word in hit.text.lower() for word in wanted):
            found.append(hit)
    return found[:MOST]


def _reports(server: Server, record: Record, match: str, viewer: str, turn: int | None) -> list[Hit]:
    found: list[Hit] = []
    for entry in record.resolved:
        if entry.exchange == 1:
            continue
        try:
            report = views.report(server, match, viewer, entry.exchange)
        except Refusal:
            continue
        if turn in (None, report.turn):
            found += [
                Hit(entry.exchange, report.turn, number, told.rule, told.text)
                for number, told in enumerate(report.told, 1)
            ]
    return found


def _state(dispute: disputes.Dispute) -> str:
    return dispute.verdict or ("decided" if dispute.answer else "open")


def _decisions(record: Record, turn: int | None) -> list[Hit]:
    """Disputes and rulings belong to exchanges, not to turns."""
    if turn is not None:
        return []
    found = [
        Hit(one.exchange, 0, 0, one.rule, f"Dispute {one.number} of {one.seat}: {_state(one)}. {one.answer}".strip())
        for one in disputes.disputes(record)
    ]
    for event in record.events:
        if event.type.startswith("ruling."):
            what = event.type.partition(".")[2]
            found.append(Hit(event.payload.get("after", 0), 0, 0, "", f"Ruling ({what}): {event.payload['reason']}"))
    return found
