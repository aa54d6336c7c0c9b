"""Move a match to other corrections of the rules, from its next step on."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import say
from pbem.matches.events import RulesMoved
from pbem.matches.exchange import resolving
from pbem.matches.exchange.checks import NotOpen
from pbem.matches.history.record import Record
from pbem.matches.history.replay import (
    record_of,
)
from pbem.matches.server import Server
from pbem.matches.unit_of_work import retrying


def move_rules(server: Server, match: str, switches: Sequence[str]) -> None:
    """Apply these corrections of the rules to a match, from its next step on."""
    resolving.resolve(server, match)
    _move_rules(server, match, switches)


@retrying
def _move_rules(server: Server, match: str, switches: Sequence[str]) -> None:
    record = record_of(server, match)
    check_switches(server, record, switches)
    if record.closing and not record.halted:
        raise NotOpen(say("the turn is being played; its rules cannot change now"))
    with server.change(record, "rules") as change:
        change.append(RulesMoved(sorted(switches)))


def check_switches(server: Server, record: Record, switches: Sequence[str]) -> None:
    """Refuse switches that this release does not know, because they can be neither played nor verified."""
    known = server.titles[record.created.title].switches
    for switch in switches:
        if switch not in known:
            raise Unreadable(switch, [Objection("pbem/switch", say("no rules switch has that name"))], known)
