"""Halt a match whose rules fail or whose replay differs. Its dice are fixed; the other matches go on."""

from __future__ import annotations

import traceback

from eventstore import Conflict, NewEvent
from pbem.engine.play.resolve import Diverged
from pbem.matches import unit_of_work
from pbem.matches.history.record import Record
from pbem.matches.history.replay import (
    OPERATOR,
    record_of,
    replay,
)
from pbem.matches.server import Server


def halt(server: Server, match: str, record: Record, exchange: int, problem: Exception) -> None:
    """Stop this match alone. Its dice are fixed; a corrected release resumes it."""
    detail = "".join(traceback.format_exception(problem))
    kept = unit_of_work.part(
        server, match, record.version + 1, "detail", OPERATOR, {"where": str(problem), "trace": detail}
    )
    try:
        unit_of_work.append(server, record, [NewEvent("match.halted", {"exchange": exchange}, parts=(kept,))], "halt")
    except Conflict:
        return  # somebody else went on with the match


def shadow_replay(server: Server, match: str) -> Diverged | None:
    """Replay from the first event; a difference without a switch halts this match and says where."""
    record = record_of(server, match)
    try:
        replay(server, match)
    except Diverged as problem:
        if not record.halted and not record.ended:
            halt(server, match, record, record.last, problem)
        return problem
    if record.halted and record.closing is None:
        unit_of_work.append(server, record, [NewEvent("match.resumed", {})], "resume")
    return None
