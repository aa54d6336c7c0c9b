"""The former names of `acts`, until every caller uses the new modules."""

from __future__ import annotations

from pbem.matches.exchange.advancing import resume_halted as resume_halted
from pbem.matches.exchange.advancing import start as start
from pbem.matches.exchange.checks import LOOKED as LOOKED
from pbem.matches.exchange.checks import NotOpen as NotOpen
from pbem.matches.exchange.checks import check_blind as check_blind
from pbem.matches.exchange.checks import check_in_time as check_in_time
from pbem.matches.exchange.checks import check_occupant as check_occupant
from pbem.matches.exchange.checks import check_open as check_open
from pbem.matches.exchange.checks import free_seats as free_seats
from pbem.matches.exchange.closing import close as close
from pbem.matches.exchange.closing import close_and_resolve as close_if_final
from pbem.matches.exchange.closing import is_kept as is_kept
from pbem.matches.exchange.closing import sealed_submission as sealed_submission
from pbem.matches.exchange.creating import RESERVED as RESERVED
from pbem.matches.exchange.creating import create as create
from pbem.matches.exchange.creating import shared_sides as shared_sides
from pbem.matches.exchange.ending import end_event as end_event
from pbem.matches.exchange.ending import opened_ladders as opened_ladders
from pbem.matches.exchange.ending import spans as spans
from pbem.matches.exchange.halting import halt as halt
from pbem.matches.exchange.halting import shadow_replay as shadow_replay
from pbem.matches.exchange.ladder_starts import after_restore as after_restore
from pbem.matches.exchange.ladder_starts import append_with_ladder as append_with_ladder
from pbem.matches.exchange.ladder_starts import draw_ladder as draw_ladder
from pbem.matches.exchange.ladder_starts import start_ladder as start_ladder
from pbem.matches.exchange.resolving import KEPT as KEPT
from pbem.matches.exchange.resolving import answerer_of as answerer_of
from pbem.matches.exchange.resolving import ended_event as ended_event
from pbem.matches.exchange.resolving import keep_snapshot as keep_snapshot
from pbem.matches.exchange.resolving import newest_head as newest_head
from pbem.matches.exchange.resolving import resolve as resolve
from pbem.matches.exchange.resolving import resolved_event as resolved_event
from pbem.matches.exchange.resolving import run_on as run_on
from pbem.matches.exchange.resolving import signed_head as signed_head
from pbem.matches.exchange.rules_versions import check_switches as check_switches
from pbem.matches.exchange.rules_versions import move_rules as move_rules
from pbem.matches.exchange.sealing import Sent as Sent
from pbem.matches.exchange.sealing import check as check
from pbem.matches.exchange.sealing import check_text as check_text
from pbem.matches.exchange.sealing import doctrine_event as doctrine_event
from pbem.matches.exchange.sealing import final_events as final_events
from pbem.matches.exchange.sealing import finalise as finalise
from pbem.matches.exchange.sealing import order_audience as order_audience
from pbem.matches.exchange.sealing import seal as seal
from pbem.matches.exchange.sealing import seal_text as seal_text
from pbem.matches.exchange.sealing import sent_part as sent_part
from pbem.matches.exchange.sealing import set_doctrine as set_doctrine
from pbem.matches.exchange.sealing import sign_receipt as sign_receipt
from pbem.matches.exchange.sealing import withdraw as withdraw
from pbem.matches.exchange.sealing import withdrawn_event as withdrawn_event
from pbem.matches.exchange.seats import leave_seat as leave_seat
from pbem.matches.exchange.seats import sit_down as take_seat
from pbem.matches.history.replay import all_matches as matches
from pbem.matches.history.replay import load as load
from pbem.matches.history.replay import record_of as read
from pbem.matches.unit_of_work import append as append
from pbem.matches.unit_of_work import part as part
from pbem.matches.unit_of_work import retry as retry

__all__ = [
    "KEPT",
    "LOOKED",
    "RESERVED",
    "NotOpen",
    "Sent",
    "after_restore",
    "answerer_of",
    "append",
    "append_with_ladder",
    "check",
    "check_blind",
    "check_in_time",
    "check_occupant",
    "check_open",
    "check_switches",
    "check_text",
    "close",
    "close_if_final",
    "create",
    "doctrine_event",
    "draw_ladder",
    "end_event",
    "ended_event",
    "final_events",
    "finalise",
    "free_seats",
    "halt",
    "is_kept",
    "keep_snapshot",
    "leave_seat",
    "load",
    "matches",
    "move_rules",
    "newest_head",
    "opened_ladders",
    "order_audience",
    "part",
    "read",
    "resolve",
    "resolved_event",
    "resume_halted",
    "retry",
    "run_on",
    "seal",
    "seal_text",
    "sealed_submission",
    "sent_part",
    "set_doctrine",
    "shadow_replay",
    "shared_sides",
    "sign_receipt",
    "signed_head",
    "spans",
    "start",
    "start_ladder",
    "take_seat",
    "withdraw",
    "withdrawn_event",
]
