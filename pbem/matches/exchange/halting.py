"""Halt a match whose rules fail or whose replay differs. Its dice are fixed; the other matches continue."""

from __future__ import annotations

import traceback

from eventstore import Conflict
from pbem.engine.play.resolve import Diverged
from pbem.matches.events import MatchHalted, MatchResumed
from pbem.matches.history.record import Record
from pbem.matches.history.replay import OPERATOR, record_of, replay
from pbem.matches.server import Server


def halt(server: Server, record: Record, exchange: int, problem: Exception) -> None:
    """Halt only this match. Its dice are fixed; a corrected release resumes it."""
    detail = "".join(traceback.format_exception(problem))
    try:
        with server.change(record, "halt") as change:
            kept = change.part("detail", OPERATOR, {"where": str(problem), "trace": detail})
            change.append(MatchHalted(exchange).new(kept))
    except Conflict:
        return  # another process advanced the match


def shadow_replay(server: Server, match: str) -> Diverged | None:
    """Replay from the first event; a difference that no switch explains halts this match and is located."""
    record = record_of(server, match)
    try:
        replay(server, match)
    except Diverged as problem:
        if not record.halted and not record.ended:
            halt(server, record, record.last, problem)
        return problem
    if record.halted and record.closing is None:
        resume(server, record)
    return None


def resume(server: Server, record: Record) -> None:
    """Record that a halted match continues."""
    with server.change(record, "resume") as change:
        change.append(MatchResumed())
