"""The former names of `desk`, until every caller uses the new modules."""

from __future__ import annotations

from pbem.matches.accounts.privacy import FORGETTERS as FORGETTERS
from pbem.matches.accounts.privacy import forget as forget
from pbem.matches.clock.outages import MOST_SETTLED as MOST_SETTLED
from pbem.matches.clock.outages import hold as hold
from pbem.matches.clock.outages import record_and_settle as record_outage
from pbem.matches.clock.outages import release as release
from pbem.matches.clock.outages import settle_all as settle_all
from pbem.matches.exchange.advancing import MOST_EXCHANGES as MOST_EXCHANGES
from pbem.matches.exchange.advancing import advance as advance
from pbem.matches.exchange.advancing import close_if_final as close_if_final
from pbem.matches.exchange.advancing import go_on as go_on
from pbem.matches.exchange.advancing import is_checked as is_checked
from pbem.matches.exchange.advancing import is_ready as is_ready
from pbem.matches.exchange.advancing import play_bots as play_bots
from pbem.matches.exchange.advancing import resolve as resolve
from pbem.matches.exchange.advancing import running as running
from pbem.matches.exchange.advancing import safely as safely
from pbem.matches.exchange.creating import MOST_NAME as MOST_NAME
from pbem.matches.exchange.creating import new_match as new_match
from pbem.matches.exchange.creating import one_line as one_line
from pbem.matches.exchange.seats import occupant as occupant
from pbem.matches.exchange.seats import seats_of as seats_of
from pbem.matches.exchange.seats import take_seat as take_seat
from pbem.matches.exchange.submitting import Lines as Lines
from pbem.matches.exchange.submitting import Taken as Taken
from pbem.matches.exchange.submitting import confirm as confirm
from pbem.matches.exchange.submitting import finalise as finalise
from pbem.matches.exchange.submitting import owe_receipt as owe_receipt
from pbem.matches.exchange.submitting import submit as submit
from pbem.matches.exchange.submitting import take as take
from pbem.matches.exchange.submitting import take_final as take_final
from pbem.matches.exchange.submitting import withdraw as withdraw
from pbem.matches.installation import TABLES as TABLES
from pbem.matches.installation import open_server as open_server
from pbem.matches.players.requests import Done as Done
from pbem.matches.post.notifications import catch_up as catch_up
from pbem.matches.views import Form as Form
from pbem.matches.views import Mine as Mine
from pbem.matches.views import Report as Report
from pbem.matches.views import Status as Status
from pbem.matches.views import Told as Told
from pbem.matches.views import open_form as open_form
from pbem.matches.views import reading as reading
from pbem.matches.views import receipt as receipt
from pbem.matches.views import report as report
from pbem.matches.views import status as status
from pbem.matches.views import story as story

__all__ = [
    "FORGETTERS",
    "MOST_EXCHANGES",
    "MOST_NAME",
    "MOST_SETTLED",
    "TABLES",
    "Done",
    "Form",
    "Lines",
    "Mine",
    "Report",
    "Status",
    "Taken",
    "Told",
    "advance",
    "catch_up",
    "close_if_final",
    "confirm",
    "finalise",
    "forget",
    "go_on",
    "hold",
    "is_checked",
    "is_ready",
    "new_match",
    "occupant",
    "one_line",
    "open_form",
    "open_server",
    "owe_receipt",
    "play_bots",
    "reading",
    "receipt",
    "record_outage",
    "release",
    "report",
    "resolve",
    "running",
    "safely",
    "seats_of",
    "settle_all",
    "status",
    "story",
    "submit",
    "take",
    "take_final",
    "take_seat",
    "withdraw",
]
